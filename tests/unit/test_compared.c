// Searches for positions whose key and numbers compare as wanted, with and without an index, against a plain loop.
#include "run_fixture.h"

#include "runtime/match/calls/compared.h"
#include "runtime/match/run_state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLIES = 700, CONDITIONS = 120, SEARCHES = 4000 };

typedef struct Said {
    int32_t is_true, key, first, second;
} Said;

static Said said[CONDITIONS][PLIES + 1];
static int32_t relations[CONDITIONS];
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
    rt_compared(c, s->key, relations[condition], s->first, s->second);
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
    static const int32_t some[] = {COMPARE_LESS,
                                   COMPARE_LESS | COMPARE_EQUAL,
                                   COMPARE_GREATER,
                                   COMPARE_GREATER | COMPARE_EQUAL,
                                   COMPARE_LESS | COMPARE_GREATER,
                                   COMPARE_EQUAL,
                                   COMPARE_ANY};
    const uint32_t keys = random_below(3) ? 1 : 1 + random_below(40);
    const int kind = (int)random_below(4), other = (int)random_below(4);
    int32_t first = 0, second = 0;
    relations[condition] = condition < 10 ? COMPARE_ALL
                                          : some[random_below(7)] | some[random_below(7)] << COMPARE_BITS |
                                                (random_below(3) == 0 ? COMPARE_EITHER : 0);
    for (int n = 0; n <= PLIES; n++) {
        first = some_number(first, kind);
        second = some_number(second, other);
        said[condition][n] = (Said){random_below(8) != 0, (int32_t)random_below(keys), first, second};
    }
}

static bool compares(int32_t relation, int32_t number, int32_t bound)
{
    return (relation & (number < bound   ? COMPARE_LESS
                        : number > bound ? COMPARE_GREATER
                                         : COMPARE_EQUAL)) != 0;
}

static bool is_wanted(int32_t condition, int32_t n, const Said *wanted)
{
    const Said *s = &said[condition][n];
    const bool a = compares(relations[condition] & COMPARE_ANY, s->first, wanted->first),
               b = compares(relations[condition] >> COMPARE_BITS & COMPARE_ANY, s->second, wanted->second);
    return s->is_true && s->key == wanted->key && (relations[condition] & COMPARE_EITHER ? a || b : a && b);
}

static int32_t plain_search(int32_t condition, const Said *wanted, int32_t first, int32_t last)
{
    for (int32_t n = first; n <= last; n++)
        if (is_wanted(condition, n, wanted))
            return n;
    return -1;
}

static void search(Context *c, int32_t condition)
{
    Said wanted = said[condition][random_below(PLIES + 1)];
    if (random_below(3) == 0)
        wanted.first = some_number(wanted.first, (int)random_below(3));
    int32_t first = (int32_t)random_below(PLIES + 1), rounds = 1 + (int32_t)random_below(5);
    const int32_t last =
        random_below(2) ? PLIES : first + (int32_t)random_below((uint32_t)(PLIES + 1 - first));
    if (random_below(3) == 0)
        first = 0;
    for (; rounds > 0 && first <= last; rounds--) {
        const int32_t found =
            rt_next_compared(c, condition, wanted.key, wanted.first, wanted.second, first, last);
        assert_int_equal(found, plain_search(condition, &wanted, first, last));
        if (found < 0)
            return;
        first = found + 1;
    }
}

static void search_at_random(Context *c)
{
    assert_int_equal(c->game->count, PLIES + 1);
    for (int32_t condition = 0; condition < CONDITIONS; condition++) {
        for (int i = 0; i < SEARCHES / 40; i++)
            search(c, condition);
        // Searches that visit all positions lead to an index.
        for (int i = 0; i < 40; i++)
            assert_int_equal(rt_next_compared(c, condition, 12345, 0, 0, 0, PLIES), -1);
        for (int i = 0; i < SEARCHES / 4; i++)
            search(c, condition);
        assert_true(evaluations[condition] >= 0 && evaluations[condition] <= PLIES + 1);
    }
}

// ---- steps ------------------------------------------------------------------------------------------------

enum {
    EVEN,
    EQUAL,
    TWO_KEYS,
    ASCENDING,
    LATE,
    FROM_MIDDLE,
    GREATER = COMPARE_GREATER | COMPARE_ANY << COMPARE_BITS
};

// Searches from `first`, for a position that is to be found; returns the steps that this takes.
static int64_t steps_of(Context *c, int32_t condition, int32_t key, int32_t number, int32_t first,
                        int32_t found)
{
    const int64_t before = run_steps_left(c);
    assert_int_equal(rt_next_compared(c, condition, key, number, 0, first, PLIES), found);
    return before - run_steps_left(c);
}

// A step for each position where the condition is evaluated, and for each 16 positions or blocks that a search looks at.
static void count_steps(Context *c)
{
    enum { EVALUATED = PLIES + 1, LOOKED = (PLIES + 1) / 16 };
    assert_int_equal(steps_of(c, EVEN, 12345, 0, 0, -1), EVALUATED + LOOKED);
    assert_int_equal(steps_of(c, EQUAL, 12345, 0, 0, -1), EVALUATED + LOOKED);
    assert_int_equal(steps_of(c, TWO_KEYS, 12345, 0, 0, -1), EVALUATED + LOOKED);
    // Now there are chains. A search goes on where the last one ended, or at an equal source.
    for (int32_t n = 0; n <= PLIES; n += 2) {
        assert_int_equal(steps_of(c, EVEN, 0, 0, n, n), 0);
        assert_int_equal(steps_of(c, TWO_KEYS, 0, 0, n, n), 0);
    }
    for (int32_t n = PLIES; n > 0; n--)
        assert_int_equal(steps_of(c, EQUAL, 0, 0, n, n), 0);
    // from the beginning of a chain: 200 positions before the first one that counts
    assert_int_equal(steps_of(c, EVEN, 0, 0, 400, 400), 200 / 16);
    assert_int_equal(steps_of(c, EVEN, 0, 0, 32, 32), 1);
    assert_int_equal(steps_of(c, EVEN, 0, 0, 30, 30), 0);
    // the first position was the last one that was passed: 15 are left
    assert_int_equal(steps_of(c, EVEN, 0, 0, 2, 2), 0);
    assert_int_equal(steps_of(c, EVEN, 0, 0, 32, 32), 0);
    // Numbers: each search looks at 701 positions, and goes to the next one; 16 * 702 looks are more than 16 at each position.
    assert_int_equal(steps_of(c, ASCENDING, 12345, 0, 0, -1), EVALUATED + LOOKED);
    for (int i = 2; i <= 16; i++)
        assert_int_equal(steps_of(c, ASCENDING, 12345, 0, 0, -1), LOOKED);
    assert_int_equal(steps_of(c, ASCENDING, 12345, 0, 0, -1), 0);
    // 16 places of the first block, 15 blocks up to place 256, 2 blocks of blocks, 12 blocks of the last one, 12 places before it
    assert_int_equal(steps_of(c, ASCENDING, 0, PLIES - 1, 0, PLIES), (16 + 15 + 2 + 12 + 12) / 16);
    // no block of blocks but the first: 16 places, 15 blocks, 2 blocks of blocks
    assert_int_equal(steps_of(c, ASCENDING, 0, PLIES, 0, -1), (16 + 15 + 2) / 16);
}

// Looks count from where a search begins, each with one more for the search.
static void count_late_steps(Context *c)
{
    assert_int_equal(steps_of(c, FROM_MIDDLE, 12345, 0, 400, -1), 301 + 301 / 16);
    assert_int_equal(steps_of(c, FROM_MIDDLE, 12345, 0, 400, -1), 301 / 16);
    // 12 * 934 are not more than 16 * 701, 12 * 935 are
    assert_int_equal(steps_of(c, LATE, 12345, 0, 690, -1), 11);
    for (int i = 2; i <= 935; i++)
        assert_int_equal(steps_of(c, LATE, 12345, 0, 690, -1), 0);
    assert_int_equal(steps_of(c, LATE, 12345, 0, 690, -1), 690);
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
        said[EVEN][n] = (Said){n % 2 == 0, 0, 0, 0};
        said[EQUAL][n] = (Said){1, 0, 0, 0};
        said[TWO_KEYS][n] = (Said){1, n % 2 * 1024, 0, 0}; // of the same bucket
        said[ASCENDING][n] = said[LATE][n] = said[FROM_MIDDLE][n] = (Said){1, 0, n, 0};
    }
    relations[EVEN] = relations[EQUAL] = relations[TWO_KEYS] = COMPARE_ALL;
    relations[ASCENDING] = relations[LATE] = relations[FROM_MIDDLE] = GREATER;
    play_games(count_steps, 1);
    play_games(count_late_steps, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_searches), cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
