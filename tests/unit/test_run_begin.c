// What each game of a run begins with, whatever the one before has left; the budget of steps and when is asked whether to stop; the end
// of the stack.
#include "run_fixture.h"

#include <pthread.h>
#include <stdio.h>

#include "runtime/match/run_state.h"

static void play(Fixture *f, const char *pgn)
{
    fixture_play(f, pgn);
    game_free(&f->game);
}

// ---- budgets ----------------------------------------------------------------------------------------------

enum { AT_ONCE = 65536, DEFAULT_STEPS = 200000000 };

static int64_t to_take, taken;
static int asked, most_asked;

static bool stop_after(void *user)
{
    assert_ptr_equal(user, &asked);
    return ++asked > most_asked;
}

static void take_one_by_one(Context *c)
{
    for (taken = 0; taken < to_take; taken++)
        run_take_step(c);
}

static void take_at_once(Context *c)
{
    taken = 0;
    run_take_steps(c, (size_t)to_take);
    taken = to_take;
}

typedef struct Budget {
    int64_t most, steps; // most: 0 is the default
    int asked;           // until the game ends
    bool exhausted;
} Budget;

static void expect_budget(const Budget *b, void (*body)(Context *c))
{
    Fixture f = {.query = {.name = "test", .match_game = body},
                 .options = {.max_steps = b->most, .stopped = stop_after, .user = &asked}};
    to_take = b->steps;
    fixture_open(&f);
    for (int game = 0; game < 2; game++) { // the budget is that of each game
        asked = 0;
        most_asked = 1 << 20;
        play(&f, "*");
        if (f.result.exhausted != b->exhausted || asked != b->asked)
            fail_msg("%d of %d steps: %d, asked %d times", (int)b->steps, (int)b->most, f.result.exhausted,
                     asked);
        assert_false(f.result.stopped);
        assert_string_equal(f.result.error ? f.result.error : "",
                            b->exhausted ? "the query needs too many steps for this game" : "");
        assert_true(b->exhausted || taken == to_take);
    }
    run_free(f.run);
}

// A game ends with the last step of its budget. Whether to stop is asked after each 65536 of them.
static void test_budgets(void **state)
{
    (void)state;
    static const Budget cases[] = {
        {1, 0, 0, false},
        {1, 1, 1, true},
        {100, 99, 0, false},
        {100, 100, 1, true},
        {AT_ONCE, AT_ONCE - 1, 0, false},
        {AT_ONCE, AT_ONCE, 1, true},
        {AT_ONCE + 1, AT_ONCE, 1, false},
        {AT_ONCE + 1, AT_ONCE + 1, 2, true},
        {3 * AT_ONCE, AT_ONCE - 1, 0, false},
        {3 * AT_ONCE, AT_ONCE, 1, false},
        {3 * AT_ONCE, 2 * AT_ONCE - 1, 1, false},
        {3 * AT_ONCE, 2 * AT_ONCE, 2, false},
        {3 * AT_ONCE, 3 * AT_ONCE - 1, 2, false},
        {3 * AT_ONCE, 3 * AT_ONCE, 3, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_budget(&cases[i], take_one_by_one);
        expect_budget(&cases[i], take_at_once);
    }
    // without a number
    expect_budget(&(Budget){0, DEFAULT_STEPS - 1, (DEFAULT_STEPS - 1) / AT_ONCE, false}, take_at_once);
    expect_budget(&(Budget){0, DEFAULT_STEPS, DEFAULT_STEPS / AT_ONCE + 1, true}, take_at_once);
}

// A game that is stopped has no result, and its budget is not used up.
static void test_stopped(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test", .match_game = take_one_by_one},
                 .options = {.stopped = stop_after, .user = &asked}};
    to_take = 10 * AT_ONCE;
    fixture_open(&f);
    for (most_asked = 0; most_asked < 3; most_asked++) {
        asked = 0;
        play(&f, "*");
        assert_true(f.result.stopped);
        assert_false(f.result.exhausted);
        assert_false(f.result.matched);
        assert_string_equal(f.result.error, "the search was stopped");
        assert_int_equal(taken, (most_asked + 1) * AT_ONCE - 1);
    }
    run_free(f.run);
}

// ---- searches of patterns -----------------------------------------------------------------------------------

static void (*search_with)(Context *c, int32_t pattern, String s);

static void by_match(Context *c, int32_t pattern, String s)
{
    String found;
    rt_regex(c, pattern, s, &found);
}

static void by_search(Context *c, int32_t pattern, String s)
{
    rt_regex_search(c, pattern, s);
}

static void by_test(Context *c, int32_t pattern, String s)
{
    rt_regex_found(c, pattern, s);
}

static int32_t searches;

static void searching_body(Context *c)
{
    for (taken = 0; taken < searches; taken++)
        search_with(c, 0, STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
}

static String pattern[1];

static Fixture searching_fixture(String text, int32_t count)
{
    pattern[0] = text;
    searches = count;
    asked = 0;
    return (Fixture){
        .query = {.name = "test", .match_game = searching_body, .pattern = pattern, .pattern_count = 1},
        .options = {.stopped = stop_after, .user = &asked}};
}

// Whether to stop is asked before each search, and in long ones from time to time.
static void test_searches(void **state)
{
    (void)state;
    void (*const ways[])(Context *, int32_t, String) = {by_match, by_search, by_test};
    for (size_t i = 0; i < 3; i++) {
        search_with = ways[i];
        for (most_asked = 0; most_asked <= 5; most_asked++) {
            Fixture f = searching_fixture(STR("bbb"), 5);
            fixture_open(&f);
            play(&f, "*");
            assert_int_equal(f.result.stopped, most_asked < 5);
            assert_int_equal(asked, most_asked < 5 ? most_asked + 1 : 5);
            assert_int_equal(taken, most_asked < 5 ? most_asked : 5);
            run_free(f.run);
        }
        // The second look is in the search, the third one after it.
        Fixture f = searching_fixture(STR("^(a+)+$"), 1);
        most_asked = 1;
        fixture_open(&f);
        play(&f, "*");
        assert_string_equal(f.result.error ? f.result.error : "", "the search was stopped");
        assert_true(f.result.stopped);
        assert_int_equal(asked, 3);
        run_free(f.run);
    }
}

// ---- conditions on tags -------------------------------------------------------------------------------------

enum { LARGE_ATOM, RAISING_ATOM, FALSE_ATOM };

static int32_t tag_atom(Context *c, int32_t atom)
{
    if (atom == RAISING_ATOM)
        run_raise(c, "an error");
    rt_concat(c, run_string_new(c, 1000), STR("b"));
    return atom == FALSE_ATOM ? 0 : 256;
}

// Each condition has all the memory of a game, and may fail without a trace.
static void test_tag_atoms(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test", .tag_atom = tag_atom, .match_game = take_one_by_one},
                 .options = {.memory = 2100}};
    fixture_open(&f);
    fixture_parse(&f, "[White \"A\"]\n\n*");
    for (int i = 0; i < 20; i++) {
        assert_int_equal(run_tag_atom(f.run, &f.game, LARGE_ATOM), CAN_HOLD);
        assert_int_equal(run_tag_atom(f.run, &f.game, FALSE_ATOM), CAN_FAIL);
        if (i % 3 == 0)
            assert_int_equal(run_tag_atom(f.run, &f.game, RAISING_ATOM), UNSURE);
        if (i % 5 == 4)
            run_game(f.run, &f.game, &f.result);
    }
    fixture_close(&f);
}

// ---- the beginning of a game ------------------------------------------------------------------------------

static int game_number;
static const char *const endings[] = {NULL, "steps", "error", "stop"};

// Says how far it came, leaves something of all kinds, and ends in another way in each game.
static void leaving_body(Context *c)
{
    const int64_t all = c->run->options.max_steps;
    assert_int_equal(c->hit_count, 0);
    assert_int_equal(c->at, -1);
    assert_int_equal(c->steps, AT_ONCE);
    assert_int_equal(c->run->steps_left, all - AT_ONCE);
    assert_int_equal(c->depth, c->run->options.max_depth > 0 ? c->run->options.max_depth : 4000);
    assert_int_equal(c->run->strings.used, 0);
    assert_int_equal(c->run->log.list.count, c->run->log.wanted);
    assert_int_equal(c->run->log.hits_logged, 0);
    assert_int_equal(c->run->game_serial, game_number + 1);
    assert_string_equal(c->run->error, "");
    assert_int_equal(c->slot[1].i, 0);
    assert_int_equal(c->slot[0].i, game_number);
    c->slot[0].i++;
    c->slot[1].i = 7;
    c->at = 1;
    c->depth = 3;
    run_take_steps(c, 1000);
    run_string(c, "left", 4);
    rt_log_add(c, 0, STR("left"));
    c->hit[c->hit_count++] = 0;
    rt_log_mark(c);
    const char *ending = endings[game_number % 4];
    if (ending == NULL)
        return;
    if (*ending == 's')
        run_take_steps(c, *(ending + 2) == 'e' ? (size_t)all : AT_ONCE);
    run_raise(c, "an error");
}

static void test_beginning(void **state)
{
    (void)state;
    for (int depth = 0; depth <= 10; depth += 10) {
        Fixture f = {
            .query = {.name = "test", .match_game = leaving_body, .slot_count = 2, .persistent_slots = 1},
            .options = {.max_steps = 3 * AT_ONCE,
                        .max_depth = depth,
                        .comments = depth > 0,
                        .stopped = stop_after,
                        .user = &asked}};
        fixture_open(&f);
        for (game_number = 0; game_number < 12; game_number++) {
            const char *ending = endings[game_number % 4];
            asked = 0;
            most_asked = ending && strcmp(ending, "stop") == 0 ? 0 : 100;
            play(&f, "1. e4 *");
            assert_int_equal(f.result.error != NULL, ending != NULL);
            assert_int_equal(f.result.matched, ending == NULL);
            assert_int_equal(f.result.exhausted, ending && strcmp(ending, "steps") == 0);
            assert_int_equal(f.result.stopped, most_asked == 0);
            assert_int_equal(f.result.error_position, ending ? 1 : 0);
            assert_int_equal(f.result.position_count, 2);
        }
        run_free(f.run);
    }
}

// An error says its place in the query, if there is a slot for it.
static void placed_body(Context *c)
{
    c->slot[1].i = PLACE(12, 34);
    run_raise(c, "an error");
}

static void test_place_of_error(void **state)
{
    (void)state;
    for (int32_t cell = 0; cell <= 2; cell++) {
        Fixture f = {
            .query = {.name = "test", .match_game = placed_body, .slot_count = 2, .place_cell = cell}};
        fixture_open(&f);
        play(&f, "*");
        assert_int_equal(f.result.error_line, cell == 2 ? 12 : 0);
        assert_int_equal(f.result.error_column, cell == 2 ? 34 : 0);
        assert_int_equal(f.result.error_position, -1);
        run_free(f.run);
    }
}

// ---- the end of the stack -----------------------------------------------------------------------------------

static size_t reserve; // bytes below Context.stack_end

static void stack_body(Context *c)
{
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    assert_int_equal(pthread_getattr_np(pthread_self(), &attributes), 0);
    assert_int_equal(pthread_attr_getstack(&attributes, &lowest, &size), 0);
    pthread_attr_destroy(&attributes);
    reserve = (size_t)(c->stack_end - (const char *)lowest);
}

static void *run_once(void *user)
{
    Fixture f = {.query = {.name = "test", .match_game = stack_body}};
    fixture_open(&f);
    for (int game = 0; game < 2; game++) {
        play(&f, "*");
        if (f.result.error)
            *(const char **)user = f.result.error;
    }
    run_free(f.run);
    return NULL;
}

// Of a thread's stack a quarter is left for what does not look at its end, but not more than 2 MB.
static void test_stack(void **state)
{
    (void)state;
    enum { MEGABYTE = 1 << 20 };
    for (size_t size = MEGABYTE; size <= 64 * MEGABYTE; size *= 4) {
        pthread_attr_t attributes;
        pthread_t thread;
        const char *error = NULL;
        pthread_attr_init(&attributes);
        assert_int_equal(pthread_attr_setstacksize(&attributes, size), 0);
        assert_int_equal(pthread_create(&thread, &attributes, run_once, &error), 0);
        pthread_join(thread, NULL);
        pthread_attr_destroy(&attributes);
        assert_null(error);
        assert_int_equal(reserve, size / 4 < 2 * MEGABYTE ? size / 4 : 2 * MEGABYTE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets),   cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_beginning), cmocka_unit_test(test_place_of_error),
        cmocka_unit_test(test_stack),     cmocka_unit_test(test_searches),
        cmocka_unit_test(test_tag_atoms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
