// The game tree and the identity of pieces (language reference 6, 7.5).
#include "runtime/match/facts.h"
#include "runtime/match/imaginary.h"

int32_t rt_lca(Context *c, int32_t a, int32_t b)
{
    if (a == b)
        return a;
    a = imaginary_root(c, a);
    b = imaginary_root(c, b);
    // The way up from the earlier of the two is short: it is an ancestor of the later one, or in a variation
    // next to it.
    int32_t ancestor = a < b ? a : b;
    const int32_t later = a < b ? b : a;
    while (later > c->node[ancestor].last)
        ancestor = c->node[ancestor].parent;
    return ancestor;
}

int32_t rt_virtual_mainline(Context *c, int32_t a)
{
    return !facts_history(c, imaginary_root(c, a))->off_virtual;
}

int32_t rt_is_try(Context *c, int32_t a)
{
    a = imaginary_root(c, a);
    return c->node[a].depth > 0 && facts_history(c, a)->tries == 1;
}

// ---- identity of pieces -----------------------------------------------------------------------------------

int32_t rt_piece_square(Context *c, int32_t position, int32_t piece)
{
    return piece < 0 || piece > 63 ? NO_SQUARE : facts_identities(c, position)->square[piece];
}

int32_t rt_piece_number(Context *c, int32_t position, int32_t square)
{
    return square < 0 || square > 63 ? -1 : facts_identities(c, position)->number[square];
}

Bitboard rt_pieces_on(Context *c, int32_t position, Bitboard squares)
{
    const Identities *ids = facts_identities(c, position);
    Bitboard numbers = 0;
    for (squares &= c->position[position]->board[BOARD_OCCUPIED]; squares; squares &= squares - 1)
        if (ids->number[bb_first(squares)] >= 0)
            numbers |= bb_of(ids->number[bb_first(squares)]);
    return numbers;
}
