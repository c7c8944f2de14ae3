// The rules that find the dialect of a query that CQL 6.2 refuses (language reference 14.3).
//
// They look at the tokens of the text. What a rule needs to know about the text around a token is computed once, in
// passes over the whole list, so that the time stays linear in the length of the text. The table of the language says
// which words belong to which dialect.
#include <string.h>

#include "compiler/base/text_map.h"
#include "compiler/front/cql6/token.h"
#include "compiler/front/shared/characters.h"
#include "compiler/front/shared/preamble.h"
#include "internal.h"

// ---- items -----------------------------------------------------------------------------------------------

typedef struct Item {
    Span span;
    bool word;
    bool to_colon;  // parameters of `move` are here, then a colon
    bool defined;   // a word that is a variable or function of the file: assigned or declared somewhere
    int32_t name;   // words: equal words have equal numbers
    int32_t after;  // of `(`: the item after the `)` that closes it
    int32_t joined; // the next item that does not touch the one before it, or is a colon
    int32_t sign;   // the first sign of a move from here on
} Item;

typedef struct Items {
    const char *text;
    size_t length;
    Item *item;
    int count;
    int names;
} Items;

static size_t item_length(const Items *all, int i)
{
    return all->item[i].span.end - all->item[i].span.start;
}

static const char *item_start(const Items *all, int i)
{
    return all->text + all->item[i].span.start;
}

// The tokens as CQLi has them: the other dialects have none that begin in the middle of these.
static void split(Arena *arena, const Source *source, Items *all)
{
    Diagnostics ignored = {.arena = arena, .source = source};
    const TokenList tokens = lex(arena, source, IN_CQLI, &ignored);
    all->item = arena_alloc(arena, (size_t)tokens.count * sizeof *all->item);
    all->count = tokens.count - 1;
    for (int i = 0; i < all->count; i++) {
        const Span span = tokens.token[i].span;
        all->item[i] = (Item){.span = span, .word = is_word_byte(all->text[span.start])};
    }
}

static bool is_item(const Items *all, int i, const char *text)
{
    return i >= 0 && i < all->count && strlen(text) == item_length(all, i) &&
           memcmp(item_start(all, i), text, strlen(text)) == 0;
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
    return i < all->count && text_has(all->text, all->length, all->item[i].span.start, text);
}

// ---- what surrounds an item ------------------------------------------------------------------------------

static void number_words(Arena *arena, Items *all)
{
    TextMap words = {0};
    for (int i = 0; i < all->count; i++) {
        Item *item = &all->item[i];
        if (item->word)
            item->name =
                text_map_number(arena, &words, item_start(all, i), (uint32_t)item_length(all, i), NULL);
    }
    all->names = words.count;
}

static void match_parentheses(Arena *arena, Items *all)
{
    int32_t *open = arena_alloc(arena, ((size_t)all->count + 1) * sizeof *open);
    int depth = 0;
    for (int i = 0; i < all->count; i++) {
        all->item[i].after = all->count;
        if (is_item(all, i, "("))
            open[depth++] = i;
        else if (is_item(all, i, ")") && depth > 0)
            all->item[open[--depth]].after = i + 1;
    }
}

// The item is assigned a value, or is bound by a loop or definition.
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

// Marks the words that are assigned, or declared by `function` and `echo` up to the end of their parentheses.
static void mark_defined(Arena *arena, Items *all)
{
    bool *defined = arena_alloc(arena, (size_t)all->names + 1);
    int32_t *list_end = arena_alloc(arena, ((size_t)all->count + 1) * sizeof *list_end);
    list_end[all->count] = all->count;
    for (int i = all->count - 1; i >= 0; i--)
        list_end[i] = is_item(all, i, "(") ? all->item[i].after : list_end[i + 1];
    for (int i = 0, declared = 0; i < all->count; i++) {
        if (all->item[i].word && (i < declared || is_defined_at(all, i)))
            defined[all->item[i].name] = true;
        if ((is_item(all, i, "function") || is_item(all, i, "echo")) && list_end[i + 1] > declared)
            declared = list_end[i + 1];
    }
    for (int i = 0; i < all->count; i++)
        all->item[i].defined = all->item[i].word && defined[all->item[i].name];
}

// Marks where parameters of `move` lead to a colon; a set may be several items that touch.
static void mark_move_parameters(Items *all)
{
    static const char *const with_set[] = {"from",     "to",   "promote",         "capture",
                                           "captures", "drop", "enpassantsquare", NULL};
    static const char *const alone[] = {"legal",   "pseudolegal", "previous",  "reverse", "null",
                                        "primary", "secondary",   "enpassant", "castle",  "o-o",
                                        "o-o-o",   "count",       "all",       NULL};
    for (int i = all->count - 1; i >= 0; i--) {
        Item *item = &all->item[i];
        const bool touches =
            i + 1 < all->count && item[1].span.start == item->span.end && !is_item(all, i + 1, ":");
        item->joined = touches ? item[1].joined : i + 1;
        const int set = i + 1;
        const int next = is_any_of(all, i, alone)                          ? i + 1
                         : is_any_of(all, i, with_set) && set < all->count ? all->item[set].joined
                                                                           : all->count;
        item->to_colon = next < all->count && (is_item(all, next, ":") || all->item[next].to_colon);
    }
}

static void find_move_signs(Items *all)
{
    int32_t sign = all->count;
    for (int i = all->count - 1; i >= 0; i--) {
        if (joined(all, i, "--") || joined(all, i, "―") || joined(all, i, "[x]") || joined(all, i, "×"))
            sign = i;
        all->item[i].sign = sign;
    }
}

static Items items_of(Arena *arena, const Source *source)
{
    Items all = {.text = source->text, .length = source->length};
    split(arena, source, &all);
    number_words(arena, &all);
    match_parentheses(arena, &all);
    mark_defined(arena, &all);
    mark_move_parameters(&all);
    find_move_signs(&all);
    return all;
}

// ---- evidence --------------------------------------------------------------------------------------------

static bool may_begin_filter(const Items *all, int i)
{
    return i == 0 || all->item[i - 1].word || strchr("=<>&|:#~,[/-.%", *item_start(all, i - 1)) == NULL;
}

// `previous` with `*`, or with `( … )` that contains no sign of a move.
static bool is_search_back(const Items *all, int i)
{
    if (!is_item(all, i, "previous"))
        return false;
    return is_item(all, i + 1, "*") ||
           (is_item(all, i + 1, "(") && all->item[i + 1].sign >= all->item[i + 1].after);
}

static int word_of(const Items *all, int i, unsigned dialects)
{
    return op_from_word(item_start(all, i), item_length(all, i), dialects);
}

static bool is_cql5_evidence(const Items *all, int i)
{
    const int op = word_of(all, i, IN_CQL5);
    const bool only = op >= 0 && op_info[op].row == ROW_OLDER && word_of(all, i, IN_BOTH) < 0 &&
                      op != OP_CQL5_FUTURE && op != OP_CQL5_PAST;
    return (only || is_search_back(all, i)) && may_begin_filter(all, i) && !all->item[i].defined;
}

static bool is_cqli_evidence(const Items *all, int i)
{
    const int op = word_of(all, i, IN_CQLI);
    if ((op >= 0 && op_info[op].dialects == IN_CQLI && !all->item[i].defined) || is_item(all, i, "`") ||
        joined(all, i, "\\{") || joined(all, i, "\\-{"))
        return true;
    return is_item(all, i, "move") && i + 1 < all->count &&
           (is_item(all, i + 1, "reverse") || all->item[i + 1].to_colon);
}

// What neither CQL 5 nor CQL 3 has.
static bool is_cql6_evidence(const Items *all, int i)
{
    return (word_of(all, i, IN_CQL6) >= 0 && word_of(all, i, IN_CQL5) < 0) || joined(all, i, "-->") ||
           joined(all, i, "<--");
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
    return arena_copy(arena, item_start(all, i), item_length(all, i));
}

// The first item after the header, -1 without a header.
static int after_header(const Items *all)
{
    for (int i = 0; i + 1 < all->count; i++)
        if (is_item(all, i, "cql") && is_item(all, i + 1, "("))
            return all->item[i + 1].after;
    return -1;
}

// A `.` that touches a piece or square, or the word `any`, and no `_` at all (11.9).
static int find_old_square(const Items *all, int from)
{
    int found = -1;
    for (int i = from; i < all->count; i++) {
        const Span span = all->item[i].span;
        if (memchr(item_start(all, i), '_', item_length(all, i)) != NULL && *item_start(all, i) != '"')
            return -1;
        const char before = span.start > 0 ? all->text[span.start - 1] : ' ';
        const char after = span.end < all->length ? all->text[span.end] : ' ';
        const bool touches = is_letter(before) || is_digit(before) || before == '[' || is_letter(after) ||
                             is_digit(after) || after == '[' || after == ']' || after == '$';
        if (found < 0 && (is_item(all, i, "any") || (is_item(all, i, ".") && touches)))
            found = i;
    }
    return found;
}

// The rules of 14.3 for queries that CQL 6.2 refuses. *what: the item that decided, or -1.
static Dialect apply_rules(Arena *arena, const Items *all, Diagnostics *diagnostics, int *what)
{
    *what = -1;
    if (is_item(all, 0, "(") && is_item(all, 1, "match")) {
        *what = 1;
        return DIALECT_CQL3;
    }
    const int header = after_header(all), body = header < 0 ? 0 : header; // CQLi needs no header
    const int cql5 = header < 0 ? -1 : find_evidence(all, body, is_cql5_evidence),
              cql6 = find_evidence(all, body, is_cql6_evidence);
    if (cql5 >= 0 && cql6 >= 0) {
        diag_add(diagnostics, DIAG_NOTE, all->item[cql5].span,
                 "read as cql6: `%s` is CQL 5, but `%s` is CQL 6.2", item_text(arena, all, cql5),
                 item_text(arena, all, cql6));
        return DIALECT_CQL6;
    }
    *what = cql5;
    if (cql5 >= 0)
        return find_old_square(all, body) >= 0 ? DIALECT_CQL51 : DIALECT_CQL5;
    *what = find_evidence(all, body, is_cqli_evidence);
    return *what >= 0 ? DIALECT_CQLI : DIALECT_CQL6;
}

// ---- what dialect.c asks ---------------------------------------------------------------------------------

Dialect dialect_by_rules(const Source *source, Diagnostics *diagnostics, const char **why, Span *where)
{
    const Items all = items_of(diagnostics->arena, source);
    int what;
    const Dialect dialect = apply_rules(diagnostics->arena, &all, diagnostics, &what);
    if (what >= 0) {
        *where = all.item[what].span;
        *why = arena_printf(diagnostics->arena, "because of `%s`", item_text(diagnostics->arena, &all, what));
    }
    return dialect;
}

void dialect_propose_cql5(const Source *source, Diagnostics *diagnostics)
{
    const Items all = items_of(diagnostics->arena, source);
    for (int i = 0; i < all.count; i++) {
        if (!is_item(&all, i, "on") && !(is_item(&all, i, "attack") && is_item(&all, i + 1, "(")))
            continue;
        diag_add(diagnostics, DIAG_NOTE, all.item[i].span,
                 "if this is CQL 5, begin the file with the line `%s`", dialect_marker(DIALECT_CQL5));
        preamble_cure(diagnostics, dialect_marker(DIALECT_CQL5));
        return;
    }
}

void dialect_warn_of_dot(const Source *source, Diagnostics *diagnostics)
{
    const Items all = items_of(diagnostics->arena, source);
    const int body = after_header(&all);
    bool new_square = false;
    int dot = -1;
    for (int i = body < 0 ? all.count : body; i < all.count; i++) {
        new_square |= is_item(&all, i, "_") || (all.item[i].word && *item_start(&all, i) == '_');
        if (dot < 0 && is_item(&all, i, "."))
            dot = i;
    }
    if (dot >= 0 && !new_square)
        diag_add(diagnostics, DIAG_WARNING, all.item[dot].span,
                 "`.` is read as all squares, as in CQL 5.2; if the file is older, begin it with `%s`",
                 dialect_marker(DIALECT_CQL51));
}
