// The database file (docs/cqldb.md): SQLite tables for tags, blobs for moves and texts.
#include "lock.h"
#include "schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/value/memory.h"

enum { APPLICATION_ID = 0x43514C44, VERSION = 4, OLDEST = 3, ID_OFFSET = 68, PAGE_BYTES = 65536 };

#define COUNT_TABLES "SELECT count(*) FROM sqlite_master"

// ---- statements -------------------------------------------------------------------------------------------

char *database_message(const Database *d, const char *what)
{
    return connection_message(d->sql, d->name, what);
}

void database_begin_statement(Database *d)
{
    d->watch.steps = d->statement_steps;
}

bool database_run(Database *d, const char *sql, char **message)
{
    database_begin_statement(d);
    if (sqlite3_exec(d->sql, sql, NULL, NULL, NULL) == SQLITE_OK)
        return true;
    *message = database_message(d, "cannot write the database");
    return false;
}

sqlite3_stmt *database_prepare(Database *d, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    database_begin_statement(d);
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

// ---- opening ----------------------------------------------------------------------------------------------

bool database_is_head(const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    return length >= DATABASE_HEAD && memcmp(b, "SQLite format 3", 16) == 0 &&
           ((uint32_t)b[ID_OFFSET] << 24 | (uint32_t)b[ID_OFFSET + 1] << 16 |
            (uint32_t)b[ID_OFFSET + 2] << 8 | b[ID_OFFSET + 3]) == APPLICATION_ID;
}

// Makes the tables, unless another import has made them since `check` looked.
static bool create(Database *d, char **message)
{
    char begin[80], mark[100];
    int64_t tables = 0;
    snprintf(begin, sizeof begin, "PRAGMA page_size=%d; BEGIN IMMEDIATE;", PAGE_BYTES);
    snprintf(mark, sizeof mark, "PRAGMA application_id=%d; PRAGMA user_version=%d", APPLICATION_ID, VERSION);
    if (!database_run(d, begin, message))
        return false;
    if (!database_integers(d, COUNT_TABLES, 1, &tables)) {
        *message = database_message(d, "cannot read the database");
        return false;
    }
    d->knows_rules = true;
    return (tables > 0 || (database_run(d, mark, message) && schema_create(d, message))) &&
           database_run(d, "COMMIT", message);
}

// Checks that the open file is one of our databases; an empty one is made when it may be.
static bool check(Database *d, DatabaseMode mode, char **message)
{
    int64_t id = 0, version = 0, tables = 0;
    if (!database_integers(d, "PRAGMA application_id", 1, &id) ||
        !database_integers(d, "PRAGMA user_version", 1, &version) ||
        !database_integers(d, COUNT_TABLES, 1, &tables)) {
        *message = database_message(d, "cannot read the database");
        return false;
    }
    if (mode == DATABASE_CREATE && tables == 0)
        return create(d, message);
    if (id != APPLICATION_ID)
        *message = memory_format("%s: " NOT_GAMES, d->name);
    else if (version < OLDEST)
        *message =
            memory_format("%s: an older cqlgen made this database (version %lld, now %d); import the games "
                          "again, or export them with that one first",
                          d->name, (long long)version, VERSION);
    else if (version > VERSION)
        *message = memory_format("%s: the database has version %lld, this program reads version %d", d->name,
                                 (long long)version, VERSION);
    d->knows_rules = version > OLDEST;
    return *message == NULL && schema_check(d, message);
}

// Sets what bounds statements. No row is smaller than a few bytes, and none takes more than some hundred steps; in a file whose
// tables lead to the same pages again and again, a statement could go on for years.
static bool measure(Database *d, char **message)
{
    enum { FEWEST_STEPS = 10000000, STEPS_OF_BYTE = 100 };
    int64_t pages = 0, bytes = 0;
    if (!database_integers(d, "PRAGMA page_count", 1, &pages) ||
        !database_integers(d, "PRAGMA page_size", 1, &bytes)) {
        *message = database_message(d, "cannot read the database");
        return false;
    }
    d->file_bytes = pages * bytes;
    d->statement_steps = FEWEST_STEPS + STEPS_OF_BYTE * d->file_bytes;
    return true;
}

// Takes the next row of the table chunk; false when it cannot be right: searches rely on it.
static bool take_row(Database *d, sqlite3_stmt *s)
{
    enum { ID, FIRST, GAMES, PLIES, BYTES, INDEX_BYTES, VALUES };
    int64_t value[VALUES];
    for (int i = 0; i < VALUES; i++) {
        value[i] = sqlite3_column_int64(s, i);
        if (sqlite3_column_type(s, i) != SQLITE_INTEGER || value[i] < 0)
            return false;
    }
    const int64_t games = value[GAMES];
    if (value[ID] != d->chunks + 1 || value[FIRST] != d->games + 1 || games == 0 ||
        value[INDEX_BYTES] % (int64_t)sizeof(GameEntry) != 0 ||
        games != value[INDEX_BYTES] / (int64_t)sizeof(GameEntry) || value[INDEX_BYTES] > d->file_bytes ||
        value[PLIES] > games * MAIN_LINE_PLIES || value[BYTES] > CHUNK_MOST_BYTES)
        return false;
    MEMORY_PUSH(d->row, d->row_count, d->row_capacity,
                (ChunkRow){value[FIRST], games, value[PLIES], value[BYTES]});
    d->chunks++;
    d->games += games;
    return true;
}

static bool read_rows(Database *d, char **message)
{
    sqlite3_stmt *s = database_prepare(
        d, "SELECT id, first_game, game_count, ply_count, byte_count, length(games) FROM chunk ORDER BY id");
    int result = SQLITE_ERROR;
    while (s && !*message && (result = sqlite3_step(s)) == SQLITE_ROW)
        if (!take_row(d, s))
            *message = memory_format("%s: chunk %lld is damaged: its numbers do not fit together", d->name,
                                     (long long)d->chunks + 1);
    if (!*message && result != SQLITE_DONE)
        *message = database_message(d, "cannot read the database");
    sqlite3_finalize(s);
    return !*message;
}

Database *database_open(const char *name, DatabaseMode mode, const atomic_int *stop, char **message)
{
    Database *d = memory_zeroed(1, sizeof *d);
    // an import writes under a lock of its own
    const int flags = mode == DATABASE_READ ? SQLITE_OPEN_READONLY | SQLITE_OPEN_FULLMUTEX
                      : mode == DATABASE_APPEND
                          ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
                          : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    *message = NULL;
    d->name = memory_copy(name, strlen(name));
    d->statement_steps = SCHEMA_STEPS; // until the size of the file is known
    d->watch.stop = stop;
    pthread_mutex_init(&d->mutex, NULL);
    d->lock = mode == DATABASE_READ ? LOCK_NONE : lock_database(name, mode == DATABASE_CREATE);
    if (d->lock == LOCK_TAKEN) {
        *message = memory_format("%s: another import is writing to it; run this one when it has ended", name);
    } else if ((d->sql = connection_open(name, flags, &d->watch, message)) != NULL) {
        if (mode == DATABASE_READ)
            connection_map(d->sql);
        if (check(d, mode, message) && measure(d, message) && read_rows(d, message))
            return d;
    }
    database_close(d);
    return NULL;
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
    free(d->row);
    free(d->name);
    free(d);
}

void database_remove_empty(const char *name)
{
    char *message = NULL;
    const int lock = lock_database(name, false);
    if (lock == LOCK_TAKEN)
        return;
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
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
    return d->row[index].games;
}

int64_t database_chunk_bytes(const Database *d, int64_t index)
{
    return d->row[index].bytes;
}

// Are the names no longer than the file? Otherwise they share pages, and counting them would need any amount of memory.
static bool names_fit(Database *d)
{
    static const char *const sql[] = {"SELECT total(length(name)) FROM player",
                                      "SELECT total(length(name)) FROM event",
                                      "SELECT total(length(name)) FROM site"};
    int64_t length = 0;
    for (size_t i = 0; i < sizeof sql / sizeof *sql; i++)
        if (!database_integers(d, sql[i], 1, &length) || length > d->file_bytes)
            return false;
    return true;
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
        STORED_RAW, STORED_MATE, STORED_STALEMATE, STORED_UNGROUPED);
    if (!names_fit(d) || !database_integers(d, sql, 17, n))
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

bool database_knows_rules(const Database *d)
{
    return d->knows_rules;
}
