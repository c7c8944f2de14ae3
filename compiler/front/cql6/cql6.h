// CQL 6.2 (language reference 1 to 10): its parser, which reads CQLi too.
#ifndef CQL_CQL6_H
#define CQL_CQL6_H

#include "compiler/language/query.h"

// Parses a query of CQL 6.2. Returns NULL when there were errors. Everything lives in `arena`.
Query *parse_query(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics);

// The same in a dialect: IN_CQL6 or IN_CQLI.
Query *parse_dialect(Arena *arena, const Source *source, const ParseOptions *options,
                     Diagnostics *diagnostics, unsigned dialect);

#endif
