// Endgame tablebases in the format of Syzygy (language reference 17.3), read by libfathom.
//
// The library is loaded when a query first needs it, so that cqlgen neither is built with it nor depends on it. Its tables belong
// to the process: all queries of a process use the same folders. It is called by one thread at a time.
#ifndef CQL_SYZYGY_H
#define CQL_SYZYGY_H

#include "runtime/chess/chess.h"

// Opens the tablebases in the folders, which `:` separates, and checks the files. When they are open already, does nothing.
// False: *message says why not; the caller frees it.
bool syzygy_open(const char *folders, char **message);
bool syzygy_is_open(void);

// The value of a position for the side to move: 2 it wins, 1 the rule of 50 moves saves the other side, 0 draw, -1, -2. False:
// the tablebases do not have it, or the position is none of orthodox chess.
bool syzygy_wdl(const Position *p, int *wdl);

// Half-moves to the next capture, pawn move or mate, positive when the side to move wins; 0: draw; -1: it is mated.
bool syzygy_dtz(const Position *p, int *dtz);

#endif
