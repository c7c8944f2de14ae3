// Reports of `cqlgen bench` from made-up numbers, and the command lines of other programs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

// Ratios are to the best of a query and an input; 1.00 × 4 = 4.00; mean of interp over PGN: sqrt(4 × 1).
static void test_text(void **state)
{
    (void)state;
    char *text = report(BENCH_TEXT);
    assert_string_equal(text, "a<b.cql, g.pgn: 10 games, 1000000 positions, 2.0 MB\n"
                              "                                 seconds      min      max  x best   Mpos/s   "
                              "  MB/s  compile      MB runs  matches\n"
                              "PGN, 1 thread        interp        2.000    1.500    4.000    4.00     0.50   "
                              "   1.0    0.250     6.0    3        7\n"
                              "database, 2 threads  cc            0.500    0.500    0.500    1.00     2.00   "
                              "   2.0    0.250     6.0    3        7\n"
                              "PGN                  slow          5.000    5.000    5.000   10.00     0.20   "
                              "   0.4        -     9.0    1        6  differs\n"
                              "\n"
                              "-e, g.pgn: 10 games, 1000000 positions, 2.0 MB\n"
                              "                                 seconds      min      max  x best   Mpos/s   "
                              "  MB/s  compile      MB runs  matches\n"
                              "PGN, 1 thread        interp        1.000    1.000    1.000    1.00     1.00   "
                              "   2.0    0.250     6.0    3        0\n"
                              "PGN                  slow        failed: status 1: \"no\"\n"
                              "\n"
                              "geometric mean of x best\n"
                              "PGN, 1 thread        interp         2.00\n"
                              "database, 2 threads  cc             1.00\n"
                              "PGN                  slow          10.00\n"
                              "\n"
                              "slow: counted the games in {out}\n");
    free(text);
}

static void test_csv(void **state)
{
    (void)state;
    char *text = report(BENCH_CSV);
    assert_string_equal(
        text, "query,input,source,program,threads,games,positions,bytes,runs,seconds,least,most,processor,"
              "positions_per_second,megabytes_per_second,compile,memory,matches,problem\r\n"
              "a<b.cql,g.pgn,pgn,interp,1,10,1000000,2000000,3,2.000000,1.500000,4.000000,1.900000,500000,1."
              "000000,0.250000,"
              "6000000,7,\r\n"
              "a<b.cql,g.pgn,database,cc,2,10,1000000,1000000,3,0.500000,0.500000,0.500000,1.000000,2000000,"
              "2.000000,0.250000,"
              "6000000,7,\r\n"
              "a<b.cql,g.pgn,pgn,slow,,10,1000000,2000000,1,5.000000,5.000000,5.000000,5.000000,200000,0."
              "400000,,9000000,6,"
              "differs\r\n"
              "-e,g.pgn,pgn,interp,1,10,1000000,2000000,3,1.000000,1.000000,1.000000,1.000000,1000000,2."
              "000000,0.250000,"
              "6000000,0,\r\n"
              "-e,g.pgn,pgn,slow,,10,1000000,2000000,0,,,,,,,,,,\"status 1: \"\"no\"\"\"\r\n");
    free(text);
}

static void test_json(void **state)
{
    (void)state;
    char *text = report(BENCH_JSON);
    assert_non_null(strstr(text, "{\"version\":1,\"rows\":[\n  {\"query\":\"a<b.cql\","));
    assert_non_null(strstr(text, "\"problem\":\"status 1: \\\"no\\\"\",\"differs\":false}\n]}\n"));
    assert_non_null(strstr(
        text,
        "\"matches\":6,\"counted\":\"counted the games in {out}\",\"problem\":null,\"differs\":true},\n"));
    free(text);
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

static const RivalValues values = {
    .input = "my 'games'; $(x).pgn", .query = "q.cql", .out = "o.pgn", .threads = 2};

static void check_words(const char *command, const char *name, const char *const *wanted)
{
    Rival r;
    char *wrong = rival_open(&r, command);
    assert_null(wrong);
    assert_string_equal(r.name, name);
    char **word = rival_words(&r, &values);
    size_t count = 0;
    for (; wanted[count]; count++)
        assert_string_equal(word[count] ? word[count] : "(nothing)", wanted[count]);
    assert_null(word[count]);
    rival_free_words(word);
    rival_close(&r);
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
}

static void check_wrong(const char *command, const char *part)
{
    Rival r;
    char *wrong = rival_open(&r, command);
    assert_non_null(wrong);
    assert_non_null(strstr(wrong, part));
    free(wrong);
    rival_close(&r);
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),  cmocka_unit_test(test_csv),      cmocka_unit_test(test_json),
        cmocka_unit_test(test_chart), cmocka_unit_test(test_commands), cmocka_unit_test(test_wrong_commands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
