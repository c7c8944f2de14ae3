// Long games, comments and white space in a stream (language reference 9.1, 9.4).
#include "split_fixture.h"

#include <stdlib.h>

// A text of `length` bytes c between two others.
static char *filled(const char *before, char c, size_t length, const char *after)
{
    char *text = malloc(strlen(before) + length + strlen(after) + 1);
    char *end = stpcpy(text, before);
    memset(end, c, length);
    strcpy(end + length, after);
    return text;
}

// What follows the longest text that a game may have is dropped up to a tag line, however it is read.
static void test_limit(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    char *text =
        filled("[Event \"a\"]\n\n1. e4 {", 'x', 3 * MOST, "\n[no tag\n} e5 *\n\n[Event \"b\"]\n\n1. d4 *\n");
    for (size_t step = 1000; step <= 5 * MOST; step *= 50) {
        Stream stream = {text, strlen(text), 0, step};
        GameText game;
        reports[0] = 0;
        PgnSplitter *s = pgn_split_open(read_stream, &stream, keep_report, NULL);
        pgn_split_limit(s, MOST);
        assert_true(pgn_split_next(s, &game));
        assert_int_equal(game.text.length, MOST);
        assert_memory_equal(game.text.start, text, MOST);
        assert_true(pgn_split_next(s, &game));
        assert_int_equal(game.number, 2);
        assert_memory_equal(game.text.start, "[Event \"b\"]\n\n1. d4 *", 20);
        assert_false(pgn_split_next(s, &game));
        assert_string_equal(
            reports,
            "1 0 the game has more than 1 MB of text, the rest is dropped; --max-memory allows more\n");
        pgn_split_close(s);
    }
    free(text);
}

// A game has as many bytes as it may have, or one less or more.
static void test_exact_limit(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    for (int more = -1; more <= 1; more++) {
        char *text = filled("1. e4 {", 'x', (size_t)(MOST + more) - 9, "}*\n\n[Event \"b\"]\n\n1. d4 *\n");
        for (size_t step = 1000; step <= 5 * MOST; step *= 70) {
            Stream stream = {text, strlen(text), 0, step};
            GameText game;
            reports[0] = 0;
            PgnSplitter *s = pgn_split_open(read_stream, &stream, keep_report, NULL);
            pgn_split_limit(s, MOST);
            assert_true(pgn_split_next(s, &game));
            assert_int_equal(game.text.length, more > 0 ? MOST : MOST + more);
            assert_int_equal(reports[0] != 0, more > 0);
            assert_true(pgn_split_next(s, &game));
            assert_int_equal(game.offset, (size_t)(MOST + more) + 2);
            assert_false(pgn_split_next(s, &game));
            pgn_split_close(s);
        }
        free(text);
    }
}

// The games after an unterminated comment are kept when the limit comes before the end of the input.
static void test_limit_unterminated(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    char *text = filled("[Event \"a\"]\n\n1. e4 { e5\n\n[Event \"b\"]\n\n1. d4 *\n\n", '\n', 3 * MOST,
                        "[Event \"c\"]\n\n1. c4 *\n");
    Stream stream = {text, strlen(text), 0, 0};
    GameText game;
    reports[0] = 0;
    PgnSplitter *s = pgn_split_open(read_stream, &stream, keep_report, NULL);
    pgn_split_limit(s, MOST);
    assert_true(pgn_split_next(s, &game));
    assert_memory_equal(game.text.start, "[Event \"a\"]\n\n1. e4 {", game.text.length);
    assert_true(pgn_split_next(s, &game));
    assert_int_equal(game.text.length, strlen("[Event \"b\"]\n\n1. d4 *"));
    assert_memory_equal(game.text.start, "[Event \"b\"]\n\n1. d4 *", game.text.length);
    assert_true(pgn_split_next(s, &game));
    assert_int_equal(game.number, 3);
    assert_memory_equal(game.text.start, "[Event \"c\"]", 11);
    assert_false(pgn_split_next(s, &game));
    assert_string_equal(reports, "");
    pgn_split_close(s);
    free(text);
}

// A comment longer than 32 MB ends where it is closed, unless a tag line comes within: then it is not closed.
static void test_long_comments(void **state)
{
    (void)state;
    enum { LENGTH = 70 << 20 };
    static const struct {
        const char *before, *after;
        const char *games[3]; // NULL: before, filling and after
    } row[] = {
        {"1. e4 {", "} e5 *", {NULL}},
        {"1. e4 {\n[A \"2\"]\n1. d4 *\n",
         "} e5 *\n[A \"3\"]\n1. c4 *",
         {"1. e4 {", "[A \"2\"]\n1. d4 *", "[A \"3\"]\n1. c4 *"}},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *text = filled(row[i].before, 'x', LENGTH, row[i].after);
        Stream stream = {text, strlen(text), 0, 0};
        GameText game;
        PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
        for (size_t k = 0; k < 3 && (k == 0 || row[i].games[k]); k++) {
            const char *wanted = row[i].games[k] ? row[i].games[k] : text;
            assert_true(pgn_split_next(s, &game));
            assert_int_equal(game.text.length, strlen(wanted));
            assert_memory_equal(game.text.start, wanted, game.text.length);
        }
        assert_false(pgn_split_next(s, &game));
        pgn_split_close(s);
        free(text);
    }
}

// A comment with a tag line is closed when it has 32 MB with its braces, not when it has a byte more.
static void test_longest_comment(void **state)
{
    (void)state;
    enum { MOST = 32 << 20 };
    static const char before[] = "1. e4 {\n[A \"2\"]\n1. d4 *\n";
    const size_t inside = strlen(before) - strlen("1. e4 ");
    for (size_t more = 0; more < 2; more++) {
        char *text = filled(before, 'x', MOST - inside - 1 + more, "} e5 *\n");
        Stream stream = {text, strlen(text), 0, 0};
        GameText game;
        PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
        assert_true(pgn_split_next(s, &game));
        assert_int_equal(game.text.length, more ? strlen("1. e4 {") : strlen(text) - 1);
        assert_int_equal(pgn_split_next(s, &game), more);
        pgn_split_close(s);
        free(text);
    }
}

// A game ends before a megabyte of white space.
static void test_white_space(void **state)
{
    (void)state;
    char *text = filled("1. e4", '\n', 3 << 20, "1. d4 *\n");
    Stream stream = {text, strlen(text), 0, 0};
    GameText game;
    PgnSplitter *s = pgn_split_open(read_stream, &stream, keep_report, NULL);
    assert_true(pgn_split_next(s, &game));
    assert_int_equal(game.text.length, 5);
    assert_true(pgn_split_next(s, &game));
    assert_int_equal(game.line, (3 << 20) + 1);
    assert_int_equal(game.text.length, 7);
    pgn_split_close(s);
    free(text);
}

// The same, wherever the blocks that are read end, and whatever white space follows; not within comments.
static void test_white_space_limit(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20, STEP = 8191 };
    static const char *const before[] = {"1. e4", "1. e4 e5 2.", "1. e4 (1. d4 {a} d5)", "1. e4 {a} ; b\ne5"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        for (int more = -1; more <= 1 << 16; more += more < 1 ? 1 : STEP) {
            char *text = filled(before[i], ' ', (size_t)(LIMIT + more), "2. d4 *\n");
            Stream stream = {text, strlen(text), 0, 0};
            GameText game;
            PgnSplitter *s = pgn_split_open(read_stream, &stream, keep_report, NULL);
            assert_true(pgn_split_next(s, &game));
            const size_t whole = strlen(text) - 1;
            assert_int_equal(game.text.length, more < 0 ? whole : strlen(before[i]));
            assert_int_equal(pgn_split_next(s, &game), more >= 0);
            pgn_split_close(s);
            free(text);
        }
    }
    static const char *const open[] = {"1. e4 {", "1. e4 {text", "1. e4 {a} {b c", "{a}{b (c)[d]",
                                       "1. e4 ( {a"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        char *text = filled(open[i], ' ', 2 << 20, "} e5 *\n");
        Stream stream = {text, strlen(text), 0, 0};
        GameText game;
        char *tagged = malloc(strlen(text) + 20);
        stream.length = (size_t)sprintf(tagged, "[A \"1\"]\n%s", text);
        stream.text = tagged;
        PgnSplitter *s = pgn_split_open(read_stream, &stream, keep_report, NULL);
        assert_true(pgn_split_next(s, &game));
        assert_int_equal(game.text.length, stream.length - 1);
        pgn_split_close(s);
        free(tagged);
        free(text);
    }
}

// White space in comments that were read with a long line before them.
static void test_white_space_in_comments(void **state)
{
    (void)state;
    static const struct {
        const char *open, *close;
        bool whole;
    } row[] = {{"\n{", "} *\n", true},         {"\n{text", "} *\n", true},   {"\n{a} {b c", "} *\n", true},
               {"\n{a} e5", "{b} *\n", false}, {"\n(e5 {a})", "*\n", false}, {"\n{a} } (e5", ") *\n", false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *line = filled("[A \"1\"]\n1. e4 ;", 'x', 4 << 20, row[i].open);
        char *text = filled(line, ' ', 3 << 19, row[i].close);
        Stream stream = {text, strlen(text), 0, 0};
        GameText game;
        PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
        assert_true(pgn_split_next(s, &game));
        assert_int_equal(game.text.length, row[i].whole ? stream.length - 1 : strlen(line));
        pgn_split_close(s);
        free(line);
        free(text);
    }
}

// White space that begins where a line ends, and ends where a mark is.
static void test_white_space_between_marks(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20 };
    static const char before[] = "1. e4 ;b\n"; // the line feed is white space, too
    for (int more = -2; more <= 2; more++) {
        char *text = filled(before, ' ', (size_t)(LIMIT + more) - 1, ";x\n2. d4 *\n");
        Stream stream = {text, strlen(text), 0, 0};
        GameText game;
        PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
        assert_true(pgn_split_next(s, &game));
        assert_int_equal(game.text.length, more < 0 ? strlen(text) - 1 : strlen("1. e4 ;b"));
        assert_int_equal(pgn_split_next(s, &game), more >= 0);
        pgn_split_close(s);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_exact_limit),
        cmocka_unit_test(test_limit_unterminated),
        cmocka_unit_test(test_long_comments),
        cmocka_unit_test(test_longest_comment),
        cmocka_unit_test(test_white_space),
        cmocka_unit_test(test_white_space_limit),
        cmocka_unit_test(test_white_space_in_comments),
        cmocka_unit_test(test_white_space_between_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
