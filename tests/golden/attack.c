// attack.cql, compiled by cqlgen
//
//     // A set as a condition.
//     cql()
//     btm
//     R attacks k
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: btm
    if (p->side != BLACK)
        return 0;
    // 4: R attacks k
    return some_attack(c, p, KIND_R, p->white.rook, p->black.king);
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(rook_from, 1 << 4);
KIND_SET(rook_to, 1 << 4 | 1 << 10 | 1 << 12 | 1 << 13);
KIND_SET(king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(king_to, 1 << 6);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, H1),
           SQUARE(A1) | SQUARES(C1, D1), 0, 0);
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8), 0, 0);
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, H8),
           SQUARE(A8) | SQUARES(C8, D8), 0, 0);

// Counts the positions of main lines at which the query matches, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes possible = lanes_all(~0ULL);
            Lanes hits = lanes_all(0ULL);
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes k = lanes_all(SQUARE(E8));
            Lanes occupied = lanes_all(~SQUARES(A3, H6));
            KingLines k_lines = king_lines(k);
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
                    R = lanes_toggled(R, from, rook_from, kinds);
                    R = lanes_toggled(R, to, rook_to, kinds);
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    R ^= lanes_by_kind(white_rook_castled, kind);
                    occupied ^= lanes_by_kind(white_piece_castled, kind);
                    Where now_1 = live;
                    now_1 = lanes_where(now_1, R & straight_along(k_lines, occupied));
                    hits = lanes_counted(hits, now_1);
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
                    const Lanes passed = (to << 8) & lanes_of_kind(en_passant, kinds);
                    R &= ~to;
                    k = lanes_toggled(k, from, king_from, kinds);
                    k = lanes_toggled(k, to, king_to, kinds);
                    occupied &= ~(to | passed);
                    occupied ^= from;
                    occupied ^= to;
                    if (lanes_any_of_kind(king_from, kinds)) {
                        k ^= lanes_by_kind(black_king_castled, kind);
                        occupied ^= lanes_by_kind(black_piece_castled, kind);
                        k_lines = king_lines(k);
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
        .name = "attack.cql",
        .source = "// A set as a condition.\n"
            "cql()\n"
            "btm\n"
            "R attacks k\n",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = match_game,
        .screen = SCREEN(screen, 21),
        .screen_cost = SCREEN_COST(21),
    },
};

EXPORT_QUERIES(queries)
