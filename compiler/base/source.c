// Places in a query text: lines and columns.
#include "source.h"

#include <string.h>

#include "runtime/value/unicode.h"

enum { STEP = 256 }; // bytes between marks

// The character after this one; a malformed byte counts as one character, byte-order marks at the start of the text as
// none.
static void pass_character(const Source *s, SourceMark *m)
{
    uint32_t character;
    const size_t length = unicode_decode(s->text + m->offset, s->length - m->offset, &character);
    if (s->text[m->offset] == '\n')
        m->place = (Place){m->place.line + 1, 1};
    else if (!(m->place.line == 1 && m->place.column == 1 && length == 3 && character == 0xFEFF))
        m->place.column++;
    m->offset += length ? (uint32_t)length : 1;
}

static const SourceMark start_of_text = {0, {1, 1}};

void source_index(Arena *arena, Source *s)
{
    SourceMark *mark = arena_alloc(arena, sizeof *mark * (s->length / STEP + 1)), m = start_of_text;
    for (size_t i = 0; i <= s->length / STEP; i++) {
        while (m.offset < i * STEP)
            pass_character(s, &m);
        mark[i] = m;
    }
    s->mark = mark;
}

Place source_place(const Source *s, uint32_t offset)
{
    const size_t end = offset < s->length ? offset : s->length;
    SourceMark m = start_of_text;
    if (s->mark != NULL)
        m = s->mark[end / STEP];
    if (m.offset > end) // in the middle of a character
        m = s->mark[end / STEP - 1];
    while (m.offset < end)
        pass_character(s, &m);
    return m.place;
}

const char *source_line(const Source *s, uint32_t line, size_t *length)
{
    const char *start = s->text, *end = s->text + s->length;
    for (uint32_t i = 1; i < line; i++) {
        const char *line_end = memchr(start, '\n', (size_t)(end - start));
        if (line_end == NULL) {
            *length = 0;
            return end;
        }
        start = line_end + 1;
    }
    const char *line_end = memchr(start, '\n', (size_t)(end - start));
    if (line_end == NULL)
        line_end = end;
    if (line_end > start && line_end[-1] == '\r')
        line_end--;
    *length = (size_t)(line_end - start);
    return start;
}
