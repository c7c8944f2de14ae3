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

// ---- move numbers -----------------------------------------------------------------------------------------

enum { DIGITS_MAX = 12, BEFORE_MAX = DIGITS_MAX + 5 };

// The number of the next move: decimal digits from `first` on.
typedef struct MoveNumber {
    char digit[DIGITS_MAX];
    int first;
    bool black; // Black makes the move: three dots
} MoveNumber;

static MoveNumber first_number(FenClocks clocks, int side)
{
    MoveNumber n = {.first = DIGITS_MAX, .black = side == BLACK};
    unsigned left = clocks.fullmove < 0 ? 0 : (unsigned)clocks.fullmove;
    do
        n.digit[--n.first] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    return n;
}

static void next_number(MoveNumber *n)
{
    n->black = !n->black;
    if (n->black)
        return;
    int i = DIGITS_MAX - 1;
    while (i >= n->first && n->digit[i] == '9')
        n->digit[i--] = '0';
    if (i < n->first)
        n->digit[n->first = i] = '0';
    n->digit[i]++;
}

// What `code` puts before a move. Returns the length.
static int before_move(int code, const MoveNumber *n, char out[BEFORE_MAX])
{
    int length = 0;
    if (code == PACK_SPACE || code == PACK_SPACE_NUMBER || code == PACK_SPACE_NUMBER_SPACE)
        out[length++] = ' ';
    if (code >= PACK_NUMBER) {
        for (int i = n->first; i < DIGITS_MAX; i++)
            out[length++] = n->digit[i];
        for (int i = 0; i < (n->black ? 3 : 1); i++)
            out[length++] = '.';
    }
    if (code == PACK_NUMBER_SPACE || code == PACK_SPACE_NUMBER_SPACE)
        out[length++] = ' ';
    return length;
}

// The number with its dots that ends at `end`: its beginning, not before `from`, or NULL.
static const char *number_before(const MoveNumber *n, const char *from, const char *end)
{
    const int dots = n->black ? 3 : 1, length = DIGITS_MAX - n->first + dots;
    if (end - from < length)
        return NULL;
    for (int i = 0; i < dots; i++)
        if (*--end != '.')
            return NULL;
    for (int i = DIGITS_MAX; i > n->first;)
        if (*--end != n->digit[--i])
            return NULL;
    return end;
}

// ---- packing ----------------------------------------------------------------------------------------------

// Copies text; returns the end of the copy. *meanings: it has bytes that mean something.
static inline char *pack_text(char *to, const char *from, const char *end, bool *meanings)
{
    bool any = false;
    for (; from < end; from++) {
        any |= (unsigned char)(*from - 1) < PACK_MEANINGS - 1;
        *to++ = *from;
    }
    *meanings |= any;
    return to;
}

// The longest form of what comes between `from` and the move at `p`; *start: where it begins.
static int code_before(const MoveNumber *n, const char *from, const char *p, const char **start)
{
    const bool space = p > from && p[-1] == ' ';
    const char *q = p - space, *number = q > from ? number_before(n, from, q) : NULL;
    if (!number) {
        *start = q;
        return space ? PACK_SPACE : PACK_MOVE;
    }
    const bool lead = number > from && number[-1] == ' ';
    *start = number - lead;
    return space  ? lead ? PACK_SPACE_NUMBER_SPACE : PACK_NUMBER_SPACE
           : lead ? PACK_SPACE_NUMBER
                  : PACK_NUMBER;
}

// True for the most frequent forms of the usual spelling: a text that was read as `m` and names neither origin nor
// promotion. As it was read, no other piece can make the move.
static inline bool is_plain(Move m, const char *text, size_t length)
{
    const bool capture = m.flags & MOVE_CAPTURE;
    if ((m.flags & (MOVE_CASTLE | MOVE_NULL)) || m.promoted)
        return false;
    if (piece_type(m.piece) != WHITE_PAWN)
        return length == (capture ? 4 : 3) && (!capture || text[1] == 'x');
    return capture ? length == 4 && text[0] == 'a' + square_file(m.from) && text[1] == 'x' : length == 2;
}

// The check mark that the move number `i` of the main line should have, or 0.
static inline char check_mark(const Game *g, int32_t i)
{
    const Position *after = &g->memory->line[i + 1];
    if (after->check == CHECK_NONE || (g->view.node[i + 1].move.flags & MOVE_NULL) ||
        !pos_in_check(after, after->side))
        return 0;
    // a next move shows that it is not mate, unless the reader alone allows it
    const Move next = i + 1 < g->ply_count ? g->view.node[i + 2].move : (Move){.flags = MOVE_NULL};
    const bool answered = !(next.flags & MOVE_NULL) && pos_is_legal(after, next);
    return answered || pos_has_legal_move(after) ? '+' : '#';
}

// The length of the usual spelling of the move number `i` at `p`, or 0.
static inline size_t usual_length(const Game *g, int32_t i, const char *p, const char *end)
{
    const Move move = g->view.node[i + 1].move;
    size_t length = g->memory->move_text[i].length;
    length -= p[length - 1] == '+' || p[length - 1] == '#';
    if (!is_plain(move, p, length)) {
        char san[SAN_MAX];
        if ((size_t)san_write_move(&g->memory->line[i], move, san) != length || memcmp(p, san, length) != 0)
            return 0;
    }
    const char mark = check_mark(g, i);
    if (!mark)
        return length;
    return p + length < end && p[length] == mark ? length + 1 : 0;
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
    const struct GameMemory *m = g->memory;
    const char *start = g->source.text.start, *end = start + g->source.text.length;
    // each move adds at most a byte
    const size_t most = g->source.text.length - m->movetext + (size_t)g->ply_count;
    out->start = memory_grow(out->start, &out->capacity, out->length + most, 1);
    MoveNumber number = first_number(g->clocks, m->start.side);
    const char *from = start + m->movetext; // what is not yet written
    char *to = out->start + out->length;
    bool meanings = false;
    for (int32_t i = 0; i < g->ply_count; i++) {
        const char *move = start + m->move_text[i].start, *before = move;
        const size_t usual = usual_length(g, i, move, end);
        int code;
        if (usual && move - from == 1 && *from == ' ') {
            code = PACK_SPACE;
        } else {
            code = usual ? code_before(&number, from, move, &before) : PACK_SKIP;
            to = pack_text(to, from, before, &meanings);
        }
        *to++ = (char)code;
        from = move + usual;
        next_number(&number);
    }
    *variations = m->has_variations;
    *notes = m->has_notes;
    for (const char *p = start + m->read; (p = pgn_skip_white(p, end)) < end;) {
        const PgnToken t = pgn_lex(start, p, end);
        *variations |= t.kind == PGN_OPEN;
        *notes |= t.kind == PGN_COMMENT || t.kind == PGN_GLYPH;
        p = t.end;
    }
    to = pack_text(to, from, end, &meanings);
    if (!meanings)
        out->length = (size_t)(to - out->start);
    return !meanings;
}

// Writes a move that leads to *after in the usual spelling. Returns the length.
static int write_usual(const Position *before, const Position *after, Move move, char out[SAN_MAX])
{
    int length = san_write_move(before, move, out);
    if (!(move.flags & MOVE_NULL) && pos_in_check(after, after->side))
        out[length++] = pos_has_legal_move(after) ? '+' : '#';
    return length;
}

bool game_unpack(Buffer *out, Text packed, const Position *start, FenClocks clocks, const MoveWord *word,
                 size_t stride, size_t count)
{
    Position position[2] = {*start}; // before the move `next` and after it, in turns
    MoveNumber number = first_number(clocks, start->side);
    const char *p = packed.start, *end = p + packed.length;
    size_t next = 0;
    while (p < end) {
        const char *from = p;
        while (p < end && ((unsigned char)*p >= PACK_MEANINGS || *p == 0))
            p++;
        if (p > from)
            buffer_append(out, from, (size_t)(p - from));
        if (p == end)
            break;
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
