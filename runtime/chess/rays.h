// Sets of squares that move in all eight directions at once, one direction in each lane of a wide vector. A fill takes
// all sliders of a set in the same few steps, however many they are. Compiled for the processor's vectors where there are
// any, otherwise for its numbers; part of the header of emitted C for compilers that optimise.
#ifndef CQL_RAYS_H
#define CQL_RAYS_H

#include "runtime/chess/board.h"

#define RAYS_INLINE static inline __attribute__((unused, always_inline))

// By direction, in the order of enum Direction in chess.h: N NE E SE S SW W NW. Opposite directions are four lanes apart.
typedef uint64_t Rays __attribute__((vector_size(64)));
typedef long long SignedRays __attribute__((vector_size(64)));

#define RAYS_NOT_FILE_A 0xfefefefefefefefeULL
#define RAYS_NOT_FILE_H 0x7f7f7f7f7f7f7f7fULL
#define RAYS_NOT_RANK_1 0xffffffffffffff00ULL
#define RAYS_NOT_RANK_8 0x00ffffffffffffffULL

// The squares that a step in each direction can end on.
#define RAYS_ENTERED                                                                                         \
    ((Rays){RAYS_NOT_RANK_1, RAYS_NOT_RANK_1 & RAYS_NOT_FILE_A, RAYS_NOT_FILE_A,                             \
            RAYS_NOT_RANK_8 & RAYS_NOT_FILE_A, RAYS_NOT_RANK_8, RAYS_NOT_RANK_8 & RAYS_NOT_FILE_H,           \
            RAYS_NOT_FILE_H, RAYS_NOT_RANK_1 & RAYS_NOT_FILE_H})
// The straight lanes; the others are the diagonal ones.
#define RAYS_STRAIGHT ((Rays){~0ULL, 0, ~0ULL, 0, ~0ULL, 0, ~0ULL, 0})

// Each lane rotated left by a number from 1 to 63. What wraps round the board is for the caller to drop.
#if defined(__AVX512F__) && !defined(__clang__)
#define rays_rotate(rays, ...)                                                                               \
    ((Rays)__builtin_ia32_prolvq512_mask((SignedRays)(rays), (SignedRays){__VA_ARGS__}, (SignedRays){0},     \
                                         (unsigned char)-1))
#else
#define rays_rotate(rays, ...) ((rays) << (Rays){__VA_ARGS__} | (rays) >> (64 - (Rays){__VA_ARGS__}))
#endif

#define rays_step(rays) rays_rotate(rays, 8, 9, 1, 57, 56, 55, 63, 7)
#define rays_two_steps(rays) rays_rotate(rays, 16, 18, 2, 50, 48, 46, 62, 14)
#define rays_four_steps(rays) rays_rotate(rays, 32, 36, 4, 36, 32, 28, 60, 28)

// The same set in all lanes.
#define rays_of(set) ((set) - (Rays){0})
#if defined(__clang__) || __GNUC__ >= 12
#define rays_shuffle(rays, ...) __builtin_shufflevector(rays, rays, __VA_ARGS__)
#else
#define rays_shuffle(rays, ...) __builtin_shuffle(rays, (Rays){__VA_ARGS__})
#endif
#define rays_opposite(rays) rays_shuffle(rays, 4, 5, 6, 7, 0, 1, 2, 3)
// The lanes that are not empty, as masks.
#define rays_not_empty(rays) ((Rays)((rays) != 0))

// Whether some lane is not empty.
#if defined(__AVX512F__) && !defined(__clang__)
#define rays_some(rays) __builtin_ia32_ptestmq512((SignedRays)(rays), (SignedRays)(rays), (unsigned char)-1)
#else
#define rays_some(rays) (rays_union(rays) != 0)
#endif

// One set in the straight lanes, another one in the diagonal lanes.
RAYS_INLINE Rays rays_by_line(Bitboard straight, Bitboard diagonal)
{
    return (rays_of(straight) & RAYS_STRAIGHT) | (rays_of(diagonal) & ~RAYS_STRAIGHT);
}

RAYS_INLINE Bitboard rays_union(Rays rays)
{
    rays |= rays_opposite(rays);
    rays |= rays_shuffle(rays, 2, 3, 0, 1, 6, 7, 4, 5);
    return rays[0] | rays[1];
}

// The squares over which fills pass one, two and four steps at a time.
typedef struct RayPaths {
    Rays one, two, four;
} RayPaths;

RAYS_INLINE RayPaths rays_paths(Bitboard empty)
{
    RayPaths paths = {.one = rays_of(empty) & RAYS_ENTERED};
    paths.two = paths.one & rays_step(paths.one);
    paths.four = paths.two & rays_two_steps(paths.two);
    return paths;
}

// The squares that sliders on the squares of each lane attack in its direction.
RAYS_INLINE Rays rays_fill(Rays from, const RayPaths *paths)
{
    from |= paths->one & rays_step(from);
    from |= paths->two & rays_two_steps(from);
    from |= paths->four & rays_four_steps(from);
    return RAYS_ENTERED & rays_step(from);
}

// Each lane moved by another one of the eight steps of a knight, clockwise.
RAYS_INLINE Rays rays_knight_steps(Rays from)
{
    const uint64_t east = RAYS_NOT_FILE_A, far_east = 0xfcfcfcfcfcfcfcfcULL;
    const uint64_t west = RAYS_NOT_FILE_H, far_west = 0x3f3f3f3f3f3f3f3fULL;
    const uint64_t north = RAYS_NOT_RANK_1, south = RAYS_NOT_RANK_8;
    const Rays entered = {north << 8 & east, north & far_east, south & far_east, south >> 8 & east,
                          south >> 8 & west, south & far_west, north & far_west, north << 8 & west};
    return entered & rays_rotate(from, 17, 10, 58, 49, 47, 54, 6, 15);
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

// The lanes of those directions, as masks.
RAYS_INLINE Rays rays_lanes(int directions)
{
    const Rays bits = {1, 2, 4, 8, 16, 32, 64, 128};
    return rays_not_empty(rays_of((uint64_t)directions) & bits);
}

RAYS_INLINE Rays rays_chain_starts(const Position *p, int directions, int sliders, Bitboard set)
{
    const Rays starts = sliders
                            ? rays_by_line(set & rays_rooks_and_queens(p), set & rays_bishops_and_queens(p))
                            : rays_of(set);
    return directions == 0xFF ? starts : starts & rays_lanes(directions);
}

// The chain is followed back from its end, in the opposite lanes.
RAYS_INLINE Bitboard rays_chain_from(const Position *p, int directions, int sliders, const Bitboard *set,
                                     int count)
{
    const RayPaths paths = rays_paths(p->empty);
    Rays place = rays_of(set[count - 1]);
#pragma GCC unroll 8
    for (int i = count - 2; i > 0; i--)
        place = rays_fill(place, &paths) & rays_of(set[i]);
    return rays_union(rays_opposite(rays_fill(place, &paths)) &
                      rays_chain_starts(p, directions, sliders, set[0]));
}

RAYS_INLINE Bitboard rays_chain_to(const Position *p, int directions, int sliders, const Bitboard *set,
                                   int count)
{
    const RayPaths paths = rays_paths(p->empty);
    Rays place = rays_chain_starts(p, directions, sliders, set[0]);
#pragma GCC unroll 8
    for (int i = 1; i < count; i++)
        place = rays_fill(place, &paths) & rays_of(set[i]);
    return rays_union(place);
}

// ---- pins -------------------------------------------------------------------------------------------------

// Which squares of a pin are wanted.
enum { PIN_THROUGH, PIN_FROM, PIN_TO };

// The pins of pieces of one colour, by enemy pieces in front of targets that are not enemies. What both the sliders and
// the targets see is the only piece between them.
RAYS_INLINE Rays rays_pins_of(const Position *p, Bitboard from, Bitboard through, Bitboard to, int which,
                              const RayPaths *paths)
{
    const Rays pinning = rays_by_line(from & rays_rooks_and_queens(p), from & rays_bishops_and_queens(p));
    const Rays pinned =
        rays_opposite(rays_fill(pinning, paths)) & rays_fill(rays_of(to), paths) & rays_of(through);
    if (which == PIN_THROUGH)
        return pinned;
    if (which == PIN_FROM)
        return rays_fill(pinned, paths) & pinning;
    return rays_fill(rays_opposite(pinned), paths) & rays_of(to);
}

RAYS_INLINE Bitboard rays_pins(const Position *p, Bitboard from, Bitboard through, Bitboard to, int which)
{
    const RayPaths paths = rays_paths(p->empty);
    const Bitboard white = p->white_pieces, black = p->black_pieces;
    Rays found = {0};
    if ((through & white) && (to & ~black))
        found |= rays_pins_of(p, from & black, through & white, to & ~black, which, &paths);
    if ((through & black) && (to & ~white))
        found |= rays_pins_of(p, from & white, through & black, to & ~white, which, &paths);
    return rays_union(found);
}

#endif
