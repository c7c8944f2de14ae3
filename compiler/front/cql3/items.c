// The items of lists of CQL 3, and errors about them.
#include "internal.h"

#include <string.h>

bool cql3_error(Cql3 *c, Span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(c->arena, format, arguments);
    va_end(arguments);
    if (c->list_number > 0)
        diag_add(c->diagnostics, DIAG_ERROR, span, "position list %d: %s", c->list_number, text);
    else
        diag_add(c->diagnostics, DIAG_ERROR, span, "%s", text);
    return false;
}

const char *cql3_item_text(Cql3 *c, const Item *item)
{
    if (item == NULL)
        return "the end of the list";
    if (item->kind == ITEM_LIST)
        return "a list";
    return arena_printf(c->arena, item->kind == ITEM_STRING ? "\"%s\"" : "`%s`", item->text);
}

const Item *cql3_item_at(const Item *list, int i)
{
    return i < list->count ? list->item[i] : NULL;
}

Span cql3_span_at(const Item *list, int i)
{
    return i < list->count ? list->item[i]->span : (Span){list->span.end - 1, list->span.end};
}

bool cql3_is_keyword(const Item *item)
{
    return item->kind == ITEM_WORD && (item->text[0] == ':' || strncmp(item->text, "!:", 2) == 0);
}

const char *cql3_word_at(Cql3 *c, const Item *list, int i)
{
    const Item *item = cql3_item_at(list, i);
    if (item == NULL || item->kind != ITEM_WORD)
        return "";
    char *plain = arena_copy(c->arena, item->text, strlen(item->text)), *to = plain;
    for (const char *from = item->text; *from != '\0';) {
        const bool sign = strncmp(from, "\xE2\x88\x92", 3) == 0 || strncmp(from, "\xE2\x80\x93", 3) == 0;
        *to++ = sign ? '-' : *from;
        from += sign ? 3 : 1;
    }
    *to = '\0';
    return plain;
}

const char **cql3_words_at(Cql3 *c, const Item *list, int i, int *count)
{
    const char **words = NULL, *text = cql3_word_at(c, list, i);
    size_t length = strcspn(text, ",");
    for (*count = 0; length > 0 && *text != ':'; length = strcspn(++text, ",")) {
        const char *word = arena_copy(c->arena, text, length);
        ARENA_PUSH(c->arena, words, *count, word);
        text += length;
        if (*text == '\0')
            return words;
    }
    *count = 0;
    return NULL;
}
