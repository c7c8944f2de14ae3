// numbers.cql, compiled by cqlgen
//
//     // Sums, products and comparisons, also in a screen.
//     cql()
//     power A - power a >= 3
//     x = #A * 3 - power a / 2
//     x % 4 == 1 or -x < 5
//     y = max(x 7)
//     abs(x - 3) == y
#include <cqlgen/matcher.h>

// What the query remembers: the cells of c->slot.
typedef struct {
    Number x;
    Number x_is_bound;
    Number y;
    Number y_is_bound;
} State;

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    const int32_t power_ = power_of(c, p, BLACK_KINDS, p->black_pieces);
    // 3: power A - power a >= 3
    if (subtract(power_of(c, p, WHITE_KINDS, p->white_pieces), power_) < 3)
        return 0;
    // 4: x = #A * 3 - power a / 2
    state->x = subtract(multiply(count_squares(p->white_pieces), 3), divide(power_, 2));
    state->x_is_bound = 1;
    // 5: x % 4 == 1 or -x < 5
    if (modulo(state->x, 4) != 1 && subtract(0, state->x) >= 5)
        return 0;
    // 6: y = max(x 7)
    int32_t found = 0;
    int32_t value = state->x;
    int32_t best = 0;
    if (!found || value > best) {
        best = value;
        found = 1;
    }
    value = 7;
    if (!found || value > best) {
        best = value;
        found = 1;
    }
    if (!found)
        return 0;
    state->y = best;
    state->y_is_bound = 1;
    // 7: abs(x - 3) == y
    const int32_t number = subtract(state->x, 3);
    return (number < 0 ? subtract(0, number) : number) == state->y;
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(pawn_to, 1 << 1 | 1 << 7);
KIND_SET(NB_from, 1 << 2 | 1 << 3);
KIND_SET(NB_to, 1 << 2 | 1 << 3 | 1 << 8 | 1 << 9);
KIND_SET(rook_from, 1 << 4);
KIND_SET(rook_to, 1 << 4 | 1 << 10 | 1 << 12 | 1 << 13);
KIND_SET(queen_from, 1 << 5);
KIND_SET(queen_to, 1 << 5 | 1 << 11);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(black_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8), 0, 0);

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes possible = lanes_all(~0ULL);
            Lanes seen_1 = lanes_all(0ULL);
            Lanes P = lanes_all(RANK_2);
            Lanes NB = lanes_all(SQUARES(B1, C1) | SQUARES(F1, G1));
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes Q = lanes_all(SQUARE(D1));
            Lanes p = lanes_all(RANK_7);
            Lanes nb = lanes_all(SQUARES(B8, C8) | SQUARES(F8, G8));
            Lanes r = lanes_all(SQUARE(A8) | SQUARE(H8));
            Lanes q = lanes_all(SQUARE(D8));
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where(now_1,
                                ~lanes_less((((lanes_count(P) + (lanes_count(NB) * lanes_all(3))) +
                                              (lanes_count(R) * lanes_all(5))) +
                (lanes_count(Q) * lanes_all(9))) -
                (((lanes_count(p) + (lanes_count(nb) * lanes_all(3))) + (lanes_count(r) * lanes_all(5))) +
                 (lanes_count(q) * lanes_all(9))), lanes_all(3)));
            seen_1 = lanes_marked(seen_1, now_1);
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
                    NB = lanes_toggled(NB, from, NB_from, kinds);
                    NB = lanes_toggled(NB, to, NB_to, kinds);
                    R = lanes_toggled(R, from, rook_from, kinds);
                    R = lanes_toggled(R, to, rook_to, kinds);
                    Q = lanes_toggled(Q, from, queen_from, kinds);
                    Q = lanes_toggled(Q, to, queen_to, kinds);
                    p &= ~(to | passed);
                    nb &= ~to;
                    r &= ~to;
                    q &= ~to;
                    R ^= lanes_by_kind(white_rook_castled, kind);
                    Where now_2 = live;
                    now_2 = lanes_where_empty(now_2, seen_1);
                    if (lanes_any(now_2)) {
                        now_2 = lanes_where(now_2,
                                            ~lanes_less((((lanes_count(P) +
                                                           (lanes_count(NB) * lanes_all(3))) +
                            (lanes_count(R) * lanes_all(5))) + (lanes_count(Q) * lanes_all(9))) -
                            (((lanes_count(p) + (lanes_count(nb) * lanes_all(3))) +
                              (lanes_count(r) * lanes_all(5))) + (lanes_count(q) * lanes_all(9))),
                            lanes_all(3)));
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
                    P &= ~(to | passed);
                    NB &= ~to;
                    R &= ~to;
                    Q &= ~to;
                    p = lanes_toggled(p, from, pawn_from, kinds);
                    p = lanes_toggled(p, to, pawn_to, kinds);
                    nb = lanes_toggled(nb, from, NB_from, kinds);
                    nb = lanes_toggled(nb, to, NB_to, kinds);
                    r = lanes_toggled(r, from, rook_from, kinds);
                    r = lanes_toggled(r, to, rook_to, kinds);
                    q = lanes_toggled(q, from, queen_from, kinds);
                    q = lanes_toggled(q, to, queen_to, kinds);
                    r ^= lanes_by_kind(black_rook_castled, kind);
                    Where now_3 = live;
                    now_3 = lanes_where_empty(now_3, seen_1);
                    if (lanes_any(now_3)) {
                        now_3 = lanes_where(now_3,
                                            ~lanes_less((((lanes_count(P) +
                                                           (lanes_count(NB) * lanes_all(3))) +
                            (lanes_count(R) * lanes_all(5))) + (lanes_count(Q) * lanes_all(9))) -
                            (((lanes_count(p) + (lanes_count(nb) * lanes_all(3))) +
                              (lanes_count(r) * lanes_all(5))) + (lanes_count(q) * lanes_all(9))),
                            lanes_all(3)));
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
        .name = "numbers.cql",
        .source = "// Sums, products and comparisons, also in a screen.\n"
            "cql()\n"
            "power A - power a >= 3\n"
            "x = #A * 3 - power a / 2\n"
            "x % 4 == 1 or -x < 5\n"
            "y = max(x 7)\n"
            "abs(x - 3) == y\n",
        .slot_count = 4,
        .match_game = match_game,
        .screen = SCREEN(screen, 130),
        .screen_cost = SCREEN_COST(130),
    },
};

EXPORT_QUERIES(queries)
