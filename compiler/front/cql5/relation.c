// `relation` (language reference 11.7).
#include "parser.h"

// square-parameter = { "sourcesquares" set | "targetsquares" set | "match" range | "mismatch" range }
static Ast *parse_squares(Parser *p, Span start)
{
    Ast *node = parse_node(p, OP_RELATION_SQUARES, TYPE_BOOL, start);
    node->low = 0;
    node->high = 64;
    for (;;) {
        const Token *t = parse_peek(p);
        if (parse_take_word(p, OP_CQL5_SOURCESQUARES)) {
            ast_set_operand(node, &node->kid_left, cql5_set(p, "`sourcesquares`"));
        } else if (parse_take_word(p, OP_CQL5_TARGETSQUARES)) {
            ast_set_operand(node, &node->kid_right, cql5_set(p, "`targetsquares`"));
        } else if (parse_take_word(p, OP_CQL5_MATCH)) {
            node->range = cql5_required_range(p, t->op);
        } else if (parse_take_word(p, OP_CQL5_MISMATCH)) {
            const Range range = cql5_required_range(p, t->op);
            node->low = range.low.value;
            node->high = range.high.value;
        } else {
            return node;
        }
    }
}

// "(" "tomove" ( "match" | "mismatch" ) ")"
static Ast *parse_side(Parser *p, Span start)
{
    parse_next(p);
    Ast *node = parse_node(p, OP_RELATION_SIDE, TYPE_BOOL, start);
    node->number = parse_take_word(p, OP_CQL5_MATCH);
    if (!node->number && !parse_take_word(p, OP_CQL5_MISMATCH))
        parse_fail_found(p, "expected `match` or `mismatch` after `tomove`");
    return node;
}

static bool at_any_of(Parser *p, Op first, Op last)
{
    const Token *t = parse_peek(p);
    return t->kind == TOKEN_WORD && t->op >= (int)first && t->op <= (int)last;
}

// "ancestor" | "descendant" | lca-word range
static Ast *parse_lca(Parser *p, Span start)
{
    static const int32_t numbers[OP_COUNT_] = {
        [OP_CQL5_ANCESTOR] = RELATION_ANCESTOR,     [OP_CQL5_DESCENDANT] = RELATION_DESCENDANT,
        [OP_CQL5_LCAMAX] = RELATION_LCA_MAX,        [OP_CQL5_LCASUM] = RELATION_LCA_SUM,
        [OP_CQL5_LCASOURCE] = RELATION_LCA_SOURCE,  [OP_CQL5_LCATARGET] = RELATION_LCA_TARGET,
        [OP_CQL5_LCASUBSTRING] = RELATION_SUBSTRING};
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_RELATION_LCA, TYPE_BOOL, start);
    node->number = numbers[word->op];
    if (word->op == OP_CQL5_ANCESTOR || word->op == OP_CQL5_DESCENDANT)
        return node;
    const Range range = cql5_required_range(p, word->op);
    if (word->op == OP_CQL5_LCASUBSTRING && range.low.value < 1)
        parse_report(p, word->span, "the range of `lcasubstring` must begin at 1 or more");
    node->range = range;
    node->type = TYPE_INT;
    return node;
}

// "(" [ "sort" [ "max" | "min" ] [ string ] ] lca-word range ")"
static Ast *parse_sorted_lca(Parser *p, Span start)
{
    Ast *sort = parse_take_word(p, OP_CQL5_SORT) ? cql5_sort_node(p, start) : NULL;
    if (!at_any_of(p, OP_CQL5_ANCESTOR, OP_CQL5_LCASUBSTRING))
        parse_fail_found(
            p, "expected a parameter of `relation`: `sourcesquares`, `targetsquares`, `match`, `mismatch`, "
               "`tomove`, `ancestor`, `descendant`, `lcamax`, `lcasum`, `lcasource`, `lcatarget` or "
               "`lcasubstring`");
    const Token *word = parse_peek(p);
    Ast *node = parse_lca(p, start);
    if (sort == NULL)
        return node;
    node->span = parse_span_from(p, word->span);
    cql5_sort_value(p, sort, node);
    return sort;
}

static bool at_echo_transform(Parser *p)
{
    return at_any_of(p, OP_CQL5_ECHOFLIP, OP_CQL5_ECHOSHIFTVERTICAL);
}

// relparam = [ echo-transform ] "(" … ")"
static Ast *parse_parameter(Parser *p)
{
    const Token *first = parse_peek(p), *echo = at_echo_transform(p) ? parse_next(p) : NULL;
    if (!parse_take(p, PUNCT_LEFT_PAREN) || (echo != NULL && parse_peek(p)->kind != TOKEN_WORD))
        parse_fail_found(p, "expected a parameter of `relation` in parentheses after `%s`", echo->bytes);
    Ast *node;
    if (at_any_of(p, OP_CQL5_SOURCESQUARES, OP_CQL5_MISMATCH)) {
        node = parse_squares(p, first->span);
        node->number = echo != NULL ? (int32_t)op_info[echo->op].canonical : 0;
    } else {
        if (echo != NULL)
            parse_report(
                p, echo->span,
                "`%s` is allowed only before a parameter with `sourcesquares`, `targetsquares`, `match` "
                "or `mismatch`",
                echo->bytes);
        node =
            parse_at_word(p, OP_CQL5_TOMOVE) ? parse_side(p, first->span) : parse_sorted_lca(p, first->span);
    }
    if (echo != NULL && echo->op == OP_CQL5_ECHOROTATE45)
        parse_report(p, echo->span, "`echorotate45` cannot compare squares: no square has an image under it");
    parse_expect(p, PUNCT_RIGHT_PAREN, "after the parameter of `relation`");
    parse_finish(p, node, first->span);
    return node;
}

// "relation" { filter } relparam { relparam }
Ast *cql5_relation(Parser *p)
{
    const Token *word = parse_next(p);
    Ast *node = parse_node(p, OP_RELATION, TYPE_BOOL, word->span);
    if (cql5_begins_filter(parse_peek(p))) {
        Ast *targets = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_peek(p)->span);
        while (cql5_begins_filter(parse_peek(p)))
            parse_add(p, targets, cql5_condition(p));
        parse_finish(p, targets, targets->span);
        ast_set_operand(node, &node->kid_left, targets);
    }
    while (parse_at(p, PUNCT_LEFT_PAREN) || at_echo_transform(p))
        parse_add(p, node, parse_parameter(p));
    if (node->kid_count == 0)
        parse_fail_found(p, "%s needs at least one parameter in parentheses",
                         cql5_spelling(p, OP_CQL5_RELATION));
    parse_finish(p, node, word->span);
    return node;
}
