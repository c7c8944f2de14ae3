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

static const FieldList *database_fields(const FieldList *own, int context)
{
    return own && own->count > 0 ? own : fields_of_database(context > 0);
}

// Has the field a column in the table hit, or in the table game? Columns for sort keys and the table tag are apart.
static bool is_of_hit(const Field *f)
{
    return f->id != FIELD_TAG && field_info[f->id].of_position;
}

static bool is_of_game(const Field *f)
{
    return !is_of_hit(f) && f->id != FIELD_QUERY && f->id != FIELD_SORT && f->id != FIELD_TAGS;
}

static bool has_field(const FieldList *list, FieldId id)
{
    int i = 0;
    while (i < list->count && list->field[i].id != id)
        i++;
    return i < list->count;
}

// Tags with columns of their own.
static bool has_column(const FieldList *list, Text tag)
{
    for (int i = 0; i < list->count; i++)
        if (text_equal(tag, field_tag(&list->field[i])))
            return true;
    return false;
}

static const char *column_type(const Field *f)
{
    static const char *const types[FIELD_COUNT_] = {[FIELD_GAME] = "INTEGER NOT NULL",
                                                    [FIELD_FILE] = "TEXT NOT NULL",
                                                    [FIELD_POSITION] = "INTEGER NOT NULL",
                                                    [FIELD_GAME_IN_FILE] = "INTEGER NOT NULL",
                                                    [FIELD_PLY] = "INTEGER NOT NULL",
                                                    [FIELD_PLY_COUNT] = "INTEGER NOT NULL",
                                                    [FIELD_OFFSET] = "INTEGER",
                                                    [FIELD_NUMBER] = "INTEGER",
                                                    [FIELD_WHITE_ELO] = "INTEGER",
                                                    [FIELD_BLACK_ELO] = "INTEGER",
                                                    [FIELD_CLOCK] = "INTEGER",
                                                    [FIELD_ELAPSED] = "INTEGER",
                                                    [FIELD_EVAL] = "INTEGER",
                                                    [FIELD_FEN] = "TEXT NOT NULL"};
    return types[f->id] ? types[f->id] : "TEXT";
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

static void put_game(Buffer *out, const FieldList *list, const FoundGame *g, FormatMemory *m)
{
    fields_begin(g, m, &g->found[0]);
    found_tags(m, g, g->found, g->count);
    put_mark(out, GAME_FOLLOWS);
    for (int i = 0; i < list->count; i++)
        if (is_of_game(&list->field[i]))
            put_field(out, field_value(&list->field[i], g, m, &g->found[0], 0));
    for (size_t i = 0; i < m->tag_count && has_field(list, FIELD_TAGS); i++) {
        if (found_tag_repeats(m, i) || has_column(list, m->tag[i].name))
            continue;
        put_mark(out, TAG_FOLLOWS);
        value_put_text(out, m->tag[i].name);
        value_put_text(out, m->tag[i].value);
    }
}

static void put_hit(Buffer *out, const FieldList *list, const FoundGame *g, FormatMemory *m,
                    const Found *found, int32_t id)
{
    put_mark(out, HIT_FOLLOWS);
    value_put_number(out, found->query - g->matcher->query);
    for (int i = 0; i < list->count; i++)
        if (is_of_hit(&list->field[i]))
            put_field(out, field_value(&list->field[i], g, m, found, id));
    for (int32_t k = 0; k < found->query->sort_key_count && has_field(list, FIELD_SORT); k++)
        value_put_sort(out, &found->result->sort[k]);
}

void write_sqlite(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    const FieldList *list = database_fields(g->fields, g->context);
    if (has_field(list, FIELD_FEN))
        found_clocks(m, g);
    put_game(out, list, g, m);
    for (size_t i = 0; i < g->count; i++) {
        fields_begin(g, m, &g->found[i]);
        for (int32_t k = 0; k < g->found[i].result->hit_count; k++)
            put_hit(out, list, g, m, &g->found[i], g->found[i].result->hit[k]);
    }
}

// ---- the file ---------------------------------------------------------------------------------------------

typedef struct Names {
    char **name;
    size_t count, capacity;
} Names;

struct Tables {
    const Matcher *matcher;
    const FieldList *fields;
    int fd; // of the file, which has no name any more; -1: none
    sqlite3 *sql;
    sqlite3_stmt *game, *tag, *hit;
    Names game_columns, hit_columns;
    size_t hit_fields;     // columns of hit before those of sort keys
    const char **sort_key; // whose values the columns after them have
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

static bool is_taken(const Names *names, const char *name)
{
    bool taken = false;
    for (size_t i = 0; i < names->count; i++)
        taken |= ascii_same(name, names->name[i]);
    return taken;
}

// Keeps the name, with underscores where another column has it, and appends the column to the statement if it has a type.
static void add_column(Names *names, Buffer *out, Text wanted, const char *type)
{
    Buffer name = {0};
    text_utf8(&name, wanted);
    buffer_append(&name, "", 1);
    while (is_taken(names, name.start)) {
        name.start[name.length - 1] = '_';
        buffer_append(&name, "", 1);
    }
    MEMORY_PUSH(names->name, names->count, names->capacity, name.start);
    char *quoted =
        memory_checked(sqlite3_mprintf(names->count > 1 ? ", \"%w\" %s" : "\"%w\" %s", name.start, type));
    buffer_text(out, quoted);
    sqlite3_free(quoted);
}

static size_t sort_column(const Tables *t, const char *key)
{
    size_t i = 0;
    while (i < t->sort_count && strcmp(t->sort_key[i], key) != 0)
        i++;
    return i;
}

static void add_sort_columns(Tables *t, Buffer *out, const QueryInfo *query)
{
    for (int32_t k = 0; k < query->sort_key_count; k++) {
        const SortKeyInfo *key = &query->sort_key[k];
        if (sort_column(t, key->name) < t->sort_count)
            continue;
        MEMORY_PUSH(t->sort_key, t->sort_count, t->sort_capacity, key->name);
        add_column(&t->hit_columns, out, text_of(key->name), key->is_string ? "TEXT" : "INTEGER");
    }
}

static void add_game_columns(Tables *t, Buffer *out)
{
    add_column(&t->game_columns, out, text_of("id"), "INTEGER PRIMARY KEY");
    for (int i = 0; i < t->fields->count; i++) {
        const Field *f = &t->fields->field[i];
        if (is_of_game(f))
            add_column(&t->game_columns, out, f->id == FIELD_GAME ? text_of("number") : field_name(f),
                       column_type(f));
    }
}

static void add_hit_columns(Tables *t, Buffer *out)
{
    Names *names = &t->hit_columns;
    add_column(names, out, text_of("id"), "INTEGER PRIMARY KEY");
    add_column(names, out, text_of("game"), "INTEGER NOT NULL REFERENCES game(id)");
    add_column(names, out, text_of("query"), "INTEGER NOT NULL REFERENCES query(id)");
    for (int i = 0; i < t->fields->count; i++)
        if (is_of_hit(&t->fields->field[i]))
            add_column(names, out, field_name(&t->fields->field[i]), column_type(&t->fields->field[i]));
    t->hit_fields = names->count;
    for (uint32_t q = 0; q < t->matcher->query_count && has_field(t->fields, FIELD_SORT); q++)
        add_sort_columns(t, out, &t->matcher->query[q]);
}

// The views have the columns that the tables have.
static void add_views(const Tables *t, Buffer *out)
{
    static const char *const names[] = {"white", "black", "date", "result", "eco"};
    const Names *of_game = &t->game_columns;
    if (is_taken(of_game, "white") && is_taken(of_game, "black"))
        buffer_format(
            out,
            "CREATE VIEW player AS SELECT white AS name, 'white' AS colour, %s AS elo, id AS game FROM game "
            "UNION ALL SELECT black, 'black', %s, id FROM game;",
            is_taken(of_game, "white_elo") ? "white_elo" : "NULL",
            is_taken(of_game, "black_elo") ? "black_elo" : "NULL");
    buffer_text(out, "CREATE VIEW found AS SELECT query.name AS query_name, ");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_taken(of_game, names[i]))
            buffer_format(out, "game.%s, ", names[i]);
    buffer_text(out, "hit.* FROM hit JOIN game ON game.id = hit.game JOIN query ON query.id = hit.query;");
}

static bool make_schema(Tables *t)
{
    Buffer text = {0};
    buffer_format(
        &text,
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA "
        "application_id=%d; PRAGMA user_version=2; BEGIN;"
        "CREATE TABLE query(id INTEGER PRIMARY KEY, name TEXT NOT NULL, dialect TEXT NOT NULL, text "
        "TEXT NOT NULL);"
        "CREATE TABLE game(",
        APPLICATION_ID);
    add_game_columns(t, &text);
    buffer_text(&text,
                ");"
                "CREATE TABLE tag(game INTEGER NOT NULL REFERENCES game(id), name TEXT NOT NULL, value "
                "TEXT NOT NULL, PRIMARY KEY(game, name)) WITHOUT ROWID;"
                "CREATE TABLE hit(");
    add_hit_columns(t, &text);
    buffer_text(&text, ");");
    add_views(t, &text);
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

Tables *tables_open(const Matcher *matcher, const FieldList *fields, int context)
{
    Tables *t = memory_zeroed(1, sizeof *t);
    t->matcher = matcher;
    t->fields = database_fields(fields, context);
    t->fd = -1;
    if (open_file(t) && prepare_insert(t, &t->game, "INTO game", t->game_columns.count) &&
        prepare_insert(t, &t->tag, "OR IGNORE INTO tag", 3) &&
        prepare_insert(t, &t->hit, "INTO hit", t->hit_columns.count))
        insert_queries(t);
    return t;
}

static void free_names(Names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
}

void tables_close(Tables *t)
{
    sqlite3_finalize(t->game);
    sqlite3_finalize(t->tag);
    sqlite3_finalize(t->hit);
    sqlite3_close(t->sql);
    if (t->fd >= 0)
        close(t->fd);
    free_names(&t->game_columns);
    free_names(&t->hit_columns);
    free(t->sort_key);
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
static bool bind_values(sqlite3_stmt *statement, size_t column, size_t count, const char **at,
                        const char *end)
{
    Value value;
    for (size_t i = 0; i < count; i++) {
        if (!value_get(at, end, &value))
            return false;
        bind(statement, (int)(column + i), &value);
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
    if (!bind_values(t->hit, 4, t->hit_fields - 3, at, end))
        return false;
    const QueryInfo *info = &t->matcher->query[query.number];
    for (int32_t k = 0; k < info->sort_key_count && t->sort_count > 0; k++) {
        if (!value_get(at, end, &value))
            return false;
        bind(t->hit, (int)(1 + t->hit_fields + sort_column(t, info->sort_key[k].name)), &value);
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
        good = bind_values(t->game, 2, t->game_columns.count - 1, at, end);
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

// The columns by which tables are often joined or looked into, if they are there.
static bool make_indexes(Tables *t)
{
    static const struct {
        const char *table, *column;
    } indexes[] = {{"hit", "fen"}, {"game", "white"}, {"game", "black"}, {"game", "eco"}};
    Buffer text = {0};
    buffer_text(&text, "CREATE INDEX hit_game ON hit(game, query); CREATE INDEX hit_query ON hit(query);");
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        const char *table = indexes[i].table, *column = indexes[i].column;
        if (is_taken(*table == 'h' ? &t->hit_columns : &t->game_columns, column))
            buffer_format(&text, "CREATE INDEX %s_%s ON %s(%s);", table, column, table, column);
    }
    buffer_text(&text, "CREATE INDEX tag_name ON tag(name, value); COMMIT");
    buffer_append(&text, "", 1);
    const bool good = execute(t, text.start);
    buffer_free(&text);
    return good;
}

bool tables_end(Tables *t, bool (*write)(void *user, const void *bytes, size_t length), void *user)
{
    enum { STEP = 1 << 20 };
    if (t->error || !make_indexes(t))
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
