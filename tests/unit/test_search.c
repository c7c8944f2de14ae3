// The driver: order, limits, outputs and exit statuses, with matchers written by hand.
#include "calls_fixture.h"
#include "folder_fixture.h"
#include "mutex_fixture.h"
#include "run_fixture.h"

#include <stdio.h>
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

static void match_all(Context *c)
{
    for (int32_t i = 0; i < c->game->count; i++)
        c->hit[c->hit_count++] = i;
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

// ---- tests ------------------------------------------------------------------------------------------------

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

static void test_spill(void **state)
{
    (void)state;
    SortedGames all = {0};
    for (int number = 0; number < 400; number++) {
        GameRecord game = {.game = number};
        buffer_format(&game.output, "text of %d", number);
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
            snprintf(expected, sizeof expected, "text of %d", (int)game->game);
            expect_bytes(&game->output, expected);
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
    static const char *const names[] = {"many.pgn", "two.pgn", "five.pgn", "out", "kept", "output"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changed_file), cmocka_unit_test(test_end_of_limit),
        cmocka_unit_test(test_spill),        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_bound),        cmocka_unit_test(test_thread_marks),
        cmocka_unit_test(test_interrupted),  cmocka_unit_test(test_what_is_said_of_an_end),
        cmocka_unit_test(test_mutexes),
    };
    return cmocka_run_group_tests(tests, open_games, remove_folder);
}
