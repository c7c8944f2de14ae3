// A query as a file of CQL 6.2: names, comments, header and body.
#include "internal.h"

#include <string.h>

#include "compiler/front/cql6/cql6.h"
#include "compiler/front/shared/preamble.h"
#include "runtime/game/game.h"

// ---- header -----------------------------------------------------------------------------------------------

static const char *header_range(Printer *p, const char *word, const Range *range)
{
    if (!range->present)
        return "";
    if (range->all)
        return arena_printf(p->arena, " %s count", word);
    if (range->high.value < 0) // no number is in the range
        return arena_printf(p->arena, " %s -1", word);
    const int32_t low = range->low.value < 0 ? 0 : range->low.value;
    return arena_printf(p->arena, " %s %d %d", word, low, range->high.value);
}

static const char *header_text(Printer *p, const char *word, const char *text)
{
    if (text == NULL)
        return "";
    const Ast nowhere = {0};
    return arena_printf(p->arena, " %s %s", word, print_quoted(p, &nowhere, text, (uint32_t)strlen(text)));
}

// Only CQL 3 allows other file names.
static const char *header_file(Printer *p, const char *word, const char *name)
{
    const size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0 || is_pgn_name(name, length))
        return header_text(p, word, name);
    diag_add(
        p->diagnostics, DIAG_WARNING, p->query->body->span,
        "the name of the %s file `%s` does not end in `.pgn`, so it is left out; name it on the command line",
        word, name);
    return "";
}

static const char *print_header(Printer *p)
{
    const Header *h = &p->query->header;
    const char *level = h->quiet && h->silent ? (h->first_is_silent ? " silent quiet" : " quiet silent")
                        : h->quiet            ? " quiet"
                        : h->silent           ? " silent"
                                              : "";
    const char *input = header_file(p, "input", h->input), *output = header_file(p, "output", h->output);
    const char *text =
        arena_printf(p->arena, "%s%s%s%s", input, output, h->variations ? " variations" : "", level);
    text = arena_printf(
        p->arena, "%s%s%s%s", text,
        header_range(p, h->sort_matchcount ? "sort matchcount" : "matchcount", &h->matchcount),
        header_range(p, "gamenumber", &h->gamenumber), header_text(p, "matchstring", h->matchstring));
    if (h->results >> RESULT_UNKNOWN & 1)
        print_refuse(p, (Span){0, 0}, "`result *` in the header");
    for (int result = RESULT_WHITE; result <= RESULT_DRAW; result++)
        if (h->results >> result & 1)
            text = arena_printf(p->arena, "%s result %s", text, result_text(result));
    return arena_printf(p->arena, "cql(%s)", *text == ' ' ? text + 1 : text);
}

// ---- differences that remain ------------------------------------------------------------------------------

static bool counts_characters(const Ast *node, void *user)
{
    static const Op ops[] = {OP_COUNT_STRING, OP_SUBSCRIPT, OP_SLICE,      OP_INDEX_ASSIGN,
                             OP_SLICE_ASSIGN, OP_REGEX,     OP_REGEX_LOOP, OP_INDEXOF,
                             OP_ASCII,        OP_UPPERCASE, OP_LOWERCASE};
    (void)user;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (node->op == ops[i])
            return true;
    return false;
}

// CQLi has Unicode strings and reads variants of chess (13.1, 16).
static void warn_of_differences(const Query *query, Diagnostics *diagnostics)
{
    const Span span = query->body->span;
    if (ast_contains(query->body, counts_characters, NULL))
        diag_add(diagnostics, DIAG_WARNING, span,
                 "strings are bytes in CQL 6.2, not characters as in CQLi: results may "
                 "differ for strings that are not ASCII");
    diag_add(
        diagnostics, DIAG_NOTE, span,
        "CQL 6.2 knows chess alone; the option --variants makes it read games of variants as CQLi does");
}

enum { MOST_PASSES = 5 }; // until printing no longer changes the text

// ---- the file ---------------------------------------------------------------------------------------------

// One filter a line, each after the comments before or in it; blank lines around functions.
static const char *print_body(Printer *p)
{
    const Ast *body = p->query->body;
    const char **line = arena_alloc(p->arena, (2 * (size_t)body->kid_count + 2) * sizeof *line);
    int count = 0;
    bool after_function = false;
    for (int i = 0; i < body->kid_count; i++) {
        const Ast *node = body->kid[i];
        const bool function = node->op == OP_FUNCTION && p->keeps_functions;
        const char *comments = print_comments_before(p, function ? node->span.start : node->span.end);
        if (function)
            print_skip_comments(p, node->span.end);
        line[count++] = arena_printf(p->arena, "%s%s", function || after_function ? "\n" : "", comments);
        line[count++] = arena_printf(p->arena, "%s\n", print_member(p, body->kid, i, body->kid_count));
        after_function = function;
    }
    line[count++] = print_comments_before(p, UINT32_MAX);
    return print_joined(p, line, count, "");
}

static bool is_older(Dialect dialect)
{
    return dialect != DIALECT_CQL6 && dialect != DIALECT_CQLI;
}

// Prints the tree once.
static const char *print_once(const Query *query, Dialect dialect, Diagnostics *diagnostics)
{
    const Source *source = &query->source;
    Printer *p = arena_alloc(query->arena, sizeof *p);
    *p = (Printer){.arena = query->arena,
                   .query = query,
                   .dialect = dialect,
                   .older = is_older(dialect),
                   .diagnostics = diagnostics};

    print_begin_holding(p);
    print_assign_names(p);
    print_collect_comments(p);
    const char *top = print_comments_before(p, (uint32_t)preamble_end(source->text, source->length) + 1);
    const char *header = print_header(p), *body = print_body(p), *functions = print_functions(p);
    const char *text = arena_printf(p->arena, "// dialect: cql6\n%s%s\n%s%s", top, header, functions, body);
    return print_released(p, text);
}

// Reads the text as CQL 6.2 and prints it again; NULL: it has errors.
static const char *print_again(Arena *arena, const char *text, bool tidy)
{
    const Source source = {"", text, strlen(text), NULL};
    Diagnostics silent = {.arena = arena, .source = &source};
    const ParseOptions options = {.variations = -1, .pedantic = true};
    Query *query = parse_query(arena, &source, &options, &silent);
    if (query == NULL || silent.errors > 0)
        return NULL;
    if (tidy)
        query->body = print_tidy(arena, query->body);
    return print_once(query, DIALECT_CQL6, &silent);
}

const char *print_query(const Query *query, Dialect dialect, Diagnostics *diagnostics)
{
    const char *text = print_once(query, dialect, diagnostics);
    if (query->cqli && diagnostics->errors == 0)
        warn_of_differences(query, diagnostics);
    if (diagnostics->errors > 0)
        return NULL;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        const bool tidy = pass == 0 && is_older(dialect);
        const char *next = print_again(query->arena, text, tidy);
        if (next == NULL || strcmp(next, text) == 0)
            break;
        text = next;
    }
    return text;
}
