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

KIND_SET(NBRQ_from, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5);
KIND_SET(NBRQ_to, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13);
KIND_TABLE(white_NBRQ_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);

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
            Lanes NBRQ = lanes_all(SQUARES(A1, D1) | SQUARES(F1, H1));
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where_empty(now_1, seen_1);
            now_1 = lanes_where_equal(now_1, positions, lanes_all(1));
            if (lanes_any(now_1)) {
                now_1 = lanes_where(now_1, NBRQ);
                seen_1 = lanes_marked(seen_1, now_1);
            }
            const uint16_t *next = line->word + lane;
            const int32_t rows = LANES > 1 ? line->rows : line->length[lane];
            for (int32_t ply = 1; ply <= rows; ply++, next += LINE_LANES) {
                { // White moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Kinds kinds = lanes_kinds(next);
                    const Lanes from = lanes_square_at(word), to = lanes_square_at(word >> 6);
                    const Where live = lanes_live(ply, length);
                    NBRQ = lanes_toggled(NBRQ, from, NBRQ_from, kinds);
                    NBRQ = lanes_toggled(NBRQ, to, NBRQ_to, kinds);
                    NBRQ ^= lanes_by_kind(white_NBRQ_castled, kind);
                    Where now_2 = live;
                    now_2 = lanes_where_empty(now_2, seen_1);
                    now_2 = lanes_where_equal(now_2, positions, lanes_all((uint64_t)ply) + lanes_all(1));
                    if (lanes_any(now_2)) {
                        now_2 = lanes_where(now_2, NBRQ);
                        seen_1 = lanes_marked(seen_1, now_2);
                    }
                }
                next += LINE_LANES;
                if (++ply > rows)
                    break;
                { // Black moves
                    const Lanes word = lanes_read(next), kind = word >> 12;
                    const Kinds kinds = lanes_kinds(next);
                    const Lanes from = lanes_square_at(word), to = lanes_square_at(word >> 6);
                    const Where live = lanes_live(ply, length);
                    NBRQ &= ~to;
                    Where now_3 = live;
                    now_3 = lanes_where_empty(now_3, seen_1);
                    now_3 = lanes_where_equal(now_3, positions, lanes_all((uint64_t)ply) + lanes_all(1));
                    if (lanes_any(now_3)) {
                        now_3 = lanes_where(now_3, NBRQ);
                        seen_1 = lanes_marked(seen_1, now_3);
                    }
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
