// The search of databases: what is read, which games are left out, what is counted of games that are not read, and groups of them.
#include "database_fixture.h"
#include "run_fixture.h"

#include <zstd.h>

#include "runtime/database/checksum.h"
#include "runtime/format/groups.h"
#include "runtime/search/search.h"
#include "runtime/search/sink.h"

// ---- queries ----------------------------------------------------------------------------------------------

enum { QUERIES = 2 };
static QueryInfo query[QUERIES];
static int64_t evaluated[QUERIES];

static void match_start(Context *c)
{
    evaluated[c->query - query]++;
    c->hit[c->hit_count++] = 0;
}

static int32_t found_by_screen; // positions, in each game

static void screen(const LineGroup *group, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t g = 0; g < count; g++)
        for (int lane = 0; lane < LINE_LANES; lane++)
            for (int q = 0; q < QUERIES; q++)
                if (found[q])
                    found[q][g][lane] = group[g].length[lane] > 0 ? found_by_screen : 0;
}

static int32_t white_atom(Context *c, int32_t atom)
{
    (void)atom;
    String white;
    return rt_player(c, 0, &white) && strcmp(white->bytes, "Ann") == 0;
}

static void set_queries(void)
{
    static const char *const names[] = {"a", "b"};
    memset(evaluated, 0, sizeof evaluated);
    for (int q = 0; q < QUERIES; q++)
        query[q] = (QueryInfo){.name = names[q],
                               .source = names[q],
                               .match_game = match_start,
                               .screen_place = q,
                               .screen_cost = 100};
}

// Games of Ann match, as their tags say.
static void set_tags(QueryInfo *q)
{
    static const int32_t columns[] = {1 << COLUMN_WHITE}, formula[] = {0};
    q->tag_atom = white_atom;
    q->tag_atom_count = q->tag_formula_count = 1;
    q->tag_columns = columns;
    q->tag_formula = formula;
    q->tag_same = formula;
}

typedef struct Searched {
    int status;
    SearchTotals totals;
    QueryTotals by_query[QUERIES];
    char said[1000];
} Searched;

static Searched search(uint32_t queries, const char *const *input, size_t inputs, SearchOptions o)
{
    Searched s = {0};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, queries, query, "test", CQL_LAYOUT};
    memset(evaluated, 0, sizeof evaluated);
    o.input = input;
    o.input_count = inputs;
    o.output = o.output ? o.output : "/dev/null";
    o.threads = 1;
    o.quiet = true;
    o.by_query = s.by_query;
    const int err = captured_begin(2);
    s.status = search_run(&matcher, &o, &s.totals);
    snprintf(s.said, sizeof s.said, "%s", captured_end(2, err));
    return s;
}

static const SearchOptions count_only = {.format = FORMAT_COUNT}, positions = {.format = FORMAT_POSITIONS};

// ---- what is read -----------------------------------------------------------------------------------------

static const char of_players[] = "[White \"Ann\"]\n\n1. e4 *\n\n[White \"Bob\"]\n\n1. d4 d5 *\n\n"
                                 "[White \"Ann\"]\n\n1. c4 c5 2. Nf3 *\n";

// Where tags decide, games are counted with nothing but columns: the chunk itself may be damaged. What wants more reads it.
static void test_columns_alone(void **state)
{
    (void)state;
    const char *const input[] = {make("games.cqldb", of_players)};
    change(input[0],
           "UPDATE chunk SET moves = x'00', games = zeroblob(length(games)), tags = x'00', texts = x'00'");
    set_queries();
    set_tags(&query[0]);
    for (int decided = 0; decided < 2; decided++)
        for (int counted = 0; counted < 2; counted++) {
            query[0].tags_decide = decided;
            const Searched s = search(1, input, 1, counted ? count_only : positions);
            const bool alone = decided && counted;
            assert_int_equal(s.status, alone ? STATUS_OK : STATUS_INPUT);
            assert_int_equal(s.totals.matches, alone ? 2 : 0);
            assert_int_equal(s.totals.hits, alone ? 2 + 4 : 0); // all positions of the two games
            assert_int_equal(s.by_query[0].by_tags, 1);
            assert_int_equal(evaluated[0], 0);
        }
    // nor do games that all are ruled out need more
    change(input[0], "UPDATE chunk SET moves_sum = 0");
    query[0].tags_decide = false;
    query[0].results = 1 << RESULT_DRAW;
    const Searched s = search(1, input, 1, positions);
    assert_int_equal(s.status, STATUS_OK);
    assert_int_equal(s.totals.games, 3);
    assert_int_equal(s.by_query[0].by_tags, 3);
}

// Of games that are not read, only those in the range that is searched count.
static void test_range(void **state)
{
    (void)state;
    const char *const database = make("games.cqldb", of_players), *const input[] = {database, database};
    static const struct {
        int64_t first, last;
        int matches, hits, by_tags;
    } cases[] = {{0, 0, 4, 12, 2}, {2, 0, 3, 10, 2}, {2, 4, 2, 6, 1}, {3, 3, 1, 4, 0}, {5, 5, 0, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int decided = 0; decided < 2; decided++) {
            set_queries();
            set_tags(&query[0]);
            query[0].tags_decide = decided;
            const SearchOptions o = {
                .format = FORMAT_COUNT, .first_game = cases[i].first, .last_game = cases[i].last};
            const Searched s = search(1, input, 2, o);
            assert_int_equal(s.totals.matches, cases[i].matches);
            assert_int_equal(s.totals.hits, decided ? cases[i].hits : cases[i].matches);
            assert_int_equal(s.by_query[0].by_tags, cases[i].by_tags);
            assert_int_equal(s.totals.positions, cases[i].hits); // of games that tags do not rule out
            assert_int_equal(evaluated[0], decided ? 0 : cases[i].matches);
        }
    // the same by moves, of PGN and of a database
    for (int i = 0; i < 24; i++) {
        const char *const pgn = write_file(path("games.pgn"), of_players), *const stored =
                                                                               path("games.cqldb");
        static const int of_games_from[] = {9, 9, 7, 4}; // positions
        const int first = i % 4;
        const char *const one[] = {i / 4 % 2 ? stored : pgn};
        found_by_screen = i / 8 % 2;
        set_queries();
        query[0].flags = i < 16 ? QUERY_EXACT_SCREEN : 0;
        query[0].screen = screen;
        const Searched s = search(1, one, 1, (SearchOptions){.format = FORMAT_COUNT, .first_game = first});
        const int games = first < 2 ? 3 : 4 - first;
        if (s.totals.games != 3 || s.totals.positions != of_games_from[first] ||
            s.totals.matches != (found_by_screen ? games : 0) ||
            s.by_query[0].by_moves != (found_by_screen ? 0 : games))
            fail_msg("case %d: %d games with %d positions, %d match, %d are ruled out", i,
                     (int)s.totals.games, (int)s.totals.positions, (int)s.totals.matches,
                     (int)s.by_query[0].by_moves);
    }
    for (int i = 0; i < 2; i++) { // the second of two files
        const char *const file = path(i ? "games.cqldb" : "games.pgn"), *const two[] = {file, file};
        found_by_screen = 1;
        set_queries();
        query[0].screen = screen;
        const Searched s = search(1, two, 2, (SearchOptions){.format = FORMAT_COUNT, .first_game = 5});
        assert_true(s.totals.games == 6 && s.totals.matches == 2 && s.totals.positions == 3 + 4);
    }
    // a sample without games rules nothing out
    for (int i = 0; i < 4; i++) {
        const char *const one[] = {i % 2 ? path("games.cqldb") : path("games.pgn")};
        set_queries();
        if (i < 2)
            set_tags(&query[0]);
        query[0].screen = screen;
        found_by_screen = 0;
        const Searched s = search(1, one, 1, (SearchOptions){.format = FORMAT_COUNT, .sample = 1});
        assert_true(s.totals.games == 0 && s.totals.positions == 0);
        assert_true(s.by_query[0].by_tags == 0 && s.by_query[0].by_moves == 0);
    }
}

// ---- damage -----------------------------------------------------------------------------------------------

// The damage of a chunk is reported once, however many of its games need the part; these are left out.
static void test_damaged_part(void **state)
{
    (void)state;
    static const char games[] =
        "1. e4 {a} *\n\n1. d4 {b} *\n\n1. c4 *\n\n1. b4 {c} *\n\n1. f4 *\n\n1. g4 {d} *\n";
    static const struct {
        const char *damage;
        int evaluated;
    } cases[] = {{"UPDATE chunk SET texts_sum = 0", 2},
                 {"UPDATE chunk SET tags_sum = 0", 0},
                 {"UPDATE chunk SET moves_sum = 0", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const input[] = {make("games.cqldb", games)};
        char message[200];
        change(input[0], cases[i].damage);
        set_queries();
        query[0].flags = QUERY_NEEDS_NOTES;
        const Searched s = search(1, input, 1, count_only);
        snprintf(message, sizeof message, "%s: error: chunk 1 is damaged: its checksum is wrong\n", input[0]);
        assert_string_equal(s.said, message);
        assert_int_equal(s.status, STATUS_INPUT);
        assert_int_equal(evaluated[0], cases[i].evaluated);
        assert_int_equal(s.totals.matches, cases[i].evaluated);
    }
}

// A game whose packed text is damaged is reported with its number in the search.
static void test_damaged_game(void **state)
{
    (void)state;
    static const char texts[] =
        "\5\5\2\2 *\3\5 *"; // "1. " and three moves, one more than the game has; "1. ", a move
    const char *const database = make("games.cqldb", "1. e4 e5 *\n\n1. d4 *\n");
    char blob[100];
    const size_t length = ZSTD_compress(blob + 2, sizeof blob - 2, texts, sizeof texts - 1, 1);
    blob[0] = (char)length;
    blob[1] = sizeof texts - 1;
    sqlite3 *sql = open_sql(database);
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_prepare_v2(sql, "UPDATE chunk SET texts = ?, texts_sum = ?", -1, &s, NULL),
                     SQLITE_OK);
    sqlite3_bind_blob(s, 1, blob, (int)length + 2, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, checksum_of(blob, length + 2));
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    // both games say that they have comments
    static const char index[] = "\2\0\10\0\0\20\20\200\1\0\10\0\0\20\20\200";
    assert_int_equal(sqlite3_prepare_v2(sql, "UPDATE chunk SET games = ?, games_sum = ?", -1, &s, NULL),
                     SQLITE_OK);
    sqlite3_bind_blob(s, 1, index, sizeof index - 1, SQLITE_STATIC);
    sqlite3_bind_int64(s, 2, checksum_of(index, sizeof index - 1));
    assert_int_equal(sqlite3_step(s), SQLITE_DONE);
    sqlite3_finalize(s);
    sqlite3_close(sql);
    const char *const input[] = {write_file(path("games.pgn"), "1. a3 *\n\n1. b3 *\n\n1. c3 *\n"), database};
    set_queries();
    query[0].flags = QUERY_NEEDS_NOTES;
    char message[200];
    for (int second = 0; second < 2; second++) {
        const Searched got = search(1, input + !second, 1 + (size_t)second, count_only);
        snprintf(message, sizeof message, "%s: error: game %d is damaged\n", database, second ? 4 : 1);
        assert_memory_equal(got.said, message, strlen(message));
        assert_int_equal(got.status, STATUS_INPUT);
    }
}

// ---- heavy games ------------------------------------------------------------------------------------------

// A game whose text needs too much memory is left out by a query that reads its comments, whatever its screen finds; a query that needs
// no texts takes what its screen finds.
static void test_heavy(void **state)
{
    (void)state;
    const size_t memory = 64 << 20; // of a game: a quarter of all
    size_t variations = 1;
    while (game_fits((Text){"", 0}, variations + 1, memory))
        variations++;
    char *text = calloc(1, 4 * variations + 100), *end = text;
    end += sprintf(end, "1. d4 {x} ");
    for (size_t i = 0; i < variations; i++)
        end += sprintf(end, "(a%c)", i % 2 ? '3' : '4');
    sprintf(end, " *\n\n1. e4 {x} *\n");
    const size_t bytes = strlen(text);
    assert_true(game_surely_fits(bytes, 65535, false, memory)); // without its variations it would have room
    assert_false(game_fits((Text){text, bytes}, 0, memory));
    const char *const pgn = write_file(path("games.pgn"), text), *const database = make("games.cqldb", text);
    free(text);
    for (int i = 0; i < 8; i++) {
        const bool notes = i & 1, stored = i & 2, out = notes || !stored; // PGN is text for all queries
        const char *const input[] = {stored ? database : pgn};
        found_by_screen = i >> 2;
        set_queries();
        query[0].flags = QUERY_EXACT_SCREEN | (notes ? QUERY_NEEDS_NOTES : 0);
        query[0].screen = screen;
        const Searched s =
            search(1, input, 1, (SearchOptions){.format = FORMAT_COUNT, .memory = 4 * (int64_t)memory});
        assert_int_equal(s.status, out ? STATUS_GAME_ERRORS : STATUS_OK);
        assert_int_equal(s.totals.matches, found_by_screen * (2 - out));
        assert_int_equal(s.totals.errors, out);
        assert_int_equal(s.totals.games, 2);
        assert_int_equal(strstr(s.said, "the game needs more than 64 MB of memory") != NULL, out);
        assert_int_equal(evaluated[0], 0);
    }
}

// ---- what is wanted ---------------------------------------------------------------------------------------

static bool wants_second(void *user, const Game *game)
{
    (void)user;
    return game->view.number == 2;
}

static void drop(void *user, Buffer *out, const FoundGame *found, FormatMemory *memory)
{
    (void)user, (void)out, (void)found, (void)memory;
}

// Counts are enough where nothing is wanted but numbers of games and positions.
static void test_counts(void **state)
{
    (void)state;
    static const SearchSink sink = {.write = drop}, counter = {0};
    static const struct {
        SearchOptions o;
        int matches, evaluated;
    } cases[] = {{{.format = FORMAT_COUNT}, 3, 0},
                 {{.format = FORMAT_NONE}, 3, 0},
                 {{.format = FORMAT_FEN}, 3, 3},
                 {{.format = FORMAT_COUNT, .wanted = wants_second}, 1, 1},
                 {{.format = FORMAT_COUNT, .run.first = true}, 3, 3},
                 {{.format = FORMAT_NONE, .sink = &sink}, 3, 3},
                 {{.format = FORMAT_NONE, .sink = &counter}, 3, 0},
                 {{.format = FORMAT_COUNT, .no_prefilter = true}, 3, 3},
                 {{.format = FORMAT_COUNT, .run.max_steps = 1000}, 3, 3},
                 {{.format = FORMAT_COUNT, .limit = 2}, 2, 0},
                 {{.format = FORMAT_COUNT, .last_game = 2}, 2, 0},
                 {{.format = FORMAT_COUNT, .first_game = 2}, 2, 0}};
    const char *const input[] = {make("games.cqldb", of_players)};
    found_by_screen = 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_queries();
        query[0].flags = QUERY_EXACT_SCREEN;
        query[0].screen = screen;
        const Searched s = search(1, input, 1, cases[i].o);
        if (s.totals.matches != cases[i].matches || evaluated[0] != cases[i].evaluated)
            fail_msg("case %d: %d games match, %d were evaluated", (int)i, (int)s.totals.matches,
                     (int)evaluated[0]);
    }
    const char *const pgn[] = {write_file(path("games.pgn"), of_players)};
    for (int stored = 0; stored < 2; stored++) { // equal queries are counted together
        set_queries();
        for (int q = 0; q < QUERIES; q++) {
            query[q].source = "the same";
            query[q].flags = QUERY_EXACT_SCREEN;
            query[q].screen = screen;
        }
        const Searched s = search(QUERIES, stored ? input : pgn, 1, count_only);
        for (int q = 0; q < QUERIES; q++)
            assert_true(s.by_query[q].matches == 3 && s.by_query[q].hits == 3 && evaluated[q] == 0);
        assert_int_equal(s.totals.matches, 3);
    }
}

// Rules out games of `ruled_out` plies and says nothing about others.
static uint64_t ruled_out;
static void reticent_screen(const LineGroup *group, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t g = 0; g < count; g++)
        for (int lane = 0; lane < LINE_LANES; lane++)
            for (int q = 0; q < QUERIES; q++)
                if (found[q] && group[g].length[lane] == ruled_out)
                    found[q][g][lane] = 0;
}

// Games that a screen is silent about are evaluated.
static void test_silence(void **state)
{
    (void)state;
    enum { STORED = 1, EXACT = 2, SHOWN = 4, BOTH = 8, SOME = 16, CASES = 32 };
    for (int i = 0; i < CASES; i++) {
        const char *const input[] = {i & STORED ? make("games.cqldb", of_players)
                                                : write_file(path("games.pgn"), of_players)};
        const uint32_t queries = i & BOTH ? QUERIES : 1;
        set_queries();
        for (uint32_t q = 0; q < queries; q++) {
            query[q].flags = i & EXACT ? QUERY_EXACT_SCREEN : 0;
            query[q].screen = reticent_screen;
        }
        ruled_out = i & SOME ? 1 : 100;
        const Searched s = search(queries, input, 1, i & SHOWN ? positions : count_only);
        for (uint32_t q = 0; q < queries; q++)
            if (s.by_query[q].matches != (i & SOME ? 2 : 3) || s.by_query[q].hits != s.by_query[q].matches ||
                evaluated[q] != s.by_query[q].matches)
                fail_msg("case %d, query %d: %d games, %d positions, %d were evaluated", i, (int)q,
                         (int)s.by_query[q].matches, (int)s.by_query[q].hits, (int)evaluated[q]);
    }
}

// ---- groups -----------------------------------------------------------------------------------------------

// Groups by a tag that is no column read the tags of all games that count: damage is reported once, and by columns nothing is read.
static void test_groups_of_damage(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        bool all, decided;
        int status;
        const char *rows; // after the first line
    } cases[] = {{"white", false, true, STATUS_OK, "Ann,2,100.00,0,0,0\r\n"},
                 {"white", true, true, STATUS_OK, "Ann,2,2,100.00,0,0,0\r\nBob,0,1,0.00,0,0,0\r\n"},
                 {"Round", true, true, STATUS_INPUT, ""},
                 {"Round", true, false, STATUS_INPUT, ""},
                 {"Round", false, false, STATUS_INPUT, ""},
                 {"white", true, false, STATUS_INPUT, "Ann,0,2,0.00,0,0,0\r\nBob,0,1,0.00,0,0,0\r\n"}};
    const char *const input[] = {make("games.cqldb", of_players)};
    change(input[0], "UPDATE chunk SET tags_sum = 0");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GroupSpec spec = {0};
        assert_null(group_spec_read(&spec, cases[i].keys));
        assert_null(group_measures_read(&spec, NULL));
        spec.of_all = cases[i].all;
        set_queries();
        set_tags(&query[0]);
        query[0].tags_decide = cases[i].decided;
        const Searched s = search(
            1, input, 1, (SearchOptions){.format = FORMAT_CSV, .count_by = &spec, .output = path("out")});
        char message[200] = "";
        if (cases[i].status != STATUS_OK)
            snprintf(message, sizeof message, "%s: error: chunk 1 is damaged: its checksum is wrong\n",
                     input[0]);
        assert_string_equal(s.said, message);
        assert_int_equal(s.status, cases[i].status);
        const char *text = read_file(path("out")), *line = text ? strchr(text, '\n') : NULL;
        assert_non_null(line);
        if (strcmp(line + 1, cases[i].rows) != 0)
            fail_msg("case %d: %s", (int)i, text);
        assert_int_equal(evaluated[0], 0);
        group_spec_free(&spec);
    }
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"games.cqldb", "games.pgn", "out"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_alone), cmocka_unit_test(test_range),
        cmocka_unit_test(test_damaged_part),  cmocka_unit_test(test_damaged_game),
        cmocka_unit_test(test_heavy),         cmocka_unit_test(test_counts),
        cmocka_unit_test(test_silence),       cmocka_unit_test(test_groups_of_damage)};
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
