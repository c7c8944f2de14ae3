// Runs a search that may get a faster matcher.
#include "upgrade.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/search/inputs.h"
#include "runtime/search/worker.h"
#include "runtime/value/memory.h"

// ---- when a compiler pays ---------------------------------------------------------------------------------

// A search of less is over before a compiler would help.
enum { LEAST_BYTES = 128 << 10, STEP_NANOSECONDS = 10000000 };

// What the system compiler takes, roughly: seconds for any query, and for each byte of C that was made from it.
static const double COMPILE_START = 0.05, COMPILE_BYTE = 1e-5, COMPILE_UNKNOWN = 0.3;

// Times the compilation that the search must still take: with an idle processor, where the compiler takes nothing from the
// search, and, divided by the number of processors, without. With 10 the search takes a tenth longer at most, whether or not
// the new matcher is faster.
static const double TIMES_IDLE = 2, TIMES_BUSY = 10;

// The compiler stands back when the search leaves a processor to it: another program may want that too.
enum { NICE_IDLE = 10 };

typedef struct Upgrade {
    Module *const *module;
    int count;
    EngineOptions options;
    Engine engine;
    bool open, escapes; // when memory runs out, the program goes on
    SearchUpgrade search;
    int threads;
    double begin, begin_work;      // by the clock; of the processor
    double compile_seconds, times; // times: one of the factors above
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    atomic_int over; // the search; set under the mutex
} Upgrade;

static double process_seconds(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// How long each thread of the search must still work. While nothing is known of that, as long as it has: the loss is bounded
// then.
static double seconds_left(Upgrade *u)
{
    const double size = (double)atomic_load(&u->search.size);
    const double searched = (double)atomic_load(&u->search.searched);
    if (size <= 0)
        return clock_now() - u->begin;
    const double work = (process_seconds() - u->begin_work) / u->threads;
    return searched <= 0 ? work : searched < size ? work * (size - searched) / searched : 0;
}

// Waits until a compiler pays; false when the search is over.
static bool wait_until_it_pays(Upgrade *u)
{
    pthread_mutex_lock(&u->mutex);
    do {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += STEP_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        while (!u->over && pthread_cond_timedwait(&u->ended, &u->mutex, &until) == 0)
            ;
    } while (!u->over && seconds_left(u) < u->times * u->compile_seconds);
    pthread_mutex_unlock(&u->mutex);
    return !u->over;
}

// ---- the faster matcher -----------------------------------------------------------------------------------

static void *make_matcher(void *user)
{
    Upgrade *u = user;
    MemoryEscape escape;
    char *message = NULL;
    if (!wait_until_it_pays(u))
        return NULL;
    if (u->escapes && setjmp(escape.jump) != 0)
        return NULL;
    if (u->escapes)
        memory_escape_begin(&escape);
    u->open = engine_open(&u->engine, ENGINE_CC, u->module, u->count, &u->options, &message);
    if (u->open)
        atomic_store(&u->search.matcher, u->engine.matcher);
    free(message); // without a system compiler the search continues as it is
    if (u->escapes)
        memory_escape_end(&escape);
    return NULL;
}

static int64_t input_bytes(const SearchOptions *search)
{
    int64_t sum = 0;
    for (size_t i = 0; i < search->input_count; i++) {
        const int64_t size = inputs_size_of(search, i);
        sum += size >= 0 ? size : LEAST_BYTES; // a pipe may be long
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

// Estimates what the compiler costs.
static void estimate(Upgrade *u, const Engine *engine, int threads)
{
    const int processors = search_threads(0);
    const bool idle = threads < processors;
    u->threads = threads;
    u->begin = clock_now();
    u->begin_work = process_seconds();
    u->compile_seconds =
        engine->c_text ? COMPILE_START + COMPILE_BYTE * (double)engine->c_own : COMPILE_UNKNOWN;
    u->times = idle ? TIMES_IDLE : TIMES_BUSY / processors;
    u->options.nice = idle ? NICE_IDLE : 0;
}

// Starts a thread that compiles once the search has run long enough. NULL when that would not help, or when the thread cannot be
// started; then the search keeps the engine that it has.
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
    u->options.like = engine;
    u->options.background = true;
    u->escapes = search->sink != NULL;
    estimate(u, engine, search->threads);
    pthread_mutex_init(&u->mutex, NULL);
    pthread_cond_init(&u->ended, NULL);
    if (pthread_create(&u->thread, NULL, make_matcher, u) != 0) {
        upgrade_free(u);
        return NULL;
    }
    search->upgrade = &u->search;
    return u;
}

// Ends the thread and its compiler after the search. Returns true when the matcher was ready before.
static bool upgrade_finish(Upgrade *u)
{
    if (!u)
        return false;
    bool ready = atomic_load(&u->search.matcher) != NULL;
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

// search_run; STATUS_MEMORY when memory runs out in a program that goes on then.
static int search_matcher(const Matcher *matcher, SearchOptions *search, SearchTotals *totals)
{
    MemoryEscape escape;
    if (!search->sink)
        return search_run(matcher, search, totals);
    if (setjmp(escape.jump) != 0)
        return STATUS_MEMORY;
    memory_escape_begin(&escape);
    const int status = search_run(matcher, search, totals);
    memory_escape_end(&escape);
    return status;
}

int search_upgraded(const Engine *engine, Module *const *module, int count, const EngineOptions *options,
                    SearchOptions *search, SearchTotals *totals, EngineKind *used)
{
    Upgrade *u = upgrade_start(engine, module, count, options, search);
    const int status = search_matcher(engine->matcher, search, totals);
    *used = upgrade_finish(u) ? ENGINE_CC : engine->kind;
    return status;
}
