// Inline functions for the hot paths of this room: attacks of sliding pieces, and what move generation and
// SAN share. Other rooms call attacks_from and its relatives in chess.h.
//
// A multiplication gathers the blockers on a line into six bits, which select the attacked squares from a
// table for one line. (The first and the last square of a line never matter, hence six bits for eight
// squares.) All tables together take less than 10 KB and stay in the first-level cache; tables of whole
// attack sets per square are two orders of magnitude larger.
#ifndef CQL_SLIDERS_H
#define CQL_SLIDERS_H

#include "chess.h"

// The lines through one square without the square itself.
typedef struct SliderLines {
    Bitboard diagonal, antidiagonal, rank;
} SliderLines;

extern SliderLines slider_lines[64];
extern Bitboard slider_rank_fill[8][64]; // [file][blockers on b-g]: attacks on a rank, copied to all ranks
extern Bitboard slider_file_a[8][64];    // [rank][blockers on ranks 7-2]: attacks on the a file

#define SLIDER_FILE_B 0x0202020202020202ULL
#define SLIDER_C2_H7 0x0080402010080400ULL

static inline Bitboard slider_along(Bitboard line, int square, Bitboard occupied)
{
    return slider_rank_fill[square_file(square)][((line & occupied) * SLIDER_FILE_B) >> 58] & line;
}

static inline Bitboard slider_bishop(int square, Bitboard occupied)
{
    return slider_along(slider_lines[square].diagonal, square, occupied) |
           slider_along(slider_lines[square].antidiagonal, square, occupied);
}

static inline Bitboard slider_rook(int square, Bitboard occupied)
{
    const int file = square_file(square);
    const Bitboard blockers = ((occupied >> file & BB_FILE_A) * SLIDER_C2_H7) >> 58;
    return slider_along(slider_lines[square].rank, square, occupied) |
           slider_file_a[square_rank(square)][blockers] << file;
}

// The squares that a piece other than a pawn attacks.
static inline Bitboard slider_type_attacks(int type, int square, Bitboard occupied)
{
    switch (type) {
    case WHITE_KNIGHT:
        return knight_table[square];
    case WHITE_BISHOP:
        return slider_bishop(square, occupied);
    case WHITE_ROOK:
        return slider_rook(square, occupied);
    case WHITE_QUEEN:
        return slider_rook(square, occupied) | slider_bishop(square, occupied);
    default:
        return king_table[square];
    }
}

// True when a piece of `colour` attacks `square`, with `occupied` as blockers; pieces outside `counted` do
// not attack.
static inline bool slider_attacked(const Position *p, int square, int colour, Bitboard occupied,
                                   Bitboard counted)
{
    const Bitboard *own = p->board + colour * 6;
    const Bitboard queens = own[WHITE_QUEEN];
    const Bitboard steppers = (pawn_table[!colour][square] & own[WHITE_PAWN]) |
                              (knight_table[square] & own[WHITE_KNIGHT]) |
                              (king_table[square] & own[WHITE_KING]);
    const Bitboard sliders = (slider_bishop(square, occupied) & (own[WHITE_BISHOP] | queens)) |
                             (slider_rook(square, occupied) & (own[WHITE_ROOK] | queens));
    return (counted & (steppers | sliders)) != 0;
}

// The squares on which a move of a side may end: no own men and not the enemy king.
static inline Bitboard targets_of(const Position *p, int side)
{
    return ~p->board[BOARD_WHITE + side] & ~p->board[piece_make(!side, WHITE_KING)];
}

static inline Bitboard pos_targets(const Position *p)
{
    return targets_of(p, p->side);
}

#endif
