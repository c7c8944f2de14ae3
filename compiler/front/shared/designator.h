// The scanner of piece designators (language reference 1.10, 11.1, 12.1), and the pieces that they are made of.
#ifndef CQL_SHARED_DESIGNATOR_H
#define CQL_SHARED_DESIGNATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/chess/board.h"

// What a dialect allows in a designator.
typedef struct DesignatorRules {
    const char *more_letters;           // pieces besides KQRBNPkqrbnpAa, of `_.UMmIi?`
    bool unicode;                       // non-ASCII pieces
    bool squares_alone;                 // squares without pieces
    bool ranges_alone;                  // `Ra1-8`: ranges of squares outside of brackets
    bool empty_lists;                   // `[]`: no piece, no square
    bool any_side;                      // `?` in squares: all files, all ranks
    bool scidb;                         // `~`, `L`, `D`, `[ac]3`, `[+]` and `[*]` (12b.2)
    bool (*may_end)(const char *after); // may a designator end before this text?
} DesignatorRules;

// A piece designator at some place of the text.
typedef struct DesignatorScan {
    size_t length;                        // bytes; 0: no designator here
    uint32_t pieces;                      // SYMBOL_ bits (ast.h); ANY_SQUARE without pieces
    uint32_t promoted, unpromoted;        // the same of letters with `~` and `~~`, not among `pieces`
    Bitboard mask;                        // all ones without squares
    bool has_pieces, has_squares;         // what is written
    const char *mistake;                  // a mistake that is reported whatever follows (1.2), else NULL
    size_t mistake_start, mistake_length; // where it is, in bytes from the start of the designator
} DesignatorScan;

// Tries to read a designator at `text`, which must be followed by a NUL somewhere.
DesignatorScan designator_scan(const DesignatorRules *rules, const char *text);

// squares = block | "[" block { "," block } "]": adds them to *mask. Returns the end, NULL when there are none or
// they contain a mistake.
const char *designator_squares(const DesignatorRules *rules, const char *text, Bitboard *mask);
// pieces = piece | "[" piece { piece } "]": *pieces becomes their SYMBOL_ bits. Returns the end, NULL as above.
const char *designator_pieces(const DesignatorRules *rules, const char *text, uint32_t *pieces);

// The length in bytes of the non-ASCII piece (1.5) at `text`, or 0.
size_t designator_symbol_length(const char *text);
// The piece, ASCII or not, at `text`: its symbols, and its length in bytes; 0 when there is none.
uint32_t designator_piece(const char *text, size_t *length);
// The spelling of what one character means in a designator, non-ASCII or not; NULL when there is none.
const char *designator_spelling(uint32_t symbols, bool unicode);

#endif
