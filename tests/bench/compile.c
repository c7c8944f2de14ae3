// From the text of a query to a matcher that runs.
#include "bench.h"

#include <stdlib.h>

// The columns: the three engines, and cc again when the matcher is in the cache.
enum { WAYS = BENCH_ENGINES + 1, CC_COLD = BENCH_ENGINES - 1, CC_WARM = BENCH_ENGINES };

static const char *const way_name[WAYS] = {"interp", "tcc", "cc, cold", "cc, cached"};

// Milliseconds from the query's file to the first moment at which a game could be given to it; negative: not
// possible.
static double time_query(const char *query, int way)
{
    Compiled compiled = {0};
    Engine engine;
    const char *message = NULL;
    double start = bench_now(), end = -1;
    if (bench_open(&engine, &compiled, query, way == CC_WARM ? ENGINE_CC : bench_engine[way])) {
        Run *run = run_new(&engine.matcher->query[0], &(RunOptions){0}, NULL, &message);
        end = bench_now();
        run_free(run);
        engine_close(&engine);
    }
    compiled_free(&compiled);
    return end < 0 ? -1 : 1000 * (end - start);
}

// A cold compilation can be done once only; the others are repeated, and the best counts.
static double best_time(const char *query, int way, int rounds)
{
    double best = time_query(query, way);
    for (int i = 1; i < rounds && way != CC_COLD && best >= 0; i++) {
        double again = time_query(query, way);
        if (again >= 0 && again < best)
            best = again;
    }
    return best;
}

void bench_compile(const Bench *b)
{
    double *time[WAYS];
    int count = 0;
    for (int way = 0; way < WAYS; way++)
        if (!(time[way] = calloc((size_t)b->query_count + 1, sizeof *time[way])))
            abort();
    for (int q = 0; q < b->query_count; q++) {
        bool good = true;
        for (int way = 0; way < WAYS && good; way++)
            good = (time[way][count] = best_time(b->query[q], way, b->rounds)) >= 0;
        count += good;
    }
    printf("From the text of a query to its matcher, %d queries; milliseconds\n\n", count);
    printf("%-14s %9s %9s %9s\n", "", "median", "least", "most");
    for (int way = 0; way < WAYS; way++) {
        double median = bench_median(time[way], count);
        printf("%-14s %9.2f %9.2f %9.2f\n", way_name[way], median, count ? time[way][0] : 0,
               count ? time[way][count - 1] : 0);
        free(time[way]);
    }
    putchar('\n');
}
