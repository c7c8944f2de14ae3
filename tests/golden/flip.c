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

KIND_TABLE(en_passant, 0, 0, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0);
KIND_TABLE(pawn_from, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, 0, 0);
KIND_TABLE(pawn_to, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0);
KIND_TABLE(rook_from, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(rook_to, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, ~0ULL, ~0ULL);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8);
KIND_TABLE(black_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8));

// Counts the positions of main lines at which the query matches, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane), facts = lanes_read(line->facts + lane);
            const Lanes positions = length + 1;
            const Lanes possible = lanes_all(~0ULL);
            Lanes hits = lanes_all(0ULL);
            Lanes P = lanes_all(RANK_2);
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes p = lanes_all(RANK_7);
            Lanes r = lanes_all(SQUARE(A8) | SQUARE(H8));
            hits -= lanes_not_empty(R & SQUARE(D1)) & ~lanes_not_empty(p & SQUARES(D2, D7));
            const uint16_t *next = line->word + lane;
            const int32_t rows = LANES > 1 ? line->rows : line->length[lane];
            for (int32_t ply = 1; ply <= rows; ply++, next += LINE_LANES) {
                { // White moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Lanes from = lanes_all(1ULL) << (word & 63),
                        to = lanes_all(1ULL) << (word >> 6 & 63);
                    const Lanes live = lanes_live(ply, length);
                    const Lanes passed = (to >> 8) & lanes_by_kind(en_passant, kind);
                    P = P ^ (from & lanes_by_kind(pawn_from, kind)) ^ (to & lanes_by_kind(pawn_to, kind));
                    R = R ^ (from & lanes_by_kind(rook_from, kind)) ^ (to & lanes_by_kind(rook_to, kind)) ^
                        lanes_by_kind(white_rook_castled, kind);
                    p &= ~(to | passed);
                    r &= ~to;
                    hits -= live & lanes_not_empty(r & SQUARE(D8)) & ~lanes_not_empty(P & SQUARES(D2, D7));
                }
                next += LINE_LANES;
                if (++ply > rows)
                    break;
                { // Black moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Lanes from = lanes_all(1ULL) << (word & 63),
                        to = lanes_all(1ULL) << (word >> 6 & 63);
                    const Lanes live = lanes_live(ply, length);
                    const Lanes passed = (to << 8) & lanes_by_kind(en_passant, kind);
                    P &= ~(to | passed);
                    R &= ~to;
                    p = p ^ (from & lanes_by_kind(pawn_from, kind)) ^ (to & lanes_by_kind(pawn_to, kind));
                    r = r ^ (from & lanes_by_kind(rook_from, kind)) ^ (to & lanes_by_kind(rook_to, kind)) ^
                        lanes_by_kind(black_rook_castled, kind);
                    hits -= live & lanes_not_empty(R & SQUARE(D1)) & ~lanes_not_empty(p & SQUARES(D2, D7));
                }
            }
            lanes_write(found[group] + lane, hits & possible);
        }
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    for (int32_t n = 0; n < c->game->count; n++) {
        c->at = n;
        if (matches(c, n, c->position[n], c->depth)) {
            c->hit[c->hit_count++] = n;
            if (c->show)
                c->rt->show(c);
        }
    }
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
    },
};

EXPORT_QUERIES(queries)
