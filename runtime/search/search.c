// The search driver: threads, order of output, end of the search.
#include "search.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "progress.h"
#include "result.h"
#include "worker.h"

enum {
    STACK_BYTES = 256 << 20 // for WORKER_DEPTH; unused memory costs nothing
};

typedef struct Search {
    Plan plan;
    double start;                 // of the search, by ending_now()
    Ending ending;                // .complete: `complete` or `output_failed` below
    atomic_bool *result_complete; // of ending
    atomic_bool *result_full;     // of ending
    pthread_mutex_t input_mutex;  // guards inputs, next_sequence, input_ended; taken before output_mutex
    Inputs inputs;
    uint64_t next_sequence; // of the block to be read
    size_t room;            // of a block's results
    uint64_t most_ahead;    // this many blocks may be ahead of the output
    bool input_ended;
    pthread_mutex_t output_mutex; // guards all below
    pthread_cond_t moved;         // next_output changed
    pthread_cond_t ended;         // running changed
    uint64_t next_output;         // sequence of the block to be written
    bool line_open;               // the last messages did not end a line
    Block *finished;              // blocks that wait for their turn, by ascending sequence
    size_t most_waiting;          // with more bytes of results that wait for their turn, no games are read
    size_t waiting_bytes;         // of their results
    int running;                  // threads
    bool complete;                // nothing more is wanted: the limit is reached, or the search was stopped
    bool interrupted;             // a signal stopped it
    bool late;                    // the time limit stopped it
    bool output_failed;
    Result *result; // as in the plan
    SearchTotals totals;
    bool exhausted;        // a game needed too many steps, and steps_hint was shown
    bool foreign_reported; // a game of another chess variant
    Progress progress;
} Search;

typedef struct SearchThread {
    Search *search;
    Worker *worker;
    pthread_t id;
} SearchThread;

// Where `message` filters and persistent variables print: standard output, unless the results go there
// without an announcement.
static FILE *message_stream(const SearchOptions *o)
{
    bool results_elsewhere = o->format == FORMAT_NONE || o->before_results || o->outputs ||
                             (o->output && strcmp(o->output, "-") != 0);
    return results_elsewhere ? stdout : stderr;
}

static void print_buffer(FILE *out, const Buffer *text)
{
    if (text->length > 0)
        fwrite(text->start, 1, text->length, out);
}

// ---- order of output --------------------------------------------------------------------------------------

static void print_text(Search *s, const Part *part, const Buffer *messages)
{
    FILE *out = message_stream(s->plan.options);
    if (messages->length == 0)
        return;
    if (part->begins_line && s->line_open)
        fputs("\n", out);
    print_buffer(out, messages);
    fflush(out); // an error stays and is found at the end
    s->line_open = messages->start[messages->length - 1] != '\n';
}

// Prints the reports of a block, and its messages; progress marks may leave a line open.
static void print_texts(Search *s, const Block *block)
{
    Buffer reports = {0}, messages = {0};
    bool complete[s->plan.result_count];
    for (uint32_t r = 0; r < s->plan.result_count; r++)
        complete[r] = s->result[r].complete;
    const bool joined = s->plan.result_count > 1;
    if (joined)
        block_join_texts(block, complete, &reports, &messages);
    print_buffer(stderr, &block->reports);
    print_buffer(stderr, joined ? &reports : &block->part->reports);
    for (uint32_t r = 0; r < s->plan.result_count; r++) {
        const Part *part = &block->part[r];
        if (part->exhausted && !complete[r] && !s->exhausted && s->plan.options->steps_hint)
            fprintf(stderr, "cqlgen: %s\n", s->plan.options->steps_hint);
        s->exhausted |= part->exhausted && !complete[r];
        if (!s->foreign_reported && !complete[r])
            print_buffer(stderr, &part->foreign);
        s->foreign_reported |= part->foreign.length > 0 && !complete[r];
    }
    print_text(s, block->part, joined ? &messages : &block->part->messages);
    buffer_free(&reports);
    buffer_free(&messages);
}

// Adds the block to the totals of the search. A single result knows them better: it may end within a block.
static void update_totals(Search *s, const Block *block)
{
    SearchTotals *t = &s->totals;
    const SearchTotals before = *t;
    *t = s->plan.result_count == 1 ? s->result->totals
                                   : (SearchTotals){.games = before.games + block->games,
                                                    .positions = before.positions + block->positions};
    for (uint32_t r = 0; r < s->plan.result_count && s->plan.result_count > 1; r++) {
        const SearchTotals *part = &s->result[r].totals;
        t->matches += part->matches;
        t->hits += part->hits;
        t->errors += part->errors;
        t->damaged = part->damaged > t->damaged ? part->damaged : t->damaged;
    }
    t->seconds = ending_now() - s->start;
}

// Adds a part of a block to its result.
static void take_part(Search *s, uint32_t number, Part *part)
{
    Result *r = &s->result[number];
    result_take(r, part);
    if (r->complete)
        atomic_store(&s->result_complete[number], true);
    if (r->stored_games >= PAGE_GAMES)
        atomic_store(&s->result_full[number], true);
    if (!r->failed)
        return;
    if (r->stored.error != 0 && !s->output_failed) {
        progress_clear(&s->progress);
        fprintf(stderr, "cqlgen: cannot keep the results in a temporary file: %s\n",
                strerror(r->stored.error));
    }
    s->output_failed = true;
}

// Writes one block; called in order, under the output mutex.
static void write_block(Search *s, Block *block)
{
    for (uint32_t r = 0; r < s->plan.result_count; r++)
        if (!s->result[r].complete)
            result_cut(&s->result[r], &block->part[r]);
    if (block_bytes(block) > 0)
        progress_clear(&s->progress);
    print_texts(s, block);
    s->inputs.failed |= block->failed;
    bool enough = true;
    for (uint32_t r = 0; r < s->plan.result_count; r++) {
        if (!s->result[r].complete)
            take_part(s, r, &block->part[r]);
        enough &= s->result[r].complete;
    }
    update_totals(s, block);
    if (s->plan.options->progressed)
        s->plan.options->progressed(s->plan.options->user, &s->totals);
    if (block->partial && !s->output_failed) {
        s->interrupted = ending_stopped(&s->ending);
        s->late = !s->interrupted;
    }
    s->complete |= enough || block->partial;
    if (s->complete || s->output_failed)
        atomic_store(&s->ending.complete, true);
}

// Takes a finished block; writes it and those after it when its turn has come. Drops blocks after the end of
// the search.
static void finish_block(Search *s, Block *block)
{
    pthread_mutex_lock(&s->output_mutex);
    Block **place = &s->finished;
    while (*place && (*place)->sequence < block->sequence)
        place = &(*place)->next;
    block->next = *place;
    *place = block;
    s->waiting_bytes += block_bytes(block);
    while (s->finished && s->finished->sequence == s->next_output) {
        Block *first = s->finished;
        s->finished = first->next;
        s->waiting_bytes -= block_bytes(first);
        if (!s->complete)
            write_block(s, first);
        block_free(first);
        s->next_output++;
    }
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->output_mutex);
}

// Waits for the turn of a block that has too many results, and writes them.
static void write_full(void *user, Block *block)
{
    Search *s = user;
    pthread_mutex_lock(&s->output_mutex);
    while (s->next_output != block->sequence)
        pthread_cond_wait(&s->moved, &s->output_mutex);
    if (!s->complete)
        write_block(s, block);
    pthread_mutex_unlock(&s->output_mutex);
    block_clear(block);
}

// Waits while too much is ahead of the output. Called under the input mutex, which the thread that works on the
// next block to write does not need.
static void wait_for_output(Search *s)
{
    pthread_mutex_lock(&s->output_mutex);
    while (s->next_sequence > s->next_output + s->most_ahead || s->waiting_bytes > s->most_waiting)
        pthread_cond_wait(&s->moved, &s->output_mutex);
    pthread_mutex_unlock(&s->output_mutex);
}

// The next block of games, or NULL at the end. A block without games may have messages about the input.
static Block *take_block(Search *s)
{
    Block *block = block_new(&s->plan);
    pthread_mutex_lock(&s->input_mutex);
    wait_for_output(s);
    bool beyond = inputs_games(&s->inputs) >= s->plan.last_wanted;
    bool wanted = !s->input_ended && !beyond && !atomic_load(&s->ending.complete);
    bool got = wanted && inputs_next_block(&s->inputs, &block->reports, &block->input);
    block->partial = wanted && !got && ending_stopped(&s->ending); // the input was not read to its end
    s->input_ended |= !got;
    bool keep = got || block->reports.length > 0 || block->partial;
    block->sequence = s->next_sequence;
    block->room = s->room;
    block->full = write_full;
    block->user = s;
    s->next_sequence += keep;
    pthread_mutex_unlock(&s->input_mutex);
    if (!keep) {
        block_free(block);
        return NULL;
    }
    return block;
}

// ---- threads ----------------------------------------------------------------------------------------------

static void *work(void *user)
{
    SearchThread *t = user;
    Search *s = t->search;
    Block *block;
    while ((block = take_block(s))) {
        worker_search(t->worker, block);
        finish_block(s, block);
    }
    pthread_mutex_lock(&s->output_mutex);
    s->running--;
    pthread_cond_broadcast(&s->ended);
    pthread_mutex_unlock(&s->output_mutex);
    return NULL;
}

// Waits for all threads and shows the progress.
static void watch(Search *s)
{
    uint64_t size = s->progress.wanted ? inputs_size(&s->inputs) : 0;
    double interval = progress_interval(&s->progress);
    pthread_mutex_lock(&s->output_mutex);
    while (s->running > 0) {
        if (!s->progress.wanted) {
            pthread_cond_wait(&s->ended, &s->output_mutex);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        long nanoseconds = until.tv_nsec + (long)(interval * 1e9);
        until.tv_sec += nanoseconds / 1000000000;
        until.tv_nsec = nanoseconds % 1000000000;
        pthread_cond_timedwait(&s->ended, &s->output_mutex, &until);
        SearchTotals totals = s->totals;
        totals.bytes = (int64_t)atomic_load(&s->inputs.decoded);
        totals.seconds = ending_now() - s->start;
        progress_show(&s->progress, &totals,
                      size > 0 ? (double)atomic_load(&s->inputs.stored) / (double)size : 0);
    }
    progress_clear(&s->progress);
    pthread_mutex_unlock(&s->output_mutex);
}

// Starts the threads; returns how many run, 0 after a message.
static int start_threads(Search *s, SearchThread *thread, int count)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int started = 0, error = 0;
    s->running = count;
    while (started < count && error == 0) {
        error = pthread_create(&thread[started].id, &attributes, work, &thread[started]);
        started += error == 0;
    }
    if (started == 0)
        fprintf(stderr, "cqlgen: cannot start a thread: %s\n", strerror(error));
    pthread_attr_destroy(&attributes);
    pthread_mutex_lock(&s->output_mutex);
    s->running -= count - started;
    pthread_mutex_unlock(&s->output_mutex);
    return started;
}

static bool run_threads(Search *s, SearchThread *thread, int count)
{
    int started = start_threads(s, thread, count);
    if (started == 0)
        return false;
    watch(s);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i].id, NULL);
    return true;
}

// ---- begin and end ----------------------------------------------------------------------------------------

// Counts the games of all inputs for lastgamenumber; the inputs are then read twice.
static bool count_games(Search *s)
{
    if (!s->plan.needs_last_number)
        return true;
    Buffer reports = {0};
    bool good = inputs_spool(&s->inputs, &reports);
    print_buffer(stderr, &reports);
    buffer_free(&reports);
    if (good)
        s->plan.last_number = inputs_count_games(&s->inputs, s->plan.last_wanted);
    return good;
}

static void report_interruption(const Search *s)
{
    const char *output = s->plan.options->output;
    const bool several = s->plan.options->outputs != NULL;
    fprintf(stderr, "cqlgen: interrupted after %lld game%s", (long long)s->totals.games,
            s->totals.games == 1 ? "" : "s");
    if (!several)
        fprintf(stderr, "; %lld of them match", (long long)s->totals.matches);
    if (!several && output && strcmp(output, "-") != 0)
        fprintf(stderr, "; %s was not written\n", output);
    else
        fputs(several || s->plan.result->stored ? "; nothing was written\n" : "\n", stderr);
}

static void report_end_of_time(const Search *s)
{
    fprintf(stderr, "cqlgen: time limit reached: only the first %lld game%s been searched\n",
            (long long)s->totals.games, s->totals.games == 1 ? " has" : "s have");
}

// Ends the output; returns the status of the search.
static int finish(Search *s)
{
    for (uint32_t r = 0; r < s->plan.result_count && !s->output_failed && !s->interrupted; r++) {
        result_end(&s->result[r]);
        s->output_failed |= s->result[r].failed;
    }
    const bool keep = !s->output_failed && !s->interrupted;
    for (uint32_t r = 0; r < s->plan.result_count; r++)
        s->output_failed |= !result_close(&s->result[r], keep);
    if (s->interrupted) {
        report_interruption(s);
        return STATUS_INTERRUPTED;
    }
    if (s->late)
        report_end_of_time(s);
    return s->output_failed              ? STATUS_OUTPUT
           : s->inputs.failed            ? STATUS_INPUT
           : s->totals.errors || s->late ? STATUS_GAME_ERRORS
                                         : STATUS_OK;
}

static void close_threads(SearchThread *thread, int count)
{
    for (int i = 0; i < count; i++)
        if (thread[i].worker)
            worker_close(thread[i].worker);
    free(thread);
}

// Makes a worker for each thread; NULL after a message.
static SearchThread *open_threads(Search *s, int count)
{
    SearchThread *thread = memory_zeroed((size_t)count, sizeof *thread);
    for (int i = 0; i < count; i++) {
        const char *query = NULL, *message = NULL;
        const Worker *like = i > 0 ? thread[0].worker : NULL;
        thread[i].search = s;
        thread[i].worker = worker_open(&s->plan, &s->ending, like, i + 1, &query, &message);
        if (!thread[i].worker) {
            fprintf(stderr, "cqlgen: %s: %s\n", query, message ? message : "the query cannot be run");
            close_threads(thread, count);
            return NULL;
        }
    }
    return thread;
}

static bool check_results(const Search *s)
{
    bool good = true;
    for (uint32_t r = 0; r < s->plan.result_count && good; r++)
        good = result_check(&s->result[r]);
    return good;
}

// Opens all outputs; false after a message. Nothing remains of the others when one cannot be opened.
static bool open_results(Search *s)
{
    uint32_t opened = 0;
    while (opened < s->plan.result_count && result_open(&s->result[opened]))
        opened++;
    const bool good = opened == s->plan.result_count;
    while (!good && opened-- > 0)
        result_close(&s->result[opened], false);
    return good;
}

// Copies the totals of the queries.
static void give_by_query(const Search *s)
{
    QueryTotals *to = s->plan.options->by_query;
    for (uint32_t r = 0; to && r < s->plan.result_count; r++) {
        const ResultPlan *own = &s->plan.result[r];
        memcpy(to + own->first, s->result[r].query, own->count * sizeof *to);
    }
}

static int search_with(Search *s, SearchThread *thread, int count)
{
    const SearchOptions *o = s->plan.options;
    if (!check_results(s))
        return STATUS_QUERY;
    if (!count_games(s))
        return STATUS_INPUT;
    if (!open_results(s))
        return STATUS_OUTPUT;
    s->start = ending_now();
    if (o->max_seconds > 0)
        s->ending.deadline = s->start + (double)o->max_seconds;
    for (uint32_t r = 0; r < s->plan.result_count && !(s->plan.format_flags & FORMAT_PAGE); r++)
        result_begin(&s->result[r]);
    if (!run_threads(s, thread, count))
        s->output_failed = true;
    inputs_close(&s->inputs);
    s->totals.bytes = s->inputs.earlier_bytes;
    s->totals.seconds = ending_now() - s->start;
    if (s->line_open)
        fputs("\n", message_stream(o));
    int status = finish(s);
    give_by_query(s);
    if (o->finished)
        o->finished(o->user, status, &s->totals);
    worker_print_persistent(thread[0].worker, message_stream(o));
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (status != STATUS_OUTPUT) // otherwise it has been reported
            fprintf(stderr, "cqlgen: cannot write standard output: %s\n",
                    errno ? strerror(errno) : "a write failed");
        status = status == STATUS_INTERRUPTED ? status : STATUS_OUTPUT;
    }
    return status;
}

static void open_search(Search *s)
{
    const uint32_t count = s->plan.result_count;
    s->result = memory_zeroed(count, sizeof *s->result);
    s->result_complete = memory_zeroed(count, sizeof *s->result_complete);
    s->result_full = memory_zeroed(count, sizeof *s->result_full);
    s->ending.result_complete = s->result_complete;
    s->ending.result_full = s->result_full;
    for (uint32_t r = 0; r < count; r++)
        result_init(&s->result[r], &s->plan, r);
    pthread_mutex_init(&s->input_mutex, NULL);
    pthread_mutex_init(&s->output_mutex, NULL);
    pthread_cond_init(&s->moved, NULL);
    pthread_cond_init(&s->ended, NULL);
    s->plan.max_depth = WORKER_DEPTH;
}

static void close_search(Search *s)
{
    inputs_close(&s->inputs);
    for (uint32_t r = 0; r < s->plan.result_count; r++)
        result_free(&s->result[r]);
    free(s->result);
    free(s->result_complete);
    free(s->result_full);
    plan_free(&s->plan);
    pthread_cond_destroy(&s->moved);
    pthread_cond_destroy(&s->ended);
    pthread_mutex_destroy(&s->output_mutex);
    pthread_mutex_destroy(&s->input_mutex);
}

// What one thread collects before it waits for its turn. Threads that wait often do not help.
static size_t room_of_thread(const SearchOptions *o, int threads)
{
    const size_t all = search_memory(o), room = all / (size_t)threads;
    return room < all / 32 ? all / 32 : room > all / 4 ? all / 4 : room;
}

int search_run(const Matcher *matcher, const SearchOptions *options, SearchTotals *totals)
{
    Search s = {.plan = plan_search(matcher, options),
                .ending = {.stop = options->stop},
                .inputs = {.options = options},
                .progress = progress_new(options)};
    open_search(&s);
    int count = s.plan.sequential || options->threads < 1 ? 1 : options->threads;
    s.most_ahead = 4 * (uint64_t)count;
    s.room = room_of_thread(options, count);
    s.most_waiting = search_memory(options) / 8;
    SearchThread *thread = open_threads(&s, count);
    int status = thread ? search_with(&s, thread, count) : STATUS_QUERY;
    if (thread)
        close_threads(thread, count);
    close_search(&s);
    if (totals)
        *totals = s.totals;
    return status;
}
