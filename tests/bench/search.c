// Whole searches: reading, parsing and matching, megabytes of PGN a second.
#include "bench.h"

#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/search/inputs.h"
#include "runtime/search/search.h"

extern char **environ;

// The inputs are named so often that a search takes long enough to be measured; they stay in the page cache.
typedef struct InputList {
    const char **name;
    size_t count;
} InputList;

enum { MAX_BYTES = 100000000 };

// Reads all games without any query: MB/s of the reader alone. `tree`: with variations.
static void read_only(const SearchOptions *options, bool tree, SearchTotals *totals)
{
    Buffer reports = {0};
    Inputs in = {.options = options};
    Game game;
    GameText text;
    game_init(&game);
    *totals = (SearchTotals){0};
    while (inputs_next_game(&in, &reports, &text)) {
        game_parse(&game, &text, tree ? PARSE_VARIATIONS | PARSE_NOTES : 0, NULL, NULL);
        totals->games++;
        totals->positions += game.view.count;
        reports.length = 0;
    }
    inputs_close(&in);
    totals->bytes = in.earlier_bytes;
    game_free(&game);
    buffer_free(&reports);
}

static InputList repeat_inputs(const Bench *b, size_t times)
{
    InputList in = {malloc(times * b->input_count * sizeof *in.name), times * b->input_count};
    if (!in.name)
        abort();
    for (size_t i = 0; i < in.count; i++)
        in.name[i] = b->input[i % b->input_count];
    return in;
}

// How often the inputs must be read to last `seconds` when reading them once takes `once`.
static size_t times_for(double seconds, double once, int64_t bytes)
{
    double most = bytes > 0 ? MAX_BYTES / (double)bytes : 1,
           times = ceil(seconds / (once > 1e-6 ? once : 1e-6));
    times = times > most ? most : times;
    return times < 1 ? 1 : (size_t)times;
}

// ---- in this process --------------------------------------------------------------------------------------

// One way of reading or searching. matcher NULL: reads only.
typedef struct Way {
    const Matcher *matcher;
    bool tree;
    int threads;
    double best; // MB a second
    SearchTotals totals;
} Way;

static void run_way(const Bench *b, Way *w, size_t times)
{
    InputList in = repeat_inputs(b, times);
    SearchOptions options = {.input = in.name,
                             .input_count = in.count,
                             .format = FORMAT_NONE,
                             .threads = w->threads,
                             .quiet = true};
    double start = bench_now();
    if (w->matcher)
        search_run(w->matcher, &options, &w->totals);
    else
        read_only(&options, w->tree, &w->totals);
    double time = bench_now() - start, rate = time > 0 ? (double)w->totals.bytes / 1e6 / time : 0;
    if (rate > w->best)
        w->best = rate;
    free(in.name);
}

// Lets the ways take turns, each long enough.
static void run_ways(const Bench *b, Way *w, int count)
{
    size_t times[4] = {0};
    for (int i = 0; i < count; i++) {
        double start = bench_now();
        run_way(b, &w[i], 1);
        times[i] = times_for(2 * b->seconds, bench_now() - start, w[i].totals.bytes);
    }
    for (int round = 0; round < b->rounds; round++)
        for (int i = 0; i < count; i++)
            run_way(b, &w[i], times[i]);
}

// The fastest engine that can be had.
static bool open_fastest(Engine *engine, Compiled *compiled, const char *query)
{
    for (int e = BENCH_ENGINES - 1; e >= 0; e--) {
        if (bench_open(engine, compiled, query, bench_engine[e]))
            return true;
        compiled_free(compiled);
    }
    return false;
}

static void search_query(const Bench *b, const char *query)
{
    Compiled compiled = {0};
    Engine engine;
    char name[28];
    if (!open_fastest(&engine, &compiled, query))
        return;
    // The reader takes part in the rounds, so that the share of matching is measured under the same load.
    Way way[3] = {
        {NULL, false, 1, 0, {0}}, {engine.matcher, false, 1, 0, {0}}, {engine.matcher, false, 2, 0, {0}}};
    run_ways(b, way, 3);
    printf("%-18s %-7s %9.1f %9.1f %11.2f %11.2f\n", bench_name(query, name), engine_name(engine.kind),
           way[1].best, way[2].best, way[2].best / way[1].best, way[1].best / way[0].best);
    engine_close(&engine);
    compiled_free(&compiled);
}

void bench_search(const Bench *b)
{
    Way read[2] = {{NULL, false, 1, 0, {0}}, {NULL, true, 1, 0, {0}}};
    run_ways(b, read, 2);
    printf("Reading PGN alone, one thread: %.1f MB/s main lines, %.1f MB/s whole trees with notes\n\n",
           read[0].best, read[1].best);
    printf("Whole searches; MB of PGN a second\n\n");
    printf("%-18s %-7s %9s %9s %11s %11s\n", "query", "engine", "1 thread", "2 threads", "2 : 1",
           "1 : reading");
    for (int q = 0; q < b->query_count; q++)
        search_query(b, b->query[q]);
    putchar('\n');
}

// ---- two programs -----------------------------------------------------------------------------------------

// Seconds of `PROGRAM search QUERY INPUTS`, negative when it fails.
static double run_program(const char *program, const char *query, const InputList *in)
{
    const char *const start_words[] = {program, "search", query};
    const char *const options[] = {"--engine", "cc",       "--format",  "count",  "--threads",
                                   "1",        "--output", "/dev/null", "--quiet"};
    enum { START = 3, OPTIONS = 9 };
    const char **word = calloc(START + OPTIONS + in->count + 1, sizeof *word);
    if (!word)
        abort();
    memcpy(word, start_words, sizeof start_words);
    memcpy(word + START, options, sizeof options);
    memcpy(word + START + OPTIONS, in->name, in->count * sizeof *in->name);
    pid_t child;
    int status = 1;
    double start = bench_now();
    if (posix_spawn(&child, program, NULL, NULL, (char *const *)word, environ) != 0 ||
        waitpid(child, &status, 0) < 0)
        status = 1;
    double time = bench_now() - start;
    free(word);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? time : -1;
}

// Best times of both programs over inputs repeated often enough; false when one of them fails.
static bool compare_programs(const Bench *b, const char *const program[2], const char *query, double best[2],
                             size_t *times)
{
    InputList once = repeat_inputs(b, 1);
    run_program(program[0], query, &once); // fills the cache
    run_program(program[1], query, &once);
    double first = run_program(program[0], query, &once);
    free(once.name);
    if (first < 0)
        return false;
    SearchTotals totals;
    SearchOptions options = {.input = b->input, .input_count = b->input_count};
    read_only(&options, false, &totals);
    *times = times_for(4 * b->seconds, first, totals.bytes);
    InputList in = repeat_inputs(b, *times);
    best[0] = best[1] = INFINITY;
    bool good = true;
    for (int round = 0; round < b->rounds && good; round++) {
        for (int p = 0; p < 2 && good; p++) {
            double time = run_program(program[p], query, &in);
            good = time >= 0;
            best[p] = time < best[p] ? time : best[p];
        }
    }
    *times *= (size_t)totals.bytes;
    free(in.name);
    return good;
}

void bench_previous(const Bench *b, const char *program, const char *previous)
{
    const char *const both[2] = {program, previous};
    double logs = 0;
    int counted = 0;
    printf("Whole searches of two programs, one thread, cc, with start; MB of PGN a second\n\n");
    printf("%-18s %9s %9s %11s\n", "query", "this", "previous", "ratio");
    for (int q = 0; q < b->query_count; q++) {
        double best[2];
        size_t bytes;
        char name[28];
        if (!compare_programs(b, both, b->query[q], best, &bytes)) {
            printf("%-18s %9s %9s %11s\n", bench_name(b->query[q], name), "-", "-", "failed");
            continue;
        }
        double mb = (double)bytes / 1e6;
        printf("%-18s %9.1f %9.1f %11.2f\n", bench_name(b->query[q], name), mb / best[0], mb / best[1],
               best[1] / best[0]);
        logs += log(best[1] / best[0]);
        counted++;
    }
    if (counted > 0)
        printf("%-18s %9s %9s %11.2f\n", "geometric mean", "", "", exp(logs / counted));
}
