// Prints a parsed query of any dialect as a file of CQL 6.2 that means the same (language reference 14.6).
#ifndef CQL_PRINT_QUERY_H
#define CQL_PRINT_QUERY_H

#include "compiler/front/detect/dialect.h"

// The text of the query as CQL 6.2, NUL-terminated, in the query's arena. The first line is the marker `//
// dialect: cql6`; then come the comments before the query as `//` lines, the header, the functions that it
// needs, and one filter a line after its comments. The tree must come from the parser, not from the transform
// pass. Names that CQL 6.2 does not allow or that have two meanings are replaced, and hidden variables get
// names. Printing the result again does not change it. A construct that CQL 6.2 cannot express is an error in
// the diagnostics; then the result is NULL.
const char *print_query(const Query *query, Dialect dialect, Diagnostics *diagnostics);

#endif
