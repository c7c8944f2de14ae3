// The matcher ABI: what a compiled query exports and what it may call. Plain C, versioned, self-contained: it
// is embedded (after board.h and view.h) in front of generated C, and it is what programs include that load a
// matcher.so.
//
// A matcher.so exports one function, `const Matcher *cql_matcher(void)`. Check `magic` and `abi_version`
// before anything else; all that follows may differ between versions. A matcher keeps no global state:
// whoever runs it gives it one Context a thread. A matcher never calls libc: everything it needs beside
// arithmetic comes through Context.rt.
#ifndef CQL_MATCHER_H
#define CQL_MATCHER_H

#include "runtime/chess/board.h"
#include "runtime/game/view.h"
#include "runtime/value/value.h"

enum { CQL_ABI_VERSION = 7 };
#define CQL_MAGIC 0x6c71636eu // "ncql", as it stands in memory

// One cell of a query's state: variables and what constructs remember from one position to the next. All zero
// at the beginning of each game, except the persistent ones (QueryInfo.persistent_slots come first and stay).
// Context.slot is an array of them.

struct Runtime;
struct RunState;
struct QueryInfo;

// What one thread evaluates one query with.
typedef struct Context {
    const struct Runtime *rt;
    const GameView *game;
    const Position *const *position; // game->position
    const Node *node;                // game->node
    Slot *slot;                      // the query's state, QueryInfo.slot_count cells
    int32_t *hit;                    // positionids that matched, ascending; room for game->count
    int32_t hit_count;
    int64_t steps; // a loop that takes the last one raises RAISE_STEPS, which may return with more
    int32_t depth; // calls of the query's own functions may nest so deep; the next raises RAISE_MEMORY
    const char *stack_end; // the stack may not grow beyond: calls nearer to it raise RAISE_MEMORY too
    int32_t at;            // positionid at which the body is evaluated
    struct RunState *run;  // the host's: string arena, dictionaries, comment log, sort values, error
    const struct QueryInfo *query;
    int32_t show; // rt->show is to be called at matching positions
} Context;

// Speculative moves can stand inside each other, one fewer than this (language reference 13.5).
enum { IMAGINARY_LEVELS = 64 };

// A place in the query is a number: line * PLACE_COLUMNS + column, both from 1; column 0: farther right.
enum { PLACE_COLUMNS = 1024 };
#define PLACE(line, column) ((line)*PLACE_COLUMNS + (column))

// Why a game was given up (Runtime.raise).
enum {
    RAISE_UNBOUND = 1, // a variable without a value was read; `detail` is a name
    RAISE_BOUND,       // a loop variable already has a value
    RAISE_STEPS,       // the steps are used up
    RAISE_RANGE,       // a direction range outside -7..7 or reversed
    RAISE_GROUP,       // a group reference without a match
    RAISE_ASSERT,
    RAISE_ABORT,
    RAISE_FILE,
    RAISE_MEMORY, // a cap on strings, dictionaries or depth
    RAISE_OTHER
};

// Every function that a matcher may call: one row of calls.def each.
typedef struct Runtime {
    uint32_t abi_version;
    uint32_t size; // of this struct
    // Tables for the inline primitives of compiled matchers (chess.h describes them).
    const Bitboard *knight_table, *king_table, *pawn_table, *between_table, *line_table, *ray_table;
#define CALL(name, result, parameters, effect, c_result, prototype, help) c_result(*name) prototype;
#include "calls.def"
} Runtime;

// Header parameters and options of a query that the driver must know.
enum {
    QUERY_VARIATIONS = 1, // searches the side lines
    QUERY_QUIET = 2,      // comment level
    QUERY_SILENT = 4,
    QUERY_SORT_MATCHCOUNT = 8,
    QUERY_HAS_MATCHCOUNT = 16,
    QUERY_HAS_GAMENUMBER = 32,
    // what it needs from the game
    QUERY_NEEDS_NOTES = 64, // comments and glyphs of the input
    QUERY_NEEDS_TAGS = 128,
    QUERY_NEEDS_PIECES = 256,       // identities of pieces
    QUERY_COMMENTS = 512,           // may add comments, tags or sort values: a log may be needed
    QUERY_SEQUENTIAL = 1024,        // games must be evaluated in order by one thread
    QUERY_NEEDS_LAST_NUMBER = 2048, // uses lastgamenumber
    QUERY_SIMILAR_PLAIN = 4096,     // `similarposition notransform`
    // the dialect CQLi (language reference 13)
    QUERY_CQLI = 8192,       // strings are Unicode; games of other variants of chess are not read
    QUERY_IMAGINARY = 16384, // tries out moves
    QUERY_CQL5 = 32768       // writes the comments of CQL 5 (language reference 11.8)
};

// A persistent variable, shown after the search unless quiet (language reference 7.4).
typedef struct PersistentInfo {
    const char *name;
    int32_t type;             // 0 int, 1 set, 2 string
    int32_t slot, bound_slot; // value and whether it is bound
    int32_t quiet;
} PersistentInfo;

// A sort key (language reference 10.6), in key order; the key of `sort matchcount` is not among them.
typedef struct SortKeyInfo {
    const char *name;
    int32_t is_string, is_min, quiet;
} SortKeyInfo;

typedef struct QueryInfo {
    const char *name;   // of the query file, or "-e"
    const char *source; // its text
    uint32_t flags;     // QUERY_
    uint32_t results;   // bit 1 << RESULT_ for each result that the header demands; all must hold
    int32_t matchcount_low, matchcount_high;
    int32_t gamenumber_low, gamenumber_high;
    const char *matchstring;    // NULL: CQL
    const char *input, *output; // header file names or NULL
    const char *similar_file;   // of `similarposition` (6.15), read by the host; NULL: not used
    int32_t slot_count;
    int32_t persistent_slots; // the first slots keep their values from game to game
    int32_t place_cell;       // 1 + the slot with the place in the query where a game is given up; 0: none
    int32_t dictionary_count;
    const struct DictionaryInfo *dictionary;
    int32_t mark_set_count; // sets of marked positions (nestban), emptied at each game
    int32_t sort_key_count;
    const SortKeyInfo *sort_key;
    int32_t pattern_count; // regular expressions, compiled by the host once a thread
    const String *pattern;
    int32_t persistent_count;
    const PersistentInfo *persistent;
    // False: the game cannot match, whatever its moves are. Looks at tags and result only. NULL: always true.
    int32_t (*game_test)(Context *c);
    // Evaluates the body at every position and appends to c->hit; with c->show, calls rt->show at each that
    // matches. All tests of the header are the driver's.
    void (*match_game)(Context *c);
    // Hands over the squares and moves that the query is about at position n, by rt->show_squares and
    // rt->show_move. Called by rt->show; its result means nothing. NULL: there are none.
    int32_t (*show)(Context *c, int32_t n, const Position *p, int32_t depth);
    const void *implementation; // of the interpreter; NULL in compiled matchers
} QueryInfo;

typedef struct DictionaryInfo {
    const char *name;
    int32_t key_type, value_type; // 0 int, 1 set, 2 string, 3 position
    int32_t local;
} DictionaryInfo;

typedef struct Matcher {
    uint32_t magic;       // CQL_MAGIC
    uint32_t abi_version; // CQL_ABI_VERSION
    uint32_t query_count;
    const QueryInfo *query; // all are searched in one pass
    const char *made_by;    // version and back end, for people
} Matcher;

typedef const Matcher *MatcherEntry(void); // type of the exported function `cql_matcher`

#endif
