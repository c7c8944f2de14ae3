// The builders of IR: parts of conditions that are joined, opposites, loops, cells; names of locals; how modules are printed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/middle/ir/build.h"

static Module *m;
static Arena *a;
static IrFunction *f; // with a number and a set

static int open_module(void **state)
{
    (void)state;
    a = arena_new();
    m = arena_alloc(a, sizeof *m);
    m->arena = a;
    f = ir_new_function(m, "body", NULL);
    ir_new_local(f, IRT_INT);
    ir_new_local(f, IRT_SET);
    return 0;
}

static int close_module(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

// The module with this body, as it is printed; valid until the next call.
static const char *printed(Ir *body)
{
    static char text[20000];
    FILE *out = fmemopen(text, sizeof text, "w");
    f->body = body;
    ir_print(out, m);
    fclose(out);
    const char *tree = strstr(text, "\n  "); // after the head
    while (tree != NULL && strncmp(tree, "\n  local", 8) == 0)
        tree = strstr(tree + 1, "\n  ");
    return tree != NULL ? tree + 3 : "";
}

static void shows(Ir *body, const char *expected)
{
    assert_string_equal(printed(body), expected);
}

static Ir *test(int number)
{
    return ir_with_int(IR_EQ, ir_local(f, 0), number);
}

// ---- conditions -------------------------------------------------------------------------------------------

// NULL and TRUE say nothing; the operands of an AND are taken one by one.
static void test_and(void **state)
{
    (void)state;
    Ir *one = test(1);
    assert_null(ir_and(NULL, NULL));
    assert_ptr_equal(ir_and(one, NULL), one);
    assert_ptr_equal(ir_and(NULL, one), one);
    assert_ptr_equal(ir_and(one, ir_bool(a, true)), one);
    assert_ptr_equal(ir_and(ir_bool(a, true), one), one);
    Ir *two = ir_and(one, test(2)), *four = ir_and(ir_and(test(3), test(4)), two);
    assert_int_equal(two->kid_count, 2);
    assert_int_equal(four->kid_count, 4);
    shows(four,
          "AND\n    EQ(LOCAL %0, INT 3)\n    EQ(LOCAL %0, INT 4)\n    EQ(LOCAL %0, INT 1)\n    EQ(LOCAL "
          "%0, INT 2)\n");
    assert_int_equal(two->kid_count, 2); // as it was
    assert_int_equal(ir_and(ir_bool(a, false), one)->kid_count, 2);
    assert_null(ir_all(2, NULL, NULL));
    assert_ptr_equal(ir_all(3, NULL, one, NULL), one);
    assert_int_equal(ir_all(3, one, test(5), ir_and(test(6), test(7)))->kid_count, 4);
}

// The same, part by part.
static void test_append(void **state)
{
    (void)state;
    IrParts parts = {0};
    ir_append(&parts, NULL);
    assert_null(parts.all);
    Ir *first = ir_and(test(1), test(2));
    ir_append(&parts, first);
    assert_ptr_equal(parts.all, first);
    assert_false(parts.is_own);
    ir_append(&parts, NULL);
    ir_append(&parts, ir_bool(a, true));
    assert_ptr_equal(parts.all, first);
    assert_false(parts.is_own);
    ir_append(&parts, test(3));
    assert_true(parts.is_own);
    assert_int_equal(first->kid_count, 2); // as it was
    Ir *own = parts.all;
    ir_append(&parts, ir_and(test(4), test(5)));
    ir_append(&parts, NULL);
    ir_append(&parts, ir_bool(a, true));
    ir_append(&parts, test(6));
    assert_ptr_equal(parts.all, own);
    assert_true(parts.is_own);
    assert_int_equal(own->kid_count, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(own->kid[i]->kid[1]->number, i + 1);
}

static void test_small_builders(void **state)
{
    (void)state;
    Ir *one = test(1), *yes = ir_bool(a, true);
    assert_null(ir_or(NULL, NULL));
    assert_ptr_equal(ir_or(one, NULL), one);
    assert_ptr_equal(ir_or(NULL, one), one);
    shows(ir_or(one, ir_bool(a, false)), "OR(EQ(LOCAL %0, INT 1), FALSE)\n");
    assert_null(ir_always(NULL));
    assert_ptr_equal(ir_always(yes), yes);
    shows(ir_always(one), "ALWAYS(EQ(LOCAL %0, INT 1))\n");
    shows(ir_nonzero(ir_local(f, 0)), "NE(LOCAL %0, INT 0)\n");
    shows(ir_exists(ir_local(f, 0)), "GE(LOCAL %0, INT 0)\n");
    shows(ir_exists(ir_current(a)), "GE(INT_OF(CURRENT), INT 0)\n");
    shows(ir_in_set(ir_local(f, 0), ir_local(f, 1)), "ANY\n    SET_AND(LOCAL %1, BIT(LOCAL %0))\n");
    assert_ptr_equal(ir_or_true(a, one), one);
    shows(ir_or_true(a, NULL), "TRUE\n");
    assert_ptr_equal(ir_or_false(a, one), one);
    shows(ir_or_false(a, NULL), "FALSE\n");
    shows(ir_then_false(a, one), "AND(EQ(LOCAL %0, INT 1), FALSE)\n");
    shows(ir_then_false(a, NULL), "FALSE\n");
    shows(ir_if(yes, one, test(2)), "IF\n    TRUE\n    EQ(LOCAL %0, INT 1)\n    EQ(LOCAL %0, INT 2)\n");
    shows(ir_nonzero(ir_choose(ir_bool(a, false), ir_int(a, 7), ir_int(a, 8))),
          "NE(CHOOSE(FALSE, INT 7, INT 8), INT 0)\n");
    shows(ir_nonzero(ir_shift_right(ir_local(f, 0), 3)), "NE(SHIFT_RIGHT by 3(LOCAL %0), INT 0)\n");
    shows(ir_let_int(f, 0, -4), "LET %0(INT -4)\n");
    shows(ir_let_sum(f, 0, ir_int(a, 9)), "LET %0(ADD(LOCAL %0, INT 9))\n");
    shows(ir_increment(f, 0), "LET %0(ADD(LOCAL %0, INT 1))\n");
}

// Types that follow from the operands.
static void test_types(void **state)
{
    (void)state;
    static const char letters[] = "bistx";
    for (int i = 0; i < 5; i++)
        assert_int_equal(ir_type_of(letters[i], IRT_BOOL), i);
    assert_int_equal(ir_type_of('*', IRT_SET), IRT_SET);
    assert_int_equal(ir_type_of('v', IRT_BOOL), IRT_BOOL);
    assert_int_equal(ir_type_of('\0', IRT_STRING), IRT_STRING);
    assert_int_equal(ir_choose(ir_bool(a, true), ir_set(a, 1), ir_set(a, 2))->type, IRT_SET);
    assert_int_equal(ir_node(IR_NODE_PARENT, ir_current(a))->type, IRT_POSITION);
    assert_int_equal(ir_node(IR_NODE_LAST, ir_current(a))->type, IRT_POSITION);
    assert_int_equal(ir_node(IR_NODE_LAST + 1, ir_current(a))->type, IRT_INT);
    assert_int_equal(ir_call(a, IR_CALL_log_mark, 0)->out, -1);
    assert_int_equal(ir_call(a, IR_CALL_log_mark, 0)->type, IRT_INT);
    assert_int_equal(ir_call(a, IR_CALL_between, 2, ir_set(a, 1), ir_set(a, 2))->type, IRT_SET);
    assert_int_equal(ir_call_out(a, IR_CALL_year, 1, 0)->out, 1);
    assert_int_equal(ir_call_out(a, IR_CALL_year, 1, 0)->type, IRT_BOOL);
}

// ---- elsewhere, loops, cells ------------------------------------------------------------------------------

static void test_loops(void **state)
{
    (void)state;
    shows(ir_at(ir_current(a), NULL), "AT(CURRENT, TRUE)\n");
    shows(ir_at(ir_current(a), test(1)), "AT(CURRENT, EQ(LOCAL %0, INT 1))\n");
    shows(ir_each_square(ir_local(f, 1), 0, NULL, MODE_EACH), "EACH_SQUARE %0 each(LOCAL %1, TRUE)\n");
    shows(ir_each_child(ir_current(a), 0, test(1), MODE_ANY),
          "EACH_CHILD %0 any(CURRENT, EQ(LOCAL %0, INT 1))\n");
    shows(ir_each_ancestor(ir_current(a), 0, test(1), MODE_ALL),
          "EACH_ANCESTOR %0 all(CURRENT, EQ(LOCAL %0, INT 1))\n");
    shows(ir_each_position(ir_int(a, 0), ir_int(a, 9), 0, NULL, MODE_ANY),
          "EACH_POSITION %0 any(INT 0, INT 9, TRUE)\n");
    Ir *where = ir_each_position(ir_int(a, 0), ir_int(a, 9), 0, NULL, MODE_ANY);
    where->low = 1;
    shows(where, "EACH_POSITION %0 where condition 1 any(INT 0, INT 9, TRUE)\n");
}

static void test_cells(void **state)
{
    (void)state;
    const int first = ir_new_slot(m, IRT_INT, "first"), second = ir_new_slot(m, IRT_SET, "second");
    assert_int_equal(first, 0);
    assert_int_equal(second, 1);
    assert_int_equal(m->info.slot_count, 2);
    assert_int_equal(ir_read_slot(m, second)->type, IRT_SET);
    assert_false(m->slot_of_search[first] || m->slot_of_search[second]);
    shows(ir_store_int(a, first, 5), "STORE slot 0 (first)(INT 5)\n");
    shows(ir_store_sum(m, first, 5), "STORE slot 0 (first)(ADD(SLOT slot 0 (first), INT 5))\n");
    shows(ir_copy_slot(m, second, first), "STORE slot 1 (second)(SLOT slot 0 (first))\n");
    shows(ir_slot_is(m, first, 5), "EQ(SLOT slot 0 (first), INT 5)\n");
    m->slot_name[first] = NULL;
    shows(ir_slot_is(m, first, 5), "EQ(SLOT slot 0, INT 5)\n");
    m->slot_name = NULL;
    shows(ir_slot_is(m, second, 5), "EQ(SLOT slot 1, INT 5)\n");
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(f->local_name_count, 0);
    ir_name_local(f, 1, "second");
    assert_int_equal(f->local_name_count, 2);
    assert_null(f->local_name[0]);
    assert_string_equal(f->local_name[1], "second");
    ir_name_local(f, 0, "first");
    assert_int_equal(f->local_name_count, 2);
    assert_string_equal(f->local_name[0], "first");
    assert_int_equal(ir_named_local(f, IRT_SET, "third"), 2);
    assert_int_equal(f->local[2], IRT_SET);
    assert_string_equal(f->local_name[2], "third");
    int number = -1;
    ir_new_function(m, "other", &number);
    assert_int_equal(number, 1);
    assert_string_equal(m->function[1]->name, "other");
    // equal texts are one
    assert_int_equal(ir_string(m, "a")->number, 0);
    assert_int_equal(ir_string(m, "b")->number, 1);
    assert_int_equal(ir_text(m, "ab", 1)->number, 0);
    assert_int_equal(m->text_count, 2);
}

static void test_notes(void **state)
{
    (void)state;
    static const char *const note[] = {"as written", "flipcolor", "rotate180", "clockwise90", "flip"};
    assert_null(ir_joined_note(a, note, 0));
    assert_string_equal(ir_joined_note(a, note, 1), "as written");
    assert_string_equal(ir_joined_note(a, note, 2), "as written; flipcolor");
    assert_string_equal(ir_joined_note(a, note, 3), "as written; flipcolor; rotate180");
    assert_string_equal(ir_joined_note(a, note, 4), "4 variants: as written; ...; clockwise90");
    assert_string_equal(ir_joined_note(a, note, 5), "5 variants: as written; ...; flip");
}

// ---- opposites --------------------------------------------------------------------------------------------

static void is_positive_of(Ir *condition, bool same, const char *expected)
{
    bool value = true;
    const Ir *positive = ir_positive(condition, &value);
    assert_int_equal(value, same);
    shows(ir_copy(positive), expected);
    value = false;
    ir_positive(condition, &value);
    assert_int_equal(value, !same);
}

static void test_opposites(void **state)
{
    (void)state;
    static const IrOp pair[][2] = {{IR_EQ, IR_NE}, {IR_LT, IR_GE}, {IR_LE, IR_GT}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            assert_int_equal(ir_opposite(pair[i][k]), pair[i][!k]);
    assert_int_equal(ir_opposite(IR_AND), 0);
#define COMPARED(op) ir_with_int(op, ir_local(f, 0), 4)
    is_positive_of(COMPARED(IR_EQ), true, "EQ(LOCAL %0, INT 4)\n");
    is_positive_of(COMPARED(IR_NE), false, "EQ(LOCAL %0, INT 4)\n");
    is_positive_of(COMPARED(IR_LT), true, "LT(LOCAL %0, INT 4)\n");
    is_positive_of(COMPARED(IR_GE), false, "LT(LOCAL %0, INT 4)\n");
    is_positive_of(COMPARED(IR_GT), true, "GT(LOCAL %0, INT 4)\n");
    is_positive_of(COMPARED(IR_LE), false, "GT(LOCAL %0, INT 4)\n");
    is_positive_of(ir_not(COMPARED(IR_LE)), true, "GT(LOCAL %0, INT 4)\n");
    is_positive_of(ir_not(ir_not(COMPARED(IR_LE))), false, "GT(LOCAL %0, INT 4)\n");
    is_positive_of(ir_not(ir_bool(a, true)), false, "TRUE\n");
    is_positive_of(ir_with_int(IR_EQ, ir_side(a), 0), true, "EQ(SIDE, INT 0)\n");
    is_positive_of(ir_with_int(IR_EQ, ir_side(a), 1), false, "EQ(SIDE, INT 0)\n");
    is_positive_of(ir_with_int(IR_NE, ir_side(a), 1), true, "EQ(SIDE, INT 0)\n");
    is_positive_of(ir_eq(ir_side(a), ir_local(f, 0)), true, "EQ(SIDE, LOCAL %0)\n");
    is_positive_of(ir_with_int(IR_EQ, ir_local(f, 0), 1), true, "EQ(LOCAL %0, INT 1)\n");
}

// ---- printing ---------------------------------------------------------------------------------------------

static Ir *string_test(const char *text, uint32_t length)
{
    return ir_nonzero(ir_int_of(ir_text(m, text, length)));
}

// A node is in one line with operands that have operands without operands, at most five nodes below it.
static void test_lines(void **state)
{
    (void)state;
    shows(ir_or(test(1), test(2)), "OR\n    EQ(LOCAL %0, INT 1)\n    EQ(LOCAL %0, INT 2)\n");
    Ir *three = ir_and(ir_or(ir_bool(a, true), ir_bool(a, false)), ir_not(ir_bool(a, true)));
    shows(three, "AND(OR(TRUE, FALSE), NOT(TRUE))\n");
    Ir *deep = ir_not(ir_not(ir_not(ir_bool(a, true))));
    shows(deep, "NOT\n    NOT(NOT(TRUE))\n");
    Ir *list = ir_new(a, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < 5; i++)
        ir_add_kid(list, ir_bool(a, true));
    shows(list, "AND(TRUE, TRUE, TRUE, TRUE, TRUE)\n");
    ir_add_kid(list, ir_bool(a, false));
    shows(list, "AND\n    TRUE\n    TRUE\n    TRUE\n    TRUE\n    TRUE\n    FALSE\n");
}

static void test_details(void **state)
{
    (void)state;
    shows(string_test("a\"\\\n\x1f \x7f\x80", 8),
          "NE(INT_OF(STRING \"a\\\"\\\\\\x0a\\x1f \\x7f\x80\"), INT 0)\n");
    shows(ir_any(ir_set(a, 0xABC)), "ANY(SET 0000000000000abc)\n");
    shows(ir_any(ir_board(a, BOARD_COUNT - 1)), "ANY(BOARD occupied)\n");
    shows(ir_any(ir_board(a, BOARD_COUNT + 1)), "ANY(BOARD P before the move)\n");
    shows(ir_any(ir_board(a, BOARD_COUNT)), "ANY(BOARD empty before the move)\n");
    shows(ir_nonzero(ir_game(a, IR_GAME_BLACK_MEN)), "NE(GAME black men, INT 0)\n");
    shows(ir_nonzero(ir_node(IR_NODE_ROOK_TO, ir_current(a))), "NE(NODE move.rook_to(CURRENT), INT 0)\n");
    Ir *step = ir_unary(IR_STEP, ir_local(f, 1));
    step->number = -2;
    step->low = 1;
    shows(ir_any(step), "ANY(STEP files -2 ranks +1(LOCAL %1))\n");
    Ir *raise = ir_new(a, IR_RAISE, IRT_BOOL, 0);
    raise->number = 3;
    raise->low = -1;
    shows(raise, "RAISE 3 \n");
    raise->low = ir_string(m, "x")->number;
    shows(raise, "RAISE 3 \"x\"\n");
    Ir *place = ir_unary(IR_PLACE, ir_bool(a, true));
    place->number = 3 * PLACE_COLUMNS + 5;
    shows(place, "PLACE 3:5(TRUE)\n");
    shows(ir_invoke(a, 0), "INVOKE body\n");
    shows(ir_call_out(a, IR_CALL_year, 0, 0), "CALL year to %0\n");
    shows(ir_call(a, IR_CALL_in_check, 0), "CALL in_check\n");
}

// Below level 60 a number stands for the blanks.
static void test_depth(void **state)
{
    (void)state;
    Ir *tree = ir_not(ir_bool(a, true));
    for (int i = 0; i < 61; i++)
        tree = ir_not(tree);
    const char *text = printed(tree), *line = text;
    for (int level = 2; level <= 61; level++) {
        line = strchr(line, '\n') + 1;
        const int blanks = (int)strspn(line, " ");
        assert_int_equal(blanks, level <= 60 ? 2 * level : 120);
        if (level == 61)
            assert_string_equal(line + blanks, "(61) NOT(NOT(TRUE))\n");
        else
            assert_true(strncmp(line + blanks, "NOT\n", 4) == 0);
    }
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_module, close_module)
    const struct CMUnitTest tests[] = {
        TEST(test_and),       TEST(test_append), TEST(test_small_builders), TEST(test_types),
        TEST(test_loops),     TEST(test_cells),  TEST(test_names),          TEST(test_notes),
        TEST(test_opposites), TEST(test_lines),  TEST(test_details),        TEST(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
