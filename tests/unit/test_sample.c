// Groups and samples in a search: the results of games that are not read, what columns say, which games are in a sample.
#include "database_fixture.h"
#include "run_fixture.h"

#include <xxhash.h>

#include "runtime/format/groups.h"
#include "runtime/search/search.h"

static void match_start(Context *c)
{
    c->hit[c->hit_count++] = 0;
}

static const QueryInfo query = {.name = "test", .source = "", .match_game = match_start};

static SearchTotals search(const char *const *input, size_t inputs, SearchOptions o)
{
    SearchTotals totals;
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
    o.input = input;
    o.input_count = inputs;
    o.output = path("out");
    o.threads = 1;
    o.quiet = true;
    assert_int_equal(search_run(&matcher, &o, &totals), STATUS_OK);
    return totals;
}

// The table of groups, by CSV.
static const char *groups_of(const char *const *input, size_t inputs, const char *keys, bool of_all)
{
    GroupSpec spec = {0};
    assert_null(group_spec_read(&spec, keys));
    assert_null(group_measures_read(&spec, NULL));
    spec.of_all = of_all;
    search(input, inputs, (SearchOptions){.format = FORMAT_CSV, .count_by = &spec});
    group_spec_free(&spec);
    return read_file(path("out"));
}

// ---- results ----------------------------------------------------------------------------------------------

// The result at the end of the text counts more than the tag, but only where it is a word of its own outside of comments.
static void test_results(void **state)
{
    (void)state;
    static const struct {
        const char *game, *result;
    } cases[] = {{"1. e4 1-0", "1-0"},
                 {"1. e4 0-1", "0-1"},
                 {"1. e4 1/2-1/2", "1/2-1/2"},
                 {"1. e4 *", "*"},
                 {"1. e4", "*"},
                 {"[Result \"0-1\"]\n\n1. e4 1-0", "1-0"},
                 {"[Result \"0-1\"]\n\n1. e4", "0-1"},
                 {"[Result \"0-1\"]\n\n1. e4\t1-0", "1-0"},
                 {"[Result \"0-1\"]\n\n1. e4\n1-0", "1-0"},
                 {"[Result \"0-1\"]\n\n1. e4\r1-0", "1-0"},
                 {"[Result \"0-1\"]\n\n1. e4 ; 1-0", "0-1"},
                 {"[Result \"0-1\"]\n\n1. e4 ;1-0", "0-1"},
                 {"[Result \"0-1\"]\n\n1. e4\n; 1-0", "0-1"},
                 {"[Result \"0-1\"]\n\n1. e4\n% 1-0", "0-1"},
                 {"[Result \"0-1\"]\n\n1. e4\n%x\n1-0", "1-0"},
                 {"[Result \"0-1\"]\n\n1. e4 ; x\n1-0", "1-0"},
                 {"[Result \"0-1\"]\n\n1. e4 ; x\r\n1-0", "1-0"},
                 {"[Result \"0-1\"]\n\n1. e4 {x}1-0", "1-0"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const input[] = {write_file(path("games.pgn"), cases[i].game)}, *result = cases[i].result;
        char wanted[200];
        const int err = captured_begin(2); // where a game has no result at its end
        const char *text = groups_of(input, 1, "result", true);
        char *copy = strdup(text);
        captured_end(2, err);
        snprintf(wanted, sizeof wanted,
                 "result,games,of_all,percent,white,draws,black\r\n%s,1,1,100.00,%d,%d,%d\r\n", result,
                 *result == '1' && result[1] == '-', result[1] == '/', *result == '0');
        if (strcmp(copy, wanted) != 0)
            fail_msg("%s: %s", cases[i].game, copy);
        free(copy);
    }
}

// ---- columns ----------------------------------------------------------------------------------------------

static const char some_games[] =
    "[White \"Ann\"]\n[Black \"Bob\"]\n[Event \"Cup\"]\n[Site \"Z\xC3\xBCrich\"]\n[Date \"1999.05.03\"]\n"
    "[WhiteElo \"2210\"]\n[BlackElo \"2450\"]\n[ECO \"B23\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n"
    "[White \"Bob\"]\n[Black \"Ann\"]\n[Site \"Rome\"]\n[Date \"2000.12.??\"]\n[WhiteElo \"2450\"]\n"
    "[ECO \"E99z4\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n"
    "[White \"Ann\"]\n[Black \"Zo\xC3\xAB\"]\n[Event \"Cup\"]\n[Date \"2001.??.??\"]\n[BlackElo \"2300\"]\n"
    "[Result \"0-1\"]\n\n1. c4 0-1\n\n"
    "[Round \"1\"]\n\n*\n";

#define KEYS "White,Black,Event,Site,Date,year,month,result,eco,eco/2,white_elo/100,black_elo/50,elo/100"

// What columns say of a game is what its tags say.
static void test_columns(void **state)
{
    (void)state;
    static const char rows[] =
        "?,?,?,?,????.??.??,????,????.??,*,,,,,,1,1,100.00,0,0,0\r\n"
        "Ann,Bob,Cup,Z\xC3\xBCrich,1999.05.03,1999,1999.05,1-0,B23,B2,2200-2299,2450-2499,2300-2399,1,1,"
        "100.00,1,0,0\r\n"
        "Ann,Zo\xC3\xAB,Cup,?,2001.??.??,2001,2001.??,0-1,,,,2300-2349,,1,1,100.00,0,0,1\r\n"
        "Bob,Ann,?,Rome,2000.12.??,2000,2000.12,1/2-1/2,E99z4,E9,2400-2499,,,1,1,100.00,0,1,0\r\n";
    char *of_pgn[10];
    for (int stored = 0; stored < 2; stored++) {
        const char *const input[] = {stored ? make("games.cqldb", some_games)
                                            : write_file(path("games.pgn"), some_games)};
        const char *text = groups_of(input, 1, KEYS, true);
        assert_string_equal(strchr(text, '\n') + 1, rows);
        const char *const twice[] = {input[0], input[0]};
        const char *sums = groups_of(twice, 2, "White,Black", true);
        static const char both[] = "?,?,2,2,100.00,0,0,0\r\nAnn,Bob,2,2,100.00,2,0,0\r\n"
                                   "Ann,Zo\xC3\xAB,2,2,100.00,0,0,2\r\nBob,Ann,2,2,100.00,0,2,0\r\n";
        assert_string_equal(strchr(sums, '\n') + 1, both);
        static const char *const keys[] = {"White", "Black", "Event", "Site",        "Date",
                                           "year",  "month", "eco/2", "white_elo/1", "black_elo/1"};
        static const char *const values[][4] = {{"?", "Ann", "Bob"},
                                                {"?", "Ann", "Bob", "Zo\xC3\xAB"},
                                                {"?", "Cup"},
                                                {"?", "Rome", "Z\xC3\xBCrich"},
                                                {"????.??.??", "1999.05.03", "2000.12.??", "2001.??.??"},
                                                {"????", "1999", "2000", "2001"},
                                                {"????.??", "1999.05", "2000.12", "2001.??"},
                                                {"", "B2", "E9"},
                                                {"", "2210", "2450"},
                                                {"", "2300", "2450"}};
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) { // one alone, so that nothing else is read
            const char *line = groups_of(input, 1, keys[i], false);
            int lines = 0, wanted = 0;
            for (const char *p = line; *p; p++)
                lines += *p == '\n';
            for (int k = 0; k < 4 && values[i][k]; k++, wanted++) {
                char begin[60];
                snprintf(begin, sizeof begin, "\n%s,", values[i][k]);
                if (i >= 8 && *values[i][k]) // a band of one
                    snprintf(begin, sizeof begin, "\n%s-%s,", values[i][k], values[i][k]);
                if (!strstr(line, begin))
                    fail_msg("%s: %s", keys[i], line);
            }
            assert_int_equal(lines, 1 + wanted);
            if (!stored) {
                of_pgn[i] = strdup(line);
                continue;
            }
            assert_string_equal(line, of_pgn[i]); // with the numbers of wins
            free(of_pgn[i]);
        }
    }
}

// ---- samples ----------------------------------------------------------------------------------------------

typedef struct Sampled {
    const char *white, *black, *event, *site, *date;
} Sampled;

static uint64_t hash_of(const char *text)
{
    return XXH3_64bits(text, strlen(text));
}

// Is the game in the sample of half of them? This stays so: later programs choose the same games.
static bool is_in_half(const Sampled *s, uint64_t number)
{
    const bool unknown = strcmp(s->white, "?") == 0 && strcmp(s->black, "?") == 0;
    const uint64_t hash[] = {hash_of(s->white), hash_of(s->black), hash_of(s->event),
                             hash_of(s->site),  hash_of(s->date),  unknown ? number : 0};
    return XXH3_64bits(hash, sizeof hash) < 1ULL << 63;
}

// The same games of PGN and databases are in a sample; those without names are told apart by their numbers in the search.
static void test_sample(void **state)
{
    (void)state;
    enum { GAMES = 48 };
    static const char *const names[] = {"?", "Ann", "Zo\xC3\xAB"}, *const dates[] = {"????.??.??",
                                                                                     "1999.05.03"};
    static char text[2][20000];
    Sampled game[GAMES];
    for (int i = 0; i < GAMES; i++) {
        Sampled *s = &game[i];
        *s = (Sampled){names[i % 3], names[i / 3 % 3], names[i / 5 % 3], names[i / 7 % 3], dates[i % 2]};
        char *const half = text[i >= GAMES / 2];
        sprintf(half + strlen(half),
                "[White \"%s\"]\n[Black \"%s\"]\n[Event \"%s\"]\n[Site \"%s\"]\n[Date \"%s\"]\n\n1. e4 *\n\n",
                s->white, s->black, s->event, s->site, s->date);
    }
    const char *const database = make("games.cqldb", text[0]); // two chunks
    Source more = source_of(text[1]);
    import_text(database, "more.pgn", &more, (ImportOptions){0}, true);
    const char *const first = write_file(path("first.pgn"), text[0]), *const second = write_file(
                                                                          path("second.pgn"), text[1]);
    const char *const input[][3] = {{first, second, database}, {database, first, second}};
    for (int i = 0; i < 2; i++) {
        char wanted[2000] = "", *end = wanted;
        int count = 0;
        for (int n = 1; n <= 2 * GAMES; n++)
            if (is_in_half(&game[(n - 1) % GAMES], (uint64_t)n)) {
                end += sprintf(end, "%d: 0\n", n);
                count++;
            }
        const SearchOptions o = {.format = FORMAT_POSITIONS, .sample = search_sample(50)};
        const SearchTotals totals = search(input[i], 3, o);
        assert_string_equal(read_file(path("out")), wanted);
        assert_int_equal(totals.games, count);
        assert_true(count > GAMES / 2 && count < 3 * GAMES / 2);
    }
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"games.pgn", "games.cqldb", "first.pgn", "second.pgn", "out"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_results), cmocka_unit_test(test_columns),
                                       cmocka_unit_test(test_sample)};
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
