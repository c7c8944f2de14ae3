// Moves in 16 bits, as a database stores them: enough to play a line without looking at the board for anything but
// the captured piece.
#ifndef CQL_WORD_H
#define CQL_WORD_H

#include <stdbool.h>
#include <stddef.h>

#include "board.h"

// Bits 0-5: from; 6-11: to; 12-15: WORD_. Castling: the squares of king and rook. A null move is 0.
typedef uint16_t MoveWord;

// The kind of a move word: the type of the moving piece, or a special move.
enum {
    WORD_NULL,
    WORD_PAWN, // to WORD_KING: types of pieces, in the order of the piece codes
    WORD_KING = 6,
    WORD_EN_PASSANT,
    WORD_PROMOTION, // to a knight, bishop, rook, queen
    WORD_CASTLE_KING = 12,
    WORD_CASTLE_QUEEN
};

static inline int word_kind(MoveWord word)
{
    return word >> 12;
}

// The word of a move that is not null, castling, en passant or a promotion.
static inline MoveWord word_of_plain(Move m)
{
    const int type = m.piece > WHITE_KING ? m.piece - WHITE_KING : m.piece;
    return (MoveWord)(m.from | m.to << 6 | type << 12);
}

MoveWord word_of(Move m);

// Fills in the move that `word` is in `p`. False when it cannot be one there: no piece of the side to move and of
// that kind on the first square, or one of its own pieces on the second. Whether the piece moves so is not checked.
bool word_move(const Position *p, MoveWord word, Move *m);

// Sets *m to the move and *next to the position after it, and knows its `check` if that of *p is known. False, where
// word_move is false; then both are undefined.
bool pos_play_word(Position *restrict next, const Position *restrict p, MoveWord word, Move *restrict m);

// Plays `count` words, every `stride`th of `word`, from line[0] on: sets the positions line[1] and so on, and the moves of the nodes
// with the same numbers. Returns how many could be played.
size_t pos_play_line(Position *line, Node *node, const MoveWord *word, size_t stride, size_t count);

#endif
