// libcqlgen: compile queries in CQL, the Chess Query Language, and search chess games with them.
//
// The library never ends the program, prints nothing, and changes neither signals nor the current folder. Whatever
// goes wrong is a value: a list of messages with places. See cqlgen(3), docs/embedding.md and examples/embed.
//
// Strings are UTF-8 and end in NUL. A text of a game that is not UTF-8 is read as Latin-1; names of files have any
// bytes.
//
// Ownership: what a function named cql_…_new, cql_compile…, cql_load or cql_search returns belongs to the caller, who
// ends it with the function named in its description; everything else belongs to the library and lives as long as its
// description says.
//
// Threads: all functions may be called from any thread. Any number of searches may use one query at once. One
// CqlSearch is used by one thread at a time, but for cql_search_stop and cql_search_totals. CqlMessages belong to one
// thread at a time.
//
// Structs that the caller fills in begin with their size, so that later versions can add members: set it with
// `CqlSearchOptions options = {.size = sizeof options};`. All other members may be 0, which is their usual value.
// Structs that the library fills in only grow at their ends.
//
// Arguments that cannot be meant, such as NULL for a query, a struct without its size or a negative limit, are errors
// like any other: a function with `messages` says what is wrong. Those without it return NULL or 0, or do nothing.
#ifndef CQLGEN_H
#define CQLGEN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CQL_PUBLIC __attribute__((visibility("default")))
#else
#define CQL_PUBLIC
#endif

// ---- versions ---------------------------------------------------------------------------------------------

#define CQLGEN_VERSION "0.1.0"

// Grows with each addition. A program may use a library with the same or a larger number.
#define CQL_API_VERSION 3

// Those of the library that is used.
CQL_PUBLIC const char *cql_version(void);
CQL_PUBLIC int32_t cql_api_version(void);

// ---- messages ---------------------------------------------------------------------------------------------

typedef enum CqlSeverity {
    CQL_ERROR, // of a query: it cannot be used; of a search: an input or a game was not searched, or not wholly
    CQL_WARNING, // something looks wrong
    CQL_NOTE,    // explains the message before it
    CQL_OUTPUT   // text that a query prints (filter `message`, persistent variables)
} CqlSeverity;

// Names, tags and texts of queries are quoted in `text` and `excerpt`, and in cql_messages_text, with `?` for each control
// character and each that changes the direction of text, so that they can be shown on a terminal or kept in a log. `file` and the
// text of CQL_OUTPUT are as they were given.
typedef struct CqlMessage {
    int32_t severity;             // CQL_ERROR and so on
    const char *file;             // the query or the input that it is about, as it was named, or ""
    int32_t line, column;         // in that file, from 1; 0: not known
    int32_t end_line, end_column; // of the place, which ends before them; 0: not known
    int64_t game;                 // number of the game, 0: none
    const char *text;             // what is wrong, without place and severity
    const char *excerpt;          // the line of the query and a line with `^~~` under the place, or ""
} CqlMessage;

// A list of messages.
typedef struct CqlMessages CqlMessages;

CQL_PUBLIC int32_t cql_messages_count(const CqlMessages *messages);

// Message i, from 0; NULL when there is none. Valid as long as the list.
CQL_PUBLIC const CqlMessage *cql_messages_get(const CqlMessages *messages, int32_t i);

// All messages as the program cqlgen prints them, with lines of the query. Valid until the list changes.
CQL_PUBLIC const char *cql_messages_text(const CqlMessages *messages);

// Frees a list that cql_compile or the like gave to the caller. NULL is allowed.
CQL_PUBLIC void cql_messages_free(CqlMessages *messages);

// ---- queries ----------------------------------------------------------------------------------------------

// One or more compiled queries, which are searched for in one pass over the games.
typedef struct CqlQuery CqlQuery;

typedef enum CqlEngine {
    CQL_ENGINE_AUTO, // as fast as possible at once, and by the C compiler in the background when a search lasts
    CQL_ENGINE_INTERP, // no code is made
    CQL_ENGINE_TCC,    // native code in memory, in milliseconds
    CQL_ENGINE_CC      // the system's C compiler first: the fastest search
} CqlEngine;

typedef struct CqlCompileOptions {
    size_t size;          // sizeof(CqlCompileOptions)
    const char *name;     // of the text, for messages and CqlGame.query_name; NULL: "query"
    const char *dialect;  // "cql6", "cqli", "cql5", "cql3"; NULL: recognised
    int32_t engine;       // CQL_ENGINE_AUTO and so on
    int32_t no_cache;     // not 0: neither reads nor keeps what the C compiler has made (in ~/.cache/cqlgen)
    int32_t pedantic;     // not 0: refuses constructs of CQLi in CQL 6.2
    int32_t secure;       // not 0: refuses filters that use files or programs
    int32_t no_optimize;  // not 0: for tests
    int32_t variations;   // 0: as the query says, 1: searches variations, -1: only main lines
    int32_t no_squares;   // not 0: CqlHit.squares are not wanted; compilation takes less time
    const char *cc;       // the C compiler; NULL: $CC, or cc
    const char *count_by; // the keys of groups, as after --count-by of cqlgen: "eco/1,year"; NULL: none
    int64_t
        memory; // bytes that the queries may take while they are compiled, and after it; 0: an eighth of the machine's
    int32_t variants; // of chess: 0: as the dialect does, 1: games are read by the rules of their variants, -1: as chess
    // With count_by, as the options of cqlgen search with these names; NULL and 0: none.
    const char *measure;
    const char *among;
    const char *player;
    int32_t per_position; // not 0: counts every matching position, not each game once
    const char *syzygy;   // folders of endgame tablebases for wdl, dtz and tablebase, which `:` separates; the same ones for
                          // all queries of a process. NULL: none
} CqlCompileOptions;

// Compiles a query: filters as after the option -e of cqlgen, such as "wtm check", or a whole query with its header.
// `options` may be NULL. Returns NULL when the query has errors. `messages` may be NULL; otherwise *messages is set to
// the errors, warnings and notes, or to NULL when there are none; free it with cql_messages_free. Free the query with
// cql_query_free.
CQL_PUBLIC CqlQuery *cql_compile(const char *text, const CqlCompileOptions *options, CqlMessages **messages);

// The same for one or more files, or texts.
typedef struct CqlSource {
    const char *name; // of the file; with a text only for messages, where NULL is "query"
    const char *text; // NULL: the text of the file
} CqlSource;
CQL_PUBLIC CqlQuery *cql_compile_sources(const CqlSource *source, size_t count,
                                         const CqlCompileOptions *options, CqlMessages **messages);

// Loads a matcher made by `cqlgen QUERY.cql -o MATCHER.so` with the same version (see docs/matcher.md). It is native code, which
// runs with the rights of the program from the moment it is loaded: load none that a stranger has made.
CQL_PUBLIC CqlQuery *cql_load(const char *matcher_path, CqlMessages **messages);

// Frees the query; searches that use it go on. NULL is allowed.
CQL_PUBLIC void cql_query_free(CqlQuery *query);

// The number of queries, and the name, the dialect ("cql6" and so on, "" after cql_load) and the titles of the sort
// keys of query i, from 0; NULL when there is none. They live as long as the query.
CQL_PUBLIC int32_t cql_query_count(const CqlQuery *query);
CQL_PUBLIC const char *cql_query_name(const CqlQuery *query, int32_t i);
CQL_PUBLIC const char *cql_query_dialect(const CqlQuery *query, int32_t i);
CQL_PUBLIC int32_t cql_query_sort_count(const CqlQuery *query, int32_t i);
CQL_PUBLIC const char *cql_query_sort_title(const CqlQuery *query, int32_t i, int32_t key);

// ---- games ------------------------------------------------------------------------------------------------

typedef struct CqlTag {
    const char *name, *value;
} CqlTag;

// The value of a sort key.
typedef struct CqlSort {
    const char *title;
    int32_t has_value; // 0: the key has no value in this game
    int32_t number;
    const char *text; // NULL: the value is the number
} CqlSort;

// The value of a member that has none.
#define CQL_NONE INT32_MIN

// A matching position.
typedef struct CqlHit {
    int32_t position;                // its positionid in the game, from 0 (language reference 6.3)
    int32_t ply;                     // half moves from the beginning of the game
    int32_t move_number;             // of the move that led there; 0 for the first position
    int32_t variation;               // 0: it is in the main line; otherwise how deep the variation is nested
    const char *fen;                 // with counters
    const char *san, *uci;           // the move that led there, or ""
    const char *next_san, *next_uci; // the next move of its line, or ""
    const char *comment;             // of the position, with what the query adds, or ""
    uint64_t squares; // that the set filters of the query find; a1 is bit 0, b1 bit 1, h8 bit 63
    int32_t clock,
        elapsed; // seconds left to the side that has just moved, and that it took (language reference 15); CQL_NONE
    int32_t eval; // centipawns from White's side; CQL_NONE
} CqlHit;

// A comment that the query adds at a position that does not match.
typedef struct CqlNote {
    int32_t position, ply;
    const char *comment;
} CqlNote;

// A game that a query finds; with several queries, each that finds a game gives one.
typedef struct CqlGame {
    int64_t number;         // in all inputs together, from 1
    const char *file;       // the input, as it was named
    int64_t number_in_file; // from 1
    int64_t offset;         // of its first byte in the file, decompressed; -1: it comes from a database
    int32_t query;          // the query, from 0
    const char *query_name;
    int32_t tag_count;
    const CqlTag *tag;        // in the order of a PGN file
    int32_t hit_count;        // of all matching positions
    const CqlHit *const *hit; // in the order of the game; hit_count pointers, or NULL without CQL_WANT_HITS
    int32_t sort_count;
    const CqlSort *sort;
    int32_t note_count;
    const CqlNote *note;
    const char *pgn; // the game with the comments of the query, or NULL without CQL_WANT_PGN
} CqlGame;

// ---- searching --------------------------------------------------------------------------------------------

// A search that runs in threads of its own. It works ahead of the caller, but not far.
typedef struct CqlSearch CqlSearch;

// An input: a file, or games in memory.
typedef struct CqlInput {
    const char *
        name; // of a PGN file, plain or compressed, or a database of `cqlgen import`; with a text only for messages
    const char *text; // PGN, plain or compressed, which must live as long as the search; NULL: the file
    uint64_t length;  // of the text, in bytes
} CqlInput;

// What of a game is wanted, besides its number and tags.
enum {
    CQL_WANT_HITS = 1,     // CqlGame.hit and note
    CQL_WANT_PGN = 2,      // CqlGame.pgn
    CQL_WANT_TAGS = 4,     // alone: neither
    CQL_WANT_COUNTS = 8,   // alone: no games, only CqlTotals; the fastest search
    CQL_WANT_GROUPS = 16,  // alone: no games, but cql_search_groups; the query was compiled with count_by
    CQL_WANT_EXPLORER = 32 // alone: no games, but cql_explore: what was played in a position
};

typedef struct CqlSearchOptions {
    size_t size;     // sizeof(CqlSearchOptions)
    int32_t threads; // 0: one for each processor that the process may use
    uint32_t want;   // CQL_WANT_; 0: CQL_WANT_HITS
    int64_t limit;   // end after so many matching games; of sorted ones the first so many; 0: all
    int64_t first_game, last_game; // search only these; 0: no bound
    double max_seconds;            // end after this time; 0: never
    int64_t max_steps;             // budget of a query for one game; 0: the usual one
    int64_t memory;                // bytes for results that wait; 0: 512 MB
    double sample;                 // search only this percentage of the games, always the same ones; 0: all
    int32_t first;                 // not 0: only the first matching position of each game
    int32_t of_all;                // not 0: groups count the games that do not match, too
    int32_t group_order; // CQL_GROUPS_USUAL and so on; `limit`: show so many groups, and one for the others
    int32_t no_sort;     // not 0: games come in the order of the input even if the query sorts them
    int32_t allow_commands;  // not 0: commandpipe may start programs
    const char *allow_files; // folder for readfile and writefile; NULL: the current one
    // With CQL_WANT_EXPLORER:
    const char *position; // a FEN, or moves from the beginning such as "1.e4 c5 2.Nf3"; NULL: the beginning
    int64_t min_games;    // leave out moves with fewer games; 0: none
    int32_t plies;        // explore so many half moves deep, up to 12; 0: one
} CqlSearchOptions;

typedef enum CqlStatus {
    CQL_GAME,    // there is a game
    CQL_END,     // the search has ended
    CQL_WAIT,    // nothing yet: the time to wait is over
    CQL_STOPPED, // cql_search_stop has ended it
    CQL_FAILED   // it could not be carried out: see the messages
} CqlStatus;

// Starts a search. `options` may be NULL. NULL when it cannot be started; then *messages (unless `messages` is NULL)
// says why. Inputs are opened later: one that cannot be read gives a message, and the others are searched; without any
// (`count` 0) the search ends at once. The names are copied. End it with cql_search_free.
CQL_PUBLIC CqlSearch *cql_search(CqlQuery *query, const CqlInput *input, size_t count,
                                 const CqlSearchOptions *options, CqlMessages **messages);

// The next matching game, in the order of the input or of the query's sort keys: waits for it, at most `milliseconds`
// unless they are negative. *game is valid until the next call with the same search. Anything but CQL_GAME sets it to
// NULL. After CQL_END, CQL_STOPPED or CQL_FAILED no more games come. When `game` is NULL, takes none and
// returns CQL_FAILED.
CQL_PUBLIC CqlStatus cql_search_next(CqlSearch *search, int32_t milliseconds, const CqlGame **game);

// Ends the search soon: cql_search_next returns CQL_STOPPED. From any thread.
CQL_PUBLIC void cql_search_stop(CqlSearch *search);

// What there is to say about inputs and games, and what the query prints, in order, so far. Of many messages the first
// ten thousand are kept. Valid until the next call with the same search.
CQL_PUBLIC const CqlMessages *cql_search_messages(CqlSearch *search);

typedef struct CqlTotals {
    size_t size;       // sizeof(CqlTotals), set by the caller
    int64_t games;     // read
    int64_t matches;   // games that match
    int64_t hits;      // matching positions in them
    int64_t positions; // of the games that were searched
    int64_t bytes;     // of the inputs, decompressed
    int64_t damaged;   // games with damage, which were searched as far as they can be read
    int64_t errors;    // games that a query failed in
    double seconds;
} CqlTotals;

// What the search has counted so far, at its end everything. From any thread. Returns 0 when the struct has no size or an
// argument is NULL, otherwise 1.
CQL_PUBLIC int32_t cql_search_totals(CqlSearch *search, CqlTotals *totals);

// ---- one position, one game -------------------------------------------------------------------------------

// A matching position of cql_match_fen or cql_match_game, or a game that matches without one (`matchcount 0`). This
// struct does not grow.
typedef struct CqlMatch {
    int32_t query;     // from 0
    int32_t position;  // its positionid in the game, from 0; -1: none
    int32_t ply;       // half moves from the beginning of the game
    int32_t variation; // 0: it is in the main line; otherwise how deep the variation is nested
    uint64_t squares;  // as CqlHit.squares
} CqlMatch;

// These two match at once, in the thread of the caller: for programs that get positions or games one by one. They return
// the number of matches, those of the first query first, or -1 after an error: what was given is not a position or a game,
// or a query fails in it. *messages, unless `messages` is NULL, is set to errors, warnings about damage, and what queries
// print, or to NULL when there are none; free it with cql_messages_free.
//
// The first `room` matches are put into `match`, which may be NULL when `room` is 0.
//
// After the first call, a call allocates no memory unless it has messages or its game is longer than all before it. The
// query keeps that memory for later calls, but not what a text of more than a megabyte needed. Any number of threads may
// use one query at once; each call that runs at the same time as others has memory of its own, which the query keeps, too.
//
// The game has the number 1, and is the last one. Queries that keep values from game to game (persistent variables,
// global dictionaries) or use files or programs are refused: search with them.

// Matches a position, as a game that begins with this FEN, has no moves and no result.
CQL_PUBLIC int32_t cql_match_fen(CqlQuery *query, const char *fen, CqlMatch *match, size_t room,
                                 CqlMessages **messages);

// Matches the only game in `length` bytes of PGN.
CQL_PUBLIC int32_t cql_match_game(CqlQuery *query, const char *pgn, size_t length, CqlMatch *match,
                                  size_t room, CqlMessages **messages);

// ---- groups -----------------------------------------------------------------------------------------------

typedef enum CqlGroupOrder {
    CQL_GROUPS_USUAL, // names and openings by their numbers of games, years, ratings and numbers by their values
    CQL_GROUPS_BY_KEY,  // by their values
    CQL_GROUPS_BY_GAMES // those with most games first
} CqlGroupOrder;

typedef enum CqlGroupKind { CQL_GROUP_NONE, CQL_GROUP_NUMBER, CQL_GROUP_TEXT } CqlGroupKind;

// The value of a key.
typedef struct CqlGroupValue {
    int32_t kind;     // CQL_GROUP_NONE: the games of the group have none
    int64_t number;   // of CQL_GROUP_NUMBER; the least of a band of ratings
    const char *text; // of all kinds: as it is shown
} CqlGroupValue;

typedef struct CqlGroup {
    int32_t query;              // whose games they are, from 0
    const CqlGroupValue *value; // by key; NULL: the groups beyond the limit together
    int64_t games, positions;   // that match; of a game that counts once, all its matching positions
    int64_t white, draws,
        black; // games with these results; with the key `player` or a player: won, drawn and lost by him
    int64_t
        searched;   // games or positions of the group, whether they match or not; 0 without of_all and among
    double percent; // of all matches; with of_all and among, of `searched`
    const double *measure; // by measure; NAN: it has none
} CqlGroup;

typedef struct CqlGroups {
    int32_t key_count;
    const char *const *key; // as written
    int32_t count;
    const CqlGroup *const *group;
    int32_t measure_count;      // of CqlCompileOptions.measure
    const char *const *measure; // as written
} CqlGroups;

// The groups of a search with CQL_WANT_GROUPS after cql_search_next has returned CQL_END, until the search is freed; NULL
// before, and in other searches.
CQL_PUBLIC const CqlGroups *cql_search_groups(CqlSearch *search);

// ---- the explorer -----------------------------------------------------------------------------------------

typedef enum CqlExplorerForm { CQL_EXPLORER_TEXT, CQL_EXPLORER_JSON, CQL_EXPLORER_HTML } CqlExplorerForm;

// The moves that were played in CqlSearchOptions.position in the games that the query finds ("true": all games), how often, and how they
// scored, as `cqlgen explore` writes them (docs/command-line.md, The explorer): of a search with CQL_WANT_EXPLORER after
// cql_search_next has returned CQL_END. NULL before, and in other searches. Valid until the next call with the same search.
CQL_PUBLIC const char *cql_explore(CqlSearch *search, CqlExplorerForm form);

// Ends and frees the search, whether or not it is at its end. NULL is allowed.
CQL_PUBLIC void cql_search_free(CqlSearch *search);

// ---- boards -----------------------------------------------------------------------------------------------

typedef struct CqlBoardOptions {
    size_t size;      // sizeof(CqlBoardOptions)
    const char *last; // a move whose squares are marked, as UCI; NULL: none
    const char *next; // a move that is drawn as an arrow, as UCI; NULL: none
    uint64_t squares; // to be ringed, as CqlHit.squares
    int32_t flipped;  // not 0: Black is at the bottom
    int32_t width;    // in pixels, below 10000; 0: 360
} CqlBoardOptions;

// A diagram as a complete SVG image, or NULL when the FEN is not a position or an option is wrong. `options` may be NULL.
// Free it with cql_free.
CQL_PUBLIC char *cql_board_svg(const char *fen, const CqlBoardOptions *options);

CQL_PUBLIC void cql_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
