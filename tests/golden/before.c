// before.cql, compiled by cqlgen
//
//     // A screen of the last move and of the boards before it.
//     cql()
//     #R == 1
//     parent:{ Pf7  not check  --=Q(to & f8  check) }
#include <cqlgen/matcher.h>

static int32_t condition_1(Context *c, int32_t n, const Position *p, int32_t depth)
{
    if (!(p->white.pawn & SQUARE(F7)) || king_attacked(c, p))
        return 0;
    for (int32_t child = c->node[n].first_child; child >= 0; child = c->node[child].next_sibling) {
        take_step(c);
        if ((KIND_Q | KIND_q) & (1 << c->node[child].move.promoted)) {
            const Position *const after = c->position[child];
            if (king_attacked(c, after) &&
                (SQUARE(F8) & (child > 0 ?
                               SQUARE(c->node[child].move.to) | square_set(c->node[child].move.rook_to) : 0)))
                return 1;
        }
    }
    return 0;
}

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: #R == 1
    if (count_squares(p->white.rook) != 1)
        return 0;
    // 4: parent:{ Pf7  not check  --=Q(to & f8  check) }
    if (c->node[n].parent < 0)
        return 0;
    const int32_t n_there = c->node[n].parent;
    return c->rt->member(c, n_there, 0) != 0;
}

// Whether a remembered condition is true at position n.
static int32_t remembered(Context *c, int32_t condition, int32_t n)
{
    return condition_1(c, n, c->position[n], c->depth);
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(pawn_to, 1 << 1 | 1 << 7);
KIND_SET(knight_from, 1 << 2);
KIND_SET(knight_to, 1 << 2 | 1 << 8);
KIND_SET(bishop_from, 1 << 3);
KIND_SET(bishop_to, 1 << 3 | 1 << 9);
KIND_SET(rook_from, 1 << 4);
KIND_SET(rook_to, 1 << 4 | 1 << 10 | 1 << 12 | 1 << 13);
KIND_SET(queen_from, 1 << 5);
KIND_SET(queen_to, 1 << 5 | 1 << 11);
KIND_SET(king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(king_to, 1 << 6);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1), 0, 0);
KIND_TABLE(promoted_by_kind, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 5, 0, 0, 0, 0);
KIND_TABLE(black_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8), 0, 0);
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8), 0, 0);
KIND_TABLE(promoted_by_kind_2, 0, 0, 0, 0, 0, 0, 0, 0, 8, 9, 10, 11, 0, 0, 0, 0);

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes facts = lanes_read(line->facts + lane);
            const Lanes possible = ~lanes_equal(facts & LINE_PROMOTES, lanes_all(0));
            if (!lanes_some(possible)) {
                lanes_write(found[0][group] + lane, possible);
                continue;
            }
            Lanes seen_1 = lanes_all(0ULL);
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
                    const Lanes old_P = P;
                    const Lanes old_K = K;
                    const Lanes old_p = p;
                    const Lanes old_n = n;
                    const Lanes old_b = b;
                    const Lanes old_r = r;
                    const Lanes old_q = q;
                    const Lanes old_white = P | N | B | R | Q | K;
                    const Lanes old_black = p | n | b | r | q | k;
                    P = lanes_toggled(P, from, pawn_from, kinds);
                    P = lanes_toggled(P, to, pawn_to, kinds);
                    N = lanes_toggled(N, from, knight_from, kinds);
                    N = lanes_toggled(N, to, knight_to, kinds);
                    B = lanes_toggled(B, from, bishop_from, kinds);
                    B = lanes_toggled(B, to, bishop_to, kinds);
                    R = lanes_toggled(R, from, rook_from, kinds);
                    R = lanes_toggled(R, to, rook_to, kinds);
                    Q = lanes_toggled(Q, from, queen_from, kinds);
                    Q = lanes_toggled(Q, to, queen_to, kinds);
                    K = lanes_toggled(K, from, king_from, kinds);
                    K = lanes_toggled(K, to, king_to, kinds);
                    p &= ~(to | passed);
                    n &= ~to;
                    b &= ~to;
                    r &= ~to;
                    q &= ~to;
                    if (lanes_any_of_kind(king_from, kinds)) {
                        R ^= lanes_by_kind(white_rook_castled, kind);
                        K ^= lanes_by_kind(white_king_castled, kind);
                        K_lines = king_lines(K);
                        K_squares_1 = ((K & SQUARES(B1, H8)) << 7) | ((K & SQUARES(A1, G8)) << 9);
                        K_squares_2 = lanes_knight_moves(K);
                    }
                    const Lanes promoted = lanes_by_kind(promoted_by_kind, kind);
                    Where now_1 = live;
                    now_1 = lanes_where_empty(now_1, seen_1);
                    now_1 = lanes_where(now_1, old_P & SQUARE(F7));
                    now_1 = lanes_where(now_1, (SQUARE(F1) | SQUARE(D2)) & lanes_square(promoted));
                    now_1 = lanes_where_equal(now_1, lanes_count(R), lanes_all(1));
                    if (lanes_any(now_1)) {
                        now_1 = lanes_where(now_1,
                                            (P & k_squares_1) | (N & k_squares_2) |
                                            ((R | Q) & straight_along(k_lines,
                                                                      P | N | B | R | Q | K | p | n | b | r |
                                                                      q | k)) |
                            ((B | Q) & diagonal_along(k_lines,
                                                      P | N | B | R | Q | K | p | n | b | r | q | k)));
                        now_1 = lanes_where_empty(now_1,
                                                  (old_black & old_p &
                                                   (((old_K & SQUARES(B1, H8)) << 7) |
                                                    ((old_K & SQUARES(A1, G8)) << 9))) |
                            (old_black & old_n & lanes_knight_moves(old_K)) |
                            (old_black & (old_r | old_q) & straight_from(old_K, old_white | old_black)) |
                            (old_black & (old_b | old_q) & diagonal_from(old_K, old_white | old_black)));
                        seen_1 = lanes_marked(seen_1, now_1);
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
                    const Lanes old_P = P;
                    const Lanes old_N = N;
                    const Lanes old_B = B;
                    const Lanes old_R = R;
                    const Lanes old_Q = Q;
                    const Lanes old_k = k;
                    const Lanes old_white = P | N | B | R | Q | K;
                    const Lanes old_black = p | n | b | r | q | k;
                    P &= ~(to | passed);
                    N &= ~to;
                    B &= ~to;
                    R &= ~to;
                    Q &= ~to;
                    p = lanes_toggled(p, from, pawn_from, kinds);
                    p = lanes_toggled(p, to, pawn_to, kinds);
                    n = lanes_toggled(n, from, knight_from, kinds);
                    n = lanes_toggled(n, to, knight_to, kinds);
                    b = lanes_toggled(b, from, bishop_from, kinds);
                    b = lanes_toggled(b, to, bishop_to, kinds);
                    r = lanes_toggled(r, from, rook_from, kinds);
                    r = lanes_toggled(r, to, rook_to, kinds);
                    q = lanes_toggled(q, from, queen_from, kinds);
                    q = lanes_toggled(q, to, queen_to, kinds);
                    k = lanes_toggled(k, from, king_from, kinds);
                    k = lanes_toggled(k, to, king_to, kinds);
                    if (lanes_any_of_kind(king_from, kinds)) {
                        r ^= lanes_by_kind(black_rook_castled, kind);
                        k ^= lanes_by_kind(black_king_castled, kind);
                        k_lines = king_lines(k);
                        k_squares_1 = ((k & SQUARES(B1, H8)) >> 9) | ((k & SQUARES(A1, G8)) >> 7);
                        k_squares_2 = lanes_knight_moves(k);
                    }
                    const Lanes promoted = lanes_by_kind(promoted_by_kind_2, kind);
                    Where now_2 = live;
                    now_2 = lanes_where_empty(now_2, seen_1);
                    now_2 = lanes_where(now_2, old_P & SQUARE(F7));
                    now_2 = lanes_where(now_2, (SQUARE(F1) | SQUARE(D2)) & lanes_square(promoted));
                    now_2 = lanes_where_equal(now_2, lanes_count(R), lanes_all(1));
                    if (lanes_any(now_2)) {
                        now_2 = lanes_where(now_2,
                                            (p & K_squares_1) | (n & K_squares_2) |
                                            ((r | q) & straight_along(K_lines,
                                                                      P | N | B | R | Q | K | p | n | b | r |
                                                                      q | k)) |
                            ((b | q) & diagonal_along(K_lines,
                                                      P | N | B | R | Q | K | p | n | b | r | q | k)));
                        now_2 = lanes_where_empty(now_2,
                                                  (old_white & old_P &
                                                   (((old_k & SQUARES(B1, H8)) >> 9) |
                                                    ((old_k & SQUARES(A1, G8)) >> 7))) |
                            (old_white & old_N & lanes_knight_moves(old_k)) |
                            (old_white & (old_R | old_Q) & straight_from(old_k, old_white | old_black)) |
                            (old_white & (old_B | old_Q) & diagonal_from(old_k, old_white | old_black)));
                        seen_1 = lanes_marked(seen_1, now_2);
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
        .name = "before.cql",
        .source = "// A screen of the last move and of the boards before it.\n"
            "cql()\n"
            "#R == 1\n"
            "parent:{ Pf7  not check  --=Q(to & f8  check) }\n",
        .remembered_count = 1,
        .remembered = remembered,
        .match_game = match_game,
        .screen = SCREEN(screen, 436),
        .screen_cost = SCREEN_COST(436),
    },
};

EXPORT_QUERIES(queries)
