// Variables at the beginning of a block of a screen.
#include "emit_lanes.h"
#include "runtime/value/memory.h"

#include <stdlib.h>
#include <string.h>

void block_begin(Screened *s, Block *b)
{
    *b = (Block){.out = s->e->out};
    s->e->out = memory_stream(&b->code, &b->length);
}

void block_declare(Screened *s, Block *b, const char *type, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Expr value = emit_vformat(s->e, STRENGTH_PRIMARY, format, arguments);
    va_end(arguments);
    b->declared[b->count].name = name;
    b->declared[b->count++].text = arena_printf(s->e->arena, "const %s %s = %s;", type, name, value.text);
}

static bool has_word(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length) {
        const bool begins = at == text || !(emit_is_word(at[-1]) || at[-1] == '>');
        if (begins && !emit_is_word(at[length]))
            return true;
    }
    return false;
}

void block_end(Screened *s, Block *b)
{
    bool needed[MOST_DECLARED];
    FILE *const code = s->e->out;
    fflush(code);
    s->e->out = b->out;
    for (int i = b->count - 1; i >= 0; i--) {
        needed[i] = has_word(b->code, b->declared[i].name);
        for (int k = i + 1; k < b->count && !needed[i]; k++)
            needed[i] = needed[k] && has_word(b->declared[k].text, b->declared[i].name);
    }
    for (int i = 0; i < b->count; i++)
        if (needed[i])
            emit_wrapped(s->e->out, s->indent, b->declared[i].text);
    fwrite(b->code, 1, b->length, s->e->out);
    fclose(code);
    free(b->code);
}
