// The slots of variables, which variables are certainly bound (language reference 7.1), and ranges, whose
// bounds may be variables (2.8).
#include "internal.h"

// ---- slots ------------------------------------------------------------------------------------------------

int variable_slot(Lower *l, const Variable *v)
{
    int *slot = &l->variable_slot[v->number];
    if (*slot < 0)
        *slot = ir_new_slot(l->m, v->kind == VARIABLE_PIECE ? IRT_INT : value_type(variable_type(v)),
                            v->hidden ? "argument" : v->name);
    return *slot;
}

int variable_bound_slot(Lower *l, const Variable *v)
{
    int *slot = &l->bound_slot[v->number];
    if (*slot < 0)
        *slot = ir_new_slot(l->m, IRT_INT, arena_printf(l->arena, "%s is bound", v->name));
    return *slot;
}

static bool has_functions(const Ast *node, void *user)
{
    (void)user;
    return node->op == OP_PATH || node->op == OP_LINE || node->op == OP_REPEAT;
}

bool variable_may_be_local(const Lower *l, const Variable *v, VariableUse use, const Ast *body)
{
    return l->use[v->number] == use && !ast_contains_kept(body, KEPT_HAS_FUNCTIONS, has_functions, NULL);
}

void variable_enter_local(Lower *l, const Variable *v, int local)
{
    ir_name_local(l->f, local, v->name);
    l->loop_local[v->number] = local;
    l->loop_function[v->number] = l->f;
}

void variable_leave_local(Lower *l, const Variable *v)
{
    l->loop_local[v->number] = -1;
}

static bool in_local(const Lower *l, const Variable *v)
{
    return l->loop_local[v->number] >= 0 && l->loop_function[v->number] == l->f;
}

Ir *variable_read(Lower *l, const Variable *v)
{
    if (!in_local(l, v))
        return ir_read_slot(l->m, variable_slot(l, v));
    Ir *local = ir_local(l->f, l->loop_local[v->number]);
    return v->kind == VARIABLE_SET ? ir_bit(local) : local;
}

Ir *variable_is_bound(Lower *l, const Variable *v)
{
    return ir_nonzero(ir_read_slot(l->m, variable_bound_slot(l, v)));
}

Ir *variable_bind(Lower *l, const Variable *v, Ir *value)
{
    Ir *store = ir_store(variable_slot(l, v), value);
    return ir_and(store, ir_store_int(l->arena, variable_bound_slot(l, v), 1));
}

Ir *variable_unbind(Lower *l, const Variable *v)
{
    return ir_store_int(l->arena, variable_bound_slot(l, v), 0);
}

Ir *variable_require_unbound(Lower *l, const Variable *v)
{
    Ir *unbound = ir_not(variable_is_bound(l, v));
    return ir_or(unbound, value_raise(l, RAISE_BOUND, v->name));
}

// ---- certainly bound --------------------------------------------------------------------------------------

int bound_save(Lower *l)
{
    return l->bound_count;
}

void bound_restore(Lower *l, int saved)
{
    while (l->bound_count > saved)
        l->bound[l->bound_order[--l->bound_count]] = 0;
}

static void set_bound(Lower *l, const Variable *v)
{
    if (l->bound[v->number])
        return;
    l->bound[v->number] = 1;
    l->bound_order[l->bound_count++] = v->number;
}

int bound_enter(Lower *l, const Variable *v)
{
    const int saved = bound_save(l);
    if (!(l->use[v->number] & USE_UNBOUND))
        set_bound(l, v);
    return saved;
}

// From here on the variable is certainly bound, if this place is certainly reached.
static void mark_bound(Lower *l, const Variable *v)
{
    if (l->uncertain == 0 && !(l->use[v->number] & (USE_LOOP | USE_UNBOUND | USE_ECHO)))
        set_bound(l, v);
}

static bool is_certainly_bound(const Lower *l, const Variable *v)
{
    return v->hidden || l->bound[v->number] || (v->persistent && !(l->use[v->number] & USE_UNBOUND));
}

Ir *variable_assign(Lower *l, const Variable *v, Ir *value)
{
    if (v->persistent && v->kind == VARIABLE_STRING)
        value = ir_call(l->arena, IR_CALL_keep, 1, value);
    if (is_certainly_bound(l, v))
        return ir_store(variable_slot(l, v), value);
    mark_bound(l, v);
    return variable_bind(l, v, value);
}

Ir *variable_require_bound(Lower *l, const Variable *v)
{
    if (in_local(l, v) || is_certainly_bound(l, v))
        return NULL;
    Ir *bound = variable_is_bound(l, v);
    mark_bound(l, v);
    return ir_or(bound, value_raise(l, RAISE_UNBOUND, v->name));
}

// ---- ranges -----------------------------------------------------------------------------------------------

Value range_bound(Lower *l, const Bound *bound)
{
    if (bound->variable == NULL)
        return value_of(NULL, ir_int(l->arena, bound->value));
    Ir *pre = variable_require_bound(l, bound->variable);
    return value_of(pre, ir_read_slot(l->m, variable_slot(l, bound->variable)));
}

Ir *range_test(Lower *l, const Range *range, Ir *value)
{
    if (!range->present || range->all)
        return ir_bool(l->arena, true);
    const Bound *low = &range->low, *high = &range->high;
    const bool constant = low->variable == NULL && high->variable == NULL;
    if (constant && low->value == high->value)
        return ir_with_int(IR_EQ, value, low->value);
    const Value least = range_bound(l, low), greatest = range_bound(l, high);
    return ir_all(4, least.pre, greatest.pre, ir_ge(value, least.val), ir_le(ir_copy(value), greatest.val));
}
