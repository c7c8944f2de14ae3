// Generated moves (language reference 4.2.2) for the other files of this room.
#ifndef CQL_MOVES_H
#define CQL_MOVES_H

#include "runtime/chess/variant.h"
#include "runtime/match/run_state.h"

// GENERATE_SOME: not all squares, but some when there are any. Of queries that read variants: GENERATE_FROM: the origin is
// restricted, so that drops do not fit; GENERATE_CASTLE_...: only castling to these wings; GENERATE_DROP: only drops, of types
// whose bits 1 << type are shifted by GENERATE_TYPES.
enum {
    GENERATE_PSEUDOLEGAL = 1,
    GENERATE_EN_PASSANT = 2,
    GENERATE_SOME = 4,
    GENERATE_FROM = 8,
    GENERATE_CASTLE_KING = 16,
    GENERATE_CASTLE_QUEEN = 32,
    GENERATE_DROP = 64,
    GENERATE_TYPES = 8
};

// Does the move fit the flags and the origins?
bool moves_fits(Move m, Bitboard from, int32_t flags);

// Does variant_moves generate the moves, and not 4.2.2?
static inline bool moves_vary(const Position *p)
{
    return variant_is(p) && (!(variant_rules_of(p)->rules & RULE_CHESS) || variant_over(p));
}

// Does the position differ from chess only in its end and in castling? Moves are taken back only there.
static inline bool moves_are_retracted(const Position *p)
{
    return !variant_is(p) || variant_position(p)->variant == VARIANT_CHESS960 ||
           variant_rules_of(p)->rules & RULE_CHESS;
}

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
