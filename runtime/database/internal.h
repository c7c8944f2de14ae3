// The open database, shared by the files of this room.
#ifndef CQL_DATABASE_INTERNAL_H
#define CQL_DATABASE_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>

#include "checksum.h"
#include "chunk.h"
#include "connection.h"
#include "names.h"

// The tables of names, and prepared statements of an import.
enum { PLAYER, EVENT, SITE, NAME_TABLES };
enum { INSERT_NAME, INSERT_GAMES = NAME_TABLES, INSERT_CHUNK, INSERT_CLOCKS, INSERT_COLUMNS, INSERTS };
extern const char *const name_tables[NAME_TABLES];

// A connection that reads chunks, for one thread at a time.
typedef struct Reader {
    struct Reader *next;
    sqlite3 *sql;
    Watch watch; // of sql
    sqlite3_stmt *row;
    sqlite3_stmt *columns; // reads those of columns_wanted; NULL: none so far
    unsigned columns_wanted;
    XXH3_state_t *checksum; // of the blob that is read
} Reader;

// What the table chunk says of a chunk.
typedef struct ChunkRow {
    int64_t first, games, plies,
        bytes; // the number of its first game; of its games, of their main lines, of their texts
} ChunkRow;

struct Database {
    sqlite3 *sql;
    Watch watch; // of sql
    char *name;
    int lock; // of an import; negative: none
    bool knows_rules;
    int64_t chunks, games;
    ChunkRow *row; // by chunk, as they were when the database was opened
    size_t row_count, row_capacity;
    int64_t file_bytes;      // then
    int64_t statement_steps; // of SQLite's machine that a statement may take, as Watch.steps
    pthread_mutex_t mutex;   // of `readers`
    Reader *readers;         // those that no thread uses
    sqlite3_stmt *insert[INSERTS];
    bool rows_registered;
    const struct GameRows *rows;  // what INSERT_GAMES inserts
    NameTable names[NAME_TABLES]; // during an import
};

// A connection for this thread, to be given back. NULL and a message, to be freed, when the file cannot be read.
Reader *database_take_reader(Database *d, char **message);
void database_return_reader(Database *d, Reader *r);
void database_close_readers(Database *d);

// A message with SQLite's own, to be freed.
char *database_message(const Database *d, const char *what);

// Lets the connection take the steps of another statement: more than any needs that reads each row of the file.
void database_begin_statement(Database *d);

// Runs statements without results; false and a message when that fails.
bool database_run(Database *d, const char *sql, char **message);
// The integers of the first row of a result; false when there is no row.
bool database_integers(Database *d, const char *sql, int count, int64_t *value);
sqlite3_stmt *database_prepare(Database *d, const char *sql);

#endif
