// The search of a chunk: columns of tags, facts and screens rule games out; the others are evaluated as usual.
#include "stored.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "candidates.h"
#include "exploring.h"
#include "grouping.h"

enum { UNKNOWN = CANDIDATE };

// Which games may need more memory than their share, and are not ruled in or out without being weighed: every engine leaves the
// same games out.
typedef struct SizeLimits {
    int32_t plies; // more than these
    unsigned
        text_parts; // with one of these STORED_ parts of the text, if a text of the chunk may be too long
    bool with[2];   // without variations, with variations
} SizeLimits;

// One worker's memory for chunks.
typedef struct Stored {
    int32_t *count; // by game and query: as Candidate.screened, or UNKNOWN
    size_t count_capacity;
    CandidateSearch *candidates;
    bool *excluded; // by game: its tags rule it out
    size_t excluded_capacity;
    Screens screens;
    SizeLimits limits;
    bool *wants;          // by query: it is screened and not equal to an earlier one
    LineGroup *group;     // those with games that are not ruled out,
    int32_t *group_place; // by their places in the chunk
    size_t group_capacity, place_capacity;
    ScreenStats *stats;           // by query
    int64_t ruled_out, positions; // games that were ruled out, and not yet counted in the block
} Stored;

static void flush_ruled_out(Worker *w, Block *block)
{
    Stored *s = w->memory_of_chunks;
    evaluate_ruled_out(w, block, s->ruled_out, s->positions);
    s->ruled_out = s->positions = 0;
}

static bool may_match(const int32_t *count, uint32_t queries)
{
    int32_t any = 0;
    for (uint32_t q = 0; q < queries; q++)
        any |= count[q];
    return any != 0;
}

enum { MOST_PLIES = 65535 }; // of a stored game

// ---- weight -----------------------------------------------------------------------------------------------

// Sets what is known of the weights of the chunk's games.
static void weigh_chunk(Worker *w, const Block *block)
{
    const size_t memory = w->plan->memory_of_tree, most = game_most_plies(memory);
    const size_t bytes = (size_t)database_chunk_bytes(block->input.database, block->input.chunk);
    w->memory_of_chunks->limits = (SizeLimits){.plies = most < MOST_PLIES ? (int32_t)most : MOST_PLIES,
                                               .text_parts = evaluate_text_parts(w),
                                               .with = {!game_surely_fits(bytes, MOST_PLIES, false, memory),
                                                        !game_surely_fits(bytes, MOST_PLIES, true, memory)}};
}

// Are none of the games heavy, whatever they are?
static bool none_is_heavy(const SizeLimits *h)
{
    return h->plies == MOST_PLIES && (h->text_parts == 0 || !(h->with[0] || h->with[1]));
}

static bool is_heavy(const Stored *s, const GameEntry *entry)
{
    return entry->ply_count > s->limits.plies ||
           (entry->flags & s->limits.text_parts && s->limits.with[(entry->flags & STORED_VARIATIONS) != 0]);
}

// ---- tags -------------------------------------------------------------------------------------------------

// Room for the counts of a chunk, all of them unknown.
static void make_counts(Worker *w, size_t games)
{
    Stored *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    s->count = memory_grow(s->count, &s->count_capacity, games * queries, sizeof *s->count);
    s->excluded = memory_grow(s->excluded, &s->excluded_capacity, games, sizeof *s->excluded);
    if (games > 0) {
        memset(s->count, 0xff, games * queries * sizeof *s->count);
        memset(s->excluded, 0, games * sizeof *s->excluded);
    }
}

// Do groups need tags of games that match?
static bool reads_tags(const Worker *w)
{
    const GroupSpec *spec = w->plan->options->count_by;
    return spec && !spec->columns;
}

// Is the game with this number in the database in the range of games to be searched?
static bool is_searched(const Worker *w, const Block *block, int64_t number)
{
    return worker_wants_number(w, block->input.number_base + number);
}

// Sets the counts by the tags alone. Returns true when they say everything that the search wants of the chunk.
static bool settle(Worker *w, Block *block, size_t games)
{
    Stored *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    make_counts(w, games);
    const CandidatesResult found = evaluate_may_rule_out(w)
                                       ? candidates_find(w->plan->candidates, s->candidates, w->run,
                                                         block->input.database, block->input.chunk, s->count)
                                       : CANDIDATES_ALL;
    if (found == CANDIDATES_DAMAGED)
        line_format(&block->reports,
                    "%s: the columns of chunk %lld are damaged; all its games are evaluated\n",
                    block->input.input, (long long)block->input.chunk + 1);
    if (found != CANDIDATES_FOUND)
        return false;
    const bool counts = evaluate_wants_counts(w);
    size_t unsettled = 0;
    for (size_t i = 0; i < games; i++) {
        const bool searched =
            is_searched(w, block, block->input.first_game + (int64_t)i) && !grouping_leaves_out(w, i);
        bool unknown = false, any = false;
        for (uint32_t q = 0; q < queries; q++) {
            int32_t *const known = &s->count[i * queries + q];
            if (*known > s->limits.plies + 1)
                *known = UNKNOWN;
            const int32_t count = *known;
            unknown |= count == UNKNOWN;
            any |= count != 0;
            evaluate_totals(w, q)->by_tags += count == 0 && searched;
        }
        s->excluded[i] = !any;
        unsettled += any & (unknown | !counts);
    }
    return unsettled == 0 && !reads_tags(w);
}

// Counts of games can be added without a look at the games.
static bool is_bulk(const Worker *w)
{
    return evaluate_counts_in_bulk(w) && w->plan->result_count == 1 && !w->plan->options->count_by;
}

// Takes the counts of a game as they are; all of them are known.
static void take_counts(Worker *w, Block *block, int64_t number, const int32_t *count, bool bulk)
{
    if (bulk) {
        w->memory_of_chunks->ruled_out++;
        if (evaluate_counts(w, block, number, count) && w->plan->options->explorer)
            exploring_counted(w, number);
        return;
    }
    evaluate_game(w, block, &(Candidate){.source = {.number = number}, .screened = count, .counted = true});
}

// Searches a chunk without its moves.
static void search_settled(Worker *w, Block *block, size_t games)
{
    Stored *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    const bool whole = evaluate_counts_in_bulk(w), bulk = is_bulk(w);
    for (size_t i = 0; i < games; i++) {
        const int32_t *count = s->count + i * queries;
        if (grouping_leaves_out(w, i))
            continue;
        if (whole && s->excluded[i]) {
            s->ruled_out++;
            continue;
        }
        if (!bulk && !evaluate_goes_on(w, block))
            break;
        take_counts(w, block, block->input.first_game + (int64_t)i, count, bulk);
        int32_t positions = 0;
        for (uint32_t q = 0; q < queries; q++)
            positions = count[q] > positions ? count[q] : positions;
        s->positions += is_searched(w, block, block->input.first_game + (int64_t)i) ? positions : 0;
    }
    flush_ruled_out(w, block);
}

// ---- screens ----------------------------------------------------------------------------------------------

// A screen that rules out few games for what it costs is not worth its time, unless it counts positions.
static bool is_worthwhile(const Worker *w, uint32_t q)
{
    enum { TRIED = 5000 };
    const ScreenStats *y = &w->memory_of_chunks->stats[q];
    const QueryInfo *query = &w->matcher->query[q];
    const bool is_count = query->flags & QUERY_EXACT_SCREEN && evaluate_wants_counts(w);
    return is_count || y->screened < TRIED || (y->passed * 8 < y->screened * 7 && screens_pay(query, y));
}

static bool is_screened(const Worker *w, uint32_t q)
{
    const QueryInfo *query = &w->matcher->query[q];
    return query->screen && !query->tags_decide && evaluate_may_rule_out(w) && is_worthwhile(w, q);
}

// Some query that is screened may find the game.
static bool is_wanted(const Stored *s, size_t game, uint32_t queries)
{
    for (uint32_t i = 0; i < s->screens.count; i++)
        if (s->count[game * queries + s->screens.member[i]] != 0)
            return true;
    return false;
}

// Collects the groups with games that the queries may find; returns their number.
static size_t choose_groups(Worker *w)
{
    Stored *s = w->memory_of_chunks;
    const Chunk *chunk = &w->chunk->chunk;
    size_t count = 0;
    s->group = memory_grow(s->group, &s->group_capacity, chunk->group_count, sizeof *s->group);
    s->group_place =
        memory_grow(s->group_place, &s->place_capacity, chunk->group_count, sizeof *s->group_place);
    for (size_t g = 0; g < chunk->group_count; g++) {
        const int32_t *game = chunk->group_game + g * LINE_LANES;
        bool wanted = false;
        for (int lane = 0; lane < LINE_LANES && !wanted; lane++)
            wanted = game[lane] >= 0 && is_wanted(s, (size_t)game[lane], w->matcher->query_count);
        if (wanted) {
            s->group_place[count] = (int32_t)g;
            s->group[count++] = chunk->group[g];
        }
    }
    return count;
}

// The games with these STORED_ flags are not screened. Games of variants are tested by their own
// rules alone, or left out.
static unsigned unseen_flags(const QueryInfo *query)
{
    return (query->flags & QUERY_VARIATIONS ? STORED_VARIATIONS : 0) |
           (query->flags & QUERY_AS_CHESS ? 0 : STORED_VARIANT);
}

// Does the screen say something about the game? An older database does not say which games have a tag Rules.
static bool screen_sees(const Worker *w, const QueryInfo *query, const GameEntry *entry)
{
    const bool unknown = query->flags & QUERY_VARIANTS && !database_knows_rules(w->block->input.database);
    return !unknown && !(unseen_flags(query) & entry->flags);
}

// The games of a chosen group.
static const int32_t *games_of(const Worker *w, size_t group)
{
    return w->chunk->chunk.group_game + w->memory_of_chunks->group_place[group] * LINE_LANES;
}

// Loads the counts of games that come soon: they are far apart, because groups have games of equal length.
static void fetch_counts(const Worker *w, const int32_t *game)
{
    enum { LINE_COUNTS = 16 };
    const size_t queries = w->matcher->query_count;
    for (int lane = 0; lane < LINE_LANES; lane++)
        for (size_t q = 0; q < queries && game[lane] >= 0; q += LINE_COUNTS)
            __builtin_prefetch(&w->memory_of_chunks->count[(size_t)game[lane] * queries + q], 1);
}

// Takes what the screens of the chosen queries have found for a game of the chunk.
static void take_found(Worker *w, size_t game, size_t group, size_t lane)
{
    Stored *s = w->memory_of_chunks;
    const GameEntry *entry = &w->chunk->chunk.entry[game];
    int32_t *counts = &s->count[game * w->matcher->query_count];
    const bool searched =
        is_searched(w, w->block, w->chunk->chunk.first + (int64_t)game) && !grouping_leaves_out(w, game);
    for (uint32_t i = 0; i < s->screens.count; i++) {
        const uint32_t q = s->screens.member[i];
        const QueryInfo *query = &w->matcher->query[q];
        if (counts[q] == 0)
            continue;
        if (query->results & ~(1u << entry->result))
            counts[q] = 0; // the tags say so, too, unless they are damaged
        else if (screen_sees(w, query, entry) && !is_heavy(s, entry))
            counts[q] = screens_found(&s->screens, i)[group][lane];
        s->stats[q].screened++;
        s->stats[q].passed += counts[q] != 0;
        evaluate_totals(w, q)->by_moves += counts[q] == 0 && searched;
    }
}

// Screens the chunk for the chosen queries.
static void screen_queries(Worker *w)
{
    Stored *s = w->memory_of_chunks;
    const size_t groups = choose_groups(w);
    screens_run(&s->screens, s->group, groups);
    for (size_t g = 0; g < groups; g++) {
        if (g + 1 < groups)
            fetch_counts(w, games_of(w, g + 1));
        for (size_t lane = 0; lane < LINE_LANES; lane++)
            if (games_of(w, g)[lane] >= 0)
                take_found(w, (size_t)games_of(w, g)[lane], g, lane);
    }
}

// Rules out the games that do not reach the position of the explorer.
static void leave_unexplored(Worker *w)
{
    const Chunk *chunk = &w->chunk->chunk;
    const uint32_t queries = w->matcher->query_count;
    for (size_t i = 0; i < chunk->group_count * LINE_LANES; i++) {
        const int32_t game = chunk->group_game[i];
        int32_t *count = game >= 0 ? w->memory_of_chunks->count + (size_t)game * queries : NULL;
        if (count && may_match(count, queries) &&
            !exploring_reaches(w, &chunk->group[i / LINE_LANES], i % LINE_LANES))
            memset(count, 0, queries * sizeof *count);
    }
}

static void screen_chunk(Worker *w)
{
    Stored *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    for (uint32_t q = 0; q < queries; q++)
        s->wants[q] = is_screened(w, q) && w->same[q] == q;
    evaluate_screens(w, &s->screens, s->wants, screen_queries, s->count, w->chunk->chunk.count);
}

// ---- games ------------------------------------------------------------------------------------------------

// Do the counts say everything about the game?
static bool is_counted(const int32_t *count, uint32_t queries)
{
    for (uint32_t q = 0; q < queries; q++)
        if (count[q] == UNKNOWN)
            return false;
    return true;
}

// Does the game need its text? Otherwise reads its clocks where they are wanted. False after damage.
static bool needs_text(Worker *w, Block *block, const StoredGame *game, bool *text)
{
    const unsigned wanted = w->plan->line_parse | w->plan->tree_parse;
    *text = game->flags & STORED_RAW || (game->flags & STORED_NOTES && wanted & PARSE_NOTES) ||
            (game->flags & STORED_VARIATIONS && w->plan->tree_parse);
    return *text || !(game->flags & STORED_NOTES && wanted & PARSE_CLOCKS) ||
           chunk_reader_read(w->chunk, block, CHUNK_CLOCKS, game);
}

// Evaluates a game. Where its moves are not enough, or may not be, its text takes their place.
static void search_game(Worker *w, Block *block, const StoredGame *game, const int32_t *count)
{
    bool text;
    w->text_made = false;
    if (!needs_text(w, block, game, &text))
        return;
    if (!chunk_reader_read(w->chunk, block, text ? CHUNK_TAGS | CHUNK_TEXTS : CHUNK_TAGS, game))
        return;
    Candidate candidate = {.source = game->tags, .stored = text ? NULL : game, .screened = count};
    if (text) {
        candidate.source = evaluate_stored_text(w, game);
        candidate.source.number = game->tags.number;
    }
    evaluate_game(w, block, &candidate);
}

static void search_games(Worker *w, Block *block)
{
    Stored *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    const bool counts = evaluate_wants_counts(w), whole = evaluate_counts_in_bulk(w), bulk = is_bulk(w);
    Chunk *chunk = &w->chunk->chunk;
    size_t left = 0;
    for (size_t i = 0; i < chunk->count; i++)
        left += may_match(s->count + i * queries, queries);
    if ((!counts || reads_tags(w)) && left > chunk->count / 4 &&
        !chunk_reader_read_all(w->chunk, block, CHUNK_TAGS))
        return;
    for (size_t i = 0; i < chunk->count && !block->partial; i++) {
        const int32_t *count = s->count + i * queries;
        if (grouping_leaves_out(w, i))
            continue;
        const bool out = whole && !may_match(count, queries), counted = counts && is_counted(count, queries);
        if (!out && !(bulk && counted) && !evaluate_goes_on(w, block))
            break;
        if (!s->excluded[i] && (out || counted) && is_searched(w, block, chunk->first + (int64_t)i))
            s->positions += (int64_t)chunk->entry[i].ply_count + 1;
        if (out)
            s->ruled_out++;
        else if (counted)
            take_counts(w, block, chunk->first + (int64_t)i, count, bulk);
        else
            search_game(w, block, chunk_game(chunk, i), count);
    }
    flush_ruled_out(w, block);
}

// ---- chunks that are only counted -------------------------------------------------------------------------

// Does the search want nothing but how many games, and positions of them, the screen of the only query finds?
static bool counts_chunks(const Worker *w)
{
    const SearchOptions *o = w->plan->options;
    const QueryInfo *query = w->matcher->query;
    return w->matcher->query_count == 1 && query->screen && !query->tags_decide && query->results == 0 &&
           !(query->flags & QUERY_HAS_GAMENUMBER) && o->first_game <= 1 && o->last_game == 0 && !o->only &&
           evaluate_may_rule_out(w) && evaluate_wants_counts(w) && is_bulk(w) && !o->sample && !o->explorer &&
           !candidates_any(w->plan->candidates);
}

// Adds games that the only query finds, and the positions that match in them. The games themselves are added by
// evaluate_ruled_out.
static void add_found(Worker *w, Block *block, int64_t games, int64_t hits)
{
    QueryTotals *totals = evaluate_totals(w, 0);
    totals->matches += games;
    totals->hits += hits;
    block->part->totals.matches += games;
    block->part->totals.hits += hits;
}

// Adds the games of groups whose entries have none of the flags. False, and adds nothing, when the screen left one of them out.
static bool count_groups(Worker *w, Block *block, unsigned unseen)
{
    int32_t(*found)[LINE_LANES] = screens_found(&w->memory_of_chunks->screens, 0);
    const Chunk *chunk = &w->chunk->chunk;
    const QueryInfo *query = w->matcher->query;
    int64_t games = 0, hits = 0, by_moves = 0;
    int32_t all = 0;
    for (size_t i = 0; i < chunk->group_count * LINE_LANES; i++) {
        const LineGroup *group = &chunk->group[i / LINE_LANES];
        const int32_t count = found[i / LINE_LANES][i % LINE_LANES];
        if ((i < LINE_LANES && chunk->group_game[i] < 0) || (group->facts[i % LINE_LANES] & unseen))
            continue;
        const bool matches = run_counts_match(query, count);
        games += matches;
        hits += matches ? count : 0;
        by_moves += count == 0;
        all |= count;
    }
    if (all < 0) // one of them is UNKNOWN
        return false;
    add_found(w, block, games, hits);
    evaluate_totals(w, 0)->by_moves += by_moves;
    return true;
}

// Counts what the screen finds, and evaluates the games that it cannot see. False, and does nothing, when it left others out.
static bool count_chunk(Worker *w, Block *block)
{
    Stored *s = w->memory_of_chunks;
    Chunk *chunk = &w->chunk->chunk;
    const QueryInfo *query = w->matcher->query;
    const unsigned unseen = unseen_flags(query), evaluated = unseen | STORED_UNGROUPED;
    const int32_t unknown = UNKNOWN;
    s->wants[0] = true;
    screens_next(&s->screens, w->matcher, s->wants);
    screens_run(&s->screens, chunk->group, chunk->group_count);
    if (!count_groups(w, block, unseen))
        return false;
    size_t left = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        const bool counted = !(chunk->entry[i].flags & evaluated);
        left += !counted;
        s->positions += counted ? (int64_t)chunk->entry[i].ply_count + 1 : 0;
    }
    s->ruled_out += (int64_t)(chunk->count - left);
    for (size_t i = 0; left > 0 && i < chunk->count && evaluate_goes_on(w, block); i++)
        if (chunk->entry[i].flags & evaluated)
            search_game(w, block, chunk_game(chunk, i), &unknown);
    flush_ruled_out(w, block);
    return true;
}

static Stored *stored_new(uint32_t queries)
{
    Stored *s = memory_zeroed(1, sizeof *s);
    s->stats = memory_zeroed(queries, sizeof *s->stats);
    s->wants = memory_zeroed(queries, sizeof *s->wants);
    s->candidates = candidate_search_new();
    return s;
}

void stored_search(Worker *w, Block *block)
{
    if (!w->chunk)
        w->chunk = memory_zeroed(1, sizeof *w->chunk);
    if (!w->memory_of_chunks)
        w->memory_of_chunks = stored_new(w->matcher->query_count);
    w->chunk_is_open = false;
    if (!grouping_begin_chunk(w, block))
        return;
    weigh_chunk(w, block);
    if (counts_chunks(w) && none_is_heavy(&w->memory_of_chunks->limits)) {
        chunk_reader_open(w->chunk, block, CHUNK_LINES);
        w->chunk_is_open = true;
        if (count_chunk(w, block))
            return;
    }
    const size_t games = (size_t)database_chunk_games(block->input.database, block->input.chunk);
    if (settle(w, block, games) && !w->plan->options->explorer) {
        search_settled(w, block, games);
        return;
    }
    if (!w->chunk_is_open)
        chunk_reader_open(w->chunk, block, CHUNK_LINES);
    w->chunk_is_open = true;
    if (w->chunk->chunk.count != games)
        make_counts(w, w->chunk->chunk.count);
    if (w->plan->options->explorer)
        leave_unexplored(w);
    screen_chunk(w);
    search_games(w, block);
}

void stored_free(Stored *s)
{
    if (!s)
        return;
    candidate_search_free(s->candidates);
    free(s->count);
    free(s->excluded);
    free(s->stats);
    screens_free(&s->screens);
    free(s->wants);
    free(s->group);
    free(s->group_place);
    free(s);
}
