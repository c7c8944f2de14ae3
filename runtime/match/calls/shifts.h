// Shifts of the board that may bring one set of pieces onto another.
#ifndef CQL_SHIFTS_H
#define CQL_SHIFTS_H

#include <stdbool.h>

#include "runtime/chess/chess.h"

typedef bool ShiftTest(const void *user, int files, int ranks);

// True when the test passes for some shift by at most `files` and `ranks`. The boards are indexed by piece
// code. The test must fail for every shift under which more than `spare` of the pieces of `from` on `squares`
// do not come to an equal piece of `to`: then few shifts have to be tried.
bool shift_found(const Bitboard *from, Bitboard squares, const Bitboard *to, int32_t spare, int files,
                 int ranks, ShiftTest *test, const void *user);

#endif
