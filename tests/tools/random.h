// Numbers by chance that are the same on every machine: xorshift64.
#ifndef CQL_TOOLS_RANDOM_H
#define CQL_TOOLS_RANDOM_H

#include <stdint.h>

// The state must not be 0.
static inline uint32_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32);
}

#endif
