// What cmocka wants before it, and what nearly every test uses.
#ifndef CQL_TEST_TEST_H
#define CQL_TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Do sanitizers slow the build down?
#ifdef __SANITIZE_ADDRESS__
enum { SLOW_BUILD = 1 };
#else
enum { SLOW_BUILD = 0 };
#endif

// Is this a run with all samples (FULL=1)?
static inline bool is_full_run(void)
{
    return !SLOW_BUILD && getenv("FULL") != NULL;
}

// A number of rounds, fewer in other runs.
#define ROUNDS(number) (is_full_run() ? (number) : (number) / 5)

#endif
