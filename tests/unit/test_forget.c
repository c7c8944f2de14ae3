// What the calls of a run forget when a game ends, subject by subject, and what they keep: two bodies over games of one run.
#include "run_fixture.h"

#include "runtime/match/calls/relation.h"
#include "runtime/match/run_state.h"

// 0 root, 1 Nf3, 2 d5, 3 g3, 4 Nf6, 5 c4, 6 d5, 7 g3, 8 Nf6: the two lines have three moves in common.
#define PGN "1. Nf3 (1. c4 d5 2. g3 Nf6) 1... d5 2. g3 Nf6 *"

// One game with each body; the result of the second.
static void play_two(Fixture *f, void (*first)(Context *c), void (*second)(Context *c))
{
    f->query.name = "test";
    f->query.match_game = first;
    fixture_open(f);
    fixture_play(f, PGN);
    game_free(&f->game);
    f->query.match_game = second;
    fixture_play(f, PGN);
}

static void no_error(const Fixture *f)
{
    if (f->result.error)
        fail_msg("%s", f->result.error);
}

static void hit_body(Context *c)
{
    c->hit[c->hit_count++] = 0;
}

// ---- computed patterns and what was matched (7.11) ----------------------------------------------------------

static int computed;

static String number_text(Context *c, int number)
{
    return run_format(c, "%d", number);
}

#define ASSERT_STEPS(c, call, steps)                                                                         \
    do {                                                                                                     \
        const int64_t before_ = run_steps_left(c);                                                           \
        call;                                                                                                \
        if (before_ - run_steps_left(c) != (steps))                                                          \
            fail_msg("%s: %d steps", #call, (int)(before_ - run_steps_left(c)));                             \
    } while (0)

// Those of the query do not count among those that are computed.
static void most_patterns_body(Context *c)
{
    for (int i = 0; i < 10000; i++)
        assert_int_equal(rt_pattern(c, number_text(c, i)), 2 + i);
    computed = 10000;
    rt_pattern(c, STR("one more"));
}

static void test_most_patterns(void **state)
{
    (void)state;
    static String own[2];
    own[0] = STR("a");
    own[1] = STR("b");
    computed = 0;
    Fixture f = {.query = {.pattern = own, .pattern_count = 2}};
    play_two(&f, hit_body, most_patterns_body);
    assert_string_equal(f.result.error ? f.result.error : "",
                        "more than 10000 different regular expressions were computed");
    assert_int_equal(computed, 10000);
    fixture_close(&f);
}

static void match_body(Context *c)
{
    String s;
    const int32_t pattern = rt_pattern(c, STR("(x)"));
    assert_int_equal(1, rt_regex(c, pattern, STR("x"), &s));
    rt_regex_begin(c, pattern, STR("xx"));
    assert_int_equal(1, rt_regex_next(c, pattern));
}

static void no_match_body(Context *c)
{
    String s;
    rt_group(c, 1, &s);
}

// A loop begins with an empty record; one without a match leaves it so.
static void empty_loop_body(Context *c)
{
    match_body(c);
    rt_regex_begin(c, rt_pattern(c, STR("y")), STR("x"));
    assert_false(rt_regex_next(c, rt_pattern(c, STR("y"))));
    no_match_body(c);
}

static void loop_body(Context *c)
{
    const int32_t pattern = rt_pattern(c, STR("y"));
    rt_regex_begin(c, pattern, STR("yy"));
    assert_int_equal(1, rt_regex_next(c, pattern) && rt_regex_next(c, pattern));
    assert_false(rt_regex_next(c, pattern));
}

static void test_matches(void **state)
{
    (void)state;
    Fixture f = {0};
    play_two(&f, match_body, no_match_body);
    assert_string_equal(f.result.error ? f.result.error : "",
                        "group 1 of a regular expression is used, but the last search found nothing");
    fixture_close(&f);
    f = (Fixture){0};
    play_two(&f, hit_body, empty_loop_body);
    assert_string_equal(f.result.error ? f.result.error : "",
                        "group 1 of a regular expression is used, but the last search found nothing");
    fixture_close(&f);
    f = (Fixture){0};
    play_two(&f, match_body, loop_body);
    no_error(&f);
    fixture_close(&f);
}

// ---- strings of persistent variables (7.4) ------------------------------------------------------------------

// What each game keeps besides the string of the variable: so many pieces of 8192 bytes, and of 8 bytes. Whether that string has moved
// when the game begins: then what no variable has was dropped.
static const struct {
    int large, small;
    bool moved;
} kept_games[] = {
    {7, 0, false},               // with the variable's own 65536 bytes, which may stay
    {0, 1, false}, {9, 0, true}, // 8192 bytes were left: twice as many and 65536 may stay, which are 81920
    {0, 1, false}, {0, 0, true}, {0, 0, false},
};
static int kept_game;
static String kept_before;

static void keep_body(Context *c)
{
    enum { LARGE = 8192 - 4 - 1 };
    static char bytes[LARGE];
    memset(bytes, 'k', LARGE);
    if (kept_game == 0)
        c->slot[0].t = kept_before = rt_keep(c, run_string(c, bytes, LARGE));
    assert_int_equal(c->slot[0].t != kept_before, kept_games[kept_game].moved);
    assert_int_equal(c->slot[0].t->length, LARGE);
    assert_memory_equal(c->slot[0].t->bytes, bytes, LARGE);
    kept_before = c->slot[0].t;
    for (int i = 0; i < kept_games[kept_game].large; i++)
        rt_keep(c, run_string(c, bytes, LARGE));
    for (int i = 0; i < kept_games[kept_game].small; i++)
        rt_keep(c, STR("k"));
}

static void test_kept(void **state)
{
    (void)state;
    static const PersistentInfo persistent[] = {{.name = "Text", .type = 2, .slot = 0, .bound_slot = -1}};
    Fixture f = {.query = {.name = "test",
                           .match_game = keep_body,
                           .slot_count = 1,
                           .persistent_slots = 1,
                           .persistent = persistent,
                           .persistent_count = 1}};
    fixture_open(&f);
    for (kept_game = 0; kept_game < (int)(sizeof kept_games / sizeof *kept_games); kept_game++) {
        fixture_play(&f, "*");
        no_error(&f);
        game_free(&f.game);
    }
    run_free(f.run);
}

// ---- comments -----------------------------------------------------------------------------------------------

static void comments_body(Context *c)
{
    hit_body(c);
    const int32_t mark = rt_log_mark(c);
    rt_log_add(c, 1, STR("kept"));
    rt_texts_keep(c, 0, mark);
    rt_log_cut(c, mark);
    rt_texts_put(c, 0);
    rt_relation_pair(c, 0, 2, 4, 1);
    rt_relation_pair(c, 1, 3, 5, 0);
    rt_common_run_keep(c, 0, 4, 8, STR("x"), STR("y"));
    rt_sort_int(c, 0, 0, 5, rt_log_mark(c));
    rt_message(c, 0, STR("said"), 1);
    rt_set_tag(c, STR("A"), STR("1"));
    rt_remove_tag(c, STR("B"));
    rt_remove_comment(c, 2);
    rt_trail_start(c, 0);
    rt_trail_push(c, 0, 1);
}

static void texts_again_body(Context *c)
{
    hit_body(c);
    rt_texts_put(c, 0);
}

static const char *text_at(const Fixture *f, int32_t i)
{
    return i < f->result.log_count ? f->result.log[i].text->bytes : "none";
}

static void expect_logs(Fixture *f, void (*second)(Context *c), const char *const *texts)
{
    static const SortKeyInfo key = {.name = "key"};
    *f = (Fixture){.query = {.sort_key = &key, .sort_key_count = 1}, .options = {.comments = true}};
    play_two(f, comments_body, second);
    no_error(f);
    int32_t i = 0;
    for (; texts[i]; i++)
        assert_string_equal(text_at(f, i), texts[i]);
    assert_int_equal(f->result.log_count, i);
}

static void runs_body(Context *c)
{
    hit_body(c);
    rt_common_run_keep(c, 0, 4, 8, STR("x"), STR("y"));
}

static void test_comments(void **state)
{
    (void)state;
    static const char *const nothing[] = {"Game number 1", "CQL", " key: none", NULL};
    Fixture f;
    expect_logs(&f, hit_body, nothing);
    assert_false(f.result.sort[0].has_value);
    assert_int_equal(f.result.messages_length, 0);
    assert_int_equal(f.result.set_tag_count, 0);
    assert_null(f.result.drop_comment);
    fixture_close(&f);
    expect_logs(&f, texts_again_body, nothing);
    fixture_close(&f);
    f = (Fixture){.options = {.comments = true, .no_header = true}};
    f.query.name = "test";
    f.query.match_game = runs_body;
    fixture_open(&f);
    for (int game = 0; game < 3; game++) {
        f.query.match_game = game == 1 ? hit_body : runs_body;
        fixture_play(&f, PGN);
        no_error(&f);
        assert_int_equal(f.result.log_count, game == 1 ? 1 : 7);
        game_free(&f.game);
    }
    run_free(f.run);
}

// ---- comparisons of positions (11.7) ------------------------------------------------------------------------

// Of two games of as many positions: one with null moves, one where both kings go to the left.
static void relations_body(Context *c)
{
    const bool null_moves = bb_count(c->position[0]->board[EMPTY]) == 32;
    assert_int_equal(c->game->count, 3);
    assert_int_equal(1, rt_echo_squares(c, 0, 0, BB_ALL, ECHO_FLIP, 0, 64, 0, 0));
    assert_int_equal(rt_echo_squares(c, 0, 2, BB_ALL, ECHO_SHIFT, 0, 128, 0, 0), !null_moves);
    assert_true(rt_same_contents(c, 0, 1) == (null_moves ? BB_ALL : ~(SQ("d1") | SQ("e1"))));
    assert_int_equal(rt_shifted_next(c, 0, BB_ALL, -1), null_moves ? -1 : 2);
}

static void test_relations(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test", .match_game = relations_body}};
    fixture_open(&f);
    for (int game = 0; game < 4; game++) {
        fixture_play(&f, game % 2 ? "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd1 Kd8 *" : "1. -- -- *");
        no_error(&f);
        game_free(&f.game);
    }
    run_free(f.run);
}

// ---- sort values (10.6) -------------------------------------------------------------------------------------

static void offer(Context *c, int32_t key, String value, String text)
{
    const int32_t mark = rt_log_mark(c);
    rt_log_add(c, 1, text);
    rt_sort_string(c, key, key, value, mark);
}

// What is longer is greater; of equal values the first one counts.
static void sort_body(Context *c)
{
    hit_body(c);
    for (int32_t key = 0; key < 2; key++) {
        offer(c, key, STR("ab"), STR("first"));
        offer(c, key, STR("ab"), STR("again"));
        offer(c, key, STR("abc"), STR("longer"));
        offer(c, key, STR("abc"), STR("longer again"));
        offer(c, key, STR("a"), STR("shorter"));
        offer(c, key, STR("a"), STR("shorter again"));
    }
}

static void test_sorting(void **state)
{
    (void)state;
    static const SortKeyInfo key[] = {{.name = "most", .is_string = 1},
                                      {.name = "least", .is_string = 1, .is_min = 1}};
    static const char *const texts[] = {"CQL", "longer", "shorter", " most: abc least: a"};
    Fixture f = {.query = {.sort_key = key, .sort_key_count = 2, .name = "test", .match_game = sort_body},
                 .options = {.comments = true, .no_header = true}};
    fixture_open(&f);
    fixture_play(&f, PGN);
    no_error(&f);
    assert_int_equal(f.result.log_count, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(text_at(&f, i), texts[i]);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_most_patterns), cmocka_unit_test(test_matches),
        cmocka_unit_test(test_comments),      cmocka_unit_test(test_kept),
        cmocka_unit_test(test_relations),     cmocka_unit_test(test_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
