// Reports of `cqlgen bench` from made-up numbers, and the command lines of other programs.
#include "test.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/cli/bench.h"

static const BenchRow rows[] = {
    {.query = "a<b.cql",
     .input = "g.pgn",
     .source = "pgn",
     .program = "interp",
     .threads = 1,
     .games = 10,
     .positions = 1000000,
     .bytes = 2000000,
     .runs = 3,
     .median = 2,
     .least = 1.5,
     .most = 4,
     .processor = 1.9,
     .start = 0.25,
     .memory = 6000000,
     .matches = 7,
     .counted = "took the number of the search"},
    {.query = "a<b.cql",
     .input = "g.pgn",
     .source = "database",
     .program = "cc",
     .threads = 2,
     .games = 10,
     .positions = 1000000,
     .bytes = 1000000,
     .runs = 3,
     .median = 0.5,
     .least = 0.5,
     .most = 0.5,
     .processor = 1,
     .start = 0.25,
     .memory = 6000000,
     .matches = 7,
     .counted = "took the number of the search"},
    {.query = "a<b.cql",
     .input = "g.pgn",
     .source = "pgn",
     .program = "slow",
     .other = true,
     .games = 10,
     .positions = 1000000,
     .bytes = 2000000,
     .runs = 1,
     .median = 5,
     .least = 5,
     .most = 5,
     .processor = 5,
     .start = -1,
     .memory = 9000000,
     .matches = 6,
     .counted = "counted the games in {out}",
     .differs = true},
    {.query = "-e",
     .input = "g.pgn",
     .source = "pgn",
     .program = "interp",
     .threads = 1,
     .games = 10,
     .positions = 1000000,
     .bytes = 2000000,
     .runs = 3,
     .median = 1,
     .least = 1,
     .most = 1,
     .processor = 1,
     .start = 0.25,
     .memory = 6000000,
     .matches = 0,
     .counted = "took the number of the search"},
    {.query = "-e",
     .input = "g.pgn",
     .source = "pgn",
     .program = "slow",
     .other = true,
     .games = 10,
     .positions = 1000000,
     .bytes = 2000000,
     .start = -1,
     .matches = -1,
     .problem = "status 1: \"no\""},
};
enum { COUNT = sizeof rows / sizeof *rows };

static char *report(BenchFormat format)
{
    Buffer out = {0};
    bench_begin(&out, format);
    for (size_t at = 0, n; at < COUNT; at += n) {
        n = bench_group(rows + at, COUNT - at);
        bench_rows(&out, format, rows + at, n, at == 0);
    }
    bench_end(&out, format, rows, COUNT);
    buffer_append(&out, "", 1);
    return out.start;
}

// The structure of the chart. `CQLGEN_UPDATE=1 out/unit/test_bench` writes the file.
static void test_chart(void **state)
{
    (void)state;
    static const char *const name = "tests/golden/bench.svg";
    char *chart = report(BENCH_SVG), golden[10000];
    FILE *file = fopen(name, getenv("CQLGEN_UPDATE") ? "w+" : "r");
    assert_non_null(file);
    if (getenv("CQLGEN_UPDATE"))
        fputs(chart, file);
    rewind(file);
    golden[fread(golden, 1, sizeof golden - 1, file)] = 0;
    fclose(file);
    assert_string_equal(chart, golden);
    free(chart);
}

// ---- other programs ---------------------------------------------------------------------------------------

static const CompetitorValues values = {
    .input = "my 'games'; $(x).pgn", .query = "q.cql", .out = "o.pgn", .threads = 2};

static void check_words(const char *command, const char *name, const char *const *wanted)
{
    Competitor r;
    char *wrong = competitor_open(&r, command);
    assert_null(wrong);
    assert_string_equal(r.name, name);
    char **word = competitor_words(&r, &values);
    size_t count = 0;
    for (; wanted[count]; count++)
        assert_string_equal(word[count] ? word[count] : "(nothing)", wanted[count]);
    assert_null(word[count]);
    competitor_free_words(word);
    competitor_close(&r);
}

static void test_commands(void **state)
{
    (void)state;
    check_words("/usr/bin/cql -i {games} -o {out} -threads {threads} {query}", "cql",
                (const char *const[]){"/usr/bin/cql", "-i", values.input, "-o", "o.pgn", "-threads", "2",
                                      "q.cql", NULL});
    check_words(" old=prog  --in={games} 'a b' \"c \\\" d\" e\\ f '' {2,3}", "old=prog",
                (const char *const[]){"old=prog", "--in=my 'games'; $(x).pgn", "a b", "c \" d", "e f", "",
                                      "{2,3}", NULL});
    check_words("old=prog {database}", "old", (const char *const[]){"prog", values.input, NULL});
    check_words("sh -c 'grep -c x \"$1\"' sh {games}", "sh",
                (const char *const[]){"sh", "-c", "grep -c x \"$1\"", "sh", values.input, NULL});
    // several placeholders in a word, after others of its characters and without; what is none stays
    check_words("a.b-c_D9=x {query}{out}{games} --threads-and-output={threads},{out},{threads} {} {Games "
                "{GAMES} {a-b} {{query}}",
                "a.b-c_D9",
                (const char *const[]){"x", "q.cqlo.pgnmy 'games'; $(x).pgn", "--threads-and-output=2,o.pgn,2",
                                      "{}", "{Games", "{GAMES}", "{a-b}", "{q.cql}", NULL});
    check_words("=x {games}", "=x", (const char *const[]){"=x", values.input, NULL});
    check_words("'a'\"b\"c\\\\\\'d\t'\\x'\n\"\\y\" {games} \\", "abc\\'d",
                (const char *const[]){"abc\\'d", "\\x", "y", values.input, "\\", NULL});
}

static void check_wrong(const char *command, const char *part)
{
    Competitor r;
    char *wrong = competitor_open(&r, command);
    assert_non_null(wrong);
    assert_non_null(strstr(wrong, part));
    free(wrong);
    competitor_close(&r);
}

static void test_wrong_commands(void **state)
{
    (void)state;
    check_wrong("cql {games} {querry}", "unknown placeholder `{querry}`");
    check_wrong("cql {query}", "no {games}");
    check_wrong("cql {games} {database}", "both {games} and {database}");
    check_wrong("cql {games} 'x", "a quote is not closed");
    check_wrong("", "expected a command");
    check_wrong("old=", "expected a command");
    check_wrong("sh -c 'cql {games} >{out}'", "part of a text for a shell");
    check_wrong("sh -c 'cql<{games}'", "part of a text for a shell");
    check_wrong("cql {query}{game}", "unknown placeholder `{game}`;");
    check_wrong("cql --input-of-the-program={games}{gamess}", "unknown placeholder `{gamess}`;");
    check_wrong(
        "cql {games} {out} {threads} {query} {x}",
        "unknown placeholder `{x}`; the placeholders are {games}, {database}, {query}, {out} and {threads}");
    check_wrong("cql {database}-{games}", "both {games} and {database}");
    static const char signs[] = " \t\n|&;<>()$`\"'\\";
    for (const char *sign = signs; *sign; sign++) {
        char command[40];
        snprintf(command, sizeof command,
                 *sign == '\''                   ? "x \"{games}%c\""
                 : *sign == '"' || *sign == '\\' ? "x '{games}%c'"
                                                 : "x \"{games}%c\"",
                 *sign);
        check_wrong(command, "`{games}` is part of a text for a shell, where a file name could be read as a "
                             "command; pass it as a word: sh -c 'PROGRAM \"$1\"' sh {games}");
    }
}

// ---- processes --------------------------------------------------------------------------------------------

static const atomic_int no_stop;

// How a program ends, with the last line of what it complains.
static void test_problems(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"exit 0", NULL},
        {"echo x >&2; exit 0", NULL},
        {"exit 7", "status 7, without a message"},
        {"echo ' ' >&2; exit 1", "status 1, without a message"},
        {"printf 'first\\nlast \\t\\r\\n\\n' >&2; exit 1", "status 1: last"},
        {"printf 'only' >&2; exit 255", "status 255: only"},
        {"seq 2000 >&2; exit 1", "status 1: 2000"},
        {"kill -9 $$", "signal 9, without a message"},
    };
    BenchFolder folder;
    assert_true(bench_folder_open(&folder));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const words[] = {"sh", "-c", (char *)cases[i][0], NULL};
        BenchRun run;
        assert_true(bench_run(&folder, words, NULL, &no_stop, &run));
        if (cases[i][1])
            assert_string_equal(run.problem, cases[i][1]);
        else
            assert_null(run.problem);
        assert_true(run.seconds > 0);
        free(run.problem);
    }
    bench_folder_close(&folder);
}

// What is read of a file: its beginning or its end, at most 4000 bytes.
static void test_read(void **state)
{
    (void)state;
    BenchFolder folder;
    BenchRun run;
    assert_true(bench_folder_open(&folder));
    char *const words[] = {"sh", "-c", "printf %04000d 1; printf 2; echo $XDG_CACHE_HOME >&2", NULL};
    assert_true(bench_run(&folder, words, "/the/cache", &no_stop, &run));
    assert_null(run.problem);
    char *text = bench_read(folder.out, false);
    assert_int_equal(strlen(text), 4000);
    assert_string_equal(text + 3998, "01");
    free(text);
    text = bench_read(folder.out, true);
    assert_int_equal(strlen(text), 4000);
    assert_string_equal(text + 3997, "012");
    free(text);
    text = bench_read(folder.errors, true);
    assert_string_equal(text, "/the/cache\n");
    free(text);
    text = bench_read("/there/is/no/file", true);
    assert_string_equal(text, "");
    free(text);
    bench_folder_close(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_problems), cmocka_unit_test(test_read),
                                       cmocka_unit_test(test_chart), cmocka_unit_test(test_commands),
                                       cmocka_unit_test(test_wrong_commands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
