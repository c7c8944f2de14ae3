// Evaluates games in one thread and writes those that match.
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/database/database.h"
#include "runtime/match/variants.h"
#include "runtime/value/memory.h"
#include "output_name.h"

struct Worker {
    int number; // of the thread, from 1
    const Plan *plan;
    const Ending *ending;
    const Matcher *matcher;
    Run **run; // by query
    RunResult *result;
    bool *wanted; // by query: the game is evaluated
    Found *found;
    Game line, tree, whole; // the main line; with variations; with variations and comments, for the writers
    bool line_read, tree_read;
    const StoredGame *stored; // the game comes from a database and its moves need no text; NULL: it is PGN
    Game scratch;
    Buffer text; // of a stored game
    bool text_made;
    FormatMemory memory;
    Block *block;
    bool damaged;
};

// ---- ending -----------------------------------------------------------------------------------------------

double ending_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool ending_stopped(const Ending *ending)
{
    return ending->stop && *ending->stop;
}

static bool ending_reached(const Ending *ending)
{
    return atomic_load_explicit(&ending->complete, memory_order_relaxed) || ending_stopped(ending) ||
           (ending->deadline > 0 && ending_now() >= ending->deadline);
}

// ---- plan -------------------------------------------------------------------------------------------------

static bool query_sorts(const QueryInfo *query)
{
    return query->sort_key_count > 0 || (query->flags & QUERY_SORT_MATCHCOUNT);
}

static void plan_query(Plan *p, const QueryInfo *query)
{
    bool tree = query->flags & QUERY_VARIATIONS, notes = query->flags & QUERY_NEEDS_NOTES;
    p->trees |= tree;
    p->lines |= !tree;
    p->tree_notes |= tree && notes;
    p->line_notes |= !tree && notes;
    p->sequential |= (query->flags & QUERY_SEQUENTIAL) != 0;
    p->needs_last_number |= (query->flags & QUERY_NEEDS_LAST_NUMBER) != 0;
    p->sorted |= query_sorts(query) && (p->format_flags & FORMAT_SORTED) && !p->options->no_sort;
    int64_t last = query->flags & QUERY_HAS_GAMENUMBER ? query->gamenumber_high : INT64_MAX;
    if (last > p->last_wanted)
        p->last_wanted = last;
}

Plan plan_search(const Matcher *matcher, const SearchOptions *options)
{
    Plan p = {.options = options, .matcher = matcher, .format_flags = format_info[options->format].flags};
    for (uint32_t q = 0; q < matcher->query_count; q++)
        plan_query(&p, &matcher->query[q]);
    if (options->last_game > 0 && options->last_game < p.last_wanted)
        p.last_wanted = options->last_game;
    p.split = options->split_output && options->format != FORMAT_NONE && options->output &&
              output_name_has_tags(options->output);
    p.stored = p.sorted || p.split || (p.format_flags & FORMAT_PAGE) || options->before_results;
    p.limit = p.sorted ? 0 : options->limit;
    return p;
}

// ---- blocks -----------------------------------------------------------------------------------------------

Block *block_new(const Plan *plan)
{
    Block *block = memory_zeroed(1, sizeof *block);
    block->matches = memory_zeroed(plan->matcher->query_count, sizeof *block->matches);
    return block;
}

void block_free(Block *block)
{
    pgn_block_free(&block->input.pgn);
    buffer_free(&block->reports);
    buffer_free(&block->foreign);
    buffer_free(&block->messages);
    buffer_free(&block->output);
    sorted_free(&block->sorted);
    free(block->matches);
    free(block->mark);
    free(block->mark_matches);
    free(block);
}

static void set_mark(Block *b, uint32_t queries)
{
    b->mark = memory_grow(b->mark, &b->mark_capacity, b->mark_count + 1, sizeof *b->mark);
    b->mark_matches = memory_grow(b->mark_matches, &b->mark_matches_capacity, (b->mark_count + 1) * queries,
                                  sizeof *b->mark_matches);
    memcpy(b->mark_matches + b->mark_count * queries, b->matches, queries * sizeof *b->matches);
    b->mark[b->mark_count++] =
        (Mark){b->reports.length, b->messages.length, b->output.length, b->sorted.count, b->totals};
}

void block_cut(Block *b, const Plan *plan, size_t count)
{
    const uint32_t queries = plan->matcher->query_count;
    const Mark *mark = &b->mark[count - 1];
    b->reports.length = mark->reports;
    b->messages.length = mark->messages;
    b->output.length = mark->output;
    b->totals = mark->totals;
    memcpy(b->matches, b->mark_matches + (count - 1) * queries, queries * sizeof *b->matches);
    b->mark_count = count;
}

// ---- one game ---------------------------------------------------------------------------------------------

static void report_damage(void *user, uint64_t line, int64_t game, const char *message)
{
    Worker *w = user;
    w->damaged = true;
    inputs_report(&w->block->reports, w->block->input.input, line, game, message);
}

// Makes the messages continue at the beginning of a line.
static void start_line(Block *block)
{
    Buffer *b = &block->messages;
    if (b->length == 0)
        block->begins_line = true;
    else if (b->start[b->length - 1] != '\n')
        buffer_append(b, "\n", 1);
}

static void report_error(Worker *w, const GameText *source, const QueryInfo *query, const RunResult *result)
{
    const SearchFrames *frames = w->plan->options->frames;
    Buffer *out = frames ? &w->block->messages : &w->block->reports;
    if (frames)
        start_line(w->block);
    buffer_text(out, frames ? frames->error_begin : "");
    buffer_format(out, "%s:%llu: game %lld: ", w->block->input.input, (unsigned long long)source->line,
                  (long long)source->number);
    if (result->error_position >= 0)
        buffer_format(out, "position %d: ", (int)result->error_position);
    buffer_format(out, "%s:", query->name);
    if (result->error_line > 0)
        buffer_format(out, "%d:", (int)result->error_line);
    if (result->error_column > 0)
        buffer_format(out, "%d:", (int)result->error_column);
    buffer_format(out, " %s\n", result->error);
    buffer_text(out, frames ? frames->error_end : "");
    w->block->totals.errors++;
    w->block->exhausted |= result->exhausted;
}

static void set_numbers(const Worker *w, Game *game, const GameText *source)
{
    game->view.number = (int32_t)source->number;
    game->view.last_number = (int32_t)w->plan->last_number;
}

// The text of a game in a database, made once.
static GameText stored_text(Worker *w, const StoredGame *stored)
{
    GameText source = stored->tags;
    if (!w->text_made) {
        w->text.length = 0;
        chunk_game_text(stored, &w->scratch, &w->text);
        w->text_made = true;
    }
    source.number += w->block->input.number_base;
    source.text = (Text){w->text.start, w->text.length};
    return source;
}

// Reads a game from its moves in a database where that is enough.
static bool replay_into(Worker *w, Game *game, const GameText *source, unsigned flags)
{
    const StoredGame *s = w->stored;
    if (((flags & PARSE_VARIATIONS) && (s->flags & STORED_VARIATIONS)) ||
        ((flags & PARSE_NOTES) && (s->flags & STORED_NOTES)))
        return false;
    if (game->source.text.start != source->text.start || game->source.number != source->number)
        game_parse_tags(game, source);
    return game_replay(game, flags, s->word, s->stride, s->ply_count, s->result);
}

// Reads a game; reports damage when it is read for the first time.
static void parse_into(Worker *w, Game *game, const GameText *source, unsigned flags)
{
    bool again = w->line_read || w->tree_read;
    w->damaged = false;
    if (w->plan->options->bad_start_standard)
        flags |= PARSE_BAD_START_STANDARD;
    if (!w->stored || !replay_into(w, game, source, flags)) {
        const GameText whole = w->stored ? stored_text(w, w->stored) : *source;
        game_parse(game, &whole, flags, again ? NULL : report_damage, w);
    }
    set_numbers(w, game, source);
    if (again)
        return;
    w->block->totals.damaged += w->damaged;
    w->block->totals.positions += game->skipped ? 0 : game->view.count;
}

// The game as the query wants to see it.
static Game *game_for(Worker *w, const GameText *source, const QueryInfo *query)
{
    if (query->flags & QUERY_VARIATIONS) {
        if (!w->tree_read)
            parse_into(w, &w->tree, source, PARSE_VARIATIONS | (w->plan->tree_notes ? PARSE_NOTES : 0));
        w->tree_read = true;
        return &w->tree;
    }
    if (!w->line_read)
        parse_into(w, &w->line, source, w->plan->line_notes ? PARSE_NOTES : 0);
    w->line_read = true;
    return &w->line;
}

// The whole tree with its notes, for the writers.
static Game *whole_game(Worker *w, const GameText *source)
{
    if (w->tree_read && w->plan->tree_notes)
        return &w->tree;
    parse_into(w, &w->whole, source, PARSE_VARIATIONS | PARSE_NOTES);
    return &w->whole;
}

static bool in_range(int64_t number, const QueryInfo *query)
{
    return !(query->flags & QUERY_HAS_GAMENUMBER) ||
           (number >= query->gamenumber_low && number <= query->gamenumber_high);
}

// Queries in CQLi do not see games of other chess variants. Each block has a message about its first one;
// that of the first block is shown.
static bool is_foreign(Worker *w, const Game *game, const GameText *source, const QueryInfo *query)
{
    Text name;
    if (!(query->flags & QUERY_CQLI) || variant_of(game, &name) != VARIANT_FOREIGN)
        return false;
    if (w->block->foreign.length == 0 && !w->plan->options->skip_variants)
        buffer_format(&w->block->foreign,
                      "%s:%llu: game %lld: the variant \"%.*s\" is not supported; its games are not "
                      "searched\n",
                      w->block->input.input, (unsigned long long)source->line, (long long)source->number,
                      (int)name.length, name.start);
    return true;
}

// Sets result[].matched for the queries that may find the game by its number and tags; false: none.
static bool test_game(Worker *w, const GameText *source)
{
    const SearchOptions *o = w->plan->options;
    if (source->number < o->first_game || (o->last_game > 0 && source->number > o->last_game))
        return false;
    Game *game = w->plan->lines ? &w->line : &w->tree;
    game_parse_tags(game, source);
    set_numbers(w, game, source);
    if (o->wanted && !o->wanted(o->user, game))
        return false;
    bool wanted = false;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        w->result[q].matched = in_range(source->number, query) && !is_foreign(w, game, source, query) &&
                               run_game_test(w->run[q], game);
        wanted |= w->result[q].matched;
    }
    return wanted;
}

// Runs the queries that may find the game; returns how many do. The block becomes partial when the search
// ends.
static size_t run_queries(Worker *w, const GameText *source)
{
    Block *block = w->block;
    size_t count = 0;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        RunResult *result = &w->result[q];
        w->wanted[q] = result->matched;
        if (w->wanted[q])
            run_game(w->run[q], game_for(w, source, &w->matcher->query[q]), result);
        if (w->wanted[q] && result->stopped) {
            block->partial = true;
            return 0;
        }
    }
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        const RunResult *result = &w->result[q];
        if (!w->wanted[q])
            continue;
        if (result->messages_length > 0) {
            start_line(block);
            buffer_append(&block->messages, result->messages, result->messages_length);
        }
        if (result->error)
            report_error(w, source, query, result);
        else if (result->matched) {
            w->found[count++] = (Found){query, &w->result[q]};
            block->matches[q]++;
            block->totals.hits += result->hit_count;
        }
    }
    return count;
}

static void add_keys(SortedGame *game, const Worker *w, uint32_t q)
{
    const QueryInfo *query = &w->matcher->query[q];
    const RunResult *result = &w->result[q];
    for (int32_t k = 0; k < query->sort_key_count; k++) {
        bool has_value = result->matched && result->sort[k].has_value;
        sorted_key(game, has_value, query->sort_key[k].is_min, has_value ? result->sort[k].number : 0,
                   has_value ? result->sort[k].text : NULL);
    }
    if (query->flags & QUERY_SORT_MATCHCOUNT)
        sorted_key(game, result->matched, false, result->matched ? result->hit_count : 0, NULL);
}

// Cuts the game written from `start` on if it is too long.
static void cut_game(Worker *w, const GameText *source, size_t start)
{
    const SearchOptions *o = w->plan->options;
    Block *block = w->block;
    if (o->game_bytes == 0 || o->format != FORMAT_PGN ||
        !game_cut_pgn(&block->output, start, (size_t)o->game_bytes))
        return;
    char message[80];
    snprintf(message, sizeof message, "its output is longer than %lld bytes and was cut",
             (long long)o->game_bytes);
    inputs_report(&block->reports, block->input.input, source->line, source->number, message);
}

static void write_found(Worker *w, const GameText *source, size_t count)
{
    const Plan *plan = w->plan;
    Buffer *out = &w->block->output;
    FoundGame found = {.matcher = w->matcher,
                       .input = w->block->input.input,
                       .several_inputs = plan->options->input_count > 1,
                       .number = source->number,
                       .game = plan->format_flags & FORMAT_GAME ? whole_game(w, source) : NULL,
                       .found = w->found,
                       .count = count,
                       .repeat_comments = plan->options->repeat_comments,
                       .forms = plan->options->forms};
    size_t start = out->length;
    size_t index_length = format_game(plan->options->format, out, &found, &w->memory);
    cut_game(w, source, start);
    if (!plan->stored)
        return;
    SortedGame *game = sorted_add(&w->block->sorted, source->number, out->start + start, out->length - start);
    game->index_length = index_length;
    if (plan->split)
        game->file =
            output_name_for(plan->options->output, plan->lines ? &w->line : &w->tree, w->found, count);
    for (uint32_t q = 0; plan->sorted && q < w->matcher->query_count; q++)
        add_keys(game, w, q);
    out->length = start;
}

// Prints a progress mark; `ending` closes it.
static void show_mark(Worker *w, const char *mark, const char *ending, bool with_thread, bool end_line)
{
    const SearchFrames *frames = w->plan->options->frames;
    const bool line = frames && frames->marks;
    if (line)
        start_line(w->block);
    buffer_text(&w->block->messages, mark);
    if (with_thread)
        buffer_format(&w->block->messages, "%s%d", *ending ? ":" : "", w->number);
    buffer_format(&w->block->messages, "%s%s", ending, line || end_line ? "\n" : "");
}

static void show_game(Worker *w, int64_t number, bool matches)
{
    const SearchOptions *o = w->plan->options;
    char mark[32];
    if (!o->show_matches && o->show_games == 0)
        return;
    snprintf(mark, sizeof mark, "<%lld", (long long)number);
    if (o->show_matches && matches)
        show_mark(w, mark, ">", false, false);
    mark[0] = '[';
    if (o->show_games > 0 && number % o->show_games == 0)
        show_mark(w, mark, "]", o->show_threads, true);
    else if (o->show_games >= 10 && number % (o->show_games / 10) == 0)
        show_mark(w, ".", "", o->show_threads, false);
}

size_t worker_find(Worker *w, Block *block, const GameText *source, const Found **found)
{
    w->block = block;
    w->line_read = w->tree_read = false;
    *found = w->found;
    return test_game(w, source) ? run_queries(w, source) : 0;
}

static void search_game(Worker *w, Block *block, GameText source)
{
    source.number += block->input.number_base;
    if (source.number > w->plan->last_wanted)
        return;
    block->totals.games++;
    const Found *found;
    size_t count = worker_find(w, block, &source, &found);
    if (block->partial) {
        block->totals.games--;
        return;
    }
    show_game(w, source.number, count > 0);
    if (count == 0)
        return;
    block->totals.matches++;
    write_found(w, &source, count);
    if (w->plan->limit > 0)
        set_mark(block, w->matcher->query_count);
}

// ---- the worker -------------------------------------------------------------------------------------------

static void free_runs(Run **run, uint32_t count)
{
    for (uint32_t q = 0; run && q < count; q++)
        run_free(run[q]);
    free(run);
}

static bool is_stopped(void *user)
{
    return ending_reached(user);
}

// Makes the states of the matcher's queries; NULL when one of them cannot be run.
static Run **make_runs(const Plan *plan, const Ending *ending, const Matcher *matcher, Run *const *like,
                       const char **query, const char **message)
{
    const SearchOptions *o = plan->options;
    RunOptions options = {.max_steps = o->max_steps,
                          .max_depth = plan->max_depth,
                          .stopped = is_stopped,
                          .user = (void *)(uintptr_t)ending,
                          .comments = (plan->format_flags & FORMAT_LOG) != 0,
                          .show = o->format == FORMAT_HTML,
                          .no_header = o->no_header || !(plan->format_flags & FORMAT_HEADER),
                          .no_sort_comments = o->no_sort_comments,
                          .no_settag = o->no_settag,
                          .no_remove_comment = o->no_remove_comment,
                          .no_remove_tag = o->no_remove_tag,
                          .keep_comments = o->keep_comments,
                          .message_begin = o->frames ? o->frames->message_begin : NULL,
                          .message_end = o->frames ? o->frames->message_end : NULL,
                          .allow_commands = o->allow_commands,
                          .pipe_seconds = o->pipe_seconds,
                          .allow_files = o->allow_files};
    Run **run = memory_zeroed(matcher->query_count, sizeof *run);
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        run[q] = run_new(&matcher->query[q], &options, like ? like[q] : NULL, message);
        if (!run[q]) {
            *query = matcher->query[q].name;
            free_runs(run, q);
            return NULL;
        }
    }
    return run;
}

Worker *worker_open(const Plan *plan, const Ending *ending, const Worker *like, int number,
                    const char **query, const char **message)
{
    Run **run = make_runs(plan, ending, plan->matcher, like ? like->run : NULL, query, message);
    if (!run)
        return NULL;
    Worker *w = memory_zeroed(1, sizeof *w);
    w->plan = plan;
    w->number = number;
    w->ending = ending;
    w->matcher = plan->matcher;
    w->run = run;
    w->result = memory_zeroed(w->matcher->query_count, sizeof *w->result);
    w->wanted = memory_zeroed(w->matcher->query_count, sizeof *w->wanted);
    w->found = memory_zeroed(w->matcher->query_count, sizeof *w->found);
    Game *games[] = {&w->line, &w->tree, &w->whole, &w->scratch};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        game_init(games[i]);
        games[i]->alias = plan->options->alias;
        games[i]->alias_count = plan->options->alias_count;
    }
    return w;
}

void worker_close(Worker *w)
{
    free_runs(w->run, w->matcher->query_count);
    free(w->result);
    free(w->wanted);
    free(w->found);
    game_free(&w->line);
    game_free(&w->tree);
    game_free(&w->whole);
    game_free(&w->scratch);
    buffer_free(&w->text);
    format_memory_free(&w->memory);
    free(w);
}

// Changes to the faster matcher when there is one. A sequential query stays with its state.
static void upgrade(Worker *w)
{
    const Plan *plan = w->plan;
    if (!plan->options->upgrade || plan->sequential)
        return;
    const Matcher *better = atomic_load(plan->options->upgrade);
    const char *query, *message;
    Run **run =
        better && better != w->matcher ? make_runs(plan, w->ending, better, w->run, &query, &message) : NULL;
    if (!run)
        return;
    free_runs(w->run, w->matcher->query_count);
    w->run = run;
    w->matcher = better;
}

// False when the search of the block ends here.
static bool goes_on(Worker *w, Block *block)
{
    if (ending_reached(w->ending))
        block->partial = true;
    return !block->partial && (w->plan->limit == 0 || block->totals.matches < w->plan->limit);
}

// Where the moves of a stored game are not enough, or may not be, its text takes its place.
static void search_stored(Worker *w, Block *block, const StoredGame *stored)
{
    const bool notes = w->plan->line_notes || w->plan->tree_notes;
    w->block = block;
    w->text_made = false;
    w->stored = (stored->flags & STORED_RAW) || (notes && (stored->flags & STORED_NOTES)) ? NULL : stored;
    GameText source = stored->tags;
    if (!w->stored) {
        source = stored_text(w, stored);
        source.number = stored->tags.number;
    }
    search_game(w, block, source);
    w->stored = NULL;
}

static void search_chunk(Worker *w, Block *block)
{
    Chunk chunk = {0};
    char *message;
    if (!database_read_chunk(block->input.database, block->input.chunk, CHUNK_ALL, &chunk, &message)) {
        buffer_format(&block->reports, "%s: error: %s\n", block->input.input, message);
        block->failed = true;
        free(message);
    }
    for (size_t i = 0; i < chunk.count && goes_on(w, block); i++)
        search_stored(w, block, &chunk.game[i]);
    chunk_free(&chunk);
}

void worker_search(Worker *w, Block *block)
{
    upgrade(w);
    if (block->input.database)
        search_chunk(w, block);
    for (size_t i = 0; i < block->input.pgn.count && goes_on(w, block); i++)
        search_game(w, block, block->input.pgn.game[i]);
}

void worker_print_persistent(const Worker *w, FILE *out)
{
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        run_print_persistent(w->run[q], out);
        if (w->plan->options->show_dictionaries)
            run_print_dictionaries(w->run[q], out);
    }
}
