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
    Number fact_of_the_game;
    Number place_in_the_query;
} State;

static int32_t path_1_move_1(Context *c, int32_t n, const Position *p, int32_t depth);

static int32_t white_elo_fits(Context *c, int32_t n, const Position *p, int32_t depth)
{
    int32_t elo = 0;
    return c->rt->elo(c, 0, &elo) && elo >= 2600;
}

// R-- check
static int32_t path_1_move_1(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    int32_t memo = 0;
    if (c->node[n].first_child < 0)
        return 0;
    const Bitboard white_rook = p->white.rook;
    for (int32_t child = c->node[n].first_child; child >= 0; child = c->node[child].next_sibling) {
        take_step(c);
        if ((white_rook & SQUARE(c->node[child].move.from)) ||
            (white_rook & square_set(c->node[child].move.rook_from))) {
            state->path_1_count = add(state->path_1_count, 1);
            const Position *const after = c->position[child];
            if (king_attacked(c, after) && c->node[child].first_child >= 0) {
                for (int32_t child_2 = c->node[child].first_child; child_2 >= 0;
                     child_2 = c->node[child_2].next_sibling) {
                    take_step(c);
                    state->path_1_count = add(state->path_1_count, 1);
                    const Position *const after_2 = c->position[child_2];
                    // (R-- check --)+
                    if (c->rt->memo_find(c, child_2, 0, 0, &memo)) {
                        if (memo >= 0) {
                            const int32_t length =
                                subtract(c->node[memo].ply, c->node[state->path_1_start].ply);
                            if (!state->path_1_found || length > state->path_1_best_value) {
                                state->path_1_found = 1;
                                state->path_1_best = memo;
                                state->path_1_best_value = length;
                                if (length > 0 && state->path_1_quick)
                                    return 1;
                            }
                        }
                    } else {
                        const int32_t old_found = state->path_1_found;
                        const int32_t old_best = state->path_1_best;
                        const int32_t old_value = state->path_1_best_value;
                        state->path_1_found = 0;
                        int32_t ended = 0;
                        // R-- mate
                        if (c->node[child_2].first_child >= 0) {
                            const Bitboard white_rook_2 = after_2->white.rook;
                            for (int32_t child_3 = c->node[child_2].first_child; child_3 >= 0;
                                 child_3 = c->node[child_3].next_sibling) {
                                take_step(c);
                                if ((white_rook_2 & SQUARE(c->node[child_3].move.from)) ||
                                    (white_rook_2 & square_set(c->node[child_3].move.rook_from))) {
                                    state->path_1_count = add(state->path_1_count, 1);
                                    const Position *const after_3 = c->position[child_3];
                                    if (king_attacked(c, after_3) && !c->rt->has_legal_move(after_3)) {
                                        const int32_t value = state->path_1_count;
                                        if (!state->path_1_found || value > state->path_1_best_value) {
                                            state->path_1_found = 1;
                                            state->path_1_best = child_3;
                                            state->path_1_best_value = value;
                                        }
                                        if (state->path_1_quick)
                                            goto next;
                                    }
                                    state->path_1_count = add(state->path_1_count, -1);
                                }
                            }
                        }
                        if (!path_1_move_1(c, child_2, after_2, deeper(c, depth)))
                            goto next_2;
                    next:;
                        ended = 1;
                    next_2:;
                        if (!ended || state->path_1_best != child_2)
                            c->rt->memo_keep(c, child_2, 0, 0, state->path_1_found ? state->path_1_best : -1);
                        if (ended)
                            return 1;
                        if (old_found) {
                            if (!state->path_1_found || state->path_1_best_value <= old_value) {
                                state->path_1_found = 1;
                                state->path_1_best = old_best;
                                state->path_1_best_value = old_value;
                            }
                        }
                    }
                    state->path_1_count = add(state->path_1_count, -1);
                }
            }
            state->path_1_count = add(state->path_1_count, -1);
        }
    }
    return 0;
}

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    // 3: elo white >= 2600
    if (state->fact_of_the_game == 0) {
        state->fact_of_the_game = 1;
        int32_t elo = 0;
        if (c->rt->elo(c, 0, &elo) && elo >= 2600)
            state->fact_of_the_game = 2;
    }
    if (state->fact_of_the_game != 2)
        return 0;
    // 4: path (R-- check --)+ R-- mate
    state->place_in_the_query = PLACE(4, 1);
    const Bitboard white_rook = p->white.rook;
    for (int32_t child = c->node[n].first_child; child >= 0; child = c->node[child].next_sibling) {
        take_step(c);
        if ((white_rook & SQUARE(c->node[child].move.from)) ||
            (white_rook & square_set(c->node[child].move.rook_from)))
            goto next;
    }
    return 0;
next:;
    state->path_1_start = n;
    state->path_1_found = 0;
    state->path_1_quick = !c->rt->comments_wanted(c);
    state->path_1_count = 0;
    path_1_move_1(c, n, p, deeper(c, depth));
    if (state->path_1_best_value <= 0 || !state->path_1_found)
        return 0;
    c->rt->path_comments(c, state->path_1_start, state->path_1_best, state->path_1_best_value,
                         state->path_1_best_value, 0, STRING(text));
    return 1;
}

// Whether an atom of the condition on tags is true.
static int32_t tag_atom(Context *c, int32_t atom)
{
    return white_elo_fits(c, -1, 0, c->depth);
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(pawn_to, 1 << 1 | 1 << 7);
KIND_SET(knight_from, 1 << 2);
KIND_SET(knight_to, 1 << 2 | 1 << 8);
KIND_SET(RQ_from, 1 << 4 | 1 << 5);
KIND_SET(RQ_to, 1 << 4 | 1 << 5 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13);
KIND_SET(BQ_from, 1 << 3 | 1 << 5);
KIND_SET(BQ_to, 1 << 3 | 1 << 5 | 1 << 9 | 1 << 11);
KIND_SET(king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(king_to, 1 << 6);
KIND_TABLE(white_RQ_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, H1),
           SQUARE(A1) | SQUARES(C1, D1), 0, 0);
KIND_TABLE(white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1), 0, 0);
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8), 0, 0);
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, H8),
           SQUARE(A8) | SQUARES(C8, D8), 0, 0);
KIND_TABLE(black_RQ_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8), 0, 0);

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes facts = lanes_read(line->facts + lane);
            const Lanes possible = ~lanes_equal(facts & LINE_MATE, lanes_all(0));
            if (!lanes_some(possible)) {
                lanes_write(found[0][group] + lane, possible);
                continue;
            }
            Lanes seen_1 = lanes_all(0ULL);
            Lanes seen_2 = lanes_all(0ULL);
            Lanes P = lanes_all(RANK_2);
            Lanes k = lanes_all(SQUARE(E8));
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes RQ = lanes_all(SQUARE(A1) | SQUARE(D1) | SQUARE(H1));
            Lanes occupied = lanes_all(~SQUARES(A3, H6));
            Lanes BQ = lanes_all(SQUARES(C1, D1) | SQUARE(F1));
            Lanes p = lanes_all(RANK_7);
            Lanes K = lanes_all(SQUARE(E1));
            Lanes n = lanes_all(SQUARE(B8) | SQUARE(G8));
            Lanes rq = lanes_all(SQUARE(A8) | SQUARE(D8) | SQUARE(H8));
            Lanes bq = lanes_all(SQUARES(C8, D8) | SQUARE(F8));
            KingLines K_lines = king_lines(K);
            Lanes K_squares_1 = ((K & SQUARES(B1, H8)) << 7) | ((K & SQUARES(A1, G8)) << 9);
            Lanes K_squares_2 = lanes_knight_moves(K);
            KingLines k_lines = king_lines(k);
            Lanes k_squares_1 = ((k & SQUARES(B1, H8)) >> 9) | ((k & SQUARES(A1, G8)) >> 7);
            Lanes k_squares_2 = lanes_knight_moves(k);
            const uint16_t *next = line->word + lane;
            const int32_t rows = LANES > 1 ? line->rows : line->length[lane];
            for (int32_t ply = 1; ply <= rows; ply++, next += LINE_LANES) {
                { // White moves
                    const Lanes word = lanes_read(next);
                    const Lanes kind = word >> 12;
                    const Kinds kinds = lanes_kinds(next, kind);
                    const Lanes from = lanes_square_at(word);
                    const Lanes to = lanes_square_at(word >> 6);
                    const Where live = lanes_live(ply, length);
                    const Lanes passed = (to >> 8) & lanes_of_kind(en_passant, kinds);
                    P = lanes_toggled(P, from, pawn_from, kinds);
                    P = lanes_toggled(P, to, pawn_to, kinds);
                    N = lanes_toggled(N, from, knight_from, kinds);
                    N = lanes_toggled(N, to, knight_to, kinds);
                    RQ = lanes_toggled(RQ, from, RQ_from, kinds);
                    RQ = lanes_toggled(RQ, to, RQ_to, kinds);
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    BQ = lanes_toggled(BQ, from, BQ_from, kinds);
                    BQ = lanes_toggled(BQ, to, BQ_to, kinds);
                    p &= ~(to | passed);
                    K = lanes_toggled(K, from, king_from, kinds);
                    K = lanes_toggled(K, to, king_to, kinds);
                    n &= ~to;
                    rq &= ~to;
                    bq &= ~to;
                    if (lanes_any_of_kind(king_from, kinds)) {
                        RQ ^= lanes_by_kind(white_RQ_castled, kind);
                        occupied ^= lanes_by_kind(white_piece_castled, kind);
                        K ^= lanes_by_kind(white_king_castled, kind);
                        K_lines = king_lines(K);
                        K_squares_1 = ((K & SQUARES(B1, H8)) << 7) | ((K & SQUARES(A1, G8)) << 9);
                        K_squares_2 = lanes_knight_moves(K);
                    }
                    Where now_1 = live;
                    const Lanes value_2 = lanes_all((uint64_t)ply) + lanes_all(1);
                    now_1 = lanes_where_equal(now_1, length + 1, value_2);
                    seen_1 = lanes_marked(seen_1, now_1);
                    Where now_3 = live;
                    now_3 = lanes_where_empty(now_3, seen_2);
                    now_3 = lanes_where_less(now_3, value_2, length + 1);
                    if (lanes_any(now_3)) {
                        now_3 = lanes_where(now_3,
                                            (P & k_squares_1) | (N & k_squares_2) |
                                            (RQ & straight_along(k_lines, occupied)) |
                                            (BQ & diagonal_along(k_lines, occupied)));
                        seen_2 = lanes_marked(seen_2, now_3);
                    }
                }
                next += LINE_LANES;
                if (++ply > rows)
                    break;
                { // Black moves
                    const Lanes word = lanes_read(next);
                    const Lanes kind = word >> 12;
                    const Kinds kinds = lanes_kinds(next, kind);
                    const Lanes from = lanes_square_at(word);
                    const Lanes to = lanes_square_at(word >> 6);
                    const Where live = lanes_live(ply, length);
                    const Lanes passed = (to << 8) & lanes_of_kind(en_passant, kinds);
                    P &= ~(to | passed);
                    k = lanes_toggled(k, from, king_from, kinds);
                    k = lanes_toggled(k, to, king_to, kinds);
                    N &= ~to;
                    RQ &= ~to;
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    BQ &= ~to;
                    p = lanes_toggled(p, from, pawn_from, kinds);
                    p = lanes_toggled(p, to, pawn_to, kinds);
                    n = lanes_toggled(n, from, knight_from, kinds);
                    n = lanes_toggled(n, to, knight_to, kinds);
                    rq = lanes_toggled(rq, from, RQ_from, kinds);
                    rq = lanes_toggled(rq, to, RQ_to, kinds);
                    bq = lanes_toggled(bq, from, BQ_from, kinds);
                    bq = lanes_toggled(bq, to, BQ_to, kinds);
                    if (lanes_any_of_kind(king_from, kinds)) {
                        k ^= lanes_by_kind(black_king_castled, kind);
                        occupied ^= lanes_by_kind(black_piece_castled, kind);
                        rq ^= lanes_by_kind(black_RQ_castled, kind);
                        k_lines = king_lines(k);
                        k_squares_1 = ((k & SQUARES(B1, H8)) >> 9) | ((k & SQUARES(A1, G8)) >> 7);
                        k_squares_2 = lanes_knight_moves(k);
                    }
                    Where now_4 = live;
                    const Lanes value_5 = lanes_all((uint64_t)ply) + lanes_all(1);
                    now_4 = lanes_where_equal(now_4, length + 1, value_5);
                    seen_1 = lanes_marked(seen_1, now_4);
                    Where now_6 = live;
                    now_6 = lanes_where_empty(now_6, seen_2);
                    now_6 = lanes_where_less(now_6, value_5, length + 1);
                    if (lanes_any(now_6)) {
                        now_6 = lanes_where(now_6,
                                            (p & K_squares_1) | (n & K_squares_2) |
                                            (rq & straight_along(K_lines, occupied)) |
                                            (bq & diagonal_along(K_lines, occupied)));
                        seen_2 = lanes_marked(seen_2, now_6);
                    }
                }
            }
            lanes_write(found[0][group] + lane,
                        lanes_not_empty(seen_1) & lanes_not_empty(seen_2) & possible & 1);
        }
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
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
        .slot_count = 8,
        .place_cell = 8,
        .tag_atom_count = 1,
        .tag_columns = tag_columns,
        .tag_formula_count = 1,
        .tag_formula = tag_formula,
        .tag_atom = tag_atom,
        .match_game = match_game,
        .screen = SCREEN(screen, 178),
        .screen_cost = SCREEN_COST(178),
    },
};

EXPORT_QUERIES(queries)
