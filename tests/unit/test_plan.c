// The plan of a search: what is read of games, which games are wanted, when results are written, and how memory is divided.
#include "run_fixture.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/search/block.h"
#include "runtime/search/budget.h"
#include "runtime/search/sink.h"

enum {
    NOTES = PARSE_NOTES,
    CLOCKS = PARSE_CLOCKS,
    ALL = PARSE_NOTES | PARSE_CLOCKS, // what queries and writers read
    TREES = 1,                        // the games are read with their variations
    ONE_THREAD = 2,
    COUNTED = 4, // all games are counted before
    SORTED = 8,
    SPLIT = 16,
    STORED = 32
};

typedef struct Planned {
    unsigned flags; // of a single query
    SearchOptions options;
    unsigned query_reads, writer_reads, properties;
    int64_t last, limit; // 0: all
} Planned;

static void announce(void *user, int64_t games, int64_t bytes)
{
    (void)user, (void)games, (void)bytes;
}

static const char with_tag[] = "{White}.pgn";
static const SearchSink sink = {.flags = FORMAT_GAME | FORMAT_SORTED};
static const GroupSpec groups;

#define AS(...)                                                                                              \
    {                                                                                                        \
        .format = FORMAT_##__VA_ARGS__                                                                       \
    }
#define PLAN(query_flags, search_options, ...)                                                               \
    {                                                                                                        \
        .flags = query_flags, .options = search_options, __VA_ARGS__                                         \
    }

static const Planned plans[] = {
    PLAN(0, AS(PGN), .writer_reads = NOTES),
    PLAN(0, AS(CSV), .writer_reads = ALL),
    PLAN(0, AS(PGN, .sink = &sink), .writer_reads = ALL),
    PLAN(QUERY_NEEDS_NOTES, AS(CSV), .query_reads = NOTES, .writer_reads = ALL),
    PLAN(QUERY_NEEDS_CLOCKS, AS(CSV), .query_reads = CLOCKS, .writer_reads = ALL),
    PLAN(QUERY_VARIATIONS, AS(COUNT), .writer_reads = ALL, .properties = TREES),
    PLAN(QUERY_VARIATIONS | QUERY_NEEDS_CLOCKS, AS(COUNT), .query_reads = CLOCKS, .writer_reads = ALL,
         .properties = TREES),
    PLAN(QUERY_VARIATIONS | QUERY_NEEDS_CLOCKS, AS(PGN), .query_reads = ALL, .writer_reads = NOTES,
         .properties = TREES), // at once what the writer needs
    PLAN(QUERY_VARIATIONS, AS(PGN), .writer_reads = NOTES, .properties = TREES),
    PLAN(QUERY_SEQUENTIAL, AS(PGN), .writer_reads = NOTES, .properties = ONE_THREAD),
    PLAN(QUERY_NEEDS_LAST_NUMBER, AS(PGN), .writer_reads = NOTES, .properties = COUNTED),
    // the query wants games 3 to 8
    PLAN(QUERY_HAS_GAMENUMBER, AS(PGN), .writer_reads = NOTES, .last = 8),
    PLAN(QUERY_HAS_GAMENUMBER, AS(PGN, .last_game = 7), .writer_reads = NOTES, .last = 7),
    PLAN(QUERY_HAS_GAMENUMBER, AS(PGN, .last_game = 9), .writer_reads = NOTES, .last = 8),
    PLAN(0, AS(PGN, .last_game = 1), .writer_reads = NOTES, .last = 1),
    // order
    PLAN(QUERY_SORT_MATCHCOUNT, AS(PGN), .writer_reads = NOTES, .properties = SORTED | STORED),
    PLAN(QUERY_SORT_MATCHCOUNT, AS(PGN, .no_sort = true), .writer_reads = NOTES),
    PLAN(QUERY_SORT_MATCHCOUNT, AS(PGN, .sink = &sink), .writer_reads = ALL, .properties = SORTED | STORED),
    PLAN(QUERY_SORT_MATCHCOUNT, AS(PGN, .count_by = &groups), .writer_reads = NOTES),
    PLAN(QUERY_SORT_MATCHCOUNT, AS(COUNT), .writer_reads = ALL),
    PLAN(QUERY_SORT_MATCHCOUNT, AS(POSITIONS), .writer_reads = ALL),
    PLAN(QUERY_SORT_MATCHCOUNT, AS(POSITIONS, .limit = 1), .writer_reads = ALL,
         .properties = SORTED | STORED), // those after the first ones may be better
    PLAN(QUERY_SORT_MATCHCOUNT, AS(PGN, .limit = 4), .writer_reads = NOTES, .properties = SORTED | STORED),
    PLAN(0, AS(PGN, .limit = 4), .writer_reads = NOTES, .limit = 4),
    PLAN(0, AS(POSITIONS, .limit = 4), .writer_reads = ALL, .limit = 4),
    // kept to the end of the search
    PLAN(0, AS(HTML), .writer_reads = ALL, .properties = STORED),
    PLAN(0, AS(PGN, .before_results = announce), .writer_reads = NOTES, .properties = STORED),
    PLAN(0, AS(PGN, .split_output = true, .output = with_tag), .writer_reads = NOTES,
         .properties = SPLIT | STORED),
    PLAN(0, AS(PGN, .output = with_tag), .writer_reads = NOTES),
    PLAN(0, AS(PGN, .split_output = true), .writer_reads = NOTES),
    PLAN(0, AS(PGN, .split_output = true, .output = "White.pgn"), .writer_reads = NOTES),
    PLAN(0, AS(NONE, .split_output = true, .output = with_tag), .writer_reads = ALL),
};

static unsigned properties(const Plan *p)
{
    const ResultPlan *r = p->result;
    return (p->trees ? TREES : 0) | (p->sequential ? ONE_THREAD : 0) | (p->needs_last_number ? COUNTED : 0) |
           (r->sorted ? SORTED : 0) | (r->split ? SPLIT : 0) | (r->stored ? STORED : 0);
}

static void test_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        const Planned *p = &plans[i];
        const bool trees = p->properties & TREES;
        const int64_t last = p->last > 0 ? p->last : INT64_MAX;
        const QueryInfo info = {
            .name = "", .source = "", .flags = p->flags, .gamenumber_low = 3, .gamenumber_high = 8};
        const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &info, "test", CQL_LAYOUT};
        Plan plan = plan_search(&matcher, &p->options);
        if (plan.lines == trees || (trees ? plan.tree_parse : plan.line_parse) != p->query_reads ||
            (trees ? plan.line_parse : plan.tree_parse) != 0 || plan.written_parse != p->writer_reads)
            fail_msg("what plan %d reads", (int)i);
        const bool games =
            p->options.sink || (!p->options.count_by && format_info[p->options.format].flags & FORMAT_GAME);
        if (plan.format_flags & FORMAT_GAME ? !games : games)
            fail_msg("plan %d: whether games are written", (int)i);
        if (properties(&plan) != p->properties || plan.result_count != 1 || plan.result->limit != p->limit ||
            plan.result->last_wanted != last || plan.last_wanted != last)
            fail_msg("plan %d", (int)i);
        plan_free(&plan);
    }
}

// Each result of several has its own query, file and last game; a single one has what any of the queries needs.
static void test_several(void **state)
{
    (void)state;
    static const char *const outputs[] = {"{White}", "{Black}"};
    const unsigned number = QUERY_HAS_GAMENUMBER;
    const QueryInfo query[] = {{.name = "",
                                .source = "",
                                .flags = number | QUERY_SORT_MATCHCOUNT | QUERY_NEEDS_NOTES,
                                .gamenumber_high = 5},
                               {.name = "",
                                .source = "",
                                .flags = number | QUERY_VARIATIONS | QUERY_NEEDS_CLOCKS,
                                .gamenumber_high = 9}};
    const Matcher both = {CQL_MAGIC, CQL_ABI_VERSION, 2, query, "test", CQL_LAYOUT};
    const SearchOptions apart = AS(FEN, .outputs = outputs, .limit = 3, .split_output = true),
                        joined = AS(FEN, .output = "together", .limit = 3);
    Plan plan = plan_search(&both, &apart);
    assert_int_equal(plan.result_count, 2);
    for (uint32_t r = 0; r < 2; r++) {
        const ResultPlan *result = &plan.result[r];
        const Matcher own = result_matcher(result, &both);
        assert_true(result->first == r && result->count == 1 && result->output == outputs[r] &&
                    !result->split);
        assert_true(result->sorted == (r == 0) && result->stored == (r == 0));
        assert_int_equal(result->last_wanted, r == 0 ? 5 : 9);
        assert_int_equal(result->limit, r == 0 ? 0 : 3);
        assert_true(own.query == &query[r] && own.query_count == 1);
    }
    assert_true(plan.lines && plan.trees && plan.line_parse == NOTES && plan.tree_parse == ALL);
    assert_int_equal(plan.last_wanted, 9);
    plan_free(&plan);
    plan = plan_search(&both, &joined);
    assert_int_equal(plan.result_count, 1);
    assert_true(plan.result->first == 0 && plan.result->count == 2 && plan.result->output == joined.output);
    assert_true(plan.result->sorted && plan.result->last_wanted == 9 && plan.result->limit == 0);
    plan_free(&plan);
}

// ---- memory -----------------------------------------------------------------------------------------------

// What each use gets of the memory that the options allow, but never less than it needs.
static void test_memory(void **state)
{
    (void)state;
    static const struct {
        int64_t all, queries, text, tree, game, game_in_order; // MB
    } cases[] = {{1, 32, 16, 32, 4, 4},     {64, 32, 16, 32, 4, 8},        {128, 64, 16, 32, 4, 16},
                 {256, 128, 16, 64, 4, 32}, {1024, 512, 64, 256, 16, 128}, {4096, 2048, 256, 1024, 64, 512}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const SearchOptions o = {.memory = cases[i].all << 20};
        assert_int_equal(search_memory(&o), cases[i].all << 20);
        assert_int_equal(search_memory_of_results(&o), cases[i].all << 19);
        assert_int_equal(search_memory_of_queries(o.memory), cases[i].queries << 20);
        assert_int_equal(search_memory_of_text(&o), cases[i].text << 20);
        assert_int_equal(search_memory_of_tree(&o), cases[i].tree << 20);
        assert_int_equal(search_memory_of_game(&o, false), cases[i].game << 20);
        assert_int_equal(search_memory_of_game(&o, true), cases[i].game_in_order << 20);
    }
}

// Without an option it is a quarter of what the process may use; results never get more than 512 MB of that.
static void test_usable_memory(void **state)
{
    (void)state;
    const SearchOptions o = {0};
    const size_t share = search_memory_share();
    const long long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    assert_true(share > 0 && share <= (size_t)(pages * page) / 4);
    assert_int_equal(search_memory(&o), share);
    assert_int_equal(search_memory_of_results(&o), share / 2 < 512 << 20 ? share / 2 : 512 << 20);
    assert_int_equal(search_memory_of_queries(0), share / 2 < 32 << 20 ? 32 << 20 : share / 2);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) { // a limit, which is a smaller one here
        const rlim_t bytes = share * 2;
        const struct rlimit limit = {bytes, bytes};
        _exit(setrlimit(RLIMIT_AS, &limit) != 0 || search_memory_share() != bytes / 4);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

// A sample is the hashes below a part of 2^64; none and all of them are no sample.
static void test_sample(void **state)
{
    (void)state;
    static const struct {
        double percent;
        uint64_t below;
    } cases[] = {{-1, 0},          {0, 0},           {100, 0},           {101, 0},
                 {50, 1ULL << 63}, {25, 1ULL << 62}, {12.5, 1ULL << 61}, {75, 3ULL << 62}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(search_sample(cases[i].percent) == cases[i].below);
    assert_true(search_sample(99.5) > 254ULL << 56 && search_sample(0.5) < 2ULL << 56 &&
                search_sample(0.5) > 1ULL << 56);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one), cmocka_unit_test(test_several),
                                       cmocka_unit_test(test_memory), cmocka_unit_test(test_usable_memory),
                                       cmocka_unit_test(test_sample)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
