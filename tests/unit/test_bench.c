// Reports of `cqlgen bench` from made-up numbers, and the command lines of other programs.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
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

#define OF_GAMES "\"games\":10,\"positions\":1000000,"
#define OWN "\"counted\":\"took the number of the search\",\"problem\":null,\"differs\":false}"

static void test_json(void **state)
{
    (void)state;
    char *text = report(BENCH_JSON);
    assert_string_equal(
        text,
        "{\"version\":1,\"rows\":[\n"
        "  "
        "{\"query\":\"a<b.cql\",\"input\":\"g.pgn\",\"source\":\"pgn\",\"program\":\"interp\",\"threads\":"
        "1," OF_GAMES "\"bytes\":2000000,\"runs\":3,\"seconds\":2.000000,\"least\":1.500000,\"most\":4."
        "000000,\"processor\":1.900000,"
        "\"positions_per_second\":500000,\"megabytes_per_second\":1.000000,\"memory\":6000000,\"compile\":0."
        "250000,\"matches\":7," OWN ",\n"
        "  "
        "{\"query\":\"a<b.cql\",\"input\":\"g.pgn\",\"source\":\"database\",\"program\":\"cc\",\"threads\":"
        "2," OF_GAMES "\"bytes\":1000000,\"runs\":3,\"seconds\":0.500000,\"least\":0.500000,\"most\":0."
        "500000,\"processor\":1.000000,"
        "\"positions_per_second\":2000000,\"megabytes_per_second\":2.000000,\"memory\":6000000,\"compile\":0."
        "250000,\"matches\":7," OWN ",\n"
        "  {\"query\":\"a<b.cql\",\"input\":\"g.pgn\",\"source\":\"pgn\",\"program\":\"slow\"," OF_GAMES
        "\"bytes\":2000000,\"runs\":1,\"seconds\":5.000000,\"least\":5.000000,\"most\":5.000000,"
        "\"processor\":5.000000,"
        "\"positions_per_second\":200000,\"megabytes_per_second\":0.400000,\"memory\":9000000,\"matches\":6,"
        "\"counted\":\"counted the games in {out}\",\"problem\":null,\"differs\":true},\n"
        "  "
        "{\"query\":\"-e\",\"input\":\"g.pgn\",\"source\":\"pgn\",\"program\":\"interp\",\"threads\":"
        "1," OF_GAMES "\"bytes\":2000000,\"runs\":3,\"seconds\":1.000000,\"least\":1.000000,\"most\":1."
        "000000,\"processor\":1.000000,"
        "\"positions_per_second\":1000000,\"megabytes_per_second\":2.000000,\"memory\":6000000,\"compile\":0."
        "250000,\"matches\":0," OWN ",\n"
        "  {\"query\":\"-e\",\"input\":\"g.pgn\",\"source\":\"pgn\",\"program\":\"slow\"," OF_GAMES
        "\"bytes\":2000000,\"runs\":0,\"problem\":\"status 1: \\\"no\\\"\",\"differs\":false}\n]}\n");
    free(text);
}

// A program whose games could not be counted, without threads of a known number; one group has no means.
static void test_uncounted(void **state)
{
    (void)state;
    const BenchRow row = {.query = "q",
                          .input = "g.pgn",
                          .source = "pgn",
                          .program = "silent",
                          .other = true,
                          .games = 1,
                          .positions = 500,
                          .bytes = 1000000,
                          .runs = 2,
                          .median = 0.5,
                          .least = 0.5,
                          .most = 0.5,
                          .processor = 0.5,
                          .start = 0,
                          .memory = 1000000,
                          .matches = -1};
    static const char *const wanted[] = {
        [BENCH_TEXT] = "q, g.pgn: 1 games, 500 positions, 1.0 MB\n"
                       "                                 seconds      min      max  x best   Mpos/s     MB/s "
                       " compile      MB runs  matches\n"
                       "PGN                  silent        0.500    0.500    0.500    1.00     0.00      2.0 "
                       "   0.000     1.0    2        ?\n"
                       "\nsilent: the games that it finds could not be counted\n",
        [BENCH_CSV] =
            "query,input,source,program,threads,games,positions,bytes,runs,seconds,least,most,processor,"
            "positions_per_second,megabytes_per_second,compile,memory,matches,problem\r\n"
            "q,g.pgn,pgn,silent,,1,500,1000000,2,0.500000,0.500000,0.500000,0.500000,1000,2.000000,0.000000,"
            "1000000,,\r\n",
        [BENCH_JSON] = "{\"version\":1,\"rows\":[\n  "
                       "{\"query\":\"q\",\"input\":\"g.pgn\",\"source\":\"pgn\",\"program\":\"silent\","
                       "\"games\":1,\"positions\":500,\"bytes\":1000000,\"runs\":2,\"seconds\":0.500000,"
                       "\"least\":0.500000,\"most\":0.500000,"
                       "\"processor\":0.500000,\"positions_per_second\":1000,\"megabytes_per_second\":2."
                       "000000,\"memory\":1000000,"
                       "\"compile\":0.000000,\"counted\":null,\"problem\":null,\"differs\":false}\n]}\n"};
    for (BenchFormat format = BENCH_TEXT; format <= BENCH_JSON; format++) {
        Buffer out = {0};
        bench_begin(&out, format);
        bench_rows(&out, format, &row, 1, true);
        bench_end(&out, format, &row, 1);
        buffer_append(&out, "", 1);
        assert_string_equal(out.start, wanted[format]);
        buffer_free(&out);
    }
    // The end says it once of a program, whichever of its rows come first.
    BenchRow twice[] = {row, row};
    twice[1].query = "r";
    Buffer out = {0};
    bench_end(&out, BENCH_TEXT, twice, 2);
    buffer_append(&out, "", 1);
    assert_string_equal(strstr(out.start, "\nsilent: "),
                        "\nsilent: the games that it finds could not be counted\n");
    buffer_free(&out);
}

static void test_medians(void **state)
{
    (void)state;
    double times[] = {4, 1, 9, 2};
    assert_true(bench_median_of(times, 0) == 0);
    assert_true(bench_median_of(times, 1) == 4);
    assert_true(bench_median_of(times, 2) == 2.5); // 1 4, and they are in order now
    assert_true(times[0] == 1 && times[1] == 4);
    assert_true(bench_median_of(times, 3) == 4);
    assert_true(bench_median_of(times, 4) == 3); // of 1 2 4 9
}

// Rows without a time have no rate; their bars are a line, beside others and alone.
static void test_no_time(void **state)
{
    (void)state;
    const BenchRow timed[] = {
        {.query = "q", .input = "i", .source = "pgn", .program = "cc", .positions = 1000},
        {.query = "q",
         .input = "i",
         .source = "pgn",
         .program = "tcc",
         .positions = 1000,
         .median = 2,
         .least = 1,
         .most = 4}};
    assert_true(bench_rate(&timed[0]) == 0);
    assert_true(bench_rate(&timed[1]) == 500);
    for (size_t count = 1; count <= 2; count++) {
        Buffer out = {0};
        bench_chart(&out, timed, count);
        buffer_append(&out, "", 1);
        assert_non_null(strstr(
            out.start, "<rect x=\"220\" y=\"62.0\" width=\"1.0\" height=\"12\" rx=\"2\" fill=\"#2f81f7\"/>\n"
                       "<path d=\"M220.0 68.0H220.0\" stroke=\"#7d8590\"/>\n"));
        assert_non_null(strstr(out.start, ">0.00 million/s (0.000 s)</text>"));
        // the fastest run, of 1000 positions a second, fills 370; the median is half of it, the slowest a quarter
        if (count == 2)
            assert_non_null(strstr(
                out.start,
                "width=\"185.0\" height=\"12\" rx=\"2\" fill=\"#d29922\"/>\n<path d=\"M312.5 84.0H590.0\""));
        buffer_free(&out);
    }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_uncounted),     cmocka_unit_test(test_medians),
                                       cmocka_unit_test(test_no_time),       cmocka_unit_test(test_problems),
                                       cmocka_unit_test(test_read),          cmocka_unit_test(test_text),
                                       cmocka_unit_test(test_csv),           cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_chart),         cmocka_unit_test(test_commands),
                                       cmocka_unit_test(test_wrong_commands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
