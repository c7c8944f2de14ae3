// Messages of the command line: plain, or framed for a graphical front end (language reference 02b, -gui).
#ifndef CQL_CLI_CONSOLE_H
#define CQL_CLI_CONSOLE_H

#include <stdbool.h>

#include "runtime/search/search.h"

// Where `cqlgen cql` and `cqlgen cqli` print: everything goes to standard output, or to standard error when the games
// do. With -gui it is framed for a program that reads it.
typedef struct Console {
    FILE *out;
    bool gui;
} Console;

typedef enum Frame { FRAME_MESSAGE, FRAME_ERROR } Frame;

// Prints an error: to stderr when `console` is NULL, otherwise after an empty line or in a frame. Returns false.
bool complain(const Console *console, const char *format, ...) __attribute__((format(printf, 2, 3)));

// What a summary says after the number of damaged games about what is left out of them; may be empty. The caller frees it.
char *damage_text(int64_t cut, int64_t words);

// Prints an error to stderr that may have several lines: what the C compiler says.
void complain_lines(const char *lines);

// True when messages to stderr may have colours.
bool colour_wanted(void);

// Print the lines around a group of output; nothing without -gui.
void begin_frame(const Console *console, Frame frame);
void end_frame(const Console *console, Frame frame);

// The frames of the output of a search.
const SearchFrames *search_frames(const Console *console);

// Prints the line `<CqlGuiVariable> NAME VALUE`; nothing without -gui.
void show_variable(const Console *console, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// For main: opens those of standard input, output and error that are closed, so that no other file gets their numbers. Input and
// output then fail; messages are lost.
void open_descriptors(void);

#endif
