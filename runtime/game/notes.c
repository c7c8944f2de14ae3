// Comments in their normal form, and several comments of one position (language reference 9.4.2).
#include <string.h>

#include "lex.h"
#include "notes.h"
#include "scan.h"
#include "runtime/value/unicode.h"

// Skips white space, and byte order marks that begin a line of it.
static const char *skip_comment_white(const char *p, const char *end)
{
    for (; p < end && pgn_is(*p, BYTE_WHITE); p++)
        if (end - p > 3 && (*p == '\n' || *p == '\r') && memcmp(p + 1, "\xEF\xBB\xBF", 3) == 0)
            p += 3;
    return p;
}

Text notes_normal(struct GameMemory *m, const char *p, const char *end)
{
    p = skip_comment_white(p, end);
    while (end > p && pgn_is(end[-1], BYTE_WHITE))
        end--;
    if (scan_is_normal(p, end))
        return (Text){p, (size_t)(end - p)};
    char *out = game_text_room(m, (size_t)(end - p));
    size_t n = 0;
    while (p < end) {
        if (!pgn_is(*p, BYTE_WHITE)) {
            out[n++] = *p == '{' || *p == '}' ? '_' : *p;
            p++;
        } else {
            p = skip_comment_white(p, end);
            if (p < end)
                out[n++] = ' ';
        }
    }
    m->text_length += n;
    return (Text){out, n};
}

// Returns the number of the part, from 1.
static size_t push_part(struct GameMemory *m, Text text, size_t before)
{
    MEMORY_PUSH(m->part, m->part_count, m->part_capacity, (CommentPart){text, before});
    return m->part_count;
}

void notes_add(struct GameMemory *m, Text *comment, Text more)
{
    if (comment->length == 0) {
        *comment = more;
        return;
    }
    const size_t before = comment->start ? push_part(m, *comment, 0) : comment->length;
    *comment = (Text){NULL, push_part(m, more, before)};
}

static void join(struct GameMemory *m, Text *comment)
{
    size_t length = 0;
    if (comment->start || comment->length == 0)
        return;
    for (size_t i = comment->length; i > 0; i = m->part[i - 1].before)
        length += m->part[i - 1].text.length + (m->part[i - 1].before > 0);
    char *out = game_text_room(m, length), *p = out + length;
    m->text_length += length;
    for (size_t i = comment->length; i > 0; i = m->part[i - 1].before) {
        const Text text = m->part[i - 1].text;
        p -= text.length;
        memcpy(p, text.start, text.length);
        if (p > out)
            *--p = ' ';
    }
    *comment = (Text){out, length};
}

// Makes UTF-8 of a comment that is Latin-1.
static void decode(struct GameMemory *m, Note *note)
{
    const Text comment = note->comment;
    if (unicode_is_valid(comment.start, comment.length))
        return;
    char *out = game_text_room(m, 2 * comment.length);
    size_t n = 0;
    for (size_t i = 0; i < comment.length; i++)
        n += unicode_encode((unsigned char)comment.start[i], out + n);
    m->text_length += n;
    note->comment = (Text){out, n};
    note->latin = m->latin = true;
}

void notes_finish(struct GameMemory *m, size_t count, Text movetext)
{
    const bool several = m->part_count > 0,
               ascii = !m->has_notes || unicode_is_ascii(movetext.start, movetext.length);
    for (size_t i = 0; i < count && (several || !ascii); i++) {
        join(m, &m->note[i].comment);
        join(m, &m->note[i].start_comment);
        if (!ascii)
            decode(m, &m->note[i]);
    }
    m->part_count = 0;
}
