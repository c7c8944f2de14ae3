// Chains of arrows and rays (language reference 3.4, 3.5).
#include "runtime/match/run_state.h"

enum { LONGEST_CHAIN = 8 }; // a line has no more squares

#define STRAIGHT_DIRECTIONS (1 << NORTH | 1 << EAST | 1 << SOUTH | 1 << WEST)
#define DIAGONAL_DIRECTIONS (0xFF ^ STRAIGHT_DIRECTIONS)

// The directions in which the piece of that code slides, as a bit set.
static int sliding_directions(int piece)
{
    switch (piece_type(piece)) {
    case WHITE_ROOK:
        return STRAIGHT_DIRECTIONS;
    case WHITE_BISHOP:
        return DIAGONAL_DIRECTIONS;
    case WHITE_QUEEN:
        return 0xFF;
    default:
        return 0;
    }
}

// The squares at which chains from `square` in one direction can end. Bit i of `sought` means "the chain
// has taken elements 0 .. i-1 and looks for element i"; all these possibilities walk along the ray together.
static Bitboard ends_on_ray(const Position *p, int square, int direction, const Bitboard *set, int count)
{
    static const int8_t step[8] = {8, 9, 1, -7, -8, -9, -1, 7};
    Bitboard result = 0;
    const Bitboard ray = ray_table[direction][square];
    if (!(ray & set[count - 1]))
        return 0;
    unsigned sought = 1u << 1;
    int s = square;
    for (int left = bb_count(ray); left > 0 && sought; left--) {
        s += step[direction];
        unsigned member = 0;
        for (int i = 1; i < count; i++)
            member |= (unsigned)(set[i] >> s & 1) << i;
        if (sought & member & 1u << (count - 1))
            result |= bb_of(s);
        const unsigned taken = (sought & member & ~(1u << (count - 1))) << 1;
        sought = p->square[s] == EMPTY ? sought | taken : taken;
    }
    return result;
}

// The nearest of `blockers`, at least one, on a ray.
static int nearest(Bitboard blockers, int direction)
{
    const bool ascending = direction <= EAST || direction == NORTH_WEST;
    return ascending ? bb_first(blockers) : 63 - __builtin_clzll(blockers);
}

// The same when no element between the first and the last is an empty square: each is the next piece on the
// ray.
static Bitboard ends_behind_pieces(const Position *p, int square, int direction, const Bitboard *set,
                                   int count)
{
    const Bitboard occupied = p->board[BOARD_OCCUPIED], *const rays = ray_table[direction];
    if (!(rays[square] & set[count - 1]))
        return 0;
    for (int i = 1; i < count - 1; i++) {
        const Bitboard blockers = rays[square] & occupied;
        if (!blockers)
            return 0;
        square = nearest(blockers, direction);
        if (!(set[i] >> square & 1))
            return 0;
    }
    const Bitboard ray = rays[square], blockers = ray & occupied;
    return set[count - 1] & (blockers ? ray & ~rays[nearest(blockers, direction)] : ray);
}

static bool has_empty_squares(const Position *p, const Bitboard *set, int count)
{
    Bitboard inner = 0;
    for (int i = 1; i < count - 1; i++)
        inner |= set[i];
    return (inner & p->board[EMPTY]) != 0;
}

typedef struct ChainEnds {
    Bitboard from, to;
} ChainEnds;

static ChainEnds chains(const Position *p, int directions, bool sliders, const Bitboard *set, int count)
{
    ChainEnds ends = {0, 0};
    if (count < 2 || count > LONGEST_CHAIN)
        return ends;
    Bitboard (*const ends_of)(const Position *, int, int, const Bitboard *, int) =
        has_empty_squares(p, set, count) ? ends_on_ray : ends_behind_pieces;
    for (Bitboard rest = sliders ? set[0] & p->board[BOARD_OCCUPIED] : set[0]; rest; rest &= rest - 1) {
        const int square = bb_first(rest);
        const int allowed = sliders ? directions & sliding_directions(p->square[square]) : directions;
        Bitboard to = 0;
        for (int d = 0; d < 8; d++)
            if (allowed >> d & 1)
                to |= ends_of(p, square, d, set, count);
        if (to)
            ends.from |= bb_of(square);
        ends.to |= to;
    }
    return ends;
}

Bitboard rt_chain_from(const Position *p, int32_t directions, int32_t sliders, const Bitboard *set,
                       int32_t count)
{
    return chains(p, directions, sliders, set, count).from;
}

Bitboard rt_chain_to(const Position *p, int32_t directions, int32_t sliders, const Bitboard *set,
                     int32_t count)
{
    return chains(p, directions, sliders, set, count).to;
}
