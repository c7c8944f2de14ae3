// The columns of databases (docs/cqldb.md): dates, openings, numbers of all sizes, names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "runtime/database/columns.c"
#include "runtime/database/names.h"

static void test_dates(void **state)
{
    (void)state;
    static const char *const dates[] = {"????.??.??", "????.??.31", "????.12.??", "0001.01.01",
                                        "1999.??.??", "1999.12.??", "1999.12.31", "2000.??.??",
                                        "2000.01.??", "2000.01.01", "9999.12.31"};
    int32_t last = -1;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        char back[11] = "";
        const int32_t value = column_of_date(dates[i]);
        assert_true(value > last); // an unknown part sorts before all known ones
        column_date(value, back);
        assert_memory_equal(back, dates[i], 10);
        last = value;
    }
    assert_int_equal(column_of_date(dates[0]), 0);
}

// A00, then A00a, A00a1 to A00a4, A00b, and so on up to E99z4.
static void test_openings(void **state)
{
    (void)state;
    int32_t last = 0;
    for (int code = 0; code < 500; code++)
        for (int letter = 0; letter <= 26; letter++)
            for (int digit = 0; digit <= (letter ? 4 : 0); digit++) {
                char eco[6] = {(char)('A' + code / 100), (char)('0' + code / 10 % 10),
                               (char)('0' + code % 10)},
                     back[6];
                eco[3] = (char)(letter ? 'a' + letter - 1 : 0);
                eco[4] = (char)(digit ? '0' + digit : 0);
                const size_t length = strlen(eco);
                const int32_t value = column_of_eco((Text){eco, length});
                assert_true(value > last);
                assert_int_equal(column_eco(value, back), length);
                assert_memory_equal(back, eco, length);
                last = value;
            }
    assert_int_equal(column_of_eco((Text){"A0", 2}), 0);
    assert_int_equal(column_eco(0, (char[6]){0}), 0);
    assert_int_equal(column_eco(-1, (char[6]){0}), 0);
}

// Numbers have as many bytes as the greatest one needs.
static void test_widths(void **state)
{
    (void)state;
    static const struct {
        int32_t value;
        size_t bytes;
    } cases[] = {{0, 1},        {1, 1},        {255, 1},     {256, 2},        {65535, 2},    {65536, 3},
                 {0xABCDEF, 3}, {0xFFFFFF, 3}, {1 << 24, 4}, {0x12345678, 4}, {INT32_MAX, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int32_t numbers[3] = {7, cases[i].value, 0};
        int32_t back[3];
        Buffer column = {0};
        buffer_append(&column, (const char *)numbers, sizeof numbers);
        pack(&column, 3);
        assert_int_equal(column.length, 3 * cases[i].bytes + CHECKSUM_BYTES);
        assert_true(unpack(back, 3, (const unsigned char *)column.start, 3 * cases[i].bytes));
        assert_memory_equal(back, numbers, sizeof numbers);
        assert_false(unpack(back, 3, (const unsigned char *)column.start, 3 * cases[i].bytes - 1));
        buffer_free(&column);
    }
    const unsigned char bytes[16] = {0};
    int32_t back[4];
    assert_false(unpack(back, 0, bytes, 4));
    assert_false(unpack(back, 1, bytes, 0));
    assert_false(unpack(back, 3, bytes, 15)); // no number has five bytes
    assert_true(unpack(back, 4, bytes, 16));
}

// What a writer had before leaves no trace: the numbers of the next chunk are as short as they can be.
static void test_cleared(void **state)
{
    (void)state;
    ColumnWriter w = {0};
    for (int32_t number = INT32_MAX; number > 0; number /= 65536) {
        int32_t value[STORED_COLUMNS];
        for (int i = 0; i < STORED_COLUMNS; i++)
            value[i] = number;
        const size_t count = number == INT32_MAX ? 5 : 2, bytes = number == INT32_MAX ? 4 : 2;
        for (size_t k = 0; k < count; k++)
            columns_add(&w, value);
        columns_add_name(&w, 0, 1, (Text){"name", 4});
        assert_int_equal(w.count, count);
        for (int i = 0; i < STORED_COLUMNS; i++) {
            assert_int_equal(w.column[i].length, count * sizeof *value);
            pack(&w.column[i], w.count);
            assert_int_equal(w.column[i].length, count * bytes + CHECKSUM_BYTES);
        }
        assert_int_equal(w.names[0].length, 4 + 4 + 4);
        columns_clear(&w);
        assert_int_equal(w.count + w.names[0].length, 0);
        for (int i = 0; i < STORED_COLUMNS; i++)
            assert_int_equal(w.column[i].length, 0);
    }
    columns_free(&w);
    for (int i = 0; i < STORED_COLUMNS; i++)
        assert_null(w.column[i].start);
}

// The names of chunks: ids ascend, some may have no name.
static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t length;
        bool good;
    } cases[] = {
        {"\1\0\0\0\2\0\0\0ab\3\0\0\0\0\0\0\0", 18, true},
        {"\1\0\0\0\2\0\0\0ab", 10, true},
        {"\1\0\0\0\2\0\0\0a", 9, false},                   // cut off
        {"\1\0\0\0\2\0\0", 7, false},                      // no head
        {"\0\0\0\0\2\0\0\0ab", 10, false},                 // no id
        {"\2\0\0\0\1\0\0\0a\2\0\0\0\1\0\0\0b", 18, false}, // twice
        {"\2\0\0\0\1\0\0\0a\1\0\0\0\1\0\0\0b", 18, false}, // descending
        {"\0\0\20\0\0\0\0\0", 8, true},                    // 1 << 20 of them without a name
        {"\1\0\20\0\0\0\0\0", 8, false},                   // one too many
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        NameList names = {0};
        if (add_names(&names, (const unsigned char *)cases[i].bytes, cases[i].length) != cases[i].good)
            fail_msg("case %d", (int)i);
        if (i == 0) {
            assert_int_equal(names.count, 4);
            assert_int_equal(names.place[1].length, 2);
            assert_memory_equal(names.text.start + names.place[1].start, "ab", 2);
            assert_int_equal(names.place[0].length + names.place[2].length + names.place[3].length, 0);
        }
        name_list_free(&names);
    }
}

// A table with a limit forgets its names when it is full, and never has one that is longer than the limit.
static void test_limit_of_names(void **state)
{
    (void)state;
    enum { LIMIT = 200000, LENGTH = 1000 };
    static char text[LIMIT + 1];
    NameTable t = {0};
    names_limit(&t, LIMIT);
    const Text longest = {text, sizeof text};
    names_add(&t, longest, names_hash(longest), 1);
    assert_int_equal(names_find(&t, longest, names_hash(longest)), 0);
    bool forgotten = false;
    for (int64_t id = 2; id < 200; id++) {
        memset(text, (int)id, LENGTH);
        const Text name = {text, LENGTH};
        names_add(&t, name, names_hash(name), id);
        assert_int_equal(names_find(&t, name, names_hash(name)), id);
        memset(text, 2, LENGTH);
        forgotten |= names_find(&t, name, names_hash(name)) == 0;
        assert_true(t.last_id == id && t.text.length <= LIMIT);
    }
    assert_true(forgotten);
    names_free(&t);
}

// Memory is counted as it will be: an array that is full is copied to one of twice its size before it is freed.
static void test_exact_limit_of_names(void **state)
{
    (void)state;
    static char text[1000];
    const Text first = {"first", 5};
    memset(text, 'x', sizeof text);
    for (int more = 0; more < 2; more++) {
        NameTable t = {0};
        names_add(&t, first, names_hash(first), 1);
        const size_t room = t.text.capacity - t.text.length, slots = t.slots * sizeof *t.slot;
        assert_true(room > 0 && room < sizeof text);
        const Text second = {text, room + (size_t)more};
        names_limit(&t, slots + (more ? 3 * (t.text.capacity + 1) - 1 : t.text.capacity));
        names_add(&t, second, names_hash(second), 2);
        assert_int_equal(names_find(&t, first, names_hash(first)), more ? 0 : 1);
        assert_int_equal(t.last_id, 2);
        names_free(&t);
    }
    NameTable t = {0}; // the slots: half of them are used at most
    for (int64_t id = 1; id <= 513; id++) {
        char name[8];
        const Text one = {name, (size_t)snprintf(name, sizeof name, "%d", (int)id)};
        names_add(&t, one, names_hash(one), id);
        assert_int_equal(t.slots, id <= 512 ? 1024 : 2048);
        assert_int_equal(t.count, id);
        assert_int_equal(names_find(&t, one, names_hash(one)), id);
    }
    for (int64_t id = 1; id <= 513; id++) { // all are still there
        char name[8];
        const Text one = {name, (size_t)snprintf(name, sizeof name, "%d", (int)id)};
        assert_int_equal(names_find(&t, one, names_hash(one)), id);
    }
    names_free(&t);
    assert_true(t.slots == 0 && t.count == 0 && t.last_id == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_openings),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_cleared),
        cmocka_unit_test(test_limit_of_names),
        cmocka_unit_test(test_exact_limit_of_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
