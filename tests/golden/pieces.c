// pieces.cql, compiled by cqlgen
//
//     // A loop over pieces.
//     cql()
//     mate
//     piece Mater in [QRBN] {
//         Mater attacks k
//         not a attacks Mater
//     }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 3: mate
    if (!king_attacked(c, p) || c->rt->has_legal_move(p))
        return 0;
    // 4: piece Mater in [QRBN] {
    Bitboard rest = p->white.knight | p->white.bishop | p->white.rook | p->white.queen;
    for (; rest; rest &= rest - 1) {
        const int32_t square = first_square(rest);
        take_step(c);
        const int32_t Mater = c->rt->piece_number(c, n, square);
        if (some_attack(c, p, ANY_KIND, square_set(c->rt->piece_square(c, n, Mater)), p->black.king) &&
            !some_attack(c, p, BLACK_KINDS, p->black_pieces, square_set(c->rt->piece_square(c, n, Mater))))
            return 1;
    }
    return 0;
}

KIND_TABLE(knight_from, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(knight_to, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0);
KIND_TABLE(bishop_from, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(bishop_to, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0);
KIND_TABLE(rook_from, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(rook_to, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, ~0ULL, ~0ULL);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8);
KIND_TABLE(queen_from, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(queen_to, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0);

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane), facts = lanes_read(line->facts + lane);
            const Lanes positions = length + 1;
            const Lanes possible = ~lanes_equal(facts & LINE_MATE, lanes_all(0));
            if (!lanes_some(possible)) {
                lanes_write(found[group] + lane, possible);
                continue;
            }
            Lanes seen_1 = lanes_all(0ULL);
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes B = lanes_all(SQUARE(C1) | SQUARE(F1));
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes Q = lanes_all(SQUARE(D1));
            seen_1 |= lanes_equal(positions, lanes_all(1)) & lanes_not_empty(N | B | R | Q);
            const uint16_t *next = line->word + lane;
            const int32_t rows = LANES > 1 ? line->rows : line->length[lane];
            for (int32_t ply = 1; ply <= rows; ply++, next += LINE_LANES) {
                { // White moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Lanes from = lanes_all(1ULL) << (word & 63),
                        to = lanes_all(1ULL) << (word >> 6 & 63);
                    const Lanes live = lanes_live(ply, length);
                    N = N ^ (from & lanes_by_kind(knight_from, kind)) ^ (to & lanes_by_kind(knight_to, kind));
                    B = B ^ (from & lanes_by_kind(bishop_from, kind)) ^ (to & lanes_by_kind(bishop_to, kind));
                    R = R ^ (from & lanes_by_kind(rook_from, kind)) ^ (to & lanes_by_kind(rook_to, kind)) ^
                        lanes_by_kind(white_rook_castled, kind);
                    Q = Q ^ (from & lanes_by_kind(queen_from, kind)) ^ (to & lanes_by_kind(queen_to, kind));
                    seen_1 |= live & lanes_equal(positions, lanes_all((uint64_t)ply) + lanes_all(1)) &
                        lanes_not_empty(N | B | R | Q);
                }
                next += LINE_LANES;
                if (++ply > rows)
                    break;
                { // Black moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Lanes from = lanes_all(1ULL) << (word & 63),
                        to = lanes_all(1ULL) << (word >> 6 & 63);
                    const Lanes live = lanes_live(ply, length);
                    N &= ~to;
                    B &= ~to;
                    R &= ~to;
                    Q &= ~to;
                    seen_1 |= live & lanes_equal(positions, lanes_all((uint64_t)ply) + lanes_all(1)) &
                        lanes_not_empty(N | B | R | Q);
                }
            }
            lanes_write(found[group] + lane, lanes_not_empty(seen_1) & possible & 1);
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
        .name = "pieces.cql",
        .source = "// A loop over pieces.\n"
            "cql()\n"
            "mate\n"
            "piece Mater in [QRBN] {\n"
            "    Mater attacks k\n"
            "    not a attacks Mater\n"
            "}\n",
        .flags = QUERY_NEEDS_PIECES,
        .match_game = match_game,
        .screen = SCREEN(screen, 36),
    },
};

EXPORT_QUERIES(queries)
