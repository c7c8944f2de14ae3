// Attacks and material as set algebra in screens.
#include "ir_text.h"

#include "compiler/middle/screen/screen.h"

typedef struct Row {
    const char *body, *everywhere; // the exact condition
} Row;

static void check_rows(const Row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Module *m = module_of_text("", "", row[i].body);
        screen_module(m);
        if (m->screen == NULL || !m->screen->is_exact)
            fail_msg("%s: wanted %s", row[i].body, row[i].everywhere);
        for (int place = 0; place < SCREEN_PLACES; place++)
            assert_ir(m, m->screen->condition[0][place], row[i].everywhere);
        arena_free(m->arena);
    }
}

#define CHECK(rows) check_rows(rows, sizeof rows / sizeof *rows)

#define KNIGHT_STEPS(set)                                                                                    \
    "SET_OR(STEP:1,2(" set "), STEP:2,1(" set "), STEP:2,-1(" set "), STEP:1,-2(" set "), STEP:-1,-2(" set   \
    "), STEP:-2,-1(" set "), STEP:-2,1(" set "), STEP:-1,2(" set "))"
#define KING_STEPS(set)                                                                                      \
    "SET_OR(STEP:0,1(" set "), STEP:1,1(" set "), STEP:1,0(" set "), STEP:1,-1(" set "), STEP:0,-1(" set     \
    "), STEP:-1,-1(" set "), STEP:-1,0(" set "), STEP:-1,1(" set "))"
#define UP(set) "SET_OR(STEP:-1,1(" set "), STEP:1,1(" set "))"
#define DOWN(set) "SET_OR(STEP:-1,-1(" set "), STEP:1,-1(" set "))"
#define STRAIGHT(set) "STRAIGHT(" set ", [occupied])"
#define DIAGONAL(set) "DIAGONAL(" set ", [occupied])"

static void attackers_are_sets(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"ANY(attackers([P], [k]))", "ANY(SET_AND([P], " DOWN("[k]") "))"},
        {"ANY(attackers([p], [K]))", "ANY(SET_AND([p], " UP("[K]") "))"},
        {"ANY(attackers([N], [k]))", "ANY(SET_AND([N], " KNIGHT_STEPS("[k]") "))"},
        {"ANY(attackers([K], [k]))", "ANY(SET_AND([K], " KING_STEPS("[k]") "))"},
        {"ANY(attackers([R], [k]))", "ANY(SET_AND([R], " STRAIGHT("[k]") "))"},
        {"ANY(attackers([b], [K]))", "ANY(SET_AND([b], " DIAGONAL("[K]") "))"},
        {"ANY(attackers([Q], [k]))",
         "ANY(SET_OR(SET_AND([Q], " STRAIGHT("[k]") "), SET_AND([Q], " DIAGONAL("[k]") ")))"},
        {"ANY(attackers(SET_OR([R], [B]), [k]))",
         "ANY(SET_OR(SET_AND([R], " STRAIGHT("[k]") "), SET_AND([B], " DIAGONAL("[k]") ")))"},
        {"ANY(attackers(SET_OR([P], [p]), [Q]))",
         "ANY(SET_OR(SET_AND([P], " DOWN("[Q]") "), SET_AND([p], " UP("[Q]") ")))"},
        {"ANY(attackers([empty], [k]))", "FALSE"},
        {"ANY(attackers(SET_AND([R], #ff), [k]))", "ANY(SET_AND([R], #ff, " STRAIGHT("[k]") "))"},
        {"ANY(SET_AND([k], attacked([P])))", "ANY(SET_AND([k], " UP("[P]") "))"},
        {"ANY(SET_AND([K], attacked([p])))", "ANY(SET_AND([K], " DOWN("[p]") "))"},
        {"ANY(SET_AND([K], attacked([n])))", "ANY(SET_AND([K], " KNIGHT_STEPS("[n]") "))"},
        {"ANY(SET_AND([K], attacked([k])))", "ANY(SET_AND([K], " KING_STEPS("[k]") "))"},
        {"ANY(SET_AND([K], attacked([r])))", "ANY(SET_AND([K], " STRAIGHT("[r]") "))"},
        {"ANY(SET_AND([K], attacked([q])))",
         "ANY(SET_AND([K], SET_OR(" STRAIGHT("[q]") ", " DIAGONAL("[q]") ")))"},
        {"ANY(SET_AND([K], attacked(SET_OR([p], [b]))))",
         "ANY(SET_AND([K], SET_OR(STEP:-1,-1([p]), STEP:1,-1([p]), " DIAGONAL("[b]") ")))"},
    };
    CHECK(rows);
}

static void men_have_values(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"EQ(power([p]), 9)", "EQ(COUNT([p]), 9)"},
        {"EQ(power([n]), 9)", "EQ(MUL(COUNT([n]), 3), 9)"},
        {"EQ(power([B]), 9)", "EQ(MUL(COUNT([B]), 3), 9)"},
        {"EQ(power([R]), 9)", "EQ(MUL(COUNT([R]), 5), 9)"},
        {"EQ(power([Q]), 9)", "EQ(MUL(COUNT([Q]), 9), 9)"},
        {"EQ(power([K]), 9)", "FALSE"},
        {"EQ(power(SET_OR([Q], [q])), 9)", "EQ(MUL(COUNT(SET_OR([Q], [q])), 9), 9)"},
        {"EQ(power(SET_OR([P], [Q])), 9)", "EQ(ADD(COUNT([P]), MUL(COUNT([Q]), 9)), 9)"},
    };
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attackers_are_sets),
        cmocka_unit_test(men_have_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
