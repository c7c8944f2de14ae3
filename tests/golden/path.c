// path.cql, compiled by cqlgen
//
//     // A path with a repetition.
//     cql()
//     elo white >= 2600
//     path (R-- check --)+ R-- mate
#include <cqlgen/matcher.h>

TEXT(literal_0, "");

// The state of the query, cells of c->slot.
enum {
    slot_0_path_start = 0,
    slot_1_path_best = 1,
    slot_2_path_found = 2,
    slot_3_path_quick = 3,
    slot_4_path_count = 4,
    slot_5_path_best_value = 5,
    slot_6_place_in_the_query = 6,
};

static int32_t run_path_0_0_1(Context *c, int32_t n, const Position *p, int32_t depth);
static int32_t run_path_0_1_2(Context *c, int32_t n, const Position *p, int32_t depth);
static int32_t run_path_0_2_3(Context *c, int32_t n, const Position *p, int32_t depth);
static int32_t run_path_0_3_4(Context *c, int32_t n, const Position *p, int32_t depth);
static int32_t run_path_0_4_5(Context *c, int32_t n, const Position *p, int32_t depth);

static int32_t run_path_0_4_5(Context *c, int32_t n, const Position *p, int32_t depth)
{
    if (c->node[n].first_child < 0)
        return 0;
    Bitboard set_1 = p->board[WHITE_ROOK];
    for (int32_t child_0 = c->node[n].first_child; child_0 >= 0; child_0 = c->node[child_0].next_sibling) {
        take_step(c);
        if ((set_1 & square_set(c->node[child_0].move.from)) || (set_1 &
            square_set(c->node[child_0].move.rook_from))) {
            c->slot[slot_4_path_count].i = add(c->slot[slot_4_path_count].i, 1);
            {
                const int32_t n_3 = child_0;
                const Position *const p_3 = c->position[n_3];
                if (king_attacked(c, p_3) && run_path_0_3_4(c, n_3, p_3, deeper(c, depth)))
                    return 1;
            }
            c->slot[slot_4_path_count].i = add(c->slot[slot_4_path_count].i, -1);
        }
    }
    return 0;
}

static int32_t run_path_0_3_4(Context *c, int32_t n, const Position *p, int32_t depth)
{
    (void)p;
    if (c->node[n].first_child < 0)
        return 0;
    for (int32_t child_0 = c->node[n].first_child; child_0 >= 0; child_0 = c->node[child_0].next_sibling) {
        take_step(c);
        c->slot[slot_4_path_count].i = add(c->slot[slot_4_path_count].i, 1);
        {
            const int32_t n_2 = child_0;
            const Position *const p_2 = c->position[n_2];
            if (run_path_0_2_3(c, n_2, p_2, deeper(c, depth)))
                return 1;
        }
        c->slot[slot_4_path_count].i = add(c->slot[slot_4_path_count].i, -1);
    }
    return 0;
}

static int32_t run_path_0_2_3(Context *c, int32_t n, const Position *p, int32_t depth)
{
    int32_t position_0 = 0;
    int32_t number_2 = 0;
    int32_t position_3 = 0;
    int32_t number_4 = 0;
    int32_t number_5 = 0;
    int32_t number_6 = 0;
    if (c->rt->memo_find(c, n, 0, 0, &position_0)) {
        if (position_0 < 0)
            return 0;
        number_6 = subtract(c->node[position_0].ply, c->node[c->slot[slot_0_path_start].i].ply);
        if (!(c->slot[slot_2_path_found].i == 0 || number_6 > c->slot[slot_5_path_best_value].i))
            return 0;
        c->slot[slot_2_path_found].i = 1;
        c->slot[slot_1_path_best].i = position_0;
        c->slot[slot_5_path_best_value].i = number_6;
        return number_6 > 0 && c->slot[slot_3_path_quick].i != 0;
    } else {
        number_2 = c->slot[slot_2_path_found].i;
        position_3 = c->slot[slot_1_path_best].i;
        number_4 = c->slot[slot_5_path_best_value].i;
        c->slot[slot_2_path_found].i = 0;
        if (run_path_0_1_2(c, n, p, deeper(c, depth)) || run_path_0_4_5(c, n, p, deeper(c, depth))) {
            number_5 = 1;
        } else {
            number_5 = 0;
        }
        if (!(number_5 == 0 || c->slot[slot_1_path_best].i != n))
            goto label_13;
        c->rt->memo_keep(c, n, 0, 0, c->slot[slot_2_path_found].i == 1 ? c->slot[slot_1_path_best].i : -1);
    label_13:;
        if (number_5 != 0)
            return 1;
        if (number_2 == 0)
            goto label_17;
        if (c->slot[slot_2_path_found].i == 1 && c->slot[slot_5_path_best_value].i > number_4)
            goto label_17;
        c->slot[slot_2_path_found].i = 1;
        c->slot[slot_1_path_best].i = position_3;
        c->slot[slot_5_path_best_value].i = number_4;
    label_17:;
        return 0;
    }
}

static int32_t run_path_0_1_2(Context *c, int32_t n, const Position *p, int32_t depth)
{
    if (c->node[n].first_child < 0)
        return 0;
    Bitboard set_1 = p->board[WHITE_ROOK];
    for (int32_t child_0 = c->node[n].first_child; child_0 >= 0; child_0 = c->node[child_0].next_sibling) {
        take_step(c);
        if ((set_1 & square_set(c->node[child_0].move.from)) || (set_1 &
            square_set(c->node[child_0].move.rook_from))) {
            c->slot[slot_4_path_count].i = add(c->slot[slot_4_path_count].i, 1);
            {
                const int32_t n_3 = child_0;
                const Position *const p_3 = c->position[n_3];
                if (king_attacked(c, p_3) && !c->rt->has_legal_move(p_3) && run_path_0_0_1(c, n_3, p_3,
                    deeper(c, depth)))
                    return 1;
            }
            c->slot[slot_4_path_count].i = add(c->slot[slot_4_path_count].i, -1);
        }
    }
    return 0;
}

static int32_t run_path_0_0_1(Context *c, int32_t n, const Position *p, int32_t depth)
{
    (void)p;
    (void)depth;
    int32_t number_0 = c->slot[slot_4_path_count].i;
    if (!(c->slot[slot_2_path_found].i == 0 || number_0 > c->slot[slot_5_path_best_value].i))
        goto label_3;
    c->slot[slot_2_path_found].i = 1;
    c->slot[slot_1_path_best].i = n;
    c->slot[slot_5_path_best_value].i = number_0;
label_3:;
    return n != c->slot[slot_0_path_start].i && c->slot[slot_3_path_quick].i != 0;
}

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    int32_t number_0 = 0;
    int32_t number_1 = c->rt->log_mark(c);
    // 3: elo white >= 2600
    if (c->rt->elo(c, 0, &number_0) && number_0 >= 2600) {
        // 4: path (R-- check --)+ R-- mate
        c->slot[slot_6_place_in_the_query].i = PLACE(4, 1);
        c->slot[slot_0_path_start].i = n;
        c->slot[slot_2_path_found].i = 0;
        c->slot[slot_3_path_quick].i = !c->rt->comments_wanted(c);
        c->slot[slot_4_path_count].i = 0;
        c->rt->memo_begin(c, 0, 1);
        run_path_0_4_5(c, n, p, deeper(c, depth));
        if (c->slot[slot_5_path_best_value].i > 0 && c->slot[slot_2_path_found].i == 1) {
            c->rt->path_comments(c, c->slot[slot_0_path_start].i, c->slot[slot_1_path_best].i,
                c->slot[slot_5_path_best_value].i, c->slot[slot_5_path_best_value].i, 0, STRING(literal_0));
            return 1;
        }
    }
    c->rt->log_cut(c, number_1);
    return 0;
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
        .name = "path.cql",
        .source = "// A path with a repetition.\n"
        "cql()\n"
        "elo white >= 2600\n"
        "path (R-- check --)+ R-- mate\n",
        .flags = 640,
        .slot_count = 7,
        .place_cell = 7,
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
