// The lists of messages of the library, and what they make of diagnostics and of the reports of searches.
#include "test.h"

#include <stdio.h>

#include "compiler/api/messages.h"

// What messages_reports makes of a line.
typedef struct Told {
    const char *line;
    int32_t severity;
    const char *file;
    int32_t number;
    int64_t game;
    const char *text;
} Told;

// `FILE:LINE: game N: TEXT`, where in later files the number in the file follows; the text of a run-time error begins with the
// name of a query, perhaps after the position. All else is the text of an error.
static const Told told[] = {
    {"a.pgn:12: game 5: illegal move", CQL_WARNING, "a.pgn", 12, 5, "illegal move"},
    {"a.pgn:12: game 1: x", CQL_WARNING, "a.pgn", 12, 1, "x"},
    {"a.pgn:1: no game", CQL_WARNING, "a.pgn", 1, 0, "no game"},
    {"a.pgn:3: game 7 (2 of this file): illegal move", CQL_WARNING, "a.pgn", 3, 7, "illegal move"},
    {"a.pgn:3: game 7 (1 of this file): mates:4:2: error", CQL_ERROR, "a.pgn", 3, 7, "mates:4:2: error"},
    {"a.pgn:3: game 7 (2 of that file): x", CQL_WARNING, "a.pgn", 3, 0, "game 7 (2 of that file): x"},
    {"a.pgn:3: game 7 (many of this file): x", CQL_WARNING, "a.pgn", 3, 0, "game 7 (many of this file): x"},
    {"a.pgn:3: game seven: x", CQL_WARNING, "a.pgn", 3, 0, "game seven: x"},
    {"a.pgn:3: game 8: position 9: mates: x", CQL_ERROR, "a.pgn", 3, 8, "position 9: mates: x"},
    {"a.pgn:3: game 8: position 9: others: x", CQL_WARNING, "a.pgn", 3, 8, "position 9: others: x"},
    {"a.pgn:3: game 8: ends: x", CQL_ERROR, "a.pgn", 3, 8, "ends: x"},
    {"a.pgn:3: game 8: matest: x", CQL_WARNING, "a.pgn", 3, 8, "matest: x"},
    {"a.pgn: error: cannot read it", CQL_ERROR, "a.pgn", 0, 0, "cannot read it"},
    {"a.pgn: it is empty", CQL_WARNING, "a.pgn", 0, 0, "it is empty"},
    {"a.pgn:b:4: x", CQL_WARNING, "a.pgn:b", 4, 0, "x"}, // the longest name, wherever it is in the list
    {"a.pgn:c:4: x", CQL_WARNING, "a.pgn", 0, 0, "c:4: x"},
    {"b.pgn: error: x", CQL_ERROR, "", 0, 0, "b.pgn: error: x"},
    {"a.pgn", CQL_ERROR, "", 0, 0, "a.pgn"},
    {"", CQL_ERROR, "", 0, 0, ""},
};

static void reports(void **state)
{
    (void)state;
    static const QueryInfo query[] = {{.name = "mates"}, {.name = "ends"}};
    static const char *const file[] = {"a.pgn", "a.pgn:b", "a.p"};
    const Matcher matcher = {.query_count = 2, .query = query};
    const ReportNames names = {file, 3, &matcher};
    char text[2000] = "";
    const size_t count = sizeof told / sizeof *told;
    for (size_t i = 0; i < count; i++)
        strcat(strcat(text, told[i].line), "\n");
    CqlMessages *list = messages_new();
    messages_reports(list, text, strlen(text), &names);
    messages_reports(list, told[0].line, strlen(told[0].line), &names); // without a line end
    assert_int_equal(cql_messages_count(list), count + 1);
    for (size_t i = 0; i <= count; i++) {
        const Told *wanted = &told[i % count];
        const CqlMessage *m = cql_messages_get(list, (int32_t)i);
        if (m->severity != wanted->severity || m->line != wanted->number || m->game != wanted->game)
            fail_msg("%s: %d, %d, %lld", wanted->line, m->severity, m->line, (long long)m->game);
        assert_string_equal(m->file, wanted->file);
        assert_string_equal(m->text, wanted->text);
        assert_string_equal(m->excerpt, "");
        assert_int_equal(m->column, 0);
    }
    assert_null(cql_messages_get(list, -1));
    assert_null(cql_messages_get(list, (int32_t)count + 1));
    cql_messages_free(list);
}

// All of a list, as the program prints it; after another message, with that.
static void as_text(void **state)
{
    (void)state;
    static const struct {
        CqlMessage message;
        const char *text;
    } cases[] = {
        {{CQL_ERROR, "q.cql", 2, 3, 2, 7, 0, "unknown", "  chek\n  ^~~~\n"},
         "q.cql:2:3: error: unknown\n  chek\n  ^~~~\n"},
        {{CQL_WARNING, "a.pgn", 1, 0, 0, 0, 1, "damaged", NULL}, "a.pgn:1: game 1: warning: damaged\n"},
        {{CQL_NOTE, "a.pgn", 0, 0, 0, 0, 0, "so", NULL}, "a.pgn: note: so\n"},
        {{CQL_OUTPUT, NULL, 0, 0, 0, 0, 0, "seen", NULL}, "seen\n"},
        {{CQL_ERROR, "q.cql", 1, 1, 1, 2, 0, "x", NULL}, "q.cql:1:1: error: x\n"},
    };
    CqlMessages *list = messages_new();
    char all[400] = "";
    assert_string_equal(cql_messages_text(list), "");
    assert_string_equal(cql_messages_text(NULL), "");
    assert_int_equal(cql_messages_count(NULL), 0);
    assert_null(cql_messages_get(NULL, 0));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        messages_add(list, &cases[i].message);
        strcat(all, cases[i].text);
        assert_string_equal(cql_messages_text(list), all);
        assert_ptr_equal(cql_messages_text(list), cql_messages_text(list));
    }
    messages_fail(list, "no more");
    assert_string_equal(cql_messages_text(list) + strlen(all), "error: no more\n");
    cql_messages_free(list);
    assert_string_equal(cql_messages_text(messages_of_memory()), "error: out of memory\n");
    assert_string_equal(cql_messages_get(messages_of_memory(), 0)->text, "out of memory");
    assert_int_equal(cql_messages_count(messages_of_memory()), 1);
    cql_messages_free(messages_of_memory());
    cql_messages_free(NULL);
}

// The first ten thousand are kept.
static void many(void **state)
{
    (void)state;
    CqlMessages *list = messages_new();
    for (int i = 0; i < 10002; i++) {
        messages_add(list, &(CqlMessage){.severity = CQL_ERROR, .line = i, .text = "x"});
        assert_int_equal(cql_messages_count(list), i < 10000 ? i + 1 : 10000);
    }
    assert_int_equal(cql_messages_get(list, 9999)->line, 9999);
    cql_messages_free(list);
}

// An empty list is no list; without somebody who wants it, it is freed.
static void given(void **state)
{
    (void)state;
    CqlMessages *list = messages_new(), *to = list;
    messages_give(list, &to);
    assert_null(to);
    messages_give(messages_new(), NULL);
    list = messages_new();
    messages_fail(list, "x");
    messages_give(list, &to);
    assert_ptr_equal(to, list);
    cql_messages_free(to);
    list = messages_new();
    messages_fail(list, "x");
    messages_give(list, NULL);
}

// Each diagnostic of a query: its severity, the place and its end, the suggestion, the line.
static void diagnostics(void **state)
{
    (void)state;
    CqlMessages *messages;
    assert_null(cql_compile("check\nchek\nx=1 x=K\n", NULL, &messages));
    assert_int_equal(cql_messages_count(messages), 2);
    const CqlMessage *m = cql_messages_get(messages, 0);
    assert_int_equal(m->severity, CQL_ERROR);
    assert_int_equal(m->line, 2);
    assert_int_equal(m->column, 1);
    assert_int_equal(m->end_line, 2);
    assert_int_equal(m->end_column, 5);
    assert_non_null(strstr(m->text, "; did you mean `check`?"));
    assert_string_equal(m->excerpt, "chek\n^~~~\n");
    m = cql_messages_get(messages, 1);
    assert_int_equal(m->line, 3);
    assert_null(strstr(m->text, ";"));
    cql_messages_free(messages);

    CqlQuery *query = cql_compile("#k>1 check", NULL, &messages); // there is one black king (9.5)
    assert_non_null(query);
    assert_int_equal(cql_messages_count(messages), 1);
    m = cql_messages_get(messages, 0);
    assert_int_equal(m->severity, CQL_WARNING);
    assert_int_equal(m->column, 1);
    assert_int_equal(m->end_column, 5);
    cql_messages_free(messages);
    cql_query_free(query);
}

// A query that compiles, and all that is said of it.
static void doubts(void **state)
{
    (void)state;
    static const struct {
        const char *query, *text;
    } cases[] = {
        {"check", ""},
        {"false", ""},
        {"depth > 0", ""},
        {"depth < 0", "query:1:1: warning: this comparison is always false\ndepth < 0\n^~~~~~~~~\n"},
        {"movenumber > 0",
         "query:1:1: warning: this comparison is always true\nmovenumber > 0\n^~~~~~~~~~~~~~\n"},
        {"reversecolor {white == 1}", "query:1:14: warning: this query can never match: this filter is "
                                      "always false here\nreversecolor {white == 1}\n"
                                      "             ^~~~~~~~~~~~\n"},
        {"true or {wtm btm}", "query:1:14: warning: this can never match here: Black would be to move, but "
                              "the filters before it need White "
                              "to move\ntrue or {wtm btm}\n             ^~~\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int plain = 0; plain < 2;
             plain++) { // what is found out on the way to fast code, is not without it
            const CqlCompileOptions options = {
                .size = sizeof options, .engine = CQL_ENGINE_INTERP, .no_optimize = plain};
            CqlMessages *messages;
            CqlQuery *query = cql_compile(cases[i].query, &options, &messages);
            assert_non_null(query);
            assert_string_equal(cql_messages_text(messages), plain ? "" : cases[i].text);
            cql_messages_free(messages);
            cql_query_free(query);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports), cmocka_unit_test(as_text),     cmocka_unit_test(many),
        cmocka_unit_test(given),   cmocka_unit_test(diagnostics), cmocka_unit_test(doubts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
