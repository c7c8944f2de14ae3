// The state behind one query in one thread: what the runtime functions share. Internal to runtime/match and
// runtime/value.
#ifndef CQL_RUN_STATE_H
#define CQL_RUN_STATE_H

#include <string.h>

#include "runtime/value/arena.h"
#include "runtime/value/dictionary.h"
#include "runtime/value/regex.h"
#include "relation.h"
#include "runtime.h"
#include "similar.h"

// The texts kept for one sort key with its best value so far (language reference 10.6.3).
typedef struct SortTexts {
    int32_t filter; // of the evaluation that gave the value
    int32_t count, capacity;
    LogEntry *entry;
} SortTexts;

// The last successful search (7.11). `subject` NULL: the record is empty.
typedef struct MatchRecord {
    String subject;
    int32_t groups; // of the pattern, the whole match not counted
    const Regex *regex;
    size_t *offset; // begin and end of each group, PCRE2_UNSET: it took no part; room for the largest pattern
} MatchRecord;

// A loop over matches in progress.
typedef struct RegexLoop {
    int32_t pattern;
    String subject;
    size_t start;     // where the next search begins
    bool after_empty; // a non-empty match at `start` is tried first
    bool done;
} RegexLoop;

// Texts copied from the log.
typedef struct TextList {
    int32_t count, capacity;
    LogEntry *entry;
} TextList;

// A complete path: the tails of its counted moves, and what its constituents wrote on the way (5.9).
typedef struct TrailRecord {
    int32_t *position;
    int32_t count, capacity, value;
    TextList texts;
} TrailRecord;

// The search of one `path` filter: where it is and what it has found so far.
typedef struct Trail {
    int32_t *position;
    int32_t count, capacity;
    TrailRecord *record;
    int32_t record_count, record_capacity;
} Trail;

// What the moves from the root to a position have touched.
typedef struct History {
    Bitboard arrived; // squares where moves arrived (null moves excepted)
    uint8_t home;     // CASTLE_ bits: king and rook stood at home in every position so far (3.18)
} History;

// Who stands where in one position (7.5).
typedef struct Identities {
    int8_t number[64];  // piece number by square, -1: empty
    uint8_t square[64]; // square by piece number, NO_SQUARE: off the board
} Identities;

// One set of marked positions (5.7). Cleared when it is first used in a game.
typedef struct MarkSet {
    bool used;
    size_t capacity; // in words
    uint64_t *bits;
} MarkSet;

// What the search of one path remembers of a position; `serial` is that of the table, or the entry is empty.
typedef struct MemoEntry {
    uint64_t key;
    int32_t end; // positionid, -1: none
    uint32_t serial;
} MemoEntry;

typedef struct MemoTable {
    MemoEntry *entry;
    uint32_t capacity, count; // capacity: a power of two
    uint32_t serial;          // counts how often the table was emptied
    uint64_t game;            // RunState.game_serial when it was emptied
} MemoTable;

// The longest common run of moves of one `consecutivemoves` filter in this game (6.10).
typedef struct KeptRun {
    int32_t length;       // 0: none
    int32_t x_end, y_end; // last positions of the two runs
    String x_name, y_name;
} KeptRun;

// A pair of positions for which a `relation` held (11.7); relations are numbered from 0.
typedef struct RelationPair {
    int32_t relation, source, target;
} RelationPair;

struct Imaginary;

struct RunState {
    StringArena strings; // results of runtime calls, until the next game
    StringArena kept;    // strings in persistent variables
    size_t kept_limit;   // size of `kept` at which it is compacted
    jmp_buf *escape;     // where raise goes
    char error[256];
    int64_t steps_left; // of the game's budget, those given to Context.steps not counted
    bool exhausted;     // the budget is used up
    bool stopped;       // by RunOptions.stopped
    RunOptions options;

    // the comment log and what belongs to it
    bool logging; // the log is kept at all
    LogEntry *log;
    int32_t log_count, log_capacity;
    int32_t hits_logged; // hits whose matchstring stands in the log
    String matchstring;  // NULL: none is added
    SortValue *sort;
    SortTexts *sort_texts;
    KeptRun *kept_run;
    int32_t kept_run_count, kept_run_capacity;
    FoundSquares *squares;
    int32_t squares_count, squares_capacity;
    int32_t *moves;
    int32_t moves_count, moves_capacity;
    int64_t show_steps; // left in this game for QueryInfo.show
    Slot *slots_before; // room for the query's slots as they were before it was called; NULL: not used yet
    Buffer messages;
    Buffer scratch;  // for a text under construction
    TextList *texts; // registers
    int32_t texts_count, texts_capacity;
    Trail *trail; // by path number
    int32_t trail_count, trail_capacity;
    uint64_t game_serial; // counts the games
    MemoTable *memo;      // by memo number
    int32_t memo_count, memo_capacity;
    int32_t *line; // scratch: positions of a line
    int32_t line_capacity;
    RelationPair *pair; // what relations of CQL 5 have found in this game
    int32_t pair_count, pair_capacity;
    bool dropping; // `drop` is in use in this game
    bool *drop;
    int32_t drop_capacity;
    Tag *set_tag;
    int32_t set_tag_count, set_tag_capacity;

    // values
    Dictionary *dictionary;
    Key key; // the key register
    Graveyard graveyard;
    Regex **pattern;  // those of the query, then those computed in this game
    String *computed; // the text of a computed pattern, by number less those of the query
    int32_t computed_count, pattern_capacity, computed_capacity;
    int32_t record_capacity; // elements of record.offset
    RegexMemory regex;
    MatchRecord record;
    RegexLoop *loop;
    int32_t loop_count, loop_capacity;
    char **written; // names of files written so far
    int32_t written_count;

    // facts of the game's positions, made when first asked for; entries below *_count are valid
    History *history;
    int32_t history_count, history_capacity;
    Identities *identities;
    int32_t identities_count, identities_capacity;
    MarkSet *marks;
    struct Imaginary *imaginary;    // NULL: not used so far
    struct RelationState *relation; // relation_calls.c; NULL: not used yet
    SimilarFile *similar;           // NULL: not used
};

struct Run {
    Context context;
    struct RunState state;
    int32_t hit_capacity;
};

// Raises when the search is to end. For what may take long without taking steps.
void run_pause(Context *c);

// The steps given to Context.steps are used up: gives more. False: the budget of the game is. Raises when the
// search is to end.
bool run_more_steps(Context *c);

// Gives at most as many steps as are left in this game to Context.steps, some at once.
void run_give_steps(Context *c);

// Gives the game up with a message in the manner of printf. Does not return.
_Noreturn void run_raise(Context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The game with its tags and notes.
static inline const Game *run_game_of(const Context *c)
{
    return (const Game *)c->game->game;
}

// A string in the game's arena with room for `length` bytes, NUL-terminated by the arena; the caller fills it
// in at once.
CqlString *run_string_new(Context *c, size_t length);

// A copy of bytes as a string of the game.
String run_string(Context *c, const char *bytes, size_t length);

// The empty string; also what a NULL string means in every runtime call.
extern const CqlString run_empty;
static inline String run_text(String s)
{
    return s ? s : &run_empty;
}

// Makes room for at least `needed` elements in a growing array; contents are kept. Ends the program when
// memory is out.
void *run_grow(void *array, int32_t *capacity, int32_t needed, size_t size);

// Which of king and rooks stand at home: CASTLE_ bits.
uint8_t history_pieces_at_home(const Position *p);
// The identities after a move.
void identities_move(Identities *ids, Move m);

// Computes history and identities up to position `n`.
const History *run_history(Context *c, int32_t n);
const Identities *run_identities(Context *c, int32_t n);

// ---- the log (log.c) ----
void log_begin(Context *c);  // empties it; the header text
void log_finish(Context *c); // all that is added after the last position (10.4.1)
void log_append(Context *c, int32_t position, String text);
void log_append_entry(Context *c, LogEntry entry);
void log_pairs(Context *c);                          // the comments of `relation` (11.7)
void log_kept_runs(Context *c);                      // the comments of `consecutivemoves` filters (6.10)
bool log_level_is(const Context *c, uint32_t flags); // true when none of the QUERY_ flags is set

// The name of a position without side effect (6.11), as text: at most 48 bytes with the NUL. Returns the
// length.
enum { POSITION_NAME_MAX = 48 };
int position_name(const Context *c, int32_t position, char out[POSITION_NAME_MAX]);

// The text of a set (7.12); at most 3 * 64 + 2 bytes. Returns the length.
enum { SET_TEXT_MAX = 200 };
int set_text(Bitboard set, char out[SET_TEXT_MAX]);

// Brings dictionaries and the match record to their state at the beginning of a game.
void dictionaries_begin_game(Context *c);
int regex_flags(const QueryInfo *query); // REGEX_ bits of its patterns
void dictionaries_free(struct RunState *state, int32_t count);
void regex_begin_game(struct RunState *state, int32_t pattern_count);

// Copies the strings of persistent variables into a fresh arena when the old one has grown too large.
void kept_compact(Context *c);

#endif
