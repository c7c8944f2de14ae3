// Packed text: movetext without its main line.
#include <string.h>

#include "lex.h"
#include "game_memory.h"

// Bytes of packed text below PACK_MEANINGS that mean something: the next move of the main line, after what may come
// before it. PACK_SKIP is the move alone, written in another way in the text that follows.
enum {
    PACK_MOVE = 1,
    PACK_SPACE = 2,  // " e4"
    PACK_NUMBER = 3, // "1.e4"
    PACK_SPACE_NUMBER,
    PACK_NUMBER_SPACE, // "1. e4"
    PACK_SPACE_NUMBER_SPACE,
    PACK_SKIP,
    PACK_MEANINGS
};

enum { BEFORE_MAX = 16 };

// Writes the number of the move that is made at `ply` (from 0) with its dots. Returns the length.
static int move_number(int fullmove, int ply, int first_side, char out[BEFORE_MAX])
{
    const int number = fullmove + (ply + (first_side == BLACK)) / 2;
    const bool black = (ply & 1) != (first_side == BLACK);
    char digits[BEFORE_MAX];
    int count = 0, length = 0;
    for (unsigned left = number < 0 ? 0 : (unsigned)number; count == 0 || left > 0; left /= 10)
        digits[count++] = (char)('0' + left % 10);
    while (count > 0)
        out[length++] = digits[--count];
    for (int i = 0; i < (black ? 3 : 1); i++)
        out[length++] = '.';
    return length;
}

// What `code` puts before a move. Returns the length.
static int before_move(int code, int fullmove, int ply, int first_side, char out[BEFORE_MAX])
{
    int length = 0;
    if (code == PACK_SPACE || code == PACK_SPACE_NUMBER || code == PACK_SPACE_NUMBER_SPACE)
        out[length++] = ' ';
    if (code >= PACK_NUMBER)
        length += move_number(fullmove, ply, first_side, out + length);
    if (code == PACK_NUMBER_SPACE || code == PACK_SPACE_NUMBER_SPACE)
        out[length++] = ' ';
    return length;
}

typedef struct Packer {
    Buffer *out;
    const Game *game;
    const char *from; // what is not yet written
    int32_t next;     // the next move of the main line
} Packer;

static void pack_text(Packer *k, const char *end)
{
    buffer_append(k->out, k->from, (size_t)(end - k->from));
    k->from = end;
}

// The longest form of what comes before the move at `p`; *start: where it begins.
static int code_before(const Packer *k, const char *p, const char **start)
{
    char number[BEFORE_MAX];
    const bool space = p > k->from && p[-1] == ' ';
    const char *q = p - space;
    const int length =
        move_number(k->game->clocks.fullmove, k->next, k->game->view.position[0]->side, number);
    if (q - k->from < length || memcmp(q - length, number, (size_t)length) != 0) {
        *start = q;
        return space ? PACK_SPACE : PACK_MOVE;
    }
    q -= length;
    const bool lead = q > k->from && q[-1] == ' ';
    *start = q - lead;
    return space  ? lead ? PACK_SPACE_NUMBER_SPACE : PACK_NUMBER_SPACE
           : lead ? PACK_SPACE_NUMBER
                  : PACK_NUMBER;
}

// A word of the main line that may be its next move. Returns the end of what was packed, or NULL.
static const char *pack_move(Packer *k, const char *p, const char *token_end, const char *end)
{
    if (k->next >= k->game->ply_count)
        return NULL;
    const Position *position = k->game->view.position[k->next];
    const Move move = k->game->view.node[k->next + 1].move;
    char san[SAN_MAX];
    const size_t length = (size_t)san_write(position, move, san);
    if ((size_t)(end - p) >= length && memcmp(p, san, length) == 0 && p + length >= token_end) {
        const char *before, code = (char)code_before(k, p, &before);
        pack_text(k, before);
        buffer_append(k->out, &code, 1);
        k->from = p + length;
        k->next++;
        return k->from;
    }
    Move other;
    if (san_parse(position, p, (size_t)(token_end - p), &other) == SAN_OK) {
        const char skip = PACK_SKIP;
        pack_text(k, p);
        buffer_append(k->out, &skip, 1);
        k->next++;
    }
    return NULL;
}

static bool has_meanings(const char *p, const char *end)
{
    for (; p < end; p++)
        if ((unsigned char)*p < PACK_MEANINGS && *p != 0)
            return true;
    return false;
}

size_t game_movetext_start(const Game *g)
{
    return g->memory->movetext;
}

const Position *game_start(const Game *g)
{
    return &g->memory->start;
}

bool game_pack(Buffer *out, const Game *g, bool *variations, bool *notes)
{
    const char *start = g->source.text.start, *end = start + g->source.text.length;
    Packer k = {.out = out, .game = g, .from = start + g->memory->movetext};
    *variations = *notes = false;
    if (has_meanings(k.from, end))
        return false;
    int depth = 0;
    for (const char *p = k.from; (p = pgn_skip_white(p, end)) < end;) {
        const PgnToken t = pgn_lex(start, p, end);
        *variations |= t.kind == PGN_OPEN;
        *notes |= t.kind == PGN_COMMENT || t.kind == PGN_GLYPH;
        depth += (t.kind == PGN_OPEN) - (t.kind == PGN_CLOSE && depth > 0);
        const char *packed = depth == 0 && t.kind == PGN_MOVE ? pack_move(&k, p, t.end, end) : NULL;
        p = packed ? packed : t.end;
    }
    pack_text(&k, end);
    return true;
}

bool game_unpack(Buffer *out, Text packed, const Position *start, FenClocks clocks, const MoveWord *word,
                 size_t stride, size_t count)
{
    Position position = *start;
    const char *p = packed.start, *end = p + packed.length;
    size_t next = 0;
    while (p < end) {
        const char *from = p;
        while (p < end && ((unsigned char)*p >= PACK_MEANINGS || *p == 0))
            p++;
        buffer_append(out, from, (size_t)(p - from));
        if (p == end)
            break;
        Move move;
        if (next == count || !word_move(&position, word[next * stride], &move))
            return false;
        if (*p != PACK_SKIP) {
            char text[BEFORE_MAX + SAN_MAX];
            int length = before_move(*p, clocks.fullmove, (int)next, start->side, text);
            length += san_write(&position, move, text + length);
            buffer_append(out, text, (size_t)length);
        }
        pos_play(&position, move);
        next++;
        p++;
    }
    return true;
}
