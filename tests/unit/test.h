// What cmocka wants before it, and what nearly every test uses.
#ifndef CQL_TEST_TEST_H
#define CQL_TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A number of rounds, fewer in builds that sanitizers slow down.
#ifdef __SANITIZE_ADDRESS__
#define ROUNDS(number) ((number) / 5)
#else
#define ROUNDS(number) (number)
#endif

#endif
