// What the files about dialects share: names.c, dialect.c (markers, the decision), evidence.c (the rules).
#ifndef CQL_DIALECT_INTERNAL_H
#define CQL_DIALECT_INTERNAL_H

#include "dialect.h"

// The line that names a dialect at the beginning of a file, in the comments of that dialect.
const char *dialect_marker(Dialect dialect);

// The rules of 14.3 for queries that CQL 6.2 refuses; DIALECT_CQL6 when they choose nothing. *why: a phrase for
// messages; *where: what decided. Both are unchanged when nothing did. Evidence for two dialects becomes a note. Time
// and memory are linear in the length of the text.
Dialect dialect_by_rules(const Source *source, Diagnostics *diagnostics, const char **why, Span *where);

// Notes that a query that CQL 6.2 refused looks like CQL 5, by words that are not evidence (14.3).
void dialect_propose_cql5(const Source *source, Diagnostics *diagnostics);

// Warns of a `.` that CQL 5.1 and 5.2 read differently when nothing says which of them it is (11.9).
void dialect_warn_of_dot(const Source *source, Diagnostics *diagnostics);

#endif
