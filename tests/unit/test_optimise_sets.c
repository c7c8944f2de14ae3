// What the optimiser does with sets: loops over squares become set algebra, intersections are made in stages, and disjoint sets
// are counted together. Random ones keep their meaning.
#include "optimise_fixture.h"

// ---- loops over squares -----------------------------------------------------------------------------------

static Ir *loop_square(Module *m, int local)
{
    return ir_bit(ir_local(m->function[0], local));
}

static Ir *random_step(Ir *set)
{
    Ir *step = ir_unary(IR_STEP, set);
    step->number = (int32_t)random_below(5) - 2;
    step->low = (int32_t)random_below(5) - 2;
    return step;
}

// Some steps from the square, some of them kept in locals, lead to a square of a set.
static Ir *steps_condition(Module *m, int local)
{
    IrFunction *f = m->function[0];
    const int near = ir_new_local(f, IRT_SET), far = ir_new_local(f, IRT_SET);
    Ir *first = random_step(loop_square(m, local));
    if (random_below(3) == 0)
        first = ir_set_and(first, random_board(m));
    Ir *assign = ir_let(near, random_below(3) ? first : ir_set_or(first, loop_square(m, local)));
    Ir *more = ir_let(far, ir_set_or(ir_local(f, near), random_step(ir_local(f, near))));
    Ir *union_of_steps = ir_set_or(ir_local(f, far), random_step(ir_local(f, random_below(2) ? near : far)));
    return ir_all(3, assign, more, ir_any(ir_set_and(random_board(m), union_of_steps)));
}

// A condition on the square in a local.
static Ir *square_condition(Module *m, int local, int depth)
{
    Arena *a = m->arena;
    Ir *here = loop_square(m, local), *some = random_board(m), *other = random_board(m);
    switch (random_below(depth > 0 ? 11 : 6)) {
    case 10:
        return steps_condition(m, local);
    case 0:
        return ir_any(ir_set_and(here, some));
    case 1:
        return ir_any(ir_call(a, IR_CALL_attackers, 2, some, here));
    case 2:
        return ir_any(ir_call(a, IR_CALL_attackers, 2, here, some));
    case 3:
        return ir_any(ir_call(a, IR_CALL_attackers, 2, ir_set_and(some, here), other));
    case 4:
        return ir_any(ir_new(a, IR_SET_AND, IRT_SET, 3, some, ir_call(a, IR_CALL_attacked, 1, here), other));
    case 5:
        return ir_gt(ir_count(ir_call(a, IR_CALL_attackers, 2, some, here)),
                     ir_count(ir_call(a, IR_CALL_attackers, 2, other, ir_copy(here))));
    case 6:
        return ir_not(square_condition(m, local, depth - 1));
    case 7:
        return ir_or(square_condition(m, local, depth - 1), square_condition(m, local, depth - 1));
    default:
        return ir_and(square_condition(m, local, depth - 1), square_condition(m, local, depth - 1));
    }
}

// A loop that tests, or collects the squares that pass a test and is true when there are at least two.
static Ir *random_loop(Module *m, IrFunction *f)
{
    const int square = ir_new_local(f, IRT_INT), found = ir_new_local(f, IRT_SET),
              sum = ir_new_local(f, IRT_INT);
    Ir *test = square_condition(m, square, 3), *domain = random_board(m);
    if (random_below(4) == 0) { // a loop in a loop, over what the square attacks
        const int goal = ir_new_local(f, IRT_INT);
        Ir *goals =
            ir_set_and(random_board(m), ir_call(m->arena, IR_CALL_attacked, 1, loop_square(m, square)));
        const IrMode mode = random_below(2) ? MODE_ALL : MODE_ANY;
        test = ir_and(test, ir_each_square(goals, goal, square_condition(m, goal, 2), mode));
    }
    const uint32_t mode = random_below(4);
    if (mode < 2)
        return ir_each_square(domain, square, test, mode == 0 ? MODE_ANY : MODE_ALL);
    Ir *more = ir_and(test, ir_let(found, ir_set_or(ir_local(f, found), loop_square(m, square))));
    if (mode == 3)
        more = ir_and(more, ir_let_sum(f, sum, ir_int(m->arena, 3)));
    Ir *loop = ir_each_square(domain, square, ir_always(more), MODE_EACH);
    Ir *start = ir_and(ir_let(found, ir_set(m->arena, 0)), ir_let_int(f, sum, 0));
    Ir *enough = ir_with_int(IR_GE, ir_count(ir_local(f, found)), 2);
    return ir_all(4, start, loop, enough, ir_with_int(IR_NE, ir_local(f, sum), 9));
}

static void loops_keep_their_meaning(void **state)
{
    (void)state;
    for (seed = 1; seed < 400000; seed = seed * 5 / 4 + 1) {
        const uint64_t first = seed;
        for (int i = 0; i < 12; i++) {
            Module *m = new_module(random_loop);
            assert_unchanged(m);
            arena_free(m->arena);
        }
        seed = first;
    }
}

// square x in A {x<-a not x<-A}
static Ir *loose_pieces(Module *m, IrFunction *f)
{
    const int square = ir_new_local(f, IRT_INT);
    Ir *attacked =
        ir_any(ir_call(m->arena, IR_CALL_attackers, 2, board_node(m, BOARD_BLACK), loop_square(m, square)));
    Ir *covered =
        ir_any(ir_call(m->arena, IR_CALL_attackers, 2, board_node(m, BOARD_WHITE), loop_square(m, square)));
    return ir_each_square(board_node(m, BOARD_WHITE), square, ir_and(attacked, ir_not(covered)), MODE_ANY);
}

// square x in R {square y in p {up x & y}}, with the squares in a local
static Ir *file_below(Module *m, IrFunction *f)
{
    const int x = ir_new_local(f, IRT_INT), y = ir_new_local(f, IRT_INT), above = ir_new_local(f, IRT_SET);
    Ir *step = ir_unary(IR_STEP, loop_square(m, x)), *next = ir_unary(IR_STEP, ir_local(f, above));
    step->low = next->low = 1;
    Ir *meets = ir_any(ir_set_and(loop_square(m, y), ir_set_or(ir_local(f, above), next)));
    Ir *inner =
        ir_each_square(board_node(m, BLACK_PAWN), y, ir_and(ir_let(above, step), meets), MODE_ANY);
    return ir_each_square(board_node(m, WHITE_ROOK), x, inner, MODE_ANY);
}

static void tests_of_squares_become_sets(void **state)
{
    (void)state;
    Module *m = new_module(file_below);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_EACH_SQUARE), 0);
    arena_free(m->arena);
    m = new_module(loose_pieces);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_EACH_SQUARE), 0);
    assert_int_equal(calls_in(m->function[0]->body), 2);
    arena_free(m->arena);
}

// square all x in R attackedby Q {x attacks k}
static Ir *attacked_rooks(Module *m, IrFunction *f)
{
    const int square = ir_new_local(f, IRT_INT);
    Ir *domain = ir_set_and(board_node(m, WHITE_ROOK),
                            ir_call(m->arena, IR_CALL_attacked, 1, board_node(m, WHITE_QUEEN)));
    Ir *attacks =
        ir_call(m->arena, IR_CALL_attackers, 2, loop_square(m, square), board_node(m, BLACK_KING));
    return ir_each_square(domain, square, ir_any(attacks), MODE_ALL);
}

// square all x in _ {x attackedby Q x attackedby q}
static Ir *attacked_twice(Module *m, IrFunction *f)
{
    const int square = ir_new_local(f, IRT_INT);
    Ir *white = ir_call(m->arena, IR_CALL_attacked, 1, board_node(m, WHITE_QUEEN));
    Ir *black = ir_call(m->arena, IR_CALL_attacked, 1, board_node(m, BLACK_QUEEN));
    Ir *test = ir_and(ir_any(ir_set_and(loop_square(m, square), white)),
                      ir_any(ir_set_and(loop_square(m, square), black)));
    return ir_each_square(board_node(m, EMPTY), square, test, MODE_ALL);
}

// The first call of the function in the tree, or NULL.
static const Ir *find_call(const Ir *tree, IrCall call)
{
    if (tree->op == IR_CALL && tree->number == (int)call)
        return tree;
    const Ir *found = NULL;
    for (int i = 0; i < tree->kid_count && found == NULL; i++)
        found = find_call(tree->kid[i], call);
    return found;
}

static void attacks_are_asked_for_as_late_as_possible(void **state)
{
    (void)state;
    Module *m = new_module(attacked_rooks);
    assert_unchanged(m);
    const Ir *call = find_call(m->function[0]->body, IR_CALL_attackers);
    assert_int_equal(ir_exact_kinds(call->kid[0]), 1 << WHITE_ROOK); // not all men
    assert_int_equal(count_op(m->function[0]->body, IR_LET), 0);
    stage_intersections(m);
    assert_int_equal(count_op(m->function[0]->body, IR_LET), 1);
    assert_int_equal(calls_in(m->function[0]->body), 2);
    arena_free(m->arena);
    m = new_module(attacked_twice);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_ANY), 2);
    arena_free(m->arena);
}

// An intersection with two expensive operands and the domain of a loop, in each mode.
static Ir *random_stages(Module *m, IrFunction *f)
{
    static const IrMode modes[] = {MODE_ANY, MODE_ALL, MODE_EACH};
    Ir *set = random_board(m);
    for (int i = 2 + (int)random_below(2); i > 0; i--) {
        Ir *call = random_below(2)
                       ? ir_call(m->arena, IR_CALL_attacked, 1, random_board(m))
                       : ir_call(m->arena, IR_CALL_attackers, 2, random_board(m), random_board(m));
        set = ir_set_and(set, random_below(3) ? call : ir_set_not(call));
    }
    const int square = ir_new_local(f, IRT_INT), sum = ir_new_local(f, IRT_INT);
    const IrMode mode = modes[random_below(3)];
    if (random_below(3) == 0)
        return random_below(2) ? ir_any(set) : ir_not(ir_any(set));
    Ir *body = ir_with_int(IR_GE, ir_local(f, square), (int32_t)random_below(64));
    if (mode == MODE_EACH)
        body = ir_always(ir_and(body, ir_let_sum(f, sum, ir_int(m->arena, 1))));
    Ir *loop = ir_each_square(set, square, body, mode);
    return ir_all(3, ir_let_int(f, sum, 0), loop, ir_with_int(IR_NE, ir_local(f, sum), 2));
}

static void stages_keep_their_meaning(void **state)
{
    (void)state;
    seed = 5;
    for (int i = 0; i < 600; i++) {
        Module *m = new_module(random_stages);
        assert_unchanged(m);
        arena_free(m->arena);
    }
}

// ---- sums of numbers of squares ---------------------------------------------------------------------------

// Sums and differences of numbers of squares, some with a factor, compared with a number.
static Ir *random_sum(Module *m, IrFunction *f)
{
    (void)f;
    Ir *sum = ir_count(random_set(m, 1));
    for (int i = 1 + (int)random_below(6); i > 0; i--) {
        Ir *term = ir_count(random_set(m, (int)random_below(2)));
        if (random_below(3) == 0)
            term = ir_with_int(IR_MUL, term, (int32_t)random_below(3) + 1);
        sum = random_below(3) ? ir_add(sum, term) : ir_sub(sum, term);
    }
    return ir_with_int(IR_GT, sum, (int32_t)random_below(12));
}

static void sums_keep_their_meaning(void **state)
{
    (void)state;
    seed = 9;
    for (int i = 0; i < 1500; i++) {
        Module *m = new_module(random_sum);
        assert_unchanged(m);
        arena_free(m->arena);
    }
}

static Ir *times(Ir *set, int32_t factor)
{
    return ir_with_int(IR_MUL, ir_count(set), factor);
}

// 5 #R + 3 #N + 3 #B - 5 #r - 3 #n - 3 #b > 2: four numbers
static Ir *balance(Module *m, IrFunction *f)
{
    (void)f;
    Ir *sum = ir_add(times(board_node(m, WHITE_ROOK), 5), times(board_node(m, WHITE_KNIGHT), 3));
    sum = ir_add(sum, times(board_node(m, WHITE_BISHOP), 3));
    sum = ir_sub(sum, times(board_node(m, BLACK_ROOK), 5));
    sum = ir_sub(sum, times(board_node(m, BLACK_KNIGHT), 3));
    sum = ir_sub(sum, times(board_node(m, BLACK_BISHOP), 3));
    return ir_with_int(IR_GT, sum, 2);
}

// #R + #[Rr] > 1
static Ir *overlapping(Module *m, IrFunction *f)
{
    (void)f;
    Ir *rooks = ir_set_or(board_node(m, WHITE_ROOK), board_node(m, BLACK_ROOK));
    return ir_with_int(IR_GT, ir_add(ir_count(board_node(m, WHITE_ROOK)), ir_count(rooks)), 1);
}

// #Ra1-h4 + #Ra5-h8 + #k > 2: one number
static Ir *halves(Module *m, IrFunction *f)
{
    (void)f;
    Ir *near = ir_count(pieces_on(m, WHITE_ROOK, 0xFFFFFFFF)),
       *far = ir_count(pieces_on(m, WHITE_ROOK, ~0xFFFFFFFFULL));
    return ir_with_int(IR_GT, ir_add(ir_add(near, far), ir_count(board_node(m, BLACK_KING))), 2);
}

static void assert_counts(Ir *(*body)(Module *m, IrFunction *f), int expected)
{
    Module *m = new_module(body);
    assert_unchanged(m);
    assert_int_equal(count_op(m->function[0]->body, IR_COUNT), expected);
    arena_free(m->arena);
}

static void disjoint_sets_are_counted_together(void **state)
{
    (void)state;
    assert_counts(balance, 4);
    assert_counts(overlapping, 2);
    assert_counts(halves, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_keep_their_meaning),
        cmocka_unit_test(tests_of_squares_become_sets),
        cmocka_unit_test(attacks_are_asked_for_as_late_as_possible),
        cmocka_unit_test(stages_keep_their_meaning),
        cmocka_unit_test(sums_keep_their_meaning),
        cmocka_unit_test(disjoint_sets_are_counted_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
