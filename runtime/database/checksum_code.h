// XXH3 compiled for one kind of vectors, XXH_VECTOR: included by each file that has a form of it. Internal to the
// checksum files.
#ifndef CQL_DATABASE_CHECKSUM_CODE_H
#define CQL_DATABASE_CHECKSUM_CODE_H

#define XXH_INLINE_ALL // the state of a form belongs to its own functions
#include <xxhash.h>

typedef struct ChecksumCode {
    uint64_t (*all)(const void *bytes, size_t length);
    void *(*make)(void);
    void (*drop)(void *state);
    void (*begin)(void *state);
    void (*add)(void *state, const void *bytes, size_t length);
    uint64_t (*end)(const void *state);
} ChecksumCode;

static uint64_t code_all(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

static void *code_make(void)
{
    return XXH3_createState();
}

static void code_drop(void *state)
{
    XXH3_freeState(state);
}

static void code_begin(void *state)
{
    XXH3_64bits_reset(state);
}

static void code_add(void *state, const void *bytes, size_t length)
{
    XXH3_64bits_update(state, bytes, length);
}

static uint64_t code_end(const void *state)
{
    return XXH3_64bits_digest(state);
}

#define CHECKSUM_CODE                                                                                        \
    {                                                                                                        \
        code_all, code_make, code_drop, code_begin, code_add, code_end                                       \
    }

extern const ChecksumCode checksum_wide; // with vectors of 256 bits

#endif
