// Output files that appear under their name only when they are complete, and temporary files.
#ifndef CQL_OUTPUT_H
#define CQL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct OutputFile OutputFile;

// Opens an output: NULL or "-" is standard output; a device or a pipe is written in place; anything else
// becomes a file without a name, where the system supports that, or a temporary file in the same folder. An
// existing file keeps its permissions; a symbolic link stays and its target is replaced. What is written is
// compressed when the name has an ending that says so (packed.h). Returns NULL and prints the reason to stderr when that fails.
// `flags`: OUTPUT_.
enum {
    OUTPUT_APPEND = 1,  // what the file contains comes first
    OUTPUT_NEW = 2,     // fail when the file exists
    OUTPUT_FOLDERS = 4, // make missing folders
    OUTPUT_DRY = 8,     // print the name on standard output, and write nothing
    OUTPUT_PLAIN = 16,  // never compress
};
OutputFile *output_open(const char *name, unsigned flags);

// Makes a folder and those above it; false and errno when it is not there afterwards.
bool output_make_folder(const char *name);

// True when an output, as output_open takes it, is the same file as an input ("-": standard input).
bool output_is_input(const char *output, const char *input);

// Writes all bytes; false after an error (which output_close reports).
bool output_write(OutputFile *o, const void *bytes, size_t length);

// Closes the output. keep: the file gets its name, otherwise it disappears. Returns false, after a message on
// stderr, when something could not be written; an old file then stays as it was.
bool output_close(OutputFile *o, bool keep);

// A temporary file without a name, in $TMPDIR or /tmp, which disappears when it is closed; -1 and errno when
// that fails.
int output_temporary(void);

// Writes all bytes to a descriptor; false and errno after an error.
bool output_write_all(int fd, const void *bytes, size_t length);

// True when standard output is a pipe that nobody reads any more, as after `| head`: no reason to complain.
bool output_has_no_reader(void);

#endif
