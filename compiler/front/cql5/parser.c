// The entry of the parser of CQL 5 (language reference 11.2).
#include "parser.h"

#include "cql5.h"

static void restart(Parser *p, int start)
{
    (void)start;
    own(p)->scope = NULL;
}

static void remember_skipped(Parser *p, int start, int end)
{
    (void)start;
    own(p)->skipped = end;
}

static const ParserDialect dialect = {.max_nesting = 800,
                                      .begins_filter = cql5_begins_filter,
                                      .condition = cql5_condition,
                                      .restart = restart,
                                      .skipped = remember_skipped};

// file = "cql" "(" { parameter } ")" filter { filter }
static void parse_file(Parser *p, const ParseOptions *options)
{
    Query *query = p->query;
    query->body = parse_node(p, OP_COMPOUND, TYPE_BOOL, parse_peek(p)->span);
    query->header.matchstring = "MATCH";
    if (!options->filters_only)
        cql5_header(p);
    const Span start = parse_peek(p)->span;
    parse_filters(p);
    parse_finish(p, query->body, start);
}

Query *parse_cql5(Arena *arena, const Source *source, const ParseOptions *options, Diagnostics *diagnostics,
                  bool old)
{
    const int errors = diagnostics->errors;
    const TokenList tokens = cql5_lex(arena, source, diagnostics, old);
    if (diagnostics->errors >= PARSER_MAX_ERRORS)
        return NULL;
    Cql5 state = {.old = old, .pedantic = options->pedantic};
    Parser p = {.arena = arena,
                .source = source,
                .diagnostics = diagnostics,
                .query = arena_alloc(arena, sizeof(Query)),
                .dialect = &dialect,
                .own = &state,
                .token = tokens.token,
                .limit = tokens.count - 1};
    p.query->source = *source;
    p.query->arena = arena;
    p.query->cql5 = true;
    parse_file(&p, options);
    if (diagnostics->errors == errors)
        return p.query;
    diag_sort(diagnostics); // the lexer has reported first
    return NULL;
}
