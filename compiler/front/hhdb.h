// The keys of the `hhdb` filter (language reference 9.7): Ast.number is an enum Hhdb; of HHDB_AWARD, Ast.low is the kind and
// Ast.high the flags.
#ifndef CQL_FRONT_HHDB_H
#define CQL_FRONT_HHDB_H

#include "../../runtime/match/hhdb.h"

#endif
