// Offsets in a text as positions of the Language Server Protocol, and back.
#include "internal.h"

#ifdef CQL_HAS_JSON
#include <string.h>

#include "runtime/value/unicode.h"

EditorText editor_text(const EditorQuery *query)
{
    return (EditorText){.start = query->text, .length = strlen(query->text), .bytes = query->bytes};
}

static bool ends_line(const EditorText *t)
{
    const char c = t->start[t->at];
    return c == '\n' || (c == '\r' && (t->at + 1 == t->length || t->start[t->at + 1] != '\n'));
}

// The character after this one; a byte that is not UTF-8 counts as one.
static void pass_character(EditorText *t)
{
    uint32_t character = 0;
    size_t length = unicode_decode(t->start + t->at, t->length - t->at, &character);
    const bool line = ends_line(t);
    length = length > 0 ? length : 1;
    t->at += length;
    t->character += t->bytes ? (int)length : character > 0xFFFF ? 2 : 1;
    if (line) {
        t->line++;
        t->character = 0;
    }
}

static void rewind_text(EditorText *t)
{
    t->at = 0;
    t->line = t->character = 0;
}

static json_t *position_at(EditorText *t, size_t offset)
{
    if (offset < t->at)
        rewind_text(t);
    while (t->at < t->length && t->at < offset)
        pass_character(t);
    return json_pack("{s:i, s:i}", "line", t->line, "character", t->character);
}

json_t *editor_range(EditorText *text, size_t start, size_t end)
{
    json_t *from = position_at(text, start);
    json_t *to = position_at(text, end < start ? start : end);
    return json_pack("{s:o, s:o}", "start", from, "end", to);
}

size_t editor_offset(EditorText *text, int line, int character)
{
    rewind_text(text);
    while (text->at < text->length && text->line < line)
        pass_character(text);
    while (text->at < text->length && text->line == line && text->character < character &&
           text->start[text->at] != '\n' && text->start[text->at] != '\r')
        pass_character(text);
    return text->at;
}

#endif
