// Rank 0 of a search.
#include "leader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cli/job.h"
#include "compiler/cli/searching.h"
#include "runtime/share/hub.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "messages.h"
#include "shards.h"

// The last blocks that a rank has got.
typedef struct RankRange {
    uint64_t begin; // of them
    uint64_t place; // the block of the place that the rank has got to begin with
} RankRange;

typedef struct Leader {
    Hub *hub;
    Shards shards;
    Buffer files; // of the search
    SearchShare share;
    bool has_shards, asked; // asked: the other ranks know what to do
    bool stats;
    int ranks, active;  // active: ranks that have not finished
    bool *waits;        // by rank: it has asked for blocks
    bool *claimed;      // by rank: it has got some
    RankRange *range;   // by rank
    uint64_t places;    // of those that the hub knows, these were handed on
    RankReport *report; // by rank
    pthread_t thread;
    bool serving;
} Leader;

// ---- messages of the other ranks --------------------------------------------------------------------------

// Lets a rank know from where it can read on.
static void send_place(Leader *l, int rank)
{
    SharePlace place;
    RankRange *range = &l->range[rank];
    if (range->place >= range->begin || !hub_place(l->hub, range->begin, &place) ||
        place.block <= range->place)
        return;
    range->place = place.block;
    message_send(rank, MESSAGE_PLACE, &place, sizeof place);
}

static void send_places(Leader *l)
{
    const uint64_t places = hub_places(l->hub);
    if (places == l->places)
        return;
    l->places = places;
    for (int rank = 1; rank < l->ranks; rank++)
        send_place(l, rank);
}

// Answers the ranks that wait for blocks; false when there was nothing to answer.
static bool answer_claims(Leader *l)
{
    bool any = false;
    for (int rank = 1; rank < l->ranks; rank++) {
        uint64_t range[2] = {0, 0};
        const HubAnswer answer =
            l->waits[rank] ? hub_claim(l->hub, rank, false, &range[0], &range[1]) : HUB_WAIT;
        if (answer == HUB_WAIT)
            continue;
        l->waits[rank] = false;
        l->claimed[rank] |= answer == HUB_RANGE;
        l->range[rank].begin = range[0];
        send_place(l, rank);
        message_send(rank, MESSAGE_RANGE, range, sizeof range);
        any = true;
    }
    return any;
}

// Results of blocks, each with its length before it.
static void take_results(Leader *l, const char *bytes, size_t length)
{
    if (!hub_put_all(l->hub, bytes, length))
        hub_fail(l->hub);
}

static void take_report(Leader *l, int rank, const char *bytes, size_t length)
{
    if (length == sizeof l->report[rank])
        memcpy(&l->report[rank], bytes, length);
    l->active--;
    l->range[rank].begin = 0;
    if (!l->report[rank].failed || !l->claimed[rank])
        return;
    printf_sanitized(stderr, "cqlgen-mpi: rank %d (%s) has ended before its part of the search\n", rank,
                     l->report[rank].node);
    hub_fail(l->hub);
}

// Takes a message; false when there is none.
static bool take_message(Leader *l)
{
    int rank, kind;
    const char *bytes;
    size_t length;
    uint64_t count;
    SharePlace place;
    if (!message_poll(&rank, &kind, &bytes, &length))
        return false;
    if (!bytes)
        return true;
    if (kind == MESSAGE_CLAIM)
        l->waits[rank] = true;
    else if (kind == MESSAGE_RESULTS)
        take_results(l, bytes, length);
    else if (kind == MESSAGE_DONE)
        take_report(l, rank, bytes, length);
    if (kind == MESSAGE_ENDED && length == sizeof count) {
        memcpy(&count, bytes, sizeof count);
        hub_ended(l->hub, count);
    } else if (kind == MESSAGE_PLACE && length == sizeof place) {
        memcpy(&place, bytes, sizeof place);
        hub_reached(l->hub, &place);
    }
    return true;
}

// Serves the other ranks until all have finished.
static void *serve(void *user)
{
    Leader *l = user;
    long rest = 0;
    while (l->active > 0) {
        const bool answered = answer_claims(l);
        send_places(l);
        if (take_message(l) || answered)
            rest = 0;
        else
            message_sleep(&rest, MOST_REST);
    }
    return NULL;
}

// ---- the search -------------------------------------------------------------------------------------------

static bool find_inputs(void *user, const Arguments *a, InputNames *inputs, SearchOptions *search)
{
    Leader *l = user;
    Buffer names = {0};
    if (!a->value[OPTION_LOCAL])
        return true;
    for (size_t i = 0; i < inputs->count; i++)
        buffer_append(&names, inputs->name[i], strlen(inputs->name[i]) + 1);
    message_ask(REQUEST_SHARDS, &names);
    buffer_free(&names);
    l->has_shards = true;
    if (!shards_find(&l->shards, inputs->name, inputs->count))
        return false;
    inputs_free(inputs);
    for (size_t i = 0; i < l->shards.name.count; i++)
        inputs_add(inputs, l->shards.name.name[i]);
    search->shard = l->shards.shard;
    return true;
}

static bool check(const Queries *q, const SearchOptions *search)
{
    if (q->all.count == 0)
        return complain(NULL, "a compiled matcher is for one processor; name its queries instead");
    for (size_t i = 0; i < search->input_count; i++)
        if (strcmp(search->input[i], "-") == 0)
            return complain(NULL,
                            "standard input cannot be shared by several processes; name a file instead");
    return true;
}

static int begin(void *user, const Arguments *a, const Queries *q, SearchOptions *search)
{
    Leader *l = user;
    const QueryInfo *sequential = find_sequential(q->engine.matcher);
    Buffer key = {0}, job = {0};
    l->stats = a->value[OPTION_STATS] != NULL;
    if (sequential && l->has_shards && l->ranks > 1) {
        complain(NULL,
                 "%s needs all games in their order, and no rank has them all; search it without --local",
                 sequential->name);
        return STATUS_QUERY;
    }
    if (sequential) {
        printf_sanitized(stderr, "cqlgen-mpi: %s needs all games in their order: rank 0 searches alone\n",
                         sequential->name);
        return STATUS_OK;
    }
    if (!check(q, search) || !check_journal(a))
        return STATUS_QUERY;
    if (!put_search_files(&l->files, q, search))
        return STATUS_INPUT;
    job_put(&key, a, &q->all, search, NULL);
    job_put(&job, a, &q->all, search, &l->files);
    l->hub = hub_new(&(HubOptions){.members = l->ranks,
                                   .blocks = search_plan_blocks(search),
                                   .journal = a->value[OPTION_JOURNAL],
                                   .key = key.start,
                                   .key_length = key.length,
                                   .files = &l->files});
    buffer_free(&key);
    if (!l->hub) {
        buffer_free(&job);
        return STATUS_OUTPUT;
    }
    if (l->has_shards) { // which name the newest copies, wherever they are
        search->files = NULL;
        shards_divide(&l->shards, search, l->hub);
    }
    message_ask(REQUEST_SEARCH, &job);
    buffer_free(&job);
    l->asked = true;
    l->active = l->ranks - 1;
    l->share = hub_share(l->hub);
    search->share = &l->share;
    l->serving = pthread_create(&l->thread, NULL, serve, l) == 0;
    if (!l->serving) {
        complain(NULL, "cannot start a thread");
        return STATUS_QUERY;
    }
    return STATUS_OK;
}

// Prints what each rank has done.
static void print_stats(const Leader *l, const SearchTotals *totals)
{
    const double waited = hub_waited(l->hub);
    int64_t games = 0, positions = 0;
    for (int rank = 1; rank < l->ranks; rank++) {
        games += l->report[rank].games;
        positions += l->report[rank].positions;
    }
    printf_sanitized(
        stderr, "  rank     blocks      games     positions   seconds    waited  bytes to rank 0  node\n");
    printf_sanitized(stderr, "%6d %10lld %10lld %13lld %9.2f %9.2f %16d  %s\n", 0,
                     (long long)hub_searched(l->hub), (long long)(totals->games - games),
                     (long long)(totals->positions - positions), totals->seconds, waited, 0, "");
    for (int rank = 1; rank < l->ranks; rank++) {
        const RankReport *r = &l->report[rank];
        printf_sanitized(stderr, "%6d %10lld %10lld %13lld %9.2f %9.2f %16lld  %s\n", rank,
                         (long long)r->blocks, (long long)r->games, (long long)r->positions, r->seconds,
                         r->waited, (long long)r->bytes, r->node);
    }
}

int lead_search(int count, char **argument)
{
    Leader l = {.ranks = message_ranks()};
    const Sharing sharing = {&l, begin, find_inputs};
    l.waits = memory_zeroed((size_t)l.ranks, sizeof *l.waits);
    l.claimed = memory_zeroed((size_t)l.ranks, sizeof *l.claimed);
    l.range = memory_zeroed((size_t)l.ranks, sizeof *l.range);
    l.report = memory_zeroed((size_t)l.ranks, sizeof *l.report);
    SearchTotals totals = {0};
    const int status = search_shared(count, argument, &sharing, &totals);
    if (l.hub)
        hub_fail(l.hub); // those who still ask for blocks get none
    if (l.serving)
        pthread_join(l.thread, NULL);
    for (int rank = 1; l.asked && rank < l.ranks; rank++)
        message_send(rank, MESSAGE_DONE, NULL, 0);
    if (!l.asked)
        message_ask(REQUEST_END, &(Buffer){0});
    if (l.hub && l.stats)
        print_stats(&l, &totals);
    if (l.hub)
        hub_free(l.hub, status != STATUS_OK && status != STATUS_NO_MATCH && status != STATUS_INPUT);
    shards_free(&l.shards);
    buffer_free(&l.files);
    free(l.waits);
    free(l.claimed);
    free(l.range);
    free(l.report);
    return status;
}
