// The limits of patterns and of the memory of games; the width of characters.
#include "test.h"

#include <stdio.h>

#include "compiler/base/utf8.h"
#include "runtime/game/game.h"
#include "runtime/value/regex.h"

static char text[400000];
static size_t length;

static void put(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof text - length, format, arguments);
    va_end(arguments);
    assert_true(length < sizeof text);
}

static void repeat(const char *part, int times)
{
    for (int i = 0; i < times; i++)
        put("%s", part);
}

// ---- patterns, widths -------------------------------------------------------------------------------------

static void test_patterns(void **state)
{
    (void)state;
    for (int n = 100; n <= 101; n++) {
        length = 0;
        repeat("(", n);
        put("a");
        repeat(")", n);
        const char *mistake = regex_check(text, length, 0);
        assert_string_equal(mistake ? mistake : "", n > 100 ? "parentheses are nested too deeply" : "");
    }
}

// The first and last characters of each range, and those next to them.
static void test_widths(void **state)
{
    (void)state;
    static const struct {
        uint32_t first, last;
        int width;
    } ranges[] = {{0x300, 0x36F, 0},   {0x200B, 0x200F, 0}, {0xFE00, 0xFE0F, 0},   {0xFEFF, 0xFEFF, 0},
                  {0x1100, 0x115F, 2}, {0x2E80, 0xA4CF, 2}, {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2},
                  {0xFE30, 0xFE6F, 2}, {0xFF00, 0xFF60, 2}, {0x1F300, 0x1FAFF, 2}, {0x20000, 0x3FFFD, 2}};
    const size_t count = sizeof ranges / sizeof *ranges;
    for (size_t i = 0; i < 4 * count; i++) {
        const uint32_t edges[] = {ranges[i / 4].first - 1, ranges[i / 4].first, ranges[i / 4].last,
                                  ranges[i / 4].last + 1};
        const uint32_t c = edges[i % 4];
        int width = 1;
        for (size_t k = 0; k < count; k++)
            width = c >= ranges[k].first && c <= ranges[k].last ? ranges[k].width : width;
        assert_int_equal(utf8_width(c), width);
    }
}

// ---- the memory of a game ---------------------------------------------------------------------------------

// The least memory that a game with this text fits in.
static size_t least_memory(const char *pgn, size_t plies)
{
    size_t low = 0, high = (size_t)1 << 30; // it does not fit, it does
    const Text game = {pgn, strlen(pgn)};
    assert_true(game_fits(game, plies, high));
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (game_fits(game, plies, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

// A byte of text counts as seven, a comment as a part of one, a move or ply as a node of the tree, a variation as a level, a tag as its name and value.
static void test_games(void **state)
{
    (void)state;
    static char comment[1003] = "{";
    size_t node = 1;
    while (!game_fits((Text){"", 0}, 1, node))
        node++;
    memset(comment + 1, 'a', 1000);
    comment[1001] = '}';
    const size_t part = least_memory("{a} {b} {c}", 0) / 3 - 7 * 11 / 3;
    assert_int_equal(least_memory(comment, 0), 7 * 1002 + part);
    assert_int_equal(least_memory("1. e4 e5 2. Nf3 Nc6 *", 0), 4 * node + 7 * 21);
    const size_t level = least_memory("1. e4 (1. d4 d5) e5 2. Nf3 *", 0) - 5 * node - 7 * 28;
    const size_t tag = least_memory("[A \"b\"]\n1. e4 e5 *", 0) - 2 * node - 7 * 18;
    assert_true(level > 0 && tag > 0);
    assert_int_equal(least_memory("[A \"b\"]\n[C \"d\"]\n1. e4 (1. d4) (1. c4 (1. b4)) *", 0),
                     4 * node + 3 * level + 2 * tag +
                         7 * strlen("[A \"b\"]\n[C \"d\"]\n1. e4 (1. d4) (1. c4 (1. b4)) *"));
    // plies that are stored apart
    assert_int_equal(least_memory("", 7), 7 * node);
    // what surely fits: each tag has seven bytes at least
    assert_true(game_surely_fits(700, 3, false, 7 * 700 + 101 * tag + 3 * node));
    assert_false(game_surely_fits(700, 3, false, 7 * 700 + 101 * tag + 3 * node - 1));
    assert_true(game_surely_fits(700, 0, true, 350 * node)); // a move needs two bytes
    assert_false(game_surely_fits(700, 0, true, 350 * node - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
