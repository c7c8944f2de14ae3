// What CQL 6.2 has no filter for: counts of pairs (language reference 11.4) and the comparison under an echo transform (11.7)
// of CQL 5, and what they share with CQL 3.
#include "runtime/match/calls/relation.h"
#include "internal.h"

// ---- counts of pairs --------------------------------------------------------------------------------------

static Value attack_pairs(Lower *l, const Ast *ast)
{
    Value a = lower_value(l, ast->kid[0]), b = lower_value(l, ast->kid[1]);
    Ir *pre = value_join(l, &a, &b);
    b = value_hold(l, b);
    const int square = ir_new_local(l->f, IRT_INT), count = ir_named_local(l->f, IRT_INT, "count");
    Ir *attacked = ir_call(l->arena, IR_CALL_attacked, 1, ir_bit(ir_local(l->f, square)));
    Ir *body = ir_let_sum(l->f, count, ir_count(ir_set_and(attacked, ir_copy(b.val))));
    return value_of(
        ir_all(4, pre, b.pre, ir_let_int(l->f, count, 0), ir_each_square(a.val, square, body, MODE_EACH)),
        ir_local(l->f, count));
}

// Adds one for each direction in which a chain from the square in the local reaches the last set.
static Ir *count_directions(Lower *l, const Ast *ast, const Value *v, int square, int count)
{
    const int directions = ast->number != 0 ? ast->number : 0xff;
    const int slider = (ast->flags & AST_CAPTURE) != 0;
    Ir *all = NULL;
    for (int d = 0; d < 8; d++) {
        if (!(directions >> d & 1))
            continue;
        Ir *walk = ir_call(l->arena, IR_CALL_chain_to, 2, ir_int(l->arena, 1 << d), ir_int(l->arena, slider));
        ir_add_kid(walk, ir_bit(ir_local(l->f, square)));
        for (int i = 1; i < ast->kid_count; i++)
            ir_add_kid(walk, ir_copy(v[i].val));
        all = ir_and(all, ir_always(ir_and(ir_any(walk), ir_increment(l->f, count))));
    }
    return all;
}

static Value ray_pairs(Lower *l, const Ast *ast)
{
    Value *v;
    Ir *pre = lower_kids(l, ast, &v);
    for (int i = 1; i < ast->kid_count; i++) {
        v[i].pre = NULL;
        v[i] = value_hold(l, v[i]);
        pre = ir_and(pre, v[i].pre);
    }
    const int square = ir_new_local(l->f, IRT_INT), count = ir_named_local(l->f, IRT_INT, "count");
    Ir *loop = ir_each_square(v[0].val, square, count_directions(l, ast, v, square, count), MODE_EACH);
    return value_of(ir_all(3, pre, ir_let_int(l->f, count, 0), loop), ir_local(l->f, count));
}

// ---- comparison under an echo transform -------------------------------------------------------------------

static const enum EchoTransform echo_transform[OP_COUNT_] = { // of other transforms: ECHO_FLIP
    [OP_FLIPVERTICAL] = ECHO_FLIPVERTICAL,
    [OP_FLIPHORIZONTAL] = ECHO_FLIPHORIZONTAL,
    [OP_ROTATE90] = ECHO_ROTATE90,
    [OP_SHIFT] = ECHO_SHIFT,
    [OP_SHIFTHORIZONTAL] = ECHO_SHIFTHORIZONTAL,
    [OP_SHIFTVERTICAL] = ECHO_SHIFTVERTICAL};

// The squares that are compared depend on the source alone.
static bool is_of_source(const Ast *squares)
{
    if (squares->op == OP_INTERSECT)
        return is_of_source(squares->kid[0]) && is_of_source(squares->kid[1]);
    return squares->op == OP_AT || squares->op == OP_ALL_SQUARES ||
           (squares->op == OP_DESIGNATOR && squares->pieces == (uint32_t)ANY_SQUARE);
}

bool relation_is_shift(const Ast *ast)
{
    return ast->op == OP_RELATION_SQUARES && echo_transform[ast->number] >= ECHO_SHIFT && ast->high == 0 &&
           is_of_source(ast->kid[0]);
}

Ir *relation_each_shifted(Lower *l, const Ast *ast, int target, Ir *round, Ir *done)
{
    const int squares = ir_named_local(l->f, IRT_SET, "squares");
    Ir *source = variable_read(l, ast->variable), *at = ir_local(l->f, target);
    Ir *first =
        ir_call(l->arena, IR_CALL_shifted_next, 3, source, ir_local(l->f, squares), ir_int(l->arena, -1));
    Ir *next =
        ir_call(l->arena, IR_CALL_shifted_next, 3, ir_copy(source), ir_local(l->f, squares), ir_int_of(at));
    Ir *more = ir_and(ir_with_int(IR_GE, ir_int_of(ir_copy(at)), 0), ir_not(done));
    return ir_all(3, lower_into(l, ast->kid[0], squares), ir_let(target, ir_position_of(first)),
                  ir_while(more, ir_and(ir_always(round), ir_let(target, ir_position_of(next)))));
}

static Ir *mapped_squares(Lower *l, const Ast *ast)
{
    const Value squares = lower_value(l, ast->kid[0]);
    Ir *call = ir_call(l->arena, IR_CALL_echo_squares, 8, variable_read(l, ast->variable),
                       ir_current(l->arena), squares.val, ir_int(l->arena, echo_transform[ast->number]),
                       ir_int(l->arena, ast->range.low.value), ir_int(l->arena, ast->range.high.value),
                       ir_int(l->arena, ast->low), ir_int(l->arena, ast->high));
    return ir_and(squares.pre, call);
}

// ---- the family -------------------------------------------------------------------------------------------

const Lowering lowering_relation[OP_COUNT_] = {
    [OP_ATTACK_PAIRS] = {attack_pairs},
    [OP_RAY_PAIRS] = {ray_pairs},
    [OP_RELATION_SQUARES] = {NULL, mapped_squares},
};
