// One thread of a search: evaluates the games of a block and formats those that match.
#ifndef CQL_SEARCH_WORKER_H
#define CQL_SEARCH_WORKER_H

#include "format.h"
#include "inputs.h"
#include "sorted.h"

// How deep the calls of a query's own functions may nest; enough for games of ten thousand moves. 4 KB a call
// are plenty.
enum { WORKER_DEPTH = 64000 };

// What ends the search before the last game.
typedef struct Ending {
    atomic_bool complete;   // nothing more is wanted: the limit is reached, or the output failed
    const atomic_int *stop; // not 0: a signal wants it; NULL: there are none
    double deadline;        // seconds of the clock of ending_now; 0: none
} Ending;

double ending_now(void);
bool ending_stopped(const Ending *ending); // by a signal
bool ending_reached(const Ending *ending);

// What all threads know; constant during the search.
typedef struct Plan {
    const SearchOptions *options;
    const Matcher *matcher;
    unsigned format_flags;       // FORMAT_
    bool sequential;             // one thread must see all games in order
    bool lines, trees;           // some query searches main lines; whole trees
    bool line_notes, tree_notes; // and needs comments of the input
    bool sorted;                 // results come in the order of sort keys
    bool stored;                 // results are kept until the search is over
    int64_t last_wanted;         // no game after this one is wanted by any query
    int64_t last_number;         // for lastgamenumber, 0: not needed
    int64_t limit;               // end after so many matching games, 0: never
} Plan;

Plan plan_search(const Matcher *matcher, const SearchOptions *options);

// Where a block stands behind one of its matching games: results may end there.
typedef struct Mark {
    size_t reports, messages, output, sorted; // lengths
    SearchTotals totals;
} Mark;

// One unit of work for a thread, and its results.
typedef struct Block {
    InputBlock input;
    uint64_t sequence;
    Buffer reports, messages, output;
    bool begins_line; // the messages begin with a text that needs a line of its own
    SortedGames sorted;
    SearchTotals totals;
    int64_t *matches;      // by query
    Mark *mark;            // by matching game, only when there is a limit
    int64_t *mark_matches; // query_count numbers a mark
    size_t mark_count, mark_capacity, mark_matches_capacity;
    Buffer
        foreign; // what is said about the first game of another variant of chess, empty: there is none (13.8)
    bool exhausted;     // a game needed too many steps
    bool partial;       // the search was stopped before the end of the block
    struct Block *next; // in the list of finished blocks
} Block;

Block *block_new(const Plan *plan);
void block_free(Block *block);

// Cuts a block to what it was behind its `count`-th matching game.
void block_cut(Block *block, const Plan *plan, size_t count);

typedef struct Worker Worker;

// `number`: of the thread, from 1. `like`: another worker of the search that does not work yet, or NULL: what
// both only read is read once. The plan and the ending must stay as long as the worker. Returns NULL and sets
// *query and *message when a query cannot be run.
Worker *worker_open(const Plan *plan, const Ending *ending, const Worker *like, int number,
                    const char **query, const char **message);
void worker_close(Worker *w);

// Searches all games of the block, until the ending is reached.
void worker_search(Worker *w, Block *block);

// What persistent variables hold.
void worker_print_persistent(const Worker *w, FILE *out);

#endif
