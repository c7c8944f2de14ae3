#include "cqlgen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/match/load.h"
#include "runtime/match/run.h"
#include "input.h"

struct CqlSearch {
    const Matcher *matcher;
    void *handle;
    Run **run;
    Game line, tree;     // the main line; with variations
    int32_t last_number; // for lastgamenumber
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
    game_init(&search->line);
    game_init(&search->tree);
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
        search->run[q] = run_new(&search->matcher->query[q], &options, NULL, &why);
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
    game_free(&search->line);
    game_free(&search->tree);
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

static bool in_header_range(const QueryInfo *query, int64_t game)
{
    return !(query->flags & QUERY_HAS_GAMENUMBER) ||
           (game >= query->gamenumber_low && game <= query->gamenumber_high);
}

// Reads the game as those queries want to see it that search variations, or as the others do. False: it is
// skipped.
static bool read_game(CqlSearch *search, const GameText *text, bool variations)
{
    const Matcher *matcher = search->matcher;
    Game *game = variations ? &search->tree : &search->line;
    unsigned flags = variations ? PARSE_VARIATIONS : 0;
    bool needed = false;
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        const QueryInfo *query = &matcher->query[q];
        if (((query->flags & QUERY_VARIATIONS) != 0) != variations)
            continue;
        needed = true;
        if (query->flags & QUERY_NEEDS_NOTES)
            flags |= PARSE_NOTES;
    }
    if (!needed)
        return true;
    game_parse(game, text, flags, NULL, NULL);
    game->view.number = (int32_t)text->number;
    game->view.last_number = search->last_number;
    return !game->skipped;
}

// Matches one game; adds to *matches. Returns false when the callback wants to stop.
static bool search_game(CqlSearch *search, const GameText *text, CqlCallback *callback, void *user,
                        int64_t *matches)
{
    const Matcher *matcher = search->matcher;
    if (!read_game(search, text, false) || !read_game(search, text, true))
        return true;
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        const QueryInfo *query = &matcher->query[q];
        Game *game = query->flags & QUERY_VARIATIONS ? &search->tree : &search->line;
        if (!in_header_range(query, text->number) || !run_game_test(search->run[q], game))
            continue;
        RunResult result;
        run_game(search->run[q], game, &result);
        if (!result.matched)
            continue;
        ++*matches;
        CqlHit hit = {text->number, (int32_t)q, result.hit_count, result.hit};
        if (callback && callback(user, &hit) != 0)
            return false;
    }
    return true;
}

// Whether some query asks for the number of the last game, so that the games must be counted first.
static bool needs_count(const CqlSearch *search)
{
    for (uint32_t q = 0; q < search->matcher->query_count; q++)
        if (search->matcher->query[q].flags & QUERY_NEEDS_LAST_NUMBER)
            return true;
    return false;
}

static int32_t count_games(ReadFn *read, void *source)
{
    PgnSplitter *splitter = pgn_split_open(read, source, NULL, NULL);
    GameText text;
    int32_t count = 0;
    while (pgn_split_next(splitter, &text))
        count++;
    pgn_split_close(splitter);
    return count;
}

// Searches the games that `read` gives; -1 after a read error, which the splitter's text in search->error
// tells.
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
    InputFile *twice = needs_count(search) ? input_open(pgn_path, NULL) : NULL;
    if (twice) {
        search->last_number = count_games(input_read, twice);
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
    if (needs_count(search))
        search->last_number = count_games(read_memory, &again);
    return search_source(search, read_memory, &memory, callback, user);
}
