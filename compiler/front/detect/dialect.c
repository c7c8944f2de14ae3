// Which dialect a query is written in (language reference 14).
#include <string.h>

#include "compiler/front/cql3/cql3.h"
#include "compiler/front/cql5/cql5.h"
#include "compiler/front/cql6/cql6.h"
#include "compiler/front/cqli/cqli.h"
#include "compiler/front/shared/characters.h"
#include "compiler/front/shared/preamble.h"
#include "internal.h"

// ---- the marker ------------------------------------------------------------------------------------------

typedef struct Marker {
    bool present;
    Dialect dialect; // DIALECT_NONE: the name is unknown
    Span span;       // of the name
} Marker;

static size_t skip_blanks(const char *text, size_t end, size_t at)
{
    while (at < end && (text[at] == ' ' || text[at] == '\t'))
        at++;
    return at;
}

// `dialect: NAME` from `at` to the end of the line, after the sign of the comment.
static Marker read_marker(const char *text, size_t end, size_t at)
{
    at = skip_blanks(text, end, at);
    if (!text_has(text, end, at, "dialect:"))
        return (Marker){0};
    at = skip_blanks(text, end, at + strlen("dialect:"));
    size_t stop = at;
    while (stop < end && !is_space(text[stop]) && !text_has(text, end, stop, "*/"))
        stop++;
    const size_t rest = skip_blanks(text, end, stop);
    if (stop == at || (rest < end && text[rest] != '\r' && !text_has(text, end, rest, "*/")))
        return (Marker){0};
    return (Marker){true, dialect_from_name(text + at, stop - at), {(uint32_t)at, (uint32_t)stop}};
}

// CQL-S names itself: `; CQL 1.0`, `; CQL-S 1.0 …`
static Marker read_identification(const char *text, size_t length)
{
    const size_t at = preamble_identification(text, length);
    if (at == length)
        return (Marker){0};
    return (Marker){true, DIALECT_CQL3, {(uint32_t)at, (uint32_t)text_semicolon_end(text, length, at)}};
}

// The lines of one comment.
static Marker find_in_comment(const char *text, size_t start, size_t end)
{
    size_t at = start + (text[start] == ';' ? 1 : 2);
    const bool block = text[start] == '/' && text[start + 1] == '*';
    while (at < end) {
        const size_t line = text_line_end(text, end, at);
        size_t begin = skip_blanks(text, line, at);
        if (block && begin < line && text[begin] == '*')
            begin++;
        const Marker marker = read_marker(text, line, begin);
        if (marker.present)
            return marker;
        at = line + 1;
    }
    return (Marker){0};
}

static Marker find_marker(const Source *source)
{
    const char *text = source->text;
    const size_t length = source->length;
    Marker marker = read_identification(text, length);
    size_t at = preamble_start(text, length);
    for (size_t next; !marker.present && at < length && (next = preamble_skip(text, length, at)) != at;
         at = next)
        if (!is_space(text[at]))
            marker = find_in_comment(text, at, next);
    return marker;
}

Dialect dialect_marked(const Source *source)
{
    const Marker marker = find_marker(source);
    return marker.present ? marker.dialect : DIALECT_NONE;
}

// ---- decision --------------------------------------------------------------------------------------------

// By option or marker; DIALECT_NONE when neither decides.
static Dialect named_dialect(const Source *source, Dialect option, Diagnostics *diagnostics, const char **why)
{
    const Marker marker = find_marker(source);
    if (marker.present && marker.dialect == DIALECT_NONE)
        diag_add(diagnostics, DIAG_ERROR, marker.span, "unknown dialect; the dialects are %s", dialect_names);
    if (option != DIALECT_NONE) {
        *why = "by option";
        if (marker.present && marker.dialect != DIALECT_NONE && marker.dialect != option)
            diag_add(diagnostics, DIAG_WARNING, marker.span, "the option --dialect %s overrides this marker",
                     dialect_name(option));
        return option;
    }
    *why = "default";
    if (!marker.present || marker.dialect == DIALECT_NONE)
        return DIALECT_NONE;
    *why = arena_printf(diagnostics->arena, "from line %u", source_place(source, marker.span.start).line);
    return marker.dialect;
}

Dialect dialect_detect(const Source *source, Dialect option, Diagnostics *diagnostics, const char **why)
{
    const Dialect named = named_dialect(source, option, diagnostics, why);
    Span where;
    return named != DIALECT_NONE ? named : dialect_by_rules(source, diagnostics, why, &where);
}

static Query *parse_as(Dialect dialect, Arena *arena, const Source *source, const ParseOptions *options,
                       Diagnostics *diagnostics)
{
    switch (dialect) {
    case DIALECT_CQL5:
    case DIALECT_CQL51:
        return cql6_join(parse_cql5(arena, source, options, diagnostics, dialect == DIALECT_CQL51), options,
                         diagnostics);
    case DIALECT_CQL3:
        return cql6_join(parse_cql3(arena, source, options, diagnostics), options, diagnostics);
    case DIALECT_CQLI:
        return parse_cqli(arena, source, options, diagnostics);
    default:
        break;
    }
    Query *query = parse_query(arena, source, options, diagnostics);
    if (query == NULL)
        cqli_retry(arena, source, options, diagnostics, false);
    return query;
}

static void append(Diagnostics *to, const Diagnostics *from)
{
    for (int i = 0; i < from->count; i++)
        ARENA_PUSH(to->arena, to->list, to->count, from->list[i]);
    to->errors += from->errors;
}

// A query without option and marker: the rules apply only to what CQL 6.2 refuses.
static Query *parse_unnamed(Arena *arena, const Source *source, const ParseOptions *options,
                            Diagnostics *diagnostics, Dialect *dialect, const char **why, Span *where)
{
    Diagnostics first = {.arena = diagnostics->arena, .source = source}, of_rules = first;
    Query *query = parse_query(arena, source, options, &first);
    *dialect = DIALECT_CQL6;
    if (query == NULL)
        *dialect = dialect_by_rules(source, &of_rules, why, where);
    if (options->filters_only && *dialect != DIALECT_CQL3 && *dialect != DIALECT_CQLI) {
        *dialect = DIALECT_CQL6; // CQL 5 needs a header
        *why = "default";
    }
    if (query == NULL && *dialect == DIALECT_CQL6)
        query = cqli_retry(arena, source, options, &first, true);
    if (query != NULL && query->cqli) {
        *dialect = DIALECT_CQLI;
        *why = arena_printf(arena, "because %s", query->only_cqli);
        diag_add(diagnostics, DIAG_NOTE, query->only_cqli_span,
                 "read as cqli %s; to make that explicit, begin the file with `%s`", *why,
                 dialect_marker(DIALECT_CQLI));
        preamble_cure(diagnostics, dialect_marker(DIALECT_CQLI));
        append(diagnostics, &first);
        return query;
    }
    if (*dialect == DIALECT_CQL6) {
        append(diagnostics, &first);
        append(diagnostics, &of_rules);
        if (query == NULL)
            dialect_propose_cql5(source, diagnostics);
        return query;
    }
    if (*dialect != DIALECT_CQL3) { // no other dialect begins like this
        diag_add(diagnostics, DIAG_NOTE, *where,
                 "read as %s because of this; to make that explicit, begin the file with `%s`",
                 dialect_name(*dialect), dialect_marker(*dialect));
        preamble_cure(diagnostics, dialect_marker(*dialect));
    }
    if (*dialect == DIALECT_CQL5)
        dialect_warn_of_dot(source, diagnostics);
    return parse_as(*dialect, arena, source, options, diagnostics);
}

Query *parse_any(Arena *arena, const Source *source, Dialect option, const ParseOptions *options,
                 Diagnostics *diagnostics, Dialect *dialect, const char **why)
{
    Dialect chosen;
    const char *reason;
    Span where = {0, 0};
    const int errors = diagnostics->errors;
    chosen = named_dialect(source, option, diagnostics, &reason);
    const bool named = chosen != DIALECT_NONE;
    Query *query = NULL;
    if (diagnostics->errors == errors)
        query = named ? parse_as(chosen, arena, source, options, diagnostics)
                      : parse_unnamed(arena, source, options, diagnostics, &chosen, &reason, &where);
    const bool noted = chosen == DIALECT_CQL6 || (!named && chosen != DIALECT_CQL3);
    if (query == NULL && diagnostics->errors > errors && !noted)
        diag_add(diagnostics, DIAG_NOTE, where, "the query was read as %s (%s)", dialect_name(chosen),
                 reason);
    if (dialect != NULL)
        *dialect = chosen == DIALECT_NONE ? DIALECT_CQL6 : chosen;
    if (why != NULL)
        *why = reason;
    return query;
}
