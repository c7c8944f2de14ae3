// Which dialect a query is written in (language reference 14).
#include "dialect.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "cql3.h"
#include "cql5.h"
#include "cqli.h"

const char dialect_names[] = "cql6, cqli, cql5, cql51, cql3";

static const struct {
    const char *name;
    Dialect dialect;
} names[] = {{"cql6", DIALECT_CQL6},    {"cqli", DIALECT_CQLI},    {"cql5", DIALECT_CQL5},
             {"cql51", DIALECT_CQL51},  {"cql3", DIALECT_CQL3},    {"cql6.2", DIALECT_CQL6},
             {"cql6.1", DIALECT_CQL6},  {"cql6.0", DIALECT_CQL6},  {"cql5.2", DIALECT_CQL5},
             {"cql5.1", DIALECT_CQL51}, {"cql5.0", DIALECT_CQL51}, {"cql-s", DIALECT_CQL3}};

const char *dialect_name(Dialect dialect)
{
    return dialect == DIALECT_NONE ? "none" : names[dialect].name;
}

Dialect dialect_from_name(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && strncasecmp(names[i].name, name, length) == 0)
            return names[i].dialect;
    return DIALECT_NONE;
}

// ---- the text before the first token
// ---------------------------------------------------------------------------

static size_t line_end(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n')
        at++;
    return at;
}

static size_t block_end(const char *text, size_t length, size_t at)
{
    for (at += 2; at + 1 < length; at++)
        if (text[at] == '*' && text[at + 1] == '/')
            return at + 2;
    return length;
}

static bool starts(const char *text, size_t length, size_t at, const char *with)
{
    const size_t size = strlen(with);
    return length - at >= size && memcmp(text + at, with, size) == 0;
}

static size_t after_mark_and_script_line(const char *text, size_t length)
{
    size_t at = starts(text, length, 0, "\xEF\xBB\xBF") ? 3 : 0;
    return starts(text, length, at, "#!") ? line_end(text, length, at) : at;
}

// Steps over white space or one comment; the same place when a token begins here.
static size_t skip_one(const char *text, size_t length, size_t at)
{
    if (at < length && isspace((unsigned char)text[at]))
        return at + 1;
    if (starts(text, length, at, "//") || starts(text, length, at, ";"))
        return line_end(text, length, at);
    return starts(text, length, at, "/*") ? block_end(text, length, at) : at;
}

size_t dialect_preamble(const char *text, size_t length)
{
    size_t at = after_mark_and_script_line(text, length);
    for (size_t next; at < length && (next = skip_one(text, length, at)) != at;)
        at = next;
    return at;
}

// ---- the marker
// ------------------------------------------------------------------------------------------------

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

// `dialect: NAME` from `at` to the end of the line, behind the sign of the comment.
static Marker read_marker(const char *text, size_t end, size_t at)
{
    at = skip_blanks(text, end, at);
    if (!starts(text, end, at, "dialect:"))
        return (Marker){0};
    at = skip_blanks(text, end, at + strlen("dialect:"));
    size_t stop = at;
    while (stop < end && !isspace((unsigned char)text[stop]) && !starts(text, end, stop, "*/"))
        stop++;
    const size_t rest = skip_blanks(text, end, stop);
    if (stop == at || (rest < end && text[rest] != '\r' && !starts(text, end, rest, "*/")))
        return (Marker){0};
    return (Marker){true, dialect_from_name(text + at, stop - at), {(uint32_t)at, (uint32_t)stop}};
}

// CQL-S names itself on the first line: `; CQL 1.0`, `; CQL-S 1.0 …`
static Marker read_identification(const char *text, size_t length)
{
    const size_t end = line_end(text, length, 0);
    size_t at = end > 0 && text[0] == ';' ? skip_blanks(text, end, 1) : end;
    const size_t start = at;
    if (!starts(text, end, at, "CQL 1.0") && !starts(text, end, at, "CQL-S 1.0"))
        return (Marker){0};
    return (Marker){true, DIALECT_CQL3, {(uint32_t)start, (uint32_t)end}};
}

// The lines of one comment.
static Marker find_in_comment(const char *text, size_t start, size_t end)
{
    size_t at = start + (text[start] == ';' ? 1 : 2);
    const bool block = text[start] == '/' && text[start + 1] == '*';
    while (at < end) {
        const size_t line = line_end(text, end, at);
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
    size_t at = after_mark_and_script_line(text, length);
    for (size_t next; !marker.present && at < length && (next = skip_one(text, length, at)) != at; at = next)
        if (!isspace((unsigned char)text[at]))
            marker = find_in_comment(text, at, next);
    return marker;
}

// ---- evidence
// --------------------------------------------------------------------------------------------------

// The text outside comments and strings as words and single characters.
typedef struct Item {
    uint32_t start, end;
    bool word;
} Item;

typedef struct Items {
    const char *text;
    size_t length;
    Item *item;
    int count;
} Items;

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static size_t string_end(const char *text, size_t length, size_t at)
{
    for (at++; at < length && text[at] != '"'; at++)
        if (text[at] == '\\')
            at++;
    return at < length ? at + 1 : length;
}

static Items split(Arena *arena, const Source *source)
{
    Items all = {.text = source->text, .length = source->length};
    size_t at = after_mark_and_script_line(source->text, source->length);
    while (at < all.length) {
        size_t next = skip_one(all.text, all.length, at);
        if (next != at) {
            at = next;
            continue;
        }
        Item item = {(uint32_t)at, (uint32_t)at + 1, is_word_byte(all.text[at])};
        if (all.text[at] == '"')
            item.end = (uint32_t)string_end(all.text, all.length, at);
        while (item.word && item.end < all.length && is_word_byte(all.text[item.end]))
            item.end++;
        ARENA_PUSH(arena, all.item, all.count, item);
        at = item.end;
    }
    return all;
}

static bool is_item(const Items *all, int i, const char *text)
{
    return i >= 0 && i < all->count && strlen(text) == all->item[i].end - all->item[i].start &&
           memcmp(all->text + all->item[i].start, text, strlen(text)) == 0;
}

static bool is_any_of(const Items *all, int i, const char *const *words)
{
    for (; *words != NULL; words++)
        if (is_item(all, i, *words))
            return true;
    return false;
}

// The text from the item on begins with `text`.
static bool joined(const Items *all, int i, const char *text)
{
    return i < all->count && starts(all->text, all->length, all->item[i].start, text);
}

// Behind the parenthesis that closes the one at `i`.
static int behind_parenthesis(const Items *all, int i)
{
    for (int depth = 0; i < all->count; i++) {
        depth += is_item(all, i, "(") - is_item(all, i, ")");
        if (depth == 0)
            return i + 1;
    }
    return i;
}

static bool same_text(const Items *all, int i, int j)
{
    const Item a = all->item[i], b = all->item[j];
    return a.end - a.start == b.end - b.start &&
           memcmp(all->text + a.start, all->text + b.start, a.end - a.start) == 0;
}

// The item is given a value, or is bound by a loop or definition.
static bool is_defined_at(const Items *all, int i)
{
    static const char *const binders[] = {"square",     "all",    "piece", "string", "function", "dictionary",
                                          "persistent", "atomic", "local", "quiet",  NULL};
    if (i > 0 && is_any_of(all, i - 1, binders))
        return true;
    if (joined(all, i + 1, "=") && !joined(all, i + 1, "=="))
        return true;
    static const char *const assignments[] = {"+=", "-=", "*=", "/=", "%=", "|=", "&=", NULL};
    for (int k = 0; assignments[k] != NULL; k++)
        if (joined(all, i + 1, assignments[k]))
            return true;
    return false;
}

// The word is a variable or function of the file: assigned or declared somewhere.
static bool is_defined(const Items *all, int word)
{
    for (int i = 0; i < all->count; i++) {
        if (is_item(all, i, "function") || is_item(all, i, "echo")) {
            int end = i + 1;
            while (end < all->count && !is_item(all, end, "("))
                end++;
            const int behind = behind_parenthesis(all, end);
            for (int k = i + 1; k < behind && k < all->count; k++)
                if (same_text(all, k, word))
                    return true;
        }
        if (same_text(all, i, word) && is_defined_at(all, i))
            return true;
    }
    return false;
}

static bool may_begin_filter(const Items *all, int i)
{
    return i == 0 || all->item[i - 1].word ||
           strchr("=<>&|:#~,[/-.%", all->text[all->item[i - 1].start]) == NULL;
}

// `previous` with `*`, or with `( … )` that holds no sign of a move.
static bool is_search_back(const Items *all, int i)
{
    if (!is_item(all, i, "previous"))
        return false;
    if (is_item(all, i + 1, "*"))
        return true;
    if (!is_item(all, i + 1, "("))
        return false;
    const int end = behind_parenthesis(all, i + 1);
    for (int k = i + 2; k < end && k < all->count; k++)
        if (joined(all, k, "--") || joined(all, k, "―") || joined(all, k, "[x]") || joined(all, k, "×"))
            return false;
    return true;
}

static bool is_cql5_evidence(const Items *all, int i)
{
    static const char *const words[] = {"relation",
                                        "next",
                                        "next2",
                                        "previous2",
                                        "countsquares",
                                        "powerdifference",
                                        "lightsquares",
                                        "darksquares",
                                        "beginvariation",
                                        "origin",
                                        NULL};
    return (is_any_of(all, i, words) || is_search_back(all, i)) && may_begin_filter(all, i) &&
           !is_defined(all, i);
}

// `move` with parameters and then a colon.
static bool is_move_with_target(const Items *all, int i)
{
    static const char *const with_set[] = {"from", "to", "promote", "capture", "enpassantsquare", NULL};
    static const char *const alone[] = {"legal",     "pseudolegal", "previous", "null",  "primary",
                                        "secondary", "enpassant",   "castle",   "count", NULL};
    if (!is_item(all, i, "move"))
        return false;
    int k = i + 1;
    while (is_any_of(all, k, with_set) || is_any_of(all, k, alone)) {
        k += is_any_of(all, k, with_set) ? 2 : 1;
        while (k < all->count && all->item[k].start == all->item[k - 1].end && !is_item(all, k, ":"))
            k++; // the rest of a designator
    }
    return k > i + 1 && is_item(all, k, ":");
}

static bool is_cqli_evidence(const Items *all, int i)
{
    static const char *const words[] = {"imagine",           "saveposition", "currentmutation",
                                        "reachableposition", "variantwin",   "variantloss",
                                        "variantend",        "variantdraw",  NULL};
    return (is_any_of(all, i, words) && !is_defined(all, i)) || is_item(all, i, "`") ||
           joined(all, i, "\\{") || (is_item(all, i, "move") && is_item(all, i + 1, "reverse")) ||
           is_move_with_target(all, i);
}

// What neither CQL 5 nor CQL 3 knows.
static bool is_cql6_evidence(const Items *all, int i)
{
    static const char *const words[] = {
        "path", "line", "echo",       "find",        "function",        "dictionary", "while",
        "loop", "if",   "persistent", "currentmove", "currentposition", NULL};
    return is_any_of(all, i, words) || joined(all, i, "-->") || joined(all, i, "<--");
}

// The first item from `from` on that passes, or -1.
static int find_evidence(const Items *all, int from, bool (*test)(const Items *, int))
{
    for (int i = from; i < all->count; i++)
        if (test(all, i))
            return i;
    return -1;
}

static const char *item_text(Arena *arena, const Items *all, int i)
{
    return arena_copy(arena, all->text + all->item[i].start, all->item[i].end - all->item[i].start);
}

// The first item behind the header, -1 when there is none.
static int behind_header(const Items *all)
{
    for (int i = 0; i + 1 < all->count; i++)
        if (is_item(all, i, "cql") && is_item(all, i + 1, "("))
            return behind_parenthesis(all, i + 1);
    return -1;
}

// A `.` that touches a piece or square, or the word `any`, and no `_` at all (11.9).
static int find_old_square(const Items *all, int from)
{
    int found = -1;
    for (int i = from; i < all->count; i++) {
        const Item item = all->item[i];
        if (memchr(all->text + item.start, '_', item.end - item.start) != NULL &&
            all->text[item.start] != '"')
            return -1;
        const char before = item.start > 0 ? all->text[item.start - 1] : ' ';
        const char after = item.end < all->length ? all->text[item.end] : ' ';
        const bool touches = isalnum((unsigned char)before) || before == '[' ||
                             isalnum((unsigned char)after) || after == '[' || after == ']' || after == '$';
        if (found < 0 && (is_item(all, i, "any") || (is_item(all, i, ".") && touches)))
            found = i;
    }
    return found;
}

static void note_both(Arena *arena, const Items *all, int old, int new, Diagnostics *diagnostics)
{
    diag_add(diagnostics, DIAG_NOTE, (Span){all->item[old].start, all->item[old].end},
             "read as cql6: `%s` belongs to CQL 5, but `%s` to CQL 6.2", item_text(arena, all, old),
             item_text(arena, all, new));
}

// The rules of 14.3 for text that CQL 6.2 refuses. *what: the item that decided, or -1.
static Dialect apply_rules(Arena *arena, const Items *all, Diagnostics *diagnostics, int *what)
{
    *what = -1;
    if (is_item(all, 0, "(") && is_item(all, 1, "match")) {
        *what = 1;
        return DIALECT_CQL3;
    }
    const int body = behind_header(all);
    if (body < 0)
        return DIALECT_CQL6;
    const int cql5 = find_evidence(all, body, is_cql5_evidence),
              cql6 = find_evidence(all, body, is_cql6_evidence);
    if (cql5 >= 0 && cql6 >= 0) {
        note_both(arena, all, cql5, cql6, diagnostics);
        return DIALECT_CQL6;
    }
    *what = cql5;
    if (cql5 >= 0)
        return find_old_square(all, body) >= 0 ? DIALECT_CQL51 : DIALECT_CQL5;
    *what = find_evidence(all, body, is_cqli_evidence);
    return *what >= 0 ? DIALECT_CQLI : DIALECT_CQL6;
}

// ---- decision
// --------------------------------------------------------------------------------------------------

// By option or marker; DIALECT_NONE when neither decides.
static Dialect named_dialect(const Source *source, Dialect option, Diagnostics *diagnostics, const char **why)
{
    const Marker marker = find_marker(source);
    if (marker.present && marker.dialect == DIALECT_NONE)
        diag_add(diagnostics, DIAG_ERROR, marker.span, "no dialect has this name; the names are %s",
                 dialect_names);
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

static Dialect ruled_dialect(const Source *source, Diagnostics *diagnostics, const char **why, Span *where)
{
    const Items all = split(diagnostics->arena, source);
    int what;
    const Dialect dialect = apply_rules(diagnostics->arena, &all, diagnostics, &what);
    *why = "default";
    if (what >= 0) {
        *where = (Span){all.item[what].start, all.item[what].end};
        *why = arena_printf(diagnostics->arena, "because of `%s`", item_text(diagnostics->arena, &all, what));
    }
    return dialect;
}

Dialect dialect_detect(const Source *source, Dialect option, Diagnostics *diagnostics, const char **why)
{
    const Dialect named = named_dialect(source, option, diagnostics, why);
    Span where;
    return named != DIALECT_NONE ? named : ruled_dialect(source, diagnostics, why, &where);
}

static Query *parse_as(Dialect dialect, Arena *arena, const Source *source, const ParseOptions *options,
                       Diagnostics *diagnostics)
{
    switch (dialect) {
    case DIALECT_CQL5:
    case DIALECT_CQL51:
        return parse_cql5(arena, source, options, diagnostics, dialect == DIALECT_CQL51);
    case DIALECT_CQL3:
        return parse_cql3(arena, source, options, diagnostics);
    case DIALECT_CQLI:
        return parse_cqli(arena, source, options, diagnostics);
    default:
        return parse_query(arena, source, options, diagnostics);
    }
}

static void append(Diagnostics *to, const Diagnostics *from)
{
    for (int i = 0; i < from->count; i++)
        ARENA_PUSH(to->arena, to->list, to->count, from->list[i]);
    to->errors += from->errors;
}

// CQL 6.2 does not have `on` and `attack (`, but they are no evidence either.
static void propose_cql5(const Source *source, Diagnostics *diagnostics)
{
    const Items all = split(diagnostics->arena, source);
    for (int i = 0; i < all.count; i++) {
        if (!is_item(&all, i, "on") && !(is_item(&all, i, "attack") && is_item(&all, i + 1, "(")))
            continue;
        diag_add(diagnostics, DIAG_NOTE, (Span){all.item[i].start, all.item[i].end},
                 "if this is CQL 5, say so in the first line: `; dialect: cql5`");
        return;
    }
}

// `.` alone was the empty square in 5.1 and is the board in 5.2; without other evidence it is the latter
// (11.9).
static void warn_of_lone_dot(const Source *source, Diagnostics *diagnostics)
{
    const Items all = split(diagnostics->arena, source);
    const int body = behind_header(&all);
    bool new_square = false;
    int dot = -1;
    for (int i = body < 0 ? all.count : body; i < all.count; i++) {
        new_square |= is_item(&all, i, "_") || (all.item[i].word && all.text[all.item[i].start] == '_');
        if (dot < 0 && is_item(&all, i, "."))
            dot = i;
    }
    if (dot >= 0 && !new_square)
        diag_add(diagnostics, DIAG_WARNING, (Span){all.item[dot].start, all.item[dot].end},
                 "`.` is taken as all squares, as in CQL 5.2; if the file is older, begin it with `; "
                 "dialect: cql51`");
}

// Text without option and marker: the rules concern only what CQL 6.2 refuses.
static Query *parse_unnamed(Arena *arena, const Source *source, const ParseOptions *options,
                            Diagnostics *diagnostics, Dialect *dialect, const char **why)
{
    Diagnostics first = {.arena = diagnostics->arena, .source = source}, of_rules = first;
    Query *query = parse_query(arena, source, options, &first);
    Span where = {0, 0};
    *dialect = DIALECT_CQL6;
    if (query == NULL && !options->filters_only)
        *dialect = ruled_dialect(source, &of_rules, why, &where);
    if (*dialect == DIALECT_CQL6) {
        append(diagnostics, &first);
        append(diagnostics, &of_rules);
        if (query == NULL)
            propose_cql5(source, diagnostics);
        return query;
    }
    diag_add(diagnostics, DIAG_NOTE, where,
             "read as %s because of this; to say so, begin the file with `; dialect: %s`",
             dialect_name(*dialect), dialect_name(*dialect));
    if (*dialect == DIALECT_CQL5)
        warn_of_lone_dot(source, diagnostics);
    return parse_as(*dialect, arena, source, options, diagnostics);
}

Query *parse_any(Arena *arena, const Source *source, Dialect option, const ParseOptions *options,
                 Diagnostics *diagnostics, Dialect *dialect, const char **why)
{
    Dialect chosen;
    const char *reason;
    const int errors = diagnostics->errors;
    chosen = named_dialect(source, option, diagnostics, &reason);
    const bool named = chosen != DIALECT_NONE;
    Query *query = NULL;
    if (diagnostics->errors == errors)
        query = named ? parse_as(chosen, arena, source, options, diagnostics)
                      : parse_unnamed(arena, source, options, diagnostics, &chosen, &reason);
    if (query == NULL && named && chosen != DIALECT_CQL6)
        diag_add(diagnostics, DIAG_NOTE, (Span){0, 0}, "the query was read as %s (%s)", dialect_name(chosen),
                 reason);
    if (dialect != NULL)
        *dialect = chosen == DIALECT_NONE ? DIALECT_CQL6 : chosen;
    if (why != NULL)
        *why = reason;
    return query;
}
