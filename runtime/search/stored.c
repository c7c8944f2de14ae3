// The search of a chunk: facts and screens rule games out by their moves alone; the others are evaluated as usual.
#include "stored.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

enum { UNKNOWN = -1 };

// One worker's memory for chunks.
typedef struct Stored {
    int32_t *count; // by game and query: as Worker.screened, or UNKNOWN
    size_t count_capacity;
    int32_t (*found)[LINE_LANES]; // by group
    size_t found_capacity;
    int64_t ruled_out, positions; // games that were ruled out, and not yet counted in the block
} Stored;

static void flush_ruled_out(Worker *w, Block *block)
{
    Stored *s = w->memory_of_chunks;
    evaluate_ruled_out(w, block, s->ruled_out, s->positions);
    s->ruled_out = s->positions = 0;
}

// ---- screens ----------------------------------------------------------------------------------------------

// A budget of steps that the user sets may be too small for a game that does not match, which is to be reported.
static bool is_screened(const Worker *w, const QueryInfo *query)
{
    return query->screen && !w->plan->options->no_prefilter && w->plan->options->max_steps == 0;
}

// The query's counts for the games of the chunk's groups.
static void screen_query(Worker *w, uint32_t q)
{
    Stored *s = w->memory_of_chunks;
    const Chunk *chunk = &w->chunk->chunk;
    const QueryInfo *query = &w->matcher->query[q];
    const uint32_t queries = w->matcher->query_count;
    s->found = memory_grow(s->found, &s->found_capacity, chunk->group_count, sizeof *s->found);
    query->screen(chunk->group, (int32_t)chunk->group_count, s->found);
    for (size_t i = 0; i < chunk->group_count * LINE_LANES; i++) {
        const int32_t game = chunk->group_game[i];
        if (game >= 0 &&
            !((query->flags & QUERY_VARIATIONS) && (chunk->game[game].flags & STORED_VARIATIONS)))
            s->count[(size_t)game * queries + q] = s->found[i / LINE_LANES][i % LINE_LANES];
    }
}

static bool result_is_ruled_out(const QueryInfo *query, const StoredGame *game)
{
    return (query->results & ~(1u << game->result)) != 0;
}

static void screen_chunk(Worker *w)
{
    Stored *s = w->memory_of_chunks;
    const Chunk *chunk = &w->chunk->chunk;
    const uint32_t queries = w->matcher->query_count;
    s->count = memory_grow(s->count, &s->count_capacity, chunk->count * queries, sizeof *s->count);
    memset(s->count, 0xff, chunk->count * queries * sizeof *s->count);
    for (uint32_t q = 0; q < queries; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        if (is_screened(w, query))
            screen_query(w, q);
        for (size_t i = 0; query->results && i < chunk->count; i++)
            if (result_is_ruled_out(query, &chunk->game[i]))
                s->count[i * queries + q] = 0;
    }
}

// ---- games ------------------------------------------------------------------------------------------------

// Is the number of matching positions all that the search wants of games?
static bool wants_counts(const Worker *w)
{
    const SearchOptions *o = w->plan->options;
    if ((o->format != FORMAT_COUNT && o->format != FORMAT_NONE) || o->wanted)
        return false;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        if (!(query->flags & QUERY_EXACT_SCREEN) || query->game_test)
            return false;
    }
    return true;
}

// Do the counts say everything about the game?
static bool is_counted(const Worker *w, const StoredGame *game, const int32_t *count)
{
    for (uint32_t q = 0; q < w->matcher->query_count; q++)
        if (count[q] == UNKNOWN ||
            ((w->matcher->query[q].flags & QUERY_CQLI) && (game->flags & STORED_VARIANT)))
            return false;
    return true;
}

static bool may_match(const int32_t *count, uint32_t queries)
{
    for (uint32_t q = 0; q < queries; q++)
        if (count[q] != 0)
            return true;
    return false;
}

// Queries in CQLi report the first game of another variant even if it cannot match.
static bool may_be_foreign(const Worker *w, const StoredGame *game)
{
    for (uint32_t q = 0; q < w->matcher->query_count; q++)
        if ((w->matcher->query[q].flags & QUERY_CQLI) && (game->flags & STORED_VARIANT))
            return true;
    return false;
}

// Where the moves of a stored game are not enough, or may not be, its text takes its place.
static void search_game(Worker *w, Block *block, const StoredGame *game)
{
    const bool notes = w->plan->line_notes || w->plan->tree_notes;
    GameText source = game->tags;
    w->text_made = false;
    w->stored = (game->flags & STORED_RAW) || (notes && (game->flags & STORED_NOTES)) ? NULL : game;
    if (!w->counted &&
        !chunk_reader_read(w->chunk, block, w->stored ? CHUNK_TAGS : CHUNK_TAGS | CHUNK_TEXTS, game))
        return;
    if (!w->counted)
        source = game->tags;
    w->block = block;
    if (!w->stored) {
        source = evaluate_stored_text(w, game);
        source.number = game->tags.number;
    }
    evaluate_game(w, block, source);
    w->stored = NULL;
}

// True when games that are ruled out leave no trace but in the totals.
static bool counts_in_bulk(const Worker *w)
{
    const SearchOptions *o = w->plan->options;
    bool whole = !o->show_matches && o->show_games == 0;
    for (uint32_t r = 0; r < w->plan->result_count && whole; r++)
        whole = w->plan->result[r].limit == 0 && w->plan->result[r].last_wanted == INT64_MAX;
    return whole;
}

static void search_games(Worker *w, Block *block)
{
    Stored *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    const bool counts = wants_counts(w), bulk = counts_in_bulk(w);
    Chunk *chunk = &w->chunk->chunk;
    size_t left = 0;
    for (size_t i = 0; i < chunk->count; i++)
        left += may_match(s->count + i * queries, queries);
    if (!counts && left > chunk->count / 4 && !chunk_reader_read_all(w->chunk, block, CHUNK_TAGS))
        return;
    for (size_t i = 0; i < chunk->count && evaluate_goes_on(w, block); i++) {
        const StoredGame *game = &chunk->game[i];
        const int32_t *count = s->count + i * queries;
        if (bulk && !may_match(count, queries) && !may_be_foreign(w, game)) {
            s->ruled_out++;
            s->positions += (int64_t)game->ply_count + 1;
            continue;
        }
        w->screened = count;
        w->counted = counts && is_counted(w, game, count);
        search_game(w, block, game);
    }
    w->screened = NULL;
    w->counted = false;
    flush_ruled_out(w, block);
}

void stored_search(Worker *w, Block *block)
{
    if (!w->chunk)
        w->chunk = memory_zeroed(1, sizeof *w->chunk);
    if (!w->memory_of_chunks)
        w->memory_of_chunks = memory_zeroed(1, sizeof *w->memory_of_chunks);
    chunk_reader_open(w->chunk, block);
    screen_chunk(w);
    search_games(w, block);
}

void stored_free(Stored *s)
{
    if (!s)
        return;
    free(s->count);
    free(s->found);
    free(s);
}
