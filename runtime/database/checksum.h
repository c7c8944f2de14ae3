// Checksums of blobs: 64-bit XXH3. Internal to runtime/database.
#ifndef CQL_DATABASE_CHECKSUM_H
#define CQL_DATABASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#include <xxhash.h>

// The checksum of all bytes, as a signed number.
static inline int64_t checksum_of(const void *bytes, size_t length)
{
    return (int64_t)XXH3_64bits(bytes, length);
}

#endif
