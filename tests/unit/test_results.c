// The results of a search as a whole: what is written where, what is said about it, and the exit status.
#include "folder_fixture.h"
#include "run_fixture.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <time.h>

#include "runtime/format/groups.h"
#include "runtime/search/output.h"
#include "runtime/search/search.h"

// ---- queries ----------------------------------------------------------------------------------------------

static atomic_int stop;
static int64_t stopping_game; // 0: none
static int64_t failing_from;  // games from this one on fail; 0: none

// Matches at the last position; its key is the number of the game.
static void match_last(Context *c)
{
    if (c->game->number == stopping_game)
        atomic_store(&stop, 1);
    c->at = 0;
    if (failing_from > 0 && c->game->number >= failing_from)
        rt_raise(c, RAISE_ABORT, NULL);
    if (c->query->sort_key_count > 0)
        rt_sort_int(c, 0, 0, c->game->number, 0);
    c->hit[c->hit_count++] = c->game->count - 1;
}

static void match_for_ever(Context *c)
{
    for (;;)
        if (--c->steps <= 0)
            rt_raise(c, RAISE_STEPS, NULL);
}

typedef struct Outcome {
    int status;
    char out[20000], err[2000];
    SearchTotals totals;
} Outcome;

static SearchTotals last_progress;
static int progressed_times, finished_status;
static SearchTotals finished_totals;

static void progressed(void *user, const SearchTotals *totals)
{
    (void)user;
    assert_true(totals->games >= last_progress.games && totals->bytes >= last_progress.bytes);
    assert_true(totals->seconds >= last_progress.seconds);
    last_progress = *totals;
    progressed_times++;
}

static void finished(void *user, int status, const SearchTotals *totals)
{
    (void)user;
    finished_status = status;
    finished_totals = *totals;
}

// Searches with `count` queries, and captures what is printed.
static Outcome *search(const QueryInfo *query, uint32_t count, SearchOptions o)
{
    static Outcome outcome;
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, count, query, "test", CQL_LAYOUT};
    o.quiet = true;
    o.threads = o.threads > 0 ? o.threads : 1;
    o.progressed = progressed;
    o.finished = finished;
    progressed_times = 0;
    finished_status = -1;
    last_progress = (SearchTotals){0};
    atomic_store(&stop, 0);
    const int out = captured_begin(1), err = captured_begin(2);
    outcome.status = search_run(&matcher, &o, &outcome.totals);
    snprintf(outcome.err, sizeof outcome.err, "%s", captured_end(2, err));
    snprintf(outcome.out, sizeof outcome.out, "%s", captured_end(1, out));
    assert_true(finished_status == outcome.status || (finished_status < 0 && outcome.status == STATUS_QUERY));
    return &outcome;
}

static const QueryInfo plain = {.name = "a.cql", .source = "", .match_game = match_last};

// Five games; the second and the fourth are White's wins.
static const char *five_games(void)
{
    return write_file(path("five.pgn"),
                      "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 1-0\n\n[White \"A\"]\n\n1. c4 *\n\n"
                      "[White \"B\"]\n\n1. b4 1-0\n\n[White \"C\"]\n\n1. a4 *\n\n");
}

static void many_games(const char *name, int count)
{
    FILE *f = fopen(name, "w");
    for (int i = 0; i < count; i++)
        fputs("1. e4 *\n\n", f);
    fclose(f);
}

static void expect_error(const Outcome *o, int status, const char *format, const char *name)
{
    char line[400];
    snprintf(line, sizeof line, format, name);
    assert_string_equal(o->err, line);
    assert_int_equal(o->status, status);
}

// ---- names ------------------------------------------------------------------------------------------------

// An output is none of the inputs; without an output nothing is compared.
static void test_output_is_input(void **state)
{
    (void)state;
    const char *const input[] = {write_file(path("two.pgn"), "1. e4 *\n"), five_games()};
    SearchOptions o = {.input = input, .input_count = 2, .output = input[1], .format = FORMAT_PGN};
    expect_error(search(&plain, 1, o), STATUS_QUERY,
                 "cqlgen: %s is both an input and the output; choose another output name\n", input[1]);
    assert_non_null(strstr(read_file(input[1]), "1. a4"));
    o.format = FORMAT_NONE;
    expect_error(search(&plain, 1, o), STATUS_OK, "%s", "");
    const char *const outputs[] = {path("out"), input[0]};
    const QueryInfo both[] = {plain, plain};
    o = (SearchOptions){.input = input, .input_count = 2, .outputs = outputs, .format = FORMAT_PGN};
    expect_error(search(both, 2, o), STATUS_QUERY,
                 "cqlgen: %s is both an input and the output; choose another output name\n", input[0]);
    assert_null(read_file(outputs[0]));
}

// Games go to the files that their tags name, in folders that are made; not in formats that are one document.
static void test_split(void **state)
{
    (void)state;
    const char *const input[] = {five_games()};
    const struct {
        SearchFormat format;
        const char *name;
        bool good;
    } formats[] = {{FORMAT_PGN, "pgn", true},      {FORMAT_CSV, "csv", true},
                   {FORMAT_JSONL, "jsonl", true},  {FORMAT_FEN, "fen", true},
                   {FORMAT_POSITIONS, "", true},   {FORMAT_HTML, "html", false},
                   {FORMAT_COUNT, "count", false}, {FORMAT_SQLITE, "sqlite", false}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const SearchOptions o = {.input = input,
                                 .input_count = 1,
                                 .output = path("by/{White}"),
                                 .format = formats[i].format,
                                 .split_output = true};
        const Outcome *got = search(&plain, 1, o);
        if (!formats[i].good)
            expect_error(got, STATUS_QUERY,
                         "cqlgen: the format %s is one file; write an output name without a tag in braces\n",
                         formats[i].name);
        else
            expect_error(got, STATUS_OK, "%s", "");
        for (int c = 'A'; c <= 'C'; c++) {
            const char name[] = {'b', 'y', '/', (char)c, 0};
            const char *text = read_file(path(name));
            assert_int_equal(text != NULL, formats[i].good);
            if (text && formats[i].format == FORMAT_POSITIONS)
                assert_string_equal(text, c == 'A' ? "1: 1\n3: 1\n" : c == 'B' ? "2: 1\n4: 1\n" : "5: 1\n");
            if (text && formats[i].format == FORMAT_CSV)
                assert_memory_equal(text, "game,", 5);
            unlink(path(name));
        }
        rmdir(path("by"));
    }
}

// With sort keys and a limit, the first games in their order go to the files.
static void test_split_first(void **state)
{
    (void)state;
    const char *const input[] = {five_games()};
    static const SortKeyInfo key = {.name = "number"};
    QueryInfo query = plain;
    query.sort_key = &key;
    query.sort_key_count = 1;
    for (int64_t limit = 0; limit <= 3; limit += 3) {
        const SearchOptions o = {.input = input,
                                 .input_count = 1,
                                 .output = path("by/{White}"),
                                 .format = FORMAT_FEN,
                                 .split_output = true,
                                 .limit = limit};
        assert_int_equal(search(&query, 1, o)->status, STATUS_OK);
        static const char *const names[] = {"by/A", "by/B", "by/C"};
        for (int i = 0; i < 3; i++) { // the greatest number first: games 5, 4 and 3
            const char *text = read_file(path(names[i]));
            int lines = 0;
            for (const char *p = text; *p; p++)
                lines += *p == '\n';
            assert_int_equal(lines, limit == 3 || i == 2 ? 1 : 2);
            if (limit == 0 && i == 0)
                assert_true(strstr(text, "/2P5/") < strstr(text, "/4P3/")); // 1. c4 comes before 1. e4
            unlink(path(names[i]));
        }
        rmdir(path("by"));
    }
}

// ---- failures ---------------------------------------------------------------------------------------------

// An output without games in which the query has failed; each result for itself.
static void test_discarded(void **state)
{
    (void)state;
    const char *const input[] = {five_games()}, *const outputs[] = {path("a"), path("b")};
    QueryInfo both[] = {plain, plain};
    both[1].match_game = match_for_ever;
    both[1].source = "another";
    for (int discard = 0; discard < 2; discard++) {
        const SearchOptions o = {.input = input,
                                 .input_count = 1,
                                 .outputs = outputs,
                                 .format = FORMAT_POSITIONS,
                                 .discard_failed = discard,
                                 .run.max_steps = 1000};
        const Outcome *got = search(both, 2, o);
        assert_int_equal(got->status, STATUS_GAME_ERRORS);
        assert_int_equal(got->totals.errors, 5);
        assert_int_equal(got->totals.matches, 5);
        assert_int_equal(got->totals.hits, 5);
        assert_int_equal(got->totals.games, 5);
        assert_int_equal(got->totals.positions, 10);
        assert_string_equal(read_file(outputs[0]), "1: 1\n2: 1\n3: 1\n4: 1\n5: 1\n");
        assert_int_equal(access(outputs[1], F_OK) == 0, !discard);
        unlink(outputs[0]);
        unlink(outputs[1]);
    }
}

// The advice about steps is given once, however many games need too many, and before them.
static void test_steps_hint(void **state)
{
    (void)state;
    const char *const input[] = {five_games(), path("many.pgn")};
    many_games(input[1], 100); // another block
    QueryInfo query = plain;
    query.match_game = match_for_ever;
    const char *const outputs[] = {path("a"), path("b")};
    const QueryInfo both[] = {query, query};
    for (int several = 0; several < 2; several++) {
        const SearchOptions o = {.input = input,
                                 .input_count = 2,
                                 .format = FORMAT_NONE,
                                 .run.max_steps = 100,
                                 .steps_hint = "more are allowed",
                                 .outputs = several ? outputs : NULL};
        const Outcome *got = search(both, 1 + (uint32_t)several, o);
        assert_int_equal(got->status, STATUS_GAME_ERRORS);
        assert_int_equal(got->totals.errors, 105);
        const char *hint = strstr(got->err, "cqlgen: more are allowed\n");
        assert_non_null(hint);
        assert_null(strstr(hint + 1, "cqlgen: "));
    }
    const SearchOptions enough = {.input = input,
                                  .input_count = 2,
                                  .format = FORMAT_NONE,
                                  .run.max_steps = 100,
                                  .steps_hint = "more are allowed"};
    expect_error(search(&plain, 1, enough), STATUS_OK, "%s", "");
}

// The gravest status counts.
static void test_status(void **state)
{
    (void)state;
    const char *const input[] = {five_games(), path("not there")};
    const struct {
        size_t inputs;
        int64_t failing;
        const char *output;
        int status;
    } cases[] = {
        {1, 0, NULL, STATUS_OK},    {1, 5, NULL, STATUS_GAME_ERRORS},   {2, 0, NULL, STATUS_INPUT},
        {2, 5, NULL, STATUS_INPUT}, {2, 5, "/dev/full", STATUS_OUTPUT}, {1, 0, "/dev/full", STATUS_OUTPUT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        failing_from = cases[i].failing;
        const SearchOptions o = {
            .input = input, .input_count = cases[i].inputs, .output = cases[i].output, .format = FORMAT_PGN};
        assert_int_equal(search(&plain, 1, o)->status, cases[i].status);
    }
    failing_from = 0;
}

// Of several results none is left when one cannot be written.
static void test_results_together(void **state)
{
    (void)state;
    const char *const input[] = {five_games()}, *const outputs[] = {path("a"), path("nowhere/b")};
    QueryInfo both[] = {plain, plain};
    both[1].source = "another";
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 2, both, "test", CQL_LAYOUT};
    const SearchOptions o = {.input = input,
                             .input_count = 1,
                             .outputs = outputs,
                             .format = FORMAT_POSITIONS,
                             .threads = 1,
                             .quiet = true};
    char message[200];
    snprintf(message, sizeof message, "cqlgen: cannot write %s: No such file or directory\n", outputs[1]);
    const int err = captured_begin(2), status = search_run(&matcher, &o, NULL);
    assert_string_equal(captured_end(2, err), message);
    assert_int_equal(status, STATUS_OUTPUT); // before a game is searched
    assert_int_equal(access(outputs[0], F_OK), -1);
}

// ---- messages of several blocks ---------------------------------------------------------------------------

static void match_and_say(Context *c)
{
    if (c->game->number >= 3)
        rt_message(c, 0, STR("said"), true);
    c->hit[c->hit_count++] = 0;
}

// Marks leave a line open, which a message of a later block, or the end, closes.
static void test_open_lines(void **state)
{
    (void)state;
    const char *const file = write_file(path("two.pgn"), "1. e4 *\n\n1. d4 *\n"), *const input[] = {
                                                                                      file, file, file};
    QueryInfo query = plain;
    query.match_game = match_and_say;
    static const char *const printed[] = {"<1><2>\n", "<1><2>\nsaid\n<3>\nsaid\n<4>\n",
                                          "<1><2>\nsaid\n<3>\nsaid\n<4>\nsaid\n<5>\nsaid\n<6>\n"};
    for (size_t inputs = 1; inputs <= 3; inputs++) {
        const SearchOptions o = {
            .input = input, .input_count = inputs, .format = FORMAT_NONE, .show_matches = true};
        assert_string_equal(search(&query, 1, o)->out, printed[inputs - 1]);
    }
    const SearchOptions marks = {
        .input = input, .input_count = 2, .format = FORMAT_NONE, .show_matches = true};
    assert_string_equal(search(&plain, 1, marks)->out, "<1><2><3><4>\n"); // they go on
}

// The first game of another variant of chess is reported once in a search, unless its result is complete.
static void test_foreign(void **state)
{
    (void)state;
    const char *const file = write_file(path("two.pgn"), "1. e4 *\n\n[Variant \"Bughouse\"]\n\n1. d4 *\n"),
                      *const input[] = {file, file}, *const outputs[] = {path("a"), path("b")};
    QueryInfo both[] = {plain, plain};
    both[0].flags = both[1].flags = QUERY_VARIANTS;
    both[1].source = "another";
    for (int several = 0; several < 2; several++)
        for (int64_t limit = 0; limit <= 1; limit++) {
            const SearchOptions o = {.input = input,
                                     .input_count = 2,
                                     .format = FORMAT_COUNT,
                                     .outputs = several ? outputs : NULL,
                                     .limit = limit};
            const Outcome *got = search(both, 1 + (uint32_t)several, o);
            int reports = 0;
            for (const char *p = got->err; (p = strstr(p, "the variant \"Bughouse\" is not supported")); p++)
                reports++;
            assert_int_equal(reports, limit == 0);
        }
    unlink(outputs[0]);
    unlink(outputs[1]);
}

// ---- limits -----------------------------------------------------------------------------------------------

// A page has the first 5000 games, and says so; the totals count all.
static void test_page(void **state)
{
    (void)state;
    enum { MOST = 5000 };
    const char *const input[] = {path("many.pgn")};
    for (int more = 0; more <= 1; more++) {
        many_games(input[0], MOST + more);
        const SearchOptions o = {
            .input = input, .input_count = 1, .output = path("out"), .format = FORMAT_HTML, .threads = 2};
        const Outcome *got = search(&plain, 1, o);
        expect_error(
            got, STATUS_OK, "%s",
            more ? "cqlgen: the page shows the first 5000 of 5001 matching games; other formats write all\n"
                 : "");
        assert_int_equal(got->totals.matches, MOST + more);
        unlink(o.output);
    }
}

// A page of sorted games has as many as are wanted, and says so when others match.
static void test_page_of_the_first(void **state)
{
    (void)state;
    const char *const input[] = {five_games()};
    static const char *const said[] = {"",
                                       "first 1 game of them",
                                       "first 2 games of them",
                                       "first 3 games of them",
                                       "first 4 games of them",
                                       "",
                                       ""};
    static const SortKeyInfo key = {.name = "number"};
    QueryInfo query = plain;
    query.sort_key = &key;
    query.sort_key_count = 1;
    for (int64_t limit = 0; limit <= 6; limit++) {
        const SearchOptions o = {
            .input = input, .input_count = 1, .output = path("out"), .format = FORMAT_HTML, .limit = limit};
        expect_error(search(&query, 1, o), STATUS_OK, "%s", "");
        const char *page = read_file(o.output);
        assert_non_null(strstr(page, "<strong>5</strong> of 5 games match"));
        if (*said[limit])
            assert_non_null(strstr(page, said[limit]));
        else
            assert_null(strstr(page, "The page shows the first"));
    }
    unlink(path("out"));
}

// The same of games that come in several blocks, sorted or not, whatever the limit.
static void test_page_of_blocks(void **state)
{
    (void)state;
    enum { MOST = 5000, GAMES = 5002 };
    static const SortKeyInfo key = {.name = "number"};
    const char *const input[] = {path("many.pgn")};
    FILE *f = fopen(input[0], "w");
    for (int i = 1; i <= GAMES; i++)
        fprintf(f, "[White \"<%d>\"]\n[Event \"%0120d\"]\n\n1. e4 *\n\n", i, i); // four blocks
    fclose(f);
    static const struct {
        bool sorted;
        int64_t limit;
        int shown, first; // first: of the page
    } cases[] = {{false, 0, MOST, 1},
                 {false, MOST + 1, MOST, 1},
                 {true, 0, MOST, GAMES},
                 {true, MOST + 1, MOST, GAMES},
                 {true, 3, 3, GAMES}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        QueryInfo query = plain;
        query.sort_key = &key;
        query.sort_key_count = cases[i].sorted;
        const SearchOptions o = {.input = input,
                                 .input_count = 1,
                                 .output = path("out"),
                                 .format = FORMAT_HTML,
                                 .limit = cases[i].limit};
        assert_int_equal(search(&query, 1, o)->status, STATUS_OK);
        static char page[40000000];
        f = fopen(o.output, "r");
        assert_non_null(f);
        const char *const end = page + fread(page, 1, sizeof page - 1, f);
        fclose(f);
        int games = 0, first = 0;
        for (const char *p = page; (p = memmem(p, end - p, "<td>&lt;", 8)); p++, games++)
            first = games == 0 ? atoi(p + 8) : first;
        assert_int_equal(games, cases[i].shown);
        assert_int_equal(first, cases[i].first);
    }
    unlink(path("out"));
}

static void test_groups_memory(void **state)
{
    (void)state;
    const char *const input[] = {path("many.pgn")};
    FILE *f = fopen(input[0], "w");
    for (int i = 0; i < 20000; i++)
        fprintf(f, "[Event \"%d\"]\n\n1. e4 *\n\n", i);
    fclose(f);
    GroupSpec spec = {0};
    assert_null(group_spec_read(&spec, "Event"));
    assert_null(group_measures_read(&spec, NULL));
    SearchOptions o = {.input = input,
                       .input_count = 1,
                       .output = path("out"),
                       .format = FORMAT_CSV,
                       .count_by = &spec,
                       .memory = 1 << 20};
    const Outcome *got = search(&plain, 1, o);
    assert_int_equal(got->status, STATUS_OUTPUT);
    assert_non_null(strstr(got->err, " groups of --count-by take more than 0.5 MB; choose keys with fewer "
                                     "values, or allow more with --max-memory\n"));
    assert_int_equal(access(o.output, F_OK), -1);
    o.memory = 64 << 20;
    expect_error(search(&plain, 1, o), STATUS_OK, "%s", "");
    unlink(o.output);
    group_spec_free(&spec);
}

// ---- ends -------------------------------------------------------------------------------------------------

// What is said of a search that was interrupted: in a game, or before the first one.
static void test_interrupted(void **state)
{
    (void)state;
    const char *const input[] = {five_games()}, *const outputs[] = {path("a"), path("b")};
    const QueryInfo both[] = {plain, plain};
    const char *file = path("out");
    const struct {
        int64_t game; // 0: before the first one
        bool several, to_file;
        SearchFormat format;
        const char *said;
    } cases[] = {
        {2, true, false, FORMAT_POSITIONS,
         "cqlgen: interrupted after 2 games; what they gave is written; -g 3- goes on\n"},
        {0, true, false, FORMAT_POSITIONS, "cqlgen: interrupted after 0 games; nothing was written\n"},
        {0, false, true, FORMAT_POSITIONS,
         "cqlgen: interrupted after 0 games; 0 of them match; %s was not written\n"},
        {0, false, false, FORMAT_POSITIONS, "cqlgen: interrupted after 0 games; 0 of them match\n"},
        {0, false, false, FORMAT_HTML,
         "cqlgen: interrupted after 0 games; 0 of them match; nothing was written\n"},
        {1, false, true, FORMAT_POSITIONS,
         "cqlgen: interrupted after 1 game; %s has the 1 that matches; -g 2- goes on\n"},
        {2, false, false, FORMAT_POSITIONS,
         "cqlgen: interrupted after 2 games; 2 of them match; -g 3- goes on\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static atomic_int now = 1;
        stopping_game = cases[i].game;
        const SearchOptions o = {.input = input,
                                 .input_count = 1,
                                 .output = cases[i].to_file ? file : NULL,
                                 .outputs = cases[i].several ? outputs : NULL,
                                 .format = cases[i].format,
                                 .stop = cases[i].game ? &stop : &now};
        expect_error(search(both, cases[i].several ? 2 : 1, o), STATUS_INTERRUPTED, cases[i].said, file);
        assert_int_equal(access(outputs[0], F_OK) == 0, cases[i].several && cases[i].game);
        assert_int_equal(access(file, F_OK) == 0, cases[i].to_file && cases[i].game);
        unlink(outputs[0]);
        unlink(outputs[1]);
        unlink(file);
    }
    stopping_game = 0;
}

// How far the search is, after each block, and what is known at its end.
static void test_progress(void **state)
{
    (void)state;
    enum { GAMES = 60000 };
    const char *const input[] = {path("many.pgn"), five_games()}, *const outputs[] = {path("a"), path("b")};
    many_games(input[0], GAMES);
    const QueryInfo both[] = {plain, plain};
    for (int several = 0; several < 2; several++) {
        const SearchOptions o = {.input = input,
                                 .input_count = 2,
                                 .output = path("out"),
                                 .outputs = several ? outputs : NULL,
                                 .format = FORMAT_COUNT,
                                 .threads = 1 + several};
        const Outcome *got = search(both, 1 + (uint32_t)several, o);
        assert_int_equal(got->status, STATUS_OK);
        assert_true(progressed_times >= 4);
        assert_int_equal(last_progress.games, GAMES + 5);
        assert_int_equal(last_progress.positions, 2 * (GAMES + 5));
        assert_int_equal(last_progress.matches, (1 + several) * (GAMES + 5));
        assert_int_equal(last_progress.hits, (1 + several) * (GAMES + 5));
        const int64_t bytes = 9 * GAMES + (int64_t)strlen(read_file(input[1]));
        assert_int_equal(last_progress.bytes, bytes);
        assert_int_equal(got->totals.bytes, bytes);
        assert_int_equal(finished_totals.bytes, bytes);
        assert_int_equal(finished_totals.games, GAMES + 5);
        unlink(outputs[0]);
        unlink(outputs[1]);
    }
}

static void match_slowly(Context *c)
{
    usleep(2000);
    c->hit[c->hit_count++] = 0;
}

// The seconds are those from the beginning of the search to each report, and to its end.
static void test_seconds(void **state)
{
    (void)state;
    struct timespec begin, end;
    const char *const input[] = {five_games()};
    QueryInfo query = plain;
    query.match_game = match_slowly;
    const SearchOptions o = {.input = input, .input_count = 1, .output = path("out"), .format = FORMAT_COUNT};
    clock_gettime(CLOCK_MONOTONIC, &begin);
    const Outcome *got = search(&query, 1, o);
    clock_gettime(CLOCK_MONOTONIC, &end);
    const double all = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    assert_true(last_progress.seconds >= 5 * 2e-3); // a sleep lasts at least that long
    assert_true(last_progress.seconds <= finished_totals.seconds);
    assert_true(finished_totals.seconds == got->totals.seconds && got->totals.seconds <= all);
}

// What waits for the end of a search needs a temporary file; without one the search fails, with one message.
static void test_no_temporary(void **state)
{
    (void)state;
    static const SortKeyInfo key = {.name = "number"};
    const char *const input[] = {path("many.pgn")};
    many_games(input[0], 20000);
    QueryInfo query = plain;
    query.sort_key = &key;
    query.sort_key_count = 1;
    setenv("TMPDIR", path("nowhere"), 1);
    unlink(path("out"));
    const SearchOptions o = {
        .input = input, .input_count = 1, .output = path("out"), .format = FORMAT_PGN, .memory = 1 << 20};
    for (int threads = 1; threads <= 2; threads++) {
        SearchOptions with = o;
        with.threads = threads;
        expect_error(search(&query, 1, with), STATUS_OUTPUT,
                     "cqlgen: cannot keep the results in a temporary file: %s\n",
                     "No such file or directory");
        assert_int_equal(access(o.output, F_OK), -1);
    }
    const SearchOptions tables = {
        .input = input, .input_count = 1, .output = path("out"), .format = FORMAT_SQLITE, .quiet = true};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &plain, "test", CQL_LAYOUT};
    const int err = captured_begin(2), status = search_run(&matcher, &tables, NULL);
    const char *said = captured_end(2, err);
    assert_int_equal(status, STATUS_OUTPUT); // before a game is searched
    assert_memory_equal(said, "cqlgen: cannot make the tables in a temporary file: ", 51);
    assert_int_equal(strchr(said, '\n')[1], 0); // one line
    assert_int_equal(access(o.output, F_OK), -1);
    unsetenv("TMPDIR");
    expect_error(search(&query, 1, o), STATUS_OK, "%s", "");
    unlink(o.output);
}

// An error of standard output that came before, of which the system says no more, ends in a report all the same.
static void test_failed_write(void **state)
{
    (void)state;
    const char *const input[] = {five_games()};
    const SearchOptions o = {.input = input, .input_count = 1, .output = path("out"), .format = FORMAT_COUNT};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &plain, "test", CQL_LAYOUT};
    fflush(stdout);
    const int out = dup(1), full = open("/dev/full", O_WRONLY);
    dup2(full, 1);
    fputs("x", stdout);
    fflush(stdout);
    __fpurge(stdout); // the error stays
    dup2(out, 1);
    const int err = captured_begin(2), status = search_run(&matcher, &o, NULL);
    const char *said = captured_end(2, err);
    clearerr(stdout);
    close(out);
    close(full);
    assert_string_equal(said, "cqlgen: cannot write standard output: a write failed\n");
    assert_int_equal(status, STATUS_OUTPUT);
    assert_string_equal(read_file(o.output), "5\n");
}

// ---- before the results -----------------------------------------------------------------------------------

static int64_t announced_games, announced_bytes;

static void announce(void *user, int64_t games, int64_t bytes)
{
    (void)user;
    announced_games = games;
    announced_bytes = bytes;
    puts("results:");
}

static void test_announced(void **state)
{
    (void)state;
    const char *const input[] = {five_games()};
    const SearchOptions o = {
        .input = input, .input_count = 1, .format = FORMAT_PGN, .before_results = announce, .first_game = 2};
    const Outcome *got = search(&plain, 1, o);
    assert_int_equal(announced_games, 4);
    assert_memory_equal(got->out, "results:\n", 9);
    assert_int_equal(announced_bytes, strlen(got->out) - 9);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"five.pgn", "two.pgn", "many.pgn", "out", "a", "b"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output_is_input),   cmocka_unit_test(test_split),
        cmocka_unit_test(test_split_first),       cmocka_unit_test(test_discarded),
        cmocka_unit_test(test_steps_hint),        cmocka_unit_test(test_status),
        cmocka_unit_test(test_results_together),  cmocka_unit_test(test_open_lines),
        cmocka_unit_test(test_foreign),           cmocka_unit_test(test_page),
        cmocka_unit_test(test_page_of_the_first), cmocka_unit_test(test_page_of_blocks),
        cmocka_unit_test(test_groups_memory),     cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_progress),          cmocka_unit_test(test_announced),
        cmocka_unit_test(test_seconds),           cmocka_unit_test(test_failed_write),
        cmocka_unit_test(test_no_temporary),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
