// Evaluates one game with the queries of a worker, and writes it to the results that it belongs to.
#include "evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/chess/variant.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "exploring.h"
#include "grouping.h"
#include "output_name.h"
#include "sink.h"

// ---- one game ---------------------------------------------------------------------------------------------

// The result that a query's finds go to,
static uint32_t result_of(const Worker *w, uint32_t q)
{
    return w->plan->result_count > 1 ? q : 0;
}

// and its part of the block.
static Part *part_of(const Worker *w, uint32_t q)
{
    return &w->block->part[result_of(w, q)];
}

QueryTotals *evaluate_totals(const Worker *w, uint32_t q)
{
    return &part_of(w, q)->query[w->plan->result_count > 1 ? 0 : q];
}

static void report_damage(void *user, uint64_t line, int64_t game, const char *message)
{
    Worker *w = user;
    w->candidate.damaged = true;
    for (uint32_t r = 0; r < w->plan->result_count; r++) {
        GameRecord *record = &w->record[r];
        if (w->reached[r])
            inputs_report(&record->reports, w->block->input.input, line, game, w->block->input.number_base,
                          message);
        record->damage = record->reports.length;
    }
}

// Makes the messages continue at the beginning of a line.
static void start_line(GameRecord *record)
{
    Buffer *b = &record->messages;
    if (b->length == 0)
        record->begins_line = true;
    else if (b->start[b->length - 1] != '\n')
        buffer_append(b, "\n", 1);
}

// Counts the game, once, among those of the result in which a query has failed.
static void count_error(const Worker *w, uint32_t r)
{
    w->block->part[r].totals.errors += !w->record[r].failed;
    w->record[r].failed = true;
}

static void report_error(Worker *w, const GameText *source, uint32_t q, const RunResult *result)
{
    const SearchFrames *frames = w->plan->options->frames;
    const QueryInfo *query = &w->matcher->query[q];
    GameRecord *record = &w->record[result_of(w, q)];
    Buffer *out = frames ? &record->messages : &record->reports;
    if (frames)
        start_line(record);
    buffer_text(out, frames ? frames->error_begin : "");
    inputs_report_game(out, w->block->input.input, source->line, source->number, w->block->input.number_base);
    if (result->error_position >= 0)
        buffer_format(out, "position %d: ", (int)result->error_position);
    line_format(out, "%s:", query->name);
    if (result->error_line > 0)
        buffer_format(out, "%d:", (int)result->error_line);
    if (result->error_column > 0)
        buffer_format(out, "%d:", (int)result->error_column);
    line_format(out, " %s\n", result->error);
    buffer_text(out, frames ? frames->error_end : "");
    count_error(w, result_of(w, q));
    evaluate_totals(w, q)->errors++;
    part_of(w, q)->exhausted |= result->exhausted;
}

// The value of lastgamenumber (language reference 6.4).
static int32_t last_number(const Worker *w, const QueryInfo *query)
{
    const int64_t last = w->plan->last_number;
    const bool fewer = (query->flags & QUERY_HAS_GAMENUMBER) && query->gamenumber_high < last;
    return fewer ? query->gamenumber_high : (int32_t)last;
}

// The text of a game in a database, made once.
GameText evaluate_stored_text(Worker *w, const StoredGame *stored)
{
    GameText source = stored->tags;
    if (!w->candidate.text_made) {
        w->text.length = 0;
        chunk_reader_text(w->chunk, w->block, stored, &w->scratch, &w->text);
        w->candidate.text_made = true;
    }
    source.number += w->block->input.number_base;
    source.text = (Text){w->text.start, w->text.length};
    return source;
}

// Reads a game from its known moves where that is enough.
static bool replay_into(Worker *w, Game *game, const GameText *source, unsigned flags)
{
    const StoredGame *s = w->candidate.stored;
    const unsigned in_notes = PARSE_NOTES | (w->candidate.has_text ? PARSE_CLOCKS : 0u);
    const bool notes = (flags & in_notes) && (s->flags & STORED_NOTES);
    if (w->candidate.variant != VARIANT_STANDARD && game->by_variant)
        return false;
    if (((flags & PARSE_VARIATIONS) && (s->flags & STORED_VARIATIONS)) ||
        (notes && (!w->candidate.has_text || s->flags & STORED_VARIATIONS)))
        return false;
    if (game->source.text.start != source->text.start || game->source.number != source->number)
        game_parse_tags(game, source);
    return game_replay(game, flags, s->word, s->stride, s->ply_count, s->result) &&
           (!(flags & PARSE_CLOCKS) || game_unpack_clocks(game, s->clocks)) &&
           (!notes || game_read_notes(game, flags));
}

// The block has a message about its first game with the piece letters of another language; one of each file is shown.
static void note_language(Worker *w, const Game *game, const GameText *source)
{
    Buffer *note = &w->block->language;
    if (!game->language || note->length > 0)
        return;
    inputs_report_game(note, w->block->input.input, source->line, source->number,
                       w->block->input.number_base);
    line_format(note, LANGUAGE_NOTE "\n", game->language);
}

// Reads a game; reports damage when it is read for the first time.
static void parse_into(Worker *w, Game *game, const GameText *source, unsigned flags)
{
    const bool again = w->candidate.was_read;
    w->candidate.was_read = true;
    w->candidate.damaged = false;
    if (w->plan->options->bad_start_standard)
        flags |= PARSE_BAD_START_STANDARD;
    flags |= w->plan->options->all_words ? PARSE_ALL_WORDS : 0u;
    if (!w->candidate.stored || !replay_into(w, game, source, flags)) {
        const GameText whole = w->candidate.stored && !w->candidate.has_text
                                   ? evaluate_stored_text(w, w->candidate.stored)
                                   : *source;
        game_parse(game, &whole, flags, again ? NULL : report_damage, w);
    }
    if (again)
        return;
    const int32_t positions = game->skipped ? 0 : game->view.count;
    w->block->positions += positions;
    w->block->cut += game->cut;
    w->block->words += game->ignored_words;
    note_language(w, game, source);
    for (uint32_t r = 0; r < w->plan->result_count; r++) {
        SearchTotals *totals = &w->block->part[r].totals;
        totals->damaged += w->reached[r] && w->candidate.damaged;
        totals->positions += w->reached[r] ? positions : 0;
        totals->cut += w->reached[r] && game->cut;
        totals->words += w->reached[r] ? game->ignored_words : 0;
    }
}

// Do the two queries of a search read the game differently: as chess and by the rules of its variant?
static bool read_differently(const Worker *w, uint32_t flags, uint32_t other)
{
    return w->candidate.variant != VARIANT_STANDARD && (flags ^ other) & QUERY_VARIANTS;
}

// Games are read as the query reads them; what was read otherwise is read again.
static void read_as(Worker *w, const QueryInfo *query)
{
    if (!read_differently(w, query->flags, w->line.by_variant ? QUERY_VARIANTS : 0))
        return;
    Game *const games[] = {&w->line, &w->tree, &w->whole};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        game_read_by_variant(games[i], query->flags & QUERY_VARIANTS);
    w->candidate.line_read = w->candidate.tree_read = false;
    w->candidate.written = NULL;
}

// The game as the query wants to see it.
static Game *game_for(Worker *w, const GameText *source, const QueryInfo *query)
{
    const unsigned checks = w->plan->checks ? 0 : PARSE_NO_CHECKS;
    read_as(w, query);
    if (query->flags & QUERY_VARIATIONS) {
        if (!w->candidate.tree_read)
            parse_into(w, &w->tree, source, PARSE_VARIATIONS | checks | w->plan->tree_parse);
        w->candidate.tree_read = true;
        return &w->tree;
    }
    if (!w->candidate.line_read)
        parse_into(w, &w->line, source, checks | w->plan->line_parse);
    w->candidate.line_read = true;
    return &w->line;
}

// The whole tree with its notes, for the writers.
static Game *read_whole(Worker *w, const GameText *source)
{
    const unsigned flags = w->plan->written_parse;
    if (w->candidate.tree_read && (w->plan->tree_parse & flags) == flags)
        return &w->tree;
    const bool has_more =
        w->candidate.stored && w->candidate.stored->flags & (STORED_VARIATIONS | STORED_NOTES);
    if (w->candidate.line_read && !has_more && game_complete(&w->line))
        return &w->line;
    Game *read = w->candidate.line_read ? &w->line : w->candidate.tree_read ? &w->tree : NULL;
    if (read && (!w->candidate.stored || w->candidate.has_text) && game_read_notes(read, flags))
        return read;
    parse_into(w, &w->whole, source, PARSE_VARIATIONS | flags);
    return &w->whole;
}

// The same, read once for all results.
static Game *whole_game(Worker *w, const GameText *source)
{
    if (!w->candidate.written)
        w->candidate.written = read_whole(w, source);
    return w->candidate.written;
}

static bool in_range(int64_t number, const QueryInfo *query)
{
    return !(query->flags & QUERY_HAS_GAMENUMBER) ||
           (number >= query->gamenumber_low && number <= query->gamenumber_high);
}

// Games of some variants are not searched. Each part has a message about its first one; one
// of the first block is shown.
static void report_foreign(Worker *w, const Game *game, const GameText *source, uint32_t q)
{
    const QueryInfo *query = &w->matcher->query[q];
    Buffer *foreign = &part_of(w, q)->foreign;
    if (foreign->length > 0 || w->plan->options->skip_variants || !run_is_foreign(query, game))
        return;
    char *message = run_foreign_message(query, game);
    inputs_report_game(foreign, w->block->input.input, source->line, source->number,
                       w->block->input.number_base);
    line_format(foreign, "%s%s\n", message,
                query->flags & QUERY_VARIANTS
                    ? "; its games are not searched"
                    : "; --variants reads them by their own rules, --no-variants as chess");
    free(message);
}

// ---- time by query ----------------------------------------------------------------------------------------

// Time is measured in a sample of the games, all of the first ones.
enum { SAMPLE_ALL = 256, SAMPLE_STEP = 64 };

static void choose_sample(Worker *w, int64_t number)
{
    w->candidate.sample = w->matcher->query_count == 1 ? 0
                          : number < SAMPLE_ALL        ? 1
                          : number % SAMPLE_STEP == 0  ? SAMPLE_STEP
                                                       : 0;
}

static double timer_start(const Worker *w)
{
    return w->candidate.sample > 0 ? clock_now() : 0;
}

// Adds the time since `start` to that of the query.
static void timer_stop(const Worker *w, uint32_t q, double start)
{
    if (w->candidate.sample > 0)
        evaluate_totals(w, q)->seconds += (clock_now() - start) * w->candidate.sample;
}

void evaluate_screens(Worker *w, Screens *s, bool *wants, void (*screen)(Worker *w))
{
    const uint32_t queries = w->matcher->query_count;
    while (screens_next(s, w->matcher, wants)) {
        const double start = queries > 1 ? clock_now() : 0;
        screen(w);
        const double seconds = queries > 1 ? clock_now() - start : 0;
        for (uint32_t i = 0; i < s->count && queries > 1; i++)
            evaluate_totals(w, s->member[i])->seconds += seconds * screens_share(s, i);
    }
}

// ---- evaluation -------------------------------------------------------------------------------------------

// True when the query may find the game by its number and tags.
static bool test_query(Worker *w, Game *game, const GameText *source, uint32_t q)
{
    if (!w->open[result_of(w, q)] || (w->candidate.screened && w->candidate.screened[q] == 0))
        return false;
    const QueryInfo *query = &w->matcher->query[q];
    game->view.last_number = last_number(w, query);
    const double start = timer_start(w);
    const bool wanted = run_game_test(w->run[q], game);
    timer_stop(w, q, start);
    if (!wanted && in_range(source->number, query))
        report_foreign(w, game, source, q);
    evaluate_totals(w, q)->by_tags += !wanted;
    return wanted;
}

// Chooses the queries that may find the game by its number and tags; false: none.
static bool test_game(Worker *w, const GameText *source)
{
    const SearchOptions *o = w->plan->options;
    if (!worker_wants_number(w, source->number))
        return false;
    Game *game = w->plan->lines ? &w->line : &w->tree;
    game_parse_tags(game, source);
    w->candidate.variant = game->variant;
    w->candidate.not_sampled =
        o->sample && !w->block->input.database && !grouping_in_sample(w, game, source->number);
    if (w->candidate.not_sampled)
        return false;
    if (!w->candidate.has_text)
        grouping_searched(w, game, source);
    if (o->wanted && !o->wanted(o->user, game))
        return false;
    bool wanted = false;
    memset(w->reached, 0, w->plan->result_count * sizeof *w->reached);
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        w->wanted[q] = test_query(w, game, source, q);
        w->reached[result_of(w, q)] |= w->wanted[q];
        wanted |= w->wanted[q];
    }
    return wanted;
}

// Evaluates a game. False when the search ends.
static bool run_query(Worker *w, const GameText *source, uint32_t q)
{
    const QueryInfo *query = &w->matcher->query[q];
    RunResult *result = &w->result[q];
    Game *game = game_for(w, source, query);
    game->view.last_number = last_number(w, query);
    const double start = timer_start(w);
    run_game(w->run[q], game, result);
    evaluate_totals(w, q)->evaluated++;
    timer_stop(w, q, start);
    return !result->stopped;
}

// Adds what the query has found, or its error, to its part; true when it has found the game.
static bool take_result(Worker *w, const GameText *source, uint32_t q)
{
    const RunResult *result = &w->result[q];
    GameRecord *record = &w->record[result_of(w, q)];
    QueryTotals *totals = evaluate_totals(w, q);
    if (result->messages_length > 0) {
        start_line(record);
        buffer_append(&record->messages, result->messages, result->messages_length);
    }
    if (result->error)
        report_error(w, source, q, result);
    if (result->error || !result->matched)
        return false;
    totals->matches++;
    totals->hits += result->hit_count;
    part_of(w, q)->totals.hits += result->hit_count;
    return true;
}

// Runs the queries that may find the game; returns how many do. The block becomes partial when the search
// ends.
static size_t run_queries(Worker *w, const GameText *source)
{
    size_t count = 0;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        if (w->wanted[q] && !run_query(w, source, q)) {
            w->block->partial = true;
            return 0;
        }
    }
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        const Found found = {&w->matcher->query[q], &w->result[q]};
        if (w->wanted[q] && w->plan->options->count_by && w->plan->options->count_by->among)
            grouping_among(w, result_of(w, q), source, &found);
        if (w->wanted[q] && take_result(w, source, q))
            w->found[count++] = found;
    }
    return count;
}

static void add_keys(GameRecord *record, const Worker *w, uint32_t q)
{
    const QueryInfo *query = &w->matcher->query[q];
    const RunResult *result = &w->result[q];
    for (int32_t k = 0; k < query->sort_key_count; k++) {
        const bool is_min = query->sort_key[k].is_min;
        const SortValue *value = &result->sort[k];
        if (!result->matched || !value->has_value)
            game_record_add_no_key(record);
        else if (value->text)
            game_record_add_text(record, is_min, value->text->bytes, value->text->length);
        else
            game_record_add_number(record, is_min, value->number);
    }
    if (query->flags & QUERY_SORT_MATCHCOUNT && result->matched)
        game_record_add_number(record, false, result->hit_count);
    else if (query->flags & QUERY_SORT_MATCHCOUNT)
        game_record_add_no_key(record);
}

// Cuts the output of the game if it is too long.
static void cut_game(Worker *w, GameRecord *record, const GameText *source)
{
    const SearchOptions *o = w->plan->options;
    if (o->game_bytes == 0 || o->format != FORMAT_PGN ||
        !game_cut_pgn(&record->output, 0, (size_t)o->game_bytes))
        return;
    char message[80];
    snprintf(message, sizeof message, "its output is longer than %lld bytes and was cut",
             (long long)o->game_bytes);
    inputs_report(&record->reports, w->block->input.input, source->line, source->number,
                  w->block->input.number_base, message);
}

// Writes what queries that read the game in the same way have found in it.
static void write_found(Worker *w, const GameText *source, uint32_t r, const Found *by_query, size_t count)
{
    const Plan *plan = w->plan;
    const ResultPlan *result = &plan->result[r];
    if (plan->options->count_by) {
        grouping_found(w, r, source, by_query, count);
        return;
    }
    if (plan->options->explorer) {
        exploring_found(w, source);
        return;
    }
    const Matcher matcher = result_matcher(result, w->matcher);
    GameRecord *record = &w->record[r];
    FoundGame found = {.matcher = &matcher,
                       .input = w->block->input.input,
                       .several_inputs = plan->options->input_count > 1,
                       .number = source->number,
                       .number_in_file = source->number - w->block->input.number_base,
                       .offset = w->block->input.database ? -1 : (int64_t)source->offset,
                       .fields = &plan->options->fields,
                       .context = plan->options->context,
                       .csv_safe = plan->options->csv_safe,
                       .width = plan->options->table_width,
                       .game = plan->format_flags & FORMAT_GAME ? whole_game(w, source) : NULL,
                       .found = by_query,
                       .count = count,
                       .repeat_comments = plan->options->repeat_comments,
                       .forms = plan->options->forms,
                       .page = plan->options->page};
    const SearchSink *sink = plan->options->sink;
    if (!sink)
        format_game(plan->options->format, &record->output, &found, &w->memory);
    else if (sink->write)
        sink->write(sink->user, &record->output, &found, &w->memory);
}

// Ends what was written of a game to a result.
static void end_found(Worker *w, const GameText *source, uint32_t r, const Found *by_query, size_t count)
{
    const Plan *plan = w->plan;
    const ResultPlan *result = &plan->result[r];
    GameRecord *record = &w->record[r];
    if (plan->options->count_by)
        return;
    cut_game(w, record, source);
    if (result->split) {
        char *file = output_name_for(result->output, plan->lines ? &w->line : &w->tree, by_query, count);
        buffer_text(&record->file, file);
        free(file);
    }
    if (result->by_file)
        game_record_add_text(record, true, record->file.start, record->file.length);
    for (uint32_t q = 0; result->sorted && q < result->count; q++)
        add_keys(record, w, result->first + q);
}

// Prints a progress mark; `ending` closes it.
static void show_mark(Worker *w, const char *mark, const char *ending, bool with_thread, bool end_line)
{
    const SearchFrames *frames = w->plan->options->frames;
    GameRecord *record = &w->record[0];
    const bool line = frames && frames->marks;
    if (line)
        start_line(record);
    buffer_text(&record->messages, mark);
    if (with_thread)
        buffer_format(&record->messages, "%s%d", *ending ? ":" : "", w->number);
    buffer_format(&record->messages, "%s%s", ending, line || end_line ? "\n" : "");
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

// What the queries find by the counts of their screens.
static size_t find_counted(Worker *w, const GameText *source)
{
    size_t count = 0;
    if (!worker_wants_number(w, source->number))
        return 0;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        const int32_t hits = w->candidate.screened[q];
        w->wanted[q] = w->open[result_of(w, q)] && hits > 0 && in_range(source->number, query);
        w->result[q] = (RunResult){.matched = run_counts_match(query, hits), .hit_count = hits};
        if (w->wanted[q] && take_result(w, source, q))
            w->found[count++] = (Found){query, &w->result[q]};
    }
    return count;
}

// Reports a game that needs more memory than its share, and is not evaluated: to all results, which print it once, unless the
// queries have reported errors.
static bool report_size(Worker *w, const GameText *source)
{
    for (uint32_t r = 0; r < w->plan->result_count; r++) {
        GameRecord *record = &w->record[r];
        const bool first = record->reports.length == record->damage;
        if (!w->reached[r])
            continue;
        inputs_report_game(&record->reports, w->block->input.input, source->line, source->number,
                           w->block->input.number_base);
        buffer_format(&record->reports,
                      "the game needs more than %zu MB of memory and is left out; --max-memory allows more\n",
                      w->plan->memory_of_tree >> 20);
        if (first)
            record->damage = record->reports.length;
        count_error(w, r);
    }
    return false;
}

// Is the game within its share of memory, and can its text be read? `parts`: the STORED_ bits of what will be read of it, when it is
// stored.
static bool fits(Worker *w, const GameText *source, unsigned parts)
{
    const bool stored = w->candidate.stored && !w->candidate.has_text,
               made = stored && (w->candidate.stored->flags & parts);
    const Text text = made ? evaluate_stored_text(w, w->candidate.stored).text : source->text;
    if (made && text.length == 0) // its chunk is damaged, which was reported
        return false;
    return game_fits(text, stored && !made ? w->candidate.stored->ply_count : 0, w->plan->memory_of_tree) ||
           report_size(w, source);
}

unsigned evaluate_text_parts(const Worker *w)
{
    const Plan *plan = w->plan;
    const unsigned read = (plan->lines ? plan->line_parse : 0) | (plan->trees ? plan->tree_parse : 0);
    const bool clocks_apart = w->candidate.stored && !w->candidate.has_text;
    const bool notes = read & (PARSE_NOTES | (clocks_apart ? 0u : PARSE_CLOCKS));
    return (plan->trees ? STORED_VARIATIONS : 0u) | (notes ? STORED_NOTES : 0u);
}

// Evaluates one game. Returns the number of queries that find it; w->found has what they find.
static size_t find_game(Worker *w, const GameText *source)
{
    if (w->candidate.counted)
        return find_counted(w, source);
    if (!test_game(w, source) || !fits(w, source, evaluate_text_parts(w)))
        return 0;
    const size_t count = run_queries(w, source);
    const bool written = count > 0 && (w->plan->format_flags & FORMAT_GAME);
    return !written || fits(w, source, STORED_VARIATIONS | STORED_NOTES) ? count : 0;
}

// Finds the results that want the game; false: none.
static bool open_parts(Worker *w, int64_t number)
{
    bool any = false;
    for (uint32_t r = 0; r < w->plan->result_count; r++) {
        const ResultPlan *result = &w->plan->result[r];
        const Part *part = &w->block->part[r];
        w->open[r] = number <= result->last_wanted &&
                     (result->limit == 0 || part->earlier + part->totals.matches < result->limit) &&
                     !(w->ending->result_complete && w->ending->result_complete[r]);
        game_record_begin(&w->record[r], number);
        any |= w->open[r];
    }
    return any;
}

// False when no result wants the game.
static bool begin_game(Worker *w, int64_t number)
{
    if (w->plan->variants) // the last game may have been read otherwise
        w->line.by_variant = w->tree.by_variant = w->whole.by_variant = true;
    choose_sample(w, number);
    return open_parts(w, number);
}

static void count_game(Worker *w, int sign)
{
    w->block->games += sign;
    for (uint32_t r = 0; r < w->plan->result_count; r++)
        w->block->part[r].totals.games += w->open[r] ? sign : 0;
}

// True when a page has enough games.
static bool is_full(const Worker *w, uint32_t r)
{
    const Part *part = &w->block->part[r];
    return (w->plan->format_flags & FORMAT_PAGE) && !w->plan->result[r].sorted &&
           (part->totals.matches > PAGE_GAMES || (w->ending->result_full && w->ending->result_full[r]));
}

// Writes the game to the results whose queries have found it.
static void write_results(Worker *w, const GameText *source, size_t count)
{
    for (uint32_t r = 0, next = 0; r < w->plan->result_count; r++) {
        const ResultPlan *result = &w->plan->result[r];
        const QueryInfo *end = w->matcher->query + result->first + result->count;
        const uint32_t begin = next;
        while (next < count && w->found[next].query < end)
            next++;
        if (next == begin)
            continue;
        const double start = timer_start(w);
        w->block->part[r].totals.matches++;
        w->record[r].matches = true;
        // Formats that write the game have it once: as the first query reads it, without what is found in it read otherwise.
        const bool once =
            w->plan->format_flags & FORMAT_GAME && !w->plan->options->count_by &&
            !(w->plan->format_flags & FORMAT_PAGE && page_by_query(&w->plan->options->page, w->matcher));
        const bool full = is_full(w, r);
        for (size_t from = begin, to = begin; from < next && !full && !(once && from > begin); from = to) {
            while (to < next && !read_differently(w, w->found[to].query->flags, w->found[from].query->flags))
                to++;
            read_as(w, w->found[from].query);
            write_found(w, source, r, w->found + from, to - from);
        }
        if (!full)
            end_found(w, source, r, w->found + begin, next - begin);
        if (w->plan->result_count > 1)
            timer_stop(w, r, start);
    }
}

void evaluate_end_game(Worker *w, Block *block)
{
    for (uint32_t r = 0; r < w->plan->result_count; r++) {
        GameRecord *record = &w->record[r];
        const bool may_end = record->matches && w->plan->result[r].limit > 0;
        if (may_end)
            part_put_totals(&record->totals, &block->part[r]);
        const size_t messages = record->reports.length + record->messages.length;
        block->speaks |= messages + block->part[r].foreign.length > 0;
        if (may_end || record->output.length + messages > 0)
            game_record_put(&block->part[r].records, record);
    }
    block->speaks |= block->reports.length + block->language.length > 0;
    if (block->flush && block_bytes(block) > block->flush_limit)
        block->flush(block->user, block);
    else if (block->offer && !block->speaks && block_bytes(block) > 0)
        block->offer(block->user, block);
}

bool evaluate_counts(Worker *w, Block *block, int64_t number, const int32_t *count)
{
    Part *part = block->part;
    number += block->input.number_base;
    bool any = false;
    if (!worker_wants_number(w, number))
        return false;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        if (!run_counts_match(query, count[q]) || !in_range(number, query))
            continue;
        part->query[q].matches++;
        part->query[q].hits += count[q];
        part->totals.hits += count[q];
        any = true;
    }
    part->totals.matches += any;
    return any;
}

bool evaluate_wants_counts(const Worker *w)
{
    const SearchOptions *o = w->plan->options;
    const bool counts = o->count_by ? !o->count_by->of_position && !o->count_by->among
                                    : o->format == FORMAT_COUNT || o->format == FORMAT_NONE;
    if (!counts || o->wanted || o->run.first || (o->sink && o->sink->write))
        return false;
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        const QueryInfo *query = &w->matcher->query[q];
        if ((!(query->flags & QUERY_EXACT_SCREEN) || query->tag_formula_count > 0) && !query->tags_decide)
            return false;
    }
    return true;
}

bool evaluate_counts_in_bulk(const Worker *w)
{
    const SearchOptions *o = w->plan->options;
    bool whole = !o->show_matches && o->show_games == 0;
    for (uint32_t r = 0; r < w->plan->result_count && whole; r++)
        whole = w->plan->result[r].limit == 0 && w->plan->result[r].last_wanted == INT64_MAX;
    return whole;
}

bool evaluate_may_rule_out(const Worker *w)
{
    return !w->plan->options->no_prefilter && w->plan->options->run.max_steps == 0;
}

void evaluate_ruled_out(Worker *w, Block *block, int64_t games, int64_t positions)
{
    block->games += games;
    block->positions += positions;
    for (uint32_t r = 0; r < w->plan->result_count; r++) {
        block->part[r].totals.games += games;
        block->part[r].totals.positions += positions;
    }
}

// Evaluates the candidate of the worker.
static void evaluate_candidate(Worker *w, Block *block)
{
    const GameText *source = &w->candidate.source;
    if (!begin_game(w, source->number))
        return;
    count_game(w, 1);
    const size_t count = find_game(w, source);
    if (block->partial || w->candidate.not_sampled) {
        count_game(w, -1);
        return;
    }
    show_game(w, source->number, count > 0);
    write_results(w, source, count);
    evaluate_end_game(w, block);
}

void evaluate_game(Worker *w, Block *block, const Candidate *candidate)
{
    w->candidate = *candidate;
    w->candidate.source.number += block->input.number_base;
    evaluate_candidate(w, block);
    w->candidate = (Candidate){0};
}

const Game *evaluate_tags(Worker *w, Block *block, GameText source, bool *ruled_out)
{
    *ruled_out = false;
    source.number += block->input.number_base;
    w->candidate = (Candidate){0};
    if (!begin_game(w, source.number))
        return NULL;
    if (test_game(w, &source))
        return w->plan->lines ? &w->line : &w->tree;
    *ruled_out = !w->candidate.not_sampled;
    return NULL;
}

// True when a result wants more games of the block.
static bool is_open(const Worker *w, const Block *block)
{
    for (uint32_t r = 0; r < w->plan->result_count; r++) {
        const int64_t limit = w->plan->result[r].limit;
        const Part *part = &block->part[r];
        if ((limit == 0 || part->earlier + part->totals.matches < limit) &&
            !(w->ending->result_complete && w->ending->result_complete[r]))
            return true;
    }
    return false;
}

bool evaluate_goes_on(Worker *w, Block *block)
{
    runs_next_game(w, block);
    if (ending_reached(w->ending))
        block->partial = true;
    return !block->partial && is_open(w, block);
}
