// Searches for the positions of a tree at which conditions are true, and their numbers, against plain loops. Each condition is evaluated
// once at each position of the game, and takes a step there. What searches of paths remember.
#include "run_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/match/run_state.h"

enum { CONDITIONS = 60, CALLS = 300, MOST = 2000, IMAGINED = 6 };

static bool truth[CONDITIONS][MOST];
static int evaluated[CONDITIONS][MOST];
static int64_t evaluations;
static uint64_t seed = 1;

static int32_t random_below(int32_t limit)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int32_t)((uint32_t)(seed >> 33) % (uint32_t)limit);
}

static int32_t remembered(Context *c, int32_t condition, int32_t n)
{
    (void)c;
    evaluated[condition][n]++;
    evaluations++;
    return truth[condition][n];
}

// ---- the plainest way -------------------------------------------------------------------------------------

static int32_t plain_next(int32_t condition, int32_t first, int32_t last)
{
    for (; first <= last; first++)
        if (truth[condition][first])
            return first;
    return -1;
}

static int32_t plain_count(int32_t condition, int32_t first, int32_t last)
{
    int32_t count = 0;
    for (; first <= last; first++)
        count += truth[condition][first];
    return count;
}

// Nothing is before a position that is imagined.
static int32_t parent(const Context *c, int32_t n)
{
    return n < c->game->count ? c->node[n].parent : -1;
}

static int32_t plain_last(const Context *c, int32_t condition, int32_t from)
{
    while (from >= 0 && !truth[condition][from])
        from = parent(c, from);
    return from;
}

static int32_t plain_count_before(const Context *c, int32_t condition, int32_t from)
{
    int32_t count = 0;
    for (; from >= 0; from = parent(c, from))
        count += truth[condition][from];
    return count;
}

// ---- calls at random --------------------------------------------------------------------------------------

// All true, none, one of so many, or runs.
static void fill(int32_t condition, int32_t count)
{
    static const int32_t rarity[] = {0, 1, 2, 3, 10, 100, 1000};
    const int32_t one_of = rarity[random_below(7)];
    const bool runs = random_below(3) == 0;
    bool now = false;
    for (int32_t n = 0; n < count; n++) {
        if (!runs || random_below(40) == 0)
            now = one_of > 0 && random_below(one_of) == 0;
        truth[condition][n] = now;
    }
}

static void call(Context *c, int32_t condition)
{
    const int32_t positions = c->game->count, all = positions + IMAGINED;
    const int32_t kind = random_below(5), limit = random_below(4) ? positions : all;
    int32_t first = random_below(3) ? random_below(limit) : 0, last = random_below(limit);
    if (first > last && random_below(8)) { // also intervals without a position
        const int32_t other = first;
        first = last;
        last = other;
    }
    if (kind == 0)
        assert_int_equal(rt_member(c, first, condition), truth[condition][first]);
    else if (kind == 1)
        assert_int_equal(rt_next_member(c, condition, first, last), plain_next(condition, first, last));
    else if (kind == 2)
        assert_int_equal(rt_count_members(c, condition, first, last), plain_count(condition, first, last));
    else if (kind == 3)
        assert_int_equal(rt_last_member(c, condition, last), plain_last(c, condition, last));
    else
        assert_int_equal(rt_count_members_before(c, condition, last), plain_count_before(c, condition, last));
}

static void calls_body(Context *c)
{
    const int32_t positions = c->game->count;
    assert_true(positions > 64 && positions + IMAGINED <= MOST);
    memset(evaluated, 0, sizeof evaluated);
    for (int32_t condition = 0; condition < CONDITIONS; condition++) {
        fill(condition, positions + IMAGINED);
        evaluations = 0;
        const int64_t before = run_steps_left(c);
        for (int i = 0; i < CALLS; i++)
            call(c, condition);
        assert_int_equal(before - run_steps_left(c), evaluations);
        for (int32_t n = 0; n < positions; n++)
            assert_true(evaluated[condition][n] >= 0 && evaluated[condition][n] <= 1);
    }
}

// The first word of positions is known but for its first one, then its first one too.
static void words_body(Context *c)
{
    memset(truth, true, sizeof truth);
    for (int32_t missing = 0; missing < 64; missing += 63) { // the first or the last one
        const int32_t condition = missing > 0;
        assert_int_equal(rt_count_members(c, condition, missing == 0, 63 - (missing > 0)), 63);
        assert_int_equal(rt_count_members(c, condition, 64, 100), 37);
        assert_int_equal(rt_count_members(c, condition, missing == 0, 100), 100 + (missing > 0));
        assert_int_equal(rt_count_members(c, condition, 0, 100), 101);
        assert_int_equal(rt_count_members(c, condition, 0, 200), 201);
        assert_int_equal(rt_count_members(c, condition, 1, 200), 200);
    }
}

static int64_t work(Context *c, int32_t (*ask)(Context *, int32_t), int32_t n)
{
    const int64_t before = evaluations;
    ask(c, n);
    return evaluations - before;
}

static int32_t ask_next(Context *c, int32_t n)
{
    return rt_next_member(c, 0, n, c->game->count - 1);
}

static int32_t ask_last(Context *c, int32_t n)
{
    return rt_last_member(c, 0, n);
}

// A search evaluates the condition as far as it has to.
static void evaluations_body(Context *c)
{
    memset(truth, false, sizeof truth);
    truth[0][100] = true;
    assert_int_equal(work(c, ask_next, 90), 11);
    assert_int_equal(work(c, ask_next, 90), 0);
    assert_int_equal(work(c, ask_next, 80), 10);
    assert_int_equal(work(c, ask_last, 105), 5);
    assert_int_equal(work(c, ask_last, 105), 0);
    assert_int_equal(work(c, ask_last, 99), 80);
    assert_int_equal(work(c, ask_last, 110), 5);
    assert_int_equal(work(c, ask_next, 0), 0);
    assert_int_equal(work(c, ask_next, 101), c->game->count - 111);
}

// ---- what searches of paths remember (5.5) ------------------------------------------------------------------------

enum { CODES = 7 };

// Entries at random, and those that are not there, in two tables that go through several sizes.
static void memo_body(Context *c)
{
    static int32_t kept[2][CODES][MOST]; // end + 2; 0: none
    const int32_t count = c->game->count;
    int32_t end = 0;
    memset(kept, 0, sizeof kept);
    for (int i = 0; i < 30000; i++) {
        const int32_t memo = random_below(2), code = random_below(CODES), n = random_below(count);
        int32_t *entry = &kept[memo][code][n];
        assert_int_equal(rt_memo_find(c, n, memo, code, &end), *entry > 0);
        assert_true(*entry == 0 || end == *entry - 2);
        if (random_below(3) == 0) {
            assert_int_equal(rt_memo_visit(c, n, memo, code), *entry == 0);
            *entry = *entry > 0 ? *entry : 1;
        } else {
            *entry = 2 + n / 2;
            rt_memo_keep(c, n, memo, code, n / 2);
        }
        if (i % 9000 == 8999) { // all of one table are forgotten
            rt_memo_begin(c, memo);
            memset(kept[memo], 0, sizeof kept[memo]);
        }
    }
    // imagined positions are not remembered
    rt_memo_keep(c, count, 0, 0, 5);
    assert_false(rt_memo_find(c, count, 0, 0, &end));
    assert_int_equal(1, rt_memo_visit(c, count, 0, 0) && rt_memo_visit(c, count, 0, 0));
    // other pieces are other searches, the same ones are not
    rt_memo_follow(c, 0, SQ("a1"));
    assert_int_equal(1, rt_memo_visit(c, 1, 0, 0));
    rt_memo_follow(c, 0, SQ("a1"));
    assert_false(rt_memo_visit(c, 1, 0, 0));
    rt_memo_follow(c, 0, SQ("a1") | SQ("h8"));
    assert_int_equal(1, rt_memo_visit(c, 1, 0, 0));
    assert_false(rt_memo_visit(c, 1, 0, 0));
    rt_memo_begin(c, 0);
    assert_int_equal(1, rt_memo_visit(c, 1, 0, 0));
}

// ---- games ------------------------------------------------------------------------------------------------

static void put_line(char *pgn, int line, int plies, int depth)
{
    static const char *const move[3][4] = {
        {"Nf3", "Nf6", "Ng1", "Ng8"}, {"Nc3", "Nc6", "Nb1", "Nb8"}, {"Nh3", "Nh6", "Ng1", "Ng8"}};
    for (int ply = 0; ply < plies; ply++) {
        sprintf(pgn + strlen(pgn), "%s ", move[line][ply % 4]);
        if (ply % 36 == 20 && depth < 2) {
            strcat(pgn, "(");
            put_line(pgn, line + 1, 1 + ply % 70, depth + 1);
            strcat(pgn, ") ");
        }
    }
}

static void play(void (*body)(Context *), int depth, int games)
{
    char *pgn = calloc(1, 20000);
    assert_non_null(pgn);
    put_line(pgn, 0, 330, depth);
    strcat(pgn, "*\n");
    Fixture f = {.query = {.name = "test",
                           .match_game = body,
                           .remembered_count = CONDITIONS,
                           .remembered = remembered},
                 .options = {.max_steps = 1LL << 40}};
    fixture_open(&f);
    for (int game = 0; game < games; game++) {
        fixture_play(&f, pgn);
        if (f.result.error)
            fail_msg("%s", f.result.error);
        if (game + 1 < games)
            game_free(&f.game);
    }
    fixture_close(&f);
    free(pgn);
}

static void test_calls(void **state)
{
    (void)state;
    play(calls_body, 0, 2); // the second game begins anew
    play(calls_body, 2, 1);
}

static void test_words(void **state)
{
    (void)state;
    play(words_body, 2, 1);
}

static void test_evaluations(void **state)
{
    (void)state;
    play(evaluations_body, 2, 1);
}

static void test_memo(void **state)
{
    (void)state;
    play(memo_body, 2, 2); // nothing is left of the first game
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls), cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_evaluations), cmocka_unit_test(test_memo)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
