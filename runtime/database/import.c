// PGN into the database: threads read games and pack them; chunks are stored in order.
#include "columns.h"
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/clock.h"
#include "runtime/value/memory.h"

enum { CHUNK_BYTES = 4 << 20, MOST_THREADS = 256 };
#define COMMIT_SECONDS 0.5

const char *const name_tables[NAME_TABLES] = {"player", "event", "site"};

typedef struct Report {
    uint64_t line;
    int64_t game;
    char *message;
} Report;

// One chunk on its way.
typedef struct Work {
    uint64_t sequence;
    PgnBlock block;
    ChunkWriter chunk;
    GameRows rows;
    ColumnWriter columns;
    Report *report;
    size_t report_count, report_capacity;
    Report
        language; // about the first game with the piece letters of another language; message: NULL if there is none
    int64_t bytes, cut, words;
    int64_t unwanted, amended; // games of the block
    Buffer text, scratch;      // of a game that is amended
} Work;

typedef struct Import {
    Database *d;
    const ImportOptions *options;
    PgnSplitter *splitter;
    pthread_mutex_t input, output;
    pthread_cond_t moved;
    uint64_t next_input, next_output;
    int64_t skip;  // games of the source that the database has
    int64_t games; // added
    int64_t left_out;
    int64_t bytes;
    int64_t source; // row of the table
    bool ended, language_noted;
    char *message; // why it failed

    // chunks are stored in transactions of COMMIT_SECONDS: the disk takes a while for each
    bool open;                                      // a transaction
    double committed;                               // the time of the last one; 0 at first
    int64_t safe_chunks, safe_games, safe_imported; // what it has stored of d->chunks, d->games, games
} Import;

// ---- reading ----------------------------------------------------------------------------------------------

static void keep_report(void *user, uint64_t line, int64_t game, const char *message)
{
    Work *w = user;
    MEMORY_PUSH(w->report, w->report_count, w->report_capacity,
                (Report){line, game, memory_copy(message, strlen(message))});
}

static void report_size(Work *w, const GameText *source, size_t memory)
{
    char message[100];
    snprintf(message, sizeof message,
             "the game needs more than %zu MB of memory and is left out; --max-memory allows more",
             memory >> 20);
    keep_report(w, source->line, source->number, message);
}

// Counts what is left out of a game, and notes the language of its moves.
static void look_at(Work *w, const Game *game, const GameText *source)
{
    w->cut += game->cut;
    w->words += game->ignored_words;
    if (game->language && !w->language.message)
        w->language = (Report){source->line, source->number, memory_format(LANGUAGE_NOTE, game->language)};
}

// The game as it is stored. Its text is valid until the next call.
static GameText amended(Work *w, Game *game, const GameText *source, const ImportOptions *o)
{
    GameText result = *source;
    w->text.length = 0;
    if (o->amend && o->amend(o->amend_user, source, game, &w->text, &w->scratch)) {
        result.text = (Text){w->text.start, w->text.length};
        w->amended++;
    }
    return result;
}

static void store_game(Work *w, Game *game, const GameText *source, const ImportOptions *o)
{
    const GameText stored = amended(w, game, source, o);
    const size_t before = w->report_count;
    rows_add(&w->rows, game, chunk_add(&w->chunk, game, &stored, keep_report, w));
    look_at(w, game, source);
    if (stored.text.start == source->text.start || w->report_count == before)
        return;
    while (w->report_count > before) // they name lines of the text as it is stored
        free(w->report[--w->report_count].message);
    game_parse(game, source, o->all_words ? PARSE_ALL_WORDS : 0, keep_report, w);
}

static void read_games(Work *w, Game *game, const ImportOptions *o)
{
    const size_t memory = o->game_memory;
    for (size_t i = 0; i < w->block.count; i++) {
        const GameText *source = &w->block.game[i];
        if (o->wanted && !o->wanted(o->user, source->number)) {
            w->unwanted++;
        } else if (memory == 0 || game_fits(source->text, 0, memory)) {
            store_game(w, game, source, o);
        } else {
            report_size(w, source, memory);
        }
    }
    chunk_finish(&w->chunk);
}

// ---- writing ----------------------------------------------------------------------------------------------

// The id of a name in its table, which gets it if it is new; 0: failed.
static int64_t name_id(Database *d, Work *w, int table, Text name, uint64_t hash)
{
    NameTable *t = &d->names[table];
    int64_t id = names_find(t, name, hash);
    if (id != 0)
        return id;
    sqlite3_stmt *s = d->insert[INSERT_NAME + table];
    id = t->last_id + 1;
    sqlite3_bind_int64(s, 1, id);
    sqlite3_bind_text(s, 2, name.start, (int)name.length, SQLITE_STATIC);
    const bool good = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    if (!good)
        return 0;
    names_add(t, name, hash, id);
    columns_add_name(&w->columns, table, id, name);
    return id;
}

// Sets the ids of a game's names; false: failed.
static bool name_game(Database *d, Work *w, GameRow *row)
{
    bool good = true;
    for (int i = 0; i < NAME_COLUMNS && good; i++) {
        const bool again = row > w->rows.row && row[-1].name[i].start == row->name[i].start &&
                           row[-1].name[i].length == row->name[i].length;
        row->id[i] = again ? row[-1].id[i]
                           : name_id(d, w, name_columns[i], row_text(&w->rows, row->name[i]), row->hash[i]);
        good = row->id[i] != 0;
    }
    return good;
}

static bool insert_games(Database *d, Work *w)
{
    bool good = true;
    for (size_t i = 0; i < w->rows.count && good; i++) {
        int32_t value[STORED_COLUMNS];
        good = name_game(d, w, &w->rows.row[i]);
        columns_of_row(&w->rows, &w->rows.row[i], value);
        columns_add(&w->columns, value);
    }
    w->rows.first = d->games + 1;
    d->rows = &w->rows;
    good = good && sqlite3_step(d->insert[INSERT_GAMES]) == SQLITE_DONE;
    sqlite3_reset(d->insert[INSERT_GAMES]);
    d->rows = NULL;
    return good;
}

// Binds a blob and its checksum.
static void bind_blob(sqlite3_stmt *s, int sum, int column, const Buffer *blob)
{
    const char *bytes = blob->start ? blob->start : "";
    sqlite3_bind_int64(s, sum, checksum_of(bytes, blob->length));
    sqlite3_bind_blob64(s, column, bytes, blob->length, SQLITE_STATIC);
}

static bool insert_clocks(Database *d, const ChunkWriter *chunk)
{
    sqlite3_stmt *s = d->insert[INSERT_CLOCKS];
    sqlite3_bind_int64(s, 1, d->chunks + 1);
    bind_blob(s, 2, 3, &chunk->blob[BLOB_CLOCKS]);
    const bool good = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return good;
}

static bool insert_chunk(Database *d, const ChunkWriter *chunk)
{
    sqlite3_stmt *s = d->insert[INSERT_CHUNK];
    static const int column[BLOB_CLOCKS] = {
        [BLOB_INDEX] = 10, [BLOB_MOVES] = 11, [BLOB_TAGS] = 12, [BLOB_TEXTS] = 13};
    sqlite3_bind_int64(s, 1, d->chunks + 1);
    sqlite3_bind_int64(s, 2, d->games + 1);
    sqlite3_bind_int64(s, 3, (int64_t)chunk->count);
    sqlite3_bind_int64(s, 4, chunk->plies);
    sqlite3_bind_int64(s, 5, chunk->bytes);
    for (int i = 0; i < BLOB_CLOCKS; i++)
        bind_blob(s, 6 + i, column[i], &chunk->blob[i]);
    const bool good = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return good && insert_clocks(d, chunk);
}

static bool update_source(Import *im, int64_t games, bool complete)
{
    char sql[160];
    snprintf(sql, sizeof sql,
             "UPDATE source SET game_count = game_count + %lld, complete = %d WHERE id = %lld",
             (long long)games, complete, (long long)im->source);
    return sqlite3_exec(im->d->sql, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool begin(Import *im)
{
    im->open = im->open || sqlite3_exec(im->d->sql, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK;
    return im->open;
}

static bool commit(Import *im)
{
    if (im->open && sqlite3_exec(im->d->sql, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        return false;
    im->open = false;
    im->safe_chunks = im->d->chunks;
    im->safe_games = im->d->games;
    im->safe_imported = im->games;
    im->committed = clock_now();
    return true;
}

// Drops what was not committed.
static void fail(Import *im)
{
    Database *d = im->d;
    im->message = database_message(d, "cannot write the database");
    sqlite3_exec(d->sql, "ROLLBACK", NULL, NULL, NULL);
    d->chunks = im->safe_chunks;
    d->games = im->safe_games;
    im->games = im->safe_imported;
    for (int i = 0; i < NAME_TABLES; i++)
        names_free(&d->names[i]);
}

// Stores the games that were not left out; nothing is a chunk when there are none.
static bool insert_all(Database *d, Work *w)
{
    return w->chunk.count == 0 || (insert_chunk(d, &w->chunk) && insert_games(d, w) &&
                                   columns_insert(&w->columns, d->insert[INSERT_COLUMNS], d->chunks + 1));
}

static bool store(Import *im, Work *w)
{
    Database *d = im->d;
    const size_t count = w->chunk.count;
    bool good = begin(im) && insert_all(d, w) && update_source(im, (int64_t)w->block.count, false);
    if (good) {
        d->chunks += count > 0;
        d->games += (int64_t)count;
        im->games += (int64_t)count;
        im->left_out += (int64_t)(w->block.count - count) - w->unwanted;
        im->bytes += w->chunk.bytes;
        good = clock_now() - im->committed < COMMIT_SECONDS || commit(im);
    }
    if (!good)
        fail(im);
    return good;
}

// ---- threads ----------------------------------------------------------------------------------------------

// Drops the games at the beginning of a block that the database has.
static void skip_games(Import *im, Work *w)
{
    PgnBlock *b = &w->block;
    const size_t drop = im->skip < (int64_t)b->count ? (size_t)im->skip : b->count;
    im->skip -= (int64_t)drop;
    memmove(b->game, b->game + drop, (b->count - drop) * sizeof *b->game);
    b->count -= drop;
}

static bool is_stopped(const Import *im)
{
    return im->options->stop && *im->options->stop;
}

// The next block of games for an empty work; false at the end.
static bool take(Import *im, Work *w)
{
    pthread_mutex_lock(&im->input);
    bool got = false;
    while (!im->ended && !got) {
        const bool read = !is_stopped(im) && pgn_split_block(im->splitter, CHUNK_BYTES, &w->block);
        // the reading of input ends at once when it is stopped, perhaps within a game
        im->ended = !read || is_stopped(im);
        if (im->ended) {
            pgn_block_free(&w->block);
            break;
        }
        // the rest of the last game may be readable another time
        if (pgn_split_is_cut(im->splitter) && im->options->cut(im->options->user))
            w->block.count--;
        skip_games(im, w);
        got = w->block.count > 0;
        if (!got)
            pgn_block_free(&w->block);
    }
    if (got)
        w->sequence = im->next_input++;
    pthread_mutex_unlock(&im->input);
    return got;
}

static void end_imports(Import *im)
{
    pthread_mutex_lock(&im->input);
    im->ended = true;
    pthread_mutex_unlock(&im->input);
}

static void finish(Import *im, Work *w)
{
    pthread_mutex_lock(&im->output);
    while (im->next_output != w->sequence)
        pthread_cond_wait(&im->moved, &im->output);
    const ImportOptions *o = im->options;
    if (im->message == NULL) {
        if (w->language.message && !im->language_noted && o->note)
            o->note(o->user, w->language.line, w->language.game, w->language.message);
        im->language_noted |= w->language.message != NULL;
        if (o->amended)
            *o->amended += w->amended;
        if (o->cut_games && o->ignored_words) {
            *o->cut_games += w->cut;
            *o->ignored_words += w->words;
        }
        for (size_t i = 0; i < w->report_count; i++)
            im->options->report(im->options->user, w->report[i].line, w->report[i].game,
                                w->report[i].message);
        if (store(im, w) && im->options->progress)
            im->options->progress(im->options->user, im->games, im->bytes);
    }
    const bool failed = im->message != NULL;
    im->next_output++;
    pthread_cond_broadcast(&im->moved);
    pthread_mutex_unlock(&im->output);
    if (failed)
        end_imports(im);
}

// Leaves the memory for the next chunk.
static void work_clear(Work *w)
{
    for (size_t i = 0; i < w->report_count; i++)
        free(w->report[i].message);
    w->report_count = 0;
    free(w->language.message);
    w->language.message = NULL;
    w->cut = w->words = w->unwanted = w->amended = 0;
    rows_clear(&w->rows);
    columns_clear(&w->columns);
    chunk_writer_clear(&w->chunk);
    pgn_block_free(&w->block);
}

static void work_free(Work *w)
{
    work_clear(w);
    free(w->report);
    rows_free(&w->rows);
    columns_free(&w->columns);
    chunk_writer_free(&w->chunk);
    buffer_free(&w->text);
    buffer_free(&w->scratch);
}

static void *work(void *user)
{
    Import *im = user;
    Work w = {.chunk.all_words = im->options->all_words};
    Game game;
    game_init(&game);
    while (take(im, &w)) {
        read_games(&w, &game, im->options);
        finish(im, &w);
        work_clear(&w);
    }
    work_free(&w);
    game_free(&game);
    return NULL;
}

// ---- the import -------------------------------------------------------------------------------------------

// Reads the names that searches know, whatever another program has made of those in the table. New ones get the ids after those
// of both.
static bool load_names(Database *d, int table, char **message)
{
    static const int column[NAME_TABLES] = {
        [PLAYER] = COLUMN_WHITE, [EVENT] = COLUMN_EVENT, [SITE] = COLUMN_SITE};
    char sql[60];
    int64_t last = 0;
    NameList list = {0};
    snprintf(sql, sizeof sql, "SELECT coalesce(max(id), 0) FROM %s", name_tables[table]);
    bool good = database_integers(d, sql, 1, &last);
    const bool known = good && database_names(d, column[table], &list);
    const int64_t next = last < (int64_t)list.count ? (int64_t)list.count : last + (last < INT64_MAX);
    if (good && !(known && name_id_may_follow(list.count, next > 0 ? next : 1))) {
        *message = memory_format("%s: the names of its table %s are damaged; `cqlgen verify` says more, and "
                                 "`cqlgen export` writes its games as PGN",
                                 d->name, name_tables[table]);
        good = false;
    }
    names_free(&d->names[table]);
    for (size_t id = 1; good && id < list.count; id++) {
        const Text name = {list.text.start + list.place[id].start, list.place[id].length};
        if (list.place[id].start > 0) // a name
            names_add(&d->names[table], name, names_hash(name), (int64_t)id);
    }
    if (last > d->names[table].last_id)
        d->names[table].last_id = last;
    name_list_free(&list);
    return good;
}

static bool prepare(Database *d, const ImportOptions *options, char **message)
{
    static const char *const sql[INSERTS] = {
        [INSERT_NAME + PLAYER] = "INSERT INTO player VALUES(?, ?)",
        [INSERT_NAME + EVENT] = "INSERT INTO event VALUES(?, ?)",
        [INSERT_NAME + SITE] = "INSERT INTO site VALUES(?, ?)",
        [INSERT_GAMES] = ("INSERT INTO game SELECT * FROM " ROWS_TABLE),
        [INSERT_CHUNK] = "INSERT INTO chunk VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [INSERT_CLOCKS] = "INSERT INTO clocks VALUES(?, ?, ?)",
        [INSERT_COLUMNS] = "INSERT INTO columns VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    };
    bool good = database_run(d, "PRAGMA cache_size = -8192", message) && rows_register(d);
    for (int i = 0; i < NAME_TABLES; i++)
        names_limit(&d->names[i], options->name_memory / NAME_TABLES);
    for (int i = 0; i < NAME_TABLES && good; i++)
        good = d->names[i].count > 0 || load_names(d, i, message);
    for (int i = 0; i < INSERTS && good; i++)
        good = d->insert[i] != NULL || (d->insert[i] = database_prepare(d, sql[i])) != NULL;
    if (!good && !*message)
        *message = database_message(d, "cannot write the database");
    return good;
}

// The row of a source: its number and how many of its games are stored.
static SourceState find_source(Database *d, const char *name, bool complete, int64_t *id, int64_t *games)
{
    sqlite3_stmt *find =
        database_prepare(d, "SELECT id, game_count FROM source WHERE name = ? AND complete = ?");
    sqlite3_bind_text(find, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_int(find, 2, complete);
    const int result = find ? sqlite3_step(find) : SQLITE_ERROR;
    if (result == SQLITE_ROW) {
        *id = sqlite3_column_int64(find, 0);
        *games = sqlite3_column_int64(find, 1);
    }
    sqlite3_finalize(find);
    return result == SQLITE_ROW ? SOURCE_WANTED : result == SQLITE_DONE ? SOURCE_NONE : SOURCE_UNKNOWN;
}

static bool add_source(Database *d, const char *name)
{
    sqlite3_stmt *insert =
        database_prepare(d, "INSERT INTO source(name, game_count, complete) VALUES(?, 0, 0)");
    sqlite3_bind_text(insert, 1, name, -1, SQLITE_STATIC);
    const bool good = insert && sqlite3_step(insert) == SQLITE_DONE;
    sqlite3_finalize(insert);
    return good;
}

// Announces a source, unless an import that was cut off has.
static bool announce(Database *d, const char *name, bool continues)
{
    int64_t id, games;
    SourceState known = continues ? find_source(d, name, false, &id, &games) : SOURCE_NONE;
    if (continues && known == SOURCE_NONE)
        known = find_source(d, name, true, &id, &games);
    return known == SOURCE_WANTED || (known == SOURCE_NONE && add_source(d, name));
}

bool database_begin_import(Database *d, const char *const *source, size_t count, bool append, char **message)
{
    int64_t unfinished;
    *message = NULL;
    if (!database_integers(d, "SELECT count(*) FROM source WHERE complete = 0", 1, &unfinished)) {
        *message = database_message(d, "cannot read the database");
        return false;
    }
    if (d->games > 0 && unfinished == 0 && !append) {
        *message =
            memory_format("%s has %lld games; --append adds more to them", d->name, (long long)d->games);
        return false;
    }
    bool good = database_run(d, "BEGIN IMMEDIATE", message);
    for (size_t i = 0; i < count && good; i++) {
        if (!announce(d, source[i], unfinished > 0)) {
            *message = database_message(d, "cannot write the database");
            good = false;
        }
    }
    if (!good)
        sqlite3_exec(d->sql, "ROLLBACK", NULL, NULL, NULL);
    return good && database_run(d, "COMMIT", message);
}

SourceState database_source(Database *d, const char *source, int64_t *stored, char **message)
{
    int64_t id;
    *stored = 0;
    const SourceState state = find_source(d, source, false, &id, stored);
    *message = state == SOURCE_UNKNOWN ? database_message(d, "cannot read the database") : NULL;
    return state;
}

bool database_import(Database *d, PgnSplitter *splitter, const ImportOptions *options, int64_t *games,
                     int64_t *left_out, char **message)
{
    Import im = {
        .d = d, .options = options, .splitter = splitter, .safe_chunks = d->chunks, .safe_games = d->games};
    pthread_t thread[MOST_THREADS];
    int started = 0;
    pthread_mutex_init(&im.input, NULL);
    pthread_mutex_init(&im.output, NULL);
    pthread_cond_init(&im.moved, NULL);
    if (prepare(d, options, &im.message)) {
        if (find_source(d, options->source, false, &im.source, &im.skip) != SOURCE_WANTED)
            im.message = database_message(d, "cannot read the database");
    }
    if (!im.message) {
        d->watch.steps = INT64_MAX; // what is stored takes as long as it takes
        for (int i = 1; i < options->threads && i < MOST_THREADS; i++)
            started += pthread_create(&thread[started], NULL, work, &im) == 0;
        work(&im);
        for (int i = 0; i < started; i++)
            pthread_join(thread[i], NULL);
        const bool whole = !is_stopped(&im) && !options->cut(options->user);
        if (im.message == NULL && !((!whole || (begin(&im) && update_source(&im, 0, true))) && commit(&im)))
            fail(&im);
    }
    pthread_cond_destroy(&im.moved);
    pthread_mutex_destroy(&im.output);
    pthread_mutex_destroy(&im.input);
    *games = im.games;
    *left_out = im.left_out;
    *message = im.message;
    return im.message == NULL;
}
