// Text from outside on a terminal: names of files, tags, queries, messages of libraries. A terminal obeys control characters, and
// characters that change the direction of text show other words than there are.
//
// All messages on standard error are printed by the functions of this file, whether or not it is a terminal: logs are read on one
// (tests/parts/rooms.py checks that no other file prints there). What goes to standard output is changed only on a terminal, by
// terminal_guard, since programs read it elsewhere.
#ifndef CQL_VALUE_TERMINAL_H
#define CQL_VALUE_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "buffer.h"

// False for control characters (C0 but tabs and line ends, DEL, C1), those that change the direction of text, and
// line separators of Unicode.
bool text_is_harmless(uint32_t character);

// Appends the text with `?` for each character that is not harmless; CR LF stays. Bytes that are not UTF-8 are read as
// Latin-1. text_line: one line; line ends and tabs become
// `?` as well.
void text_harmless(Buffer *out, const char *bytes, size_t length);
void text_line(Buffer *out, const char *bytes, size_t length);

// Appends a formatted text as text_line does. It has a line end only where the format ends in one.
void line_format(Buffer *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same as a string of its own, for free().
char *line_new(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Prints such a line.
void printf_sanitized(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints lines: as text_harmless to standard error; to another stream, as they are.
void print_lines(FILE *out, const char *bytes, size_t length);

// Prints text that text_harmless and the like have made, with colours between. severity: of the message as JSON; NULL: error after
// `cqlgen: `, otherwise information.
void print_made(FILE *out, const char *severity, const char *bytes, size_t length);

// From now on each message on standard error is a line of JSON: {"event": "message", "severity": "warning", "text": "..."}, with severity
// error, warning or information. `cqlgen: ` before a text is left out. Before other threads start.
void messages_as_json(void);
bool messages_are_json(void);

// Prints such a message for each line that is not empty, with this severity.
void print_json_lines(const char *severity, const char *bytes, size_t length);

// Prints another line of JSON, to which the caller gives its form.
void print_json(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Shows a line in the place of the one shown before, and removes it: progress, on a terminal that can do so. A line that the
// terminal wraps could not be removed again, so it is cut.
void status_show(const char *line);
void status_clear(void);

// For main of a program whose output nobody forwards: when standard output is a terminal, all that is printed there passes
// through text_harmless. Before other threads start.
void terminal_guard(void);

// True when it does.
bool terminal_is_guarded(void);

#endif
