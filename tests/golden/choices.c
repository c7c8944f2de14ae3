// choices.cql, compiled by cqlgen
//
//     // A chain of choices: in the screen each one has a name.
//     cql()
//     if Kg1 Rf1
//     else if Kc1 Rd1
//     else if Qd1 check
//     else Ke1
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: if Kg1 Rf1
    if (p->white.king & SQUARE(G1))
        return (p->white.rook & SQUARE(F1)) != 0;
    if (p->white.king & SQUARE(C1))
        return (p->white.rook & SQUARE(D1)) != 0;
    if (p->white.queen & SQUARE(D1))
        return king_attacked(c, p);
    return (p->white.king & SQUARE(E1)) != 0;
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(king_to, 1 << 6);
KIND_SET(rook_from, 1 << 4);
KIND_SET(rook_to, 1 << 4 | 1 << 10 | 1 << 12 | 1 << 13);
KIND_SET(queen_from, 1 << 5);
KIND_SET(queen_to, 1 << 5 | 1 << 11);
KIND_SET(pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(pawn_to, 1 << 1 | 1 << 7);
KIND_SET(knight_from, 1 << 2);
KIND_SET(knight_to, 1 << 2 | 1 << 8);
KIND_SET(BQ_from, 1 << 3 | 1 << 5);
KIND_SET(BQ_to, 1 << 3 | 1 << 5 | 1 << 9 | 1 << 11);
KIND_SET(RQ_from, 1 << 4 | 1 << 5);
KIND_SET(RQ_to, 1 << 4 | 1 << 5 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13);
KIND_TABLE(white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1), 0, 0);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, H1),
           SQUARE(A1) | SQUARES(C1, D1), 0, 0);
KIND_TABLE(black_RQ_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8), 0, 0);
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, H8),
           SQUARE(A8) | SQUARES(C8, D8), 0, 0);
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8), 0, 0);

// Counts the positions of main lines at which the query matches, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes possible = lanes_all(~0ULL);
            Lanes hits = lanes_all(0ULL);
            Lanes K = lanes_all(SQUARE(E1));
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes Q = lanes_all(SQUARE(D1));
            Lanes p = lanes_all(RANK_7);
            Lanes n = lanes_all(SQUARE(B8) | SQUARE(G8));
            Lanes rq = lanes_all(SQUARE(A8) | SQUARE(D8) | SQUARE(H8));
            Lanes occupied = lanes_all(~SQUARES(A3, H6));
            Lanes bq = lanes_all(SQUARES(C8, D8) | SQUARE(F8));
            Lanes P = lanes_all(RANK_2);
            Lanes k = lanes_all(SQUARE(E8));
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes BQ = lanes_all(SQUARES(C1, D1) | SQUARE(F1));
            KingLines K_lines = king_lines(K);
            Lanes K_squares_1 = ((K & SQUARES(B1, H8)) << 7) | ((K & SQUARES(A1, G8)) << 9);
            Lanes K_squares_2 = lanes_knight_moves(K);
            KingLines k_lines = king_lines(k);
            Lanes k_squares_1 = ((k & SQUARES(B1, H8)) >> 9) | ((k & SQUARES(A1, G8)) >> 7);
            Lanes k_squares_2 = lanes_knight_moves(k);
            Where now_1 = EVERYWHERE;
            const Lanes value_2 =
                lanes_choose(lanes_not_empty(Q & SQUARE(D1)),
                             lanes_not_empty((p & K_squares_1) | (n & K_squares_2) |
                                             (rq & straight_along(K_lines, occupied)) |
                                             (bq & diagonal_along(K_lines, occupied))),
                lanes_not_empty(K & SQUARE(E1)));
            const Lanes value_3 =
                lanes_choose(lanes_not_empty(K & SQUARE(C1)), lanes_not_empty(R & SQUARE(D1)), value_2);
            const Lanes value_4 =
                lanes_choose(lanes_not_empty(K & SQUARE(G1)), lanes_not_empty(R & SQUARE(F1)), value_3);
            now_1 = lanes_where(now_1, value_4);
            hits = lanes_counted(hits, now_1);
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
                    K = lanes_toggled(K, from, king_from, kinds);
                    K = lanes_toggled(K, to, king_to, kinds);
                    R = lanes_toggled(R, from, rook_from, kinds);
                    R = lanes_toggled(R, to, rook_to, kinds);
                    Q = lanes_toggled(Q, from, queen_from, kinds);
                    Q = lanes_toggled(Q, to, queen_to, kinds);
                    p &= ~(to | passed);
                    n &= ~to;
                    rq &= ~to;
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    bq &= ~to;
                    P = lanes_toggled(P, from, pawn_from, kinds);
                    P = lanes_toggled(P, to, pawn_to, kinds);
                    N = lanes_toggled(N, from, knight_from, kinds);
                    N = lanes_toggled(N, to, knight_to, kinds);
                    BQ = lanes_toggled(BQ, from, BQ_from, kinds);
                    BQ = lanes_toggled(BQ, to, BQ_to, kinds);
                    if (lanes_any_of_kind(king_from, kinds)) {
                        K ^= lanes_by_kind(white_king_castled, kind);
                        R ^= lanes_by_kind(white_rook_castled, kind);
                        occupied ^= lanes_by_kind(white_piece_castled, kind);
                        K_lines = king_lines(K);
                        K_squares_1 = ((K & SQUARES(B1, H8)) << 7) | ((K & SQUARES(A1, G8)) << 9);
                        K_squares_2 = lanes_knight_moves(K);
                    }
                    Where now_5 = live;
                    const Lanes value_6 =
                        lanes_choose(lanes_not_empty(Q & SQUARE(D1)),
                                     lanes_not_empty((P & k_squares_1) | (N & k_squares_2) |
                                                     ((R | Q) & straight_along(k_lines, occupied)) |
                                                     (BQ & diagonal_along(k_lines, occupied))),
                        lanes_not_empty(K & SQUARE(E1)));
                    const Lanes value_7 =
                        lanes_choose(lanes_not_empty(K & SQUARE(C1)), lanes_not_empty(R & SQUARE(D1)),
                                     value_6);
                    const Lanes value_8 =
                        lanes_choose(lanes_not_empty(K & SQUARE(G1)), lanes_not_empty(R & SQUARE(F1)),
                                     value_7);
                    now_5 = lanes_where(now_5, value_8);
                    hits = lanes_counted(hits, now_5);
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
                    R &= ~to;
                    Q &= ~to;
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
                    P &= ~(to | passed);
                    k = lanes_toggled(k, from, king_from, kinds);
                    k = lanes_toggled(k, to, king_to, kinds);
                    N &= ~to;
                    BQ &= ~to;
                    if (lanes_any_of_kind(king_from, kinds)) {
                        rq ^= lanes_by_kind(black_RQ_castled, kind);
                        occupied ^= lanes_by_kind(black_piece_castled, kind);
                        k ^= lanes_by_kind(black_king_castled, kind);
                        k_lines = king_lines(k);
                        k_squares_1 = ((k & SQUARES(B1, H8)) >> 9) | ((k & SQUARES(A1, G8)) >> 7);
                        k_squares_2 = lanes_knight_moves(k);
                    }
                    Where now_9 = live;
                    const Lanes value_10 =
                        lanes_choose(lanes_not_empty(Q & SQUARE(D1)),
                                     lanes_not_empty((p & K_squares_1) | (n & K_squares_2) |
                                                     (rq & straight_along(K_lines, occupied)) |
                                                     (bq & diagonal_along(K_lines, occupied))),
                        lanes_not_empty(K & SQUARE(E1)));
                    const Lanes value_11 =
                        lanes_choose(lanes_not_empty(K & SQUARE(C1)), lanes_not_empty(R & SQUARE(D1)),
                                     value_10);
                    const Lanes value_12 =
                        lanes_choose(lanes_not_empty(K & SQUARE(G1)), lanes_not_empty(R & SQUARE(F1)),
                                     value_11);
                    now_9 = lanes_where(now_9, value_12);
                    hits = lanes_counted(hits, now_9);
                }
            }
            lanes_write(found[0][group] + lane, hits & possible);
        }
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
}

static const QueryInfo queries[] = {
    {
        .name = "choices.cql",
        .source = "// A chain of choices: in the screen each one has a name.\n"
            "cql()\n"
            "if Kg1 Rf1\n"
            "else if Kc1 Rd1\n"
            "else if Qd1 check\n"
            "else Ke1\n",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = match_game,
        .screen = SCREEN(screen, 194),
        .screen_cost = SCREEN_COST(194),
    },
};

EXPORT_QUERIES(queries)
