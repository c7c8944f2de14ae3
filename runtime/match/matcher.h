// The matcher ABI: what a compiled query exports and what it may call (docs/matcher.md). Plain C, versioned,
// self-contained: part of the header of emitted C, which programs that load matchers include too.
//
// A matcher.so exports one function, `const Matcher *cql_matcher(void)`. Check `magic` and `abi_version`
// first: everything else may differ between versions. A matcher has no global state; its host provides one
// Context per query and thread. A matcher never calls libc: it reaches everything but arithmetic through
// Context.rt.
#ifndef CQL_MATCHER_H
#define CQL_MATCHER_H

#include "runtime/chess/board.h"
#include "runtime/game/lines.h"
#include "runtime/game/view.h"
#include "runtime/value/value.h"
#include "layout.h" // CQL_DECLARATIONS, which the Makefile makes of this header and those above

enum { CQL_ABI_VERSION = 25 };

enum { SCREEN_QUERIES = 32 }; // see QueryInfo.screen
#define CQL_MAGIC 0x6c71636eu // the bytes "ncql"

struct Runtime;
struct RunState;
struct QueryInfo;

// The state of one query in one thread. The host fills it in before each call of a matcher's function.
typedef struct Context {
    const struct Runtime *rt;
    const GameView *game;
    const Position *const *position; // game->position
    const Node *node;                // game->node
    // Variables, and what filters remember from one position to the next: QueryInfo.slot_count cells. Zero at
    // the beginning of each game, except for the persistent ones: the first QueryInfo.persistent_slots.
    Slot *slot;
    int32_t *hit; // positionids that matched, ascending; room for game->count
    int32_t hit_count;
    int64_t steps; // every iteration of a loop takes one; at 0 it raises RAISE_STEPS, which may refill them
    int32_t depth; // how deep the query's own functions may nest; a deeper call raises RAISE_MEMORY
    const char *stack_end; // a call with its frame below this address raises RAISE_MEMORY
    int32_t at;            // positionid at which the body is evaluated
    struct RunState *run;  // the host's state, which the runtime calls use
    const struct QueryInfo *query;
    int32_t show; // call rt->show at matching positions
} Context;

// A place in the query is a number: line * PLACE_COLUMNS + column, both from 1. Column 0: beyond the last one.
enum { PLACE_COLUMNS = 1024 };
#define PLACE(line, column) ((line)*PLACE_COLUMNS + (column))

// Why a game is abandoned (Runtime.raise).
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

// Every function that a matcher may call: the rows of calls.def.
typedef struct Runtime {
    uint32_t abi_version;
    uint32_t size; // of this struct
    // Tables for the inline primitives of compiled matchers (see chess.h).
    const Bitboard *between_table, *ray_table, *reach_table;
#define CALL(name, result, parameters, effect, c_result, prototype, help) c_result(*name) prototype;
#include "calls.def"
} Runtime;

// Properties of a query that its host must know.
enum {
    QUERY_VARIATIONS = 1, // searches variations too
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
    QUERY_CQLI = 8192,           // strings are Unicode
    QUERY_IMAGINARY = 16384,     // tries out moves
    QUERY_CQL5 = 32768,          // writes the comments of CQL 5 (language reference 11.8)
    QUERY_EXACT_SCREEN = 65536,  // see QueryInfo.screen
    QUERY_NEEDS_CLOCKS = 131072, // clocks and evaluations in comments of the input (language reference 15)
    QUERY_CQL3 = 262144,         // written in CQL 3
    QUERY_VARIANTS = 524288,     // reads games by the rules of their variants (language reference 16)
    QUERY_AS_CHESS = 1048576,    // reads games of all variants as chess; without both, games of other rules are left out
    QUERY_TABLEBASES = 2097152,  // asks endgame tablebases (language reference 17.3)
    QUERY_NEEDS_CHECKS = 4194304 // asks at many positions whether a king is attacked
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

// QueryInfo.tag_formula: two formulas follow AND and OR, an atom follows NOT.
enum { TAGS_AND = -1, TAGS_OR = -2, TAGS_NOT = -3 };

typedef struct QueryInfo {
    const char *name;   // of the query file, or "-e"
    const char *source; // its text
    uint32_t flags;     // QUERY_
    uint32_t results;   // bit 1 << RESULT_ for each result that the header requires
    int32_t matchcount_low, matchcount_high;
    int32_t gamenumber_low, gamenumber_high;
    const char *matchstring;    // NULL: CQL
    const char *input, *output; // header file names or NULL
    const char *similar_file;   // of `similarposition` (6.15), read by the host; NULL: not used
    const char *comment_part;   // every match needs a comment of the input that contains it; NULL: not known
    int32_t slot_count;
    int32_t persistent_slots; // the first slots keep their values from game to game
    int32_t place_cell;       // 1 + the slot with the place in the query for error messages; 0: none
    int32_t dictionary_count;
    const struct DictionaryInfo *dictionary;
    int32_t
        imaginary_levels;   // how deep filters that make imaginary positions nest (language reference 13.17)
    int32_t mark_set_count; // sets of marked positions, empty at the beginning of each game
    int32_t sort_key_count;
    const SortKeyInfo *sort_key;
    int32_t pattern_count; // regular expressions, compiled by the host
    const String *pattern;
    int32_t persistent_count;
    const PersistentInfo *persistent;
    // The condition on tags that all games satisfy in which the query matches or fails: a formula in prefix notation
    // over atoms, each a condition on few columns. No atoms: all games may match.
    int32_t tag_atom_count;
    const int32_t *tag_columns; // by atom: bits 1 << COLUMN_ that it reads
    const int32_t *tag_same;    // by atom: the first one that asks the same, of this player or of the other one
    int32_t tag_formula_count;
    const int32_t *tag_formula; // numbers of atoms, and TAGS_
    int32_t tags_decide;        // the query matches at all positions of these games and nowhere else
    int32_t (*tag_atom)(Context *c, int32_t atom);
    // Conditions that depend on nothing but the position at which they are evaluated. Called by rt->member and the like,
    // which remember the results for the game. NULL: there are none.
    int32_t remembered_count;
    int32_t (*remembered)(Context *c, int32_t condition, int32_t n);
    // Evaluates the body at every position and appends the matching ones to c->hit; with c->show, calls
    // rt->show at each of them. The host evaluates the parameters of the header.
    void (*match_game)(Context *c);
    // Rules out games by their main lines. Sets found[screen_place][group][lane] for each game: 0 when no position of the
    // main line can match; otherwise 1 or more, with QUERY_EXACT_SCREEN the number of positions that match. A game that it leaves
    // at -1 is evaluated. NULL: nothing is known. Up to SCREEN_QUERIES queries may have the same function, which replays the
    // games once for all of them: then each of them has a place of its own, and those whose element of `found` is NULL are
    // left out.
    void (*screen)(const LineGroup *group, int32_t count, int32_t (*const *found)[LINE_LANES]);
    int32_t screen_place;
    int32_t screen_cost; // about its time for a position; to replay and evaluate one takes about 2000
    // Reports what the query finds at position n to rt->show_squares, rt->show_move and rt->show_line. Called by rt->show,
    // which ignores the result. NULL: nothing to report.
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
    const QueryInfo *query; // all are evaluated in one pass over the games
    const char *made_by;    // version and back end, for people
    uint32_t layout;        // CQL_LAYOUT
} Matcher;

// Differs where the text of a declaration differs, or a struct that a matcher shares with its host has another size, whatever
// the version says: the sources were changed, half of the program was built before they were, or flags change structs.
#define CQL_LAYOUT                                                                                           \
    ((uint32_t)(CQL_DECLARATIONS + sizeof(Context) + 1009 * sizeof(Runtime) + 2003 * sizeof(QueryInfo) +     \
                3001 * sizeof(GameView) + 4001 * sizeof(Node) + 5003 * sizeof(Position) +                    \
                6007 * sizeof(LineGroup) + 7001 * sizeof(Slot)))

typedef const Matcher *MatcherEntry(void); // type of the exported function `cql_matcher`

#endif
