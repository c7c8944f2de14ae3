// What a search makes of its blocks, which arrive in input order: results, messages, totals and the status.
#ifndef CQL_SEARCH_COLLECTOR_H
#define CQL_SEARCH_COLLECTOR_H

#include "progress.h"
#include "result.h"
#include "worker.h"

typedef struct Collector {
    const Plan *plan;
    Ending *ending;               // of the search; .complete is set when nothing more is wanted
    Progress *progress;           // its line is removed before something is printed
    double start;                 // of the search, by clock_now()
    Result *result;               // as in the plan
    atomic_bool *result_complete; // of ending
    atomic_bool *result_full;     // of ending
    SearchTotals totals;
    SearchTotals
        by_game;    // with several results: games that are damaged, or in which a query has failed, each once
    bool line_open; // the last messages did not end a line
    bool complete;  // nothing more is wanted: the limit is reached, or the search was stopped
    bool interrupted;          // a signal stopped it
    bool late;                 // the time limit stopped it
    bool input_failed;         // some input could not be read
    bool output_failed;        // reported
    bool exhausted;            // a game needed too many steps, and steps_hint was shown
    bool foreign_reported;     // a game of another chess variant
    const char *language_file; // the last file with a message about the piece letters of its games
} Collector;

// `plan`, `ending` and `progress` must live as long as the collector.
void collector_init(Collector *c, const Plan *plan, Ending *ending, Progress *progress);
void collector_free(Collector *c);

// Where `message` filters and persistent variables print: standard output, unless the results go there without an
// announcement.
FILE *collector_messages(const Collector *c);

// False after a message when a result cannot go where it should.
bool collector_check(const Collector *c);

// Opens all outputs, unless the results are given away; false after a message. Nothing remains of the others when one cannot be opened.
bool collector_open(Collector *c);

// Writes what comes before the first game. Sets `start`.
void collector_begin(Collector *c);

// Adds a block, the next one in input order. Ignores blocks after the end of the search.
void collector_take(Collector *c, Block *block);

// Counts a block whose results are collected elsewhere (SearchShare.give); ends the search when no more are wanted.
void collector_count(Collector *c, const Block *block);

// Writes what follows the last game, closes the outputs, and fills in SearchOptions.by_query. Returns the STATUS_ of
// the search.
int collector_end(Collector *c);

#endif
