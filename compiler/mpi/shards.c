// Which rank has which database.
#include "shards.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/search/terminal.h"
#include "messages.h"

// One database of one rank, as text: `NAME\0CHUNKS GAMES\0`.
typedef struct Entry {
    const char *name;
    SearchShard shard;
    int rank;
} Entry;

static void put_shard(Buffer *out, const char *name)
{
    SearchShard shard;
    if (!search_look_at_shard(name, &shard)) {
        say(stderr, "cqlgen-mpi: rank %d: %s is not a database that can be read; it is left out\n",
            message_rank(), name);
        return;
    }
    buffer_append(out, name, strlen(name) + 1);
    buffer_format(out, "%lld %lld", (long long)shard.chunks, (long long)shard.games);
    buffer_append(out, "", 1);
}

// Writes the databases of this rank.
static void look_here(Buffer *out, const char *const *name, size_t count)
{
    glob_t found = {0};
    for (size_t i = 0; i < count; i++)
        glob(name[i], i > 0 ? GLOB_APPEND : 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        put_shard(out, found.gl_pathv[i]);
    globfree(&found);
}

static int compare_entries(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : x->rank - y->rank;
}

// Reads the databases of all ranks, sorted by name.
static Entry *read_entries(const Buffer *all, int ranks, size_t *count)
{
    Entry *entry = NULL;
    size_t capacity = 0;
    *count = 0;
    for (int rank = 0; rank < ranks; rank++) {
        for (const char *at = all[rank].start; at < all[rank].start + all[rank].length;) {
            Entry e = {.name = at, .rank = rank};
            long long chunks = 0, games = 0;
            at += strlen(at) + 1;
            sscanf(at, "%lld %lld", &chunks, &games);
            at += strlen(at) + 1;
            e.shard = (SearchShard){chunks, games, false};
            entry = memory_grow(entry, &capacity, *count + 1, sizeof *entry);
            entry[(*count)++] = e;
        }
    }
    if (*count > 0)
        qsort(entry, *count, sizeof *entry, compare_entries);
    return entry;
}

// Writes the table that all ranks get: the name, chunks and games of each database, and the ranks that have it. False after a
// message.
static bool put_table(Buffer *out, const Entry *entry, size_t count)
{
    bool good = true;
    for (size_t i = 0, end; i < count; i = end) {
        buffer_append(out, entry[i].name, strlen(entry[i].name) + 1);
        buffer_format(out, "%lld %lld", (long long)entry[i].shard.chunks, (long long)entry[i].shard.games);
        for (end = i; end < count && strcmp(entry[i].name, entry[end].name) == 0; end++) {
            buffer_format(out, " %d", entry[end].rank);
            if (entry[end].shard.chunks == entry[i].shard.chunks &&
                entry[end].shard.games == entry[i].shard.games)
                continue;
            good = false;
            say(stderr,
                "cqlgen-mpi: %s of rank %d and that of rank %d are different databases; databases of one "
                "name "
                "must be equal\n",
                entry[i].name, entry[i].rank, entry[end].rank);
        }
        buffer_append(out, "", 1);
    }
    return good;
}

// Reads the table.
static void get_table(Shards *s, const Buffer *table)
{
    const char *end = table->start + table->length;
    size_t count = 0, i = 0;
    for (const char *at = table->start; at < end; at += strlen(at) + 1)
        count++;
    count /= 2;
    const int here = message_rank();
    s->ranks = message_ranks();
    s->shard = memory_zeroed(count, sizeof *s->shard);
    s->has = memory_zeroed(count * (size_t)s->ranks, sizeof *s->has);
    for (const char *at = table->start; at < end; at += strlen(at) + 1, i++) {
        inputs_add(&s->name, at);
        at += strlen(at) + 1;
        char *next;
        s->shard[i].chunks = strtoll(at, &next, 10);
        s->shard[i].games = strtoll(next, &next, 10);
        while (*next)
            s->has[(size_t)strtol(next, &next, 10) * count + i] = true;
        s->shard[i].absent = !s->has[(size_t)here * count + i];
    }
}

bool shards_find(Shards *s, const char *const *name, size_t count)
{
    Buffer own = {0}, table = {0};
    bool good = true;
    *s = (Shards){0};
    look_here(&own, name, count);
    Buffer *all = message_gather(&own);
    if (all) {
        size_t entries;
        Entry *entry = read_entries(all, message_ranks(), &entries);
        good = put_table(&table, entry, entries);
        if (entries == 0)
            good = complain(
                NULL, "no rank has a database of this name: --local looks for databases on the disk of each "
                      "rank");
        message_ask(REQUEST_SHARDS, &table);
        free(entry);
        for (int rank = 0; rank < message_ranks(); rank++)
            buffer_free(&all[rank]);
        free(all);
    } else {
        message_hear(&table);
    }
    get_table(s, &table);
    buffer_free(&own);
    buffer_free(&table);
    return good;
}

void shards_free(Shards *s)
{
    inputs_free(&s->name);
    free(s->shard);
    free(s->has);
    *s = (Shards){0};
}

void shards_divide(const Shards *s, const SearchOptions *search, Hub *hub)
{
    uint64_t begin = 0;
    for (size_t i = 0; i < s->name.count; i++) {
        const uint64_t end = begin + search_shard_blocks(search, &s->shard[i]);
        const size_t span = hub_add_span(hub, begin, end);
        for (int rank = 0; rank < s->ranks; rank++)
            if (s->has[(size_t)rank * s->name.count + i])
                hub_allow(hub, rank, span);
        begin = end;
    }
    hub_ended(hub, begin);
}
