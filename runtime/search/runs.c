// The states of a worker's queries, and their change to a faster matcher during the search.
#include "evaluate.h"

#include <stdlib.h>

#include "runtime/database/database.h"
#include "runtime/value/memory.h"
#include "budget.h"
#include "sink.h"

void runs_free(Run **run, uint32_t count)
{
    for (uint32_t q = 0; run && q < count; q++)
        run_free(run[q]);
    free(run);
}

static bool is_stopped(void *user)
{
    return ending_reached(user);
}

static void report_program(void *user, const char *text)
{
    sink_report(user, "%s", text);
}

Run **runs_make(const Plan *plan, const Ending *ending, const Matcher *matcher, Run *const *like,
                const char **query, char **message)
{
    const SearchOptions *o = plan->options;
    RunOptions options = o->run;
    options.max_depth = plan->max_depth;
    options.stopped = is_stopped;
    options.user = (void *)(uintptr_t)ending;
    options.comments = (plan->format_flags & FORMAT_LOG) != 0;
    options.memory = search_memory_of_game(o, plan->sequential);
    options.show = o->sink ? o->sink->squares : (plan->format_flags & FORMAT_SHOWN) && !o->count_by;
    options.report = report_program;
    options.report_user = (void *)(uintptr_t)o;
    options.no_header |= !(plan->format_flags & FORMAT_HEADER);
    options.message_begin = o->frames ? o->frames->message_begin : NULL;
    options.message_end = o->frames ? o->frames->message_end : NULL;
    Run **run = memory_zeroed(matcher->query_count, sizeof *run);
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        run[q] = run_new(&matcher->query[q], &options, like ? like[q] : NULL, message);
        if (!run[q]) {
            *query = matcher->query[q].name;
            runs_free(run, q);
            return NULL;
        }
    }
    return run;
}

// ---- the faster matcher -----------------------------------------------------------------------------------

// A sequential query stays with its state.
static void change_matcher(Worker *w, SearchUpgrade *u)
{
    const Plan *plan = w->plan;
    const Matcher *better = plan->sequential ? NULL : atomic_load_explicit(&u->matcher, memory_order_acquire);
    const char *query;
    char *message = NULL;
    Run **run =
        better && better != w->matcher ? runs_make(plan, w->ending, better, w->run, &query, &message) : NULL;
    free(message);
    if (!run)
        return;
    runs_free(w->run, w->matcher->query_count);
    w->run = run;
    w->matcher = better;
}

static void note_searched(Worker *w, SearchUpgrade *u, int64_t bytes)
{
    atomic_fetch_add_explicit(&u->searched, bytes, memory_order_relaxed);
    w->noted += bytes;
}

void runs_begin_block(Worker *w)
{
    w->noted = 0;
    if (w->plan->options->upgrade)
        change_matcher(w, w->plan->options->upgrade);
}

void runs_next_game(Worker *w, const Block *block)
{
    SearchUpgrade *u = w->plan->options->upgrade;
    if (!u)
        return;
    change_matcher(w, u);
    if (block->input.database && w->noted < block->stored)
        note_searched(w, u,
                      block->stored / (database_chunk_games(block->input.database, block->input.chunk) + 1));
}

void runs_end_block(Worker *w, const Block *block)
{
    if (w->plan->options->upgrade)
        note_searched(w, w->plan->options->upgrade, block->stored - w->noted);
}
