// The search driver: threads, order of output, end of the search.
#include "search.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "output.h"
#include "progress.h"
#include "worker.h"

enum {
    STORE_BYTES = 64 << 20, // beyond this, games that wait for the end of the search go to a file
    STACK_BYTES = 256 << 20 // for WORKER_DEPTH; unused memory costs nothing
};

typedef struct Search {
    Plan plan;
    double start;                // of the search, by ending_now()
    Ending ending;               // .complete: `complete` or `output_failed` below
    OutputFile *output;          // NULL: nothing is written
    pthread_mutex_t input_mutex; // guards inputs, next_sequence, input_ended; taken before output_mutex
    Inputs inputs;
    uint64_t next_sequence; // of the block to be read
    uint64_t most_ahead;    // this many blocks may be ahead of the output
    bool input_ended;
    pthread_mutex_t output_mutex; // guards all below
    pthread_cond_t moved;         // next_output or running changed
    uint64_t next_output;         // sequence of the block to be written
    bool line_open;               // the last messages did not end a line
    Block *finished;              // blocks that wait for their turn, by ascending sequence
    int running;                  // threads
    bool complete;                // nothing more is wanted: the limit is reached, or the search was stopped
    bool interrupted;             // a signal stopped it
    bool late;                    // the time limit stopped it
    bool output_failed;
    SortedGames stored;
    SearchTotals totals;
    bool exhausted;        // a game needed too many steps, and steps_hint was shown
    bool foreign_reported; // a game of another chess variant
    int64_t *matches;      // by query
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
    bool results_elsewhere =
        o->format == FORMAT_NONE || o->before_results || (o->output && strcmp(o->output, "-") != 0);
    return results_elsewhere ? stdout : stderr;
}

static void print_buffer(FILE *out, const Buffer *text)
{
    if (text->length > 0)
        fwrite(text->start, 1, text->length, out);
}

// ---- order of output --------------------------------------------------------------------------------------

static void write_text(Search *s, const char *text, size_t length)
{
    if (s->output && !s->output_failed && length > 0 && !output_write(s->output, text, length)) {
        s->output_failed = true;
        atomic_store(&s->ending.complete, true);
    }
}

static void store_games(Search *s, Block *block, size_t count)
{
    if (s->plan.format_flags & FORMAT_PAGE && !s->plan.sorted && s->stored.count + count > PAGE_GAMES)
        count = PAGE_GAMES - s->stored.count;
    if (s->output_failed || sorted_move(&s->stored, &block->sorted, count, STORE_BYTES))
        return;
    progress_clear(&s->progress);
    fprintf(stderr, "cqlgen: cannot keep the results in a temporary file: %s\n", strerror(s->stored.error));
    s->output_failed = true;
    atomic_store(&s->ending.complete, true);
}

static void add_totals(SearchTotals *sum, const SearchTotals *part)
{
    sum->games += part->games;
    sum->matches += part->matches;
    sum->hits += part->hits;
    sum->positions += part->positions;
    sum->damaged += part->damaged;
    sum->errors += part->errors;
}

// Prints the messages of a block; progress marks may leave a line open.
static void print_messages(Search *s, const Block *block)
{
    const Buffer *text = &block->messages;
    FILE *out = message_stream(s->plan.options);
    if (text->length == 0)
        return;
    if (block->begins_line && s->line_open)
        fputs("\n", out);
    print_buffer(out, text);
    fflush(out); // an error stays and is found at the end
    s->line_open = text->start[text->length - 1] != '\n';
}

// Writes one block; called in order, under the output mutex.
static void write_block(Search *s, Block *block)
{
    size_t count = block->sorted.count;
    int64_t wanted = s->plan.limit - s->totals.matches;
    bool enough = s->plan.limit > 0 && block->totals.matches >= wanted;
    if (enough) {
        block_cut(block, &s->plan, (size_t)wanted);
        count = block->mark[wanted - 1].sorted;
    }
    if (block->reports.length + block->foreign.length + block->messages.length + block->output.length > 0)
        progress_clear(&s->progress);
    print_buffer(stderr, &block->reports);
    if (block->exhausted && !s->exhausted && s->plan.options->steps_hint)
        fprintf(stderr, "cqlgen: %s\n", s->plan.options->steps_hint);
    s->exhausted |= block->exhausted;
    s->inputs.failed |= block->failed;
    if (!s->foreign_reported)
        print_buffer(stderr, &block->foreign);
    s->foreign_reported |= block->foreign.length > 0;
    print_messages(s, block);
    write_text(s, block->output.start, block->output.length);
    store_games(s, block, count);
    add_totals(&s->totals, &block->totals);
    for (uint32_t q = 0; q < s->plan.matcher->query_count; q++)
        s->matches[q] += block->matches[q];
    if (s->plan.options->progressed) {
        s->totals.seconds = ending_now() - s->start;
        s->plan.options->progressed(s->plan.options->user, &s->totals);
    }
    if (block->partial && !s->output_failed) {
        s->interrupted = ending_stopped(&s->ending);
        s->late = !s->interrupted;
    }
    if (enough || block->partial) {
        s->complete = true;
        atomic_store(&s->ending.complete, true);
    }
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
    while (s->finished && s->finished->sequence == s->next_output) {
        Block *first = s->finished;
        s->finished = first->next;
        if (!s->complete)
            write_block(s, first);
        block_free(first);
        s->next_output++;
    }
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->output_mutex);
}

// Waits while too many blocks are ahead of the output. Called under the input mutex, which the thread that
// works on the next block to write does not need.
static void wait_for_output(Search *s)
{
    pthread_mutex_lock(&s->output_mutex);
    while (s->next_sequence > s->next_output + s->most_ahead)
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
    pthread_cond_broadcast(&s->moved);
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
            pthread_cond_wait(&s->moved, &s->output_mutex);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        long nanoseconds = until.tv_nsec + (long)(interval * 1e9);
        until.tv_sec += nanoseconds / 1000000000;
        until.tv_nsec = nanoseconds % 1000000000;
        pthread_cond_timedwait(&s->moved, &s->output_mutex, &until);
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

// The number of matching games in the result.
static int64_t written_games(const Search *s)
{
    const int64_t limit = s->plan.options->limit;
    int64_t count = s->totals.matches;
    if (limit > 0 && limit < count)
        count = limit;
    return s->plan.format_flags & FORMAT_PAGE && count > PAGE_GAMES ? PAGE_GAMES : count;
}

static FormatSearch format_search(const Search *s)
{
    const SearchOptions *o = s->plan.options;
    return (FormatSearch){s->plan.matcher,  &s->totals,     s->matches,
                          written_games(s), o->input_count, o->input};
}

static void write_begin(Search *s)
{
    Buffer text = {0};
    FormatSearch search = format_search(s);
    format_begin(s->plan.options->format, &text, &search);
    write_text(s, text.start, text.length);
    buffer_free(&text);
}

// An output must not replace or extend an input.
static bool check_output(const SearchOptions *o, const char *output)
{
    for (size_t i = 0; o->format != FORMAT_NONE && i < o->input_count; i++) {
        if (output_is_input(output, o->input[i])) {
            fprintf(stderr, "cqlgen: %s is both an input and the output; choose another output name\n",
                    strcmp(o->input[i], "-") == 0 ? "standard input" : o->input[i]);
            return false;
        }
    }
    return true;
}

static bool is_discarded(const Search *s)
{
    return s->totals.errors > 0 && s->plan.options->discard_failed;
}

// Writes a part of a stored game: the index part, or the rest.
static void write_stored_game(Search *s, size_t i, bool index)
{
    Buffer text = {0};
    const SortedGame *game = &s->stored.game[i];
    if (sorted_text(&s->stored, i, index ? 0 : game->index_length, index ? game->index_length : game->length,
                    &text)) {
        write_text(s, text.start, text.length);
    } else {
        fprintf(stderr, "cqlgen: cannot read the temporary file: %s\n", strerror(s->stored.error));
        s->output_failed = true;
    }
    buffer_free(&text);
}

// The same of the first `count` stored games.
static void write_stored(Search *s, size_t count, bool index)
{
    for (size_t i = 0; i < count && !s->output_failed; i++)
        write_stored_game(s, i, index);
}

// ---- output in several files ------------------------------------------------------------------------------

// By the file, then by the order of writing.
static int compare_files(const void *left, const void *right, void *user)
{
    const SortedGame *game = user;
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    const int order = strcmp(game[a].file, game[b].file);
    return order != 0 ? order : (a > b) - (a < b);
}

// Writes the file of some games.
static void write_file(Search *s, const size_t *place, size_t count)
{
    const SearchOptions *o = s->plan.options;
    const char *name = s->stored.game[place[0]].file;
    s->output = check_output(o, name) ? output_open(name, o->output_flags | OUTPUT_FOLDERS) : NULL;
    s->output_failed = !s->output;
    if (s->output_failed)
        return;
    write_begin(s);
    for (size_t i = 0; i < count && !s->output_failed; i++)
        write_stored_game(s, place[i], false);
    if (!output_close(s->output, !s->output_failed && !is_discarded(s)))
        s->output_failed = true;
    s->output = NULL;
}

static void write_files(Search *s, size_t count)
{
    size_t *place = memory_zeroed(count + 1, sizeof *place);
    for (size_t i = 0; i < count; i++)
        place[i] = i;
    qsort_r(place, count, sizeof *place, compare_files, s->stored.game);
    for (size_t begin = 0, end; begin < count && !s->output_failed; begin = end) {
        for (end = begin + 1;
             end < count && strcmp(s->stored.game[place[begin]].file, s->stored.game[place[end]].file) == 0;)
            end++;
        write_file(s, place + begin, end - begin);
    }
    free(place);
}

// ---- the end of the output --------------------------------------------------------------------------------

// Announces the results. A stored format consists of games only.
static void announce_results(Search *s, size_t count)
{
    const SearchOptions *o = s->plan.options;
    int64_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += (int64_t)s->stored.game[i].length;
    o->before_results(o->user, (int64_t)count, bytes);
    fflush(stdout); // the output has a buffer of its own
}

// Writes everything that follows the last game.
static void write_end(Search *s)
{
    const SearchOptions *o = s->plan.options;
    Buffer text = {0};
    FormatSearch search = format_search(s);
    if (s->plan.stored) {
        sorted_sort(&s->stored);
        const size_t count = (size_t)search.written;
        if (search.written == PAGE_GAMES && s->totals.matches > PAGE_GAMES)
            fprintf(stderr,
                    "cqlgen: the page shows the first %d of %lld matching games; other formats write all\n",
                    PAGE_GAMES, (long long)s->totals.matches);
        if (o->before_results)
            announce_results(s, count);
        if (s->plan.format_flags & FORMAT_PAGE) {
            write_begin(s);
            write_stored(s, count, true);
            format_middle(o->format, &text, &search);
            write_text(s, text.start, text.length);
            text.length = 0;
        }
        if (s->plan.split)
            write_files(s, count);
        else
            write_stored(s, count, false);
    }
    format_end(o->format, &text, &search);
    write_text(s, text.start, text.length);
    buffer_free(&text);
}

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
    fprintf(stderr, "cqlgen: interrupted after %lld game%s; %lld of them match", (long long)s->totals.games,
            s->totals.games == 1 ? "" : "s", (long long)s->totals.matches);
    if (output && strcmp(output, "-") != 0)
        fprintf(stderr, "; %s was not written\n", output);
    else
        fputs(s->plan.stored ? "; nothing was written\n" : "\n", stderr);
}

static void report_end_of_time(const Search *s)
{
    fprintf(stderr, "cqlgen: time limit reached: only the first %lld game%s been searched\n",
            (long long)s->totals.games, s->totals.games == 1 ? " has" : "s have");
}

// Ends the output; returns the status of the search.
static int finish(Search *s)
{
    if (!s->output_failed && !s->interrupted)
        write_end(s);
    bool good = !s->output_failed;
    if (s->output && !output_close(s->output, good && !s->interrupted && !is_discarded(s)))
        good = false;
    if (s->interrupted) {
        report_interruption(s);
        return STATUS_INTERRUPTED;
    }
    if (s->late)
        report_end_of_time(s);
    return !good                         ? STATUS_OUTPUT
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

// Only games can go to several files, not pages and counts.
static bool check_split(const Plan *plan)
{
    const FormatInfo *format = &format_info[plan->options->format];
    if (!plan->split || (plan->format_flags != 0 && !(plan->format_flags & FORMAT_PAGE)) ||
        plan->options->format == FORMAT_POSITIONS)
        return true;
    fprintf(stderr, "cqlgen: the format %s is one file; write an output name without a tag in braces\n",
            format->name);
    return false;
}

static int search_with(Search *s, SearchThread *thread, int count)
{
    const SearchOptions *o = s->plan.options;
    if (!check_output(o, o->output) || !check_split(&s->plan))
        return STATUS_QUERY;
    if (!count_games(s))
        return STATUS_INPUT;
    if (o->format != FORMAT_NONE && !s->plan.split && !(s->output = output_open(o->output, o->output_flags)))
        return STATUS_OUTPUT;
    s->start = ending_now();
    if (o->max_seconds > 0)
        s->ending.deadline = s->start + (double)o->max_seconds;
    if (!(s->plan.format_flags & FORMAT_PAGE))
        write_begin(s);
    if (!run_threads(s, thread, count))
        s->output_failed = true;
    inputs_close(&s->inputs);
    s->totals.bytes = s->inputs.earlier_bytes;
    s->totals.seconds = ending_now() - s->start;
    if (s->line_open)
        fputs("\n", message_stream(o));
    int status = finish(s);
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

int search_run(const Matcher *matcher, const SearchOptions *options, SearchTotals *totals)
{
    Search s = {.plan = plan_search(matcher, options),
                .ending = {.stop = options->stop},
                .inputs = {.options = options},
                .matches = memory_zeroed(matcher->query_count, sizeof *s.matches),
                .progress = progress_new(options)};
    pthread_mutex_init(&s.input_mutex, NULL);
    pthread_mutex_init(&s.output_mutex, NULL);
    pthread_cond_init(&s.moved, NULL);
    int count = s.plan.sequential || options->threads < 1 ? 1 : options->threads;
    s.most_ahead = 4 * (uint64_t)count;
    s.plan.max_depth = WORKER_DEPTH;
    SearchThread *thread = open_threads(&s, count);
    int status = thread ? search_with(&s, thread, count) : STATUS_QUERY;
    if (thread)
        close_threads(thread, count);
    inputs_close(&s.inputs);
    sorted_free(&s.stored);
    free(s.matches);
    pthread_cond_destroy(&s.moved);
    pthread_mutex_destroy(&s.output_mutex);
    pthread_mutex_destroy(&s.input_mutex);
    if (totals)
        *totals = s.totals;
    return status;
}
