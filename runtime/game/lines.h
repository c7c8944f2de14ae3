// Main lines as a database stores them and compiled searches read them: several games side by side. It is part of the
// header of generated C, so it includes only the integer types.
#ifndef CQL_LINES_H
#define CQL_LINES_H

#include "runtime/value/integers.h"

// The main lines of up to LINE_LANES games of about equal length side by side.
enum { LINE_LANES = 8 };

typedef struct LineGroup {
    const uint16_t *word; // rows of LINE_LANES move words (word.h), a row a ply; 0 after the end of a game.
                          // Aligned to 16 bytes
    int32_t rows;         // plies of the longest game
    uint16_t length[LINE_LANES]; // plies of each game; 0 in lanes without a game
} LineGroup;

#endif
