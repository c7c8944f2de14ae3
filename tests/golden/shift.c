// shift.cql, compiled by cqlgen
//
//     // A shift.
//     cql()
//     shift { Kc3 Pc4 kc5 }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: shift { Kc3 Pc4 kc5 }
    // 48 variants: shift c3 to a1; ...; shift a1 to f4
    return (p->white.king & SQUARES(A1, H6) & south(p->white.pawn) & (p->black.king >> 8 * 2)) != 0;
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
        .name = "shift.cql",
        .source = "// A shift.\n"
            "cql()\n"
            "shift { Kc3 Pc4 kc5 }\n",
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
