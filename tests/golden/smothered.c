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
    // flipcolor
    if (p->side == WHITE && (p->black.knight & knight_moves(p->white.king)) && king_attacked(c, p) &&
        !c->rt->has_legal_move(p)) {
        const Bitboard white_king = p->white.king;
        if (!(p->empty & king_moves(white_king)))
            return 1;
    }
    // as written
    if (p->side != BLACK || !(p->white.knight & knight_moves(p->black.king)) || !king_attacked(c, p) ||
        c->rt->has_legal_move(p))
        return 0;
    const Bitboard black_king = p->black.king;
    return !(p->empty & king_moves(black_king));
}

KIND_TABLE(en_passant, 0, 0, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0);
KIND_TABLE(knight_from, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(knight_to, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0);
KIND_TABLE(king_from, 0, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, ~0ULL, ~0ULL);
KIND_TABLE(king_to, 0, 0, 0, 0, 0, 0, ~0ULL, 0, 0, 0, 0, 0, 0, 0);
KIND_TABLE(white_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G1), SQUARE(C1));
KIND_TABLE(piece_from, 0, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL,
           ~0ULL);
KIND_TABLE(white_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F1, G1), SQUARES(C1, D1));
KIND_TABLE(black_king_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(G8), SQUARE(C8));
KIND_TABLE(black_piece_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARES(F8, G8), SQUARES(C8, D8));

// Counts the positions of main lines at which the query matches, straight from their moves.
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
            Lanes hits = lanes_all(0ULL);
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes K = lanes_all(SQUARE(E1));
            Lanes n = lanes_all(SQUARE(B8) | SQUARE(G8));
            Lanes k = lanes_all(SQUARE(E8));
            Lanes white = lanes_all(SQUARES(A1, H2));
            Lanes black = lanes_all(SQUARES(A7, H8));
            hits -= lanes_equal(positions, lanes_all(1)) & lanes_not_empty(n & lanes_knight_moves(K)) &
                ~lanes_not_empty(~(white | black) & lanes_king_moves(K));
            const uint16_t *next = line->word + lane;
            const int32_t rows = LANES > 1 ? line->rows : line->length[lane];
            for (int32_t ply = 1; ply <= rows; ply++, next += LINE_LANES) {
                { // White moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Lanes from = lanes_all(1ULL) << (word & 63),
                        to = lanes_all(1ULL) << (word >> 6 & 63);
                    const Lanes live = lanes_live(ply, length);
                    const Lanes passed = (to >> 8) & lanes_by_kind(en_passant, kind);
                    N = N ^ (from & lanes_by_kind(knight_from, kind)) ^ (to & lanes_by_kind(knight_to, kind));
                    K = K ^ (from & lanes_by_kind(king_from, kind)) ^ (to & lanes_by_kind(king_to, kind)) ^
                        lanes_by_kind(white_king_castled, kind);
                    n &= ~to;
                    white = white ^ (from & lanes_by_kind(piece_from, kind)) ^
                        (to & lanes_by_kind(piece_from, kind)) ^ lanes_by_kind(white_piece_castled, kind);
                    black &= ~(to | passed);
                    hits -= live & lanes_equal(positions, lanes_all((uint64_t)ply) + lanes_all(1)) &
                        lanes_not_empty(N & lanes_knight_moves(k)) &
                        ~lanes_not_empty(~(white | black) & lanes_king_moves(k));
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
                    N &= ~to;
                    n = n ^ (from & lanes_by_kind(knight_from, kind)) ^ (to & lanes_by_kind(knight_to, kind));
                    k = k ^ (from & lanes_by_kind(king_from, kind)) ^ (to & lanes_by_kind(king_to, kind)) ^
                        lanes_by_kind(black_king_castled, kind);
                    white &= ~(to | passed);
                    black = black ^ (from & lanes_by_kind(piece_from, kind)) ^
                        (to & lanes_by_kind(piece_from, kind)) ^ lanes_by_kind(black_piece_castled, kind);
                    hits -= live & lanes_equal(positions, lanes_all((uint64_t)ply) + lanes_all(1)) &
                        lanes_not_empty(n & lanes_knight_moves(K)) &
                        ~lanes_not_empty(~(white | black) & lanes_king_moves(K));
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
        .name = "smothered.cql",
        .source = "// A flip with attacks: a smothered mate.\n"
            "cql()\n"
            "flipcolor {\n"
            "    btm mate\n"
            "    N attacks k\n"
            "    not (_ & anydirection 1 k)\n"
            "}\n",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = match_game,
        .screen = SCREEN(screen, 106),
    },
};

EXPORT_QUERIES(queries)
