// The entry of the parser of CQL 5, its errors, tokens and nodes, and the two readings of a filter (language
// reference 11.2, 11.3).
#include "parser.h"

#include "cql5.h"
#include "compiler/front/cql6/token.h"

// ---- errors ----------------------------------------------------------------------------------------------

static void report(Cql5Parser *p, Span span, const char *format, va_list arguments)
{
    diag_add(p->diagnostics, DIAG_ERROR, span, "%s", arena_vprintf(p->arena, format, arguments));
}

void cql5_abandon(Cql5Parser *p)
{
    longjmp(p->failed, 1);
}

void cql5_report(Cql5Parser *p, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, span, format, arguments);
    va_end(arguments);
    if (p->diagnostics->errors >= RECOVER_MAX_ERRORS)
        cql5_abandon(p);
}

void cql5_fail(Cql5Parser *p, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, span, format, arguments);
    va_end(arguments);
    cql5_abandon(p);
}

static const char *token_name(const Cql5Parser *p, const Cql5Token *t)
{
    return t->kind == CQL5_END      ? "the end of the query"
           : t->kind == CQL5_STRING ? arena_printf(p->arena, "\"%s\"", t->bytes)
                                    : arena_printf(p->arena, "`%s`", t->bytes);
}

void cql5_fail_found(Cql5Parser *p, const char *format, ...)
{
    if (cql5_peek(p)->kind == CQL5_BAD)
        cql5_abandon(p);
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(p->arena, format, arguments);
    va_end(arguments);
    cql5_fail(p, cql5_peek(p)->span, "%s, found %s", text, token_name(p, cql5_peek(p)));
}

// ---- tokens ----------------------------------------------------------------------------------------------

const Cql5Token *cql5_peek(const Cql5Parser *p)
{
    return &p->token[p->position];
}

const Cql5Token *cql5_next(Cql5Parser *p)
{
    const Cql5Token *t = cql5_peek(p);
    p->position += t->kind != CQL5_END;
    return t;
}

bool cql5_at(const Cql5Parser *p, Cql5WordId word)
{
    return cql5_peek(p)->kind == CQL5_KEYWORD && cql5_peek(p)->word == word;
}

bool cql5_take(Cql5Parser *p, Cql5WordId word)
{
    const bool here = cql5_at(p, word);
    p->position += here;
    return here;
}

bool cql5_at_mark(const Cql5Parser *p, char mark)
{
    return cql5_peek(p)->kind == CQL5_MARK && cql5_peek(p)->mark == mark;
}

bool cql5_take_mark(Cql5Parser *p, char mark)
{
    const bool here = cql5_at_mark(p, mark);
    p->position += here;
    return here;
}

void cql5_expect(Cql5Parser *p, char mark, const char *where)
{
    if (!cql5_take_mark(p, mark))
        cql5_fail_found(p, "expected `%c` %s", mark, where);
}

const char *cql5_spelling(const Cql5Parser *p, Cql5WordId word)
{
    const Cql5WordInfo *info = &cql5_words[word];
    if (info->modern == NULL)
        return arena_printf(p->arena, "`%s`", info->word);
    return arena_printf(p->arena, "`%s` (in CQL 6.2 `%s`)", info->word, info->modern);
}

int32_t cql5_integer(Cql5Parser *p, const char *purpose)
{
    if (cql5_peek(p)->kind != CQL5_INTEGER)
        cql5_fail_found(p, "expected %s", purpose);
    return cql5_next(p)->number;
}

const Cql5Token *cql5_string(Cql5Parser *p, Cql5WordId word)
{
    if (cql5_peek(p)->kind != CQL5_STRING)
        cql5_fail_found(p, "expected a text between double quotes behind %s", cql5_spelling(p, word));
    return cql5_next(p);
}

// range = int [ int ]
Cql5Range cql5_range(Cql5Parser *p)
{
    Cql5Range range = {0};
    if (cql5_peek(p)->kind != CQL5_INTEGER)
        return range;
    const Cql5Token *low = cql5_next(p), *high = low;
    if (cql5_peek(p)->kind == CQL5_INTEGER)
        high = cql5_next(p);
    if (low->number > high->number)
        cql5_report(p, (Span){low->span.start, high->span.end},
                    "the range %d %d is reversed; write the smaller number first", low->number, high->number);
    return (Cql5Range){true, low->number, high->number};
}

Cql5Range cql5_required_range(Cql5Parser *p, Cql5WordId word)
{
    if (cql5_peek(p)->kind != CQL5_INTEGER)
        cql5_fail_found(p, "expected one or two numbers behind %s", cql5_spelling(p, word));
    return cql5_range(p);
}

// ---- nodes -----------------------------------------------------------------------------------------------

Ast *cql5_node(Cql5Parser *p, Op op, Type type, Span span)
{
    return ast_new(p->arena, op, type, span);
}

void cql5_add(Cql5Parser *p, Ast *parent, Ast *kid)
{
    ast_add_kid(p->arena, parent, kid);
}

Ast *cql5_with(Cql5Parser *p, Op op, Type type, Ast *kid)
{
    Ast *node = cql5_node(p, op, type, kid->span);
    cql5_add(p, node, kid);
    return node;
}

Ast *cql5_pair(Cql5Parser *p, Op op, Type type, Ast *left, Ast *right)
{
    Ast *node = cql5_with(p, op, type, left);
    cql5_add(p, node, right);
    if (right->span.end > node->span.end)
        node->span.end = right->span.end;
    return node;
}

Ast *cql5_number(Cql5Parser *p, int32_t number, Span span)
{
    Ast *node = cql5_node(p, OP_NUMBER, TYPE_INT, span);
    node->number = number;
    return node;
}

Range cql5_ast_range(Cql5Range range)
{
    return (Range){.present = range.present, .low = {.value = range.low}, .high = {.value = range.high}};
}

Ast *cql5_in_range(Cql5Parser *p, Ast *value, Cql5Range range)
{
    const Span span = value->span;
    if (range.low == range.high)
        return cql5_pair(p, OP_EQ, TYPE_INT, value, cql5_number(p, range.low, span));
    Ast *least = cql5_pair(p, OP_GE, TYPE_INT, value, cql5_number(p, range.low, span));
    return cql5_pair(p, OP_LE, TYPE_INT, least, cql5_number(p, range.high, span));
}

void cql5_finish(Cql5Parser *p, Ast *node, Span start)
{
    node->span = (Span){start.start, p->token[p->position > 0 ? p->position - 1 : 0].span.end};
}

Ast *cql5_assign(Cql5Parser *p, Variable *variable, Ast *value)
{
    Ast *node = cql5_with(p, OP_ASSIGN, TYPE_BOOL, value);
    node->variable = variable;
    node->number = PUNCT_ASSIGN;
    return node;
}

Variable *cql5_variable(Cql5Parser *p, const char *name, VariableKind kind, Span span)
{
    Variable *v = query_add_variable(p->query, name, kind, span);
    v->hidden = name[0] != '$';
    return v;
}

// ---- readings --------------------------------------------------------------------------------------------

static bool is_transform_of_set(const Ast *node)
{
    return node->low == CQL5_COPIES && node->kid_count == 1 && !node->range.present && node->type == TYPE_SET;
}

Ast *cql5_as_set(Cql5Parser *p, Ast *node, const char *where)
{
    if (node->type != TYPE_SET) {
        cql5_report(p, node->span, "%s needs a set of squares, but this filter is none", where);
        return cql5_node(p, OP_ALL_SQUARES, TYPE_SET, node->span);
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

Ast *cql5_as_condition(Cql5Parser *p, Ast *node)
{
    const bool two_readings = node->op == OP_NOT || node->op == OP_OR || is_transform_of_set(node);
    if (node->type != TYPE_SET || !two_readings)
        return node;
    node->type = TYPE_BOOL;
    for (int i = 0; i < node->kid_count; i++)
        node->kid[i] = cql5_as_condition(p, node->kid[i]);
    return node;
}

// ---- the file --------------------------------------------------------------------------------------------

static RecoverToken recover_token(const void *parser, int i)
{
    Cql5Parser at = {.token = ((const Cql5Parser *)parser)->token, .position = i};
    const Cql5Token *t = cql5_peek(&at);
    const bool mark = t->kind == CQL5_MARK;
    const int bracket = mark && (t->mark == '(' || t->mark == '{')   ? 1
                        : mark && (t->mark == ')' || t->mark == '}') ? -1
                                                                     : 0;
    return (RecoverToken){t->span.start, bracket, cql5_begins_filter(&at)};
}

// filter { filter }, one round of the outer loop for each error
static void parse_filters(Cql5Parser *p, int limit)
{
    volatile int start = p->position;
    if (setjmp(p->failed) != 0) {
        const bool enough = p->diagnostics->errors >= RECOVER_MAX_ERRORS;
        p->position = enough ? limit : recover_next(p->source, start, p->position, limit, recover_token, p);
        p->skipped = p->position;
        p->nesting = 0;
        p->scope = NULL;
    }
    while (cql5_peek(p)->kind != CQL5_END) {
        start = p->position;
        cql5_add(p, p->query->body, cql5_condition(p));
    }
}

// file = "cql" "(" { parameter } ")" filter { filter }
static void parse_file(Cql5Parser *p, const ParseOptions *options, int limit)
{
    Query *query = p->query;
    query->body = cql5_node(p, OP_COMPOUND, TYPE_BOOL, cql5_peek(p)->span);
    if (!options->filters_only)
        cql5_header(p, limit);
    const Span start = cql5_peek(p)->span;
    if (cql5_peek(p)->kind == CQL5_END && p->diagnostics->errors == 0)
        cql5_report(p, start, "the query has no filter");
    parse_filters(p, limit);
    cql5_finish(p, query->body, start);
}

Query *parse_cql5(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics,
                  bool old)
{
    const int errors = diagnostics->errors;
    const Cql5Tokens tokens = cql5_lex(arena, source, diagnostics, old);
    if (diagnostics->errors >= RECOVER_MAX_ERRORS)
        return NULL;
    Cql5Parser *p = arena_alloc(arena, sizeof *p);
    Query *query = arena_alloc(arena, sizeof *query);
    *p = (Cql5Parser){.arena = arena,
                      .source = source,
                      .diagnostics = diagnostics,
                      .query = query,
                      .token = tokens.token,
                      .old = old};
    query->source = *source;
    query->arena = arena;
    query->cql5 = true;
    parse_file(p, options, tokens.count - 1);
    if (diagnostics->errors == errors)
        return query;
    diag_sort(diagnostics); // the lexer has reported first
    return NULL;
}
