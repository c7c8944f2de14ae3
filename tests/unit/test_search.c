// The driver: order, limits, outputs and exit statuses, with matchers written by hand.
#include "calls_fixture.h"
#include "folder_fixture.h"
#include "mutex_fixture.h"
#include "run_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/format/format.h"
#include "runtime/search/output.h"
#include "runtime/search/search.h"
#include "runtime/search/sorted.h"
#include "record_fixture.h"

// Game N of the file has N % 7 moves; enough games for several blocks.
enum { GAMES = 9000 };

static void write_games(const char *name)
{
    static const char *const moves[] = {"", "1. a3", " a6", " 2. b3", " b6", " 3. c3", " c6"};
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    for (int n = 1; n <= GAMES; n++) {
        fprintf(f, "[Event \"game %d of many, so that it takes some room\"]\n\n", n);
        for (int i = 1; i <= n % 7; i++)
            fputs(moves[i], f);
        fputs(" *\n\n", f);
    }
    fclose(f);
}

// ---- bodies -----------------------------------------------------------------------------------------------

static void match_ply_six(Context *c)
{
    for (int32_t i = 0; i < c->game->count; i++)
        if (c->node[i].ply == 6)
            c->hit[c->hit_count++] = i;
}

static void match_all(Context *c)
{
    for (int32_t i = 0; i < c->game->count; i++)
        c->hit[c->hit_count++] = i;
}

// Matches at the start; the games come by their number of moves, most first.
static void match_sorted(Context *c)
{
    rt_sort_int(c, 0, 0, c->game->count - 1, 0);
    c->hit[c->hit_count++] = 0;
}

// Prints the number of each game; every third one fails, the others match.
static void match_message(Context *c)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%d", (int)c->game->number);
    struct {
        uint32_t length;
        char bytes[32];
    } string = {(uint32_t)length, ""};
    memcpy(string.bytes, text, sizeof text);
    rt_message(c, 0, (String)(const void *)&string, true);
    if (c->game->number % 3 == 0)
        rt_raise(c, RAISE_ABORT, NULL);
    c->hit[c->hit_count++] = 0;
}

// Matches at the start of the last game.
static void match_last(Context *c)
{
    if (c->game->number == c->game->last_number)
        c->hit[c->hit_count++] = 0;
}

static int run_query(QueryInfo query, SearchOptions options, SearchTotals *totals)
{
    SearchTotals nowhere;
    Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
    query.name = "test";
    query.source = "";
    options.quiet = true;
    return search_run(&matcher, &options, totals ? totals : &nowhere);
}

// A search that is shared: of the blocks, this process gets two; before the second one a program writes to the file.
typedef struct Shared {
    const char *file;
    uint64_t claims;
    _Atomic uint64_t given;
} Shared;

static bool claim_two(void *user, uint64_t *begin, uint64_t *end)
{
    Shared *s = user;
    *begin = s->claims++;
    *end = *begin + 1;
    if (*begin != 1)
        return *begin < 2;
    FILE *f = fopen(s->file, "a");
    assert_non_null(f);
    fputs("1. e4 *\n", f);
    return fclose(f) == 0;
}

static bool take_given(void *user, uint64_t number, const char *bytes, size_t length)
{
    (void)number, (void)bytes, (void)length;
    ((Shared *)user)->given++;
    return true;
}

// ---- tests ------------------------------------------------------------------------------------------------

static void test_order(void **state)
{
    (void)state;
    const char *const input[] = {path("many.pgn")};
    char *expected = calloc(1, 100000), *end = expected;
    for (int n = 1; n <= GAMES; n++)
        if (n % 7 == 6)
            end += sprintf(end, "%d: 6\n", n);
    for (int threads = 1; threads <= 5; threads += 2) {
        SearchTotals totals;
        SearchOptions o = {.input = input,
                           .input_count = 1,
                           .output = path("out"),
                           .format = FORMAT_POSITIONS,
                           .threads = threads};
        assert_int_equal(run_query((QueryInfo){.match_game = match_ply_six}, o, &totals), STATUS_OK);
        assert_string_equal(read_file(o.output), expected);
        assert_int_equal(totals.games, GAMES);
        assert_int_equal(totals.matches, (GAMES + 1) / 7);
        assert_int_equal(totals.hits, (GAMES + 1) / 7);
    }
    free(expected);
}

// Several files are one sequence of games.
static void test_numbers(void **state)
{
    (void)state;
    const char *const input[] = {path("two.pgn"), path("two.pgn"), path("two.pgn")};
    write_file(input[0], "1. e4 *\n\n1. d4 d5 *\n");
    SearchOptions o = {
        .input = input, .input_count = 3, .output = path("out"), .format = FORMAT_POSITIONS, .threads = 2};
    QueryInfo query = {.match_game = match_all};
    assert_int_equal(run_query(query, o, NULL), STATUS_OK);
    assert_string_equal(read_file(o.output), "1: 0 1\n2: 0 1 2\n3: 0 1\n4: 0 1 2\n5: 0 1\n6: 0 1 2\n");
    o.first_game = 2, o.last_game = 4;
    SearchTotals totals;
    assert_int_equal(run_query(query, o, &totals), STATUS_OK);
    assert_string_equal(read_file(o.output), "2: 0 1 2\n3: 0 1\n4: 0 1 2\n");
    assert_int_equal(totals.games, 4);
    query.flags = QUERY_HAS_GAMENUMBER;
    query.gamenumber_low = 4, query.gamenumber_high = 9;
    assert_int_equal(run_query(query, o, NULL), STATUS_OK);
    assert_string_equal(read_file(o.output), "4: 0 1 2\n");
    query.gamenumber_low = 3, query.gamenumber_high = 2; // never true
    o.first_game = o.last_game = 0;
    assert_int_equal(run_query(query, o, NULL), STATUS_OK);
    assert_string_equal(read_file(o.output), "");
}

static void test_last_number(void **state)
{
    (void)state;
    const char *const input[] = {path("two.pgn"), path("fifo"), path("two.pgn")};
    write_file(input[0], "1. e4 *\n\n1. d4 d5 *\n");
    unlink(input[1]);
    assert_int_equal(mkfifo(input[1], 0600), 0);
    if (fork() == 0) { // a pipe can be read only once
        write_file(input[1], "1. c4 *\n");
        _exit(0);
    }
    SearchOptions o = {
        .input = input, .input_count = 3, .output = path("out"), .format = FORMAT_POSITIONS, .threads = 2};
    assert_int_equal(
        run_query((QueryInfo){.match_game = match_last, .flags = QUERY_NEEDS_LAST_NUMBER}, o, NULL),
        STATUS_OK);
    assert_string_equal(read_file(o.output), "5: 0\n");
    o.input_count = 1;
    o.last_game = 1;
    assert_int_equal(
        run_query((QueryInfo){.match_game = match_last, .flags = QUERY_NEEDS_LAST_NUMBER}, o, NULL),
        STATUS_OK);
    assert_string_equal(read_file(o.output), "1: 0\n");
}

static int32_t is_last(Context *c)
{
    return c->game->number == c->game->last_number;
}

static void match_start(Context *c)
{
    c->hit[c->hit_count++] = 0;
}

// The last game of a query is the last one that its header allows, in the query and in what is asked before it.
static void test_own_last_number(void **state)
{
    (void)state;
    const char *const input[] = {
        write_file(path("five.pgn"), "1. h3 *\n\n1. a3 *\n\n1. b3 *\n\n1. c3 *\n\n1. d3 *\n")};
    for (int tested = 0; tested < 2; tested++)
        for (int64_t last = 0; last <= 6; last++) {
            QueryInfo query[] = {{.name = "a", .flags = QUERY_HAS_GAMENUMBER, .gamenumber_high = 3},
                                 {.name = "b"}};
            char wanted[40];
            for (int q = 0; q < 2; q++) {
                query[q].source = query[q].name;
                query[q].flags |= QUERY_NEEDS_LAST_NUMBER;
                query[q].match_game = tested ? match_start : match_last;
                query[q].game_test = tested ? is_last : NULL;
            }
            const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 2, query, "test", CQL_LAYOUT};
            const SearchOptions o = {.input = input,
                                     .input_count = 1,
                                     .output = path("out"),
                                     .format = FORMAT_POSITIONS,
                                     .threads = 1,
                                     .quiet = true,
                                     .last_game = last};
            assert_int_equal(search_run(&matcher, &o, NULL), STATUS_OK);
            const int b = last > 0 && last < 5 ? (int)last : 5, a = b < 3 ? b : 3;
            snprintf(wanted, sizeof wanted, "a\t%d: 0\nb\t%d: 0\n", a, b);
            assert_string_equal(read_file(o.output), wanted);
        }
}

static void match_two_plies(Context *c)
{
    if (c->game->count == 3)
        c->hit[c->hit_count++] = 2;
}

// A search ends with the last game that is wanted, wherever that is in its block; those after it do not count.
static void test_end_of_limit(void **state)
{
    (void)state;
    const char *const file = write_file(path("two.pgn"), "1. e4 *\n\n1. e4 e5 *\n\n1. c4 *\n\n1. Ke2 *\n"),
                      *const input[] = {file, file, file};
    for (int64_t limit = 0; limit <= 4; limit++)
        for (int threads = 1; threads <= 3; threads++) {
            SearchTotals totals;
            const SearchOptions o = {.input = input,
                                     .input_count = 3,
                                     .output = path("out"),
                                     .format = FORMAT_POSITIONS,
                                     .threads = threads,
                                     .limit = limit};
            const int err = captured_begin(2);
            const int status = run_query((QueryInfo){.match_game = match_two_plies}, o, &totals);
            const char *said = captured_end(2, err);
            const bool all = limit == 0 || limit > 3;
            int reports = 0;
            for (const char *p = said; (p = strstr(p, "illegal move")); p++)
                reports++;
            assert_int_equal(status, STATUS_OK);
            assert_int_equal(totals.games, all ? 12 : 4 * (limit - 1) + 2);
            assert_int_equal(totals.matches, all ? 3 : limit);
            assert_int_equal(totals.damaged, all ? 3 : limit - 1);
            assert_int_equal(reports, all ? 3 : limit - 1);
        }
}

// The first games that match, also where they come in several blocks, of one result and of each of several.
static void test_limit(void **state)
{
    (void)state;
    const char *const input[] = {path("many.pgn")}, *const outputs[] = {path("out"), path("kept")};
    for (int i = 0; i < 12; i++) {
        const int threads = 1 + i % 3 * 2, several = i / 3 % 2, limit = i < 6 ? 2000 : 5000;
        SearchTotals totals;
        const QueryInfo query[] = {{.name = "a", .source = "a", .match_game = match_all},
                                   {.name = "b", .source = "b", .match_game = match_ply_six}};
        const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1 + (uint32_t)several,
                                 query,     "test",          CQL_LAYOUT};
        SearchOptions o = {.input = input,
                           .input_count = 1,
                           .output = outputs[0],
                           .outputs = several ? outputs : NULL,
                           .format = FORMAT_FEN,
                           .threads = threads,
                           .quiet = true,
                           .limit = limit};
        assert_int_equal(search_run(&matcher, &o, &totals), STATUS_OK);
        int64_t positions = 0, of_six = several ? (GAMES + 1) / 7 : 0; // fewer than the limit
        for (int n = 1; n <= limit; n++)
            positions += 1 + n % 7;
        assert_int_equal(totals.games, several ? GAMES : limit);
        assert_int_equal(totals.matches, limit + of_six);
        assert_int_equal(totals.hits, positions + of_six);
        for (int r = 0; r <= several; r++) {
            int64_t lines = 0;
            for (const char *p = read_file(outputs[r]); *p; p++)
                lines += *p == '\n';
            assert_int_equal(lines, r ? of_six : positions);
        }
    }
}

static void test_sorted_output(void **state)
{
    (void)state;
    const char *const input[] = {path("sort.pgn")};
    write_file(input[0], "1. a3 *\n\n1. a3 a6 2. b3 *\n\n *\n\n1. h3 h6 2. g3 *\n\n1. a3 a6 *\n");
    const SortKeyInfo key = {.name = "moves"};
    QueryInfo query = {.match_game = match_sorted, .sort_key_count = 1, .sort_key = &key};
    SearchOptions o = {.input = input,
                       .input_count = 1,
                       .output = path("out"),
                       .format = FORMAT_CSV,
                       .threads = 2,
                       .limit = 3};
    assert_int_equal(run_query(query, o, NULL), STATUS_OK);
    char *text = read_file(o.output), *line = strtok(text, "\r\n");
    static const char *const begins[] = {"game,", "2,", "3,", "4,"}; // a result alone is not a game
    for (int i = 0; i < 4; i++, line = strtok(NULL, "\r\n")) {
        assert_non_null(line);
        assert_memory_equal(line, begins[i], strlen(begins[i]));
    }
    assert_null(line);
    o.limit = 0;
    o.format = FORMAT_PGN;
    assert_int_equal(run_query(query, o, NULL), STATUS_OK);
    const char *longest = strstr(text = read_file(o.output), "2.b3"), *second = strstr(text, "2.g3");
    assert_true(longest && second && longest < second); // equal values: by number
    assert_true(second < strstr(text, "moves: 2"));
    assert_true(strstr(text, "moves: 2") < strstr(text, "moves: 1"));
    assert_null(strstr(strstr(text, "moves: 1") + 1, "moves: 2"));
}

static void test_spill(void **state)
{
    (void)state;
    SortedGames all = {0};
    for (int number = 0; number < 400; number++) {
        GameRecord game = {.game = number};
        buffer_format(&game.output, "index %d|text of %d", number, number);
        game.index = (size_t)(strchr(game.output.start, '|') - game.output.start);
        if (number % 5 != 0)
            game_record_add_number(&game, false, number % 10);
        else
            game_record_add_no_key(&game);
        assert_true(sorted_add(&all, &game, 2000));
        game_record_free(&game);
    }
    assert_true(all.spilled > 2000 && all.memory <= 2000 && all.run_count > 1);
    for (int round = 0; round < 3; round++) { // they can be read again
        int64_t number[400];
        int count = 0;
        slow_calls = round == 2;
        sorted_begin(&all);
        for (const GameRecord *game; (game = sorted_next(&all)); count++) {
            char expected[64];
            assert_true(count < 400);
            number[count] = game->game;
            snprintf(expected, sizeof expected, "index %d|text of %d", (int)game->game, (int)game->game);
            expect_bytes(&game->output, expected);
            assert_int_equal(game->index, strchr(expected, '|') - expected);
        }
        assert_int_equal(count, 400);
        assert_int_equal(number[0], 9); // the greatest value, the smallest number
        assert_int_equal(number[1], 19);
        assert_int_equal(number[399], 395); // no value: last
        slow_calls = false;
    }
    failing_calls = EIO;
    sorted_begin(&all);
    assert_null(sorted_next(&all));
    failing_calls = 0;
    assert_int_equal(all.error, EIO);
    sorted_free(&all);
}

// Adds games with keys of all kinds and file names; texts of at least `width` bytes.
static void fill(SortedGames *all, size_t bound, int width)
{
    static const CqlString words[] = {{0, ""}, {1, "b"}, {2, "ba"}, {3, "aaa"}};
    for (int i = 0; i < 3000; i++) {
        const int place = (i * 7919) % 3000;
        const CqlString *word = &words[place % 4];
        GameRecord game = {.game = place};
        buffer_format(&game.output, "%*d;", width, place);
        buffer_format(&game.file, "f%d", place % 5);
        if (place % 7 != 0)
            game_record_add_text(&game, true, word->bytes, word->length);
        else
            game_record_add_no_key(&game);
        game_record_add_number(&game, false, place % 3);
        assert_true(sorted_add(all, &game, bound));
        game_record_free(&game);
    }
}

// Runs in a file give the same as memory.
static void test_merge(void **state)
{
    (void)state;
    static const struct {
        size_t most;
        size_t bound;
        int width;
    } forms[] = {{0, 20000, 0},
                 {7, 20000, 0},
                 {1500, 20000, 0},
                 {0, 200000, 120}}; // the last: runs that are read piece by piece
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        SortedGames whole = {.most = forms[f].most}, runs = whole;
        fill(&whole, 1 << 30, forms[f].width);
        fill(&runs, forms[f].bound, forms[f].width);
        assert_true(whole.spilled == 0 && (runs.run_count > 1 || forms[f].most == 7));
        sorted_begin(&whole);
        sorted_begin(&runs);
        size_t count = 0;
        for (const GameRecord *a, *b; (a = sorted_next(&whole)); count++) {
            assert_non_null(b = sorted_next(&runs));
            assert_true(a->game == b->game && a->output.length == b->output.length);
            assert_memory_equal(a->output.start, b->output.start, a->output.length);
            assert_true(a->file.length == 2 && memcmp(a->file.start, b->file.start, 2) == 0);
        }
        assert_null(sorted_next(&runs));
        assert_int_equal(count, forms[f].most > 0 ? forms[f].most : 3000);
        sorted_free(&whole);
        sorted_free(&runs);
    }
}

// Games are moved to a file when they take more memory than is allowed; of the first ones, so many are kept that sorting pays.
static void test_bound(void **state)
{
    (void)state;
    GameRecord game = {0};
    buffer_text(&game.output, "12345");
    SortedGames measured = {0};
    assert_true(sorted_add(&measured, &game, 1 << 30));
    const size_t size = measured.memory;
    sorted_free(&measured);
    assert_true(size > 5 && size < 500);
    for (size_t bound = 3 * size - 1; bound <= 3 * size; bound++) {
        SortedGames all = {0};
        for (game.game = 0; game.game < 3; game.game++) {
            assert_true(sorted_add(&all, &game, bound));
            assert_int_equal(all.memory,
                             game.game == 2 && bound < 3 * size ? 0 : (size_t)(game.game + 1) * size);
        }
        assert_int_equal(all.run_count, bound < 3 * size);
        assert_int_equal(all.count, bound < 3 * size ? 0 : 3);
        sorted_free(&all);
    }
    game_record_free(&game);
    for (int most = 1; most <= 7; most += 6) {
        SortedGames first = {.most = (size_t)most};
        for (int i = 0; i < 2 * most + 1000 + 1; i++) {
            GameRecord next = {.game = i};
            assert_int_equal(first.count, i);
            game_record_add_number(&next, true, -i);
            assert_true(sorted_add(&first, &next, 1 << 30));
            game_record_free(&next);
        }
        assert_int_equal(first.count, most);
        sorted_begin(&first);
        for (int i = 0; i < most; i++)
            assert_int_equal(sorted_next(&first)->game, 2 * most + 1000 - i); // the last ones
        assert_null(sorted_next(&first));
        sorted_free(&first);
    }
}

// ---- files and statuses -----------------------------------------------------------------------------------

// What a search prints.
static const char *captured(int stream, QueryInfo query, SearchOptions o, int status)
{
    const int old = captured_begin(stream), got = run_query(query, o, NULL);
    const char *text = captured_end(stream, old);
    assert_int_equal(got, status);
    return text;
}

static void test_messages(void **state)
{
    (void)state;
    const char *const input[] = {path("two.pgn"), path("two.pgn")};
    write_file(input[0], "1. e4 *\n\n1. d4 d5 *\n");
    const QueryInfo query = {.match_game = match_message};
    SearchOptions o = {
        .input = input, .input_count = 2, .output = path("out"), .format = FORMAT_POSITIONS, .threads = 2};
    assert_string_equal(captured(1, query, o, STATUS_GAME_ERRORS), "1\n2\n3\n4\n");
    assert_string_equal(read_file(o.output), "1: 0\n2: 0\n4: 0\n");
    char line[200];
    snprintf(line, sizeof line, "%s:1: game 3 (1 of this file): test: ", input[0]);
    assert_memory_equal(captured(2, query, o, STATUS_GAME_ERRORS), line, strlen(line));
    o.output = NULL;
    o.limit = 2;
    assert_string_equal(captured(1, query, o, STATUS_OK), "1: 0\n2: 0\n");
    assert_string_equal(captured(2, query, o, STATUS_OK), "1\n2\n");
    o.output = "-"; // the same
    assert_string_equal(captured(1, query, o, STATUS_OK), "1: 0\n2: 0\n");
    assert_string_equal(captured(2, query, o, STATUS_OK), "1\n2\n");
}

// What each of several queries has found, whether they have one output or one each.
static void test_by_query(void **state)
{
    (void)state;
    const char *const input[] = {path("two.pgn"), path("two.pgn")}, *const outputs[] = {path("out"),
                                                                                        path("kept"),
                                                                                        path("output")};
    write_file(input[0], "1. e4 *\n\n1. d4 d5 *\n");
    const QueryInfo query[] = {{.name = "a", .source = "a", .match_game = match_all},
                               {.name = "b", .source = "b", .match_game = match_ply_six},
                               {.name = "c", .source = "c", .match_game = match_message}};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 3, query, "test", CQL_LAYOUT};
    for (int several = 0; several < 2; several++) {
        QueryTotals by_query[3] = {0};
        SearchOptions o = {.input = input,
                           .input_count = 2,
                           .output = outputs[0],
                           .outputs = several ? outputs : NULL,
                           .format = FORMAT_POSITIONS,
                           .threads = 1,
                           .quiet = true,
                           .by_query = by_query};
        const int out = captured_begin(1), err = captured_begin(2);
        const int status = search_run(&matcher, &o, NULL);
        captured_end(2, err);
        captured_end(1, out);
        assert_int_equal(status, STATUS_GAME_ERRORS);
        static const int64_t matches[] = {4, 0, 3}, hits[] = {10, 0, 3}, errors[] = {0, 0, 1};
        for (int q = 0; q < 3; q++) {
            assert_int_equal(by_query[q].matches, matches[q]);
            assert_int_equal(by_query[q].hits, hits[q]);
            assert_int_equal(by_query[q].errors, errors[q]);
            assert_int_equal(by_query[q].evaluated, 4);
        }
    }
}

// Threads have numbers from 1.
static void test_thread_marks(void **state)
{
    (void)state;
    const char *const input[] = {path("two.pgn"), path("two.pgn")};
    write_file(input[0], "1. e4 *\n\n1. d4 d5 *\n");
    const SearchOptions o = {.input = input,
                             .input_count = 2,
                             .format = FORMAT_NONE,
                             .threads = 1,
                             .show_games = 2,
                             .show_threads = true};
    assert_string_equal(captured(1, (QueryInfo){.match_game = match_all}, o, STATUS_OK), "[2:1]\n[4:1]\n");
}

static void test_missing_input(void **state)
{
    (void)state;
    const char *const input[] = {path("none.pgn"), path("two.pgn")};
    write_file(input[1], "1. e4 *\n\n1. d4 d5 *\n");
    SearchOptions o = {
        .input = input, .input_count = 2, .output = path("out"), .format = FORMAT_COUNT, .threads = 2};
    char line[200];
    snprintf(line, sizeof line, "%s: error: cannot read: No such file or directory\n", input[0]);
    assert_string_equal(captured(2, (QueryInfo){.match_game = match_all}, o, STATUS_INPUT), line);
    assert_string_equal(read_file(o.output), "2\n");
}

static void test_interrupted(void **state)
{
    (void)state;
    const char *const input[] = {path("many.pgn")};
    atomic_int stop = 1;
    SearchOptions o = {.input = input,
                       .input_count = 1,
                       .output = path("kept"),
                       .format = FORMAT_PGN,
                       .threads = 2,
                       .stop = &stop};
    write_file(o.output, "old");
    const char *said = captured(2, (QueryInfo){.match_game = match_all}, o, STATUS_INTERRUPTED);
    assert_non_null(strstr(said, "interrupted after 0 games"));
    assert_non_null(strstr(said, "was not written"));
    assert_string_equal(read_file(o.output), "old");
}

// Matches at the start of each game, and stops the search in one of them.
static atomic_int stopped;
static int64_t stopping_game;

static void match_until_stop(Context *c)
{
    c->hit[c->hit_count++] = 0;
    if (c->game->number == stopping_game)
        atomic_store(&stopped, 1);
}

static void match_slowly(Context *c)
{
    usleep(300000);
    if (c->game->number == 1)
        c->hit[c->hit_count++] = 0;
}

// What is kept, and how to go on.
static void test_what_is_said_of_an_end(void **state)
{
    (void)state;
    static const struct {
        int64_t stop, first, last;
        unsigned flags;
        bool file;
        const char *said;
    } cases[] = {
        {3, 0, 0, 0, false, "cqlgen: interrupted after 3 games; 3 of them match; -g 4- goes on\n"},
        {1, 0, 0, 0, false, "cqlgen: interrupted after 1 game; 1 of them matches; -g 2- goes on\n"},
        {3, 1, 0, 0, false, "cqlgen: interrupted after 3 games; 3 of them match; -g 4- goes on\n"},
        {3, 2, 0, 0, false, "cqlgen: interrupted after 3 games; 2 of them match; -g 4- goes on\n"},
        {3, 2, 5, 0, false, "cqlgen: interrupted after 3 games; 2 of them match; -g 4-5 goes on\n"},
        {3, 0, 0, QUERY_SEQUENTIAL, false, "cqlgen: interrupted after 3 games; 3 of them match\n"},
        {3, 0, 0, 0, true, " has the 3 that match; -g 4- goes on\n"},
        {1, 0, 0, 0, true, " has the 1 that matches; -g 2- goes on\n"},
    };
    static char five[128], kept[128];
    const char *const input[] = {strcpy(five, path("five.pgn"))};
    strcpy(kept, path("kept"));
    write_file(input[0], "1. e4 *\n\n1. d4 *\n\n1. c4 *\n\n1. b4 *\n\n1. a4 *\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        atomic_store(&stopped, 0);
        stopping_game = cases[i].stop;
        const SearchOptions o = {.input = input,
                                 .input_count = 1,
                                 .output = cases[i].file ? kept : NULL,
                                 .format = FORMAT_COUNT,
                                 .first_game = cases[i].first,
                                 .last_game = cases[i].last,
                                 .threads = 1,
                                 .stop = &stopped};
        const QueryInfo query = {.match_game = match_until_stop, .flags = cases[i].flags};
        const char *said = captured(2, query, o, STATUS_INTERRUPTED);
        if (cases[i].file)
            said = strstr(said, " has the ");
        assert_string_equal(said, cases[i].said);
    }
    const SearchOptions late = {.input = input,
                                .input_count = 1,
                                .output = kept,
                                .format = FORMAT_COUNT,
                                .max_seconds = 0.25,
                                .threads = 1};
    assert_string_equal(
        captured(2, (QueryInfo){.match_game = match_slowly}, late, STATUS_GAME_ERRORS),
        "cqlgen: time limit reached: only the first 1 game has been searched; -g 2- goes on\n");
    assert_string_equal(read_file(kept), "1\n");
}

static void test_output(void **state)
{
    (void)state;
    const char *name = path("output"), *link = path("link");
    write_file(name, "old");
    chmod(name, 0640);
    assert_int_equal(symlink("output", link), 0);
    OutputFile *o = output_open(link, 0);
    assert_true(output_write(o, "new", 3));
    assert_string_equal(read_file(name), "old"); // until it is complete
    assert_true(output_close(o, true));
    assert_string_equal(read_file(name), "new");
    struct stat status;
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(name, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    o = output_open(name, 0);
    assert_true(output_write(o, "half", 4));
    assert_true(output_close(o, false));
    assert_string_equal(read_file(name), "new");
    o = output_open(path("fresh"), 0);
    assert_true(output_close(o, false));
    assert_null(read_file(path("fresh")));
}

static void test_full_disk(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    const char *const input[] = {path("many.pgn")};
    SearchOptions o = {
        .input = input, .input_count = 1, .output = "/dev/full", .format = FORMAT_PGN, .threads = 2};
    assert_string_equal(captured(2, (QueryInfo){.match_game = match_all}, o, STATUS_OUTPUT),
                        "cqlgen: cannot write /dev/full: No space left on device\n");
    SearchTotals totals; // what would not be written is not searched
    o.threads = 1;
    const int err = captured_begin(2), status = run_query((QueryInfo){.match_game = match_all}, o, &totals);
    captured_end(2, err);
    assert_int_equal(status, STATUS_OUTPUT);
    assert_true(totals.games > 0 && totals.games < GAMES / 2);
}

static int open_games(void **state)
{
    const int failed = open_folder(state);
    if (!failed)
        write_games(path("many.pgn"));
    return failed;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"many.pgn", "two.pgn", "five.pgn", "sort.pgn", "out",
                                        "kept",     "output",  "link",     "fifo"};
    return remove_files(names, sizeof names / sizeof *names);
}

// A file that changes beyond what this process reads of it has changed all the same.
static void test_changed_file(void **state)
{
    (void)state;
    write_games(path("changes.pgn"));
    const char *const input[] = {path("changes.pgn")};
    for (int threads = 1; threads <= 2; threads++) {
        Shared shared = {.file = input[0]};
        const SearchShare share = {.user = &shared, .claim = claim_two, .give = take_given};
        const SearchOptions options = {
            .input_count = 1, .input = input, .threads = threads, .format = FORMAT_COUNT, .share = &share};
        assert_int_equal(run_query((QueryInfo){.match_game = match_all}, options, NULL), STATUS_INPUT);
        assert_int_equal(shared.given, 2);
    }
    unlink(path("changes.pgn"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),         cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_last_number),   cmocka_unit_test(test_own_last_number),
        cmocka_unit_test(test_limit),         cmocka_unit_test(test_end_of_limit),
        cmocka_unit_test(test_sorted_output), cmocka_unit_test(test_spill),
        cmocka_unit_test(test_merge),         cmocka_unit_test(test_bound),
        cmocka_unit_test(test_messages),      cmocka_unit_test(test_by_query),
        cmocka_unit_test(test_thread_marks),  cmocka_unit_test(test_missing_input),
        cmocka_unit_test(test_interrupted),   cmocka_unit_test(test_what_is_said_of_an_end),
        cmocka_unit_test(test_output),        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_changed_file),  cmocka_unit_test(test_mutexes),
    };
    return cmocka_run_group_tests(tests, open_games, remove_folder);
}
