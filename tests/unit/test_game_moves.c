// Movetext: how moves and other words are spelled, and which cannot be played (language reference 9.3, 9.4, 9.5).
#include "test_game.h"

static Game game;

static void test_illegal_in_main_line(void **state)
{
    (void)state;
    parse(&game, "1. e4 e5 2. Nf3\nNc6 3. Bb5 Qd2 $1 {x} 4. Bxc6 (4. O-O) dxc6 1-0");
    assert_tree(&game, "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5");
    assert_string_equal(reports, "2 1 illegal move 3... Qd2, the rest of the game is dropped\n");
    assert_true(game.damaged);
    assert_text(game.note[5].comment, "");
    assert_int_equal(game.note[5].nag_count, 0);
    assert_int_equal(game.view.result, RESULT_WHITE);
}

// An illegal move in a side line drops everything after it at every level, with and without variations.
static void test_illegal_in_variation(void **state)
{
    (void)state;
    const char *text = "1. e4 e5 (1... c5 2. Nf3 (2. Ra5 d6) 2... d6) 2. Nf3 (2. f4) Nc6 *";
    parse(&game, text);
    assert_tree(&game, "0e2e4 1e7e5 2g1f3 3b8c6 2f2f4 1c7c5 6g1f3 7d7d6");
    GameText source = game_of(text);
    game_parse(&game, &source, 0, NULL, NULL);
    assert_tree(&game, "0e2e4 1e7e5 2g1f3 3b8c6");
    parse(&game, "1. e4 e5 (1... Qh4 2. a3) 2. Nf3 *"); // the first move of the variation
    assert_tree(&game, "0e2e4 1e7e5 2g1f3");
    // what comes after it in the variation is dropped, variations, comments and glyphs too
    parse(&game, "1. e4 e5 (1... c5 2. Ra5 {x} (2. Nf3) $4 (2. c3 d5) 2... d6 {y}) {z} 2. Nf3 $1 *");
    assert_tree(&game, "0e2e4 1e7e5 2g1f3 1c7c5");
    assert_text(game.note[2].comment, "z");
    assert_text(game.note[4].comment, "");
    assert_int_equal(game.note[4].nag_count, 0);
    assert_int_equal(game.note[3].nag[0], 1);
    parse(&game, "1. e4 Ra5 (1... e5 2. Nf3) 1... c5 (1... e6) *"); // in the game itself
    assert_tree(&game, "0e2e4");
}

static void test_ambiguous(void **state)
{
    (void)state;
    parse(&game, "1. Nf3 d5 2. d3 Nf6 3. Nd2 c5 0-1");
    assert_int_equal(game.view.count, 5);
    assert_string_equal(reports, "1 1 ambiguous move 3. Nd2, the rest of the game is dropped\n");
}

static void test_move_numbers_in_reports(void **state)
{
    (void)state;
    parse(&game, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd7 41. e4 Ka1 *");
    assert_string_equal(reports, "3 1 illegal move 41... Ka1, the rest of the game is dropped\n");
}

static void test_wrong_case_is_illegal(void **state)
{
    (void)state;
    static const char *const move[] = {"nf3", "qd2", "pe4"};
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "1. e4 e5 2. %s Nc6 *", move[i]);
        parse(&game, text);
        assert_int_equal(game.view.count, 3);
        assert_non_null(strstr(reports, "unreadable move 2."));
    }
    static const char *const promotion[] = {"a8=K", "a8", "a8=p", "a8(K)", "a7b"};
    for (int i = 0; i < 5; i++) {
        char text[128];
        snprintf(text, sizeof text, "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. %s Kd7 *", promotion[i]);
        parse(&game, text);
        assert_int_equal(game.view.count, 1);
        assert_non_null(strstr(reports, "illegal move 1."));
    }
}

static void test_glued_tokens(void **state)
{
    (void)state;
    parse(&game, "1.e4{x}e5$1(1...c5)2.Nf3*");
    assert_tree(&game, "0e2e4 1e7e5 2g1f3 1c7c5");
    assert_text(game.note[1].comment, "x");
    assert_int_equal(game.note[2].nag[0], 1);
    parse(&game, "1.e4{x}e5$1 2.Nf3(2.d4)Nc6;y\n3.Bb5!{z}(3.Bc4{w})a6*");
    assert_tree(&game, "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5 5a7a6 4f1c4 2d2d4");
    assert_int_equal(game.note[5].nag[0], 1);
    assert_text(game.note[7].comment, "w");
    parse(&game, "e4 e5 7.Nf3 3...Nc6 99. Bb5 a6 4.Ba4 Nf6 .. O-O Be7 *");
    assert_int_equal(game.ply_count, 10);
    assert_string_equal(reports, "");
    parse(&game, "1. e4\xC2\xA0"
                 "e5\xA0 2.\xC2\xA0Nf3 *"); // no-break spaces
    assert_int_equal(game.ply_count, 3);
}

// The moves of a game that are not in the spelling of PGN.
static void test_other_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *moves, *language;
    } cases[] = {
        {"1. ♙e4 e5 2. ♘f3 ♞c6 3. ♗b5 0–0–0", "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5", NULL},
        {"1. e2–e4 d5 2. e4×d5 Q×d5 *", "0e2e4 1d7d5 2e4d5 3d8d5", NULL},
        {"1.5254 5755 2.7163 2836 3.6125 6878 4.5171 *", "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5", NULL},
        {"1. e2e4 e7e5 2. g1f3 b8c6 *", "0e2e4 1e7e5 2g1f3 3b8c6", NULL},
        {"1. e4 5755 2. Nf3 2836 3. Bb5 *", "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5", NULL},
        {"1. d4 {a} 1…Nf6 2. d5 *", "0d2d4 1g8f6 2d4d5", NULL},
        {"1. e4 f5 2. Qh5ch g6 3. Qxg6 dbl ch hxg6 dis.ch. *", "0e2e4 1f7f5 2d1h5 3g7g6 4h5g6 5h7g6", NULL},
        {"1. e4 e5 2. Sf3 Sc6 3. Lb5 *", "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5", "German"},
        {"1. e4 e5 2. Cf3 Cc6 3. Fb5 *", "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5", "French"},
        {"1. e4 e5 2. Cf3 Cc6 3. Ab5 Ra4", "0e2e4 1e7e5", NULL},
        {"1. e4 e5 2. Re2 Ac5 *", "0e2e4 1e7e5 2e1e2 3f8c5", "Spanish"},
        {"1. e4 e5 2. Pf3 Pc6 3. Lb5 *", "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5", "Dutch"},
        {"1. e4 e5 2. Кf3 Кc6 3. Крe2 *", "0e2e4 1e7e5 2g1f3 3b8c6 4e1e2", "Russian"},
        // Cyrillic letters that look like Latin ones
        {"1. е4! с5 2. Nс3 d5 3. ехd5 Nсб *", "0e2e4 1c7c5 2b1c3 3d7d5 4e4d5", NULL},
        {"1. е2–е4 с7-с5 (1... е5! 2. с3) 2. с3+ *", "0e2e4 1c7c5 2c2c3 1e7e5 4c2c3", NULL},
        {"1. е4 е5 2. Кf3 Кс6 3. Сс4+ Сс5 4. Кхе5 и Ссхf2 *",
         "0e2e4 1e7e5 2g1f3 3b8c6 4f1c4 5f8c5 6f3e5 7c5f2", "Russian"},
        {"1. e4 e5 2. Sf3 Sc6 3. Bb5 Bc5 *", "0e2e4 1e7e5 2g1f3 3b8c6 4f1b5 5f8c5", "English problems"},
        // both letters for a knight: not of one language
        {"1. d4 Nf6 2. Sf3 d5 3. c4 *", "0d2d4 1g8f6", NULL},
        // a move of the game is not legal with the letters
        {"1. d4 Sf6 2. Sf3 Sf3 *", "0d2d4", NULL},
        {"1. d4 Sf6 (1... Sa5) 2. Sf3 *", "0d2d4", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse(&game, cases[i].text);
        assert_tree(&game, cases[i].moves);
        if (cases[i].language)
            assert_string_equal(game.language, cases[i].language);
        else
            assert_null(game.language);
    }
    // the knight of German and the bishop of Czech can both go there
    parse(&game, "[FEN \"4k3/8/8/8/8/8/3NB3/4K3 w - - 0 1\"]\n\n1. Sf3 *");
    assert_int_equal(game.ply_count, 0);
    assert_string_equal(
        reports, "3 1 unreadable move 1. Sf3 (PGN uses the piece letters K Q R B N), the rest of the game is "
                 "dropped\n");
}

// 0-0 where it is the result.
static void test_both_lose(void **state)
{
    (void)state;
    static const struct {
        const char *text, *result;
        int plies;
    } cases[] = {
        {"[Result \"0-0\"]\n\n1. e4 e5 0-0", "0-0", 2},
        {"1. e4 e5 0-0 {neither came}", "0-0", 2},
        {"1. e4 e5 0–0", "0-0", 2},
        {"[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-0", "0-0", 6},
        {"[Result \"0-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-0 *", "*", 7},
        {"[Result \"0-0\"]\n\n1. e4 e5 1-0", "1-0", 2},
        {"[Result \"0-0\"]\n\n1. e4 e9 0-0", "0-0", 1},
        {"0-0", "0-0", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse(&game, cases[i].text);
        assert_text(game_result_text(&game), cases[i].result);
        assert_int_equal(game.ply_count, cases[i].plies);
        if (i != 6)
            assert_string_equal(reports, "");
    }
    parse(&game, "[Result \"0-0\"]\n\n1. e4 e5");
    assert_text(game_result_text(&game), "0-0");
    parse(&game, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 0-0"); // castling may be meant, so it is
    assert_text(game_result_text(&game), "*");
    assert_int_equal(game.ply_count, 7);
    parse(&game, "1. e4 e5 (1... c5 0-0) 1-0");
    assert_int_equal(game.view.count, 4);
    assert_text(game_result_text(&game), "1-0");
    parse(&game, "1. e4 e5 1 - 0\n\n1. d4 *");
    assert_string_equal(reports, "3 1 text after the result ignored\n");
}

// A word that may be a move ends the line: the next one is a move of the other side.
static void test_words_that_may_be_moves(void **state)
{
    (void)state;
    static const char *const words[] = {"P@f6", "P-KB3",   "PxP",  "Sxf3", "nf3",      "E5", "e5x6",
                                        "5758", "O-O-O-O", "0-0.", "♘",    "e7-e5-e4", "zf6"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[64];
        snprintf(text, sizeof text, "1. e4 %s 2. e5 d5 *", words[i]);
        parse(&game, text);
        assert_tree(&game, "0e2e4");
        assert_non_null(strstr(reports, "move 1... "));
        assert_true(game.cut);
        snprintf(text, sizeof text, "1. e4 e5 (1... c5 2. d4 %s 3. d5) 2. d4 *", words[i]);
        parse(&game, text);
        assert_tree(&game, "0e2e4 1e7e5 2d2d4 1c7c5 4d2d4");
    }
    // numbers of moves that have four digits
    parse(&game, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1111\"]\n\n1111 e4 Kd8 1112 e5 1112... Kd7 *");
    assert_int_equal(game.ply_count, 4);
    assert_string_equal(reports, "");
}

// Tokens without white space between them, each of which ends where the next can begin.
static void test_moves_that_touch(void **state)
{
    (void)state;
    static const struct {
        const char *text, *moves;
    } cases[] = {
        {"1. e4 e52. Nf3 *", "0e2e4 1e7e5 2g1f3"},
        {"1. e4 e51-0", "0e2e4 1e7e5"},
        {"1. e4 d5 2. exd5Nf6 *", "0e2e4 1d7d5 2e4d5 3g8f6"},
        {"1. e4K *", "0e2e4"},
        {"00. e4 e5 *", "0e2e4 1e7e5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        parse(&game, cases[i].text);
        assert_tree(&game, cases[i].moves);
        assert_string_equal(reports, "");
    }
    parse(&game, "1. d4null 2. c4 *");
    assert_int_equal(game.ply_count, 3);
    assert_true(game.view.node[2].move.flags & MOVE_NULL);
    parse(&game, "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O-+ *");
    assert_int_equal(game.ply_count, 7);
    assert_int_equal(game.note[7].nag[0], 19);
    assert_string_equal(reports, "");
}

static void test_words_like_tokens(void **state)
{
    (void)state;
    static const char *const words[] = {"edz", "Ohm", "$x"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[40], expected[60];
        snprintf(text, sizeof text, "1. e4 %s e5 *", words[i]);
        snprintf(expected, sizeof expected, "1 1 unknown word \"%s\" ignored\n", words[i]);
        parse(&game, text);
        assert_string_equal(reports, expected);
        assert_int_equal(game.ply_count, 2);
    }
    parse(&game, "1. e4 Nf6 2. Sc3 *");
    assert_string_equal(
        reports, "1 1 unreadable move 2. Sc3 (PGN uses the piece letters K Q R B N), the rest of the game is "
                 "dropped\n");
    parse(&game, "1. e4 a\x1b[2J *"); // would clear a terminal
    assert_string_equal(reports, "1 1 unknown word \"a?[2J\" ignored\n");
}

// A tag line ends the moves of a text that was not split.
static void test_tag_line_in_moves(void **state)
{
    (void)state;
    parse(&game, "1. e4 (1. d4 1-0 {x}\n[White \"A\"]\n1. c4 *");
    assert_int_equal(game.ply_count, 1);
    assert_int_equal(game.view.result, RESULT_WHITE);
    parse(&game, "1. e4 e5\n[White \"A\"]\n1. c4 *");
    assert_int_equal(game.ply_count, 2);
    Game none = {0};
    game_free(&none);
}

static void test_unknown_words(void **state)
{
    (void)state;
    parse(&game, "1. c4 xyzzy c5 2. ~ Nc3 +- !!! (2. Nf3 b\xE9te) Nc6 \xE2\x99\xA1 *");
    assert_tree(&game, "0c2c4 1c7c5 2b1c3 3b8c6 2g1f3");
    assert_string_equal(reports, "1 1 unknown word \"xyzzy\" ignored\n"); // once a game
}

static int start(void **state)
{
    (void)state;
    game_init(&game);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    game_free(&game);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_illegal_in_main_line),
        cmocka_unit_test(test_illegal_in_variation),
        cmocka_unit_test(test_ambiguous),
        cmocka_unit_test(test_move_numbers_in_reports),
        cmocka_unit_test(test_wrong_case_is_illegal),
        cmocka_unit_test(test_glued_tokens),
        cmocka_unit_test(test_other_spellings),
        cmocka_unit_test(test_both_lose),
        cmocka_unit_test(test_words_that_may_be_moves),
        cmocka_unit_test(test_moves_that_touch),
        cmocka_unit_test(test_words_like_tokens),
        cmocka_unit_test(test_tag_line_in_moves),
        cmocka_unit_test(test_unknown_words),
    };
    return cmocka_run_group_tests(tests, start, tear_down);
}
