// Numbers of any length: seven bits a byte, the lowest first; the high bit says that more follow.
#ifndef CQL_VARINT_H
#define CQL_VARINT_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"

enum { VARINT_MAX = 10 }; // bytes

// Writes a number and returns its end; there must be room for VARINT_MAX bytes.
static inline char *varint_write(char *to, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        *to++ = (char)(unsigned char)(value | 128);
    *to++ = (char)value;
    return to;
}

static inline void varint_put(Buffer *out, uint64_t value)
{
    char bytes[VARINT_MAX];
    buffer_append(out, bytes, (size_t)(varint_write(bytes, value) - bytes));
}

// Reads a number at *p and goes to its end; false when it does not end before `end`.
static inline bool varint_get(const char **p, const char *end, uint64_t *value)
{
    *value = 0;
    for (int shift = 0; *p < end && shift < 64; shift += 7) {
        const unsigned char byte = (unsigned char)*(*p)++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

#endif
