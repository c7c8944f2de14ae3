// The scaffold of the recursive-descent parsers: errors, tokens, nodes, and recovery after errors.
#include "parser.h"

#include <stdarg.h>
#include <string.h>

// ---- errors -----------------------------------------------------------------------------------------------

static const char *reported_text(Parser *p, Span span, const char *message)
{
    return arena_printf(p->arena, "%u %s", (unsigned)span.start, message);
}

bool parse_was_reported(Parser *p, Span span, const char *message)
{
    for (; p->reported_count < p->diagnostics->count; p->reported_count++) {
        const Diagnostic *d = &p->diagnostics->list[p->reported_count];
        const char *text = reported_text(p, d->span, d->message);
        text_map_number(p->arena, &p->reported, text, (uint32_t)strlen(text), NULL);
    }
    const char *text = reported_text(p, span, message);
    return text_map_find(&p->reported, text, (uint32_t)strlen(text)) >= 0;
}

// The lexer has reported the next token, which may be the cause of this error.
static bool is_known_bad(Parser *p)
{
    return parse_peek(p)->kind == TOKEN_ERROR;
}

void parse_cure(Parser *p, Span span, const char *text)
{
    p->cure = (Cure){span, text};
}

static void add_cured(Parser *p, Severity severity, Span span, const char *message, Cure cure)
{
    diag_add(p->diagnostics, severity, span, "%s", message);
    if (cure.text != NULL)
        diag_cure(p->diagnostics, cure.span, cure.text);
}

static void report(Parser *p, Span span, const char *format, va_list arguments)
{
    const Cure cure = p->cure;
    p->cure = (Cure){{0, 0}, NULL};
    if (is_known_bad(p))
        return;
    const char *message = arena_vprintf(p->arena, format, arguments);
    if (parse_was_reported(p, span, message))
        return;
    add_cured(p, DIAG_ERROR, span, message, cure);
    if (p->dialect->note != NULL)
        p->dialect->note(p);
}

void parse_report(Parser *p, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, span, format, arguments);
    va_end(arguments);
    if (p->diagnostics->errors >= PARSER_MAX_ERRORS)
        parse_abandon(p);
}

void parse_warn(Parser *p, Span span, const char *message)
{
    const Cure cure = p->cure;
    p->cure = (Cure){{0, 0}, NULL};
    if (!parse_was_reported(p, span, message))
        add_cured(p, DIAG_WARNING, span, message, cure);
}

void parse_abandon(Parser *p)
{
    longjmp(p->recover, 1);
}

void parse_fail(Parser *p, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, span, format, arguments);
    va_end(arguments);
    parse_abandon(p);
}

void parse_fail_found(Parser *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(p->arena, format, arguments);
    va_end(arguments);
    const Token *t = parse_peek(p);
    parse_fail(p, t->span, "%s, found %s", message, parse_text(p, t));
}

void parse_fail_word(Parser *p, const char *expected, const char *const *names, size_t count)
{
    const Token *t = parse_peek(p);
    if (is_known_bad(p))
        parse_abandon(p);
    diag_add(p->diagnostics, DIAG_ERROR, t->span, "expected %s, found %s", expected, parse_text(p, t));
    if (t->bytes != NULL)
        diag_suggest(p->diagnostics, t->bytes, t->length, names, count);
    parse_abandon(p);
}

// ---- tokens -----------------------------------------------------------------------------------------------

const char *parse_text(Parser *p, const Token *t)
{
    if (t->kind != TOKEN_END)
        return token_text(p->arena, p->source, t);
    return p->dialect->end_name != NULL ? p->dialect->end_name(p) : "the end of the query";
}

const Token *parse_peek_at(Parser *p, int distance)
{
    int place = p->position + distance;
    if (place > p->limit)
        place = p->limit;
    const Token *t = &p->token[place];
    if (place < p->limit && (p->dialect->ends_at == NULL || !p->dialect->ends_at(p, t)))
        return t;
    p->end.kind = TOKEN_END;
    p->end.span = t->span;
    if (place > 0 && t->kind != TOKEN_END) {
        const uint32_t end = p->token[place - 1].span.end;
        p->end.span = (Span){end, end};
    }
    return &p->end;
}

const Token *parse_peek(Parser *p)
{
    return parse_peek_at(p, 0);
}

const Token *parse_next(Parser *p)
{
    const Token *t = parse_peek(p);
    if (t->kind != TOKEN_END)
        p->position++;
    return t;
}

Span parse_span_from(const Parser *p, Span start)
{
    const Span last = p->position > 0 ? p->token[p->position - 1].span : start;
    if (last.end > start.start)
        start.end = last.end;
    return start;
}

// Identifiers have an op when they are words of CQLi in places like this one.
bool parse_at_word(Parser *p, int word)
{
    const Token *t = parse_peek(p);
    return (t->kind == TOKEN_WORD || t->kind == TOKEN_IDENTIFIER) && t->op == word;
}

bool parse_at(Parser *p, enum Punctuation mark)
{
    return token_is_mark(parse_peek(p), mark);
}

bool parse_take_word(Parser *p, int word)
{
    const bool here = parse_at_word(p, word);
    p->position += here;
    return here;
}

bool parse_take(Parser *p, enum Punctuation mark)
{
    const bool here = parse_at(p, mark);
    p->position += here;
    return here;
}

void parse_expect(Parser *p, enum Punctuation mark, const char *why)
{
    if (parse_take(p, mark))
        return;
    if (parse_at(p, PUNCT_COMMA)) {
        parse_cure(p, parse_peek(p)->span, " ");
        parse_fail(p, parse_peek(p)->span, "expected `%s` %s, found `,`; separate arguments with spaces",
                   punctuation_spelling[mark], why);
    }
    parse_fail_found(p, "expected `%s` %s", punctuation_spelling[mark], why);
}

void parse_inwards(Parser *p, Span start)
{
    if (++p->nesting > p->dialect->max_nesting)
        parse_fail(p, start, "filters are nested too deeply (more than %d levels)", p->dialect->max_nesting);
}

void parse_outwards(Parser *p)
{
    p->nesting--;
}

// ---- nodes ------------------------------------------------------------------------------------------------

Ast *parse_node(Parser *p, Op op, Type type, Span span)
{
    return ast_new(p->arena, op, type, span);
}

void parse_add(Parser *p, Ast *parent, Ast *kid)
{
    ast_add_kid(p->arena, parent, kid);
}

static void raise_height(Ast *node, const Ast *operand)
{
    if (operand != NULL && node->height <= operand->height)
        node->height = operand->height + 1;
}

Ast *parse_finish(Parser *p, Ast *node, Span start)
{
    node->span = parse_span_from(p, start);
    raise_height(node, node->kid_left);
    raise_height(node, node->kid_right);
    raise_height(node, node->kid_extra);
    raise_height(node, node->kid_extra2);
    if (node->height > PARSER_MAX_DEPTH)
        parse_fail(p, start, "expression nested too deeply (more than %d operators inside one another)",
                   PARSER_MAX_DEPTH);
    return node;
}

// ---- the header -------------------------------------------------------------------------------------------

static void skip_header(Parser *p)
{
    for (int depth = 1; p->position < p->limit && depth > 0; p->position++) {
        const Token *t = &p->token[p->position];
        depth += token_is_mark(t, PUNCT_LEFT_PAREN) - token_is_mark(t, PUNCT_RIGHT_PAREN);
    }
}

static void fail_without_header(Parser *p)
{
    const uint32_t start = parse_peek(p)->span.start;
    parse_cure(p, (Span){start, start}, "cql()\n");
    parse_fail_found(p, "expected `cql()` at the beginning of the query");
}

// "cql" "(" { parameter } ")"
void parse_header_with(Parser *p, int cql, void (*parameter)(Parser *p))
{
    volatile bool opened = false;
    if (setjmp(p->recover) != 0) {
        if (opened)
            skip_header(p);
        else
            p->position = p->limit; // without a header the language of the text is unknown
        return;
    }
    if (!parse_take_word(p, cql))
        fail_without_header(p);
    parse_expect(p, PUNCT_LEFT_PAREN, "after `cql`");
    opened = true;
    while (!parse_take(p, PUNCT_RIGHT_PAREN))
        parameter(p);
}

// ---- filters ----------------------------------------------------------------------------------------------

static bool begins_line(const Source *source, uint32_t start)
{
    while (start > 0 && (source->text[start - 1] == ' ' || source->text[start - 1] == '\t'))
        start--;
    return start == 0 || source->text[start - 1] == '\n';
}

// After an error in the filter whose first token is number `start`: the next token outside of brackets that begins a
// line and may begin a filter, but is not a bracket (it may continue the broken filter).
static int next_filter(const Parser *p, int start)
{
    int depth = 0, i = start;
    for (; i < p->limit; i++) {
        const Token *t = &p->token[i];
        const int step = token_bracket(t);
        const bool after = i > start && i >= p->position && depth == 0;
        if (after && step == 0 && p->dialect->begins_filter(t) && begins_line(p->source, t->span.start))
            break;
        depth = depth + step < 0 ? 0 : depth + step;
    }
    return i;
}

// filter { filter }; one round of the outer loop for each error
void parse_filters(Parser *p)
{
    Ast *const body = p->query->body;
    const Token *const token = p->token;
    const int count = body->kid_count, limit = p->limit;
    volatile int start = p->position;
    if (setjmp(p->recover) != 0) {
        p->token = token;
        p->limit = limit;
        p->nesting = 0;
        p->dialect->restart(p, start);
        p->position = p->diagnostics->errors < PARSER_MAX_ERRORS ? next_filter(p, start) : p->limit;
        p->dialect->skipped(p, start, p->position);
    }
    while (parse_peek(p)->kind != TOKEN_END) {
        start = p->position;
        parse_add(p, body, p->dialect->condition(p));
    }
    if (body->kid_count == count && p->diagnostics->errors == 0)
        diag_add(p->diagnostics, DIAG_ERROR, parse_peek(p)->span, "the query has no filter");
}
