// Attacks, chains, pins and moves of whole sets of pieces at once (rays.h), compiled for several kinds of processors.
#ifndef CQL_SETWISE_H
#define CQL_SETWISE_H

#include "chess.h"

// What is asked about the moves of the side to move, and what the board does not say about them.
typedef enum MovesAspect { MOVES_COUNT, MOVES_FROM, MOVES_TO } MovesAspect;

typedef struct MovesWanted {
    MovesAspect aspect;
    bool pseudolegal;  // the own king may be left attacked
    bool some;         // of the squares some are enough, if there are any
    Bitboard from, to; // only moves between these
    Bitboard castling; // of g1, c1, g8 and c8 those to which the king castles unless its way is attacked
} MovesWanted;

typedef struct MovesFound {
    Bitboard squares; // their origins or destinations, by MovesWanted.aspect
    int64_t count;    // of pairs of an origin and a destination, only with MOVES_COUNT
} MovesFound;

// Of g1, c1, g8 and c8 those of one colour to which castling is possible if king and rook have not moved and no square
// of the king's way is attacked.
static inline Bitboard moves_open_castling(const Position *p, int colour)
{
    const int back = colour == WHITE ? 0 : 56;
    const Bitboard king = p->board[piece_make(colour, WHITE_KING)],
                   rooks = p->board[piece_make(colour, WHITE_ROOK)];
    if (!(king & bb_of(back + 4)))
        return 0;
    const Bitboard open = (rooks >> 1 & bb_of(back + 6)) | (rooks << 2 & bb_of(back + 2));
    return open & ~((p->occupied & 0x60ULL << back ? bb_of(back + 6) : 0) |
                    (p->occupied & 0x0EULL << back ? bb_of(back + 2) : 0));
}

typedef struct Setwise {
    // The squares attacked from any square of `from`.
    Bitboard (*attacked)(const Position *p, Bitboard from);
    // The squares of `from` that attack some square of `to`.
    Bitboard (*attackers)(const Position *p, Bitboard from, Bitboard to);
    // The first or the last squares of the chains through `count` sets, at least two, in the directions that are bits of
    // `directions` (language reference 3.4). sliders: the first squares have rooks, bishops or queens, along their lines.
    Bitboard (*chain_from)(const Position *p, int directions, bool sliders, const Bitboard *set, int count);
    Bitboard (*chain_to)(const Position *p, int directions, bool sliders, const Bitboard *set, int count);
    // Pins (language reference 3.6). which: 0 the squares between, 1 those of the pinning pieces, 2 the targets.
    Bitboard (*pins)(const Position *p, Bitboard from, Bitboard through, Bitboard to, int which);
    // Moves except captures en passant. The side to move has at most one king.
    MovesFound (*moves)(const Position *p, const MovesWanted *wanted);
} Setwise;

// The functions for this processor; chosen before main.
extern Setwise setwise;

// The same for all processors, for those with vectors of 256 bits and for those with vectors of 512 bits; the latter two
// are empty where this program has not got them.
extern const Setwise setwise_plain, setwise_wide, setwise_widest;

#endif
