// The line that shows the progress of a search.
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/search/progress.h"

// What the function writes to standard error, which is no terminal then.
static const char *shown(Progress *p, const SearchTotals *totals, double part, bool clear)
{
    static char text[400];
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    if (clear)
        progress_clear(p);
    else
        progress_show(p, totals, part);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void test_text(void **state)
{
    (void)state;
    static const struct {
        double seconds, part;
        const char *text;
    } cases[] = {
        {2, 0.5, " 50%  1000 games, 3 match, 500 games/s, 4.0 MB/s, 0:02 left\n"},
        {4, 0, "1000 games, 3 match, 250 games/s, 2.0 MB/s\n"},          // the part is not known
        {4, 0.01, "  1%  1000 games, 3 match, 250 games/s, 2.0 MB/s\n"}, // too early to say
        {4, 0.02, "  2%  1000 games, 3 match, 250 games/s, 2.0 MB/s, 3:16 left\n"},
        {4, 1.5, "100%  1000 games, 3 match, 250 games/s, 2.0 MB/s, 0:00 left\n"},
        {59.25, 0.5, " 50%  1000 games, 3 match, 17 games/s, 0.1 MB/s, 0:59 left\n"},
        {59.75, 0.5, " 50%  1000 games, 3 match, 17 games/s, 0.1 MB/s, 1:00 left\n"},
        {3599, 0.5, " 50%  1000 games, 3 match, 0 games/s, 0.0 MB/s, 59:59 left\n"},
        {3600, 0.5, " 50%  1000 games, 3 match, 0 games/s, 0.0 MB/s, 1:00:00 left\n"},
        {7384, 0.5, " 50%  1000 games, 3 match, 0 games/s, 0.0 MB/s, 2:03:04 left\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Progress p = {.wanted = true, .next = cases[i].seconds};
        const SearchTotals totals = {
            .games = 1000, .matches = 3, .bytes = 8000000, .seconds = cases[i].seconds};
        assert_string_equal(shown(&p, &totals, cases[i].part, false), cases[i].text);
        assert_string_equal(shown(&p, &totals, 0, true), ""); // only a terminal's line is removed
    }
}

// Nothing is shown before it is time, and then once a second.
static void test_times(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        bool shown;
    } times[] = {{0.25, false}, {0.5, true}, {1.25, false}, {1.5, true}, {4, true}, {4.75, false}, {5, true}};
    const SearchOptions options = {.progress = true};
    Progress p = progress_new(&options);
    p.terminal = false;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        const SearchTotals totals = {.seconds = times[i].seconds};
        assert_int_equal(shown(&p, &totals, 0, false)[0] != '\0', times[i].shown);
    }
    const SearchOptions quiet = {.progress = true, .quiet = true};
    assert_false(progress_new(&quiet).wanted);
}

// The line of a terminal is written again, cut to its width, and removed in the end.
static void test_terminal(void **state)
{
    (void)state;
    Progress p = {.wanted = true, .terminal = true};
    const SearchTotals totals = {
        .games = 1000000000000000, .matches = 100000000000000, .bytes = 8000000, .seconds = 2};
    const char *line = shown(&p, &totals, 0.5, false);
    assert_memory_equal(line, "\r 50%  1000000000000000 games, 100000000000000 match, ", 53);
    assert_int_equal(strlen(line), 1 + 79 + 3);
    assert_string_equal(line + 80, "\033[K");
    assert_true(p.next > 2.15 && p.next < 2.25);
    assert_string_equal(shown(&p, &totals, 0, true), "\r\033[K");
    assert_string_equal(shown(&p, &totals, 0, true), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
