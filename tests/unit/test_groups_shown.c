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
            group_values(&s.spec, &values, &(GroupFacts){.date = dates[k], .file = "f"});
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
    assert_non_null(strstr(page, ">a</text>\n<text x='22.0' y='15.0' class='name'>0 %</text>\n</g>\n"));
    assert_non_null(strstr(page, ">b</text>\n<text x='22.0' y='37.0' class='name'>0 %</text>\n</g>\n"));
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

// Beside the bars there are 8 for each character of the longest label and one more; longer ones are above their bars, and cut to 48.
// The space of 400 also has a number of 64.
static void test_labels_of_charts(void **state)
{
    (void)state;
    static const struct {
        int length, left, shown;
    } cases[] = {{1, 16, 1}, {2, 24, 2}, {20, 168, 20}, {21, 0, 21}, {48, 0, 48}, {49, 0, 48}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[64] = "", label[64] = "", wanted[300];
        Sample s;
        sample_open(&s, "white", 1);
        sample_add(&s, 0, "c", 0, 1);
        memset(name, 'x', (size_t)cases[i].length);
        memset(label, 'x', (size_t)cases[i].shown);
        sample_add(&s, 0, name, 0, 4);
        const char *page = sample_write(&s, FORMAT_HTML, 0);
        const int left = cases[i].left, row = left > 0 ? 22 : 40;
        snprintf(wanted, sizeof wanted,
                 "<text x='%d.0' y='15.0'%s>%s%s</text>\n<rect class='white' x='%d.0' y='%s' width='%d.0' "
                 "height='14'/>",
                 left > 0 ? left - 8 : 0, left > 0 ? " text-anchor='end'" : "", label,
                 cases[i].shown < cases[i].length ? "…" : "", left, left > 0 ? "3.0" : "21.0", 336 - left);
        if (!strstr(page, wanted))
            fail_msg("%d: %s", cases[i].length, strstr(page, "<svg"));
        snprintf(wanted, sizeof wanted, "<svg class='chart' viewBox='0 0 400 %d' role='img'", 2 * row + 34);
        if (!strstr(page, wanted))
            fail_msg("%d: %s", cases[i].length, strstr(page, "<svg"));
        sample_close(&s);
    }
}

// Bars side by side for the results, each in proportion; games without a result have a frame. The longest bar is 320.
static void test_parts_of_bars(void **state)
{
    (void)state;
    const GroupNumbers n[] = {{.games = 8, .white = 1, .draws = 2, .black = 4}, {.games = 2, .white = 2}};
    Sample s;
    sample_open(&s, "white", 1);
    for (int i = 0; i < 2; i++) {
        Buffer values = {0};
        const GroupFacts facts = {.name = {text_of(i == 0 ? "b" : "a")}};
        group_values(&s.spec, &values, &facts);
        groups_add(&s.table, 0, values.start, values.length, &n[i]);
        buffer_free(&values);
    }
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    assert_non_null(
        strstr(page, "<div class='charts'>\n<figure><svg class='chart' viewBox='0 0 400 78' role='img' "
                     "aria-labelledby='t0-0 d0-0'><title id='t0-0'>Games by white</title>"
                     "<desc id='d0-0'>2 bars. Most: b (8).</desc>\n"
                     "<g><title>b: 8; 1-0 1, 1/2-1/2 2, 0-1 4</title>\n"
                     "<text x='8.0' y='15.0' text-anchor='end'>b</text>\n"
                     "<rect class='white' x='16.0' y='3.0' width='40.0' height='14'/>\n"
                     "<rect class='draws' x='56.0' y='3.0' width='80.0' height='14'/>\n"
                     "<rect class='black' x='136.0' y='3.0' width='160.0' height='14'/>\n"
                     "<rect class='other' x='296.0' y='3.0' width='40.0' height='14'/>\n"
                     "<text x='342.0' y='15.0' class='name'>8</text>\n</g>\n"
                     "<g><title>a: 2; 1-0 2, 1/2-1/2 0, 0-1 0</title>\n"
                     "<text x='8.0' y='37.0' text-anchor='end'>a</text>\n"
                     "<rect class='white' x='16.0' y='25.0' width='80.0' height='14'/>\n"
                     "<text x='102.0' y='37.0' class='name'>2</text>\n</g>\n"
                     "<rect class='white' x='0' y='54' width='14' height='14'/>\n"
                     "<text x='20.0' y='66.0' class='name'>White wins</text>\n"
                     "<rect class='draws' x='130' y='54' width='14' height='14'/>\n"
                     "<text x='150.0' y='66.0' class='name'>draws</text>\n"
                     "<rect class='black' x='260' y='54' width='14' height='14'/>\n"
                     "<text x='280.0' y='66.0' class='name'>Black wins</text>\n</svg></figure>\n</div>\n"));
    sample_close(&s);
}

// The longest bar is 320, however small its percentage.
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
    assert_non_null(strstr(page, "<rect class='white' x='16.0' y='25.0' width='320.0' height='14'/>\n"
                                 "<text x='342.0' y='37.0' class='name'>0.20 %</text>\n"));
    assert_non_null(strstr(page, "<rect class='white' x='16.0' y='3.0' width='160.0' height='14'/>\n"
                                 "<text x='182.0' y='15.0' class='name'>0.10 %</text>\n"));
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
