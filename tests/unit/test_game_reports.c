// What is said about damaged games, each message whole with its line, and what is read of them (language reference 9.3 to 9.5).
#include "test_game.h"

#define NO_RESULT "no result token at the end of the game"
#define OPEN_VARIATION "variation without \")\""
#define DROPPED ", the rest of the game is dropped"
#define VARIATION_DROPPED ", the rest of the variation is dropped"
#define FORTY "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"

typedef struct Row {
    const char *text, *said;
    int plies; // of the main line; -1: the game is skipped
} Row;

static void expect_reports(const Row *row, size_t count, unsigned flags)
{
    Game g;
    game_init(&g);
    for (size_t i = 0; i < count; i++) {
        const GameText source = {{row[i].text, strlen(row[i].text)}, .number = 7, .line = 10};
        reports[0] = '\0';
        game_parse(&g, &source, flags, keep_report, NULL);
        if (strcmp(reports, row[i].said) != 0)
            fail_msg("%s: %s", row[i].text, reports);
        assert_int_equal(g.damaged, row[i].said[0] != '\0');
        assert_int_equal(g.skipped, row[i].plies < 0);
        assert_int_equal(g.ply_count, row[i].plies < 0 ? 0 : row[i].plies);
        game_parse(&g, &source, flags, NULL, NULL); // nobody listens
        assert_int_equal(g.damaged, row[i].said[0] != '\0');
    }
    game_free(&g);
}

#define EXPECT(flags, ...)                                                                                   \
    expect_reports((const Row[]){__VA_ARGS__}, sizeof((const Row[]){__VA_ARGS__}) / sizeof(Row), flags)

static void test_moves(void **state)
{
    (void)state;
    EXPECT(PARSE_VARIATIONS | PARSE_NOTES, {"1. e4 e5 *", "", 2},
           {"1. e5 *", "10 7 illegal move 1. e5" DROPPED "\n", 0},
           {"1. e4\ne4\n2. d4 *", "11 7 illegal move 1... e4" DROPPED "\n", 1},
           {"1. e4 e5\r\n\r\n2. Ke3 Ke7 3. d4 *", "12 7 illegal move 2. Ke3" DROPPED "\n", 2},
           {"1. d4 d5 2. Nf3 Nf6 3. Nd2 *", "10 7 ambiguous move 3. Nd2" DROPPED "\n", 4},
           {"1. d4 d5 2. Nf3 Nf6 3. c3 Nd7 *", "10 7 ambiguous move 3... Nd7" DROPPED "\n", 5},
           {"1. e4 (1. e5) e5 *", "10 7 illegal move 1. e5" VARIATION_DROPPED "\n", 2},
           {"1. e4 e5 2. d4 (2. f4\n(2. Nf3 Nf3) exf4) *",
            "11 7 illegal move 2... Nf3" VARIATION_DROPPED "\n", 3},
           {"1. e4 e5 (1... d4) (1... e4)\n(1... Nc6) *",
            "10 7 illegal move 1... d4" VARIATION_DROPPED "\n10 7 illegal move 1... e4" VARIATION_DROPPED
            "\n",
            2},
           // after it there are no more reports about moves, but about words, brackets and the end
           {"1. e5 e6 zzz\n) e9",
            "10 7 illegal move 1. e5" DROPPED
            "\n10 7 unknown word \"zzz\" ignored\n11 7 \")\" without \"(\" ignored\n11 7 " NO_RESULT "\n",
            0},
           {"1. e5 (1. e9",
            "10 7 illegal move 1. e5" DROPPED "\n10 7 unknown word \"e9\" ignored\n10 7 " NO_RESULT "\n", 0},
           // the number is that of the position, whatever is written
           {"[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 41\"]\n\n1. Ka1 *",
            "12 7 illegal move 41... Ka1" DROPPED "\n", 0},
           {"[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 41\"]\n\n1... Kd8 Ka1 *",
            "12 7 illegal move 42. Ka1" DROPPED "\n", 1},
           {"[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 41\"]\n\n1. e4 Ka1 *",
            "12 7 illegal move 41... Ka1" DROPPED "\n", 1});
}

static void test_words(void **state)
{
    (void)state;
#define FOREIGN " (PGN uses the piece letters K Q R B N)" DROPPED "\n"
    EXPECT(PARSE_VARIATIONS, {"1. e4 zug e5 *", "10 7 unknown word \"zug\" ignored\n", 2},
           {"1. e4\nzug zwang e5 *", "11 7 unknown word \"zug\" ignored\n", 2}, // once a game
           {"1. e4 " FORTY " *", "10 7 unknown word \"" FORTY "\" ignored\n", 1},
           {"1. e4 " FORTY "o *", "10 7 unknown word \"" FORTY "\" ignored\n", 1},
           {"1. e4 z\x1f\x7f *", "10 7 unknown word \"z??\" ignored\n", 1},
           {"1. e4 z\x80 *", "10 7 unknown word \"z\x80\" ignored\n", 1}, {"1. Sf3 *", "", 1}, // German
           {"1. Txh7 *", "10 7 unreadable move 1. Txh7" FOREIGN, 0},
           {"1. Sbxd2 *", "10 7 unreadable move 1. Sbxd2" FOREIGN, 0},
           {"1. Txh7# *", "10 7 unreadable move 1. Txh7" FOREIGN, 0},
           {"1. Sh8++ *", "10 7 unreadable move 1. Sh8" FOREIGN, 0},
           {"1. Ab1xd2 *", "10 7 unreadable move 1. Ab1xd2" FOREIGN, 0},
           {"1. sf3 z *", "10 7 unreadable move 1. sf3" DROPPED "\n10 7 unknown word \"z\" ignored\n", 0},
           {"1. s\x1b[f3 *", "10 7 unreadable move 1. s?[f3" DROPPED "\n", 0},
           {"1. Zi1 *", "10 7 unknown word \"Zi1\" ignored\n", 0},
           {"1. Za9 *", "10 7 unknown word \"Za9\" ignored\n", 0},
           {"1. Za0 *", "10 7 unknown word \"Za0\" ignored\n", 0},
           {"1. Diag D1 *", "", 0}, // words that begin with D and are not moves are ignored (9.4.1)
           {"1. Sf *", "10 7 unknown word \"Sf\" ignored\n", 0});
}

static void test_brackets(void **state)
{
    (void)state;
#define BEFORE_FIRST "variation before the first move ignored"
#define CLOSED "\")\" without \"(\" ignored"
#define UNCLOSED "unterminated comment, the game ends before it"
    EXPECT(PARSE_VARIATIONS, {"(1. d4) 1. e4 *", "10 7 " BEFORE_FIRST "\n", 1},
           {"\n{a} (1. d4) (1. c4) *", "11 7 " BEFORE_FIRST "\n11 7 " BEFORE_FIRST "\n", 0},
           {"1. e4 ) e5 *", "10 7 " CLOSED "\n", 2}, {"1. e4 )\n) e5 ) *", "10 7 " CLOSED "\n", 2},
           {"1. e4 (1. d4)) e5 *", "10 7 " CLOSED "\n", 2},
           {"1. e4 (1. d4 *", "10 7 " OPEN_VARIATION "\n", 1},
           {"1. e4 (1. d4 (1. c4) *\n", "11 7 " OPEN_VARIATION "\n", 1},
           {"1. e4 (1. d4", "10 7 " NO_RESULT "\n10 7 " OPEN_VARIATION "\n", 1},
           {"1. e4 (1. d4 {a", "10 7 " UNCLOSED "\n10 7 " OPEN_VARIATION "\n", 1},
           {"1. e4\n{a b {c", "11 7 " UNCLOSED "\n", 1}, {"1. e4 e5", "10 7 " NO_RESULT "\n", 2},
           {"1. e4 e5\n\n", "12 7 " NO_RESULT "\n", 2}, {"", "10 7 " NO_RESULT "\n", 0});
    // the same without variations
    EXPECT(0, {"(1. d4) 1. e4 *", "10 7 " BEFORE_FIRST "\n", 1},
           {"1. e4 (1. d4 *", "10 7 " OPEN_VARIATION "\n", 1},
           {"1. e4 (1. e5) e5 *", "10 7 illegal move 1. e5" VARIATION_DROPPED "\n", 2});
}

static void test_starts(void **state)
{
    (void)state;
#define TAG "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/8/8 w\"]\n\n1. e4 e5 *"
#define BAD "11 7 bad FEN (FEN without exactly one white king), "
    EXPECT(0, {TAG, BAD "the game is skipped\n", -1});
    EXPECT(PARSE_BAD_START_STANDARD, {TAG, BAD "the game starts from the standard position\n", 2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moves), cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_brackets), cmocka_unit_test(test_starts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
