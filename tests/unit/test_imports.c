// Imports that fail: what is stored, what is said, and how they go on.
#include "database_fixture.h"

#include <dlfcn.h>

#include "runtime/value/memory.h"

enum { MANY = 2500 }; // games of about 2000 bytes, so that a chunk has about 2100

static char *many_games(void)
{
    char *text = memory_new(MANY * 2100 + 1), *end = text;
    for (int n = 1; n <= MANY; n++)
        end += sprintf(end, "[White \"%d\"]\n\n1. e4 {%2000s} e5 *\n\n", n % 700, "");
    *end = 0;
    return text;
}

// Imports into an open database; the message, to be freed.
static char *import_into(Database *d, const char *text, int threads, int64_t *games)
{
    char *message = NULL;
    const char *const name = "games.pgn";
    int64_t left_out = 7;
    Source s = source_of(text);
    assert_true(database_begin_import(d, &name, 1, false, &message));
    PgnSplitter *splitter = pgn_split_open(read_source, &s, keep_report, &s);
    const ImportOptions o = {.source = name,
                             .threads = threads,
                             .report = keep_report,
                             .progress = keep_progress,
                             .user = &s,
                             .cut = source_is_cut};
    const bool good = database_import(d, splitter, &o, games, &left_out, &message);
    assert_int_equal(good, message == NULL);
    assert_int_equal(left_out, 0);
    pgn_split_close(splitter);
    return message;
}

static void unexpected_fault(void *user, const char *message)
{
    (void)user;
    fail_msg("%s", message);
}

// What cannot be written is dropped; what was before it stays, and the same import goes on there, also with the same connection.
static void test_failures(void **state)
{
    (void)state;
#define NO_NAMES "x'C294D3380580062D'" // the checksum of nothing
    // rows of another program that are in the way of the second chunk
    static const struct {
        const char *table, *id, *values;
    } row[] = {{"chunk", "id", "2, 0, 0, 0, 0, 0, 0, 0, 0, '', '', '', ''"},
               {"clocks", "chunk", "2, 0, ''"},
               {"columns", "chunk",
                "2, '', '', '', '', '', '', '', '', '', '', " NO_NAMES ", " NO_NAMES ", " NO_NAMES},
               {"game", "id", "2300, 1, 1, 1, 1, '', '', '', NULL, NULL, '', 0, 0"}};
    char *const text = many_games(), wanted[200], statement[200];
    for (int i = 0; i < 8; i++) {
        const char *const name = path("games.cqldb"), *const table = row[i % 4].table;
        char *message = NULL, *rows;
        const bool again = i >= 4; // the database is opened again
        unlink(name);
        Database *d = database_open(name, DATABASE_CREATE, NULL, &message);
        snprintf(statement, sizeof statement, "INSERT INTO %s VALUES(%s)", table, row[i % 4].values);
        change(name, statement);
        int64_t first = 0, rest = 0;
        message = import_into(d, text, 1 + i % 2, &first);
        snprintf(wanted, sizeof wanted, "%s: cannot write the database: UNIQUE constraint failed: %s.%s",
                 name, table, row[i % 4].id);
        assert_non_null(message);
        assert_string_equal(message, wanted);
        free(message);
        assert_true(first > 1900 && first < 2200);
        assert_int_equal(database_game_count(d), first);
        assert_int_equal(database_chunk_count(d), 1);
        snprintf(statement, sizeof statement, "DELETE FROM %s WHERE %s = %d", table, row[i % 4].id,
                 atoi(row[i % 4].values));
        change(name, statement);
        snprintf(wanted, sizeof wanted, "1|%lld\n", (long long)first);
        expect_rows(name, "SELECT id, game_count FROM chunk", wanted);
        snprintf(wanted, sizeof wanted, "%lld|0\n", (long long)first);
        expect_rows(name, "SELECT game_count, complete FROM source", wanted);
        if (again) {
            database_close(d);
            d = database_open(name, DATABASE_CREATE, NULL, &message);
        }
        assert_null(import_into(d, text, 1, &rest));
        assert_int_equal(first + rest, MANY);
        database_close(d);
        expect_rows(name, "SELECT game_count, complete FROM source", "2500|1\n");
        expect_rows(name, "SELECT min(id), max(id), count(*) FROM game", "1|2500|2500\n");
        rows = rows_of(name, "SELECT count(*), count(DISTINCT name) FROM player");
        assert_string_equal(rows, "701|701\n"); // and "?"
        free(rows);
        d = database_open(name, DATABASE_READ, NULL, &message);
        assert_int_equal(database_verify(d, unexpected_fault, NULL), 0);
        database_close(d);
    }
    free(text);
}

static int waited; // milliseconds that were asked for

int sqlite3_busy_timeout(sqlite3 *sql, int milliseconds)
{
    waited = milliseconds;
    return ((int (*)(sqlite3 *, int))dlsym(RTLD_NEXT, "sqlite3_busy_timeout"))(sql, 1);
}

// Another program that writes is waited for, for ten seconds, which are short here.
static void test_busy(void **state)
{
    (void)state;
    char wanted[200], *message = NULL;
    const char *const name = make("games.cqldb", "1. e4 *\n"), *const more = "more.pgn";
    sqlite3 *other = open_sql(name);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    snprintf(wanted, sizeof wanted, "%s: cannot write the database: another program is writing to it", name);
    for (int mode = 0; mode < 2; mode++) {
        waited = 0;
        Database *d = database_open(name, mode ? DATABASE_APPEND : DATABASE_CREATE, NULL, &message);
        assert_non_null(d);
        assert_int_equal(waited, 10000);
        assert_false(database_begin_import(d, &more, 1, true, &message));
        assert_string_equal(message, wanted);
        free(message);
        database_close(d);
    }
    waited = 0;
    Database *d = database_open(name, DATABASE_READ, NULL, &message); // which does not wait
    assert_int_equal(waited, 10000);
    Chunk chunk = {0};
    waited = 0;
    assert_true(database_read_chunk(d, 0, CHUNK_ALL, &chunk, &message));
    assert_int_equal(waited, 10000);
    chunk_free(&chunk);
    database_close(d);
    sqlite3_close(other);
}

static int remove_folder(void **state)
{
    (void)state;
    return remove_files((const char *const[]){"games.cqldb"}, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures), cmocka_unit_test(test_busy)};
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
