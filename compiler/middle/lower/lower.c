// The entry to the families of filters: a filter as a condition or for its value.
#include "internal.h"

#include <string.h>

// If a filter of type set has no square, what it binds may be unbound.
static Order order_of(const Ast *ast)
{
    const bool compound = ast->op == OP_COMPOUND || ast->op == OP_CALL;
    return compound && ast->type == TYPE_SET ? ORDER_CAREFUL : op_info[ast->op].order;
}

static const Lowering *row_of(const Lower *l, const Ast *ast)
{
    return &l->family[op_info[ast->op].family][ast->op];
}

int lower_number(const Lower *l, const Ast *ast)
{
    return row_of(l, ast)->number;
}

typedef struct Entry {
    Order order;
    uint32_t place;
    int saved;
    Scopes outer;
} Entry;

static Entry enter(Lower *l, const Ast *ast)
{
    Entry e = {order_of(ast), l->place, 0, l->in};
    if (row_of(l, ast)->outside_dash)
        l->in.dash = NULL;
    l->place = ast->span.start;
    if (e.order != ORDER_SEQUENTIAL)
        e.saved = bound_save(l);
    l->uncertain += e.order == ORDER_UNKNOWN;
    return e;
}

static void leave(Lower *l, Entry e)
{
    if (e.order != ORDER_SEQUENTIAL)
        bound_restore(l, e.saved);
    l->uncertain -= e.order == ORDER_UNKNOWN;
    l->place = e.place;
    l->in = e.outer;
}

static Value value_by(Lower *l, const Lowering *row, const Ast *ast)
{
    return row->value != NULL ? row->value(l, ast) : value_missing(l, ast);
}

// ---- conditions -------------------------------------------------------------------------------------------

Ir *lower_true(Lower *l, const Ast *ast)
{
    (void)ast;
    return ir_bool(l->arena, true);
}

Ir *lower_false(Lower *l, const Ast *ast)
{
    (void)ast;
    return ir_bool(l->arena, false);
}

Ir *lower_condition(Lower *l, const Ast *ast)
{
    const Entry e = enter(l, ast);
    const Lowering *row = row_of(l, ast);
    Ir *condition = row->condition != NULL ? row->condition(l, ast)
                                           : value_condition(l, value_by(l, row, ast), ast->type);
    leave(l, e);
    return condition;
}

Ir *lower_condition_clean(Lower *l, const Ast *ast)
{
    return log_rollback(l, lower_condition(l, ast), facts_add_text(l, ast));
}

Ir *lower_conditions(Lower *l, const Ast *ast, int count)
{
    IrParts all = {0};
    for (int i = 0; i < count; i++)
        ir_append(&all, lower_condition(l, ast->kid[i]));
    return all.all;
}

const Ast **lower_chain(Lower *l, const Ast *ast, int *count)
{
    const Op op = ast->op;
    *count = 1;
    for (const Ast *node = ast; node->op == op; node = node->kid[0])
        *count += node->kid_count - 1;
    const Ast **operand = arena_alloc(l->arena, sizeof *operand * (size_t)*count);
    int to = *count;
    for (; ast->op == op; ast = ast->kid[0])
        for (int i = ast->kid_count - 1; i > 0; i--)
            operand[--to] = ast->kid[i];
    operand[0] = ast;
    return operand;
}

// ---- values -----------------------------------------------------------------------------------------------

// Values no taller than this stay expressions: C compilers have limits of their own, and a person reads no
// further.
enum { VALUE_HEIGHT = 40 };

static bool is_taller(const Ir *ir, int height)
{
    if (height == 0)
        return true;
    for (int i = 0; i < ir->kid_count; i++)
        if (is_taller(ir->kid[i], height - 1))
            return true;
    return false;
}

Value lower_value(Lower *l, const Ast *ast)
{
    const Entry e = enter(l, ast);
    const Value value = value_by(l, row_of(l, ast), ast);
    leave(l, e);
    return is_taller(value.val, VALUE_HEIGHT) ? value_hold(l, value) : value;
}

Ir *lower_into(Lower *l, const Ast *ast, int local)
{
    const Value v = lower_value(l, ast);
    return ir_and(v.pre, ir_let(local, v.val));
}

Value lower_number_value(Lower *l, const Ast *ast)
{
    return value_of(NULL, ir_int(l->arena, lower_number(l, ast)));
}

Value lower_outside_dash(Lower *l, const Ast *ast)
{
    const Scopes outer = l->in;
    l->in.dash = NULL;
    const Value v = lower_value(l, ast);
    l->in = outer;
    return v;
}

Ir *lower_kids(Lower *l, const Ast *ast, Value **v)
{
    *v = arena_alloc(l->arena, sizeof **v * (size_t)ast->kid_count);
    for (int i = 0; i < ast->kid_count; i++)
        (*v)[i] = lower_value(l, ast->kid[i]);
    return value_join_all(l, *v, ast->kid_count);
}

Value lower_call(Lower *l, const Ast *ast, IrCall call)
{
    Value *v;
    Ir *pre = lower_kids(l, ast, &v), *node = ir_call(l->arena, call, 0);
    for (int i = 0; i < ast->kid_count; i++)
        ir_add_kid(node, v[i].val);
    const bool out = strpbrk(ir_call_info[call].parameters, "ISTX") != NULL;
    return out ? value_out(l, pre, node) : value_of(pre, node);
}

Value lower_call_value(Lower *l, const Ast *ast)
{
    return lower_call(l, ast, (IrCall)lower_number(l, ast));
}

static Value slice_bound(Lower *l, const Ast *bound)
{
    return bound != NULL ? lower_value(l, bound) : value_of(NULL, ir_int(l->arena, 0));
}

void lower_slice_bounds(Lower *l, const Ast *ast, Value *bound, int *missing)
{
    bound[0] = slice_bound(l, ast->kid_left);
    bound[1] = slice_bound(l, ast->kid_right);
    *missing = (ast->kid_left == NULL) | (ast->kid_right == NULL) << 1;
}
