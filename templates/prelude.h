// The primitives of emitted C.
#ifndef CQL_PRELUDE_H
#define CQL_PRELUDE_H

#include "runtime/match/matcher.h"

#ifdef __TINYC__ // does not inline, so short functions are macros
#define INLINE static inline
#else
#define INLINE static inline __attribute__((unused, always_inline))
#endif

// What a query may call thousands of times: inlined, it would take the compiler minutes.
#if defined CQL_LARGE && !defined __TINYC__
#define PRIMITIVE static __attribute__((unused, noinline))
#ifndef __clang__ // the further passes of GCC take up to five times as long
#pragma GCC optimize("Og", "wrapv")
#define CQL_WRAPS
#endif
#else
#define PRIMITIVE INLINE
#endif

// A number among the cells of a query's state, which are all as large as Context.slot's.
typedef int32_t Number __attribute__((aligned(8)));

// A string of the query, with the layout of CqlString.
#define TEXT(name, literal)                                                                                  \
    static const struct {                                                                                    \
        uint32_t length;                                                                                     \
        char bytes[sizeof(literal)];                                                                         \
    } name = {sizeof(literal) - 1, literal}
#define STRING(name) ((String)(const void *)&name)

// Abandons the game for a reason, RAISE_. Returns only after RAISE_STEPS, when the search grants more steps.
PRIMITIVE void abandon(const Context *c, int32_t reason)
{
    static const CqlString no_detail = {0, ""};
    c->rt->raise((Context *)c, reason, &no_detail);
}

// Each round of a loop takes a step of the game's budget.
#ifdef __TINYC__
#define take_step(c)                                                                                         \
    do {                                                                                                     \
        if (--(c)->steps <= 0)                                                                               \
            abandon(c, RAISE_STEPS);                                                                         \
    } while (0)
#else
PRIMITIVE void take_step(Context *c)
{
    if (--c->steps <= 0)
        abandon(c, RAISE_STEPS);
}
#endif

// The depth for a function that is called at `depth`; abandons the game when calls nest too deeply.
PRIMITIVE int32_t deeper(Context *c, int32_t depth)
{
    take_step(c);
    if (depth <= 0 || (const char *)__builtin_frame_address(0) < c->stack_end)
        abandon(c, RAISE_MEMORY);
    return depth - 1;
}

// The body of a query: is it true at position n?
typedef int32_t Matches(Context *c, int32_t n, const Position *p, int32_t depth);

// Evaluates the body at every position of the game.
#ifdef CQL_IN_MEMORY // the program that compiles this lends its own functions
extern void match_positions(Context *c, Matches *matches);
#else
INLINE void match_positions(Context *c, Matches *matches)
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
#endif

// The position before a move; -1: there is none.
#define previous_position(c, position) ((position) < (c)->game->count ? (c)->node[position].parent : -1)

// ---- numbers (modulo 2^32) ----

#if defined __TINYC__ || defined CQL_WRAPS // for which overflow is defined
#define add(a, b) ((a) + (b))
#define subtract(a, b) ((a) - (b))
#define multiply(a, b) ((a) * (b))
#else
INLINE int32_t add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

INLINE int32_t subtract(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

INLINE int32_t multiply(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}
#endif

PRIMITIVE int32_t divide(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? subtract(0, a) : a / b;
}

PRIMITIVE int32_t modulo(int32_t a, int32_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

PRIMITIVE int32_t square_root(int32_t value)
{
    int32_t root = 0;
    for (int32_t bit = 1 << 15; bit; bit >>= 1)
        if ((int64_t)(root + bit) * (root + bit) <= value)
            root += bit;
    return root;
}

// ---- sets of squares ----

// clang-format off
enum {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8
};
// clang-format on

#define FILE_A 0x0101010101010101ULL
#define FILE_B 0x0202020202020202ULL
#define FILE_C 0x0404040404040404ULL
#define FILE_D 0x0808080808080808ULL
#define FILE_E 0x1010101010101010ULL
#define FILE_F 0x2020202020202020ULL
#define FILE_G 0x4040404040404040ULL
#define FILE_H 0x8080808080808080ULL
#define RANK_1 0x00000000000000ffULL
#define RANK_2 0x000000000000ff00ULL
#define RANK_3 0x0000000000ff0000ULL
#define RANK_4 0x00000000ff000000ULL
#define RANK_5 0x000000ff00000000ULL
#define RANK_6 0x0000ff0000000000ULL
#define RANK_7 0x00ff000000000000ULL
#define RANK_8 0xff00000000000000ULL
#define DARK_SQUARES 0xaa55aa55aa55aa55ULL
#define LIGHT_SQUARES 0x55aa55aa55aa55aaULL
#define ALL_SQUARES 0xffffffffffffffffULL

// The set of one square, and of the squares of a rectangle, by its first and its last square: SQUARES(A1, D4).
#define SQUARE(square) (1ULL << (square))
#define SQUARES(first, last)                                                                                 \
    ((~0ULL << ((first)&56)) & (~0ULL >> (56 - ((last)&56))) &                                               \
     (FILE_A * ((0xffu << ((first)&7)) & (0xffu >> (7 - ((last)&7))))))

#define file_of(square) ((square)&7)
#define rank_of(square) ((square) >> 3)

// The set of a square, or of none for NO_SQUARE.
INLINE Bitboard square_set(int32_t square)
{
    return (uint32_t)square < 64 ? SQUARE(square) : 0;
}

// Sets moved by one step; squares that leave the board are dropped.
#define north(set) ((set) << 8)
#define south(set) ((set) >> 8)
#define east(set) (((set) & ~FILE_H) << 1)
#define west(set) (((set) & ~FILE_A) >> 1)
#define north_east(set) (((set) & ~FILE_H) << 9)
#define north_west(set) (((set) & ~FILE_A) << 7)
#define south_east(set) (((set) & ~FILE_H) >> 7)
#define south_west(set) (((set) & ~FILE_A) >> 9)

// Written with east and west, which attacks of several kinds of pieces share.
#define white_pawn_attacks(set) north(east(set) | west(set))
#define black_pawn_attacks(set) south(east(set) | west(set))

#ifdef CQL_IN_MEMORY
extern int32_t count_squares(Bitboard set);
extern int32_t first_square(Bitboard set);
extern Bitboard knight_moves(Bitboard set);
extern Bitboard king_moves(Bitboard set);
#else
PRIMITIVE int32_t count_squares(Bitboard set)
{
#ifdef __POPCNT__
    return __builtin_popcountll(set);
#else
    set -= set >> 1 & 0x5555555555555555ULL;
    set = (set & 0x3333333333333333ULL) + (set >> 2 & 0x3333333333333333ULL);
    return (int32_t)(((set + (set >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
#endif
}

// The least square, or NO_SQUARE.
PRIMITIVE int32_t first_square(Bitboard set)
{
#ifdef __TINYC__
    return count_squares((set & -set) - 1);
#else
    return set ? __builtin_ctzll(set) : NO_SQUARE;
#endif
}

PRIMITIVE Bitboard knight_moves(Bitboard set)
{
    const Bitboard near = west(set) | east(set);
    const Bitboard far = west(west(set)) | east(east(set));
    return near << 16 | near >> 16 | far << 8 | far >> 8;
}

PRIMITIVE Bitboard king_moves(Bitboard set)
{
    const Bitboard row = west(set) | set | east(set);
    return west(set) | east(set) | row << 8 | row >> 8;
}
#endif

// ---- attacks ----

// The pieces that a primitive looks at, as bits. They are constants, so that only the code for these pieces remains.
enum {
    KIND_P = 1 << WHITE_PAWN,
    KIND_N = 1 << WHITE_KNIGHT,
    KIND_B = 1 << WHITE_BISHOP,
    KIND_R = 1 << WHITE_ROOK,
    KIND_Q = 1 << WHITE_QUEEN,
    KIND_K = 1 << WHITE_KING,
    KIND_p = 1 << BLACK_PAWN,
    KIND_n = 1 << BLACK_KNIGHT,
    KIND_b = 1 << BLACK_BISHOP,
    KIND_r = 1 << BLACK_ROOK,
    KIND_q = 1 << BLACK_QUEEN,
    KIND_k = 1 << BLACK_KING,
    WHITE_KINDS = KIND_P | KIND_N | KIND_B | KIND_R | KIND_Q | KIND_K,
    BLACK_KINDS = KIND_p | KIND_n | KIND_b | KIND_r | KIND_q | KIND_k,
    ANY_KIND = WHITE_KINDS | BLACK_KINDS
};

// The last line of a matcher's file: exports the queries.
#ifdef __TINYC__
#define MADE_BY "cqlgen, TinyCC"
#else
#define MADE_BY "cqlgen, cc " __VERSION__
#endif
#ifdef __cplusplus
#define CQL_EXPORTED extern "C"
#else
#define CQL_EXPORTED extern
#endif
#define EXPORT_QUERIES(queries)                                                                              \
    CQL_EXPORTED const Matcher *cql_matcher(void);                                                           \
    const Matcher *cql_matcher(void)                                                                         \
    {                                                                                                        \
        static const Matcher matcher = {                                                                     \
            .magic = CQL_MAGIC,                                                                              \
            .abi_version = CQL_ABI_VERSION,                                                                  \
            .query_count = sizeof queries / sizeof *queries,                                                 \
            .query = queries,                                                                                \
            .made_by = MADE_BY,                                                                              \
            .layout = CQL_LAYOUT,                                                                            \
        };                                                                                                   \
        return &matcher;                                                                                     \
    }

#endif
