// Searches for positions whose key and numbers compare as wanted, with and without an index, against a plain loop.
#include "run_fixture.h"

#include "runtime/match/calls/compared.h"

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
        assert_in_range(evaluations[condition], 0, PLIES + 1);
    }
}

static void test_searches(void **state)
{
    (void)state;
    static char pgn[PLIES * 12];
    static const char *const move[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    for (int ply = 0; ply < PLIES; ply++) {
        strcat(pgn, move[ply % 4]);
        strcat(pgn, " ");
    }
    strcat(pgn, "*\n");
    for (int32_t condition = 0; condition < CONDITIONS; condition++)
        fill(condition);
    Fixture f = {.query = {.name = "test",
                           .source = "",
                           .match_game = search_at_random,
                           .remembered_count = CONDITIONS,
                           .remembered = remembered},
                 .options = {.max_steps = 1LL << 40}};
    fixture_open(&f);
    for (int game = 0; game < 2; game++) { // the second one begins anew
        memset(evaluations, 0, sizeof evaluations);
        fixture_play(&f, pgn);
        if (f.result.error)
            fail_msg("%s", f.result.error);
        if (game == 0)
            game_free(&f.game);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_searches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
