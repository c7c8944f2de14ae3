// Checksums of blobs: 64-bit XXH3, by the widest vectors that the processor has. Internal to runtime/database.
#ifndef CQL_DATABASE_CHECKSUM_H
#define CQL_DATABASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

// The checksum of all bytes, as a signed number.
int64_t checksum_of(const void *bytes, size_t length);

// The same of bytes that come in pieces.
typedef struct Checksum Checksum;
Checksum *checksum_new(void);
void checksum_free(Checksum *c);
void checksum_begin(Checksum *c);
void checksum_add(Checksum *c, const void *bytes, size_t length);
int64_t checksum_end(const Checksum *c);

#endif
