// The dialect CQLi (language reference 13): CQL 6.1 with extensions. It shares the parser of CQL 6.2; the tables
// of compiler/language list its words and signs.
#ifndef CQL_CQLI_H
#define CQL_CQLI_H

#include "compiler/language/query.h"

// Parses a CQLi query. As parse_query: NULL when there were errors, everything lives in `arena`.
Query *parse_cqli(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics);

// After the parser of CQL 6.2 has refused a query: reads it as CQLi. Returns the query when it cannot be CQL 6.2
// (14.3) and `choose` is set; `failed`, the errors of CQL 6.2, is then replaced by the messages of this
// reading. Otherwise NULL; a query that is valid CQLi gets a note (13.10). `options` are those of the failed attempt;
// nothing is done when they are pedantic.
Query *cqli_retry(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *failed,
                  bool choose);

#endif
