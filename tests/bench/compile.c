// From the text of a query to its first answer.
#include "bench.h"
#include "tests/tools/games.h"

#include <stdlib.h>
#include <string.h>

// The columns: the three engines, and cc again when the matcher is in the cache.
enum { WAYS = BENCH_ENGINES + 1, TCC = 1, CC_COLD = BENCH_ENGINES - 1, CC_WARM = BENCH_ENGINES };

static const char *const way_name[WAYS] = {"interp", "tcc", "cc, cold", "cc, cached"};

enum { SLOWEST = 5 }; // queries that are named

typedef struct Times {
    const char *query;
    double time[WAYS]; // milliseconds
} Times;

// Milliseconds from the query's file to its answer about the game; negative: not possible.
static double time_query(const char *query, int way, Game *game)
{
    Compiled compiled = {0};
    Engine engine;
    char *message = NULL;
    double start = bench_now(), end = -1;
    if (bench_open(&engine, &compiled, query, way == CC_WARM ? ENGINE_CC : bench_engine[way])) {
        Run *run = run_new(&engine.matcher->query[0], &(RunOptions){0}, NULL, &message);
        free(message);
        RunResult result;
        if (run != NULL && run_game_test(run, game))
            run_game(run, game, &result);
        end = bench_now();
        run_free(run);
        engine_close(&engine);
    }
    compiled_free(&compiled);
    return end < 0 ? -1 : 1000 * (end - start);
}

// A cold compilation can be done once only; the others are repeated, and the best counts.
static double best_time(const char *query, int way, int rounds, Game *game)
{
    double best = time_query(query, way, game);
    for (int i = 1; i < rounds && way != CC_COLD && best >= 0; i++) {
        double again = time_query(query, way, game);
        if (again >= 0 && again < best)
            best = again;
    }
    return best;
}

// Slowest first.
static int compare_tcc(const void *left, const void *right)
{
    const double a = ((const Times *)left)->time[TCC], b = ((const Times *)right)->time[TCC];
    return (a < b) - (a > b);
}

static void print_rows(Times *row, int count)
{
    double *time = calloc((size_t)count + 1, sizeof *time);
    if (!time)
        abort();
    printf("From the text of a query to the answer about the first game, %d queries; milliseconds\n\n",
           count);
    printf("%-14s %9s %9s %9s\n", "", "median", "least", "most");
    for (int way = 0; way < WAYS; way++) {
        for (int i = 0; i < count; i++)
            time[i] = row[i].time[way];
        double median = bench_median(time, count);
        printf("%-14s %9.2f %9.2f %9.2f\n", way_name[way], median, count ? time[0] : 0,
               count ? time[count - 1] : 0);
    }
    free(time);
    qsort(row, (size_t)count, sizeof *row, compare_tcc);
    printf("\n%-28s %9s %9s\n", "slowest with tcc", "interp", "tcc");
    for (int i = 0; i < count && i < SLOWEST; i++) {
        char name[28];
        printf("%-28s %9.2f %9.2f\n", bench_name(row[i].query, name), row[i].time[0], row[i].time[TCC]);
    }
    putchar('\n');
}

void bench_compile(const Bench *b)
{
    Games *games = calloc(1, sizeof *games);
    Times *row = calloc((size_t)b->query_count + 1, sizeof *row);
    int count = 0;
    if (!games || !row)
        abort();
    games_load(games, b->input[0], PARSE_NOTES, 1, INT64_MAX);
    for (int q = 0; q < b->query_count && games->count > 0; q++) {
        bool good = true;
        row[count].query = b->query[q];
        for (int way = 0; way < WAYS && good; way++)
            good = (row[count].time[way] = best_time(b->query[q], way, b->rounds, &games->game[0])) >= 0;
        count += good;
    }
    print_rows(row, count);
    free(row);
    games_free(games);
    free(games);
}
