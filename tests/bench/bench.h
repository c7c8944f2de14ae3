// The benchmark, shared between its parts: data, clock, queries. Every rate is the best of several rounds in
// which the candidates take turns, so that a busy machine slows all of them alike; ratios mean more than
// rates.
#ifndef CQL_BENCH_H
#define CQL_BENCH_H

#include "compiler/cli/cli.h"
#include "runtime/match/run.h"

enum { BENCH_ENGINES = 3, BENCH_MAX_QUERIES = 400 };

// The engines in the order of the columns.
extern const EngineKind bench_engine[BENCH_ENGINES];

typedef struct Bench {
    const char *query[BENCH_MAX_QUERIES]; // file names
    int query_count;
    const char *const *input; // PGN files
    size_t input_count;
    double seconds; // least time of one measurement
    int rounds;
} Bench;

// Seconds of a clock that is never set, and of this process's processor time, which other programs disturb least.
double bench_now(void);
double bench_processor(void);

// The file name of a query without its folder and `.cql`, for tables. `out` has room for 28 bytes.
const char *bench_name(const char *path, char out[28]);

// Middle value; sorts the values. 0 when there are none.
double bench_median(double *value, int count);

// Opens an engine for one query; false (with a message on stderr) when the query is refused or the engine
// cannot be had, which includes an engine that was replaced by another. `compiled` must be freed in either
// case.
bool bench_open(Engine *engine, Compiled *compiled, const char *query, EngineKind kind);

// The parts; each prints its table. The first one fills the cache of compiled matchers.
void bench_compile(const Bench *b);
void bench_match(const Bench *b);

#endif
