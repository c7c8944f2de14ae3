// The search of games by the thousand: tags, facts and screens rule games out; the others are evaluated as usual.
#include "chunks.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "candidates.h"
#include "exploring.h"
#include "grouping.h"
#include "lines.h"

enum { UNKNOWN = CANDIDATE };

// One worker's memory for chunks.
typedef struct Chunks {
    const Chunk *chunk; // of a database, or made of PGN:
    Lines lines;
    size_t first;   // its first game is this one of the block
    int32_t *count; // by game and query: as Candidate.screened, or UNKNOWN
    size_t count_capacity;
    CandidateSearch *candidates;
    bool *excluded; // by game: its tags rule it out
    bool *left_out; // it is not searched
    size_t excluded_capacity, left_out_capacity;
    Screens screens;
    bool all_fit;         // no game can need more memory than its share
    unsigned text_parts;  // what is read of texts, STORED_ bits,
    size_t text_bytes;    // and no text is longer
    bool *wants;          // by query: it is screened
    LineGroup *group;     // those with games that are not ruled out,
    int32_t *group_place; // by their places in the chunk
    size_t group_capacity, place_capacity;
    ScreenStats *stats; // by query
    ScreenStats pgn;    // of games of PGN
    int skipped;        // blocks of PGN since their screens were found not to be worthwhile
} Chunks;

// The greatest count of the game; 0: no query can find it; UNKNOWN: one of them is.
static int32_t most_of(const int32_t *count, uint32_t queries)
{
    int32_t most = 0;
    for (uint32_t q = 0; q < queries; q++)
        most = (uint32_t)count[q] > (uint32_t)most ? count[q] : most; // UNKNOWN above all
    return most;
}

enum { MOST_PLIES = 65535 }; // of a stored game

// ---- weight -----------------------------------------------------------------------------------------------

// May a game with so many plies and these STORED_ flags need more memory than its share? It is not ruled in or out without being weighed:
// every engine leaves the same games out.
static bool is_heavy(const Worker *w, int32_t plies, unsigned flags)
{
    const Chunks *s = w->memory_of_chunks;
    const bool text = flags & s->text_parts;
    return !s->all_fit && !game_surely_fits(text ? s->text_bytes : 0, (size_t)plies,
                                            text && flags & STORED_VARIATIONS, w->plan->memory_of_tree);
}

// Sets what is known of the weights of the chunk's games.
static void weigh_chunk(Worker *w, const Block *block)
{
    Chunks *s = w->memory_of_chunks;
    s->text_parts = evaluate_text_parts(w);
    s->text_bytes = (size_t)database_chunk_bytes(block->input.database, block->input.chunk);
    s->all_fit = false;
    s->all_fit = !is_heavy(w, MOST_PLIES, 0) && !is_heavy(w, MOST_PLIES, STORED_NOTES) &&
                 !is_heavy(w, MOST_PLIES, STORED_NOTES | STORED_VARIATIONS);
}

// ---- tags -------------------------------------------------------------------------------------------------

// Room for the counts of a chunk, all of them unknown.
static void make_counts(Worker *w, size_t games)
{
    Chunks *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    const bool has_sample = w->plan->options->sample && w->block->input.database;
    s->count = memory_grow(s->count, &s->count_capacity, games * queries, sizeof *s->count);
    s->excluded = memory_grow(s->excluded, &s->excluded_capacity, games, sizeof *s->excluded);
    s->left_out = memory_grow(s->left_out, &s->left_out_capacity, games, sizeof *s->left_out);
    if (games > 0) {
        memset(s->count, 0xff, games * queries * sizeof *s->count);
        memset(s->excluded, 0, games * sizeof *s->excluded);
        memset(s->left_out, 0, games * sizeof *s->left_out);
    }
    for (size_t i = 0; has_sample && i < games; i++)
        s->left_out[i] = grouping_leaves_out(w, i);
}

// Do groups need tags of games that match?
static bool reads_tags(const Worker *w)
{
    const GroupSpec *spec = w->plan->options->count_by;
    return spec && !spec->columns;
}

// The number of game `i` of the chunk in its file.
static inline int64_t number_of(const Worker *w, size_t i)
{
    const InputBlock *input = &w->block->input;
    return input->database ? input->first_game + (int64_t)i
                           : input->pgn.game[w->memory_of_chunks->first + i].number;
}

// Is it in the range of games to be searched, and in the sample?
static inline bool is_searched(const Worker *w, size_t i)
{
    return worker_wants_number(w, w->block->input.number_base + number_of(w, i)) &&
           !w->memory_of_chunks->left_out[i];
}

// Sets the counts by the tags alone. Returns true when they say everything that the search wants of the chunk.
static bool settle(Worker *w, Block *block, size_t games)
{
    Chunks *s = w->memory_of_chunks;
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
        const bool searched = is_searched(w, i);
        bool unknown = false, any = false;
        for (uint32_t q = 0; q < queries; q++) {
            int32_t *const known = &s->count[i * queries + q];
            if (*known > 0 && is_heavy(w, *known - 1, 0))
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
    const SearchOptions *o = w->plan->options;
    return evaluate_counts_in_bulk(w) && w->plan->result_count == 1 && !o->count_by &&
           (!o->explorer || w->block->input.database);
}

// Takes the counts of game `i` as they are; all of them are known.
static void take_counts(Worker *w, Block *block, size_t i, const int32_t *count, bool bulk)
{
    Chunks *s = w->memory_of_chunks;
    const int64_t number = number_of(w, i);
    if (bulk) {
        if (evaluate_counts(w, block, number, count) && w->plan->options->explorer)
            exploring_counted(w, number);
        return;
    }
    Candidate candidate = {.source = {.number = number}, .screened = count, .counted = true};
    if (!block->input.database) {
        candidate.source = block->input.pgn.game[s->first + i];
        candidate.plies = s->chunk->entry[i].ply_count;
    }
    evaluate_game(w, block, &candidate);
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

// Some query that is screened may find the game.
static bool is_wanted(const Chunks *s, size_t game, uint32_t queries)
{
    for (uint32_t i = 0; i < s->screens.count; i++)
        if (s->count[game * queries + s->screens.member[i]] != 0)
            return true;
    return false;
}

// Collects the groups with games that the queries may find; returns their number.
static size_t choose_groups(Worker *w)
{
    Chunks *s = w->memory_of_chunks;
    const Chunk *chunk = s->chunk;
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
    const Database *d = w->block->input.database;
    const bool unknown = d && query->flags & QUERY_VARIANTS && !database_knows_rules(d);
    return !unknown && !(unseen_flags(query) & entry->flags);
}

// The games of a chosen group.
static const int32_t *games_of(const Worker *w, size_t group)
{
    const Chunks *s = w->memory_of_chunks;
    return s->chunk->group_game + s->group_place[group] * LINE_LANES;
}

// Takes what the screens of the chosen queries have found for a game of the chunk.
static void take_found(Worker *w, size_t game, size_t group, size_t lane)
{
    Chunks *s = w->memory_of_chunks;
    const GameEntry *entry = &s->chunk->entry[game];
    int32_t *counts = &s->count[game * w->matcher->query_count];
    const bool searched = is_searched(w, game);
    for (uint32_t i = 0; i < s->screens.count; i++) {
        const uint32_t q = s->screens.member[i];
        const QueryInfo *query = &w->matcher->query[q];
        if (counts[q] == 0)
            continue;
        if (query->results & ~(1u << entry->result))
            counts[q] = 0; // the tags say so, too, unless they are damaged
        else if (screen_sees(w, query, entry) && !is_heavy(w, entry->ply_count, entry->flags))
            counts[q] = screens_found(&s->screens, i)[group][lane];
        s->stats[q].screened++;
        s->stats[q].passed += counts[q] != 0;
        s->pgn.ruled_out += counts[q] == 0;
        evaluate_totals(w, q)->by_moves += counts[q] == 0 && searched;
    }
}

// Screens the chunk for the chosen queries.
static void screen_queries(Worker *w)
{
    Chunks *s = w->memory_of_chunks;
    const size_t groups = choose_groups(w);
    screens_run(&s->screens, s->group, groups);
    for (size_t g = 0; g < groups; g++) {
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
        if (count && most_of(count, queries) != 0 &&
            !exploring_reaches(w, &chunk->group[i / LINE_LANES], i % LINE_LANES))
            memset(count, 0, queries * sizeof *count);
    }
}

static void screen_chunk(Worker *w)
{
    Chunks *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    for (uint32_t q = 0; q < queries; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        s->wants[q] = query->screen && !query->tags_decide && evaluate_may_rule_out(w) && is_worthwhile(w, q);
    }
    evaluate_screens(w, &s->screens, s->wants, screen_queries);
}

// ---- games ------------------------------------------------------------------------------------------------

// Does the game need its text? Otherwise reads its clocks where they are wanted. False after damage.
static bool needs_text(Worker *w, Block *block, const StoredGame *game, bool *text)
{
    const unsigned wanted = w->plan->line_parse | w->plan->tree_parse;
    *text = game->flags & STORED_RAW || (game->flags & STORED_NOTES && wanted & PARSE_NOTES) ||
            (game->flags & STORED_VARIATIONS && w->plan->tree_parse);
    return *text || !(game->flags & STORED_NOTES && wanted & PARSE_CLOCKS) ||
           chunk_reader_read(w->chunk, block, CHUNK_CLOCKS, game);
}

// Evaluates a game of a database. Where its moves are not enough, or may not be, its text takes their place.
static void search_stored(Worker *w, Block *block, const StoredGame *game, const int32_t *count)
{
    bool text;
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

static void search_line(Worker *w, Block *block, size_t i, const int32_t *count)
{
    const Chunks *s = w->memory_of_chunks;
    StoredGame line;
    const bool is_known = lines_game(&s->lines, i, &line);
    evaluate_game(w, block,
                  &(Candidate){.source = block->input.pgn.game[s->first + i],
                               .stored = is_known ? &line : NULL,
                               .has_text = true,
                               .screened = count});
}

// Reads the tags of all games of a chunk when many will be needed; false after damage.
static bool read_tags(Worker *w, Block *block)
{
    const Chunks *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    size_t left = 0;
    for (size_t i = 0; i < s->chunk->count; i++)
        left += most_of(s->count + i * queries, queries) != 0;
    return (evaluate_wants_counts(w) && !reads_tags(w)) || left <= s->chunk->count / 4 ||
           chunk_reader_read_all(w->chunk, block, CHUNK_TAGS);
}

// Searches the games by their counts; `settled`: these say everything, and the chunk is not read. Returns how many games were evaluated.
static int64_t search_games(Worker *w, Block *block, size_t games, bool settled)
{
    Chunks *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    const bool counts = evaluate_wants_counts(w), whole = evaluate_counts_in_bulk(w), bulk = is_bulk(w);
    int64_t evaluated = 0, ruled_out = 0, positions = 0;
    for (size_t i = 0; i < games && !block->partial; i++) {
        const int32_t *count = s->count + i * queries, most = most_of(count, queries);
        if (s->left_out[i])
            continue;
        const bool out = whole && most == 0, counted = settled || (counts && most != UNKNOWN);
        if (!out && !(bulk && counted) && !evaluate_goes_on(w, block))
            break;
        if (!s->excluded[i] && (out || counted) &&
            is_searched(w, i)) // all positions match a query about tags
            positions += settled ? most : (int64_t)s->chunk->entry[i].ply_count + 1;
        if (out) {
            ruled_out++;
        } else if (counted) {
            ruled_out += bulk;
            take_counts(w, block, i, count, bulk);
        } else {
            evaluated++;
            if (block->input.database)
                search_stored(w, block, chunk_game(&w->chunk->chunk, i), count);
            else
                search_line(w, block, i, count);
        }
    }
    evaluate_ruled_out(w, block, ruled_out, positions);
    return evaluated;
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

// Adds the games of groups whose entries have none of the flags. False, and adds nothing, when the screen left one of them out.
static bool count_groups(Worker *w, Block *block, unsigned unseen)
{
    int32_t(*found)[LINE_LANES] = screens_found(&w->memory_of_chunks->screens, 0);
    const Chunk *chunk = &w->chunk->chunk;
    const QueryInfo *query = w->matcher->query;
    QueryTotals *totals = evaluate_totals(w, 0);
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
    totals->matches += games;
    totals->hits += hits;
    totals->by_moves += by_moves;
    block->part->totals.matches += games;
    block->part->totals.hits += hits;
    return true;
}

// Counts what the screen finds, and evaluates the games that it cannot see. False, and does nothing, when it left others out.
static bool count_chunk(Worker *w, Block *block)
{
    Chunks *s = w->memory_of_chunks;
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
    int64_t positions = 0;
    for (size_t i = 0; i < chunk->count; i++) {
        const bool counted = !(chunk->entry[i].flags & evaluated);
        left += !counted;
        positions += counted ? (int64_t)chunk->entry[i].ply_count + 1 : 0;
    }
    for (size_t i = 0; left > 0 && i < chunk->count && evaluate_goes_on(w, block); i++)
        if (chunk->entry[i].flags & evaluated)
            search_stored(w, block, chunk_game(chunk, i), &unknown);
    evaluate_ruled_out(w, block, (int64_t)(chunk->count - left), positions);
    return true;
}

// ---- databases --------------------------------------------------------------------------------------------

static Chunks *chunks_of(Worker *w)
{
    if (!w->memory_of_chunks) {
        Chunks *s = w->memory_of_chunks = memory_zeroed(1, sizeof *s);
        s->stats = memory_zeroed(w->matcher->query_count, sizeof *s->stats);
        s->wants = memory_zeroed(w->matcher->query_count, sizeof *s->wants);
        s->candidates = candidate_search_new();
    }
    return w->memory_of_chunks;
}

void chunks_search(Worker *w, Block *block)
{
    Chunks *s = chunks_of(w);
    if (!w->chunk)
        w->chunk = memory_zeroed(1, sizeof *w->chunk);
    s->chunk = &w->chunk->chunk;
    w->chunk_is_open = false;
    if (!grouping_begin_chunk(w, block))
        return;
    weigh_chunk(w, block);
    if (counts_chunks(w) && s->all_fit) {
        chunk_reader_open(w->chunk, block, CHUNK_LINES);
        w->chunk_is_open = true;
        if (count_chunk(w, block))
            return;
    }
    const size_t games = (size_t)database_chunk_games(block->input.database, block->input.chunk);
    if (settle(w, block, games) && !w->plan->options->explorer) {
        search_games(w, block, games, true);
        return;
    }
    if (!w->chunk_is_open)
        chunk_reader_open(w->chunk, block, CHUNK_LINES);
    w->chunk_is_open = true;
    if (s->chunk->count != games)
        make_counts(w, s->chunk->count);
    if (w->plan->options->explorer)
        leave_unexplored(w);
    screen_chunk(w);
    if (read_tags(w, block))
        search_games(w, block, s->chunk->count, false);
}

// ---- PGN --------------------------------------------------------------------------------------------------

enum {
    FIRST_TRIED = 32, // games on which screens are tried
    MANY = 6          // queries that cost more than to read a game twice
};

// Screens that let most games pass are not worth reading them twice, unless they save many queries the work: those that let
// nearly all pass are found out after a few games, others after more. Other games may come later.
static bool lines_are_worthwhile(const Worker *w)
{
    enum { TRIED = 256, SKIPPED = 32 };
    Chunks *s = w->memory_of_chunks;
    const ScreenStats *y = &s->pgn;
    if (y->screened < FIRST_TRIED || y->ruled_out >= y->screened * MANY)
        return true;
    const bool is_expensive = w->matcher->query_count == 1 && !screens_pay(w->matcher->query, y);
    if (y->screened < TRIED ? y->passed * 10 < y->screened * 9
                            : y->passed * 3 < y->screened * 2 && !is_expensive)
        return true;
    if (++s->skipped < SKIPPED)
        return false;
    s->skipped = 0;
    s->pgn = (ScreenStats){0};
    return true;
}

// Queries without screens want nearly all games.
static bool has_screens(const Worker *w)
{
    uint32_t screened = 0;
    for (uint32_t q = 0; q < w->matcher->query_count; q++)
        screened += w->matcher->query[q].screen && !w->matcher->query[q].tags_decide;
    return screened == w->matcher->query_count || screened >= MANY;
}

// Reads the tags of a game, and its main line if the tags do not rule it out. Sets its counts.
static void read_line(Worker *w, Block *block, size_t i)
{
    Chunks *s = w->memory_of_chunks;
    const uint32_t queries = w->matcher->query_count;
    const Game *game = evaluate_tags(w, block, block->input.pgn.game[s->first + i], &s->excluded[i]);
    s->left_out[i] = !game && !s->excluded[i];
    lines_add(&s->lines, game, w->plan->memory_of_tree);
    const GameEntry *e = &s->chunk->entry[i];
    for (uint32_t q = 0; q < queries; q++) {
        const bool may = e->flags & STORED_UNGROUPED || !(w->matcher->query[q].results & ~(1u << e->result));
        s->count[i * queries + q] = game && w->wanted[q] && may ? UNKNOWN : 0;
    }
}

static void search_lines(Worker *w, Block *block, size_t first, size_t end)
{
    Chunks *s = w->memory_of_chunks;
    s->chunk = &s->lines.chunk;
    s->first = first;
    s->all_fit = true; // the main lines of other games are not read
    make_counts(w, end - first);
    lines_begin(&s->lines);
    for (size_t i = first; i < end && evaluate_goes_on(w, block); i++)
        read_line(w, block, i - first);
    if (block->partial)
        return;
    lines_end(&s->lines);
    screen_chunk(w);
    s->pgn.passed += search_games(w, block, s->chunk->count, false);
    s->pgn.screened += (int64_t)s->chunk->count;
}

size_t chunks_search_pgn(Worker *w, Block *block)
{
    const size_t count = block->input.pgn.count;
    if (count == 0 || !has_screens(w) || !evaluate_may_rule_out(w) || !evaluate_counts_in_bulk(w))
        return 0;
    const Chunks *s = chunks_of(w);
    size_t done = 0;
    while (done < count && lines_are_worthwhile(w)) {
        const size_t end =
            s->pgn.screened < FIRST_TRIED && count - done > FIRST_TRIED ? done + FIRST_TRIED : count;
        search_lines(w, block, done, end);
        done = end;
    }
    return done;
}

void chunks_free(Chunks *s)
{
    if (!s)
        return;
    lines_free(&s->lines);
    candidate_search_free(s->candidates);
    free(s->count);
    free(s->excluded);
    free(s->left_out);
    free(s->stats);
    screens_free(&s->screens);
    free(s->wants);
    free(s->group);
    free(s->group_place);
    free(s);
}
