// The driver of the parser: its errors, tokens and nodes, and the query as a whole (language reference 2.1).
#include "compiler/front/cqli/cqli.h"
#include "parser.h"
#include "compiler/front/kit/recover.h"

#include <stdarg.h>
#include <string.h>

// ---- errors -----------------------------------------------------------------------------------------------

static bool already_reported(const Parser *p, Span span, const char *message)
{
    for (int i = p->diagnostics->count - 1; i >= 0; i--) {
        const Diagnostic *d = &p->diagnostics->list[i];
        if (d->span.start == span.start && strcmp(d->message, message) == 0)
            return true;
    }
    return false;
}

static void note_call(Parser *p)
{
    if (p->expansions > 0)
        diag_add(p->diagnostics, DIAG_NOTE, p->call, "in this call of a function");
}

enum { MESSAGE_SIZE = 1024 }; // longer messages (they may quote the query) are cut

// The lexer has reported what stands next; it may be the cause of whatever is wrong here.
static bool is_known_bad(Parser *p)
{
    return parse_peek(p)->kind == TOKEN_ERROR;
}

static void report(Parser *p, Span span, const char *format, va_list arguments)
{
    if (is_known_bad(p))
        return;
    char message[MESSAGE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    if (already_reported(p, span, message))
        return;
    diag_add(p->diagnostics, DIAG_ERROR, span, "%s", message);
    note_call(p);
}

void parse_report(Parser *p, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(p, span, format, arguments);
    va_end(arguments);
    if (p->diagnostics->errors >= RECOVER_MAX_ERRORS)
        parse_abandon(p);
}

void parse_warn(Parser *p, Span span, const char *message)
{
    if (!already_reported(p, span, message))
        diag_add(p->diagnostics, DIAG_WARNING, span, "%s", message);
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
    char message[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
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

// The word stands where a filter expects a text: `player Kasparov`.
static bool follows_text_filter(const Parser *p, const Token *name)
{
    const Token *before = name - 1;
    if (name == p->token || before->kind != TOKEN_WORD)
        return false;
    return before->op == OP_PLAYER || before->op == OP_EVENT || before->op == OP_SITE ||
           before->op == OP_TAG ||
           ((before->op == OP_WHITE || before->op == OP_BLACK) && before > p->token &&
            before[-1].op == OP_PLAYER);
}

void parse_fail_unknown(Parser *p, const Token *name)
{
    const Token *next = name + 1; // the end of the tokens at the latest
    const bool torn = next->kind == TOKEN_ERROR && !(next->flags & TOKEN_SPACE_BEFORE);
    if (torn || name_is_poisoned(p, name->bytes))
        parse_abandon(p);
    size_t words, count = 0;
    const char *const *word = op_words(&words);
    const char **names = arena_alloc(p->arena, (words + (size_t)p->query->variable_count) * sizeof *names);
    for (int i = 0; i < p->query->variable_count; i++)
        if (!p->query->variable[i]->hidden)
            names[count++] = p->query->variable[i]->name;
    for (size_t i = 0; i < words; i++)
        names[count++] = word[i];
    const char *message = arena_printf(p->arena, "unknown name `%s`", name->bytes);
    if (!already_reported(p, name->span, message)) {
        diag_add(p->diagnostics, DIAG_ERROR, name->span, "%s", message);
        const char *advice =
            follows_text_filter(p, name)
                ? arena_printf(p->arena, "a text stands in double quotes: `\"%s\"`", name->bytes)
                : hint_for_name(name->bytes);
        if (advice != NULL)
            diag_advise(p->diagnostics, advice);
        else
            diag_suggest(p->diagnostics, name->bytes, name->length, names, count);
        note_call(p);
    }
    parse_abandon(p);
}

// ---- tokens -----------------------------------------------------------------------------------------------

const char *parse_text(Parser *p, const Token *t)
{
    if (t->kind != TOKEN_END)
        return token_text(p->arena, p->source, t);
    if (p->position < p->limit && p->token[p->position].flags & TOKEN_PATH_END)
        return "the blank line that ends the path";
    const Token *after = &p->token[p->position];
    if (after->kind != TOKEN_END && p->expansions == 0)
        return "the end of the `///` line";
    return p->expansions > 0 ? "the end of the function body" : "the end of the query";
}

const Token *parse_peek_at(Parser *p, int distance)
{
    int place = p->position + distance;
    if (place > p->limit)
        place = p->limit;
    const Token *t = &p->token[place];
    bool ends = place == p->limit || (t->flags & TOKEN_PATH_END && p->here.open_paths > 0);
    if (!ends)
        return t;
    p->end.kind = TOKEN_END;
    p->end.span = t->span;
    if (place > 0 && t->kind != TOKEN_END)
        p->end.span = (Span){p->token[place - 1].span.end, p->token[place - 1].span.end};
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
    Span last = p->position > 0 ? p->token[p->position - 1].span : start;
    if (last.end > start.start)
        start.end = last.end;
    return start;
}

// Identifiers have an op when they are words of CQLi in places like this one.
static bool is_word(const Token *t, Op op)
{
    return (t->kind == TOKEN_WORD || t->kind == TOKEN_IDENTIFIER) && t->op == (int)op;
}

bool parse_at_word(Parser *p, Op op)
{
    return is_word(parse_peek(p), op);
}

bool parse_at(Parser *p, enum Punctuation mark)
{
    return token_is_mark(parse_peek(p), mark);
}

bool parse_take_word(Parser *p, Op op)
{
    bool here = parse_at_word(p, op);
    if (here)
        p->position++;
    return here;
}

bool parse_take(Parser *p, enum Punctuation mark)
{
    bool here = parse_at(p, mark);
    if (here)
        p->position++;
    return here;
}

void parse_expect(Parser *p, enum Punctuation mark, const char *why)
{
    if (parse_take(p, mark))
        return;
    if (parse_at(p, PUNCT_COMMA))
        parse_fail(p, parse_peek(p)->span,
                   "expected `%s` %s, found `,`; only white space stands between arguments",
                   punctuation_spelling[mark], why);
    parse_fail_found(p, "expected `%s` %s", punctuation_spelling[mark], why);
}

bool parse_is_quoted(const Parser *p, const Token *t)
{
    return t->kind == TOKEN_STRING && p->source->text[t->span.start] == '"';
}

const Token *parse_quoted(Parser *p, const char *purpose)
{
    if (!parse_is_quoted(p, parse_peek(p)))
        parse_fail_found(p, "expected %s between double quotes", purpose);
    if (parse_peek(p)->length == 0)
        parse_fail(p, parse_peek(p)->span, "%s must not be empty", purpose);
    return parse_next(p);
}

bool parse_is_dash(const Token *t)
{
    return token_is_mark(t, PUNCT_DASH) || token_is_mark(t, PUNCT_CAPTURE);
}

static bool word_begins_filter(Op op)
{
    switch (op) {
    case OP_WORD_ATOMIC:
    case OP_WORD_PERSISTENT:
    case OP_WORD_DICTIONARY:
    case OP_WORD_LOCAL:
    case OP_WORD_SQUARE:
    case OP_WORD_PIECE:
    case OP_WORD_STRING:
        return true;
    default:
        return op_info[op].row == ROW_FILTER;
    }
}

bool parse_begins_filter(const Token *t)
{
    switch (t->kind) {
    case TOKEN_WORD:
        return word_begins_filter((Op)t->op);
    case TOKEN_IDENTIFIER:
    case TOKEN_INTEGER:
    case TOKEN_STRING:
    case TOKEN_GROUP:
    case TOKEN_GROUP_OFFSET:
    case TOKEN_DESIGNATOR:
    case TOKEN_PIECE_DECLARATION:
    case TOKEN_LINE_COMMENT:
        return true;
    case TOKEN_PUNCTUATION:
        switch (t->number) {
        case PUNCT_LEFT_PAREN:
        case PUNCT_LEFT_BRACE:
        case PUNCT_DOT:
        case PUNCT_EMPTY_SET:
        case PUNCT_COMPLEMENT:
        case PUNCT_COUNT:
        case PUNCT_MINUS:
        case PUNCT_DASH:
        case PUNCT_CAPTURE:
        case PUNCT_FORALL:
        case PUNCT_BACKQUOTE:
            return true;
        default:
            return false;
        }
    default:
        return false;
    }
}

void parse_inwards(Parser *p, Span start)
{
    if (++p->nesting > PARSER_MAX_NESTING)
        parse_fail(p, start, "filters are nested too deeply (more than %d levels)", PARSER_MAX_NESTING);
}

void parse_outwards(Parser *p)
{
    p->nesting--;
}

void parse_put_back(Parser *p, Ast *node, int start, int place)
{
    Memo *memo = arena_alloc(p->arena, sizeof *memo);
    *memo = (Memo){p->token, start, p->position, node, p->memo};
    p->memo = memo;
    p->position = place;
}

Surroundings parse_enter(Parser *p)
{
    Surroundings outer = p->here;
    p->here = (Surroundings){0};
    return outer;
}

void parse_leave(Parser *p, Surroundings outer)
{
    p->here = outer;
}

// ---- nodes ------------------------------------------------------------------------------------------------

const char *type_noun(Type type)
{
    static const char *const nouns[TYPE_COUNT] = {"a condition (true or false)", "a number",
                                                  "a set of squares", "a string", "a position"};
    return nouns[type];
}

Ast *parse_node(Parser *p, Op op, Type type, Span span)
{
    return ast_new(p->arena, op, type, span);
}

void parse_add(Parser *p, Ast *parent, Ast *kid)
{
    ast_add_kid(p->arena, parent, kid);
}

static void raise_height(Ast *node, const Ast *kid)
{
    if (kid != NULL && node->height <= kid->height)
        node->height = kid->height + 1;
}

Ast *parse_finish(Parser *p, Ast *node, Span start)
{
    node->span = parse_span_from(p, start);
    raise_height(node, node->kid_left);
    raise_height(node, node->kid_right);
    raise_height(node, node->kid_extra);
    raise_height(node, node->kid_extra2);
    if (node->height > PARSER_MAX_DEPTH)
        parse_fail(p, start, "this expression is too long: more than %d operators depend on each other",
                   PARSER_MAX_DEPTH);
    return node;
}

Ast *parse_require(Parser *p, Ast *node, Type type, const char *role)
{
    if (node->type != type)
        parse_fail(p, node->span, "%s must be %s, but this is %s", role, type_noun(type),
                   type_noun(node->type));
    return node;
}

Ast *parse_require_op(Parser *p, Ast *node, Type type, Op op)
{
    if (node->type == type)
        return node;
    return parse_require(p, node, type, arena_printf(p->arena, "the operand of `%s`", op_info[op].name));
}

// ---- the query --------------------------------------------------------------------------------------------

static int bracket_step(const Token *t)
{
    if (t->kind != TOKEN_PUNCTUATION)
        return 0;
    switch (t->number) {
    case PUNCT_LEFT_PAREN:
    case PUNCT_LEFT_BRACE:
    case PUNCT_LEFT_BRACKET:
        return 1;
    case PUNCT_RIGHT_PAREN:
    case PUNCT_RIGHT_BRACE:
    case PUNCT_RIGHT_BRACKET:
        return -1;
    default:
        return 0;
    }
}

static RecoverToken recover_token(const void *parser, int i)
{
    const Token *t = &((const Parser *)parser)->token[i];
    return (RecoverToken){t->span.start, bracket_step(t),
                          parse_begins_filter(t) && !(t->flags & (TOKEN_PATH_TOP | TOKEN_IN_COMMENT_LINE))};
}

// After an error in the filter that begins at `start`. Names that the skipped text may introduce are
// remembered, so that their absence is not reported.
static void skip_to_next_filter(Parser *p, int start)
{
    const int next = recover_next(p->source, start, p->position, p->limit, recover_token, p);
    for (int i = start; i < next; i++)
        if (p->token[i].kind == TOKEN_IDENTIFIER)
            name_poison(p, p->token[i].bytes);
    p->position = next;
}

// Reads filters up to the end of the tokens, into the body; one round of the outer loop for each error.
static void parse_filters(Parser *p, const TokenList *tokens)
{
    Ast *volatile body = p->query->body;
    volatile int count = body->kid_count;
    volatile int start = p->position;
    if (setjmp(p->recover) != 0) {
        p->token = tokens->token;
        p->limit = tokens->count - 1;
        if (p->expansions > 0)
            for (p->position = start;
                 p->position < p->limit && p->token[p->position].span.start < p->call.start;)
                p->position++;
        p->here = (Surroundings){0};
        names_recover(p);
        p->inside_path = p->inside_sort_min = p->nesting = p->expansions = 0;
        p->memo = NULL;
        if (p->diagnostics->errors < RECOVER_MAX_ERRORS)
            skip_to_next_filter(p, start);
        else
            p->position = p->limit;
    }
    while (parse_peek(p)->kind != TOKEN_END) {
        start = p->position;
        parse_add(p, body, parse_condition(p));
    }
    if (body->kid_count == count && p->diagnostics->errors == 0)
        diag_add(p->diagnostics, DIAG_ERROR, parse_peek(p)->span, "the query has no filter");
}

static void read_tokens(Parser *p, const TokenList *tokens, int position)
{
    p->token = tokens->token;
    p->limit = tokens->count - 1;
    p->position = position;
    p->memo = NULL;
}

// The extra filters, then those of the query, which begin at the next token.
static void parse_body(Parser *p, const TokenList *tokens, const TokenList *extra,
                       const ParseOptions *options)
{
    const int start = p->position;
    for (int i = 0; i < options->extra_count; i++) {
        read_tokens(p, &extra[i], 0);
        if (p->limit == 0) {
            const uint32_t end = (uint32_t)options->extra[i].source.length;
            diag_add(p->diagnostics, DIAG_ERROR, (Span){end, end}, "there is no filter");
        }
        parse_filters(p, &extra[i]);
    }
    read_tokens(p, tokens, start);
    parse_filters(p, tokens);
}

static TokenList tokens_of(Arena *arena, const Source *source, Diagnostics *diagnostics, bool cqli)
{
    TokenList tokens = cqli ? lex_cqli(arena, source, diagnostics) : lex(arena, source, diagnostics);
    token_check(&tokens, diagnostics);
    return tokens;
}

static TokenList *extra_tokens(Arena *arena, const ParseOptions *options, Diagnostics *diagnostics, bool cqli)
{
    TokenList *list = arena_alloc(arena, sizeof *list * (size_t)(options->extra_count + 1));
    for (int i = 0; i < options->extra_count; i++) {
        const ExtraFilters *extra = &options->extra[i];
        list[i] = tokens_of(arena, &extra->source, diagnostics, cqli);
        for (int k = 0; extra->string && k < list[i].count; k++) {
            Token *t = &list[i].token[k];
            if (t->kind == TOKEN_STRING && t->length == 0) {
                t->bytes = extra->string;
                t->length = (uint32_t)strlen(extra->string);
            }
        }
    }
    return list;
}

// query = "cql" "(" { parameter } ")" filter { filter }
Query *parse_dialect(Arena *arena, const Source *source, const ParseOptions *options,
                     Diagnostics *diagnostics, bool cqli)
{
    TokenList tokens = tokens_of(arena, source, diagnostics, cqli);
    TokenList *extra = extra_tokens(arena, options, diagnostics, cqli);
    if (options->whole)
        source = options->whole;
    Parser *p = arena_alloc(arena, sizeof *p);
    Query *query = arena_alloc(arena, sizeof *query);
    *p = (Parser){.arena = arena, .source = source, .diagnostics = diagnostics, .query = query};
    p->cqli = query->cqli = cqli;
    p->pedantic = options->pedantic;
    p->token = tokens.token;
    p->limit = tokens.count - 1;
    query->source = *source;
    query->arena = arena;
    if (!options->filters_only)
        parse_header(p);
    p->variations = options->variations >= 0 ? options->variations > 0 : query->header.variations;
    if (diagnostics->errors > 0)
        p->variations = true; // not known: nothing that needs variations is reported
    query->body = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_peek(p)->span);
    parse_body(p, &tokens, extra, options);
    names_resolve(p);
    if (diagnostics->errors > 0) {
        diag_sort(diagnostics); // the lexer has reported first
        return NULL;
    }
    query->body->span = parse_span_from(p, query->body->span);
    query->body->type = query->body->kid[query->body->kid_count - 1]->type;
    return query;
}

Query *parse_query(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics)
{
    Query *query = parse_dialect(arena, source, options, diagnostics, false);
    if (query == NULL)
        cqli_explain_failure(arena, source, options, diagnostics);
    return query;
}
