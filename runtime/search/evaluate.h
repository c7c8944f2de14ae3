// A worker as its files see it. Internal to runtime/search.
//
// The files, lowest first: candidates.c (conditions on tags), chunk_reader.c, screens.c, runs.c, grouping.c (groups of games,
// samples), exploring.c (games that reach a position), evaluate.c (one game), visits.c (games that are only shown), lines.c (PGN as a chunk), chunks.c (the games of a chunk), worker.c.
#ifndef CQL_SEARCH_EVALUATE_H
#define CQL_SEARCH_EVALUATE_H

#include "runtime/match/run.h"
#include "chunk_reader.h"
#include "numbers.h"
#include "screens.h"
#include "worker.h"

// What is known of a game before it is evaluated.
typedef struct Candidate {
    GameText source;          // with `counted` only its number is needed
    const StoredGame *stored; // it comes from this and its moves need no text; NULL: it is PGN
    bool has_text;            // the source is the whole text of the stored game
    // By query, from the screens: the game cannot match (0) or may match. NULL: nothing is known.
    const int32_t *screened;
    bool counted;  // `screened` has the numbers of matching positions, and nothing else is wanted
    int32_t plies; // with `counted`, of PGN: the length of the main line
    // What its evaluation notes.
    double sample; // how many games this one represents in the measured time; 0: its time is not measured
    bool line_read, tree_read;
    bool was_read;    // even if as another query wants it
    bool text_made;   // Worker.text is its text
    bool not_sampled; // it is not in the sample
    bool damaged;     // that was reported
    uint8_t variant;  // enum Variant; with Plan.variants
    Game *written;    // the one for the writers, when it is known
} Candidate;

struct Worker {
    int number; // of the thread, from 1
    const Plan *plan;
    const Ending *ending;
    const Matcher *matcher;
    Run **run; // by query
    RunResult *result;
    bool *wanted;       // by query: the game is evaluated
    bool *open;         // by result: it wants more games
    bool *reached;      // by result: one of its queries evaluates the game
    GameRecord *record; // by result: of the game
    Found *found;
    Game line, tree, whole; // the main line; with variations; with variations and comments, for the writers
    ChunkReader *chunk;     // of a database from which the games come; NULL: none so far
    struct Chunks *memory_of_chunks;
    Game scratch;
    Buffer text; // of a stored game
    FormatMemory memory;
    struct Grouping *grouping; // NULL: not needed so far
    struct Exploring *exploring;
    struct VisitedGame *visited;

    // Of the block. worker_search sets and clears them.
    Block *block;
    bool chunk_is_open; // `chunk` is that of the block
    int64_t noted;      // bytes of the block that SearchUpgrade.searched has

    Candidate candidate; // of evaluate_game, or the last one of evaluate_tags
};

// Is the number of the game in the range of games to be searched?
static inline bool worker_wants_number(const Worker *w, int64_t number)
{
    const SearchOptions *o = w->plan->options;
    return number >= o->first_game && (o->last_game == 0 || number <= o->last_game) &&
           (!o->only || numbers_has(o->only, number));
}

// Makes the states of the matcher's queries; NULL when one of them cannot be run. `like`: those of another worker.
Run **runs_make(const Plan *plan, const Ending *ending, const Matcher *matcher, Run *const *like,
                const char **query, char **message);
void runs_free(Run **run, uint32_t count);

// Change to the faster matcher when there is one, and note how much of the block has been searched.
void runs_begin_block(Worker *w);
void runs_next_game(Worker *w, const Block *block);
void runs_end_block(Worker *w, const Block *block);

// Evaluates a game of the block's input.
void evaluate_game(Worker *w, Block *block, const Candidate *candidate);

// Adds the records of a game to the parts of the block; writes them when there are many.
void evaluate_end_game(Worker *w, Block *block);

// Is the number of matching positions all that the search wants of games?
bool evaluate_wants_counts(const Worker *w);

// True when games that are ruled out leave no trace but in the totals.
bool evaluate_counts_in_bulk(const Worker *w);

// A budget of steps that the user sets may be too small for a game that does not match, which is to be reported.
bool evaluate_may_rule_out(const Worker *w);

// What the queries read of the text of a stored game: STORED_VARIATIONS, STORED_NOTES.
unsigned evaluate_text_parts(const Worker *w);

// Reads the tags of a game of the block's input and sets w->wanted. NULL when the game is not evaluated; `ruled_out`: it is one that
// the search counts.
const Game *evaluate_tags(Worker *w, Block *block, GameText source, bool *ruled_out);

// Adds games that are ruled out, and the positions of their main lines.
void evaluate_ruled_out(Worker *w, Block *block, int64_t games, int64_t positions);

// Calls `screen` for the queries that `wants` names (by query), those that share a screen together, and notes the time of each.
void evaluate_screens(Worker *w, Screens *s, bool *wants, void (*screen)(Worker *w));

// Adds what the queries find in a game by the counts of their screens, where there is one result; false: nothing. The game
// itself is added by evaluate_ruled_out.
bool evaluate_counts(Worker *w, Block *block, int64_t number, const int32_t *count);

// What the query has found in the block.
QueryTotals *evaluate_totals(const Worker *w, uint32_t q);

// The text of a game in a database, made once. Its tags must have been read.
GameText evaluate_stored_text(Worker *w, const StoredGame *stored);

// False when the search of the block ends here.
bool evaluate_goes_on(Worker *w, Block *block);

#endif
