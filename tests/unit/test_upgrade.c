// For which searches a faster matcher is prepared at all (compiler/api/upgrade.h).
#include "api_fixture.h"

#include <stdlib.h>
#include <unistd.h>

#include "compiler/api/query.h"
#include "compiler/api/upgrade.h"
#include "runtime/search/sink.h"

static bool take(void *user, const char *bytes, size_t length)
{
    (void)user, (void)bytes, (void)length;
    return true;
}

static void tell(void *user, bool is_report, const char *text, size_t length)
{
    (void)user, (void)is_report, (void)text, (void)length;
}

// Is a faster matcher prepared while the engine searches games in memory of these sizes (0: ends them), or a file?
static bool is_upgraded(const Engine *engine, Module *const *module, int count, const size_t *size,
                        const char *file)
{
    const char *name[4] = {file};
    Text text[4] = {{NULL, 0}};
    size_t inputs = file != NULL;
    for (; !file && size[inputs] > 0; inputs++) {
        char *bytes = malloc(size[inputs]);
        memset(bytes, '\n', size[inputs]);
        memcpy(bytes, games, strlen(games));
        text[inputs] = (Text){bytes, size[inputs]};
        name[inputs] = "memory.pgn";
    }
    static const EngineOptions options = {.no_cache = true, .cc = "no-such-compiler"};
    const SearchSink sink = {.take = take, .tell = tell};
    SearchOptions search = {.input = name,
                            .input_count = inputs,
                            .in_memory = text,
                            .sink = &sink,
                            .format = FORMAT_NONE,
                            .threads = 1,
                            .quiet = true};
    SearchTotals totals = {0};
    EngineKind used = ENGINE_AUTO;
    search_upgraded(engine, module, count, &options, &search, &totals, &used);
    assert_int_equal(used, engine->kind);
    if (!file)
        assert_int_equal(totals.games, 2 * inputs);
    for (size_t i = 0; i < inputs; i++)
        free((char *)text[i].start);
    return search.upgrade != NULL;
}

enum { LEAST = 128 << 10 };
static const size_t enough[] = {LEAST, 0};

static CqlQuery *compile_two(const char *first, const char *second)
{
    const CqlSource sources[] = {{"first", first}, {"second", second}};
    CqlMessages *messages;
    CqlQuery *query = cql_compile_sources(sources, 2, NULL, &messages);
    cql_messages_free(messages);
    assert_non_null(query);
    return query;
}

// Inputs of less than 128 KB together are searched before a compiler would help. Something that is no file may be long.
static void sizes(void **state)
{
    (void)state;
    CqlQuery *query = compile("mate");
    static const struct {
        size_t size[4];
        bool upgraded;
    } cases[] = {{{LEAST}, true},
                 {{LEAST - 1}, false},
                 {{LEAST / 2, LEAST / 2}, true},
                 {{LEAST / 2, LEAST / 2 - 1}, false},
                 {{LEAST - 2000, 1000, 1000}, true},
                 {{LEAST - 2000, 1000, 999}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(is_upgraded(&query->engine, query->module, 1, cases[i].size, NULL),
                         cases[i].upgraded);
    assert_true(is_upgraded(&query->engine, query->module, 1, NULL, "/dev/null"));
    assert_false(is_upgraded(&query->engine, query->module, 1, NULL, "/there/is/no.pgn"));
    char path[] = "/tmp/cqlgen-upgrade-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    for (int more = 0; more < 2; more++) {
        assert_int_equal(ftruncate(file, LEAST - 1 + more), 0);
        assert_int_equal(is_upgraded(&query->engine, query->module, 1, NULL, path), more);
    }
    close(file);
    unlink(path);
    cql_query_free(query);
}

// Not without the modules, not when the matcher is the best already, and not when a query keeps its state from game to game.
static void matchers(void **state)
{
    (void)state;
    static const char keeps[] = "persistent hits = 0 hits += 1 hits > 1", plain[] = "mate";
    const struct {
        const char *first, *second;
        bool upgraded;
    } cases[] = {{plain, plain, true}, {keeps, plain, false}, {plain, keeps, false}, {keeps, keeps, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CqlQuery *query = compile_two(cases[i].first, cases[i].second);
        Engine engine = query->engine;
        assert_int_equal(is_upgraded(&engine, query->module, 2, enough, NULL), cases[i].upgraded);
        assert_false(is_upgraded(&engine, NULL, 2, enough, NULL));
        engine.kind = ENGINE_CC;
        assert_false(is_upgraded(&engine, query->module, 2, enough, NULL));
        cql_query_free(query);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(matchers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
