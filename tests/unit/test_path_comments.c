// The comments at the ends of paths and lines, by flag (language reference 5.9, 5.14).
#include "run_fixture.h"

#include <stdio.h>

enum { QUIET = 1, MAX = 2, VERBOSE = 4, PIECEPATH = 8, LINE = 16, FLAGS = 32 };

static int32_t flags;
static const char *title;

static String title_of(void)
{
    return *title ? STR("T") : STR("");
}

// Two ways from position 0 to 2, of 1. e4 e5: both moves, and the second one alone.
static void trail_body(Context *c)
{
    c->hit[c->hit_count++] = 0;
    rt_trail_start(c, 3);
    rt_trail_push(c, 3, 1);
    rt_trail_push(c, 3, 2);
    rt_trail_keep(c, 3, 2, rt_log_mark(c), 7, 1);
    rt_trail_pop(c, 3);
    rt_trail_pop(c, 3);
    rt_trail_push(c, 3, 2);
    rt_trail_keep(c, 3, 2, rt_log_mark(c), 7, 0);
    rt_trail_comments(c, 3, 0, SQ("e2"), flags, title_of());
}

static void path_body(Context *c)
{
    c->hit[c->hit_count++] = 0;
    rt_path_comments(c, 0, 2, 5, 7, flags & ~(VERBOSE | PIECEPATH), title_of());
}

static char expected[2000];

__attribute__((format(printf, 2, 3))) static void expect(int position, const char *format, ...)
{
    va_list arguments;
    char *end = expected + strlen(expected);
    end += sprintf(end, "%d:", position);
    va_start(arguments, format);
    vsprintf(end, format, arguments);
    va_end(arguments);
    strcat(end, "\n");
}

static void expect_ends(int length)
{
    const char *what = flags & LINE ? "line" : "path";
    if (flags & QUIET)
        return;
    expect(2, "End %s of length %d that starts at move 1(wtm)%s", what, length,
           flags & MAX ? " Max value: 7" : "");
    expect(0, "Start %s that ends at move 2(wtm)", what);
}

static void expect_trail(void)
{
    for (int way = 0; way < 2; way++) {
        const int moves = 2 - way;
        if (*title)
            expect(0, "T");
        if (flags & PIECEPATH)
            expect(0, "Focus path: Pe2-e4");
        for (int i = 1; flags & VERBOSE && i <= moves; i++)
            expect(way == 0 ? i : 2, "%smove %d of %d", *title ? "T: " : "", i, moves);
        expect_ends(flags & LINE ? 7 : moves); // of a line its length is kept as the value
        if (way == 1 && !(flags & LINE))
            expect(2, "alternative");
    }
}

static void expect_path(void)
{
    if (*title)
        expect(0, "T");
    expect_ends(5);
}

static void compare(void (*body)(Context *c), void (*make)(void))
{
    char got[2000] = "";
    Fixture f = {.query = {.name = "test", .match_game = body, .matchstring = ""},
                 .options = {.comments = true, .no_header = true}};
    *expected = '\0';
    make();
    fixture_open(&f);
    fixture_play(&f, "1. e4 e5 *");
    assert_null(f.result.error);
    for (int32_t i = 0; i < f.result.log_count; i++)
        sprintf(got + strlen(got), "%d:%s\n", (int)f.result.log[i].position, f.result.log[i].text->bytes);
    assert_string_equal(got, expected);
    fixture_close(&f);
}

static void test_flags(void **state)
{
    (void)state;
    for (flags = 0; flags < FLAGS; flags++) {
        for (int titled = 0; titled < 2; titled++) {
            title = titled ? "T" : "";
            compare(trail_body, expect_trail);
            compare(path_body, expect_path);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flags)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
