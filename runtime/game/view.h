// What a matcher sees of one game. Part of the header of generated C, after board.h.
#ifndef CQL_VIEW_H
#define CQL_VIEW_H

#include "runtime/chess/board.h"

enum { RESULT_UNKNOWN, RESULT_WHITE, RESULT_BLACK, RESULT_DRAW };

// The columns of a database that conditions on tags read (language reference 9.6), and others.
enum {
    COLUMN_WHITE, // by colour
    COLUMN_BLACK,
    COLUMN_EVENT,
    COLUMN_SITE,
    COLUMN_DATE,
    COLUMN_RESULT,
    COLUMN_WHITE_ELO, // by colour
    COLUMN_BLACK_ELO,
    COLUMN_ECO,
    COLUMN_PLIES, // of the main line; of no condition
    STORED_COLUMNS,
    COLUMN_OTHER = STORED_COLUMNS, // what no column has: other tags, the number of the game
    COLUMNS
};

struct Game;

// Arrays are indexed by positionid 0 .. count-1. Without `variations` the tree is the main line only:
// `position` and `node` contain no side lines (language reference 6.1.2).
typedef struct GameView {
    int32_t count;                   // number of positions, at least 1
    int32_t result;                  // RESULT_
    int32_t number;                  // game number in the input, from 1
    int32_t last_number;             // number of the last game in the input, 0 when unknown
    const Position *const *position; // the board of each position
    const Node *node;                // the tree
    const struct Game *game;         // tags, comments, glyphs: by runtime calls only
} GameView;

#endif
