// The transform pass: a query without transforms, each replaced by its variants (language reference 8).
#ifndef CQL_TRANSFORMS_H
#define CQL_TRANSFORMS_H

#include "compiler/language/query.h"

// Replaces every transform of the tree by a VARIANTS node with its distinct variants in the order of
// evaluation. Errors of chapter 8 go to the diagnostics; returns false when there were any.
bool transform_query(Query *query, Diagnostics *diagnostics);

#endif
