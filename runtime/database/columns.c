// What searches read of the table game: arrays of numbers, one for each column and chunk (docs/cqldb.md).
#include "columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/bytes.h"
#include "runtime/value/memory.h"

// Each array ends with its checksum. Numbers have as many bytes as the greatest one needs.
enum { CHECKSUM_BYTES = 8, MOST_BYTES = 4, ID_BYTES = 4, MOST_NEW = 1 << 20 };

// ---- dates and openings as numbers ------------------------------------------------------------------------

static int digits(const char *p, int count)
{
    int value = 0;
    for (int i = 0; i < count; i++)
        value = p[i] == '?' ? 0 : 10 * value + p[i] - '0';
    return value;
}

int32_t column_of_date(const char date[11])
{
    return digits(date, 4) << 9 | digits(date + 5, 2) << 5 | digits(date + 8, 2);
}

void column_date(int32_t value, char date[11])
{
    game_write_date(value >> 9, value >> 5 & 15, value & 31, date);
}

enum { LETTERS = 27, DIGITS = 5 }; // the letter and the digit after the number, or neither

int32_t column_of_eco(Text eco)
{
    if (eco.length < 3)
        return 0;
    int32_t value = (eco.start[0] - 'A') * 100 + digits(eco.start + 1, 2);
    value = value * LETTERS + (eco.length > 3 ? eco.start[3] - 'a' + 1 : 0);
    return 1 + value * DIGITS + (eco.length > 4 ? eco.start[4] - '0' : 0);
}

size_t column_eco(int32_t value, char eco[6])
{
    size_t length = 0;
    if (value <= 0)
        return 0;
    const int digit = --value % DIGITS, letter = value / DIGITS % LETTERS;
    const int code = value / DIGITS / LETTERS;
    eco[length++] = (char)('A' + code / 100);
    eco[length++] = (char)('0' + code / 10 % 10);
    eco[length++] = (char)('0' + code % 10);
    if (letter)
        eco[length++] = (char)('a' + letter - 1);
    if (digit)
        eco[length++] = (char)('0' + digit);
    return length;
}

// ---- writing ----------------------------------------------------------------------------------------------

void columns_of_row(const GameRows *rows, const GameRow *row, int32_t value[STORED_COLUMNS])
{
    value[COLUMN_WHITE] = (int32_t)row->id[0];
    value[COLUMN_BLACK] = (int32_t)row->id[1];
    value[COLUMN_EVENT] = (int32_t)row->id[2];
    value[COLUMN_SITE] = (int32_t)row->id[3];
    value[COLUMN_DATE] = column_of_date(row->date);
    value[COLUMN_RESULT] = row->result | (row->flags & STORED_RAW ? RESULT_RAW : 0) |
                           (row->flags & STORED_VARIANT ? RESULT_VARIANT : 0);
    value[COLUMN_WHITE_ELO] = row->rating[0];
    value[COLUMN_BLACK_ELO] = row->rating[1];
    value[COLUMN_ECO] = column_of_eco(row_text(rows, row->eco));
    value[COLUMN_PLIES] = row->ply_count;
}

void columns_add(ColumnWriter *w, const int32_t value[STORED_COLUMNS])
{
    for (int i = 0; i < STORED_COLUMNS; i++)
        buffer_append(&w->column[i], (const char *)&value[i], sizeof value[i]);
    w->count++;
}

static void add_checksum(Buffer *b)
{
    bytes_put(b, (uint64_t)checksum_of(b->start ? b->start : "", b->length), CHECKSUM_BYTES);
}

// Finds the bytes before the checksum; false when it is wrong.
static bool check_bytes(sqlite3_stmt *s, int column, const unsigned char **bytes, size_t *length)
{
    *bytes = sqlite3_column_blob(s, column);
    *length = (size_t)sqlite3_column_bytes(s, column);
    if (!*bytes || *length < CHECKSUM_BYTES)
        return false;
    *length -= CHECKSUM_BYTES;
    return bytes_read(*bytes + *length, CHECKSUM_BYTES) == (uint64_t)checksum_of(*bytes, *length);
}

void columns_add_name(ColumnWriter *w, int table, int64_t id, Text name)
{
    bytes_put(&w->names[table], (uint64_t)id, ID_BYTES);
    bytes_put(&w->names[table], name.length, ID_BYTES);
    buffer_append(&w->names[table], name.start, name.length);
}

static int width_of(const char *numbers, size_t count)
{
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t value;
        memcpy(&value, numbers + i * sizeof value, sizeof value);
        all |= value;
    }
    return all < 1u << 8 ? 1 : all < 1u << 16 ? 2 : all < 1u << 24 ? 3 : 4;
}

// Makes the array as it is stored.
static void pack(Buffer *column, size_t count)
{
    const int width = width_of(column->start, count);
    char *out = column->start;
    for (size_t i = 0; i < count; i++) {
        uint32_t value;
        memcpy(&value, column->start + i * sizeof value, sizeof value);
        bytes_write(out, value, width);
        out += width;
    }
    column->length = count * (size_t)width;
    add_checksum(column);
}

bool columns_insert(ColumnWriter *w, sqlite3_stmt *insert, int64_t chunk)
{
    sqlite3_bind_int64(insert, 1, chunk);
    for (int i = 0; i < STORED_COLUMNS; i++) {
        pack(&w->column[i], w->count);
        sqlite3_bind_blob64(insert, 2 + i, w->column[i].start, w->column[i].length, SQLITE_STATIC);
    }
    for (int i = 0; i < NAME_TABLES; i++) {
        add_checksum(&w->names[i]);
        sqlite3_bind_blob64(insert, 2 + STORED_COLUMNS + i, w->names[i].start, w->names[i].length,
                            SQLITE_STATIC);
    }
    const bool good = sqlite3_step(insert) == SQLITE_DONE;
    sqlite3_reset(insert);
    return good;
}

void columns_clear(ColumnWriter *w)
{
    for (int i = 0; i < STORED_COLUMNS; i++)
        w->column[i].length = 0;
    for (int i = 0; i < NAME_TABLES; i++)
        w->names[i].length = 0;
    w->count = 0;
}

void columns_free(ColumnWriter *w)
{
    for (int i = 0; i < STORED_COLUMNS; i++)
        buffer_free(&w->column[i]);
    for (int i = 0; i < NAME_TABLES; i++)
        buffer_free(&w->names[i]);
    *w = (ColumnWriter){0};
}

// ---- reading ----------------------------------------------------------------------------------------------

static bool unpack(int32_t *out, size_t count, const unsigned char *bytes, size_t length)
{
    const size_t width = count > 0 ? length / count : 0;
    if (width < 1 || width > MOST_BYTES || width * count != length)
        return false;
    switch (width) {
    case 1:
        for (size_t i = 0; i < count; i++)
            out[i] = bytes[i];
        break;
    case 2:
        for (size_t i = 0; i < count; i++)
            out[i] = bytes[2 * i] | bytes[2 * i + 1] << 8;
        break;
    case 3:
        for (size_t i = 0; i < count; i++)
            out[i] = bytes[3 * i] | bytes[3 * i + 1] << 8 | bytes[3 * i + 2] << 16;
        break;
    default:
        for (size_t i = 0; i < count; i++)
            out[i] = bytes[4 * i] | bytes[4 * i + 1] << 8 | bytes[4 * i + 2] << 16 |
                     (bytes[4 * i + 3] & 127) << 24;
    }
    return true;
}

// The statement that reads these columns of a chunk; NULL: there are none.
static sqlite3_stmt *prepare(Reader *r, unsigned wanted)
{
    if (r->columns && r->columns_wanted == wanted)
        return r->columns;
    char sql[300] = "SELECT chunk";
    for (int i = 0; i < STORED_COLUMNS; i++) {
        if (wanted >> i & 1) {
            strcat(sql, ", ");
            strcat(sql, game_column_name[i]);
        }
    }
    strcat(sql, " FROM columns WHERE chunk = ?");
    sqlite3_finalize(r->columns);
    r->columns = NULL;
    r->columns_wanted = wanted;
    return sqlite3_prepare_v2(r->sql, sql, -1, &r->columns, NULL) == SQLITE_OK ? r->columns : NULL;
}

static bool read_columns(sqlite3_stmt *s, unsigned wanted, ChunkColumns *c)
{
    int at = 1;
    for (int i = 0; i < STORED_COLUMNS; i++) {
        if (!(wanted >> i & 1))
            continue;
        const unsigned char *bytes;
        size_t length;
        c->value[i] = memory_grow(c->value[i], &c->capacity[i], c->count, sizeof *c->value[i]);
        if (!check_bytes(s, at++, &bytes, &length) || !unpack(c->value[i], c->count, bytes, length))
            return false;
    }
    return true;
}

bool database_read_columns(Database *d, int64_t index, unsigned wanted, ChunkColumns *c)
{
    char *message = NULL;
    Reader *r = database_take_reader(d, &message);
    free(message);
    if (!r)
        return false;
    c->count = (size_t)database_chunk_games(d, index);
    sqlite3_stmt *s = prepare(r, wanted);
    sqlite3_bind_int64(s, 1, index + 1);
    const bool good = s && sqlite3_step(s) == SQLITE_ROW && read_columns(s, wanted, c);
    sqlite3_reset(s);
    database_return_reader(d, r);
    return good;
}

void chunk_columns_free(ChunkColumns *c)
{
    for (int i = 0; i < STORED_COLUMNS; i++)
        free(c->value[i]);
    *c = (ChunkColumns){0};
}

// ---- names ------------------------------------------------------------------------------------------------

bool name_id_may_follow(size_t count, int64_t id)
{
    return id > 0 && id >= (int64_t)count && id <= 2 * (int64_t)count + MOST_NEW && id < INT32_MAX;
}

static bool add_names(NameList *l, const unsigned char *bytes, size_t length)
{
    enum { HEAD = 2 * ID_BYTES };
    for (size_t at = 0; at < length;) {
        const size_t id = length - at >= HEAD ? (size_t)bytes_read(bytes + at, ID_BYTES) : 0;
        const size_t size = id > 0 ? (size_t)bytes_read(bytes + at + ID_BYTES, ID_BYTES) : 0;
        at += HEAD;
        if (!name_id_may_follow(l->count, (int64_t)id) || size > length - at)
            return false;
        l->place = memory_grow(l->place, &l->place_capacity, id + 1, sizeof *l->place);
        while (l->count < id)
            l->place[l->count++] = (NamePlace){0, 0};
        l->place[l->count++] = (NamePlace){l->text.length + at, size};
        at += size;
    }
    buffer_append(&l->text, (const char *)bytes, length);
    return true;
}

bool database_names(Database *d, int column, NameList *l)
{
    static const char *const sql[NAME_TABLES] = {
        [PLAYER] = "SELECT chunk, player_names FROM columns ORDER BY chunk",
        [EVENT] = "SELECT chunk, event_names FROM columns ORDER BY chunk",
        [SITE] = "SELECT chunk, site_names FROM columns ORDER BY chunk",
    };
    const int table = column == COLUMN_EVENT ? EVENT : column == COLUMN_SITE ? SITE : PLAYER;
    char *message = NULL;
    Reader *r = database_take_reader(d, &message);
    free(message);
    if (!r)
        return false;
    sqlite3_stmt *s = NULL;
    int64_t last = INT64_MIN, all = 0;
    int result = sqlite3_prepare_v2(r->sql, sql[table], -1, &s, NULL);
    while (result == SQLITE_OK && (result = sqlite3_step(s)) == SQLITE_ROW) {
        const unsigned char *bytes;
        size_t length;
        const int64_t chunk = sqlite3_column_int64(s, 0);
        // rows that share pages could go on without end
        const bool next = chunk > last && (all += sqlite3_column_bytes(s, 1)) <= d->file_bytes;
        result = next && check_bytes(s, 1, &bytes, &length) && add_names(l, bytes, length) ? SQLITE_OK
                                                                                           : SQLITE_CORRUPT;
        last = chunk;
    }
    sqlite3_finalize(s);
    database_return_reader(d, r);
    return result == SQLITE_DONE;
}

void name_list_free(NameList *l)
{
    free(l->place);
    buffer_free(&l->text);
    *l = (NameList){0};
}
