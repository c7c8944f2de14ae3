// Searches in text that is not a string of the game.
#ifndef CQL_REGEX_SEARCH_H
#define CQL_REGEX_SEARCH_H

#include "runtime/match/run_state.h"

// Does the pattern with that number match somewhere? Leaves the match record as it is (7.11). Raises when the pattern
// backtracks too much.
bool regex_found_in(Context *c, int32_t pattern, Text text);

// False when the pattern requires a text that only the board of a FEN can contain, and this board does not.
bool regex_may_match_board(Context *c, int32_t pattern, Text board);

#endif
