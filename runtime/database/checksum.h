// Checksums of blobs: 64-bit XXH3, by the widest vectors that the processor has. Internal to runtime/database.
#ifndef CQL_DATABASE_CHECKSUM_H
#define CQL_DATABASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __x86_64__
#include <xxh_x86dispatch.h> // puts functions that choose in place of those of xxhash.h
#else
#include <xxhash.h>
#endif

// The checksum of all bytes, as a signed number.
static inline int64_t checksum_of(const void *bytes, size_t length)
{
    return (int64_t)XXH3_64bits(bytes, length);
}

#endif
