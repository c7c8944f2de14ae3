// Which rank has which database.
#include "shards.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "runtime/search/fingerprint.h"
#include "messages.h"

// One database of one rank. As bytes: a list of one file (fingerprint.h), and then `CHUNKS GAMES\0`.
typedef struct Entry {
    const char *name;
    SearchShard shard;
    int rank;
} Entry;

// Writes a database but for the NUL at its end.
static void put_numbers(Buffer *out, const char *name, const SearchShard *shard)
{
    fingerprint_put(out, name, &shard->file);
    buffer_format(out, "%lld %lld", (long long)shard->chunks, (long long)shard->games);
}

// Takes a database, from *at, up to its number of games. Returns what follows.
static char *get_numbers(const Buffer *in, size_t *at, const char **name, SearchShard *shard)
{
    char *next;
    *shard = (SearchShard){0};
    *name = fingerprint_get(in, at, &shard->file);
    char *numbers = in->start + *at;
    *at += strlen(numbers) + 1;
    shard->chunks = strtoll(numbers, &next, 10);
    shard->games = strtoll(next, &next, 10);
    return next;
}

static void put_shard(Buffer *out, const char *name)
{
    SearchShard shard;
    if (!search_look_at_shard(name, &shard) || !fingerprint_of(name, &shard.file)) {
        printf_sanitized(stderr,
                         "cqlgen-mpi: rank %d: %s is not a database that can be read; it is left out\n",
                         message_rank(), name);
        return;
    }
    put_numbers(out, name, &shard);
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
        for (size_t at = 0; at < all[rank].length;) {
            Entry e = {.rank = rank};
            get_numbers(&all[rank], &at, &e.name, &e.shard);
            MEMORY_PUSH(entry, *count, capacity, e);
        }
    }
    if (*count > 0)
        qsort(entry, *count, sizeof *entry, compare_entries);
    return entry;
}

// Says that two ranks have different databases of one name; false unless only their times differ.
static bool tell_difference(const Entry *a, const Entry *b)
{
    const FilePair pair = {a->name, a->shard.file, b->shard.file,
                           fingerprint_difference(&a->shard.file, &b->shard.file)};
    const bool same = pair.differs == DIFFERS_TIME;
    Buffer how = {0};
    fingerprint_tell(&how, &pair);
    printf_sanitized(stderr, "cqlgen-mpi: %s%s of rank %d and that of rank %d differ in %.*s; %s\n",
                     same ? "warning: " : "", a->name, a->rank, b->rank, (int)how.length, how.start,
                     same ? "samples of their content are the same, so both ranks search it"
                          : "databases of one name must be equal");
    buffer_free(&how);
    return same;
}

// Writes the table that all ranks get: the name and numbers of each database, and the ranks that have it. The time is that of the
// newest copy, whichever rank has it. False after a message.
static bool put_table(Buffer *out, const Entry *entry, size_t count)
{
    bool good = true;
    for (size_t i = 0, end; i < count; i = end) {
        const Entry *newest = &entry[i];
        for (end = i; end < count && strcmp(entry[i].name, entry[end].name) == 0; end++) {
            const Fingerprint *file = &entry[end].shard.file;
            if (fingerprint_difference(&entry[i].shard.file, file))
                good &= tell_difference(&entry[i], &entry[end]);
            if (file->seconds > newest->shard.file.seconds ||
                (file->seconds == newest->shard.file.seconds &&
                 file->nanoseconds > newest->shard.file.nanoseconds))
                newest = &entry[end];
        }
        put_numbers(out, newest->name, &newest->shard);
        for (size_t k = i; k < end; k++)
            buffer_format(out, " %d", entry[k].rank);
        buffer_append(out, "", 1);
    }
    return good;
}

// Reads the table.
static void get_table(Shards *s, const Buffer *table)
{
    const int here = message_rank();
    size_t capacity = 0, count = 0;
    const char *name;
    SearchShard shard;
    s->ranks = message_ranks();
    for (size_t at = 0; at < table->length;) {
        get_numbers(table, &at, &name, &shard);
        inputs_add(&s->name, name);
        MEMORY_PUSH(s->shard, count, capacity, shard);
    }
    s->has = memory_zeroed(count * (size_t)s->ranks, sizeof *s->has);
    for (size_t at = 0, i = 0; i < count; i++) {
        for (char *next = get_numbers(table, &at, &name, &shard); *next;)
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
