// The dialect CQLi (language reference 13): CQL 6.1 with extensions. It shares the parser of CQL 6.2; the tables
// of compiler/language list its words and signs.
#ifndef CQL_CQLI_H
#define CQL_CQLI_H

#include "compiler/language/query.h"

// Parses a CQLi query. As parse_query: NULL when there were errors, everything lives in `arena`.
Query *parse_cqli(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics);

// After the parser of CQL 6.2 has refused a query: adds a note when it is valid CQLi (13.10). `options` are
// those of the failed attempt; nothing is added when they are pedantic.
void cqli_explain_failure(Arena *arena, const Source *source, const ParseOptions *options,
                          Diagnostics *diagnostics);

#endif
