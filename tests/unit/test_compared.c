// Searches for positions with a key and a number in a range, against a plain loop.
#include "run_fixture.h"

#include "runtime/match/run_state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLIES = 700, CONDITIONS = 120, SEARCHES = 4000 };

typedef struct Said {
    int32_t is_true, key, number;
} Said;

static Said said[CONDITIONS][PLIES + 1];
static int evaluations[CONDITIONS];
static uint64_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % limit;
}

static int32_t remembered(Context *c, int32_t condition, int32_t n)
{
    const Said *s = &said[condition][n];
    evaluations[condition]++;
    // What is said where the condition is false does not count.
    rt_compared(c, s->key, s->number);
    return s->is_true;
}

static int32_t some_number(int32_t before, int kind)
{
    switch (kind) {
    case 0: // like material: small steps
        return (int32_t)((uint32_t)before + random_below(5) - 2);
    case 1:
        return (int32_t)random_below(4);
    case 2: // the ends of the range
        return random_below(2) ? INT_MIN + (int32_t)random_below(2) : INT_MAX - (int32_t)random_below(2);
    default:
        return (int32_t)(random_below(1U << 30) * 4 + random_below(4));
    }
}

static void fill(int32_t condition)
{
    const uint32_t keys = random_below(3) ? 1 : 1 + random_below(40);
    const int kind = (int)random_below(4);
    int32_t number = 0;
    for (int n = 0; n <= PLIES; n++) {
        number = some_number(number, kind);
        said[condition][n] = (Said){random_below(8) != 0, (int32_t)random_below(keys), number};
    }
}

// A range that goes over the greatest number leaves out what is between its ends.
static bool is_in_range(int32_t number, int32_t low, int32_t high)
{
    if (low - (int64_t)high == 1) // all numbers
        return true;
    return low <= high ? low <= number && number <= high : low <= number || number <= high;
}

static int32_t plain_search(int32_t condition, const Said *wanted, int32_t high, int32_t first, int32_t last)
{
    for (int32_t n = first; n <= last; n++) {
        const Said *s = &said[condition][n];
        if (s->is_true && s->key == wanted->key && is_in_range(s->number, wanted->number, high))
            return n;
    }
    return -1;
}

static void search(Context *c, int32_t condition)
{
    Said wanted = said[condition][random_below(PLIES + 1)];
    if (random_below(3) == 0)
        wanted.number = some_number(wanted.number, (int)random_below(3));
    int32_t first = (int32_t)random_below(PLIES + 1), rounds = 1 + (int32_t)random_below(5);
    const int32_t last =
        random_below(2) ? PLIES : first + (int32_t)random_below((uint32_t)(PLIES + 1 - first));
    const int32_t low = wanted.number, below = low == INT_MIN ? INT_MAX : low - 1;
    const int32_t high = random_below(8) == 0   ? low
                         : random_below(6) == 0 ? below
                                                : some_number(low, (int)random_below(4));
    if (random_below(3) == 0)
        first = 0;
    for (; rounds > 0 && first <= last; rounds--) {
        const int32_t found = rt_next_compared(c, condition, wanted.key, low, high, first, last);
        assert_int_equal(found, plain_search(condition, &wanted, high, first, last));
        if (found < 0)
            return;
        first = found + 1;
    }
}

static void search_at_random(Context *c)
{
    assert_int_equal(c->game->count, PLIES + 1);
    for (int32_t condition = 0; condition < CONDITIONS; condition++) {
        for (int i = 0; i < SEARCHES / 4; i++)
            search(c, condition);
        assert_int_equal(evaluations[condition], PLIES + 1);
    }
}

// ---- steps ------------------------------------------------------------------------------------------------

enum { EVEN, EQUAL, TWO_KEYS, ASCENDING };

// Searches from `first`, for a position that is to be found; returns the steps that this takes.
static int64_t steps_of(Context *c, int32_t condition, int32_t key, int32_t low, int32_t first, int32_t found)
{
    const int64_t before = run_steps_left(c);
    assert_int_equal(rt_next_compared(c, condition, key, low, INT_MAX, first, PLIES), found);
    return before - run_steps_left(c);
}

// A step for each position where the condition is evaluated, and for each 64 positions that a search passes.
static void count_steps(Context *c)
{
    enum { EVALUATED = PLIES + 1, ANY = INT_MIN };
    for (int32_t condition = EVEN; condition <= ASCENDING; condition++) {
        assert_int_equal(steps_of(c, condition, 1, ANY, 0, -1), EVALUATED); // no position has the key 1
        assert_int_equal(steps_of(c, condition, 1, ANY, 0, -1), 0);
    }
    // None is passed.
    for (int32_t n = 0; n <= PLIES; n += 2) {
        assert_int_equal(steps_of(c, EVEN, 0, ANY, n, n), 0);
        assert_int_equal(steps_of(c, TWO_KEYS, 0, ANY, n, n), 0);
    }
    for (int32_t n = PLIES; n > 0; n--)
        assert_int_equal(steps_of(c, EQUAL, 0, ANY, n, n), 0);
    // The first one does not count.
    assert_int_equal(steps_of(c, ASCENDING, 0, 64, 0, 64), 0);
    assert_int_equal(steps_of(c, ASCENDING, 0, 65, 0, 65), 1);
    assert_int_equal(steps_of(c, ASCENDING, 0, 65, 1, 65), 0);
    // a number that only the last of 701 positions has, and one that none has
    assert_int_equal(steps_of(c, ASCENDING, 0, PLIES, 0, PLIES), PLIES / 64);
    assert_int_equal(steps_of(c, ASCENDING, 0, PLIES + 1, 0, -1), PLIES / 64);
}

// Plays games with searches.
static void play_games(void (*match_game)(Context *), int games)
{
    char pgn[PLIES * 12] = "";
    static const char *const move[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    for (int ply = 0; ply < PLIES; ply++) {
        strcat(pgn, move[ply % 4]);
        strcat(pgn, " ");
    }
    strcat(pgn, "*\n");
    Fixture f = {.query = {.name = "test",
                           .source = "",
                           .match_game = match_game,
                           .remembered_count = CONDITIONS,
                           .remembered = remembered},
                 .options = {.max_steps = 1LL << 40}};
    fixture_open(&f);
    for (int game = 0; game < games; game++) { // the second one begins anew
        memset(evaluations, 0, sizeof evaluations);
        fixture_play(&f, pgn);
        if (f.result.error)
            fail_msg("%s", f.result.error);
        if (game < games - 1)
            game_free(&f.game);
    }
    fixture_close(&f);
}

static void test_searches(void **state)
{
    (void)state;
    for (int32_t condition = 0; condition < CONDITIONS; condition++)
        fill(condition);
    play_games(search_at_random, 2);
}

static void test_steps(void **state)
{
    (void)state;
    for (int32_t n = 0; n <= PLIES; n++) {
        said[EVEN][n] = (Said){n % 2 == 0, 0, 0};
        said[EQUAL][n] = (Said){1, 0, 0};
        said[TWO_KEYS][n] = (Said){1, n % 2 * 1024, 0}; // of the same bucket
        said[ASCENDING][n] = (Said){1, 0, n};
    }
    play_games(count_steps, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_searches), cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
