// Packed text, for packing and unpacking: its codes, and the numbers of moves. Internal to runtime/game.
#ifndef CQL_GAME_PACK_H
#define CQL_GAME_PACK_H

#include "clocks.h"
#include "game_memory.h"

// Bytes of packed text below PACK_MEANINGS that mean something: the next move of the main line, after what may come
// before it. PACK_SKIP is the move alone, written in another way in the text that follows.
enum {
    PACK_MOVE = 1,
    PACK_SPACE = 2,  // " e4"
    PACK_NUMBER = 3, // "1.e4"
    PACK_SPACE_NUMBER,
    PACK_NUMBER_SPACE, // "1. e4"
    PACK_SPACE_NUMBER_SPACE,
    PACK_SKIP,
    PACK_MEANINGS,
    PACK_CLOCKS = PACK_MEANINGS // a comment, if MainLine.clock_codes; its form follows (clocks.h)
};

// ---- move numbers -----------------------------------------------------------------------------------------

// The number of the next move. `bytes` are its digits and three dots, the first one lowest, unless they are too many:
// then `digits` is 0.
typedef struct MoveNumber {
    uint64_t bytes, white; // white: the bits of `bytes` that count when White makes the move
    unsigned digits, value;
    bool black; // Black makes the move, and all three dots count
} MoveNumber;

static inline void set_number(MoveNumber *n, unsigned value)
{
    n->value = value;
    n->bytes = '.' | '.' << 8 | '.' << 16;
    n->digits = 0;
    for (unsigned left = value; n->digits == 0 || left > 0; left /= 10, n->digits++)
        n->bytes = n->bytes << 8 | ('0' + left % 10);
    if (n->digits + 3 > sizeof n->bytes)
        n->bytes = n->digits = 0;
    n->white = n->digits > 0 ? ~0ULL >> 8 * (sizeof n->bytes - n->digits - 1) : ~0ULL;
}

static inline MoveNumber first_number(FenClocks clocks, int side)
{
    MoveNumber n = {.black = side == BLACK};
    set_number(&n, clocks.fullmove < 0 ? 0 : (unsigned)clocks.fullmove);
    return n;
}

static inline void add_one(MoveNumber *n)
{
    const unsigned last = 8 * (n->digits - 1);
    n->value++;
    if (n->digits > 0 && (n->bytes >> last & 0xFF) < '9')
        n->bytes += 1ULL << last;
    else
        set_number(n, n->value);
}

static inline void next_number(MoveNumber *n)
{
    n->black = !n->black;
    if (!n->black)
        add_one(n);
}

#endif
