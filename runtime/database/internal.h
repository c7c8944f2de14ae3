// The open database, shared by the files of this room.
#ifndef CQL_DATABASE_INTERNAL_H
#define CQL_DATABASE_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>

#include "checksum.h"
#include "chunk.h"
#include "names.h"

enum { BUSY_MILLISECONDS = 10000 }; // how long to wait for other processes

// The tables of names, and prepared statements of an import.
enum { PLAYER, EVENT, SITE, NAME_TABLES };
enum { INSERT_NAME, INSERT_GAMES = NAME_TABLES, INSERT_CHUNK, INSERT_CLOCKS, INSERT_COLUMNS, INSERTS };
extern const char *const name_tables[NAME_TABLES];

// A connection that reads chunks, for one thread at a time.
typedef struct Reader {
    struct Reader *next;
    sqlite3 *sql;
    sqlite3_stmt *row;
    sqlite3_stmt *clocks;  // the row of clocks; NULL: the database has none
    sqlite3_stmt *columns; // reads those of columns_wanted; NULL: none so far
    unsigned columns_wanted;
    Checksum *checksum; // of the blob that is read
} Reader;

struct Database {
    sqlite3 *sql;
    char *name;
    int lock; // of an import; negative: none
    int64_t chunks, games;
    int64_t *chunk_games, *chunk_bytes; // by chunk, as they were when the database was opened
    size_t games_capacity, bytes_capacity;
    pthread_mutex_t mutex; // of `readers`
    Reader *readers;       // those that no thread uses
    sqlite3_stmt *insert[INSERTS];
    bool rows_registered;
    const struct GameRows *rows;  // what INSERT_GAMES inserts
    NameTable names[NAME_TABLES]; // during an import
};

// A connection for this thread, to be given back. NULL and a message, to be freed, when the file cannot be read.
Reader *database_take_reader(Database *d, char **message);
void database_return_reader(Database *d, Reader *r);
void database_close_readers(Database *d);

// Makes a connection read pages where the system has them in memory, without copies, after database_map_files.
void database_map(sqlite3 *sql);

// A message with SQLite's own, to be freed.
char *database_message(const Database *d, const char *what);

// Marks the file as one of the newest version.
bool database_set_version(Database *d, char **message);

// Runs statements without results; false and a message when that fails.
bool database_run(Database *d, const char *sql, char **message);
// The integers of the first row of a result; false when there is no row.
bool database_integers(Database *d, const char *sql, int count, int64_t *value);
sqlite3_stmt *database_prepare(Database *d, const char *sql);

#endif
