// Reads the text of CQL 3 as nested lists of words (language reference 12.1).
#include "internal.h"

#include <string.h>

#include "compiler/front/shared/characters.h"
#include "compiler/front/shared/preamble.h"

typedef struct Reader {
    Arena *arena;
    const Source *source;
    Diagnostics *diagnostics;
    uint32_t at;
    int lists; // position lists so far
} Reader;

static bool at_end(const Reader *r)
{
    return r->at >= r->source->length;
}

static char here(const Reader *r)
{
    return at_end(r) ? '\0' : r->source->text[r->at];
}

static void skip_blank(Reader *r)
{
    while (is_space(here(r)) || here(r) == ';') {
        const bool comment = here(r) == ';';
        r->at++;
        while (comment && !at_end(r) && here(r) != '\n' && here(r) != '\r')
            r->at++;
    }
}

static Item *new_item(Reader *r, ItemKind kind, uint32_t start)
{
    Item *item = arena_alloc(r->arena, sizeof *item);
    item->kind = kind;
    item->span.start = start;
    return item;
}

static Item *read_string(Reader *r)
{
    Item *item = new_item(r, ITEM_STRING, r->at++);
    const uint32_t start = r->at;
    while (!at_end(r) && here(r) != '"' && here(r) != '\n')
        r->at++;
    item->text = arena_copy(r->arena, r->source->text + start, r->at - start);
    if (here(r) == '"')
        r->at++;
    else
        diag_add(r->diagnostics, DIAG_ERROR, (Span){start - 1, r->at},
                 "this string is never closed: expected `\"`");
    item->span.end = r->at;
    return item;
}

static Item *read_word(Reader *r)
{
    Item *item = new_item(r, ITEM_WORD, r->at);
    while (!at_end(r) && !is_space(here(r)) && strchr("();", here(r)) == NULL)
        r->at++;
    if (r->at == item->span.start)
        r->at++; // a NUL byte
    item->text = arena_copy(r->arena, r->source->text + item->span.start, r->at - item->span.start);
    item->span.end = r->at;
    return item;
}

static Item *read_list(Reader *r, int depth);

static bool names_position_list(const Item *list)
{
    return list->count > 0 && list->item[0]->kind == ITEM_WORD &&
           strcmp(list->item[0]->text, "position") == 0;
}

static bool read_items(Reader *r, Item *list, int depth)
{
    for (skip_blank(r); !at_end(r) && here(r) != ')'; skip_blank(r)) {
        Item *item = here(r) == '('   ? read_list(r, depth + 1)
                     : here(r) == '"' ? read_string(r)
                                      : read_word(r);
        if (item == NULL) // the nesting is too deep
            return false;
        ARENA_PUSH(r->arena, list->item, list->count, item);
        if (list->count == 1 && names_position_list(list))
            list->list_number = ++r->lists;
    }
    return true;
}

// "(" { item } ")"
static Item *read_list(Reader *r, int depth)
{
    Item *list = new_item(r, ITEM_LIST, r->at++);
    list->span.end = r->at;
    if (depth > CQL3_MAX_NESTING) {
        diag_add(r->diagnostics, DIAG_ERROR, list->span, "lists nested too deeply (more than %d levels)",
                 CQL3_MAX_NESTING);
        return NULL;
    }
    if (!read_items(r, list, depth))
        return NULL;
    if (at_end(r) && r->diagnostics->errors > 0)
        return NULL; // a string that is not closed may contain its parenthesis
    if (at_end(r)) {
        const char *where =
            list->list_number > 0 ? arena_printf(r->arena, "position list %d: ", list->list_number) : "";
        diag_add(r->diagnostics, DIAG_ERROR, list->span, "%sthis `(` is never closed", where);
        return NULL;
    }
    list->span.end = ++r->at;
    return list;
}

Item *cql3_read(Arena *arena, const Source *source, Diagnostics *diagnostics)
{
    Reader r = {.arena = arena,
                .source = source,
                .diagnostics = diagnostics,
                .at = (uint32_t)preamble_end(source->text, source->length)};
    Item *all = new_item(&r, ITEM_LIST, 0);
    const int errors = diagnostics->errors;
    const bool whole = read_items(&r, all, 0);
    if (whole && here(&r) == ')')
        diag_add(diagnostics, DIAG_ERROR, (Span){r.at, r.at + 1}, "this `)` closes nothing");
    all->span.end = (uint32_t)source->length;
    return whole && diagnostics->errors == errors ? all : NULL;
}
