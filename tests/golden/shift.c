// shift.cql, compiled by cqlgen
//
//     // A shift.
//     cql()
//     shift { Kc3 Pc4 kc5 }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: shift { Kc3 Pc4 kc5 }
    // 48 variants: shift c3 to a1; ...; shift a1 to f4
    return (p->white.king & south(p->white.pawn) & (p->black.king >> 8 * 2)) != 0;
}

KIND_SET(king_from, 1 << 6 | 1 << 12 | 1 << 13);
KIND_SET(king_to, 1 << 6);
KIND_SET(pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(pawn_to, 1 << 1 | 1 << 7);
KIND_SET(en_passant, 1 << 7);
KIND_TABLE(white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1), 0, 0);
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
            Lanes P = lanes_all(RANK_2);
            Lanes k = lanes_all(SQUARE(E8));
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where(now_1, K & (P >> 8) & (k >> 16));
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
                    K = lanes_toggled(K, from, king_from, kinds);
                    K = lanes_toggled(K, to, king_to, kinds);
                    P = lanes_toggled(P, from, pawn_from, kinds);
                    P = lanes_toggled(P, to, pawn_to, kinds);
                    K ^= lanes_by_kind(white_king_castled, kind);
                    Where now_2 = live;
                    now_2 = lanes_where(now_2, K & (P >> 8) & (k >> 16));
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
                    P &= ~(to | passed);
                    k = lanes_toggled(k, from, king_from, kinds);
                    k = lanes_toggled(k, to, king_to, kinds);
                    k ^= lanes_by_kind(black_king_castled, kind);
                    Where now_3 = live;
                    now_3 = lanes_where(now_3, K & (P >> 8) & (k >> 16));
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
        .name = "shift.cql",
        .source = "// A shift.\n"
            "cql()\n"
            "shift { Kc3 Pc4 kc5 }\n",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = match_game,
        .screen = SCREEN(screen, 14),
        .screen_cost = SCREEN_COST(14),
    },
};

EXPORT_QUERIES(queries)
