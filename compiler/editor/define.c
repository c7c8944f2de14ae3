// What a text defines, and where a place in it is, without parsing it: it may be broken.
#include "internal.h"

#ifdef CQL_HAS_JSON
#include <stdlib.h>
#include <string.h>

#include "compiler/front/shared/preamble.h"
#include "compiler/language/table.h"
#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"

static bool is_word(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

// `///` begins a filter.
static bool begins_comment(const char *text, size_t length, size_t at)
{
    const bool filter = text_has(text, length, at, "///") && !text_has(text, length, at, "////");
    return text[at] == ';' || text_has(text, length, at, "/*") ||
           (text_has(text, length, at, "//") && !filter);
}

// The offset after the comment or string at `at`; `at` where there is none.
static size_t skip(const char *text, size_t length, size_t at, EditorScope *scope)
{
    *scope = SCOPE_FILTERS;
    if (text[at] == '"') {
        size_t end = at + 1;
        while (end < length && text[end] != '"' && text[end] != '\n')
            end++;
        *scope = SCOPE_STRING;
        return end < length && text[end] == '"' ? end + 1 : end;
    }
    if (!begins_comment(text, length, at))
        return at;
    *scope = SCOPE_COMMENT;
    if (text_has(text, length, at, "/*")) {
        const char *end = memmem(text + at + 2, length - at - 2, "*/", 2);
        return end != NULL ? (size_t)(end - text) + 2 : length;
    }
    return text_line_end(text, length, at);
}

EditorScope editor_scope(const char *text, size_t length, size_t offset, size_t *start)
{
    EditorScope scope;
    for (size_t at = 0, next; at < offset; at = next) {
        next = skip(text, length, at, &scope);
        *start = at;
        const bool closed = scope == SCOPE_STRING ? text[next - 1] == '"' && next > at + 1
                                                  : next > at + 3 && text_has(text, next, next - 2, "*/") &&
                                                        text_has(text, length, at, "/*");
        if (scope != SCOPE_FILTERS && (offset < next || (offset == next && !closed)))
            return scope;
        next += next == at;
    }
    return SCOPE_FILTERS;
}

Span editor_word(const char *text, size_t length, size_t offset, bool colons)
{
    size_t start = offset, end = offset;
    while (start > 0 && is_word(text[start - 1]))
        start--;
    while (end < length && is_word(text[end]))
        end++;
    if (colons && start > 0 && text[start - 1] == ':')
        start--;
    return (Span){(uint32_t)start, (uint32_t)end};
}

// ---- definitions ------------------------------------------------------------------------------------------

// A word that a name follows which it defines.
static bool defines(const char *word, size_t length)
{
    static const Op words[] = {OP_FUNCTION, OP_WORD_PIECE, OP_WORD_SQUARE, OP_WORD_DICTIONARY};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(op_info[words[i]].name) == length && memcmp(op_info[words[i]].name, word, length) == 0)
            return true;
    return false;
}

// The name is followed by an assignment, not by `==`.
static bool is_assigned(const char *text, size_t length, size_t at)
{
    while (at < length && strchr(" \t\r\n", text[at]) != NULL)
        at++;
    if (at < length && strchr("+-*/%|&", text[at]) != NULL)
        at++;
    return text_has(text, length, at, "=") && !text_has(text, length, at, "==");
}

static void add(Definition **list, size_t *count, size_t *capacity, Definition d)
{
    for (size_t i = 0; i < *count; i++)
        if ((*list)[i].length == d.length && memcmp((*list)[i].name, d.name, d.length) == 0)
            return;
    MEMORY_PUSH(*list, *count, *capacity, d);
}

Definition *editor_definitions(const char *text, size_t length, size_t *count)
{
    enum { MOST = 1000 };
    Definition *list = NULL;
    size_t capacity = 0;
    EditorScope scope;
    bool defined = false, function = false; // what the word before says about the next
    *count = 0;
    for (size_t at = 0, next; at < length && *count < MOST; at = next) {
        next = skip(text, length, at, &scope);
        if (next > at)
            continue;
        if (!is_word(text[at])) {
            defined = defined && strchr(" \t\r\n", text[at]) != NULL;
            next = at + 1;
            continue;
        }
        while (next < length && is_word(text[next]))
            next++;
        const size_t size = next - at;
        const bool reserved = op_from_word(text + at, size, IN_CQL6 | IN_CQLI | IN_CQL5) >= 0;
        if (!reserved && !is_digit(text[at]) && (defined || is_assigned(text, length, next)))
            add(&list, count, &capacity, (Definition){text + at, size, function && defined, at});
        defined = reserved && (defines(text + at, size) || (defined && text_has(text, next, at, "all")));
        function = text_has(text, length, at, op_info[OP_FUNCTION].name);
    }
    return list;
}

#endif
