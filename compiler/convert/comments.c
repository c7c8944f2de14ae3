// The comments of a query as lines of CQL 6.2.
#include "internal.h"

#include <string.h>

#include "compiler/front/kit/preamble.h"

// ---- finding them -----------------------------------------------------------------------------------------

// Bytes of the comment that begins at `text`, 0 when none begins there; *mark becomes the bytes of its sign.
static size_t comment_length(bool slashes, const char *text, const char *end, size_t *mark)
{
    const size_t left = (size_t)(end - text);
    if (slashes && left >= 2 && text[0] == '/' && text[1] == '*') {
        const char *stop = memmem(text + 2, left - 2, "*/", 2);
        *mark = 2;
        return stop != NULL ? (size_t)(stop + 2 - text) : left;
    }
    size_t signs = 0;
    while (signs < left && text[signs] == '/')
        signs++;
    const bool line = slashes && signs >= 2 && signs != 3;
    if (!line && text[0] != ';')
        return 0;
    *mark = line ? signs : 1;
    const char *stop = memchr(text, '\n', left);
    return stop != NULL ? (size_t)(stop - text) : left;
}

static bool is_marker(const char *text, size_t length)
{
    const char *found = memmem(text, length, "dialect:", 8);
    return found != NULL && strspn(text, " \t") == (size_t)(found - text);
}

static void add_line(Printer *p, uint32_t place, const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == '\r' || text[length - 1] == ' '))
        length--;
    if (length == 0 || is_marker(text, length))
        return;
    const char *blank = text[0] == ' ' || text[0] == '\t' ? "" : " ";
    const PrintedComment line = {place, (uint32_t)(text - p->query->source.text),
                                 arena_printf(p->arena, "//%s%.*s\n", blank, (int)length, text)};
    ARENA_PUSH(p->arena, p->comment, p->comment_count, line);
}

static void add_lines(Printer *p, uint32_t place, const char *text, const char *end)
{
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop != NULL ? stop : end;
        add_line(p, place, text, (size_t)(stop - text));
        text = stop + 1;
    }
}

// What stands before the first token may be a comment of either form in all dialects.
void print_collect_comments(Printer *p)
{
    const Source *source = &p->query->source;
    const char *text = source->text, *end = text + source->length;
    const char *body = text + preamble_end(text, source->length), *line = text;
    const bool slashes = !p->older;
    bool quoted = false;
    while (text < end) {
        size_t mark = 0;
        const size_t length = quoted ? 0 : comment_length(slashes || text < body, text, end, &mark);
        if (length > 0) // one behind other text of a line belongs to that
            add_lines(p, (uint32_t)(line - source->text), text + mark,
                      text + length - (mark == 2 && text[1] == '*' ? 2 : 0));
        else if (*text == '\\' && !quoted && text + 1 < end && text[1] == '"')
            text++; // a quote of its own
        else if (*text == '"')
            quoted = !quoted;
        else if (*text == '\n')
            quoted = false;
        text += length > 0 ? length : 1;
        if (text[-1] == '\n')
            line = text;
    }
}

// ---- placing them -----------------------------------------------------------------------------------------

const char *print_comments_before(Printer *p, uint32_t offset)
{
    const char *text = "";
    for (; p->comments_done < p->comment_count && p->comment[p->comments_done].place < offset;
         p->comments_done++)
        text = arena_printf(p->arena, "%s%s", text, p->comment[p->comments_done].text);
    return text;
}

void print_skip_comments(Printer *p, uint32_t offset)
{
    while (p->comments_done < p->comment_count && p->comment[p->comments_done].start < offset)
        p->comments_done++;
}
