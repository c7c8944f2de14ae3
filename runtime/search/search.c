// The search driver: threads, order of output, end of the search.
#include "search.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "runtime/format/explorer.h"
#include "budget.h"
#include "collector.h"
#include "exploring.h"
#include "sink.h"
#include "wire.h"

enum {
    STACK_BYTES = 256 << 20, // for WORKER_DEPTH; unused memory costs nothing
    LEAST_STACK = 8 << 20,
    MOST_THREADS = 1024,
    FEW_BLOCKS = 8,       // left of a claim: the next one comes soon
    READ_BYTES = 32 << 20 // of a claim, that are read before they are searched
};

typedef struct Search {
    Plan plan;
    const SearchShare *share;    // NULL: everything is searched here
    Ending ending;               // .complete: see Collector
    pthread_mutex_t input_mutex; // guards inputs, next_sequence, input_ended; taken before output_mutex
    Inputs inputs;
    uint64_t next_sequence;        // of the block to be read
    uint64_t claimed, claimed_end; // blocks that the share has handed out and that are not read yet
    uint64_t left;                 // blocks of the claim that are not taken yet
    Block *ready;                  // blocks of the claim that were read before, by ascending sequence
    size_t room;                   // of a block's results
    size_t stack;                  // bytes, of each thread
    uint64_t most_ahead;           // this many blocks may be ahead of the output
    bool input_ended;
    atomic_bool lost;             // a thread ran out of memory: nothing of this is used any more
    pthread_mutex_t output_mutex; // guards all below
    pthread_cond_t moved;         // next_output changed
    pthread_cond_t ended;         // running changed
    uint64_t next_output;         // sequence of the block to be written
    Block *finished;              // blocks that wait for their turn, by ascending sequence
    size_t most_waiting;          // with more bytes of results that wait for their turn, no games are read
    size_t waiting_bytes;         // of their results
    int running;                  // threads
    Collector collector;
    Progress progress;
} Search;

typedef struct SearchThread {
    Search *search;
    Worker *worker;
    pthread_t id;
} SearchThread;

// ---- order of output --------------------------------------------------------------------------------------

// Gives a block to the process that collects the results.
static void give_block(Search *s, const Block *block, bool more)
{
    Buffer bytes = {0};
    block_put(&bytes, block, more);
    const bool given = s->share->give(s->share->user, block->sequence, bytes.start, bytes.length);
    buffer_free(&bytes);
    pthread_mutex_lock(&s->output_mutex);
    if (!s->share->receive)
        collector_count(&s->collector, block);
    if (!given) {
        s->collector.output_failed = true;
        atomic_store(&s->ending.complete, true);
    }
    pthread_mutex_unlock(&s->output_mutex);
}

// Takes a finished block, or with `more` the first results of one; writes it and those after it when its turn has come.
static void finish_block(Search *s, Block *block)
{
    pthread_mutex_lock(&s->output_mutex);
    Block **place = &s->finished;
    while (*place && (*place)->sequence <= block->sequence)
        place = &(*place)->next;
    block->next = *place;
    *place = block;
    s->waiting_bytes += block_bytes(block);
    while (s->finished && s->finished->sequence == s->next_output) {
        Block *first = s->finished;
        s->finished = first->next;
        s->waiting_bytes -= block_bytes(first);
        collector_take(&s->collector, first);
        s->next_output += !first->more;
        block_free(first);
    }
    if (s->share && s->share->written)
        s->share->written(s->share->user, s->next_output, atomic_load(&s->ending.complete));
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->output_mutex);
}

// Writes the results of a block that has too many: gives them away, or waits for its turn.
static void write_full(void *user, Block *block)
{
    Search *s = user;
    if (s->share && s->share->give) {
        give_block(s, block, true);
        block_clear(block);
        return;
    }
    pthread_mutex_lock(&s->output_mutex);
    while (s->next_output != block->sequence && !s->lost)
        pthread_cond_wait(&s->moved, &s->output_mutex);
    if (!s->lost)
        collector_take(&s->collector, block);
    pthread_mutex_unlock(&s->output_mutex);
    block_clear(block);
}

// Writes the first results of a block, if it is its turn, and then others now and then: somebody waits for them.
static void write_soon(void *user, Block *block)
{
    Search *s = user;
    const double now = clock_now(), interval = 0.05;
    if (now < block->due)
        return;
    pthread_mutex_lock(&s->output_mutex);
    const bool turn = s->next_output == block->sequence && !s->lost;
    if (turn)
        collector_take(&s->collector, block);
    pthread_mutex_unlock(&s->output_mutex);
    if (turn)
        block_clear(block);
    block->due = now + interval;
}

// Are results written before the end of the search?
static bool writes_soon(const Search *s)
{
    const SearchFormat format = s->plan.options->format;
    for (uint32_t r = 0; r < s->plan.result_count; r++)
        if (s->plan.result[r].stored)
            return false;
    return !s->share && !s->plan.options->count_by && format != FORMAT_NONE && format != FORMAT_COUNT;
}

// Waits while too much is ahead of the output. Called under the input mutex, which the thread that works on the
// next block to write does not need.
static void wait_for_output(Search *s)
{
    if (s->share && s->share->give)
        return;
    pthread_mutex_lock(&s->output_mutex);
    while ((s->next_sequence > s->next_output + s->most_ahead || s->waiting_bytes > s->most_waiting) &&
           !s->lost)
        pthread_cond_wait(&s->moved, &s->output_mutex);
    pthread_mutex_unlock(&s->output_mutex);
}

// Goes to a place that another process knows, if it saves reading.
static void go_near(Search *s, uint64_t sequence)
{
    SharePlace place;
    if (s->share && s->share->place && !s->input_ended && s->next_sequence < sequence &&
        s->share->place(s->share->user, sequence, &place) && place.block > s->next_sequence &&
        inputs_go(&s->inputs, &place))
        s->next_sequence = place.block;
}

// Ends the search without results.
static void end_without_results(Search *s, const char *message)
{
    pthread_mutex_lock(&s->output_mutex);
    progress_clear(&s->progress);
    if (message && !s->collector.output_failed) // each thread may come here
        sink_report(s->plan.options, "%s", message);
    s->collector.output_failed = true;
    atomic_store(&s->ending.complete, true);
    pthread_mutex_unlock(&s->output_mutex);
}

// Reads the block with this sequence, and leaves out those before it. False when the inputs end before it; it is
// also read when it has no games but messages about the end of the inputs.
static bool read_block(Search *s, uint64_t sequence, Block *block)
{
    go_near(s, sequence);
    for (;;) {
        const bool beyond = inputs_games(&s->inputs) >= s->plan.last_wanted;
        const bool wanted = !s->input_ended && !beyond && !atomic_load(&s->ending.complete);
        const int64_t bytes = inputs_bytes(&s->inputs);
        const bool got = wanted && inputs_next_block(&s->inputs, &block->reports, &block->input);
        block->partial = wanted && !got && inputs_stopped(&s->inputs); // the input was not read to its end
        block->failed = s->inputs.failed;
        block->bytes = inputs_bytes(&s->inputs) - bytes;
        s->input_ended |= !got;
        if (s->next_sequence == sequence)
            return got || block->reports.length > 0 || block->partial;
        if (!got)
            return false;
        pgn_block_free(&block->input.pgn);
        block->input = (InputBlock){0};
        block->reports.length = 0;
        s->next_sequence++;
    }
}

// The block with this sequence, or NULL at the end.
static Block *make_block(Search *s, uint64_t sequence)
{
    const SearchShare *share = s->share;
    Block *block = block_new(&s->plan);
    const bool ended = s->input_ended;
    const uint64_t taken = atomic_load(&s->inputs.stored);
    const bool keep = read_block(s, sequence, block);
    if (s->inputs.replaced) {
        end_without_results(s, s->inputs.replaced);
        if (share && share->written)
            share->written(share->user, 0, true);
        block_free(block);
        return NULL;
    }
    if (share && keep) { // others may read the rest
        inputs_check_change(&s->inputs, &block->reports);
        block->failed = s->inputs.failed;
    }
    if (share && share->ended && s->input_ended && !ended && !block->partial)
        share->ended(share->user, s->next_sequence + (block->reports.length > 0));
    if (!keep) {
        block_free(block);
        return NULL;
    }
    block->stored = (int64_t)(atomic_load(&s->inputs.stored) - taken);
    block->sequence = sequence;
    block->flush_limit = s->room;
    block->flush = write_full;
    block->offer = writes_soon(s) ? write_soon : NULL;
    block->user = s;
    s->next_sequence++;
    return block;
}

// Reads the rest of what the share has handed out, when other processes can go on from its end.
static void read_claimed(Search *s)
{
    SharePlace place;
    Block **end = &s->ready;
    size_t bytes = 0;
    if (!s->share->reached)
        return;
    while (s->claimed < s->claimed_end && bytes < READ_BYTES && inputs_place(&s->inputs, &place) &&
           (*end = make_block(s, s->claimed))) {
        bytes += (size_t)(*end)->bytes;
        end = &(*end)->next;
        s->claimed++;
    }
    if (inputs_place(&s->inputs, &place)) {
        place.block = s->next_sequence;
        s->share->reached(s->share->user, &place);
    }
}

// The next block that this process of several searches, or NULL at the end.
static Block *claim_block(Search *s)
{
    const SearchShare *share = s->share;
    if (atomic_load(&s->ending.complete) || atomic_load(&s->ending.enough))
        return NULL;
    if (s->left == 0 && !share->claim(share->user, &s->claimed, &s->claimed_end))
        return NULL;
    s->left = s->left > 0 ? s->left - 1 : s->claimed_end - s->claimed - 1;
    Block *block = s->ready;
    if (block) {
        s->ready = block->next;
        block->next = NULL;
    } else if ((block = make_block(s, s->claimed++))) {
        read_claimed(s);
    }
    if (share->soon && s->left <= FEW_BLOCKS)
        share->soon(share->user);
    return block;
}

// The next block of games, or NULL at the end.
static Block *take_block(Search *s)
{
    pthread_mutex_lock(&s->input_mutex);
    wait_for_output(s);
    Block *block = s->share ? claim_block(s) : make_block(s, s->next_sequence);
    pthread_mutex_unlock(&s->input_mutex);
    return block;
}

// ---- threads ----------------------------------------------------------------------------------------------

static void end_thread(Search *s)
{
    pthread_mutex_lock(&s->output_mutex);
    s->running--;
    pthread_cond_broadcast(&s->ended);
    pthread_mutex_unlock(&s->output_mutex);
}

// Ends the search of a program that goes on when memory runs out. The mutexes know whether this thread holds them.
static void abort_out_of_memory(Search *s)
{
    pthread_mutex_unlock(&s->output_mutex);
    pthread_mutex_unlock(&s->input_mutex);
    atomic_store(&s->lost, true);
    atomic_store(&s->ending.complete, true);
    pthread_mutex_lock(&s->output_mutex);
    pthread_cond_broadcast(&s->moved);
    pthread_mutex_unlock(&s->output_mutex);
    end_thread(s);
}

static void search_blocks(SearchThread *t)
{
    Search *s = t->search;
    Block *block;
    while ((block = take_block(s))) {
        worker_search(t->worker, block);
        if (s->share && s->share->give) {
            give_block(s, block, false);
            block_free(block);
        } else {
            finish_block(s, block);
        }
    }
    end_thread(s);
}

static void *run_worker(void *user)
{
    SearchThread *t = user;
    MemoryEscape escape;
    if (!t->search->plan.options->sink) {
        search_blocks(t);
    } else if (setjmp(escape.jump) != 0) {
        abort_out_of_memory(t->search);
    } else {
        memory_escape_begin(&escape);
        search_blocks(t);
        memory_escape_end(&escape);
    }
    return NULL;
}

// Takes the blocks that other processes have searched.
static void *receive_blocks(void *user)
{
    Search *s = user;
    const char *bytes;
    size_t length;
    while (s->share->receive(s->share->user, &bytes, &length)) {
        Block *block = bytes ? block_get(&s->plan, bytes, length) : NULL;
        if (!block) {
            end_without_results(
                s, bytes ? "a result of another process is damaged, or comes from another version of cqlgen"
                         : NULL);
            break;
        }
        finish_block(s, block);
    }
    pthread_mutex_lock(&s->output_mutex);
    s->collector.interrupted |= ending_stopped(&s->ending);
    pthread_mutex_unlock(&s->output_mutex);
    end_thread(s);
    return NULL;
}

// Waits for all threads and shows the progress.
static void watch_threads(Search *s)
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
        SearchTotals totals = s->collector.totals;
        if (!s->share)
            totals.bytes = (int64_t)atomic_load(&s->inputs.decoded);
        totals.seconds = clock_now() - s->collector.start;
        const double read = size > 0 ? (double)atomic_load(&s->inputs.stored) / (double)size : 0;
        progress_show(&s->progress, &totals,
                      s->share && s->share->part ? s->share->part(s->share->user) : read);
    }
    progress_clear(&s->progress);
    pthread_mutex_unlock(&s->output_mutex);
}

// Starts the threads of `count` workers, fewer when there cannot be more, and, as the last one, that which receives.
// Returns how many run. False after a message: the search cannot go on.
static bool start_threads(Search *s, SearchThread *thread, int count, int *started)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, s->stack);
    const bool receives = s->share && s->share->receive;
    int error = 0;
    *started = 0;
    s->running = count + receives;
    while (*started < count && error == 0) {
        error = pthread_create(&thread[*started].id, &attributes, run_worker, &thread[*started]);
        *started += error == 0;
    }
    bool good = *started > 0 || count == 0;
    if (good && receives) {
        error = pthread_create(&thread[*started].id, NULL, receive_blocks, s);
        *started += error == 0;
        good = error == 0;
    }
    pthread_attr_destroy(&attributes);
    if (!good) {
        char message[128];
        snprintf(message, sizeof message, "cannot start a thread: %s", strerror(error));
        end_without_results(s, message);
    }
    pthread_mutex_lock(&s->output_mutex);
    s->running -= count + receives - *started;
    pthread_mutex_unlock(&s->output_mutex);
    return good;
}

static bool run_threads(Search *s, SearchThread *thread, int count)
{
    int started;
    const bool good = start_threads(s, thread, count, &started);
    watch_threads(s);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i].id, NULL);
    return good;
}

// ---- begin and end ----------------------------------------------------------------------------------------

// Counts the games of all inputs for lastgamenumber; the inputs are then read twice.
static bool count_games(Search *s)
{
    if (!s->plan.needs_last_number)
        return true;
    Buffer reports = {0};
    bool good = inputs_spool(&s->inputs, &reports);
    sink_lines(s->plan.options, &reports);
    buffer_free(&reports);
    if (good)
        s->plan.last_number = inputs_count_games(&s->inputs, s->plan.last_wanted);
    return good;
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
    SearchThread *thread = memory_zeroed((size_t)count + 1, sizeof *thread);
    for (int i = 0; i < count; i++) {
        const char *query = NULL;
        char *message = NULL;
        const Worker *like = i > 0 ? thread[0].worker : NULL;
        thread[i].search = s;
        thread[i].worker = worker_open(&s->plan, &s->ending, like, i + 1, &query, &message);
        if (!thread[i].worker) {
            sink_report(s->plan.options, "%s: %s", query, message ? message : "the query cannot be run");
            free(message);
            close_threads(thread, count);
            return NULL;
        }
    }
    return thread;
}

static void print_persistent(const Collector *c, const Worker *worker)
{
    const SearchSink *sink = c->plan->options->sink;
    char *text;
    size_t length;
    FILE *stream = memory_stream(&text, &length);
    worker_print_persistent(worker, stream);
    fclose(stream);
    if (sink && length > 0)
        sink->tell(sink->user, false, text, length);
    else if (!sink)
        print_lines(collector_messages(c), text, length);
    free(text);
}

static int search_with(Search *s, SearchThread *thread, int count)
{
    const SearchOptions *o = s->plan.options;
    Collector *c = &s->collector;
    if (!collector_check(c))
        return STATUS_QUERY;
    if (!count_games(s))
        return STATUS_INPUT;
    if (!collector_open(c)) // a pipe that nobody reads may have to wait until it is interrupted
        return ending_stopped(&s->ending) ? STATUS_INTERRUPTED : STATUS_OUTPUT;
    collector_begin(c);
    if (o->upgrade)
        atomic_store(&o->upgrade->size, (int64_t)inputs_size(&s->inputs));
    const bool ran = run_threads(s, thread, count);
    c->output_failed |= !ran;
    if (s->lost)
        return STATUS_MEMORY;
    for (int i = 0; o->explorer && i < count; i++)
        exploring_give(thread[i].worker);
    if (o->explorer && o->explorer->node_count > 0)
        c->totals.matches = o->explorer->node->numbers.games;
    if (s->finished && !c->complete && !c->interrupted && !c->output_failed)
        end_without_results(
            s, "results of some games are missing: the inputs were not the same for all processes");
    inputs_close(&s->inputs);
    if (!s->share)
        c->totals.bytes = s->inputs.earlier_bytes;
    int status = collector_end(c);
    if (!ran)
        status = STATUS_MEMORY;
    if (o->finished)
        o->finished(o->user, status, &c->totals);
    if (count > 0)
        print_persistent(c, thread[0].worker);
    errno = 0;
    if (!o->sink && (fflush(stdout) != 0 || ferror(stdout))) {
        if (status != STATUS_OUTPUT && !output_has_no_reader()) // otherwise it has been reported
            printf_sanitized(stderr, "cqlgen: cannot write standard output: %s\n",
                             errno ? strerror(errno) : "a write failed");
        status = status == STATUS_INTERRUPTED ? status : STATUS_OUTPUT;
    }
    return status;
}

static void open_search(Search *s)
{
    collector_init(&s->collector, &s->plan, &s->ending, &s->progress);
    pthread_mutexattr_t checked;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&s->input_mutex, &checked);
    pthread_mutex_init(&s->output_mutex, &checked);
    pthread_mutexattr_destroy(&checked);
    pthread_cond_init(&s->moved, NULL);
    pthread_cond_init(&s->ended, NULL);
}

static void free_blocks(Block *block)
{
    for (Block *next; block; block = next) {
        next = block->next;
        block_free(block);
    }
}

static void close_search(Search *s)
{
    inputs_close(&s->inputs);
    free_blocks(s->finished);
    free_blocks(s->ready);
    collector_free(&s->collector);
    plan_free(&s->plan);
    pthread_cond_destroy(&s->moved);
    pthread_cond_destroy(&s->ended);
    pthread_mutex_destroy(&s->output_mutex);
    pthread_mutex_destroy(&s->input_mutex);
}

// The stack of each thread: a smaller one where the process may not have so much memory.
static size_t stack_of_thread(int threads)
{
    size_t size = STACK_BYTES;
    for (; size > LEAST_STACK; size /= 2) {
        const size_t all = size * (size_t)(threads > 0 ? threads : 1);
        void *memory = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            continue;
        munmap(memory, all);
        return size;
    }
    return size;
}

// What one thread collects before it waits for its turn. Threads that wait often do not help.
static size_t room_of_thread(const SearchOptions *o, int threads)
{
    const size_t all = search_memory_of_results(o), room = threads > 0 ? all / (size_t)threads : all;
    return room < all / 32 ? all / 32 : room > all / 4 ? all / 4 : room;
}

uint64_t search_sample(double percent)
{
    return percent > 0 && percent < 100 ? (uint64_t)(ldexp(percent, 64) / 100) : 0;
}

int search_threads(int64_t wanted)
{
    cpu_set_t allowed;
    if (wanted < 1) // the call fails where the set is too small for the processors of the machine
        wanted = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                                     : sysconf(_SC_NPROCESSORS_ONLN);
    return wanted < 1 ? 1 : wanted > MOST_THREADS ? MOST_THREADS : (int)wanted;
}

int search_run(const Matcher *matcher, const SearchOptions *options, SearchTotals *totals)
{
    const double deadline = options->max_seconds > 0 ? clock_now() + options->max_seconds : 0;
    Search s = {.plan = plan_search(matcher, options),
                .share = options->share,
                .ending = {.stop = options->stop, .deadline = deadline},
                .inputs = {.options = options, .deadline = deadline},
                .progress = progress_new(options)};
    open_search(&s);
    const bool searches = !s.share || s.share->claim;
    int count = !searches ? 0 : s.plan.sequential || options->threads < 1 ? 1 : options->threads;
    s.most_ahead = 4 * (uint64_t)count;
    s.room = room_of_thread(options, count);
    s.most_waiting = search_memory_of_results(options) / 8;
    s.stack = stack_of_thread(count);
    s.plan.max_depth = (int32_t)(s.stack / (STACK_BYTES / WORKER_DEPTH));
    SearchThread *thread = open_threads(&s, count);
    int status = thread ? search_with(&s, thread, count) : STATUS_QUERY;
    if (s.lost)
        return status;
    if (thread)
        close_threads(thread, count);
    if (totals)
        *totals = s.collector.totals;
    close_search(&s);
    return status;
}
