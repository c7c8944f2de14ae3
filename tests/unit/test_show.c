// Sets of marked positions, and what is shown of a match: in two games of one run.
#include "run_fixture.h"

// Runs two bodies over games of one run.
static void with_two_games(Fixture *f, const char *first, void (*body)(Context *c), const char *second)
{
    f->query.name = "test";
    f->query.source = "";
    f->query.match_game = body;
    fixture_open(f);
    fixture_play(f, first);
    assert_null(f->result.error);
    game_free(&f->game);
    fixture_play(f, second);
    assert_null(f->result.error);
}

// ---- marks ------------------------------------------------------------------------------------------------

static void marks_body(Context *c)
{
    static const int32_t marks[] = {0, 1, 62, 63, 64, 65, 127, 128};
    enum { MARKS = sizeof marks / sizeof *marks };
    assert_int_equal(c->game->count, 129);
    for (int from = MARKS; from >= 0; from--) { // more and more marks, from the last one on
        for (int32_t n = 0; n < c->game->count; n++) {
            int next = from;
            while (next < MARKS && marks[next] < n)
                next++;
            assert_int_equal(rt_marked(c, 1, n), next < MARKS && marks[next] == n);
        }
        assert_false(rt_marked(c, 0, 0));
        if (from > 0)
            rt_mark(c, 1, marks[from - 1]);
    }
    static bool later; // no mark of the game before is left
    rt_mark(c, 0, later ? 0 : 128);
    assert_int_equal(rt_marked(c, 0, 128), !later);
    later = true;
}

static void test_marks(void **state)
{
    (void)state;
    char pgn[2000] = "";
    for (int i = 0; i < 128; i++)
        strcat(pgn, i % 4 == 0 ? "Nf3 " : i % 4 == 1 ? "Nf6 " : i % 4 == 2 ? "Ng1 " : "Ng8 ");
    strcat(pgn, "*");
    Fixture f = {.query.mark_set_count = 2};
    with_two_games(&f, pgn, marks_body, pgn);
    fixture_close(&f);
}

// ---- what is shown ----------------------------------------------------------------------------------------

static void show_body(Context *c)
{
    rt_show_squares(c, 0, 0);
    rt_show_squares(c, 1, SQ("a1"));
    rt_show_squares(c, 1, 0);
    rt_show_squares(c, 1, SQ("h8"));
    rt_show_squares(c, 2, SQ("h8"));
    rt_show_squares(c, 3, SQ("b1"));
    c->at = 1;
    rt_show_line(c, 1, 4);
    c->at = 2;
    rt_show_line(c, 4, 2);
    rt_show_line(c, 3, 3);
    rt_show_line(c, 4, 3);
    rt_show_move(c, 1);
}

static void test_show(void **state)
{
    (void)state;
    static const FoundMove moves[] = {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {2, 4}, {2, 1}};
    Fixture f = {0};
    with_two_games(&f, "1. e4 e5 2. Nf3 Nc6 *", show_body, "1. d4 d5 2. c4 e6 *");
    assert_int_equal(f.result.squares_count, 3);
    assert_true(f.result.squares[0].position == 1 && f.result.squares[0].squares == (SQ("a1") | SQ("h8")));
    assert_true(f.result.squares[1].position == 2 && f.result.squares[1].squares == SQ("h8"));
    assert_true(f.result.squares[2].position == 3 && f.result.squares[2].squares == SQ("b1"));
    assert_int_equal(f.result.moves_count, sizeof moves / sizeof *moves);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        assert_true(f.result.moves[i].position == moves[i].position &&
                    f.result.moves[i].move == moves[i].move);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
