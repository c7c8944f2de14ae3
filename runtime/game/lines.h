// Main lines as a database stores them and compiled searches read them: several games side by side. It is part of the
// header of generated C, so it includes only the integer types.
#ifndef CQL_LINES_H
#define CQL_LINES_H

#include "runtime/value/integers.h"

enum { LINE_LANES = 8 };

// Bits of LineGroup.facts.
enum {
    LINE_MATE = 32,             // the line ends with checkmate,
    LINE_STALEMATE = 64,        // or with stalemate
    LINE_CASTLES_KING = 0x500,  // some side castles kingside,
    LINE_CASTLES_QUEEN = 0xa00, // or queenside
    LINE_PROMOTES = 0x3000,     // a pawn is promoted
    LINE_EN_PASSANT = 0x4000,   // a pawn captures en passant
    LINE_WHITE = 0x1300,        // those of them that White does,
    LINE_BLACK = 0x2c00         // or Black
};

// The main lines of up to LINE_LANES games of about equal length side by side.
typedef struct LineGroup {
    const uint16_t *word; // rows of LINE_LANES move words (word.h), a row a ply; 0 after the end of a game.
                          // Aligned to 16 bytes
    int32_t rows;         // plies of the longest game
    uint16_t length[LINE_LANES]; // plies of each game; 0 in lanes without a game
    uint16_t men[2][LINE_LANES]; // by colour, at the end; 0: not known
    uint16_t facts[LINE_LANES];  // what is known of each game: LINE_, and bits with other meanings
} LineGroup;

#endif
