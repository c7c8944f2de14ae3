// Words, numbers and strings of CQL 5, and the two readings of a filter (language reference 11.2, 11.3).
#include "parser.h"

#include "compiler/front/cql6/cql6.h"

// ---- words, numbers, strings ------------------------------------------------------------------------------

const char *cql5_spelling(Parser *p, Op word)
{
    const OpInfo *info = &op_info[word];
    if (info->modern == NULL)
        return arena_printf(p->arena, "`%s`", info->name);
    return arena_printf(p->arena, "`%s` (in CQL 6.2 `%s`)", info->name, info->modern);
}

int32_t cql5_integer(Parser *p, const char *purpose)
{
    if (parse_peek(p)->kind != TOKEN_INTEGER)
        parse_fail_found(p, "expected %s", purpose);
    return parse_next(p)->number;
}

const Token *cql5_string(Parser *p, Op word)
{
    if (parse_peek(p)->kind != TOKEN_STRING)
        parse_fail_found(p, "expected a string in double quotes after %s", cql5_spelling(p, word));
    return parse_next(p);
}

// range = int [ int ]
Range cql5_range(Parser *p)
{
    Range range = {0};
    if (parse_peek(p)->kind != TOKEN_INTEGER)
        return range;
    const Token *low = parse_next(p), *high = low;
    if (parse_peek(p)->kind == TOKEN_INTEGER)
        high = parse_next(p);
    if (low->number > high->number)
        parse_report(p, (Span){low->span.start, high->span.end},
                     "the range %d %d is reversed; write the smaller number first", low->number,
                     high->number);
    return build_range(low->number, high->number);
}

Range cql5_required_range(Parser *p, Op word)
{
    if (parse_peek(p)->kind != TOKEN_INTEGER)
        parse_fail_found(p, "expected one or two numbers after %s", cql5_spelling(p, word));
    return cql5_range(p);
}

Variable *cql5_variable(Parser *p, const char *name, VariableKind kind, Span span)
{
    Variable *v = query_add_variable(p->query, name, kind, span);
    v->hidden = name[0] != '$';
    return v;
}

Ast *cql5_tree(Parser *p, Span span, const char *text, Ast *first, Ast *second)
{
    Ast *const operand[] = {first, second};
    return cql6_template(p->query, p->diagnostics, span, text, operand, 2);
}

// ---- readings --------------------------------------------------------------------------------------------

static bool is_transform_of_set(const Ast *node)
{
    return node->low == CQL5_COPIES && node->kid_count == 1 && !node->range.present && node->type == TYPE_SET;
}

Ast *cql5_as_set(Parser *p, Ast *node, const char *where)
{
    if (node->type != TYPE_SET) {
        parse_report(p, node->span, "%s needs a set of squares, but this filter is not a set", where);
        return parse_node(p, OP_ALL_SQUARES, TYPE_SET, node->span);
    }
    if (node->op == OP_NOT || node->op == OP_OR) {
        node->op = node->op == OP_NOT ? OP_COMPLEMENT : OP_UNION;
        for (int i = 0; i < node->kid_count; i++)
            node->kid[i] = cql5_as_set(p, node->kid[i], where);
    } else if (is_transform_of_set(node)) {
        node->kid[0] = cql5_as_set(p, node->kid[0], where);
    }
    return node;
}

Ast *cql5_as_condition(Parser *p, Ast *node)
{
    const bool two_readings = node->op == OP_NOT || node->op == OP_OR || is_transform_of_set(node);
    if (node->type != TYPE_SET || !two_readings)
        return node;
    node->type = TYPE_BOOL;
    for (int i = 0; i < node->kid_count; i++)
        node->kid[i] = cql5_as_condition(p, node->kid[i]);
    return node;
}
