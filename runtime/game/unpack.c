// Movetext again from packed text (docs/cqldb.md).
#include <stdio.h>

#include "pack.h"

enum { DIGITS_MAX = 10, BEFORE_MAX = DIGITS_MAX + 5 };

// What `code` puts before a move. Returns the length.
static int before_move(int code, const MoveNumber *n, char out[BEFORE_MAX])
{
    int length = 0;
    if (code == PACK_SPACE || code == PACK_SPACE_NUMBER || code == PACK_SPACE_NUMBER_SPACE)
        out[length++] = ' ';
    if (code >= PACK_NUMBER)
        length += snprintf(out + length, BEFORE_MAX, "%u%s", n->value, n->black ? "..." : ".");
    if (code == PACK_NUMBER_SPACE || code == PACK_SPACE_NUMBER_SPACE)
        out[length++] = ' ';
    return length;
}

// Writes a move that leads to *after in the usual spelling. Returns the length.
static int write_usual(const Position *before, const Position *after, Move move, char out[SAN_MAX])
{
    int length = san_write_move(before, move, out);
    if (!(move.flags & MOVE_NULL) && pos_in_check(after, after->side))
        out[length++] = pos_has_legal_move(after) ? '+' : '#';
    return length;
}

// Appends the comment whose form is at p. False when it cannot be made.
static bool unpack_comment(Buffer *out, const char *p, const char *end, const NoteClocks *c)
{
    char text[CLOCKS_COMMENT_MAX];
    if (p == end || c->clock < 0 || !clocks_form_is_known((unsigned char)*p, c))
        return false;
    buffer_append(out, text, clocks_write((unsigned char)*p, c, text));
    return true;
}

bool game_unpack(Buffer *out, Text packed, const Position *start, FenClocks clocks, const MoveWord *word,
                 size_t stride, size_t count, const NoteClocks *values)
{
    const unsigned char meanings = values ? PACK_CLOCKS + 1 : PACK_MEANINGS;
    Position position[2] = {*start}; // before the move `next` and after it, in turns
    MoveNumber number = first_number(clocks, start->side);
    const char *p = packed.start, *end = p + packed.length;
    size_t next = 0;
    while (p < end) {
        const char *from = p;
        while (p < end && ((unsigned char)*p >= meanings || *p == 0))
            p++;
        if (p > from)
            buffer_append(out, from, (size_t)(p - from));
        if (p == end)
            break;
        if (*p == PACK_CLOCKS) {
            if (!unpack_comment(out, p + 1, end, &values[next]))
                return false;
            p += 2;
            continue;
        }
        const Position *before = &position[next & 1];
        Position *after = &position[~next & 1];
        Move move;
        if (next == count || !word_move(before, word[next * stride], &move))
            return false;
        pos_make(after, before, move);
        if (*p != PACK_SKIP) {
            char text[BEFORE_MAX + SAN_MAX];
            int length = before_move(*p, &number, text);
            length += write_usual(before, after, move, text + length);
            buffer_append(out, text, (size_t)length);
        }
        next_number(&number);
        next++;
        p++;
    }
    return true;
}
