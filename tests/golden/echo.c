// echo.cql, compiled by cqlgen
//
//     // A test of the other position goes to the condition of the loop; the test that is left does not look at that position.
//     cql(variations)
//     mate echo quiet (s t) { mate distance(s t) == 2 }
#include <cqlgen/matcher.h>

static int32_t condition_1(Context *c, int32_t n, const Position *p, int32_t depth)
{
    return king_attacked(c, p) && !c->rt->has_legal_move(p);
}

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: mate echo quiet (s t) { mate distance(s t) == 2 }
    if (!king_attacked(c, p) || c->rt->has_legal_move(p))
        return 0;
    const int32_t s = n;
    for (int32_t last = subtract(c->game->count, 1), t = c->rt->next_member(c, 0, 0, last); t >= 0;
         t = c->rt->next_member(c, 0, t + 1, last)) {
        take_step(c);
        if (t != s && subtract(add(c->node[s].ply, c->node[t].ply),
                               multiply(c->node[c->rt->lca(c, s, t)].ply, 2)) == 2)
            return 1;
    }
    return 0;
}

// Whether a remembered condition is true at position n.
static int32_t remembered(Context *c, int32_t condition, int32_t n)
{
    return condition_1(c, n, c->position[n], c->depth);
}

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes facts = lanes_read(line->facts + lane);
            const Lanes possible = ~lanes_equal(facts & LINE_MATE, lanes_all(0));
            lanes_write(found[0][group] + lane, possible & 1);
        }
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
}

static const QueryInfo queries[] = {
    {
        .name = "echo.cql",
        .source = "// A test of the other position goes to the condition of the loop; the test that is left d"
            "oes not look at that position.\n"
            "cql(variations)\n"
            "mate echo quiet (s t) { mate distance(s t) == 2 }\n",
        .flags = QUERY_VARIATIONS | QUERY_NEEDS_CHECKS,
        .remembered_count = 1,
        .remembered = remembered,
        .match_game = match_game,
        .screen = SCREEN(screen, 24),
        .screen_cost = SCREEN_COST(24),
    },
};

EXPORT_QUERIES(queries)
