// A growing byte buffer. {0} is an empty one. Running out of memory ends the program (memory.h).
#ifndef CQL_BUFFER_H
#define CQL_BUFFER_H

#include <stdarg.h>
#include <stddef.h>

#include "memory.h"

typedef struct Buffer {
    char *start; // not NUL-terminated
    size_t length, capacity;
} Buffer;

// Room for `more` bytes after the last one: those that the caller fills, it adds to b->length.
static inline char *buffer_room(Buffer *b, size_t more)
{
    if (b->capacity - b->length < more)
        b->start = memory_enlarged(b->start, &b->capacity, b->length + more, 1);
    return b->start + b->length;
}

void buffer_append(Buffer *b, const char *bytes, size_t length);
void buffer_text(Buffer *b, const char *text); // NUL-terminated
void buffer_format(Buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_format_list(Buffer *b, const char *format, va_list list) __attribute__((format(printf, 2, 0)));
void buffer_free(Buffer *b); // leaves an empty buffer

#endif
