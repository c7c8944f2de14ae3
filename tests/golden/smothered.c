// smothered.cql, compiled by cqlgen
//
//     // A flip with attacks: a smothered mate.
//     cql()
//     flipcolor {
//         btm mate
//         N attacks k
//         not (_ & anydirection 1 k)
//     }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: flipcolor {
    return king_attacked(c, p) &&
        (/* flipcolor */ (p->side == WHITE && (p->black.knight & knight_moves(p->white.king)) &&
                          !(p->empty & king_moves(p->white.king))) ||
        /* as written */ (p->side == BLACK && (p->white.knight & knight_moves(p->black.king)) &&
                          !(p->empty & king_moves(p->black.king)))) && !c->rt->has_legal_move(p);
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(king_to, 1 << 6);
KIND_SET(knight_from, 1 << 2);
KIND_SET(knight_to, 1 << 2 | 1 << 8);
KIND_TABLE(white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1), 0, 0);
KIND_TABLE(white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, H1),
           SQUARE(A1) | SQUARES(C1, D1), 0, 0);
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, H8),
           SQUARE(A8) | SQUARES(C8, D8), 0, 0);
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8), 0, 0);

// Counts the positions of main lines at which the query matches, straight from their moves.
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
            Lanes hits = lanes_all(0ULL);
            Lanes n = lanes_all(SQUARE(B8) | SQUARE(G8));
            Lanes K = lanes_all(SQUARE(E1));
            Lanes occupied = lanes_all(~SQUARES(A3, H6));
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes k = lanes_all(SQUARE(E8));
            Lanes K_squares_1 = lanes_knight_moves(K);
            Lanes K_squares_2 = lanes_king_moves(K);
            Lanes k_squares_1 = lanes_knight_moves(k);
            Lanes k_squares_2 = lanes_king_moves(k);
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where_equal(now_1, length + 1, lanes_all(1));
            if (lanes_any(now_1)) {
                now_1 = lanes_where(now_1, n & K_squares_1);
                now_1 = lanes_where_empty(now_1, ~occupied & K_squares_2);
                hits = lanes_counted(hits, now_1);
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
                    n &= ~to;
                    K = lanes_toggled(K, from, king_from, kinds);
                    K = lanes_toggled(K, to, king_to, kinds);
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    N = lanes_toggled(N, from, knight_from, kinds);
                    N = lanes_toggled(N, to, knight_to, kinds);
                    if (lanes_any_of_kind(king_from, kinds)) {
                        K ^= lanes_by_kind(white_king_castled, kind);
                        occupied ^= lanes_by_kind(white_piece_castled, kind);
                        K_squares_1 = lanes_knight_moves(K);
                        K_squares_2 = lanes_king_moves(K);
                    }
                    Where now_2 = live;
                    now_2 = lanes_where_equal(now_2, length + 1, lanes_all((uint64_t)ply) + lanes_all(1));
                    if (lanes_any(now_2)) {
                        now_2 = lanes_where(now_2, N & k_squares_1);
                        now_2 = lanes_where_empty(now_2, ~occupied & k_squares_2);
                        hits = lanes_counted(hits, now_2);
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
                    n = lanes_toggled(n, from, knight_from, kinds);
                    n = lanes_toggled(n, to, knight_to, kinds);
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    N &= ~to;
                    k = lanes_toggled(k, from, king_from, kinds);
                    k = lanes_toggled(k, to, king_to, kinds);
                    if (lanes_any_of_kind(king_from, kinds)) {
                        occupied ^= lanes_by_kind(black_piece_castled, kind);
                        k ^= lanes_by_kind(black_king_castled, kind);
                        k_squares_1 = lanes_knight_moves(k);
                        k_squares_2 = lanes_king_moves(k);
                    }
                    Where now_3 = live;
                    now_3 = lanes_where_equal(now_3, length + 1, lanes_all((uint64_t)ply) + lanes_all(1));
                    if (lanes_any(now_3)) {
                        now_3 = lanes_where(now_3, n & K_squares_1);
                        now_3 = lanes_where_empty(now_3, ~occupied & K_squares_2);
                        hits = lanes_counted(hits, now_3);
                    }
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
        .name = "smothered.cql",
        .source = "// A flip with attacks: a smothered mate.\n"
            "cql()\n"
            "flipcolor {\n"
            "    btm mate\n"
            "    N attacks k\n"
            "    not (_ & anydirection 1 k)\n"
            "}\n",
        .flags = QUERY_EXACT_SCREEN | QUERY_NEEDS_CHECKS,
        .match_game = match_game,
        .screen = SCREEN(screen, 106),
        .screen_cost = SCREEN_COST(106),
    },
};

EXPORT_QUERIES(queries)
