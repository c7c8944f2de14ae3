// How groups are shown: order, bars, charts, the query on a page.
#include "group_fixture.h"

#include <stdio.h>
#include <stdlib.h>

// Dates have an order of their own, as years have; a name beside one does not.
static void test_order_of_dates(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *rows;
    } cases[] = {{"date", "2001.02.03,1,,2002.01.01,5,,????.??.??,1,"},
                 {"year", "2001,1,,2002,5,,????,1,"},
                 {"month,date", "2001.02,2001.02.03,1,,2002.01,2002.01.01,5,,????.??,????.??.??,1,"},
                 {"date,file", "2002.01.01,f,5,,2001.02.03,f,1,,????.??.??,f,1,"}};
    static const char *const dates[] = {"????.??.??", "2002.01.01", "2001.02.03"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        Buffer got = {0};
        sample_open(&s, cases[i].keys, 1);
        for (int k = 0; k < 3; k++) {
            Buffer values = {0};
            const GroupNumbers n = {.games = k == 1 ? 5 : 1};
            group_values(&s.spec, &values, &(GroupFacts){.date = dates[k], .file = "f"}, NULL);
            groups_add(&s.table, 0, values.start, values.length, &n);
            buffer_free(&values);
        }
        const char *at = strchr(sample_write(&s, FORMAT_CSV, 0), '\n') + 1;
        for (; *at; at += strcspn(at, "\n") + 1) // without the percentage and what follows
            for (int comma = 0, k = 0; comma < 1 + (int)s.spec.count; k++) {
                comma += at[k] == ',';
                buffer_append(&got, at + k, 1);
                if (comma == 1 + (int)s.spec.count && strchr(at, '\n')[1])
                    buffer_text(&got, ",");
            }
        buffer_append(&got, "", 1);
        assert_string_equal(got.start, cases[i].rows);
        buffer_free(&got);
        sample_close(&s);
    }
}

// Without a match there are no bars, and in a chart none has a length.
static void test_no_matches(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "white", 1);
    s.spec.of_all = true;
    sample_add(&s, GROUP_NO_QUERY, "b", 0, 2);
    sample_add(&s, GROUP_NO_QUERY, "a", 0, 2);
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 109),
                        "white      games     of all       %      1-0  1/2-1/2      0-1\n"
                        "a              0          2     0.0        0        0        0\n"
                        "b              0          2     0.0        0        0        0\n");
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    assert_non_null(strstr(page, ">a</text>\n<text x=\"22.0\" y=\"15\">0.0 %</text></g>\n"));
    assert_non_null(strstr(page, ">b</text>\n<text x=\"22.0\" y=\"37\">0.0 %</text></g>\n"));
    sample_close(&s);
}

// A table and a row have no control characters; what is next to these stays.
static void test_controls(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "white", 1);
    sample_add(&s, 0, "\x01\x1F !~\x7Fz", 0, 1);
    assert_non_null(strstr(sample_write(&s, FORMAT_TEXT, 0), "\n   !~ z          1 "));
    sample_close(&s);
}

// Beside the bars there are 8 for each character of the longest label and one more, with `…` for at most 32.
static void test_labels_of_charts(void **state)
{
    (void)state;
    static const struct {
        int length, labels;
    } cases[] = {{1, 16}, {2, 24}, {29, 240}, {30, 248}, {31, 256}, {32, 256}, {40, 256}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[48] = "", wanted[160];
        Sample s;
        sample_open(&s, "white", 1);
        sample_add(&s, 0, "c", 0, 1);
        memset(name, 'x', (size_t)cases[i].length);
        sample_add(&s, 0, name, 0, 4);
        const char *page = sample_write(&s, FORMAT_HTML, 0);
        snprintf(wanted, sizeof wanted, "<svg viewBox=\"0 0 %d 74\" role=\"img\"", cases[i].labels + 640);
        if (!strstr(page, wanted))
            fail_msg("%d: %s", cases[i].length, strstr(page, "<svg"));
        sample_close(&s);
    }
}

// Bars side by side for the results, each in proportion; games without a result have a frame. The longest bar is 560.
static void test_parts_of_bars(void **state)
{
    (void)state;
    const GroupNumbers n[] = {{.games = 8, .white = 1, .draws = 2, .black = 4}, {.games = 2, .white = 2}};
    Sample s;
    sample_open(&s, "white", 1);
    for (int i = 0; i < 2; i++) {
        Buffer values = {0};
        const GroupFacts facts = {.name = {text_of(i == 0 ? "b" : "a")}};
        group_values(&s.spec, &values, &facts, NULL);
        groups_add(&s.table, 0, values.start, values.length, &n[i]);
        buffer_free(&values);
    }
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    assert_non_null(
        strstr(page, "<g><title>b: 8 games, 1-0 1, 1/2-1/2 2, 0-1 4</title>\n"
                     "<text x=\"8\" y=\"15\" text-anchor=\"end\">b</text>\n"
                     "<rect class=\"white\" x=\"16.0\" y=\"3\" width=\"70.0\" height=\"16\"/>\n"
                     "<rect class=\"draws\" x=\"86.0\" y=\"3\" width=\"140.0\" height=\"16\"/>\n"
                     "<rect class=\"black\" x=\"226.0\" y=\"3\" width=\"280.0\" height=\"16\"/>\n"
                     "<rect class=\"other\" x=\"506.0\" y=\"3\" width=\"70.0\" height=\"16\" fill=\"none\" "
                     "stroke=\"currentColor\"/>\n"
                     "<text x=\"582.0\" y=\"15\">8</text></g>\n"
                     "<g><title>a: 2 games, 1-0 2, 1/2-1/2 0, 0-1 0</title>\n"
                     "<text x=\"8\" y=\"37\" text-anchor=\"end\">a</text>\n"
                     "<rect class=\"white\" x=\"16.0\" y=\"25\" width=\"140.0\" height=\"16\"/>\n"
                     "<text x=\"162.0\" y=\"37\">2</text></g>\n"
                     "<rect class=\"white\" x=\"16\" y=\"54\" width=\"14\" height=\"14\"/><text x=\"36\" "
                     "y=\"66\">White wins</text>\n"
                     "<rect class=\"draws\" x=\"146\" y=\"54\" width=\"14\" height=\"14\"/><text x=\"166\" "
                     "y=\"66\">draws</text>\n"
                     "<rect class=\"black\" x=\"276\" y=\"54\" width=\"14\" height=\"14\"/><text x=\"296\" "
                     "y=\"66\">Black wins</text>\n</svg></div>\n"));
    sample_close(&s);
}

// The longest bar is 560, however small its percentage.
static void test_small_percentages(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "white", 1);
    s.spec.of_all = true;
    sample_add(&s, 0, "b", 0, 1);
    sample_add(&s, 0, "a", 0, 1);
    sample_add(&s, GROUP_NO_QUERY, "a", 0, 500);
    sample_add(&s, GROUP_NO_QUERY, "b", 0, 1000);
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    assert_non_null(strstr(page, "<rect class=\"white\" x=\"16.0\" y=\"25\" width=\"560.0\" height=\"16\"/>\n"
                                 "<text x=\"582.0\" y=\"37\">0.2 %</text></g>\n"));
    assert_non_null(strstr(page, "<rect class=\"white\" x=\"16.0\" y=\"3\" width=\"280.0\" height=\"16\"/>\n"
                                 "<text x=\"302.0\" y=\"15\">0.1 %</text></g>\n"));
    assert_non_null(strstr(sample_write(&s, FORMAT_TEXT, 89), " 0  ████████████████████████\n"));
    assert_non_null(strstr(s.out.start, " 0  ████████████\n"));
    sample_close(&s);
}

// The page shows the query without the expressions of the keys, which the compiler adds to its end, each after a line end.
static void test_source_without_keys(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *source, *shown;
    } cases[] = {
        {"{ply}", "check\n{ply}", "check"},
        {"{ply},white,{ply+1}", "check\n{ply}\n{ply+1}", "check"},
        {"{ply}", "{ply}", "{ply}"}, // the query itself
        {"{ply}", "\n{ply}", ""},
        {"{ply}", "check", "check"},
        {"{ply}", "x{plz}", "x{plz}"},
        {"white", "check\nWhite", "check\nWhite"},
        {"{ply}", NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char wanted[100];
        Sample s;
        sample_open(&s, cases[i].keys, 1);
        s.query[0].source = cases[i].source;
        snprintf(wanted, sizeof wanted, "<summary>The query a.cql</summary><pre>%s</pre>", cases[i].shown);
        const char *page = sample_write(&s, FORMAT_HTML, 0);
        if (!strstr(page, wanted))
            fail_msg("%s: %s", cases[i].keys, strstr(page, "<summary>"));
        sample_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_dates),     cmocka_unit_test(test_no_matches),
        cmocka_unit_test(test_small_percentages),  cmocka_unit_test(test_controls),
        cmocka_unit_test(test_labels_of_charts),   cmocka_unit_test(test_parts_of_bars),
        cmocka_unit_test(test_source_without_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
