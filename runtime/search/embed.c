#include "cqlgen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../match/load.h"
#include "../match/runtime.h"

struct CqlSearch {
    const Matcher *matcher;
    void *handle;
    Run **run;
    Game game;
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
    CqlSearch *search = calloc(1, sizeof *search);
    if (!search)
        return open_failed(NULL, "out of memory");
    game_init(&search->game);
    char *message = NULL;
    search->matcher = matcher_load(matcher_path, &search->handle, &message);
    if (!search->matcher) {
        open_failed(search, message);
        free(message);
        return NULL;
    }
    search->run = calloc(search->matcher->query_count, sizeof *search->run);
    if (!search->run)
        return open_failed(search, "out of memory");
    for (uint32_t q = 0; q < search->matcher->query_count; q++) {
        RunOptions options = {0};
        const char *why = NULL;
        search->run[q] = run_new(&search->matcher->query[q], &options, &why);
        if (!search->run[q])
            return open_failed(search, why ? why : "the query cannot be run");
    }
    return search;
}

void cql_close(CqlSearch *search)
{
    if (!search)
        return;
    for (uint32_t q = 0; search->run && q < search->matcher->query_count; q++)
        if (search->run[q])
            run_free(search->run[q]);
    free(search->run);
    game_free(&search->game);
    matcher_unload(search->handle);
    free(search);
}

int32_t cql_query_count(const CqlSearch *search)
{
    return (int32_t)search->matcher->query_count;
}

const char *cql_query_name(const CqlSearch *search, int32_t query)
{
    return query >= 0 && (uint32_t)query < search->matcher->query_count ? search->matcher->query[query].name : NULL;
}

const char *cql_error(const CqlSearch *search)
{
    return search ? search->error : open_error;
}

// ---- searching ---------------------------------------------------------------------------------------------------

// One search over a source of bytes.
typedef struct Source {
    int fd;                  // -1: memory
    const char *next;
    size_t left;
} Source;

static int64_t read_source(void *user, void *buffer, size_t size)
{
    Source *source = user;
    if (source->fd >= 0) {
        ssize_t count;
        while ((count = read(source->fd, buffer, size)) < 0 && errno == EINTR)
            ;
        return count;
    }
    size_t count = size < source->left ? size : source->left;
    memcpy(buffer, source->next, count);
    source->next += count;
    source->left -= count;
    return (int64_t)count;
}

static bool in_header_range(const QueryInfo *query, int64_t game)
{
    return !(query->flags & QUERY_HAS_GAMENUMBER) || (game >= query->gamenumber_low && game <= query->gamenumber_high);
}

static unsigned parse_flags(const Matcher *matcher)
{
    unsigned flags = 0;
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        if (matcher->query[q].flags & QUERY_VARIATIONS)
            flags |= PARSE_VARIATIONS;
        if (matcher->query[q].flags & QUERY_NEEDS_NOTES)
            flags |= PARSE_NOTES;
    }
    return flags;
}

// Matches one game; adds to *matches. Returns false when the callback wants to stop.
static bool search_game(CqlSearch *search, const GameText *text, CqlCallback *callback, void *user, int64_t *matches)
{
    const Matcher *matcher = search->matcher;
    game_parse(&search->game, text, parse_flags(matcher), NULL, NULL);
    if (search->game.skipped)
        return true;
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        if (!in_header_range(&matcher->query[q], text->number) || !run_game_test(search->run[q], &search->game))
            continue;
        RunResult result;
        run_game(search->run[q], &search->game, &result);
        if (!result.matched)
            continue;
        ++*matches;
        CqlHit hit = {text->number, (int32_t)q, result.hit_count, result.hit};
        if (callback && callback(user, &hit) != 0)
            return false;
    }
    return true;
}

static int64_t search_source(CqlSearch *search, Source *source, CqlCallback *callback, void *user)
{
    search->error[0] = 0;
    PgnSplitter *splitter = pgn_split_open(read_source, source, NULL, NULL);
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
    Source source = {.fd = open(pgn_path, O_RDONLY | O_CLOEXEC)};
    if (source.fd < 0) {
        snprintf(search->error, sizeof search->error, "cannot read %s: %s", pgn_path, strerror(errno));
        return -1;
    }
    int64_t matches = search_source(search, &source, callback, user);
    close(source.fd);
    return matches;
}

int64_t cql_search_text(CqlSearch *search, const char *pgn, uint64_t length, CqlCallback *callback, void *user)
{
    Source source = {.fd = -1, .next = pgn, .left = length};
    return search_source(search, &source, callback, user);
}
