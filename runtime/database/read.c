// The chunks of a database. Each thread reads with a connection of its own, so that threads do not wait for each other.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> // its XXH3_64bits_update has the processor's widest vectors, which are slower for short blobs
#endif

#include "runtime/value/memory.h"

// Columns: the checksums, in the order of the blobs.
static const char row_sql[] = "SELECT moves_sum, games_sum, tags_sum, texts_sum, sum FROM chunk"
                              " LEFT JOIN clocks ON clocks.chunk = id WHERE id = ?";

// ---- connections ------------------------------------------------------------------------------------------

static void reader_close(Reader *r)
{
    sqlite3_finalize(r->row);
    sqlite3_finalize(r->columns);
    sqlite3_close(r->sql);
    XXH3_freeState(r->checksum);
    free(r);
}

// NULL and a message when the file cannot be read any more.
static Reader *reader_open(const Database *d, char **message)
{
    Reader *r = memory_zeroed(1, sizeof *r);
    r->checksum = memory_checked(XXH3_createState());
    r->sql = connection_open(d->name, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, &r->watch, message);
    if (r->sql) {
        connection_map(r->sql);
        if (sqlite3_prepare_v2(r->sql, row_sql, -1, &r->row, NULL) == SQLITE_OK)
            return r;
        *message = connection_message(r->sql, d->name, "cannot read the database");
    }
    reader_close(r);
    return NULL;
}

Reader *database_take_reader(Database *d, char **message)
{
    pthread_mutex_lock(&d->mutex);
    Reader *r = d->readers;
    if (r)
        d->readers = r->next;
    pthread_mutex_unlock(&d->mutex);
    return r ? r : reader_open(d, message);
}

void database_return_reader(Database *d, Reader *r)
{
    pthread_mutex_lock(&d->mutex);
    r->next = d->readers;
    d->readers = r;
    pthread_mutex_unlock(&d->mutex);
}

void database_close_readers(Database *d)
{
    while (d->readers) {
        Reader *r = d->readers;
        d->readers = r->next;
        reader_close(r);
    }
}

int64_t database_sum(Database *d)
{
    static const char *const sql[] = {
        "SELECT moves_sum, games_sum, tags_sum, texts_sum FROM chunk ORDER BY id",
        "SELECT chunk, sum FROM clocks ORDER BY chunk"};
    Buffer sums = {0};
    for (size_t i = 0; i < sizeof sql / sizeof *sql; i++) {
        sqlite3_stmt *statement = database_prepare(d, sql[i]);
        while (statement && sqlite3_step(statement) == SQLITE_ROW)
            for (int c = 0; c < sqlite3_column_count(statement); c++) {
                const int64_t sum = sqlite3_column_int64(statement, c);
                buffer_append(&sums, (const char *)&sum, sizeof sum);
            }
        sqlite3_finalize(statement);
    }
    const int64_t all = checksum_of(sums.start, sums.length);
    buffer_free(&sums);
    return all;
}

// ---- blobs ------------------------------------------------------------------------------------------------

// Copies a blob, in pieces that are still in the cache when they are added to its checksum.
static const char *copy_blob(Reader *r, sqlite3_blob *blob, char *bytes, int length, int64_t sum)
{
    enum { PIECE = 64 << 10 };
    XXH3_64bits_reset(r->checksum);
    for (int at = 0, piece; at < length; at += piece) {
        piece = length - at < PIECE ? length - at : PIECE;
        if (sqlite3_blob_read(blob, bytes + at, piece, at) != SQLITE_OK)
            return sqlite3_errmsg(r->sql);
        XXH3_64bits_update(r->checksum, bytes + at, (size_t)piece);
    }
    return (int64_t)XXH3_64bits_digest(r->checksum) == sum ? NULL : "its checksum is wrong";
}

// Copies a blob into the chunk, whose row is r->row, and checks it. Returns NULL or what is wrong.
static const char *read_blob(const Database *d, Reader *r, Chunk *chunk, int blob)
{
    const char *const table = blob == BLOB_CLOCKS ? "clocks" : "chunk";
    const int64_t sum = sqlite3_column_int64(r->row, blob);
    sqlite3_blob *handle = NULL;
    if (sqlite3_blob_open(r->sql, "main", table, blob_names[blob], chunk->index + 1, 0, &handle) != SQLITE_OK)
        return sqlite3_errmsg(r->sql);
    const int length = sqlite3_blob_bytes(handle);
    char *bytes = length <= d->file_bytes ? chunk_room(chunk, blob, (size_t)length) : NULL;
    const char *wrong = bytes ? copy_blob(r, handle, bytes, length, sum) : "it is too long";
    sqlite3_blob_close(handle);
    return wrong;
}

static const char *read_lines(const Database *d, Reader *r, Chunk *chunk)
{
    const ChunkRow *row = &d->row[chunk->index];
    const char *wrong = read_blob(d, r, chunk, BLOB_INDEX);
    if (!wrong)
        wrong = read_blob(d, r, chunk, BLOB_MOVES);
    if (!wrong)
        wrong = chunk_take_lines(chunk, row->first, (size_t)row->games);
    chunk->bytes = row->bytes;
    return wrong;
}

// The parts that the chunk does not have yet, in one transaction.
static const char *read_missing(const Database *d, Reader *r, Chunk *chunk, unsigned parts)
{
    static const struct {
        unsigned part;
        int blob;
    } compressed[] = {{CHUNK_TAGS, BLOB_TAGS}, {CHUNK_TEXTS, BLOB_TEXTS}, {CHUNK_CLOCKS, BLOB_CLOCKS}};
    sqlite3_bind_int64(r->row, 1, chunk->index + 1);
    if (chunk->index >= (int64_t)d->row_count)
        return "the database does not have it";
    if (sqlite3_step(r->row) != SQLITE_ROW)
        return sqlite3_errmsg(r->sql);
    const char *wrong = chunk->parts & CHUNK_LINES ? NULL : read_lines(d, r, chunk);
    chunk->parts |= wrong ? 0 : CHUNK_LINES;
    for (size_t i = 0; i < sizeof compressed / sizeof *compressed && !wrong; i++) {
        if (!(parts & ~chunk->parts & compressed[i].part))
            continue;
        wrong = read_blob(d, r, chunk, compressed[i].blob);
        if (!wrong)
            wrong = chunk_take_part(chunk, compressed[i].blob);
        chunk->parts |= wrong ? 0 : compressed[i].part;
    }
    return wrong;
}

// Texts need the clocks.
static unsigned with_clocks(unsigned parts)
{
    return parts | (parts & CHUNK_TEXTS ? CHUNK_CLOCKS : 0);
}

static bool read_parts(Database *d, unsigned parts, Chunk *chunk, char **message)
{
    *message = NULL;
    parts = with_clocks(parts);
    if (!(parts & ~chunk->parts))
        return true;
    Reader *r = database_take_reader(d, message);
    if (!r)
        return false;
    const char *wrong = read_missing(d, r, chunk, parts);
    if (wrong)
        *message = memory_format("chunk %lld is damaged: %s", (long long)chunk->index + 1, wrong);
    sqlite3_reset(r->row);
    database_return_reader(d, r);
    return wrong == NULL;
}

// ---- chunks -----------------------------------------------------------------------------------------------

bool database_read_game(Database *d, unsigned parts, Chunk *chunk, size_t game, char **message)
{
    parts = with_clocks(parts);
    if (!read_parts(d, parts, chunk, message))
        return false;
    const char *wrong = parts & CHUNK_TAGS ? chunk_expand(chunk, BLOB_TAGS, game) : NULL;
    if (!wrong && (parts & CHUNK_TEXTS))
        wrong = chunk_expand(chunk, BLOB_TEXTS, game);
    if (!wrong && (parts & CHUNK_CLOCKS))
        wrong = chunk_expand(chunk, BLOB_CLOCKS, game);
    if (wrong)
        *message = memory_format("chunk %lld is damaged: %s", (long long)chunk->index + 1, wrong);
    return wrong == NULL;
}

bool database_read_parts(Database *d, unsigned parts, Chunk *chunk, char **message)
{
    bool good = read_parts(d, parts, chunk, message);
    for (size_t i = 0; parts != CHUNK_LINES && i < chunk->count && good; i++)
        good = database_read_game(d, parts, chunk, i, message);
    return good;
}

bool database_read_chunk(Database *d, int64_t index, unsigned parts, Chunk *chunk, char **message)
{
    chunk->index = index;
    chunk->parts = 0;
    chunk->count = chunk->group_count = 0;
    if (database_read_parts(d, parts | CHUNK_LINES, chunk, message))
        return true;
    chunk->count = chunk->group_count = 0;
    return false;
}

// ---- variants of chess ------------------------------------------------------------------------------------

// Reads the tags of a game into `game`; ids must not become smaller from call to call. False: see database_read_game.
static bool read_tags(Database *d, int64_t id, Chunk *chunk, Game *game, char **message)
{
    int64_t index = chunk->index;
    while (index < (int64_t)d->row_count && id >= d->row[index].first + d->row[index].games)
        index++;
    if (index != chunk->index || !chunk->parts) {
        if (!database_read_chunk(d, index, CHUNK_LINES, chunk, message))
            return false;
    }
    const size_t i = (size_t)(id - chunk->first);
    if (i >= chunk->count) {
        *message = memory_format("game %lld is in no chunk", (long long)id);
        return false;
    }
    if (!database_read_game(d, CHUNK_TAGS, chunk, i, message))
        return false;
    game_parse_tags(game, &chunk_game(chunk, i)->tags);
    return true;
}

bool database_count_variants(Database *d, int64_t count[VARIANTS + 1], char **message)
{
    Chunk chunk = {0};
    Game game;
    Text value;
    int result = SQLITE_ERROR;
    memset(count, 0, (VARIANTS + 1) * sizeof *count);
    count[VARIANT_STANDARD] = d->games;
    *message = NULL;
    game_init(&game);
    sqlite3_stmt *s = database_prepare(d, "SELECT id, flags FROM game ORDER BY id");
    while (s && !*message && (result = sqlite3_step(s)) == SQLITE_ROW) {
        if (!(sqlite3_column_int64(s, 1) & STORED_VARIANT) ||
            !read_tags(d, sqlite3_column_int64(s, 0), &chunk, &game, message))
            continue;
        const int variant = game_variant(&game, &value);
        count[VARIANT_STANDARD]--;
        count[variant < VARIANTS ? variant : VARIANTS]++;
    }
    if (!*message && result != SQLITE_DONE)
        *message = database_message(d, "cannot read the database");
    sqlite3_finalize(s);
    chunk_free(&chunk);
    game_free(&game);
    return !*message;
}
