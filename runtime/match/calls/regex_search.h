// Searches in text that is not a string of the game.
#ifndef CQL_REGEX_SEARCH_H
#define CQL_REGEX_SEARCH_H

#include "runtime/match/run_state.h"

// Does the pattern with that number match somewhere? Leaves the match record as it is (7.11). Raises when the pattern
// backtracks too much.
bool regex_found_in(Context *c, int32_t pattern, Text text);

// The same in a text in which no line ends; before: as of regex_test_line.
bool regex_found_in_line(Context *c, int32_t pattern, Text line, size_t before);

// If the pattern matches in the beginning of a line, it matches in the whole line.
bool regex_is_local_pattern(const Context *c, int32_t pattern);

// False when the pattern requires a text that only the board of a FEN can contain, and this board does not.
bool regex_may_match_board(Context *c, int32_t pattern, Text board);

#endif
