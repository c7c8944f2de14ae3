// Random queries of CQL 5, CQL 3 and CQLi, made from templates: type-directed, so that nearly all of them are
// accepted.
#ifndef CQL_DIALECT_GENERATOR_H
#define CQL_DIALECT_GENERATOR_H

#include <stddef.h>
#include <stdint.h>

#include "compiler/front/detect/dialect.h"

// Fills `out` with a query of DIALECT_CQL5, DIALECT_CQL3 or DIALECT_CQLI, NUL-terminated: the whole list
// `(match …)` of CQL 3, of the others the filters without a header. The same seed gives the same text.
void generate_dialect_query(Dialect dialect, uint64_t seed, char *out, size_t size);

#endif
