// The plan of a search, which all threads share, and the blocks of games that they work on.
#ifndef CQL_SEARCH_BLOCK_H
#define CQL_SEARCH_BLOCK_H

#include "runtime/format/format.h"
#include "runtime/format/groups.h"
#include "inputs.h"
#include "sorted.h"

// One result of the search: what all queries find together or, with SearchOptions.outputs, what one of them
// finds. No result depends on another.
typedef struct ResultPlan {
    uint32_t first, count; // its queries
    const char *output;    // as SearchOptions.output
    bool sorted;           // its games come in the order of sort keys
    bool split;            // each game goes to a file that its tags name
    bool stored;           // it is kept until the end of the search
    int64_t last_wanted;   // it needs no game after this one
    int64_t limit;         // it ends after this many matching games, 0: never
} ResultPlan;

// What all threads share; constant during the search.
typedef struct Plan {
    const SearchOptions *options;
    const Matcher *matcher;
    unsigned format_flags;           // FORMAT_
    int32_t max_depth;               // of calls, see WORKER_DEPTH; 0: that of any stack
    bool sequential;                 // one thread must see all games in order
    bool lines, trees;               // some query searches main lines; whole trees
    unsigned line_parse, tree_parse; // PARSE_NOTES, PARSE_CLOCKS: what these need
    unsigned written_parse;          // and the writers
    bool needs_last_number;          // some query has lastgamenumber: the games must be counted first
    int64_t last_wanted;             // no query wants a game after this one
    int64_t last_number;             // for lastgamenumber, 0: not needed
    size_t memory_of_tree;           // that a game may take
    struct Candidates *candidates;   // by their tags, for databases
    ResultPlan *result;
    uint32_t result_count;
} Plan;

Plan plan_search(const Matcher *matcher, const SearchOptions *options);
void plan_free(Plan *plan);

// The queries of a result as a matcher of their own.
Matcher result_matcher(const ResultPlan *result, const Matcher *matcher);

// The state of a part after one of its matching games, where results may end.
typedef struct Mark {
    size_t reports, messages, output, sorted, texts; // lengths
    SearchTotals totals;
} Mark;

// Where the texts of a game end in a part. The damage of a game is the first of its reports.
typedef struct GameTexts {
    int64_t game;
    size_t damage, reports, messages;
    bool failed; // a query has failed in it
} GameTexts;

// What a block adds to one result.
typedef struct Part {
    Buffer reports, messages, output;
    bool begins_line; // the messages start with one that needs a line of its own
    SortedGames sorted;
    GroupTable groups; // with SearchOptions.count_by
    SearchTotals totals;
    QueryTotals *query; // by query of the result
    uint32_t query_count;
    Mark *mark;              // by matching game, only when there is a limit
    QueryTotals *mark_query; // query_count totals for each mark
    size_t mark_count, mark_capacity, mark_query_capacity;
    Buffer foreign;   // the message about the first game of another chess variant (13.8), or empty
    bool exhausted;   // a game needed too many steps
    GameTexts *texts; // by game with reports or messages, only when there are several results
    size_t texts_count, texts_capacity;
} Part;

// One unit of work for a thread, and its results.
typedef struct Block {
    InputBlock input;
    uint64_t sequence;
    int64_t stored; // bytes of the input files that it takes
    Buffer reports; // about the input
    Part *part;     // by result
    uint32_t part_count;
    int64_t games;      // searched for some result
    int64_t positions;  // of them
    bool failed;        // a chunk of a database is damaged
    bool partial;       // the search was stopped before the end of the block
    bool more;          // more results of the block follow
    int64_t bytes;      // of input
    struct Block *next; // in the list of finished blocks
    // When its results take more than `room` bytes, `full` takes them out of the block. NULL: never.
    size_t room;
    void (*full)(void *user, struct Block *block);
    void *user;
} Block;

Block *block_new(const Plan *plan);
void block_free(Block *block);

// Makes the block ready for the results of its other games.
void block_clear(Block *block);

// The bytes of a block's results.
size_t block_bytes(const Block *block);

// Keeps the state of the part, whose last game matches.
void part_set_mark(Part *part);

// Cuts a part to its state after its `count`-th matching game.
void part_cut(Part *part, size_t count);

// With several results: notes where the texts of the game end that the part has just got. `reports` and
// `messages` are the lengths before it, `damage` the length after the reports of its damage.
void part_end_texts(Part *part, int64_t game, size_t reports, size_t messages, size_t damage, bool failed);

// Joins the reports and messages of the parts in the order of the games, those of one game in the order of the
// parts. Damage of a game is reported once. Leaves out parts that are `complete` (NULL: none). Adds the games that
// are damaged, and those in which queries have failed, each once, to *totals.
void block_join_texts(const Block *block, const bool *complete, Buffer *reports, Buffer *messages,
                      SearchTotals *totals);

#endif
