// Numbers as bytes, the lowest first: of a fixed width, or of any length with seven bits a byte, whose high bit says that more follow.
#ifndef CQL_BYTES_H
#define CQL_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"

enum { VARINT_MAX = 10 }; // bytes

// ---- of a fixed width -------------------------------------------------------------------------------------

static inline void bytes_write(char *to, uint64_t value, int width)
{
    for (int i = 0; i < width; i++)
        to[i] = (char)(value >> 8 * i);
}

static inline uint64_t bytes_read(const void *from, int width)
{
    const unsigned char *bytes = from;
    uint64_t value = 0;
    for (int i = 0; i < width; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static inline void bytes_put(Buffer *out, uint64_t value, int width)
{
    bytes_write(buffer_room(out, (size_t)width), value, width);
    out->length += (size_t)width;
}

// ---- of any length ----------------------------------------------------------------------------------------

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
    out->length = (size_t)(varint_write(buffer_room(out, VARINT_MAX), value) - out->start);
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
