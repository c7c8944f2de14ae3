
// The body of the query at position n.
static int32_t q1_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 1: Kd1
    return (p->white.king & SQUARE(D1)) != 0;
}

// Finds the positions of a game at which q1_matches is true.
static void q1_match_game(Context *c)
{
    match_positions(c, q1_matches);
}

TEXT(q2_text_x, "x");

// What the query remembers: the cells of c->slot.
typedef struct {
    Number place_in_the_query;
} q2_State;

// The body of the query at position n.
static int32_t q2_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    q2_State *const state = (q2_State *)c->slot;
    const int32_t mark = c->rt->log_mark(c);
    // 1: message("x") K attacks q
    state->place_in_the_query = PLACE(1, 1);
    c->rt->message(c, n, STRING(q2_text_x), 0);
    if (p->white.king & king_moves(p->black.queen))
        return 1;
    c->rt->log_cut(c, mark);
    return 0;
}

// Finds the positions of a game at which q2_matches is true.
static void q2_match_game(Context *c)
{
    match_positions(c, q2_matches);
}

static int32_t q3_condition_1(Context *c, int32_t n, const Position *p, int32_t depth)
{
    return king_attacked(c, p) && !c->rt->has_legal_move(p);
}

// The body of the query at position n.
static int32_t q3_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 1: parent:mate
    if (c->node[n].parent < 0)
        return 0;
    const int32_t n_there = c->node[n].parent;
    return c->rt->member(c, n_there, 0) != 0;
}

// Whether a remembered condition is true at position n.
static int32_t q3_remembered(Context *c, int32_t condition, int32_t n)
{
    return q3_condition_1(c, n, c->position[n], c->depth);
}

// Finds the positions of a game at which q3_matches is true.
static void q3_match_game(Context *c)
{
    match_positions(c, q3_matches);
}

// What the query remembers: the cells of c->slot.
typedef struct {
    Number hits;
    Slot hits_is_bound;
    Number place_in_the_query;
} q4_State;

// The body of the query at position n.
static int32_t q4_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    q4_State *const state = (q4_State *)c->slot;
    // 1: persistent hits = 0 hits += 1 sort "hits" hits
    state->hits = 0;
    state->hits = add(state->hits, 1);
    state->place_in_the_query = PLACE(1, 31);
    const int32_t old_hits = state->hits;
    c->rt->sort_int(c, 0, 0, old_hits, 2147483647);
    return 1;
}

// Finds the positions of a game at which q4_matches is true.
static void q4_match_game(Context *c)
{
    match_positions(c, q4_matches);
}

static const SortKeyInfo q4_sort_keys[] = {
    {"hits", 0, 0, 0},
};

static const PersistentInfo q4_persistent[] = {
    {"hits", 0, 0, 1, 0},
};

TEXT(q5_text_A, "A");
TEXT(q5_text_B, "B");

// What the query remembers: the cells of c->slot.
typedef struct {
    Number fact_of_the_game;
} q5_State;

static int32_t q5_game_test_2(Context *c, int32_t n, const Position *p, int32_t depth)
{
    String player = 0;
    String player_2 = 0;
    return (c->rt->player(c, 2, &player) && c->rt->contains(c, STRING(q5_text_A), player)) ||
        (c->rt->player(c, 2, &player_2) && c->rt->contains(c, STRING(q5_text_B), player_2));
}

static int32_t q5_white_fits(Context *c, int32_t n, const Position *p, int32_t depth)
{
    String player = 0;
    return c->rt->player(c, 0, &player) != 0;
}

static int32_t q5_white_fits_2(Context *c, int32_t n, const Position *p, int32_t depth)
{
    String player = 0;
    return c->rt->player(c, 0, &player) && c->rt->contains(c, STRING(q5_text_A), player);
}

static int32_t q5_white_fits_3(Context *c, int32_t n, const Position *p, int32_t depth)
{
    String player = 0;
    return c->rt->player(c, 0, &player) && c->rt->contains(c, STRING(q5_text_B), player);
}

// The body of the query at position n.
static int32_t q5_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    q5_State *const state = (q5_State *)c->slot;
    // 1: player "A" or player "B"
    if (state->fact_of_the_game == 0) {
        state->fact_of_the_game = 1;
        String player = 0;
        String player_2 = 0;
        if ((c->rt->player(c, 2, &player) && c->rt->contains(c, STRING(q5_text_A), player)) ||
            (c->rt->player(c, 2, &player_2) && c->rt->contains(c, STRING(q5_text_B), player_2)))
            state->fact_of_the_game = 2;
    }
    return state->fact_of_the_game == 2;
}

// False: no position of the game can match.
static int32_t q5_game_test(Context *c)
{
    const Position *const p = 0;
    const int32_t n = -1, depth = c->depth;
    return q5_game_test_2(c, n, p, deeper(c, depth));
}

// Whether an atom of the condition on tags is true.
static int32_t q5_tag_atom(Context *c, int32_t atom)
{
    switch (atom) {
    case 0:
        return q5_white_fits(c, -1, 0, c->depth);
    case 1:
        return q5_white_fits_2(c, -1, 0, c->depth);
    default:
        return q5_white_fits_3(c, -1, 0, c->depth);
    }
}

// Finds the positions of a game at which q5_matches is true.
static void q5_match_game(Context *c)
{
    match_positions(c, q5_matches);
}

static const int32_t q5_tag_columns[] = {1 << COLUMN_WHITE, 1 << COLUMN_WHITE, 1 << COLUMN_WHITE};
static const int32_t q5_tag_formula[] = {TAGS_OR, TAGS_AND, TAGS_OR, 1, TAGS_BLACK, 1, TAGS_AND, 0, TAGS_BLACK, 0, TAGS_AND, TAGS_OR, 2, TAGS_BLACK, 2, TAGS_AND, 0, TAGS_BLACK, 0};

TEXT(q6_text_a, "a");

// What the query remembers: the cells of c->slot.
typedef struct {
    Number place_in_the_query;
} q6_State;

// The body of the query at position n.
static int32_t q6_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    q6_State *const state = (q6_State *)c->slot;
    // 1: dictionary D D["a"] = 1 D["a"] == 1
    state->place_in_the_query = PLACE(1, 14);
    c->rt->dict_key_string(c, STRING(q6_text_a));
    c->rt->dict_put_int(c, 0, 1);
    state->place_in_the_query = PLACE(1, 25);
    c->rt->dict_key_string(c, STRING(q6_text_a));
    int32_t dict = 0;
    return c->rt->dict_get_int(c, 0, &dict) && dict == 1;
}

// Finds the positions of a game at which q6_matches is true.
static void q6_match_game(Context *c)
{
    match_positions(c, q6_matches);
}

static const DictionaryInfo q6_dictionaries[] = {
    {"D", 2, 0, 0},
};

// What the query remembers: the cells of c->slot.
typedef struct {
    Number place_in_the_query;
} q7_State;

// The body of the query at position n.
static int32_t q7_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    q7_State *const state = (q7_State *)c->slot;
    // 1: originalcomment ~~ "a+"
    state->place_in_the_query = PLACE(1, 1);
    return c->rt->comment_found(c, n, 0) != 0;
}

// Finds the positions of a game at which q7_matches is true.
static void q7_match_game(Context *c)
{
    match_positions(c, q7_matches);
}

TEXT(q7_pattern_0, "a+");
static const String q7_patterns[] = {STRING(q7_pattern_0)};

// The body of the query at position n.
static int32_t q8_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 1: flip {Pd4 Rb2}
    return /* as written */ ((p->white.pawn & SQUARE(D4)) && (p->white.rook & SQUARE(B2))) ||
        /* counterclockwise90 */ ((p->white.pawn & SQUARE(E4)) && (p->white.rook & SQUARE(G2))) ||
        /* fliphorizontal */ ((p->white.pawn & SQUARE(D5)) && (p->white.rook & SQUARE(B7))) ||
        /* rotate180 */ ((p->white.pawn & SQUARE(E5)) && (p->white.rook & SQUARE(G7)));
}

// Finds the positions of a game at which q8_matches is true.
static void q8_match_game(Context *c)
{
    match_positions(c, q8_matches);
}

// The body of the query at position n.
static int32_t q9_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 1: A > 3 wtm
    if (p->side != WHITE)
        return 0;
    return count_squares(p->white_pieces) > 3;
}

// Finds the positions of a game at which q9_matches is true.
static void q9_match_game(Context *c)
{
    match_positions(c, q9_matches);
}

// The body of the query at position n.
static int32_t q10_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 1: stalemate
    return c->node[n].first_child < 0 && !king_attacked(c, p) && !c->rt->has_legal_move(p);
}

// Finds the positions of a game at which q10_matches is true.
static void q10_match_game(Context *c)
{
    match_positions(c, q10_matches);
}

// The body of the query at position n.
static int32_t q11_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 1: A < 10 Ra1
    if (count_squares(p->white_pieces) >= 10)
        return 0;
    return (p->white.rook & SQUARE(A1)) != 0;
}

// Finds the positions of a game at which q11_matches is true.
static void q11_match_game(Context *c)
{
    match_positions(c, q11_matches);
}

// The body of the query at position n.
static int32_t q12_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 1: a < 9 {Kd1 or Ra1}
    if (count_squares(p->black_pieces) >= 9)
        return 0;
    return (p->white.king & SQUARE(D1)) || (p->white.rook & SQUARE(A1));
}

// Finds the positions of a game at which q12_matches is true.
static void q12_match_game(Context *c)
{
    match_positions(c, q12_matches);
}

KIND_SET(s1_en_passant, 1 << 7);
KIND_SET(s1_king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(s1_king_to, 1 << 6);
KIND_SET(s1_pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(s1_pawn_to, 1 << 1 | 1 << 7);
KIND_SET(s1_rook_from, 1 << 4);
KIND_SET(s1_rook_to, 1 << 4 | 1 << 10 | 1 << 12 | 1 << 13);
KIND_TABLE(s1_white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1), 0, 0);
KIND_TABLE(s1_white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(s1_white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, G1), SQUARES(C1, D1), 0,
           0);
KIND_TABLE(s1_black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, G8), SQUARES(C8, D8), 0,
           0);

// Looks for games in which each of these queries may match, straight from their moves:
static void s1_screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes facts = lanes_read(line->facts + lane);
            const Lanes possible_1 = found[0] ? lanes_all(~0ULL) : lanes_all(0ULL);
            const Lanes possible_2 = found[1] ? lanes_all(~0ULL) : lanes_all(0ULL);
            const Lanes possible_3 = found[2] ? lanes_all(~0ULL) : lanes_all(0ULL);
            const Lanes possible_4 = found[3] ? lanes_all(~0ULL) : lanes_all(0ULL);
            const Lanes possible_5 = found[4] ? ~lanes_equal(facts & LINE_STALEMATE, lanes_all(0)) :
                lanes_all(0ULL);
            const int wanted_5 = lanes_some(possible_5);
            const Lanes possible_6 = found[5] ? ~lanes_less(lanes_all(9), lanes_read(line->men[0] + lane)) :
                lanes_all(0ULL);
            const int wanted_6 = lanes_some(possible_6);
            const Lanes possible_7 = found[6] ? ~lanes_less(lanes_all(8), lanes_read(line->men[1] + lane)) :
                lanes_all(0ULL);
            const int wanted_7 = lanes_some(possible_7);
            Lanes hits_1 = lanes_all(0ULL);
            Lanes hits_2 = lanes_all(0ULL);
            Lanes hits_3 = lanes_all(0ULL);
            Lanes hits_4 = lanes_all(0ULL);
            Lanes hits_6 = lanes_all(0ULL);
            Lanes hits_7 = lanes_all(0ULL);
            Lanes K = lanes_all(SQUARE(E1));
            Lanes P = lanes_all(RANK_2);
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes white = lanes_all(SQUARES(A1, H2));
            Lanes black = lanes_all(SQUARES(A7, H8));
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where(now_1, K & SQUARE(D1));
            hits_1 = lanes_counted(hits_1, now_1);
            Where now_2 = EVERYWHERE;
            now_2 = lanes_where(now_2,
                                (lanes_not_empty(P & SQUARE(D4)) & lanes_not_empty(R & SQUARE(B2))) |
                                (lanes_not_empty(P & SQUARE(E4)) & lanes_not_empty(R & SQUARE(G2))) |
                                (lanes_not_empty(P & SQUARE(D5)) & lanes_not_empty(R & SQUARE(B7))) |
                                (lanes_not_empty(P & SQUARE(E5)) & lanes_not_empty(R & SQUARE(G7))));
            hits_3 = lanes_counted(hits_3, now_2);
            Where now_3 = EVERYWHERE;
            const Lanes value_4 = lanes_count(white);
            now_3 = lanes_where_less(now_3, lanes_all(3), value_4);
            hits_4 = lanes_counted(hits_4, now_3);
            if (wanted_6) {
                Where now_5 = EVERYWHERE;
                now_5 = lanes_where(now_5, R & SQUARE(A1));
                now_5 = lanes_where_less(now_5, value_4, lanes_all(10));
                hits_6 = lanes_counted(hits_6, now_5);
            }
            if (wanted_7) {
                Where now_6 = EVERYWHERE;
                now_6 = lanes_where_less(now_6, lanes_count(black), lanes_all(9));
                const Lanes value_7 = lanes_not_empty(K & SQUARE(D1));
                const Lanes value_8 = lanes_not_empty(R & SQUARE(A1));
                now_6 = lanes_where(now_6, value_7 | value_8);
                hits_7 = lanes_counted(hits_7, now_6);
            }
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
                    const Lanes passed = (to >> 8) & lanes_of_kind(s1_en_passant, kinds);
                    K = lanes_toggled(K, from, s1_king_from, kinds);
                    K = lanes_toggled(K, to, s1_king_to, kinds);
                    P = lanes_toggled(P, from, s1_pawn_from, kinds);
                    P = lanes_toggled(P, to, s1_pawn_to, kinds);
                    R = lanes_toggled(R, from, s1_rook_from, kinds);
                    R = lanes_toggled(R, to, s1_rook_to, kinds);
                    white ^= from;
                    white ^= to;
                    black &= ~(to | passed);
                    K ^= lanes_by_kind(s1_white_king_castled, kind);
                    R ^= lanes_by_kind(s1_white_rook_castled, kind);
                    white ^= lanes_by_kind(s1_white_piece_castled, kind);
                    Where now_9 = live;
                    now_9 = lanes_where(now_9, K & SQUARE(D1));
                    hits_1 = lanes_counted(hits_1, now_9);
                    Where now_10 = live;
                    now_10 = lanes_where(now_10,
                                         (lanes_not_empty(P & SQUARE(D4)) &
                                          lanes_not_empty(R & SQUARE(B2))) |
                        (lanes_not_empty(P & SQUARE(E4)) & lanes_not_empty(R & SQUARE(G2))) |
                        (lanes_not_empty(P & SQUARE(D5)) & lanes_not_empty(R & SQUARE(B7))) |
                        (lanes_not_empty(P & SQUARE(E5)) & lanes_not_empty(R & SQUARE(G7))));
                    hits_3 = lanes_counted(hits_3, now_10);
                    if (wanted_6) {
                        Where now_11 = live;
                        now_11 = lanes_where(now_11, R & SQUARE(A1));
                        now_11 = lanes_where_less(now_11, lanes_count(white), lanes_all(10));
                        hits_6 = lanes_counted(hits_6, now_11);
                    }
                    if (wanted_7) {
                        Where now_12 = live;
                        now_12 = lanes_where_less(now_12, lanes_count(black), lanes_all(9));
                        const Lanes value_13 = lanes_not_empty(K & SQUARE(D1));
                        const Lanes value_14 = lanes_not_empty(R & SQUARE(A1));
                        now_12 = lanes_where(now_12, value_13 | value_14);
                        hits_7 = lanes_counted(hits_7, now_12);
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
                    const Lanes passed = (to << 8) & lanes_of_kind(s1_en_passant, kinds);
                    P &= ~(to | passed);
                    R &= ~to;
                    white &= ~(to | passed);
                    black ^= from;
                    black ^= to;
                    black ^= lanes_by_kind(s1_black_piece_castled, kind);
                    Where now_15 = live;
                    now_15 = lanes_where(now_15, K & SQUARE(D1));
                    hits_1 = lanes_counted(hits_1, now_15);
                    Where now_16 = live;
                    now_16 = lanes_where(now_16,
                                         (lanes_not_empty(P & SQUARE(D4)) &
                                          lanes_not_empty(R & SQUARE(B2))) |
                        (lanes_not_empty(P & SQUARE(E4)) & lanes_not_empty(R & SQUARE(G2))) |
                        (lanes_not_empty(P & SQUARE(D5)) & lanes_not_empty(R & SQUARE(B7))) |
                        (lanes_not_empty(P & SQUARE(E5)) & lanes_not_empty(R & SQUARE(G7))));
                    hits_3 = lanes_counted(hits_3, now_16);
                    Where now_17 = live;
                    const Lanes value_18 = lanes_count(white);
                    now_17 = lanes_where_less(now_17, lanes_all(3), value_18);
                    hits_4 = lanes_counted(hits_4, now_17);
                    if (wanted_6) {
                        Where now_19 = live;
                        now_19 = lanes_where(now_19, R & SQUARE(A1));
                        now_19 = lanes_where_less(now_19, value_18, lanes_all(10));
                        hits_6 = lanes_counted(hits_6, now_19);
                    }
                    if (wanted_7) {
                        Where now_20 = live;
                        now_20 = lanes_where_less(now_20, lanes_count(black), lanes_all(9));
                        const Lanes value_21 = lanes_not_empty(K & SQUARE(D1));
                        const Lanes value_22 = lanes_not_empty(R & SQUARE(A1));
                        now_20 = lanes_where(now_20, value_21 | value_22);
                        hits_7 = lanes_counted(hits_7, now_20);
                    }
                }
            }
            if (found[0]) lanes_write(found[0][group] + lane, hits_1 & possible_1);
            if (found[1]) lanes_write(found[1][group] + lane, hits_2 & possible_2);
            if (found[2]) lanes_write(found[2][group] + lane, hits_3 & possible_3);
            if (found[3]) lanes_write(found[3][group] + lane, hits_4 & possible_4);
            if (found[4]) lanes_write(found[4][group] + lane, possible_5 & 1);
            if (found[5]) lanes_write(found[5][group] + lane, hits_6 & possible_6);
            if (found[6]) lanes_write(found[6][group] + lane, hits_7 & possible_7);
        }
}

static const QueryInfo queries[] = {
    {
        .name = "-e1",
        .source = "Kd1",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = q1_match_game,
        .screen = SCREEN(s1_screen, 8),
        .screen_cost = SCREEN_COST(8),
    },
    {
        .name = "-e2",
        .source = "message(\"x\") K attacks q",
        .flags = QUERY_COMMENTS,
        .slot_count = 1,
        .place_cell = 1,
        .match_game = q2_match_game,
    },
    {
        .name = "-e3",
        .source = "parent:mate",
        .flags = QUERY_EXACT_SCREEN,
        .remembered_count = 1,
        .remembered = q3_remembered,
        .match_game = q3_match_game,
        .screen = SCREEN(s1_screen, 2),
        .screen_place = 1,
        .screen_cost = SCREEN_COST(2),
    },
    {
        .name = "-e4",
        .source = "persistent hits = 0 hits += 1 sort \"hits\" hits",
        .flags = QUERY_COMMENTS | QUERY_SEQUENTIAL,
        .slot_count = 3,
        .persistent_slots = 2,
        .place_cell = 3,
        .sort_key_count = 1,
        .sort_key = q4_sort_keys,
        .persistent_count = 1,
        .persistent = q4_persistent,
        .match_game = q4_match_game,
    },
    {
        .name = "-e5",
        .source = "player \"A\" or player \"B\"",
        .flags = QUERY_NEEDS_TAGS,
        .slot_count = 1,
        .game_test = q5_game_test,
        .tag_atom_count = 3,
        .tag_columns = q5_tag_columns,
        .tag_formula_count = 19,
        .tag_formula = q5_tag_formula,
        .tag_atom = q5_tag_atom,
        .tags_decide = 1,
        .match_game = q5_match_game,
    },
    {
        .name = "-e6",
        .source = "dictionary D D[\"a\"] = 1 D[\"a\"] == 1",
        .flags = QUERY_SEQUENTIAL,
        .slot_count = 1,
        .place_cell = 1,
        .dictionary_count = 1,
        .dictionary = q6_dictionaries,
        .match_game = q6_match_game,
    },
    {
        .name = "-e7",
        .source = "originalcomment ~~ \"a+\"",
        .flags = QUERY_NEEDS_NOTES,
        .slot_count = 1,
        .place_cell = 1,
        .pattern_count = 1,
        .pattern = q7_patterns,
        .match_game = q7_match_game,
    },
    {
        .name = "-e8",
        .source = "flip {Pd4 Rb2}",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = q8_match_game,
        .screen = SCREEN(s1_screen, 74),
        .screen_place = 2,
        .screen_cost = SCREEN_COST(74),
    },
    {
        .name = "-e9",
        .source = "A > 3 wtm",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = q9_match_game,
        .screen = SCREEN(s1_screen, 8),
        .screen_place = 3,
        .screen_cost = SCREEN_COST(8),
    },
    {
        .name = "-e10",
        .source = "stalemate",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = q10_match_game,
        .screen = SCREEN(s1_screen, 24),
        .screen_place = 4,
        .screen_cost = SCREEN_COST(24),
    },
    {
        .name = "-e11",
        .source = "A < 10 Ra1",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = q11_match_game,
        .screen = SCREEN(s1_screen, 30),
        .screen_place = 5,
        .screen_cost = SCREEN_COST(30),
    },
    {
        .name = "-e12",
        .source = "a < 9 {Kd1 or Ra1}",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = q12_match_game,
        .screen = SCREEN(s1_screen, 40),
        .screen_place = 6,
        .screen_cost = SCREEN_COST(40),
    },
};

EXPORT_QUERIES(queries)
