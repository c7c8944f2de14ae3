// Filters about squares as they are lowered: the boards of designators, steps in directions.
#include "lower_fixture.h"

// The only filter of a query, on the right of its place; the query is a set.
static const char *set_of(const char *text)
{
    const char *all = printed(lowered(arena_printf(arena, "cql() %s", text)));
    const char *place = strstr(all, "ANY(");
    if (place == NULL)
        fail_msg("`%s`\n%s", text, all);
    return place;
}

// A piece that a symbol for all pieces covers is not named again.
static void test_designators(void **state)
{
    (void)state;
    static const struct {
        const char *text, *set;
    } rows[] = {
        {"K", "ANY(BOARD K)"},
        {"[KQ]", "ANY(SET_OR(BOARD Q, BOARD K))"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strncmp(set_of(rows[i].text), rows[i].set, strlen(rows[i].set)) != 0)
            fail_msg("`%s`: %s", rows[i].text, set_of(rows[i].text));
    static const char white[] = "PNBRQK", black[] = "pnbrqk";
    for (int i = 0; i < 6; i++) {
        const char *const own[] = {arena_printf(arena, "[A%c]", white[i]),
                                   arena_printf(arena, "[a%c]", black[i]),
                                   arena_printf(arena, "[Aa%c%c]", white[i], black[i])};
        assert_string_equal(set_of(own[0]), "ANY(BOARD white))\n");
        assert_string_equal(set_of(own[1]), "ANY(BOARD black))\n");
        assert_string_equal(set_of(own[2]), "ANY(BOARD occupied))\n");
        const char *const other[] = {arena_printf(arena, "[A%c]", black[i]),
                                     arena_printf(arena, "[a%c]", white[i])};
        assert_string_equal(set_of(other[0]),
                            arena_printf(arena, "ANY(SET_OR(BOARD %c, BOARD white))\n", black[i]));
        assert_string_equal(set_of(other[1]),
                            arena_printf(arena, "ANY(SET_OR(BOARD %c, BOARD black))\n", white[i]));
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_arena, close_arena)
    const struct CMUnitTest tests[] = {TEST(test_designators)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
