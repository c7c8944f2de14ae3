// Strings and the memory of strings, dictionaries and their hashes, each against the plainest way to do the same.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/dictionary.h"
#include "runtime/value/memory.h"
#include "run_fixture.h"

// Bytes that malloc has handed out; always the same with sanitizers, which have a malloc of their own.
static size_t memory_in_use(void)
{
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}

static bool memory_is_counted(void)
{
    const size_t before = memory_in_use();
    void *volatile some = malloc(1 << 20);
    const bool counted = memory_in_use() > before;
    free(some);
    return counted;
}

static uint32_t random_number(uint32_t *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

// ---- finding ----------------------------------------------------------------------------------------------

static const char *find_plainly(const char *text, size_t length, const char *part, size_t part_length)
{
    for (size_t i = 0; i + part_length <= length; i++)
        if (memcmp(text + i, part, part_length) == 0)
            return text + i;
    return NULL;
}

// Texts of two letters have parts whose first and last byte are found often in vain. The text is at the end of its
// memory, so that sanitizers notice what is read beyond it.
static void test_find(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 40000; round++) {
        const size_t length = random_number(&seed) % 100, part_length = random_number(&seed) % 12;
        const unsigned letters = 1 + random_number(&seed) % 3;
        char *text = malloc(length + 1), part[12];
        for (size_t i = 0; i < length; i++)
            text[i] = (char)('a' + random_number(&seed) % letters);
        for (size_t i = 0; i < part_length; i++)
            part[i] = (char)('a' + random_number(&seed) % letters);
        assert_ptr_equal(string_find(text, length, part, part_length),
                         find_plainly(text, length, part, part_length));
        free(text);
    }
}

// A part at each place of texts of each length, and one that begins in the text and would end after it.
static void test_find_places(void **state)
{
    (void)state;
    char text[80];
    for (size_t length = 3; length < 70; length++) {
        for (size_t place = 0; place < length; place++) {
            memset(text, '.', sizeof text);
            memcpy(text + place, "xyz", 3);
            assert_ptr_equal(string_find(text, length, "xyz", 3), place + 3 <= length ? text + place : NULL);
            assert_ptr_equal(string_find(text, length, "x", 1), text + place);
        }
    }
    assert_null(string_find("ab", 2, "abc", 3));
    assert_null(string_find("", 0, "a", 1));
}

// ---- ASCII ------------------------------------------------------------------------------------------------

static void test_fold(void **state)
{
    (void)state;
    for (size_t length = 0; length <= 24; length++) {
        for (unsigned first = 0; first < 256; first++) {
            char from[24], upper[25], lower[25];
            for (size_t i = 0; i < length; i++)
                from[i] = (char)(first + 7 * i);
            memset(upper, 1, sizeof upper);
            memset(lower, 1, sizeof lower);
            string_fold(upper, from, length, 'a');
            string_fold(lower, from, length, 'A');
            for (size_t i = 0; i < length; i++) {
                const char c = from[i];
                assert_int_equal(upper[i], c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
                assert_int_equal(lower[i], c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
            }
            assert_int_equal(upper[length], 1);
            assert_int_equal(lower[length], 1);
        }
    }
}

// A byte that is none at each place, with the least and the greatest of them.
static void test_is_ascii(void **state)
{
    (void)state;
    for (size_t length = 0; length <= 24; length++) {
        char text[24];
        memset(text, 0x7F, sizeof text);
        String plain = string_copy(text, length);
        assert_true(string_is_ascii(plain));
        string_free(plain);
        for (size_t place = 0; place < length; place++) {
            for (int byte = 0x80; byte < 0x100; byte += 0x7F) {
                memset(text, 0x7F, sizeof text);
                text[place] = (char)byte;
                String s = string_copy(text, length);
                assert_false(string_is_ascii(s));
                string_free(s);
            }
        }
    }
}

// ---- arenas -----------------------------------------------------------------------------------------------

// Each string takes its length, the 4 bytes before it and the byte after it, rounded up to a multiple of 8.
static void test_arena_size(void **state)
{
    (void)state;
    for (size_t length = 0; length < 40; length++) {
        const size_t size = (4 + length + 1 + 7) / 8 * 8;
        StringArena arena = {.cap = 2 * size};
        for (int i = 1; i <= 2; i++) {
            CqlString *s = string_arena_new(&arena, length);
            assert_non_null(s);
            assert_int_equal((uintptr_t)s % 8, 0);
            assert_int_equal(s->length, length);
            assert_int_equal(s->bytes[length], 0);
            assert_int_equal(arena.used, (size_t)i * size);
        }
        assert_null(string_arena_new(&arena, 0));
        assert_int_equal(arena.used, 2 * size);
        string_arena_reset(&arena);
        assert_int_equal(arena.used, 0);
        assert_non_null(string_arena_new(&arena, length));
        string_arena_free(&arena);
        assert_int_equal(arena.used, 0);
        assert_null(arena.first);
        assert_null(arena.current);
    }
}

// Strings of many lengths, some longer than a chunk, keep what is written to them until they are all freed.
static void test_arena_contents(void **state)
{
    (void)state;
    enum { STRINGS = 600 };
    static CqlString *string[STRINGS];
    StringArena arena = {.cap = SIZE_MAX};
    uint32_t seed = 5;
    for (int round = 0; round < 6; round++) {
        const int count = round % 3 == 2 ? 20 : STRINGS;
        for (int i = 0; i < count; i++) {
            const size_t length = random_number(&seed) % (i % 50 == 49 ? 200000 : 3000);
            string[i] = string_arena_new(&arena, length);
            assert_non_null(string[i]);
            memset(string[i]->bytes, i % 251 + 1, length);
        }
        for (int i = 0; i < count; i++) {
            const CqlString *s = string[i];
            for (size_t k = 0; k < s->length; k++)
                if (s->bytes[k] != (char)(i % 251 + 1))
                    fail_msg("string %d of round %d, byte %zu of %u", i, round, k, (unsigned)s->length);
            assert_int_equal(s->bytes[s->length], 0);
        }
        string_arena_reset(&arena);
    }
    string_arena_free(&arena);
}

static size_t memory_after(StringArena *arena, size_t strings, size_t length, bool reset)
{
    for (size_t i = 0; i < strings; i++)
        assert_non_null(string_arena_new(arena, length));
    if (reset)
        string_arena_reset(arena);
    return memory_in_use();
}

// What is kept for the next use is at most 4 megabytes; it is used before there is more.
static void test_arena_memory(void **state)
{
    (void)state;
    enum { KILOBYTE = 1024, MEGABYTE = 1024 * 1024 };
    StringArena arena = {.cap = SIZE_MAX};
    const bool counted = memory_is_counted();
    const size_t before = memory_in_use();
    const size_t small = memory_after(&arena, 1, 1, false) - before;
    assert_true(small <= 33 * KILOBYTE);
    assert_int_equal(memory_after(&arena, 31, 1000, false) - before, small); // all in the first chunk
    string_arena_reset(&arena);
    assert_int_equal(memory_in_use() - before, small);

    // Chunks of 32, 64, 128, ... kilobytes: the third megabyte fills those up to 2 megabytes.
    const size_t middle = memory_after(&arena, 3 * KILOBYTE, 1000, true) - before;
    assert_true(middle <= 4 * MEGABYTE + 64 * KILOBYTE);
    assert_true(!counted || middle >= 3 * MEGABYTE);
    assert_int_equal(memory_after(&arena, 3 * KILOBYTE, 1000, false) - before, middle);
    string_arena_reset(&arena);

    const size_t large = memory_after(&arena, 20 * KILOBYTE, 1000, false) - before;
    assert_true(large <= 25 * MEGABYTE);
    string_arena_reset(&arena);
    const size_t kept = memory_in_use() - before;
    assert_true(kept <= 4 * MEGABYTE + 64 * KILOBYTE);
    assert_true(!counted || kept >= 3 * MEGABYTE);
    string_arena_reset(&arena);
    assert_int_equal(memory_in_use() - before, kept);

    memory_after(&arena, 1, 9 * MEGABYTE, true); // a chunk of its own
    assert_int_equal(memory_in_use() - before, kept);
    string_arena_free(&arena);
    assert_int_equal(memory_in_use(), before);

    // a string that fills a chunk exactly finds it again
    memory_after(&arena, 1, 1, false);
    const size_t full = memory_after(&arena, 1, 64 * KILOBYTE - 5, true) - before;
    memory_after(&arena, 1, 1, false);
    assert_int_equal(memory_after(&arena, 1, 64 * KILOBYTE - 5, false) - before, full);
    string_arena_free(&arena);
    assert_int_equal(memory_in_use(), before);

    for (size_t more = 0; more < 2;
         more++) { // a chunk for a string of exactly 4 megabytes, and for one of more
        memory_after(&arena, 1, 4 * MEGABYTE - 5 + more, true);
        assert_int_equal(memory_in_use() > before, counted && more == 0);
        string_arena_free(&arena);
        assert_int_equal(memory_in_use(), before);
    }
}

// ---- pools ------------------------------------------------------------------------------------------------

// Arrays that grow in turns keep what is in them, what is added is zero, and all of it is given back.
static void test_pool(void **state)
{
    (void)state;
    enum { ARRAYS = 5, ROUNDS = 40 };
    const size_t before = memory_in_use();
    Pool pool = {0};
    uint32_t *array[ARRAYS] = {0};
    size_t capacity[ARRAYS] = {0};
    uint32_t seed = 3;
    for (int round = 0; round < ROUNDS; round++) {
        const size_t i = random_number(&seed) % ARRAYS, old = capacity[i];
        const size_t need = old + random_number(&seed) % 3000;
        array[i] = pool_grow(&pool, array[i], &capacity[i], need, sizeof **array);
        assert_true(capacity[i] >= need);
        for (size_t k = 0; k < capacity[i]; k++)
            assert_int_equal(array[i][k], k < old ? i + 1 : 0);
        for (size_t k = old; k < capacity[i]; k++)
            array[i][k] = (uint32_t)i + 1;
    }
    pool_free(&pool);
    assert_int_equal(memory_in_use(), before);
    assert_null(pool.blocks);
}

// ---- dictionaries -----------------------------------------------------------------------------------------

enum { KEYS = 1024 };

// 1024 random keys would have about 647 different values in ten bits of their hashes.
static void check_spread(const char *what, const uint32_t hash[KEYS])
{
    for (int shift = 0; shift <= 20; shift += 10) {
        bool seen[KEYS] = {0};
        int different = 0;
        for (int i = 0; i < KEYS; i++) {
            different += !seen[hash[i] >> shift & (KEYS - 1)];
            seen[hash[i] >> shift & (KEYS - 1)] = true;
        }
        if (different < 560)
            fail_msg("%s: %d different values in bits %d and above", what, different, shift);
    }
}

static uint32_t string_hash(const char *text, size_t length)
{
    String s = string_copy(text, length);
    const uint32_t hash = dict_key_string(s).hash;
    string_free(s);
    return hash;
}

// Keys that are much alike: numbers in a row, sets of two squares, strings that differ in two bytes at their beginning, in the
// middle or at their end, or in their length alone.
static void test_hashes(void **state)
{
    (void)state;
    uint32_t hash[KEYS];
    for (int i = 0; i < KEYS; i++)
        hash[i] = dict_key_set(1ULL << i % 32 | 1ULL << (32 + i / 32)).hash;
    check_spread("sets of two squares", hash);
    for (int i = 0; i < KEYS; i++)
        hash[i] = dict_key_set((uint64_t)i << 54).hash;
    check_spread("sets of high squares", hash);
    for (size_t length = 2; length <= 30; length++) {
        for (size_t place = 0; place + 2 <= length; place++) {
            char text[30], what[64];
            memset(text, 'k', sizeof text);
            for (int i = 0; i < KEYS; i++) {
                text[place] = (char)('A' + i % 32);
                text[place + 1] = (char)('A' + i / 32);
                hash[i] = string_hash(text, length);
            }
            snprintf(what, sizeof what, "strings of %zu bytes that differ at %zu", length, place);
            check_spread(what, hash);
        }
    }
    static const char zeros[KEYS];
    for (int i = 0; i < KEYS; i++)
        hash[i] = string_hash(zeros, (size_t)i);
    check_spread("strings of different lengths", hash);
}

// Numbers of entries that were removed are used again.
static void test_free_entries(void **state)
{
    (void)state;
    Dictionary d = {.key_type = DICT_INT, .value_type = DICT_INT};
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 3; k++)
            dict_put(&d, dict_key_int(10 * i + k), (Slot){.i = i}, NULL);
        for (int k = 0; k < 3; k++)
            dict_remove(&d, dict_key_int(10 * i + k), NULL);
    }
    assert_int_equal(d.count, 3);
    assert_int_equal(d.size, 0);
    dict_free(&d);
}

// Rounds of changes of a dictionary with long strings, with a deferred and without one, leave nothing behind.
static void test_dictionary_gives_back(void **state)
{
    (void)state;
    enum { LONG = 3000 }; // more than malloc keeps for itself
    size_t before = 0;
    for (int round = 0; round < 6; round++) {
        for (int graves = 0; graves < 2; graves++) {
            Dictionary d = {.key_type = DICT_STRING, .value_type = DICT_STRING};
            DeferredStrings g = {0};
            char text[LONG];
            memset(text, 'x', sizeof text);
            for (int i = 0; i < 60; i++) {
                text[0] = (char)('a' + i % 20);
                String s = string_copy(text, sizeof text);
                dict_put(&d, dict_key_string(s), (Slot){.t = s}, graves ? &g : NULL);
                if (i % 7 == 6)
                    dict_remove(&d, dict_key_string(s), graves ? &g : NULL);
                if (i == 30)
                    dict_clear(&d, graves ? &g : NULL);
                string_free(s);
            }
            dict_free(&d);
            deferred_strings_free(&g);
            assert_null(g.string);
            assert_int_equal(g.count + g.capacity + g.bytes, 0);
        }
        if (round == 1)
            before = memory_in_use();
        assert_true(round <= 1 || memory_in_use() < before + 5 * (size_t)LONG);
    }
}

// Emptying takes constant time by counting up; where the count begins anew nothing old may be found again.
static void test_generations(void **state)
{
    (void)state;
    Dictionary d = {.key_type = DICT_INT, .value_type = DICT_INT};
    dict_put(&d, dict_key_int(1), (Slot){.i = 1}, NULL);
    for (int i = 0; i < 3; i++) {
        dict_clear(&d, NULL);
        assert_null(dict_find(&d, dict_key_int(1)));
        dict_put(&d, dict_key_int(2), (Slot){.i = i}, NULL);
        assert_null(dict_find(&d, dict_key_int(1)));
        assert_int_equal(dict_find(&d, dict_key_int(2))->value.i, i);
        d.generation = UINT32_MAX;
        dict_clear(&d, NULL);
        assert_null(d.entry);
        assert_null(d.bucket);
        dict_put(&d, dict_key_int(1), (Slot){.i = 5}, NULL);
        assert_null(dict_find(&d, dict_key_int(2)));
        assert_int_equal(dict_find(&d, dict_key_int(1))->value.i, 5);
        assert_int_equal(d.size, 1);
    }
    dict_free(&d);
}

// Tables for up to 65536 entries, the one without a number among them, are kept for the next use.
static void test_kept_tables(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        Dictionary d = {.key_type = DICT_INT, .value_type = DICT_INT};
        for (int i = 0; i < 65535 + more; i++)
            dict_put(&d, dict_key_int(i), (Slot){.i = i}, NULL);
        dict_clear(&d, NULL);
        assert_int_equal(d.entry == NULL, more);
        assert_int_equal(d.bucket == NULL, more);
        dict_free(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_find_places),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_is_ascii),
        cmocka_unit_test(test_arena_size),
        cmocka_unit_test(test_arena_contents),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_arena_memory),
        cmocka_unit_test(test_hashes),
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_dictionary_gives_back),
        cmocka_unit_test(test_kept_tables),
        cmocka_unit_test(test_free_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
