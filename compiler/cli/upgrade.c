// Runs a search that a signal can end and that may get a faster matcher.
#include "upgrade.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "runtime/value/memory.h"
#include "signals.h"

// ---- the faster matcher -----------------------------------------------------------------------------------

// With less to read, or less time, a search is over before a compiler would help.
enum { LEAST_BYTES = 8 << 20, DELAY_NANOSECONDS = 300000000 };

typedef struct Upgrade {
    Module *const *module;
    int count;
    EngineOptions options;
    Engine engine;
    bool open;
    _Atomic(const Matcher *) matcher;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    atomic_int over; // the search; set under the mutex
} Upgrade;

// Waits a moment; false when the search is over.
static bool goes_on(Upgrade *u)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += DELAY_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&u->mutex);
    while (!u->over && pthread_cond_timedwait(&u->ended, &u->mutex, &until) == 0)
        ;
    pthread_mutex_unlock(&u->mutex);
    return !u->over;
}

static void *make_matcher(void *user)
{
    Upgrade *u = user;
    char *message = NULL;
    if (!goes_on(u))
        return NULL;
    u->open = engine_open(&u->engine, ENGINE_CC, u->module, u->count, &u->options, &message);
    if (u->open)
        atomic_store(&u->matcher, u->engine.matcher);
    free(message); // without a system compiler the search continues as it is
    return NULL;
}

static int64_t input_bytes(const SearchOptions *search)
{
    int64_t sum = 0;
    for (size_t i = 0; i < search->input_count; i++) {
        struct stat status;
        bool regular = stat(search->input[i], &status) == 0 && S_ISREG(status.st_mode);
        sum += regular ? status.st_size : LEAST_BYTES; // a pipe may be long
    }
    return sum;
}

static void upgrade_free(Upgrade *u)
{
    pthread_cond_destroy(&u->ended);
    pthread_mutex_destroy(&u->mutex);
    free(u);
}

// A sequential query stays with its state.
static bool is_sequential(const Matcher *matcher)
{
    bool sequential = false;
    for (uint32_t q = 0; q < matcher->query_count; q++)
        sequential |= (matcher->query[q].flags & QUERY_SEQUENTIAL) != 0;
    return sequential;
}

// Starts a thread that compiles once the search has been running for a moment. NULL when that would not help, or when the
// thread cannot be started; then the search keeps the engine that it has.
static Upgrade *upgrade_start(const Engine *engine, Module *const *module, int count,
                              const EngineOptions *options, SearchOptions *search)
{
    if (!module || engine->kind == ENGINE_CC || is_sequential(engine->matcher) ||
        input_bytes(search) < LEAST_BYTES)
        return NULL;
    Upgrade *u = memory_zeroed(1, sizeof *u);
    u->module = module;
    u->count = count;
    u->options = *options;
    u->options.stop = &u->over;
    pthread_mutex_init(&u->mutex, NULL);
    pthread_cond_init(&u->ended, NULL);
    if (pthread_create(&u->thread, NULL, make_matcher, u) != 0) {
        upgrade_free(u);
        return NULL;
    }
    search->upgrade = &u->matcher;
    return u;
}

// Ends the thread and its compiler after the search. Returns true when the matcher was ready before.
static bool upgrade_finish(Upgrade *u)
{
    if (!u)
        return false;
    bool ready = atomic_load(&u->matcher) != NULL;
    pthread_mutex_lock(&u->mutex);
    u->over = 1;
    pthread_cond_signal(&u->ended);
    pthread_mutex_unlock(&u->mutex);
    pthread_join(u->thread, NULL);
    if (u->open)
        engine_close(&u->engine);
    upgrade_free(u);
    return ready;
}

int search_upgraded(const Engine *engine, Module *const *module, int count, const EngineOptions *options,
                    SearchOptions *search, SearchTotals *totals, EngineKind *used)
{
    search->stop = signals_catch();
    Upgrade *u = upgrade_start(engine, module, count, options, search);
    const int status = search_run(engine->matcher, search, totals);
    *used = upgrade_finish(u) ? ENGINE_CC : engine->kind;
    if (status == STATUS_INTERRUPTED)
        signals_end();
    return status;
}
