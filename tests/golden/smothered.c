// smothered.cql, compiled by cqlgen
//
//     // A flip with attacks: a smothered mate.
//     cql()
//     flipcolor {
//         btm mate
//         N attacks k
//         not (_ & anydirection 1 k)
//     }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: flipcolor {
    // flipcolor
    if (p->side == WHITE && (p->black.knight & knight_moves(p->white.king)) && king_attacked(c, p) &&
        !c->rt->has_legal_move(p)) {
        const Bitboard white_king = p->white.king;
        if (!(p->empty & king_moves(white_king)))
            return 1;
    }
    // as written
    if (p->side != BLACK || !(p->white.knight & knight_moves(p->black.king)) || !king_attacked(c, p) ||
        c->rt->has_legal_move(p))
        return 0;
    const Bitboard black_king = p->black.king;
    return !(p->empty & king_moves(black_king));
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    for (int32_t n = 0; n < c->game->count; n++) {
        c->at = n;
        if (matches(c, n, c->position[n], c->depth)) {
            c->hit[c->hit_count++] = n;
            if (c->show)
                c->rt->show(c);
        }
    }
}

static const QueryInfo queries[] = {
    {
        .name = "smothered.cql",
        .source = "// A flip with attacks: a smothered mate.\n"
            "cql()\n"
            "flipcolor {\n"
            "    btm mate\n"
            "    N attacks k\n"
            "    not (_ & anydirection 1 k)\n"
            "}\n",
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
