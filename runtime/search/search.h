// The search driver: reads games from inputs, lets threads match them, writes results in input order.
#ifndef CQL_SEARCH_H
#define CQL_SEARCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/match/matcher.h"
#include "runtime/value/memory.h"

typedef enum SearchFormat {
#define FORMAT(id, name, ending, flags, help) FORMAT_##id,
#include "formats.def"
    FORMAT_COUNT_
} SearchFormat;

// Exit statuses of a search.
enum {
    STATUS_OK = 0,
    STATUS_NO_MATCH = 1,    // no game matches (the command line gives it only with --exit-status)
    STATUS_QUERY = 2,       // bad query or option
    STATUS_INPUT = 3,       // an input could not be read (what could be read was searched)
    STATUS_GAME_ERRORS = 4, // the query failed at run time in some games (reported; they do not match), or
                            // max_seconds was over before the last game
    STATUS_OUTPUT = 5,      // the output could not be written
    STATUS_INTERRUPTED = 6, // SearchOptions.stop was set
    STATUS_MEMORY = MEMORY_STATUS // the program ran out of memory
};

struct Game;
struct SearchTotals;

// What stands before and after each text of a `message` filter and each run-time error: empty texts or whole
// lines.
typedef struct SearchFrames {
    const char *message_begin, *message_end, *error_begin, *error_end;
    bool marks; // every mark of the show_… options stands on a line of its own
} SearchFrames;

typedef struct SearchOptions {
    const char *const *input; // file names; "-" is standard input
    size_t input_count;
    const char *output; // file name, NULL or "-": standard output
    SearchFormat format;
    int threads;            // at least 1
    int64_t max_steps;      // budget of a query for one game; 0: default
    int64_t max_seconds;    // ends the search after so long; what was found until then is written; 0: never
    const char *steps_hint; // printed once, when a game needs too many steps; NULL: nothing
    const char
        *allow_files; // folder for readfile/writefile; NULL: the current one without absolute or .. names
    bool bad_start_standard; // games whose FEN describes no position start from the array
    bool quiet;              // no progress
    bool progress;           // progress also when stderr is no terminal
    int64_t limit; // end after so many matching games (sorted results: keep the first so many); 0: all
    int64_t first_game, last_game; // search only these games; 0: no bound
    // Ends the search at once when it becomes non-zero (a signal handler sets it). NULL: never.
    const atomic_int *stop;
    // A faster matcher of the same queries that may become available during the search (ENGINE_AUTO); NULL:
    // none. Read at block boundaries; the matcher it points to must stay until the search is over.
    _Atomic(const Matcher *) *upgrade;
    // What changes the output of formats with comments (language reference 02b).
    bool no_header;                    // no "Game number N"
    bool no_sort_comments;             // texts made inside sort arguments follow the ordinary rules
    bool no_settag, no_remove_comment; // these filters do nothing
    bool keep_comments;                // filters that fail keep their comments
    bool repeat_comments;              // a text that a position already has is added again
    int64_t game_bytes;                // longer games are cut in the format pgn, with a report; 0: never
    // Printed among the messages of `message` filters, in the order of the games.
    bool show_matches;  // `<N>` for each matching game
    int64_t show_games; // `[N]` for every so many games, and a dot for each tenth of them; 0: nothing
    bool show_threads;  // `[N:T]` and `.T`, T the number of the thread that searched the game, from 1
    // NULL: messages are printed as they are, run-time errors go to stderr. Otherwise the errors are printed
    // among the messages.
    const SearchFrames *frames;
    // Called by any thread for each game when its tags have been read; false: the game does not match. NULL:
    // all may.
    bool (*wanted)(void *user, const struct Game *game);
    // Called once when the results have been written, before the values of persistent variables are printed.
    // NULL: not.
    void (*finished)(void *user, int status, const struct SearchTotals *totals);
    // Called after each block of games, in order, with what has been searched so far. NULL: not.
    void (*progressed)(void *user, const struct SearchTotals *totals);
    // In the format pgn the results are kept to the end of the search; then this is called once, with the
    // number of games and of bytes that are written next. Messages go to stdout even when the results do.
    // NULL: not.
    void (*before_results)(void *user, int64_t games, int64_t bytes);
    void *user;
} SearchOptions;

typedef struct SearchTotals {
    int64_t games;     // read
    int64_t matches;   // games that match (with several queries: some query)
    int64_t hits;      // matching positions in them
    int64_t positions; // positions of the games that were searched
    int64_t bytes;     // of input, decompressed
    int64_t damaged;   // games with damage that was reported
    int64_t errors;    // games given up with a run-time error
    double seconds;
} SearchTotals;

// Runs all queries of the matcher over all inputs in one pass. Results are written in input order, or in the
// order of the sort keys (language reference 10.6), and do not depend on the number of threads. Messages
// about the input and run-time errors go to stderr as `FILE:LINE: game N: what`; what `message` filters print
// goes to stdout, or to stderr when the results go to stdout, each on lines of its own. Never ends the
// program; returns a STATUS_. An output file appears under its name only when it is complete. `totals` may be
// NULL.
int search_run(const Matcher *matcher, const SearchOptions *options, SearchTotals *totals);

// Reads all games of the inputs without any query: MB/s of the reader alone. `tree`: with variations.
int search_read_only(const SearchOptions *options, bool tree, SearchTotals *totals);

#endif
