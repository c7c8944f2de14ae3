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
    if (state->fact_of_the_game == 0) {
        state->fact_of_the_game = 1;
        int32_t elo = 0;
        if (c->rt->elo(c, 0, &elo) && elo >= 2600)
            state->fact_of_the_game = 2;
    }
    if (state->fact_of_the_game == 2) {
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

KIND_TABLE(en_passant, 0, 0, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0);
KIND_TABLE(pawn_from, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, 0, 0);
KIND_TABLE(pawn_to, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0);
KIND_TABLE(knight_from, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(knight_to, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0);
KIND_TABLE(bishop_from, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(bishop_to, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0);
KIND_TABLE(rook_from, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(rook_to, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, ~0ULL, ~0ULL);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8);
KIND_TABLE(queen_from, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(queen_to, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0);
KIND_TABLE(king_from, 0, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, ~0ULL);
KIND_TABLE(king_to, 0, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1));
KIND_TABLE(piece_from, 0, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL,
           ~0ULL);
KIND_TABLE(white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, G1), SQUARES(C1, D1));
KIND_TABLE(black_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8));
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8));
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, G8), SQUARES(C8, D8));

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane), facts = lanes_read(line->facts + lane);
            const Lanes positions = length + 1;
            const Lanes possible = ~lanes_equal(facts & LINE_MATE, lanes_all(0));
            if (!lanes_some(possible)) {
                lanes_write(found[group] + lane, possible);
                continue;
            }
            Lanes seen_1 = lanes_all(0ULL);
            Lanes seen_2 = lanes_all(0ULL);
            Lanes P = lanes_all(RANK_2);
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes B = lanes_all(SQUARE(C1) | SQUARE(F1));
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes Q = lanes_all(SQUARE(D1));
            Lanes K = lanes_all(SQUARE(E1));
            Lanes p = lanes_all(RANK_7);
            Lanes n = lanes_all(SQUARE(B8) | SQUARE(G8));
            Lanes b = lanes_all(SQUARE(C8) | SQUARE(F8));
            Lanes r = lanes_all(SQUARE(A8) | SQUARE(H8));
            Lanes q = lanes_all(SQUARE(D8));
            Lanes k = lanes_all(SQUARE(E8));
            Lanes white = lanes_all(SQUARES(A1, H2));
            Lanes black = lanes_all(SQUARES(A7, H8));
            const uint16_t *next = line->word + lane;
            const int32_t rows = LANES > 1 ? line->rows : line->length[lane];
            for (int32_t ply = 1; ply <= rows; ply++, next += LINE_LANES) {
                { // White moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Lanes from = lanes_all(1ULL) << (word & 63),
                        to = lanes_all(1ULL) << (word >> 6 & 63);
                    const Lanes live = lanes_live(ply, length);
                    const Lanes passed = (to >> 8) & lanes_by_kind(en_passant, kind);
                    P = P ^ (from & lanes_by_kind(pawn_from, kind)) ^ (to & lanes_by_kind(pawn_to, kind));
                    N = N ^ (from & lanes_by_kind(knight_from, kind)) ^ (to & lanes_by_kind(knight_to, kind));
                    B = B ^ (from & lanes_by_kind(bishop_from, kind)) ^ (to & lanes_by_kind(bishop_to, kind));
                    R = R ^ (from & lanes_by_kind(rook_from, kind)) ^ (to & lanes_by_kind(rook_to, kind)) ^
                        lanes_by_kind(white_rook_castled, kind);
                    Q = Q ^ (from & lanes_by_kind(queen_from, kind)) ^ (to & lanes_by_kind(queen_to, kind));
                    K = K ^ (from & lanes_by_kind(king_from, kind)) ^ (to & lanes_by_kind(king_to, kind)) ^
                        lanes_by_kind(white_king_castled, kind);
                    p &= ~(to | passed);
                    n &= ~to;
                    b &= ~to;
                    r &= ~to;
                    q &= ~to;
                    white = white ^ (from & lanes_by_kind(piece_from, kind)) ^
                        (to & lanes_by_kind(piece_from, kind)) ^ lanes_by_kind(white_piece_castled, kind);
                    black &= ~(to | passed);
                    const Lanes value_1 = lanes_all((uint64_t)ply) + lanes_all(1);
                    seen_1 |= live & lanes_equal(positions, value_1);
                    const Lanes now_2 = (live & lanes_less(value_1, positions)) & ~seen_2;
                    if (lanes_some(now_2)) {
                        seen_2 |= now_2 &
                            lanes_not_empty((P &
                                             (((k & SQUARES(B1, H8)) >> 9) | ((k & SQUARES(A1, G8)) >> 7))) |
                            (N & lanes_knight_moves(k)) | ((R | Q) & straight_from(k, white | black)) |
                            ((B | Q) & diagonal_from(k, white | black)));
                    }
                }
                next += LINE_LANES;
                if (++ply > rows)
                    break;
                { // Black moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Lanes from = lanes_all(1ULL) << (word & 63),
                        to = lanes_all(1ULL) << (word >> 6 & 63);
                    const Lanes live = lanes_live(ply, length);
                    const Lanes passed = (to << 8) & lanes_by_kind(en_passant, kind);
                    P &= ~(to | passed);
                    N &= ~to;
                    B &= ~to;
                    R &= ~to;
                    Q &= ~to;
                    p = p ^ (from & lanes_by_kind(pawn_from, kind)) ^ (to & lanes_by_kind(pawn_to, kind));
                    n = n ^ (from & lanes_by_kind(knight_from, kind)) ^ (to & lanes_by_kind(knight_to, kind));
                    b = b ^ (from & lanes_by_kind(bishop_from, kind)) ^ (to & lanes_by_kind(bishop_to, kind));
                    r = r ^ (from & lanes_by_kind(rook_from, kind)) ^ (to & lanes_by_kind(rook_to, kind)) ^
                        lanes_by_kind(black_rook_castled, kind);
                    q = q ^ (from & lanes_by_kind(queen_from, kind)) ^ (to & lanes_by_kind(queen_to, kind));
                    k = k ^ (from & lanes_by_kind(king_from, kind)) ^ (to & lanes_by_kind(king_to, kind)) ^
                        lanes_by_kind(black_king_castled, kind);
                    white &= ~(to | passed);
                    black = black ^ (from & lanes_by_kind(piece_from, kind)) ^
                        (to & lanes_by_kind(piece_from, kind)) ^ lanes_by_kind(black_piece_castled, kind);
                    const Lanes value_3 = lanes_all((uint64_t)ply) + lanes_all(1);
                    seen_1 |= live & lanes_equal(positions, value_3);
                    const Lanes now_4 = (live & lanes_less(value_3, positions)) & ~seen_2;
                    if (lanes_some(now_4)) {
                        seen_2 |= now_4 &
                            lanes_not_empty((p &
                                             (((K & SQUARES(B1, H8)) << 7) | ((K & SQUARES(A1, G8)) << 9))) |
                            (n & lanes_knight_moves(K)) | ((r | q) & straight_from(K, white | black)) |
                            ((b | q) & diagonal_from(K, white | black)));
                    }
                }
            }
            lanes_write(found[group] + lane,
                        lanes_not_empty(seen_1) & lanes_not_empty(seen_2) & possible & 1);
        }
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
        .slot_count = 8,
        .place_cell = 8,
        .tag_atom_count = 1,
        .tag_columns = tag_columns,
        .tag_formula_count = 1,
        .tag_formula = tag_formula,
        .tag_atom = tag_atom,
        .match_game = match_game,
        .screen = SCREEN(screen, 278),
    },
};

EXPORT_QUERIES(queries)
