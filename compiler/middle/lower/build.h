// Short builders of IR for the files of the lowering.
#ifndef CQL_LOWER_BUILD_H
#define CQL_LOWER_BUILD_H

#include "internal.h"

static inline Ir *number(Lower *l, int32_t value)
{
    return ir_int(l->arena, value);
}

static inline Ir *bool1(Lower *l, IrOp op, Ir *a)
{
    return ir_new(l->arena, op, IRT_BOOL, 1, a);
}

static inline Ir *bool2(Lower *l, IrOp op, Ir *a, Ir *b)
{
    return ir_new(l->arena, op, IRT_BOOL, 2, a, b);
}

static inline Ir *int1(Lower *l, IrOp op, Ir *a)
{
    return ir_new(l->arena, op, IRT_INT, 1, a);
}

static inline Ir *int2(Lower *l, IrOp op, Ir *a, Ir *b)
{
    return ir_new(l->arena, op, IRT_INT, 2, a, b);
}

static inline Ir *set1(Lower *l, IrOp op, Ir *a)
{
    return ir_new(l->arena, op, IRT_SET, 1, a);
}

static inline Ir *set2(Lower *l, IrOp op, Ir *a, Ir *b)
{
    return ir_new(l->arena, op, IRT_SET, 2, a, b);
}

static inline Ir *choose(Lower *l, IrType type, Ir *test, Ir *yes, Ir *no)
{
    return ir_new(l->arena, IR_CHOOSE, type, 3, test, yes, no);
}

static inline Ir *read_local(Lower *l, int local)
{
    return ir_local(l->arena, l->function, local);
}

static inline Ir *let(Lower *l, int local, Ir *value)
{
    return ir_let(l->arena, local, value);
}

static inline Ir *let_int(Lower *l, int local, int32_t value)
{
    return ir_let(l->arena, local, number(l, value));
}

static inline Ir *let_increment(Lower *l, int local)
{
    return let(l, local, int2(l, IR_ADD, read_local(l, local), number(l, 1)));
}

static inline Ir *here(Lower *l)
{
    return ir_new(l->arena, IR_CURRENT, IRT_POSITION, 0);
}

static inline Ir *side(Lower *l)
{
    return ir_new(l->arena, IR_SIDE, IRT_INT, 0);
}

static inline Ir *board(Lower *l, int index)
{
    Ir *ir = ir_new(l->arena, IR_BOARD, IRT_SET, 0);
    ir->number = index;
    return ir;
}

static inline Ir *node_field(Lower *l, int field, Ir *position)
{
    return ir_node(l->arena, field, position);
}

static inline Ir *game_fact(Lower *l, int fact)
{
    Ir *ir = ir_new(l->arena, IR_GAME, IRT_INT, 0);
    ir->number = fact;
    return ir;
}

static inline Ir *position_of(Lower *l, Ir *id)
{
    return ir_new(l->arena, IR_POSITION_OF, IRT_POSITION, 1, id);
}

static inline Ir *compare(Lower *l, IrOp op, Ir *a, int32_t b)
{
    return bool2(l, op, a, number(l, b));
}

static inline Ir *any(Lower *l, Ir *set)
{
    return bool1(l, IR_ANY, set);
}

static inline Ir *negate(Lower *l, Ir *condition)
{
    return bool1(l, IR_NOT, condition);
}

// NULL stays NULL.
static inline Ir *always_true(Lower *l, Ir *node)
{
    return node == NULL ? NULL : ir_always_true(node) ? node : bool1(l, IR_ALWAYS, node);
}

static inline Ir *or_true(Lower *l, Ir *node)
{
    return node != NULL ? node : ir_bool(l->arena, true);
}

static inline Ir *while_loop(Lower *l, Ir *test, Ir *body)
{
    return bool2(l, IR_WHILE, test, body);
}

// A loop node: kids are given by the caller.
static inline Ir *loop_of(Ir *loop, int local, IrMode mode)
{
    loop->number = local;
    loop->mode = (uint8_t)mode;
    return loop;
}

static inline Ir *text_constant(Lower *l, const char *text)
{
    return ir_text(l->module, text, (uint32_t)__builtin_strlen(text));
}

static inline Value value_of(Ir *pre, Ir *val)
{
    return (Value){pre, val};
}

#endif
