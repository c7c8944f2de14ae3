// `cqlgen bench`: times searches of this program and of others.
//
// A measurement is a command that is run several times, each time in a process of its own. All measurements of a query and an
// input take turns, so that a busy machine slows all of them alike.
#ifndef CQL_CLI_BENCH_H
#define CQL_CLI_BENCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/value/buffer.h"
#include "runtime/value/memory.h"

// The names of the engines; cold: nothing is in the cache.
enum { BENCH_ENGINES = 6 };
extern const char *const bench_engine_names[BENCH_ENGINES];

// ---- processes --------------------------------------------------------------------------------------------

// The folder of a benchmark, for everything that it writes. It is removed at the end.
typedef struct BenchFolder {
    char *path;
    char *cache; // of this program's compiled queries
    char *out;   // the standard output of the last process
    char *errors;
    MemoryFile temporary; // path
} BenchFolder;

// Makes the folder in $TMPDIR or /tmp; false and errno when that fails.
bool bench_folder_open(BenchFolder *f);
void bench_folder_close(BenchFolder *f);

// The folder's file or folder with this name (malloc'd).
char *bench_path(const BenchFolder *f, const char *name);

// One process, from its start to its end.
typedef struct BenchRun {
    double seconds, processor; // by the clock; of the process and those that it has waited for
    int64_t memory;            // bytes, the most of one process
    char *problem;             // why it failed (malloc'd), NULL: it did not
} BenchRun;

// Runs a program and waits for it, with its output and errors in the folder's files. `cache`: the folder of this program's
// compiled queries, NULL: the environment stays as it is. Returns false when *stop became non-zero: the process was ended, and
// nothing was measured.
bool bench_run(const BenchFolder *f, char *const *argument, const char *cache, const atomic_int *stop,
               BenchRun *run);

// The beginning or the end of a file of the folder as text (malloc'd); empty when it cannot be read.
char *bench_read(const char *path, bool end);

// ---- other programs ---------------------------------------------------------------------------------------

// A program to compare with, from the command line of `--against`.
typedef struct Competitor {
    char *name;
    char **word;                               // of its command, with placeholders; NULL after the last one
    bool games, database, out, threads, query; // the placeholders that it has
} Competitor;

// What placeholders stand for.
typedef struct CompetitorValues {
    const char *input, *query, *out;
    int threads;
} CompetitorValues;

// Reads [NAME=]COMMAND. The command is split into words as a shell does, with quotes and backslashes; no shell runs. A
// placeholder is replaced within its word, so no value can become more than a part of a word. Returns NULL, or a
// message (malloc'd) about an unknown or unsafe placeholder or a missing quote. competitor_close frees the result, even after a failure.
char *competitor_open(Competitor *r, const char *text);
void competitor_close(Competitor *r);

// The words of a run (a list to be freed with competitor_free_words).
char **competitor_words(const Competitor *r, const CompetitorValues *values);
void competitor_free_words(char **word);

// The games of a PGN file; 0 when there is none.
int64_t bench_count_games(const char *path);

// ---- results ----------------------------------------------------------------------------------------------

// One measurement. Times in seconds.
typedef struct BenchRow {
    const char *query, *input;       // as on the command line
    const char *source;              // pgn or database
    const char *program;             // the engine of this program, or the name of another one
    bool other;                      // it is another one
    int threads;                     // 0: not known
    int64_t games, positions, bytes; // of the input
    int runs;
    double median, least, most, processor; // of the whole run; processor is a median, too
    double start;        // median over no games: start, compilation, loading; negative: unknown
    int64_t memory;      // bytes
    int64_t matches;     // games found; negative: unknown
    const char *counted; // how they were counted; NULL: they were not
    bool differs;        // from the other programs
    const char *problem; // why it failed, or NULL
} BenchRow;

typedef enum BenchFormat { BENCH_TEXT, BENCH_CSV, BENCH_JSON, BENCH_SVG, BENCH_CSV_SAFE } BenchFormat;

// Append a report: its begin, the rows of one query and input, and its end.
void bench_begin(Buffer *out, BenchFormat format);
void bench_rows(Buffer *out, BenchFormat format, const BenchRow *row, size_t count, bool first);
void bench_end(Buffer *out, BenchFormat format, const BenchRow *row, size_t count);

// Appends the whole chart: bars of positions a second for each query and input.
void bench_chart(Buffer *out, const BenchRow *row, size_t count);

// The number of rows from the first one that have its query and input.
size_t bench_group(const BenchRow *row, size_t count);

// Sorts the times; their median, 0 when there are none.
double bench_median_of(double *time, int count);

// Positions a second.
double bench_rate(const BenchRow *row);

#endif
