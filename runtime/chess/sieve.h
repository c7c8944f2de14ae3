// Conditions on single positions, evaluated at many positions at once. Each step does the same for all of them, so that a
// processor with vectors takes several at a time, and choosing what to do costs next to nothing for each.
#ifndef CQL_SIEVE_H
#define CQL_SIEVE_H

#include "board.h"

enum { SIEVE_POSITIONS = 64, SIEVE_REGISTERS = 24, SIEVE_NO_GUARD = 255 };

// What a step does. Registers hold a set, a number with its sign or 0 and 1 for each position.
typedef enum SieveOp {
    SIEVE_CONSTANT, // to = set
    SIEVE_BOARD,    // to = Position.board[number]
    SIEVE_AND_BOARD,
    SIEVE_OR_BOARD,     // to = a and that, or
    SIEVE_AND_CONSTANT, // to = a and `set`
    SIEVE_SIDE,         // to = the side to move
    SIEVE_AND,
    SIEVE_OR,
    SIEVE_XOR,    // to = a and b, or, exclusive or
    SIEVE_NOT,    // to = the complement of the set a
    SIEVE_SELECT, // to = `guard` ? a : b
    SIEVE_MOVED,  // to = a moved by number files and low ranks
    SIEVE_KNIGHT_MOVES,
    SIEVE_KING_MOVES, // to = a, moved in all ways of the piece
    SIEVE_COUNT,      // to = the number of squares of a
    SIEVE_ADD,
    SIEVE_SUBTRACT,
    SIEVE_MULTIPLY, // to = a and b modulo 2^32
    SIEVE_EQUAL,
    SIEVE_LESS,
    SIEVE_SOME,  // to = a == b, a < b, a != 0
    SIEVE_FALSE, // to = a == 0
    // Of those that follow, where the register `guard` is 0 the result is 0.
    SIEVE_ATTACKED,  // to = the squares attacked from a, number: the kinds of pieces there, bits
    SIEVE_ATTACKERS, // to = the squares of a that attack some square of b, number as for SIEVE_ATTACKED
    SIEVE_POWER,     // to = the material on a
    SIEVE_IN_CHECK,  // to = the king of the side to move is attacked
    SIEVE_CAN_MOVE,  // to = the side to move has a legal move
    // Goes on with those positions only at which a is not 0, with the registers whose bits are in `set`.
    SIEVE_KEEP
} SieveOp;

typedef struct SieveStep {
    uint8_t op, to, a, b, guard;
    int16_t number, low;
    Bitboard set;
} SieveStep;

#endif
