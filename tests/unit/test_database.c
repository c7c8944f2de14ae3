// The database file: its blobs, what is refused and said, locks, imports that end early, streams.
#include "database_fixture.h"
#include "mutex_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/database/checksum.h"
#include "runtime/database/lock.h"
#include "runtime/game/game.h"
#include "runtime/value/memory.h"

// Tags of all kinds, and games with all flags.
static const char all_kinds[] =
    "[Event \"Candidates\"]\n[Site \"Z\xC3\xBCrich\"]\n[Date \"1953.08.30\"]\n[Round \"1.2\"]\n"
    "[White \"Smyslov, V\"]\n[Black \"Keres, P\"]\n[Result \"1-0\"]\n[WhiteElo \"2690\"]\n[BlackElo "
    "\"2615\"]\n"
    "[ECO \"E90\"]\n\n1. e4 e5 2. Nf3 1-0\n\n"
    "[Event \"Candidates\"]\n[Date \"1953.??.??\"]\n[White \"Smyslov, V\"]\n[Black \"Smyslov, V\"]\n"
    "[Result \"0-1\"]\n[BlackElo \"2500\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
    "1. e4 Ke5 *\n\n"
    "[FEN \"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\"]\n[Variant \"Chess960\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n\n"
    "[White \"Keres, P\"]\n\n1. e4 {best} (1. d4) -- *\n\n"
    "1. d4 {a comment} *\n\n"
    "1. c4 (1. a4) *\n";

#define ARRAY(name) "SELECT hex(substr(" name ", 1, length(" name ") - 8)) FROM columns"

// The same, "Chunks", "Moves" and "Columns", each number worked out from there.
static void test_blobs(void **state)
{
    (void)state;
    const char *const name = make("games.cqldb", all_kinds);
    expect_rows(name, "SELECT hex(games) FROM chunk",
                "0300000001101080"
                "0400200002101080"
                "00000E0000000000"
                "0000C10003020180"
                "02001C0000101080"
                "0100080000101080"
                "0100040000101080\n");
    expect_rows(name, "SELECT hex(moves) FROM chunk",
                "0000000000000000CB168A160C174D15" // 1. d4, 1. c4, 1. e4, 1. f3
                "00000000000000000000000034193419" // e5, e5
                "00000000000000000000000046258E17" // 2. Nf3, 2. g4
                "0000000000000000000000000000FB57" // Qh4#
                "0C170000\n");                     // 1. e4 --
    expect_rows(name, ARRAY("white"), "01010303020303\n");
    expect_rows(name, ARRAY("black"), "02010303030303\n");
    expect_rows(name, ARRAY("event"), "01010202020202\n");
    expect_rows(name, ARRAY("site"), "01020202020202\n");
    expect_rows(name, ARRAY("date"), "1E430F00420F000000000000000000000000000000\n");
    expect_rows(name, ARRAY("result"), "0102040B000000\n");
    expect_rows(name, ARRAY("white_elo"), "820A000000000000000000000000\n");
    expect_rows(name, ARRAY("black_elo"), "370AC40900000000000000000000\n");
    expect_rows(name, ARRAY("eco"), "670201000000000000000000000000000000000000\n");
    expect_rows(name, ARRAY("ply_count"), "03040100020101\n");
    expect_rows(name, ARRAY("player_names"),
                "010000000A000000536D79736C6F762C2056"
                "02000000080000004B657265732C2050"
                "03000000010000003F\n");
    expect_rows(name, ARRAY("event_names"),
                "010000000A00000043616E64696461746573"
                "02000000010000003F\n");
}

// A chunk has the same number in each table, whatever is missing there.
static void test_numbers_of_chunks(void **state)
{
    (void)state;
    static const char *const tables[] = {"columns", "clocks"};
    for (int i = 0; i < 2; i++) {
        const char *const name = make("games.cqldb", "1. e4 *\n");
        char statement[60];
        snprintf(statement, sizeof statement, "DELETE FROM %s", tables[i]);
        change(name, statement);
        Source s = source_of("1. d4 *\n");
        import_text(name, "more.pgn", &s, (ImportOptions){0}, true);
        snprintf(statement, sizeof statement, "SELECT chunk FROM %s", tables[i]);
        expect_rows(name, statement, "2\n");
        expect_rows(name, "SELECT id FROM chunk", "1\n2\n");
    }
}

// ---- what is refused --------------------------------------------------------------------------------------

static void expect_refusal(const char *name, DatabaseMode mode, const char *format)
{
    char expected[500], *message = NULL;
    snprintf(expected, sizeof expected, format, name);
    for (int i = 0; i < 2; i++) { // the first time leaves no lock
        assert_null(database_open(name, mode, NULL, &message));
        assert_string_equal(message, expected);
        free(message);
    }
}

#define NOT_GAMES "%s: not a database of games; `cqlgen import GAMES.pgn -o GAMES.cqldb` makes one"

static void test_refusals(void **state)
{
    (void)state;
    expect_refusal(path("absent.cqldb"), DATABASE_READ,
                   "%s: cannot open the database: unable to open database file");
    expect_refusal(path("absent.cqldb"), DATABASE_APPEND,
                   "%s: cannot open the database: unable to open database file");
    expect_refusal(path("no/where.cqldb"), DATABASE_CREATE,
                   "%s: cannot create the database: unable to open database file");
    assert_int_equal(access(path("absent.cqldb"), F_OK), -1);
    char *text = calloc(1, 5000);
    memset(text, 'x', 4999);
    write_file(path("text.cqldb"), text);
    free(text);
    expect_refusal(path("text.cqldb"), DATABASE_READ, NOT_GAMES);
    expect_refusal(path("text.cqldb"), DATABASE_CREATE, NOT_GAMES);
    expect_refusal(write_file(path("empty.cqldb"), ""), DATABASE_READ, NOT_GAMES);
    expect_refusal(path("empty.cqldb"), DATABASE_APPEND, NOT_GAMES);
    const char *const name = make("games.cqldb", "1. e4 *\n");
    change(name, "PRAGMA user_version=2");
    for (DatabaseMode mode = DATABASE_READ; mode <= DATABASE_CREATE; mode++)
        expect_refusal(
            name, mode,
            "%s: an older cqlgen made this database (version 2, now 4); import the games again, or "
            "export them with that one first");
    expect_rows(name, "PRAGMA user_version; SELECT count(*) FROM game", "2\n1\n"); // it is left alone
    change(name, "PRAGMA user_version=5");
    expect_refusal(name, DATABASE_READ, "%s: the database has version 5, this program reads version 4");
    expect_refusal(name, DATABASE_CREATE, "%s: the database has version 5, this program reads version 4");
    change(name, "PRAGMA user_version=4");
    const char *const more[] = {"more.pgn"};
    char expected[300], *message = NULL;
    Database *d = database_open(name, DATABASE_CREATE, NULL, &message);
    assert_false(database_begin_import(d, more, 1, false, &message));
    snprintf(expected, sizeof expected, "%s has 1 games; --append adds more to them", name);
    assert_string_equal(message, expected);
    free(message);
    int64_t stored = 7;
    assert_int_equal(database_source(d, "more.pgn", &stored, &message), SOURCE_NONE);
    assert_null(message);
    assert_int_equal(stored, 0);
    database_close(d);
    change(name, "PRAGMA application_id=1");
    expect_refusal(name, DATABASE_READ, NOT_GAMES);
    expect_refusal(name, DATABASE_CREATE, NOT_GAMES);
}

// What is said when a table of the file is gone.
static void expect_message(char *message, const char *format, const char *name)
{
    char expected[300];
    snprintf(expected, sizeof expected, format, name);
    assert_non_null(message);
    assert_string_equal(message, expected);
    free(message);
}

static void test_lost_tables(void **state)
{
    (void)state;
    char *message = NULL;
    int64_t stored;
    DatabaseInfo info;
    ChunkColumns columns = {0};
    NameList names = {0};
    Chunk chunk = {0};
    const char *const more = "more.pgn", *name = make("games.cqldb", "1. e4 *\n\n1. d4 *\n");
    change(name, "DROP TABLE chunk");
    expect_refusal(name, DATABASE_READ, "%s: its table chunk is missing; import the games again");
    name = make("games.cqldb", "1. e4 *\n");
    change(name, "DROP VIEW games");
    expect_refusal(name, DATABASE_APPEND, "%s: its view games is missing; import the games again");
    name = make("games.cqldb", "1. e4 *\n\n1. d4 *\n");
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
    assert_true(database_info(d, &info));
    assert_true(info.games == 2 && info.plies == 2 && info.chunks == 1 && info.players == 1);
    assert_true(database_read_columns(d, 0, 1 << COLUMN_WHITE, &columns));
    assert_true(columns.count == 2 && columns.value[COLUMN_WHITE][1] == 1);
    assert_true(database_names(d, COLUMN_WHITE, &names));
    assert_int_equal(names.count, 2);
    name_list_free(&names);
    assert_true(database_read_chunk(d, 0, CHUNK_ALL, &chunk, &message));
    assert_true(chunk.count == 2 && chunk_game(&chunk, 1)->clocks.length == 0);
    assert_false(database_read_chunk(d, 1, CHUNK_LINES, &chunk, &message)); // there is no such chunk
    free(message);
    assert_int_equal(chunk.count, 0);
    change(name, "DROP VIEW games; DROP TABLE event; DROP TABLE columns"); // while it is open
    assert_false(database_info(d, &info));
    assert_false(database_read_columns(d, 0, 1 << COLUMN_WHITE, &columns));
    assert_false(database_names(d, COLUMN_WHITE, &names));
    database_close(d);
    name = make("games.cqldb", "1. e4 *\n\n1. d4 *\n");
    d = database_open(name, DATABASE_APPEND, NULL, &message);
    assert_true(database_begin_import(d, &more, 1, true, &message));
    change(name, "DROP VIEW games; DROP TABLE event");
    Source s = source_of("1. c4 *\n");
    PgnSplitter *splitter = pgn_split_open(read_source, &s, keep_report, &s);
    const ImportOptions o = {
        .source = more, .threads = 1, .report = keep_report, .user = &s, .cut = source_is_cut};
    int64_t games = 7, left_out = 7;
    assert_false(database_import(d, splitter, &o, &games, &left_out, &message));
    expect_message(message, "%s: cannot write the database: no such table: event", name);
    assert_true(games == 0 && left_out == 0);
    database_close(d);
    name = make("games.cqldb", "1. e4 *\n");
    d = database_open(name, DATABASE_APPEND, NULL, &message);
    change(name, "DROP TABLE source");
    assert_false(database_begin_import(d, &more, 1, true, &message));
    expect_message(message, "%s: cannot read the database: no such table: source", name);
    assert_int_equal(database_source(d, more, &stored, &message), SOURCE_UNKNOWN);
    expect_message(message, "%s: cannot read the database: no such table: source", name);
    database_close(d);
    pgn_split_close(splitter);
    name_list_free(&names);
    chunk_columns_free(&columns);
    chunk_free(&chunk);
}

// Sources are announced all or none.
static void test_sources_refused(void **state)
{
    (void)state;
    const char *const source[] = {"a.pgn", "games.pgn", "c.pgn"};
    char *message = NULL;
    int64_t stored;
    const char *name = make("games.cqldb", "1. e4 *\n");
    change(name, "CREATE UNIQUE INDEX once ON source(name)");
    Database *d = database_open(name, DATABASE_APPEND, NULL, &message);
    for (size_t count = 2; count <= 3; count++) {
        assert_false(database_begin_import(d, source, count, true, &message));
        expect_message(message, "%s: cannot write the database: UNIQUE constraint failed: source.name", name);
        for (size_t i = 0; i < 3; i++)
            assert_int_equal(database_source(d, source[i], &stored, &message), SOURCE_NONE);
    }
    assert_true(database_begin_import(d, source, 1, true, &message));
    assert_int_equal(database_source(d, "a.pgn", &stored, &message), SOURCE_WANTED);
    database_close(d);
}

typedef struct NameRow {
    uint32_t id;
    uint32_t length; // that it says
    const char *name;
} NameRow;

// How many names and gaps a database has whose first chunk has these new names of players; SIZE_MAX: it is refused.
static size_t count_names(const NameRow *row, size_t count)
{
    unsigned char bytes[200] = {0};
    char statement[500] = "UPDATE columns SET player_names = X'", *message = NULL;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++)
            bytes[used++] = (unsigned char)(row[i].id >> (8 * k));
        for (int k = 0; k < 4; k++)
            bytes[used++] = (unsigned char)(row[i].length >> (8 * k));
        memcpy(bytes + used, row[i].name, strlen(row[i].name));
        used += strlen(row[i].name);
    }
    const uint64_t checksum = (uint64_t)checksum_of(bytes, used);
    for (int k = 0; k < 8; k++)
        bytes[used++] = (unsigned char)(checksum >> (8 * k));
    for (size_t i = 0; i < used; i++)
        sprintf(statement + strlen(statement), "%02X", bytes[i]);
    strcat(statement, "'");
    const char *name = make("games.cqldb", "1. e4 *\n");
    change(name, statement);
    NameList names = {0};
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
    assert_non_null(d);
    const bool good = database_names(d, COLUMN_BLACK, &names);
    const size_t found = good ? names.count : SIZE_MAX;
    for (size_t i = 0; good && i < count; i++) {
        assert_int_equal(names.place[row[i].id].length, row[i].length);
        assert_memory_equal(names.text.start + names.place[row[i].id].start, row[i].name, row[i].length);
    }
    name_list_free(&names);
    database_close(d);
    return found;
}

// Ids ascend from 1, with gaps of at most 2^20 more than there were names and gaps before.
static void test_names(void **state)
{
    (void)state;
    assert_int_equal(count_names(NULL, 0), 0);
    assert_int_equal(count_names((const NameRow[]){{1, 3, "Tal"}, {2, 0, ""}, {7, 2, "So"}}, 3), 8);
    assert_int_equal(count_names((const NameRow[]){{0, 3, "Tal"}}, 1), SIZE_MAX);
    assert_int_equal(count_names((const NameRow[]){{2, 3, "Tal"}, {2, 2, "So"}}, 2), SIZE_MAX);
    assert_int_equal(count_names((const NameRow[]){{2, 3, "Tal"}, {1, 2, "So"}}, 2), SIZE_MAX);
    assert_int_equal(count_names((const NameRow[]){{1, 4, "Tal"}}, 1), SIZE_MAX);
    assert_int_equal(count_names((const NameRow[]){{1, 2, "Tal"}}, 1), SIZE_MAX);
    assert_int_equal(count_names((const NameRow[]){{1 << 20, 3, "Tal"}}, 1), (1 << 20) + 1);
    assert_int_equal(count_names((const NameRow[]){{(1 << 20) + 1, 3, "Tal"}}, 1), SIZE_MAX);
    assert_int_equal(count_names((const NameRow[]){{9, 3, "Tal"}, {(1 << 20) + 20, 2, "So"}}, 2),
                     (1 << 20) + 21);
    assert_int_equal(count_names((const NameRow[]){{9, 3, "Tal"}, {(1 << 20) + 21, 2, "So"}}, 2), SIZE_MAX);
}

// One at a time writes; others read.
static void test_locks(void **state)
{
    (void)state;
    char *message = NULL;
    const char *const name = make("games.cqldb", "1. e4 *\n");
    static const DatabaseMode modes[] = {DATABASE_CREATE, DATABASE_APPEND};
    const int free_descriptor = dup(0);
    close(free_descriptor);
    for (int first = 0; first < 2; first++) {
        Database *d = database_open(name, modes[first], NULL, &message), *reading;
        assert_non_null(d);
        for (int second = 0; second < 2; second++)
            expect_refusal(name, modes[second],
                           "%s: another import is writing to it; run this one when it has ended");
        assert_int_equal(lock_database(name, false), LOCK_TAKEN);
        assert_non_null(reading = database_open(name, DATABASE_READ, NULL, &message));
        database_close(reading);
        database_close(d);
    }
    const int lock = lock_database(name, false);
    assert_true(lock >= 0);
    assert_int_equal(fcntl(lock, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    assert_int_equal(lock_database(name, true), LOCK_TAKEN);
    close(lock);
    assert_int_equal(lock_database(path("absent.cqldb"), false), LOCK_NONE);
    assert_int_equal(access(path("absent.cqldb"), F_OK), -1);
    const int made = lock_database(path("absent.cqldb"), true);
    assert_int_equal(made, free_descriptor); // nothing else is open
    close(made);
    assert_int_equal(unlink(path("absent.cqldb")), 0);
}

// The byte that is locked is the last but one that a file can have: programs of all versions agree on it.
static void test_locked_byte(void **state)
{
    (void)state;
    const char *const name = make("games.cqldb", "1. e4 *\n");
    const int other = open(name, O_RDWR);
    for (int i = 0; i < 3; i++) {
        struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - i, .l_len = 1};
        assert_int_equal(fcntl(other, F_OFD_SETLK, &range), 0);
        const int lock = lock_database(name, false);
        assert_int_equal(lock == LOCK_TAKEN, i == 1);
        if (lock >= 0)
            close(lock);
        range.l_type = F_UNLCK;
        assert_int_equal(fcntl(other, F_OFD_SETLK, &range), 0);
    }
    close(other);
}

static int lost_names; // of so many calls, the file has lost its name

int stat(const char *name, struct stat *status)
{
    if (lost_names > 0) {
        lost_names--;
        errno = ENOENT;
        return -1;
    }
    return fstatat(AT_FDCWD, name, status, 0);
}

// A file that is removed between its opening and its lock is opened again, up to eight times.
static void test_lost_file(void **state)
{
    (void)state;
    const char *const name = make("games.cqldb", "1. e4 *\n");
    for (int lost = 0; lost <= 9; lost++) {
        lost_names = lost;
        const int lock = lock_database(name, false);
        assert_int_equal(lost_names, lost == 9);
        lost_names = 0;
        assert_int_equal(lock >= 0, lost < 8);
        if (lock >= 0)
            close(lock);
    }
}

// A file without games goes, unless somebody writes to it.
static void test_removal(void **state)
{
    (void)state;
    char *message = NULL;
    const char *const name = make("games.cqldb", "1. e4 *\n");
    database_remove_empty(name);
    assert_int_equal(access(name, F_OK), 0);
    const char *const empty = path("empty.cqldb");
    unlink(empty);
    Database *d = database_open(empty, DATABASE_CREATE, NULL, &message);
    database_remove_empty(empty);
    assert_int_equal(access(empty, F_OK), 0);
    database_close(d);
    database_remove_empty(empty);
    assert_int_equal(access(empty, F_OK), -1);
    database_remove_empty(empty);                // not there
    const int lock = lock_database(name, false); // and no lock is left
    assert_true(lock >= 0);
    close(lock);
}

// ---- imports ----------------------------------------------------------------------------------------------

// Games of about 2000 bytes, so that a chunk has about 2100.
static char *many_games(int count)
{
    char *text = memory_new((size_t)count * 2100 + 1), *end = text;
    for (int n = 1; n <= count; n++)
        end += sprintf(end, "[White \"Player %d\"]\n[Black \"Player %d\"]\n\n1. e4 {%2000s} %s *\n\n",
                       n % 700, n % 5, "", n % 1000 == 0 ? "Ke5" : "e5");
    *end = 0;
    return text;
}

static char *text_of_database(const char *name, size_t step, double *part)
{
    char *message = NULL;
    Buffer out = {0};
    DatabaseStream *s = database_stream_open(name, NULL, &message);
    assert_non_null(s);
    assert_true(database_stream_part(s) == (database_chunk_count(database_stream_database(s)) == 0));
    char *room = memory_new(step);
    int64_t count;
    while ((count = database_stream_read(s, room, step)) > 0) {
        assert_true(count <= (int64_t)step);
        buffer_append(&out, room, (size_t)count);
    }
    *part = database_stream_part(s);
    const char *error = database_stream_error(s);
    assert_int_equal(count, error ? -1 : 0);
    if (error)
        buffer_format(&out, "ERROR %s", error);
    free(room);
    database_stream_close(s);
    buffer_append(&out, "", 1);
    return out.start;
}

static void expect_text(const char *database, const char *expected)
{
    double part;
    char *text = text_of_database(database, 1 << 16, &part);
    assert_true(strcmp(text, expected) == 0);
    assert_true(part == 1);
    free(text);
}

enum { MANY = 5000 };

// What is said of an import into a database that was opened to be read.
static void test_read_only(void **state)
{
    (void)state;
    char *message = NULL;
    const char *const name = make("games.cqldb", "1. e4 *\n"), *const more = "more.pgn";
    Database *d = database_open(name, DATABASE_READ, NULL, &message);
    assert_false(database_begin_import(d, &more, 1, true, &message));
    expect_message(message, "%s: cannot write the database: attempt to write a readonly database", name);
    database_close(d);
}

// Of a source whose reading fails, only the game in work is missing, however many blocks there were before it, and the same import
// goes on with it. When reading would fail another time, too, all that was read is stored.
static void test_cut(void **state)
{
    (void)state;
    char *const text = many_games(MANY);
    const char *const name = path("games.cqldb");
    for (int for_good = 0; for_good < 2; for_good++) {
        Source first = source_of(text), second = source_of(text);
        first.left -= 1000; // within the comment of the last game
        first.cut = true;
        first.for_good = for_good;
        unlink(name);
        const Imported one = import_text(name, "games.pgn", &first, (ImportOptions){0}, false);
        assert_int_equal(one.games, for_good ? MANY : MANY - 1);
        assert_int_equal(one.state, for_good ? SOURCE_NONE : SOURCE_WANTED);
        if (for_good)
            continue;
        expect_rows(name, "SELECT game_count, complete FROM source", "4999|0\n");
        const Imported two = import_text(name, "games.pgn", &second, (ImportOptions){0}, false);
        assert_true(two.stored == MANY - 1 && two.games == 1 && two.state == SOURCE_NONE);
        expect_text(name, text);
    }
    free(text);
}

// A game that needs more memory than it may is reported and left out; its number is not given to another.
static void test_left_out(void **state)
{
    (void)state;
    char *const text = calloc(1, 3000000), *end = text + sprintf(text, "1. e4 *\n\n1. d4 ");
    for (int i = 0; i < 100000; i++)
        end += sprintf(end, "(1. c4 {note}) ");
    sprintf(end, "*\n\n1. c4 *\n");
    const char *const name = path("games.cqldb");
    unlink(name);
    Source s = source_of(text);
    const Imported got = import_text(name, "games.pgn", &s, (ImportOptions){.game_memory = 3 << 20}, false);
    assert_int_equal(got.games, 2);
    assert_int_equal(got.left_out, 1);
    assert_string_equal(
        s.said, "3: 2: the game needs more than 3 MB of memory and is left out; --max-memory allows more\n");
    assert_string_equal(s.progress, "2 14\n");
    expect_rows(name, "SELECT game_count, complete FROM source", "3|1\n");
    expect_text(name, "1. e4 *\n\n1. c4 *\n\n");
    free(text);
}

// ---- streams ----------------------------------------------------------------------------------------------

static void test_stream(void **state)
{
    (void)state;
    double part;
    const char *const name = make("games.cqldb", "1. e4 *\n\n[White \"A\"]\n\n1. d4 d5 1-0\n");
    static const char wanted[] = "1. e4 *\n\n[White \"A\"]\n\n1. d4 d5 1-0\n\n";
    for (size_t step = 1; step <= sizeof wanted + 1; step++) {
        char *text = text_of_database(name, step, &part);
        assert_string_equal(text, wanted);
        assert_true(part == 1);
        free(text);
    }
    Source s = source_of("1. c4 *\n");
    import_text(name, "more.pgn", &s, (ImportOptions){0}, true);
    change(name, "UPDATE chunk SET texts = x'00' WHERE id = 1");
    char *text = text_of_database(name, 10, &part);
    assert_string_equal(text, "1. c4 *\n\nERROR chunk 1 is damaged: its checksum is wrong");
    free(text);
    change(name, "UPDATE chunk SET tags_sum = tags_sum + 1");
    text = text_of_database(name, 10, &part);
    assert_string_equal(text, "ERROR chunk 1 is damaged: its checksum is wrong"); // the first one
    free(text);
    change(name, "DELETE FROM chunk");
    text = text_of_database(name, 10, &part);
    assert_string_equal(text, "");
    free(text);
}

// A chunk has the games of 4 MB of PGN, the last one whole.
static void test_size_of_chunks(void **state)
{
    (void)state;
    enum { GAMES = 44, GAME = 100000, CHUNK = 4 << 20 };
    char *text = calloc(1, GAMES * GAME + 1), rows[20];
    for (int i = 0; i < GAMES; i++)
        sprintf(text + i * GAME, "1. e4 {%0*d} *\n\n", GAME - 12, i);
    const mode_t mask = umask(0);
    const char *const name = make("games.cqldb", text);
    umask(mask);
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
    const int first = (CHUNK + GAME - 1) / GAME;
    snprintf(rows, sizeof rows, "%d\n%d\n", first, GAMES - first);
    expect_rows(name, "SELECT game_count FROM chunk ORDER BY id", rows);
    free(text);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"games.cqldb", "text.cqldb", "empty.cqldb"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blobs),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_locked_byte),
        cmocka_unit_test(test_lost_file),
        cmocka_unit_test(test_numbers_of_chunks),
        cmocka_unit_test(test_removal),
        cmocka_unit_test(test_lost_tables),
        cmocka_unit_test(test_sources_refused),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_size_of_chunks),
        cmocka_unit_test(test_mutexes),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
