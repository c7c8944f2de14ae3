// Measures the bare loop, the compiler and the matchers; bench.py measures whole programs.
//
//     bench [--seconds S] [--rounds N] [--part compile|match] [--queries FOLDER] GAMES.pgn...
//     bench --bare [--seconds S] [--rounds N] GAMES...
#include "bench.h"
#include "bare.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const EngineKind bench_engine[BENCH_ENGINES] = {ENGINE_INTERP, ENGINE_TCC, ENGINE_CC};

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double bench_processor(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

const char *bench_name(const char *path, char out[28])
{
    const char *slash = strrchr(path, '/');
    snprintf(out, 28, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(out, '.');
    if (dot)
        *dot = '\0';
    return out;
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double bench_median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, compare_numbers);
    return count > 0 ? value[count / 2] : 0;
}

bool bench_open(Engine *engine, Compiled *compiled, const char *query, EngineKind kind)
{
    CompileOptions options = {.optimize = true, .variations = -1, .show = show_diagnostics};
    if (!compile_query(compiled, query, NULL, &options))
        return false;
    EngineOptions engine_options = {0};
    char *message = NULL;
    if (!engine_open(engine, kind, &compiled->module, 1, &engine_options, &message)) {
        fprintf(stderr, "bench: %s: %s: %s\n", query, engine_name(kind),
                message ? message : "cannot be used");
        free(message);
        return false;
    }
    if (engine->kind == kind)
        return true;
    fprintf(stderr, "bench: %s: not available\n", engine_name(kind));
    engine_close(engine);
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Adds the query files of a folder in the order of their names. The names are never freed.
static void add_queries(Bench *b, const char *folder)
{
    DIR *dir = opendir(folder);
    int first = b->query_count;
    for (struct dirent *e; dir && (e = readdir(dir)) && b->query_count < BENCH_MAX_QUERIES;) {
        size_t length = strlen(e->d_name);
        char *name = NULL;
        if (length > 4 && strcmp(e->d_name + length - 4, ".cql") == 0 &&
            asprintf(&name, "%s/%s", folder, e->d_name) > 0)
            b->query[b->query_count++] = name;
    }
    if (dir)
        closedir(dir);
    qsort(b->query + first, (size_t)(b->query_count - first), sizeof *b->query, compare_names);
}

// A cache of compiled matchers that is empty at the start and belongs to this run alone.
static void private_cache(char folder[32])
{
    strcpy(folder, "/tmp/cqlgen-bench-XXXXXX");
    if (!mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1) != 0) {
        perror("bench: /tmp");
        exit(2);
    }
}

static void remove_cache(const char *folder)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "bench: cannot remove %s\n", folder);
}

typedef struct Wanted {
    const char *part, *queries;
    bool bare;
} Wanted;

static int read_options(int count, char **argument, Bench *b, Wanted *w)
{
    int i = 1;
    for (; i < count && strncmp(argument[i], "--", 2) == 0; i += 2) {
        const char *value = i + 1 < count ? argument[i + 1] : "";
        if (strcmp(argument[i], "--bare") == 0) {
            w->bare = true;
            i--;
        } else if (strcmp(argument[i], "--part") == 0) {
            w->part = value;
        } else if (strcmp(argument[i], "--queries") == 0) {
            w->queries = value;
        } else if (strcmp(argument[i], "--seconds") == 0) {
            b->seconds = atof(value);
        } else if (strcmp(argument[i], "--rounds") == 0) {
            b->rounds = atoi(value);
        } else {
            return -1;
        }
    }
    return i < count ? i : -1;
}

static int bare(const Bench *b)
{
    BareLines lines = {0};
    bare_load(&lines, b->input, b->input_count);
    printf("%zu games, %lld positions, %lld matches\n", lines.games, (long long)lines.positions,
           (long long)lines.expected);
    printf("bare loop: %.1f million positions a second\n",
           bare_rate(&lines, bare_replay, b->seconds, b->rounds) / 1e6);
    printf("tuned:     %.1f million positions a second\n",
           bare_rate(&lines, bare_replay_tuned, b->seconds, b->rounds) / 1e6);
    bare_free(&lines);
    return 0;
}

int main(int count, char **argument)
{
    Bench b = {.seconds = 0.2, .rounds = 3};
    Wanted w = {.queries = "tests/bench/queries"};
    int first = read_options(count, argument, &b, &w);
    if (first < 0) {
        fputs("usage: bench [--seconds S] [--rounds N] [--part compile|match] "
              "[--queries FOLDER] [--bare] GAMES...\n",
              stderr);
        return 2;
    }
    b.input = (const char *const *)argument + first;
    b.input_count = (size_t)(count - first);
    if (w.bare)
        return bare(&b);
    add_queries(&b, w.queries);
    char cache[32];
    private_cache(cache);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!w.part || strcmp(w.part, "compile") == 0) {
        Bench all = b;
        add_queries(&all, "examples");
        bench_compile(&all);
    }
    if (!w.part || strcmp(w.part, "match") == 0)
        bench_match(&b);
    remove_cache(cache);
    return 0;
}
