// Moves in 16 bits.
#include "word.h"

#include "chess.h"

MoveWord word_of(Move m)
{
    if (m.flags & MOVE_NULL)
        return WORD_NULL;
    int to = m.to, kind = piece_type(m.piece);
    if (m.flags & MOVE_CASTLE) {
        to = m.rook_from;
        kind = m.flags & MOVE_CASTLE_KING ? WORD_CASTLE_KING : WORD_CASTLE_QUEEN;
    } else if (m.promoted != EMPTY) {
        kind = WORD_PROMOTION + piece_type(m.promoted) - WHITE_KNIGHT;
    } else if (m.flags & MOVE_EN_PASSANT) {
        kind = WORD_EN_PASSANT;
    }
    return (MoveWord)(m.from | to << 6 | kind << 12);
}

static bool castling(const Position *p, int from, int rook, int kind, Move *m)
{
    const int rank = p->side == WHITE ? 0 : 56, wing = kind == WORD_CASTLE_QUEEN;
    *m = pos_plain_move(p->square[from], from, rank + (wing ? 2 : 6), false);
    m->flags = wing ? MOVE_CASTLE_QUEEN : MOVE_CASTLE_KING;
    m->rook_from = (uint8_t)rook;
    m->rook_to = (uint8_t)(rank + (wing ? 3 : 5));
    return p->square[from] == piece_make(p->side, WHITE_KING) &&
           p->square[rook] == piece_make(p->side, WHITE_ROOK) && (from & ~7) == rank && (rook & ~7) == rank;
}

bool word_move(const Position *p, MoveWord word, Move *m)
{
    const int from = word & 63, to = word >> 6 & 63, kind = word_kind(word);
    if (word == WORD_NULL) {
        *m = pos_null_move(p);
        return true;
    }
    if (kind >= WORD_CASTLE_KING)
        return kind <= WORD_CASTLE_QUEEN && castling(p, from, to, kind, m);
    const int type = kind > WORD_KING ? WHITE_PAWN : kind, piece = piece_make(p->side, type);
    *m = pos_plain_move(piece, from, to, p->square[to] != EMPTY);
    if (kind == WORD_NULL || p->square[from] != piece)
        return false;
    if (p->square[to] != EMPTY && (piece_colour(p->square[to]) == p->side || piece_type(p->square[to]) == 6))
        return false;
    if (kind == WORD_EN_PASSANT) {
        m->victim = (uint8_t)((from & 56) | (to & 7));
        m->flags = MOVE_CAPTURE | MOVE_EN_PASSANT;
        return to == p->en_passant && p->square[m->victim] == piece_make(!p->side, WHITE_PAWN);
    }
    if (kind >= WORD_PROMOTION)
        m->promoted = (uint8_t)piece_make(p->side, WHITE_KNIGHT + kind - WORD_PROMOTION);
    else if (kind == WORD_PAWN && (from - to == 16 || to - from == 16))
        m->flags |= MOVE_DOUBLE_STEP;
    return true;
}
