// Texts and their numbers.
#include "test.h"

#include <stdio.h>
#include <unistd.h>

#include "compiler/base/text_map.h"

// Texts get numbers in the order in which they come; after each of them, others are still missing.
static void test_numbers(void **state)
{
    (void)state;
    enum { TEXTS = 200 };
    Arena *arena = arena_new();
    TextMap map = {0};
    alarm(60); // a table without a free cell would be searched for ever
    assert_int_equal(text_map_find(&map, "text 0", 6), -1);
    for (int i = 0; i < TEXTS; i++) {
        bool is_new = false;
        const char *text = arena_printf(arena, "text %d", i);
        const uint32_t length = (uint32_t)strlen(text);
        assert_int_equal(text_map_find(&map, text, length), -1);
        assert_int_equal(text_map_number(arena, &map, text, length, &is_new), i);
        assert_true(is_new);
        assert_int_equal(text_map_find(&map, text, length), i);
        assert_int_equal(text_map_find(&map, "another", 7), -1);
    }
    for (int i = 0; i < TEXTS; i++) {
        bool is_new = true;
        const char *text = arena_printf(arena, "text %d", i);
        assert_int_equal(text_map_number(arena, &map, text, (uint32_t)strlen(text), &is_new), i);
        assert_false(is_new);
    }
    assert_int_equal(text_map_number(arena, &map, "a\0b", 3, NULL), TEXTS); // a NUL is a character
    assert_int_equal(text_map_number(arena, &map, "a\0c", 3, NULL), TEXTS + 1);
    assert_int_equal(text_map_number(arena, &map, "", 0, NULL), TEXTS + 2);
    assert_int_equal(text_map_number(arena, &map, "text 7 and more", 6, NULL),
                     7); // what follows is not looked at
    assert_int_equal(text_map_number(arena, &map, "text 70", 6, NULL), 7);
    assert_int_equal(text_map_find(&map, "text 199 and more", 8), 199);
    alarm(0);
    arena_free(arena);
}

// Only the bytes themselves and their number count, not what surrounds them.
static void test_bytes(void **state)
{
    (void)state;
    enum { MOST = 40, TIMES = 5 };
    Arena *arena = arena_new();
    TextMap n = {0};
    for (int time = 0; time < TIMES; time++)
        for (int length = 0; length <= MOST; length++) {
            char *bytes = arena_alloc(arena, MOST + 24);
            memset(bytes, 'a' + time, MOST + 24);
            memset(bytes + time, 0, (size_t)length);
            assert_int_equal(text_map_number(arena, &n, bytes + time, (uint32_t)length, NULL), length);
            assert_int_equal(n.count, time == 0 ? length + 1 : MOST + 1);
        }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
