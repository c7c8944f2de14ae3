// Output files that appear under their name only when they are complete.
#ifndef CQL_OUTPUT_H
#define CQL_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct OutputFile OutputFile;

// Opens an output: NULL or "-" is standard output, anything else a temporary file in the same folder. Returns NULL and
// prints the reason to stderr when it cannot be created.
OutputFile *output_open(const char *name);

// Writes all bytes; false after an error (which output_close reports).
bool output_write(OutputFile *o, const void *bytes, size_t length);

// Closes the output. keep: renames the temporary file to its name, else removes it. Returns false, after a message on
// stderr, when something could not be written.
bool output_close(OutputFile *o, bool keep);

#endif
