// function.cql, compiled by cqlgen
//
//     // A function with a variable that counts.
//     cql()
//     function Attackers(target) {
//         Total = 0
//         square s in (A attacks target) { Total += 1 }
//         Total
//     }
//     Attackers(k) >= 3
#include <cqlgen/matcher.h>

// What the query remembers: the cells of c->slot.
typedef struct {
    Bitboard argument;
    Number Total;
    Number Total_is_bound;
} State;

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    // 8: Attackers(k) >= 3
    state->argument = p->black.king;
    state->Total = 0;
    state->Total_is_bound = 1;
    Bitboard found = 0;
    const Bitboard attackers_ = attackers_among(c, p, WHITE_KINDS, p->white_pieces, state->argument);
    state->Total = add(state->Total, count_squares(attackers_));
    found |= attackers_;
    return found && state->Total >= 3;
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
}

static const QueryInfo queries[] = {
    {
        .name = "function.cql",
        .source = "// A function with a variable that counts.\n"
            "cql()\n"
            "function Attackers(target) {\n"
            "    Total = 0\n"
            "    square s in (A attacks target) { Total += 1 }\n"
            "    Total\n"
            "}\n"
            "Attackers(k) >= 3\n",
        .slot_count = 3,
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
