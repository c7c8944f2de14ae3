// Values and conditions: operands that follow each other, values held in locals, errors.
#include "internal.h"

#include <stdarg.h>
#include <string.h>

// ---- errors -----------------------------------------------------------------------------------------------

void value_error(Lower *l, const Ast *at, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    diag_add(l->diagnostics, DIAG_ERROR, at->span, "%s", text);
}

Value value_missing(Lower *l, const Ast *ast)
{
    value_error(l, ast, "`%s` cannot be lowered for its value", op_info[ast->op].name);
    return value_of(ir_bool(l->arena, false), ir_int(l->arena, 0));
}

Ir *value_raise(Lower *l, int code, const char *detail)
{
    if (l->showing)
        return ir_bool(l->arena, false);
    Ir *raise = ir_new(l->arena, IR_RAISE, IRT_BOOL, 0);
    raise->number = code;
    raise->low = ir_string(l->m, detail)->number;
    return ir_and(place_store(l->m, place_at(l->query, l->place)), raise);
}

// ---- held values ------------------------------------------------------------------------------------------

IrType value_type(Type type)
{
    static const IrType types[TYPE_COUNT] = {[TYPE_BOOL] = IRT_BOOL,
                                             [TYPE_INT] = IRT_INT,
                                             [TYPE_SET] = IRT_SET,
                                             [TYPE_STRING] = IRT_STRING,
                                             [TYPE_POSITION] = IRT_POSITION};
    return types[type];
}

static bool may_store(const Ir *node, const void *slot)
{
    return node->op == IR_INVOKE || (node->op == IR_STORE && node->number == ((const Ir *)slot)->number);
}

// Does evaluating `later` change the local or slot that the node reads?
static bool is_disturbed(const Ir *node, const void *later)
{
    return (node->op == IR_LOCAL && ir_writes_local(later, node->number)) ||
           (node->op == IR_SLOT && ir_has_node(later, may_store, node));
}

Value value_in_local(Lower *l, Value v)
{
    const int local = ir_new_local(l->f, (IrType)v.val->type);
    return value_of(ir_and(v.pre, ir_let(local, v.val)), ir_local(l->f, local));
}

Value value_hold(Lower *l, Value v)
{
    const bool stays =
        v.val->op == IR_INT || v.val->op == IR_SET || v.val->op == IR_STRING || v.val->op == IR_LOCAL;
    return stays ? v : value_in_local(l, v);
}

// Notes in l->written, locals first, what the tree writes (`value`: true) or takes that back; an INVOKE writes all slots.
static void note_writes(const Lower *l, const Ir *tree, bool value, bool *all_slots)
{
    const int local = ir_written_local(tree);
    if (local >= 0)
        l->written[local] = value;
    if (tree->op == IR_STORE)
        l->written[l->f->local_count + tree->number] = value;
    *all_slots |= tree->op == IR_INVOKE;
    for (int i = 0; i < tree->kid_count; i++)
        note_writes(l, tree->kid[i], value, all_slots);
}

// Does the tree read what is noted?
static bool reads_written(const Lower *l, const Ir *tree, bool all_slots)
{
    if ((tree->op == IR_LOCAL && l->written[tree->number]) ||
        (tree->op == IR_SLOT && (all_slots || l->written[l->f->local_count + tree->number])))
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (reads_written(l, tree->kid[i], all_slots))
            return true;
    return false;
}

// is_disturbed() for many values: what is written after each.
static void hold_disturbed(Lower *l, Value *v, int count)
{
    const int cells = l->f->local_count + l->m->info.slot_count + 1;
    if (cells > l->written_size) {
        l->written_size = 2 * cells;
        l->written = arena_alloc(l->arena, (size_t)l->written_size);
    }
    bool *disturbed = arena_alloc(l->arena, (size_t)count), all_slots = false;
    for (int i = count - 1; i >= 0; i--) {
        disturbed[i] = reads_written(l, v[i].val, all_slots);
        if (v[i].pre != NULL)
            note_writes(l, v[i].pre, true, &all_slots);
    }
    for (int i = 0; i < count; i++)
        if (v[i].pre != NULL)
            note_writes(l, v[i].pre, false, &all_slots);
    for (int i = 0; i < count; i++)
        if (disturbed[i])
            v[i] = value_in_local(l, v[i]);
}

Ir *value_join_all(Lower *l, Value *v, int count)
{
    IrParts pre = {0};
    if (count > 2)
        hold_disturbed(l, v, count);
    else if (count == 2 && v[1].pre != NULL && ir_has_node(v[0].val, is_disturbed, v[1].pre))
        v[0] = value_in_local(l, v[0]);
    for (int i = 0; i < count; i++)
        ir_append(&pre, v[i].pre);
    return pre.all;
}

Ir *value_join(Lower *l, Value *a, Value *b)
{
    Value both[2] = {*a, *b};
    Ir *pre = value_join_all(l, both, 2);
    *a = both[0];
    *b = both[1];
    return pre;
}

Ir *value_condition(Lower *l, Value v, Type type)
{
    return ir_or_true(l->arena, ir_and(v.pre, type == TYPE_SET ? ir_any(v.val) : NULL));
}

Ir *value_literal(Lower *l, const Ast *ast)
{
    return ir_text(l->m, ast->text, ast->text_length);
}

Value value_out(Lower *l, Ir *pre, Ir *call)
{
    const char *out =
        strpbrk(ir_call_info[call->number].parameters, "ISTX"); // capitals of the letters of types
    call->out = ir_new_local(l->f, ir_type_of((char)(*out | 0x20), IRT_BOOL));
    return value_of(ir_and(pre, call), ir_local(l->f, call->out));
}

Value value_arithmetic(Lower *l, IrOp op, Value a, Value b)
{
    const bool divides = op == IR_DIV || op == IR_MOD;
    if (divides)
        b = value_hold(l, b);
    Ir *pre = value_join(l, &a, &b);
    if (divides && !(b.val->op == IR_INT && b.val->number != 0))
        pre = ir_and(pre, ir_nonzero(ir_copy(b.val)));
    return value_of(pre, ir_binary(op, a.val, b.val));
}

// ---- positions --------------------------------------------------------------------------------------------

Ir *value_is_of_game(Lower *l, Ir *position)
{
    if (!l->imaginary || (l->imaginary_level == 0 && !l->saves_positions))
        return NULL;
    return ir_lt(ir_int_of(position), ir_game(l->arena, IR_GAME_COUNT));
}

Value value_lasting_position(Lower *l, Value position)
{
    if (!l->imaginary)
        return position;
    return value_in_local(l,
                          value_of(position.pre, ir_call(l->arena, IR_CALL_save_position, 1, position.val)));
}

Ir *value_has_parent(Lower *l)
{
    Ir *here = ir_current(l->arena);
    return l->imaginary ? ir_exists(ir_node(IR_NODE_PARENT, here)) : ir_with_int(IR_GT, ir_int_of(here), 0);
}

Ir *value_last_position(Lower *l)
{
    return ir_with_int(IR_SUB, ir_game(l->arena, IR_GAME_COUNT), 1);
}

Ir *value_is_ancestor(Ir *a, Ir *b, bool equal)
{
    return ir_and(ir_binary(equal ? IR_LE : IR_LT, a, b),
                  ir_le(ir_copy(b), ir_node(IR_NODE_LAST, ir_copy(a))));
}
