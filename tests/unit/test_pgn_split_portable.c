// The tests of test_pgn_split.c for the splitter without vectors.
#undef __SSE2__
#include "runtime/game/split.c"

#include "test_pgn_split.c"
