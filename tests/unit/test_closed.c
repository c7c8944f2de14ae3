// Conditions that may be evaluated apart from what is around them: every local has a value where it is read.
#include "run_fixture.h"

#include "compiler/middle/ir/build.h"
#include "compiler/middle/ir/closed.h"
#include "compiler/middle/ir/uses.h"

static bool is_closed(const Ir *tree, int uses_outside)
{
    int uses[8] = {uses_outside};
    ir_count_uses(tree, uses, uses, 1);
    return closed_condition(tree, uses);
}

// A local counts as written where it has a value on all ways to a place.
static void test_closed(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Module *m = arena_alloc(a, sizeof *m);
    m->arena = a;
    IrFunction *f = ir_new_function(m, "body", NULL);
    const int x = ir_new_local(f, IRT_INT);
    const int y = ir_new_local(f, IRT_INT);
    assert_int_equal(x, 0);
#define LET ir_let_int(f, x, 3)
#define READ ir_with_int(IR_EQ, ir_local(f, x), 3)
#define READ_Y ir_with_int(IR_EQ, ir_local(f, y), 3)
#define CALL ir_call_out(a, IR_CALL_year, x, 0)
#define TEST ir_with_int(IR_LT, ir_int_of(ir_current(a)), 5)
#define SQUARES(body, mode) ir_each_square(ir_set(a, 255), x, body, mode)
    const struct {
        Ir *tree;
        bool closed;
    } cases[] = {
        {TEST, true},
        {READ, false},
        {ir_and(LET, READ), true},
        {ir_and(READ, LET), false},
        {ir_or(LET, READ), true}, // never read
        {ir_or(ir_and(TEST, LET), READ), false},
        {ir_or(ir_and(LET, TEST), READ), true},
        {ir_and(ir_or(TEST, LET), READ), false},
        {ir_and(ir_or(ir_and(LET, TEST), LET), READ), true},
        {ir_and(ir_if(TEST, LET, ir_bool(a, true)), READ), false},
        {ir_and(ir_if(TEST, LET, ir_bool(a, false)), READ), true},
        {ir_and(ir_if(TEST, LET, LET), READ), true},
        {ir_and(ir_always(ir_and(TEST, LET)), READ), false},
        {ir_and(ir_always(ir_and(LET, TEST)), READ), true},
        {SQUARES(READ, MODE_ANY), true},
        {ir_and(SQUARES(TEST, MODE_ANY), READ), true}, // the square that was found
        {ir_and(SQUARES(TEST, MODE_ALL), READ), false},
        {ir_and(SQUARES(TEST, MODE_EACH), READ), false},
        {ir_and(ir_while(TEST, LET), READ), false},
        {ir_and(ir_while(ir_and(LET, TEST), READ), TEST), true},
        {ir_and(ir_at(ir_current(a), LET), READ), true},
        {ir_and(LET, ir_at(ir_current(a), READ)), true},
        {ir_and(ir_not(LET), READ), true}, // never read
        {ir_or(ir_not(LET), READ), true},
        {ir_and(ir_not(READ), TEST), false},
        {ir_and(ir_new(a, IR_PLACE, IRT_BOOL, 1, LET), READ), true},
        {ir_new(a, IR_PLACE, IRT_BOOL, 1, READ), false},
        // after a loop that was true, and after one that was false
        {ir_or(SQUARES(TEST, MODE_ALL), READ), true}, // the square that failed
        {ir_or(SQUARES(TEST, MODE_ALL), READ_Y), false},
        {ir_or(SQUARES(ir_or(ir_let_int(f, y, 1), TEST), MODE_ALL), READ_Y), true}, // never read
        {ir_or(SQUARES(ir_and(ir_let_int(f, y, 1), TEST), MODE_ALL), READ_Y), true},
        {ir_or(SQUARES(ir_and(TEST, ir_let_int(f, y, 1)), MODE_ALL), READ_Y), false},
        {ir_or(SQUARES(TEST, MODE_ANY), READ), false},
        {ir_or(SQUARES(TEST, MODE_ANY), READ_Y), false},
        {ir_and(SQUARES(TEST, MODE_ANY), READ_Y), false},
        {ir_and(SQUARES(ir_and(TEST, ir_let_int(f, y, 1)), MODE_ANY), READ_Y), true},
        {ir_or(SQUARES(TEST, MODE_EACH), READ_Y), true}, // never read
        {ir_and(SQUARES(ir_let_int(f, y, 1), MODE_EACH), READ_Y), false},
        {ir_each_position(ir_int(a, 0), ir_local(f, x), x, NULL, MODE_ANY), false},
        {ir_each_position(ir_local(f, x), ir_int(a, 0), x, NULL, MODE_ANY), false},
        {ir_each_position(ir_int(a, 0), ir_int(a, 5), x, READ, MODE_ANY), true},
        {ir_and(LET, ir_each_child(ir_local(f, x), x, READ, MODE_ANY)), true},
        {ir_each_ancestor(ir_local(f, x), x, READ, MODE_ANY), false},
        // what never fails, or succeeds
        {ir_or(ir_while(TEST, LET), READ), true},
        {ir_while(TEST, READ), false},
        {ir_while(ir_or(TEST, LET), READ), false},
        {ir_or(ir_always(ir_and(TEST, LET)), READ), true},
        {ir_and(ir_bool(a, false), ir_and(READ, LET)), true},
        {ir_or(ir_bool(a, true), ir_and(READ, LET)), true},
        {ir_and(ir_bool(a, true), READ), false},
        {ir_or(ir_bool(a, false), READ), false},
        // a call that leaves a value when it is true
        {ir_and(CALL, READ), true},
        {ir_or(CALL, READ), false},
        {ir_or(ir_not(CALL), READ), true},
        {ir_and(ir_not(CALL), READ), false},
        {ir_and(READ, CALL), false},
        {ir_call_out(a, IR_CALL_char_string, x, 1, ir_local(f, x)), false},
        {ir_and(LET, ir_call_out(a, IR_CALL_char_string, x, 1, ir_local(f, x))), true},
        {ir_let(x, ir_local(f, x)), false},
        {ir_and(LET, ir_let(x, ir_local(f, x))), true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (is_closed(cases[i].tree, 0) != cases[i].closed)
            fail_msg("case %d", (int)i);
        if (is_closed(cases[i].tree, 1) && i > 0)
            fail_msg("case %d, with a use outside", (int)i);
    }
    arena_free(a);
}

static Ir *row(Arena *a, int table)
{
    Ir *read = ir_new(a, IR_ROW, IRT_INT, 0);
    read->number = table;
    return ir_with_int(IR_EQ, read, 3);
}

static Ir *each_row(Arena *a, int table, Ir *body)
{
    Ir *loop = ir_new(a, IR_EACH_ROW, IRT_BOOL, 1, body);
    loop->number = table;
    loop->mode = MODE_ANY;
    return loop;
}

// Rows are read inside the loops over their tables.
static void test_rows(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const struct {
        Ir *tree;
        bool closed;
    } cases[] = {
        {row(a, 0), false},
        {each_row(a, 0, row(a, 0)), true},
        {each_row(a, 0, row(a, 1)), false},
        {each_row(a, 1, each_row(a, 0, ir_and(row(a, 1), row(a, 0)))), true},
        {each_row(a, 1, ir_or(row(a, 1), each_row(a, 0, row(a, 0)))), true},
        {each_row(a, 1, ir_or(row(a, 0), each_row(a, 0, row(a, 0)))), false},
        {ir_or(row(a, 0), each_row(a, 0, row(a, 0))), false},
        {ir_or(each_row(a, 0, row(a, 0)), row(a, 0)), false},
        {ir_or(each_row(a, 0, row(a, 0)), each_row(a, 1, row(a, 1))), true},
        {each_row(a, 0, ir_bool(a, true)), true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (is_closed(cases[i].tree, 0) != cases[i].closed)
            fail_msg("case %d", (int)i);
    arena_free(a);
}

// As many locals as a set of bits has; with one more, nothing is known.
static void test_many_locals(void **state)
{
    (void)state;
    enum { MOST = 64 };
    for (int count = 1; count <= MOST + 2; count++) {
        Arena *a = arena_new();
        Module *m = arena_alloc(a, sizeof *m);
        m->arena = a;
        IrFunction *f = ir_new_function(m, "body", NULL);
        int uses[MOST + 2] = {0};
        Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0);
        for (int i = 0; i < count; i++)
            ir_add_kid(all, ir_let_int(f, ir_new_local(f, IRT_INT), i));
        ir_count_uses(all, uses, uses, 1); // they are only written
        assert_int_equal(closed_condition(all, uses), count <= MOST);
        memset(uses, 0, sizeof uses);
        for (int i = 0; i < count; i++)
            ir_add_kid(all, ir_with_int(IR_EQ, ir_local(f, i), i));
        ir_count_uses(all, uses, uses, 1);
        for (int i = 0; i < count; i++)
            assert_int_equal(uses[i], 2);
        assert_int_equal(closed_condition(all, uses), count <= MOST);
        uses[count - 1]++; // by something else
        assert_false(closed_condition(all, uses));
        ir_add_kid(all, ir_with_int(IR_EQ, ir_local(f, count - 1), 0));
        assert_int_equal(closed_condition(all, uses), count <= MOST);
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed), cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_many_locals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
