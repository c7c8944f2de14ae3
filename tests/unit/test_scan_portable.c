// The tests of test_scan.c for the portable forms of the searches.
#undef __SSE2__
#include "test_scan.c"
