// The driver of the parser: its errors, tokens and nodes, and the query as a whole (language reference 2.1).
#include "parser.h"

#include <stdarg.h>
#include <string.h>

// ---- errors -----------------------------------------------------------------------------------------------

static void note_call(Parser *p)
{
    if (own(p)->expansions > 0)
        diag_add(p->diagnostics, DIAG_NOTE, own(p)->call, "in this call of a function");
}

void parse_accept_cqli(Parser *p, Span span, const char *what)
{
    if (own(p)->cqli)
        return;
    if (own(p)->pedantic)
        parse_fail(p, span,
                   "%s is part of the dialect CQLi, not of CQL 6.2; begin the query with `// dialect: cqli`",
                   what);
    for (int i = 0; i < own(p)->accepted_count; i++)
        if (strcmp(own(p)->accepted[i], what) == 0)
            return;
    ARENA_PUSH(p->arena, own(p)->accepted, own(p)->accepted_count, what);
    diag_add(p->diagnostics, DIAG_NOTE, span,
             "%s is part of the dialect CQLi; a query in CQLi begins with `// dialect: cqli`", what);
}

void parse_note_only_cqli(Parser *p, Span span, const char *what)
{
    if (p->query->only_cqli != NULL)
        return;
    p->query->only_cqli = what;
    p->query->only_cqli_span = span;
}

bool takes_text(Op op)
{
    const char *syntax = op_info[op].syntax;
    return op == OP_TAG || (syntax != NULL && strstr(syntax, "[search]") != NULL);
}

// The word follows a filter that takes a string, or is compared with a tag: `player Kasparov`, `tag "ECO" == B20`.
static bool follows_text_filter(const Parser *p, const Token *name)
{
    const ptrdiff_t index = name - p->token;
    if (index > 2 && name[-2].kind == TOKEN_STRING && name[-3].op == OP_TAG)
        return true;
    if (index == 0 || name[-1].kind != TOKEN_WORD)
        return false;
    const Token *before = name - 1;
    const bool side = before->op == OP_WHITE || before->op == OP_BLACK;
    before -= side && before > p->token;
    return before->kind == TOKEN_WORD && takes_text((Op)before->op);
}

// `Carlsen`: a capital letter and small ones.
static bool is_proper_name(const char *name)
{
    const size_t small = strspn(name + 1, "abcdefghijklmnopqrstuvwxyz");
    return *name >= 'A' && *name <= 'Z' && small >= 4 && name[1 + small] == '\0';
}

static const char *in_quotes(Parser *p, const Token *name)
{
    return arena_printf(p->arena, "\"%s\"", name->bytes);
}

static Advice advice_for_name(Parser *p, const Token *name)
{
    const char *quoted = in_quotes(p, name);
    return follows_text_filter(p, name)
               ? (Advice){arena_printf(p->arena, "put strings in double quotes: `%s`", quoted), quoted}
               : hint_for_name(p, name);
}

// Adds advice to the error about an unknown name: `names` are `count` known ones, of which the first are variables.
static void advise_name(Parser *p, const Token *name, const char *const *names, size_t variables,
                        size_t count)
{
    Advice advice = advice_for_name(p, name);
    if (nearest_name(name->bytes, name->length, names, variables) != NULL) {
        diag_suggest(p->diagnostics, name->bytes, name->length, names, variables);
        return;
    }
    const bool known = nearest_name(name->bytes, name->length, names, count) != NULL;
    if (advice.text == NULL && !known && is_proper_name(name->bytes)) {
        advice.word = arena_printf(p->arena, "player %s", in_quotes(p, name));
        advice.text = arena_printf(p->arena, "games of a player are found by `%s`", advice.word);
    }
    if (advice.text == NULL) {
        diag_suggest(p->diagnostics, name->bytes, name->length, names, count);
        return;
    }
    diag_advise(p->diagnostics, advice.text);
    if (advice.word != NULL)
        diag_cure(p->diagnostics, name->span, advice.word);
}

void parse_fail_unknown(Parser *p, const Token *name)
{
    const Token *next = name + 1; // the end of the tokens at the latest
    const bool torn = next->kind == TOKEN_ERROR && !(next->flags & TOKEN_SPACE_BEFORE);
    if (torn || name_is_poisoned(p, name->bytes))
        parse_abandon(p);
    size_t words, extensions, count = 0;
    const char *const *word = op_words(IN_CQL6, &words), *const *extension =
                                                             op_words(IN_EXTENSION, &extensions);
    const char **names =
        arena_alloc(p->arena, (words + extensions + (size_t)p->query->variable_count) * sizeof *names);
    for (int i = 0; i < p->query->variable_count; i++)
        if (!p->query->variable[i]->hidden)
            names[count++] = p->query->variable[i]->name;
    for (size_t i = 0; i < words; i++)
        names[count++] = word[i];
    for (size_t i = 0; i < extensions; i++)
        names[count++] = extension[i];
    const char *message = arena_printf(p->arena, "unknown name `%s`", name->bytes);
    if (!parse_was_reported(p, name->span, message)) {
        diag_add(p->diagnostics, DIAG_ERROR, name->span, "%s", message);
        advise_name(p, name, names, (size_t)p->query->variable_count, count);
        note_call(p);
    }
    parse_abandon(p);
}

// ---- tokens -----------------------------------------------------------------------------------------------

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
    static const bool is_prefix[OP_COUNT_] = {
#define PREFIX(op, ...) [OP_##op] = true,
#include "compiler/language/filters.def"
    };
    return is_prefix[op] || op_info[op].row == ROW_FILTER;
}

bool parse_begins_filter(const Token *t)
{
    static const bool begins[PUNCT_COUNT_] = {
        [PUNCT_LEFT_PAREN] = true, [PUNCT_LEFT_BRACE] = true, [PUNCT_DOT] = true,
        [PUNCT_EMPTY_SET] = true,  [PUNCT_COMPLEMENT] = true, [PUNCT_COUNT] = true,
        [PUNCT_MINUS] = true,      [PUNCT_DASH] = true,       [PUNCT_CAPTURE] = true,
        [PUNCT_FORALL] = true,     [PUNCT_BACKQUOTE] = true};
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
    case TOKEN_REPETITION:
        return (t->flags & TOKEN_BRACED_NUMBER) != 0;
    case TOKEN_PUNCTUATION:
        return begins[t->number];
    default:
        return false;
    }
}

void parse_put_back(Parser *p, Ast *node, int start, int place)
{
    Memo *memo = arena_alloc(p->arena, sizeof *memo);
    *memo = (Memo){p->token, start, p->position, node, own(p)->memo};
    own(p)->memo = memo;
    p->position = place;
}

Surroundings parse_enter(Parser *p)
{
    Surroundings outer = own(p)->here;
    own(p)->here = (Surroundings){0};
    return outer;
}

void parse_leave(Parser *p, Surroundings outer)
{
    own(p)->here = outer;
}

Surroundings parse_open(Parser *p, enum Punctuation bracket, const char *why)
{
    Surroundings outer = parse_enter(p);
    parse_expect(p, bracket, why);
    return outer;
}

void parse_close(Parser *p, Surroundings outer, enum Punctuation bracket, const char *why)
{
    parse_leave(p, outer);
    parse_expect(p, bracket, why);
}

void parse_need_filter(Parser *p, const char *format, ...)
{
    if (parse_begins_filter(parse_peek(p)))
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(p->arena, format, arguments);
    va_end(arguments);
    parse_fail_found(p, "%s", message);
}

// ---- nodes ------------------------------------------------------------------------------------------------

void parse_keep_text(Ast *node, const Token *t)
{
    node->text = t->bytes;
    node->text_length = t->length;
}

const char *type_noun(Type type)
{
    static const char *const nouns[TYPE_COUNT] = {"a condition (true or false)", "a number",
                                                  "a set of squares", "a string", "a position"};
    return nouns[type];
}

Ast *parse_require(Parser *p, Ast *node, Type type, const char *role)
{
    if (node->type != type)
        parse_fail(p, node->span, "%s must be %s, but this is %s", role, type_noun(type),
                   node->op == OP_DICTIONARY ? "a dictionary" : type_noun(node->type));
    return node;
}

Ast *parse_require_op(Parser *p, Ast *node, Type type, Op op)
{
    if (node->type == type)
        return node;
    return parse_require(p, node, type, arena_printf(p->arena, "the operand of `%s`", op_info[op].name));
}

// ---- the query --------------------------------------------------------------------------------------------

// A blank line ends the paths that are open here (1.12).
static bool ends_at(const Parser *p, const Token *t)
{
    return t->flags & TOKEN_PATH_END && own(p)->here.open_paths > 0;
}

static const char *end_name(const Parser *p)
{
    if (p->position < p->limit && p->token[p->position].flags & TOKEN_PATH_END)
        return "the blank line that ends the path";
    if (p->token[p->position].kind != TOKEN_END)
        return "the end of the `///` line";
    return own(p)->expansions > 0 ? "the end of the function body" : "the end of the query";
}

static bool may_restart_at(const Token *t)
{
    return parse_begins_filter(t) && !(t->flags & (TOKEN_PATH_TOP | TOKEN_IN_COMMENT_LINE));
}

static void restart(Parser *p, int start)
{
    Cql6 *x = own(p);
    if (x->expansions > 0)
        for (p->position = start; p->position < p->limit && p->token[p->position].span.start < x->call.start;)
            p->position++;
    x->here = (Surroundings){0};
    names_recover(p);
    x->inside_path = x->inside_sort_min = x->expansions = 0;
    x->memo = NULL;
}

// Names that the skipped text may introduce are remembered, so that their absence is not reported.
static void poison_names(Parser *p, int start, int end)
{
    for (int i = start; i < end; i++)
        if (p->token[i].kind == TOKEN_IDENTIFIER)
            name_poison(p, p->token[i].bytes);
}

static const ParserDialect rules = {.max_nesting = PARSER_MAX_NESTING,
                                    .begins_filter = may_restart_at,
                                    .condition = parse_condition,
                                    .ends_at = ends_at,
                                    .end_name = end_name,
                                    .note = note_call,
                                    .restart = restart,
                                    .skipped = poison_names};

Parser parser_cql6(Query *query, const Source *source, Diagnostics *diagnostics, Cql6 *state)
{
    return (Parser){.arena = query->arena,
                    .source = source,
                    .diagnostics = diagnostics,
                    .query = query,
                    .dialect = &rules,
                    .own = state};
}

static void read_tokens(Parser *p, const TokenList *tokens, int position)
{
    p->token = tokens->token;
    p->limit = tokens->count - 1;
    p->position = position;
    own(p)->memo = NULL;
}

// [ header ]: in CQLi any text may have one, and none must (13.11).
static void parse_start(Parser *p, const ParseOptions *options, bool expected)
{
    const Token *t = parse_peek(p), *after = parse_peek_at(p, 1);
    const bool here = parse_at_word(p, OP_WORD_CQL) &&
                      (token_is_mark(after, PUNCT_LEFT_PAREN) || after->kind == TOKEN_ERROR);
    if (own(p)->cqli ? here : expected)
        parse_header(p);
    else if (expected)
        parse_note_only_cqli(p, t->span, "it has no header");
    own(p)->variations = options->variations >= 0 ? options->variations > 0 : p->query->header.variations;
    if (p->diagnostics->errors > 0)
        own(p)->variations = true; // not known: nothing that needs variations is reported
}

static TokenList tokens_of(Arena *arena, const Source *source, Diagnostics *diagnostics, unsigned dialect)
{
    TokenList tokens = lex(arena, source, dialect, diagnostics);
    token_check(&tokens, diagnostics);
    return tokens;
}

static TokenList *extra_tokens(Arena *arena, const ParseOptions *options, Diagnostics *diagnostics,
                               unsigned dialect)
{
    TokenList *list = arena_alloc(arena, sizeof *list * (size_t)(options->extra_count + 1));
    for (int i = 0; i < options->extra_count; i++) {
        const ExtraFilters *extra = &options->extra[i];
        list[i] = tokens_of(arena, &extra->source, diagnostics, dialect);
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

// Filters of a text of their own.
static void parse_extra(Parser *p, const TokenList *tokens, const ParseOptions *options, const Source *source)
{
    read_tokens(p, tokens, 0);
    parse_start(p, options, false);
    if (p->position == p->limit) {
        const uint32_t end = (uint32_t)source->length;
        diag_add(p->diagnostics, DIAG_ERROR, (Span){end, end}, "expected at least one filter");
    }
    parse_filters(p);
}

static void parse_extras(Parser *p, const TokenList *extra, const ParseOptions *options)
{
    for (int i = 0; i < options->extra_count; i++)
        parse_extra(p, &extra[i], options, &options->extra[i].source);
}

static bool is_piece(const Ast *kid)
{
    return kid->variable != NULL && kid->variable->kind == VARIABLE_PIECE && kid->kid_count == 0;
}

static Ast *key_node(Parser *p, Ast *kid, int number)
{
    Ast *node = parse_node(p, OP_SORT, kid->type == TYPE_SET ? TYPE_INT : kid->type, kid->span);
    node->flags |= AST_QUIET | AST_FIRSTMATCH;
    node->number = number;
    parse_add(p, node, kid);
    return node;
}

// A key of groups or the number of a measure.
static Ast *parse_key_filter(Parser *p, bool is_measure, bool in_bands)
{
    Ast *kid = parse_filter(p);
    const bool set = kid->type == TYPE_SET;
    if (kid->type == TYPE_BOOL || kid->type == TYPE_POSITION)
        parse_fail(p, kid->span,
                   "%s is a number, a set or a string, but this is %s; `if F 1 else 0` makes a number",
                   is_measure ? "a value of --measure" : "a key of --count-by", type_noun(kid->type));
    if (is_measure && kid->type == TYPE_STRING)
        parse_fail(p, kid->span, "a measure needs a number, but this is a string");
    if (in_bands && kid->type != TYPE_INT)
        parse_fail(p, kid->span, "only numbers have bands, such as `ply/10`, but this is %s",
                   type_noun(kid->type));
    if (parse_peek(p)->kind != TOKEN_END)
        parse_fail_found(p, is_measure ? "a value of --measure is one expression; expected `)`"
                                       : "a key of --count-by is one expression; expected a comma");
    own(p)->set_keys += set && !is_measure;
    if (own(p)->set_keys > 2)
        parse_fail(p, kid->span,
                   "at most two keys of --count-by may be sets, whose squares are counted one by one");
    return key_node(p, kid,
                    kid->type == TYPE_STRING    ? KEY_IS_STRING
                    : !set || is_measure        ? KEY_IS_NUMBER
                    : is_piece(ast_unwrap(kid)) ? KEY_IS_MEN
                                                : KEY_IS_SET);
}

static Ast *parse_group_key(Parser *p)
{
    return parse_key_filter(p, false, false);
}

static Ast *parse_banded_key(Parser *p)
{
    return parse_key_filter(p, false, true);
}

static Ast *parse_measure(Parser *p)
{
    return parse_key_filter(p, true, false);
}

// The keys of groups, each a filter of the body.
static void parse_keys(Parser *p, const ParseOptions *options, unsigned dialect)
{
    ParserDialect key_rules = rules;
    p->dialect = &key_rules;
    for (int i = 0; i < options->key_count; i++) {
        const TokenList tokens = tokens_of(p->arena, &options->key[i].source, p->diagnostics, dialect);
        const int before = p->query->body->kid_count;
        key_rules.condition = options->key[i].is_measure ? parse_measure
                              : options->key[i].in_bands ? parse_banded_key
                                                         : parse_group_key;
        read_tokens(p, &tokens, 0);
        parse_filters(p);
        for (int k = before; k < p->query->body->kid_count; k++)
            p->query->body->kid[k]->low = i;
    }
    p->dialect = &rules;
}

// The extra filters, then those of the query, which begin at the next token, and the keys of groups.
static void parse_body(Parser *p, const TokenList *tokens, const TokenList *extra,
                       const ParseOptions *options, unsigned dialect)
{
    const int start = p->position;
    parse_extras(p, extra, options);
    if (options->among) {
        const TokenList among = tokens_of(p->arena, &options->among->source, p->diagnostics, dialect);
        parse_extra(p, &among, options, &options->among->source);
        parse_keys(p, options, dialect);
        Ast *one = parse_node(p, OP_NUMBER, TYPE_INT, p->query->body->span);
        ast_add_kid(p->arena, p->query->body, key_node(p, one, KEY_IS_AMONG));
    }
    read_tokens(p, tokens, start);
    parse_filters(p);
    if (!options->among)
        parse_keys(p, options, dialect);
}

// query = [ header ] filter { filter }
Query *parse_dialect(Arena *arena, const Source *source, const ParseOptions *options,
                     Diagnostics *diagnostics, unsigned dialect)
{
    TokenList tokens = tokens_of(arena, source, diagnostics, dialect);
    TokenList *extra = extra_tokens(arena, options, diagnostics, dialect);
    if (options->whole)
        source = options->whole;
    Parser *p = arena_alloc(arena, sizeof *p);
    Query *query = arena_alloc(arena, sizeof *query);
    query->source = *source;
    query->arena = arena;
    *p = parser_cql6(query, source, diagnostics, arena_alloc(arena, sizeof(Cql6)));
    own(p)->cqli = query->cqli = dialect == IN_CQLI;
    own(p)->pedantic = options->pedantic;
    p->token = tokens.token;
    p->limit = tokens.count - 1;
    parse_start(p, options, !options->filters_only);
    query->body = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_peek(p)->span);
    parse_body(p, &tokens, extra, options, dialect);
    names_resolve(p);
    if (diagnostics->errors > 0) {
        diag_sort(diagnostics); // the lexer has reported first
        return NULL;
    }
    query->body->span = parse_span_from(p, query->body->span);
    query->body->type = query->body->kid[query->body->kid_count - 1]->type;
    return query;
}

// Adds the filters of a query in another dialect to its body.
static void add_filters(Parser *p, Ast *filters)
{
    const bool listed = filters->op == OP_COMPOUND;
    for (int i = 0; i < (listed ? filters->kid_count : 1); i++)
        parse_add(p, p->query->body, listed ? filters->kid[i] : filters);
    p->query->body->type = filters->type;
}

Query *cql6_join(Query *query, const ParseOptions *options, Diagnostics *diagnostics)
{
    if (query == NULL || options->extra_count == 0)
        return query;
    const int variables = query->variable_count, errors = diagnostics->errors;
    Ast *const body = query->body;
    TokenList *extra = extra_tokens(query->arena, options, diagnostics, IN_CQL6);
    Parser *p = arena_alloc(query->arena, sizeof *p);
    *p = parser_cql6(query, options->whole, diagnostics, arena_alloc(query->arena, sizeof(Cql6)));
    own(p)->pedantic = options->pedantic;
    query->source = *options->whole;
    query->body = parse_node(p, OP_COMPOUND, TYPE_BOOL, body->span);
    if (query->cql3) // it keeps state at positions where the extra filters need not match
        add_filters(p, body);
    parse_extras(p, extra, options);
    names_resolve(p);
    if (diagnostics->errors > errors) {
        diag_sort(diagnostics);
        return NULL;
    }
    for (int i = variables; i < query->variable_count; i++)
        for (int k = 0; k < variables; k++) // they are other variables
            query->variable[i]->hidden |= strcmp(query->variable[i]->name, query->variable[k]->name) == 0;
    if (!query->cql3)
        add_filters(p, body);
    return query;
}

Query *parse_query(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics)
{
    return parse_dialect(arena, source, options, diagnostics, IN_CQL6);
}
