// The words that fit at a place of a query.
#include "internal.h"

#ifdef CQL_HAS_JSON
#include <stdlib.h>
#include <string.h>

#include "compiler/language/table.h"
#include "help_page.h"
#include "runtime/value/ascii.h"

// Kinds of items in the Language Server Protocol.
enum { KIND_FUNCTION = 3, KIND_VARIABLE = 6, KIND_PROPERTY = 10, KIND_KEYWORD = 14 };

typedef struct Completion {
    const EditorQuery *query;
    size_t length;
    Dialect dialect;
    Span word;     // that is replaced
    size_t cursor; // in it
    json_t *range, *items;
} Completion;

// IN_ bits of the words of a dialect.
static unsigned words_of(Dialect dialect)
{
    switch (dialect) {
    case DIALECT_CQLI:
        return IN_CQLI | IN_CQLI_PARAMETERS | IN_EXTENSION;
    case DIALECT_CQL5:
    case DIALECT_CQL51:
        return IN_CQL5;
    case DIALECT_CQL3:
        return IN_CQL3;
    default:
        return IN_CQL6 | IN_EXTENSION;
    }
}

// The word begins with what is before the cursor; the colon of a keyword of CQL 3 may be missing there.
static bool begins_so(const Completion *c, const char *name, size_t length)
{
    const char *typed = c->query->text + c->word.start;
    const size_t size = c->cursor - c->word.start, colon = size > 0 && *name == ':' && *typed != ':';
    return length - colon >= size && ascii_same_bytes(name + colon, typed, size);
}

static void add(Completion *c, const char *name, size_t length, int kind, const char *detail,
                ManualText syntax)
{
    if (!begins_so(c, name, length))
        return;
    json_t *text = editor_string(name, length);
    json_t *item = json_pack("{s:O, s:i, s:s, s:{s:O, s:O}}", "label", text, "kind", kind, "detail", detail,
                             "textEdit", "range", c->range, "newText", text);
    json_decref(text);
    if (syntax.length > 0) {
        json_t *lines = editor_string(syntax.start, syntax.length);
        json_object_set_new(item, "documentation",
                            json_pack("{s:s, s:o}", "kind", "plaintext", "value", lines));
    }
    json_array_append_new(c->items, item);
}

// ---- words of the language --------------------------------------------------------------------------------

// Filters come before words that are only part of other constructs, where a word is both.
static bool is_shown_before(Op op, unsigned dialects)
{
    for (int i = 0; i < OP_COUNT_; i++) {
        const bool same = i != (int)op && op_info[i].row != ROW_STRUCTURE &&
                          (op_info[i].dialects | op_info[i].also) & dialects &&
                          strcmp(op_info[i].name, op_info[op].name) == 0;
        if (same && (op_info[i].row < op_info[op].row || (op_info[i].row == op_info[op].row && i < (int)op)))
            return true;
    }
    return false;
}

static void add_words(Completion *c)
{
    const unsigned dialects = words_of(c->dialect);
    for (int op = 0; op < OP_COUNT_; op++) {
        const OpInfo *info = &op_info[op];
        const bool filter = info->row == ROW_FILTER || info->row == ROW_OLDER;
        const size_t length = strlen(info->name);
        if ((!filter && info->row != ROW_WORD && info->row != ROW_OLDER_WORD) ||
            !((info->dialects | info->also) & dialects) || !begins_so(c, info->name, length) ||
            is_shown_before((Op)op, dialects))
            continue;
        const ManualText syntax = info->row < ROW_OLDER ? help_syntax(info->name) : (ManualText){"", 0};
        add(c, info->name, length, filter ? KIND_FUNCTION : KIND_KEYWORD, info->help, syntax);
    }
}

static void add_definitions(Completion *c)
{
    size_t count;
    Definition *d = editor_definitions(c->query->text, c->length, &count);
    for (size_t i = 0; i < count; i++)
        if (d[i].start != c->word.start)
            add(c, d[i].name, d[i].length, d[i].is_function ? KIND_FUNCTION : KIND_VARIABLE,
                d[i].is_function ? "a function of this query" : "a variable of this query",
                (ManualText){"", 0});
    free(d);
}

// ---- strings ----------------------------------------------------------------------------------------------

static void add_tags(Completion *c)
{
    static const char *const tags[] = {
#include "compiler/language/tags.def"
    };
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        add(c, tags[i], strlen(tags[i]), KIND_PROPERTY, "a tag of games", (ManualText){"", 0});
}

// True when the word before the string takes the name of a tag.
static bool follows_tag(const char *text, size_t start)
{
    size_t end = start;
    while (end > 0 && strchr(" \t\r\n(", text[end - 1]) != NULL)
        end--;
    const Span word = editor_word(text, end, end, false);
    const int op = op_from_word(text + word.start, word.end - word.start, IN_CQL6);
    return op == OP_TAG || op == OP_SETTAG;
}

// ---- the answer -------------------------------------------------------------------------------------------

static void detect(Compiled *compiled, const CompileOptions *options)
{
    Completion *c = options->user;
    editor_read(compiled, c->query, options);
    c->dialect = compiled->dialect;
}

json_t *complete_query(const EditorQuery *query, int line, int character)
{
    EditorText text = editor_text(query);
    const size_t cursor = editor_offset(&text, line, character);
    Completion c = {query, text.length, DIALECT_CQL6, {0, 0}, cursor, NULL, json_array()};
    const CompileOptions options = {.user = &c};
    size_t start = 0;
    const EditorScope scope = editor_scope(query->text, text.length, cursor, &start);
    const bool tag = scope == SCOPE_STRING && follows_tag(query->text, start);
    if (scope == SCOPE_FILTERS && !editor_work(query, options, detect)) {
        json_decref(c.items);
        return NULL;
    }
    c.word = editor_word(query->text, text.length, cursor, c.dialect == DIALECT_CQL3);
    c.range = editor_range(&text, c.word.start, c.word.end);
    if (scope == SCOPE_FILTERS) {
        add_definitions(&c);
        add_words(&c);
    } else if (tag) {
        add_tags(&c);
    }
    json_decref(c.range);
    return json_pack("{s:o}", "items", c.items);
}

json_t *editor_complete(const char *query, const char *dialect, int line, int character)
{
    return complete_query(&(EditorQuery){.text = query, .dialect = dialect}, line, character);
}

#endif
