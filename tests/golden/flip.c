// flip.cql, compiled by cqlgen
//
//     // Variants of a transform, unrolled.
//     cql()
//     flipcolor { wtm Rd1 not pd2-7 }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: flipcolor { wtm Rd1 not pd2-7 }
    if (p->side == WHITE) {
        // as written
        return (p->white.rook & SQUARE(D1)) && !(p->black.pawn & SQUARES(D2, D7));
    }
    // flipcolor
    return (p->black.rook & SQUARE(D8)) && !(p->white.pawn & SQUARES(D2, D7));
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(rook_from, 1 << 4);
KIND_SET(rook_to, 1 << 4 | 1 << 10 | 1 << 12 | 1 << 13);
KIND_SET(pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(pawn_to, 1 << 1 | 1 << 7);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(black_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8), 0, 0);

// Counts the positions of main lines at which the query matches, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes possible = lanes_all(~0ULL);
            Lanes hits = lanes_all(0ULL);
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes p = lanes_all(RANK_7);
            Lanes r = lanes_all(SQUARE(A8) | SQUARE(H8));
            Lanes P = lanes_all(RANK_2);
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where(now_1, R & SQUARE(D1));
            now_1 = lanes_where_empty(now_1, p & SQUARES(D2, D7));
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
                    R = lanes_toggled(R, from, rook_from, kinds);
                    R = lanes_toggled(R, to, rook_to, kinds);
                    p &= ~(to | passed);
                    r &= ~to;
                    P = lanes_toggled(P, from, pawn_from, kinds);
                    P = lanes_toggled(P, to, pawn_to, kinds);
                    R ^= lanes_by_kind(white_rook_castled, kind);
                    Where now_2 = live;
                    now_2 = lanes_where(now_2, r & SQUARE(D8));
                    now_2 = lanes_where_empty(now_2, P & SQUARES(D2, D7));
                    hits = lanes_counted(hits, now_2);
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
                    p = lanes_toggled(p, from, pawn_from, kinds);
                    p = lanes_toggled(p, to, pawn_to, kinds);
                    r = lanes_toggled(r, from, rook_from, kinds);
                    r = lanes_toggled(r, to, rook_to, kinds);
                    P &= ~(to | passed);
                    r ^= lanes_by_kind(black_rook_castled, kind);
                    Where now_3 = live;
                    now_3 = lanes_where(now_3, R & SQUARE(D1));
                    now_3 = lanes_where_empty(now_3, p & SQUARES(D2, D7));
                    hits = lanes_counted(hits, now_3);
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
        .name = "flip.cql",
        .source = "// Variants of a transform, unrolled.\n"
            "cql()\n"
            "flipcolor { wtm Rd1 not pd2-7 }\n",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = match_game,
        .screen = SCREEN(screen, 20),
        .screen_cost = SCREEN_COST(20),
    },
};

EXPORT_QUERIES(queries)
