
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

// What the query remembers: the cells of c->slot.
typedef struct {
    Number hits;
    Slot hits_is_bound;
    Number place_in_the_query;
} q3_State;

// The body of the query at position n.
static int32_t q3_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    q3_State *const state = (q3_State *)c->slot;
    // 1: persistent hits = 0 hits += 1 sort "hits" hits
    state->hits = 0;
    state->hits = add(state->hits, 1);
    state->place_in_the_query = PLACE(1, 31);
    const int32_t old_hits = state->hits;
    c->rt->sort_int(c, 0, 0, old_hits, 2147483647);
    return 1;
}

// Finds the positions of a game at which q3_matches is true.
static void q3_match_game(Context *c)
{
    match_positions(c, q3_matches);
}

static const SortKeyInfo q3_sort_keys[] = {
    {"hits", 0, 0, 0},
};

static const PersistentInfo q3_persistent[] = {
    {"hits", 0, 0, 1, 0},
};

// What the query remembers: the cells of c->slot.
typedef struct {
    Number place_in_the_query;
} q4_State;

// The body of the query at position n.
static int32_t q4_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    q4_State *const state = (q4_State *)c->slot;
    // 1: originalcomment ~~ "a+"
    state->place_in_the_query = PLACE(1, 1);
    return c->rt->comment_found(c, n, 0) != 0;
}

// Finds the positions of a game at which q4_matches is true.
static void q4_match_game(Context *c)
{
    match_positions(c, q4_matches);
}

TEXT(q4_pattern_0, "a+");
static const String q4_patterns[] = {STRING(q4_pattern_0)};

// The body of the query at position n.
static int32_t q5_matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 1: A < 10 Ra1
    if (count_squares(p->white_pieces) >= 10)
        return 0;
    return (p->white.rook & SQUARE(A1)) != 0;
}

// Finds the positions of a game at which q5_matches is true.
static void q5_match_game(Context *c)
{
    match_positions(c, q5_matches);
}

KIND_SET(s1_king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(s1_king_to, 1 << 6);
KIND_SET(s1_rook_from, 1 << 4);
KIND_SET(s1_rook_to, 1 << 4 | 1 << 10 | 1 << 12 | 1 << 13);
KIND_SET(s1_en_passant, 1 << 7);
KIND_TABLE(s1_white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1), 0, 0);
KIND_TABLE(s1_white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, G1), SQUARES(C1, D1), 0,
           0);
KIND_TABLE(s1_white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);

// Looks for games in which each of these queries may match, straight from their moves:
static void s1_screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes possible_1 = found[0] ? lanes_all(~0ULL) : lanes_all(0ULL);
            const Lanes possible_2 = found[1] ? ~lanes_less(lanes_all(9), lanes_read(line->men[0] + lane)) :
                lanes_all(0ULL);
            const int wanted_2 = lanes_some(possible_2);
            Lanes hits_1 = lanes_all(0ULL);
            Lanes hits_2 = lanes_all(0ULL);
            Lanes K = lanes_all(SQUARE(E1));
            Lanes white = lanes_all(SQUARES(A1, H2));
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where(now_1, K & SQUARE(D1));
            hits_1 = lanes_counted(hits_1, now_1);
            if (wanted_2) {
                Where now_2 = EVERYWHERE;
                now_2 = lanes_where(now_2, R & SQUARE(A1));
                now_2 = lanes_where_less(now_2, lanes_count(white), lanes_all(10));
                hits_2 = lanes_counted(hits_2, now_2);
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
                    K = lanes_toggled(K, from, s1_king_from, kinds);
                    K = lanes_toggled(K, to, s1_king_to, kinds);
                    white ^= from;
                    white ^= to;
                    R = lanes_toggled(R, from, s1_rook_from, kinds);
                    R = lanes_toggled(R, to, s1_rook_to, kinds);
                    K ^= lanes_by_kind(s1_white_king_castled, kind);
                    white ^= lanes_by_kind(s1_white_piece_castled, kind);
                    R ^= lanes_by_kind(s1_white_rook_castled, kind);
                    Where now_3 = live;
                    now_3 = lanes_where(now_3, K & SQUARE(D1));
                    hits_1 = lanes_counted(hits_1, now_3);
                    if (wanted_2) {
                        Where now_4 = live;
                        now_4 = lanes_where(now_4, R & SQUARE(A1));
                        now_4 = lanes_where_less(now_4, lanes_count(white), lanes_all(10));
                        hits_2 = lanes_counted(hits_2, now_4);
                    }
                }
                next += LINE_LANES;
                if (++ply > rows)
                    break;
                { // Black moves
                    const Lanes word = lanes_read(next);
                    const Lanes kind = word >> 12;
                    const Kinds kinds = lanes_kinds(next, kind);
                    const Lanes to = lanes_square_at(word >> 6);
                    const Where live = lanes_live(ply, length);
                    const Lanes passed = (to << 8) & lanes_of_kind(s1_en_passant, kinds);
                    white &= ~(to | passed);
                    R &= ~to;
                    Where now_5 = live;
                    now_5 = lanes_where(now_5, K & SQUARE(D1));
                    hits_1 = lanes_counted(hits_1, now_5);
                    if (wanted_2) {
                        Where now_6 = live;
                        now_6 = lanes_where(now_6, R & SQUARE(A1));
                        now_6 = lanes_where_less(now_6, lanes_count(white), lanes_all(10));
                        hits_2 = lanes_counted(hits_2, now_6);
                    }
                }
            }
            if (found[0]) lanes_write(found[0][group] + lane, hits_1 & possible_1);
            if (found[1]) lanes_write(found[1][group] + lane, hits_2 & possible_2);
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
        .source = "persistent hits = 0 hits += 1 sort \"hits\" hits",
        .flags = QUERY_COMMENTS | QUERY_SEQUENTIAL,
        .slot_count = 3,
        .persistent_slots = 2,
        .place_cell = 3,
        .sort_key_count = 1,
        .sort_key = q3_sort_keys,
        .persistent_count = 1,
        .persistent = q3_persistent,
        .match_game = q3_match_game,
    },
    {
        .name = "-e4",
        .source = "originalcomment ~~ \"a+\"",
        .flags = QUERY_NEEDS_NOTES,
        .slot_count = 1,
        .place_cell = 1,
        .pattern_count = 1,
        .pattern = q4_patterns,
        .match_game = q4_match_game,
    },
    {
        .name = "-e5",
        .source = "A < 10 Ra1",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = q5_match_game,
        .screen = SCREEN(s1_screen, 30),
        .screen_place = 1,
        .screen_cost = SCREEN_COST(30),
    },
};

EXPORT_QUERIES(queries)
