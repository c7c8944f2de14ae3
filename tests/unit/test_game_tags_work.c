// The work of reading tags is proportional to their number. The tested file is compiled to count its basic blocks.
#include "runtime/game/tags.c"

#include "test_game.h"
#include "tests/tools/blocks.h"

// The blocks that a game with `count` groups of such lines takes; %d in a line is the number of the group.
static uint64_t work(const char *line, int count)
{
    Buffer text = {0};
    Game game;
    game_init(&game);
    for (int i = 0; i < count; i++)
        for (const char *p = line; *p; p++) {
            if (*p == '#')
                buffer_format(&text, "%d", i);
            else
                buffer_append(&text, p, 1);
        }
    buffer_text(&text, "\n*");
    GameText source = {{text.start, text.length}, 1, 0, 1};
    size_t tags;
    Text value;
    blocks_run = 0;
    game_parse_tags(&game, &source);
    game_tags(&game, &tags);
    game_roster(&game);
    game_tag(&game, text_of("None"), &value);
    game_written_tags(&game, NULL, 0, &tags);
    game_free(&game);
    buffer_free(&text);
    return blocks_run;
}

static void test_work(void **state)
{
    (void)state;
    static const char *const line[] = {
        "[White \"W (2100)\"]\n[T# \"v\"]\n",
        "[Black \"B\"]\n[WhiteElo \"2#\"]\n[T# \"v\"]\n",
        "[T# \"v\"]\n",
        "[T \"v#\"]\n[ECO \"B90\"]\n",
        "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[Result \"1-0\"]\n[Date \"2000.01.01\"]\n",
    };
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        const uint64_t few = work(line[i], 500), many = work(line[i], 5000);
        if (many > 13 * few)
            fail_msg("%s: %llu blocks, then %llu", line[i], (unsigned long long)few,
                     (unsigned long long)many);
        assert_true(few > 500);
    }
}

// Dates in their normal form are read at once: those that are complete, and no others.
static void test_complete_dates(void **state)
{
    (void)state;
    static const int years[] = {0,    1,    9,    10,   90,   99,   100,  900,
                                1899, 1909, 1990, 1999, 2000, 2047, 2048, 9999};
    static const char *const others[] = {
        "",           "2000",       "2000.01.0",  "2000.01.011", "2000-01.01", "2000.01-01", "200..01.01",
        "2000.0..01", "2000.01.1.", "200/.01.01", "20:0.01.01",  "2/00.01.01", ":000.01.01", "2000.1/.01",
        "2000.:1.01", "2000.01.1:", "2000.01./1", "????.01.01",  "2000.??.01", "2000.01.??"};
    char text[40];
    for (size_t i = 0; i < sizeof years / sizeof *years; i++)
        for (int month = 0; month <= 20; month++)
            for (int day = 0; day <= 40; day++) {
                const int year = years[i];
                const bool good = year <= 2047 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
                snprintf(text, sizeof text, "%04d.%02d.%02d", year, month, day);
                assert_int_equal(complete_date(text_of(text)), good ? year : 0);
            }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(complete_date(text_of(others[i])), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work), cmocka_unit_test(test_complete_dates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
