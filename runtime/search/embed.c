// The interface for other programs: one worker that searches a file or a string.
#include "cqlgen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/match/load.h"
#include "worker.h"

struct CqlSearch {
    const Matcher *matcher;
    void *handle;
    SearchOptions options;
    Plan plan;
    Ending ending;
    Worker *worker;
    Block *block; // for messages, which are dropped
    char error[512];
};

static _Thread_local char open_error[512];

static CqlSearch *open_failed(CqlSearch *search, const char *message)
{
    snprintf(open_error, sizeof open_error, "%s", message);
    cql_close(search);
    return NULL;
}

CqlSearch *cql_open(const char *matcher_path)
{
    open_error[0] = 0;
    CqlSearch *search = memory_zeroed(1, sizeof *search);
    char *wrong = NULL;
    search->matcher = matcher_load(matcher_path, &search->handle, &wrong);
    if (!search->matcher) {
        open_failed(search, wrong);
        free(wrong);
        return NULL;
    }
    search->options.format = FORMAT_NONE;
    search->plan = plan_search(search->matcher, &search->options);
    search->block = block_new(&search->plan);
    search->block->input.input = "";
    const char *query = NULL, *message = NULL;
    search->worker = worker_open(&search->plan, &search->ending, NULL, 1, &query, &message);
    return search->worker ? search : open_failed(search, message ? message : "the query cannot be run");
}

void cql_close(CqlSearch *search)
{
    if (!search)
        return;
    if (search->worker)
        worker_close(search->worker);
    if (search->block)
        block_free(search->block);
    plan_free(&search->plan);
    matcher_unload(search->handle);
    free(search);
}

int32_t cql_query_count(const CqlSearch *search)
{
    return (int32_t)search->matcher->query_count;
}

const char *cql_query_name(const CqlSearch *search, int32_t query)
{
    return query >= 0 && (uint32_t)query < search->matcher->query_count ? search->matcher->query[query].name
                                                                        : NULL;
}

const char *cql_error(const CqlSearch *search)
{
    return search ? search->error : open_error;
}

// ---- searching --------------------------------------------------------------------------------------------

// Games in memory as a source of bytes.
typedef struct Memory {
    const char *next;
    size_t left;
} Memory;

static int64_t read_memory(void *user, void *buffer, size_t size)
{
    Memory *memory = user;
    size_t count = size < memory->left ? size : memory->left;
    if (count > 0)
        memcpy(buffer, memory->next, count);
    memory->next += count;
    memory->left -= count;
    return (int64_t)count;
}

// Matches one game; adds to *matches. Returns false when the callback stops the search.
static bool search_game(CqlSearch *search, const GameText *text, CqlCallback *callback, void *user,
                        int64_t *matches)
{
    const Found *found;
    const size_t count = worker_find(search->worker, search->block, text, &found);
    search->block->part->reports.length = search->block->part->messages.length = 0;
    for (size_t i = 0; i < count; i++) {
        const RunResult *result = found[i].result;
        const CqlHit hit = {text->number, (int32_t)(found[i].query - search->matcher->query),
                            result->hit_count, result->hit};
        ++*matches;
        if (callback && callback(user, &hit) != 0)
            return false;
    }
    return true;
}

static int64_t count_games(ReadFn *read, void *source)
{
    PgnSplitter *splitter = pgn_split_open(read, source, NULL, NULL);
    GameText text;
    int64_t count = 0;
    while (pgn_split_next(splitter, &text))
        count++;
    pgn_split_close(splitter);
    return count;
}

// Searches the games that `read` delivers; -1 after a read error, which is in search->error.
static int64_t search_source(CqlSearch *search, ReadFn *read, void *source, CqlCallback *callback, void *user)
{
    search->error[0] = 0;
    PgnSplitter *splitter = pgn_split_open(read, source, NULL, NULL);
    int64_t matches = 0;
    GameText text;
    while (pgn_split_next(splitter, &text) && search_game(search, &text, callback, user, &matches))
        ;
    const char *error = pgn_split_error(splitter);
    if (error) {
        snprintf(search->error, sizeof search->error, "%s", error);
        matches = -1;
    }
    pgn_split_close(splitter);
    return matches;
}

int64_t cql_search_file(CqlSearch *search, const char *pgn_path, CqlCallback *callback, void *user)
{
    InputFile *file = input_open(pgn_path, NULL);
    if (!file) {
        snprintf(search->error, sizeof search->error, "cannot read %s: %s", pgn_path, strerror(errno));
        return -1;
    }
    InputFile *twice = search->plan.needs_last_number ? input_open(pgn_path, NULL) : NULL;
    if (twice) {
        search->plan.last_number = count_games(input_read, twice);
        input_close(twice);
    }
    int64_t matches = search_source(search, input_read, file, callback, user);
    if (matches < 0 && input_error(file))
        snprintf(search->error, sizeof search->error, "%s: %s", pgn_path, input_error(file));
    input_close(file);
    return matches;
}

int64_t cql_search_text(CqlSearch *search, const char *pgn, uint64_t length, CqlCallback *callback,
                        void *user)
{
    Memory memory = {pgn, length}, again = memory;
    if (search->plan.needs_last_number)
        search->plan.last_number = count_games(read_memory, &again);
    return search_source(search, read_memory, &memory, callback, user);
}
