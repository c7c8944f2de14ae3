// Compressed output, by the ending of its name.
#ifndef CQL_FORMAT_PACKED_H
#define CQL_FORMAT_PACKED_H

#include <stdbool.h>
#include <stddef.h>

// The endings that compress, with commas.
#define PACKED_ENDINGS ".zst, .gz, .bz2, .xz"

// The length of a file name without the ending that compresses, if it has one.
size_t packed_inner_length(const char *name);

// Takes compressed bytes; false after an error.
typedef bool PackedWrite(void *user, const void *bytes, size_t length);

typedef struct Packed Packed;

// A compressor for the ending of a name; NULL: the name has none that compresses.
Packed *packed_new(const char *name, PackedWrite *write, void *user);

// Compresses bytes; false when `write` has failed.
bool packed_add(Packed *p, const void *bytes, size_t length);

// Ends the compressed stream; false when `write` has failed.
bool packed_end(Packed *p);
void packed_free(Packed *p);

#endif
