// What is known about trees of the IR without evaluating them: effects, truth, safety, cost, size, equality, the pieces of a set; notes of nodes.
#include "test.h"

#include "compiler/middle/ir/build.h"
#include "compiler/middle/ir/node_notes.h"

static Module *m;
static Arena *a;
static IrFunction *f; // with three locals that are numbers

static int open_module(void **state)
{
    (void)state;
    a = arena_new();
    m = arena_alloc(a, sizeof *m);
    m->arena = a;
    f = ir_new_function(m, "body", NULL);
    for (int i = 0; i < 3; i++)
        ir_new_local(f, IRT_INT);
    ir_new_slot(m, IRT_INT, "slot");
    return 0;
}

static int close_module(void **state)
{
    (void)state;
    arena_free(a);
    return 0;
}

// ---- nodes ------------------------------------------------------------------------------------------------

static Ir *number(void)
{
    return ir_int(a, 3);
}

static Ir *yes(void)
{
    return ir_bool(a, true);
}

static Ir *no(void)
{
    return ir_bool(a, false);
}

static Ir *test(void)
{
    return ir_with_int(IR_EQ, number(), 4);
}

static Ir *set(void)
{
    return ir_set(a, 0xFF);
}

static Ir *empty_list(IrOp op)
{
    return ir_new(a, op, IRT_BOOL, 0);
}

static Ir *let(Ir *value)
{
    return ir_let(1, value);
}

static Ir *place(Ir *condition)
{
    return ir_unary(IR_PLACE, condition);
}

static Ir *each_row(Ir *body, IrMode mode)
{
    Ir *loop = ir_new(a, IR_EACH_ROW, IRT_BOOL, 1, body);
    loop->mode = (uint8_t)mode;
    return loop;
}

static Ir *each_compared(Ir *body, IrMode mode)
{
    Ir *loop =
        ir_new(a, IR_EACH_COMPARED, IRT_BOOL, 6, number(), number(), number(), number(), number(), body);
    loop->mode = (uint8_t)mode;
    loop->low = loop->number = 1;
    return loop;
}

static Ir *call_of_set(IrCall call)
{
    return ir_call(a, call, 1, set());
}

static Ir *legal(IrCall call)
{
    return ir_call(a, call, 4, set(), set(), set(), number());
}

static Ir *text(void)
{
    return ir_text(m, "text", 4);
}

// ---- effects, truth, safety, cost, size -------------------------------------------------------------------

enum { FIRST_CALL = 71 };      // among the cases
enum { TRUE_ = 1, TOTAL = 2 }; // what holds: certainly true; safe to evaluate anywhere
enum {
    POSITION = IR_READS_POSITION,
    GAME_ = IR_READS_GAME,
    LOCAL = IR_READS_LOCAL,
    WRITES = IR_WRITES_LOCAL,
    CALLS = IR_INVOKES | IR_READS_SLOT | IR_WRITES_SLOT | IR_EFFECT | IR_READS_POSITION | IR_READS_GAME
};

// A node costs 1, moves 4 or 16, a call 60 or what is known of it, a function 1000; loops take 6 or 48 rounds.
static void test_facts(void **state)
{
    (void)state;
    const struct {
        Ir *tree;
        unsigned effects, holds;
        int cost, size;
    } cases[] = {
        /*  0 */ {number(), 0, TOTAL, 1, 1},
        /*  1 */ {ir_current(a), POSITION, TOTAL, 1, 1},
        /*  2 */ {ir_board(a, 1), POSITION, TOTAL, 1, 1},
        /*  3 */ {ir_side(a), POSITION, TOTAL, 1, 1},
        /*  4 */ {ir_unary(IR_SQUARE, number()), POSITION, 0, 2, 2},
        /*  5 */ {ir_game(a, IR_GAME_RESULT), GAME_, TOTAL, 1, 1},
        /*  6 */ {ir_node(IR_NODE_PLY, ir_current(a)), POSITION | GAME_, TOTAL, 2, 2},
        /*  7 */ {ir_node(IR_NODE_PLY, number()), GAME_, 0, 2, 2},
        /*  8 */ {ir_local(f, 0), LOCAL, TOTAL, 1, 1},
        /*  9 */ {ir_read_slot(m, 0), IR_READS_SLOT, TOTAL, 1, 1},
        /* 10 */ {ir_new(a, IR_ROW, IRT_INT, 0), IR_READS_ROW, TOTAL, 1, 1},
        /* 11 */ {ir_binary(IR_DIV, number(), number()), 0, 0, 3, 3},
        /* 12 */ {ir_binary(IR_MOD, number(), number()), 0, 0, 3, 3},
        /* 13 */ {ir_unary(IR_SQRT, number()), 0, 0, 2, 2},
        /* 14 */ {ir_first(set()), 0, 0, 2, 2},
        /* 15 */ {ir_binary(IR_MUL, number(), number()), 0, TOTAL, 3, 3},
        /* 16 */ {ir_count(set()), 0, TOTAL, 2, 2},
        /* 17 */ {ir_add(number(), ir_first(set())), 0, 0, 4, 4},
        /* 18 */ {ir_add(ir_first(set()), number()), 0, 0, 4, 4},
        /* 19 */ {ir_choose(test(), number(), number()), 0, TOTAL, 6, 6},
        /* 20 */ {yes(), 0, TRUE_ | TOTAL, 1, 1},
        /* 21 */ {no(), 0, TOTAL, 1, 1},
        /* 22 */ {ir_any(set()), 0, TOTAL, 2, 2},
        /* 23 */ {empty_list(IR_AND), 0, TRUE_ | TOTAL, 1, 1},
        /* 24 */ {empty_list(IR_OR), 0, TOTAL, 1, 1},
        /* 25 */ {ir_binary(IR_AND, yes(), yes()), 0, TRUE_ | TOTAL, 3, 3},
        /* 26 */ {ir_binary(IR_AND, yes(), test()), 0, TOTAL, 5, 5},
        /* 27 */ {ir_binary(IR_AND, test(), yes()), 0, TOTAL, 5, 5},
        /* 28 */ {ir_or(test(), test()), 0, TOTAL, 7, 7},
        /* 29 */ {ir_or(yes(), test()), 0, TRUE_ | TOTAL, 5, 5},
        /* 30 */ {ir_or(test(), yes()), 0, TRUE_ | TOTAL, 5, 5},
        /* 31 */ {ir_not(no()), 0, TRUE_ | TOTAL, 2, 2},
        /* 32 */ {ir_not(yes()), 0, TOTAL, 2, 2},
        /* 33 */ {ir_not(test()), 0, TOTAL, 4, 4},
        /* 34 */ {ir_if(test(), yes(), yes()), 0, TRUE_ | TOTAL, 6, 6},
        /* 35 */ {ir_if(yes(), test(), yes()), 0, TOTAL, 6, 6},
        /* 36 */ {ir_if(yes(), yes(), test()), 0, TOTAL, 6, 6},
        /* 37 */ {place(yes()), 0, TRUE_ | TOTAL, 2, 2},
        /* 38 */ {place(test()), 0, TOTAL, 4, 4},
        /* 39 */ {let(number()), WRITES, TRUE_ | TOTAL, 2, 2},
        /* 40 */ {ir_store_int(a, 0, 3), IR_WRITES_SLOT, TRUE_ | TOTAL, 2, 2},
        /* 41 */ {ir_unary(IR_ALWAYS, test()), 0, TRUE_ | TOTAL, 4, 4},
        /* 42 */ {ir_new(a, IR_RAISE, IRT_BOOL, 0), IR_EFFECT, 0, 1, 1},
        /* 43 */ {ir_invoke(a, 0), CALLS, TOTAL, 1000, 1},
        /* 44 */ {ir_while(test(), test()), 0, TRUE_ | TOTAL, 6 * 7, 7},
        // another position: what is read there is a fact of the game
        /* 45 */ {ir_at(number(), ir_with_int(IR_EQ, ir_side(a), 0)), GAME_, 0, 5, 5},
        /* 46 */ {ir_at(number(), test()), 0, 0, 5, 5},
        /* 47 */ {ir_at(number(), yes()), 0, TRUE_, 3, 3},
        /* 48 */ {ir_at(ir_current(a), yes()), POSITION, TRUE_, 3, 3},
        /* 49 */ {ir_at(ir_current(a), ir_any(ir_board(a, 1))), POSITION | GAME_, 0, 4, 4},
        /* 50 */ {ir_at(number(), let(ir_game(a, 0))), WRITES | GAME_, TRUE_, 4, 4},
        // loops
        /* 51 */ {ir_each_square(set(), 1, test(), MODE_ANY), WRITES, TOTAL, 6 * 5, 5},
        /* 52 */ {ir_each_square(set(), 1, test(), MODE_ALL), WRITES, TOTAL, 6 * 5, 5},
        /* 53 */ {ir_each_square(set(), 1, test(), MODE_EACH), WRITES, TRUE_ | TOTAL, 6 * 5, 5},
        /* 54 */ {ir_each_square(set(), 1, yes(), MODE_ANY), WRITES, TOTAL, 6 * 3, 3},
        /* 55 */ {ir_each_square(set(), 1, yes(), MODE_ALL), WRITES, TRUE_ | TOTAL, 6 * 3, 3},
        /* 56 */ {ir_each_child(number(), 1, test(), MODE_ANY), WRITES | GAME_, 0, 6 * 5, 5},
        /* 57 */ {ir_each_child(number(), 1, test(), MODE_EACH), WRITES | GAME_, TRUE_, 6 * 5, 5},
        /* 58 */ {ir_each_ancestor(number(), 1, test(), MODE_ALL), WRITES | GAME_, 0, 48 * 5, 5},
        /* 59 */ {ir_each_ancestor(number(), 1, yes(), MODE_ALL), WRITES | GAME_, TRUE_, 48 * 3, 3},
        /* 60 */ {ir_each_position(number(), number(), 1, test(), MODE_ALL), WRITES, TOTAL, 48 * 6, 6},
        /* 61 */ {ir_each_position(number(), number(), 1, yes(), MODE_ALL), WRITES, TRUE_ | TOTAL, 48 * 4, 4},
        /* 62 */ {each_row(test(), MODE_ALL), 0, TOTAL, 48 * 4, 4},
        /* 63 */ {each_row(yes(), MODE_ALL), 0, TRUE_ | TOTAL, 48 * 2, 2},
        /* 64 */ {each_row(yes(), MODE_ANY), 0, TOTAL, 48 * 2, 2},
        /* 65 */ {each_row(test(), MODE_EACH), 0, TRUE_ | TOTAL, 48 * 4, 4},
        /* 66 */ {each_compared(test(), MODE_ALL), WRITES | GAME_ | IR_EFFECT, TOTAL, 9, 9},
        /* 67 */ {each_compared(test(), MODE_EACH), WRITES | GAME_ | IR_EFFECT, TRUE_ | TOTAL, 9, 9},
        /* 68 */ {each_row(ir_each_square(set(), 1, yes(), MODE_ANY), MODE_ANY), WRITES, TOTAL, 48 * 19, 4},
        // moves
        /* 69 */ {ir_unary(IR_BLACK_PAWN_ATTACKS, set()), 0, TOTAL, 4 + 1, 2},
        /* 70 */ {ir_unary(IR_KNIGHT_MOVES, set()), 0, TOTAL, 16 + 1, 2},
        // calls
        /* 71 */ {ir_call(a, IR_CALL_in_check, 0), POSITION, TOTAL, 4, 1},
        /* 72 */ {call_of_set(IR_CALL_attacked), POSITION, TOTAL, 31, 2},
        /* 73 */ {ir_call(a, IR_CALL_attackers, 2, set(), set()), POSITION, TOTAL, 32, 3},
        /* 74 */ {ir_call(a, IR_CALL_between, 2, set(), set()), 0, TOTAL, 62, 3},
        /* 75 */ {legal(IR_CALL_legal_to), POSITION | GAME_, TOTAL, 404, 5},
        /* 76 */ {legal(IR_CALL_legal_from), POSITION | GAME_, TOTAL, 404, 5},
        /* 77 */ {legal(IR_CALL_legal_count), POSITION | GAME_, TOTAL, 404, 5},
        /* 78 */ {ir_call(a, IR_CALL_pure_mate, 1, number()), POSITION | GAME_, TOTAL, 401, 2},
        /* 79 */ {ir_call(a, IR_CALL_has_legal_move, 0), POSITION, TOTAL, 400, 1},
        /* 80 */ {ir_call(a, IR_CALL_lca, 2, number(), number()), GAME_, 0, 62, 3}, // takes positions
        /* 81 */ {ir_call(a, IR_CALL_length, 1, text()), 0, 0, 61, 2},              // takes a string
        /* 82 */ {ir_call_out(a, IR_CALL_year, 2, 0), LOCAL | WRITES | GAME_, TOTAL, 60, 1},
        /* 83 */
        {ir_call_out(a, IR_CALL_subscript, 2, 2, text(), number()), LOCAL | WRITES | GAME_, 0, 62, 3},
        /* 84 */ {ir_call(a, IR_CALL_log_cut, 1, number()), IR_EFFECT | GAME_, TRUE_ | TOTAL, 61, 2},
        /* 85 */ {ir_call(a, IR_CALL_log_mark, 0), IR_EFFECT | GAME_, TOTAL, 60, 1},
        /* 86 */ {ir_call(a, IR_CALL_log_wanted, 0), GAME_ | IR_VOLATILE, TOTAL, 60, 1},
        /* 87 */ {ir_not(ir_call(a, IR_CALL_log_wanted, 0)), GAME_ | IR_VOLATILE, TOTAL, 61, 2},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        Ir *tree = cases[i].tree;
        const unsigned effects = cases[i].effects | (i >= FIRST_CALL ? IR_CALLS : 0);
        for (unsigned bit = 1; bit <= IR_VOLATILE; bit *= 2)
            if (ir_does_any(tree, bit) != ((effects & bit) != 0) ||
                ir_noted_any(tree, bit) != ((effects & bit) != 0))
                fail_msg("case %d: effect %u", i, bit);
        const bool always = (cases[i].holds & TRUE_) != 0;
        if (ir_does_any(tree, effects) != (effects != 0) || ir_does_any(tree, ~effects))
            fail_msg("case %d: several effects", i);
        if (ir_always_true(tree) != always || ir_noted_always_true(tree) != always)
            fail_msg("case %d: always true", i);
        if (ir_is_total(tree) != ((cases[i].holds & TOTAL) != 0))
            fail_msg("case %d: total", i);
        if (ir_is_droppable(tree) != !(effects & (WRITES | IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES)))
            fail_msg("case %d: droppable", i);
        if (ir_is_fixed(tree) != !(cases[i].effects & ~(unsigned)(POSITION | GAME_ | IR_VOLATILE)))
            fail_msg("case %d: fixed", i);
        const int cost = cases[i].cost;
        if (ir_cost(tree) != cost)
            fail_msg("case %d: cost %d", i, ir_cost(tree));
        if (!ir_costs_at_least(tree, cost) || ir_costs_at_least(tree, cost + 1))
            fail_msg("case %d: costs at least %d", i, cost);
        if (ir_noted_size(tree) != cases[i].size)
            fail_msg("case %d: size %d", i, ir_noted_size(tree));
    }
    assert_false(ir_does_any(NULL, ~0U));
}

// The node itself.
static void test_own_effects(void **state)
{
    (void)state;
    assert_true(ir_has_own_effect(ir_invoke(a, 0)));
    assert_true(ir_has_own_effect(ir_call(a, IR_CALL_log_mark, 0)));
    assert_false(ir_has_own_effect(ir_call(a, IR_CALL_log_wanted, 0)));
    assert_false(ir_has_own_effect(ir_not(ir_invoke(a, 0))));
    const struct {
        Ir *tree;
        int local; // that it writes
    } cases[] = {
        {let(number()), 1},
        {ir_each_square(set(), 0, NULL, MODE_ANY), 0},
        {ir_each_child(number(), 2, NULL, MODE_ANY), 2},
        {ir_each_ancestor(number(), 2, NULL, MODE_ANY), 2},
        {ir_each_position(number(), number(), 2, NULL, MODE_ANY), 2},
        {each_compared(yes(), MODE_ANY), 1},
        {each_row(let(number()), MODE_ANY), -1},
        {ir_call_out(a, IR_CALL_year, 0, 0), 0},
        {ir_call(a, IR_CALL_log_mark, 0), -1},
        {ir_local(f, 1), -1},
        {ir_store_int(a, 1, 0), -1},
        {ir_not(let(number())), -1},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++)
        if (ir_written_local(cases[i].tree) != cases[i].local)
            fail_msg("case %d: local %d", i, ir_written_local(cases[i].tree));
}

// ---- never true -------------------------------------------------------------------------------------------

static Ir *no_at(int place)
{
    Ir *ir = no();
    ir->number = place;
    return ir;
}

// The reason is that of the last false operand of an AND, of the first of an OR.
static void test_never_true(void **state)
{
    (void)state;
    const struct {
        Ir *tree;
        int place; // -1: it may be true
    } cases[] = {
        {no_at(5), 5},
        {no(), 0},
        {yes(), -1},
        {test(), -1},
        {ir_not(yes()), -1}, // the optimiser leaves no such tree
        {ir_binary(IR_AND, test(), no_at(7)), 7},
        {ir_binary(IR_AND, no_at(6), test()), 6},
        {ir_binary(IR_AND, no_at(6), no_at(7)), 7},
        {ir_binary(IR_AND, test(), test()), -1},
        {empty_list(IR_AND), -1},
        {ir_or(no_at(6), no_at(7)), 6},
        {ir_or(no_at(6), test()), -1},
        {ir_or(test(), no_at(6)), -1},
        {ir_or(ir_binary(IR_AND, test(), no_at(8)), no_at(7)), 8},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        int32_t place = -1;
        const bool never = ir_is_never_true(cases[i].tree, &place);
        if (never != (cases[i].place >= 0) || (never && place != cases[i].place))
            fail_msg("case %d: place %d", i, (int)place);
    }
}

// ---- pieces -----------------------------------------------------------------------------------------------

enum { EMPTY_BIT = 1 << EMPTY, WHITE_MEN = 0x7E, BLACK_MEN = 0x1F80, ALL = 0x1FFF };

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_module, close_module)
    const struct CMUnitTest tests[] = {
        TEST(test_facts),
        TEST(test_own_effects),
        TEST(test_never_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
