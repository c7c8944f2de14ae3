// One input file: plain or compressed, by name, by descriptor or standard input.
//
// zstd, gzip, bzip2 and xz are recognised by their first bytes, not by the name. Several compressed streams
// one behind the other are read as one. Everything that can be decoded before a damaged place is delivered
// before the error.
#ifndef CQL_SEARCH_INPUT_H
#define CQL_SEARCH_INPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct InputFile InputFile;

// Opens a file ("-": standard input). Returns NULL and sets errno when it cannot be opened. `stop` (may be
// NULL): when it becomes non-zero while there is nothing to read from a pipe, the input ends there.
InputFile *input_open(const char *name, const atomic_int *stop);

// The same for an open descriptor, which belongs to the InputFile then.
InputFile *input_open_descriptor(int fd, const atomic_int *stop);

// A ReadFn (game.h): up to `size` decoded bytes; 0 at the end, -1 after an error.
int64_t input_read(void *input, void *buffer, size_t size);

// Why input_read failed, with the offset in the file as it is stored; NULL: it did not. Owned by the
// InputFile.
const char *input_error(const InputFile *f);

// Bytes taken from the file as it is stored.
uint64_t input_offset(const InputFile *f);

void input_close(InputFile *f);

#endif
