// What a condition that compares two positions of a game says of its single positions (compiler/middle/screen/pair.c).
#include "screen_fixture.h"

// At some position %0 of the game, a condition on it and on the position %1, where the visit began.
#define VISIT(condition) "AND(LET:1(CURRENT), EACH_POSITION:0,any(0, SUB(@0, 1), AT(%0, AND(" condition "))))"
#define OTHER(condition)                                                                                     \
    "AND(LET:1(CURRENT), EACH_POSITION:0,any(0, SUB(@0, 1), AND(NE(%0, CURRENT), AT(%0, AND(" condition      \
    ")))))"
// The set of the position %1 becomes the local.
#define THERE(local, set) "AT(%1, LET:" #local "(" set "))"
#define P_THERE_N_HERE THERE(2, "[P]") ", SET_EQ([N], %2)"
#define DISTANCE "SUB(ADD(.ply(CURRENT), .ply(%1)), MUL(.ply(lca(CURRENT, %1)), 2))"
#define SOME(condition) "EACH_POSITION:0,any(0, SUB(@0, 1), AT(%0, " condition "))"
#define LIGHT "AND(ANY(SET_AND([K], #8)), NOT(ANY([Q])), EQ(.ply(CURRENT), 3))"
#define HEAVY "AND(ANY(SET_AND([K], #8)), ANY(SET_AND([R], #1)), NOT(ANY([Q])))"
// A position after the first move.
#define MOVED(condition) "FALSE|" condition "|" condition
#define P_THEN_N(plies) MOVED("REPEATS:" #plies "([P], [N])")
#define N_THEN_P(plies) MOVED("REPEATS:" #plies "([N], [P])")
#define EITHER_WAY(plies) MOVED("OR(REPEATS:" #plies "([P], [N]), REPEATS:" #plies "([N], [P]))")

static void sets_are_repeated(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", "xxs", OTHER(THERE(2, "[P]") ", SET_EQ([P], %2)"), NULL, MOVED("REPEATS:1([P], [P])")},
        {"", "xxs", OTHER(THERE(2, "[P]") ", SET_EQ(%2, [P])"), NULL, MOVED("REPEATS:1([P], [P])")},
        {"", "xxs", OTHER(P_THERE_N_HERE), NULL, EITHER_WAY(1)},
        // Nothing is repeated where the two may be one.
        {"", "xxs", VISIT(P_THERE_N_HERE), NULL, NULL},
        {"", "xxs", VISIT(THERE(2, "[P]") ", SET_EQ([P], %2)"), NULL, NULL},
        // Sets of boards of one of the two.
        {"", "xxs", OTHER(THERE(2, "SET_AND([P], #ff)") ", SET_EQ(SET_AND([P], #ff), %2)"), NULL,
         MOVED("REPEATS:1(SET_AND([P], #ff), SET_AND([P], #ff))")},
        {"", "xxs", OTHER(THERE(2, "STEP:0,1([P])") ", SET_EQ(SET_XOR([N], [P]), %2)"), NULL,
         MOVED(
             "OR(REPEATS:1(STEP:0,1([P]), SET_XOR([N], [P])), REPEATS:1(SET_XOR([N], [P]), STEP:0,1([P])))")},
        {"", "xxs", OTHER(THERE(2, "[P]") ", SET_EQ(SET_AND([P], %2), [N])"), NULL, NULL},
        {"", "xxs", OTHER(THERE(2, "[P]") ", SET_EQ(attacked([R]), %2)"), NULL, NULL},
        // Several sets at once: at most four.
        {"", "xxss", OTHER(P_THERE_N_HERE ", " THERE(3, "[p]") ", SET_EQ([p], %3)"), NULL,
         MOVED("OR(REPEATS:1([P], [p], [N], [p]), REPEATS:1([N], [p], [P], [p]))")},
        {"", "xxs",
         OTHER(THERE(2, "[P]") ", SET_EQ([P], %2), SET_EQ([N], %2), SET_EQ([B], %2), SET_EQ([R], %2)"), NULL,
         MOVED(
             "OR(REPEATS:1([P], [P], [P], [P], [P], [N], [B], [R]), REPEATS:1([P], [N], [B], [R], [P], [P], "
             "[P], [P]))")},
        {"", "xxs",
         OTHER(THERE(2, "[P]") ", SET_EQ([P], %2), SET_EQ([N], %2), SET_EQ([B], %2), SET_EQ([R], %2), "
                               "SET_EQ([Q], %2)"),
         NULL,
         MOVED(
             "OR(REPEATS:1([P], [P], [P], [P], [P], [N], [B], [R]), REPEATS:1([P], [N], [B], [R], [P], [P], "
             "[P], [P]))")},
    };
    CHECK(rows);
}

static void orders_are_known(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", "xxs", VISIT(P_THERE_N_HERE ", LT(%1, CURRENT)"), NULL, P_THEN_N(1)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GT(CURRENT, %1)"), NULL, P_THEN_N(1)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GT(%1, CURRENT)"), NULL, N_THEN_P(1)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", LT(CURRENT, %1)"), NULL, N_THEN_P(1)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", LT(.ply(%1), .ply(CURRENT))"), NULL, P_THEN_N(1)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", LE(%1, CURRENT)"), NULL, NULL},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GE(%1, CURRENT)"), NULL, NULL},
        {"", "xxs", OTHER(P_THERE_N_HERE ", LE(%1, CURRENT)"), NULL, P_THEN_N(1)},
        {"", "xxs", OTHER(P_THERE_N_HERE ", GE(CURRENT, %1)"), NULL, P_THEN_N(1)},
        {"", "xxs", OTHER(P_THERE_N_HERE ", GE(%1, CURRENT)"), NULL, N_THEN_P(1)},
        {"", "xxs", OTHER(P_THERE_N_HERE ", LE(CURRENT, %1)"), NULL, N_THEN_P(1)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", NE(%1, CURRENT)"), NULL, EITHER_WAY(1)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", EQ(%1, CURRENT)"), NULL, NULL},
        {"", "xxs", VISIT(P_THERE_N_HERE ", NE(%1, 3)"), NULL, NULL},
        {"", "xxs", VISIT(P_THERE_N_HERE ", LT(%1, 3)"), NULL, NULL},
        // What is said of the visited position alone comes together with what is repeated there.
        {"", "xxs", VISIT(P_THERE_N_HERE ", LT(%1, CURRENT), ANY(SET_AND([K], #8))"), NULL,
         MOVED("AND(ANY(SET_AND([K], #8)), REPEATS:1([P], [N]))")},
        {"", "xxs", VISIT(P_THERE_N_HERE ", LT(CURRENT, %1), ANY(SET_AND([K], #8))"), NULL,
         "FALSE|REPEATS:1([N], [P])|REPEATS:1([N], [P]);ANY(SET_AND([K], #8))"},
    };
    CHECK(rows);
}

static void distances_are_known(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", "xxs", VISIT(P_THERE_N_HERE ", GT(" DISTANCE ", 3)"), NULL, EITHER_WAY(4)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GE(" DISTANCE ", 3)"), NULL, EITHER_WAY(3)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GT(" DISTANCE ", 0)"), NULL, EITHER_WAY(1)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GE(" DISTANCE ", 0)"), NULL, NULL},
        {"", "xxs", VISIT(P_THERE_N_HERE ", EQ(" DISTANCE ", 3)"), NULL, NULL},
        {"", "xxs", VISIT(P_THERE_N_HERE ", LT(" DISTANCE ", 3)"), NULL, NULL},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GT(" DISTANCE ", 32766)"), NULL, EITHER_WAY(32767)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GT(" DISTANCE ", 32767)"), NULL, NULL},
        // The greatest one counts, with the order.
        {"", "xxs", VISIT(P_THERE_N_HERE ", GE(" DISTANCE ", 3), GE(" DISTANCE ", 5)"), NULL, EITHER_WAY(5)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GE(" DISTANCE ", 5), GE(" DISTANCE ", 3)"), NULL, EITHER_WAY(5)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", LT(%1, CURRENT), GE(" DISTANCE ", 3)"), NULL, P_THEN_N(3)},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GE(" DISTANCE ", 3), LT(%1, CURRENT)"), NULL, P_THEN_N(3)},
        {"", "xxs", OTHER(P_THERE_N_HERE ", GE(" DISTANCE ", 3)"), NULL, EITHER_WAY(3)},
        // Other sums are no distance.
        {"", "xxs",
         VISIT(P_THERE_N_HERE ", GT(SUB(ADD(.ply(CURRENT), .ply(%1)), MUL(.ply(lca(CURRENT, %1)), 3)), 3)"),
         NULL, NULL},
        {"", "xxs",
         VISIT(P_THERE_N_HERE
               ", GT(SUB(ADD(.ply(CURRENT), .ply(%1)), MUL(.ply(lca(CURRENT, CURRENT)), 2)), 3)"),
         NULL, NULL},
        {"", "xxs",
         VISIT(P_THERE_N_HERE
               ", GT(SUB(ADD(.ply(CURRENT), .ply(CURRENT)), MUL(.ply(lca(CURRENT, %1)), 2)), 3)"),
         NULL, NULL},
        {"", "xxs", VISIT(P_THERE_N_HERE ", GT(SUB(.ply(CURRENT), .ply(%1)), 3)"), NULL, NULL},
    };
    CHECK(rows);
}

// What is repeated weighs 6: a set 3, a NOT and a ply 1.
static void weights_are_compared(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", "xxs", "AND(" SOME(LIGHT) ", " OTHER(THERE(2, "[P]") ", SET_EQ([P], %2)") ")", NULL,
         MOVED("REPEATS:1([P], [P])") ";" MOVED(LIGHT)},
        {"", "xxs", "AND(" OTHER(THERE(2, "[P]") ", SET_EQ([P], %2)") ", " SOME(HEAVY) ")", NULL,
         HEAVY ";" MOVED("REPEATS:1([P], [P])")},
    };
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_are_repeated),
        cmocka_unit_test(orders_are_known),
        cmocka_unit_test(distances_are_known),
        cmocka_unit_test(weights_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
