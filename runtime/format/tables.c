// The tables of the format sqlite: writing games as bytes, and inserting them.
#include "tables.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "found.h"
#include "text.h"
#include "values.h"
#include "writers.h"

// ---- columns ----------------------------------------------------------------------------------------------

typedef struct TableColumn {
    FieldId field;
    const char *name, *type;
} TableColumn;

static const TableColumn game_columns[] = {{FIELD_GAME, "number", "INTEGER NOT NULL"},
                                           {FIELD_FILE, "file", "TEXT NOT NULL"},
                                           {FIELD_GAME_IN_FILE, "game_in_file", "INTEGER NOT NULL"},
                                           {FIELD_WHITE, "white", "TEXT"},
                                           {FIELD_BLACK, "black", "TEXT"},
                                           {FIELD_WHITE_ELO, "white_elo", "INTEGER"},
                                           {FIELD_BLACK_ELO, "black_elo", "INTEGER"},
                                           {FIELD_RESULT, "result", "TEXT"},
                                           {FIELD_DATE, "date", "TEXT"},
                                           {FIELD_EVENT, "event", "TEXT"},
                                           {FIELD_SITE, "site", "TEXT"},
                                           {FIELD_ROUND, "round", "TEXT"},
                                           {FIELD_ECO, "eco", "TEXT"}};

static const TableColumn hit_columns[] = {{FIELD_POSITION, "position", "INTEGER NOT NULL"},
                                          {FIELD_PLY, "ply", "INTEGER NOT NULL"},
                                          {FIELD_NUMBER, "number", "INTEGER"},
                                          {FIELD_SAN, "san", "TEXT"},
                                          {FIELD_UCI, "uci", "TEXT"},
                                          {FIELD_NEXT_SAN, "next_san", "TEXT"},
                                          {FIELD_NEXT_UCI, "next_uci", "TEXT"},
                                          {FIELD_FEN, "fen", "TEXT NOT NULL"},
                                          {FIELD_COMMENT, "comment", "TEXT"},
                                          {FIELD_CLOCK, "clock", "INTEGER"},
                                          {FIELD_ELAPSED, "elapsed", "INTEGER"},
                                          {FIELD_EVAL, "eval", "INTEGER"}};

enum {
    GAME_COLUMNS = sizeof game_columns / sizeof *game_columns,
    HIT_COLUMNS = sizeof hit_columns / sizeof *hit_columns
};

// Tags with columns of their own.
static bool has_column(Text name)
{
    static const char *const names[] = {"White", "Black", "WhiteElo", "BlackElo", "Result",
                                        "Date",  "Event", "Site",     "Round",    "ECO"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_equal(name, text_of(names[i])))
            return true;
    return false;
}

// ---- games as bytes ---------------------------------------------------------------------------------------

// What follows: the values of a game, the name and value of a tag, the query and the values of a hit.
enum { GAME_FOLLOWS = 'G', TAG_FOLLOWS = 'T', HIT_FOLLOWS = 'H' };

static void put_mark(Buffer *out, char mark)
{
    buffer_append(out, &mark, 1);
}

static void put_field(Buffer *out, FieldValue value)
{
    if (value.kind == FIELD_INTEGER)
        value_put_number(out, value.number);
    else if (value.kind == FIELD_NONE || value.text.length == 0)
        value_put_none(out);
    else
        value_put_text(out, value.text);
}

static void put_game(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    fields_begin(g, m, &g->found[0]);
    found_tags(m, g, g->found, g->count);
    put_mark(out, GAME_FOLLOWS);
    for (int i = 0; i < GAME_COLUMNS; i++)
        put_field(out, field_value(&(Field){.id = game_columns[i].field}, g, m, &g->found[0], 0));
    value_put_number(out, g->game->ply_count);
    for (size_t i = 0; i < m->tag_count; i++) {
        if (found_tag_repeats(m, i) || has_column(m->tag[i].name))
            continue;
        put_mark(out, TAG_FOLLOWS);
        value_put_text(out, m->tag[i].name);
        value_put_text(out, m->tag[i].value);
    }
}

static void put_hit(Buffer *out, const FoundGame *g, FormatMemory *m, const Found *found, int32_t id)
{
    put_mark(out, HIT_FOLLOWS);
    value_put_number(out, found->query - g->matcher->query);
    for (int i = 0; i < HIT_COLUMNS; i++)
        put_field(out, field_value(&(Field){.id = hit_columns[i].field}, g, m, found, id));
    for (int32_t k = 0; k < found->query->sort_key_count; k++)
        value_put_sort(out, &found->result->sort[k]);
}

void write_sqlite(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    found_clocks(m, g);
    put_game(out, g, m);
    for (size_t i = 0; i < g->count; i++) {
        fields_begin(g, m, &g->found[i]);
        for (int32_t k = 0; k < g->found[i].result->hit_count; k++)
            put_hit(out, g, m, &g->found[i], g->found[i].result->hit[k]);
    }
}

// ---- the file ---------------------------------------------------------------------------------------------

// A column of the table hit with the values of a sort key.
typedef struct SortColumn {
    const char *key; // its name
    char *name;      // of the column
} SortColumn;

struct Tables {
    const Matcher *matcher;
    int fd; // of the file, which has no name any more; -1: none
    sqlite3 *sql;
    sqlite3_stmt *game, *tag, *hit;
    SortColumn *sort;
    size_t sort_count, sort_capacity;
    int64_t game_id;
    char *error;
};

const char *tables_error(const Tables *t)
{
    return t->error;
}

static bool fail(Tables *t, const char *reason)
{
    if (!t->error)
        t->error = memory_copy(reason, strlen(reason));
    return false;
}

static bool execute(Tables *t, const char *text)
{
    return sqlite3_exec(t->sql, text, NULL, NULL, NULL) == SQLITE_OK || fail(t, sqlite3_errmsg(t->sql));
}

static bool prepare(Tables *t, sqlite3_stmt **statement, const char *text, size_t length)
{
    return sqlite3_prepare_v2(t->sql, text, (int)length, statement, NULL) == SQLITE_OK ||
           fail(t, sqlite3_errmsg(t->sql));
}

// ---- the schema -------------------------------------------------------------------------------------------

enum { APPLICATION_ID = 0x43514C46 }; // CQLF

static void put_columns(Buffer *out, const TableColumn *column, int count)
{
    for (int i = 0; i < count; i++)
        buffer_format(out, ", %s %s", column[i].name, column[i].type);
}

static bool is_taken(const Tables *t, const char *name)
{
    static const char *const own[] = {"id", "game", "query"};
    bool taken = false;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        taken |= ascii_same(name, own[i]);
    for (int i = 0; i < HIT_COLUMNS; i++)
        taken |= ascii_same(name, hit_columns[i].name);
    for (size_t i = 0; i < t->sort_count; i++)
        taken |= ascii_same(name, t->sort[i].name);
    return taken;
}

static size_t sort_column(const Tables *t, const char *key)
{
    size_t i = 0;
    while (i < t->sort_count && strcmp(t->sort[i].key, key) != 0)
        i++;
    return i;
}

// The column has the name of the key; underscores follow where another column has it.
static void add_sort_column(Tables *t, Buffer *out, const SortKeyInfo *key)
{
    if (sort_column(t, key->name) < t->sort_count)
        return;
    Buffer name = {0};
    text_utf8(&name, text_of(key->name));
    buffer_append(&name, "", 1);
    while (is_taken(t, name.start)) {
        name.start[name.length - 1] = '_';
        buffer_append(&name, "", 1);
    }
    MEMORY_PUSH(t->sort, t->sort_count, t->sort_capacity, (SortColumn){key->name, name.start});
    char *quoted =
        memory_checked(sqlite3_mprintf(", \"%w\" %s", name.start, key->is_string ? "TEXT" : "INTEGER"));
    buffer_text(out, quoted);
    sqlite3_free(quoted);
}

static bool make_schema(Tables *t)
{
    Buffer text = {0};
    buffer_format(
        &text,
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA "
        "application_id=%d; PRAGMA user_version=1; BEGIN;"
        "CREATE TABLE query(id INTEGER PRIMARY KEY, name TEXT NOT NULL, dialect TEXT NOT NULL, text "
        "TEXT NOT NULL);"
        "CREATE TABLE game(id INTEGER PRIMARY KEY",
        APPLICATION_ID);
    put_columns(&text, game_columns, GAME_COLUMNS);
    buffer_text(&text,
                ", ply_count INTEGER NOT NULL);"
                "CREATE TABLE tag(game INTEGER NOT NULL REFERENCES game(id), name TEXT NOT NULL, value "
                "TEXT NOT NULL, PRIMARY KEY(game, name)) WITHOUT ROWID;"
                "CREATE TABLE hit(id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES game(id), query "
                "INTEGER NOT NULL REFERENCES query(id)");
    put_columns(&text, hit_columns, HIT_COLUMNS);
    for (uint32_t q = 0; q < t->matcher->query_count; q++)
        for (int32_t k = 0; k < t->matcher->query[q].sort_key_count; k++)
            add_sort_column(t, &text, &t->matcher->query[q].sort_key[k]);
    buffer_text(
        &text,
        ");"
        "CREATE VIEW player AS SELECT white AS name, 'white' AS colour, white_elo AS elo, id AS game FROM "
        "game "
        "UNION ALL SELECT black, 'black', black_elo, id FROM game;"
        "CREATE VIEW found AS SELECT query.name AS query_name, game.white, game.black, game.date, "
        "game.result, "
        "game.eco, hit.* FROM hit JOIN game ON game.id = hit.game JOIN query ON query.id = hit.query;");
    buffer_append(&text, "", 1);
    const bool good = execute(t, text.start);
    buffer_free(&text);
    return good;
}

// `INSERT INTO TABLE VALUES (?,?,...)`; `into`: INTO TABLE. Of tags whose names are the same in UTF-8 the first stays.
static bool prepare_insert(Tables *t, sqlite3_stmt **statement, const char *into, size_t columns)
{
    Buffer text = {0};
    buffer_format(&text, "INSERT %s VALUES (?", into);
    for (size_t i = 1; i < columns; i++)
        buffer_text(&text, ",?");
    buffer_text(&text, ")");
    const bool good = prepare(t, statement, text.start, text.length);
    buffer_free(&text);
    return good;
}

static bool step(Tables *t, sqlite3_stmt *statement)
{
    const bool good = sqlite3_step(statement) == SQLITE_DONE || fail(t, sqlite3_errmsg(t->sql));
    sqlite3_reset(statement);
    return good;
}

static bool bind_utf8(Tables *t, sqlite3_stmt *statement, int column, const char *text)
{
    Buffer utf8 = {0};
    text_utf8(&utf8, text_of(text));
    const char *start = utf8.start ? utf8.start : "";
    const bool good =
        sqlite3_bind_text(statement, column, start, (int)utf8.length, SQLITE_TRANSIENT) == SQLITE_OK ||
        fail(t, sqlite3_errmsg(t->sql));
    buffer_free(&utf8);
    return good;
}

static const char *dialect_of(const QueryInfo *query)
{
    return query->flags & QUERY_CQLI   ? "cqli"
           : query->flags & QUERY_CQL5 ? "cql5"
           : query->flags & QUERY_CQL3 ? "cql3"
                                       : "cql6";
}

static bool insert_queries(Tables *t)
{
    sqlite3_stmt *statement = NULL;
    bool good = prepare_insert(t, &statement, "INTO query", 4);
    for (uint32_t q = 0; good && q < t->matcher->query_count; q++) {
        const QueryInfo *query = &t->matcher->query[q];
        sqlite3_bind_int64(statement, 1, q + 1);
        good = bind_utf8(t, statement, 2, query->name) && bind_utf8(t, statement, 3, dialect_of(query)) &&
               bind_utf8(t, statement, 4, query->source) && step(t, statement);
    }
    sqlite3_finalize(statement);
    return good;
}

// Opens a temporary file, which then loses its name.
static bool open_file(Tables *t)
{
    const char *folder = getenv("TMPDIR");
    char *name = memory_format("%s/cqlgen.XXXXXX", folder && *folder ? folder : "/tmp");
    t->fd = mkostemp(name, O_CLOEXEC);
    bool good = t->fd >= 0 || fail(t, strerror(errno));
    MemoryFile temporary;
    memory_file_begin(&temporary, name);
    if (good)
        good =
            sqlite3_open_v2(name, &t->sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK ||
            fail(t, t->sql ? sqlite3_errmsg(t->sql) : "no memory");
    if (t->fd >= 0)
        unlink(name);
    memory_file_end(&temporary);
    free(name);
    return good && make_schema(t);
}

Tables *tables_open(const Matcher *matcher)
{
    Tables *t = memory_zeroed(1, sizeof *t);
    t->matcher = matcher;
    t->fd = -1;
    if (open_file(t) && prepare_insert(t, &t->game, "INTO game", GAME_COLUMNS + 2) &&
        prepare_insert(t, &t->tag, "OR IGNORE INTO tag", 3) &&
        prepare_insert(t, &t->hit, "INTO hit", 3 + HIT_COLUMNS + t->sort_count))
        insert_queries(t);
    return t;
}

void tables_close(Tables *t)
{
    sqlite3_finalize(t->game);
    sqlite3_finalize(t->tag);
    sqlite3_finalize(t->hit);
    sqlite3_close(t->sql);
    if (t->fd >= 0)
        close(t->fd);
    for (size_t i = 0; i < t->sort_count; i++)
        free(t->sort[i].name);
    free(t->sort);
    free(t->error);
    free(t);
}

// ---- rows -------------------------------------------------------------------------------------------------

static void bind(sqlite3_stmt *statement, int column, const Value *v)
{
    if (v->kind == VALUE_NONE)
        sqlite3_bind_null(statement, column);
    else if (v->kind == VALUE_NUMBER)
        sqlite3_bind_int64(statement, column, v->number);
    else
        sqlite3_bind_text(statement, column, v->text.start, (int)v->text.length, SQLITE_STATIC);
}

// Binds `count` values from `column` on; false when the bytes are something else.
static bool bind_values(sqlite3_stmt *statement, int column, int count, const char **at, const char *end)
{
    Value value;
    for (int i = 0; i < count; i++) {
        if (!value_get(at, end, &value))
            return false;
        bind(statement, column + i, &value);
    }
    return true;
}

static bool bind_hit(Tables *t, const char **at, const char *end)
{
    Value query, value;
    if (!value_get(at, end, &query) || query.number < 0 || query.number >= t->matcher->query_count)
        return false;
    sqlite3_clear_bindings(t->hit); // hits of other queries have other sort keys
    sqlite3_bind_int64(t->hit, 2, t->game_id);
    sqlite3_bind_int64(t->hit, 3, query.number + 1);
    if (!bind_values(t->hit, 4, HIT_COLUMNS, at, end))
        return false;
    const QueryInfo *info = &t->matcher->query[query.number];
    for (int32_t k = 0; k < info->sort_key_count; k++) {
        if (!value_get(at, end, &value))
            return false;
        bind(t->hit, 4 + HIT_COLUMNS + (int)sort_column(t, info->sort_key[k].name), &value);
    }
    return true;
}

// Inserts the next row.
static bool take_row(Tables *t, const char **at, const char *end)
{
    const char mark = *(*at)++;
    bool good = false;
    sqlite3_stmt *statement = mark == GAME_FOLLOWS ? t->game : mark == TAG_FOLLOWS ? t->tag : t->hit;
    if (mark == GAME_FOLLOWS) {
        sqlite3_bind_int64(t->game, 1, ++t->game_id);
        good = bind_values(t->game, 2, GAME_COLUMNS + 1, at, end);
    } else if (mark == TAG_FOLLOWS) {
        sqlite3_bind_int64(t->tag, 1, t->game_id);
        good = bind_values(t->tag, 2, 2, at, end);
    } else if (mark == HIT_FOLLOWS) {
        good = bind_hit(t, at, end);
    }
    return good ? step(t, statement) : fail(t, "a result is damaged");
}

bool tables_take(Tables *t, const char *bytes, size_t length)
{
    const char *at = bytes, *end = bytes + length;
    while (at < end && !t->error)
        take_row(t, &at, end);
    return !t->error;
}

// ---- the end ----------------------------------------------------------------------------------------------

static ssize_t read_on(int fd, char *bytes, size_t length)
{
    ssize_t got;
    while ((got = read(fd, bytes, length)) < 0 && errno == EINTR)
        ;
    return got;
}

bool tables_end(Tables *t, bool (*write)(void *user, const void *bytes, size_t length), void *user)
{
    static const char indexes[] = "CREATE INDEX hit_game ON hit(game, query);"
                                  "CREATE INDEX hit_query ON hit(query);"
                                  "CREATE INDEX hit_fen ON hit(fen);"
                                  "CREATE INDEX game_white ON game(white);"
                                  "CREATE INDEX game_black ON game(black);"
                                  "CREATE INDEX game_eco ON game(eco);"
                                  "CREATE INDEX tag_name ON tag(name, value);"
                                  "COMMIT";
    enum { STEP = 1 << 20 };
    if (t->error || !execute(t, indexes))
        return false;
    char *bytes = memory_new(STEP);
    ssize_t got = lseek(t->fd, 0, SEEK_SET);
    bool good = true;
    while (good && got >= 0 && (got = read_on(t->fd, bytes, STEP)) > 0)
        good = write(user, bytes, (size_t)got);
    if (got < 0)
        good = fail(t, strerror(errno));
    free(bytes);
    return good;
}
