// The work of reading tags is proportional to their number. The tested file is compiled to count its basic blocks.
#include "runtime/game/tags.c"

#include "test_game.h"

static uint64_t blocks;

void __sanitizer_cov_trace_pc(void);

__attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

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
    blocks = 0;
    game_parse_tags(&game, &source);
    game_tags(&game, &tags);
    game_roster(&game);
    game_tag(&game, text_of("None"), &value);
    game_written_tags(&game, NULL, 0, &tags);
    game_free(&game);
    buffer_free(&text);
    return blocks;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
