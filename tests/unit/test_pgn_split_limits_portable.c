// The tests of test_pgn_split_limits.c for the splitter without vectors.
#undef __SSE2__
#include "runtime/game/split.c"

#include "test_pgn_split_limits.c"
