// A query as a file of CQL 6.2: names, comments, header and body.
#include "print_internal.h"

#include <string.h>

#include "../../runtime/game/view.h"
#include "token.h"

const char *print_refuse(Printer *p, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *what = arena_vprintf(p->arena, format, arguments);
    va_end(arguments);
    if (p->diagnostics->errors == 0)
        diag_add(p->diagnostics, DIAG_ERROR, span, "CQL 6.2 has no form of this: %s", what);
    return "";
}

// ---- names ------------------------------------------------------------------------------------------------

static bool is_identifier(Printer *p, const char *text)
{
    const Source source = {"", text, strlen(text)};
    Diagnostics silent = {.arena = p->arena, .source = &source};
    const TokenList tokens = lex(p->arena, &source, &silent);
    return silent.errors == 0 && tokens.count == 2 && tokens.token[0].kind == TOKEN_IDENTIFIER;
}

static bool is_taken(const Printer *p, const char *text)
{
    for (int i = 0; i < p->query->variable_count; i++)
        if (strcmp(p->query->variable[i]->name, text) == 0 ||
            (p->name[i] != NULL && strcmp(p->name[i], text) == 0))
            return true;
    return false;
}

const char *print_fresh_name(Printer *p, const char *stem)
{
    for (;;) {
        const char *text = arena_printf(p->arena, "%s_%d", stem, ++p->fresh);
        if (!is_taken(p, text))
            return text;
    }
}

const char *print_name(const Printer *p, const Variable *v)
{
    return v->number >= 0 && v->number < p->query->variable_count ? p->name[v->number] : v->name;
}

static bool is_first_of_name(const Printer *p, int number)
{
    for (int i = 0; i < number; i++)
        if (p->name[i] != NULL && strcmp(p->name[i], p->query->variable[number]->name) == 0)
            return false;
    return true;
}

static const char *stem_of(Printer *p, const Variable *v)
{
    static const char *const stems[] = {"number",   "set",           "text",       "place",
                                        "chessman", "dictionary_of", "function_of"};
    const bool usable = !v->hidden && is_identifier(p, arena_printf(p->arena, "%s_1", v->name));
    return usable ? v->name : stems[v->kind];
}

static void give_names(Printer *p)
{
    const int count = p->query->variable_count;
    p->name = arena_alloc(p->arena, ((size_t)count + 1) * sizeof *p->name);
    p->introduced = arena_alloc(p->arena, (size_t)count + 1);
    for (int i = 0; i < count; i++) {
        const Variable *v = p->query->variable[i];
        if (!v->hidden && is_first_of_name(p, i) && is_identifier(p, v->name))
            p->name[i] = v->name;
        else
            p->name[i] = print_fresh_name(p, stem_of(p, v));
    }
}

// ---- comments ---------------------------------------------------------------------------------------------

typedef struct Comments {
    Printer *printer;
    const char *text; // the lines so far
} Comments;

static bool is_marker(const char *text, size_t length)
{
    const char *found = memmem(text, length, "dialect:", 8);
    return found != NULL && strspn(text, " \t") == (size_t)(found - text);
}

static void add_comment_line(Comments *c, const char *text, size_t length)
{
    while (length > 0 && (text[length - 1] == '\r' || text[length - 1] == ' '))
        length--;
    if (length > 0 && !is_marker(text, length))
        c->text = arena_printf(c->printer->arena, "%s//%s%.*s\n", c->text,
                               text[0] == ' ' || text[0] == '\t' ? "" : " ", (int)length, text);
}

static void add_comment(Comments *c, const char *text, const char *end)
{
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop != NULL ? stop : end;
        add_comment_line(c, text, (size_t)(stop - text));
        text = stop + 1;
    }
}

// Bytes of the comment that begins at `text`, 0 when none begins there; *mark becomes the bytes of its sign.
static size_t comment_length(const Printer *p, const char *text, const char *end, size_t *mark)
{
    const bool slashes = p->dialect == DIALECT_CQL6 || p->dialect == DIALECT_CQLI;
    const size_t left = (size_t)(end - text);
    if (slashes && left >= 2 && text[0] == '/' && text[1] == '*') {
        const char *stop = memmem(text + 2, left - 2, "*/", 2);
        *mark = 2;
        return stop != NULL ? (size_t)(stop + 2 - text) : left;
    }
    size_t signs = 0;
    while (signs < left && text[signs] == '/')
        signs++;
    const bool line = slashes && signs >= 2 && signs != 3;
    if (!line && text[0] != ';')
        return 0;
    *mark = line ? signs : 1;
    const char *stop = memchr(text, '\n', left);
    return stop != NULL ? (size_t)(stop - text) : left;
}

// The comments of the source, in order. What stands before the first token may be of either form in all
// dialects.
static const char *source_comments(Printer *p)
{
    const Source *source = &p->query->source;
    const char *text = source->text, *end = text + source->length;
    const char *body = text + dialect_preamble(text, source->length);
    Comments c = {p, ""};
    bool quoted = false;
    Printer preamble = *p;
    preamble.dialect = DIALECT_CQL6;
    while (text < end) {
        size_t mark = 0;
        const size_t length = quoted ? 0 : comment_length(text < body ? &preamble : p, text, end, &mark);
        if (length > 0)
            add_comment(&c, text + mark, text + length - (mark == 2 && text[1] == '*' ? 2 : 0));
        else if (*text == '\\' && !quoted && text + 1 < end && text[1] == '"')
            text++; // a quote of its own
        else if (*text == '"')
            quoted = !quoted;
        else if (*text == '\n')
            quoted = false;
        text += length > 0 ? length : 1;
    }
    return c.text;
}

// ---- header -----------------------------------------------------------------------------------------------

static int32_t at_least_zero(int32_t value)
{
    return value < 0 ? 0 : value;
}

static const char *header_range(Printer *p, const char *word, const Range *range)
{
    if (!range->present)
        return "";
    if (range->all)
        return arena_printf(p->arena, " %s count", word);
    return arena_printf(p->arena, " %s %d %d", word, at_least_zero(range->low.value),
                        at_least_zero(range->high.value));
}

static const char *header_text(Printer *p, const char *word, const char *text)
{
    if (text == NULL)
        return "";
    const Ast nowhere = {0};
    return arena_printf(p->arena, " %s %s", word, print_quoted(p, &nowhere, text, (uint32_t)strlen(text)));
}

static const char *print_header(Printer *p)
{
    static const char *const results[] = {
        [RESULT_WHITE] = "1-0", [RESULT_BLACK] = "0-1", [RESULT_DRAW] = "1/2-1/2"};
    const Header *h = &p->query->header;
    const char *level = h->quiet && h->silent ? (h->first_is_silent ? " silent quiet" : " quiet silent")
                        : h->quiet            ? " quiet"
                        : h->silent           ? " silent"
                                              : "";
    const char *text =
        arena_printf(p->arena, "%s%s%s%s", header_text(p, "input", h->input),
                     header_text(p, "output", h->output), h->variations ? " variations" : "", level);
    text = arena_printf(
        p->arena, "%s%s%s%s", text,
        header_range(p, h->sort_matchcount ? "sort matchcount" : "matchcount", &h->matchcount),
        header_range(p, "gamenumber", &h->gamenumber), header_text(p, "matchstring", h->matchstring));
    for (int i = 0; i < (int)(sizeof results / sizeof *results); i++)
        if (h->results >> i & 1 && results[i] != NULL)
            text = arena_printf(p->arena, "%s result %s", text, results[i]);
    return arena_printf(p->arena, "cql(%s)", *text == ' ' ? text + 1 : text);
}

// ---- what is not quite the same ---------------------------------------------------------------------------

static bool counts_characters(const Ast *node, void *user)
{
    (void)user;
    switch (node->op) {
    case OP_COUNT_STRING:
    case OP_SUBSCRIPT:
    case OP_SLICE:
    case OP_INDEX_ASSIGN:
    case OP_SLICE_ASSIGN:
    case OP_REGEX:
    case OP_REGEX_LOOP:
    case OP_INDEXOF:
    case OP_ASCII:
    case OP_UPPERCASE:
    case OP_LOWERCASE:
        return true;
    default:
        return false;
    }
}

// Strings of CQLi are Unicode, and it reads games of chess only (13.1, 13.8).
static void warn_of_differences(const Query *query, Diagnostics *diagnostics)
{
    const Span span = query->body->span;
    if (ast_contains(query->body, counts_characters, NULL))
        diag_add(diagnostics, DIAG_WARNING, span,
                 "strings are bytes in CQL 6.2, not characters as in CQLi: texts that are not ASCII may "
                 "give other results");
    diag_add(diagnostics, DIAG_NOTE, span,
             "games of other variants than chess are read in CQL 6.2, not skipped as in CQLi");
}

// ---- the file ---------------------------------------------------------------------------------------------

const char *print_query(const Query *query, Dialect dialect, Diagnostics *diagnostics)
{
    Printer *p = arena_alloc(query->arena, sizeof *p);
    *p = (Printer){.arena = query->arena, .query = query, .dialect = dialect, .diagnostics = diagnostics};
    give_names(p);
    const char *body = print_lines(p, query->body->kid, query->body->kid_count);
    const char *header = print_header(p);
    if (query->cqli && diagnostics->errors == 0)
        warn_of_differences(query, diagnostics);
    if (diagnostics->errors > 0)
        return NULL;
    return arena_printf(p->arena, "// dialect: cql6\n%s%s\n%s", source_comments(p), header, body);
}
