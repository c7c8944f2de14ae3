// Tables of openings: the one of the program, reading others, the opening of a game (language reference 9.9).
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "test_game.h"
#include "runtime/game/openings.h"
#include "runtime/game/retag.h"

// ---- the table of the program -----------------------------------------------------------------------------

static void test_every_code_has_a_row(void **state)
{
    (void)state;
    const Openings *o = openings_usual();
    assert_non_null(o);
    bool seen[5][100] = {0};
    const Opening *row;
    for (size_t i = 0; (row = openings_row(o, i)) != NULL; i++) {
        const char *code = row->code.start;
        seen[code[0] - 'A'][10 * (code[1] - '0') + code[2] - '0'] = true;
        assert_true(row->name.length >= 4 && row->name.length < 100);
        assert_null(memchr(row->name.start, '"', row->name.length));
    }
    for (int letter = 0; letter < 5; letter++)
        for (int n = 0; n < 100; n++)
            if (!seen[letter][n])
                fail_msg("no row has the code %c%02d", 'A' + letter, n);
}

static void test_same_table_again(void **state)
{
    (void)state;
    assert_ptr_equal(openings_usual(), openings_usual());
}

// ---- reading ----------------------------------------------------------------------------------------------

static Openings *read_text(const char *text, char **message)
{
    // in memory of its own size: the sanitizers notice a byte that is read after its end
    const size_t length = strlen(text);
    char *copy = malloc(length + !length);
    memcpy(copy, text, length);
    Openings *o = openings_read((Text){copy, length}, "x.tsv", message);
    free(copy);
    return o;
}

static void test_mistakes_name_their_places(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "x.tsv:1:1: the table has no opening"},
        {"eco\tname\tpgn\n", "x.tsv:2:1: the table has no opening"},
        {"A00", "x.tsv:1:4: expected a tab: a line is CODE, NAME and MOVES with a tab between them"},
        {"A00\tGrob 1. g4\n",
         "x.tsv:1:15: expected a tab: a line is CODE, NAME and MOVES with a tab between them"},
        {"A00\tGrob\t1. g4\tx\n", "x.tsv:1:15: the moves end here; expected the end of the line"},
        {"A00\tGrob\t1. g4\r\n\nF01\tX\t1. e4",
         "x.tsv:3:1: expected an ECO code, a letter A to E and two digits, not `F01`"},
        {"A1\tX\t1. e4", "x.tsv:1:1: expected an ECO code, a letter A to E and two digits, not `A1`"},
        {"A00\t\t1. e4", "x.tsv:1:5: expected the name of the opening"},
        {"A00\tX\t", "x.tsv:1:7: expected moves, as in `1. e4 c5 2. Nf3`"},
        {"A00\tX\t1. e4 e5 2. Ke3", "x.tsv:1:19: the move `Ke3` is not legal here"},
        {"A00\tX\t1. e4 e5\nA00\tY\t1. e4 e6 2. d5", "x.tsv:2:19: the move `d5` is not legal here"},
        {"A00\tX\t1. Nf3 e5 2. d4 e4 3. Nd2",
         "x.tsv:1:29: several pieces can play `Nd2`; add the file or rank"},
        {"A00\tX\t1. e4 Zx9", "x.tsv:1:13: expected a move in SAN, as in `1. e4 c5 2. Nf3`, not `Zx9`"},
        {"A00\tX\t1. d4 d5 2. c4\nA00\tY\t1. c4 d5 2. d4",
         "x.tsv:2:1: the moves lead to the position of line 1; name a position once"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *message;
        assert_null(read_text(cases[i][0], &message));
        assert_string_equal(message, cases[i][1]);
        free(message);
    }
}

static void test_forms_of_moves(void **state)
{
    (void)state;
    char *message;
    // a mark of UTF-8, a heading, empty lines, numbers without spaces or left out, check marks and glyphs
    Openings *o = read_text("\xEF\xBB\xBF"
                            "eco\tname\tmoves\r\n\r\nC20\tA\t1.e4 e5!\nB01\tB\te4 d5 exd5 Qxd5\n"
                            "B00\tC\t1. e4 1... f6 2. d4 g5 3. Qh5#\n",
                            &message);
    assert_non_null(o);
    assert_int_equal(openings_row(o, 1)->name.start[0], 'B');
    assert_int_equal(openings_row(o, 2)->code.length, 3);
    assert_null(openings_row(o, 3));
    openings_free(o);
    openings_free(NULL);
}

// ---- games ------------------------------------------------------------------------------------------------

static void check_opening(const Openings *o, const char *pgn, const char *name)
{
    Game game;
    game_init(&game);
    parse(&game, pgn);
    const Opening *found = openings_of(o, &game.view);
    char text[100] = "none";
    if (found)
        snprintf(text, sizeof text, "%.*s %.*s", (int)found->code.length, found->code.start,
                 (int)found->name.length, found->name.start);
    assert_string_equal(text, name);
    game_free(&game);
}

static void test_openings_of_games(void **state)
{
    (void)state;
    char *message;
    Openings *o = read_text("B00\tKing's pawn\t1. e4\nC20\tOpen\t1. e4 e5\nD06\tGambit\t1. d4 d5 2. c4\n"
                            "C44\tKnights\t1. e4 e5 2. Nf3 Nc6\nB06\tPassed\t1. e4 g6 2. e5 d5\n",
                            &message);
    assert_non_null(o);
    check_opening(o, "*", "none");
    check_opening(o, "1. a3 *", "none");
    check_opening(o, "1. e4 c5 2. Nf3 *", "B00 King's pawn");
    check_opening(o, "1. c4 d5 2. d4 Nf6 *", "D06 Gambit");      // another order
    check_opening(o, "1. Nf3 Nc6 2. e4 e5 *", "C44 Knights");    // nor is the order before it in the table
    check_opening(o, "1. e4 e6 (1... e5) *", "B00 King's pawn"); // a variation does not count
    check_opening(o, "1. e4 g6 2. e5 d5 *", "B06 Passed");       // the pawn can be taken en passant
    check_opening(o, "1. e4 d6 2. e5 g6 3. Nf3 d5 4. Ng1 Nf6 5. Nf3 Ng8 *", "B00 King's pawn");
    // games from other positions; castling rights belong to the position
    check_opening(o, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1\"]\n\n1. e4 *", "none");
    check_opening(o, "[FEN \"rnbqkbnr/pppppppp/8/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 1\"]\n\n1. e4 *",
                  "B00 King's pawn");
    check_opening(o, "[FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. a3 *",
                  "C20 Open");
    openings_free(o);
}

static void test_dutch_defences_from_horwitz_defences(void **state)
{
    (void)state;
    check_opening(openings_usual(), "1. d4 e6 2. Nf3 f5 *", "A80 Dutch Defence: Knight Variation, with ...e6");
    check_opening(openings_usual(), "1. d4 e6 2. c4 f5 *",
                  "A84 Dutch Defence: Queen's Pawn Variation, with ...e6");
}

// ---- tags in the text of a game ---------------------------------------------------------------------------

static void test_tags_of_a_text(void **state)
{
    (void)state;
    static const struct {
        const char *text, *replaced, *kept;
    } cases[] = {
        {"[A \"b\"]\n\n1. e4 *", "[A \"b\"]\n[ECO \"B00\"]\n[Opening \"King's \\\"pawn\\\"\"]\n\n1. e4 *",
         NULL},
        {"[ECO  \"?\" ]\r\n[A \"[ECO\"]\r\n\r\n1. e4 *",
         "[ECO  \"B00\" ]\r\n[A \"[ECO\"]\r\n[Opening \"King's \\\"pawn\\\"\"]\r\n\r\n1. e4 *", NULL},
        {"[Opening \"x\"]\n[ECO \"\"]\n{[ECO \"C\"]} 1. e4 *",
         "[Opening \"King's \\\"pawn\\\"\"]\n[ECO \"B00\"]\n{[ECO \"C\"]} 1. e4 *",
         "[Opening \"x\"]\n[ECO \"B00\"]\n{[ECO \"C\"]} 1. e4 *"},
        {"[ECO \"A00\"]\n[Opening \"x\"]\n[ECO \"A01\"]\n\n*",
         "[ECO \"B00\"]\n[Opening \"King's \\\"pawn\\\"\"]\n[ECO \"B00\"]\n\n*",
         "[ECO \"A00\"]\n[Opening \"x\"]\n[ECO \"A01\"]\n\n*"},
        {"1. e4 *", "[ECO \"B00\"]\n[Opening \"King's \\\"pawn\\\"\"]\n\n1. e4 *", NULL},
        {"[A \"b\"] 1. e4 *", "[A \"b\"] \n[ECO \"B00\"]\n[Opening \"King's \\\"pawn\\\"\"]\n1. e4 *", NULL},
    };
    const Tag set[] = {{text_of("ECO"), text_of("B00"), false},
                       {text_of("Opening"), text_of("King's \"pawn\""), false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int keep = 0; keep < 2; keep++) {
            Buffer out = {0};
            game_retag(&out, text_of(cases[i].text), set, 2, keep);
            buffer_append(&out, "", 1);
            assert_string_equal(out.start, keep && cases[i].kept ? cases[i].kept : cases[i].replaced);
            buffer_free(&out);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_code_has_a_row),
        cmocka_unit_test(test_same_table_again),
        cmocka_unit_test(test_mistakes_name_their_places),
        cmocka_unit_test(test_forms_of_moves),
        cmocka_unit_test(test_openings_of_games),
        cmocka_unit_test(test_dutch_defences_from_horwitz_defences),
        cmocka_unit_test(test_tags_of_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
