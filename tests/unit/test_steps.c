// The steps that runtime calls take: one for every 64 bytes of strings that they copy, compare or search (docs/matcher.md), and
// those of dictionaries, tags and shows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/match/run_state.h"
#include "runtime/value/dictionary.h"
#include "run_fixture.h"

enum { LARGE = 6400, MIDDLE = 640 }; // 100 and 10 steps

static String text_of_length(size_t length, char letter)
{
    char *bytes = malloc(length);
    memset(bytes, letter, length);
    String s = string_copy(bytes, length);
    free(bytes);
    return s;
}

static String large, middle;

static int64_t left(const Context *c)
{
    return c->steps + c->run->steps_left;
}

#define ASSERT_STEPS(call, steps)                                                                            \
    do {                                                                                                     \
        const int64_t before_ = left(c);                                                                     \
        call;                                                                                                \
        if (before_ - left(c) != (int64_t)(steps))                                                           \
            fail_msg("%s: %lld steps", #call, (long long)(before_ - left(c)));                               \
    } while (0)

// ---- strings ----------------------------------------------------------------------------------------------

static void strings_body(Context *c)
{
    String s;
    int32_t number;
    String below = text_of_length(63, 'x'), step = text_of_length(64, 'x'), two = text_of_length(128, 'x');
    ASSERT_STEPS(rt_compare(c, large, middle), 10);
    ASSERT_STEPS(rt_compare(c, middle, large), 10);
    ASSERT_STEPS(rt_compare(c, below, large), 0);
    ASSERT_STEPS(rt_compare(c, step, large), 1);
    ASSERT_STEPS(rt_compare(c, two, large), 2);
    ASSERT_STEPS(rt_contains(c, middle, large), 100);
    ASSERT_STEPS(rt_contains(c, large, middle), 10);
    ASSERT_STEPS(rt_index_of(c, middle, large, &number), 100);
    ASSERT_STEPS(rt_concat(c, large, middle), 110);
    ASSERT_STEPS(rt_concat(c, large, STR("")), 0);
    ASSERT_STEPS(rt_concat(c, NULL, large), 0);
    ASSERT_STEPS(rt_slice(c, large, 0, 0, 3), 0); // it is the string itself
    ASSERT_STEPS(rt_slice(c, large, 0, LARGE, 0), 0);
    ASSERT_STEPS(rt_slice(c, large, 0, MIDDLE, 0), 10);
    ASSERT_STEPS(rt_slice(c, large, 64, 0, 2), 99);
    ASSERT_STEPS(rt_subscript(c, large, 7, &s), 0);
    ASSERT_STEPS(rt_replace_index(c, large, 0, middle, &s), 109); // 7039 bytes
    ASSERT_STEPS(rt_replace_slice(c, large, 0, MIDDLE, 0, STR("")), 90);
    ASSERT_STEPS(rt_upper(c, large), 100);
    ASSERT_STEPS(rt_lower(c, middle), 10);
    ASSERT_STEPS(rt_message(c, 0, middle, 1), 10);
    ASSERT_STEPS(rt_sort_string(c, 0, 0, middle, 0), 10);
    ASSERT_STEPS(rt_comment_contains(c, 1, STR("z")), 3); // of 200 bytes
    ASSERT_STEPS(rt_comment_contains(c, 0, STR("z")), 0); // there is none
    ASSERT_STEPS(rt_set_tag(c, STR("A"), large), 1);
    ASSERT_STEPS(rt_set_tag(c, STR("A"), large), 2);
    ASSERT_STEPS(rt_set_tag(c, middle, STR("v")), 12);
    ASSERT_STEPS(rt_remove_tag(c, STR("A")), 3);
    ASSERT_STEPS(rt_remove_tag(c, STR("A")), 4);
    ASSERT_STEPS(rt_set_tag(c, STR("A"), STR("")), 4);
    string_free(below);
    string_free(step);
    string_free(two);
}

static void play(Fixture *f, const char *pgn)
{
    fixture_open(f);
    fixture_play(f, pgn);
    if (f->result.error)
        fail_msg("%s", f->result.error);
    fixture_close(f);
}

static void test_strings(void **state)
{
    (void)state;
    static const SortKeyInfo key = {.name = "key", .is_string = 1};
    char pgn[300];
    snprintf(pgn, sizeof pgn, "1. e4 {%s} *", middle->bytes + MIDDLE - 200);
    play(
        &(Fixture){
            .query = {.name = "test", .match_game = strings_body, .sort_key = &key, .sort_key_count = 1}},
        pgn);
}

// ---- dictionaries -----------------------------------------------------------------------------------------

enum { TEXTS, NUMBERS, LASTING };
static const DictionaryInfo dictionaries[] = {{"Texts", DICT_STRING, DICT_STRING, 1},
                                              {"Numbers", DICT_INT, DICT_INT, 1},
                                              {"Lasting", DICT_STRING, DICT_STRING, 0}};

static void put_number(Context *c, int32_t key)
{
    rt_dict_key_int(c, key);
    rt_dict_put_int(c, NUMBERS, key);
}

// The order of n entries has as many levels as n has binary digits; each request takes a step for each level, the first one
// for each entry and each 64 bytes of all entries at each level, too.
static void numbers_body(Context *c)
{
    int32_t key;
    for (int n = 1; n <= 9; n++) {
        const int levels = n >= 8 ? 4 : n >= 4 ? 3 : n >= 2 ? 2 : 1;
        for (int i = 1; i <= n; i++)
            ASSERT_STEPS(put_number(c, i), 0);
        rt_dict_key_int(c, 100);
        ASSERT_STEPS(rt_dict_has(c, NUMBERS), 0);
        ASSERT_STEPS(rt_dict_remove(c, NUMBERS), 0);
        ASSERT_STEPS(rt_dict_next_int(c, NUMBERS, 1, &key),
                     levels + levels * (n + n * (int)sizeof(DictEntry) / 64));
        assert_int_equal(key, 1);
        ASSERT_STEPS(rt_dict_next_int(c, NUMBERS, 0, &key), levels);
        ASSERT_STEPS(rt_dict_next_int(c, NUMBERS, 1, &key), levels);
        ASSERT_STEPS(rt_dict_remove(c, NUMBERS), levels);
        ASSERT_STEPS(rt_dict_size(c, NUMBERS), 0);
        ASSERT_STEPS(rt_dict_clear(c, NUMBERS), n);
    }
}

// Keys are hashed when they change, compared at each access, and at each level of the order.
static void texts_body(Context *c)
{
    String s = NULL;
    ASSERT_STEPS(rt_dict_key_string(c, large), 100);
    ASSERT_STEPS(rt_dict_key_string(c, large), 0);
    ASSERT_STEPS(rt_dict_key_string(c, middle), 10);
    ASSERT_STEPS(rt_dict_key_string(c, large), 100);
    ASSERT_STEPS(rt_dict_has(c, TEXTS), 100);
    ASSERT_STEPS(rt_dict_put_string(c, TEXTS, middle), 110);
    ASSERT_STEPS(rt_dict_get_string(c, TEXTS, &s), 100);
    assert_ptr_equal(s, middle);
    ASSERT_STEPS(rt_dict_remove(c, TEXTS), 100);
    ASSERT_STEPS(rt_dict_put_string(c, TEXTS, STR("v")), 100);
    rt_dict_key_string(c, STR("a"));
    ASSERT_STEPS(rt_dict_put_string(c, TEXTS, STR("")), 0);
    ASSERT_STEPS(rt_dict_next_string(c, TEXTS, 1, &s), 2 + 2 * (2 + 2 * (int)sizeof(DictEntry) / 64));
    assert_text(s, "a");
    ASSERT_STEPS(rt_dict_next_string(c, TEXTS, 0, &s), 2);
    assert_int_equal(s->length, LARGE);
    ASSERT_STEPS(rt_dict_next_string(c, TEXTS, 0, &s), 2 + 200);
    rt_dict_key_string(c, large);
    ASSERT_STEPS(rt_dict_remove(c, TEXTS), 2 + 200 + 100);
}

static void test_dictionaries(void **state)
{
    (void)state;
    void (*const bodies[])(Context * c) = {numbers_body, texts_body};
    for (size_t i = 0; i < 2; i++)
        play(&(Fixture){.query = {.name = "test",
                                  .match_game = bodies[i],
                                  .dictionary = dictionaries,
                                  .dictionary_count = 3}},
             "*");
}

// Strings of a game are where other strings were in the game before it.
static void first_body(Context *c)
{
    rt_dict_key_string(c, run_string(c, "one", 3));
    rt_dict_put_string(c, LASTING, STR("1"));
}

static void second_body(Context *c)
{
    String s = NULL;
    rt_dict_key_string(c, run_string(c, "two", 3));
    assert_false(rt_dict_has(c, LASTING));
    rt_dict_put_string(c, LASTING, STR("2"));
    rt_dict_key_string(c, STR("two"));
    assert_true(rt_dict_get_string(c, LASTING, &s));
    assert_text(s, "2");
    rt_dict_key_string(c, STR("one"));
    assert_true(rt_dict_get_string(c, LASTING, &s));
    assert_text(s, "1");
}

static void test_keys_of_games(void **state)
{
    (void)state;
    Fixture f = {
        .query = {
            .name = "test", .match_game = first_body, .dictionary = dictionaries, .dictionary_count = 3}};
    fixture_open(&f);
    fixture_play(&f, "*");
    game_free(&f.game);
    f.query.match_game = second_body;
    fixture_play(&f, "*");
    assert_null(f.result.error);
    fixture_close(&f);
}

// ---- the memory of dictionaries -----------------------------------------------------------------------------

static int puts_done;

static void many_numbers_body(Context *c)
{
    for (puts_done = 0; puts_done < 1000; puts_done++)
        put_number(c, puts_done);
}

static void many_values_body(Context *c)
{
    rt_dict_key_string(c, STR("k"));
    for (puts_done = 0; puts_done < 1000; puts_done++)
        rt_dict_put_string(c, LASTING, middle);
}

// What is put last may go beyond the limit; values that were replaced count until the game ends.
static void test_memory_of_dictionaries(void **state)
{
    (void)state;
    static const struct {
        void (*body)(Context *c);
        size_t memory;
    } cases[] = {{many_numbers_body, 10 * sizeof(DictEntry)},
                 {many_values_body, sizeof(DictEntry) + (4 + 1 + 1) + 10 * (4 + MIDDLE + 1)}};
    for (size_t i = 0; i < 2; i++) {
        for (size_t less = 0; less < 2; less++) {
            Fixture f = {.query = {.name = "test",
                                   .match_game = cases[i].body,
                                   .dictionary = dictionaries,
                                   .dictionary_count = 3},
                         .options = {.memory = cases[i].memory - less}};
            fixture_open(&f);
            fixture_play(&f, "*");
            assert_string_equal(f.result.error ? f.result.error : "",
                                "the query needs too much memory for this game (the limit is 0 MB of texts)");
            assert_int_equal(puts_done, less ? 10 : 11);
            fixture_close(&f);
        }
    }
}

static void few_values_body(Context *c)
{
    rt_dict_key_string(c, STR("k"));
    for (int i = 0; i < 5; i++)
        rt_dict_put_string(c, LASTING, middle);
}

static void test_memory_of_games(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test",
                           .match_game = few_values_body,
                           .dictionary = dictionaries,
                           .dictionary_count = 3},
                 .options = {.memory = sizeof(DictEntry) + 6 + 6 * (4 + MIDDLE + 1)}};
    fixture_open(&f);
    for (int game = 0; game < 20; game++) {
        fixture_play(&f, "*");
        assert_null(f.result.error);
        game_free(&f.game);
    }
    run_free(f.run);
}

// ---- shows ------------------------------------------------------------------------------------------------

static int64_t shown;

static int32_t endless_show(Context *c, int32_t n, const Position *p, int32_t depth)
{
    (void)n, (void)p, (void)depth;
    for (shown = 0; shown < 10000000; shown++) {
        c->slot[0].i++;
        run_take_steps(c, 1);
    }
    return 0;
}

static int64_t first_show;

static void shows_body(Context *c)
{
    c->slot[0].i = 7;
    c->at = 0;
    shown = -1;
    ASSERT_STEPS(rt_show(c), 0);
    first_show = shown;
    shown = -1;
    ASSERT_STEPS(rt_show(c), 0);
    assert_int_equal(c->slot[0].i, 7);
}

// All shows of a game have a million steps, or as many as the game has; they take none of those of the game.
static void test_shows(void **state)
{
    (void)state;
    static const int64_t limits[] = {500, 999999, 1000000, 1000001, 3000000};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        Fixture f = {
            .query = {.name = "test", .match_game = shows_body, .slot_count = 1, .show = endless_show},
            .options = {.max_steps = limits[i]}};
        fixture_open(&f);
        for (int game = 0; game < 2; game++) {
            fixture_play(&f, "*");
            assert_null(f.result.error);
            assert_int_equal(first_show, (limits[i] < 1000000 ? limits[i] : 1000000) - 1);
            assert_int_equal(shown, 0);
            game_free(&f.game);
        }
        run_free(f.run);
    }
}

static int64_t part_shown;

static int32_t partial_show(Context *c, int32_t n, const Position *p, int32_t depth)
{
    (void)n, (void)p, (void)depth;
    for (part_shown = 0; part_shown < 300000; part_shown++)
        run_take_steps(c, 1);
    return 0;
}

// What a show leaves is for the next ones.
static void partial_shows_body(Context *c)
{
    c->at = 0;
    for (int show = 0; show < 5; show++) {
        part_shown = -1;
        rt_show(c);
        assert_int_equal(part_shown, show < 3 ? 300000 : show == 3 ? 99999 : 0);
    }
}

static void test_partial_shows(void **state)
{
    (void)state;
    play(&(Fixture){.query = {.name = "test", .match_game = partial_shows_body, .show = partial_show}}, "*");
}

// ---- tags, and what makes imaginary positions --------------------------------------------------------------------

static int tags_there;

// Each eight tags that a name is looked for among are a step.
static void tags_body(Context *c)
{
    String value;
    ASSERT_STEPS(rt_tag(c, STR(""), &value), 0);
    ASSERT_STEPS(rt_tag(c, STR("T0"), &value), tags_there / 8);
    ASSERT_STEPS(rt_tag(c, STR("No"), &value), tags_there / 8);
    assert_true(rt_tag(c, STR("T6"), &value));
}

static void test_tags(void **state)
{
    (void)state;
    for (tags_there = 7; tags_there <= 17; tags_there++) {
        char pgn[400] = "";
        for (int i = 0; i < tags_there; i++)
            sprintf(pgn + strlen(pgn), "[T%d \"v\"]\n", i);
        strcat(pgn, "\n*");
        play(&(Fixture){.query = {.name = "test", .match_game = tags_body}}, pgn);
    }
}

// ---- patterns of FENs ---------------------------------------------------------------------------------------

static int prepare(void **state)
{
    (void)state;
    large = text_of_length(LARGE, 'x');
    middle = text_of_length(MIDDLE, 'y');
    return 0;
}

static int end(void **state)
{
    (void)state;
    string_free(large);
    string_free(middle);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_dictionaries),
        cmocka_unit_test(test_keys_of_games),
        cmocka_unit_test(test_memory_of_dictionaries),
        cmocka_unit_test(test_memory_of_games),
        cmocka_unit_test(test_shows),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_partial_shows),
    };
    return cmocka_run_group_tests(tests, prepare, end);
}
