// Collects the blocks of a search: order of messages, totals, the end of the outputs.
#include "collector.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "sink.h"

void collector_init(Collector *c, const Plan *plan, Ending *ending, Progress *progress)
{
    const uint32_t count = plan->result_count;
    *c = (Collector){.plan = plan, .ending = ending, .progress = progress};
    c->result = memory_zeroed(count, sizeof *c->result);
    c->result_complete = memory_zeroed(count, sizeof *c->result_complete);
    c->result_full = memory_zeroed(count, sizeof *c->result_full);
    ending->result_complete = c->result_complete;
    ending->result_full = c->result_full;
    for (uint32_t r = 0; r < count; r++)
        result_init(&c->result[r], plan, r);
}

void collector_free(Collector *c)
{
    for (uint32_t r = 0; r < c->plan->result_count; r++)
        result_free(&c->result[r]);
    free(c->result);
    free(c->result_complete);
    free(c->result_full);
}

// ---- blocks -----------------------------------------------------------------------------------------------

// Are the results collected by another process?
static bool gives(const Collector *c)
{
    const SearchShare *share = c->plan->options->share;
    return share && share->give && !share->receive;
}

FILE *collector_messages(const Collector *c)
{
    const SearchOptions *o = c->plan->options;
    bool results_elsewhere = o->format == FORMAT_NONE || o->before_results || o->outputs ||
                             (o->output && strcmp(o->output, "-") != 0);
    return results_elsewhere ? stdout : stderr;
}

static void print_messages(Collector *c, const BlockTexts *texts)
{
    const SearchSink *sink = c->plan->options->sink;
    const Buffer *messages = &texts->messages;
    if (messages->length == 0)
        return;
    if (sink) {
        sink->tell(sink->user, false, messages->start, messages->length);
        return;
    }
    FILE *out = collector_messages(c);
    if (out != stdout && messages_are_json()) {
        print_json_lines("information", messages->start, messages->length);
        return;
    }
    if (texts->begins_line && c->line_open)
        fputs("\n", out);
    print_lines(out, messages->start, messages->length);
    fflush(out); // an error stays and is found at the end
    c->line_open = messages->start[messages->length - 1] != '\n';
}

// Counts the games of the block that are damaged, and in which queries have failed.
static void count_games(Collector *c, const BlockTexts *texts)
{
    c->by_game.damaged += texts->damaged;
    c->by_game.errors += texts->errors;
}

// Prints the reports of a block, and its messages; progress marks may leave a line open.
static void print_texts(Collector *c, const Block *block)
{
    const SearchOptions *o = c->plan->options;
    bool complete[c->plan->result_count];
    if (o->only)
        return;
    for (uint32_t r = 0; r < c->plan->result_count; r++)
        complete[r] = c->result[r].complete;
    BlockTexts texts = block_texts(block, complete);
    count_games(c, &texts);
    sink_lines(o, &block->reports);
    if (block->language.length > 0 && c->language_file != block->input.input) {
        sink_lines(o, &block->language);
        c->language_file = block->input.input;
    }
    sink_lines(o, &texts.reports);
    for (uint32_t r = 0; r < c->plan->result_count; r++) {
        const Part *part = &block->part[r];
        if (part->exhausted && !complete[r] && !c->exhausted && o->steps_hint)
            sink_report(o, "%s", o->steps_hint);
        c->exhausted |= part->exhausted && !complete[r];
        if (!c->foreign_reported && !complete[r])
            sink_lines(o, &part->foreign);
        c->foreign_reported |= part->foreign.length > 0 && !complete[r];
    }
    print_messages(c, &texts);
    block_texts_free(&texts);
}

// Adds the block to the totals of the search. A single result knows them better: it may end within a block.
static void update_totals(Collector *c, const Block *block)
{
    SearchTotals *t = &c->totals;
    const SearchTotals before = *t;
    const bool single = c->plan->result_count == 1;
    *t = single ? c->result->totals
                : (SearchTotals){.games = before.games + block->games,
                                 .positions = before.positions + block->positions,
                                 .damaged = c->by_game.damaged,
                                 .cut = before.cut + block->cut,
                                 .words = before.words + block->words,
                                 .errors = c->by_game.errors};
    for (uint32_t r = 0; r < c->plan->result_count && !single; r++) {
        t->matches += c->result[r].totals.matches;
        t->hits += c->result[r].totals.hits;
    }
    t->bytes = before.bytes + block->bytes;
    t->seconds = clock_now() - c->start;
}

// Adds a part of a block to its result.
static void take_part(Collector *c, uint32_t number, const Part *part)
{
    Result *r = &c->result[number];
    result_take(r, part);
    if (r->complete)
        atomic_store(&c->result_complete[number], true);
    if (r->stored_games >= PAGE_GAMES)
        atomic_store(&c->result_full[number], true);
    if (!r->failed)
        return;
    if (r->stored.error != 0 && !c->output_failed) {
        progress_clear(c->progress);
        sink_report(c->plan->options, "cannot keep the results in a temporary file: %s",
                    strerror(r->stored.error));
    }
    c->output_failed = true;
}

// Notes why the search of a block was not finished.
static void note_end(Collector *c, const Block *block)
{
    if (!block->partial || c->output_failed)
        return;
    c->interrupted = ending_stopped(c->ending);
    c->late = !c->interrupted;
}

void collector_take(Collector *c, Block *block)
{
    if (c->complete)
        return;
    for (uint32_t r = 0; r < c->plan->result_count; r++)
        if (!c->result[r].complete)
            result_cut(&c->result[r], &block->part[r]);
    if (block_bytes(block) > 0)
        progress_clear(c->progress);
    print_texts(c, block);
    c->input_failed |= block->failed;
    bool enough = true;
    for (uint32_t r = 0; r < c->plan->result_count; r++) {
        if (!c->result[r].complete)
            take_part(c, r, &block->part[r]);
        enough &= c->result[r].complete;
    }
    update_totals(c, block);
    if (c->plan->options->progressed)
        c->plan->options->progressed(c->plan->options->user, &c->totals);
    note_end(c, block);
    c->complete |= enough || block->partial;
    if (c->complete || c->output_failed)
        atomic_store(&c->ending->complete, true);
}

void collector_count(Collector *c, const Block *block)
{
    bool enough = true;
    for (uint32_t r = 0; r < c->plan->result_count; r++) {
        const int64_t limit = c->plan->result[r].limit;
        result_count(&c->result[r], &block->part[r]);
        enough &= limit > 0 && c->result[r].totals.matches >= limit;
    }
    BlockTexts texts = block_texts(block, NULL);
    count_games(c, &texts);
    block_texts_free(&texts);
    update_totals(c, block);
    c->input_failed |= block->failed;
    note_end(c, block);
    if (enough)
        atomic_store(&c->ending->enough, true);
    if (block->partial)
        atomic_store(&c->ending->complete, true);
}

// ---- begin and end ----------------------------------------------------------------------------------------

// Is what was found so far written? A shared search goes on by other means; without a game the output stays as it was.
static bool is_written(const Collector *c)
{
    return !c->output_failed && (!c->interrupted || (!c->plan->options->share && c->totals.games > 0));
}

// Appends how to search the other games. The totals count those before the first game that is wanted, too.
static void put_rest(Buffer *out, const Collector *c)
{
    const SearchOptions *o = c->plan->options;
    const int64_t next = c->totals.games + 1;
    if (c->plan->sequential || c->totals.games == 0 || o->share)
        return;
    buffer_format(out, "; -g %lld-", (long long)(next > o->first_game ? next : o->first_game));
    if (o->last_game > 0)
        buffer_format(out, "%lld", (long long)o->last_game);
    buffer_text(out, " goes on");
}

static void report_interruption(const Collector *c)
{
    const char *output = c->plan->options->output;
    const long long games = c->totals.games, matches = c->totals.matches;
    const bool several = c->plan->options->outputs != NULL, written = is_written(c);
    const bool file = !several && output && strcmp(output, "-") != 0;
    Buffer line = {0};
    if (c->plan->options->sink) // the status says so
        return;
    buffer_format(&line, "cqlgen: interrupted after %lld game%s", games, games == 1 ? "" : "s");
    if (file && written)
        buffer_format(&line, "; %s has the %lld that match%s", output, matches, matches == 1 ? "es" : "");
    else if (!several)
        buffer_format(&line, "; %lld of them match%s", matches, matches == 1 ? "es" : "");
    if (several && written)
        buffer_text(&line, "; what they gave is written");
    else if (file && !written)
        buffer_format(&line, "; %s was not written", output);
    else if (!written && (several || c->plan->result->stored))
        buffer_text(&line, "; nothing was written");
    if (written)
        put_rest(&line, c);
    printf_sanitized(stderr, "%.*s\n", (int)line.length, line.start);
    buffer_free(&line);
}

static void report_end_of_time(const Collector *c)
{
    Buffer rest = {0};
    put_rest(&rest, c);
    sink_report(c->plan->options, "time limit reached: only the first %lld game%s been searched%.*s",
                (long long)c->totals.games, c->totals.games == 1 ? " has" : "s have", (int)rest.length,
                rest.length > 0 ? rest.start : "");
    buffer_free(&rest);
}

bool collector_check(const Collector *c)
{
    bool good = true;
    for (uint32_t r = 0; r < c->plan->result_count && good && !gives(c); r++)
        good = result_check(&c->result[r]);
    return good;
}

bool collector_open(Collector *c)
{
    uint32_t opened = 0;
    if (gives(c))
        return true;
    while (opened < c->plan->result_count && result_open(&c->result[opened]))
        opened++;
    const bool good = opened == c->plan->result_count;
    for (uint32_t r = 0; !good && r <= opened; r++) // the last one may be half open
        result_close(&c->result[r], false);
    return good;
}

void collector_begin(Collector *c)
{
    c->start = clock_now();
    for (uint32_t r = 0; r < c->plan->result_count && !gives(c) && !(c->plan->format_flags & FORMAT_PAGE);
         r++)
        result_begin(&c->result[r]);
}

// Copies the totals of the queries.
static void give_by_query(const Collector *c)
{
    QueryTotals *to = c->plan->options->by_query;
    for (uint32_t r = 0; to && r < c->plan->result_count; r++) {
        const ResultPlan *own = &c->plan->result[r];
        memcpy(to + own->first, c->result[r].query, own->count * sizeof *to);
    }
}

static int end_outputs(Collector *c)
{
    for (uint32_t r = 0; r < c->plan->result_count && !gives(c) && is_written(c); r++) {
        result_end(&c->result[r]);
        c->output_failed |= c->result[r].failed;
    }
    const bool keep = is_written(c);
    for (uint32_t r = 0; r < c->plan->result_count; r++) // those that are open
        c->output_failed |= !result_close(&c->result[r], keep);
    if (c->interrupted) {
        report_interruption(c);
        return STATUS_INTERRUPTED;
    }
    if (c->late)
        report_end_of_time(c);
    return c->output_failed              ? STATUS_OUTPUT
           : c->input_failed             ? STATUS_INPUT
           : c->totals.errors || c->late ? STATUS_GAME_ERRORS
                                         : STATUS_OK;
}

int collector_end(Collector *c)
{
    if (c->line_open)
        fputs("\n", collector_messages(c));
    c->totals.seconds = clock_now() - c->start;
    c->totals.late = c->late && !c->output_failed;
    const int status = end_outputs(c);
    give_by_query(c);
    return status;
}
