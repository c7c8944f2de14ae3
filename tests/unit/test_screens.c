// How much work a search does: which games are screened and which are evaluated, with screens written by hand.
#include "folder_fixture.h"
#include "run_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sqlite3.h>

#include "runtime/database/database.h"
#include "runtime/search/screens.h"
#include "runtime/search/search.h"
#include "runtime/search/sink.h"

// ---- queries ----------------------------------------------------------------------------------------------

enum { QUERIES = 12 };

// Of the games that the screen has seen, those from `from` to before `to` pass.
static int64_t from, to;
static bool first_only;  // only the first query finds something
static int32_t value;    // of games that pass
static int64_t seen;     // games that were screened
static int64_t times;    // calls of a screen
static bool slow_screen; // each takes a millisecond
static int64_t evaluated[QUERIES];
static QueryInfo query[QUERIES];
static QueryTotals totals_of[QUERIES];

static void screen(const LineGroup *group, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    times++;
    if (slow_screen)
        usleep(1000);
    for (int32_t g = 0; g < count; g++)
        for (int lane = 0; lane < LINE_LANES; lane++) {
            const bool game = group[g].length[lane] > 0, passes = game && seen >= from && seen < to;
            for (int q = 0; q < QUERIES; q++)
                if (found[q])
                    found[q][g][lane] = passes && !(first_only && q > 0) ? value : 0;
            seen += game;
        }
}

// The same work, for queries with a screen of their own.
static void other_screen(const LineGroup *group, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    screen(group, count, found);
}

static int32_t slow_game; // its evaluation takes a millisecond
static void match_start(Context *c)
{
    if (c->game->number == slow_game)
        usleep(1000);
    evaluated[c->query - query]++;
    c->hit[c->hit_count++] = 0;
}

static void match_everywhere(Context *c)
{
    evaluated[c->query - query]++;
    while (c->hit_count < c->game->count) {
        c->hit[c->hit_count] = c->hit_count;
        c->hit_count++;
    }
}

// Clean queries, of which the first `screened` have a screen.
static void set_queries(int screened)
{
    from = seen = times = slow_game = 0;
    to = INT64_MAX;
    first_only = slow_screen = false;
    value = 1;
    memset(evaluated, 0, sizeof evaluated);
    memset(totals_of, 0, sizeof totals_of);
    for (int q = 0; q < QUERIES; q++) {
        static char source[QUERIES][12];
        snprintf(source[q], sizeof source[q], "%d", q);
        query[q] = (QueryInfo){.name = "test",
                               .source = source[q],
                               .match_game = match_start,
                               .screen = q < screened ? screen : NULL,
                               .screen_place = q,
                               .screen_cost = 100};
    }
}

static int run_any(int queries, const char *const *input, size_t inputs, SearchOptions o,
                   SearchTotals *totals)
{
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, (uint32_t)queries, query, "test", CQL_LAYOUT};
    if (!o.output)
        o.output = "/dev/null";
    o.input = input;
    o.input_count = inputs;
    o.threads = 1;
    o.quiet = true;
    o.by_query = totals_of;
    return search_run(&matcher, &o, totals);
}

static SearchTotals run(int queries, const char *const *input, size_t inputs, SearchOptions o)
{
    SearchTotals totals;
    assert_int_equal(run_any(queries, input, inputs, o, &totals), STATUS_OK);
    return totals;
}

// Games with two moves.
static const char *games(const char *name, int count, int padding)
{
    const char *file = path(name);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    for (int i = 0; i < count; i++) {
        if (padding > 0)
            fprintf(f, "[Event \"%0*d\"]\n\n", padding, i);
        fputs("1. e4 e5 *\n\n", f);
    }
    fclose(f);
    return file;
}

static const char *import(const char *pgn)
{
    const char *database = path("games.cqldb");
    char command[512];
    snprintf(command, sizeof command, "cqlgen import -q %s -o %s", pgn, database);
    unlink(database);
    assert_int_equal(system(command), 0);
    return database;
}

static const SearchOptions positions = {.format = FORMAT_POSITIONS}, count_only = {.format = FORMAT_COUNT};

// ---- PGN: is it worthwhile? -------------------------------------------------------------------------------

// Queries with one screen are screened by one call.
static void test_calls(void **state)
{
    (void)state;
    for (int stored = 0; stored < 2; stored++) {
        const char *pgn = games("games.pgn", 20, 0);
        const char *const input[] = {stored ? import(pgn) : pgn};
        set_queries(3);
        to = 0;
        run(3, input, 1, positions);
        assert_int_equal(times, 1);
        set_queries(3);
        query[1].screen = other_screen;
        run(3, input, 1, positions);
        assert_int_equal(times, 2);
    }
}

// ---- which games ------------------------------------------------------------------------------------------

// Options with which a game that does not match leaves a trace, so that each game is evaluated.
static void test_options(void **state)
{
    (void)state;
    const char *const input[] = {games("games.pgn", 20, 0)};
    static const SearchOptions all[] = {{.format = FORMAT_POSITIONS, .no_prefilter = true},
                                        {.format = FORMAT_POSITIONS, .run.max_steps = 1000},
                                        {.format = FORMAT_POSITIONS, .limit = 20},
                                        {.format = FORMAT_POSITIONS, .last_game = 20},
                                        {.format = FORMAT_POSITIONS, .show_matches = true},
                                        {.format = FORMAT_POSITIONS, .show_games = 100}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        set_queries(1);
        to = 0;
        const SearchTotals totals = run(1, input, 1, all[i]);
        if (seen != 0 || evaluated[0] != 20 || totals.matches != 20)
            fail_msg("options %d: %d games were screened", (int)i, (int)seen);
    }
}

// A game that the screen cannot see is evaluated; one with another result is not.
static void test_games(void **state)
{
    (void)state;
    enum { LONG = 65536 };
    static const struct {
        const char *pgn;
        unsigned flags, results;
        bool screened, evaluated; // by a screen that lets nothing pass
    } cases[] = {{"1. e4 e5 *", 0, 0, true, false},
                 {"1. e4 -- *", 0, 0, false, true}, // a null move
                 {"1. e4 (1. d4) e5 *", 0, 0, true, false},
                 {"1. e4 (1. d4) e5 *", QUERY_VARIATIONS, 0, true, true},
                 {"1. e4 e5 *", QUERY_VARIATIONS, 0, true, false},
                 {"1. e4 {a comment} e5 *", QUERY_VARIATIONS, 0, true, false},
                 {"1. e4 e5 1-0", 0, 1 << RESULT_WHITE, true, false},
                 {"1. e4 -- 1-0", 0, 1 << RESULT_WHITE, false, true},
                 {"1. e4 e5 1-0", 0, 1 << RESULT_DRAW, true, false}};
    enum { CASES = sizeof cases / sizeof *cases };
    for (size_t k = 0; k < 2 * CASES; k++) {
        const size_t i = k % CASES;
        const bool stored = k >= CASES, other_result = cases[i].results & 1 << RESULT_DRAW;
        const char *pgn = write_file(path("games.pgn"), cases[i].pgn), *const input[] = {stored ? import(pgn)
                                                                                                : pgn};
        set_queries(1);
        to = 0;
        query[0].flags = cases[i].flags;
        query[0].results = cases[i].results;
        run(1, input, 1, positions);
        if (seen != (cases[i].screened && !other_result) || evaluated[0] != cases[i].evaluated)
            fail_msg("%s", cases[i].pgn);
        if (!cases[i].screened || cases[i].evaluated)
            continue;
        set_queries(1); // what passes is evaluated, unless its result is another one
        query[0].flags = cases[i].flags;
        query[0].results = cases[i].results;
        run(1, input, 1, positions);
        assert_int_equal(evaluated[0], !other_result);
    }
    for (int plies = LONG - 1; plies <= LONG; plies++) { // groups of games have room for 65535 plies
        static const char *const move[] = {"Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "};
        const char *const input[] = {path("games.pgn")};
        FILE *f = fopen(input[0], "w");
        for (int i = 0; i < plies; i++)
            fputs(move[i % 4], f);
        fputs("*", f);
        fclose(f);
        set_queries(1);
        to = 0;
        const SearchTotals totals = run(1, input, 1, positions);
        assert_int_equal(seen, plies < LONG);
        assert_int_equal(evaluated[0], plies == LONG);
        assert_int_equal(totals.positions, plies + 1);
    }
}

// An exact screen says how many positions match: nothing is evaluated when only these are counted.
static void test_counts(void **state)
{
    (void)state;
    for (int stored = 0; stored < 2; stored++) {
        const char *pgn = games("games.pgn", 50, 0);
        const char *const input[] = {stored ? import(pgn) : pgn};
        static const struct {
            int32_t low, high; // matchcount
            int value, matches;
        } cases[] = {{0, 0, 2, 10}, {2, 2, 2, 10}, {3, 4, 2, 0}, {1, 1, 2, 0}, {2, 9, 3, 10}};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            set_queries(1);
            query[0].flags = QUERY_EXACT_SCREEN | (cases[i].low > 0 ? QUERY_HAS_MATCHCOUNT : 0);
            query[0].matchcount_low = cases[i].low;
            query[0].matchcount_high = cases[i].high;
            from = 30, to = 40;
            value = cases[i].value;
            const SearchTotals totals = run(1, input, 1, count_only);
            assert_int_equal(evaluated[0], 0);
            assert_int_equal(totals.matches, cases[i].matches);
            assert_int_equal(totals.hits, cases[i].matches * cases[i].value);
            assert_int_equal(totals_of[0].matches, cases[i].matches);
            assert_int_equal(totals_of[0].hits, cases[i].matches * cases[i].value);
            assert_int_equal(totals_of[0].by_moves, 40);
            assert_int_equal(totals.games, 50);
            assert_int_equal(totals.positions, 150);
        }
        static const char *const outputs[] = {"/dev/null", "/dev/null"};
        const SearchOptions apart = {.format = FORMAT_COUNT, .outputs = outputs};
        set_queries(2); // each result for itself
        query[0].flags = query[1].flags = QUERY_EXACT_SCREEN;
        first_only = true;
        from = 30, to = 40;
        const SearchTotals several = run(2, input, 1, apart);
        assert_int_equal(evaluated[0], 0);
        assert_int_equal(several.matches, 10);
        assert_int_equal(several.games, 50);
        assert_int_equal(several.positions, 150);
        assert_int_equal(totals_of[0].matches, 10);
        assert_int_equal(totals_of[1].matches, 0);
        set_queries(1); // all games pass, and no work is lost
        query[0].flags = QUERY_EXACT_SCREEN;
        run(1, input, 1, count_only);
        assert_int_equal(seen, 50);
        static const SearchOptions more[] = {{.format = FORMAT_COUNT, .run.first = true},
                                             {.format = FORMAT_POSITIONS}};
        for (size_t i = 0; i < sizeof more / sizeof *more; i++) { // more than their number is wanted
            set_queries(1);
            query[0].flags = QUERY_EXACT_SCREEN;
            to = 10;
            run(1, input, 1, more[i]);
            assert_int_equal(evaluated[0], 10);
        }
    }
}

// The range of a query's game numbers holds for games that are only counted.
static void test_numbers(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const bool stored = i & 1, exact = i & 2;
        const char *pgn = games("games.pgn", 20, 0), *const input[] = {stored ? import(pgn) : pgn,
                                                                       games("first.pgn", 20, 0)};
        set_queries(2);
        for (int q = 0; q < 2; q++) {
            query[q].flags = QUERY_HAS_GAMENUMBER | (exact ? QUERY_EXACT_SCREEN : 0);
            query[q].gamenumber_low = q == 0 ? 3 : 19;
            query[q].gamenumber_high = q == 0 ? 7 : 22;
        }
        const SearchTotals totals = run(2, input, 2, count_only);
        assert_int_equal(totals_of[0].matches, 5);
        assert_int_equal(totals_of[1].matches, 4);
        assert_int_equal(totals.matches, 9);
        assert_int_equal(evaluated[0], stored && exact ? 0 : 5); // the rest of the games is not read
    }
}

// ---- what a screen sees -----------------------------------------------------------------------------------

typedef struct SeenLine {
    const char *moves;
    uint16_t plies, facts, men[2]; // men: of a database, which knows them
} SeenLine;

static const SeenLine lines[] = {
    {"1. e4 *", 1, 0, {16, 16}},
    {"1. f3 e5 2. g4 Qh4# 0-1", 4, LINE_MATE, {16, 16}},
    {"1. e4 d5 2. exd5 *", 3, 0, {16, 15}},
    {"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. O-O *", 7, LINE_CASTLES_KING &LINE_WHITE, {16, 16}},
    {"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. a3 O-O *", 8, LINE_CASTLES_KING &LINE_BLACK, {16, 16}},
    {"1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O *", 10, LINE_CASTLES_QUEEN, {16, 16}},
    {"1. e4 a6 2. e5 d5 3. exd6 *", 5, LINE_EN_PASSANT, {16, 15}},
    {"1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 h6 5. bxa8=Q *", 9, LINE_PROMOTES &LINE_WHITE, {16, 12}},
    {"1. a3 h5 2. b3 h4 3. c3 h3 4. d3 hxg2 5. e3 gxh1=N *", 10, LINE_PROMOTES &LINE_BLACK, {14, 16}},
    {"1. c4 h5 2. h4 a5 3. Qa4 Ra6 4. Qxa5 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 9. Qxc8 Kg6 "
     "10. Qe6 *",
     19,
     LINE_STALEMATE,
     {16, 10}},
};
enum { LINES = sizeof lines / sizeof *lines };

static bool stored_lines, seen_line[LINES];

static void screen_lines(const LineGroup *group, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    const unsigned told = LINE_MATE | LINE_STALEMATE | LINE_WHITE | LINE_BLACK | LINE_CASTLES_KING |
                          LINE_CASTLES_QUEEN | LINE_EN_PASSANT;
    for (int32_t g = 0; g < count; g++) {
        int32_t rows = 0;
        for (int lane = 0; lane < LINE_LANES; lane++) {
            const uint16_t plies = group[g].length[lane], facts = group[g].facts[lane] & told;
            found[0][g][lane] = plies > 0;
            rows = plies > rows ? plies : rows;
            for (int32_t row = 0; row < group[g].rows; row++)
                assert_int_equal(group[g].word[row * LINE_LANES + lane] != 0, row < plies);
            for (int i = 0; i < LINES; i++) // no two have the same plies, facts and men
                seen_line[i] |= plies == lines[i].plies && facts == lines[i].facts &&
                                group[g].men[0][lane] == (stored_lines ? lines[i].men[0] : 0) &&
                                group[g].men[1][lane] == (stored_lines ? lines[i].men[1] : 0);
        }
        assert_int_equal(group[g].rows, rows);
    }
}

static void test_lines(void **state)
{
    (void)state;
    const char *pgn = path("games.pgn");
    FILE *f = fopen(pgn, "w");
    for (int i = 0; i < LINES; i++)
        fprintf(f, "%s\n\n", lines[i].moves);
    fclose(f);
    for (int stored = 0; stored < 2; stored++) {
        const char *const input[] = {stored ? import(pgn) : pgn};
        set_queries(1);
        memset(seen_line, 0, sizeof seen_line);
        stored_lines = stored;
        query[0].screen = screen_lines;
        const SearchTotals totals = run(1, input, 1, positions);
        assert_int_equal(totals.matches, LINES);
        for (int i = 0; i < LINES; i++)
            if (!seen_line[i])
                fail_msg("%s: %s", stored ? "database" : "PGN", lines[i].moves);
    }
}

// ---- what is read of databases ----------------------------------------------------------------------------

static void copy_file(const char *old, const char *new)
{
    char bytes[4096];
    FILE *in = fopen(old, "r"), *out = fopen(new, "w");
    assert_true(in && out);
    for (size_t length; (length = fread(bytes, 1, sizeof bytes, in)) > 0;)
        assert_int_equal(fwrite(bytes, 1, length, out), length);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

// Parts of a database that a search does not need may be damaged.
static void test_parts(void **state)
{
    (void)state;
    enum { TAGS = 1, TEXTS = 2, CLOCKS = 4 };
    static const char plain[] = "1. e4 e5 *\n\n1. d4 d5 *\n",
                      noted[] = "1. e4 {a comment} e5 *\n\n1. d4 d5 *\n",
                      varied[] = "1. e4 (1. c4) e5 *\n\n1. d4 d5 *\n",
                      clocked[] = "1. e4 {[%clk 0:01:00]} e5 *\n\n1. d4 d5 *\n";
    static const char *const damage[] = {"UPDATE chunk SET tags = zeroblob(length(tags))",
                                         "UPDATE chunk SET texts = zeroblob(length(texts))",
                                         "UPDATE clocks SET clocks = zeroblob(length(clocks) + 1)"};
    static const struct {
        const char *pgn;
        unsigned flags;
        SearchFormat format;
        bool screened;
        unsigned reads;
    } cases[] = {{plain, QUERY_EXACT_SCREEN, FORMAT_COUNT, true, 0},
                 {plain, 0, FORMAT_COUNT, true, TAGS},
                 {plain, 0, FORMAT_COUNT, false, TAGS},
                 {plain, QUERY_NEEDS_NOTES, FORMAT_COUNT, false, TAGS},
                 {plain, QUERY_VARIATIONS, FORMAT_COUNT, false, TAGS},
                 {plain, QUERY_NEEDS_CLOCKS, FORMAT_COUNT, false, TAGS},
                 {plain, 0, FORMAT_PGN, false, TAGS},
                 {noted, 0, FORMAT_COUNT, false, TAGS},
                 {noted, QUERY_NEEDS_NOTES, FORMAT_COUNT, false, TAGS | TEXTS | CLOCKS},
                 {noted, QUERY_VARIATIONS, FORMAT_COUNT, false, TAGS},
                 {noted, 0, FORMAT_PGN, false, TAGS | TEXTS | CLOCKS},
                 {varied, QUERY_NEEDS_NOTES, FORMAT_COUNT, false, TAGS},
                 {varied, QUERY_VARIATIONS, FORMAT_COUNT, false, TAGS | TEXTS | CLOCKS},
                 {varied, QUERY_VARIATIONS | QUERY_EXACT_SCREEN, FORMAT_COUNT, true, TAGS | TEXTS | CLOCKS},
                 {varied, 0, FORMAT_FEN, false, TAGS | TEXTS | CLOCKS},
                 {clocked, QUERY_NEEDS_CLOCKS, FORMAT_COUNT, false, TAGS | CLOCKS},
                 {clocked, 0, FORMAT_COUNT, false, TAGS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int part = 0; part < 3; part++) {
            if (part == 0 && (i == 0 || cases[i].pgn != cases[i - 1].pgn))
                import(write_file(path("games.pgn"), cases[i].pgn));
            copy_file(path("games.cqldb"), path("damaged.cqldb"));
            const char *const input[] = {path("damaged.cqldb")};
            sqlite3 *sql;
            assert_int_equal(sqlite3_open(input[0], &sql), SQLITE_OK);
            assert_int_equal(sqlite3_exec(sql, damage[part], NULL, NULL, NULL), SQLITE_OK);
            sqlite3_close(sql);
            set_queries(cases[i].screened);
            query[0].flags = cases[i].flags;
            const SearchOptions o = {.format = cases[i].format};
            const int old = captured_begin(2);
            const int status = run_any(1, input, 1, o, NULL);
            const char *said = captured_end(2, old);
            const bool needed = cases[i].reads >> part & 1;
            char message[200] = "";
            if (needed) // once, however many games need it
                snprintf(message, sizeof message, "%s: error: chunk 1 is damaged: its checksum is wrong\n",
                         input[0]);
            // the screen counts games without variations; only what writes needs a text after the evaluation
            const bool exact = cases[i].screened && cases[i].flags & QUERY_EXACT_SCREEN;
            int64_t left = exact ? (cases[i].flags & QUERY_VARIATIONS) != 0 : 2;
            if (needed)
                left = part == 0 ? 0 : left - (cases[i].format == FORMAT_COUNT);
            if (status != (needed ? STATUS_INPUT : STATUS_OK) || strcmp(said, message) != 0 ||
                evaluated[0] != left)
                fail_msg("case %d, part %d: status %d, %d games, %s", (int)i, part, status, (int)evaluated[0],
                         said);
        }
}

// ---- databases --------------------------------------------------------------------------------------------

// The events are 0, 1, …: those below `deciding` decide.
static int deciding;

static int32_t event_atom(Context *c, int32_t atom)
{
    (void)atom;
    String event;
    return rt_tag(c, STR("Event"), &event) && atoi(event->bytes) < deciding;
}

static void set_tags(QueryInfo *q)
{
    static const int32_t columns[] = {1 << COLUMN_EVENT}, first[] = {0};
    q->tag_atom = event_atom;
    q->tag_atom_count = q->tag_formula_count = 1;
    q->tag_columns = columns;
    q->tag_same = q->tag_formula = first;
}

// A query whose tags decide is counted without its games; whatever else is wanted reads only those that match.
static void test_decided(void **state)
{
    (void)state;
    enum { GAMES = 30, FOUND = 12 };
    static const char *const outputs[] = {"/dev/null", "/dev/null"};
    const char *const input[] = {import(games("games.pgn", GAMES, 4))};
    static const struct {
        SearchOptions o;
        int queries, evaluated, matches, games;
    } cases[] = {{{.format = FORMAT_COUNT}, 1, 0, FOUND, GAMES},
                 {{.format = FORMAT_COUNT, .limit = 5}, 1, 0, 5, 5},
                 {{.format = FORMAT_COUNT, .last_game = 8}, 1, 0, 8, 8},
                 {{.format = FORMAT_COUNT, .first_game = 10}, 1, 0, 3, GAMES},
                 {{.format = FORMAT_COUNT, .outputs = outputs}, 2, 0, 2 * FOUND, GAMES},
                 {{.format = FORMAT_COUNT, .no_prefilter = true}, 1, FOUND, FOUND, GAMES},
                 {{.format = FORMAT_COUNT, .run.first = true}, 1, FOUND, FOUND, GAMES},
                 {{.format = FORMAT_POSITIONS}, 1, FOUND, FOUND, GAMES},
                 {{.format = FORMAT_POSITIONS, .limit = 5}, 1, 5, 5, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_queries(0);
        deciding = FOUND;
        for (int q = 0; q < 2; q++) {
            set_tags(&query[q]);
            query[q].tags_decide = 1;
            query[q].match_game = match_everywhere;
        }
        const SearchTotals totals = run(cases[i].queries, input, 1, cases[i].o);
        const int64_t hits = cases[i].o.run.first ? cases[i].matches : 3 * cases[i].matches;
        if (totals.matches != cases[i].matches || totals.hits != hits || evaluated[0] != cases[i].evaluated ||
            totals.games != cases[i].games)
            fail_msg("case %d: %d of %d games match, %d were evaluated, %d positions", (int)i,
                     (int)totals.matches, (int)totals.games, (int)evaluated[0], (int)totals.hits);
        if (i == 0 || cases[i].o.format == FORMAT_POSITIONS)
            assert_int_equal(totals_of[0].by_tags,
                             cases[i].games - cases[i].matches + (cases[i].o.limit ? GAMES - FOUND : 0));
    }
    set_queries(2); // a result that the header requires; what the other query wants makes no difference
    for (int queries = 1; queries <= 2; queries++) {
        query[queries - 1] = query[0];
        query[queries - 1].results = 1 << RESULT_DRAW;
        if (queries == 2)
            query[0].source = "all", query[0].screen = NULL, query[0].results = 0;
        run(queries, input, 1, positions);
        assert_int_equal(totals_of[queries - 1].by_tags, GAMES);
        assert_int_equal(totals_of[queries - 1].by_moves, 0);
        assert_int_equal(seen, 0);
    }
    const char *const pgn[] = {path("games.pgn")}; // the games that tags rule out are counted, not read
    set_queries(1);
    set_tags(&query[0]);
    const SearchTotals read = run(1, pgn, 1, positions);
    assert_int_equal(read.games, GAMES);
    assert_int_equal(read.matches, FOUND);
    assert_int_equal(read.positions, 3 * FOUND);
    assert_int_equal(seen, FOUND);
}

// ---- the price --------------------------------------------------------------------------------------------

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"games.pgn", "first.pgn", "games.cqldb", "damaged.cqldb"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls),   cmocka_unit_test(test_options), cmocka_unit_test(test_games),
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_numbers), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_decided), cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
