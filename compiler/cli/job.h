// A search as bytes, from which another process can do the same search: options, queries, names of inputs.
#ifndef CQL_CLI_JOB_H
#define CQL_CLI_JOB_H

#include "cli.h"
#include "runtime/search/search.h"
#include "runtime/value/buffer.h"

typedef struct JobQuery {
    Source source;
    bool from_expression; // -e
} JobQuery;

typedef struct Job {
    Arena *arena; // owns everything
    char **word;  // the options, as words of a command line
    int word_count;
    JobQuery *query;
    int query_count;
    const char **input;
    int64_t *input_size; // of job_input_size
    size_t input_count;
} Job;

// Appends the search: the options that its results depend on, the texts of its queries, the names and sizes of its
// inputs, and the version of cqlgen. `whole`: also the options that only the process that searches needs. Returns an input that
// can be read but whose size cannot be had; NULL: there is none.
const char *job_put(Buffer *out, const Arguments *a, const CompiledAll *all, const SearchOptions *search,
                    bool whole);

// The size of an input as jobs have it, in bytes.
enum {
    JOB_NO_FILE = -1, // it is a pipe, or cannot be read
    JOB_NO_SIZE = -2  // the system did not tell
};
int64_t job_input_size(const char *name);

// Reads what job_put has written; false when it is something else, or from another version. job_free frees the
// result, even after a failure.
bool job_get(Job *job, const char *bytes, size_t length);
void job_free(Job *job);

// Compiles the queries of the job, which must live as long as the result. As compile_all.
bool job_compile(const Job *job, CompiledAll *all, const CompileOptions *options);

#endif
