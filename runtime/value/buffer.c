// The growing byte buffer.
#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static void buffer_reserve(Buffer *b, size_t more)
{
    b->start = memory_grow(b->start, &b->capacity, b->length + more, 1);
}

void buffer_append(Buffer *b, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    buffer_reserve(b, length);
    memcpy(b->start + b->length, bytes, length);
    b->length += length;
}

void buffer_text(Buffer *b, const char *text)
{
    buffer_append(b, text, strlen(text));
}

void buffer_format_list(Buffer *b, const char *format, va_list list)
{
    enum { USUAL = 64 };
    va_list again;
    va_copy(again, list);
    buffer_reserve(b, USUAL);
    const int length = vsnprintf(b->start + b->length, USUAL, format, list);
    if (length >= USUAL) {
        buffer_reserve(b, (size_t)length + 1);
        vsnprintf(b->start + b->length, (size_t)length + 1, format, again);
    }
    if (length > 0)
        b->length += (size_t)length;
    va_end(again);
}

void buffer_format(Buffer *b, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    buffer_format_list(b, format, list);
    va_end(list);
}

void buffer_free(Buffer *b)
{
    free(b->start);
    *b = (Buffer){0};
}
