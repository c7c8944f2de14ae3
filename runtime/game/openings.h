// Openings by position: a table of named positions, and the opening of a game (language reference 9.9).
//
// A table is a text with a line `eco<TAB>name<TAB>moves` for each position. The program contains one, openings.tsv. The opening
// of a game is that of the last position of its main line which is in the table, whatever moves led there.
#ifndef CQL_OPENINGS_H
#define CQL_OPENINGS_H

#include "game.h"

typedef struct Opening {
    Text code, name; // E97; King's Indian Defence: Orthodox Variation
} Opening;

typedef struct Openings Openings;

// The table that the program contains: read at the first call, from any thread, and kept.
const Openings *openings_usual(void);

// Reads a table, whose texts it copies. An error, a malloc'ed message that begins with `file`, a line and a column, is in *message,
// and NULL returned. openings_free frees the result.
Openings *openings_read(Text text, const char *file, char **message);
void openings_free(Openings *o);

// The name with which it was read.
const char *openings_file(const Openings *o);

// By number, from 0; NULL beyond the last one.
const Opening *openings_row(const Openings *o, size_t i);

// The opening of a game; NULL when its main line has no position of the table.
const Opening *openings_of(const Openings *o, const GameView *game);

#endif
