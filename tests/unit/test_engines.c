// The three back ends: each operation against values worked out by hand.
#include "engine_fixture.h"

#include <ctype.h>

#include "compiler/back/template.h"

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        IrOp op;
        int32_t a, b, result;
    } cases[] = {
        {IR_ADD, INT32_MAX, 1, INT32_MIN},
        {IR_SUB, INT32_MIN, 1, INT32_MAX},
        {IR_MUL, 65536, 65536, 0},
        {IR_DIV, -7, 2, -3},
        {IR_MOD, -7, 2, -1},
        {IR_DIV, INT32_MIN, -1, INT32_MIN},
        {IR_MOD, INT32_MIN, -1, 0},
        {IR_AND_BITS, -2, 7, 6},
        {IR_MOD, 7, -2, 1},
    };
    const int count = sizeof cases / sizeof *cases;
    Module *m = new_module();
    Arena *a = m->arena;
    Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < count; i++)
        ir_add_kid(all, ir_store(i < 6 ? i : i + 3, two(a, cases[i].op, cases[i].a, cases[i].b)));
    ir_add_kid(all, ir_store(12, numbered(ir_unary(IR_SHIFT_RIGHT, ir_int(a, -1)), 28, 0)));
    ir_add_kid(all, ir_store(13, ir_unary(IR_SQRT, ir_int(a, INT32_MAX))));
    ir_add_kid(all, ir_store(14, ir_int_of(ir_any(ir_set(a, 1ULL << 40)))));
    ir_add_kid(all, ir_store(15, numbered(ir_new(a, IR_GAME, IRT_INT, 0), IR_GAME_LAST_NUMBER, 0)));
    m->function[0]->body = all;
    static Trace t;
    run_all(m, 1000, &t);
    for (int i = 0; i < count; i++)
        assert_int_equal(t.slot[i < 6 ? i : i + 3].i, cases[i].result);
    assert_int_equal(t.slot[12].i, 15);
    assert_int_equal(t.slot[13].i, 46340); // 46340^2 = 2147395600, 46341^2 is more than 2^31
    assert_int_equal(t.slot[14].i, 1);
    assert_int_equal(t.slot[15].i, 9);
    assert_int_equal(t.hit_count, game()->view.count);
    arena_free(m->arena);
}

static void test_sets(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    Ir *start = ir_with_int(IR_EQ, ir_current(a), 0);
    Ir *pawns = board(a, WHITE_PAWN);
    m->function[0]->body = ir_new(
        a, IR_AND, IRT_BOOL, 12, start,
        ir_store(0, numbered(ir_unary(IR_STEP, pawns), 1, 2)),   // a2-g2 to b4-h4
        ir_store(1, numbered(ir_unary(IR_STEP, pawns), -7, -1)), // h2 to a1
        ir_store(2, ir_set_not(board(a, BOARD_OCCUPIED))),
        ir_store(3, ir_set_and(board(a, BOARD_WHITE), ir_set_not(pawns))), ir_store(4, ir_bit(ir_int(a, 63))),
        ir_store(5, ir_bit(ir_int(a, 64))), ir_store(9, ir_count(board(a, EMPTY))),
        ir_store(10, ir_first(board(a, BLACK_KING))), ir_store(11, ir_unary(IR_SQUARE, ir_int(a, 3))),
        ir_store(12, ir_call(a, IR_CALL_attackers, 2, board(a, WHITE_KNIGHT), board(a, EMPTY))),
        ir_store(13, ir_call(a, IR_CALL_attacked, 1, board(a, WHITE_KNIGHT))));
    static Trace t;
    run_all(m, 1000, &t);
    assert_int_equal(t.slot[0].s, 0xfe000000);
    assert_int_equal(t.slot[1].s, 1);
    assert_int_equal(t.slot[2].s, 0x0000ffffffff0000);
    assert_int_equal(t.slot[3].s, 0xff);
    assert_int_equal(t.slot[4].s, 0x8000000000000000);
    assert_int_equal(t.slot[5].s, 0);
    assert_int_equal(t.slot[9].i, 32);
    assert_int_equal(t.slot[10].i, 60);
    assert_int_equal(t.slot[11].i, WHITE_QUEEN);
    assert_int_equal(t.slot[12].s, 0x42);
    assert_int_equal(t.slot[13].s, 0xa51800); // d2 a3 c3 e2 f3 h3
    assert_int_equal(t.hit_count, 1);
    arena_free(m->arena);
}

static void test_moves(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    const uint64_t corners = 1 | 1ULL << 63;             // a1 h8
    const uint64_t pawns = 0x8100 | 0x8100000000000000U; // a2 h2 a8 h8
    m->function[0]->body =
        ir_new(a, IR_AND, IRT_BOOL, 4, ir_store(0, ir_unary(IR_WHITE_PAWN_ATTACKS, ir_set(a, pawns))),
               ir_store(1, ir_unary(IR_BLACK_PAWN_ATTACKS, ir_set(a, pawns))),
               ir_store(2, ir_unary(IR_KNIGHT_MOVES, ir_set(a, corners))),
               ir_store(3, ir_unary(IR_KING_MOVES, ir_set(a, corners))));
    static Trace t;
    run_all(m, 1000, &t);
    assert_int_equal(t.slot[0].s, 0x420000);                    // b3 g3
    assert_int_equal(t.slot[1].s, 0x42 | 0x42000000000000);     // b1 g1 b7 g7
    assert_int_equal(t.slot[2].s, 0x20400 | 0x20400000000000);  // c2 b3 g6 f7
    assert_int_equal(t.slot[3].s, 0x302 | 0x40c0000000000000U); // b1 a2 b2 g7 h7 g8
    arena_free(m->arena);
}

// Counts in slot 0 how often the body ran and stores the truth of the loop in slot 1.
static Ir *counted_loop(Module *m, Ir *loop, IrMode mode)
{
    Arena *a = m->arena;
    loop->mode = (uint8_t)mode;
    return ir_if(loop, ir_store(1, ir_int(a, 1)), ir_store(1, ir_int(a, 0)));
}

static void check_loop(IrMode mode, int stop, int rounds, int result)
{
    Module *m = new_module();
    Arena *a = m->arena;
    const int square = ir_new_local(m->function[0], IRT_INT);
    Ir *count = ir_store(0, ir_with_int(IR_ADD, ir_slot(a, IRT_INT, 0), 1));
    Ir *test = ir_binary(mode == MODE_ANY ? IR_EQ : IR_NE, ir_local(m->function[0], square), ir_int(a, stop));
    Ir *loop =
        ir_new(a, IR_EACH_SQUARE, IRT_BOOL, 2, ir_set(a, 0xf0), ir_new(a, IR_AND, IRT_BOOL, 2, count, test));
    loop->number = square;
    m->function[0]->body =
        ir_new(a, IR_AND, IRT_BOOL, 2, ir_with_int(IR_EQ, ir_current(a), 0), counted_loop(m, loop, mode));
    static Trace t;
    run_all(m, 1000, &t);
    assert_int_equal(t.slot[0].i, rounds);
    assert_int_equal(t.slot[1].i, result);
    assert_int_equal(t.steps, 1000 - rounds);
    arena_free(m->arena);
}

static void test_loops(void **state)
{
    (void)state;
    check_loop(MODE_EACH, 5, 4, 1);
    check_loop(MODE_ANY, 5, 2, 1);
    check_loop(MODE_ANY, 9, 4, 0);
    check_loop(MODE_ALL, 6, 3, 0);
    check_loop(MODE_ALL, 9, 4, 1);
}

// The sum of the plies of all nodes, once by a walk over all positions and once by recursion over the
// children.
static void test_tree(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    IrFunction *body = m->function[0];
    const int at = ir_new_local(body, IRT_POSITION);
    Ir *ply = ir_node(IR_NODE_PLY, ir_current(a));
    Ir *add = ir_store(0, ir_add(ir_slot(a, IRT_INT, 0), ply));
    Ir *count = numbered(ir_new(a, IR_GAME, IRT_INT, 0), IR_GAME_COUNT, 0);
    Ir *walk = ir_new(a, IR_EACH_POSITION, IRT_BOOL, 3, ir_int(a, 0), ir_with_int(IR_SUB, count, 1),
                      ir_at(ir_local(body, at), add));
    walk->number = at;
    int number;
    IrFunction *down = ir_new_function(m, "down", &number);
    const int where = ir_new_local(down, IRT_POSITION), child = ir_new_local(down, IRT_POSITION);
    Ir *given = ir_let(where, ir_position_of(ir_slot(a, IRT_INT, 2)));
    Ir *ply_there = ir_node(IR_NODE_PLY, ir_local(down, where));
    Ir *sum = ir_store(1, ir_add(ir_slot(a, IRT_INT, 1), ply_there));
    Ir *children = ir_new(
        a, IR_EACH_CHILD, IRT_BOOL, 2, ir_local(down, where),
        ir_new(a, IR_AND, IRT_BOOL, 2, ir_store(2, ir_int_of(ir_local(down, child))), ir_invoke(a, number)));
    children->number = child;
    down->body = ir_new(a, IR_AND, IRT_BOOL, 3, given, sum, children);
    body->body = ir_new(a, IR_AND, IRT_BOOL, 4, ir_with_int(IR_EQ, ir_current(a), 0), walk,
                        ir_store(2, ir_int(a, 0)), ir_invoke(a, number));
    int expected = 0;
    for (int i = 0; i < game()->view.count; i++)
        expected += game()->node[i].ply;
    static Trace t;
    run_all(m, 100000, &t);
    assert_int_equal(t.slot[0].i, expected);
    assert_int_equal(t.slot[1].i, expected);
    assert_int_equal(t.hit_count, 1);
    arena_free(m->arena);
}

static void test_step_budget(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    Ir *count = ir_store(0, ir_with_int(IR_ADD, ir_slot(a, IRT_INT, 0), 1));
    m->function[0]->body = ir_while(ir_bool(a, true), count);
    static Trace t;
    run_all(m, 100, &t);
    assert_int_equal(t.raised, RAISE_STEPS);
    assert_int_equal(t.slot[0].i, 99); // the hundredth round took the last step
    arena_free(m->arena);
}

static void test_depth(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    int number;
    IrFunction *down = ir_new_function(m, "down", &number);
    Ir *count = ir_store(0, ir_with_int(IR_ADD, ir_slot(a, IRT_INT, 0), 1));
    // The NOT keeps compilers from making a loop of the recursion.
    Ir *more = ir_not(numbered(ir_new(a, IR_INVOKE, IRT_BOOL, 0), number, 0));
    down->body = ir_new(a, IR_AND, IRT_BOOL, 2, count, more);
    m->function[0]->body = numbered(ir_new(a, IR_INVOKE, IRT_BOOL, 0), number, 0);
    static Trace t;
    run_all(m, 1000000, &t);
    assert_int_equal(t.raised, RAISE_MEMORY);
    assert_int_equal(t.slot[0].i, CALL_DEPTH);
    arena_free(m->arena);
}

static void test_texts(void **state)
{
    (void)state;
    Module *m = new_module();
    Arena *a = m->arena;
    static const char hostile[] = "\"); } /* */ \\ %s ?"
                                  "?/ \n\r\t\x7f\xff\x01"
                                  "123 \\x41 #include";
    const Ir *text = ir_text(m, hostile, sizeof hostile - 1);
    assert_int_equal(ir_text(m, hostile, sizeof hostile - 1)->number, text->number);
    m->slot_name = arena_alloc(a, CELLS * sizeof *m->slot_name);
    m->slot_name[3] = "x y}; int main(";
    m->info.source = hostile;
    m->info.matchstring = hostile;
    m->function[0]->body =
        ir_new(a, IR_AND, IRT_BOOL, 3, ir_store(6, ir_copy(text)), ir_store(3, ir_int(a, 1)),
               numbered(ir_new(a, IR_RAISE, IRT_BOOL, 0), RAISE_UNBOUND, text->number));
    static Trace t;
    run_all(m, 1000, &t);
    assert_int_equal(t.raised, RAISE_UNBOUND);
    assert_string_equal(t.detail, hostile);
    Engine e = open_engine(ENGINE_TCC, &m, 1);
    assert_string_equal(e.matcher->query->source, hostile);
    assert_string_equal(e.matcher->query->matchstring, hostile);
    engine_close(&e);
    arena_free(m->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_sets),  cmocka_unit_test(test_moves),
        cmocka_unit_test(test_loops),   cmocka_unit_test(test_tree),  cmocka_unit_test(test_step_budget),
        cmocka_unit_test(test_depth),   cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
