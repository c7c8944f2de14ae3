// The text before the first token (language reference 14.2).
#include "preamble.h"

#include <string.h>

#include "characters.h"

bool text_has(const char *text, size_t length, size_t at, const char *with)
{
    const size_t size = strlen(with);
    return length - at >= size && memcmp(text + at, with, size) == 0;
}

size_t text_line_end(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n')
        at++;
    return at;
}

size_t text_semicolon_end(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n' && text[at] != '\r')
        at++;
    return at;
}

static size_t block_end(const char *text, size_t length, size_t at)
{
    for (at += 2; at + 1 < length; at++)
        if (text[at] == '*' && text[at + 1] == '/')
            return at + 2;
    return length;
}

size_t preamble_start(const char *text, size_t length)
{
    const size_t at = text_has(text, length, 0, "\xEF\xBB\xBF") ? 3 : 0;
    return text_has(text, length, at, "#!") ? text_line_end(text, length, at) : at;
}

size_t preamble_skip(const char *text, size_t length, size_t at)
{
    if (at < length && is_space(text[at]))
        return at + 1;
    if (text_has(text, length, at, ";"))
        return text_semicolon_end(text, length, at);
    if (text_has(text, length, at, "//"))
        return text_line_end(text, length, at);
    return text_has(text, length, at, "/*") ? block_end(text, length, at) : at;
}

static bool is_version(const char *text, size_t end, size_t at)
{
    return end - at >= 3 && text[at] >= '0' && text[at] <= '9' && text[at + 1] == '.' &&
           text[at + 2] >= '0' && text[at + 2] <= '9' && (end - at == 3 || is_space(text[at + 3]));
}

size_t preamble_identification(const char *text, size_t length)
{
    size_t at = text_has(text, length, 0, "\xEF\xBB\xBF") ? 3 : 0;
    while (at < length && (is_space(text[at]) || text_has(text, length, at, "//")))
        at = is_space(text[at]) ? at + 1 : text_line_end(text, length, at);
    const size_t end = text_semicolon_end(text, length, at);
    if (!text_has(text, end, at, ";"))
        return length;
    for (at++; at < end && (text[at] == ' ' || text[at] == '\t'); at++)
        ;
    const size_t name = text_has(text, end, at, "CQL-S ") ? 6 : text_has(text, end, at, "CQL ") ? 4 : 0;
    return name > 0 && is_version(text, end, at + name) ? at : length;
}

size_t preamble_end(const char *text, size_t length)
{
    size_t at = preamble_start(text, length);
    for (size_t next; at < length && (next = preamble_skip(text, length, at)) != at;)
        at = next;
    return at;
}

void preamble_cure(Diagnostics *diagnostics, const char *line)
{
    const Source *source = diagnostics->source;
    const uint32_t start = (uint32_t)preamble_start(source->text, source->length);
    diag_cure(diagnostics, (Span){start, start}, arena_printf(diagnostics->arena, "%s\n", line));
}
