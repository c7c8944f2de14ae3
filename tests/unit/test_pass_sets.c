// Passes of the optimiser on sets and attacks, on trees that queries seldom or never have.
#include "pass_fixture.h"

#include <stdio.h>

static void sets_are_folded(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        // Unions of boards.
        {"", "", "ANY(SET_AND([P], [white]))", "ANY([P])"},
        {"", "", "ANY(SET_AND([P], [black]))", "FALSE"},
        {"", "", "ANY(SET_AND([white], SET_OR([P], [n])))", "ANY([P])"},
        {"", "", "ANY(SET_OR([P], [N], [B], [R], [Q], [K]))", "ANY([white])"},
        {"", "", "ANY(SET_OR([p], [n], [b], [r], [q], [k]))", "ANY([black])"},
        {"", "", "ANY(SET_OR([white], [black]))", "ANY([occupied])"},
        {"", "", "ANY(SET_OR([occupied], [empty]))", "TRUE"},
        {"", "", "ANY(SET_OR([N], [P]))", "ANY(SET_OR([P], [N]))"},
        {"", "", "ANY(SET_NOT([white]))", "ANY(SET_OR([black], [empty]))"},
        {"", "", "ANY(SET_NOT([empty]))", "ANY([occupied])"},
        {"", "", "ANY(SET_OR([P], [N], [B], [R], [Q], [black]))", "ANY(SET_NOT(SET_OR([empty], [K])))"},
        {"", "", "ANY(SET_OR([P], [N], [B], [black]))", "ANY(SET_OR([black], [P], [N], [B]))"},
        {"", "", "ANY(SET_OR([P], [N], [B], [R], [black]))", "ANY(SET_NOT(SET_OR([empty], [Q], [K])))"},
        {"", "", "ANY(SET_OR([empty], [P], [N], [B], [p], [n], [b]))", NULL},
        {"", "", "ANY(SET_OR([empty], [P], [N], [B], [R], [p], [n], [b]))",
         "ANY(SET_NOT(SET_OR([Q], [K], [r], [q], [k])))"},
        // Equal operands, opposites, constants.
        {"", "s", "ANY(SET_AND(%0, %0))", "ANY(%0)"},
        {"", "s", "ANY(SET_OR(%0, %0))", "ANY(%0)"},
        {"", "s", "ANY(SET_AND(%0, SET_NOT(%0)))", "FALSE"},
        {"", "s", "ANY(SET_AND(SET_NOT(%0), %0))", "FALSE"},
        {"", "s", "ANY(SET_OR(%0, SET_NOT(%0)))", "TRUE"},
        {"", "ss", "ANY(SET_AND(%0, SET_NOT(%1)))", NULL},
        {"", "s", "ANY(SET_NOT(SET_NOT(%0)))", "ANY(%0)"},
        {"", "ss", "ANY(SET_AND(%0, SET_AND(%1, #f)))", "ANY(SET_AND(#f, %0, %1))"},
        {"", "ss", "ANY(SET_AND(%0, SET_OR(%1, #f)))", "ANY(SET_AND(%0, SET_OR(#f, %1)))"},
        {"", "s", "ANY(SET_AND(%0, #f, #3c))", "ANY(SET_AND(#c, %0))"},
        {"", "s", "ANY(SET_OR(%0, #1, #2))", "ANY(SET_OR(#3, %0))"},
        {"", "s", "ANY(SET_AND(%0, #0))", "FALSE"},
        // what can end the game stays
        {"", "s", "ANY(SET_AND(direction(%0, 1, 1, 8), #0))", "ANY(SET_AND(#0, direction(%0, 1, 1, 8)))"},
        {"", "s", "ANY(SET_AND(%0, direction(%0, 1, 1, 8), #0))",
         "ANY(SET_AND(#0, %0, direction(%0, 1, 1, 8)))"},
        {"", "s", "ANY(SET_AND(direction(%0, 1, 1, 8), %0, #0))",
         "ANY(SET_AND(#0, direction(%0, 1, 1, 8), %0))"},
        {"", "s", "ANY(SET_AND(%0, #ffffffffffffffff))", "ANY(%0)"},
        {"", "s", "ANY(SET_OR(%0, #ffffffffffffffff))", "TRUE"},
        {"", "s", "ANY(SET_OR(%0, #0))", "ANY(%0)"},
        {"", "", "ANY(SET_AND([P], #0))", "FALSE"},
        {"", "", "ANY(SET_AND([P], #ffffffffffffffff))", "ANY([P])"},
        {"", "s", "ANY(SET_XOR(%0, #0))", "ANY(%0)"},
        {"", "s", "ANY(SET_XOR(#0, %0))", "ANY(%0)"},
        {"", "s", "ANY(SET_XOR(%0, %0))", "FALSE"},
        {"", "ss", "ANY(SET_XOR(%0, %1))", NULL},
        {"", "s", "ANY(STEP:0,0(%0))", "ANY(%0)"},
        {"", "s", "ANY(STEP:0,1(%0))", NULL},
        {"", "s", "ANY(STEP:1,0(%0))", NULL},
        // Pieces on squares.
        {"", "", "ANY(SET_OR(SET_AND([P], #1), SET_AND([P], #2)))", "ANY(SET_AND([P], #3))"},
        {"", "", "ANY(SET_OR(SET_AND([P], #1), SET_AND([N], #1)))", "ANY(SET_AND(SET_OR([P], [N]), #1))"},
        {"", "", "ANY(SET_OR(SET_AND([P], #1), SET_AND([N], #2)))", NULL},
        {"", "", "ANY(SET_OR(SET_AND([P], #1), SET_AND([N], #4), SET_AND([P], #2)))",
         "ANY(SET_OR(SET_AND([P], #3), SET_AND([N], #4)))"},
        {"", "", "ANY(SET_OR(SET_AND([P], #1), SET_AND([N], #3), SET_AND([P], #2)))",
         "ANY(SET_AND(SET_OR([P], [N]), #3))"},
        {"", "s", "ANY(SET_AND(%0, STEP:0,1(SET_AND([P], #ff))))", "ANY(SET_AND(#ff00, %0, STEP:0,1([P])))"},
        {"", "s", "ANY(SET_AND(%0, STEP:1,0(SET_AND([P], #ff))))", "ANY(SET_AND(#fe, %0, STEP:1,0([P])))"},
        {"", "s", "ANY(SET_OR(%0, STEP:0,1(SET_AND([P], #ff))))", NULL},
        // Parts that are outside of the other operands.
        {"", "ss", "ANY(SET_AND(#1, SET_OR(SET_AND(%0, #2), %1)))", "ANY(SET_AND(#1, %1))"},
        {"", "ss", "ANY(SET_AND(#1, SET_OR(SET_AND(%0, #2), SET_AND(%1, #4))))", "FALSE"},
        {"", "ss", "ANY(SET_AND(#1, SET_OR(SET_AND(%0, #3), %1)))",
         "ANY(SET_AND(#1, SET_OR(SET_AND(#3, %0), %1)))"},
        {"", "ss", "ANY(SET_AND(#1, SET_OR(STEP:0,1(SET_AND(%0, #1)), %1)))", "ANY(SET_AND(#1, %1))"},
        {"", "ss", "ANY(SET_AND(#100, SET_OR(STEP:0,1(SET_AND(#1, %0)), %1)))", NULL},
        {"", "ss", "ANY(SET_AND(#1, SET_OR(attackers(SET_AND(%0, #2), [k]), %1)))", "ANY(SET_AND(#1, %1))"},
        {"", "ss", "ANY(SET_AND(#1, SET_OR(attacked(SET_AND(#2, %0)), %1)))", NULL},
        {"", "s", "ANY(SET_AND(#3, SET_AND(%0, #1)))", "ANY(SET_AND(#1, %0))"},
        {"", "s", "ANY(SET_AND(#2, STEP:1,0(SET_AND([P], #1))))", "ANY(SET_AND(#2, STEP:1,0([P])))"},
        // What other kinds attack is not asked.
        {"", "s", "ANY(SET_AND([N], attackers([white], %0)))", "ANY(attackers([N], %0))"},
        {"", "s", "ANY(SET_AND([n], attackers([white], %0)))", "FALSE"},
        {"", "s", "ANY(SET_AND([white], attackers([white], %0)))", "ANY(attackers([white], %0))"},
        {"", "s", "ANY(SET_AND(SET_OR([N], [n]), attackers([white], %0)))", "ANY(attackers([N], %0))"},
        {"", "ss", "ANY(SET_AND([N], attackers(%1, %0)))", NULL},
        {"", "s", "ANY(SET_AND([N], SET_NOT(attackers([white], %0))))",
         "ANY(SET_AND([N], SET_NOT(attackers([N], %0))))"},
        {"", "ss", "ANY(SET_AND([N], SET_NOT(SET_OR(attackers([white], %0), %1))))",
         "ANY(SET_AND([N], SET_NOT(SET_OR(attackers([N], %0), %1))))"},
        {"", "sss", "ANY(SET_AND([N], SET_OR(%2, SET_NOT(SET_OR(attackers([white], %0), %1)))))",
         NULL}, // too deep
        {"", "ss", "ANY(SET_AND([N], SET_OR(SET_AND([white], %0), %1)))",
         "ANY(SET_AND([N], SET_OR(%0, %1)))"},
        {"", "ss", "ANY(SET_AND([n], SET_OR(SET_AND([white], %0), %1)))",
         "ANY(SET_AND([n], SET_OR(SET_AND([white], %0), %1)))"},
    };
    CHECK_PASS(fold_module, rows);
}

// Equal operands of long intersections, too.
static void equal_operands_of_many_are_found(void **state)
{
    (void)state;
    for (int count = 15; count <= 40; count++) {
        char text[1000], types[64] = "", *end = text + sprintf(text, "ANY(SET_AND(");
        for (int i = 0; i < 2 * count; i++)
            end += sprintf(end, "%%%d ", i % count);
        sprintf(end, "))");
        memset(types, 's', (size_t)count);
        Module *m = module_of_text("", types, text);
        fold_module(m);
        assert_int_equal(m->function[0]->body->kid[0]->kid_count, count);
        for (int i = 0; i < count; i++)
            assert_int_equal(m->function[0]->body->kid[0]->kid[i]->number, i);
        arena_free(m->arena);
    }
}

#define KNIGHT_STEPS(set)                                                                                    \
    "SET_OR(STEP:1,2(" set "), STEP:2,1(" set "), STEP:2,-1(" set "), STEP:1,-2(" set "), STEP:-1,-2(" set   \
    "), STEP:-2,-1(" set "), STEP:-2,1(" set "), STEP:-1,2(" set "))"
#define KNIGHT_STEPS_BACK(set)                                                                               \
    "SET_OR(STEP:-1,-2(" set "), STEP:-2,-1(" set "), STEP:-2,1(" set "), STEP:-1,2(" set "), STEP:1,2(" set \
    "), STEP:2,1(" set "), STEP:2,-1(" set "), STEP:1,-2(" set "))"
#define KING_STEPS(set)                                                                                      \
    "SET_OR(STEP:0,1(" set "), STEP:1,1(" set "), STEP:1,0(" set "), STEP:1,-1(" set "), STEP:0,-1(" set     \
    "), STEP:-1,-1(" set "), STEP:-1,0(" set "), STEP:-1,1(" set "))"

static void attacks_are_unrolled(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", "ANY(attackers([N], [k]))", "ANY(SET_AND([N], " KNIGHT_STEPS_BACK("[k]") "))"},
        {"", "", "ANY(attackers(SET_OR([N], [n]), [k]))",
         "ANY(SET_AND(SET_OR([N], [n]), " KNIGHT_STEPS_BACK("[k]") "))"},
        {"", "", "ANY(attacked([n]))", "ANY(" KNIGHT_STEPS("[n]") ")"},
        {"", "", "ANY(attacked([K]))", "ANY(" KING_STEPS("[K]") ")"},
        {"", "", "ANY(attacked(SET_OR([K], [k])))", "ANY(" KING_STEPS("SET_OR([K], [k])") ")"},
        {"", "", "ANY(attackers([P], [k]))", "ANY(SET_AND([P], SET_OR(STEP:1,-1([k]), STEP:-1,-1([k]))))"},
        {"", "", "ANY(attackers([p], [K]))", "ANY(SET_AND([p], SET_OR(STEP:1,1([K]), STEP:-1,1([K]))))"},
        {"", "", "ANY(attacked([P]))", "ANY(SET_OR(STEP:-1,1([P]), STEP:1,1([P])))"},
        {"", "", "ANY(attacked([p]))", "ANY(SET_OR(STEP:-1,-1([p]), STEP:1,-1([p])))"},
        {"", "", "ANY(attacked(SET_OR([p], [empty])))",
         "ANY(SET_OR(STEP:-1,-1(SET_AND(SET_OR([p], [empty]), [occupied])), STEP:1,-1(SET_AND(SET_OR([p], "
         "[empty]), [occupied]))))"},
        {"", "", "ANY(attackers(SET_OR([P], [p]), [k]))", NULL},
        {"", "", "ANY(attackers(SET_OR([N], [K]), [k]))", NULL},
        {"", "", "ANY(attackers([R], [k]))", NULL},
        {"", "", "ANY(attackers([empty], [k]))", NULL},
        {"", "", "ANY(attacked([R]))", NULL},
        {"", "s", "ANY(attacked(%0))", NULL},
        // Of an operand that costs 6 or less.
        {"", "", "ANY(attackers([P], SET_OR([n], [b], [r], [q], [k])))",
         "ANY(SET_AND([P], SET_OR(STEP:1,-1(SET_OR([n], [b], [r], [q], [k])), STEP:-1,-1(SET_OR([n], [b], "
         "[r], [q], [k])))))"},
        {"", "", "ANY(attackers([P], SET_OR([p], [n], [b], [r], [q], [k])))", NULL},
        {"", "", "ANY(attacked(SET_AND([P], SET_OR(#1, #2, #4, #8))))", NULL},
        // Attacks on kings are asked of the king.
        {"", "", "ANY(SET_AND([K], attacked([R])))", "ANY(attackers([R], [K]))"},
        {"", "", "ANY(SET_AND(attacked([R]), SET_OR([K], [k])))", "ANY(attackers([R], SET_OR([K], [k])))"},
        {"", "s", "ANY(SET_AND(%0, [K], attacked([R])))", "ANY(attackers([R], SET_AND(%0, [K])))"},
        {"", "", "ANY(SET_AND([Q], attacked([R])))", NULL},
        {"", "s", "ANY(SET_AND(%0, attacked([R])))", NULL},
        {"", "", "ANY(SET_AND(SET_OR([K], [Q]), attacked([R])))", NULL},
        {"", "", "ANY(SET_AND([K], attacked([R]), attacked([B])))", NULL},
        {"", "s", "ANY(SET_AND([K], attacked(SET_AND([N], SET_OR(#1, %0, #4, #8)))))", NULL},
        {"", "", "EQ(COUNT(SET_AND([K], attacked([R]))), 1)", NULL},
    };
    CHECK_PASS(unroll_attacks, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_folded),
        cmocka_unit_test(equal_operands_of_many_are_found),
        cmocka_unit_test(attacks_are_unrolled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
