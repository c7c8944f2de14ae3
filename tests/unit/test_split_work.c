// What the splitter of PGN leaves to the lexer, and how often it looks at the same braces. It is compiled with counters in place of
// these.
#include "runtime/game/lex.h"
#include "runtime/game/scan.h"

#include "test_game.h"

static int64_t lexed, scanned; // tokens; bytes up to braces

static PgnToken counted_lex(const char *start, const char *p, const char *end)
{
    lexed++;
    return pgn_lex(start, p, end);
}

static const char *counted_brace(const char *p, const char *end)
{
    const char *found = scan_brace(p, end);
    scanned += found - p;
    return found;
}

#define pgn_lex counted_lex
#define scan_brace counted_brace
#include "runtime/game/split.c"

static int64_t read_rest(void *user, void *buffer, size_t size)
{
    Buffer *b = user;
    const size_t n = b->length < size ? b->length : size;
    memcpy(buffer, b->start + b->capacity - b->length, n);
    b->length -= n;
    return (int64_t)n;
}

// Splits `count` times a text. Returns the number of games.
static int64_t split(const char *text, int count)
{
    Buffer all = {0};
    GameText game;
    for (int i = 0; i < count; i++)
        buffer_text(&all, text);
    Buffer rest = {.start = all.start, .length = all.length, .capacity = all.length};
    PgnSplitter *s = pgn_split_open(read_rest, &rest, NULL, NULL);
    lexed = scanned = 0;
    int64_t games = 0;
    while (pgn_split_next(s, &game))
        games++;
    pgn_split_close(s);
    buffer_free(&all);
    return games;
}

// The result alone is a token for the lexer, where it may be one and not part of a move; in games without tags the beginning is, too.
static void test_tokens(void **state)
{
    (void)state;
    enum { GAMES = 300 };
    static const struct {
        const char *text;
        int tokens, braces; // a game; bytes that are looked at for a brace
    } row[] = {
        {"[Event \"a\"]\n[Date \"2000.01.01\"]\n\n1. e4 e5 2. Nf3 Nc6 3. O-O-O+- 1-0\n\n", 1, 0},
        {"[Event \"a\"]\n\n1. e4 {a-b [%clk 0:01:00]} e5 2. Nf3 (2. f4 d5) 2... Nc6 1/2-1/2\n\n", 1, 0},
        {"[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n", 1, 0},
        {"[Event \"a\"]\n\n1. e4 {a {b} c} e5 ; 1-0\n 2. Nf3 Nc6 0-1\n\n", 1,
         5}, // braces inside: "a ", "b", " c"
        {"1. e4 e5 2. Nf3 Nc6 0-1\n\n", 3, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(split(row[i].text, GAMES), GAMES);
        if (lexed != GAMES * row[i].tokens || scanned != GAMES * row[i].braces)
            fail_msg("%s: %d tokens, %d bytes", row[i].text, (int)lexed, (int)scanned);
    }
}

// Nothing is read ahead to find out that a bracket in movetext begins no tag: most of 4 megabytes is left after the first game.
static void test_read_ahead(void **state)
{
    (void)state;
    Buffer all = {0};
    GameText game;
    buffer_text(&all, "[Event \"a\"]\n\n1. e4\n[%x] [A] [ e5 *\n\n");
    while (all.length < 4000000)
        buffer_text(&all, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n");
    Buffer rest = {.start = all.start, .length = all.length, .capacity = all.length};
    PgnSplitter *s = pgn_split_open(read_rest, &rest, NULL, NULL);
    assert_true(pgn_split_next(s, &game));
    assert_true(rest.length >= 2000000 && rest.length <= all.length);
    pgn_split_close(s);
    buffer_free(&all);
}

// Braces that are not closed are looked at twice at most, however many there are.
static void test_open_braces(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static const char *const text[] = {"{ ", "{ a } { ", "{ } } { ", "{ b {"};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        split(text[i], COUNT);
        assert_true(scanned >= COUNT && scanned <= 2 * COUNT * (int64_t)strlen(text[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tokens), cmocka_unit_test(test_open_braces),
                                       cmocka_unit_test(test_read_ahead)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
