// One result of a search: where it goes, the games that wait for the end of the search, what it counts.
#ifndef CQL_SEARCH_RESULT_H
#define CQL_SEARCH_RESULT_H

#include "block.h"
#include "runtime/format/tables.h"
#include "output.h"
#include "sorted.h"

typedef struct Result {
    const Plan *plan;
    const ResultPlan *own;
    Matcher matcher;    // its queries
    OutputFile *output; // NULL: nothing is written
    Tables *tables;     // of a FORMAT_TABLES, until they are written; or NULL
    SortedGames stored;
    size_t stored_games; // their number
    size_t memory;       // that it may take
    size_t store_bytes;  // beyond this, stored games go to a file
    Buffer text;         // of the games of a part, to be written together
    GroupTable groups;
    SearchTotals totals;
    QueryTotals *query; // by query of the result
    bool complete;      // its limit is reached
    bool failed;        // it could not be written
} Result;

void result_init(Result *r, const Plan *plan, uint32_t number);
void result_free(Result *r);

// False after a message when the result can not go where it should: into an input, or split into files.
bool result_check(const Result *r);

// Opens the output; false after a message.
bool result_open(Result *r);

// Writes what comes before the first game.
void result_begin(Result *r);

// Cuts the next part of the result where the limit is reached.
void result_cut(const Result *r, Part *part);

// Adds the part. After an error `failed` is true.
void result_take(Result *r, const Part *part);

// Adds only the numbers of the part.
void result_count(Result *r, const Part *part);

// Writes everything that follows the last game.
void result_end(Result *r);

// Closes the output. keep: the file gets its name. False after an error, which has been reported.
bool result_close(Result *r, bool keep);

#endif
