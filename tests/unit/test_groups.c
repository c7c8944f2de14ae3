// Groups of games: limits of keys, the width of tables and bars, memory.
#include "group_fixture.h"

#include <stdio.h>
#include <stdlib.h>

// ---- keys -------------------------------------------------------------------------------------------------

// Up to 64 brackets are open, and a number has up to five digits.
static void test_limits_of_keys(void **state)
{
    (void)state;
    for (int depth = 63; depth <= 65; depth++) {
        char text[200] = "";
        for (int i = 0; i < depth; i++)
            strcat(text, i % 3 == 0 ? "(" : i % 3 == 1 ? "[" : "{");
        strcat(text, "1,2");
        for (int i = depth - 1; i >= 0; i--)
            strcat(text, i % 3 == 0 ? ")" : i % 3 == 1 ? "]" : "}");
        strcat(text, ",year");
        GroupSpec s;
        char *message = group_spec_read(&s, text);
        assert_int_equal(message == NULL, depth <= 64);
        if (message)
            assert_string_equal(message, "`[` in --count-by has no partner");
        else
            assert_int_equal(s.count, 2);
        free(message);
        group_spec_free(&s);
    }
    GroupSpec s = spec_of("elo/00100,x,eco/00001");
    assert_int_equal(s.key[0].part, 100);
    assert_int_equal(s.key[0].kind, GROUP_RATING);
    assert_int_equal(s.key[1].kind, GROUP_EXPRESSION);
    assert_int_equal(s.key[2].part, 1);
    group_spec_free(&s);
    char *message = group_spec_read(&s, "elo/000100");
    assert_non_null(strstr(message, "write the width of a rating band from 1 to 4000"));
    free(message);
    group_spec_free(&s);
}

// ---- rows -------------------------------------------------------------------------------------------------

// 80 columns: 5 for the key, 57 for the numbers; 15 are left for bars. 2 of 3 games: 10 of 15.
static void test_bars(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "white", 1);
    sample_add(&s, 0, "b", 0, 2);
    sample_add(&s, 0, "a\nb\xC3\xA9", 0, 3);
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 69),
                        "white      games       %      1-0  1/2-1/2      0-1\n"
                        "a b\xC3\xA9           3    60.0        3        0        0  ███████████████\n"
                        "b              2    40.0        2        0        0  ██████████\n");
    sample_close(&s);
}

static int blocks_in(const char *text)
{
    int count = 0;
    while ((text = strstr(text, "█")) != NULL)
        text += strlen("█"), count++;
    return count;
}

// Bars are 5 to 60 characters wide, or left out, and drawn in eighths.
static void test_widths_of_bars(void **state)
{
    (void)state;
    static const struct {
        int width, longest;
    } cases[] = {{0, 0}, {58, 0}, {59, 5}, {114, 60}, {115, 60}, {300, 60}};
    Sample s;
    sample_open(&s, "white", 1);
    sample_add(&s, 0, "b", 0, 8);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(blocks_in(sample_write(&s, FORMAT_TEXT, cases[i].width)), cases[i].longest);
    sample_add(&s, 0, "a", 0, 1); // an eighth of 15 characters
    sample_add(&s, 0, "c", 0, 3);
    assert_non_null(strstr(sample_write(&s, FORMAT_TEXT, 69),
                           "\na              1     8.3        1        0        0  █▉\n"));
    assert_non_null(strstr(sample_write(&s, FORMAT_TEXT, 69), "        0        0  █████▋\n"));
    sample_close(&s);
    static const struct {
        const char *keys;
        bool of_all;
        int least; // the width from which on there are bars; 6 for the `(none)` of elo
    } keys[] = {{"white,elo", false, 67}, {"white,elo,year", false, 73}, {"white", true, 70}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        sample_open(&s, keys[i].keys, 1);
        s.spec.of_all = keys[i].of_all;
        sample_add(&s, 0, "b", 0, 8);
        if (keys[i].of_all)
            sample_add(&s, GROUP_NO_QUERY, "b", 0, 9);
        assert_int_equal(blocks_in(sample_write(&s, FORMAT_TEXT, keys[i].least - 1)), 0);
        assert_int_equal(blocks_in(sample_write(&s, FORMAT_TEXT, keys[i].least)), 5);
        sample_close(&s);
    }
}

// Values have up to 40 characters in a table, labels of a chart 30; longer ones are cut.
static void test_long_values(void **state)
{
    (void)state;
    char name[64];
    Sample s;
    sample_open(&s, "white,elo", 1);
    memset(name, 'x', 40);
    name[40] = 0;
    sample_add(&s, 0, name, 7, 2);
    assert_non_null(
        strstr(sample_write(&s, FORMAT_TEXT, 0), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx    7          2"));
    memset(name, 'y', 41);
    name[41] = 0;
    sample_add(&s, 0, name, 7, 1);
    assert_non_null(strstr(sample_write(&s, FORMAT_TEXT, 0),
                           "\nyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…    7          1"));
    sample_close(&s);
}

// A picture has 40 bars, the table all rows.
static void test_long_chart(void **state)
{
    (void)state;
    char name[16];
    Sample s;
    sample_open(&s, "white", 1);
    for (int i = 0; i < 201; i++) {
        assert_true(i > 40 || !strstr(sample_write(&s, FORMAT_HTML, 0), "The picture has"));
        snprintf(name, sizeof name, "p%d", i);
        sample_add(&s, 0, name, 0, 1);
    }
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    assert_non_null(strstr(page, "<p class='soft'>The picture has the largest 40 of 201.</p>"));
    int bars = 0, rows = 0;
    for (const char *at = page; (at = strstr(at, "<g><title>")) != NULL; at++)
        bars++;
    for (const char *at = page; (at = strstr(at, "<tr><td")) != NULL; at++)
        rows++;
    assert_int_equal(bars, 40);
    assert_int_equal(rows, 201);
    sample_close(&s);
}

// The memory that a table takes is that of its groups, their values, and the places to look for them.
static void test_memory(void **state)
{
    (void)state;
    GroupTable t = {0};
    const GroupNumbers one = {.games = 1};
    assert_int_equal(groups_bytes(&t), 0);
    groups_add(&t, 0, "abc", 3, &one);
    const size_t first = groups_bytes(&t);
    assert_true(first > sizeof(Group) + 3 && first < 1000);
    groups_add(&t, 0, "abc", 3, &one);
    assert_int_equal(groups_bytes(&t), first);
    groups_add(&t, 1, "abc", 3, &one); // of another query
    assert_int_equal(groups_bytes(&t), first + sizeof(Group) + 3);
    groups_add(&t, 1, "", 0, &one);
    assert_int_equal(groups_bytes(&t), first + 2 * sizeof(Group) + 3);
    groups_clear(&t);
    assert_int_equal(groups_bytes(&t), first - sizeof(Group) - 3); // they are kept for the next groups
    groups_add(&t, 0, "abc", 3, &one);
    assert_int_equal(groups_bytes(&t), first);
    groups_free(&t);
    assert_int_equal(groups_bytes(&t), 0);
}

// Only a date that is not known needs the tags of the game, where it may be in UTCDate.
static void test_facts(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *date;
        bool suffice;
    } cases[] = {{"year", "2001.02.03", true},  {"year", "????.??.??", false}, {"month", "????.02.??", false},
                 {"month", "2001.??.??", true}, {"white", "????.??.??", true}, {"date", "????.??.??", true},
                 {"white,year", "????", false}, {"year,white", "????", false}, {"white,elo", "????", true}};
    Game game;
    game_init(&game);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GroupSpec spec = spec_of(cases[i].keys);
        assert_int_equal(group_facts_suffice(&spec, &(GroupFacts){.date = cases[i].date}), cases[i].suffice);
        assert_true(group_facts_suffice(&spec, &(GroupFacts){.date = cases[i].date, .game = &game}));
        group_spec_free(&spec);
    }
    game_free(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_of_keys), cmocka_unit_test(test_widths_of_bars),
        cmocka_unit_test(test_long_values),    cmocka_unit_test(test_long_chart),
        cmocka_unit_test(test_bars),           cmocka_unit_test(test_memory),
        cmocka_unit_test(test_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
