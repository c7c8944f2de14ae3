// The keys of the `hhdb` filter (language reference 9.7): Ast.number is an enum Hhdb; of HHDB_AWARD, Ast.low
// is the kind and Ast.high the flags.
#ifndef CQL_FRONT_HHDB_H
#define CQL_FRONT_HHDB_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/match/calls/hhdb.h"

// The words that may follow `hhdb`, for i = 0, 1, 2 ...; NULL behind the last one. *takes_text: a text may
// follow it; *plain: it is written without quotes.
const char *hhdb_word(size_t i, bool *takes_text, bool *plain);

#endif
