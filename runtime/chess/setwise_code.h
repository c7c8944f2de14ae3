// The functions of setwise.h. Included once for each kind of processor.
#pragma GCC diagnostic ignored "-Wpsabi" // of vectors in inlined functions
#include "rays.h"
#include "setwise.h"

// ---- steps ------------------------------------------------------------------------------------------------

static inline Bitboard sw_sides(Bitboard set)
{
    return (set & RAYS_NOT_FILE_H) << 1 | (set & RAYS_NOT_FILE_A) >> 1;
}

static inline Bitboard sw_king_moves(Bitboard set)
{
    const Bitboard sides = sw_sides(set), row = set | sides;
    return sides | row << 8 | row >> 8;
}

static inline Bitboard sw_knight_moves(Bitboard set)
{
    const Bitboard near = sw_sides(set);
    const Bitboard far = (set & 0x3f3f3f3f3f3f3f3fULL) << 2 | (set & 0xfcfcfcfcfcfcfcfcULL) >> 2;
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

static inline Bitboard sw_pawn_attacks(Bitboard set, int colour)
{
    return colour == WHITE ? sw_sides(set) << 8 : sw_sides(set) >> 8;
}

// ---- attacks ----------------------------------------------------------------------------------------------

static Bitboard sw_attacked(const Position *p, Bitboard from)
{
    Bitboard found = sw_pawn_attacks(from & p->white.pawn, WHITE) |
                     sw_pawn_attacks(from & p->black.pawn, BLACK) |
                     sw_knight_moves(from & (p->white.knight | p->black.knight)) |
                     sw_king_moves(from & (p->white.king | p->black.king));
    const Bitboard straight = from & rays_rooks_and_queens(p), diagonal = from & rays_bishops_and_queens(p);
    if (straight | diagonal) {
        const RayPaths paths = rays_paths(p->empty);
        found |= rays_union(rays_fill(rays_by_line(straight, diagonal), &paths));
    }
    return found;
}

// The squares of `from` that attack one square. Most often no piece of a small set is in line with it or a knight's move
// away.
RAYS_INLINE Bitboard sw_attackers_of_one(const Position *p, Bitboard from, int square)
{
    from &= reach_table[WHITE_QUEEN][square] | knight_table[square];
    if (!from)
        return 0;
    Bitboard found = (p->white.pawn & pawn_table[BLACK][square]) |
                     (p->black.pawn & pawn_table[WHITE][square]) |
                     ((p->white.knight | p->black.knight) & knight_table[square]) |
                     ((p->white.king | p->black.king) & king_table[square]);
    Bitboard sliders = from & ((rays_rooks_and_queens(p) & reach_table[WHITE_ROOK][square]) |
                               (rays_bishops_and_queens(p) & reach_table[WHITE_BISHOP][square]));
    for (; sliders; sliders &= sliders - 1)
        found |= between_table[square][__builtin_ctzll(sliders)] & p->occupied ? 0 : sliders & -sliders;
    return found & from;
}

static Bitboard sw_attackers(const Position *p, Bitboard from, Bitboard to)
{
    if (!(to & (to - 1)))
        return to ? sw_attackers_of_one(p, from, __builtin_ctzll(to)) : 0;
    Bitboard found = (p->white.pawn & sw_pawn_attacks(to, BLACK)) |
                     (p->black.pawn & sw_pawn_attacks(to, WHITE)) |
                     ((p->white.knight | p->black.knight) & sw_knight_moves(to)) |
                     ((p->white.king | p->black.king) & sw_king_moves(to));
    const Bitboard straight = from & rays_rooks_and_queens(p), diagonal = from & rays_bishops_and_queens(p);
    if (straight | diagonal) {
        const RayPaths paths = rays_paths(p->empty);
        found |= rays_union(rays_and(rays_fill(rays_of(to), &paths), rays_by_line(straight, diagonal)));
    }
    return found & from;
}

// ---- chains and pins --------------------------------------------------------------------------------------

static Bitboard sw_chain_from(const Position *p, int directions, bool sliders, const Bitboard *set, int count)
{
    return rays_chain_from(reach_table[0], p, directions, sliders, set, count);
}

static Bitboard sw_chain_to(const Position *p, int directions, bool sliders, const Bitboard *set, int count)
{
    return rays_chain_to(reach_table[0], p, directions, sliders, set, count);
}

// The pins of pieces of one colour, by enemy pieces in front of targets that are not enemies. What both the sliders and
// the targets see is the only piece between them.
RAYS_INLINE Rays sw_pins_of(const Position *p, Bitboard from, Bitboard through, Bitboard to, int which,
                            const RayPaths *paths)
{
    const Rays pinning = rays_by_line(from & rays_rooks_and_queens(p), from & rays_bishops_and_queens(p));
    const Rays seen = rays_and(rays_fill(rays_of(to), paths), rays_of(through));
    const Rays pinned = rays_and(rays_opposite(rays_fill(pinning, paths)), seen);
    if (which == PIN_THROUGH)
        return pinned;
    if (which == PIN_FROM)
        return rays_and(rays_fill(pinned, paths), pinning);
    return rays_and(rays_fill(rays_opposite(pinned), paths), rays_of(to));
}

static Bitboard sw_pins(const Position *p, Bitboard from, Bitboard through, Bitboard to, int which)
{
    if (rays_are_kings(p, to))
        return rays_king_pins(between_table[0], reach_table[0], p, from, through, to, which);
    const RayPaths paths = rays_paths(p->empty);
    const Bitboard white = p->white_pieces, black = p->black_pieces;
    Rays found = rays_of(0);
    if ((through & white) && (to & ~black))
        found = rays_or(found, sw_pins_of(p, from & black, through & white, to & ~black, which, &paths));
    if ((through & black) && (to & ~white))
        found = rays_or(found, sw_pins_of(p, from & white, through & black, to & ~white, which, &paths));
    return rays_union(found);
}

// ---- moves ------------------------------------------------------------------------------------------------

RAYS_INLINE int sw_count(Bitboard set)
{
    return __builtin_popcountll(set);
}

#if RAYS_WIDE && !RAYS_WIDEST
typedef char SwBytes __attribute__((vector_size(32)));

// The number of squares in each byte.
RAYS_INLINE SwBytes sw_byte_counts(RayPart part)
{
    const SwBytes counts = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}; // of the numbers 0 to 15
    const RayPart low = 0x0f0f0f0f0f0f0f0fULL - (RayPart){0};
    return __builtin_ia32_pshufb256(counts, (SwBytes)(part & low)) +
           __builtin_ia32_pshufb256(counts, (SwBytes)(part >> 4 & low));
}
#endif

// The number of squares in all lanes of a and b.
RAYS_INLINE int64_t sw_count_rays(Rays a, Rays b)
{
#if RAYS_WIDEST
    typedef long long Signed __attribute__((vector_size(64)));
    Signed counts =
        __builtin_ia32_vpopcountq_v8di((Signed)a.part[0]) + __builtin_ia32_vpopcountq_v8di((Signed)b.part[0]);
    counts += __builtin_shuffle(counts, (Signed){4, 5, 6, 7, 0, 1, 2, 3});
    counts += __builtin_shuffle(counts, (Signed){2, 3, 0, 1, 6, 7, 4, 5});
    return counts[0] + counts[1];
#elif RAYS_WIDE
    const SwBytes counts = sw_byte_counts(a.part[0]) + sw_byte_counts(a.part[1]) + sw_byte_counts(b.part[0]) +
                           sw_byte_counts(b.part[1]);
    const RayPart sums = (RayPart)__builtin_ia32_psadbw256(counts, (SwBytes){0});
    return (int64_t)(sums[0] + sums[1] + sums[2] + sums[3]);
#else
    int64_t count = 0;
    for (int lane = 0; lane < 8; lane++)
        count += sw_count(rays_lane(a, lane)) + sw_count(rays_lane(b, lane));
    return count;
#endif
}

// Each lane has another one of the eight steps of knights.
RAYS_INLINE Rays sw_knight_lanes(Bitboard from)
{
    const uint64_t east = RAYS_NOT_FILE_A, far_east = 0xfcfcfcfcfcfcfcfcULL, north = RAYS_NOT_RANK_1;
    const uint64_t west = RAYS_NOT_FILE_H, far_west = 0x3f3f3f3f3f3f3f3fULL, south = RAYS_NOT_RANK_8;
    const Rays entered = RAYS(north << 8 & east, north & far_east, north << 8 & west, north & far_west,
                              south >> 8 & west, south & far_west, south >> 8 & east, south & far_east);
    return rays_and(entered, rays_shift(rays_of(from), 17, 10, 15, 6));
}

// What pawns and kings of one colour attack.
RAYS_INLINE Rays sw_step_lanes(Bitboard pawns, Bitboard kings, int side)
{
    const Rays captures =
        side == WHITE ? RAYS(0, ~0ULL, 0, ~0ULL, 0, 0, 0, 0) : RAYS(0, 0, 0, 0, 0, ~0ULL, 0, ~0ULL);
    const Rays from = rays_or(rays_and(rays_of(pawns), captures), rays_of(kings));
    return rays_and(rays_entered(), rays_steps(from, 1));
}

// All squares in the lanes that have some square.
RAYS_INLINE Rays sw_whole_lanes(Rays rays)
{
#if RAYS_WIDE
    RAYS_EACH_PART rays.part[i] = (RayPart)(rays.part[i] != 0);
#else
    RAYS_EACH_PART rays.part[i] = 0 - (uint64_t)(rays.part[i] != 0);
#endif
    return rays;
}

// What is fixed while the moves of a position are found. The functions are inlined, so that its members need no memory.
typedef struct Movers {
    const Position *p;
    int side;
    Bitboard own;
    Bitboard king;   // the own king
    Bitboard steps;  // the squares next to it
    Bitboard danger; // what the enemy attacks when that king is not there
    Bitboard from;   // own pieces, those that are asked for
    Bitboard to;     // where pieces other than the king may go
    RayPaths paths;
    Rays pinned;   // own pieces by the direction from their king in which they are pinned
    Bitboard free; // those of `from` that are not pinned
    Bitboard free_forward, free_east, free_west; // those that may move on these lines of pawns
    MovesFound found;
} Movers;

// The squares next to a king, or none without one.
RAYS_INLINE Bitboard sw_king_steps(Bitboard king)
{
    return king ? king_table[__builtin_ctzll(king)] : 0;
}

// In check, other pieces than the king capture the only attacker or go between it and the king. `sight`: what the king
// sees; `checked`: all squares in the lanes of the sliders that check.
RAYS_INLINE Bitboard sw_evasions(const Movers *m, Rays sight, Rays checked)
{
    const Bitboard *enemy = m->p->board + !m->side * 6;
    const Bitboard lines = rays_union(rays_and(rays_opposite(sight), checked));
    const Bitboard checkers = (lines & (enemy[WHITE_BISHOP] | enemy[WHITE_ROOK] | enemy[WHITE_QUEEN])) |
                              (sw_pawn_attacks(m->king, m->side) & enemy[WHITE_PAWN]) |
                              (sw_knight_moves(m->king) & enemy[WHITE_KNIGHT]) |
                              (m->steps & enemy[WHITE_KING]);
    return checkers & (checkers - 1) ? 0 : checkers | lines;
}

// What the own king sees. Without wide vectors only if some slider of the enemy is in line with it.
RAYS_INLINE Rays sw_sight(const Movers *m)
{
#if !RAYS_WIDE
    const Bitboard *enemy = m->p->board + !m->side * 6;
    const int king = m->king ? __builtin_ctzll(m->king) : 0;
    if (!((reach_table[WHITE_ROOK][king] & (enemy[WHITE_ROOK] | enemy[WHITE_QUEEN])) |
          (reach_table[WHITE_BISHOP][king] & (enemy[WHITE_BISHOP] | enemy[WHITE_QUEEN]))))
        return rays_of(0);
#endif
    return rays_fill(rays_of(m->king), &m->paths);
}

// Finds what the enemy attacks and what it pins, and what may answer a check.
RAYS_INLINE void sw_find_danger(Movers *m, bool legal)
{
    const Bitboard *enemy = m->p->board + !m->side * 6;
    const Rays sliders =
        rays_by_line(enemy[WHITE_ROOK] | enemy[WHITE_QUEEN], enemy[WHITE_BISHOP] | enemy[WHITE_QUEEN]);
    const Rays attacked = rays_fill(sliders, &m->paths), sight = sw_sight(m);
    const Rays checked = sw_whole_lanes(rays_and(attacked, rays_of(m->king)));
    // the king does not hide what is beyond it
    m->danger = rays_union(rays_or(rays_or(attacked, rays_and(sight, checked)),
                                   rays_or(sw_knight_lanes(enemy[WHITE_KNIGHT]),
                                           sw_step_lanes(enemy[WHITE_PAWN], enemy[WHITE_KING], !m->side))));
    if (!legal)
        return;
    if (m->danger & m->king)
        m->to &= sw_evasions(m, sight, checked);
    m->pinned = rays_and(rays_opposite(attacked), rays_and(sight, rays_of(m->own)));
}

// Pieces that are not pinned, or pinned in the direction of a lane (0 to 3) or its opposite.
RAYS_INLINE Bitboard sw_free_along(const Movers *m, int lane)
{
    return m->free | (m->from & (rays_lane(m->pinned, lane) | rays_lane(m->pinned, lane + 4)));
}

RAYS_INLINE void sw_find_free(Movers *m)
{
    m->free = m->free_forward = m->free_east = m->free_west = m->from;
    if (!rays_some(m->pinned))
        return;
    m->free = m->from & ~rays_union(m->pinned);
    m->free_forward = sw_free_along(m, 0);
    // forward and to the east is NE for White and SE, opposite to NW, for Black
    m->free_east = sw_free_along(m, m->side == WHITE ? 1 : 3);
    m->free_west = sw_free_along(m, m->side == WHITE ? 3 : 1);
}

// No two moves of sliders have the same direction and destination, nor have two moves of knights.
RAYS_INLINE void sw_officer_moves(Movers *m, MovesAspect aspect)
{
    const Bitboard *own = m->p->board + m->side * 6;
    Rays sliders = rays_by_line(m->from & (own[WHITE_ROOK] | own[WHITE_QUEEN]),
                                m->from & (own[WHITE_BISHOP] | own[WHITE_QUEEN]));
    sliders = rays_and(sliders, rays_or(rays_of(m->free), rays_or(m->pinned, rays_opposite(m->pinned))));
    const Rays allowed = rays_of(m->to), to = rays_and(rays_fill(sliders, &m->paths), allowed);
    const Bitboard knights = m->free & own[WHITE_KNIGHT];
    if (aspect == MOVES_FROM) {
        const Rays back = rays_and(rays_fill(rays_opposite(to), &m->paths), rays_opposite(sliders));
        m->found.squares |= rays_union(rays_or(back, rays_and(sw_knight_lanes(m->to), rays_of(knights))));
        return;
    }
    const Rays leaps = rays_and(sw_knight_lanes(knights), allowed);
    if (aspect == MOVES_COUNT)
        m->found.count += sw_count_rays(to, leaps);
    else
        m->found.squares |= rays_union(rays_or(to, leaps));
}

RAYS_INLINE Bitboard sw_forward(const Movers *m, Bitboard set, int distance)
{
    return m->side == WHITE ? set << distance : set >> distance;
}

// Moves of one kind: `distance` is the number of squares from the origins to the destinations.
RAYS_INLINE void sw_add_pawns(Movers *m, MovesAspect aspect, Bitboard from, int distance, Bitboard allowed)
{
    const Bitboard to = sw_forward(m, from, distance) & allowed;
    if (aspect == MOVES_COUNT)
        m->found.count += sw_count(to);
    else if (aspect == MOVES_TO)
        m->found.squares |= to;
    else
        m->found.squares |= m->side == WHITE ? to >> distance : to << distance;
}

RAYS_INLINE void sw_pawn_moves(Movers *m, MovesAspect aspect)
{
    const Position *p = m->p;
    const Bitboard pawns = p->board[piece_make(m->side, WHITE_PAWN)];
    const Bitboard empty = p->empty & m->to, enemy = p->board[BOARD_WHITE + !m->side] & m->to;
    const Bitboard home = m->side == WHITE ? 0xFF00ULL : 0xFF000000000000ULL;
    const Bitboard free = pawns & m->free_forward;
    sw_add_pawns(m, aspect, free, 8, empty);
    sw_add_pawns(m, aspect, free & home, 16, empty & sw_forward(m, p->empty, 8));
    sw_add_pawns(m, aspect, pawns & m->free_east & RAYS_NOT_FILE_H, m->side == WHITE ? 9 : 7, enemy);
    sw_add_pawns(m, aspect, pawns & m->free_west & RAYS_NOT_FILE_A, m->side == WHITE ? 7 : 9, enemy);
}

// The king's moves. It castles where no square of its way is attacked.
RAYS_INLINE void sw_king_moves_of(Movers *m, const MovesWanted *wanted, MovesAspect aspect)
{
    if (!(m->king & m->from))
        return;
    Bitboard to = m->steps & (wanted->pseudolegal ? BB_ALL : ~m->danger);
    if (wanted->castling) {
        const int back = m->side == WHITE ? 0 : 56;
        to |= wanted->castling & ~((m->danger & 0x70ULL << back ? bb_of(back + 6) : 0) |
                                   (m->danger & 0x1CULL << back ? bb_of(back + 2) : 0));
    }
    to &= wanted->to & ~m->own;
    m->found.count += sw_count(to);
    m->found.squares |= aspect == MOVES_TO ? to : to ? m->king : 0;
}

RAYS_INLINE MovesFound sw_moves_of(const Position *p, const MovesWanted *wanted, int side, MovesAspect aspect)
{
    Movers m;
    m.p = p;
    m.side = side;
    m.own = p->board[BOARD_WHITE + side];
    m.king = p->board[piece_make(side, WHITE_KING)];
    m.steps = sw_king_steps(m.king);
    m.from = wanted->from & m.own;
    m.to = wanted->to & ~m.own;
    m.found = (MovesFound){0, 0};
    if (!m.from || !m.to)
        return m.found;
    m.paths = rays_paths(p->empty);
    m.pinned = rays_of(0);
    m.danger = 0;
    const bool legal = m.king && !wanted->pseudolegal;
    if (legal || wanted->castling)
        sw_find_danger(&m, legal);
    sw_find_free(&m);
    sw_officer_moves(&m, aspect);
    sw_pawn_moves(&m, aspect);
    sw_king_moves_of(&m, wanted, aspect);
    return m.found;
}

// Squares of moves that are found at once: steps of pawns and moves of knights that are not in line with the king, while it
// is there and not in check.
RAYS_INLINE Bitboard sw_some_moves(const Position *p, const MovesWanted *wanted, int side, MovesAspect aspect)
{
    const Bitboard *own = p->board + side * 6;
    if (p->check != CHECK_NONE || !own[WHITE_KING])
        return 0;
    const Bitboard from = wanted->from & ~reach_table[WHITE_QUEEN][__builtin_ctzll(own[WHITE_KING])];
    const Bitboard to = wanted->to & ~p->board[BOARD_WHITE + side], empty = p->empty & to;
    const Bitboard pawns = from & own[WHITE_PAWN], knights = from & own[WHITE_KNIGHT];
    if (aspect == MOVES_TO)
        return ((side == WHITE ? pawns << 8 : pawns >> 8) & empty) | (sw_knight_moves(knights) & to);
    return (pawns & (side == WHITE ? empty >> 8 : empty << 8)) | (knights & sw_knight_moves(to));
}

RAYS_INLINE MovesFound sw_moves_for(const Position *p, const MovesWanted *wanted, int side)
{
    if (wanted->some && wanted->aspect != MOVES_COUNT) {
        const Bitboard squares = sw_some_moves(p, wanted, side, wanted->aspect);
        if (squares)
            return (MovesFound){squares, 0};
    }
    switch (wanted->aspect) {
    case MOVES_COUNT:
        return sw_moves_of(p, wanted, side, MOVES_COUNT);
    case MOVES_TO:
        return sw_moves_of(p, wanted, side, MOVES_TO);
    default:
        return sw_moves_of(p, wanted, side, MOVES_FROM);
    }
}

// Compiled for each side, of which the shifts of pawns are then constant.
static MovesFound sw_moves(const Position *p, const MovesWanted *wanted)
{
    return p->side == WHITE ? sw_moves_for(p, wanted, WHITE) : sw_moves_for(p, wanted, BLACK);
}

#define SETWISE_FUNCTIONS                                                                                    \
    {                                                                                                        \
        sw_attacked, sw_attackers, sw_chain_from, sw_chain_to, sw_pins, sw_moves                             \
    }
