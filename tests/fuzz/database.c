// Databases: opened, verified, exported, replayed and searched, whatever they contain.
//
// An input that begins as an SQLite file is the whole file. Any other one has the blobs of a small database before they are
// compressed and sealed, each after its length (two bytes, the lower first): those of the chunk in the order of chunk.h,
// then the columns and the lists of new names. A blob that is missing stays as it is in a sound database.
#include "fuzz.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "compiler/api/compile.h"
#include "compiler/back/engine.h"
#include "runtime/database/checksum.h"
#include "runtime/database/chunk.h"
#include "runtime/search/search.h"
#include "runtime/value/bytes.h"
#include "runtime/value/memory.h"

enum { SLICE_GAMES = 64, INDEX_ENTRY = 8, LONGEST = 1 << 16, MOST_EXPANDED = 1 << 24 };

static const char games_text[] = "[Event \"Cup\"]\n[Site \"Ulm\"]\n[Date \"1999.03.04\"]\n[Round "
                                 "\"1\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n"
                                 "[Result \"1-0\"]\n[WhiteElo \"2100\"]\n[ECO \"C20\"]\n\n1. e4 {[%clk "
                                 "0:01:00]} e5 2. Qh5 {[%clk 0:00:50]} Ke7 "
                                 "3. Qxe5# 1-0\n\n"
                                 "[Event \"Cup\"]\n[White \"Bob\"]\n[Black \"Cid\"]\n[Result \"*\"]\n[FEN "
                                 "\"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n"
                                 "1. a8=Q+ {x} (1. O-O) Kd7 *\n\n"
                                 "[White \"Eva\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Zz9 1/2-1/2\n\n";

static char template_name[100], name[100];
static Compiled query;
static Engine engine;

typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

// ---- a sound database ---------------------------------------------------------------------------------------

static void ignore_damage(void *user, uint64_t line, int64_t number, const char *message)
{
    (void)user, (void)line, (void)number, (void)message;
}

static bool never_cut(void *user)
{
    (void)user;
    return false;
}

static void must(bool good, const char *what)
{
    if (!good)
        fuzz_fail("cannot make the database: %s", what);
}

// Its pages are small, so that it is small.
static void make_template(void)
{
    const char *source = "games.pgn";
    char *message = NULL;
    FuzzText text = {games_text, sizeof games_text - 1, 0, 0};
    int64_t games, left_out;
    Database *d = database_open(template_name, DATABASE_CREATE, NULL, &message);
    must(d && database_begin_import(d, &source, 1, false, &message), "begin");
    PgnSplitter *splitter = pgn_split_open(fuzz_read_text, &text, NULL, NULL);
    const ImportOptions options = {.source = source, .threads = 1, .report = ignore_damage, .cut = never_cut};
    must(database_import(d, splitter, &options, &games, &left_out, &message) && games == 3, "import");
    pgn_split_close(splitter);
    database_close(d);
    sqlite3 *sql;
    must(sqlite3_open(template_name, &sql) == SQLITE_OK, "open");
    must(sqlite3_exec(sql, "PRAGMA journal_mode=DELETE; PRAGMA page_size=512; VACUUM", NULL, NULL, NULL) ==
             SQLITE_OK,
         "VACUUM");
    sqlite3_close(sql);
}

static void make_once(void)
{
    if (template_name[0])
        return;
    fuzz_silence();
    snprintf(template_name, sizeof template_name, "%s/template", fuzz_folder());
    snprintf(name, sizeof name, "%s/games.cqldb", fuzz_folder());
    make_template();
    const CompileOptions options = {.optimize = true, .variations = -1};
    char *message = NULL;
    must(compile_query(&query, "query", "(player \"b\" or year > 1990) (check or #A + #a < 9)", &options),
         "compile");
    must(engine_open(&engine, ENGINE_INTERP, &query.module, 1, &(EngineOptions){0}, &message), "engine");
}

// ---- a database of the input --------------------------------------------------------------------------------

static void copy_template(void)
{
    static char bytes[1 << 18];
    static size_t length;
    if (length == 0) {
        FILE *f = fopen(template_name, "rb");
        must(f && (length = fread(bytes, 1, sizeof bytes, f)) > 0 && length < sizeof bytes, "read");
        fclose(f);
    }
    fuzz_write(name, bytes, length);
}

static bool take(Bytes *b, Buffer *out)
{
    out->length = 0;
    if (b->end - b->at < 2)
        return false;
    size_t length = (size_t)(b->at[0] | b->at[1] << 8), left = (size_t)(b->end - b->at) - 2;
    length = length < left ? length : left;
    buffer_append(out, (const char *)b->at + 2, length);
    b->at += 2 + length;
    return true;
}

// One slice.
static void compress(const Buffer *raw, Buffer *out)
{
    static char frame[LONGEST * 2];
    const size_t length = ZSTD_compress(frame, sizeof frame, raw->start ? raw->start : "", raw->length, -1);
    must(!ZSTD_isError(length), "compress");
    out->length = 0;
    varint_put(out, length);
    varint_put(out, raw->length);
    buffer_append(out, frame, length);
}

static void update(sqlite3 *sql, const char *statement, const Buffer *blob, int64_t number)
{
    sqlite3_stmt *s;
    must(sqlite3_prepare_v2(sql, statement, -1, &s, NULL) == SQLITE_OK, statement);
    sqlite3_bind_blob(s, 1, blob->start ? blob->start : "", (int)blob->length, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, number);
    must(sqlite3_step(s) == SQLITE_DONE, statement);
    sqlite3_finalize(s);
}

// Puts a blob of the chunk into the database as if it had been imported.
static void put_blob(sqlite3 *sql, int kind, const Buffer *raw)
{
    static const char *const statement[BLOBS] = {
        "UPDATE chunk SET moves = ?, moves_sum = ?", "UPDATE chunk SET games = ?, games_sum = ?",
        "UPDATE chunk SET tags = ?, tags_sum = ?", "UPDATE chunk SET texts = ?, texts_sum = ?",
        "UPDATE clocks SET clocks = ?, sum = ?"};
    Buffer packed = {0};
    if (kind >= BLOB_TAGS && raw->length > 0)
        compress(raw, &packed);
    const Buffer *blob = kind >= BLOB_TAGS ? &packed : raw;
    update(sql, statement[kind], blob, checksum_of(blob->start ? blob->start : "", blob->length));
    if (kind == BLOB_INDEX)
        update(sql, "UPDATE chunk SET games = ?, game_count = ?", raw, (int64_t)(raw->length / INDEX_ENTRY));
    buffer_free(&packed);
}

static void put_column(sqlite3 *sql, const char *column, Buffer *raw)
{
    char statement[80];
    const uint64_t sum = (uint64_t)checksum_of(raw->start ? raw->start : "", raw->length);
    for (int i = 0; i < 8; i++)
        buffer_append(raw, &(char){(char)(sum >> 8 * i)}, 1);
    snprintf(statement, sizeof statement, "UPDATE columns SET %s = ? WHERE chunk = ?", column);
    update(sql, statement, raw, 1);
}

static void put_blobs(Bytes input)
{
    static const char *const columns[] = {"white",        "black",       "event",     "site", "date",
                                          "result",       "white_elo",   "black_elo", "eco",  "ply_count",
                                          "player_names", "event_names", "site_names"};
    Buffer raw = {0};
    sqlite3 *sql;
    copy_template();
    must(sqlite3_open(name, &sql) == SQLITE_OK, "open");
    sqlite3_exec(sql, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN", NULL, NULL, NULL);
    for (int kind = 0; kind < BLOBS && take(&input, &raw); kind++)
        put_blob(sql, kind, &raw);
    for (size_t i = 0; i < sizeof columns / sizeof *columns && take(&input, &raw); i++)
        put_column(sql, columns[i], &raw);
    sqlite3_exec(sql, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(sql);
    buffer_free(&raw);
}

// ---- reading ------------------------------------------------------------------------------------------------

static void count_fault(void *user, const char *message)
{
    (void)message;
    ++*(int *)user;
}

// The database as PGN; false when it is damaged.
static bool export(void)
{
    static char piece[10000];
    char *message = NULL;
    DatabaseStream *s = database_stream_open(name, NULL, &message);
    free(message);
    if (!s)
        return false;
    int64_t got, all = 0;
    while ((got = database_stream_read(s, piece, sizeof piece)) > 0 && (all += got) < MOST_EXPANDED)
        ;
    const bool good = database_stream_error(s) == NULL;
    if (got < 0 && good)
        fuzz_fail("an export fails without a message");
    database_stream_close(s);
    return good;
}

static void replay(Game *game, const StoredGame *g)
{
    GameText source = g->tags;
    source.text.start = source.text.start ? source.text.start : "";
    game_parse_tags(game, &source);
    if (!(g->flags & STORED_RAW) &&
        game_replay(game, PARSE_CLOCKS, g->word, g->stride, g->ply_count, g->result))
        game_unpack_clocks(game, g->clocks);
}

static void read_chunk(Database *d, int64_t index, unsigned parts)
{
    Chunk chunk = {0};
    Game game;
    Buffer text = {0};
    char *message = NULL;
    game_init(&game);
    if (database_read_chunk(d, index, parts, &chunk, &message) &&
        (chunk.count == 0 || database_read_game(d, CHUNK_ALL, &chunk, chunk.count / 2, &message)) &&
        database_read_parts(d, CHUNK_ALL, &chunk, &message))
        for (size_t i = 0; i < chunk.count; i++) {
            const StoredGame *g = chunk_game(&chunk, i);
            text.length = 0;
            chunk_game_text(g, &game, &text);
            replay(&game, g);
        }
    free(message);
    buffer_free(&text);
    game_free(&game);
    chunk_free(&chunk);
}

static void read_columns(Database *d)
{
    ChunkColumns c = {0};
    char text[11];
    for (int64_t i = 0; i < database_chunk_count(d) && i < 8; i++) {
        if (!database_read_columns(d, i, (1u << STORED_COLUMNS) - 1, &c))
            continue;
        for (size_t k = 0; k < c.count; k++) {
            column_date(c.value[COLUMN_DATE][k], text);
            column_eco(c.value[COLUMN_ECO][k], text);
        }
    }
    chunk_columns_free(&c);
    for (int column = 0; column <= COLUMN_SITE; column++) {
        NameList names = {0};
        database_names(d, column, &names);
        name_list_free(&names);
    }
}

static void search(SearchFormat format)
{
    const char *input = name;
    SearchTotals totals;
    const SearchOptions options = {.input = &input,
                                   .input_count = 1,
                                   .output = "/dev/null",
                                   .format = format,
                                   .threads = 1,
                                   .run.max_steps = 5000,
                                   .max_seconds = 5,
                                   .memory = 1 << 26,
                                   .quiet = true};
    search_run(engine.matcher, &options, &totals);
}

void fuzz_database(const uint8_t *data, size_t size)
{
    static const unsigned char sqlite[] = "SQLite format 3";
    if (size > LONGEST)
        return;
    make_once();
    if (size >= sizeof sqlite && memcmp(data, sqlite, sizeof sqlite) == 0)
        fuzz_write(name, (const char *)data, size);
    else
        put_blobs((Bytes){data, data + size});
    int faults = 0;
    char *message = NULL;
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
    free(message);
    if (!d)
        return;
    DatabaseInfo info;
    database_info(d, &info);
    if (database_verify(d, count_fault, &faults) != faults)
        fuzz_fail("verify counts wrong");
    for (int64_t i = 0; i < database_chunk_count(d) && i < 8; i++) {
        read_chunk(d, i, CHUNK_LINES);
        read_chunk(d, i, CHUNK_TAGS | CHUNK_CLOCKS);
    }
    read_columns(d);
    database_close(d);
    if (!export() && faults == 0)
        fuzz_fail("a database without faults cannot be exported");
    search(FORMAT_POSITIONS);
    search(FORMAT_PGN);
}
