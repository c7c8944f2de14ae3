#include "cli.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../runtime/search/search.h"

// A search is compiled with the system compiler beside it when there is at least this much to read.
enum { UPGRADE_BYTES = 8 << 20 };

// The queries of one search: compiled here, or loaded from a matcher.so.
typedef struct Queries {
    Compiled *compiled;
    Module **module;
    int count;
    Engine engine;
    bool open;
} Queries;

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_query(const char *name)
{
    return ends_with(name, ".cql") || ends_with(name, ".CQL");
}

static bool engine_failed(char *message)
{
    fprintf(stderr, "cqlgen: %s\n", message ? message : "the query could not be made ready to run");
    free(message);
    return false;
}

static bool read_engine(const char *name, EngineKind *kind)
{
    static const struct {
        const char *name;
        EngineKind kind;
    } names[] = {{"auto", ENGINE_AUTO}, {"interp", ENGINE_INTERP}, {"tcc", ENGINE_TCC}, {"cc", ENGINE_CC}};
    *kind = ENGINE_AUTO;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!name || strcmp(name, names[i].name) == 0) {
            *kind = names[i].kind;
            return true;
        }
    }
    fprintf(stderr, "cqlgen: unknown engine `%s`; expected auto, interp, tcc or cc\n", name);
    return false;
}

static bool read_format(const char *name, SearchFormat *format)
{
    static const char *const names[] = {"pgn", "positions", "count", "jsonl"};
    *format = FORMAT_PGN;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!name || strcmp(name, names[i]) == 0) {
            *format = (SearchFormat)i;
            return true;
        }
    }
    fprintf(stderr, "cqlgen: unknown format `%s`; expected pgn, positions, count or jsonl\n", name);
    return false;
}

// Compiles the query files and -e texts of the command line.
static bool open_queries(Queries *q, const Arguments *a, int files, EngineKind kind, const EngineOptions *engine)
{
    q->count = files + a->expression_count;
    q->compiled = calloc((size_t)q->count, sizeof *q->compiled);
    q->module = calloc((size_t)q->count, sizeof *q->module);
    if (!q->compiled || !q->module)
        abort();
    CompileOptions options = compile_options(a);
    bool good = true;
    for (int i = 0; i < q->count; i++) {
        const char *text = i < files ? NULL : a->expressions[i - files];
        good &= compile_query(&q->compiled[i], text ? "-e" : a->words[i], text, &options);
        q->module[i] = q->compiled[i].module;
    }
    if (!good)
        return false;
    char *message = NULL;
    q->open = engine_open(&q->engine, kind, q->module, q->count, engine, &message);
    return q->open || engine_failed(message);
}

static bool load_matcher(Queries *q, const char *path)
{
    char *message = NULL;
    q->open = engine_load(&q->engine, path, &message);
    return q->open || engine_failed(message);
}

static void close_queries(Queries *q)
{
    if (q->open)
        engine_close(&q->engine);
    for (int i = 0; i < q->count; i++)
        compiled_free(&q->compiled[i]);
    free(q->compiled);
    free(q->module);
}

// ---- the faster engine that is made while the search runs --------------------------------------------------------

typedef struct Upgrade {
    Queries *queries;
    const EngineOptions *options;
    Engine engine;
    bool open;
    _Atomic(const Matcher *) matcher;
    pthread_t thread;
    bool running;
} Upgrade;

static void *make_upgrade(void *user)
{
    Upgrade *u = user;
    char *message = NULL;
    u->open = engine_open(&u->engine, ENGINE_CC, u->queries->module, u->queries->count, u->options, &message);
    if (u->open)
        atomic_store(&u->matcher, u->engine.matcher);
    free(message); // without a system compiler the search simply goes on as it is
    return NULL;
}

static int64_t input_bytes(const SearchOptions *search)
{
    int64_t sum = 0;
    for (size_t i = 0; i < search->input_count; i++) {
        struct stat status;
        if (stat(search->input[i], &status) == 0 && S_ISREG(status.st_mode))
            sum += status.st_size;
        else
            sum += UPGRADE_BYTES; // a pipe may be long
    }
    return sum;
}

static void start_upgrade(Upgrade *u, SearchOptions *search)
{
    u->running = pthread_create(&u->thread, NULL, make_upgrade, u) == 0;
    if (u->running)
        search->upgrade = &u->matcher;
}

static void finish_upgrade(Upgrade *u)
{
    if (u->running)
        pthread_join(u->thread, NULL);
    if (u->open)
        engine_close(&u->engine);
}

// ---- the command -------------------------------------------------------------------------------------------------

static void print_summary(const SearchTotals *t, const SearchOptions *search, const char *engine)
{
    double seconds = t->seconds > 1e-9 ? t->seconds : 1e-9;
    fprintf(stderr, "%lld of %lld games match (%lld positions searched, %.2f s, %.1f MB/s, %d thread%s, %s)\n",
            (long long)t->matches, (long long)t->games, (long long)t->positions, t->seconds, (double)t->bytes / 1e6 / seconds,
            search->threads, search->threads == 1 ? "" : "s", engine);
    if (t->damaged > 0)
        fprintf(stderr, "%lld game%s damaged; what could be read was searched\n", (long long)t->damaged,
                t->damaged == 1 ? " is" : "s are");
}

static int run(const Arguments *a, Queries *q, SearchOptions *search, bool may_upgrade, const EngineOptions *engine)
{
    if (search->input_count == 0) {
        static const char *from_header;
        from_header = q->engine.matcher->query[0].input;
        if (!from_header) {
            fprintf(stderr, "cqlgen: no games to search: name a PGN file, `-` for standard input, or give the header `input`\n");
            return STATUS_QUERY;
        }
        search->input = &from_header;
        search->input_count = 1;
    }
    Upgrade upgrade = {.queries = q, .options = engine};
    if (may_upgrade && input_bytes(search) >= UPGRADE_BYTES)
        start_upgrade(&upgrade, search);
    SearchTotals totals;
    int status = search_run(q->engine.matcher, search, &totals);
    finish_upgrade(&upgrade);
    if (!a->option[OPTION_QUIET])
        print_summary(&totals, search, upgrade.open ? engine_name(ENGINE_CC) : engine_name(q->engine.kind));
    return status;
}

int command_search(int count, char **argument)
{
    Arguments a;
    EngineKind kind;
    SearchOptions search = {0};
    int64_t threads = sysconf(_SC_NPROCESSORS_ONLN);
    if (!read_arguments(&a, COMMAND_SEARCH, count, argument) || !read_engine(a.option[OPTION_ENGINE], &kind) ||
        !read_format(a.option[OPTION_FORMAT], &search.format))
        return STATUS_QUERY;
    if (a.option[OPTION_THREADS] && !read_number("threads", a.option[OPTION_THREADS], 1, 1024, &threads))
        return STATUS_QUERY;
    if (a.option[OPTION_MAX_STEPS] &&
        !read_number("max-steps", a.option[OPTION_MAX_STEPS], 1, INT64_MAX, &search.max_steps))
        return STATUS_QUERY;
    const char *bad_start = a.option[OPTION_BAD_START];
    if (bad_start && strcmp(bad_start, "skip") != 0 && strcmp(bad_start, "standard") != 0) {
        fprintf(stderr, "cqlgen: option `--bad-start` needs `skip` or `standard`, not `%s`\n", bad_start);
        return STATUS_QUERY;
    }
    search.bad_start_standard = bad_start && strcmp(bad_start, "standard") == 0;
    search.threads = threads > 0 ? (int)threads : 1;
    search.output = a.option[OPTION_OUTPUT];
    search.allow_files = a.option[OPTION_ALLOW_FILES];
    search.quiet = a.option[OPTION_QUIET] != NULL;

    int files = 0; // leading words that name queries
    while (files < a.word_count && is_query(a.words[files]))
        files++;
    bool loaded = files == 0 && a.expression_count == 0 && a.word_count > 0 && ends_with(a.words[0], ".so");
    if (files == 0 && a.expression_count == 0 && !loaded) {
        fprintf(stderr, "cqlgen: expected a query: `cqlgen search QUERY.cql GAMES.pgn...`, a matcher.so, or -e 'FILTERS'\n");
        return STATUS_QUERY;
    }
    search.input = a.words + files + loaded;
    search.input_count = (size_t)(a.word_count - files - loaded);
    EngineOptions engine = {.no_cache = a.option[OPTION_NO_CACHE] != NULL};
    Queries q = {0};
    bool good = loaded ? load_matcher(&q, a.words[0]) : open_queries(&q, &a, files, kind, &engine);
    int status = good ? run(&a, &q, &search, kind == ENGINE_AUTO && !loaded, &engine) : STATUS_QUERY;
    close_queries(&q);
    return status;
}
