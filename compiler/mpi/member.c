// A rank that searches for rank 0.
#include "member.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cli/job.h"
#include "compiler/cli/searching.h"
#include "runtime/search/budget.h"
#include "runtime/search/fingerprint.h"
#include "runtime/value/clock.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "messages.h"
#include "shards.h"

// Results are sent when there are many bytes of them, or after a moment. With too many bytes that wait, the search waits.
enum { SEND_BYTES = 256 << 10, WAITING_BYTES = 64 << 20, LONGEST_REST = 8000000 };
static const double SEND_SECONDS = 0.005;

typedef struct Member {
    pthread_mutex_t mutex; // guards all below
    pthread_cond_t moved;
    pthread_cond_t wanted; // there is something to be sent
    uint64_t next, end;    // blocks to search after those that are searched now; equal: none
    SharePlace known;      // the last place that rank 0 has sent
    SharePlace reached;    // to be sent
    bool knows, has_reached;
    bool soon;        // they are wanted soon
    bool asked, none; // asked: an answer will come; none: nothing is left
    bool over;        // the search
    Buffer results;   // to be sent, each with its length before it
    size_t most;      // bytes of them that may wait
    double results_since;
    uint64_t blocks_of_inputs; // SHARE_NONE: not known
    bool ended_sent;
    RankReport report;
} Member;

// ---- the share of the search ------------------------------------------------------------------------------

static bool claim(void *user, uint64_t *begin, uint64_t *end)
{
    Member *m = user;
    const double start = clock_now();
    pthread_mutex_lock(&m->mutex);
    while (m->next == m->end && !m->none) {
        m->soon = true;
        pthread_cond_signal(&m->wanted);
        pthread_cond_wait(&m->moved, &m->mutex);
    }
    m->soon = false;
    *begin = m->next;
    *end = m->end;
    m->next = m->end;
    m->report.waited += clock_now() - start;
    pthread_mutex_unlock(&m->mutex);
    return *begin < *end;
}

static void claim_soon(void *user)
{
    Member *m = user;
    pthread_mutex_lock(&m->mutex);
    m->soon = true;
    pthread_cond_signal(&m->wanted);
    pthread_mutex_unlock(&m->mutex);
}

static bool find_place(void *user, uint64_t number, SharePlace *place)
{
    Member *m = user;
    pthread_mutex_lock(&m->mutex);
    *place = m->known;
    const bool known = m->knows && place->block <= number;
    pthread_mutex_unlock(&m->mutex);
    return known;
}

static void note_place(void *user, const SharePlace *place)
{
    Member *m = user;
    pthread_mutex_lock(&m->mutex);
    m->reached = *place;
    m->has_reached = true;
    pthread_cond_signal(&m->wanted);
    pthread_mutex_unlock(&m->mutex);
}

static bool give(void *user, uint64_t number, const char *bytes, size_t length)
{
    (void)number; // the bytes contain it
    Member *m = user;
    const uint64_t size = length;
    pthread_mutex_lock(&m->mutex);
    while (m->results.length > m->most)
        pthread_cond_wait(&m->moved, &m->mutex);
    if (m->results.length == 0)
        m->results_since = clock_now();
    buffer_append(&m->results, (const char *)&size, sizeof size);
    buffer_append(&m->results, bytes, length);
    m->report.bytes += (int64_t)length;
    m->report.blocks++;
    pthread_cond_broadcast(&m->moved);
    pthread_mutex_unlock(&m->mutex);
    return true;
}

static void note_end(void *user, uint64_t count)
{
    Member *m = user;
    pthread_mutex_lock(&m->mutex);
    m->blocks_of_inputs = count;
    pthread_mutex_unlock(&m->mutex);
}

// ---- messages ---------------------------------------------------------------------------------------------

static void take_range(Member *m, const uint64_t *range)
{
    m->asked = false;
    m->none |= range[0] == range[1];
    m->next = range[0];
    m->end = range[1];
    pthread_cond_broadcast(&m->moved);
}

// Takes a message; false when there is none. Called with the mutex locked.
static bool take_message(Member *m)
{
    int rank, kind;
    const char *bytes;
    size_t length;
    uint64_t range[2];
    if (!message_poll(&rank, &kind, &bytes, &length))
        return false;
    if (kind == MESSAGE_RANGE && length == sizeof range) {
        memcpy(range, bytes, sizeof range);
        take_range(m, range);
    } else if (kind == MESSAGE_PLACE && length == sizeof m->known) {
        memcpy(&m->known, bytes, sizeof m->known);
        m->knows = true;
    }
    return true;
}

// Sends what is to be sent; false when there was nothing. Called with the mutex locked, which is free while it sends.
static bool send_all(Member *m)
{
    const bool asks = m->soon && !m->asked && !m->none && !m->over && m->next == m->end;
    const bool due =
        m->results.length >= SEND_BYTES || m->over || clock_now() - m->results_since > SEND_SECONDS;
    const bool ends = m->blocks_of_inputs != SHARE_NONE && !m->ended_sent;
    const bool reaches = m->has_reached;
    const uint64_t count = m->blocks_of_inputs;
    const SharePlace reached = m->reached;
    Buffer results = {0};
    if (due) {
        results = m->results;
        m->results = (Buffer){0};
        pthread_cond_broadcast(&m->moved);
    }
    m->asked |= asks;
    m->ended_sent |= ends;
    m->has_reached = false;
    pthread_mutex_unlock(&m->mutex);
    if (reaches)
        message_send(0, MESSAGE_PLACE, &reached, sizeof reached);
    if (results.length > 0)
        message_send(0, MESSAGE_RESULTS, results.start, results.length);
    if (ends)
        message_send(0, MESSAGE_ENDED, &count, sizeof count);
    if (asks)
        message_send(0, MESSAGE_CLAIM, NULL, 0);
    const bool sent = reaches || results.length > 0 || ends || asks;
    buffer_free(&results);
    pthread_mutex_lock(&m->mutex);
    return sent;
}

// Waits for something to send, for the time after which to look for a message again.
static void wait_for_work(Member *m, long *rest)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += message_rest(rest, LONGEST_REST);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&m->wanted, &m->mutex, &until);
}

// Talks to rank 0 until the search is over, everything is sent, and every question is answered.
static void *talk(void *user)
{
    Member *m = user;
    bool end = false;
    pthread_mutex_lock(&m->mutex);
    for (long rest = 0; !end;) {
        const bool sent = send_all(m);
        end = m->over && m->results.length == 0 && !m->asked;
        if (take_message(m) || sent)
            rest = 0;
        else if (!end)
            wait_for_work(m, &rest);
    }
    pthread_mutex_unlock(&m->mutex);
    return NULL;
}

// ---- the search -------------------------------------------------------------------------------------------

// Waits for the end of the search, asleep; leaves what rank 0 may still send.
static void wait_for_end(void)
{
    int rank, kind = MESSAGE_RANGE;
    const char *bytes;
    size_t length;
    long rest = 0;
    while (kind != MESSAGE_DONE)
        if (!message_poll(&rank, &kind, &bytes, &length))
            message_sleep(&rest, MOST_REST);
}

// Says in what a file differs from that of rank 0; false unless it is only the time.
static bool tell_file(const FilePair *file)
{
    const bool same = file->differs == DIFFERS_TIME;
    Buffer how = {0};
    fingerprint_tell(&how, file);
    printf_sanitized(stderr, "cqlgen-mpi: %srank %d: %s of rank 0 and that of this rank differ in %.*s; %s\n",
                     same ? "warning: " : "", message_rank(), file->name, (int)how.length, how.start,
                     same ? "samples of their content are the same, so this rank takes part in the search"
                          : "this rank takes no part in the search");
    buffer_free(&how);
    return same;
}

// Does this rank see the same files as rank 0? False after a message. `first`: the number of the first file to look at. `here`: gets
// its files.
static bool check_files(const Job *job, size_t first, Buffer *here)
{
    size_t count = 0;
    FilePair *pair =
        fingerprint_put_again(here, &job->files, first) ? fingerprint_pairs(&job->files, here, &count) : NULL;
    bool good = pair || complain(NULL,
                                 "rank %d: cannot find out the size and content of the games; this rank "
                                 "takes no part in the search",
                                 message_rank());
    for (size_t i = 0; good && i < count; i++)
        good = !pair[i].differs || tell_file(&pair[i]);
    free(pair);
    return good;
}

static int search_with(const Job *job, const Arguments *a, const Shards *shards, const Buffer *files,
                       Member *m)
{
    SearchOptions search = {0};
    Queries q = {0};
    SearchTotals totals = {0};
    EngineKind used;
    EngineOptions engine = {.no_cache = a->value[OPTION_NO_CACHE] != NULL};
    if (!read_search_options(a, &search))
        return STATUS_QUERY;
    const EngineKind kind = read_engine(a->value[OPTION_ENGINE]);
    CompileOptions options = search_compile_options(a, &search, &q.all.account);
    options.show = NULL; // rank 0 shows what there is to say about the queries
    const SearchShare share = {.user = m,
                               .claim = claim,
                               .soon = claim_soon,
                               .place = find_place,
                               .reached = note_place,
                               .give = give,
                               .ended = note_end};
    search.input = job->input;
    search.input_count = job->input_count;
    search.shard = shards->shard;
    search.files = shards->shard ? NULL : files;
    search.share = &share;
    search_plan_blocks(&search);
    search.quiet = true;
    const size_t quarter = search_memory_of_results(&search) / 4;
    m->most = quarter < WAITING_BYTES ? quarter : WAITING_BYTES;
    const char **outputs =
        memory_zeroed((size_t)job->query_count, sizeof *outputs); // only their number matters here
    search.outputs = a->value[OPTION_OUTPUT_DIR] ? outputs : NULL;
    int status = STATUS_QUERY;
    if (job_compile(job, &q.all, &options) && queries_open(&q, &options, kind, &engine))
        status = search_until_signal(&q.engine, kind == ENGINE_AUTO ? q.all.module : NULL, q.all.count,
                                     &engine, &search, &totals, &used);
    m->report.games = totals.games;
    m->report.positions = totals.positions;
    m->report.seconds = totals.seconds;
    queries_free(&q);
    free_search_options(&search);
    free(outputs);
    return status;
}

static void take_part(const Buffer *bytes, const Shards *shards)
{
    Job job;
    Arguments a;
    pthread_t thread;
    Member m = {.blocks_of_inputs = SHARE_NONE};
    Buffer files = {0};
    pthread_mutex_init(&m.mutex, NULL);
    pthread_cond_init(&m.moved, NULL);
    pthread_cond_init(&m.wanted, NULL);
    gethostname(m.report.node, sizeof m.report.node - 1);
    bool good = job_get(&job, bytes->start, bytes->length) &&
                read_arguments(&a, COMMAND_SEARCH, NULL, job.arena, job.word_count, job.word);
    if (!good)
        complain(NULL, "rank %d: this is another version of cqlgen-mpi than that of rank 0", message_rank());
    // databases of --local were compared
    good = good && check_files(&job, shards->shard ? job.input_count : 0, &files);
    m.report.failed = true;
    if (good && pthread_create(&thread, NULL, talk, &m) == 0) {
        const int status = search_with(&job, &a, shards, &files, &m);
        m.report.failed = status == STATUS_QUERY || status == STATUS_OUTPUT;
        pthread_mutex_lock(&m.mutex);
        m.over = true;
        pthread_cond_signal(&m.wanted);
        pthread_mutex_unlock(&m.mutex);
        pthread_join(thread, NULL);
    }
    message_send(0, MESSAGE_DONE, &m.report, sizeof m.report);
    wait_for_end();
    buffer_free(&m.results);
    buffer_free(&files);
    job_free(&job);
}

// Looks for the databases that rank 0 has asked for.
static void find_shards(const Buffer *names, Shards *shards)
{
    const char **name = NULL;
    size_t count = 0, capacity = 0;
    for (const char *at = names->start; at < names->start + names->length; at += strlen(at) + 1) {
        MEMORY_PUSH(name, count, capacity, at);
    }
    shards_free(shards);
    shards_find(shards, name, count);
    free(name);
}

void member_run(void)
{
    Shards shards = {0};
    for (Request request = REQUEST_SEARCH; request != REQUEST_END;) {
        Buffer bytes;
        request = message_hear(&bytes);
        if (request == REQUEST_SHARDS)
            find_shards(&bytes, &shards);
        if (request == REQUEST_SEARCH) {
            take_part(&bytes, &shards);
            request = REQUEST_END;
        }
        buffer_free(&bytes);
    }
    shards_free(&shards);
}
