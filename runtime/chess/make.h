// Making moves, inline for the hot paths of this room. Other rooms call pos_make.
#ifndef CQL_MAKE_H
#define CQL_MAKE_H

#include <string.h>

#include "chess.h"

typedef uint64_t PositionPart __attribute__((vector_size(32), aligned(8), may_alias));

// *next = *p with registers that are as wide as they can be.
static inline void copy_position(Position *restrict next, const Position *restrict p)
{
    enum { PARTS = sizeof *p / sizeof(PositionPart) };
    PositionPart *to = (void *)next;
    const PositionPart *from = (const void *)p;
#pragma GCC unroll 8
    for (int i = 0; i < PARTS; i++)
        to[i] = from[i];
    memcpy(to + PARTS, from + PARTS, sizeof *p % sizeof(PositionPart));
}

// A king's move ends both rights of its side; any move from or to a rook's square ends that rook's right.
static inline void drop_castling_rights(Position *p, int piece, int from, int to)
{
    const Bitboard touched = bb_of(from) | bb_of(to);
    const bool king = piece == WHITE_KING || piece == BLACK_KING;
    if (!p->castling || (!king && !(touched & (BB_RANK_1 | BB_RANK_1 << 56))))
        return;
    unsigned lost = piece == WHITE_KING   ? CASTLE_WHITE_KING | CASTLE_WHITE_QUEEN
                    : piece == BLACK_KING ? CASTLE_BLACK_KING | CASTLE_BLACK_QUEEN
                                          : 0;
    for (int right = 0; right < 4; right++)
        lost |= (touched >> (p->rook_file[right] + (right >= 2 ? 56 : 0)) & 1) << right;
    p->castling &= ~lost;
}

// Sets *next to the position after a move of `side`, which is to move, that is not null, castling or en passant.
// `placed` is `piece` or what it is promoted to. Reads from *p what changes, because what was just copied comes late.
static inline __attribute__((always_inline)) void make_ordinary(Position *restrict next,
                                                                const Position *restrict p, int piece,
                                                                int placed, int from, int to,
                                                                bool double_step, int side)
{
    const int captured = p->square[to], own = BOARD_WHITE + side, enemy = BOARD_WHITE + !side;
    const Bitboard occupied = (p->board[BOARD_OCCUPIED] ^ bb_of(from)) | bb_of(to);
    copy_position(next, p);
    next->board[captured] = p->board[captured] ^ bb_of(to);
    if (placed == piece) {
        next->board[piece] = p->board[piece] ^ bb_of(from) ^ bb_of(to);
    } else {
        next->board[piece] = p->board[piece] ^ bb_of(from);
        next->board[placed] = p->board[placed] ^ bb_of(to);
    }
    next->board[own] = p->board[own] ^ bb_of(from) ^ bb_of(to);
    next->board[enemy] = p->board[enemy] & ~bb_of(to);
    next->board[BOARD_OCCUPIED] = occupied;
    next->board[EMPTY] = ~occupied;
    next->square[from] = EMPTY;
    next->square[to] = (uint8_t)placed;
    next->side = !side;
    next->en_passant = double_step ? (uint8_t)((from + to) / 2) : NO_SQUARE;
    next->check = CHECK_UNKNOWN;
    drop_castling_rights(next, piece, from, to);
}

#endif
