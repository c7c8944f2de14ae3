// The tables of a database (docs/cqldb.md), and the check that a file has these and no others.
#include "schema.h"

#include <string.h>

#include "runtime/value/memory.h"

typedef struct SchemaPart {
    const char *name; // as messages say it; NULL: it may be missing
    const char *sql;
} SchemaPart;

#define TABLE(name, columns)                                                                                 \
    {                                                                                                        \
        "table " name, "CREATE TABLE " name "(" columns ")"                                                  \
    }
#define NAMES(table) TABLE(table, "id INTEGER PRIMARY KEY, name TEXT NOT NULL")

static const SchemaPart parts[] = {
    NAMES("player"),
    NAMES("event"),
    NAMES("site"),
    TABLE("game", "id INTEGER PRIMARY KEY,"
                  " white INTEGER NOT NULL REFERENCES player, black INTEGER NOT NULL REFERENCES player,"
                  " event INTEGER NOT NULL REFERENCES event, site INTEGER NOT NULL REFERENCES site,"
                  " date TEXT NOT NULL, round TEXT NOT NULL, result TEXT NOT NULL,"
                  " white_elo INTEGER, black_elo INTEGER,"
                  " eco TEXT NOT NULL, ply_count INTEGER NOT NULL, flags INTEGER NOT NULL"),
    TABLE("chunk", "id INTEGER PRIMARY KEY, first_game INTEGER NOT NULL, game_count INTEGER NOT NULL,"
                   " ply_count INTEGER NOT NULL, byte_count INTEGER NOT NULL, moves_sum INTEGER NOT NULL,"
                   " games_sum INTEGER NOT NULL, tags_sum INTEGER NOT NULL, texts_sum INTEGER NOT NULL,"
                   " games BLOB NOT NULL, moves BLOB NOT NULL, tags BLOB NOT NULL, texts BLOB NOT NULL"),
    TABLE("columns",
          "chunk INTEGER PRIMARY KEY REFERENCES chunk, white BLOB NOT NULL, black BLOB NOT NULL,"
          " event BLOB NOT NULL, site BLOB NOT NULL, date BLOB NOT NULL, result BLOB NOT NULL,"
          " white_elo BLOB NOT NULL, black_elo BLOB NOT NULL, eco BLOB NOT NULL, ply_count BLOB NOT NULL,"
          " player_names BLOB NOT NULL, event_names BLOB NOT NULL, site_names BLOB NOT NULL"),
    TABLE("clocks", "chunk INTEGER PRIMARY KEY REFERENCES chunk, sum INTEGER NOT NULL, clocks BLOB NOT NULL"),
    TABLE("source", "id INTEGER PRIMARY KEY, name TEXT NOT NULL, game_count INTEGER NOT NULL,"
                    " complete INTEGER NOT NULL"),
    {"view games",
     "CREATE VIEW games AS SELECT game.id, white.name AS white, black.name AS black, event.name AS event,"
     " site.name AS site, date, round, result, white_elo, black_elo, eco, ply_count, flags FROM game"
     " JOIN player AS white ON white.id = game.white JOIN player AS black ON black.id = game.black"
     " JOIN event ON event.id = game.event JOIN site ON site.id = game.site"},
    // of ANALYZE
    {NULL, "CREATE TABLE sqlite_stat1(tbl,idx,stat)"},
    {NULL, "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"},
};
enum { PARTS = sizeof parts / sizeof *parts, MOST_INDEXES = 1000 };

// Marks in `has` the part that a statement of the schema makes. False: it makes something else.
static bool find_part(const char *sql, bool has[PARTS])
{
    int i = 0;
    while (i < PARTS && strcmp(sql, parts[i].sql) != 0)
        i++;
    if (i < PARTS)
        has[i] = true;
    return i < PARTS;
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static char *foreign_message(const Database *d, const char *name)
{
    return memory_format(
        "%s: its schema has \"%s\", which `cqlgen import` did not make; only indexes on columns may be added",
        d->name, name);
}

// Reads the schema. What a row says of its type and name is not believed: SQLite looks at its statement alone.
static bool read_schema(Database *d, bool has[PARTS], char **message)
{
    sqlite3_stmt *s = database_prepare(d, "SELECT sql, name FROM sqlite_master");
    int result = SQLITE_ERROR, indexes = 0;
    while (!*message && s && (result = sqlite3_step(s)) == SQLITE_ROW) {
        const char *sql =
            (const char *)sqlite3_column_text(s, 0); // NULL: the index of a column that is UNIQUE
        const char *name = (const char *)sqlite3_column_text(s, 1);
        const bool index = !sql || begins(sql, "CREATE INDEX ") || begins(sql, "CREATE UNIQUE INDEX ");
        indexes += index;
        if (indexes > MOST_INDEXES || (!index && !find_part(sql, has)))
            *message = foreign_message(d, name ? name : "all");
    }
    if (!*message && result != SQLITE_DONE)
        *message = database_message(d, "cannot read the database");
    sqlite3_finalize(s);
    return !*message;
}

// Expressions and conditions of indexes are run for each row that is written.
static bool check_indexes(Database *d, char **message)
{
    sqlite3_stmt *s =
        database_prepare(d, "SELECT name FROM sqlite_master AS i WHERE type LIKE 'index' AND"
                            " (EXISTS(SELECT 1 FROM pragma_index_xinfo(i.name) WHERE cid = -2) OR"
                            " EXISTS(SELECT 1 FROM pragma_index_list(i.tbl_name) AS l"
                            " WHERE l.name = i.name COLLATE NOCASE AND partial))");
    const int result = s ? sqlite3_step(s) : SQLITE_ERROR;
    if (result == SQLITE_ROW)
        *message = foreign_message(d, (const char *)sqlite3_column_text(s, 0));
    else if (result != SQLITE_DONE)
        *message = database_message(d, "cannot read the database");
    sqlite3_finalize(s);
    return !*message;
}

bool schema_check(Database *d, char **message)
{
    bool has[PARTS] = {false};
    if (!read_schema(d, has, message) || !check_indexes(d, message))
        return false;
    for (int i = 0; i < PARTS && !*message; i++)
        if (!has[i] && parts[i].name)
            *message = memory_format("%s: its %s is missing; import the games again", d->name, parts[i].name);
    return !*message;
}

bool schema_create(Database *d, char **message)
{
    bool good = true;
    for (int i = 0; i < PARTS && good; i++)
        if (parts[i].name)
            good = database_run(d, parts[i].sql, message);
    return good;
}
