// Facts about a position that depend on the moves since the root. Computed when first asked for, up to the
// position in question, so queries that do not ask for them pay nothing.
#ifndef CQL_FACTS_H
#define CQL_FACTS_H

#include "run_state.h"
#include "runtime/chess/variant.h"

// What the moves from the root to a position have touched.
typedef struct History {
    Bitboard arrived; // squares where moves arrived (null moves excepted)
    int32_t tries;    // secondary moves of White (6.11)
    bool off_virtual; // a null move or a secondary move of White led away from the virtual main line (6.11)
    uint8_t home;     // CASTLE_ bits: king and rook were at home in every position so far (3.18)
    String fen;       // of the position, once rt_fen has made it; or NULL
} History;

// Which physical piece is where in one position (7.5).
typedef struct Identities {
    int8_t number[64];  // piece number by square, -1: empty, or beyond the numbers that there are
    uint8_t square[64]; // square by piece number, NO_SQUARE: off the board
    uint8_t count;      // of numbers that were given
} Identities;

// What a game record counts along the way to a position (13.15).
typedef struct Record {
    Bitboard promoted; // squares of the pieces that were pawns
    FenClocks clocks;
} Record;

// The number of the move that is to be made at a position (6.2).
static inline int facts_move_number(const Context *c, int32_t n)
{
    const int black_began = c->position[0]->side;
    return (c->node[n].ply + black_began) / 2 + 1;
}

// Valid until the next call of the same function.
History *facts_history(Context *c, int32_t n);
const Identities *facts_identities(Context *c, int32_t n);
const Record *facts_record(Context *c, int32_t n);

#endif
