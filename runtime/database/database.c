// The database file (docs/cqldb.md): SQLite tables for tags, blobs for moves and texts.
#include "internal.h"
#include "lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/value/memory.h"

enum { APPLICATION_ID = 0x43514C44, VERSION = 3, OLDEST_VERSION = 2, ID_OFFSET = 68, PAGE_BYTES = 65536 };

#define CLOCKS_TABLE                                                                                         \
    "CREATE TABLE IF NOT EXISTS clocks(chunk INTEGER PRIMARY KEY REFERENCES chunk, sum INTEGER NOT NULL,"    \
    " clocks BLOB NOT NULL);"

static const char schema[] =
    "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE site(id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "CREATE TABLE game(id INTEGER PRIMARY KEY,"
    " white INTEGER NOT NULL REFERENCES player, black INTEGER NOT NULL REFERENCES player,"
    " event INTEGER NOT NULL REFERENCES event, site INTEGER NOT NULL REFERENCES site,"
    " date TEXT NOT NULL, round TEXT NOT NULL, result TEXT NOT NULL, white_elo INTEGER, black_elo INTEGER,"
    " eco TEXT NOT NULL, ply_count INTEGER NOT NULL, flags INTEGER NOT NULL);"
    "CREATE TABLE chunk(id INTEGER PRIMARY KEY, first_game INTEGER NOT NULL, game_count INTEGER NOT NULL,"
    " ply_count INTEGER NOT NULL, byte_count INTEGER NOT NULL, moves_sum INTEGER NOT NULL,"
    " games_sum INTEGER NOT NULL, tags_sum INTEGER NOT NULL, texts_sum INTEGER NOT NULL,"
    " games BLOB NOT NULL, moves BLOB NOT NULL, tags BLOB NOT NULL, texts BLOB NOT NULL);"
    "CREATE TABLE columns(chunk INTEGER PRIMARY KEY REFERENCES chunk, white BLOB NOT NULL, black BLOB NOT "
    "NULL,"
    " event BLOB NOT NULL, site BLOB NOT NULL, date BLOB NOT NULL, result BLOB NOT NULL,"
    " white_elo BLOB NOT NULL, black_elo BLOB NOT NULL, eco BLOB NOT NULL, ply_count BLOB NOT NULL,"
    " player_names BLOB NOT NULL, event_names BLOB NOT NULL, site_names BLOB NOT NULL);" CLOCKS_TABLE
    "CREATE TABLE source(id INTEGER PRIMARY KEY, name TEXT NOT NULL, game_count INTEGER NOT NULL,"
    " complete INTEGER NOT NULL);"
    "CREATE VIEW games AS SELECT game.id, white.name AS white, black.name AS black, event.name AS event,"
    " site.name AS site, date, round, result, white_elo, black_elo, eco, ply_count, flags FROM game"
    " JOIN player AS white ON white.id = game.white JOIN player AS black ON black.id = game.black"
    " JOIN event ON event.id = game.event JOIN site ON site.id = game.site;";

#define COUNT_TABLES "SELECT count(*) FROM sqlite_master"

// ---- messages ---------------------------------------------------------------------------------------------

char *database_message(const Database *d, const char *what)
{
    const int code = sqlite3_errcode(d->sql);
    const int system = code == SQLITE_IOERR ? sqlite3_system_errno(d->sql) : 0;
    return memory_format("%s: %s: %s", d->name, what,
                         system                ? strerror(system)
                         : code == SQLITE_BUSY ? "another program is writing to it"
                                               : sqlite3_errmsg(d->sql));
}

bool database_run(Database *d, const char *sql, char **message)
{
    if (sqlite3_exec(d->sql, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    *message = database_message(d, "cannot write the database");
    return false;
}

sqlite3_stmt *database_prepare(Database *d, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    return sqlite3_prepare_v2(d->sql, sql, -1, &statement, NULL) == SQLITE_OK ? statement : NULL;
}

bool database_integers(Database *d, const char *sql, int count, int64_t *value)
{
    sqlite3_stmt *statement = database_prepare(d, sql);
    const bool row = statement && sqlite3_step(statement) == SQLITE_ROW;
    for (int i = 0; row && i < count; i++)
        value[i] = sqlite3_column_int64(statement, i);
    sqlite3_finalize(statement);
    return row;
}

static bool mapped; // set before any database is open

void database_map_files(void)
{
    mapped = true;
}

void database_map(sqlite3 *sql)
{
    if (mapped)
        sqlite3_exec(sql, "PRAGMA mmap_size=1099511627776", NULL, NULL, NULL);
}

// ---- opening ----------------------------------------------------------------------------------------------

bool database_is_head(const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    return length >= DATABASE_HEAD && memcmp(b, "SQLite format 3", 16) == 0 &&
           ((uint32_t)b[ID_OFFSET] << 24 | (uint32_t)b[ID_OFFSET + 1] << 16 |
            (uint32_t)b[ID_OFFSET + 2] << 8 | b[ID_OFFSET + 3]) == APPLICATION_ID;
}

bool database_set_version(Database *d, char **message)
{
    char sql[60];
    snprintf(sql, sizeof sql, "PRAGMA user_version=%d", VERSION);
    return database_run(d, sql, message);
}

// Makes the tables, unless another import has made them since `check` looked.
static bool create(Database *d, char **message)
{
    char begin[80], mark[60];
    int64_t tables = 0;
    snprintf(begin, sizeof begin, "PRAGMA page_size=%d; BEGIN IMMEDIATE;", PAGE_BYTES);
    snprintf(mark, sizeof mark, "PRAGMA application_id=%d", APPLICATION_ID);
    if (!database_run(d, begin, message))
        return false;
    if (!database_integers(d, COUNT_TABLES, 1, &tables)) {
        *message = database_message(d, "cannot read the database");
        return false;
    }
    return (tables > 0 || (database_run(d, mark, message) && database_set_version(d, message) &&
                           database_run(d, schema, message))) &&
           database_run(d, "COMMIT", message);
}

#define NOT_GAMES "not a database of games; `cqlgen import GAMES.pgn -o GAMES.cqldb` makes one"

// Checks that the open file is one of our databases; an empty one is made when it may be.
static bool check(Database *d, DatabaseMode mode, char **message)
{
    int64_t id = 0, version = 0, tables = 0;
    if (!database_integers(d, "PRAGMA application_id", 1, &id) ||
        !database_integers(d, "PRAGMA user_version", 1, &version) ||
        !database_integers(d, COUNT_TABLES, 1, &tables)) {
        *message = sqlite3_errcode(d->sql) == SQLITE_NOTADB ? memory_format("%s: " NOT_GAMES, d->name)
                                                            : database_message(d, "cannot read the database");
        return false;
    }
    if (mode == DATABASE_CREATE && tables == 0)
        return create(d, message);
    if (id != APPLICATION_ID)
        *message = memory_format("%s: " NOT_GAMES, d->name);
    else if (version < OLDEST_VERSION)
        *message = memory_format(
            "%s: an older cqlgen made this database (version %lld, now %d); import the games again", d->name,
            (long long)version, VERSION);
    else if (version > VERSION)
        *message = memory_format("%s: the database has version %lld, this program reads version %d", d->name,
                                 (long long)version, VERSION);
    // databases that were made without this table get it with their next games
    return *message == NULL && (mode == DATABASE_READ || database_run(d, CLOCKS_TABLE, message));
}

static bool count(Database *d, char **message)
{
    sqlite3_stmt *statement = database_prepare(d, "SELECT game_count, byte_count FROM chunk ORDER BY id");
    int result = SQLITE_ERROR;
    while (statement && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        const size_t need = (size_t)d->chunks + 1;
        d->chunk_games = memory_grow(d->chunk_games, &d->games_capacity, need, sizeof *d->chunk_games);
        d->chunk_bytes = memory_grow(d->chunk_bytes, &d->bytes_capacity, need, sizeof *d->chunk_bytes);
        d->chunk_games[d->chunks] = sqlite3_column_int64(statement, 0);
        d->chunk_bytes[d->chunks] = sqlite3_column_int64(statement, 1);
        d->games += d->chunk_games[d->chunks++];
    }
    if (result != SQLITE_DONE)
        *message = database_message(d, "cannot read the database");
    sqlite3_finalize(statement);
    return result == SQLITE_DONE;
}

// Undoes the last step of an import that was killed, which a connection that only reads must not.
static void roll_back(const char *name)
{
    sqlite3 *sql = NULL;
    if (sqlite3_open_v2(name, &sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(sql, BUSY_MILLISECONDS);
        sqlite3_exec(sql, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
    }
    sqlite3_close(sql);
}

static Database *open_once(const char *name, DatabaseMode mode, bool *journal, char **message)
{
    Database *d = memory_zeroed(1, sizeof *d);
    // an import writes under a lock of its own
    const int flags = mode == DATABASE_READ ? SQLITE_OPEN_READONLY | SQLITE_OPEN_FULLMUTEX
                      : mode == DATABASE_APPEND
                          ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    *message = NULL;
    d->name = memory_copy(name, strlen(name));
    pthread_mutex_init(&d->mutex, NULL);
    d->lock = mode == DATABASE_READ ? LOCK_NONE : lock_database(name, mode == DATABASE_CREATE);
    if (d->lock == LOCK_TAKEN) {
        *message =
            memory_format("%s: another import is writing to it; run this one when it has ended", name);
    } else if (sqlite3_open_v2(name, &d->sql, flags, NULL) != SQLITE_OK) {
        *message = database_message(d, mode == DATABASE_CREATE ? "cannot create the database"
                                                               : "cannot open the database");
    } else {
        sqlite3_busy_timeout(d->sql, BUSY_MILLISECONDS);
        if (mode == DATABASE_READ)
            database_map(d->sql);
        if (check(d, mode, message) && count(d, message))
            return d;
    }
    *journal = d->sql && sqlite3_extended_errcode(d->sql) == SQLITE_READONLY_ROLLBACK;
    database_close(d);
    return NULL;
}

Database *database_open(const char *name, DatabaseMode mode, char **message)
{
    bool journal = false;
    Database *d = open_once(name, mode, &journal, message);
    if (journal) {
        free(*message);
        roll_back(name);
        d = open_once(name, mode, &journal, message);
    }
    if (!d && journal) {
        free(*message);
        *message = memory_format("%s: an import was cut off, and undoing its last step needs permission to "
                                 "write the file and its folder; run the import again",
                                 name);
    }
    return d;
}

void database_close(Database *d)
{
    if (!d)
        return;
    for (int i = 0; i < INSERTS; i++)
        sqlite3_finalize(d->insert[i]);
    for (int i = 0; i < NAME_TABLES; i++)
        names_free(&d->names[i]);
    database_close_readers(d);
    sqlite3_close(d->sql);
    if (d->lock >= 0)
        close(d->lock);
    pthread_mutex_destroy(&d->mutex);
    free(d->chunk_games);
    free(d->chunk_bytes);
    free(d->name);
    free(d);
}

void database_remove_empty(const char *name)
{
    char *message = NULL;
    const int lock = lock_database(name, false);
    if (lock == LOCK_TAKEN)
        return;
    Database *d = database_open(name, DATABASE_READ, &message);
    if (!d || database_game_count(d) == 0)
        unlink(name);
    database_close(d);
    free(message);
    if (lock >= 0)
        close(lock);
}

// ---- reading ----------------------------------------------------------------------------------------------

int64_t database_chunk_count(const Database *d)
{
    return d->chunks;
}

int64_t database_game_count(const Database *d)
{
    return d->games;
}

int64_t database_chunk_games(const Database *d, int64_t index)
{
    return d->chunk_games[index];
}

int64_t database_chunk_bytes(const Database *d, int64_t index)
{
    return d->chunk_bytes[index];
}

bool database_info(Database *d, DatabaseInfo *info)
{
    int64_t n[17] = {0};
    char sql[1400];
    *info = (DatabaseInfo){0};
    snprintf(
        sql, sizeof sql,
        "SELECT coalesce(sum(game_count), 0), coalesce(sum(ply_count), 0), count(*),"
        " coalesce(sum(byte_count), 0), coalesce(sum(length(moves)), 0) + coalesce(sum(length(games)), 0),"
        " coalesce(sum(length(tags)), 0), coalesce(sum(length(texts)), 0),"
        " (SELECT count(DISTINCT name) FROM player), (SELECT count(DISTINCT name) FROM event),"
        " (SELECT count(DISTINCT name) FROM site),"
        " (SELECT count(*) FROM game WHERE flags & %d), (SELECT count(*) FROM game WHERE flags & %d),"
        " (SELECT count(*) FROM game WHERE flags & %d), (SELECT count(*) FROM game WHERE flags & %d),"
        " (SELECT coalesce(min(substr(date, 1, 4)), 0) FROM game WHERE date GLOB '[0-9][0-9][0-9][0-9]*'),"
        " (SELECT coalesce(max(substr(date, 1, 4)), 0) FROM game WHERE date GLOB '[0-9][0-9][0-9][0-9]*'),"
        " (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)"
        " FROM chunk",
        STORED_RAW, STORED_MATE, STORED_STALEMATE, STORED_APART);
    if (!database_integers(d, sql, 17, n))
        return false;
    *info = (DatabaseInfo){.games = n[0],
                           .plies = n[1],
                           .chunks = n[2],
                           .bytes = n[3],
                           .move_bytes = n[4],
                           .tag_bytes = n[5],
                           .text_bytes = n[6],
                           .players = n[7],
                           .events = n[8],
                           .sites = n[9],
                           .damaged = n[10],
                           .mates = n[11],
                           .stalemates = n[12],
                           .apart = n[13],
                           .first_year = n[14],
                           .last_year = n[15],
                           .file_bytes = n[16]};
    return true;
}
