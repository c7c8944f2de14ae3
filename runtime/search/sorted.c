// Matching games that wait for the end of the search.
#include "sorted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/value/memory.h"
#include "output.h"

enum { SPILL_BYTES = 1 << 20 };

static SortedGame *append(SortedGames *s, SortedGame game)
{
    s->game = memory_grow(s->game, &s->capacity, s->count + 1, sizeof *s->game);
    s->game[s->count] = game;
    s->memory += game.length;
    return &s->game[s->count++];
}

SortedGame *sorted_add(SortedGames *s, int64_t number, const char *text, size_t length)
{
    return append(s, (SortedGame){.number = number, .text = memory_copy(text, length), .length = length});
}

void sorted_key(SortedGame *game, bool has_value, bool is_min, int32_t number, String text)
{
    game->key = memory_resized(game->key, game->key_count + 1, sizeof *game->key);
    SortedKey *key = &game->key[game->key_count++];
    *key = (SortedKey){.has_value = has_value, .is_min = is_min, .number = number};
    if (has_value && text) {
        key->text = memory_copy(text->bytes, text->length);
        key->length = text->length;
    }
}

static void free_game(SortedGame *game)
{
    for (size_t k = 0; k < game->key_count; k++)
        free(game->key[k].text);
    free(game->key);
    free(game->text);
    free(game->file);
}

// Appends the collected texts to the temporary file.
static void flush(SortedGames *s, Buffer *texts)
{
    if (s->error == 0 && !output_write_all(s->fd, texts->start, texts->length))
        s->error = errno;
    s->spilled += texts->length;
    texts->length = 0;
}

// Moves all texts in memory to the temporary file.
static bool spill(SortedGames *s)
{
    if (s->spilled == 0 && (s->fd = output_temporary()) < 0) {
        s->error = errno;
        return false;
    }
    Buffer texts = {0};
    for (size_t i = 0; i < s->count; i++) {
        SortedGame *game = &s->game[i];
        if (!game->text)
            continue;
        game->offset = s->spilled + texts.length;
        buffer_append(&texts, game->text, game->length);
        free(game->text);
        game->text = NULL;
        if (texts.length >= SPILL_BYTES)
            flush(s, &texts);
    }
    flush(s, &texts);
    buffer_free(&texts);
    s->memory = 0;
    return s->error == 0;
}

void sorted_cut(SortedGames *s, size_t count)
{
    while (s->count > count) {
        SortedGame *game = &s->game[--s->count];
        s->memory -= game->text ? game->length : 0;
        free_game(game);
    }
}

bool sorted_move(SortedGames *to, SortedGames *from, size_t bound)
{
    for (size_t i = 0; i < from->count; i++)
        append(to, from->game[i]);
    from->count = from->memory = 0;
    return to->error == 0 && (to->memory <= bound || spill(to));
}

bool sorted_text(SortedGames *s, size_t i, size_t begin, size_t end, Buffer *out)
{
    const SortedGame *game = &s->game[i];
    if (game->text) {
        buffer_append(out, game->text + begin, end - begin);
        return true;
    }
    char block[16384];
    while (begin < end && s->error == 0) {
        size_t wanted = end - begin < sizeof block ? end - begin : sizeof block;
        ssize_t count = pread(s->fd, block, wanted, (off_t)(game->offset + begin));
        if (count > 0) {
            buffer_append(out, block, (size_t)count);
            begin += (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            s->error = count == 0 ? EIO : errno;
        }
    }
    return s->error == 0;
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
    for (size_t i = 0; i < s->count; i++)
        free_game(&s->game[i]);
    free(s->game);
    if (s->spilled > 0)
        close(s->fd);
    *s = (SortedGames){0};
}
