// counter.cql, compiled by cqlgen
//
//     // A variable, numbers and a loop over squares.
//     cql()
//     if initial total = 0
//     sq [element] P { total += rank sq }
//     total > 40
#include <cqlgen/matcher.h>

TEXT(literal_0, "total");

// The state of the query, cells of c->slot.
enum {
    slot_0_total = 0,
    slot_1_total_is_bound = 1,
    slot_2_place_in_the_query = 2,
};

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    (void)depth;
    Bitboard set_2 = 0;
    // 3: if initial total = 0
    if (n == 0) {
        c->slot[slot_0_total].i = 0;
        c->slot[slot_1_total_is_bound].i = 1;
    }
    // 4: sq [element] P { total += rank sq }
    Bitboard set_1 = 0ULL;
    for (Bitboard rest_4 = p->board[WHITE_PAWN]; rest_4; rest_4 &= rest_4 - 1) {
        const int32_t square_0 = first_square(rest_4);
        take_step(c);
        if (c->slot[slot_1_total_is_bound].i == 0) {
            c->slot[slot_2_place_in_the_query].i = PLACE(4, 18);
            c->rt->raise(c, RAISE_UNBOUND, STRING(literal_0));
            goto label_7;
        }
        set_2 = square_set(square_0);
        if (count_squares(set_2) != 1)
            goto label_7;
        c->slot[slot_0_total].i = add(c->slot[slot_0_total].i,
            add((int32_t)((uint32_t)first_square(set_2) >> 3), 1));
        set_1 = set_1 | square_set(square_0);
    label_7:;
    }
    if (!set_1)
        return 0;
    // 5: total > 40
    if (c->slot[slot_1_total_is_bound].i == 0) {
        c->slot[slot_2_place_in_the_query].i = PLACE(5, 1);
        c->rt->raise(c, RAISE_UNBOUND, STRING(literal_0));
        return 0;
    }
    return c->slot[slot_0_total].i > 40;
}

// Finds the positions of a game at which matches holds.
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
