// counter.cql, compiled by cqlgen
//
//     // A variable, numbers and a loop over squares.
//     cql()
//     if initial total = 0
//     sq [element] P { total += rank sq }
//     total > 40
#include <cqlgen/matcher.h>

TEXT(text_total, "total");

// What the query remembers: the cells of c->slot.
typedef struct {
    Number total;
    Number total_is_bound;
    Number place_in_the_query;
} State;

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    // 3: if initial total = 0
    if (n == 0) {
        state->total = 0;
        state->total_is_bound = 1;
    }
    // 4: sq [element] P { total += rank sq }
    Bitboard found = 0;
    for (Bitboard rest = p->white.pawn; rest; rest &= rest - 1) {
        const int32_t sq = first_square(rest);
        take_step(c);
        if (!state->total_is_bound) {
            state->place_in_the_query = PLACE(4, 18);
            c->rt->raise(c, RAISE_UNBOUND, STRING(text_total));
            continue;
        }
        state->total = add(state->total, rank_of(sq) + 1);
        found |= SQUARE(sq);
    }
    if (!found)
        return 0;
    // 5: total > 40
    if (!state->total_is_bound) {
        state->place_in_the_query = PLACE(5, 1);
        c->rt->raise(c, RAISE_UNBOUND, STRING(text_total));
        return 0;
    }
    return state->total > 40;
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
}

static const QueryInfo queries[] = {
    {
        .name = "counter.cql",
        .source = "// A variable, numbers and a loop over squares.\n"
            "cql()\n"
            "if initial total = 0\n"
            "sq [element] P { total += rank sq }\n"
            "total > 40\n",
        .slot_count = 3,
        .place_cell = 3,
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
