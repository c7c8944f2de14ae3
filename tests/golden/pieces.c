// pieces.cql, compiled by cqlgen
//
//     // A loop over pieces.
//     cql()
//     mate
//     piece Mater in [QRBN] {
//         Mater attacks k
//         parent: Mater & a1-8
//     }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: mate
    if (!king_attacked(c, p) || c->rt->has_legal_move(p))
        return 0;
    // 4: piece Mater in [QRBN] {
    Bitboard rest = attackers_among(c, p, KIND_N | KIND_B | KIND_R | KIND_Q,
                                    p->white.knight | p->white.bishop | p->white.rook | p->white.queen,
                                    p->black.king);
    for (; rest; rest &= rest - 1) {
        const int32_t square = first_square(rest);
        take_step(c);
        const int32_t Mater = c->rt->piece_number(c, n, square);
        Bitboard squares = 0;
        if (c->node[n].parent >= 0) {
            const int32_t n_there = c->node[n].parent;
            squares = square_set(c->rt->piece_square(c, n_there, Mater));
        }
        if (FILE_A & squares)
            return 1;
    }
    return 0;
}

KIND_SET(en_passant, 1 << 7);
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
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8), 0, 0);
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, H8),
           SQUARE(A8) | SQUARES(C8, D8), 0, 0);

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
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes k = lanes_all(SQUARE(E8));
            Lanes RQ = lanes_all(SQUARE(A1) | SQUARE(D1) | SQUARE(H1));
            Lanes occupied = lanes_all(~SQUARES(A3, H6));
            Lanes BQ = lanes_all(SQUARES(C1, D1) | SQUARE(F1));
            KingLines k_lines = king_lines(k);
            Lanes k_squares_1 = lanes_knight_moves(k);
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where_empty(now_1, seen_1);
            now_1 = lanes_where_equal(now_1, length + 1, lanes_all(1));
            if (lanes_any(now_1)) {
                now_1 = lanes_where(now_1,
                                    (N & k_squares_1) | (RQ & straight_along(k_lines, occupied)) |
                                    (BQ & diagonal_along(k_lines, occupied)));
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
                    N = lanes_toggled(N, from, knight_from, kinds);
                    N = lanes_toggled(N, to, knight_to, kinds);
                    RQ = lanes_toggled(RQ, from, RQ_from, kinds);
                    RQ = lanes_toggled(RQ, to, RQ_to, kinds);
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    BQ = lanes_toggled(BQ, from, BQ_from, kinds);
                    BQ = lanes_toggled(BQ, to, BQ_to, kinds);
                    RQ ^= lanes_by_kind(white_RQ_castled, kind);
                    occupied ^= lanes_by_kind(white_piece_castled, kind);
                    Where now_2 = live;
                    now_2 = lanes_where_empty(now_2, seen_1);
                    now_2 = lanes_where_equal(now_2, length + 1, lanes_all((uint64_t)ply) + lanes_all(1));
                    if (lanes_any(now_2)) {
                        now_2 = lanes_where(now_2,
                                            (N & k_squares_1) | (RQ & straight_along(k_lines, occupied)) |
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
                    N &= ~to;
                    k = lanes_toggled(k, from, king_from, kinds);
                    k = lanes_toggled(k, to, king_to, kinds);
                    RQ &= ~to;
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    BQ &= ~to;
                    if (lanes_any_of_kind(king_from, kinds)) {
                        k ^= lanes_by_kind(black_king_castled, kind);
                        occupied ^= lanes_by_kind(black_piece_castled, kind);
                        k_lines = king_lines(k);
                        k_squares_1 = lanes_knight_moves(k);
                    }
                    Where now_3 = live;
                    now_3 = lanes_where_empty(now_3, seen_1);
                    now_3 = lanes_where_equal(now_3, length + 1, lanes_all((uint64_t)ply) + lanes_all(1));
                    if (lanes_any(now_3)) {
                        now_3 = lanes_where(now_3,
                                            (N & k_squares_1) | (RQ & straight_along(k_lines, occupied)) |
                                            (BQ & diagonal_along(k_lines, occupied)));
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
        .name = "pieces.cql",
        .source = "// A loop over pieces.\n"
            "cql()\n"
            "mate\n"
            "piece Mater in [QRBN] {\n"
            "    Mater attacks k\n"
            "    parent: Mater & a1-8\n"
            "}\n",
        .flags = QUERY_NEEDS_PIECES,
        .match_game = match_game,
        .screen = SCREEN(screen, 150),
        .screen_cost = SCREEN_COST(150),
    },
};

EXPORT_QUERIES(queries)
