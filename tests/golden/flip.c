// flip.cql, compiled by cqlgen
//
//     // Variants of a transform, unrolled.
//     cql()
//     flipcolor { wtm Rd1 not pd2-7 }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: flipcolor { wtm Rd1 not pd2-7 }
    if (p->side == WHITE) {
        // as written
        return (p->white.rook & SQUARE(D1)) && !(p->black.pawn & SQUARES(D2, D7));
    }
    // flipcolor
    return (p->black.rook & SQUARE(D8)) && !(p->white.pawn & SQUARES(D2, D7));
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
        .name = "flip.cql",
        .source = "// Variants of a transform, unrolled.\n"
            "cql()\n"
            "flipcolor { wtm Rd1 not pd2-7 }\n",
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
