// The columns of a chunk as they are stored. Internal to runtime/database.
#ifndef CQL_DATABASE_COLUMNS_H
#define CQL_DATABASE_COLUMNS_H

#include "internal.h"
#include "rows.h"

// The columns of a chunk on their way into the database.
typedef struct ColumnWriter {
    Buffer column[STORED_COLUMNS];
    size_t count;
    Buffer names[NAME_TABLES]; // those that are new in the chunk
} ColumnWriter;

// Dates and openings in their normal forms (language reference 9.2) as numbers; 0: unknown, none.
int32_t column_of_date(const char date[11]);
int32_t column_of_eco(Text eco);

// The numbers of a game whose names have ids.
void columns_of_row(const GameRows *rows, const GameRow *row, int32_t value[STORED_COLUMNS]);

// Adds the numbers of a game, none negative.
void columns_add(ColumnWriter *w, const int32_t value[STORED_COLUMNS]);

// May a new name have this id, when the names so far have ids before `count`? Searches have an array of all ids: there are few
// without a name.
bool name_id_may_follow(size_t count, int64_t id);

// Adds a name that no earlier chunk has, in the order of the ids.
void columns_add_name(ColumnWriter *w, int table, int64_t id, Text name);

// Writes the row of a chunk; nothing can be added after it. False when SQLite reports an error.
bool columns_insert(ColumnWriter *w, sqlite3_stmt *insert, int64_t chunk);
void columns_clear(ColumnWriter *w);
void columns_free(ColumnWriter *w);

#endif
