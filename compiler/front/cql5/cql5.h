// The dialect CQL 5 (language reference 11): 5.2, 5.1 and 5.0.
#ifndef CQL_CQL5_H
#define CQL_CQL5_H

#include "compiler/language/query.h"

// Parses a CQL 5 query to the tree of CQL 6.2; `old` chooses the lexical rules of 5.1 and 5.0 (section 9).
// Returns NULL when there were errors. Everything lives in `arena`.
Query *parse_cql5(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics,
                  bool old);

#endif
