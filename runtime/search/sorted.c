#include "sorted.h"

#include <stdlib.h>
#include <string.h>

static void *grow(void *old, size_t size)
{
    void *memory = realloc(old, size);
    if (!memory)
        abort();
    return memory;
}

static char *copy(const char *bytes, size_t length)
{
    char *memory = grow(NULL, length + 1);
    memcpy(memory, bytes, length);
    memory[length] = 0;
    return memory;
}

static SortedGame *append(SortedGames *s, SortedGame game)
{
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 16;
        s->game = grow(s->game, s->capacity * sizeof *s->game);
    }
    s->game[s->count] = game;
    return &s->game[s->count++];
}

SortedGame *sorted_add(SortedGames *s, int64_t number, const char *text, size_t length)
{
    return append(s, (SortedGame){.number = number, .text = copy(text, length), .length = length});
}

void sorted_key(SortedGame *game, bool has_value, bool is_min, int32_t number, String text)
{
    game->key = grow(game->key, (game->key_count + 1) * sizeof *game->key);
    SortedKey *key = &game->key[game->key_count++];
    *key = (SortedKey){.has_value = has_value, .is_min = is_min, .number = number};
    if (has_value && text) {
        key->text = copy(text->bytes, text->length);
        key->length = text->length;
    }
}

void sorted_move(SortedGames *to, SortedGames *from)
{
    for (size_t i = 0; i < from->count; i++)
        append(to, from->game[i]);
    from->count = 0;
}

// Negative when a comes first.
static int compare_keys(const SortedKey *a, const SortedKey *b)
{
    if (!a->has_value || !b->has_value)
        return (int)b->has_value - (int)a->has_value;
    int order;
    if (a->text && b->text) {
        size_t common = a->length < b->length ? a->length : b->length;
        order = memcmp(a->text, b->text, common);
        if (order == 0)
            order = (a->length > b->length) - (a->length < b->length);
    } else {
        order = (a->number > b->number) - (a->number < b->number);
    }
    return a->is_min ? order : -order;
}

static int compare_games(const void *left, const void *right)
{
    const SortedGame *a = left, *b = right;
    size_t keys = a->key_count < b->key_count ? a->key_count : b->key_count;
    for (size_t k = 0; k < keys; k++) {
        int order = compare_keys(&a->key[k], &b->key[k]);
        if (order != 0)
            return order;
    }
    return (a->number > b->number) - (a->number < b->number);
}

void sorted_sort(SortedGames *s)
{
    if (s->count > 0)
        qsort(s->game, s->count, sizeof *s->game, compare_games);
}

void sorted_free(SortedGames *s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < s->game[i].key_count; k++)
            free(s->game[i].key[k].text);
        free(s->game[i].key);
        free(s->game[i].text);
    }
    free(s->game);
    *s = (SortedGames){0};
}
