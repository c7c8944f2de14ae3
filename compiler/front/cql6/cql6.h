// CQL 6.2 (language reference 1 to 10): its parser, which reads CQLi too.
#ifndef CQL_CQL6_H
#define CQL_CQL6_H

#include "compiler/language/query.h"

// Parses a query of CQL 6.2. Returns NULL when there were errors. Everything lives in `arena`.
Query *parse_query(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics);

// The same in a dialect: IN_CQL6 or IN_CQLI.
Query *parse_dialect(Arena *arena, const Source *source, const ParseOptions *options,
                     Diagnostics *diagnostics, unsigned dialect);

// Puts the extra filters, in CQL 6.2 and with names of their own, before those of a query in CQL 5 and after those in CQL 3. Returns NULL when
// there were errors, or the query is NULL.
Query *cql6_join(Query *query, const ParseOptions *options, Diagnostics *diagnostics);

// The tree of a template: filters of CQL 6.2 in which `$1`, `$2` … are the operands, `count` of them. Its variables are
// hidden ones, which belong to this tree; an operand that is a variable may be assigned. The other nodes get the span.
// Errors (a tree that is too high) are reported there.
Ast *cql6_template(Query *query, Diagnostics *diagnostics, Span span, const char *text, Ast *const operand[],
                   int count);

#endif
