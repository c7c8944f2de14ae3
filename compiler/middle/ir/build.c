// Builders of IR that lowering and passes share.
#include "build.h"

#include <stdarg.h>

// ---- one or two operands ----------------------------------------------------------------------------------

Ir *ir_unary(IrOp op, Ir *a)
{
    return ir_new(a->arena, op, ir_type_of(ir_op_info[op].result, a->type), 1, a);
}

Ir *ir_binary(IrOp op, Ir *a, Ir *b)
{
    return ir_new(a->arena, op, ir_type_of(ir_op_info[op].result, b->type), 2, a, b);
}

Ir *ir_with_int(IrOp op, Ir *a, int32_t b)
{
    return ir_binary(op, a, ir_int(a->arena, b));
}

Ir *ir_shift_right(Ir *a, int bits)
{
    Ir *shift = ir_unary(IR_SHIFT_RIGHT, a);
    shift->number = bits;
    return shift;
}

Ir *ir_step(Ir *set, int files, int ranks)
{
    if (files == 0 && ranks == 0)
        return set;
    Ir *step = ir_unary(IR_STEP, set);
    step->number = files;
    step->low = ranks;
    return step;
}

Ir *ir_moved_back(const Ir *moves, Ir *set)
{
    switch ((IrOp)moves->op) {
    case IR_WHITE_PAWN_ATTACKS:
        return ir_unary(IR_BLACK_PAWN_ATTACKS, set);
    case IR_BLACK_PAWN_ATTACKS:
        return ir_unary(IR_WHITE_PAWN_ATTACKS, set);
    case IR_STEP:
        return ir_step(set, -moves->number, -moves->low);
    default:
        return ir_unary((IrOp)moves->op, set);
    }
}

Ir *ir_choose(Ir *test, Ir *yes, Ir *no)
{
    return ir_new(test->arena, IR_CHOOSE, yes->type, 3, test, yes, no);
}

// ---- conditions -------------------------------------------------------------------------------------------

static void add_flat(Ir *all, Ir *part)
{
    if (part->op != IR_AND) {
        ir_add_kid(all, part);
        return;
    }
    for (int i = 0; i < part->kid_count; i++)
        ir_add_kid(all, part->kid[i]);
}

Ir *ir_and(Ir *a, Ir *b)
{
    if (a == NULL || a->op == IR_TRUE)
        return b;
    if (b == NULL || b->op == IR_TRUE)
        return a;
    Ir *all = ir_new(a->arena, IR_AND, IRT_BOOL, 0);
    add_flat(all, a);
    add_flat(all, b);
    return all;
}

void ir_append(IrParts *p, Ir *part)
{
    Ir *all = ir_and(p->all, p->is_own ? NULL : part);
    if (p->is_own && part != NULL && part->op != IR_TRUE)
        add_flat(all, part);
    p->is_own = p->is_own || (all != p->all && all != part);
    p->all = all;
}

Ir *ir_all(int count, ...)
{
    Ir *all = NULL;
    va_list parts;
    va_start(parts, count);
    for (int i = 0; i < count; i++)
        all = ir_and(all, va_arg(parts, Ir *));
    va_end(parts);
    return all;
}

Ir *ir_or(Ir *a, Ir *b)
{
    if (a == NULL || b == NULL)
        return a != NULL ? a : b;
    return ir_binary(IR_OR, a, b);
}

Ir *ir_if(Ir *test, Ir *yes, Ir *no)
{
    return ir_new(test->arena, IR_IF, IRT_BOOL, 3, test, yes, no);
}

Ir *ir_always(Ir *node)
{
    return node == NULL || ir_always_true(node) ? node : ir_unary(IR_ALWAYS, node);
}

Ir *ir_nonzero(Ir *number)
{
    return ir_with_int(IR_NE, number, 0);
}

Ir *ir_exists(Ir *position)
{
    return ir_with_int(IR_GE, position->type == IRT_INT ? position : ir_int_of(position), 0);
}

Ir *ir_in_set(Ir *square, Ir *set)
{
    return ir_any(ir_set_and(set, ir_bit(square)));
}

Ir *ir_or_true(Arena *a, Ir *node)
{
    return node != NULL ? node : ir_bool(a, true);
}

Ir *ir_or_false(Arena *a, Ir *node)
{
    return node != NULL ? node : ir_bool(a, false);
}

Ir *ir_then_false(Arena *a, Ir *node)
{
    return ir_and(node, ir_bool(a, false));
}

const char *ir_joined_note(Arena *a, const char *const *note, int count)
{
    enum { SHOWN = 3 };
    if (count == 0)
        return NULL;
    if (count > SHOWN)
        return arena_printf(a, "%d variants: %s; ...; %s", count, note[0], note[count - 1]);
    const char *all = note[0];
    for (int i = 1; i < count; i++)
        all = arena_printf(a, "%s; %s", all, note[i]);
    return all;
}

// ---- opposites --------------------------------------------------------------------------------------------

IrOp ir_opposite(IrOp op)
{
    static const uint8_t opposite[IR_OP_COUNT] = {
        [IR_EQ] = IR_NE, [IR_NE] = IR_EQ, [IR_LT] = IR_GE, [IR_LE] = IR_GT, [IR_GT] = IR_LE, [IR_GE] = IR_LT};
    return (IrOp)opposite[op];
}

const Ir *ir_positive(const Ir *condition, bool *value)
{
    const Ir *a = condition->kid_count > 0 ? condition->kid[0] : NULL;
    switch ((IrOp)condition->op) {
    case IR_NOT:
        *value = !*value;
        return ir_positive(a, value);
    case IR_NE:
    case IR_LE:
    case IR_GE:
        *value = !*value;
        return ir_positive(ir_binary(ir_opposite((IrOp)condition->op), condition->kid[0], condition->kid[1]),
                           value);
    case IR_EQ:
        if (a->op != IR_SIDE || condition->kid[1]->op != IR_INT || condition->kid[1]->number != BLACK)
            return condition;
        *value = !*value;
        return ir_with_int(IR_EQ, condition->kid[0], WHITE);
    default:
        return condition;
    }
}

// ---- elsewhere, and loops ---------------------------------------------------------------------------------

Ir *ir_at(Ir *position, Ir *body)
{
    return ir_binary(IR_AT, position, ir_or_true(position->arena, body));
}

static Ir *loop(Ir *node, int local, Ir *body, IrMode mode)
{
    ir_add_kid(node, ir_or_true(node->arena, body));
    node->number = local;
    node->mode = (uint8_t)mode;
    return node;
}

Ir *ir_each_square(Ir *set, int local, Ir *body, IrMode mode)
{
    return loop(ir_unary(IR_EACH_SQUARE, set), local, body, mode);
}

Ir *ir_each_child(Ir *position, int local, Ir *body, IrMode mode)
{
    return loop(ir_unary(IR_EACH_CHILD, position), local, body, mode);
}

Ir *ir_each_ancestor(Ir *position, int local, Ir *body, IrMode mode)
{
    return loop(ir_unary(IR_EACH_ANCESTOR, position), local, body, mode);
}

Ir *ir_each_position(Ir *first, Ir *last, int local, Ir *body, IrMode mode)
{
    return loop(ir_binary(IR_EACH_POSITION, first, last), local, body, mode);
}

// ---- locals and slots -------------------------------------------------------------------------------------

Ir *ir_let_int(const IrFunction *f, int local, int32_t value)
{
    return ir_let(local, ir_int(f->arena, value));
}

Ir *ir_let_sum(const IrFunction *f, int local, Ir *added)
{
    return ir_let(local, ir_add(ir_local(f, local), added));
}

Ir *ir_increment(const IrFunction *f, int local)
{
    return ir_let_sum(f, local, ir_int(f->arena, 1));
}

Ir *ir_store_int(Arena *a, int slot, int32_t value)
{
    return ir_store(slot, ir_int(a, value));
}

Ir *ir_store_sum(const Module *m, int slot, int32_t added)
{
    return ir_store(slot, ir_with_int(IR_ADD, ir_read_slot(m, slot), added));
}

Ir *ir_copy_slot(const Module *m, int to, int from)
{
    return ir_store(to, ir_read_slot(m, from));
}

Ir *ir_slot_is(const Module *m, int slot, int32_t value)
{
    return ir_with_int(IR_EQ, ir_read_slot(m, slot), value);
}
