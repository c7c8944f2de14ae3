// Matching games that wait for the end of the search.
#include "sorted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/value/file_open.h"
#include "runtime/value/memory.h"
#include "output.h"

enum { SPILL_BYTES = 1 << 20, READ_BYTES = 1 << 16, LEAST_CUT = 1000 };

// Sorted games in the temporary file.
typedef struct SortedRun {
    uint64_t begin, end;
} SortedRun;

typedef struct SortedGame {
    GameRecord record; // its texts are in
    char *bytes;
    size_t size; // of them
} SortedGame;

// ---- games in memory --------------------------------------------------------------------------------------

static size_t game_bytes(const SortedGame *game)
{
    return sizeof *game + game->size;
}

// Drops all but the first `count` games in memory.
static void drop_games(SortedGames *s, size_t count)
{
    while (s->count > count) {
        const SortedGame *last = &s->game[--s->count];
        s->memory -= game_bytes(last);
        free(last->bytes);
    }
}

static void append_game(SortedGames *s, const GameRecord *game)
{
    SortedGame added = {.record = *game};
    added.record.reports = added.record.messages = added.record.totals = (Buffer){0};
    added.record.damage = 0;
    s->record.length = 0;
    game_record_put(&s->record, &added.record);
    added.size = s->record.length;
    added.bytes = memory_copy(s->record.start, added.size);
    game_record_get(&(const char *){added.bytes}, added.bytes + added.size, &added.record);
    s->memory += game_bytes(&added);
    MEMORY_PUSH(s->game, s->count, s->capacity, added);
}

// Negative when `a` comes first.
static int compare_games(const GameRecord *a, const GameRecord *b)
{
    const size_t x = a->keys.length, y = b->keys.length, common = x < y ? x : y;
    const int order = common > 0 ? memcmp(a->keys.start, b->keys.start, common) : 0;
    return order ? order : (a->game > b->game) - (a->game < b->game);
}

static int compare_sorted(const void *a, const void *b)
{
    return compare_games(&((const SortedGame *)a)->record, &((const SortedGame *)b)->record);
}

// Sorts the games in memory, and drops those that are not wanted.
static void sort_memory(SortedGames *s)
{
    if (s->count > 0)
        qsort(s->game, s->count, sizeof *s->game, compare_sorted);
    if (s->most > 0)
        drop_games(s, s->most);
}

// ---- the temporary file -----------------------------------------------------------------------------------

static void write_records(SortedGames *s, Buffer *records)
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
        buffer_append(&records, s->game[i].bytes, s->game[i].size);
        if (records.length >= SPILL_BYTES)
            write_records(s, &records);
    }
    write_records(s, &records);
    buffer_free(&records);
    drop_games(s, 0);
    MEMORY_PUSH(s->run, s->run_count, s->run_capacity, (SortedRun){begin, s->spilled});
    return s->error == 0;
}

bool sorted_add(SortedGames *s, const GameRecord *game, size_t bound)
{
    append_game(s, game);
    if (s->most > 0 && s->count > 2 * s->most + LEAST_CUT)
        sort_memory(s);
    return s->error == 0 && (s->memory <= bound || spill(s));
}

// ---- merging ----------------------------------------------------------------------------------------------

// A sorted sequence of games: a run, or those in memory.
typedef struct Source {
    GameRecord game;    // the current one; of a run, its texts are in `bytes`
    uint64_t next, end; // of the file, to be read
    char *bytes;
    size_t count, capacity, at;
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
static bool read_more(SortedGames *s, Source *source, size_t count)
{
    if (source->count - source->at >= count)
        return true;
    const size_t wanted = count > READ_BYTES ? count : READ_BYTES;
    source->bytes = memory_grow(source->bytes, &source->capacity, wanted, 1);
    memmove(source->bytes, source->bytes + source->at, source->count - source->at);
    source->count -= source->at;
    source->at = 0;
    const size_t room = wanted - source->count;
    const uint64_t left = source->end - source->next, size = left < room ? left : room;
    if (source->count + size < count)
        s->error = EIO;
    else if (!file_read_at(s->fd, source->next, source->bytes + source->count, size))
        s->error = errno;
    source->count += size;
    source->next += size;
    return s->error == 0;
}

// Reads the next game of a run; false at its end, or after an error.
static bool read_record(SortedGames *s, Source *source)
{
    if ((source->next == source->end && source->at == source->count) ||
        !read_more(s, source, GAME_RECORD_HEAD) ||
        !read_more(s, source, game_record_size(source->bytes + source->at)))
        return false;
    const char *at = source->bytes + source->at;
    if (!game_record_get(&at, source->bytes + source->count, &source->game))
        s->error = EIO;
    source->at = (size_t)(at - source->bytes);
    return s->error == 0;
}

// Goes to the next game of a source; false at its end.
static bool next_of_source(SortedGames *s, Source *source)
{
    if (!source->in_memory)
        return read_record(s, source);
    if (source->index == s->count)
        return false;
    source->game = s->game[source->index++].record;
    return true;
}

static void sift_down(SortedMerge *m, size_t at)
{
    for (size_t kid; (kid = 2 * at + 1) < m->count; at = kid) {
        if (kid + 1 < m->count && compare_games(&m->heap[kid + 1]->game, &m->heap[kid]->game) < 0)
            kid++;
        if (compare_games(&m->heap[at]->game, &m->heap[kid]->game) <= 0)
            return;
        Source *moved = m->heap[at];
        m->heap[at] = m->heap[kid];
        m->heap[kid] = moved;
    }
}

static void free_merge(SortedGames *s)
{
    SortedMerge *m = s->merge;
    for (size_t i = 0; m && i < m->sources; i++)
        free(m->source[i].bytes);
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
        if (next_of_source(s, source))
            m->heap[m->count++] = source;
    }
    for (size_t i = m->count / 2; i-- > 0;)
        sift_down(m, i);
}

const GameRecord *sorted_next(SortedGames *s)
{
    SortedMerge *m = s->merge;
    if (m->started) {
        if (!next_of_source(s, m->heap[0]))
            m->heap[0] = m->heap[--m->count];
        sift_down(m, 0);
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
    drop_games(s, 0);
    buffer_free(&s->record);
    free(s->game);
    free(s->run);
    if (s->spilled > 0)
        close(s->fd);
    *s = (SortedGames){0};
}
