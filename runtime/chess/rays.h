// Sets of squares that move in all eight directions at once, one direction in each lane. A fill takes all sliders of a set
// in the same few steps, however many they are. Compiled for the vectors of the processor, or else for eight numbers; part
// of the header of emitted C for compilers that optimise.
#ifndef CQL_RAYS_H
#define CQL_RAYS_H

#include "runtime/chess/board.h"

#define RAYS_INLINE static inline __attribute__((unused, always_inline))

#define RAYS_NOT_FILE_A 0xfefefefefefefefeULL
#define RAYS_NOT_FILE_H 0x7f7f7f7f7f7f7f7fULL
#define RAYS_NOT_RANK_1 0xffffffffffffff00ULL
#define RAYS_NOT_RANK_8 0x00ffffffffffffffULL

// The lanes: N NE E NW, then their opposites S SW W SE.
#if defined(__AVX512F__) && !defined(__clang__)
#define RAYS_WIDEST 1
#define RAYS_WIDE 1
enum { RAY_PARTS = 1, RAY_LANES = 8 };
typedef uint64_t RayPart __attribute__((vector_size(64)));
#define RAYS(n, ne, e, nw, s, sw, w, se) ((Rays){{{n, ne, e, nw, s, sw, w, se}}})
#elif defined(__AVX2__)
#define RAYS_WIDE 1
enum { RAY_PARTS = 2, RAY_LANES = 4 };
typedef uint64_t RayPart __attribute__((vector_size(32)));
#define RAYS(n, ne, e, nw, s, sw, w, se) ((Rays){{{n, ne, e, nw}, {s, sw, w, se}}})
#else
enum { RAY_PARTS = 8, RAY_LANES = 1 };
typedef uint64_t RayPart;
#define RAYS(n, ne, e, nw, s, sw, w, se) ((Rays){{n, ne, e, nw, s, sw, w, se}})
#endif

typedef struct Rays {
    RayPart part[RAY_PARTS];
} Rays;

#define RAYS_EACH_PART _Pragma("GCC unroll 8") for (int i = 0; i < RAY_PARTS; i++)

RAYS_INLINE Rays rays_and(Rays a, Rays b)
{
    RAYS_EACH_PART a.part[i] &= b.part[i];
    return a;
}

RAYS_INLINE Rays rays_or(Rays a, Rays b)
{
    RAYS_EACH_PART a.part[i] |= b.part[i];
    return a;
}

// The same set in all lanes.
RAYS_INLINE Rays rays_of(Bitboard set)
{
    Rays rays;
    RAYS_EACH_PART rays.part[i] = set - (RayPart){0};
    return rays;
}

// One set in the straight lanes, another one in the diagonal lanes.
RAYS_INLINE Rays rays_by_line(Bitboard straight, Bitboard diagonal)
{
#if RAYS_WIDE
    const Rays lines = RAYS(~0ULL, 0, ~0ULL, 0, ~0ULL, 0, ~0ULL, 0);
    Rays rays = rays_of(straight);
    RAYS_EACH_PART rays.part[i] =
        (rays.part[i] & lines.part[i]) | ((diagonal - (RayPart){0}) & ~lines.part[i]);
    return rays;
#else
    return RAYS(straight, diagonal, straight, diagonal, straight, diagonal, straight, diagonal);
#endif
}

// The squares that a step in each direction can end on.
RAYS_INLINE Rays rays_entered(void)
{
    const uint64_t north = RAYS_NOT_RANK_1, east = RAYS_NOT_FILE_A, south = RAYS_NOT_RANK_8,
                   west = RAYS_NOT_FILE_H;
    return RAYS(north, north & east, east, north & west, south, south & west, west, south & east);
}

// The first four lanes shifted left by a, b, c and d, each from 1 to 63, the other four shifted right. Squares may wrap round
// the edges of the board.
RAYS_INLINE Rays rays_shift(Rays rays, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
#if RAYS_WIDEST
    typedef long long Signed __attribute__((vector_size(64)));
    const RayPart distance = {a, b, c, d, 64 - a, 64 - b, 64 - c, 64 - d};
    rays.part[0] = (RayPart)__builtin_ia32_prolvq512_mask((Signed)rays.part[0], (Signed)distance, (Signed){0},
                                                          (unsigned char)-1);
#elif RAYS_WIDE
    const RayPart distance = {a, b, c, d};
    rays.part[0] <<= distance;
    rays.part[1] >>= distance;
#else
    const uint64_t distance[4] = {a, b, c, d};
    RAYS_EACH_PART rays.part[i] = i < 4 ? rays.part[i] << distance[i & 3] : rays.part[i] >> distance[i & 3];
#endif
    return rays;
}

// Each lane moved by 1, 2 or 4 steps in its direction.
RAYS_INLINE Rays rays_steps(Rays rays, uint64_t steps)
{
    return rays_shift(rays, 8 * steps, 9 * steps, steps, 7 * steps);
}

RAYS_INLINE Rays rays_opposite(Rays rays)
{
#if RAYS_WIDEST
    const RayPart order = {4, 5, 6, 7, 0, 1, 2, 3};
    rays.part[0] = __builtin_shuffle(rays.part[0], order);
    return rays;
#else
    Rays opposite;
    RAYS_EACH_PART opposite.part[i] = rays.part[i ^ RAY_PARTS / 2];
    return opposite;
#endif
}

RAYS_INLINE Bitboard rays_lane(Rays rays, int lane)
{
#if RAYS_WIDE
    return rays.part[lane / RAY_LANES][lane % RAY_LANES];
#else
    return rays.part[lane];
#endif
}

RAYS_INLINE Bitboard rays_union(Rays rays)
{
#if RAYS_WIDEST
    const RayPart order = {2, 3, 0, 1, 6, 7, 4, 5};
    rays = rays_or(rays, rays_opposite(rays));
    rays.part[0] |= __builtin_shuffle(rays.part[0], order);
    return rays.part[0][0] | rays.part[0][1];
#elif RAYS_WIDE
    const RayPart half = rays.part[0] | rays.part[1];
    return half[0] | half[1] | half[2] | half[3];
#else
    Bitboard all = 0;
    RAYS_EACH_PART all |= rays.part[i];
    return all;
#endif
}

// Whether some lane is not empty.
RAYS_INLINE int rays_some(Rays rays)
{
#if RAYS_WIDEST
    typedef long long Signed __attribute__((vector_size(64)));
    return __builtin_ia32_ptestmq512((Signed)rays.part[0], (Signed)rays.part[0], (unsigned char)-1) != 0;
#elif RAYS_WIDE
    typedef long long Signed __attribute__((vector_size(32)));
    const Signed some = (Signed)(rays.part[0] | rays.part[1]);
    return !__builtin_ia32_ptestz256(some, some);
#else
    return rays_union(rays) != 0;
#endif
}

// ---- fills ------------------------------------------------------------------------------------------------

// The squares over which fills pass one, two and four steps at a time.
typedef struct RayPaths {
    Rays one, two, four;
} RayPaths;

RAYS_INLINE RayPaths rays_paths(Bitboard empty)
{
    RayPaths paths;
    paths.one = rays_and(rays_of(empty), rays_entered());
    paths.two = rays_and(paths.one, rays_steps(paths.one, 1));
    paths.four = rays_and(paths.two, rays_steps(paths.two, 2));
    return paths;
}

// The squares that sliders on the squares of each lane attack in its direction.
RAYS_INLINE Rays rays_fill(Rays from, const RayPaths *paths)
{
    from = rays_or(from, rays_and(paths->one, rays_steps(from, 1)));
    from = rays_or(from, rays_and(paths->two, rays_steps(from, 2)));
    from = rays_or(from, rays_and(paths->four, rays_steps(from, 4)));
    return rays_and(rays_entered(), rays_steps(from, 1));
}

// ---- pieces that slide ------------------------------------------------------------------------------------

RAYS_INLINE Bitboard rays_rooks_and_queens(const Position *p)
{
    return p->white.rook | p->white.queen | p->black.rook | p->black.queen;
}

RAYS_INLINE Bitboard rays_bishops_and_queens(const Position *p)
{
    return p->white.bishop | p->white.queen | p->black.bishop | p->black.queen;
}

// ---- chains -----------------------------------------------------------------------------------------------

// A set in the lanes of some directions, which are bits in the order of enum Direction in chess.h.
RAYS_INLINE Rays rays_in_directions(Rays rays, int directions)
{
    const uint64_t d = (uint64_t)directions;
#define RAYS_IF(bit) (0 - (d >> (bit)&1))
    return rays_and(rays, RAYS(RAYS_IF(0), RAYS_IF(1), RAYS_IF(2), RAYS_IF(7), RAYS_IF(4), RAYS_IF(5),
                               RAYS_IF(6), RAYS_IF(3)));
#undef RAYS_IF
}

RAYS_INLINE Rays rays_chain_starts(const Position *p, int directions, int sliders, Bitboard set)
{
    const Rays starts = sliders
                            ? rays_by_line(set & rays_rooks_and_queens(p), set & rays_bishops_and_queens(p))
                            : rays_of(set);
    return directions == 0xFF ? starts : rays_in_directions(starts, directions);
}

// False when there is certainly no chain: its last set has one square at most, and one of the other sets has no square in line
// with that. It answers for most chains that end on a king. `reach_all` is the table of chess.h.
RAYS_INLINE int rays_chain_is_possible(const Bitboard *reach_all, const Position *p, int sliders,
                                       const Bitboard *set, int count)
{
    const Bitboard last = set[count - 1];
    if (last & (last - 1))
        return 1;
    const Bitboard *reach = reach_all + (last ? __builtin_ctzll(last) : 0);
    const Bitboard in_line = reach[64 * WHITE_QUEEN];
    int possible =
        last && (set[0] & (sliders ? (reach[64 * WHITE_ROOK] & rays_rooks_and_queens(p)) |
                                         (reach[64 * WHITE_BISHOP] & rays_bishops_and_queens(p))
                                   : in_line));
#pragma GCC unroll 8
    for (int i = 1; i < count - 1; i++)
        possible = possible && (set[i] & in_line);
    return possible;
}

// The chain is followed back from its end, in the opposite lanes.
RAYS_INLINE Bitboard rays_chain_from(const Bitboard *reach_all, const Position *p, int directions,
                                     int sliders, const Bitboard *set, int count)
{
    if (!rays_chain_is_possible(reach_all, p, sliders, set, count))
        return 0;
    const RayPaths paths = rays_paths(p->empty);
    Rays place = rays_of(set[count - 1]);
#pragma GCC unroll 8
    for (int i = count - 2; i > 0; i--) {
        place = rays_and(rays_fill(place, &paths), rays_of(set[i]));
        if (!rays_some(place))
            return 0;
    }
    return rays_union(
        rays_and(rays_opposite(rays_fill(place, &paths)), rays_chain_starts(p, directions, sliders, set[0])));
}

RAYS_INLINE Bitboard rays_chain_to(const Bitboard *reach_all, const Position *p, int directions, int sliders,
                                   const Bitboard *set, int count)
{
    if (!rays_chain_is_possible(reach_all, p, sliders, set, count))
        return 0;
    const RayPaths paths = rays_paths(p->empty);
    Rays place = rays_chain_starts(p, directions, sliders, set[0]);
#pragma GCC unroll 8
    for (int i = 1; i < count; i++) {
        place = rays_and(rays_fill(place, &paths), rays_of(set[i]));
        if (i < count - 1 && !rays_some(place))
            return 0;
    }
    return rays_union(place);
}

// ---- pins -------------------------------------------------------------------------------------------------

// Which squares of a pin are wanted.
enum { PIN_THROUGH, PIN_FROM, PIN_TO };

// Are there at most one target of each colour and no empty squares among them?
RAYS_INLINE int rays_are_kings(const Position *p, Bitboard to)
{
    const Bitboard white = to & p->white_pieces, black = to & p->black_pieces;
    return !((white & (white - 1)) | (black & (black - 1)) | (to & p->empty));
}

// A target, or no target, of pins by enemy pieces.
typedef struct RayTarget {
    Bitboard square, through;
    const Bitboard *between; // it and other squares
    Bitboard pinning;        // enemy pieces in line with it
} RayTarget;

RAYS_INLINE RayTarget rays_target(const Bitboard *between_all, const Bitboard *reach_all, const Position *p,
                                  Bitboard from, Bitboard through, Bitboard square)
{
    const int number = square ? __builtin_ctzll(square) : 0;
    const Bitboard in_line = (reach_all[64 * WHITE_ROOK + number] & rays_rooks_and_queens(p)) |
                             (reach_all[64 * WHITE_BISHOP + number] & rays_bishops_and_queens(p));
    return (RayTarget){square, through, between_all + 64 * number, square && through ? from & in_line : 0};
}

// Pins on at most one target of each colour: a piece in line with it pins what is alone between them. The tables are those
// of chess.h.
RAYS_INLINE Bitboard rays_king_pins(const Bitboard *between_all, const Bitboard *reach_all, const Position *p,
                                    Bitboard from, Bitboard through, Bitboard to, int which)
{
    const Bitboard white = p->white_pieces, black = p->black_pieces, occupied = p->occupied;
    const RayTarget a = rays_target(between_all, reach_all, p, from & black, through & white, to & white),
                    b = rays_target(between_all, reach_all, p, from & white, through & black, to & black);
    Bitboard found = 0;
    for (Bitboard rest = a.pinning | b.pinning; rest; rest &= rest - 1) {
        const int square = __builtin_ctzll(rest);
        const int on_a = black >> square & 1;
        const Bitboard men = (on_a ? a.between : b.between)[square] & occupied;
        const Bitboard pinned = men & (on_a ? a.through : b.through);
        const Bitboard pin = which == PIN_THROUGH ? pinned
                             : which == PIN_FROM  ? rest & -rest
                             : on_a               ? a.square
                                                  : b.square;
        found |= pinned && !(men & (men - 1)) ? pin : 0;
    }
    return found;
}

#endif
