// The columns of databases (docs/cqldb.md): dates, openings, numbers of all sizes, names.
#include "test.h"

#include "runtime/database/columns.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_openings),
        cmocka_unit_test(test_limit_of_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
