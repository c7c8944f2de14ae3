// path.cql, compiled by cqlgen
//
//     // A path with a repetition.
//     cql()
//     elo white >= 2600
//     path (R-- check --)+ R-- mate
#include <cqlgen/matcher.h>

TEXT(text, "");

// What the query remembers: the cells of c->slot.
typedef struct {
    Number path_1_start;
    Number path_1_best;
    Number path_1_found;
    Number path_1_best_value;
    Number path_1_quick;
    Number path_1_count;
    Number place_in_the_query;
} State;

static int32_t path_1_move_1(Context *c, int32_t n, const Position *p, int32_t depth);

static int32_t white_elo_fits(Context *c, int32_t n, const Position *p, int32_t depth)
{
    int32_t elo = 0;
    return c->rt->elo(c, 0, &elo) && elo >= 2600;
}

// 4: path (R-- check --)+ R-- mate -- the end of a match
static int32_t path_1_end(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    const int32_t value = state->path_1_count;
    if (!state->path_1_found || value > state->path_1_best_value) {
        state->path_1_found = 1;
        state->path_1_best = n;
        state->path_1_best_value = value;
    }
    return n != state->path_1_start && state->path_1_quick;
}

// R-- mate
static int32_t path_1_move_3(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    if (c->node[n].first_child < 0)
        return 0;
    const Bitboard white_rook = p->white.rook;
    for (int32_t child = c->node[n].first_child; child >= 0; child = c->node[child].next_sibling) {
        take_step(c);
        if ((white_rook & SQUARE(c->node[child].move.from)) ||
            (white_rook & square_set(c->node[child].move.rook_from))) {
            state->path_1_count = add(state->path_1_count, 1);
            const Position *const after = c->position[child];
            if (king_attacked(c, after) && !c->rt->has_legal_move(after) &&
                path_1_end(c, child, after, deeper(c, depth)))
                return 1;
            state->path_1_count = add(state->path_1_count, -1);
        }
    }
    return 0;
}

// (R-- check --)+
static int32_t path_1_repeat_1(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    int32_t memo = 0;
    if (c->rt->memo_find(c, n, 0, 0, &memo)) {
        if (memo < 0)
            return 0;
        const int32_t length = subtract(c->node[memo].ply, c->node[state->path_1_start].ply);
        if (state->path_1_found && length <= state->path_1_best_value)
            return 0;
        state->path_1_found = 1;
        state->path_1_best = memo;
        state->path_1_best_value = length;
        return length > 0 && state->path_1_quick;
    }
    const int32_t old_found = state->path_1_found;
    const int32_t old_best = state->path_1_best;
    const int32_t old_value = state->path_1_best_value;
    state->path_1_found = 0;
    const int32_t ended = path_1_move_3(c, n, p, deeper(c, depth)) ||
        path_1_move_1(c, n, p, deeper(c, depth));
    if (!ended || state->path_1_best != n)
        c->rt->memo_keep(c, n, 0, 0, state->path_1_found ? state->path_1_best : -1);
    if (ended)
        return 1;
    if (old_found) {
        if (!state->path_1_found || state->path_1_best_value <= old_value) {
            state->path_1_found = 1;
            state->path_1_best = old_best;
            state->path_1_best_value = old_value;
        }
    }
    return 0;
}

// --
static int32_t path_1_move_2(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    if (c->node[n].first_child < 0)
        return 0;
    for (int32_t child = c->node[n].first_child; child >= 0; child = c->node[child].next_sibling) {
        take_step(c);
        state->path_1_count = add(state->path_1_count, 1);
        const Position *const after = c->position[child];
        if (path_1_repeat_1(c, child, after, deeper(c, depth)))
            return 1;
        state->path_1_count = add(state->path_1_count, -1);
    }
    return 0;
}

// R-- check
static int32_t path_1_move_1(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    if (c->node[n].first_child < 0)
        return 0;
    const Bitboard white_rook = p->white.rook;
    for (int32_t child = c->node[n].first_child; child >= 0; child = c->node[child].next_sibling) {
        take_step(c);
        if ((white_rook & SQUARE(c->node[child].move.from)) ||
            (white_rook & square_set(c->node[child].move.rook_from))) {
            state->path_1_count = add(state->path_1_count, 1);
            const Position *const after = c->position[child];
            if (king_attacked(c, after) && path_1_move_2(c, child, after, deeper(c, depth)))
                return 1;
            state->path_1_count = add(state->path_1_count, -1);
        }
    }
    return 0;
}

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    const int32_t mark = c->rt->log_mark(c);
    // 3: elo white >= 2600
    int32_t elo = 0;
    if (c->rt->elo(c, 0, &elo) && elo >= 2600) {
        // 4: path (R-- check --)+ R-- mate
        state->place_in_the_query = PLACE(4, 1);
        state->path_1_start = n;
        state->path_1_found = 0;
        state->path_1_quick = !c->rt->comments_wanted(c);
        state->path_1_count = 0;
        c->rt->memo_begin(c, 0, 1);
        path_1_move_1(c, n, p, deeper(c, depth));
        if (state->path_1_best_value > 0 && state->path_1_found) {
            c->rt->path_comments(c, state->path_1_start, state->path_1_best, state->path_1_best_value,
                                 state->path_1_best_value, 0, STRING(text));
            return 1;
        }
    }
    c->rt->log_cut(c, mark);
    return 0;
}

// Whether an atom of the condition on tags is true.
static int32_t tag_atom(Context *c, int32_t atom)
{
    return white_elo_fits(c, -1, 0, c->depth);
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

static const int32_t tag_columns[] = {1 << COLUMN_WHITE_ELO};
static const int32_t tag_formula[] = {0};

static const QueryInfo queries[] = {
    {
        .name = "path.cql",
        .source = "// A path with a repetition.\n"
            "cql()\n"
            "elo white >= 2600\n"
            "path (R-- check --)+ R-- mate\n",
        .flags = QUERY_NEEDS_TAGS | QUERY_COMMENTS,
        .slot_count = 7,
        .place_cell = 7,
        .tag_atom_count = 1,
        .tag_columns = tag_columns,
        .tag_formula_count = 1,
        .tag_formula = tag_formula,
        .tag_atom = tag_atom,
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
