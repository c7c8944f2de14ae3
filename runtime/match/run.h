// Running queries over games: the host's side of the matcher ABI.
#ifndef CQL_RUN_H
#define CQL_RUN_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>

#include "log.h"
#include "runtime/game/game.h"

// The squares that the set filters of the query stand for at a matching position.
typedef struct FoundSquares {
    int32_t position;
    Bitboard squares;
} FoundSquares;

// The value of one sort key in the current game, and the texts kept for each sort filter.
typedef struct SortValue {
    bool has_value;
    int32_t number;
    String text;
} SortValue;

// What one evaluation of a game by one query left behind. Valid until the next run_game or
// run_game_test of the same Run.
typedef struct RunResult {
    bool matched;       // the number of matching positions lies in matchcount, and the header's results hold
    const int32_t *hit; // positionids, ascending
    int32_t hit_count;
    const char *error;                // NULL, or why the game was given up (then matched is false)
    int32_t error_line, error_column; // of the query, for the error; 0: not known
    int32_t error_position;           // positionid at which the query was evaluated then; -1: none
    bool exhausted;                   // the error: it needed more steps than RunOptions.max_steps
    bool stopped;        // RunOptions.stopped ended the evaluation: nothing is known about the game
    const LogEntry *log; // all texts to add, in order, matchstrings and header texts included
    int32_t log_count;
    const SortValue *sort;    // by key
    const bool *drop_comment; // by positionid below position_count, or NULL
    int32_t position_count;   // positions of the tree that was searched
    const Tag *set_tag;
    int32_t set_tag_count;
    const FoundSquares *squares; // ascending positions; none unless RunOptions.show
    int32_t squares_count;
    const int32_t *moves; // the positions after moves that move filters find at matching positions, as above
    int32_t moves_count;
    const char *messages; // output of `message` filters, in order
    size_t messages_length;
} RunResult;

// How deep the calls of a query's own functions may nest, unless RunOptions says otherwise: each move of a
// `path` takes one or a few. Made for a stack of 8 MB.
enum { RUN_DEPTH = 4000 };

typedef struct RunOptions {
    int64_t max_steps;           // budget a game; 0: the default
    int32_t max_depth;           // see RUN_DEPTH; 0: that
    bool (*stopped)(void *user); // asked many times a second during a game: end at once? NULL: never
    void *user;
    bool comments;           // the output shows comments: keep the log
    const char *allow_files; // folder for readfile/writefile, NULL: the current one; no absolute or .. names
                             // unless it is "/"
    bool no_header;          // no "Game number N"
    bool no_sort_comments;   // texts made inside sort arguments follow the ordinary rules
    bool no_settag, no_remove_comment;       // these filters do nothing
    bool keep_comments;                      // filters that fail keep their comments
    const char *message_begin, *message_end; // written before and after each message; NULL: nothing
    bool show;                               // keep the squares and moves that matching positions are about
} RunOptions;

// The state of one query in one thread. Sequential queries (QUERY_SEQUENTIAL) must use one Run for all games.
typedef struct Run Run;
// Returns NULL and sets *message when a regular expression is bad or the file of `similarposition` cannot be
// read. The message is valid until the next failure in this thread; the caller does not free it. `like`: a
// Run of the same query, whose file of `similarposition` the new one uses too (either may be freed first), or
// NULL.
Run *run_new(const QueryInfo *query, const RunOptions *options, const Run *like, const char **message);
void run_free(Run *run);

// False when the header or the query's game test already says that the game cannot match. Needs only
// game_parse_tags.
bool run_game_test(Run *run, const Game *game);

// Evaluates a parsed game. Never ends the program; errors of the game are in the result.
void run_game(Run *run, Game *game, RunResult *result);

// The lines `NAME: VALUE` of loud persistent variables, for the end of the search.
void run_print_persistent(Run *run, FILE *out);

#endif
