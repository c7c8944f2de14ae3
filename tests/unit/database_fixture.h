// Databases for tests: imports of PGN in memory, and what SQL finds in them.
#ifndef CQL_DATABASE_FIXTURE_H
#define CQL_DATABASE_FIXTURE_H

#include "folder_fixture.h"

#include <sqlite3.h>

#include "runtime/database/database.h"

// ---- SQL --------------------------------------------------------------------------------------------------

static inline int add_row(void *user, int columns, char **value, char **names)
{
    (void)names;
    Buffer *out = user;
    for (int i = 0; i < columns; i++) {
        buffer_text(out, i > 0 ? "|" : "");
        buffer_text(out, value[i] ? value[i] : "NULL");
    }
    buffer_text(out, "\n");
    return 0;
}

// A connection that does not wait for the disk.
static inline sqlite3 *open_sql(const char *database)
{
    sqlite3 *sql;
    assert_int_equal(sqlite3_open_v2(database, &sql, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(sql, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    return sql;
}

// The rows of a result, for the caller to free.
static inline char *rows_of(const char *database, const char *statement)
{
    sqlite3 *sql = open_sql(database);
    Buffer out = {0};
    assert_int_equal(sqlite3_exec(sql, statement, add_row, &out, NULL), SQLITE_OK);
    sqlite3_close(sql);
    buffer_append(&out, "", 1);
    return out.start;
}

static inline void expect_rows(const char *database, const char *statement, const char *expected)
{
    char *rows = rows_of(database, statement);
    assert_string_equal(rows, expected);
    free(rows);
}

static inline void change(const char *database, const char *statement)
{
    free(rows_of(database, statement));
}

// ---- imports ----------------------------------------------------------------------------------------------

// PGN in memory, and what is said while it is imported.
typedef struct Source {
    const char *text;
    size_t left;
    bool cut;         // reading fails at its end
    bool for_good;    // and would fail another time
    char said[10000]; // reports as LINE: GAME: MESSAGE
    char progress[2000];
    atomic_int *stop; // set after the first chunk
    const char *stored_at;
    char *first_stored; // how many games others see there after the first chunk; to be freed
} Source;

static inline int64_t read_source(void *user, void *buffer, size_t size)
{
    Source *s = user;
    const size_t count = s->left < size ? s->left : size;
    memcpy(buffer, s->text, count);
    s->text += count;
    s->left -= count;
    return count > 0 ? (int64_t)count : s->cut ? -1 : 0;
}

static inline bool source_is_cut(void *user)
{
    const Source *s = user;
    return s->cut && !s->for_good;
}

static inline void keep_report(void *user, uint64_t line, int64_t game, const char *message)
{
    Source *s = user;
    const size_t used = strlen(s->said);
    snprintf(s->said + used, sizeof s->said - used, "%llu: %lld: %s\n", (unsigned long long)line,
             (long long)game, message);
}

static inline void keep_progress(void *user, int64_t games, int64_t bytes)
{
    Source *s = user;
    const size_t used = strlen(s->progress);
    snprintf(s->progress + used, sizeof s->progress - used, "%lld %lld\n", (long long)games,
             (long long)bytes);
    if (used == 0 && s->stored_at)
        s->first_stored = rows_of(s->stored_at, "SELECT sum(game_count) FROM chunk");
    if (s->stop)
        atomic_store(s->stop, 1);
}

typedef struct Imported {
    int64_t games, left_out, stored; // stored: games of the source that the database had before
    SourceState state;               // of the source afterwards
} Imported;

// Imports PGN as the source `name`.
static inline Imported import_text(const char *database, const char *name, Source *s, ImportOptions o,
                                   bool append)
{
    Imported result = {0};
    char *message = NULL;
    int64_t nothing;
    Database *d = database_open(database, append ? DATABASE_APPEND : DATABASE_CREATE, NULL, &message);
    assert_non_null(d);
    assert_true(database_begin_import(d, &name, 1, append, &message));
    assert_int_equal(database_source(d, name, &result.stored, &message), SOURCE_WANTED);
    PgnSplitter *splitter = pgn_split_open(read_source, s, keep_report, s);
    o.source = name;
    o.threads = o.threads ? o.threads : 1;
    o.report = keep_report;
    o.progress = keep_progress;
    o.user = s;
    o.cut = source_is_cut;
    assert_true(database_import(d, splitter, &o, &result.games, &result.left_out, &message));
    assert_null(message);
    result.state = database_source(d, name, &nothing, &message);
    pgn_split_close(splitter);
    database_close(d);
    return result;
}

static inline Source source_of(const char *text)
{
    return (Source){.text = text, .left = strlen(text)};
}

// Makes a database of PGN without damage.
static inline const char *make(const char *name, const char *text)
{
    Source s = source_of(text);
    name = path(name);
    unlink(name);
    import_text(name, "games.pgn", &s, (ImportOptions){0}, false);
    return name;
}

#endif
