// Matching games that wait for the end of the search.
#include "sorted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/value/memory.h"
#include "output.h"

enum { SPILL_BYTES = 1 << 20, READ_BYTES = 1 << 16, LEAST_CUT = 1000 };

// Sorted games in the temporary file.
typedef struct SortedRun {
    uint64_t begin, end;
} SortedRun;

// ---- games in memory --------------------------------------------------------------------------------------

static size_t game_bytes(const SortedGame *game)
{
    size_t sum = sizeof *game + game->length + game->key_count * sizeof *game->key;
    for (size_t k = 0; k < game->key_count; k++)
        sum += game->key[k].length;
    return sum + (game->file ? strlen(game->file) : 0);
}

static SortedGame *append(SortedGames *s, SortedGame game)
{
    s->game = memory_grow(s->game, &s->capacity, s->count + 1, sizeof *s->game);
    s->game[s->count] = game;
    s->memory += game_bytes(&game);
    return &s->game[s->count++];
}

SortedGame *sorted_add(SortedGames *s, int64_t number, const char *text, size_t length)
{
    return append(s, (SortedGame){.number = number, .text = memory_copy(text, length), .length = length});
}

void sorted_key_bytes(SortedGame *game, bool has_value, bool is_min, int32_t number, const char *text,
                      size_t length)
{
    game->key = memory_resized(game->key, game->key_count + 1, sizeof *game->key);
    SortedKey *key = &game->key[game->key_count++];
    *key = (SortedKey){.has_value = has_value, .is_min = is_min, .number = number};
    if (has_value && text) {
        key->text = memory_copy(text, length);
        key->length = length;
    }
}

void sorted_key(SortedGame *game, bool has_value, bool is_min, int32_t number, String text)
{
    sorted_key_bytes(game, has_value, is_min, number, text ? text->bytes : NULL, text ? text->length : 0);
}

static void free_game(SortedGame *game)
{
    for (size_t k = 0; k < game->key_count; k++)
        free((char *)(uintptr_t)game->key[k].text);
    free(game->key);
    free(game->text);
    free(game->file);
}

static void count_memory(SortedGames *s)
{
    s->memory = 0;
    for (size_t i = 0; i < s->count; i++)
        s->memory += game_bytes(&s->game[i]);
}

void sorted_cut(SortedGames *s, size_t count)
{
    if (s->count <= count)
        return;
    while (s->count > count)
        free_game(&s->game[--s->count]);
    count_memory(s);
}

// ---- order ------------------------------------------------------------------------------------------------

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

static int compare_games(const void *left, const void *right, void *user)
{
    const SortedGame *a = left, *b = right;
    const SortedGames *s = user;
    if (s->by_file) {
        const int order = strcmp(a->file, b->file);
        if (order != 0)
            return order;
    }
    size_t keys = a->key_count < b->key_count ? a->key_count : b->key_count;
    for (size_t k = 0; k < keys; k++) {
        int order = compare_keys(&a->key[k], &b->key[k]);
        if (order != 0)
            return order;
    }
    return (a->number > b->number) - (a->number < b->number);
}

// Sorts the games in memory, and drops those that are not wanted.
static void sort_memory(SortedGames *s)
{
    if (s->count > 0)
        qsort_r(s->game, s->count, sizeof *s->game, compare_games, s);
    if (s->most > 0)
        sorted_cut(s, s->most);
}

// ---- the temporary file -----------------------------------------------------------------------------------

// A game in the file; its keys with their texts, its file name and its text follow.
typedef struct Record {
    int64_t number;
    size_t size; // of what follows
    size_t length, index_length, key_count;
    size_t file_length; // with the NUL; 0: no name
} Record;

static void write_record(Buffer *out, const SortedGame *game)
{
    Record r = {.number = game->number,
                .length = game->length,
                .index_length = game->index_length,
                .key_count = game->key_count,
                .file_length = game->file ? strlen(game->file) + 1 : 0};
    r.size = r.length + r.file_length + r.key_count * sizeof *game->key;
    for (size_t k = 0; k < r.key_count; k++)
        r.size += game->key[k].length;
    buffer_append(out, (const char *)&r, sizeof r);
    buffer_append(out, (const char *)game->key, r.key_count * sizeof *game->key);
    for (size_t k = 0; k < r.key_count; k++)
        buffer_append(out, game->key[k].text, game->key[k].length);
    buffer_append(out, game->file, r.file_length);
    buffer_append(out, game->text, r.length);
}

static void flush(SortedGames *s, Buffer *records)
{
    if (s->error == 0 && !output_write_all(s->fd, records->start, records->length))
        s->error = errno;
    s->spilled += records->length;
    records->length = 0;
}

// Moves the games in memory to a run in the temporary file.
static bool spill(SortedGames *s)
{
    if (s->spilled == 0 && (s->fd = output_temporary()) < 0) {
        s->error = errno;
        return false;
    }
    const uint64_t begin = s->spilled;
    Buffer records = {0};
    sort_memory(s);
    for (size_t i = 0; i < s->count; i++) {
        write_record(&records, &s->game[i]);
        if (records.length >= SPILL_BYTES)
            flush(s, &records);
    }
    flush(s, &records);
    buffer_free(&records);
    sorted_cut(s, 0);
    MEMORY_PUSH(s->run, s->run_count, s->run_capacity, (SortedRun){begin, s->spilled});
    return s->error == 0;
}

bool sorted_move(SortedGames *to, SortedGames *from, size_t bound)
{
    for (size_t i = 0; i < from->count; i++)
        append(to, from->game[i]);
    from->count = from->memory = 0;
    if (to->most > 0 && to->count > 2 * to->most + LEAST_CUT)
        sort_memory(to);
    return to->error == 0 && (to->memory <= bound || spill(to));
}

// ---- merging ----------------------------------------------------------------------------------------------

// A sorted sequence of games: a run, or those in memory.
typedef struct Source {
    SortedGame game;    // the current one; of a run, its parts are in `bytes` and `key`
    uint64_t next, end; // of the file, to be read
    char *bytes;
    size_t count, capacity, at;
    SortedKey *key;
    size_t key_capacity;
    size_t index; // of the current game in memory
    bool in_memory;
} Source;

// A heap of the sources that have games, by their current games.
typedef struct SortedMerge {
    Source *source;
    Source **heap;
    size_t count, sources;
    size_t given;
    bool started; // the first source's game has been given
} SortedMerge;

// Makes `count` bytes of a run available; false after an error.
static bool need(SortedGames *s, Source *source, size_t count)
{
    if (source->count - source->at >= count)
        return true;
    const size_t wanted = count > READ_BYTES ? count : READ_BYTES;
    source->bytes = memory_grow(source->bytes, &source->capacity, wanted, 1);
    memmove(source->bytes, source->bytes + source->at, source->count - source->at);
    source->count -= source->at;
    source->at = 0;
    while (source->count < count) {
        const uint64_t left = source->end - source->next;
        const size_t room = wanted - source->count;
        const ssize_t got =
            pread(s->fd, source->bytes + source->count, left < room ? left : room, (off_t)source->next);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            s->error = got == 0 ? EIO : errno;
            return false;
        }
        source->count += got > 0 ? (size_t)got : 0;
        source->next += got > 0 ? (uint64_t)got : 0;
    }
    return true;
}

// Reads the next game of a run; false at its end, or after an error.
static bool read_record(SortedGames *s, Source *source)
{
    Record r;
    if ((source->next == source->end && source->at == source->count) || !need(s, source, sizeof r))
        return false;
    memcpy(&r, source->bytes + source->at, sizeof r);
    source->at += sizeof r;
    if (!need(s, source, r.size))
        return false;
    char *next = source->bytes + source->at;
    source->at += r.size;
    source->key = memory_grow(source->key, &source->key_capacity, r.key_count, sizeof *source->key);
    if (r.key_count > 0)
        memcpy(source->key, next, r.key_count * sizeof *source->key);
    next += r.key_count * sizeof *source->key;
    for (size_t k = 0; k < r.key_count; k++) {
        if (source->key[k].text)
            source->key[k].text = next;
        next += source->key[k].length;
    }
    source->game = (SortedGame){.number = r.number,
                                .text = next + r.file_length,
                                .length = r.length,
                                .file = r.file_length > 0 ? next : NULL,
                                .index_length = r.index_length,
                                .key = source->key,
                                .key_count = r.key_count};
    return true;
}

// Goes to the next game of a source; false at its end.
static bool advance(SortedGames *s, Source *source)
{
    if (!source->in_memory)
        return read_record(s, source);
    if (source->index == s->count)
        return false;
    source->game = s->game[source->index++];
    return true;
}

static void sift_down(SortedGames *s, size_t at)
{
    SortedMerge *m = s->merge;
    for (size_t kid; (kid = 2 * at + 1) < m->count; at = kid) {
        if (kid + 1 < m->count && compare_games(&m->heap[kid + 1]->game, &m->heap[kid]->game, s) < 0)
            kid++;
        if (compare_games(&m->heap[at]->game, &m->heap[kid]->game, s) <= 0)
            return;
        Source *moved = m->heap[at];
        m->heap[at] = m->heap[kid];
        m->heap[kid] = moved;
    }
}

static void free_merge(SortedGames *s)
{
    SortedMerge *m = s->merge;
    for (size_t i = 0; m && i < m->sources; i++) {
        free(m->source[i].bytes);
        free(m->source[i].key);
    }
    if (m) {
        free(m->source);
        free(m->heap);
    }
    free(m);
    s->merge = NULL;
}

void sorted_begin(SortedGames *s)
{
    free_merge(s);
    sort_memory(s);
    SortedMerge *m = s->merge = memory_zeroed(1, sizeof *m);
    m->sources = s->run_count + 1;
    m->source = memory_zeroed(m->sources, sizeof *m->source);
    m->heap = memory_zeroed(m->sources, sizeof *m->heap);
    for (size_t i = 0; i < m->sources; i++) {
        Source *source = &m->source[i];
        source->in_memory = i == s->run_count;
        if (!source->in_memory) {
            source->next = s->run[i].begin;
            source->end = s->run[i].end;
        }
        if (advance(s, source))
            m->heap[m->count++] = source;
    }
    for (size_t i = m->count / 2; i-- > 0;)
        sift_down(s, i);
}

const SortedGame *sorted_next(SortedGames *s)
{
    SortedMerge *m = s->merge;
    if (m->started) {
        if (!advance(s, m->heap[0]))
            m->heap[0] = m->heap[--m->count];
        sift_down(s, 0);
    }
    m->started = m->count > 0;
    if (m->count == 0 || s->error != 0 || (s->most > 0 && m->given == s->most))
        return NULL;
    m->given++;
    return &m->heap[0]->game;
}

void sorted_free(SortedGames *s)
{
    free_merge(s);
    sorted_cut(s, 0);
    free(s->game);
    free(s->run);
    if (s->spilled > 0)
        close(s->fd);
    *s = (SortedGames){0};
}
