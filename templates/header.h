// Everything that the C code of a matcher uses: the interface of matchers and the primitives of emitted C. Made from
// the sources of cqlgen; installed as cqlgen/matcher.h. For C11, and for C++11 with the extensions that gcc and clang share.
#ifndef CQLGEN_MATCHER_H
#define CQLGEN_MATCHER_H

#ifndef __TINYC__
// Emitted functions have the same parameters whether they need them or not, and a query may compute what it does not use
// or ask for what cannot be.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wpedantic" // anonymous structs and compound literals of C
extern "C" {
#endif

#include "runtime/match/matcher.h"
#include "templates/prelude.h"

#ifdef __TINYC__
#include "templates/inline_tcc.h"
#else
#include "templates/inline_cc.h"
#endif
#include "templates/lanes.h"

#ifdef __cplusplus
}
#endif

#endif
