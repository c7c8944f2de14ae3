// A query of any dialect in the layout of CQL 6.2, for the command line and editors.
#ifndef CQL_EDITOR_FORMAT_H
#define CQL_EDITOR_FORMAT_H

#include "compiler/api/compile.h"

// The text of a query that compile_read has read, as CQL 6.2 (print_query), in its arena; NULL, after diagnostics and failures to
// those of the options, when CQL 6.2 cannot express it.
const char *format_compiled(Compiled *c, const CompileOptions *options);

#endif
