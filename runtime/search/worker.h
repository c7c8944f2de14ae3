// One thread of a search: evaluates games and formats those that match.
#ifndef CQL_SEARCH_WORKER_H
#define CQL_SEARCH_WORKER_H

#include "format.h"
#include "inputs.h"
#include "sorted.h"

// How deep the calls of a query's own functions may nest: enough for games of ten thousand moves. A call
// needs less than 4 KB.
enum { WORKER_DEPTH = 64000 };

// Conditions that end the search before the last game.
typedef struct Ending {
    atomic_bool complete;   // nothing more is wanted: the limit is reached, or the output failed
    const atomic_int *stop; // set by a signal; NULL: none
    double deadline;        // by the clock of ending_now; 0: none
} Ending;

double ending_now(void);
bool ending_stopped(const Ending *ending); // by a signal

// What all threads share; constant during the search.
typedef struct Plan {
    const SearchOptions *options;
    const Matcher *matcher;
    unsigned format_flags;       // FORMAT_
    int32_t max_depth;           // of calls: WORKER_DEPTH for threads of the search, 0 for any stack
    bool sequential;             // one thread must see all games in order
    bool lines, trees;           // some query searches main lines; whole trees
    bool line_notes, tree_notes; // and needs comments of the input
    bool needs_last_number;      // some query has lastgamenumber: the games must be counted first
    bool sorted;                 // results come in the order of sort keys
    bool split;                  // each game goes to a file that its tags name
    bool stored;                 // results are kept until the end of the search
    int64_t last_wanted;         // no query wants a game after this one
    int64_t last_number;         // for lastgamenumber, 0: not needed
    int64_t limit;               // end after this many matching games, 0: never
} Plan;

Plan plan_search(const Matcher *matcher, const SearchOptions *options);

// The state of a block after one of its matching games, where results may end.
typedef struct Mark {
    size_t reports, messages, output, sorted; // lengths
    SearchTotals totals;
} Mark;

// One unit of work for a thread, and its results.
typedef struct Block {
    InputBlock input;
    uint64_t sequence;
    Buffer reports, messages, output;
    bool begins_line; // the messages start with one that needs a line of its own
    SortedGames sorted;
    SearchTotals totals;
    int64_t *matches;      // by query
    Mark *mark;            // by matching game, only when there is a limit
    int64_t *mark_matches; // query_count numbers for each mark
    size_t mark_count, mark_capacity, mark_matches_capacity;
    Buffer foreign;     // the message about the first game of another chess variant (13.8), or empty
    bool exhausted;     // a game needed too many steps
    bool failed;        // a chunk of a database is damaged
    bool partial;       // the search was stopped before the end of the block
    struct Block *next; // in the list of finished blocks
} Block;

Block *block_new(const Plan *plan);
void block_free(Block *block);

// Cuts a block to its state after its `count`-th matching game.
void block_cut(Block *block, const Plan *plan, size_t count);

typedef struct Worker Worker;

// `number`: of the thread, from 1. `like`: another worker of the search that does not work yet, or NULL: both
// share the files they only read. The plan and the ending must live as long as the worker. Returns NULL and
// sets *query and *message when a query cannot be run.
Worker *worker_open(const Plan *plan, const Ending *ending, const Worker *like, int number,
                    const char **query, const char **message);
void worker_close(Worker *w);

// Searches all games of the block, until the ending is reached.
void worker_search(Worker *w, Block *block);

// Evaluates one game; what it reports goes to the block. Returns the number of queries that find the game,
// and in *found what they find, valid until the next call.
size_t worker_find(Worker *w, Block *block, const GameText *source, const Found **found);

// Prints the values of persistent variables and, with show_dictionaries, the dictionaries.
void worker_print_persistent(const Worker *w, FILE *out);

#endif
