// Rows of the table game: what SQL knows of games, and a virtual table that a statement inserts them from.
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/value/unicode.h"

const int name_columns[NAME_COLUMNS] = {PLAYER, PLAYER, EVENT, SITE};

// ---- collecting -------------------------------------------------------------------------------------------

// Keeps a string for SQL.
static RowText keep_text(Buffer *strings, Text t)
{
    const size_t start = strings->length;
    unicode_append(strings, t.start, t.length);
    return (RowText){(uint32_t)start, (uint32_t)(strings->length - start)};
}

Text row_text(const GameRows *r, RowText t)
{
    return (Text){r->strings.start ? r->strings.start + t.start : "", t.length};
}

// Keeps a name, which the game before often has, too.
static void keep_name(GameRows *r, GameRow *row, int i, Text name)
{
    const GameRow *last = row - 1;
    if (r->count > 1 && text_equal(name, row_text(r, last->name[i]))) {
        row->name[i] = last->name[i];
        row->hash[i] = last->hash[i];
        return;
    }
    row->name[i] = keep_text(&r->strings, name);
    row->hash[i] = names_hash(row_text(r, row->name[i]));
}

void rows_add(GameRows *r, const Game *g, unsigned flags)
{
    const TagRoster *t = game_roster(g);
    const Text name[NAME_COLUMNS] = {t->white, t->black, t->event, t->site};
    r->row = memory_grow(r->row, &r->capacity, r->count + 1, sizeof *r->row);
    GameRow *row = &r->row[r->count++];
    row->rating[0] = t->rating[0];
    row->rating[1] = t->rating[1];
    row->ply_count = g->ply_count;
    row->result = (uint8_t)g->view.result;
    row->flags = flags;
    memcpy(row->date, t->date, sizeof row->date);
    for (int i = 0; i < NAME_COLUMNS; i++)
        keep_name(r, row, i, name[i]);
    row->round = keep_text(&r->strings, t->round);
    row->eco = keep_text(&r->strings, t->eco);
}

void rows_clear(GameRows *r)
{
    r->count = r->strings.length = 0;
}

void rows_free(GameRows *r)
{
    free(r->row);
    buffer_free(&r->strings);
    *r = (GameRows){0};
}

// ---- the virtual table ------------------------------------------------------------------------------------

// The columns of game.
enum { ID, NAMES, DATE = NAMES + NAME_COLUMNS, ROUND, RESULT, WHITE_ELO, BLACK_ELO, ECO, PLY_COUNT, FLAGS };

typedef struct RowTable {
    sqlite3_vtab base;
    const Database *database;
} RowTable;

typedef struct RowCursor {
    sqlite3_vtab_cursor base;
    const GameRows *rows;
    size_t at;
} RowCursor;

static int table_connect(sqlite3 *sql, void *database, int count, const char *const *arguments,
                         sqlite3_vtab **table, char **message)
{
    (void)count;
    (void)arguments;
    (void)message;
    RowTable *t = memory_zeroed(1, sizeof *t);
    t->database = database;
    *table = &t->base;
    return sqlite3_declare_vtab(sql, "CREATE TABLE t(id, white, black, event, site, date, round, result,"
                                     " white_elo, black_elo, eco, ply_count, flags)");
}

static int table_disconnect(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

// Always the whole table.
static int table_plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    (void)info;
    return SQLITE_OK;
}

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
    (void)table;
    RowCursor *c = memory_zeroed(1, sizeof *c);
    *cursor = &c->base;
    return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static int cursor_first(sqlite3_vtab_cursor *cursor, int plan, const char *name, int count,
                        sqlite3_value **values)
{
    (void)plan;
    (void)name;
    (void)count;
    (void)values;
    RowCursor *c = (RowCursor *)cursor;
    c->rows = ((const RowTable *)cursor->pVtab)->database->rows;
    c->at = 0;
    return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *cursor)
{
    ((RowCursor *)cursor)->at++;
    return SQLITE_OK;
}

static int cursor_ended(sqlite3_vtab_cursor *cursor)
{
    const RowCursor *c = (const RowCursor *)cursor;
    return !c->rows || c->at >= c->rows->count;
}

static int cursor_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number)
{
    const RowCursor *c = (const RowCursor *)cursor;
    *number = c->rows->first + (int64_t)c->at;
    return SQLITE_OK;
}

static void give_text(sqlite3_context *out, Text t)
{
    sqlite3_result_text(out, t.start, (int)t.length, SQLITE_STATIC);
}

// A rating of 0 is none: NULL.
static void give_rating(sqlite3_context *out, int32_t rating)
{
    if (rating > 0)
        sqlite3_result_int(out, rating);
}

static int cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *out, int column)
{
    static const char *const results[] = {"*", "1-0", "0-1", "1/2-1/2"};
    const RowCursor *c = (const RowCursor *)cursor;
    const GameRow *row = &c->rows->row[c->at];
    switch (column) {
    case ID:
        sqlite3_result_int64(out, c->rows->first + (int64_t)c->at);
        break;
    case DATE:
        give_text(out, (Text){row->date, sizeof row->date - 1});
        break;
    case ROUND:
        give_text(out, row_text(c->rows, row->round));
        break;
    case RESULT:
        give_text(out, text_of(results[row->result]));
        break;
    case WHITE_ELO:
    case BLACK_ELO:
        give_rating(out, row->rating[column - WHITE_ELO]);
        break;
    case ECO:
        give_text(out, row_text(c->rows, row->eco));
        break;
    case PLY_COUNT:
        sqlite3_result_int(out, row->ply_count);
        break;
    case FLAGS:
        sqlite3_result_int(out, (int)row->flags);
        break;
    default:
        sqlite3_result_int64(out, row->id[column - NAMES]);
    }
    return SQLITE_OK;
}

bool rows_register(Database *d)
{
    static const sqlite3_module module = {.xConnect = table_connect,
                                          .xBestIndex = table_plan,
                                          .xDisconnect = table_disconnect,
                                          .xOpen = cursor_open,
                                          .xClose = cursor_close,
                                          .xFilter = cursor_first,
                                          .xNext = cursor_next,
                                          .xEof = cursor_ended,
                                          .xColumn = cursor_column,
                                          .xRowid = cursor_number};
    if (!d->rows_registered)
        d->rows_registered = sqlite3_create_module(d->sql, ROWS_TABLE, &module, d) == SQLITE_OK;
    return d->rows_registered;
}
