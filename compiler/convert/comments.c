// The comments of a query as lines of CQL 6.2.
#include "internal.h"

#include <string.h>

#include "compiler/front/shared/characters.h"
#include "compiler/front/shared/preamble.h"

// ---- finding them -----------------------------------------------------------------------------------------

// `///` of CQL 6.2, a filter.
static bool is_line_comment(const Source *s, size_t at)
{
    return text_has(s->text, s->length, at, "///") && !text_has(s->text, s->length, at, "////");
}

// The length of the comment at `at`, 0 when there is none. `slashes`: `//` and `/*` begin comments, too.
static size_t comment_length(const Source *s, bool slashes, size_t at)
{
    const char *text = s->text;
    if (is_space(text[at]) || (text[at] == '/' && (!slashes || is_line_comment(s, at))))
        return 0;
    return preamble_skip(text, s->length, at) - at;
}

static bool is_marker(const char *text, size_t length)
{
    const char *found = memmem(text, length, "dialect:", 8);
    return found != NULL && strspn(text, " \t") == (size_t)(found - text);
}

static void add_line(Printer *p, size_t place, const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == '\r' || text[length - 1] == ' '))
        length--;
    if (length == 0 || is_marker(text, length))
        return;
    const char *blank = text[0] == ' ' || text[0] == '\t' ? "" : " ";
    const PrintedComment line = {(uint32_t)place, (uint32_t)(text - p->query->source.text),
                                 arena_printf(p->arena, "//%s%.*s\n", blank, (int)length, text)};
    ARENA_PUSH(p->arena, p->comment, p->comment_count, line);
}

static void add_comment(Printer *p, size_t place, const char *text, size_t length)
{
    const bool block = text[0] == '/' && text[1] == '*';
    const size_t end = block ? length - 2 : length;
    for (size_t at = block ? 2 : text[0] == ';' ? 1 : strspn(text, "/"), stop; at < end; at = stop + 1) {
        stop = text_line_end(text, end, at);
        add_line(p, place, text + at, stop - at);
    }
}

// In all dialects, comments before the first token have either form. A comment after other text of a line
// belongs to that text.
void print_collect_comments(Printer *p)
{
    const Source *s = &p->query->source;
    const char *text = s->text;
    const size_t body = preamble_end(text, s->length);
    bool quoted = false;
    for (size_t at = 0, line = 0; at < s->length;) {
        const size_t length = quoted ? 0 : comment_length(s, !p->older || at < body, at);
        if (length > 0)
            add_comment(p, line, text + at, length);
        else if (text[at] == '\\' && !quoted && text[at + 1] == '"')
            at++; // `\"` is a token, not the start of a string
        else if (!quoted && is_line_comment(s, at))
            at += 2;
        else if (text[at] == '"' || text[at] == '\n')
            quoted = text[at] == '"' && !quoted;
        at += length > 0 ? length : 1;
        if (text[at - 1] == '\n')
            line = at;
        at += strspn(text + at, " "); // of what is nested deeply, there are many
    }
}

// ---- placing them -----------------------------------------------------------------------------------------

const char *print_comments_before(Printer *p, uint32_t offset)
{
    Lines lines = {0};
    for (; p->comments_done < p->comment_count && p->comment[p->comments_done].place < offset;
         p->comments_done++)
        ARENA_PUSH(p->arena, lines.line, lines.count, p->comment[p->comments_done].text);
    return print_joined(p, lines.line, lines.count, "");
}

void print_skip_comments(Printer *p, uint32_t offset)
{
    while (p->comments_done < p->comment_count && p->comment[p->comments_done].start < offset)
        p->comments_done++;
}
