// find.cql, compiled by cqlgen
//
//     // A search, whose condition is remembered; a screen with attacks on kings.
//     cql()
//     find 2 4 {check  #A < 10}
#include <cqlgen/matcher.h>

TEXT(text_Found, "Found");

// What the query remembers: the cells of c->slot.
typedef struct {
    Slot found_positions;
    Number place_in_the_query;
} State;

static int32_t condition_1(Context *c, int32_t n, const Position *p, int32_t depth)
{
    return king_attacked(c, p) && count_squares(p->white_pieces) < 10;
}

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    // 3: find 2 4 {check  #A < 10}
    state->place_in_the_query = PLACE(3, 1);
    c->rt->trail_start(c, 0);
    int32_t count = 0;
    for (int32_t last = c->node[n].last, position = c->rt->next_member(c, 0, n, last); position >= 0;
         position = c->rt->next_member(c, 0, position + 1, last)) {
        take_step(c);
        c->rt->trail_push(c, 0, position);
        count = add(count, 1);
    }
    if (count < 2 || count > 4)
        return 0;
    c->rt->found_comments(c, 0, STRING(text_Found));
    return 1;
}

// Whether a remembered condition is true at position n.
static int32_t remembered(Context *c, int32_t condition, int32_t n)
{
    return condition_1(c, n, c->position[n], c->depth);
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(king_to, 1 << 6);
KIND_SET(pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(pawn_to, 1 << 1 | 1 << 7);
KIND_SET(knight_from, 1 << 2);
KIND_SET(knight_to, 1 << 2 | 1 << 8);
KIND_SET(RQ_from, 1 << 4 | 1 << 5);
KIND_SET(RQ_to, 1 << 4 | 1 << 5 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13);
KIND_SET(BQ_from, 1 << 3 | 1 << 5);
KIND_SET(BQ_to, 1 << 3 | 1 << 5 | 1 << 9 | 1 << 11);
KIND_TABLE(white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1), 0, 0);
KIND_TABLE(white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, H1),
           SQUARE(A1) | SQUARES(C1, D1), 0, 0);
KIND_TABLE(white_piece_castled_2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, G1), SQUARES(C1, D1), 0, 0);
KIND_TABLE(white_RQ_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(black_RQ_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8), 0, 0);
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, H8),
           SQUARE(A8) | SQUARES(C8, D8), 0, 0);
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8), 0, 0);

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes possible = ~lanes_less(lanes_all(9), lanes_read(line->men[0] + lane));
            if (!lanes_some(possible)) {
                lanes_write(found[0][group] + lane, possible);
                continue;
            }
            Lanes seen_1 = lanes_all(0ULL);
            Lanes p = lanes_all(RANK_7);
            Lanes K = lanes_all(SQUARE(E1));
            Lanes n = lanes_all(SQUARE(B8) | SQUARE(G8));
            Lanes rq = lanes_all(SQUARE(A8) | SQUARE(D8) | SQUARE(H8));
            Lanes occupied = lanes_all(~SQUARES(A3, H6));
            Lanes bq = lanes_all(SQUARES(C8, D8) | SQUARE(F8));
            Lanes white = lanes_all(SQUARES(A1, H2));
            Lanes P = lanes_all(RANK_2);
            Lanes k = lanes_all(SQUARE(E8));
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes RQ = lanes_all(SQUARE(A1) | SQUARE(D1) | SQUARE(H1));
            Lanes BQ = lanes_all(SQUARES(C1, D1) | SQUARE(F1));
            KingLines K_lines = king_lines(K);
            Lanes K_squares_1 = ((K & SQUARES(B1, H8)) << 7) | ((K & SQUARES(A1, G8)) << 9);
            Lanes K_squares_2 = lanes_knight_moves(K);
            KingLines k_lines = king_lines(k);
            Lanes k_squares_1 = ((k & SQUARES(B1, H8)) >> 9) | ((k & SQUARES(A1, G8)) >> 7);
            Lanes k_squares_2 = lanes_knight_moves(k);
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where_empty(now_1, seen_1);
            now_1 = lanes_where_less(now_1, lanes_count(white), lanes_all(10));
            if (lanes_any(now_1)) {
                now_1 = lanes_where(now_1,
                                    (p & K_squares_1) | (n & K_squares_2) |
                                    (rq & straight_along(K_lines, occupied)) |
                                    (bq & diagonal_along(K_lines, occupied)));
                seen_1 = lanes_marked(seen_1, now_1);
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
                    const Lanes passed = (to >> 8) & lanes_of_kind(en_passant, kinds);
                    p &= ~(to | passed);
                    K = lanes_toggled(K, from, king_from, kinds);
                    K = lanes_toggled(K, to, king_to, kinds);
                    n &= ~to;
                    rq &= ~to;
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    bq &= ~to;
                    white ^= from;
                    white ^= to;
                    P = lanes_toggled(P, from, pawn_from, kinds);
                    P = lanes_toggled(P, to, pawn_to, kinds);
                    N = lanes_toggled(N, from, knight_from, kinds);
                    N = lanes_toggled(N, to, knight_to, kinds);
                    RQ = lanes_toggled(RQ, from, RQ_from, kinds);
                    RQ = lanes_toggled(RQ, to, RQ_to, kinds);
                    BQ = lanes_toggled(BQ, from, BQ_from, kinds);
                    BQ = lanes_toggled(BQ, to, BQ_to, kinds);
                    if (lanes_any_of_kind(king_from, kinds)) {
                        K ^= lanes_by_kind(white_king_castled, kind);
                        occupied ^= lanes_by_kind(white_piece_castled, kind);
                        white ^= lanes_by_kind(white_piece_castled_2, kind);
                        RQ ^= lanes_by_kind(white_RQ_castled, kind);
                        K_lines = king_lines(K);
                        K_squares_1 = ((K & SQUARES(B1, H8)) << 7) | ((K & SQUARES(A1, G8)) << 9);
                        K_squares_2 = lanes_knight_moves(K);
                    }
                    Where now_2 = live;
                    now_2 = lanes_where_empty(now_2, seen_1);
                    now_2 = lanes_where_less(now_2, lanes_count(white), lanes_all(10));
                    if (lanes_any(now_2)) {
                        now_2 = lanes_where(now_2,
                                            (P & k_squares_1) | (N & k_squares_2) |
                                            (RQ & straight_along(k_lines, occupied)) |
                                            (BQ & diagonal_along(k_lines, occupied)));
                        seen_1 = lanes_marked(seen_1, now_2);
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
                    p = lanes_toggled(p, from, pawn_from, kinds);
                    p = lanes_toggled(p, to, pawn_to, kinds);
                    n = lanes_toggled(n, from, knight_from, kinds);
                    n = lanes_toggled(n, to, knight_to, kinds);
                    rq = lanes_toggled(rq, from, RQ_from, kinds);
                    rq = lanes_toggled(rq, to, RQ_to, kinds);
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    bq = lanes_toggled(bq, from, BQ_from, kinds);
                    bq = lanes_toggled(bq, to, BQ_to, kinds);
                    white &= ~(to | passed);
                    P &= ~(to | passed);
                    k = lanes_toggled(k, from, king_from, kinds);
                    k = lanes_toggled(k, to, king_to, kinds);
                    N &= ~to;
                    RQ &= ~to;
                    BQ &= ~to;
                    if (lanes_any_of_kind(king_from, kinds)) {
                        rq ^= lanes_by_kind(black_RQ_castled, kind);
                        occupied ^= lanes_by_kind(black_piece_castled, kind);
                        k ^= lanes_by_kind(black_king_castled, kind);
                        k_lines = king_lines(k);
                        k_squares_1 = ((k & SQUARES(B1, H8)) >> 9) | ((k & SQUARES(A1, G8)) >> 7);
                        k_squares_2 = lanes_knight_moves(k);
                    }
                    Where now_3 = live;
                    now_3 = lanes_where_empty(now_3, seen_1);
                    now_3 = lanes_where_less(now_3, lanes_count(white), lanes_all(10));
                    if (lanes_any(now_3)) {
                        now_3 = lanes_where(now_3,
                                            (p & K_squares_1) | (n & K_squares_2) |
                                            (rq & straight_along(K_lines, occupied)) |
                                            (bq & diagonal_along(K_lines, occupied)));
                        seen_1 = lanes_marked(seen_1, now_3);
                    }
                }
            }
            lanes_write(found[0][group] + lane, lanes_not_empty(seen_1) & possible & 1);
        }
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
}

static const QueryInfo queries[] = {
    {
        .name = "find.cql",
        .source = "// A search, whose condition is remembered; a screen with attacks on kings.\n"
            "cql()\n"
            "find 2 4 {check  #A < 10}\n",
        .flags = QUERY_COMMENTS,
        .slot_count = 2,
        .place_cell = 2,
        .remembered_count = 1,
        .remembered = remembered,
        .match_game = match_game,
        .screen = SCREEN(screen, 162),
        .screen_cost = SCREEN_COST(162),
    },
};

EXPORT_QUERIES(queries)
