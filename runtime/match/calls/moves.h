// Generated moves (language reference 4.2.2) for the other files of this room.
#ifndef CQL_MOVES_H
#define CQL_MOVES_H

#include "runtime/match/run_state.h"

// GENERATE_SOME: not all squares, but some when there are any.
enum { GENERATE_PSEUDOLEGAL = 1, GENERATE_EN_PASSANT = 2, GENERATE_SOME = 4 };

// The destinations of one side's generated moves at position n.
typedef struct Generator {
    const Position *p;
    int side, king; // square of the own king, or NO_SQUARE
    bool pseudo;
    Bitboard own, enemy;
    Bitboard barred;   // no move goes there: own pieces, and in imaginary positions the enemy king (13.17)
    Bitboard evasion;  // where a piece other than the king must go: everywhere, or to answer the check
    Bitboard pinned;   // own pieces that may be bound to a line with the king
    Bitboard castling; // the king's destinations by castling
    int pawn;          // the enemy pawn that has just moved two steps, or NO_SQUARE
    int passed;        // the square that it passed over
} Generator;

void generator_init(Generator *g, Context *c, int32_t n, bool pseudo);

// Destinations of the own piece on `square`: ordinary moves and castling.
Bitboard generator_ordinary(const Generator *g, int square);

// The destination of the en passant capture by the pawn on `square`, or empty.
Bitboard generator_en_passant(const Generator *g, int square);

#endif
