// Shifts of the board.
#include "shifts.h"

#include <stdlib.h>

typedef struct ShiftSearch {
    const Bitboard *to;
    int files, ranks;
    ShiftTest *test;
    const void *user;
} ShiftSearch;

static bool any_shift(const ShiftSearch *s)
{
    for (int files = -s->files; files <= s->files; files++)
        for (int ranks = -s->ranks; ranks <= s->ranks; ranks++)
            if (s->test(s->user, files, ranks))
                return true;
    return false;
}

// The shifts that bring the piece on `square` to an equal one.
static bool shift_of_piece(const ShiftSearch *s, int code, int square)
{
    for (Bitboard equal = s->to[code]; equal != 0; equal &= equal - 1) {
        const int files = square_file(bb_first(equal)) - square_file(square);
        const int ranks = square_rank(bb_first(equal)) - square_rank(square);
        if (abs(files) <= s->files && abs(ranks) <= s->ranks && s->test(s->user, files, ranks))
            return true;
    }
    return false;
}

bool shift_found(const Bitboard *from, Bitboard squares, const Bitboard *to, int32_t spare, int files,
                 int ranks, ShiftTest *test, const void *user)
{
    static const uint8_t rare_first[] = {WHITE_KING,   BLACK_KING,   WHITE_QUEEN,  BLACK_QUEEN,
                                         WHITE_ROOK,   BLACK_ROOK,   WHITE_BISHOP, BLACK_BISHOP,
                                         WHITE_KNIGHT, BLACK_KNIGHT, WHITE_PAWN,   BLACK_PAWN};
    enum { MOST_PIECES = 32 };
    const ShiftSearch s = {to, files, ranks, test, user};
    // Of any spare + 1 pieces one must come to an equal piece.
    for (size_t i = 0; i < sizeof rare_first && spare < MOST_PIECES; i++) {
        const int code = rare_first[i];
        for (Bitboard pieces = from[code] & squares; pieces != 0; pieces &= pieces - 1) {
            if (shift_of_piece(&s, code, bb_first(pieces)))
                return true;
            if (spare-- == 0)
                return false;
        }
    }
    return any_shift(&s); // there are no more pieces than may be spared
}
