// The replay of compiled screens: sets, numbers and conditions of several games at once, one in each lane. Without wide
// vectors there is one lane, and the same code replays one game after the other.
#ifndef CQL_LANES_H
#define CQL_LANES_H

#include "runtime/game/lines.h"
#include "templates/prelude.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__) &&       \
    defined(__AVX512CD__) && !defined(CQL_NO_SCREENS)
#define LANES LINE_LANES
typedef uint64_t Lanes __attribute__((vector_size(64)));
typedef long long SignedLanes __attribute__((vector_size(64)));
typedef uint16_t LaneWords __attribute__((vector_size(16), aligned(2), may_alias));
typedef short SignedLaneWords __attribute__((vector_size(16), aligned(2), may_alias));
typedef int32_t LaneNumbers __attribute__((vector_size(32), aligned(4), may_alias));
// Some of the lanes, as bits.
typedef unsigned char Where;
// Of each lane, the kind of its move word as a bit.
typedef LaneWords Kinds;
// A value for each kind of move word.
typedef struct KindTable {
    Lanes low, high;
} KindTable;
#define KIND_TABLE(name, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15)               \
    static const KindTable name = {{v0, v1, v2, v3, v4, v5, v6, v7}, {v8, v9, v10, v11, v12, v13, v14, v15}}

#define lanes_all(value) ((uint64_t)(value) - (Lanes){0})
#define lanes_not_empty(set) ((Lanes)((set) != 0))
#define lanes_equal(a, b) ((Lanes)((a) == (b)))
#define lanes_less(a, b) ((Lanes)((SignedLanes)(a) < (SignedLanes)(b)))
#define lanes_write(numbers, lanes) (*(LaneNumbers *)(numbers) = __builtin_convertvector(lanes, LaneNumbers))
#define lanes_kinds(words, kind) ((void)(kind), (1 - (LaneWords){0}) << (*(const LaneWords *)(words) >> 12))
// The lanes whose lines have that many plies.
#define lanes_live(ply, length) ((Where)lanes_where_less(EVERYWHERE, lanes_all((uint64_t)(ply)-1), length))
#define EVERYWHERE ((Where)-1)
#define lanes_where_empty(where, set) lanes_where_equal(where, set, (Lanes){0})
#define lanes_any(where) ((where) != 0)
#define lanes_any_of_kind(set, kinds) (lanes_where_kind(set, kinds) != 0)
#define lanes_of_kind(set, kinds) lanes_chosen(lanes_where_kind(set, kinds), lanes_all(~0ULL), (Lanes){0})
#define lanes_counted(count, where) lanes_chosen(where, (count) + 1, count)
#define lanes_marked(marks, where) lanes_chosen(where, lanes_all(~0ULL), marks)
#define lanes_toggled(board, squares, set, kinds)                                                            \
    lanes_chosen(lanes_where_kind(set, kinds), (board) ^ (squares), board)

// lanes_read: numbers of 16 bits. lanes_where: where a set is not empty. lanes_leading: the number of zeros above the
// highest bit. lanes_square_at: the set of the square in the lowest bits. KIND_SET: a set of kinds of move words.
#ifdef __clang__
#define KIND_SET(name, kinds) enum { name = (kinds) }
#define lanes_where_equal(where, a, b)                                                                       \
    ((Where)__builtin_ia32_cmpq512_mask((SignedLanes)(a), (SignedLanes)(b), 0, where))
#define lanes_where_less(where, a, b)                                                                        \
    ((Where)__builtin_ia32_cmpq512_mask((SignedLanes)(a), (SignedLanes)(b), 1, where))
#define lanes_chosen(where, yes, no)                                                                         \
    ((Lanes)__builtin_ia32_selectq_512(where, (SignedLanes)(yes), (SignedLanes)(no)))
#define lanes_read(words) __builtin_convertvector(*(const LaneWords *)(words), Lanes)
#define lanes_some(mask) __builtin_reduce_or(mask)
#define lanes_where(where, set)                                                                              \
    ((Where)__builtin_ia32_cmpq512_mask((SignedLanes)(set), (SignedLanes){0}, 4, where))
#define lanes_where_kind(set, kinds)                                                                         \
    ((Where)__builtin_ia32_cmpw128_mask((SignedLaneWords)((kinds) & (uint16_t)(set)), (SignedLaneWords){0},  \
                                        4, EVERYWHERE))
#define lanes_leading(set) ((Lanes)__builtin_ia32_vplzcntq_512((SignedLanes)(set)))
#define lanes_square_at(squares)                                                                             \
    ((Lanes)__builtin_ia32_prolvq512((SignedLanes)lanes_all(1ULL), (SignedLanes)(squares)))
#define lanes_by_kind(table, kind)                                                                           \
    ((Lanes)__builtin_ia32_vpermi2varq512((SignedLanes)(table).low, (SignedLanes)(kind),                     \
                                          (SignedLanes)(table).high))
#else
// In memory: gcc would make vectors of constants again and again.
#define KIND_SET(name, k) static const LaneWords name = {k, k, k, k, k, k, k, k}
// gcc 12 fails when the result of a comparison, as it is, is both tested and a mask.
#define lanes_where_equal(where, a, b)                                                                       \
    where_as_mask(__builtin_ia32_cmpq512_mask((SignedLanes)(a), (SignedLanes)(b), 0, where))
#define lanes_where_less(where, a, b)                                                                        \
    where_as_mask(__builtin_ia32_cmpq512_mask((SignedLanes)(a), (SignedLanes)(b), 1, where))
INLINE Where where_as_mask(Where where)
{
    __asm__("" : "+k"(where));
    return where;
}

#define lanes_chosen(where, yes, no)                                                                         \
    ((Lanes)__builtin_ia32_blendmq_512_mask((SignedLanes)(no), (SignedLanes)(yes), where))
// Of gcc, __builtin_convertvector moves one number at a time.
#define lanes_read(words)                                                                                    \
    ((Lanes)__builtin_ia32_pmovzxwq512_mask(*(const SignedLaneWords *)(words), (SignedLanes){0}, EVERYWHERE))
#define lanes_some(mask) lanes_any(lanes_where(EVERYWHERE, mask))
#define lanes_where(where, set)                                                                              \
    ((Where)__builtin_ia32_ptestmq512((SignedLanes)(set), (SignedLanes)(set), where))
#define lanes_where_kind(set, kinds) where_kind(&(set), kinds)
INLINE Where where_kind(const LaneWords *set, Kinds kinds)
{
    Where where;
    __asm__("vptestmw %2, %1, %0" : "=k"(where) : "v"(kinds), "m"(*set));
    return where;
}

#define lanes_leading(set)                                                                                   \
    ((Lanes)__builtin_ia32_vplzcntq_512_mask((SignedLanes)(set), (SignedLanes){0}, EVERYWHERE))
#define lanes_square_at(squares)                                                                             \
    ((Lanes)__builtin_ia32_prolvq512_mask((SignedLanes)lanes_all(1ULL), (SignedLanes)(squares),              \
                                          (SignedLanes){0}, EVERYWHERE))
#define lanes_by_kind(table, kind) __builtin_shuffle((table).low, (table).high, (kind))
#endif

INLINE Lanes lanes_count(Lanes set)
{
#if defined(__AVX512VPOPCNTDQ__) && defined(__clang__)
    return (Lanes)__builtin_ia32_vpopcntq_512((SignedLanes)set);
#elif defined(__AVX512VPOPCNTDQ__)
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
typedef uint64_t Where; // no or all bits
typedef uint64_t Kinds; // the kind of the move word
typedef uint64_t KindTable[16];
#define KIND_TABLE(name, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15)               \
    static const KindTable name = {v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15}
#define KIND_SET(name, kinds)                                                                                \
    static const KindTable name = {                                                                          \
        KIND_IN(kinds, 0),  KIND_IN(kinds, 1),  KIND_IN(kinds, 2),  KIND_IN(kinds, 3), KIND_IN(kinds, 4),    \
        KIND_IN(kinds, 5),  KIND_IN(kinds, 6),  KIND_IN(kinds, 7),  KIND_IN(kinds, 8), KIND_IN(kinds, 9),    \
        KIND_IN(kinds, 10), KIND_IN(kinds, 11), KIND_IN(kinds, 12), KIND_IN(kinds, 13)}
#define KIND_IN(kinds, kind) (-(uint64_t)((kinds) >> (kind)&1))
#define lanes_all(value) ((Lanes)(value))
#define lanes_not_empty(set) (-(Lanes)((set) != 0))
#define lanes_equal(a, b) (-(Lanes)((a) == (b)))
#define lanes_less(a, b) (-(Lanes)((int64_t)(a) < (int64_t)(b)))
#define lanes_some(mask) ((mask) != 0)
#define lanes_read(words) ((Lanes) * (words))
#define lanes_write(numbers, lanes) (*(numbers) = (int32_t)(lanes))
#define lanes_kinds(words, kind) (kind)
#define lanes_live(ply, length) ((void)(length), EVERYWHERE)
#define EVERYWHERE (~0ULL)
#define lanes_any(where) ((where) != 0)
#define lanes_where(where, set) ((where)&lanes_not_empty(set))
#define lanes_where_empty(where, set) ((where) & -(Lanes)((set) == 0))
#define lanes_where_equal(where, a, b) ((where)&lanes_equal(a, b))
#define lanes_where_less(where, a, b) ((where)&lanes_less(a, b))
#define lanes_any_of_kind(set, kinds) ((set)[kinds] != 0)
#define lanes_of_kind(set, kinds) ((set)[kinds])
#define lanes_where_kind(set, kinds) ((set)[kinds])
#define lanes_counted(count, where) ((count) - (where))
#define lanes_marked(marks, where) ((marks) | (where))
#define lanes_toggled(board, squares, set, kinds) ((board) ^ ((squares) & (set)[kinds]))
#define lanes_by_kind(table, kind) ((table)[kind])
#define lanes_count(set) ((Lanes)count_squares(set))
#ifdef __TINYC__
INLINE Lanes lanes_leading(Lanes set)
{
    for (int distance = 1; distance < 64; distance *= 2)
        set |= set >> distance;
    return (Lanes)count_squares(~set);
}
#else
#define lanes_leading(set) ((Lanes)__builtin_clzll(set))
#endif
#define lanes_square_at(squares) (1ULL << ((squares)&63))
#endif

// Is it true for some lane, which is not to be expected?
#ifdef __TINYC__
#define lanes_rarely(set) lanes_some(set)
#else
#define lanes_rarely(set) __builtin_expect(lanes_some(set), 0)
#endif
#define lanes_choose(mask, a, b) (((mask) & (a)) | (~(mask) & (b)))
// The set of a square, of none for other numbers.
#define lanes_square(square) (lanes_equal((square) & ~63ULL, lanes_all(0)) & lanes_all(1ULL) << ((square)&63))

// ---- attacks ----

// The time that GCC takes grows with the square of what is inlined.
#if defined CQL_LARGE_SCREEN && !defined __TINYC__
#define LANES_PRIMITIVE static __attribute__((unused, noinline))
#else
#define LANES_PRIMITIVE INLINE
#endif

#if LANES == 1
#define lanes_knight_moves(set) knight_moves(set)
#define lanes_king_moves(set) king_moves(set)
#else
LANES_PRIMITIVE Lanes lanes_knight_moves(Lanes set)
{
    const Lanes near = west(set) | east(set);
    const Lanes far = west(west(set)) | east(east(set));
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

LANES_PRIMITIVE Lanes lanes_king_moves(Lanes set)
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
LANES_PRIMITIVE Lanes straight_from(Lanes from, Lanes occupied)
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

LANES_PRIMITIVE Lanes diagonal_from(Lanes from, Lanes occupied)
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

// ---- repeated sets ----

// Of so many positions, the values of a set are kept. Longer games pass.
enum { LANES_HISTORY = 1024 };

// Several sets as one value.
#define lanes_mixed(set, value) ((set) + (value)*0x9E3779B97F4A7C15ULL)

// Is the value among those up to position `last`?
#ifdef CQL_IN_MEMORY
extern Bitboard lanes_repeated(const Bitboard *history, int32_t last, Bitboard value);
#else
INLINE Lanes lanes_repeated(const Lanes *history, int32_t last, Lanes value)
{
    Lanes found = lanes_all(last < LANES_HISTORY ? 0ULL : ~0ULL);
    for (int32_t i = 0; i <= last && last < LANES_HISTORY; i++)
        found = lanes_marked(found, lanes_where_equal(EVERYWHERE, history[i], value));
    return found;
}
#endif

// ---- lines of kings ----

#ifdef CQL_IN_MEMORY
typedef Lanes KingLines;
#define king_lines(king) (king)
#define straight_along straight_from
#define diagonal_along diagonal_from
#define straight_lines(lines) lanes_all(~0ULL)
#define diagonal_lines(lines) lanes_all(~0ULL)
#else
// A line through the square of a king: its other squares, those above the king, and those below it with a1.
typedef struct Line {
    Lanes squares, above, below;
} Line;

typedef struct KingLines {
    Line file, rank, rising, falling;
    Lanes straight, diagonal; // the squares of two lines
} KingLines;

#define straight_lines(lines) ((lines).straight)
#define diagonal_lines(lines) ((lines).diagonal)

INLINE Line line_of(Lanes squares, Lanes king)
{
    const Lanes lower = king - 1;
    return (Line){squares & ~king, squares & ~king & ~lower, (squares & lower) | 1};
}

INLINE KingLines king_lines(Lanes king)
{
    // By rank - file and rank + file, of which the lowest four bits are enough.
    KIND_TABLE(rising, 0x8040201008040201, 0x4020100804020100, 0x2010080402010000, 0x1008040201000000,
               0x0804020100000000, 0x0402010000000000, 0x0201000000000000, 0x0100000000000000, 0, 0x80,
               0x8040, 0x804020, 0x80402010, 0x8040201008, 0x804020100804, 0x80402010080402);
    KIND_TABLE(falling, 0x1, 0x102, 0x10204, 0x1020408, 0x102040810, 0x10204081020, 0x1020408102040,
               0x102040810204080, 0x204081020408000, 0x408102040800000, 0x810204080000000, 0x1020408000000000,
               0x2040800000000000, 0x4080000000000000, 0x8000000000000000, 0);
    const Lanes square = lanes_leading(king | 1) ^ 63, file = square & 7, rank = square >> 3;
    const Line vertical = line_of(lanes_all(FILE_A) << file, king),
               level = line_of(lanes_all(RANK_1) << (square & 56), king),
               up = line_of(lanes_by_kind(rising, (rank - file) & 15), king),
               down = line_of(lanes_by_kind(falling, rank + file), king);
    return (KingLines){
        vertical, level, up, down, vertical.squares | level.squares, up.squares | down.squares};
}

// The squares of a line from the occupied square below its king to the one above. a1 counts as occupied.
INLINE Lanes along(Line line, Lanes occupied)
{
    const Lanes above = occupied & line.above;
    const Lanes lowest = lanes_all(1ULL << 63) >> lanes_leading((occupied | 1) & line.below);
    return (above ^ (above - lowest)) & line.squares;
}

INLINE Lanes straight_along(KingLines lines, Lanes occupied)
{
    return along(lines.file, occupied) | along(lines.rank, occupied);
}

INLINE Lanes diagonal_along(KingLines lines, Lanes occupied)
{
    return along(lines.rising, occupied) | along(lines.falling, occupied);
}
#endif

// The members of QueryInfo. Without optimisation and lanes, a costly screen takes more time than it saves. With CQL_NO_SCREENS
// there are no screens and no wide vectors, for compilers that fail on them.
#if defined(CQL_NO_SCREENS)
#define SCREEN(function, cost) 0
#elif defined(__TINYC__)
#define SCREEN(function, cost) ((cost) > 1500 ? 0 : (function))
#else
#define SCREEN(function, cost) (function)
#endif
#define SCREEN_COST(cost) (((cost) + LANES - 1) / LANES)

#endif
