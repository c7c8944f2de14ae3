// Connections to files that a stranger may have made. Internal to runtime/database.
#ifndef CQL_DATABASE_CONNECTION_H
#define CQL_DATABASE_CONNECTION_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SCHEMA_STEPS = 1000000 }; // more than reading a schema takes, with the statistics of SQLite

// What ends the statements of a connection.
typedef struct Watch {
    const atomic_int *stop; // set by a signal; NULL: none
    int64_t steps;          // of SQLite's machine that are left
} Watch;

#define NOT_GAMES "not a database of games; `cqlgen import GAMES.pgn -o GAMES.cqldb` makes one"

// Opens a file with flags of sqlite3_open_v2 so that SQLite runs only our own statements, without views and triggers, and
// keeps temporary tables in memory. A connection that reads writes nothing: where SQLite would have to, as after a write that was
// cut off, the file is refused. One that writes may undo such a write, but refuses a journal that would make SQLite delete
// another file. The watch, whose steps are without a limit afterwards, must live as long as the connection. NULL and a message,
// to be freed, after an error.
sqlite3 *connection_open(const char *name, int flags, Watch *watch, char **message);

// Makes a connection read pages where the system has them in memory, without copies, after database_map_files.
void connection_map(sqlite3 *sql);

// A message with SQLite's reason, to be freed.
char *connection_message(sqlite3 *sql, const char *name, const char *what);

#endif
