// What cmocka wants before it, and what nearly every test uses.
#ifndef CQL_TEST_TEST_H
#define CQL_TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#endif
