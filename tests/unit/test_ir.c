// What is known about trees of the IR without evaluating them: effects, truth, safety, cost, size, equality, the pieces of a set; notes of nodes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

enum { TRUE_ = 1, TOTAL = 2 }; // what holds: certainly true; safe to evaluate anywhere
enum {
    POSITION = IR_READS_POSITION,
    GAME_ = IR_READS_GAME,
    LOCAL = IR_READS_LOCAL,
    WRITES = IR_WRITES_LOCAL,
    CALLS = IR_INVOKES | IR_READS_SLOT | IR_WRITES_SLOT | IR_EFFECT | IR_READS_POSITION | IR_READS_GAME
};

// A node costs 1, a call 60 or what is known of it, a function 1000; loops take 6 or 48 rounds.
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
        // calls
        /* 69 */ {ir_call(a, IR_CALL_in_check, 0), POSITION, TOTAL, 4, 1},
        /* 70 */ {call_of_set(IR_CALL_attacked), POSITION, TOTAL, 31, 2},
        /* 71 */ {ir_call(a, IR_CALL_attackers, 2, set(), set()), POSITION, TOTAL, 32, 3},
        /* 72 */ {ir_call(a, IR_CALL_between, 2, set(), set()), 0, TOTAL, 62, 3},
        /* 73 */ {legal(IR_CALL_legal_to), POSITION | GAME_, TOTAL, 404, 5},
        /* 74 */ {legal(IR_CALL_legal_from), POSITION | GAME_, TOTAL, 404, 5},
        /* 75 */ {legal(IR_CALL_legal_count), POSITION | GAME_, TOTAL, 404, 5},
        /* 76 */ {ir_call(a, IR_CALL_pure_mate, 1, number()), POSITION | GAME_, TOTAL, 401, 2},
        /* 77 */ {ir_call(a, IR_CALL_has_legal_move, 0), POSITION, TOTAL, 400, 1},
        /* 78 */ {ir_call(a, IR_CALL_lca, 2, number(), number()), GAME_, 0, 62, 3}, // takes positions
        /* 79 */ {ir_call(a, IR_CALL_length, 1, text()), 0, 0, 61, 2},              // takes a string
        /* 80 */ {ir_call_out(a, IR_CALL_year, 2, 0), LOCAL | WRITES | GAME_, TOTAL, 60, 1},
        /* 81 */
        {ir_call_out(a, IR_CALL_subscript, 2, 2, text(), number()), LOCAL | WRITES | GAME_, 0, 62, 3},
        /* 82 */ {ir_call(a, IR_CALL_log_cut, 1, number()), IR_EFFECT | GAME_, TRUE_ | TOTAL, 61, 2},
        /* 83 */ {ir_call(a, IR_CALL_log_mark, 0), IR_EFFECT | GAME_, TOTAL, 60, 1},
        /* 84 */ {ir_call(a, IR_CALL_log_wanted, 0), GAME_, TOTAL, 60, 1},
        /* 85 */ {ir_not(ir_call(a, IR_CALL_log_wanted, 0)), GAME_, TOTAL, 61, 2},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        Ir *tree = cases[i].tree;
        const unsigned effects = cases[i].effects;
        for (unsigned bit = 1; bit <= IR_READS_ROW; bit *= 2)
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
        if (ir_is_fixed(tree) != !(effects & ~(unsigned)(POSITION | GAME_)))
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

// Loops in loops: the cost ends at a million, and the other question goes on.
static void test_great_costs(void **state)
{
    (void)state;
    enum { MOST = 1000000 };
    Ir *tree = yes();
    for (int i = 0; i < 3; i++)
        tree = each_row(tree, MODE_ANY);
    assert_int_equal(ir_cost(tree), 48 * (48 * (48 * 2 + 1) + 1)); // 223536
    for (int i = 0; i < 4; i++)
        tree = ir_while(tree, yes());
    assert_int_equal(ir_cost(tree), MOST);
    assert_true(ir_costs_at_least(tree, MOST));
    assert_true(ir_costs_at_least(tree, 100 * MOST));
    for (int i = 0; i < 30; i++)
        tree = each_row(tree, MODE_ANY);
    assert_int_equal(ir_cost(tree), MOST);
    assert_true(ir_costs_at_least(tree, MOST));
}

// ---- notes in the nodes -----------------------------------------------------------------------------------

static Ir *list_of(int count)
{
    Ir *list = empty_list(IR_OR);
    for (int i = 0; i < count; i++)
        ir_add_kid(list, no());
    return list;
}

static void test_noted_size(void **state)
{
    (void)state;
    assert_int_equal(ir_noted_size(list_of(29998)), 29999);
    assert_int_equal(ir_noted_size(list_of(29999)), 30000);
    assert_int_equal(ir_noted_size(list_of(30000)), 30000);
    Ir *both = ir_or(list_of(29000), list_of(29000));
    assert_int_equal(ir_noted_size(both), 30000);
    assert_false(ir_noted_any(both, 2 * IR_READS_ROW - 1)); // the size does not reach the other bits
    assert_false(ir_noted_always_true(both));
}

static void test_notes_are_forgotten(void **state)
{
    (void)state;
    Ir *list = list_of(2), *other = list_of(2);
    ir_new_function(m, "first", NULL);
    IrFunction *second = ir_new_function(m, "second", NULL);
    f->body = yes();
    m->function[1]->body = list;
    second->body = yes();
    assert_int_equal(ir_noted_size(list), 3);
    list->kid[1]->op = IR_TRUE; // unnoticed, as a pass is supposed not to do that
    assert_false(ir_noted_always_true(list));
    assert_int_equal(ir_noted_size(other), 3);
    other->kid[1]->op = IR_TRUE;
    ir_forget_notes(m);
    assert_true(ir_noted_always_true(list));
    assert_false(ir_noted_always_true(other)); // of no module
    m->game_test = other;
    ir_forget_notes(m);
    assert_true(ir_noted_always_true(other));
    ir_add_kid(other, ir_current(a)); // the list itself is asked again
    assert_int_equal(ir_noted_size(other), 4);
    assert_true(ir_noted_any(other, IR_READS_POSITION));
}

// Numbers for nodes, more of them than the table first has room for.
static void test_node_notes(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    NodeNotes notes = {.arena = a};
    Ir *node[COUNT];
    for (int i = 0; i < COUNT; i++)
        node[i] = ir_not(no());
    assert_null(node_note(&notes, node[0]));
    for (int i = 0; i < COUNT; i++) {
        assert_null(node_note(&notes, node[i]));
        node_note_set(&notes, node[i], 3 * (uint64_t)i);
        if (notes.count != (size_t)i + 1 || 2 * notes.count > notes.slots + 1)
            fail_msg("%d notes in %d slots", (int)notes.count, (int)notes.slots);
    }
    for (int i = 0; i < COUNT; i++) {
        const uint64_t *found = node_note(&notes, node[i]);
        assert_non_null(found);
        assert_int_equal(*found, 3 * i);
    }
    assert_null(node_note(&notes, no()));
    NodeNotes hashes = {.arena = a};
    Ir *tree = ir_or(ir_not(test()), ir_any(set()));
    const uint64_t hash = ir_hash(tree);
    assert_int_equal(node_note_hash(&hashes, tree), hash);
    assert_int_equal(hashes.count, 4); // OR, NOT, EQ, ANY
    assert_int_equal(node_note_hash(&hashes, tree), hash);
    assert_int_equal(hashes.count, 4);
    assert_int_equal(node_note_hash(&hashes, number()), ir_hash(number())); // without operands: not noted
    assert_int_equal(hashes.count, 4);
}

// ---- equality ---------------------------------------------------------------------------------------------

static Ir *sample(void)
{
    Ir *call = ir_call_out(a, IR_CALL_subscript, 2, 2, text(), number());
    return ir_or(ir_any(ir_set_and(set(), ir_board(a, 3))), call);
}

static void test_equal(void **state)
{
    (void)state;
    Ir *first = sample();
    assert_true(ir_equal(first, first));
    assert_true(ir_equal(NULL, NULL));
    assert_false(ir_equal(first, NULL));
    assert_false(ir_equal(NULL, first));
    assert_true(ir_equal(first, sample()));
    assert_true(ir_hash(first) == ir_hash(sample()));
    // Whatever changes: the operation, the type, the mode, numbers, the local, the set, the operands.
    for (int change = 0; change < 10; change++) {
        Ir *other = sample(), *call = other->kid[1];
        switch (change) {
        case 0:
            other->op = IR_AND;
            break;
        case 1:
            call->type = IRT_INT;
            break;
        case 2:
            other->mode = MODE_ALL;
            break;
        case 3:
            call->kid[1]->number++;
            break;
        case 4:
            call->low++;
            break;
        case 5:
            call->out++;
            break;
        case 6:
            other->kid[0]->kid[0]->kid[0]->set ^= 1;
            break;
        case 7:
            ir_add_kid(call, number());
            break;
        case 8:
            call->kid_count--;
            break;
        default:
            other->kid[1] = ir_not(call);
        }
        if (ir_equal(first, other) || ir_equal(other, first))
            fail_msg("change %d", change);
    }
    Ir *noted = sample();
    noted->note = "the first variant";
    assert_true(ir_equal(first, noted));
    assert_true(ir_hash(first) == ir_hash(noted));
}

static void test_copy(void **state)
{
    (void)state;
    Ir *first = sample();
    first->note = "note";
    first->mark = 3;
    ir_noted_size(first);
    Ir *copy = ir_copy(first);
    assert_true(ir_equal(first, copy));
    assert_ptr_not_equal(first->kid[0], copy->kid[0]);
    assert_string_equal(copy->note, "note");
    assert_int_equal(copy->mark, 0);
    assert_int_equal(copy->noted, 0);
    assert_int_equal(ir_copy_node(a, first)->kid_count, 0);
    assert_int_equal(first->kid_count, 2);
    assert_null(ir_copy(NULL));
}

static void test_constants(void **state)
{
    (void)state;
    Ir *const constants[] = {number(), set(), text(), yes(), no()};
    for (int i = 0; i < 5; i++)
        assert_true(ir_is_constant(constants[i]));
    assert_false(ir_is_constant(ir_local(f, 0)));
    assert_false(ir_is_constant(ir_count(set())));
    assert_false(ir_is_constant(ir_game(a, 0)));
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

static void test_kinds(void **state)
{
    (void)state;
    const int both = 1 << WHITE_ROOK | 1 << BLACK_KING;
    Ir *rook = ir_board(a, WHITE_ROOK), *king = ir_board(a, BLACK_KING), *white = ir_board(a, BOARD_WHITE);
    const struct {
        Ir *set;
        int kinds, exact;
    } cases[] = {
        {ir_board(a, EMPTY), EMPTY_BIT, EMPTY_BIT},
        {ir_board(a, WHITE_PAWN), 1 << WHITE_PAWN, 1 << WHITE_PAWN},
        {king, 1 << BLACK_KING, 1 << BLACK_KING},
        {white, WHITE_MEN, WHITE_MEN},
        {ir_board(a, BOARD_BLACK), BLACK_MEN, BLACK_MEN},
        {ir_board(a, BOARD_OCCUPIED), WHITE_MEN | BLACK_MEN, WHITE_MEN | BLACK_MEN},
        {ir_board(a, BOARD_COUNT), ALL, -1}, // before the last move
        {ir_board(a, BOARD_COUNT + WHITE_ROOK), ALL, -1},
        {ir_set(a, 0), 0, 0},
        {ir_set(a, ~0ULL), ALL, ALL},
        {ir_set(a, 1), ALL, -1},
        {ir_set(a, ~1ULL), ALL, -1},
        {ir_set_or(rook, king), both, both},
        {ir_set_or(rook, ir_set(a, 1)), ALL, -1},
        {ir_set_or(ir_set(a, 1), rook), ALL, -1},
        {ir_set_or(ir_set(a, 0), rook), 1 << WHITE_ROOK, 1 << WHITE_ROOK},
        {ir_set_not(rook), ALL, ALL & ~(1 << WHITE_ROOK)},
        {ir_set_not(ir_set(a, ~0ULL)), ALL, 0},
        {ir_set_not(ir_set(a, 1)), ALL, -1},
        {ir_set_not(ir_set(a, 0)), ALL, ALL},
        {ir_set_and(rook, ir_set(a, 1)), 1 << WHITE_ROOK, -1},
        {ir_set_and(white, rook), 1 << WHITE_ROOK, -1},
        {ir_set_and(rook, king), 0, -1},
        {ir_choose(test(), rook, king), both, -1},
        {ir_call(a, IR_CALL_attackers, 2, rook, king), 1 << WHITE_ROOK, -1},
        {ir_call(a, IR_CALL_attackers, 2, king, rook), 1 << BLACK_KING, -1},
        {ir_call(a, IR_CALL_attacked, 1, rook), ALL, -1},
        {ir_unary(IR_STEP, rook), ALL, -1},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        if (ir_kinds(cases[i].set) != cases[i].kinds)
            fail_msg("case %d: kinds %x", i, (unsigned)ir_kinds(cases[i].set));
        if (ir_exact_kinds(cases[i].set) != cases[i].exact)
            fail_msg("case %d: exact kinds %x", i, (unsigned)ir_exact_kinds(cases[i].set));
    }
    assert_int_equal(ir_board_kinds(EMPTY), EMPTY_BIT);
}

static Ir *step(Ir *from, int files, int ranks)
{
    Ir *ir = ir_unary(IR_STEP, from);
    ir->number = files;
    ir->low = ranks;
    return ir;
}

// The union of the steps of a king, or of a knight, in another order than that of the table.
static Ir *steps(bool knight)
{
    Ir *sum = ir_new(a, IR_SET_OR, IRT_SET, 0);
    for (int files = 2; files >= -2; files--)
        for (int ranks = -2; ranks <= 2; ranks++) {
            const int square = files * files + ranks * ranks;
            if (knight ? square == 5 : square == 1 || square == 2)
                ir_add_kid(sum, step(ir_board(a, 3), files, ranks));
        }
    return sum;
}

static void test_all_steps(void **state)
{
    (void)state;
    const Ir *found = ir_all_steps(steps(true), WHITE_KNIGHT);
    assert_non_null(found);
    assert_true(ir_equal(found, ir_board(a, 3)));
    assert_non_null(ir_all_steps(steps(false), WHITE_KING));
    assert_null(ir_all_steps(steps(false), WHITE_KNIGHT));
    assert_null(ir_all_steps(steps(true), WHITE_KING));
    for (int knight = 0; knight < 2; knight++)
        for (int i = 0; i < 8; i++) { // another step, of another set, of no step, twice the same
            const int piece = knight ? WHITE_KNIGHT : WHITE_KING;
            Ir *sum = steps(knight);
            sum->kid[i]->number = -sum->kid[i]->number + (sum->kid[i]->number == 0);
            assert_null(ir_all_steps(sum, piece));
            sum = steps(knight);
            sum->kid[i]->low += 3;
            assert_null(ir_all_steps(sum, piece));
            sum = steps(knight);
            sum->kid[i]->kid[0]->number++;
            assert_null(ir_all_steps(sum, piece));
            sum = steps(knight);
            sum->kid[i]->op = IR_SET_NOT;
            assert_null(ir_all_steps(sum, piece));
            sum = steps(knight);
            sum->kid[i] = ir_copy(sum->kid[(i + 1) % 8]);
            assert_null(ir_all_steps(sum, piece));
        }
    Ir *sum = steps(true);
    sum->kid_count--;
    assert_null(ir_all_steps(sum, WHITE_KNIGHT));
    sum->kid_count++;
    ir_add_kid(sum, ir_copy(sum->kid[0]));
    assert_null(ir_all_steps(sum, WHITE_KNIGHT));
    sum = steps(true);
    sum->op = IR_SET_AND;
    assert_null(ir_all_steps(sum, WHITE_KNIGHT));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_module, close_module)
    const struct CMUnitTest tests[] = {
        TEST(test_facts),
        TEST(test_own_effects),
        TEST(test_great_costs),
        TEST(test_noted_size),
        TEST(test_notes_are_forgotten),
        TEST(test_node_notes),
        TEST(test_equal),
        TEST(test_copy),
        TEST(test_constants),
        TEST(test_never_true),
        TEST(test_kinds),
        TEST(test_all_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
