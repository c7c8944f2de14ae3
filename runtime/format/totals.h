// The output formats by name, and what a search counts.
#ifndef CQL_FORMAT_TOTALS_H
#define CQL_FORMAT_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum SearchFormat {
#define FORMAT(id, name, ending, flags, help) FORMAT_##id,
#include "formats.def"
    FORMAT_COUNT_
} SearchFormat;

typedef struct SearchTotals {
    int64_t games; // read
    int64_t
        matches;  // games that match (with several queries: some query; with `outputs`: sum of the results)
    int64_t hits; // matching positions in them
    int64_t positions; // positions of the games that were searched
    int64_t bytes;     // of input, decompressed
    int64_t damaged;   // games with damage that was reported
    int64_t cut;       // games with moves that are left out, because one could not be read
    int64_t words;     // unknown ones in movetext, which were ignored
    int64_t errors;    // games abandoned with a run-time error
    double seconds;
    bool late; // the limit of time ended the search
} SearchTotals;

// What one query has found.
typedef struct QueryTotals {
    int64_t matches;           // games that match
    int64_t hits;              // matching positions in them
    int64_t errors;            // games abandoned with a run-time error
    int64_t by_tags, by_moves; // games that tags rule out, and that the moves in a database rule out
    int64_t evaluated;         // games whose positions were evaluated
    double seconds; // of all threads together, estimated from a sample of the games; 0 for a single query
} QueryTotals;

#endif
