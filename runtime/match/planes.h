// Boards as four sets of squares, for comparing them: bit i of the piece code of each square. Squares have equal
// contents where no plane differs. A square that a map leaves free reads as code 0, the empty square.
#ifndef CQL_PLANES_H
#define CQL_PLANES_H

#include "runtime/chess/chess.h"

typedef struct Planes {
    Bitboard plane[4];
} Planes;

static inline Planes planes_of(const Position *p)
{
    const Bitboard *b = p->board;
    return (Planes){
        {b[WHITE_PAWN] | b[WHITE_BISHOP] | b[WHITE_QUEEN] | b[BLACK_PAWN] | b[BLACK_BISHOP] | b[BLACK_QUEEN],
         b[WHITE_KNIGHT] | b[WHITE_BISHOP] | b[WHITE_KING] | b[BLACK_PAWN] | b[BLACK_ROOK] | b[BLACK_QUEEN],
         b[WHITE_ROOK] | b[WHITE_QUEEN] | b[WHITE_KING] | b[BLACK_PAWN] | b[BLACK_KING],
         b[BLACK_KNIGHT] | b[BLACK_BISHOP] | b[BLACK_ROOK] | b[BLACK_QUEEN] | b[BLACK_KING]}};
}

// The squares with different contents.
static inline Bitboard planes_difference(const Planes *a, const Planes *b)
{
    return (a->plane[0] ^ b->plane[0]) | (a->plane[1] ^ b->plane[1]) | (a->plane[2] ^ b->plane[2]) |
           (a->plane[3] ^ b->plane[3]);
}

// A symmetry (chess.h), then a shift by `files`.
static inline Planes planes_image(const Planes *p, int symmetry, int files)
{
    Planes image;
    for (int i = 0; i < 4; i++)
        image.plane[i] = bb_step(bb_image(p->plane[i], symmetry), files, 0);
    return image;
}

// Depends on the contents of the squares only.
static inline uint64_t planes_hash(const Planes *p)
{
    uint64_t hash = 0;
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ p->plane[i]) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
    }
    return hash;
}

#endif
