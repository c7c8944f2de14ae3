// attack.cql, compiled by cqlgen
//
//     // A set as a condition.
//     cql()
//     btm
//     R attacks k
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: btm
    if (p->side != BLACK)
        return 0;
    // 4: R attacks k
    return some_attack(c, p, KIND_R, p->white.rook, p->black.king);
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
        .name = "attack.cql",
        .source = "// A set as a condition.\n"
            "cql()\n"
            "btm\n"
            "R attacks k\n",
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
