// The search driver: reads games from inputs, matches them in threads, writes results in input order.
//
// The files of this room, lowest first: budget, fingerprint, numbers, ending, ahead, input, output, inputs, same, sink, game_record, sorted, output_name,
// candidates, block, wire, worker (evaluate.h lists its files), result, progress, collector, search, duplicates.
#ifndef CQL_SEARCH_H
#define CQL_SEARCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/format/fields.h"
#include "runtime/format/page.h"
#include "runtime/format/totals.h"
#include "runtime/game/game.h"
#include "runtime/match/run.h"
#include "runtime/value/memory.h"
#include "fingerprint.h"

// Exit statuses of a search.
enum {
    STATUS_OK = 0,
    STATUS_NO_MATCH = 1,    // no game matches (the command line gives it only with --exit-status)
    STATUS_QUERY = 2,       // bad query or option
    STATUS_INPUT = 3,       // an input could not be read (the readable part was searched)
    STATUS_GAME_ERRORS = 4, // the query failed at run time in some games (reported; they do not match), games
                            // were left out, or max_seconds ended the search
    STATUS_OUTPUT = 5,      // the output could not be written
    STATUS_INTERRUPTED = 6, // SearchOptions.stop was set
    STATUS_MEMORY = MEMORY_STATUS // the program ran out of memory
};

struct Game;
struct SearchSink;
struct Text;

// The text before and after each `message` and each run-time error: empty or whole lines.
typedef struct SearchFrames {
    const char *message_begin, *message_end, *error_begin, *error_end;
    bool marks; // put each mark of the show_… options on a line of its own
} SearchFrames;

// A search that several processes share. The blocks of games have the numbers 0, 1, … in the order of the inputs, the same in
// all processes. Each process searches some of them; one collects the results of all.
#define SHARE_NONE UINT64_MAX

// Where a block of a plain PGN file begins: a process that knows it need not read what comes before.
typedef struct SharePlace {
    uint64_t block, input; // number of the block, index of the file
    PgnPlace pgn;
    int64_t earlier_games, earlier_bytes; // of the files before this one
    uint64_t earlier_stored;
} SharePlace;

typedef struct SearchShare {
    void *user;
    // The next blocks that this process searches, from *begin to before *end, greater than those before; false: no more. May
    // wait. Called by one thread at a time. NULL: this process searches nothing.
    bool (*claim)(void *user, uint64_t *begin, uint64_t *end);
    // Few of the blocks of the last claim are left: the next claim comes soon. Called like claim. Or NULL.
    void (*soon)(void *user);
    // The last known place at or before block `number`; false: none. Or NULL.
    bool (*place)(void *user, uint64_t number, SharePlace *place);
    // This process has read up to this place, most often the end of what it has claimed, before it searches that. Or NULL.
    void (*reached)(void *user, const SharePlace *place);
    // Takes what the search of a block has found, as bytes without a meaning outside this room; several times in order for
    // a block that has found much. Called by any thread. False after a message: the search ends. NULL: the
    // results of this process are collected here.
    bool (*give)(void *user, uint64_t number, const char *bytes, size_t length);
    // The next bytes that another process gave, valid until the next call; *bytes is NULL after a failure, which has been
    // reported. False: there are no more. May wait. Called by one thread. NULL: none come; with `give`, all results are
    // collected elsewhere.
    bool (*receive)(void *user, const char **bytes, size_t *length);
    // The results of all blocks below `next` are collected; `complete`: no more are wanted. Or NULL.
    void (*written)(void *user, uint64_t next, bool complete);
    // The part of all inputs that has been searched, 0: unknown. NULL: that which this process has read.
    double (*part)(void *user);
    // The inputs end with the block before `count`. Called when this process has read so far. Or NULL.
    void (*ended)(void *user, uint64_t count);
} SearchShare;

// Reads the first SHARE_BLOCK_HEAD of the bytes that SearchShare.give gets: the number of the block, and whether further results
// of it follow. False when its search was stopped before its end.
enum { SHARE_BLOCK_HEAD = 16 };
bool share_block_head(const char *bytes, uint64_t *number, bool *more);

// A database of a shared search that not all processes may have.
typedef struct SearchShard {
    int64_t chunks, games;
    bool absent;      // this process does not have it, and claims none of its blocks
    Fingerprint file; // of a process that has it
} SearchShard;

// A faster matcher of the same queries that may become available during a search.
typedef struct SearchUpgrade {
    // NULL: not yet. Read between games; it must live until the end of the search.
    _Atomic(const Matcher *) matcher;
    // How far the search is: bytes of the stored inputs that have been searched, and of all of them, 0: unknown.
    _Atomic int64_t searched, size;
} SearchUpgrade;

typedef struct SearchOptions {
    const char *const *input; // file names; "-" is standard input
    size_t input_count;
    const char *output; // file name, NULL or "-": standard output
    // A file for each query, in order, instead of `output`: it gets what the query alone would write. NULL: the
    // result of all queries goes to `output`.
    const char *const *outputs;
    bool split_output; // a tag in braces in `output` splits it into files (language reference 13.18)
    SearchFormat format;
    FieldList fields; // of tables and objects; none: those of the format
    RunOptions
        run;     // of the queries; the search itself sets what depends on its format, its threads and its end
    int context; // moves to show before and after a matching position; 0: none
    bool csv_safe;           // csv and tsv: mark texts that a spreadsheet would take for formulas
    PageOptions page;        // of pages
    int threads;             // at least 1
    double max_seconds;      // end the search after this time and write what was found; 0: never
    const char *steps_hint;  // printed once, when a game needs too many steps; NULL: nothing
    bool no_prefilter;       // evaluate every game of a database, even if its moves show that it cannot match
    bool all_words;          // report each unknown word of a game, not only the first one
    bool bad_start_standard; // games whose FEN is not a position start from the standard position
    bool quiet;              // no progress
    bool progress;           // progress even when stderr is not a terminal
    int64_t limit; // end after this many matching games (sorted results: keep the first ones); 0: all. With
                   // `outputs` each result has so many
    int64_t first_game, last_game; // search only these games; 0: no bound
    // Ends the search at once when it becomes non-zero (a signal handler sets it). NULL: never.
    const atomic_int *stop;
    SearchUpgrade *upgrade;           // NULL: no other matcher will come (ENGINE_AUTO)
    bool repeat_comments;             // add a comment even if the position already has it
    int64_t memory;                   // bytes, see budget.h; 0: a quarter of what the process may use
    int64_t game_bytes;               // cut longer games in the format pgn, with a report; 0: never
    bool no_sort;                     // games are written in the order of the input
    const struct PgnForms *forms;     // of the format pgn; NULL: that of CQL 6
    const struct VariantAlias *alias; // other names of variants of chess
    size_t alias_count;
    bool skip_variants;     // do not report games of unknown variants, which are not searched
    bool show_dictionaries; // print them at the end
    unsigned output_flags;  // OUTPUT_ of output.h
    bool discard_failed;    // no output when the query failed in a game
    // Printed among the messages of `message` filters, in the order of the games.
    bool show_matches;  // `<N>` for each matching game
    int64_t show_games; // `[N]` and a line end after each group of this many games, a dot after each tenth of
                        // it; 0: nothing
    bool show_threads;  // `[N:T]` and `.T`, T the number of the thread that searched the game, from 1
    // NULL: messages are printed as they are and run-time errors go to stderr. Otherwise errors are printed
    // among the messages.
    const SearchFrames *frames;
    // Called by any thread for each game after its tags are read; false: the game does not match. NULL: all
    // games may match.
    bool (*wanted)(void *user, const struct Game *game);
    // Called once after the results are written, before the values of persistent variables are printed; or
    // NULL.
    void (*finished)(void *user, int status, const SearchTotals *totals);
    // Called after each block of games, in order, with the totals so far; or NULL.
    void (*progressed)(void *user, const SearchTotals *totals);
    // If not NULL, results in the format pgn are kept to the end of the search; then this is called once,
    // with the number of games and bytes that follow. Messages go to stdout even when the results do.
    void (*before_results)(void *user, int64_t games, int64_t bytes);
    void *user;
    int64_t block_chunks;     // of databases make a block; 0: one
    const SearchShard *shard; // by input; NULL: this process has all inputs
    const SearchShare *share; // NULL: this process searches everything
    // The inputs, and perhaps more, as they were when the search was prepared (fingerprint.h): one that differs when it is opened
    // ends the search without results. NULL: it is read as it is.
    const Buffer *files;
    // A search whose results come from a share, to be written in another format: gets the numbers of the games that leave something,
    // and writes nothing. NULL: it writes.
    struct GameNumbers *noted;
    // The search that then writes them: it leaves out all other games, says nothing that the first one has said, and has its totals.
    // NULL: all games are searched.
    const struct GameNumbers *only;
    const struct GroupSpec *count_by; // write groups of the matching games instead of them; NULL: do not
    struct ExplorerTable
        *explorer; // gets the matching games that reach its position (explorer.h); NULL: none
    const char *(*nearest_tag)(
        const char *name); // a usual tag with a name like this one, or NULL, for warnings; NULL: no warnings
    int table_width;       // of a terminal that shows groups or a list; 0: none
    uint64_t sample;       // search only the games whose hash is below this; 0: all
    QueryTotals *by_query; // filled in at the end of the search, for each query; or NULL
    const struct SearchSink
        *sink; // takes results and messages, with FORMAT_NONE; NULL: files and the terminal
    // By input: games in memory, which `input` only names; without a start: a file. NULL: all are files.
    const struct Text *in_memory;
    const int *spool; // by input: a copy to be read instead (inputs_spool), or -1; NULL: none
} SearchOptions;

// For a search that is shared: sets block_chunks so that there are not too many blocks, the same for all processes with the same
// inputs. Returns about how many blocks there are, exactly when all inputs are databases; 0: not known.
uint64_t search_plan_blocks(SearchOptions *options);

// The number of blocks of one database; after search_plan_blocks.
uint64_t search_shard_blocks(const SearchOptions *options, const SearchShard *shard);

// SearchOptions.sample of a percentage from 0 (as 100) to 100.
uint64_t search_sample(double percent);

// SearchOptions.threads: as many as are wanted, at most 1024; 0: one for each processor that the process may use.
int search_threads(int64_t wanted);

// Looks at a file: false when it is not a database that can be read.
bool search_look_at_shard(const char *name, SearchShard *shard);

// Runs all queries of the matcher over all inputs in one pass. Results are written in input order, or in the
// order of the sort keys (language reference 10.6), and do not depend on the number of threads. Messages
// about the input and run-time errors go to stderr as `FILE:LINE: game N: MESSAGE`; the output of `message`
// filters goes to stdout, or to stderr when the results go to stdout, on lines of its own. Never ends the
// program, unless memory runs out without a sink; returns a STATUS_. With a sink, and STATUS_MEMORY, what the search
// used is not freed, and may still be in use. An output file appears under its name only when it is complete. `totals` may be
// NULL.
int search_run(const Matcher *matcher, const SearchOptions *options, SearchTotals *totals);

#endif
