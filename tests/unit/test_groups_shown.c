// How groups are shown: order, bars, charts, the query on a page.
#include "group_fixture.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_dates),
        cmocka_unit_test(test_no_matches),
        cmocka_unit_test(test_small_percentages),
        cmocka_unit_test(test_controls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
