// Running queries over games: the host of matchers.
#ifndef CQL_RUN_H
#define CQL_RUN_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>

#include "matcher.h"
#include "runtime/game/game.h"

// One added comment.
typedef struct LogEntry {
    int32_t position;
    int32_t part; // LOG_; above 0: a placeholder for a pair of `relation`
    String text;
} LogEntry;

// LOG_KEYS: the values of the sort keys. LOG_CONSTITUENT: of a line whose length is not known yet (11.5).
enum { LOG_CONSTITUENT = -2, LOG_KEYS, LOG_TEXT };

// The squares of the query's set filters at a matching position.
typedef struct FoundSquares {
    int32_t position;
    Bitboard squares;
} FoundSquares;

// A move that the query finds at a matching position, as the position after it.
typedef struct FoundMove {
    int32_t position, move;
} FoundMove;

// The value of one sort key in a game.
typedef struct SortValue {
    bool has_value;
    int32_t number;
    String text;
} SortValue;

// The value of a key of groups at a position. KEY_MEN: the men on the squares are meant.
enum { KEY_NUMBER, KEY_SQUARES, KEY_MEN, KEY_STRING };
typedef struct KeyValue {
    int32_t position, key, kind; // KEY_
    union {
        int32_t number;
        Bitboard squares;
        String text;
    };
} KeyValue;

// The result of evaluating one game with one query. Valid until the next run_game or run_game_test of the same
// Run.
typedef struct RunResult {
    bool matched;       // the parameters of the header and the number of matching positions agree
    const int32_t *hit; // positionids, ascending
    int32_t hit_count;
    const char *error;                // NULL, or why the game was abandoned (then matched is false)
    int32_t error_line, error_column; // of the query, for the error; 0: not known
    int32_t error_position;           // positionid at which it occurred; -1: none
    bool exhausted;                   // the error: RunOptions.max_steps was not enough
    bool stopped;                     // RunOptions.stopped ended the evaluation: there is no result
    const LogEntry *log;              // all texts to add, in order, matchstrings and header texts included
    int32_t log_count;
    const SortValue *sort; // by key
    const KeyValue *value; // of the keys of groups, ascending positions; also at positions that do not match
    int32_t value_count;
    const int32_t *among; // positionids that groups count besides, ascending; also in games that do not match
    int32_t among_count;
    const bool *drop_comment; // by positionid below position_count, or NULL
    int32_t position_count;   // positions of the tree that was searched
    const Tag *set_tag;
    int32_t set_tag_count;
    const FoundSquares *squares; // ascending positions; none unless RunOptions.show
    int32_t squares_count;
    const FoundMove *moves; // found by move filters, and those of paths; ascending positions
    int32_t moves_count;
    const char *messages; // output of `message` filters, in order
    size_t messages_length;
} RunResult;

// The default of RunOptions.max_depth: how deep calls of a query's own functions may nest. Each move of a
// `path` takes one or a few. For a stack of 8 MB.
enum { RUN_DEPTH = 4000 };

typedef struct RunOptions {
    int64_t max_steps;           // budget of one game; 0: the default
    int32_t max_depth;           // 0: RUN_DEPTH
    bool (*stopped)(void *user); // true: end at once. Called many times a second. NULL: never
    void *user;
    bool comments;           // the output shows comments: keep the log
    const char *allow_files; // folder of readfile and writefile, NULL: the current one. Names may not leave
                             // it; "/" permits all names
    int64_t max_output;      // bytes that writefile may write; 0: the default, 1 GB
    const struct Openings *openings; // of `opening`; NULL: openings_usual
    const struct Spelling *spelling; // answers tags about players that games lack; NULL: nothing does
    bool any_similar;                // the file of similarposition may lie anywhere: the user has named it
    bool allow_commands;             // commandpipe may start programs
    int pipe_seconds;      // a program of commandpipe has this time for an answer; 0: the default, 10
    bool no_header;        // no "Game number N"
    bool no_sort_comments; // comments made inside sort arguments are ordinary ones
    bool no_settag, no_remove_comment;       // these filters do nothing
    bool no_remove_tag;                      // likewise
    bool keep_comments;                      // filters that fail keep their comments
    const char *message_begin, *message_end; // written before and after each message; NULL: nothing
    // Takes a line about a program of commandpipe that fails. NULL: it is not reported.
    void (*report)(void *user, const char *text);
    void *report_user;
    // Bytes that the comments, the messages, the strings and the dictionaries of a game may each take; 0: the default, 1 GB.
    size_t memory;
    bool first; // only the first matching position counts as found, and the comments up to it
    bool show;  // collect squares and moves at matching positions
} RunOptions;

// True when a query that the user has not read may use this file: it is in or below the current folder, or `folder`
// (RunOptions.allow_files).
bool files_may_use(const char *name, const char *folder);

// The state of one query in one thread. Sequential queries (QUERY_SEQUENTIAL) must use one Run for all games.
typedef struct Run Run;

// Returns NULL and sets *message when a regular expression is malformed or the file of `similarposition` cannot
// be read. The caller frees the message. `like`: NULL or another
// Run of the same query, whose file of `similarposition` the new one shares; either may be freed first.
Run *run_new(const QueryInfo *query, const RunOptions *options, const Run *like, char **message);
void run_free(Run *run);

// What game_parse must read for the query, besides moves and variations: PARSE_NOTES, PARSE_CLOCKS.
static inline unsigned run_parse_flags(const QueryInfo *query)
{
    return (query->flags & QUERY_NEEDS_NOTES ? PARSE_NOTES : 0u) |
           (query->flags & QUERY_NEEDS_CLOCKS ? PARSE_CLOCKS : 0u);
}

// Does the query leave the game out because of its variant (language reference 16.1)? The game needs only game_parse_tags.
bool run_is_foreign(const QueryInfo *query, const Game *game);
// What is said about such a game; to be freed.
char *run_foreign_message(const QueryInfo *query, const Game *game);

// False when the header or the query's condition on tags rules out a match. The game needs only game_parse_tags.
bool run_game_test(Run *run, const Game *game);

// Whether a game with so many matching positions matches.
static inline bool run_counts_match(const QueryInfo *query, int32_t count)
{
    if (!(query->flags & QUERY_HAS_MATCHCOUNT))
        return count > 0;
    return count >= query->matchcount_low && count <= query->matchcount_high;
}

// What an atom of a query's condition on tags is for a game. Both: it is not known.
enum { CAN_HOLD = 1, CAN_FAIL = 2, UNSURE = CAN_HOLD | CAN_FAIL };

// Evaluates an atom for a game of which only the columns that it reads are known. UNSURE when it fails at run time.
uint8_t run_tag_atom(Run *run, const Game *game, int32_t atom);

// Games for which a condition on tags is evaluated together.
typedef struct TagGames {
    size_t count;
    uint16_t *state; // by game
    // Makes the state of each game that is `in` be `out` unless the atom can be `wanted`, CAN_HOLD or CAN_FAIL.
    void (*ask)(struct TagGames *g, int32_t atom, uint8_t wanted, uint16_t in, uint16_t out);
    void *user;
} TagGames;
enum { TAGS_OUT, TAGS_IN };

// Of the games that are TAGS_IN, those that cannot satisfy the query's condition become TAGS_OUT.
void run_find_tags(const QueryInfo *query, TagGames *games);

// Evaluates a parsed game. Errors of the query are in the result.
void run_game(Run *run, Game *game, RunResult *result);

// The lines `NAME: VALUE` of loud persistent variables, for the end of the search.
void run_print_persistent(Run *run, FILE *out);

// Prints the dictionaries that keep their entries, NAME[key] = value, with the keys in order.
void run_print_dictionaries(Run *run, FILE *out);

#endif
