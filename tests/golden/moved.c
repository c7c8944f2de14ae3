// moved.cql, compiled by cqlgen
//
//     // Squares as they were before the move.
//     cql() move from N to _d4
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 2: cql() move from N to _d4
    const Bitboard white_knight = p->white.knight;
    const Bitboard squares = p->empty & SQUARE(D4);
    for (int32_t child = c->node[n].first_child; child >= 0; child = c->node[child].next_sibling) {
        take_step(c);
        if ((white_knight & SQUARE(c->node[child].move.from)) && (squares & SQUARE(c->node[child].move.to)))
            return 1;
    }
    return 0;
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(moved, 1 << 2);
KIND_TABLE(white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, G1), SQUARES(C1, D1), 0, 0);
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, G8), SQUARES(C8, D8), 0, 0);

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes possible = lanes_all(~0ULL);
            Lanes seen_1 = lanes_all(0ULL);
            Lanes white = lanes_all(SQUARES(A1, H2));
            Lanes black = lanes_all(SQUARES(A7, H8));
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
                    const Lanes old_white = white;
                    const Lanes old_black = black;
                    white ^= from;
                    white ^= to;
                    black &= ~(to | passed);
                    white ^= lanes_by_kind(white_piece_castled, kind);
                    Where now_1 = live;
                    now_1 &= lanes_where_kind(moved, kinds);
                    now_1 = lanes_where(now_1, SQUARE(D4) & ~(old_white | old_black) & to);
                    seen_1 = lanes_marked(seen_1, now_1);
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
                    white &= ~(to | passed);
                    black ^= from;
                    black ^= to;
                    black ^= lanes_by_kind(black_piece_castled, kind);
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
        .name = "moved.cql",
        .source = "// Squares as they were before the move.\n"
            "cql() move from N to _d4\n",
        .match_game = match_game,
        .screen = SCREEN(screen, 15),
        .screen_cost = SCREEN_COST(15),
    },
};

EXPORT_QUERIES(queries)
