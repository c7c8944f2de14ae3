// Retractions: moves that could have led to a position (language reference 13.5).
#ifndef CQL_RETRACT_H
#define CQL_RETRACT_H

#include "chess.h"

// A move that may have led to a position, as it was made, and the piece that it captured, or EMPTY.
typedef struct Retraction {
    Move move;
    uint8_t captured;
} Retraction;

enum {
    MAX_RETRACTIONS = 2600
}; // 15 men that go to 27 squares and leave one of 6 things on their square, and more

// One king a side, no pawn on the first or last rank, and the king of the side that is not to move is not
// attacked (language reference 13.15).
bool pos_is_legal_position(const Position *p);

// Neither side has more men than an army, or than its pawns can have promoted to (language reference 13.15), if each has one
// king. A necessary test of whether a position can be reached, not a proof.
bool pos_material_is_possible(const Position *p);

// Lists the retractions in p, at most `limit`, in no particular order. Returns their number. A king or rook
// that p->castling gives a right does not move back.
int pos_retractions(const Position *p, Retraction *list, int limit);

// Sets *before to the position before the retraction from `after`, with the move's side to move. Castling
// gives its right back; an en passant capture makes its square the en passant square.
void pos_retract(Position *restrict before, const Position *restrict after, Retraction r);

#endif
