// The plan of a search, which all threads share, and the blocks of games that they work on.
#ifndef CQL_SEARCH_BLOCK_H
#define CQL_SEARCH_BLOCK_H

#include "runtime/format/format.h"
#include "runtime/format/groups.h"
#include "inputs.h"
#include "game_record.h"

// One result of the search: what all queries find together or, with SearchOptions.outputs, what one of them
// finds. No result depends on another.
typedef struct ResultPlan {
    uint32_t first, count; // its queries
    const char *output;    // as SearchOptions.output
    bool sorted;           // its games come in the order of sort keys
    bool split;            // each game goes to a file that its tags name
    bool by_file;          // their keys begin with the names of these files
    size_t most;           // of sorted games so many, the first ones, are enough; 0: all
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
    bool visits;                     // SearchSink.visit gets all games, and no query is evaluated
    bool sequential;                 // one thread must see all games in order
    bool variants;                   // some query reads games by the rules of their variants
    bool as_chess;                   // every query reads games of all variants as chess
    bool lines, trees;               // some query searches main lines; whole trees
    bool checks;                     // some query asks for checks at many positions
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

// What a block adds to one result.
typedef struct Part {
    Buffer records;    // of games that leave something, in their order (game_record.h)
    GroupTable groups; // with SearchOptions.count_by
    SearchTotals totals;
    int64_t earlier;    // matches of the block that block_clear has removed
    QueryTotals *query; // by query of the result
    uint32_t query_count;
    Buffer foreign; // the message about the first game of an unknown variant of chess (16.1), or empty
    bool exhausted; // a game needed too many steps
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
    int64_t cut, words; // of them, as in SearchTotals
    Buffer language;    // the message about the first game with piece letters of another language, or empty
    bool failed;        // a chunk of a database is damaged
    bool partial;       // the search was stopped before the end of the block
    bool more;          // more results of the block follow
    int64_t bytes;      // of input
    struct Block *next; // in the list of finished blocks
    // When its results take more than `flush_limit` bytes, `flush` takes them out of the block. NULL: never.
    size_t flush_limit;
    void (*flush)(void *user, struct Block *block);
    // Called after a game when it has results, until it has messages, whose order is that of whole blocks: may take them out, too.
    // NULL: never.
    void (*offer)(void *user, struct Block *block);
    bool speaks; // has messages
    double due;  // time of the next one that is taken
    void *user;
} Block;

Block *block_new(const Plan *plan);
void block_free(Block *block);

// Makes the block ready for the results of its other games, when those that it has are taken.
void block_clear(Block *block);

// The bytes of a block's results.
size_t block_bytes(const Block *block);

// Appends the totals of the part, as GameRecord.totals has them, and takes them back from part_totals_size bytes.
void part_put_totals(Buffer *out, const Part *part);
void part_take_totals(Part *part, const char *bytes);
size_t part_totals_size(const Part *part);

// Cuts a part, whose result has a limit, to its state after its `count`-th matching game.
void part_cut(Part *part, int64_t count);

// The texts of a block: those of its parts in the order of the games, those of one game in the order of the parts.
typedef struct BlockTexts {
    Buffer reports, messages;
    bool begins_line;        // as GameRecord.begins_line
    int64_t damaged, errors; // games that are damaged, and in which queries have failed
} BlockTexts;

// Damage of a game is reported once. Leaves out parts that are `complete` (NULL: none). The caller frees the texts.
BlockTexts block_texts(const Block *block, const bool *complete);
void block_texts_free(BlockTexts *texts);

#endif
