// One thread of a search: what the games of a block add to each result.
#include "run_fixture.h"
#include "record_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/search/worker.h"

// ---- queries ----------------------------------------------------------------------------------------------

enum { QUERIES = 3 };

static QueryInfo query[QUERIES];
static bool excluded[QUERIES][16]; // by query and game: by its tags
static int evaluated[QUERIES];

static int32_t test_tags(Context *c, int32_t atom)
{
    (void)atom;
    return !excluded[c->query - query][c->game->number];
}

// Matches at the positions after a move of White, and says so.
static void match_white(Context *c)
{
    evaluated[c->query - query]++;
    for (int32_t i = 1; i < c->game->count; i += 2)
        c->hit[c->hit_count++] = i;
}

static void match_nothing(Context *c)
{
    evaluated[c->query - query]++;
}

static void match_message(Context *c)
{
    evaluated[c->query - query]++;
    c->at = 1;
    rt_message(c, 0, STR("said"), true);
    if (c->game->number == 2)
        rt_raise(c, RAISE_ABORT, NULL);
    c->hit[c->hit_count++] = 0;
}

// Fails in all games but the second one.
static void match_fails(Context *c)
{
    evaluated[c->query - query]++;
    c->at = 1;
    if (c->game->number != 2)
        rt_raise(c, RAISE_ABORT, NULL);
    c->hit[c->hit_count++] = 0;
}

// Matches at the start; its key is the number of positions.
static void match_sorted(Context *c)
{
    rt_sort_int(c, 0, 0, c->game->count, 0);
    c->hit[c->hit_count++] = 0;
}

static void set_queries(void (*first)(Context *c), void (*second)(Context *c), void (*third)(Context *c))
{
    static const char *const names[] = {"a.cql", "b.cql", "c.cql"};
    static const int32_t columns[] = {1 << COLUMN_OTHER}, formula[] = {0};
    void (*const body[])(Context * c) = {first, second, third};
    memset(excluded, 0, sizeof excluded);
    for (int q = 0; q < QUERIES; q++)
        query[q] = (QueryInfo){.name = names[q],
                               .source = names[q],
                               .match_game = body[q],
                               .tag_atom = test_tags,
                               .tag_atom_count = 1,
                               .tag_columns = columns,
                               .tag_same = formula,
                               .tag_formula = formula,
                               .tag_formula_count = 1};
}

// ---- searching --------------------------------------------------------------------------------------------

typedef struct Searched {
    Matcher matcher;
    SearchOptions options;
    Plan plan;
    size_t memory_of_tree; // 0: as the options say
    Ending ending;
    Block *block;
} Searched;

static const char *const outputs[] = {"-", "-", "-"};

// Searches the games as one block with the first `queries` queries. `s` has the options, and the ending.
static void search(Searched *s, uint32_t queries, const char *pgn)
{
    static const char *const input[] = {"games.pgn"};
    static Text memory;
    const char *name = NULL;
    char *message = NULL;
    Buffer reports = {0};
    memset(evaluated, 0, sizeof evaluated);
    memory = (Text){pgn, strlen(pgn)};
    s->matcher = (Matcher){CQL_MAGIC, CQL_ABI_VERSION, queries, query, "test", CQL_LAYOUT};
    s->options.input = input;
    s->options.input_count = 1;
    s->options.in_memory = &memory;
    s->plan = plan_search(&s->matcher, &s->options);
    if (s->memory_of_tree > 0)
        s->plan.memory_of_tree = s->memory_of_tree;
    Worker *w = worker_open(&s->plan, &s->ending, NULL, 7, &name, &message);
    assert_non_null(w);
    s->block = block_new(&s->plan);
    Inputs in = {.options = &s->options};
    assert_true(inputs_next_block(&in, &reports, &s->block->input));
    worker_search(w, s->block);
    worker_close(w);
    inputs_close(&in);
    buffer_free(&reports);
}

static void end(Searched *s)
{
    block_free(s->block);
    plan_free(&s->plan);
}

typedef struct Numbers {
    int64_t games, matches, hits, positions, damaged, errors;
} Numbers;

static void expect_totals(const Part *part, Numbers n)
{
    const SearchTotals *t = &part->totals;
    assert_int_equal(t->games, n.games);
    assert_int_equal(t->matches, n.matches);
    assert_int_equal(t->hits, n.hits);
    assert_int_equal(t->positions, n.positions);
    assert_int_equal(t->damaged, n.damaged);
    assert_int_equal(t->errors, n.errors);
}

typedef struct ByQuery {
    int64_t matches, hits, errors, by_tags, evaluated;
} ByQuery;

static void expect_query(const Part *part, uint32_t q, ByQuery n)
{
    const QueryTotals *t = &part->query[q];
    assert_int_equal(t->matches, n.matches);
    assert_int_equal(t->hits, n.hits);
    assert_int_equal(t->errors, n.errors);
    assert_int_equal(t->by_tags, n.by_tags);
    assert_int_equal(t->by_moves, 0);
    assert_int_equal(t->evaluated, n.evaluated);
}

// Games of 2, 3, 1 and 4 positions; the third one is damaged.
static const char four[] = "1. e4 *\n\n1. d4 d5 *\n\n1. Ke5 *\n\n1. a3 a6 2. b3 *\n";

#define DAMAGE "games.pgn:5: game 3: illegal move 1. Ke5, the rest of the game is dropped\n"

// ---- totals -----------------------------------------------------------------------------------------------

static void test_totals(void **state)
{
    (void)state;
    set_queries(match_white, match_nothing, match_white);
    Searched s = {.options = {.format = FORMAT_POSITIONS}};
    search(&s, 3, four);
    const Part *part = s.block->part;
    expect_totals(part, (Numbers){.games = 4, .matches = 3, .hits = 8, .positions = 10, .damaged = 1});
    expect_query(part, 0, (ByQuery){.matches = 3, .hits = 4, .evaluated = 4});
    expect_query(part, 1, (ByQuery){.evaluated = 4});
    expect_query(part, 2, (ByQuery){.matches = 3, .hits = 4, .evaluated = 4});
    EXPECT_TEXTS(part, output,
                 "a.cql\t1: 1\nc.cql\t1: 1\na.cql\t2: 1\nc.cql\t2: 1\na.cql\t4: 1 3\nc.cql\t4: 1 3\n");
    EXPECT_TEXTS(part, messages, "");
    assert_int_equal(s.block->games, 4);
    assert_int_equal(s.block->positions, 10);
    for (size_t i = 0; i < record_count(part); i++)
        assert_int_equal(record_at(part, i).totals.length, 0); // there is no limit
    EXPECT_TEXTS(part, reports, DAMAGE);
    end(&s);
}

// A game whose start cannot be read is searched, but has no positions.
static void test_skipped(void **state)
{
    (void)state;
    set_queries(match_white, match_white, match_nothing);
    query[1].flags = QUERY_VARIATIONS;
    Searched s = {.options = {.format = FORMAT_COUNT}};
    search(&s, 2, "[FEN \"no position\"]\n\n1. e4 *\n\n1. e4 *\n");
    expect_totals(s.block->part,
                  (Numbers){.games = 2, .matches = 1, .hits = 2, .positions = 2, .damaged = 1});
    assert_int_equal(s.block->positions, 2);
    end(&s);
}

// A game that is read as a line and as a tree counts once, and so does its damage.
static void test_line_and_tree(void **state)
{
    (void)state;
    for (int trees = 0; trees < 4; trees++) { // which queries look at variations
        set_queries(match_white, match_white, match_nothing);
        query[0].flags = trees & 1 ? QUERY_VARIATIONS : 0;
        query[1].flags = trees & 2 ? QUERY_VARIATIONS : 0;
        Searched s = {.options = {.format = FORMAT_COUNT}};
        search(&s, 2, four);
        expect_totals(s.block->part,
                      (Numbers){.games = 4, .matches = 3, .hits = 8, .positions = 10, .damaged = 1});
        assert_int_equal(s.block->positions, 10);
        EXPECT_TEXTS(s.block->part, reports, DAMAGE);
        end(&s);
    }
}

// A game counts for a result that wants it; its positions, damage and errors count when one of its queries has evaluated it.
static void test_several(void **state)
{
    (void)state;
    set_queries(match_white, match_white, match_fails);
    excluded[0][3] = excluded[0][4] = excluded[1][1] = true;
    Searched s = {.options = {.format = FORMAT_POSITIONS, .outputs = outputs}};
    search(&s, 3, four);
    const Part *part = s.block->part;
    expect_totals(&part[0], (Numbers){.games = 4, .matches = 2, .hits = 2, .positions = 5});
    expect_totals(&part[1], (Numbers){.games = 4, .matches = 2, .hits = 3, .positions = 8, .damaged = 1});
    expect_totals(&part[2],
                  (Numbers){.games = 4, .matches = 1, .hits = 1, .positions = 10, .damaged = 1, .errors = 3});
    expect_query(&part[0], 0, (ByQuery){.matches = 2, .hits = 2, .by_tags = 2, .evaluated = 2});
    expect_query(&part[1], 0, (ByQuery){.matches = 2, .hits = 3, .by_tags = 1, .evaluated = 3});
    expect_query(&part[2], 0, (ByQuery){.matches = 1, .hits = 1, .errors = 3, .evaluated = 4});
    EXPECT_TEXTS(&part[0], output, "1: 1\n2: 1\n");
    EXPECT_TEXTS(&part[1], output, "2: 1\n4: 1 3\n");
    EXPECT_TEXTS(&part[2], output, "2: 0\n");
    EXPECT_TEXTS(&part[0], reports, "");
    assert_int_equal(record_count(&part[0]), 2);
    assert_int_equal(record_count(&part[1]), 3);
    const GameRecord damaged = record_at(&part[1], 1);
    assert_true(damaged.game == 3 && damaged.damage == damaged.reports.length && damaged.damage > 0 &&
                !damaged.failed && !damaged.matches);
    assert_int_equal(record_count(&part[2]), 4);
    for (int i = 0; i < 4; i++) {
        const GameRecord record = record_at(&part[2], (size_t)i);
        assert_true(record.game == i + 1 && record.failed == (i != 1) && record.matches == (i == 1));
        assert_int_equal(record.damage, i == 2 ? damaged.damage : 0);
    }
    assert_int_equal(s.block->games, 4);
    assert_int_equal(s.block->positions, 10);
    end(&s);
}

// A game in which several queries fail counts once.
static void test_errors(void **state)
{
    (void)state;
    set_queries(match_fails, match_fails, match_white);
    Searched s = {.options = {.format = FORMAT_POSITIONS}};
    search(&s, 3, four);
    const Part *part = s.block->part;
    expect_totals(part,
                  (Numbers){.games = 4, .matches = 3, .hits = 6, .positions = 10, .damaged = 1, .errors = 3});
    expect_query(part, 0, (ByQuery){.matches = 1, .hits = 1, .errors = 3, .evaluated = 4});
    expect_query(part, 1, (ByQuery){.matches = 1, .hits = 1, .errors = 3, .evaluated = 4});
    expect_query(part, 2, (ByQuery){.matches = 3, .hits = 4, .evaluated = 4});
    EXPECT_TEXTS(part, reports,
                 "games.pgn:1: game 1: position 1: a.cql: cql_abort was evaluated\n"
                 "games.pgn:1: game 1: position 1: b.cql: cql_abort was evaluated\n" DAMAGE
                 "games.pgn:5: game 3: position 1: a.cql: cql_abort was evaluated\n"
                 "games.pgn:5: game 3: position 1: b.cql: cql_abort was evaluated\n"
                 "games.pgn:7: game 4: position 1: a.cql: cql_abort was evaluated\n"
                 "games.pgn:7: game 4: position 1: b.cql: cql_abort was evaluated\n");
    end(&s);
}

// ---- which games ------------------------------------------------------------------------------------------

// Results end at their limits, at their last games, and when they are complete.
static void test_ends(void **state)
{
    (void)state;
    set_queries(match_white, match_white, match_white);
    query[1].flags = QUERY_HAS_GAMENUMBER;
    query[1].gamenumber_low = 2, query[1].gamenumber_high = 2;
    atomic_bool complete[3] = {false, false, true};
    Searched s = {.options = {.format = FORMAT_POSITIONS, .outputs = outputs, .limit = 2},
                  .ending = {.result_complete = complete}};
    search(&s, 3, four);
    const Part *part = s.block->part;
    expect_totals(&part[0], (Numbers){.games = 2, .matches = 2, .hits = 2, .positions = 5});
    expect_totals(&part[1], (Numbers){.games = 2, .matches = 1, .hits = 1, .positions = 3});
    expect_totals(&part[2], (Numbers){0});
    expect_query(&part[1], 0, (ByQuery){.matches = 1, .hits = 1, .by_tags = 1, .evaluated = 1});
    assert_int_equal(record_count(&part[0]), 2);
    assert_int_equal(record_count(&part[1]), 1);
    part_cut(&s.block->part[0], 1);
    EXPECT_TEXTS(&part[0], output, "1: 1\n");
    assert_int_equal(part[0].totals.games, 1);
    part_cut(&s.block->part[1], 1);
    assert_int_equal(part[1].totals.games, 2);
    assert_int_equal(s.block->games, 2); // the third one is of no use to any
    assert_int_equal(evaluated[0], 2);
    end(&s);
}

// Whether a block is finished or only partly searched.
static void test_partial(void **state)
{
    (void)state;
    set_queries(match_white, match_white, match_white);
    static atomic_int stop;
    for (int i = 0; i < 4; i++) {
        atomic_bool complete[1] = {i == 3};
        Searched s = {.options = {.format = FORMAT_POSITIONS},
                      .ending = {.complete = i == 1, .stop = &stop, .result_complete = complete}};
        atomic_store(&stop, i == 2);
        search(&s, 1, four);
        assert_int_equal(s.block->games, i == 0 ? 4 : 0);
        assert_int_equal(s.block->partial, i == 1 || i == 2);
        end(&s);
    }
    atomic_store(&stop, 0);
    for (int i = 0; i < 2; i++) { // a time that has passed, or has not
        Searched s = {.options = {.format = FORMAT_POSITIONS},
                      .ending = {.deadline = clock_now() + (i ? 1000 : -1)}};
        search(&s, 1, four);
        assert_int_equal(s.block->games, i ? 4 : 0);
        assert_int_equal(s.block->partial, !i);
        end(&s);
    }
}

static atomic_int signalled;

// Matches at the start, and says so; in the third game a signal comes.
static void match_until_signal(Context *c)
{
    evaluated[c->query - query]++;
    rt_message(c, 0, STR("said"), true);
    c->hit[c->hit_count++] = 0;
    if (c->game->number != 3)
        return;
    atomic_store(&signalled, 1);
    c->steps = 0;
    rt_raise(c, RAISE_STEPS, NULL);
}

// A game whose evaluation a signal ends is not searched, whatever its other queries have found in it; the next ones neither.
static void test_signal_in_game(void **state)
{
    (void)state;
    for (int several = 0; several < 2; several++) {
        set_queries(match_white, match_until_signal, match_fails);
        atomic_store(&signalled, 0);
        Searched s = {
            .options = {.format = FORMAT_POSITIONS, .outputs = several ? outputs : NULL, .limit = 9},
            .ending = {.stop = &signalled}};
        search(&s, 3, "1. e4 *\n\n1. d4 d5 *\n\n1. c4 *\n\n1. b4 *\n");
        assert_true(s.block->partial);
        assert_int_equal(s.block->games, 2);
        assert_int_equal(evaluated[0], 3);
        assert_int_equal(evaluated[1], 3);
        assert_int_equal(evaluated[2], 2); // it is the next one
        const Part *part = s.block->part;
        if (several) {
            static const int64_t matches[] = {2, 2, 1}, errors[] = {0, 0, 1};
            static const char *const text[] = {"1: 1\n2: 1\n", "1: 0\n2: 0\n", "2: 0\n"};
            for (int q = 0; q < 3; q++) {
                assert_int_equal(part[q].totals.games, 2);
                assert_int_equal(part[q].totals.matches, matches[q]);
                assert_int_equal(part[q].totals.hits, matches[q]);
                assert_int_equal(part[q].totals.errors, errors[q]);
                assert_int_equal(record_matches(&part[q]), matches[q]);
                EXPECT_TEXTS(&part[q], output, text[q]);
            }
            EXPECT_TEXTS(&part[1], messages, "said\nsaid\n");
        } else {
            assert_int_equal(part->totals.games, 2);
            assert_int_equal(part->totals.matches, 2);
            assert_int_equal(part->totals.hits, 5);
            assert_int_equal(part->totals.errors, 1);
            assert_int_equal(record_matches(part), 2);
            EXPECT_TEXTS(part, output, "a.cql\t1: 1\nb.cql\t1: 0\na.cql\t2: 1\nb.cql\t2: 0\nc.cql\t2: 0\n");
            EXPECT_TEXTS(part, messages, "said\nsaid\n");
            EXPECT_TEXTS(part, reports, "games.pgn:1: game 1: position 1: c.cql: cql_abort was evaluated\n");
        }
        end(&s);
    }
}

static bool wanted_by_caller(void *user, const Game *game)
{
    (void)user;
    return game->view.number % 2 == 0;
}

// Games outside of the range and those that the caller does not want are counted, but not read.
static void test_wanted(void **state)
{
    (void)state;
    set_queries(match_white, match_white, match_white);
    static const struct {
        int64_t first, last;
        bool caller;
        int games, evaluated;
    } cases[] = {{0, 0, false, 4, 4}, {2, 0, false, 4, 3}, {4, 4, false, 4, 1}, {0, 3, false, 3, 3},
                 {0, 0, true, 4, 2},  {3, 9, true, 4, 1},  {5, 0, false, 4, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Searched s = {.options = {.format = FORMAT_POSITIONS,
                                  .first_game = cases[i].first,
                                  .last_game = cases[i].last,
                                  .wanted = cases[i].caller ? wanted_by_caller : NULL}};
        search(&s, 1, four);
        assert_int_equal(s.block->part->totals.games, cases[i].games);
        assert_int_equal(evaluated[0], cases[i].evaluated);
        end(&s);
    }
}

// A game that needs too much memory is left out with a report, once in the results of several queries.
static void test_size(void **state)
{
    (void)state;
    static const char report[] = "games.pgn:1: game 1: the game needs more than 0 MB of memory and is left "
                                 "out; --max-memory allows more\n";
    set_queries(match_white, match_white, match_white);
    excluded[1][1] = true;
    Searched s = {.options = {.format = FORMAT_POSITIONS, .outputs = outputs}, .memory_of_tree = 1};
    search(&s, 3, "1. e4 *\n");
    for (int q = 0; q < 3; q++) {
        const Part *part = &s.block->part[q];
        expect_totals(part, (Numbers){.games = 1, .errors = q != 1});
        EXPECT_TEXTS(part, reports, q != 1 ? report : "");
        assert_int_equal(evaluated[q], 0);
    }
    BlockTexts texts = block_texts(s.block, NULL);
    expect_bytes(&texts.reports, report);
    assert_true(texts.errors == 1);
    block_texts_free(&texts);
    end(&s);
}

// Games that come in the order of keys are kept with them: those of each query, then the number of its matching positions.
static void test_keys(void **state)
{
    (void)state;
    static const SortKeyInfo key = {.name = "moves", .is_min = true};
    set_queries(match_sorted, match_white, match_nothing);
    query[0].sort_key = &key;
    query[0].sort_key_count = 1;
    query[1].flags = QUERY_SORT_MATCHCOUNT;
    excluded[0][2] = excluded[1][4] = true;
    Searched s = {.options = {.format = FORMAT_FEN}};
    search(&s, 2, four);
    const Part *part = s.block->part;
    // a value begins with a zero; numbers have their highest byte first, with 2^31 more; the greatest count comes first
    static const struct {
        int64_t number;
        size_t length;
        const char *keys;
    } games[] = {{1, 10, "\0\x80\0\0\2\0\x7f\xff\xff\xfe"},
                 {2, 6, "\1\0\x7f\xff\xff\xfe"},
                 {3, 6, "\0\x80\0\0\1\1"},
                 {4, 6, "\0\x80\0\0\4\1"}};
    assert_int_equal(record_count(part), 4);
    for (size_t i = 0; i < 4; i++) {
        const GameRecord record = record_at(part, i);
        assert_true(record.game == games[i].number && record.output.length > 0);
        assert_int_equal(record.keys.length, games[i].length);
        assert_memory_equal(record.keys.start, games[i].keys, games[i].length);
    }
    end(&s);
}

// ---- messages ---------------------------------------------------------------------------------------------

static void test_messages(void **state)
{
    (void)state;
    static const SearchFrames frames = {"begin\n", "end\n", "failed\n", "passed\n", false};
    set_queries(match_message, match_nothing, match_nothing);
    Searched s = {.options = {.format = FORMAT_NONE}};
    search(&s, 2, "1. e4 *\n\n1. d4 *\n\n1. c4 *\n");
    EXPECT_TEXTS(s.block->part, messages, "said\nsaid\nsaid\n");
    assert_true(record_at(s.block->part, 0).begins_line);
    end(&s);
    s = (Searched){.options = {.format = FORMAT_NONE, .frames = &frames}};
    search(&s, 2, "1. e4 *\n\n1. d4 *\n\n1. c4 *\n");
    EXPECT_TEXTS(s.block->part, messages,
                 "begin\nsaid\nend\nbegin\nsaid\nend\n"
                 "failed\ngames.pgn:3: game 2: position 1: a.cql: cql_abort was "
                 "evaluated\npassed\nbegin\nsaid\nend\n");
    end(&s);
}

static int32_t failing_at, failing_place;

static void match_fails_there(Context *c)
{
    c->at = failing_at;
    c->slot[0].i = failing_place;
    rt_raise(c, RAISE_ABORT, NULL);
}

// An error tells the position, and the line and column of the query, as far as they are known.
static void test_places(void **state)
{
    (void)state;
    static const struct {
        int32_t at, place;
        const char *report;
    } cases[] = {{-1, 0, "a.cql: "},
                 {0, 0, "position 0: a.cql: "},
                 {1, PLACE(1, 1), "position 1: a.cql:1:1: "},
                 {-1, PLACE(1, 0), "a.cql:1: "},
                 {-1, PLACE(23, 45), "a.cql:23:45: "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[100];
        set_queries(match_fails_there, match_nothing, match_nothing);
        query[0].slot_count = query[0].place_cell = 1;
        failing_at = cases[i].at;
        failing_place = cases[i].place;
        Searched s = {.options = {.format = FORMAT_NONE}};
        search(&s, 1, "1. e4 *\n");
        snprintf(expected, sizeof expected, "games.pgn:1: game 1: %scql_abort was evaluated\n",
                 cases[i].report);
        EXPECT_TEXTS(s.block->part, reports, expected);
        end(&s);
    }
}

// A game of the format pgn that is longer than is allowed is cut, with a report; other formats know no limit.
static void test_cut(void **state)
{
    (void)state;
    static const char game[] = "1. e4 {a comment} e5 2. Nf3 Nc6 3. Bb5 *\n";
    static const SearchFormat formats[] = {FORMAT_PGN, FORMAT_CSV};
    for (size_t i = 0; i < 2; i++) {
        set_queries(match_white, match_nothing, match_nothing);
        Searched whole = {.options = {.format = formats[i]}};
        search(&whole, 1, game);
        const int64_t length = (int64_t)record_at(whole.block->part, 0).output.length;
        for (int64_t limit = length - 1; limit <= length; limit++) {
            char expected[100] = "";
            const bool cut = limit < length && formats[i] == FORMAT_PGN;
            Searched s = {.options = {.format = formats[i], .game_bytes = limit}};
            search(&s, 1, game);
            if (cut)
                snprintf(expected, sizeof expected,
                         "games.pgn:1: game 1: its output is longer than %d bytes and was cut\n", (int)limit);
            EXPECT_TEXTS(s.block->part, reports, expected);
            const int64_t written = (int64_t)record_at(s.block->part, 0).output.length;
            assert_true(cut ? written < length : written == length);
            end(&s);
        }
        end(&whole);
    }
}

// Marks for each game, each group of games and each tenth of a group.
static void test_marks(void **state)
{
    (void)state;
    static const SearchFrames apart = {"", "", "", "", true};
    static const struct {
        int64_t games;
        bool matches, threads;
        const SearchFrames *frames;
        const char *text;
    } cases[] = {{0, false, false, NULL, ""},
                 {0, true, false, NULL, "<1><2><4>"},
                 {2, false, false, NULL, "[2]\n[4]\n"},
                 {2, true, true, NULL, "<1><2>[2:7]\n<4>[4:7]\n"},
                 {1, false, true, NULL, "[1:7]\n[2:7]\n[3:7]\n[4:7]\n"},
                 {9, false, false, NULL, ""}, // no tenths
                 {10, false, false, NULL, "...."},
                 {20, false, true, NULL, ".7.7"},
                 {29, false, false, NULL, ".."},
                 {40, false, false, &apart, ".\n"},
                 {2, true, false, &apart, "<1>\n<2>\n[2]\n<4>\n[4]\n"}};
    set_queries(match_white, match_nothing, match_nothing);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Searched s = {.options = {.format = FORMAT_NONE,
                                  .show_matches = cases[i].matches,
                                  .show_games = cases[i].games,
                                  .show_threads = cases[i].threads,
                                  .frames = cases[i].frames}};
        search(&s, 2, four);
        EXPECT_TEXTS(s.block->part, messages, cases[i].text);
        end(&s);
    }
}

// Queries that read variants do not see games of unknown ones; each result says so once.
static void test_variants(void **state)
{
    (void)state;
    static const char games[] =
        "1. e4 *\n\n[Variant \"Bughouse\"]\n\n1. d4 *\n\n[Variant \"Wild\"]\n\n1. c4 *\n";
    for (int skip = 0; skip < 2; skip++) {
        set_queries(match_white, match_white, match_white);
        query[0].flags = query[1].flags = QUERY_VARIANTS;
        query[1].flags |= QUERY_HAS_GAMENUMBER; // it wants the third game only
        query[1].gamenumber_low = query[1].gamenumber_high = 3;
        Searched s = {.options = {.format = FORMAT_POSITIONS, .outputs = outputs, .skip_variants = skip}};
        search(&s, 3, games);
        static const int found[] = {1, 0, 3};
        static const char *const said[] = {
            "games.pgn:3: game 2: the variant \"Bughouse\" is not supported; its games are not searched\n",
            "games.pgn:7: game 3: the variant \"Wild\" is not supported; its games are not searched\n", ""};
        for (int q = 0; q < 3; q++) {
            assert_int_equal(evaluated[q], found[q]);
            expect_query(
                &s.block->part[q], 0,
                (ByQuery){
                    .matches = found[q], .hits = found[q], .by_tags = 3 - found[q], .evaluated = found[q]});
            expect_bytes(&s.block->part[q].foreign, skip ? "" : said[q]);
        }
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_totals),   cmocka_unit_test(test_several),
        cmocka_unit_test(test_errors),   cmocka_unit_test(test_ends),
        cmocka_unit_test(test_partial),  cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_messages), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_size),     cmocka_unit_test(test_signal_in_game),
        cmocka_unit_test(test_keys),     cmocka_unit_test(test_places),
        cmocka_unit_test(test_cut),      cmocka_unit_test(test_line_and_tree),
        cmocka_unit_test(test_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
