// Doubts about a query: parts that can never match because of the side to move, and comparisons that are always true or
// always false.
#ifndef CQL_API_LINT_H
#define CQL_API_LINT_H

#include "compiler/base/diagnostic.h"
#include "compiler/language/ast.h"

// Adds a warning for each doubtful part of the body of a query of CQL 6.2 or CQLi, before transforms are replaced. What it says
// is certain; bodies of functions are not looked at by themselves.
void lint_sides(const Ast *body, Diagnostics *diagnostics);
void lint_comparisons(const Ast *body, Diagnostics *diagnostics);

#endif
