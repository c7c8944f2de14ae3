// The tests of test_line.c for the reader of main lines without vectors.
#undef __SSE2__
#include "runtime/game/line.c"

#include "test_line.c"
