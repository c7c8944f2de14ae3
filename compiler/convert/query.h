// Prints a parsed query of any dialect as a file of CQL 6.2 that means the same (language reference 14.6).
#ifndef CQL_PRINT_QUERY_H
#define CQL_PRINT_QUERY_H

#include "compiler/front/detect/dialect.h"

// The text of the query as CQL 6.2, NUL-terminated, in the query's arena. The first line is the marker
// `// dialect: cql6`; then come the comments before the query as `//` lines, the header, the functions that
// the text needs, and one filter a line behind the comments that belong to it. The tree must be as the parser
// made it, before the transform pass. Names that CQL 6.2 does not allow or that mean two things are replaced,
// hidden variables get names. Printed once more, the text stays as it is. What CQL 6.2 cannot say is an error
// in the diagnostics, which names it; then the result is NULL.
const char *print_query(const Query *query, Dialect dialect, Diagnostics *diagnostics);

#endif
