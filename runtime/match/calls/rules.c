// What CQL-S asks about the rules of chess: castling rights, en passant, repetitions (language reference 12b.8).
#include <string.h>

#include "runtime/chess/chess.h"
#include "runtime/match/table.h"

int32_t rt_castling_rights(const Position *p, int32_t rights)
{
    return bb_count((Bitboard)(p->castling & rights));
}

Bitboard rt_legal_en_passant(const Position *p)
{
    return pos_legal_en_passant(p);
}

static bool is_same(const Position *a, const Position *b)
{
    return a->occupied == b->occupied && a->side == b->side && a->castling == b->castling &&
           memcmp(a->square, b->square, sizeof a->square) == 0 &&
           pos_legal_en_passant(a) == pos_legal_en_passant(b);
}

int32_t rt_occurrences(Context *c, int32_t n)
{
    const Position *p = c->position[n];
    const int men = bb_count(p->occupied);
    int32_t count = 0;
    for (; n >= 0 && bb_count(c->position[n]->occupied) == men; n = c->node[n].parent)
        count += is_same(p, c->position[n]);
    return count;
}
