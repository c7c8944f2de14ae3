// Searches for other programs: a thread that searches, and a queue of what it finds.
#include <errno.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "groups.h"
#include "messages.h"
#include "options.h"
#include "runtime/format/explorer.h"
#include "runtime/value/memory.h"
#include "query.h"
#include "parcel.h"
#include "runtime/search/search.h"
#include "runtime/search/sink.h"
#include "upgrade.h"

enum {
    MOST_QUEUED = 4 << 20, // bytes that wait for the caller
    SEARCH_STACK = 8 << 20
};

// What the search has to say: parcels of games, lines of reports, or the output of a query.
typedef enum EntryKind { ENTRY_GAMES, ENTRY_REPORTS, ENTRY_OUTPUT } EntryKind;

typedef struct Entry {
    struct Entry *next;
    EntryKind kind;
    size_t length;
    alignas(max_align_t) char bytes[];
} Entry;

struct CqlSearch {
    CqlQuery *query;
    Text *in_memory;
    char **name;
    size_t count;
    char *allow_files;
    uint32_t want;
    SearchSink sink;
    GroupSpec spec; // that of the query with the options of this search
    Arena *arena;   // of the groups
    CqlGroups *groups;
    ExplorerTable explorer;
    Buffer explored; // its text
    SearchOptions options;
    atomic_int stop;
    pthread_t thread;
    pthread_mutex_t mutex; // guards what follows, up to the caller's own
    pthread_cond_t filled, taken;
    Entry *first, **end;
    size_t queued; // bytes
    bool closed;   // the caller wants no more
    bool over, out_of_memory;
    CqlStatus status;
    SearchTotals totals;
    // The caller's own.
    Entry *entry; // whose games are being read, at `next`
    char *next;
    CqlMessages *messages;
    bool lost; // memory has run out: what is left is not freed
};

// ---- the thread that searches -----------------------------------------------------------------------------

static void add_entry(CqlSearch *s, EntryKind kind, const char *bytes, size_t length)
{
    Entry *entry = memory_new(sizeof *entry + length);
    entry->next = NULL;
    entry->kind = kind;
    entry->length = length;
    memcpy(entry->bytes, bytes, length);
    pthread_mutex_lock(&s->mutex);
    *s->end = entry;
    s->end = &entry->next;
    s->queued += length;
    pthread_cond_signal(&s->filled);
    pthread_mutex_unlock(&s->mutex);
}

static void write_game(void *user, Buffer *out, const FoundGame *game, FormatMemory *memory)
{
    const CqlSearch *s = user;
    parcel_write(out, game, memory, s->want);
}

// Waits for the caller when too much is in the queue.
static bool take_games(void *user, const char *bytes, size_t length)
{
    CqlSearch *s = user;
    pthread_mutex_lock(&s->mutex);
    while (s->queued > MOST_QUEUED && !s->closed)
        pthread_cond_wait(&s->taken, &s->mutex);
    const bool wanted = !s->closed;
    pthread_mutex_unlock(&s->mutex);
    if (wanted)
        add_entry(s, ENTRY_GAMES, bytes, length);
    return wanted;
}

static void take_messages(void *user, bool is_report, const char *text, size_t length)
{
    add_entry(user, is_report ? ENTRY_REPORTS : ENTRY_OUTPUT, text, length);
}

// Keeps the groups, which the caller sees when the search is over.
static void take_groups(void *user, const GroupTable *table, const Matcher *matcher)
{
    CqlSearch *s = user;
    s->arena = arena_new();
    s->groups = groups_give(s->arena, &s->spec, s->query->measures, table, matcher);
}

static void note_totals(void *user, const SearchTotals *totals)
{
    CqlSearch *s = user;
    pthread_mutex_lock(&s->mutex);
    s->totals = *totals;
    pthread_mutex_unlock(&s->mutex);
}

static CqlStatus status_of(int status)
{
    switch (status) {
    case STATUS_OK:
    case STATUS_NO_MATCH:
    case STATUS_INPUT:       // the messages say what was not searched
    case STATUS_GAME_ERRORS: // likewise
        return CQL_END;
    case STATUS_INTERRUPTED:
        return CQL_STOPPED;
    default:
        return CQL_FAILED;
    }
}

static void *search_work(void *user)
{
    CqlSearch *s = user;
    CqlQuery *query = s->query;
    SearchTotals totals = {0};
    EngineKind used;
    const bool upgrades = query->may_upgrade && !atomic_flag_test_and_set(&query->upgrading);
    const int status = search_upgraded(&query->engine, upgrades ? query->module : NULL, query->count,
                                       &query->engine_options, &s->options, &totals, &used);
    if (upgrades)
        atomic_flag_clear(&query->upgrading);
    note_totals(s, &totals);
    pthread_mutex_lock(&s->mutex);
    s->status = status_of(status);
    s->out_of_memory = status == STATUS_MEMORY;
    s->over = true;
    pthread_cond_signal(&s->filled);
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

// ---- begin ------------------------------------------------------------------------------------------------

static char *copy_text(const char *text)
{
    return text ? memory_copy(text, strlen(text)) : NULL;
}

static void copy_inputs(CqlSearch *s, const CqlInput *input, size_t count)
{
    s->count = count;
    s->name = memory_zeroed(count, sizeof *s->name);
    s->in_memory = memory_zeroed(count, sizeof *s->in_memory);
    for (size_t i = 0; i < count; i++) {
        s->name[i] = copy_text(input[i].name ? input[i].name : "games");
        if (input[i].text)
            s->in_memory[i] = (Text){input[i].text, input[i].length};
    }
}

static void set_options(CqlSearch *s, const CqlSearchOptions *o)
{
    const bool games = s->want & (CQL_WANT_HITS | CQL_WANT_PGN);
    const bool counts = s->want & (CQL_WANT_COUNTS | CQL_WANT_GROUPS | CQL_WANT_EXPLORER);
    s->spec = s->query->spec;
    s->spec.of_all = o->of_all != 0;
    s->spec.order = o->group_order == CQL_GROUPS_BY_KEY     ? GROUP_ORDER_KEY
                    : o->group_order == CQL_GROUPS_BY_GAMES ? GROUP_ORDER_GAMES
                                                            : GROUP_ORDER_USUAL;
    s->spec.limit = o->limit > 0 ? o->limit : 0;
    s->allow_files = copy_text(o->allow_files);
    s->sink = (SearchSink){.user = s,
                           .write = counts ? NULL : write_game,
                           .flags = counts ? 0 : FORMAT_GAME | FORMAT_SORTED | (games ? FORMAT_LOG : 0),
                           .squares = (s->want & CQL_WANT_HITS) && s->query->squares,
                           .take = take_games,
                           .groups = take_groups,
                           .tell = take_messages};
    s->options = (SearchOptions){.input = (const char *const *)s->name,
                                 .input_count = s->count,
                                 .in_memory = s->in_memory,
                                 .sink = &s->sink,
                                 .format = FORMAT_NONE,
                                 .threads = search_threads(o->threads),
                                 .quiet = true,
                                 .count_by = s->want == CQL_WANT_GROUPS ? &s->spec : NULL,
                                 .explorer = s->want == CQL_WANT_EXPLORER ? &s->explorer : NULL,
                                 .sample = search_sample(o->sample),
                                 .run.first = o->first != 0,
                                 .limit = !counts || s->want == CQL_WANT_COUNTS ? o->limit : 0,
                                 .first_game = o->first_game,
                                 .last_game = o->last_game,
                                 .max_seconds = o->max_seconds,
                                 .run.max_steps = o->max_steps,
                                 .memory = o->memory,
                                 .no_sort = o->no_sort != 0,
                                 .run.allow_commands = o->allow_commands != 0,
                                 .run.allow_files = s->allow_files,
                                 .stop = &s->stop,
                                 .progressed = note_totals,
                                 .user = s};
}

static void init_waiting(CqlSearch *s)
{
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->filled, &clock);
    pthread_cond_init(&s->taken, NULL);
    pthread_condattr_destroy(&clock);
    s->end = &s->first;
}

static void free_search(CqlSearch *s)
{
    for (Entry *entry = s->first, *next; entry; entry = next) {
        next = entry->next;
        free(entry);
    }
    free(s->entry);
    for (size_t i = 0; i < s->count; i++)
        free(s->name[i]);
    free(s->name);
    free(s->in_memory);
    free(s->allow_files);
    if (s->arena)
        arena_free(s->arena);
    explorer_free(&s->explorer);
    buffer_free(&s->explored);
    cql_messages_free(s->messages);
    pthread_cond_destroy(&s->filled);
    pthread_cond_destroy(&s->taken);
    pthread_mutex_destroy(&s->mutex);
    query_release(s->query);
    free(s);
}

// What is wrong with the options for the query, or NULL.
static char *check_groups(const CqlQuery *query, const CqlSearchOptions *o)
{
    if (o->want != CQL_WANT_GROUPS)
        return o->of_all ? memory_format("`of_all` is about groups; add CQL_WANT_GROUPS") : NULL;
    if (query->spec.count == 0)
        return memory_format("the query has no keys of groups; compile it with `count_by`");
    GroupSpec spec = query->spec;
    spec.of_all = o->of_all != 0;
    char *wrong = group_spec_check(&spec);
    if (wrong)
        return wrong;
    return NULL;
}

static char *check_options(const CqlSearchOptions *o)
{
    enum {
        ALONE = CQL_WANT_COUNTS | CQL_WANT_GROUPS | CQL_WANT_EXPLORER,
        ALL = CQL_WANT_HITS | CQL_WANT_PGN | CQL_WANT_TAGS | ALONE
    };
    const OptionRange range[] = {{"threads", o->threads, 0, INT32_MAX},
                                 OPTION_FROM_0(o, limit),
                                 OPTION_FROM_0(o, first_game),
                                 OPTION_FROM_0(o, last_game),
                                 OPTION_FROM_0(o, max_seconds),
                                 OPTION_FROM_0(o, max_steps),
                                 OPTION_FROM_0(o, memory),
                                 {"sample", o->sample, 0, 100},
                                 OPTION_FROM_0(o, min_games),
                                 {"plies", o->plies, 0, EXPLORER_PLIES},
                                 {"group_order", o->group_order, CQL_GROUPS_USUAL, CQL_GROUPS_BY_GAMES}};
    if (o->want & ~(uint32_t)ALL)
        return memory_format("`want` is %u; expected CQL_WANT_HITS and the like", (unsigned)o->want);
    if ((o->want & ALONE) && (o->want & (o->want - 1)))
        return memory_format(
            "`want` is %u; CQL_WANT_COUNTS, CQL_WANT_GROUPS and CQL_WANT_EXPLORER go with nothing else",
            (unsigned)o->want);
    return options_check(range, sizeof range / sizeof *range);
}

static char *check_inputs(const CqlQuery *query, const CqlInput *input, size_t count)
{
    if (!query)
        return memory_format("`query` is NULL");
    if (!input && count > 0)
        return memory_format("`input` is NULL, but `count` is %zu", count);
    for (size_t i = 0; i < count; i++)
        if (!input[i].name && !input[i].text)
            return memory_format("`input[%zu]` has neither a text nor the name of a file", i);
    return NULL;
}

// Reads the position of the explorer; false, and an error, when it is none.
static bool read_position(const CqlSearchOptions *o, ExplorerTable *table, CqlMessages **messages)
{
    size_t fault;
    const char *wrong =
        explorer_init(table, o->position ? o->position : "", o->plies > 0 ? o->plies : 1, &fault);
    table->least = o->min_games;
    if (!wrong)
        return true;
    CqlMessages *list = messages_new();
    messages_add(list,
                 &(CqlMessage){.file = "position", .line = 1, .column = (int32_t)fault + 1, .text = wrong});
    messages_give(list, messages);
    return false;
}

static CqlSearch *start_search(CqlQuery *query, const CqlInput *input, size_t count,
                               const CqlSearchOptions *options, CqlMessages **messages)
{
    CqlSearch *s = memory_zeroed(1, sizeof *s);
    s->query = query_keep(query);
    s->messages = messages_new();
    s->want = options->want ? options->want : CQL_WANT_HITS;
    init_waiting(s);
    copy_inputs(s, input, count);
    set_options(s, options);
    if (s->options.explorer && !read_position(options, &s->explorer, messages)) {
        free_search(s);
        return NULL;
    }
    const int error = thread_start(&s->thread, SEARCH_STACK, search_work, s);
    if (error == 0)
        return s;
    CqlMessages *list = messages_new();
    char *text = memory_format("cannot start a thread: %s", strerror(error));
    messages_fail(list, text);
    messages_give(list, messages);
    free(text);
    free_search(s);
    return NULL;
}

CqlSearch *cql_search(CqlQuery *query, const CqlInput *input, size_t count, const CqlSearchOptions *given,
                      CqlMessages **messages)
{
    CqlSearchOptions options;
    MemoryEscape escape;
    if (messages)
        *messages = NULL;
    if (setjmp(escape.jump) != 0) {
        if (messages)
            *messages = messages_of_memory();
        return NULL;
    }
    memory_escape_begin(&escape);
    char *wrong = options_take(&options, sizeof options, given, "CqlSearchOptions");
    if (!wrong)
        wrong = check_inputs(query, input, count);
    if (!wrong)
        wrong = check_options(&options);
    if (!wrong)
        wrong = check_groups(query, &options);
    if (wrong)
        messages_refuse(wrong, messages);
    CqlSearch *s = wrong ? NULL : start_search(query, input, count, &options, messages);
    free(wrong);
    memory_escape_end(&escape);
    return s;
}

// ---- the caller -------------------------------------------------------------------------------------------

static struct timespec time_in(int32_t milliseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += milliseconds / 1000;
    t.tv_nsec += milliseconds % 1000 * 1000000L;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

// Takes the next entry out of the queue; NULL and *status when there is none.
static Entry *take_entry(CqlSearch *s, int32_t milliseconds, CqlStatus *status)
{
    const struct timespec until = time_in(milliseconds < 0 ? 0 : milliseconds);
    int error = 0;
    pthread_mutex_lock(&s->mutex);
    while ((!s->first || s->closed) && !s->over && error == 0)
        error = milliseconds < 0 ? pthread_cond_wait(&s->filled, &s->mutex)
                                 : pthread_cond_timedwait(&s->filled, &s->mutex, &until);
    Entry *entry = s->closed ? NULL : s->first;
    *status = !s->over ? CQL_WAIT : s->closed ? CQL_STOPPED : s->status;
    s->lost |= s->over && s->out_of_memory;
    if (entry) {
        s->first = entry->next;
        s->end = s->first ? s->end : &s->first;
        s->queued -= entry->length;
        pthread_cond_signal(&s->taken);
    }
    pthread_mutex_unlock(&s->mutex);
    return entry;
}

static void add_messages(CqlSearch *s, const Entry *entry)
{
    const ReportNames names = {(const char *const *)s->name, s->count, s->query->engine.matcher};
    if (entry->kind == ENTRY_REPORTS) {
        messages_reports(s->messages, entry->bytes, entry->length, &names);
        return;
    }
    messages_output(s->messages, entry->bytes, entry->length);
}

static CqlStatus next_game(CqlSearch *s, int32_t milliseconds, const CqlGame **game)
{
    CqlStatus status;
    while (!s->entry || s->next == s->entry->bytes + s->entry->length || atomic_load(&s->stop)) {
        free(s->entry);
        s->entry = take_entry(s, milliseconds, &status);
        if (!s->entry)
            return status;
        s->next = s->entry->bytes;
        if (s->entry->kind != ENTRY_GAMES) {
            add_messages(s, s->entry);
            s->next += s->entry->length;
        }
    }
    *game = parcel_open(&s->next);
    return CQL_GAME;
}

CqlStatus cql_search_next(CqlSearch *s, int32_t milliseconds, const CqlGame **game)
{
    MemoryEscape escape;
    if (game)
        *game = NULL;
    if (!s || !game || s->lost)
        return CQL_FAILED;
    if (setjmp(escape.jump) != 0) {
        cql_search_stop(s);
        s->lost = true;
        return CQL_FAILED;
    }
    memory_escape_begin(&escape);
    const CqlStatus status = next_game(s, milliseconds, game);
    memory_escape_end(&escape);
    return status;
}

// Is the search at its end, with all that it has found?
static bool is_whole(CqlSearch *s)
{
    pthread_mutex_lock(&s->mutex);
    const bool whole = s->over && s->status == CQL_END && !s->lost;
    pthread_mutex_unlock(&s->mutex);
    return whole;
}

const CqlGroups *cql_search_groups(CqlSearch *s)
{
    return s && is_whole(s) ? s->groups : NULL;
}

const char *cql_explore(CqlSearch *s, CqlExplorerForm form)
{
    MemoryEscape escape;
    if (!s || !s->options.explorer || !is_whole(s) || form < CQL_EXPLORER_TEXT || form > CQL_EXPLORER_HTML)
        return NULL;
    if (setjmp(escape.jump) != 0)
        return NULL;
    memory_escape_begin(&escape);
    s->explored.length = 0;
    explorer_write(&s->explored, (ExplorerFormat)form, &s->explorer);
    buffer_append(&s->explored, "", 1);
    memory_escape_end(&escape);
    return s->explored.start;
}

void cql_search_stop(CqlSearch *s)
{
    if (!s)
        return;
    atomic_store(&s->stop, 1);
    pthread_mutex_lock(&s->mutex);
    s->closed = true;
    pthread_cond_signal(&s->taken);
    pthread_cond_signal(&s->filled);
    pthread_mutex_unlock(&s->mutex);
}

const CqlMessages *cql_search_messages(CqlSearch *s)
{
    return !s ? NULL : s->lost ? messages_of_memory() : s->messages;
}

int32_t cql_search_totals(CqlSearch *s, CqlTotals *totals)
{
    if (!s || !totals || totals->size < sizeof totals->size)
        return 0;
    pthread_mutex_lock(&s->mutex);
    const SearchTotals t = s->totals;
    pthread_mutex_unlock(&s->mutex);
    const size_t size = totals->size < sizeof *totals ? totals->size : sizeof *totals;
    const CqlTotals all = {.size = totals->size,
                           .games = t.games,
                           .matches = t.matches,
                           .hits = t.hits,
                           .positions = t.positions,
                           .bytes = t.bytes,
                           .damaged = t.damaged,
                           .errors = t.errors,
                           .seconds = t.seconds};
    memcpy(totals, &all, size);
    return 1;
}

void cql_search_free(CqlSearch *s)
{
    if (!s)
        return;
    cql_search_stop(s);
    pthread_join(s->thread, NULL);
    if (!s->lost && !s->out_of_memory)
        free_search(s);
}
