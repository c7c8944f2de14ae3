// Expressions over the lanes of a screen (templates/lanes.h). Internal to the emitter.
#ifndef CQL_EMIT_LANES_H
#define CQL_EMIT_LANES_H

#include "emit_internal.h"

enum { KINDS = 14 }; // of move words

// A tree that may get a name of its own, because it is used several times.
typedef struct LaneValue {
    const Ir *tree;
    uint64_t hash;
    int uses;
    const char *name; // NULL: not computed here
} LaneValue;

// A table by the kind of a move word.
typedef struct KindTable {
    uint64_t value[KINDS];
    const char *name;
} KindTable;

// A screen being emitted.
typedef struct Screened {
    Emit *e;
    const Screen *screen;
    unsigned boards, before; // bit b: board b is kept; its value before each move is
    bool uses_victim, uses_target;
    Ir *(*condition)[SCREEN_PLACES]; // without what is in `game`; NULL: false
    Ir **game;     // what is the same at all positions of a game, by condition; NULL: nothing
    bool *is_once; // the rest is true once in a game
    LaneValue *value;
    int value_count;
    KindTable *table;
    int table_count;
    int named; // names given so far
    int indent;
} Screened;

// Prints a line of the function; formats as for emit_line.
void lanes_line(Screened *s, const char *format, ...);

// Is it a test whether the moved piece is of some kinds?
bool lanes_is_moved_test(const Ir *ir);

// The value of a tree; a tree that is used several times gets a name first.
Expr lanes_value(Screened *s, const Ir *ir);
void lanes_count_uses(Screened *s, const Ir *tree);

// Names that are given in a block end with it.
const char **lanes_kept_names(const Screened *s);
void lanes_restore_names(Screened *s, const char *const *kept);

// The name of a table with these values; equal tables are one.
const char *lanes_table(Screened *s, const char *stem, const uint64_t value[KINDS]);

// The code of the piece that a kind of move moves.
int lanes_moved_piece(int kind, int colour);

// The name of a board; BOARD_COUNT + board: before the move.
const char *lanes_board_name(Screened *s, int board);

enum { LANES_MOST_VALUES = 8192 };

#endif
