// The replay of compiled screens: sets, numbers and conditions of several games at once, one in each lane. Without wide
// vectors there is one lane, and the same code replays one game after the other.
#ifndef CQL_LANES_H
#define CQL_LANES_H

#include "runtime/game/lines.h"
#include "templates/prelude.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__)
#define LANES LINE_LANES
typedef uint64_t Lanes __attribute__((vector_size(64)));
typedef long long SignedLanes __attribute__((vector_size(64)));
typedef uint16_t LaneWords __attribute__((vector_size(16), aligned(2), may_alias));
typedef int32_t LaneNumbers __attribute__((vector_size(32), aligned(4), may_alias));
// A value for each kind of move word.
typedef struct KindTable {
    Lanes low, high;
} KindTable;
#define KIND_TABLE(name, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13)                         \
    static const KindTable name = {{v0, v1, v2, v3, v4, v5, v6, v7}, {v8, v9, v10, v11, v12, v13, 0, 0}}

#define lanes_all(value) ((value) - (Lanes){0})
#define lanes_not_empty(set) ((Lanes)((set) != 0))
#define lanes_equal(a, b) ((Lanes)((a) == (b)))
#define lanes_less(a, b) ((Lanes)((SignedLanes)(a) < (SignedLanes)(b)))
// Numbers of 16 bits.
#define lanes_read(words) __builtin_convertvector(*(const LaneWords *)(words), Lanes)
#define lanes_write(numbers, lanes) (*(LaneNumbers *)(numbers) = __builtin_convertvector(lanes, LaneNumbers))
// The lanes whose lines have that many plies.
#define lanes_live(ply, length) ((Lanes)((length) >= (uint64_t)(ply)))
#ifdef __clang__
#define lanes_some(mask) __builtin_reduce_or(mask)
#define lanes_by_kind(table, kind)                                                                           \
    ((Lanes)__builtin_ia32_vpermi2varq512((SignedLanes)(table).low, (SignedLanes)(kind),                     \
                                          (SignedLanes)(table).high))
#else
#define lanes_some(mask)                                                                                     \
    __builtin_ia32_ptestmq512((SignedLanes)(mask), (SignedLanes)(mask), (unsigned char)-1)
#define lanes_by_kind(table, kind) __builtin_shuffle((table).low, (table).high, (kind))
#endif

INLINE Lanes lanes_count(Lanes set)
{
#if defined(__AVX512VPOPCNTDQ__) && !defined(__clang__)
    return (Lanes)__builtin_ia32_vpopcountq_v8di((SignedLanes)set);
#else
    set -= set >> 1 & 0x5555555555555555ULL;
    set = (set & 0x3333333333333333ULL) + (set >> 2 & 0x3333333333333333ULL);
    return ((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56;
#endif
}

#else
#define LANES 1
typedef uint64_t Lanes;
typedef uint64_t KindTable[16];
#define KIND_TABLE(name, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13)                         \
    static const KindTable name = {v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, 0, 0}
#define lanes_all(value) ((Lanes)(value))
#define lanes_not_empty(set) (-(Lanes)((set) != 0))
#define lanes_equal(a, b) (-(Lanes)((a) == (b)))
#define lanes_less(a, b) (-(Lanes)((int64_t)(a) < (int64_t)(b)))
#define lanes_some(mask) ((mask) != 0)
#define lanes_read(words) ((Lanes) * (words))
#define lanes_write(numbers, lanes) (*(numbers) = (int32_t)(lanes))
#define lanes_live(ply, length) (~0ULL)
#define lanes_by_kind(table, kind) ((table)[kind])
#define lanes_count(set) ((Lanes)count_squares(set))
#endif

#define lanes_choose(mask, a, b) (((mask) & (a)) | (~(mask) & (b)))
// The set of a square, of none for 64 and above.
#define lanes_square(square) (lanes_less(square, lanes_all(64)) & lanes_all(1ULL) << ((square)&63))

// ---- attacks ----

#if LANES == 1
#define lanes_knight_moves(set) knight_moves(set)
#define lanes_king_moves(set) king_moves(set)
#else
INLINE Lanes lanes_knight_moves(Lanes set)
{
    const Lanes near = west(set) | east(set);
    const Lanes far = west(west(set)) | east(east(set));
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

INLINE Lanes lanes_king_moves(Lanes set)
{
    const Lanes row = west(set) | set | east(set);
    return west(set) | east(set) | row << 8 | row >> 8;
}
#endif

#ifdef CQL_IN_MEMORY
extern Bitboard straight_from(Bitboard from, Bitboard occupied);
extern Bitboard diagonal_from(Bitboard from, Bitboard occupied);
#else
// Squares that rooks, and bishops, on `from` attack: along each line up to the first occupied square.
INLINE Lanes straight_from(Lanes from, Lanes occupied)
{
    const Lanes empty = ~occupied, right = empty & ~FILE_A, left = empty & ~FILE_H;
    Lanes n = from, s = from, e = from, w = from;
    Lanes free = empty, free_e = right, free_w = left;
    n |= free & n << 8;
    s |= free & s >> 8;
    e |= free_e & e << 1;
    w |= free_w & w >> 1;
    Lanes free_n = free & free << 8, free_s = free & free >> 8;
    free_e &= free_e << 1;
    free_w &= free_w >> 1;
    n |= free_n & n << 16;
    s |= free_s & s >> 16;
    e |= free_e & e << 2;
    w |= free_w & w >> 2;
    free_n &= free_n << 16;
    free_s &= free_s >> 16;
    free_e &= free_e << 2;
    free_w &= free_w >> 2;
    n |= free_n & n << 32;
    s |= free_s & s >> 32;
    e |= free_e & e << 4;
    w |= free_w & w >> 4;
    return north(n) | south(s) | east(e) | west(w);
}

INLINE Lanes diagonal_from(Lanes from, Lanes occupied)
{
    const Lanes empty = ~occupied, right = empty & ~FILE_A, left = empty & ~FILE_H;
    Lanes ne = from, nw = from, se = from, sw = from;
    Lanes free_ne = right, free_nw = left, free_se = right, free_sw = left;
    ne |= free_ne & ne << 9;
    nw |= free_nw & nw << 7;
    se |= free_se & se >> 7;
    sw |= free_sw & sw >> 9;
    free_ne &= free_ne << 9;
    free_nw &= free_nw << 7;
    free_se &= free_se >> 7;
    free_sw &= free_sw >> 9;
    ne |= free_ne & ne << 18;
    nw |= free_nw & nw << 14;
    se |= free_se & se >> 14;
    sw |= free_sw & sw >> 18;
    free_ne &= free_ne << 18;
    free_nw &= free_nw << 14;
    free_se &= free_se >> 14;
    free_sw &= free_sw >> 18;
    ne |= free_ne & ne << 36;
    nw |= free_nw & nw << 28;
    se |= free_se & se >> 28;
    sw |= free_sw & sw >> 36;
    return north_east(ne) | north_west(nw) | south_east(se) | south_west(sw);
}
#endif

// The member of QueryInfo. Without optimisation and lanes, a costly screen takes more time than it saves.
#ifdef __TINYC__
#define SCREEN(function, cost) ((cost) > 600 ? 0 : (function))
#else
#define SCREEN(function, cost) (function)
#endif

#endif
