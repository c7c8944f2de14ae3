// Strings of the running game.
#include <stdarg.h>
#include <stdio.h>

#include "run_state.h"

CqlString *run_string_new(Context *c, size_t length)
{
    run_take_bytes(c, length);
    CqlString *s = string_arena_new(&c->run->strings, length);
    if (!s)
        run_raise_memory(c);
    return s;
}

String run_string(Context *c, const char *bytes, size_t length)
{
    if (length == 0)
        return &string_empty;
    CqlString *s = run_string_new(c, length);
    memcpy(s->bytes, bytes, length);
    return s;
}

String run_format(Context *c, const char *format, ...)
{
    va_list list, again;
    char usual[64];
    va_start(list, format);
    va_copy(again, list);
    const int length = vsnprintf(usual, sizeof usual, format, list);
    va_end(list);
    CqlString *s = run_string_new(c, (size_t)length);
    if ((size_t)length < sizeof usual)
        memcpy(s->bytes, usual, (size_t)length);
    else
        vsnprintf(s->bytes, (size_t)length + 1, format, again);
    va_end(again);
    return s;
}

Buffer *run_scratch(Context *c)
{
    c->run->scratch.length = 0;
    return &c->run->scratch;
}

String run_scratch_string(Context *c)
{
    return run_string(c, c->run->scratch.start, c->run->scratch.length);
}
