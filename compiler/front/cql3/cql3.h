// The dialect CQL 3: `(match …)` with position lists (language reference 12). It has a reader and a parser of
// its own and makes the same tree as CQL 6.2.
#ifndef CQL_CQL3_H
#define CQL_CQL3_H

#include "compiler/language/query.h"

// Parses a query in CQL 3, with the extensions of later programs that chapter 12 lists. The transformations
// of position lists are applied here, so the tree contains no transforms: the copies of a list are the
// kids of a VARIANTS node. Returns NULL when there were errors. Everything lives in `arena`. Of the options
// only `variations` is used: 1 makes every position list search variations, 0 none.
Query *parse_cql3(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics);

#endif
