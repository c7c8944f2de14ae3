// Small trees that more than one parser builds.
#include "build.h"

#include "token.h"

Ast *build_with(Arena *a, Op op, Type type, Ast *operand)
{
    Ast *node = ast_new(a, op, type, operand->span);
    ast_add_kid(a, node, operand);
    return node;
}

Ast *build_pair(Arena *a, Op op, Type type, Ast *left, Ast *right)
{
    Ast *node = build_with(a, op, type, left);
    ast_add_kid(a, node, right);
    if (right->span.end > node->span.end)
        node->span.end = right->span.end;
    return node;
}

static Ast *build_number(Arena *a, int32_t number, Span span)
{
    Ast *node = ast_new(a, OP_NUMBER, TYPE_INT, span);
    node->number = number;
    return node;
}

Ast *build_read(Arena *a, Variable *v, Span span)
{
    Ast *node = ast_new(a, OP_VARIABLE, variable_type(v), span);
    node->variable = v;
    return node;
}

Variable *build_hidden_variable(Query *query, const char *name, VariableKind kind, Span span)
{
    Variable *v = query_add_variable(query, name, kind, span);
    v->hidden = true;
    return v;
}

Range build_range(int32_t low, int32_t high)
{
    return (Range){.present = true, .low.value = low, .high.value = high};
}

Ast *build_in_range(Arena *a, Ast *value, Range range)
{
    const int32_t low = range.low.value, high = range.high.value;
    const Span span = value->span;
    if (low == high)
        return build_pair(a, OP_EQ, TYPE_INT, value, build_number(a, low, span));
    if (low > INT32_MIN) // the value of a comparison is that of its left side
        value = build_pair(a, OP_GE, TYPE_INT, value, build_number(a, low, span));
    if (high < INT32_MAX)
        value = build_pair(a, OP_LE, TYPE_INT, value, build_number(a, high, span));
    return value;
}
