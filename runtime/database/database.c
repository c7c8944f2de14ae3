// The database file (docs/cqldb.md): SQLite tables for tags, blobs for moves and texts.
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/value/memory.h"

enum { APPLICATION_ID = 0x43514C44, VERSION = 1, ID_OFFSET = 68, PAGE_BYTES = 65536 };

static const char schema[] =
    "CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE event(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE site(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
    "CREATE TABLE game(id INTEGER PRIMARY KEY,"
    " white INTEGER NOT NULL REFERENCES player, black INTEGER NOT NULL REFERENCES player,"
    " event INTEGER NOT NULL REFERENCES event, site INTEGER NOT NULL REFERENCES site,"
    " date TEXT NOT NULL, round TEXT NOT NULL, result TEXT NOT NULL, white_elo INTEGER, black_elo INTEGER,"
    " eco TEXT NOT NULL, ply_count INTEGER NOT NULL, flags INTEGER NOT NULL);"
    "CREATE TABLE chunk(id INTEGER PRIMARY KEY, first_game INTEGER NOT NULL, game_count INTEGER NOT NULL,"
    " ply_count INTEGER NOT NULL, byte_count INTEGER NOT NULL, checksum INTEGER NOT NULL,"
    " moves BLOB NOT NULL, games BLOB NOT NULL, tags BLOB NOT NULL, texts BLOB NOT NULL);"
    "CREATE TABLE source(id INTEGER PRIMARY KEY, name TEXT NOT NULL, game_count INTEGER NOT NULL,"
    " complete INTEGER NOT NULL);"
    "CREATE VIEW games AS SELECT game.id, white.name AS white, black.name AS black, event.name AS event,"
    " site.name AS site, date, round, result, white_elo, black_elo, eco, ply_count, flags FROM game"
    " JOIN player AS white ON white.id = game.white JOIN player AS black ON black.id = game.black"
    " JOIN event ON event.id = game.event JOIN site ON site.id = game.site;";

// ---- messages ---------------------------------------------------------------------------------------------

char *database_message(const Database *d, const char *what)
{
    return memory_format("%s: %s: %s", d->name, what, sqlite3_errmsg(d->sql));
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

// ---- opening ----------------------------------------------------------------------------------------------

bool database_is_head(const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    return length >= DATABASE_HEAD && memcmp(b, "SQLite format 3", 16) == 0 &&
           ((uint32_t)b[ID_OFFSET] << 24 | (uint32_t)b[ID_OFFSET + 1] << 16 |
            (uint32_t)b[ID_OFFSET + 2] << 8 | b[ID_OFFSET + 3]) == APPLICATION_ID;
}

static bool create(Database *d, char **message)
{
    char begin[160];
    snprintf(begin, sizeof begin,
             "PRAGMA page_size=%d; PRAGMA application_id=%d; BEGIN; PRAGMA user_version=%d;", PAGE_BYTES,
             APPLICATION_ID, VERSION);
    return database_run(d, begin, message) && database_run(d, schema, message) &&
           database_run(d, "COMMIT", message);
}

// Checks that the open file is one of our databases; an empty one is made when it may be.
static bool check(Database *d, DatabaseMode mode, char **message)
{
    int64_t id = 0, version = 0, tables = 0;
    if (!database_integers(d, "PRAGMA application_id", 1, &id) ||
        !database_integers(d, "PRAGMA user_version", 1, &version) ||
        !database_integers(d, "SELECT count(*) FROM sqlite_master", 1, &tables)) {
        *message = database_message(d, "cannot read the database");
        return false;
    }
    if (mode == DATABASE_CREATE && tables == 0)
        return create(d, message);
    if (id != APPLICATION_ID)
        *message = memory_format("%s: not a database of games; `cqlgen import` makes them", d->name);
    else if (version != VERSION)
        *message = memory_format("%s: the database has version %lld, this program reads version %d", d->name,
                                 (long long)version, VERSION);
    return *message == NULL;
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

Database *database_open(const char *name, DatabaseMode mode, char **message)
{
    Database *d = memory_zeroed(1, sizeof *d);
    const int flags = mode == DATABASE_READ     ? SQLITE_OPEN_READONLY
                      : mode == DATABASE_APPEND ? SQLITE_OPEN_READWRITE
                                                : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    *message = NULL;
    d->name = memory_copy(name, strlen(name));
    pthread_mutex_init(&d->mutex, NULL);
    if (sqlite3_open_v2(name, &d->sql, flags | SQLITE_OPEN_FULLMUTEX, NULL) != SQLITE_OK) {
        *message = database_message(d, mode == DATABASE_CREATE ? "cannot create the database"
                                                               : "cannot open the database");
    } else {
        sqlite3_busy_timeout(d->sql, 10000);
        if (check(d, mode, message) && count(d, message)) {
            sqlite3_exec(d->sql, "PRAGMA mmap_size=1099511627776", NULL, NULL, NULL);
            d->read =
                database_prepare(d, "SELECT first_game, game_count, byte_count, checksum, moves, games, tags,"
                                    " texts FROM chunk WHERE id = ?");
            return d;
        }
    }
    database_close(d);
    return NULL;
}

void database_close(Database *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < sizeof d->insert / sizeof *d->insert; i++)
        sqlite3_finalize(d->insert[i]);
    sqlite3_finalize(d->read);
    sqlite3_close(d->sql);
    pthread_mutex_destroy(&d->mutex);
    free(d->chunk_games);
    free(d->chunk_bytes);
    free(d->name);
    free(d);
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

// Under the mutex: the blobs belong to the statement.
static const char *read_chunk(Database *d, int64_t index, Chunk *chunk)
{
    sqlite3_bind_int64(d->read, 1, index + 1);
    if (sqlite3_step(d->read) != SQLITE_ROW)
        return sqlite3_errmsg(d->sql);
    Text blob[BLOBS];
    for (int i = 0; i < BLOBS; i++) {
        blob[i].start = sqlite3_column_blob(d->read, 4 + i);
        blob[i].length = (size_t)sqlite3_column_bytes(d->read, 4 + i);
        if (blob[i].start == NULL)
            blob[i] = (Text){"", 0};
    }
    if (chunk_checksum(blob) != (uint32_t)sqlite3_column_int64(d->read, 3))
        return "its checksum is wrong";
    const char *wrong = chunk_read(chunk, blob, sqlite3_column_int64(d->read, 0));
    chunk->bytes = sqlite3_column_int64(d->read, 2);
    return wrong                                                      ? wrong
           : chunk->count != (size_t)sqlite3_column_int64(d->read, 1) ? "its parts do not fit together"
                                                                      : NULL;
}

bool database_read_chunk(Database *d, int64_t index, Chunk *chunk, char **message)
{
    pthread_mutex_lock(&d->mutex);
    *chunk = (Chunk){0};
    const char *wrong = read_chunk(d, index, chunk);
    *message = wrong ? memory_format("chunk %lld is damaged: %s", (long long)index + 1, wrong) : NULL;
    sqlite3_reset(d->read);
    pthread_mutex_unlock(&d->mutex);
    if (wrong)
        chunk_free(chunk);
    return wrong == NULL;
}

bool database_info(Database *d, DatabaseInfo *info)
{
    int64_t n[16] = {0};
    *info = (DatabaseInfo){0};
    if (!database_integers(
            d,
            "SELECT coalesce(sum(game_count), 0), coalesce(sum(ply_count), 0), count(*),"
            " coalesce(sum(byte_count), 0), coalesce(sum(length(moves)), 0) + coalesce(sum(length(games)), "
            "0),"
            " coalesce(sum(length(tags)), 0), coalesce(sum(length(texts)), 0),"
            " (SELECT count(*) FROM player), (SELECT count(*) FROM event), (SELECT count(*) FROM site),"
            " (SELECT count(*) FROM game WHERE flags & 2),"
            " (SELECT coalesce(min(substr(date, 1, 4)), 0) FROM game WHERE date GLOB "
            "'[0-9][0-9][0-9][0-9]*'),"
            " (SELECT coalesce(max(substr(date, 1, 4)), 0) FROM game WHERE date GLOB '[0-9][0-9][0-9][0-9]*')"
            " FROM chunk",
            13, n))
        return false;
    struct stat status;
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
                           .first_year = n[11],
                           .last_year = n[12],
                           .file_bytes = stat(d->name, &status) == 0 ? (int64_t)status.st_size : 0};
    return true;
}

// ---- verifying --------------------------------------------------------------------------------------------

typedef struct Verifier {
    void (*report)(void *user, const char *message);
    void *user;
    int64_t faults;
} Verifier;

static void report_fault(Verifier *v, char *message)
{
    v->faults++;
    v->report(v->user, message);
    free(message);
}

static int integrity_row(void *user, int columns, char **value, char **names)
{
    (void)names;
    if (columns > 0 && value[0] && strcmp(value[0], "ok") != 0)
        report_fault(user, memory_format("SQLite: %s", value[0]));
    return 0;
}

static void verify_game(Verifier *v, const StoredGame *stored, Game *game, Buffer *text)
{
    text->length = 0;
    if (!chunk_game_text(stored, game, text)) {
        report_fault(
            v, memory_format("game %lld: its moves or its text are damaged", (long long)stored->tags.number));
        return;
    }
    if (stored->flags & STORED_RAW)
        return;
    GameText source = stored->tags;
    source.text = (Text){text->start, text->length};
    game_parse(game, &source, 0, NULL, NULL);
    bool same = (uint32_t)game->ply_count == stored->ply_count && game->view.result == stored->result;
    for (uint32_t i = 0; same && i < stored->ply_count; i++)
        same = word_of(game->view.node[i + 1].move) == stored->word[i];
    if (!same)
        report_fault(v, memory_format("game %lld: its moves are not those of its text",
                                      (long long)stored->tags.number));
}

int64_t database_verify(Database *d, void (*report)(void *user, const char *message), void *user)
{
    Verifier v = {report, user, 0};
    Buffer text = {0};
    Game game;
    game_init(&game);
    if (sqlite3_exec(d->sql, "PRAGMA integrity_check", integrity_row, &v, NULL) != SQLITE_OK)
        report_fault(&v, memory_format("SQLite: %s", sqlite3_errmsg(d->sql)));
    for (int64_t i = 0; i < d->chunks; i++) {
        Chunk chunk = {0};
        char *message;
        if (!database_read_chunk(d, i, &chunk, &message)) {
            report_fault(&v, message);
            continue;
        }
        for (size_t k = 0; k < chunk.count; k++)
            verify_game(&v, &chunk.game[k], &game, &text);
        chunk_free(&chunk);
    }
    game_free(&game);
    buffer_free(&text);
    return v.faults;
}
