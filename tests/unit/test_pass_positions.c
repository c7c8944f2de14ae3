// Loops over positions and conditions at other positions, on trees that queries seldom or never have.
#include "pass_fixture.h"

#include <stdio.h>

#define KD1 "ANY(SET_AND([K], #8))"
#define ALL_POSITIONS(body) "EACH_POSITION:1,any(0, SUB(@0, 1), " body ")"
// %0: the position around the loop, %1: the one that is visited.
#define AROUND(loop) "AND(LET:0(CURRENT), " loop ")"

typedef struct Remembered {
    const char *locals, *before, *after; // NULL: as before
    const char *condition;               // the first one that is remembered; NULL: none is
} Remembered;

static void check_remembered(const Remembered *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Module *m = module_of_text("i", row[i].locals, row[i].before);
        remember_conditions(m);
        assert_null(ir_verify(m));
        assert_ir(m, m->function[0]->body, row[i].after != NULL ? row[i].after : row[i].before);
        if ((row[i].condition != NULL) != (m->info.remembered_count > 0))
            fail_msg("%s: remembers %d", row[i].before, m->info.remembered_count);
        if (row[i].condition != NULL)
            assert_ir(m, m->function[m->remembered[0]]->body, row[i].condition);
        arena_free(m->arena);
    }
}

#define CHECK(rows) check_remembered(rows, sizeof rows / sizeof *rows)

static void tests_become_conditions(void **state)
{
    (void)state;
    static const Remembered rows[] = {
        {"xx", AROUND(ALL_POSITIONS("AT(%1, " KD1 ")")), AROUND("EACH_POSITION:1/1,any(0, SUB(@0, 1), TRUE)"),
         KD1},
        {"xx", AROUND(ALL_POSITIONS("PLACE:5(AT(%1, " KD1 "))")),
         AROUND("EACH_POSITION:1/1,any(0, SUB(@0, 1), TRUE)"), KD1},
        {"xx", AROUND(ALL_POSITIONS("AT(%1, PLACE:5(" KD1 "))")),
         AROUND("EACH_POSITION:1/1,any(0, SUB(@0, 1), TRUE)"), KD1},
        {"xx", AROUND(ALL_POSITIONS("AND(AT(%1, " KD1 "), AT(%1, in_check()))")),
         AROUND("EACH_POSITION:1/1,any(0, SUB(@0, 1), TRUE)"), "AND(" KD1 ", in_check())"},
        {"xx", AROUND("EACH_ANCESTOR:1,any(CURRENT, AT(%1, " KD1 "))"),
         AROUND("EACH_ANCESTOR:1/1,any(CURRENT, TRUE)"), KD1},
        {"xx", AROUND("EACH_POSITION:1,all(0, SUB(@0, 1), AT(%1, " KD1 "))"), NULL, NULL},
        {"xxi", AROUND("EACH_POSITION:1,each(0, SUB(@0, 1), ALWAYS(AND(AT(%1, " KD1 "), LET:2(3))))"),
         AROUND("EACH_POSITION:1/1,each(0, SUB(@0, 1), LET:2(3))"), KD1},
        // A loop that only counts becomes a sum.
        {"xxi", AROUND("EACH_POSITION:1,each(0, SUB(@0, 1), AND(AT(%1, " KD1 "), LET:2(ADD(%2, 1))))"),
         AROUND("LET:2(ADD(%2, count_members(0, 0, SUB(@0, 1))))"), KD1},
        {"xxi", AROUND("EACH_ANCESTOR:1,each(CURRENT, AND(AT(%1, " KD1 "), LET:2(ADD(%2, 1))))"),
         AROUND("LET:2(ADD(%2, count_members_before(0, CURRENT)))"), KD1},
        {"xxi", AROUND("EACH_POSITION:1,each(0, SUB(@0, 1), AND(AT(%1, " KD1 "), LET:2(ADD(%2, 2))))"),
         AROUND("EACH_POSITION:1/1,each(0, SUB(@0, 1), LET:2(ADD(%2, 2)))"), KD1},
        {"xxii", AROUND("EACH_POSITION:1,each(0, SUB(@0, 1), AND(AT(%1, " KD1 "), LET:2(ADD(%3, 1))))"),
         AROUND("EACH_POSITION:1/1,each(0, SUB(@0, 1), LET:2(ADD(%3, 1)))"), KD1},
        {"xxi", AROUND("EACH_POSITION:1,any(0, SUB(@0, 1), AND(AT(%1, " KD1 "), LET:2(ADD(%2, 1))))"),
         AROUND("EACH_POSITION:1/1,any(0, SUB(@0, 1), LET:2(ADD(%2, 1)))"), KD1},
        {"xxi", AROUND("EACH_POSITION:1,each(0, SUB(@0, 1), LET:2(ADD(%2, 1)))"), NULL, NULL},
        // A local that a round may write in two ways.
        {"ixx",
         "AND(LET:1(CURRENT), EACH_POSITION:2,any(0, SUB(@0, 1), AND(AT(%2, LET:0(COUNT([P]))), "
         "OR(AND(in_check(), LET:0(3)), TRUE), GT(%0, 3))))",
         NULL, NULL},
        {"ixx",
         "AND(LET:1(CURRENT), EACH_POSITION:2,any(0, SUB(@0, 1), AND(AT(%2, LET:0(COUNT([P]))), GT(%0, 3))))",
         "AND(LET:1(CURRENT), EACH_POSITION:2/1,any(0, SUB(@0, 1), AT(%2, LET:0(COUNT([P])))))",
         "GT(COUNT([P]), 3)"},
        // Not what something before it may decide, or what writes outside of the body.
        {"xxi", AROUND(ALL_POSITIONS("AND(STORE:0(1), AT(%1, " KD1 "))")), NULL, NULL},
        {"xxi", "AND(LET:0(CURRENT), " ALL_POSITIONS("AND(LET:2(3), AT(%1, " KD1 "))") ", EQ(%2, 3))", NULL,
         NULL},
        {"xxi", AROUND(ALL_POSITIONS("AND(LET:2(.ply(%1)), AT(%1, " KD1 "), EQ(MOD(%2, 3), 1))")),
         AROUND("EACH_POSITION:1/1,any(0, SUB(@0, 1), AND(LET:2(.ply(%1)), EQ(MOD(%2, 3), 1)))"), KD1},
    };
    CHECK(rows);
}

static void comparisons_become_bounds(void **state)
{
    (void)state;
    static const Remembered rows[] = {
        {"xx", AROUND(ALL_POSITIONS("LT(%0, %1)")),
         AROUND("EACH_POSITION:1,any(ADD(INT_OF(%0), 1), SUB(@0, 1), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("LE(%0, %1)")),
         AROUND("EACH_POSITION:1,any(INT_OF(%0), SUB(@0, 1), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("GT(%0, %1)")),
         AROUND("EACH_POSITION:1,any(0, ADD(INT_OF(%0), -1), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("GE(%0, %1)")), AROUND("EACH_POSITION:1,any(0, INT_OF(%0), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("LT(%1, %0)")),
         AROUND("EACH_POSITION:1,any(0, ADD(INT_OF(%0), -1), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("LE(%1, %0)")), AROUND("EACH_POSITION:1,any(0, INT_OF(%0), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("GT(%1, %0)")),
         AROUND("EACH_POSITION:1,any(ADD(INT_OF(%0), 1), SUB(@0, 1), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("GE(%1, %0)")),
         AROUND("EACH_POSITION:1,any(INT_OF(%0), SUB(@0, 1), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("LE(%1, .last(%0))")),
         AROUND("EACH_POSITION:1,any(0, INT_OF(.last(%0)), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("GE(%1, .last(%0))")),
         AROUND("AND(LET:2(INT_OF(.last(CURRENT))), EACH_COMPARED:1/1,any(0, %2, 0, 0, SUB(@0, 1), GE(%1, "
                ".last(%0))))"),
         "compared(0, 62, INT_OF(CURRENT), 0)"},
        {"xx", AROUND(ALL_POSITIONS("LT(.last(%0), %1)")),
         AROUND("AND(LET:2(INT_OF(.last(CURRENT))), EACH_COMPARED:1/1,any(0, %2, 0, 0, SUB(@0, 1), "
                "LT(.last(%0), %1)))"),
         "compared(0, 60, INT_OF(CURRENT), 0)"},
        {"xx", AROUND(ALL_POSITIONS("GT(.last(%0), %1)")),
         AROUND("EACH_POSITION:1,any(0, ADD(INT_OF(.last(%0)), -1), TRUE)"), NULL},
        {"xx", AROUND(ALL_POSITIONS("EQ(%1, %0)")), NULL, NULL},
        {"xx", AROUND(ALL_POSITIONS("LT(%1, %1)")), AROUND("EACH_POSITION:1/1,any(0, SUB(@0, 1), TRUE)"),
         "LT(CURRENT, CURRENT)"},
        // The position of an AT is found around it.
        {"xx", AROUND("AT(POSITION_OF(INT_OF(" ALL_POSITIONS("LT(%0, %1)") ")), in_check())"),
         AROUND("AT(POSITION_OF(INT_OF(EACH_POSITION:1,any(ADD(INT_OF(%0), 1), SUB(@0, 1), TRUE))), "
                "in_check())"),
         NULL},
        // A bound takes the place of the start and the end of the game alone.
        {"xx", AROUND(ALL_POSITIONS("AND(LE(%0, %1), GE(%0, %1))")),
         AROUND("EACH_POSITION:1,any(INT_OF(%0), INT_OF(%0), TRUE)"), NULL},
        {"xx", AROUND("EACH_POSITION:1,any(1, SUB(@0, 1), LT(%0, %1))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(1, SUB(@0, 1), GE(%1, %0))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(1, SUB(@0, 1), NE(%1, %0))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(0, SUB(@0, 1), NE(%1, %0))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(0, SUB(@0, 1), EQ(%1, %0))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(0, SUB(@1, 1), GT(%0, %1))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(0, ADD(@0, 1), GT(%0, %1))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(CURRENT, SUB(@0, 1), LT(%0, %1))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(1, SUB(@0, 1), GT(%0, %1))"),
         AROUND("EACH_POSITION:1,any(1, ADD(INT_OF(%0), -1), TRUE)"), NULL},
        {"xx", AROUND("EACH_POSITION:1,any(0, SUB(@0, 2), GT(%0, %1))"), NULL, NULL},
        {"xx", AROUND("EACH_POSITION:1,any(0, SUB(@0, 2), LT(%0, %1))"),
         AROUND("EACH_POSITION:1,any(ADD(INT_OF(%0), 1), SUB(@0, 2), TRUE)"), NULL},
        {"xx", AROUND("EACH_ANCESTOR:1,any(CURRENT, LT(%1, %0))"), NULL, NULL},
        // The position around the loop is in a local that nothing else writes.
        {"xx", "AND(LET:0(.parent(CURRENT)), " ALL_POSITIONS("LT(%0, %1)") ")",
         "AND(LET:0(.parent(CURRENT)), AND(LET:2(INT_OF(%0)), EACH_COMPARED:1/1,any(0, %2, 0, 0, SUB(@0, 1), "
         "LT(%0, %1))))",
         "compared(0, 60, INT_OF(CURRENT), 0)"},
        {"xx", "AND(LET:0(CURRENT), LET:0(.parent(CURRENT)), " ALL_POSITIONS("GE(%0, %1)") ")",
         "AND(LET:0(CURRENT), LET:0(.parent(CURRENT)), "
         "AND(LET:2(INT_OF(%0)), EACH_COMPARED:1/1,any(0, %2, 0, 0, SUB(@0, 1), GE(%0, %1))))",
         "compared(0, 59, INT_OF(CURRENT), 0)"},
        {"xx",
         "AND(LET:0(CURRENT), LET:0(.parent(CURRENT)), LET:0(CURRENT), " ALL_POSITIONS("GE(%0, %1)") ")",
         "AND(LET:0(CURRENT), LET:0(.parent(CURRENT)), LET:0(CURRENT), "
         "AND(LET:2(INT_OF(%0)), EACH_COMPARED:1/1,any(0, %2, 0, 0, SUB(@0, 1), GE(%0, %1))))",
         "compared(0, 59, INT_OF(CURRENT), 0)"},
        {"xxx", "AND(LET:0(CURRENT), AT(%2, " ALL_POSITIONS("EQ(%0, %1)") "))",
         "AND(LET:0(CURRENT), AT(%2, AND(LET:3(key_int(0, INT_OF(%0))), EACH_COMPARED:1/1,any(%3, 0, 0, 0, "
         "SUB(@0, 1), EQ(%0, %1)))))",
         "compared(key_int(0, INT_OF(CURRENT)), 63, 0, 0)"},
        // A value there and the same here.
        {"xx", AROUND(ALL_POSITIONS("SET_EQ([P], SET_AND([N], #ff))")),
         AROUND("AND(SET_EQ([P], SET_AND([N], #ff)), EACH_POSITION:1,any(0, SUB(@0, 1), TRUE))"), NULL},
        {"xxs", AROUND(ALL_POSITIONS("AND(AT(%1, LET:2([P])), SET_EQ(%2, [P]))")),
         AROUND("AND(LET:3(key_sets([P])), EACH_COMPARED:1/1,any(%3, 0, 0, 0, SUB(@0, 1), AND(AT(%1, "
                "LET:2([P])), SET_EQ(%2, [P]))))"),
         "compared(key_sets([P]), 63, 0, 0)"},
        {"xxs", AROUND(ALL_POSITIONS("AND(AT(%1, LET:2([P])), SET_EQ([N], %2))")),
         AROUND("AND(LET:3(key_sets([N])), EACH_COMPARED:1/1,any(%3, 0, 0, 0, SUB(@0, 1), AND(AT(%1, "
                "LET:2([P])), SET_EQ([N], %2))))"),
         "compared(key_sets([P]), 63, 0, 0)"},
        {"xxi", AROUND(ALL_POSITIONS("AND(AT(%1, LET:2(COUNT([P]))), LT(%2, 3))")),
         AROUND("EACH_POSITION:1/1,any(0, SUB(@0, 1), AT(%1, LET:2(COUNT([P]))))"), "LT(COUNT([P]), 3)"},
    };
    CHECK(rows);
}

#define COUNTED "AT(%1, LET:2(COUNT([P]))), "
#define COMPARED(around, test, number)                                                                       \
    AROUND("AND(LET:3(" around "), EACH_COMPARED:1/1,any(0, %3, 0, 0, SUB(@0, 1), AND(" COUNTED test ")))"), \
        "compared(0, " number ", COUNT([P]), 0)"
#define SUM(test) AROUND(ALL_POSITIONS("AND(" COUNTED test ")"))

static void sums_are_taken_apart(void **state)
{
    (void)state;
    // less 57, equal 58, greater 60, and the second number may be anything.
    static const Remembered rows[] = {
        {"xxi", SUM("GT(%2, COUNT([P]))"), COMPARED("COUNT([P])", "GT(%2, COUNT([P]))", "60")},
        {"xxi", SUM("LT(%2, COUNT([P]))"), COMPARED("COUNT([P])", "LT(%2, COUNT([P]))", "57")},
        {"xxi", SUM("GT(COUNT([P]), %2)"), COMPARED("COUNT([P])", "GT(COUNT([P]), %2)", "57")},
        {"xxi", SUM("GE(COUNT([P]), %2)"), COMPARED("COUNT([P])", "GE(COUNT([P]), %2)", "59")},
        {"xxi", SUM("NE(COUNT([P]), %2)"), COMPARED("COUNT([P])", "NE(COUNT([P]), %2)", "61")},
        {"xxi", SUM("GT(SUB(%2, COUNT([P])), 3)"),
         COMPARED("ADD(COUNT([P]), 3)", "GT(SUB(%2, COUNT([P])), 3)", "60")},
        {"xxi", SUM("GT(SUB(ADD(%2, 3), COUNT([P])), 0)"),
         COMPARED("ADD(COUNT([P]), -3)", "GT(SUB(ADD(%2, 3), COUNT([P])), 0)", "60")},
        {"xxi", SUM("GT(SUB(SUB(%2, 3), COUNT([P])), 0)"),
         COMPARED("ADD(COUNT([P]), 3)", "GT(SUB(SUB(%2, 3), COUNT([P])), 0)", "60")},
        {"xxi", SUM("GT(SUB(ADD(%2, SIDE), COUNT([P])), 0)"),
         COMPARED("ADD(SUB(0, SIDE), COUNT([P]))", "GT(SUB(ADD(%2, SIDE), COUNT([P])), 0)", "60")},
        {"xxi", SUM("GT(SUB(%2, MUL(COUNT([P]), 2)), 0)"),
         COMPARED("MUL(COUNT([P]), 2)", "GT(SUB(%2, MUL(COUNT([P]), 2)), 0)", "60")},
        {"xxi", SUM("GT(SUB(%2, MUL(2, SUB(COUNT([P]), 3))), 0)"),
         COMPARED("ADD(MUL(COUNT([P]), 2), -6)", "GT(SUB(%2, MUL(2, SUB(COUNT([P]), 3))), 0)", "60")},
        // Factors up to 16, values up to 2^30; a ply counts as 2^28.
        {"xxi", SUM("GT(SUB(%2, MUL(SUB(COUNT([P]), 3), 16)), 0)"),
         COMPARED("ADD(MUL(COUNT([P]), 16), -48)", "GT(SUB(%2, MUL(SUB(COUNT([P]), 3), 16)), 0)", "60")},
        {"xxi", SUM("GT(SUB(%2, MUL(SUB(COUNT([P]), 3), 17)), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(%2, COUNT([P])), 1073741696)"),
         COMPARED("ADD(COUNT([P]), 1073741696)", "GT(SUB(%2, COUNT([P])), 1073741696)", "60")},
        {"xxi", SUM("GT(SUB(%2, COUNT([P])), 1073741697)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(ADD(%2, 1073741696), COUNT([P])), 0)"),
         COMPARED("ADD(COUNT([P]), -1073741696)", "GT(SUB(ADD(%2, 1073741696), COUNT([P])), 0)", "60")},
        {"xxi", SUM("GT(SUB(ADD(%2, 1073741697), COUNT([P])), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(%2, MUL(.ply(CURRENT), 3)), 268435392)"),
         COMPARED("ADD(MUL(.ply(CURRENT), 3), 268435392)", "GT(SUB(%2, MUL(.ply(CURRENT), 3)), 268435392)",
                  "60")},
        {"xxi", SUM("GT(SUB(%2, MUL(.ply(CURRENT), 3)), 268435393)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(%2, COUNT([P])), -1073741696)"),
         COMPARED("ADD(COUNT([P]), -1073741696)", "GT(SUB(%2, COUNT([P])), -1073741696)", "60")},
        {"xxi", SUM("GT(SUB(%2, COUNT([P])), -1073741697)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(%2, MUL(ADD(COUNT([P]), 67108796), 16)), 0)"),
         COMPARED("ADD(MUL(COUNT([P]), 16), 1073740736)",
                  "GT(SUB(%2, MUL(ADD(COUNT([P]), 67108796), 16)), 0)", "60")},
        {"xxi", SUM("GT(SUB(%2, MUL(ADD(COUNT([P]), 67108797), 16)), 0)"), NULL, NULL},
        // A side and a condition count as 1, material as 64 * 9.
        {"xxi", SUM("GT(SUB(ADD(%2, SIDE), COUNT([P])), 1073741695)"),
         COMPARED("ADD(ADD(SUB(0, SIDE), COUNT([P])), 1073741695)",
                  "GT(SUB(ADD(%2, SIDE), COUNT([P])), 1073741695)", "60")},
        {"xxi", SUM("GT(SUB(ADD(%2, SIDE), COUNT([P])), 1073741696)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(ADD(%2, INT_OF(in_check())), COUNT([P])), 1073741695)"),
         COMPARED("ADD(ADD(SUB(0, INT_OF(in_check())), COUNT([P])), 1073741695)",
                  "GT(SUB(ADD(%2, INT_OF(in_check())), COUNT([P])), 1073741695)", "60")},
        {"xxi", SUM("GT(SUB(ADD(%2, INT_OF(in_check())), COUNT([P])), 1073741696)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(%2, power([P])), 1073741184)"),
         COMPARED("ADD(power([P]), 1073741184)", "GT(SUB(%2, power([P])), 1073741184)", "60")},
        {"xxi", SUM("GT(SUB(%2, power([P])), 1073741185)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(%2, MUL(INT_OF(%0), 3)), 268435392)"),
         COMPARED("ADD(MUL(INT_OF(CURRENT), 3), 268435392)", "GT(SUB(%2, MUL(INT_OF(%0), 3)), 268435392)",
                  "60")},
        {"xxi", SUM("GT(SUB(%2, MUL(INT_OF(%0), 3)), 268435393)"), NULL, NULL},
        // Factors of factors.
        {"xxi", SUM("GT(SUB(%2, MUL(MUL(SUB(COUNT([P]), 3), 4), 4)), 0)"),
         COMPARED("ADD(MUL(COUNT([P]), 16), -48)", "GT(SUB(%2, MUL(MUL(SUB(COUNT([P]), 3), 4), 4)), 0)",
                  "60")},
        {"xxi", SUM("GT(SUB(%2, MUL(MUL(SUB(COUNT([P]), 3), 3), 6)), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(ADD(%2, MUL(MUL(SUB(COUNT([P]), 3), 4), 4)), COUNT([N])), 0)"),
         COMPARED("ADD(ADD(SUB(0, MUL(COUNT([P]), 16)), COUNT([N])), 48)",
                  "GT(SUB(ADD(%2, MUL(MUL(SUB(COUNT([P]), 3), 4), 4)), COUNT([N])), 0)", "60")},
        {"xxi", SUM("GT(SUB(ADD(%2, MUL(MUL(SUB(COUNT([P]), 3), 3), 6)), COUNT([N])), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(SUB(%2, COUNT([P])), MUL(COUNT([N]), 0)), 0)"),
         COMPARED("SUB(COUNT([P]), MUL(COUNT([N]), 0))",
                  "GT(SUB(SUB(%2, COUNT([P])), MUL(COUNT([N]), 0)), 0)", "60")},
        {"xxi", SUM("GT(SUB(%2, MUL(COUNT([N]), 0)), 0)"),
         COMPARED("SUB(0, MUL(COUNT([N]), 0))", "GT(SUB(%2, MUL(COUNT([N]), 0)), 0)", "60")},
        {"xxi", SUM("GT(SUB(%2, MOD(COUNT([P]), 2)), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(SUB(%2, COUNT([P])), MOD(COUNT([P]), 2)), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(SUB(%2, MOD(COUNT([P]), 2)), COUNT([P])), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(SUB(%2, COUNT([P])), MUL(COUNT([P]), COUNT([N]))), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(SUB(%2, COUNT([P])), MUL(COUNT([N]), 17)), 0)"), NULL, NULL},
        {"xxi", SUM("GT(SUB(SUB(%2, COUNT([P])), length(\"x\")), 0)"), NULL, NULL},
        {"xxii", SUM("OR(AND(in_check(), LET:3(1)), LET:3(2)), GT(SUB(ADD(%2, %3), COUNT([P])), 0)"), NULL,
         NULL},
        {"xxii", SUM("OR(AND(in_check(), LET:3(1)), LET:3(2)), GT(ADD(%3, %2), COUNT([P]))"), NULL, NULL},
    };
    CHECK(rows);
}

#define X "SUB(%2, COUNT([P]))"

// abs(x) < 3 is two comparisons: x < 3 and -x < 3.
static void absolute_values_are_taken_apart(void **state)
{
    (void)state;
    static const char *const other[] = {
        "LT(CHOOSE(LT(" X ", COUNT([N])), SUB(0, " X "), " X "), 3)",
        "LT(CHOOSE(LT(" X ", 0), SUB(COUNT([N]), " X "), " X "), 3)",
        "LT(CHOOSE(LT(" X ", 1), SUB(0, " X "), " X "), 3)",
        "LT(CHOOSE(LT(" X ", 0), SUB(1, " X "), " X "), 3)",
        "LT(CHOOSE(GT(" X ", 0), SUB(0, " X "), " X "), 3)",
        "LT(CHOOSE(LT(" X ", 0), SUB(0, %2), " X "), 3)",
        "LT(CHOOSE(LT(%2, 0), SUB(0, " X "), " X "), 3)",
        "LT(CHOOSE(LT(" X ", 0), ADD(0, " X "), " X "), 3)",
    };
    static const Remembered rows[] = {
        {"xxi", SUM("LT(CHOOSE(LT(" X ", 0), SUB(0, " X "), " X "), 3)"),
         AROUND("AND(LET:3(ADD(COUNT([P]), 3)), LET:4(ADD(SUB(0, COUNT([P])), 3)), EACH_COMPARED:1/1,any(0, "
                "%3, %4, 0, SUB(@0, 1), AND(" COUNTED "LT(CHOOSE(LT(" X ", 0), SUB(0, " X "), " X "), 3))))"),
         "compared(0, 9, COUNT([P]), SUB(0, COUNT([P])))"},
    };
    CHECK(rows);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "AND(LET:0(CURRENT), EACH_POSITION:1,any(0, SUB(@0, 1), AND(AT(%%1, LET:2(COUNT([P]))), %s)))",
            other[i]);
        const Remembered row = {"xxi", text, NULL, NULL};
        check_remembered(&row, 1);
    }
}

#define PLIES_FROM(ancestor) "SUB(ADD(.ply(%0), .ply(%1)), MUL(.ply(" ancestor "), 2))"
#define PLIES_APART PLIES_FROM("lca(%0, %1)")

// The ply of the last common ancestor is at most that of each of the two.
static void distances_are_taken_apart(void **state)
{
    (void)state;
    static const Remembered rows[] = {
        {"xx", AROUND(ALL_POSITIONS("LE(" PLIES_APART ", 0)")),
         AROUND("AND(LET:2(ADD(SUB(0, .ply(CURRENT)), MUL(.ply(CURRENT), 2))), LET:3(SUB(0, .ply(CURRENT))), "
                "EACH_COMPARED:1/1,any(0, %2, %3, 0, SUB(@0, 1), LE(" PLIES_APART ", 0)))"),
         "compared(0, 27, .ply(CURRENT), SUB(.ply(CURRENT), MUL(.ply(CURRENT), 2)))"},
        {"xx", AROUND(ALL_POSITIONS("GT(" PLIES_APART ", 0)")), NULL, NULL},
        // The ancestor of other positions.
        {"xx", AROUND(ALL_POSITIONS("LE(" PLIES_FROM("lca(.last(%1), %0)") ", 0)")), NULL, NULL},
        {"xx", AROUND(ALL_POSITIONS("LE(" PLIES_FROM("lca(%0, .last(%1))") ", 0)")), NULL, NULL},
    };
    CHECK(rows);
}

static void tests_come_before_the_loop(void **state)
{
    (void)state;
    static const Remembered rows[] = {
        {"xxi", AROUND(ALL_POSITIONS("EQ(%2, 3)")),
         AROUND("AND(EQ(%2, 3), EACH_POSITION:1,any(0, SUB(@0, 1), TRUE))"), NULL},
        {"xx", AROUND(ALL_POSITIONS("in_check()")),
         AROUND("AND(in_check(), EACH_POSITION:1,any(0, SUB(@0, 1), TRUE))"), NULL},
        {"xx", AROUND(ALL_POSITIONS("AT(%0, in_check())")),
         AROUND("AND(in_check(), EACH_POSITION:1,any(0, SUB(@0, 1), TRUE))"), NULL},
        {"xxi", AROUND("EACH_POSITION:1,each(0, SUB(@0, 1), AND(EQ(%2, 3), STORE:0(1)))"),
         AROUND("ALWAYS(AND(EQ(%2, 3), EACH_POSITION:1,each(0, SUB(@0, 1), STORE:0(1))))"), NULL},
        {"xxi", AROUND(ALL_POSITIONS("EQ(MOD(5, %2), 3)")), NULL, NULL},
        {"xxi", AROUND(ALL_POSITIONS("AND(STORE:0(1), EQ(%2, 3))")), NULL, NULL},
        {"xxi", AROUND(ALL_POSITIONS("AND(LET:2(.ply(%1)), EQ(MOD(%2, 4), 3))")), NULL, NULL},
        // A cell that no round changes.
        {"xx", AROUND(ALL_POSITIONS("EQ($0, 3)")),
         AROUND("AND(EQ($0, 3), EACH_POSITION:1,any(0, SUB(@0, 1), TRUE))"), NULL},
        {"xx", AROUND(ALL_POSITIONS("AND(EQ($0, 3), STORE:0(1))")), NULL, NULL},
    };
    CHECK(rows);
}

static void costly_conditions_are_remembered(void **state)
{
    (void)state;
    // At another position, from a cost of 100 on; has_legal_move costs 400, in_check 4, attacks 30.
    static const Remembered rows[] = {
        {"", "AT(.parent(CURRENT), has_legal_move())", "AT(.parent(CURRENT), member(0))", "has_legal_move()"},
        {"", "AT(.parent(CURRENT), PLACE:5(has_legal_move()))", "AT(.parent(CURRENT), member(0))",
         "PLACE:5(has_legal_move())"},
        {"", "AT(.parent(CURRENT), in_check())", NULL, NULL},
        {"", "AT(CURRENT, has_legal_move())", NULL, NULL},
        {"", "has_legal_move()", NULL, NULL},
        {"i", "AT(.parent(CURRENT), AND(has_legal_move(), EQ(%0, 3)))", NULL, NULL},
        {"", "AT(.parent(CURRENT), AND(has_legal_move(), STORE:0(1)))", NULL, NULL},
        {"s", "AT(.parent(CURRENT), AND(LET:0([P]), has_legal_move(), ANY(%0)))",
         "AT(.parent(CURRENT), member(0))", "AND(LET:0([P]), has_legal_move(), ANY(%0))"},
        {"s", "AND(AT(.parent(CURRENT), AND(LET:0([P]), has_legal_move())), ANY(%0))", NULL, NULL},
        {"ii", "AT(.parent(CURRENT), AND(year:1(), year:0(), EQ(%0, 3), has_legal_move()))",
         "AT(.parent(CURRENT), member(0))", "AND(year:0(), year:1(), EQ(%1, 3), has_legal_move())"},
        {"ii", "AT(.parent(CURRENT), AND(LET:1(5), LET:0(%1), EQ(%0, 3), has_legal_move()))",
         "AT(.parent(CURRENT), member(0))", "AND(LET:0(5), LET:1(%0), EQ(%1, 3), has_legal_move())"},
        // The same condition is remembered once.
        {"", "AND(AT(.parent(CURRENT), has_legal_move()), AT(.last(CURRENT), has_legal_move()))",
         "AND(AT(.parent(CURRENT), member(0)), AT(.last(CURRENT), member(0)))", "has_legal_move()"},
        {"", "AND(AT(.parent(CURRENT), has_legal_move()), AT(.last(CURRENT), NOT(has_legal_move())))",
         "AND(AT(.parent(CURRENT), member(0)), AT(.last(CURRENT), member(1)))", "has_legal_move()"},
        // 3 * 32 + 4 and one less.
        {"",
         "AT(.parent(CURRENT), ANY(SET_AND(attackers([R], [k]), attackers([B], [k]), attackers([Q], [k]), "
         "[P], [N])))",
         "AT(.parent(CURRENT), member(0))",
         "ANY(SET_AND(attackers([R], [k]), attackers([B], [k]), attackers([Q], [k]), [P], [N]))"},
        {"",
         "AT(.parent(CURRENT), ANY(SET_AND(attackers([R], [k]), attackers([B], [k]), attackers([Q], [k]), "
         "[P])))",
         NULL, NULL},
    };
    CHECK(rows);
}

#define HOISTED(loop) AROUND("AND(EQ($0, 3), " loop ")")

// A test of a cell comes before the loop, unless a round may write the cell, itself or in a function. What was written before, or
// in another function, does not count.
static void cells_of_rounds_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *body, *after, *function, *function_after; // NULL: as before
    } row[] = {
        {AROUND(ALL_POSITIONS("AND(EQ($0, 3), INVOKE:1())")), NULL, "STORE:0(1)", NULL},
        {AROUND(ALL_POSITIONS("AND(INVOKE:1(), EQ($0, 3))")), NULL, "TRUE", NULL},
        {"AND(INVOKE:1(), " AROUND(ALL_POSITIONS("EQ($0, 3)")) ")",
         "AND(INVOKE:1(), " HOISTED(ALL_POSITIONS("TRUE")) ")", "STORE:0(1)", NULL},
        {"AND(STORE:0(3), " AROUND(ALL_POSITIONS("EQ($0, 3)")) ")",
         "AND(STORE:0(3), " HOISTED(ALL_POSITIONS("TRUE")) ")", "TRUE", NULL},
        {"AND(" AROUND(ALL_POSITIONS("EQ($0, 3)")) ", STORE:0(3))",
         "AND(" HOISTED(ALL_POSITIONS("TRUE")) ", STORE:0(3))", "TRUE", NULL},
        {"AND(STORE:0(3), STORE:0(4), STORE:0(5), STORE:0(6), INVOKE:1())", NULL,
         AROUND(ALL_POSITIONS("EQ($0, 3)")), HOISTED(ALL_POSITIONS("TRUE"))},
        {"AND(INVOKE:1(), INVOKE:1(), INVOKE:1(), INVOKE:1(), INVOKE:1())", NULL,
         AROUND(ALL_POSITIONS("EQ($0, 3)")), HOISTED(ALL_POSITIONS("TRUE"))},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Module *m = module_of_text("i", "xx", "TRUE");
        add_ir_function(m, "xx", row[i].function);
        m->function[0]->body = ir_from_text(m, m->function[0], row[i].body);
        assert_null(ir_verify(m));
        remember_conditions(m);
        assert_null(ir_verify(m));
        assert_ir(m, m->function[0]->body, row[i].after != NULL ? row[i].after : row[i].body);
        assert_ir(m, m->function[1]->body,
                  row[i].function_after != NULL ? row[i].function_after : row[i].function);
        arena_free(m->arena);
    }
}

// A condition keeps the names of its locals.
static void locals_keep_their_names(void **state)
{
    (void)state;
    Module *m = module_of_text(
        "", "iss", "AT(.parent(CURRENT), AND(LET:2([P]), LET:1([N]), has_legal_move(), SET_EQ(%1, %2)))");
    ir_name_local(m->function[0], 1, "knights");
    remember_conditions(m);
    const IrFunction *f = m->function[m->remembered[0]];
    assert_int_equal(f->local_count, 2);
    assert_string_equal(f->local_name[1], "knights");
    assert_null(f->local_name[0]);
    arena_free(m->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_become_conditions),
        cmocka_unit_test(comparisons_become_bounds),
        cmocka_unit_test(sums_are_taken_apart),
        cmocka_unit_test(absolute_values_are_taken_apart),
        cmocka_unit_test(distances_are_taken_apart),
        cmocka_unit_test(tests_come_before_the_loop),
        cmocka_unit_test(costly_conditions_are_remembered),
        cmocka_unit_test(cells_of_rounds_are_known),
        cmocka_unit_test(locals_keep_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
