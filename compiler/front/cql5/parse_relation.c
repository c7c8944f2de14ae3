// `relation` as an `echo` of CQL 6.2 (language reference 11.7). Only a comparison under an echo transform stays a construct of
// its own: OP_RELATION_SQUARES.
#include "compiler/front/cql6/cql6.h"
#include "parser.h"

// `$1` is the source, `$2` the target.
static Ast *of_pair(Parser *p, Span span, const char *text, Ast *third, Ast *fourth)
{
    Ast *source = build_read(p->arena, own(p)->source, span),
        *target = build_read(p->arena, own(p)->target, span);
    return cql6_template(p->query, p->diagnostics, span, text, (Ast *[]){source, target, third, fourth}, 4);
}

// ---- square parameters ------------------------------------------------------------------------------------

enum { MOST_SQUARES = 64 };

// The parts of a square parameter. Sets: NULL: all squares.
typedef struct Squares {
    Ast *source, *target;
    Range matches, mismatches;
} Squares;

// { "sourcesquares" set | "targetsquares" set | "match" range | "mismatch" range }
static Squares parse_parts(Parser *p)
{
    Squares s = {NULL, NULL, build_range(0, MOST_SQUARES), build_range(0, MOST_SQUARES)};
    for (;;) {
        const Token *t = parse_peek(p);
        if (parse_take_word(p, OP_CQL5_SOURCESQUARES))
            s.source = cql5_set(p, "`sourcesquares`");
        else if (parse_take_word(p, OP_CQL5_TARGETSQUARES))
            s.target = cql5_set(p, "`targetsquares`");
        else if (parse_take_word(p, OP_CQL5_MATCH))
            s.matches = cql5_required_range(p, t->op);
        else if (parse_take_word(p, OP_CQL5_MISMATCH))
            s.mismatches = cql5_required_range(p, t->op);
        else
            return s;
    }
}

static bool is_constant(const Ast *set)
{
    return set->op == OP_DESIGNATOR && set->pieces == (uint32_t)ANY_SQUARE;
}

// A set that may be evaluated again.
static bool is_plain(const Ast *set)
{
    return set == NULL || set->op == OP_DESIGNATOR;
}

// The squares that are compared; NULL: all.
static Ast *compared_squares(Parser *p, const Squares *s, Span span)
{
    if (s->source == NULL || (s->target == NULL && is_constant(s->source)))
        return s->source != NULL ? s->source : s->target;
    return of_pair(p, span, s->target != NULL ? "$1:$3 & $4" : "$1:$3", s->source, s->target);
}

static bool allows_all(Range range)
{
    return range.low.value <= 0 && range.high.value >= MOST_SQUARES;
}

static bool allows_none(Range range)
{
    return range.low.value <= 0 && range.high.value == 0;
}

static Ast *count_test(Parser *p, Ast *squares, Range range)
{
    if (range.low.value <= 0)
        range.low.value = range.high.value == 0 ? 0 : INT32_MIN;
    if (range.high.value >= MOST_SQUARES)
        range.high.value = range.low.value == range.high.value ? range.high.value : INT32_MAX;
    return build_in_range(p->arena, build_with(p->arena, OP_COUNT_SET, TYPE_INT, squares), range);
}

// Tests how many squares have equal and different contents.
static void add_plain_squares(Parser *p, Ast *body, const Squares *s, Span span)
{
    const bool by_matches = !allows_all(s->matches), by_mismatches = !allows_all(s->mismatches);
    Ast *squares = compared_squares(p, s, span);
    const bool constant = squares == NULL || is_constant(squares);
    if (by_matches && by_mismatches && !(is_plain(s->source) && is_plain(s->target))) {
        Ast *kept = build_read(p->arena, cql5_variable(p, "compared", VARIABLE_SET, span), span);
        parse_add(p, body, of_pair(p, span, "$3 = $4", kept, squares));
        squares = kept;
    }
    if (by_matches) {
        Ast *equal = of_pair(p, span, squares == NULL ? "$1 & $2" : "$1 & $2 & $3", squares, NULL);
        parse_add(p, body, count_test(p, equal, s->matches));
    }
    if (allows_none(s->mismatches) && constant) {
        parse_add(p, body,
                  of_pair(p, span, squares == NULL ? "$1 & $2 == ." : "$1 & $2 & $3 == $3", squares, NULL));
    } else if (by_mismatches) {
        Ast *different = of_pair(p, span, squares == NULL ? "~($1 & $2)" : "$3 & ~($1 & $2)", squares, NULL);
        parse_add(p, body, count_test(p, different, s->mismatches));
    }
}

// Compares under an echo transform.
static void add_mapped_squares(Parser *p, Ast *body, const Squares *s, Op transform, Span span)
{
    Ast *squares = compared_squares(p, s, span), *node = parse_node(p, OP_RELATION_SQUARES, TYPE_BOOL, span);
    parse_add(p, node, squares != NULL ? squares : parse_node(p, OP_ALL_SQUARES, TYPE_SET, span));
    node->variable = own(p)->source;
    node->variable2 = own(p)->target;
    node->number = transform;
    node->range = s->matches;
    node->low = s->mismatches.low.value;
    node->high = s->mismatches.high.value;
    parse_add(p, body, node);
}

// ---- the other parameters ---------------------------------------------------------------------------------

// "(" "tomove" ( "match" | "mismatch" ) ")"
static Ast *parse_side(Parser *p, Span start)
{
    parse_next(p);
    const bool same = parse_take_word(p, OP_CQL5_MATCH);
    if (!same && !parse_take_word(p, OP_CQL5_MISMATCH))
        parse_fail_found(p, "expected `match` or `mismatch` after `tomove`");
    return of_pair(p, start, same ? "sidetomove == $1:sidetomove" : "sidetomove != $1:sidetomove", NULL,
                   NULL);
}

static bool at_any_of(Parser *p, Op first, Op last)
{
    const Token *t = parse_peek(p);
    return t->kind == TOKEN_WORD && t->op >= (int)first && t->op <= (int)last;
}

// "ancestor" | "descendant" | lca-word range
static Ast *parse_lca(Parser *p, Ast *relation, Span start)
{
    static const char *const meaning[OP_COUNT_] = {
        [OP_CQL5_ANCESTOR] = "$2 [<] $1",
        [OP_CQL5_DESCENDANT] = "$1 [<] $2",
        [OP_CQL5_LCAMAX] = "max(($1:ply - lca($1 $2):ply) ($2:ply - lca($1 $2):ply))",
        [OP_CQL5_LCASUM] = "distance($1 $2)",
        [OP_CQL5_LCASOURCE] = "$1:ply - lca($1 $2):ply",
        [OP_CQL5_LCATARGET] = "$2:ply - lca($1 $2):ply",
        [OP_CQL5_LCASUBSTRING] = "consecutivemoves quiet ($1 $2)"};
    const Token *word = parse_next(p);
    Ast *node = of_pair(p, start, meaning[word->op], NULL, NULL);
    if (word->op == OP_CQL5_ANCESTOR || word->op == OP_CQL5_DESCENDANT)
        return node;
    relation->number |= word->op == OP_CQL5_LCASUBSTRING ? ECHO_LCA | ECHO_RUN : ECHO_LCA;
    const Range range = cql5_required_range(p, word->op);
    if (word->op != OP_CQL5_LCASUBSTRING)
        return build_in_range(p->arena, node, range);
    if (range.low.value < 1)
        parse_report(p, word->span, "the range of `lcasubstring` must begin at 1 or more");
    node->range = range;
    return node;
}

// "(" [ "sort" [ "max" | "min" ] [ string ] ] lca-word range ")"
static Ast *parse_sorted_lca(Parser *p, Ast *relation, Span start)
{
    Ast *sort = parse_take_word(p, OP_CQL5_SORT) ? cql5_sort_node(p, start) : NULL;
    if (!at_any_of(p, OP_CQL5_ANCESTOR, OP_CQL5_LCASUBSTRING))
        parse_fail_found(
            p, "expected a parameter of `relation`: `sourcesquares`, `targetsquares`, `match`, `mismatch`, "
               "`tomove`, `ancestor`, `descendant`, `lcamax`, `lcasum`, `lcasource`, `lcatarget` or "
               "`lcasubstring`");
    const Token *word = parse_peek(p);
    Ast *node = parse_lca(p, relation, start);
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
static void parse_parameter(Parser *p, Ast *relation, Ast *body)
{
    const Token *first = parse_peek(p), *echo = at_echo_transform(p) ? parse_next(p) : NULL;
    const Span start = first->span;
    if (!parse_take(p, PUNCT_LEFT_PAREN) || (echo != NULL && parse_peek(p)->kind != TOKEN_WORD))
        parse_fail_found(p, "expected a parameter of `relation` in parentheses after `%s`", echo->bytes);
    if (at_any_of(p, OP_CQL5_SOURCESQUARES, OP_CQL5_MISMATCH)) {
        const Squares s = parse_parts(p);
        const Span span = parse_span_from(p, start);
        if (echo != NULL)
            add_mapped_squares(p, body, &s, op_info[echo->op].canonical, span);
        else
            add_plain_squares(p, body, &s, span);
    } else {
        if (echo != NULL)
            parse_report(
                p, echo->span,
                "`%s` is allowed only before a parameter with `sourcesquares`, `targetsquares`, `match` "
                "or `mismatch`",
                echo->bytes);
        parse_add(p, body,
                  parse_at_word(p, OP_CQL5_TOMOVE) ? parse_side(p, start)
                                                   : parse_sorted_lca(p, relation, start));
    }
    if (echo != NULL && echo->op == OP_CQL5_ECHOROTATE45)
        parse_report(p, echo->span, "`echorotate45` cannot compare squares: no square has an image under it");
    parse_expect(p, PUNCT_RIGHT_PAREN, "after the parameter of `relation`");
}

// { filter } relparam { relparam }
static Ast *parse_body(Parser *p, Ast *relation)
{
    Ast *body = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_peek(p)->span);
    while (cql5_begins_filter(parse_peek(p)))
        parse_add(p, body, cql5_condition(p));
    const uint32_t begin = parse_peek(p)->span.start;
    while (parse_at(p, PUNCT_LEFT_PAREN) || at_echo_transform(p))
        parse_parameter(p, relation, body);
    if (parse_peek(p)->span.start == begin)
        parse_fail_found(p, "%s needs at least one parameter in parentheses",
                         cql5_spelling(p, OP_CQL5_RELATION));
    if (body->kid_count == 0)
        parse_add(p, body, parse_node(p, OP_TRUE, TYPE_BOOL, body->span));
    return parse_finish(p, body, body->span);
}

// "relation" { filter } relparam { relparam }
Ast *cql5_relation(Parser *p)
{
    const Token *word = parse_next(p);
    Variable *const outer_source = own(p)->source, *const outer_target = own(p)->target;
    Ast *node = parse_node(p, OP_ECHO, TYPE_BOOL, word->span);
    node->variable = own(p)->source = cql5_variable(p, "source", VARIABLE_POSITION, word->span);
    node->variable2 = own(p)->target = cql5_variable(p, "target", VARIABLE_POSITION, word->span);
    parse_add(p, node, parse_body(p, node));
    own(p)->source = outer_source;
    own(p)->target = outer_target;
    return parse_finish(p, node, word->span);
}
