// pieces.cql, compiled by cqlgen
//
//     // A loop over pieces.
//     cql()
//     mate
//     piece Mater in [QRBN] {
//         Mater attacks k
//         not a attacks Mater
//     }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: mate
    if (!king_attacked(c, p) || c->rt->has_legal_move(p))
        return 0;
    // 4: piece Mater in [QRBN] {
    Bitboard rest = p->white.knight | p->white.bishop | p->white.rook | p->white.queen;
    for (; rest; rest &= rest - 1) {
        const int32_t square = first_square(rest);
        take_step(c);
        const int32_t Mater = c->rt->piece_number(c, n, square);
        if (some_attack(c, p, ANY_KIND, square_set(c->rt->piece_square(c, n, Mater)), p->black.king) &&
            !some_attack(c, p, BLACK_KINDS, p->black_pieces, square_set(c->rt->piece_square(c, n, Mater))))
            return 1;
    }
    return 0;
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
        .name = "pieces.cql",
        .source = "// A loop over pieces.\n"
            "cql()\n"
            "mate\n"
            "piece Mater in [QRBN] {\n"
            "    Mater attacks k\n"
            "    not a attacks Mater\n"
            "}\n",
        .flags = QUERY_NEEDS_PIECES,
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
