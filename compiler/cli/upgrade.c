// Runs a search that a signal can end and that may get a faster matcher.
#include "upgrade.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "runtime/value/memory.h"

// ---- signals ----------------------------------------------------------------------------------------------

static atomic_int interrupted; // number of the signal
static _Atomic time_t interrupted_at;

// The first signal ends the search in good order, a later one the program. Signals within a second are the
// same request: timeout(1), for one, signals a process and then its group.
static void interrupt(int signal_number)
{
    const int error = errno; // of the interrupted code
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    if (interrupted && t.tv_sec > interrupted_at + 1) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    if (!interrupted)
        interrupted_at = t.tv_sec;
    interrupted = signal_number;
    errno = error;
}

// Makes SIGINT, SIGTERM and SIGHUP, unless they are ignored, set `interrupted`.
static void catch_interrupts(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old, action = {.sa_handler = interrupt};
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

// Ends the program as the signal would have.
static void end_by_signal(void)
{
    fflush(NULL);
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}

// ---- the faster matcher -----------------------------------------------------------------------------------

// With less to read, or less time, a search is over before a compiler would help.
enum { LEAST_BYTES = 8 << 20, DELAY_NANOSECONDS = 300000000 };

typedef struct Upgrade {
    Module *const *module;
    int count;
    const EngineOptions *options;
    Engine engine;
    bool open;
    _Atomic(const Matcher *) matcher;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool over; // the search; guarded by mutex
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
    bool over = u->over;
    pthread_mutex_unlock(&u->mutex);
    return !over;
}

static void *make_matcher(void *user)
{
    Upgrade *u = user;
    char *message = NULL;
    if (!goes_on(u))
        return NULL;
    u->open = engine_open(&u->engine, ENGINE_CC, u->module, u->count, u->options, &message);
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

// Starts a thread that compiles once the search has been running for a moment. NULL when there is too little
// to read, or no thread: the search continues as it is.
static Upgrade *upgrade_start(Module *const *module, int count, const EngineOptions *options,
                              SearchOptions *search)
{
    if (!module || input_bytes(search) < LEAST_BYTES)
        return NULL;
    Upgrade *u = memory_zeroed(1, sizeof *u);
    u->module = module;
    u->count = count;
    u->options = options;
    pthread_mutex_init(&u->mutex, NULL);
    pthread_cond_init(&u->ended, NULL);
    if (pthread_create(&u->thread, NULL, make_matcher, u) != 0) {
        upgrade_free(u);
        return NULL;
    }
    search->upgrade = &u->matcher;
    return u;
}

// Ends the thread after the search. Returns true when the matcher was ready before.
static bool upgrade_finish(Upgrade *u)
{
    if (!u)
        return false;
    bool ready = atomic_load(&u->matcher) != NULL;
    pthread_mutex_lock(&u->mutex);
    u->over = true;
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
    search->stop = &interrupted;
    Upgrade *u = upgrade_start(module, count, options, search);
    catch_interrupts();
    const int status = search_run(engine->matcher, search, totals);
    *used = upgrade_finish(u) ? ENGINE_CC : engine->kind;
    if (status == STATUS_INTERRUPTED)
        end_by_signal();
    return status;
}
