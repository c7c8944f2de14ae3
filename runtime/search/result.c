// Writing a result: as its games come, or at the end of the search.
#include "result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "budget.h"
#include "numbers.h"
#include "sink.h"

enum { WRITTEN_BYTES = 1 << 20 }; // and more are written at once

void result_init(Result *r, const Plan *plan, uint32_t number)
{
    *r = (Result){.plan = plan,
                  .own = &plan->result[number],
                  .matcher = result_matcher(&plan->result[number], plan->matcher),
                  .memory = search_memory_of_results(plan->options) / plan->result_count};
    r->store_bytes = r->memory / 8;
    r->query = memory_zeroed(r->own->count, sizeof *r->query);
    r->stored.most = r->own->most;
}

void result_free(Result *r)
{
    sorted_free(&r->stored);
    buffer_free(&r->text);
    groups_free(&r->groups);
    free(r->query);
}

// ---- where it goes ----------------------------------------------------------------------------------------

// An output must not replace or extend an input.
static bool check_output(const SearchOptions *o, const char *output)
{
    for (size_t i = 0; o->format != FORMAT_NONE && i < o->input_count; i++) {
        if (output_is_input(output, o->input[i])) {
            sink_report(o, "%s is both an input and the output; choose another output name",
                        strcmp(o->input[i], "-") == 0 ? "standard input" : o->input[i]);
            return false;
        }
    }
    return true;
}

// Only games can go to several files, not pages, counts and groups.
static bool check_split(const Result *r)
{
    const SearchFormat format = r->plan->options->format;
    const unsigned flags = r->plan->format_flags;
    if (!r->own->split || (flags != 0 && !(flags & (FORMAT_PAGE | FORMAT_TABLES))) ||
        format == FORMAT_POSITIONS)
        return true;
    sink_report(r->plan->options, "the format %s is one file; write an output name without a tag in braces",
                format_info[format].name);
    return false;
}

bool result_check(const Result *r)
{
    return check_output(r->plan->options, r->own->output) && check_split(r);
}

static void check_tables(Result *r, bool good)
{
    if (!good && !r->failed && tables_error(r->tables))
        sink_report(r->plan->options, "cannot make the tables in a temporary file: %s",
                    tables_error(r->tables));
    r->failed |= !good;
}

bool result_open(Result *r)
{
    const SearchOptions *o = r->plan->options;
    if (o->noted)
        return true;
    if (o->format != FORMAT_NONE && !r->own->split)
        r->failed = !(r->output = output_open(r->own->output, o->output_flags));
    if (!r->failed && r->plan->format_flags & FORMAT_TABLES) {
        r->tables = tables_open(&r->matcher, &o->fields, o->context);
        check_tables(r, tables_error(r->tables) == NULL);
    }
    return !r->failed;
}

static bool is_discarded(const Result *r)
{
    return r->totals.errors > 0 && r->plan->options->discard_failed;
}

bool result_close(Result *r, bool keep)
{
    if (r->tables)
        tables_close(r->tables);
    r->tables = NULL;
    if (r->output && !output_close(r->output, keep && !is_discarded(r)))
        r->failed = true;
    r->output = NULL;
    return !r->failed;
}

// ---- games as they come -----------------------------------------------------------------------------------

static void write_text(Result *r, const char *text, size_t length)
{
    const SearchSink *sink = r->plan->options->sink;
    if (r->failed || length == 0)
        return;
    if (sink)
        r->failed = !sink->take(sink->user, text, length);
    else if (r->tables)
        check_tables(r, tables_take(r->tables, text, length));
    else if (r->output)
        r->failed = !output_write(r->output, text, length);
}

void result_cut(const Result *r, Part *part)
{
    const int64_t wanted = r->own->limit - r->totals.matches;
    if (r->own->limit > 0 && part->totals.matches >= wanted)
        part_cut(part, wanted);
}

static void take_games(Result *r, const Part *part)
{
    const bool all = r->own->sorted || !(r->plan->format_flags & FORMAT_PAGE);
    const char *at = part->records.start, *end = at + part->records.length;
    for (GameRecord game; !r->failed && game_record_get(&at, end, &game);) {
        if (r->plan->options->noted) {
            numbers_add(r->plan->options->noted, game.game);
        } else if (!r->own->stored) {
            buffer_append(&r->text, game.output.start, game.output.length);
        } else if (game.output.length > 0 && (all || r->stored_games < PAGE_GAMES)) {
            r->failed = !sorted_add(&r->stored, &game, r->store_bytes);
            r->stored_games++;
        }
        if (at == end || r->text.length >= WRITTEN_BYTES) {
            write_text(r, r->text.start, r->text.length);
            r->text.length = 0;
        }
    }
}

void result_count(Result *r, const Part *part)
{
    SearchTotals *sum = &r->totals;
    sum->games += part->totals.games;
    sum->matches += part->totals.matches;
    sum->hits += part->totals.hits;
    sum->positions += part->totals.positions;
    sum->damaged += part->totals.damaged;
    sum->cut += part->totals.cut;
    sum->words += part->totals.words;
    sum->errors += part->totals.errors;
    for (uint32_t q = 0; q < r->own->count; q++) {
        r->query[q].matches += part->query[q].matches;
        r->query[q].hits += part->query[q].hits;
        r->query[q].errors += part->query[q].errors;
        r->query[q].by_tags += part->query[q].by_tags;
        r->query[q].by_moves += part->query[q].by_moves;
        r->query[q].evaluated += part->query[q].evaluated;
        r->query[q].seconds += part->query[q].seconds;
    }
}

// Tables are kept in memory.
static void take_groups(Result *r, const Part *part)
{
    groups_add_all(&r->groups, &part->groups);
    if (r->failed || groups_bytes(&r->groups) <= r->memory)
        return;
    sink_report(r->plan->options,
                "the %zu groups of --count-by take more than %s MB; choose keys with fewer values, or allow "
                "more with --max-memory",
                r->groups.count, ascii_decimal((double)r->memory / (1 << 20), 1).text);
    r->failed = true;
}

void result_take(Result *r, const Part *part)
{
    take_groups(r, part);
    take_games(r, part);
    result_count(r, part);
    r->complete = r->own->limit > 0 && r->totals.matches >= r->own->limit;
}

// ---- begin and end ----------------------------------------------------------------------------------------

// The number of matching games in the result.
static int64_t written_games(const Result *r)
{
    const int64_t limit = r->plan->options->limit;
    int64_t count = r->totals.matches;
    if (limit > 0 && limit < count)
        count = limit;
    return r->plan->format_flags & FORMAT_PAGE && count > PAGE_GAMES ? PAGE_GAMES : count;
}

static FormatSearch format_search(const Result *r)
{
    const SearchOptions *o = r->plan->options;
    return (FormatSearch){&r->matcher, &r->totals, r->query,    written_games(r), o->input_count, o->input,
                          &o->fields,  o->context, o->csv_safe, o->table_width,   o->page};
}

void result_begin(Result *r)
{
    if (r->plan->options->count_by)
        return;
    Buffer text = {0};
    FormatSearch search = format_search(r);
    format_begin(r->plan->options->format, &text, &search);
    write_text(r, text.start, text.length);
    buffer_free(&text);
}

static void report_store(Result *r, const SortedGames *store)
{
    if (store->error == 0)
        return;
    sink_report(r->plan->options, "cannot read the temporary file: %s", strerror(store->error));
    r->failed = true;
}

static void write_stored(Result *r)
{
    sorted_begin(&r->stored);
    for (const GameRecord *game; !r->failed && (game = sorted_next(&r->stored));)
        write_text(r, game->output.start, game->output.length);
    report_store(r, &r->stored);
}

static void write_page(Result *r, const FormatSearch *search)
{
    PageState page = {.search = search};
    Buffer text = {0};
    while (!r->failed && page_next(&page, &text)) {
        sorted_begin(&r->stored);
        for (const GameRecord *game; !r->failed && (game = sorted_next(&r->stored));) {
            page_add(&page, &text, game->output.start, game->output.length);
            if (text.length >= WRITTEN_BYTES) {
                write_text(r, text.start, text.length);
                text.length = 0;
            }
        }
        report_store(r, &r->stored);
    }
    write_text(r, text.start, text.length);
    buffer_free(&text);
}

// ---- output in several files ------------------------------------------------------------------------------

static void open_file(Result *r, const char *name)
{
    const SearchOptions *o = r->plan->options;
    r->output = check_output(o, name) ? output_open(name, o->output_flags | OUTPUT_FOLDERS) : NULL;
    r->failed = !r->output;
    if (!r->failed)
        result_begin(r);
}

static void close_file(Result *r)
{
    if (r->output && !output_close(r->output, !r->failed && !is_discarded(r)))
        r->failed = true;
    r->output = NULL;
}

// Writes games that are in the order of their files.
static void write_files(Result *r, SortedGames *games)
{
    char *name = NULL;
    sorted_begin(games);
    for (const GameRecord *game; !r->failed && (game = sorted_next(games));) {
        if (!name || strlen(name) != game->file.length ||
            memcmp(name, game->file.start, game->file.length) != 0) {
            close_file(r);
            free(name);
            name = memory_copy(game->file.start, game->file.length);
            if (!r->failed)
                open_file(r, name);
        }
        write_text(r, game->output.start, game->output.length);
    }
    report_store(r, games);
    close_file(r);
    free(name);
}

// The same of the first games in the order of their keys.
static void write_first_files(Result *r)
{
    SortedGames games = {0};
    int64_t place = 0;
    bool good = true;
    sorted_begin(&r->stored);
    for (const GameRecord *game; good && (game = sorted_next(&r->stored));) {
        GameRecord next = *game;
        next.game = place++;
        next.keys = (Buffer){0};
        game_record_add_text(&next, true, next.file.start, next.file.length);
        good = sorted_add(&games, &next, r->store_bytes);
        buffer_free(&next.keys);
    }
    report_store(r, &r->stored);
    if (good && !r->failed)
        write_files(r, &games);
    else
        report_store(r, &games);
    sorted_free(&games);
}

// ---- the end of the output --------------------------------------------------------------------------------

// Announces the results. A stored format consists of games only.
static void announce_results(Result *r)
{
    const SearchOptions *o = r->plan->options;
    int64_t bytes = 0, count = 0;
    sorted_begin(&r->stored);
    for (const GameRecord *game; (game = sorted_next(&r->stored)); count++)
        bytes += (int64_t)game->output.length;
    report_store(r, &r->stored);
    o->before_results(o->user, count, bytes);
    fflush(stdout); // the output has a buffer of its own
}

static bool write_bytes(void *user, const void *bytes, size_t length)
{
    return output_write(user, bytes, length);
}

// Warns of keys that are tags of no game.
static void report_absent_tags(const Result *r)
{
    const SearchOptions *o = r->plan->options;
    size_t k = 0;
    for (const GroupKey *key; o->nearest_tag && (key = group_absent_tag(o->count_by, &r->groups, &k));) {
        const char *near = o->nearest_tag(key->text);
        sink_report(o, "warning: no game that was counted has a tag `%s`%s%s%s", key->text,
                    near ? "; did you mean `" : "", near ? near : "", near ? "`?" : "");
    }
}

static void write_groups(Result *r)
{
    const SearchOptions *o = r->plan->options;
    Buffer text = {0};
    report_absent_tags(r);
    if (o->sink) {
        o->sink->groups(o->sink->user, &r->groups, &r->matcher);
        return;
    }
    FormatSearch search = format_search(r);
    search.written = r->totals.matches; // all are counted
    groups_write(&text, o->format, o->count_by, &r->groups, &search, o->table_width);
    write_text(r, text.start, text.length);
    buffer_free(&text);
}

// Writes everything that follows the last game.
void result_end(Result *r)
{
    const SearchOptions *o = r->plan->options;
    Buffer text = {0};
    if (o->noted)
        return;
    if (o->count_by) {
        write_groups(r);
        return;
    }
    if (o->only) {
        r->totals.games = o->only->totals.games;
        r->totals.positions = o->only->totals.positions;
    }
    FormatSearch search = format_search(r);
    if (r->own->stored) {
        if (search.written == PAGE_GAMES && r->totals.matches > PAGE_GAMES)
            sink_report(o, "the page shows the first %d of %lld matching games; other formats write all",
                        PAGE_GAMES, (long long)r->totals.matches);
        if (o->before_results)
            announce_results(r);
        if (r->plan->format_flags & FORMAT_PAGE)
            write_page(r, &search);
        else if (r->own->by_file)
            write_files(r, &r->stored);
        else if (r->own->split)
            write_first_files(r);
        else
            write_stored(r);
    }
    format_end(o->format, &text, &search);
    write_text(r, text.start, text.length);
    buffer_free(&text);
    if (r->tables && !r->failed)
        check_tables(r, tables_end(r->tables, write_bytes, r->output));
}
