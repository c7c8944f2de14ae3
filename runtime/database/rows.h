// Rows of the table game on their way into the database. Internal to runtime/database.
#ifndef CQL_DATABASE_ROWS_H
#define CQL_DATABASE_ROWS_H

#include "internal.h"

// The columns of game that are ids of names: white, black, event, site.
enum { NAME_COLUMNS = 4 };
extern const int name_columns[NAME_COLUMNS]; // the table of each

// A string of a game in GameRows.strings.
typedef struct RowText {
    uint32_t start, length;
} RowText;

// What SQL knows of a game.
typedef struct GameRow {
    RowText name[NAME_COLUMNS];
    uint64_t hash[NAME_COLUMNS];
    int64_t id[NAME_COLUMNS]; // set before the row is inserted
    RowText round, eco;
    char date[11];
    uint8_t result;
    int32_t rating[2], ply_count;
    unsigned flags;
} GameRow;

// The games of a chunk. Zero-initialised.
typedef struct GameRows {
    GameRow *row;
    size_t count, capacity;
    Buffer strings; // UTF-8
    int64_t first;  // the number of the first game
} GameRows;

// Adds a game that was read; `flags` are STORED_.
void rows_add(GameRows *r, const Game *g, unsigned flags);
Text row_text(const GameRows *r, RowText t);
void rows_clear(GameRows *r);
void rows_free(GameRows *r);

// A table for SQL that has d->rows, in the order of the columns of game: one statement inserts many rows. False when SQLite
// reports an error.
#define ROWS_TABLE "new_game"
bool rows_register(Database *d);

#endif
