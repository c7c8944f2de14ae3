// The checks of modules: what each operation may refer to, and what is reported when a pass breaks a rule (docs/ir.md).
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/middle/ir/build.h"

static Module *m;
static Arena *a;
static IrFunction *f;

// A module with two functions, three locals that are numbers, a string, two slots, a remembered condition.
static void open_module(void)
{
    a = arena_new();
    m = arena_alloc(a, sizeof *m);
    m->arena = a;
    m->info.slot_count = 2;
    m->info.remembered_count = 1;
    f = ir_new_function(m, "body", NULL);
    ir_new_function(m, "other", NULL)->body = ir_bool(a, true);
    for (int i = 0; i < 3; i++)
        ir_new_local(f, IRT_INT);
    ir_text(m, "text", 4);
}

static const char *message_about(Ir *body)
{
    f->body = body;
    const char *message = ir_verify(m);
    return message ? message : "";
}

static Ir *node(IrOp op, IrType type, int number, int low)
{
    Ir *ir = ir_new(a, op, type, 0);
    ir->number = number;
    ir->low = low;
    return ir;
}

static Ir *is_one(Ir *number)
{
    return ir_with_int(IR_EQ, number, 1);
}

static Ir *with_kid(Ir *ir, Ir *kid)
{
    ir_add_kid(ir, kid);
    return ir;
}

// ---- numbers ----------------------------------------------------------------------------------------------

static Ir *local(int n)
{
    return is_one(node(IR_LOCAL, IRT_INT, n, 0));
}

static Ir *let(int n)
{
    return with_kid(node(IR_LET, IRT_BOOL, n, 0), ir_int(a, 1));
}

static Ir *squares(int n)
{
    return with_kid(with_kid(node(IR_EACH_SQUARE, IRT_BOOL, n, 0), ir_set(a, 1)), ir_bool(a, true));
}

static Ir *loop(IrOp op, int n, int operands)
{
    Ir *ir = node(op, IRT_BOOL, n, 0);
    for (int i = 0; i < operands; i++)
        ir_add_kid(ir, ir_int(a, 1));
    return with_kid(ir, ir_bool(a, true));
}

static Ir *children(int n)
{
    return loop(IR_EACH_CHILD, n, 1);
}

static Ir *line(int n)
{
    return loop(IR_EACH_ANCESTOR, n, 1);
}

static Ir *positions(int n)
{
    return loop(IR_EACH_POSITION, n, 2);
}

static Ir *compared(int n)
{
    return loop(IR_EACH_COMPARED, n, 5);
}

static Ir *slot(int n)
{
    return is_one(node(IR_SLOT, IRT_INT, n, 0));
}

static Ir *store(int n)
{
    return with_kid(node(IR_STORE, IRT_BOOL, n, 0), ir_int(a, 1));
}

static Ir *string(int n)
{
    return is_one(ir_int_of(node(IR_STRING, IRT_STRING, n, 0)));
}

static Ir *board(int n)
{
    return ir_any(node(IR_BOARD, IRT_SET, n, 0));
}

static Ir *field(int n)
{
    return is_one(with_kid(node(IR_NODE, IRT_INT, n, 0), ir_current(a)));
}

static Ir *fact(int n)
{
    return is_one(node(IR_GAME, IRT_INT, n, 0));
}

static Ir *files(int n)
{
    return ir_any(with_kid(node(IR_STEP, IRT_SET, n, 0), ir_set(a, 1)));
}

static Ir *ranks(int n)
{
    return ir_any(with_kid(node(IR_STEP, IRT_SET, 0, n), ir_set(a, 1)));
}

static Ir *shift(int n)
{
    return is_one(with_kid(node(IR_SHIFT_RIGHT, IRT_INT, n, 0), ir_int(a, 1)));
}

static Ir *invoke(int n)
{
    return node(IR_INVOKE, IRT_BOOL, n, 0);
}

static Ir *ancestors(int n)
{
    return with_kid(with_kid(node(IR_EACH_ANCESTOR, IRT_BOOL, 0, n), ir_current(a)), ir_bool(a, true));
}

static Ir *detail(int n)
{
    return node(IR_RAISE, IRT_BOOL, 0, n);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        Ir *(*make)(int n);
        int first, last;
        const char *message;
    } cases[] = {
        {local, 0, 2, "no such local"},
        {let, 0, 2, "no such local"},
        {squares, 0, 2, "no such local"},
        {children, 0, 2, "no such local"},
        {line, 0, 2, "no such local"},
        {positions, 0, 2, "no such local"},
        {compared, 0, 2, "no such local"},
        {slot, 0, 1, "the number does not exist"},
        {store, 0, 1, "the number does not exist"},
        {string, 0, 0, "the number does not exist"},
        {board, 0, BOARD_COUNT - 1, "the number does not exist"},
        {field, 0, IR_NODE_FIELDS - 1, "the number does not exist"},
        {fact, 0, IR_GAME_LAST_NUMBER, "the number does not exist"},
        {files, -7, 7, "too far"},
        {ranks, -7, 7, "too far"},
        {shift, 0, 31, "too far"},
        {invoke, 0, 1, "no such function"},
        {ancestors, 0, 1, "no such condition"},
        {detail, -1, 0, "no such string"},
    };
    open_module();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(message_about(cases[i].make(cases[i].first)), "");
        assert_string_equal(message_about(cases[i].make(cases[i].last)), "");
        assert_non_null(strstr(message_about(cases[i].make(cases[i].last + 1)), cases[i].message));
        if (cases[i].make != detail) // which needs no string
            assert_non_null(strstr(message_about(cases[i].make(cases[i].first - 1)), cases[i].message));
    }
    assert_non_null(strstr(message_about(node(IR_CALL, IRT_BOOL, -1, 0)), "no such function"));
    assert_non_null(strstr(message_about(node(IR_CALL, IRT_BOOL, IR_CALL_COUNT, 0)), "no such function"));
    arena_free(a);
}

// ---- operands, types, places ------------------------------------------------------------------------------

static Ir *typed(Ir *ir, IrType type)
{
    ir->type = type;
    return ir;
}

static Ir *out(Ir *call, int to)
{
    call->out = to;
    return call;
}

static void says(Ir *body, const char *message)
{
    assert_string_equal(message_about(body), message);
}

static void test_rules(void **state)
{
    (void)state;
    open_module();
    says(ir_new(a, IR_AND, IRT_BOOL, 0), "");
    says(ir_new(a, IR_AND, IRT_BOOL, 1, ir_int(a, 1)), "body: AND: operand 0 has the wrong type");
    says(ir_new(a, IR_AND, IRT_BOOL, 2, ir_bool(a, true), ir_set(a, 1)),
         "body: AND: operand 1 has the wrong type");
    says(ir_new(a, IR_NOT, IRT_BOOL, 0), "body: NOT: has 0 operands");
    says(ir_new(a, IR_NOT, IRT_BOOL, 2, ir_bool(a, true), ir_bool(a, true)), "body: NOT: has 2 operands");
    says(ir_any(ir_new(a, IR_SET_OR, IRT_SET, 1, ir_set(a, 1))), "body: SET_OR: has 1 operands");
    says(ir_any(ir_new(a, IR_SET_OR, IRT_SET, 2, ir_set(a, 1), ir_set(a, 2))), "");
    says(ir_any(ir_new(a, IR_SET_OR, IRT_SET, 3, ir_set(a, 1), ir_set(a, 2), ir_int(a, 3))),
         "body: SET_OR: operand 2 has the wrong type");
    says(ir_not(typed(ir_not(ir_bool(a, true)), IRT_INT)), "body: NOT: operand 0 has the wrong type");
    says(ir_any(typed(ir_count(ir_set(a, 1)), IRT_SET)), "body: COUNT: has the wrong type");
    says(ir_eq(ir_current(a), ir_int(a, 1)), ""); // positions are numbers
    Ir *missing = ir_not(ir_bool(a, true));
    missing->kid[0] = NULL;
    says(missing, "body: NOT: operand 0 has the wrong type");
    says(ir_not(node((IrOp)IR_OP_COUNT, IRT_BOOL, 0, 0)),
         arena_printf(a, "body: no such operation: %d", IR_OP_COUNT));
    says(ir_any(node(IR_LOCAL, IRT_SET, 0, 0)), "body: LOCAL: local 0 has another type");
    says(with_kid(node(IR_LET, IRT_BOOL, 0, 0), ir_set(a, 1)), "body: LET: local 0 has another type");
    says(is_one(ir_choose(ir_bool(a, true), ir_int(a, 1), ir_current(a))), "");
    says(is_one(typed(ir_choose(ir_bool(a, true), ir_int(a, 1), ir_set(a, 1)), IRT_INT)),
         "body: CHOOSE: the alternatives have different types");
    says(typed(ir_current(a), IRT_INT), "body: the body is not a condition");
    says(NULL, "body: the body is not a condition");
    m->slot_type = (IrType[]){IRT_INT, IRT_SET};
    says(slot(0), "");
    says(slot(1), "body: SLOT: the slot has another type");
    says(store(1), "body: STORE: the slot has another type");
    arena_free(a);
}

static void test_calls(void **state)
{
    (void)state;
    open_module();
    Ir *set = ir_set(a, 1);
#define ATTACKERS(...) ir_call(a, IR_CALL_attackers, __VA_ARGS__)
    says(ir_any(ATTACKERS(2, set, ir_copy(set))), "");
    says(ir_any(ATTACKERS(1, ir_copy(set))), "body: CALL: attackers: has 1 operands");
    says(ir_any(ATTACKERS(3, ir_copy(set), ir_copy(set), ir_copy(set))),
         "body: CALL: attackers: has 3 operands");
    says(ir_any(ATTACKERS(2, ir_copy(set), ir_int(a, 1))),
         "body: CALL: attackers: operand 1 has the wrong type");
    says(ir_nonzero(typed(ATTACKERS(2, ir_copy(set), ir_copy(set)), IRT_INT)),
         "body: CALL: attackers: has the wrong type");
    says(ir_any(out(ATTACKERS(2, ir_copy(set), ir_copy(set)), 0)),
         "body: CALL: attackers: has no result through a pointer");
    says(ir_call_out(a, IR_CALL_year, 2, 0), "");
    says(ir_call_out(a, IR_CALL_year, 3, 0), "body: CALL: year: local 3 cannot take the result");
    f->local[1] = IRT_SET;
    says(ir_call_out(a, IR_CALL_year, 1, 0), "body: CALL: year: local 1 cannot take the result");
    // two numbers and any number of sets
#define CHAIN(...) ir_call(a, IR_CALL_chain_to, __VA_ARGS__)
    says(ir_any(CHAIN(1, ir_int(a, 1))), "body: CALL: chain_to: has 1 operands");
    says(ir_any(CHAIN(2, ir_int(a, 1), ir_int(a, 1))), "");
    says(ir_any(CHAIN(4, ir_int(a, 1), ir_int(a, 1), ir_copy(set), ir_copy(set))), "");
    says(ir_any(CHAIN(2, ir_int(a, 1), ir_copy(set))), "body: CALL: chain_to: operand 1 has the wrong type");
    says(ir_any(CHAIN(3, ir_int(a, 1), ir_int(a, 1), ir_int(a, 1))),
         "body: CALL: chain_to: operand 2 has the wrong type");
    says(ir_any(CHAIN(4, ir_int(a, 1), ir_int(a, 1), ir_copy(set), ir_int(a, 1))),
         "body: CALL: chain_to: operand 3 has the wrong type");
    says(ir_any(out(CHAIN(2, ir_int(a, 1), ir_int(a, 1)), 0)),
         "body: CALL: chain_to: has no result through a pointer");
    arena_free(a);
}

static void test_modules(void **state)
{
    (void)state;
    open_module();
    says(with_kid(invoke(1), ir_int(a, 1)), "body: INVOKE: other has 1 arguments");
    IrFunction *other = m->function[1];
    m->tag_atom = (int[]){1}; // conditions on tags come before all positions
    m->info.tag_atom_count = 1;
    other->body = ir_bool(a, true);
    says(ir_bool(a, true), "");
    other->body = board(0);
    says(ir_bool(a, true), "other: BOARD: no current position here");
    other->body = ir_or(ir_bool(a, false), board(0));
    says(ir_bool(a, true), "other: BOARD: no current position here");
    other->body = ir_at(ir_current(a), NULL);
    says(ir_bool(a, true), "other: CURRENT: no current position here");
    other->body = ir_call(a, IR_CALL_in_check, 0);
    says(ir_bool(a, true), "other: CALL: in_check: no current position here");
    other->body = ir_call(a, IR_CALL_log_wanted, 0);
    says(ir_bool(a, true), "");
    other->body = ir_at(ir_position_of(ir_int(a, 0)), board(0));
    says(ir_bool(a, true), "");
    m->info.tag_atom_count = 0;
    // each function
    other->body = ir_nonzero(ir_bool(a, true));
    says(ir_bool(a, true), "other: NE: operand 0 has the wrong type");
    m->function_count = 1;
    says(ir_bool(a, true), "");
    m->function_count = 0;
    says(ir_bool(a, true), "the body is missing");
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_modules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
