// Small trees that more than one parser builds. The span of a node is that of its operands.
#ifndef CQL_SHARED_BUILD_H
#define CQL_SHARED_BUILD_H

#include "compiler/language/query.h"

Ast *build_with(Arena *a, Op op, Type type, Ast *operand);
Ast *build_pair(Arena *a, Op op, Type type, Ast *left, Ast *right);
Ast *build_read(Arena *a, Variable *v, Span span);
// A variable that no name of the query denotes; `name` is what the printer calls it.
Variable *build_hidden_variable(Query *query, const char *name, VariableKind kind, Span span);

// The constants low ... high.
Range build_range(int32_t low, int32_t high);
// `value`, which is evaluated once, as a number that exists if and only if it is in the range. A bound INT32_MIN or
// INT32_MAX is not tested.
Ast *build_in_range(Arena *a, Ast *value, Range range);

#endif
