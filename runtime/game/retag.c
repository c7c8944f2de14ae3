// Setting tags in the text of a game.
#include "retag.h"

#include "section.h"

static void put_value(Buffer *out, Text value)
{
    for (size_t i = 0; i < value.length; i++) {
        if (value.start[i] == '"' || value.start[i] == '\\')
            buffer_append(out, "\\", 1);
        buffer_append(out, value.start + i, 1);
    }
}

static void put_tag(Buffer *out, const Tag *tag)
{
    buffer_append(out, "[", 1);
    buffer_append(out, tag->name.start, tag->name.length);
    buffer_append(out, " \"", 2);
    put_value(out, tag->value);
    buffer_append(out, "\"]", 2);
}

static void put_text(Buffer *out, const char *start, const char *end)
{
    buffer_append(out, start, (size_t)(end - start));
}

void game_retag(Buffer *out, Text text, const Tag *set, size_t count, bool keep)
{
    const char *const end = text.start + text.length, *done = text.start, *last = NULL, *p = text.start;
    const char *line = memchr(p, '\n', text.length);
    const char *const line_end = line && line > p && line[-1] == '\r' ? "\r\n" : "\n";
    uint64_t found = 0; // by tag
    while (p < end && (p = section_next_tag(text.start, p, end)) != NULL) {
        SectionTag tag;
        bool cut;
        p = section_read_tag(p, end, &tag, &cut);
        last = p;
        for (size_t i = 0; i < count; i++) {
            if (tag.name.length == 0 || !text_equal(tag.name, set[i].name))
                continue;
            found |= 1ULL << i;
            if (keep && !text_is_unknown(tag.value))
                continue;
            put_text(out, done, tag.value.start);
            put_value(out, set[i].value);
            done = tag.value.start + tag.value.length;
        }
    }
    if (last)
        put_text(out, done, last);
    else if (out->length > 0 && out->start[out->length - 1] != '\n') // the text begins within a line
        buffer_text(out, line_end);
    for (size_t i = 0; i < count; i++) {
        if (found >> i & 1)
            continue;
        if (last)
            buffer_text(out, line_end);
        put_tag(out, &set[i]);
        if (!last)
            buffer_text(out, line_end);
    }
    const bool goes_on = last && last < end && *last != '\n' && *last != '\r'; // moves after a tag
    if (!last || (goes_on && found + 1 < 1ULL << count))
        buffer_text(out, line_end);
    put_text(out, last ? last : done, end);
}
