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
    size_t input_count;
    Buffer files; // of job_put_files; empty when job_put got none
} Job;

// Appends the search: the options that its results depend on, the texts of its queries, the names of its inputs, and the version
// of cqlgen. `files`, for a process that is to search: also the options that only such a process needs, and these files; NULL: the
// search is only to be known again.
void job_put(Buffer *out, const Arguments *a, const CompiledAll *all, const SearchOptions *search,
             const Buffer *files);

// Appends the files that the results depend on, as a list of fingerprints (fingerprint.h): the inputs, and what the queries name.
// Returns one that is there and cannot be looked at; NULL: there is none.
const char *job_put_files(Buffer *files, const CompiledAll *all, const SearchOptions *search);

// Reads what job_put has written; false when it is something else, or from another version. job_free frees the
// result, even after a failure.
bool job_get(Job *job, const char *bytes, size_t length);
void job_free(Job *job);

// Compiles the queries of the job, which must live as long as the result. As compile_all.
bool job_compile(const Job *job, CompiledAll *all, const CompileOptions *options);

#endif
