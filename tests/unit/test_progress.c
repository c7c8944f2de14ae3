// The line that shows the progress of a search.
#include <fcntl.h>
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
        {0, 0, "1000 games, 3 match, 1000000 games/s, 8000.0 MB/s\n"}, // at least a millisecond
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

static bool terminal;
static int width; // of the terminal; negative: not known

int isatty(int fd)
{
    return terminal && fd == STDERR_FILENO;
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    struct winsize *size = va_arg(rest, struct winsize *);
    va_end(rest);
    if (fd != STDERR_FILENO || request != TIOCGWINSZ || width < 0)
        return -1;
    *size = (struct winsize){.ws_row = 10, .ws_col = (unsigned short)width};
    return 0;
}

// A line is as long as the terminal is wide, less one; where that is not known, 79 characters.
static void test_width(void **state)
{
    (void)state;
    static const struct {
        int width;
        size_t length;
    } cases[] = {{-1, 79}, {0, 79}, {1, 0}, {2, 1}, {40, 39}, {81, 80}};
    const SearchTotals totals = {
        .games = 1000000000000000, .matches = 100000000000000, .bytes = 8000000, .seconds = 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Progress p = {.wanted = true, .terminal = true};
        width = cases[i].width;
        assert_int_equal(strlen(shown(&p, &totals, 0.5, false)), 1 + cases[i].length + 3);
    }
    width = -1;
}

// Progress is shown on a terminal that can write a line again, five times a second, and elsewhere when it is wanted, once a second.
static void test_where(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        bool terminal, progress, quiet, wanted, again;
    } cases[] = {{NULL, true, false, false, true, true},     {"xterm", true, false, false, true, true},
                 {"dumb", true, false, false, false, false}, {"dumb", true, true, false, true, false},
                 {"dumber", true, false, false, true, true}, {"xterm", false, false, false, false, false},
                 {"xterm", false, true, false, true, false}, {"xterm", true, false, true, false, true},
                 {"xterm", false, true, true, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].kind)
            setenv("TERM", cases[i].kind, 1);
        else
            unsetenv("TERM");
        terminal = cases[i].terminal;
        const SearchOptions options = {.progress = cases[i].progress, .quiet = cases[i].quiet};
        const Progress p = progress_new(&options);
        terminal = false;
        assert_true(p.wanted == cases[i].wanted && p.terminal == cases[i].again && p.next == 0.5 && !p.shown);
        assert_true(progress_interval(&p) == (cases[i].again ? 0.2 : 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),  cmocka_unit_test(test_times), cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_width), cmocka_unit_test(test_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
