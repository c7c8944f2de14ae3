// `relation` (language reference 11.7).
#include "parser.h"

// square-parameter = { "sourcesquares" set | "targetsquares" set | "match" range | "mismatch" range }
static Ast *parse_squares(Cql5Parser *p, Span start)
{
    Ast *node = cql5_node(p, OP_RELATION_SQUARES, TYPE_BOOL, start);
    node->low = 0;
    node->high = 64;
    for (;;) {
        const Cql5Token *t = cql5_peek(p);
        if (cql5_take(p, CQL5_SOURCESQUARES)) {
            ast_set_operand(node, &node->kid_left, cql5_set(p, "`sourcesquares`"));
        } else if (cql5_take(p, CQL5_TARGETSQUARES)) {
            ast_set_operand(node, &node->kid_right, cql5_set(p, "`targetsquares`"));
        } else if (cql5_take(p, CQL5_MATCH)) {
            node->range = cql5_ast_range(cql5_required_range(p, t->word));
        } else if (cql5_take(p, CQL5_MISMATCH)) {
            const Cql5Range range = cql5_required_range(p, t->word);
            node->low = range.low;
            node->high = range.high;
        } else {
            return node;
        }
    }
}

// "(" "tomove" ( "match" | "mismatch" ) ")"
static Ast *parse_side(Cql5Parser *p, Span start)
{
    cql5_next(p);
    Ast *node = cql5_node(p, OP_RELATION_SIDE, TYPE_BOOL, start);
    node->number = cql5_take(p, CQL5_MATCH);
    if (!node->number && !cql5_take(p, CQL5_MISMATCH))
        cql5_fail_found(p, "expected `match` or `mismatch` behind `tomove`");
    return node;
}

// "ancestor" | "descendant" | lca-word range
static Ast *parse_lca(Cql5Parser *p, Span start)
{
    static const int32_t numbers[CQL5_WORD_COUNT] = {
        [CQL5_ANCESTOR] = RELATION_ANCESTOR,     [CQL5_DESCENDANT] = RELATION_DESCENDANT,
        [CQL5_LCAMAX] = RELATION_LCA_MAX,        [CQL5_LCASUM] = RELATION_LCA_SUM,
        [CQL5_LCASOURCE] = RELATION_LCA_SOURCE,  [CQL5_LCATARGET] = RELATION_LCA_TARGET,
        [CQL5_LCASUBSTRING] = RELATION_SUBSTRING};
    const Cql5Token *word = cql5_next(p);
    Ast *node = cql5_node(p, OP_RELATION_LCA, TYPE_BOOL, start);
    node->number = numbers[word->word];
    if (word->word == CQL5_ANCESTOR || word->word == CQL5_DESCENDANT)
        return node;
    const Cql5Range range = cql5_required_range(p, word->word);
    if (word->word == CQL5_LCASUBSTRING && range.low < 1)
        cql5_report(p, word->span, "the range of `lcasubstring` begins at 1 or above");
    node->range = cql5_ast_range(range);
    node->type = TYPE_INT;
    return node;
}

// "(" [ "sort" [ "max" | "min" ] [ string ] ] lca-word range ")"
static Ast *parse_sorted_lca(Cql5Parser *p, Span start)
{
    Ast *sort = cql5_take(p, CQL5_SORT) ? cql5_sort_node(p, start) : NULL;
    const Cql5Token *t = cql5_peek(p);
    if (t->kind != CQL5_KEYWORD || cql5_words[t->word].group != GROUP_LCA)
        cql5_fail_found(
            p, "expected a parameter of `relation`: `sourcesquares`, `targetsquares`, `match`, `mismatch`, "
               "`tomove`, `ancestor`, `descendant`, `lcamax`, `lcasum`, `lcasource`, `lcatarget` or "
               "`lcasubstring`");
    Ast *node = parse_lca(p, start);
    if (sort == NULL)
        return node;
    cql5_sort_value(p, sort, node);
    return sort;
}

static bool begins_squares(const Cql5Parser *p)
{
    return cql5_at(p, CQL5_SOURCESQUARES) || cql5_at(p, CQL5_TARGETSQUARES) || cql5_at(p, CQL5_MATCH) ||
           cql5_at(p, CQL5_MISMATCH);
}

static bool at_echo_transform(const Cql5Parser *p)
{
    const Cql5Token *t = cql5_peek(p);
    return t->kind == CQL5_KEYWORD && cql5_words[t->word].group == GROUP_ECHO;
}

// relparam = [ echo-transform ] "(" … ")"
static Ast *parse_parameter(Cql5Parser *p)
{
    const Cql5Token *first = cql5_peek(p), *echo = at_echo_transform(p) ? cql5_next(p) : NULL;
    if (!cql5_at_mark(p, '(') || (echo != NULL && p->token[p->position + 1].kind != CQL5_KEYWORD))
        cql5_fail_found(p, "expected a parameter of `relation` in parentheses behind `%s`", echo->bytes);
    cql5_next(p);
    Ast *node;
    if (begins_squares(p)) {
        node = parse_squares(p, first->span);
        node->number = echo != NULL ? (int32_t)cql5_words[echo->word].op : 0;
    } else {
        if (echo != NULL)
            cql5_report(
                p, echo->span,
                "`%s` can stand only before a parameter with `sourcesquares`, `targetsquares`, `match` "
                "or `mismatch`",
                echo->bytes);
        node = cql5_at(p, CQL5_TOMOVE) ? parse_side(p, first->span) : parse_sorted_lca(p, first->span);
    }
    if (echo != NULL && echo->word == CQL5_ECHOROTATE45)
        cql5_report(p, echo->span, "`echorotate45` cannot compare squares: no square has an image under it");
    cql5_expect(p, ')', "behind the parameter of `relation`");
    cql5_finish(p, node, first->span);
    return node;
}

// "relation" { filter } relparam { relparam }
Ast *cql5_relation(Cql5Parser *p)
{
    const Cql5Token *word = cql5_next(p);
    Ast *node = cql5_node(p, OP_RELATION, TYPE_BOOL, word->span);
    if (cql5_begins_filter(p)) {
        Ast *targets = cql5_node(p, OP_COMPOUND, TYPE_BOOL, cql5_peek(p)->span);
        while (cql5_begins_filter(p))
            cql5_add(p, targets, cql5_condition(p));
        cql5_finish(p, targets, targets->span);
        ast_set_operand(node, &node->kid_left, targets);
    }
    while (cql5_at_mark(p, '(') || at_echo_transform(p))
        cql5_add(p, node, parse_parameter(p));
    if (node->kid_count == 0)
        cql5_fail_found(p, "%s needs at least one parameter in parentheses", cql5_spelling(p, CQL5_RELATION));
    cql5_finish(p, node, word->span);
    return node;
}
