// Matching alone: games parsed beforehand, positions a second of each engine.
#include "bench.h"
#include "tests/tools/games.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Few enough positions to stay in the cache of the processor, as they do in a search that parses and matches
// game by game.
enum { MAX_POSITIONS = 12000 };

static Games *load_games(const Bench *b)
{
    Games *games = calloc(1, sizeof *games);
    if (!games)
        abort();
    for (size_t i = 0; i < b->input_count; i++)
        games_load(games, b->input[i], PARSE_NOTES, MAX_GAMES,
                   MAX_POSITIONS * (int64_t)(i + 1) / (int64_t)b->input_count);
    return games;
}

// What a pass over all games found; must be the same for all engines.
typedef struct Found {
    int64_t games, hits, errors;
} Found;

static Found match_all(Run *run, Games *games)
{
    Found found = {0};
    for (int i = 0; i < games->count; i++) {
        if (games->game[i].skipped || !run_game_test(run, &games->game[i]))
            continue;
        RunResult result;
        run_game(run, &games->game[i], &result);
        found.games += result.matched;
        found.hits += result.matched ? result.hit_count : 0;
        found.errors += result.error != NULL;
    }
    return found;
}

typedef struct Candidate {
    Compiled compiled;
    Engine engine;
    bool open;
    double best; // positions a second
    Found found;
} Candidate;

// One measurement, at least b->seconds long. A new Run each, so that persistent values start afresh.
static void measure(const Bench *b, Candidate *c, Games *games)
{
    char *message = NULL;
    Run *run = run_new(&c->engine.matcher->query[0], &(RunOptions){0}, NULL, &message);
    free(message);
    if (!run)
        return;
    c->found = match_all(run, games);
    int64_t passes = 0;
    double start = bench_processor(), time;
    do {
        match_all(run, games);
        passes++;
        time = bench_processor() - start;
    } while (time < b->seconds);
    double rate = (double)(passes * games->positions) / time;
    if (rate > c->best)
        c->best = rate;
    run_free(run);
}

static void print_rate(const Candidate *c)
{
    if (c->open)
        printf(" %9.2f", c->best / 1e6);
    else
        printf(" %9s", "-");
}

static double print_ratio(const Candidate *over, const Candidate *under)
{
    double ratio = over->open && under->open && under->best > 0 ? over->best / under->best : 0;
    if (ratio > 0)
        printf(" %11.1f", ratio);
    else
        printf(" %11s", "-");
    return ratio;
}

// Measures one query; adds the logarithms of the ratios to the interpreter.
static void match_query(const Bench *b, const char *query, Games *games, double logs[BENCH_ENGINES],
                        int *counted)
{
    Candidate candidate[BENCH_ENGINES] = {0};
    char name[28];
    for (int e = 0; e < BENCH_ENGINES; e++)
        candidate[e].open = bench_open(&candidate[e].engine, &candidate[e].compiled, query, bench_engine[e]);
    for (int round = 0; round < b->rounds; round++)
        for (int e = 0; e < BENCH_ENGINES; e++)
            if (candidate[e].open)
                measure(b, &candidate[e], games);
    const Found *found = &candidate[0].found;
    printf("%-18s %6lld", bench_name(query, name), (long long)found->hits);
    for (int e = 0; e < BENCH_ENGINES; e++)
        print_rate(&candidate[e]);
    double tcc = print_ratio(&candidate[1], &candidate[0]), cc = print_ratio(&candidate[2], &candidate[0]);
    print_ratio(&candidate[2], &candidate[1]);
    if (tcc > 0 && cc > 0) {
        logs[1] += log(tcc);
        logs[2] += log(cc);
        ++*counted;
    }
    if (found->errors > 0)
        printf("  %lld games abandoned", (long long)found->errors);
    for (int e = 1; e < BENCH_ENGINES; e++)
        if (candidate[e].open && memcmp(&candidate[e].found, found, sizeof *found) != 0)
            printf("  DIFFERS: %s", engine_name(bench_engine[e]));
    putchar('\n');
    for (int e = 0; e < BENCH_ENGINES; e++) {
        if (candidate[e].open)
            engine_close(&candidate[e].engine);
        compiled_free(&candidate[e].compiled);
    }
}

void bench_match(const Bench *b)
{
    Games *games = load_games(b);
    double logs[BENCH_ENGINES] = {0};
    int counted = 0;
    printf("Matching alone, %d games with %lld positions in memory; millions of positions a second\n\n",
           games->count, (long long)games->positions);
    printf("%-18s %6s %9s %9s %9s %11s %11s %11s\n", "query", "hits", "interp", "tcc", "cc", "tcc/interp",
           "cc/interp", "cc/tcc");
    for (int q = 0; q < b->query_count; q++)
        match_query(b, b->query[q], games, logs, &counted);
    if (counted > 0)
        printf("%-18s %6s %9s %9s %9s %11.1f %11.1f %11.1f\n", "geometric mean", "", "", "", "",
               exp(logs[1] / counted), exp(logs[2] / counted), exp((logs[2] - logs[1]) / counted));
    putchar('\n');
    games_free(games);
    free(games);
}
