// Expressions over the lanes of a screen (templates/lanes.h). Internal to the emitter.
#ifndef CQL_EMIT_LANES_H
#define CQL_EMIT_LANES_H

#include "compiler/middle/ir/node_notes.h"
#include "compiler/middle/ir/tree_map.h"
#include "emit_internal.h"

enum { KINDS = 14 }; // of move words

// A table by the kind of a move word.
typedef struct KindTable {
    uint64_t value[KINDS];
    const char *name;
} KindTable;

// A set of kinds of move words.
typedef struct KindSet {
    int kinds;
    const char *name;
} KindSet;

// The pieces of some kinds, on one board.
typedef struct KeptBoard {
    int kinds;
    const char *name;
} KeptBoard;

// What is remembered of a king's square.
typedef struct King {
    bool has_lines;
    TreeMap values; // sets that depend on it alone
    int operations;
} King;

// A query of a screen.
typedef struct ScreenQuery {
    const Screen *screen;
    int first;      // of its conditions among all
    bool has_facts; // facts of the game may rule it out
} ScreenQuery;

// A screen being emitted, of one query or of several that share the replay.
typedef struct Screened {
    Emit *e;
    ScreenQuery *query;
    int query_count;
    int count;   // of the conditions of all queries
    int *owner;  // by condition: the number of its query
    int *needed; // kinds of pieces whose squares are read together
    int needed_count;
    KeptBoard kept[PIECE_CODES];
    int kept_count;
    unsigned before; // bit b: the value of board b before each move is kept
    King king[2];    // by colour
    bool uses_victim, uses_target;
    const Ir **history; // REPEATS: the values of the first half of its operands at all positions are kept
    int history_count;
    Ir *(*condition)[SCREEN_PLACES]; // without what is in `game`; NULL: false
    Ir **game;        // what is the same at all positions of a game, by condition; NULL: nothing
    bool *is_once;    // the rest is true once in a game
    NodeNotes hashes; // of the trees
    TreeMap values;   // trees that may get a name, because they are used several times; value: how often
    KindSet *set;
    int set_count;
    KindTable *table;
    int table_count;
    int named; // names given so far
    int indent;
} Screened;

// Prints a line of the function; formats as for emit_line.
void lanes_line(Screened *s, const char *format, ...);

// Is it a test whether the moved piece is of some kinds? Those of move words, as a set.
bool lanes_is_moved_test(const Ir *ir);
const char *lanes_moved_set(Screened *s, const Ir *test);

// The value of a tree; a tree that is used several times gets a name first.
Expr lanes_value(Screened *s, const Ir *ir);
Expr lanes_plain_value(Screened *s, const Ir *ir); // without a name for the tree itself
// The same of a set that is tested for being empty. Of its parts that are pieces on lines through kings, those are computed
// for which there are such pieces.
Expr lanes_tested_value(Screened *s, const Ir *sum);
void lanes_count_uses(Screened *s, const Ir *tree);

// Names that are given in a block end with it.
const char **lanes_kept_names(const Screened *s);
void lanes_restore_names(Screened *s, const char *const *kept);

// The name of a set of kinds of move words; equal sets are one.
const char *lanes_set(Screened *s, const char *stem, int kinds);

// The name of a table with these values; equal tables are one.
const char *lanes_table(Screened *s, const char *stem, const uint64_t value[KINDS]);

// The code of the piece that a kind of move moves.
int lanes_moved_piece(int kind, int colour);

// The name of the values among which REPEATS looks, and one of these values.
const char *lanes_history(Screened *s, const Ir *repeats);
Expr lanes_history_value(Screened *s, const Ir *repeats);

// ---- emit_block.c ----
// Constants at the beginning of a block. Those that the rest of it, or one of them that is needed, does not mention are left out.
enum { MOST_DECLARED = 32 };
typedef struct Block {
    struct {
        const char *name, *text;
    } declared[MOST_DECLARED];
    int count;
    FILE *out; // of what is around the block
    char *code;
    size_t length;
} Block;
void block_begin(Screened *s, Block *b);
// Formats as for emit_line.
void block_declare(Screened *s, Block *b, const char *type, const char *name, const char *format, ...);
void block_end(Screened *s, Block *b);

// ---- emit_boards.c ----
void boards_need_kinds(Screened *s, int board); // a condition reads this board
bool boards_is_one(const Ir *tree);             // a board of pieces after the move
int boards_exactly(const Ir *set); // the kinds of an expression of pieces; 0: it is something else
int boards_united(const Ir *sum);  // the kinds of boards after the move that are operands of a union
void boards_need_union(Screened *s, int kinds);
void boards_choose(Screened *s); // once all needs are known
Expr boards_value(Screened *s, int kinds);
const char *boards_old_name(Screened *s, int board); // of a board before the move
bool boards_have_pawns(const Screened *s, int colour);
void boards_start(Screened *s);
void boards_move(Screened *s, int colour);
void boards_castle(Screened *s, int colour);              // after boards_move, if the move may be castling
const char *boards_king_castled(Screened *s, int colour); // a table: the squares of kings after castling
const char *boards_king_moves(Screened *s);               // a set of kinds

// ---- emit_kings.c ----
void kings_need(Screened *s, const Ir *condition);
void kings_start(Screened *s);
void kings_move(Screened *s, int colour);
const char *kings_value(const Screened *s, const Ir *tree, uint64_t hash); // its name, or NULL
bool kings_is_line(const Ir *tree);                                        // STRAIGHT or DIAGONAL from a king
void kings_forget(King *king);
const char *kings_lines(const Screened *s,
                        const Ir *line); // the lines that a STRAIGHT or DIAGONAL is on, or NULL

#endif
