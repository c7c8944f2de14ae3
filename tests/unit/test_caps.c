// How much one game or query may make: exactly so many texts, pairs of relations, positions, and bytes of files.
#include "run_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include "runtime/match/imaginary.h"
#include "runtime/value/strings.h"

// What a body has done before it raised an error.
static int64_t done;

enum { PLIES = 4095 };
static char pgn[PLIES * 4 + 2];

static void expect(const QueryInfo *query, const RunOptions *options, int64_t count, const char *error)
{
    Fixture f = {.query = *query, .options = *options};
    done = 0;
    fixture_open(&f);
    fixture_play(&f, pgn);
    assert_non_null(f.result.error);
    assert_string_equal(f.result.error, error);
    assert_int_equal(done, count);
    fixture_close(&f);
}

static const char too_much[] =
    "the query needs too much memory for this game (the limit is 1024 MB of texts)";

static void texts_body(Context *c)
{
    for (;; done++)
        rt_log_add(c, 1, STR("a"));
}

static void pairs_body(Context *c)
{
    for (int i = 0; i <= 1000000; i++)
        rt_relation_pair(c, 0, 1, 0, 0);
    done = c->run->log.list.count;
    run_raise(c, "enough");
}

static void positions_body(Context *c)
{
    for (;; done++)
        rt_save_position(c, c->game->count);
}

// What does not fit into the memory of paths is forgotten, without an error.
static void memo_body(Context *c)
{
    int32_t end;
    for (; done < 1 << 22; done++)
        rt_memo_keep(c, (int32_t)done % (PLIES + 1), 0, (int32_t)done / (PLIES + 1), 7);
    assert_true(rt_memo_find(c, PLIES, 0, 1023, &end)); // the last one
    rt_memo_keep(c, 0, 0, 1024, 7);
    assert_false(rt_memo_find(c, 0, 0, 1024, &end));
    run_raise(c, "enough");
}

// The first text says the number of the game; more pairs are not written, without an error.
static void test_game(void **state)
{
    (void)state;
    const RunOptions comments = {.comments = true};
    static const char *const move[] = {"Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "};
    for (int ply = 0; ply < PLIES; ply++)
        strcat(pgn + 4 * ply, move[ply % 4]);
    strcat(pgn + 4 * PLIES, "*");
    expect(&(QueryInfo){.match_game = texts_body}, &comments, 4000000, too_much);
    expect(&(QueryInfo){.match_game = pairs_body}, &comments, 1 + 2 * 1000000, "enough");
    expect(&(QueryInfo){.match_game = memo_body}, &(RunOptions){0}, 1 << 22, "enough");
    expect(&(QueryInfo){.match_game = positions_body, .imaginary_levels = 1, .flags = QUERY_IMAGINARY},
           &(RunOptions){0}, 1 << 18, too_much);
}

static String name, text;

// `length` bytes, all the same but for the beginning and the end.
static void make(String *s, const char *begin, char filled, size_t length, const char *end)
{
    char *bytes = malloc(length);
    assert_non_null(bytes);
    memset(bytes, filled, length);
    memcpy(bytes, begin, strlen(begin));
    memcpy(bytes + length - strlen(end), end, strlen(end));
    string_free(*s);
    *s = string_copy(bytes, length);
    free(bytes);
}

// Texts of a match and messages may take exactly the memory that a game has.
enum { TEXT = 100 };

static void match_body(Context *c)
{
    c->hit[c->hit_count++] = 0;
    rt_log_add(c, 0, text);
}

static void message_body(Context *c)
{
    c->hit[c->hit_count++] = 0;
    for (done = 0; done < 5; done++)
        rt_message(c, 0, text, 1);
}

static void test_memory(void **state)
{
    (void)state;
    static const struct {
        void (*body)(Context *c);
        size_t memory;
    } cases[] = {{match_body, sizeof(LogEntry) + TEXT}, // without a header and the text of matches
                 {message_body, 4 * (TEXT + 1) + TEXT}};
    for (size_t i = 0; i < 2; i++) {
        for (size_t less = 0; less < 2; less++) {
            Fixture f = {.query = {.name = "test", .match_game = cases[i].body, .matchstring = ""},
                         .options = {.comments = true, .no_header = true, .memory = cases[i].memory - less}};
            make(&text, "", 'x', TEXT, "");
            fixture_open(&f);
            fixture_play(&f, "*");
            assert_string_equal(
                f.result.error ? f.result.error : "",
                less ? "the query needs too much memory for this game (the limit is 0 MB of texts)" : "");
            assert_int_equal(f.result.matched, !less);
            fixture_close(&f);
        }
    }
}

// Texts of all lengths about that for which there is room at first.
static void formatted_body(Context *c)
{
    for (int length = 1; length < 140; length++) {
        char expected[200];
        snprintf(expected, sizeof expected, "%*d", length, 7);
        const String s = run_format(c, "%*d", length, 7);
        assert_int_equal(s->length, length);
        assert_string_equal(s->bytes, expected);
    }
}

static void test_formatted(void **state)
{
    (void)state;
    with_game("*", formatted_body);
}

// ---- files ------------------------------------------------------------------------------------------------

static char target[] = "/tmp/cqlgen-caps.XXXXXX";

enum { BLOCK = 1 << 24 };

// Writes blocks, then a byte more than may be.
static void output_body(Context *c)
{
    make(&text, "", 'x', BLOCK, "");
    for (; done < 64; done++)
        rt_write_file(c, name, text);
    rt_write_file(c, name, STR(""));
    rt_write_file(c, name, STR("x"));
}

static void test_output(void **state)
{
    (void)state;
    make(&name, target, 'x', strlen(target) + 4, ".cqo");
    assert_int_equal(symlink("/dev/null", name->bytes), 0);
    expect(&(QueryInfo){.match_game = output_body}, &(RunOptions){.allow_files = "/"}, 64,
           "writefile: the query writes more than 1024 MB; --max-output N permits more");
    unlink(name->bytes);
}

// A name of `done` bytes.
static void name_body(Context *c)
{
    make(&name, "", '/', (size_t)done, ".cql");
    rt_read_file(c, name);
}

static void expect_name(size_t length, const char *folder, const char *error)
{
    Fixture f = {.query.match_game = name_body, .options.allow_files = folder};
    done = (int64_t)length;
    fixture_open(&f);
    fixture_play(&f, "*");
    assert_non_null(f.result.error);
    if (strncmp(f.result.error, error, strlen(error)) != 0)
        fail_msg("%s", f.result.error);
    fixture_close(&f);
}

static void test_names(void **state)
{
    (void)state;
    static const char too_long[] = "readfile: the file name is too long or contains a NUL byte";
    static const char no_file[] = "readfile: cannot open /";
    static char folder[4001];
    expect_name(4000, "/", no_file);
    expect_name(4001, "/", too_long);
    memset(folder, '/', 4000);
    expect_name(10, folder, too_long);
    folder[3999] = '\0';
    expect_name(10, folder, too_long);
    folder[3998] = '\0';
    expect_name(10, folder, "readfile: \"//////.cql\" is outside the folder for files (--allow-files)");
}

// The longest names lead to their files.
static void read_body(Context *c)
{
    assert_text(rt_read_file(c, name), "text");
}

static void test_longest_names(void **state)
{
    (void)state;
    static const char *const begins[] = {"/tmp/", "./"}, *const folders[] = {"/", "/tmp"};
    char file[60];
    snprintf(file, sizeof file, "%s.cqo", target);
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs("text", out);
    fclose(out);
    for (size_t i = 0; i < 2; i++) {
        make(&name, begins[i], '/', 4000, file + strlen("/tmp/"));
        Fixture f = {.query = {.name = "test", .match_game = read_body}, .options.allow_files = folders[i]};
        fixture_open(&f);
        fixture_play(&f, "*");
        assert_string_equal(f.result.error ? f.result.error : "", "");
        fixture_close(&f);
    }
    unlink(file);
}

static int start(void **state)
{
    (void)state;
    const int file = mkstemp(target);
    return close(file);
}

static int tear_down(void **state)
{
    (void)state;
    string_free(name);
    string_free(text);
    return unlink(target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_game),   cmocka_unit_test(test_output),
                                       cmocka_unit_test(test_names),  cmocka_unit_test(test_longest_names),
                                       cmocka_unit_test(test_memory), cmocka_unit_test(test_formatted)};
    return cmocka_run_group_tests(tests, start, tear_down);
}
