// Everything that the C code of a matcher uses: the interface of matchers and the primitives of emitted C. Made from
// the sources of cqlgen; installed as cqlgen/matcher.h.
#ifndef CQLGEN_MATCHER_H
#define CQLGEN_MATCHER_H

#include "runtime/match/matcher.h"
#include "templates/prelude.h"

#ifdef __TINYC__
#include "templates/inline_tcc.h"
#else
#include "templates/inline_cc.h"
#endif
#include "templates/lanes.h"

#endif
