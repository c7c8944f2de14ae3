// Counts basic blocks, in programs some of whose files are compiled with -fsanitize-coverage=trace-pc. The counter is a file of
// its own, compiled without: it must not count itself.
#ifndef CQL_TESTS_BLOCKS_H
#define CQL_TESTS_BLOCKS_H

#include <stdint.h>

extern uint64_t blocks_run;

#endif
