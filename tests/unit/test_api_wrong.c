// What callers must not give: every function of compiler/api/cqlgen.h with NULL, zeroed and other wrong arguments.
#include "api_fixture.h"

#include <math.h>
#include <stdlib.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static CqlQuery *query;

static void with_query(void (*test)(void))
{
    query = compile("mate");
    test();
    cql_query_free(query);
}

// The only message is an error that contains the words; frees the list.
static void tells(CqlMessages *messages, const char *words)
{
    assert_int_equal(cql_messages_count(messages), 1);
    assert_int_equal(cql_messages_get(messages, 0)->severity, CQL_ERROR);
    if (!strstr(cql_messages_text(messages), words))
        fail_msg("%s: %s", words, cql_messages_text(messages));
    cql_messages_free(messages);
}

// ---- NULL -------------------------------------------------------------------------------------------------

// Functions that have no messages return nothing, or do nothing.
static void null_without_messages(void **state)
{
    (void)state;
    const CqlGame *game = (const CqlGame *)"";
    assert_int_equal(cql_messages_count(NULL), 0);
    assert_null(cql_messages_get(NULL, 0));
    assert_string_equal(cql_messages_text(NULL), "");
    cql_messages_free(NULL);
    cql_query_free(NULL);
    cql_search_free(NULL);
    cql_free(NULL);
    assert_int_equal(cql_query_count(NULL), 0);
    assert_null(cql_query_name(NULL, 0));
    assert_null(cql_query_dialect(NULL, 0));
    assert_int_equal(cql_query_sort_count(NULL, 0), 0);
    assert_null(cql_query_sort_title(NULL, 0, 0));
    assert_int_equal(cql_search_next(NULL, -1, &game), CQL_FAILED);
    assert_null(game);
    assert_int_equal(cql_search_next(NULL, -1, NULL), CQL_FAILED);
    cql_search_stop(NULL);
    assert_null(cql_search_messages(NULL));
    assert_int_equal(cql_search_totals(NULL, NULL), 0);
    assert_null(cql_search_groups(NULL));
    assert_null(cql_explore(NULL, CQL_EXPLORER_JSON));
    assert_null(cql_board_svg(NULL, NULL));
    assert_non_null(cql_version());
    assert_int_equal(cql_api_version(), CQL_API_VERSION);
}

static CqlMessages *messages;

static void null_with_messages(void)
{
    static const CqlSource nothing[2] = {{"name", "mate"}, {0}};
    static const CqlInput neither[2] = {{.name = "name"}, {.length = 5}};
    CqlMatch match;
    assert_null(cql_compile(NULL, NULL, &messages));
    tells(messages, "error: `text` is NULL; expected a query\n");
    assert_null(cql_compile_sources(NULL, 1, NULL, &messages));
    tells(messages, "error: `source` is NULL, but `count` is 1\n");
    assert_null(cql_compile_sources(nothing, 2, NULL, &messages));
    tells(messages, "error: `source[1]` has neither a text nor the name of a file\n");
    assert_null(cql_compile_sources(nothing, 0, NULL, &messages));
    tells(messages, "error: expected 1 to 32767 queries, not 0\n");
    assert_null(cql_load(NULL, &messages));
    tells(messages, "error: `matcher_path` is NULL; expected the name of a file\n");
    assert_null(cql_search(NULL, NULL, 0, NULL, &messages));
    tells(messages, "error: `query` is NULL\n");
    assert_null(cql_search(query, NULL, 2, NULL, &messages));
    tells(messages, "error: `input` is NULL, but `count` is 2\n");
    assert_null(cql_search(query, neither, 2, NULL, &messages));
    tells(messages, "error: `input[1]` has neither a text nor the name of a file\n");
    assert_int_equal(cql_match_fen(NULL, "8/8", &match, 1, &messages), -1);
    tells(messages, "error: `query` is NULL\n");
    assert_int_equal(cql_match_fen(query, NULL, &match, 1, &messages), -1);
    tells(messages, "error: expected a FEN or the text of a game, not NULL\n");
    assert_int_equal(cql_match_fen(query, "8/8", NULL, 1, &messages), -1);
    tells(messages, "error: `match` is NULL, but `room` is not 0\n");
    assert_int_equal(cql_match_game(NULL, "", 0, &match, 1, &messages), -1);
    tells(messages, "error: `query` is NULL\n");
    assert_int_equal(cql_match_game(query, NULL, 9, &match, 1, &messages), -1);
    tells(messages, "error: expected a FEN or the text of a game, not NULL\n");
    assert_int_equal(cql_match_game(query, games, sizeof games, NULL, 1, &messages), -1);
    tells(messages, "error: `match` is NULL, but `room` is not 0\n");
    // The same without anybody who reads the messages.
    assert_null(cql_compile(NULL, NULL, NULL));
    assert_null(cql_compile_sources(NULL, 1, NULL, NULL));
    assert_null(cql_load(NULL, NULL));
    assert_null(cql_search(NULL, NULL, 0, NULL, NULL));
    assert_int_equal(cql_match_fen(NULL, NULL, NULL, 0, NULL), -1);
    assert_int_equal(cql_match_game(NULL, NULL, 0, NULL, 0, NULL), -1);
}

static void nulls(void **state)
{
    (void)state;
    with_query(null_with_messages);
}

// ---- sizes of structs -------------------------------------------------------------------------------------

// Structs of a later version are taken if what is new in them is not used.
typedef struct Later {
    union {
        CqlCompileOptions compile;
        CqlSearchOptions search;
        CqlBoardOptions board;
        char bytes[200];
    };
} Later;

static CqlMessages *compiled_with(Later *given, size_t size)
{
    given->compile.size = size;
    cql_query_free(cql_compile("mate", &given->compile, &messages));
    return messages;
}

static CqlMessages *searched_with(Later *given, size_t size)
{
    const CqlInput input = {"memory.pgn", games, strlen(games)};
    given->search.size = size;
    cql_search_free(cql_search(query, &input, 1, &given->search, &messages));
    return messages;
}

static CqlMessages *drawn_with(Later *given, size_t size)
{
    given->board.size = size;
    char *svg = cql_board_svg("4k3/8/8/8/8/8/8/4K3 w", &given->board);
    const int drawn = svg != NULL;
    cql_free(svg);
    if (!drawn)
        cql_compile(NULL, NULL, &messages); // any message
    return drawn ? NULL : messages;
}

static void sizes_of_options(void)
{
    static const struct {
        CqlMessages *(*call)(Later *given, size_t size);
        size_t size;
        const char *name;
    } structs[] = {{compiled_with, sizeof(CqlCompileOptions), "CqlCompileOptions"},
                   {searched_with, sizeof(CqlSearchOptions), "CqlSearchOptions"},
                   {drawn_with, sizeof(CqlBoardOptions), "NULL"}};
    static const size_t wrong[] = {0,    1,        sizeof(size_t) - 1, sizeof(size_t) + 1,
                                   8200, SIZE_MAX, SIZE_MAX - 7};
    for (size_t i = 0; i < LENGTH(structs); i++) {
        Later given = {0};
        for (size_t w = 0; w < LENGTH(wrong); w++) {
            tells(structs[i].call(&given, wrong[w]), structs[i].name);
        }
        for (size_t size = sizeof(size_t); size <= sizeof given; size += sizeof(size_t))
            assert_null(structs[i].call(&given, size));
        given.bytes[structs[i].size] = 1; // a member that is not known
        assert_null(structs[i].call(&given, structs[i].size));
        tells(structs[i].call(&given, structs[i].size + 8), structs[i].name);
    }
}

static void sizes(void **state)
{
    (void)state;
    with_query(sizes_of_options);
}

static void totals_need_a_size(void **state)
{
    (void)state;
    const CqlGame *game;
    query = compile("mate");
    CqlSearch *s = search_with(query, games, (CqlSearchOptions){0});
    while (cql_search_next(s, -1, &game) == CQL_GAME)
        ;
    CqlTotals totals = {.games = -1};
    assert_int_equal(cql_search_totals(s, NULL), 0);
    for (totals.size = 0; totals.size < sizeof(size_t); totals.size++)
        assert_int_equal(cql_search_totals(s, &totals), 0);
    assert_int_equal(totals.games, -1);
    assert_int_equal(cql_search_totals(s, &totals), 1);
    assert_int_equal(totals.games, -1); // an older struct without it
    totals.size = SIZE_MAX;
    assert_int_equal(cql_search_totals(s, &totals), 1);
    assert_int_equal(totals.games, 2);
    cql_search_free(s);
    cql_query_free(query);
}

// ---- values of options ------------------------------------------------------------------------------------

static void refused_search(CqlSearchOptions options, const char *words)
{
    options.size = sizeof options;
    assert_null(cql_search(query, NULL, 0, &options, &messages));
    tells(messages, words);
}

static void values_of_searches(void)
{
    refused_search((CqlSearchOptions){.threads = -1}, "error: `threads` is -1; expected 0 to 2147483647\n");
    refused_search((CqlSearchOptions){.limit = -1}, "error: `limit` is -1; expected 0 or more\n");
    refused_search((CqlSearchOptions){.first_game = INT64_MIN},
                   "error: `first_game` is -9.22337203685478e+18; expected 0 or more\n");
    refused_search((CqlSearchOptions){.last_game = -3}, "error: `last_game` is -3; expected 0 or more\n");
    refused_search((CqlSearchOptions){.max_seconds = -0.5},
                   "error: `max_seconds` is -0.5; expected 0 or more\n");
    refused_search((CqlSearchOptions){.max_seconds = NAN}, "`max_seconds` is nan");
    refused_search((CqlSearchOptions){.max_steps = -1}, "error: `max_steps` is -1; expected 0 or more\n");
    refused_search((CqlSearchOptions){.memory = -1}, "error: `memory` is -1; expected 0 or more\n");
    refused_search((CqlSearchOptions){.sample = -1}, "error: `sample` is -1; expected 0 to 100\n");
    refused_search((CqlSearchOptions){.sample = 100.5}, "error: `sample` is 100.5; expected 0 to 100\n");
    refused_search((CqlSearchOptions){.sample = NAN}, "expected 0 to 100\n");
    refused_search((CqlSearchOptions){.group_order = 3}, "error: `group_order` is 3; expected 0 to 2\n");
    refused_search((CqlSearchOptions){.group_order = -1}, "error: `group_order` is -1; expected 0 to 2\n");
    refused_search((CqlSearchOptions){.want = 64},
                   "error: `want` is 64; expected CQL_WANT_HITS and the like\n");
    refused_search((CqlSearchOptions){.want = CQL_WANT_EXPLORER, .plies = 13},
                   "error: `plies` is 13; expected 0 to 12\n");
    refused_search((CqlSearchOptions){.want = CQL_WANT_EXPLORER, .min_games = -1},
                   "error: `min_games` is -1; expected 0 or more\n");
    refused_search((CqlSearchOptions){.want = CQL_WANT_EXPLORER, .position = "1.e4 Ke7"},
                   "position:1:6: error: this move is not legal here\n");
    refused_search((CqlSearchOptions){.want = CQL_WANT_EXPLORER, .position = "8/8 w"},
                   "position:1:4: error: FEN with fewer than 64 squares\n");
    refused_search(
        (CqlSearchOptions){.want = CQL_WANT_COUNTS | CQL_WANT_HITS},
        "error: `want` is 9; CQL_WANT_COUNTS, CQL_WANT_GROUPS and CQL_WANT_EXPLORER go with nothing "
        "else\n");
    refused_search((CqlSearchOptions){.want = CQL_WANT_COUNTS | CQL_WANT_GROUPS}, "go with nothing else\n");
    refused_search((CqlSearchOptions){.want = CQL_WANT_GROUPS},
                   "error: the query has no keys of groups; compile it with `count_by`\n");
    refused_search((CqlSearchOptions){.of_all = 1}, "error: `of_all` is about groups; add CQL_WANT_GROUPS\n");
}

static void values(void **state)
{
    (void)state;
    static const struct {
        CqlCompileOptions options;
        const char *words;
    } cases[] = {{{.engine = 4}, "error: `engine` is 4; expected 0 to 3\n"},
                 {{.engine = -1}, "error: `engine` is -1; expected 0 to 3\n"},
                 {{.memory = -1}, "error: `memory` is -1; expected 0 or more\n"},
                 {{.dialect = ""}, "error: unknown dialect ``; expected `cql6`, `cqli`, `cql5` or `cql3`\n"}};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        CqlCompileOptions options = cases[i].options;
        options.size = sizeof options;
        assert_null(cql_compile("mate", &options, &messages));
        tells(messages, cases[i].words);
    }
    with_query(values_of_searches);
    static const int32_t widths[] = {-1, 10000, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < LENGTH(widths); i++) {
        const CqlBoardOptions options = {.size = sizeof options, .width = widths[i]};
        assert_null(cql_board_svg("4k3/8/8/8/8/8/8/4K3 w", &options));
    }
}

// ---- the order of calls -----------------------------------------------------------------------------------

// What is over stays so, and a query outlives the caller's handle in its searches.
static void at_the_end(void **state)
{
    (void)state;
    const CqlGame *game;
    query = compile("mate");
    CqlSearch *ended = search_with(query, games, (CqlSearchOptions){0});
    CqlSearch *stopped = search_with(query, games, (CqlSearchOptions){0});
    CqlSearch *empty = cql_search(query, NULL, 0, NULL, NULL);
    cql_query_free(query);
    assert_int_equal(cql_search_next(ended, -1, NULL), CQL_FAILED); // takes none
    assert_int_equal(cql_search_next(ended, -1, &game), CQL_GAME);
    cql_search_stop(stopped);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cql_search_next(ended, -1, &game), CQL_END);
        assert_null(game);
        assert_int_equal(cql_search_next(stopped, -1, &game), CQL_STOPPED);
        assert_null(game);
        assert_int_equal(cql_search_next(empty, -1, &game), CQL_END);
        assert_null(cql_search_groups(ended));
        assert_int_equal(cql_messages_count(cql_search_messages(ended)), 0);
        cql_search_stop(stopped);
    }
    cql_search_stop(ended);
    assert_int_equal(cql_search_next(ended, -1, &game), CQL_STOPPED);
    cql_search_free(ended);
    cql_search_free(stopped);
    cql_search_free(empty);
}

static void numbers_out_of_range(void)
{
    static const int32_t wrong[] = {-1, INT32_MIN, 1, INT32_MAX};
    for (size_t i = 0; i < LENGTH(wrong); i++) {
        assert_null(cql_query_name(query, wrong[i]));
        assert_null(cql_query_dialect(query, wrong[i]));
        assert_int_equal(cql_query_sort_count(query, wrong[i]), 0);
        assert_null(cql_query_sort_title(query, 0, wrong[i]));
        assert_null(cql_query_sort_title(query, wrong[i], 0));
        assert_null(cql_compile("chek", NULL, &messages));
        assert_null(cql_messages_get(messages, wrong[i]));
        cql_messages_free(messages);
    }
}

static void numbers(void **state)
{
    (void)state;
    with_query(numbers_out_of_range);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_without_messages),
        cmocka_unit_test(nulls),
        cmocka_unit_test(sizes),
        cmocka_unit_test(totals_need_a_size),
        cmocka_unit_test(values),
        cmocka_unit_test(at_the_end),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
