// Several queries in one search: a result file for each, and the table of what each has found.
#ifndef CQL_MANY_H
#define CQL_MANY_H

#include "cli.h"
#include "runtime/search/search.h"

struct OutputFile;

typedef struct MultiQuery {
    const Matcher *matcher;
    char **output; // names of the result files by query; NULL: no --output-dir
    const char *folder;
    bool folder_made;
    QueryTotals *totals;        // by query
    struct OutputFile *summary; // NULL: no --summary, or it is closed
    bool summary_failed;        // it could not be written; reported
    struct Partial *partial;    // the results go to this file; NULL: no --part, or it is closed
    struct Hub *hub;            // notes what has been searched; NULL: no --journal, or it is closed
    Buffer files;               // that a shared search is prepared for
    SearchShare share;          // of the partial result, or of the hub
    bool timed;                 // the search has a time limit
    bool csv_safe;              // as in SearchOptions, for the summary
    bool partial_failed;        // it could not be written; reported
} MultiQuery;

// Prepares what --output-dir and --summary ask for, and sets the options of the search. Returns STATUS_OK, or
// another status after a message. many_close frees the result, even after a failure.
int many_open(MultiQuery *many, const Arguments *a, const Matcher *matcher, SearchOptions *search);
void many_close(MultiQuery *many);

// Prints a row for each query on standard error.
void many_print(const MultiQuery *many);

// Prints how many games tags and moves have ruled out, and how many were evaluated.
void many_print_stats(const MultiQuery *many);

#endif
