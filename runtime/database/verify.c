// Checks a whole database.
#include "columns.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

typedef struct Verifier {
    void (*report)(void *user, const char *message);
    void *user;
    int64_t faults;
    Buffer clocks; // of a game
    Buffer text;
    Game game;
    ChunkWriter writer;             // stores a game again
    GameRows rows;                  // what the columns should have of a game
    ChunkColumns columns;           // of the chunk; count 0: damaged
    NameList name[COLUMN_SITE + 1]; // by column; that of Black is that of White
    bool names_known[COLUMN_SITE + 1];
    bool knows_rules;     // the database
    int64_t plies, bytes; // of the games of the chunk
    sqlite3_stmt *table;  // the rows of game; NULL: they end before the next game
} Verifier;

static void report_fault(Verifier *v, char *message)
{
    v->faults++;
    v->report(v->user, message);
    free(message);
}

// ---- what SQLite checks -----------------------------------------------------------------------------------

static int integrity_row(void *user, int columns, char **value, char **names)
{
    (void)names;
    if (columns > 0 && value[0] && strcmp(value[0], "ok") != 0)
        report_fault(user, memory_format("SQLite: %s", value[0]));
    return 0;
}

static int reference_row(void *user, int columns, char **value, char **names)
{
    enum { MOST = 100 }; // as integrity_check reports
    (void)names;
    Verifier *v = user;
    if (columns < 3)
        return 0;
    report_fault(v, memory_format("row %s of the table %s names a row that the table %s does not have",
                                  value[1] ? value[1] : "?", value[0], value[2]));
    return v->faults > MOST;
}

static void check_by_sqlite(Verifier *v, Database *d)
{
    database_begin_statement(d);
    if (sqlite3_exec(d->sql, "PRAGMA integrity_check", integrity_row, v, NULL) != SQLITE_OK)
        report_fault(v, memory_format("SQLite: %s", sqlite3_errmsg(d->sql)));
    database_begin_statement(d);
    const int result = sqlite3_exec(d->sql, "PRAGMA foreign_key_check", reference_row, v, NULL);
    if (result != SQLITE_OK && result != SQLITE_ABORT)
        report_fault(v, memory_format("SQLite: %s", sqlite3_errmsg(d->sql)));
}

// ---- the tables -------------------------------------------------------------------------------------------

enum { ROW_ID, ROW_PLIES, ROW_FLAGS };
#define ROWS "SELECT id, ply_count, flags FROM game ORDER BY id"

// An import that continues leaves out as many games as its source has given.
static void check_sources(Verifier *v, Database *d)
{
    int64_t wrong = 0, games = 0;
    if (!database_integers(
            d,
            "SELECT count(*) FROM source WHERE typeof(game_count) != 'integer' OR game_count < 0 OR"
            " game_count > 1 << 48 OR complete NOT IN (0, 1)",
            1, &wrong) ||
        wrong > 0 || !database_integers(d, "SELECT coalesce(sum(game_count), 0) FROM source", 1, &games) ||
        games < d->games)
        report_fault(v, memory_format("the table source is damaged"));
}

// Finds the row of the next game in the table game; false when it has another number.
static bool find_row(Verifier *v, int64_t number)
{
    if (v->table && sqlite3_step(v->table) == SQLITE_ROW && sqlite3_column_int64(v->table, ROW_ID) == number)
        return true;
    sqlite3_finalize(v->table);
    v->table = NULL;
    return false;
}

static void check_last_row(Verifier *v)
{
    if (v->table && sqlite3_step(v->table) != SQLITE_DONE)
        report_fault(v, memory_format("the table game has too many rows"));
    sqlite3_finalize(v->table);
}

// ---- columns ----------------------------------------------------------------------------------------------

static void read_names(Verifier *v, Database *d)
{
    for (int column = COLUMN_WHITE; column <= COLUMN_SITE; column++) {
        if (column == COLUMN_BLACK)
            continue;
        v->names_known[column] = database_names(d, column, &v->name[column]);
        if (!v->names_known[column])
            report_fault(
                v, memory_format("the names in the columns are damaged: %s", game_column_name[column]));
    }
}

// Is this the name of the id?
static bool is_named(const Verifier *v, int column, int32_t id, Text name)
{
    const int known = column == COLUMN_BLACK ? COLUMN_WHITE : column;
    const NameList *l = &v->name[known];
    if (!v->names_known[known])
        return true;
    return (size_t)id < l->count && l->place[id].start > 0 &&
           text_equal(name, (Text){l->text.start + l->place[id].start, l->place[id].length});
}

// Are the columns those of the tags and moves of the game that was read? A search may look at nothing else.
static bool columns_are_right(Verifier *v, const StoredGame *stored, size_t i)
{
    static const int name_column[NAME_COLUMNS] = {COLUMN_WHITE, COLUMN_BLACK, COLUMN_EVENT, COLUMN_SITE};
    int32_t value[STORED_COLUMNS];
    if (v->columns.count == 0)
        return true;
    rows_clear(&v->rows);
    rows_add(&v->rows, &v->game, stored->flags);
    GameRow *row = &v->rows.row[0];
    bool same = true;
    for (int k = 0; k < NAME_COLUMNS; k++) {
        row->id[k] = v->columns.value[name_column[k]][i];
        same &= is_named(v, name_column[k], (int32_t)row->id[k], row_text(&v->rows, row->name[k]));
    }
    columns_of_row(&v->rows, row, value);
    for (int k = 0; k < STORED_COLUMNS; k++)
        same &= value[k] == v->columns.value[k][i];
    return same;
}

// ---- games ------------------------------------------------------------------------------------------------

static bool clocks_are_right(Verifier *v, const StoredGame *stored)
{
    v->clocks.length = 0;
    game_keep_clocks(&v->game);
    game_pack_clocks(&v->game, &v->clocks);
    return text_equal((Text){v->clocks.start, v->clocks.length}, stored->clocks);
}

static bool moves_are_right(const Verifier *v, const StoredGame *stored)
{
    const Game *game = &v->game;
    bool same = (uint32_t)game->ply_count == stored->ply_count && game->view.result == stored->result;
    for (uint32_t i = 0; same && i < stored->ply_count; i++)
        same = word_of(game->view.node[i + 1].move) == stored->word[i * stored->stride];
    return same;
}

static bool index_is_right(const Verifier *v, const StoredGame *stored)
{
    MainLine line;
    game_main_line(&v->game, &line);
    const GameEntry facts = chunk_facts(&v->game, &line);
    const unsigned own = STORED_VARIATIONS | STORED_NOTES | STORED_CLOCK_CODES | STORED_VARIANT;
    return (stored->flags & ~own) == (facts.flags & ~(unsigned)STORED_VARIANT) &&
           stored->special == facts.special && memcmp(stored->men, facts.men, sizeof facts.men) == 0;
}

// Are the flags about the text of the game those that an import of it would store? Searches look at comments and variations
// only where they say that there are some.
static bool flags_are_right(Verifier *v, const StoredGame *stored, const GameText *source)
{
    const unsigned known = v->knows_rules ? STORED_VARIANT : 0,
                   looked_at = STORED_START | known | STORED_VARIATIONS | STORED_NOTES,
                   of_raw = stored->flags & STORED_RAW ? STORED_VARIATIONS | STORED_NOTES : 0;
    const unsigned flags = chunk_add(&v->writer, &v->game, source, NULL, NULL) | of_raw;
    chunk_writer_clear(&v->writer);
    return ((flags ^ stored->flags) & looked_at) == 0;
}

// What is wrong with a game, or NULL.
static const char *fault_of(Verifier *v, const StoredGame *stored, size_t i)
{
    const bool table = v->table != NULL, row = find_row(v, stored->tags.number);
    v->text.length = 0;
    v->plies += stored->ply_count;
    if (!chunk_game_text(stored, &v->game, &v->text))
        return "its moves or its text are damaged";
    v->bytes += (int64_t)v->text.length;
    GameText source = stored->tags;
    source.text = (Text){v->text.start, v->text.length};
    game_parse(&v->game, &source, PARSE_CLOCKS, NULL, NULL);
    if (!(stored->flags & STORED_RAW)) {
        if (!moves_are_right(v, stored))
            return "its moves are not those of its text";
        if (!clocks_are_right(v, stored))
            return "its clocks are not those of its text";
        if (!index_is_right(v, stored))
            return "what its index says is not so";
    }
    if (!flags_are_right(v, stored, &source))
        return "what its index says is not so";
    if (!columns_are_right(v, stored, i))
        return "its columns are not those of its tags and moves";
    if (table && !row)
        return "the table game does not have it";
    // other programs may change names, dates and ratings there
    return !row || (sqlite3_column_int64(v->table, ROW_PLIES) == v->game.ply_count &&
                    sqlite3_column_int64(v->table, ROW_FLAGS) == stored->flags)
               ? NULL
               : "its row in the table game is not that of its moves";
}

static void verify_game(Verifier *v, const StoredGame *stored, size_t i)
{
    const char *fault = fault_of(v, stored, i);
    if (fault)
        report_fault(v, memory_format("game %lld: %s", (long long)stored->tags.number, fault));
}

static void verify_chunk(Verifier *v, Database *d, int64_t index, Chunk *chunk)
{
    const ChunkRow *row = &d->row[index];
    char *message;
    if (!database_read_chunk(d, index, CHUNK_ALL, chunk, &message)) {
        report_fault(v, message);
        for (int64_t i = 0; i < row->games; i++)
            find_row(v, row->first + i);
        return;
    }
    if (!database_read_columns(d, index, (1u << STORED_COLUMNS) - 1, &v->columns)) {
        report_fault(v, memory_format("chunk %lld is damaged: its columns", (long long)index + 1));
        v->columns.count = 0;
    }
    const int64_t faults = v->faults;
    v->plies = v->bytes = 0;
    for (size_t k = 0; k < chunk->count; k++)
        verify_game(v, chunk_game(chunk, k), k);
    if (v->faults == faults && (v->plies != row->plies || v->bytes != row->bytes))
        report_fault(v, memory_format("chunk %lld: the sums of its games' plies and bytes are wrong",
                                      (long long)index + 1));
}

int64_t database_verify(Database *d, void (*report)(void *user, const char *message), void *user)
{
    Verifier v = {.report = report, .user = user, .knows_rules = d->knows_rules};
    Chunk chunk = {0};
    game_init(&v.game);
    check_by_sqlite(&v, d);
    DatabaseInfo info;
    if (!database_info(d, &info)) // another program has changed a table
        report_fault(
            &v, memory_format("the tables for other programs cannot be read: %s", sqlite3_errmsg(d->sql)));
    check_sources(&v, d);
    read_names(&v, d);
    v.table = database_prepare(d, ROWS);
    if (!v.table)
        report_fault(&v, memory_format("SQLite: %s", sqlite3_errmsg(d->sql)));
    for (int64_t i = 0; i < d->chunks; i++)
        verify_chunk(&v, d, i, &chunk);
    check_last_row(&v);
    chunk_free(&chunk);
    for (int column = COLUMN_WHITE; column <= COLUMN_SITE; column++)
        name_list_free(&v.name[column]);
    chunk_columns_free(&v.columns);
    rows_free(&v.rows);
    chunk_writer_free(&v.writer);
    game_free(&v.game);
    buffer_free(&v.text);
    buffer_free(&v.clocks);
    return v.faults;
}
