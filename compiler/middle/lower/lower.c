// What all families of filters use: the dispatch to them, conditions and values, values held in locals,
// ranges, the cells of variables, and the rollback of the comment log.
#include "internal.h"

#include <stdarg.h>
#include <string.h>

// ---- errors and cells -------------------------------------------------------------------------------------

void lower_error(Lower *l, const Ast *at, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    diag_add(l->diagnostics, DIAG_ERROR, at->span, "%s", text);
}

int new_slot(Lower *l, const char *name)
{
    Module *m = l->m;
    const char *copy = arena_copy(l->arena, name, strlen(name));
    ARENA_PUSH(l->arena, m->slot_name, m->info.slot_count, copy);
    return m->info.slot_count - 1;
}

IrType ir_type_of(Type type)
{
    static const IrType types[TYPE_COUNT] = {[TYPE_BOOL] = IRT_BOOL,
                                             [TYPE_INT] = IRT_INT,
                                             [TYPE_SET] = IRT_SET,
                                             [TYPE_STRING] = IRT_STRING,
                                             [TYPE_POSITION] = IRT_POSITION};
    return types[type];
}

int text_index(Lower *l, const char *text)
{
    return ir_string(l->m, text)->number;
}

Ir *raise_error(Lower *l, int code, const char *detail)
{
    if (l->showing)
        return ir_bool(l->arena, false);
    Ir *raise = ir_new(l->arena, IR_RAISE, IRT_BOOL, 0);
    raise->number = code;
    raise->low = text_index(l, detail);
    Ir *place = store_place(l->m, place_at(l->query, l->place));
    return ir_new(l->arena, IR_AND, IRT_BOOL, 2, place, raise);
}

// ---- held values ------------------------------------------------------------------------------------------

// Does evaluating `tree` change the local (or the slot) `index`?
static bool writes(const Ir *tree, bool slot, int index)
{
    if (slot ? tree->op == IR_INVOKE || (tree->op == IR_STORE && tree->number == index)
             : ir_written_local(tree) == index)
        return true;
    for (int i = 0; i < tree->kid_count; i++)
        if (writes(tree->kid[i], slot, index))
            return true;
    return false;
}

// Does evaluating `later` change what `val` reads?
static bool disturbs(const Ir *later, const Ir *val)
{
    if ((val->op == IR_LOCAL || val->op == IR_SLOT) && writes(later, val->op == IR_SLOT, val->number))
        return true;
    for (int i = 0; i < val->kid_count; i++)
        if (disturbs(later, val->kid[i]))
            return true;
    return false;
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

Ir *values_join_all(Lower *l, Value *v, int count)
{
    for (int i = 0; i < count; i++)
        for (int later = i + 1; later < count; later++)
            if (v[later].pre != NULL && disturbs(v[later].pre, v[i].val)) {
                v[i] = value_in_local(l, v[i]);
                break;
            }
    Ir *pre = NULL;
    for (int i = 0; i < count; i++)
        pre = ir_and(pre, v[i].pre);
    return pre;
}

Ir *values_join(Lower *l, Value *a, Value *b)
{
    Value both[2] = {*a, *b};
    Ir *pre = values_join_all(l, both, 2);
    *a = both[0];
    *b = both[1];
    return pre;
}

Ir *condition_of(Lower *l, Value v, Type type)
{
    return ir_or_true(l->arena, ir_and(v.pre, type == TYPE_SET ? ir_any(v.val) : NULL));
}

Value set_or_empty(Lower *l, Ir *pre, Ir *val, bool text)
{
    if (pre == NULL || ir_always_true(pre))
        return value_of(pre, val);
    if (ir_is_droppable(pre))
        return value_of(NULL, ir_choose(pre, val, ir_set(l->arena, 0)));
    const int local = ir_new_local(l->f, IRT_SET);
    Ir *found = ir_and(with_rollback(l, pre, text), ir_let(local, val));
    return value_of(ir_and(ir_let(local, ir_set(l->arena, 0)), ir_always(found)), ir_local(l->f, local));
}

// ---- variables --------------------------------------------------------------------------------------------

int variable_slot(Lower *l, const Variable *v)
{
    if (l->variable_slot[v->number] < 0)
        l->variable_slot[v->number] = new_slot(l, v->hidden ? "argument" : v->name);
    return l->variable_slot[v->number];
}

int variable_bound_slot(Lower *l, const Variable *v)
{
    if (l->bound_slot[v->number] < 0)
        l->bound_slot[v->number] = new_slot(l, arena_printf(l->arena, "%s is bound", v->name));
    return l->bound_slot[v->number];
}

uint8_t *bound_save(Lower *l)
{
    const size_t size = (size_t)l->query->variable_count;
    uint8_t *saved = arena_alloc(l->arena, size + 1);
    if (size > 0)
        memcpy(saved, l->bound, size);
    return saved;
}

void bound_restore(Lower *l, const uint8_t *saved)
{
    if (l->query->variable_count > 0)
        memcpy(l->bound, saved, (size_t)l->query->variable_count);
}

void mark_bound(Lower *l, const Variable *v)
{
    if (l->uncertain == 0 && !(l->use[v->number] & (USE_LOOP | USE_UNBOUND | USE_ECHO)))
        l->bound[v->number] = 1;
}

Ir *require_bound(Lower *l, const Variable *v)
{
    const bool in_loop = l->loop_local[v->number] >= 0 && l->loop_function[v->number] == l->f;
    if (v->hidden || in_loop || l->bound[v->number] || (v->persistent && !(l->use[v->number] & USE_UNBOUND)))
        return NULL;
    Ir *bound = ir_nonzero(ir_slot(l->arena, IRT_INT, variable_bound_slot(l, v)));
    mark_bound(l, v);
    return ir_or(bound, raise_error(l, RAISE_UNBOUND, v->name));
}

// ---- positions --------------------------------------------------------------------------------------------

Ir *lower_has_parent(Lower *l)
{
    Ir *here = ir_current(l->arena);
    return l->imaginary ? ir_exists(ir_node(IR_NODE_PARENT, here)) : ir_with_int(IR_GT, ir_int_of(here), 0);
}

// ---- ranges -----------------------------------------------------------------------------------------------

Value lower_bound(Lower *l, const Bound *bound)
{
    if (bound->variable == NULL)
        return value_of(NULL, ir_int(l->arena, bound->value));
    return value_of(require_bound(l, bound->variable),
                    ir_slot(l->arena, IRT_INT, variable_slot(l, bound->variable)));
}

Ir *lower_range_test(Lower *l, const Range *range, Ir *value)
{
    if (!range->present || range->all)
        return ir_bool(l->arena, true);
    const Bound *low = &range->low, *high = &range->high;
    const bool constant = low->variable == NULL && high->variable == NULL;
    if (constant && low->value == high->value)
        return ir_with_int(IR_EQ, value, low->value);
    const Value least = lower_bound(l, low), greatest = lower_bound(l, high);
    return ir_all(4, least.pre, greatest.pre, ir_ge(value, least.val), ir_le(ir_copy(value), greatest.val));
}

// ---- the comment log --------------------------------------------------------------------------------------

CommentLevel comment_level(const Header *h)
{
    if (h->silent && (h->first_is_silent || !h->quiet))
        return LEVEL_SILENT;
    return h->quiet ? LEVEL_QUIET : LEVEL_NORMAL;
}

static bool names_position(const Ast *ast)
{
    for (int i = 0; i < ast->kid_count; i++)
        if (ast->kid[i]->type == TYPE_POSITION || ast->kid[i]->op == OP_DICTIONARY)
            return true;
    return false;
}

static bool node_adds_text(const Ast *node, void *user)
{
    const CommentLevel level = *(const CommentLevel *)user;
    if (level == LEVEL_SILENT)
        return false;
    switch (node->op) {
    case OP_COMMENT:
    case OP_SIMILARPOSITION:
        return true;
    case OP_FIND:
    case OP_ECHO:
    case OP_LINE:
    case OP_RELATION:
        return level == LEVEL_NORMAL && !(node->flags & AST_QUIET);
    case OP_PATH:
        return (level == LEVEL_NORMAL && !(node->flags & AST_QUIET)) || node->text != NULL ||
               node->kid_left != NULL || (node->flags & (AST_VERBOSE | AST_PIECEPATH)) != 0;
    case OP_MOVE:
        return node->kid_count > 0;
    case OP_STR:
        return names_position(node);
    case OP_MESSAGE:
        return names_position(node) || !(node->flags & AST_QUIET);
    default:
        return false;
    }
}

bool adds_text(const Lower *l, const Ast *ast)
{
    CommentLevel level = comment_level(&l->query->header);
    return ast_contains(ast, node_adds_text, &level);
}

static bool node_has_side_effects(const Ast *node, void *user)
{
    if (op_info[node->op].effect != EFFECT_MAY_WRITE)
        return op_info[node->op].effect == EFFECT_WRITES;
    switch (node->op) {
    case OP_ASSIGN: // hidden variables are read only by what follows
        return !node->variable->hidden;
    case OP_LINE:
        return (node->flags & AST_NESTBAN) != 0 || node_adds_text(node, user);
    case OP_HHDB:
        return node->range.present; // `hhdb sort`, see collect_facts
    default:
        return node_adds_text(node, user);
    }
}

bool has_side_effects(const Ast *ast)
{
    CommentLevel level = LEVEL_NORMAL;
    return ast_contains(ast, node_has_side_effects, &level);
}

Ir *with_rollback(Lower *l, Ir *node, bool text)
{
    if (!text || node == NULL || ir_always_true(node))
        return node;
    const int mark = ir_new_local(l->f, IRT_INT);
    Ir *cut = ir_and(ir_call(l->arena, IR_CALL_log_cut, 1, ir_local(l->f, mark)), ir_bool(l->arena, false));
    return ir_and(ir_let(mark, ir_call(l->arena, IR_CALL_log_mark, 0)), ir_or(node, cut));
}

Ir *lower_condition_clean(Lower *l, const Ast *ast)
{
    return with_rollback(l, lower_condition(l, ast), adds_text(l, ast));
}

// ---- dispatch ---------------------------------------------------------------------------------------------

typedef struct Lowering {
    Ir *(*condition)(Lower *l, const Ast *ast);
    Value (*value)(Lower *l, const Ast *ast);
} Lowering;

static const Lowering families[FAMILY_COUNT] = {
    [FAMILY_LOGIC] = {lower_logic_condition, lower_logic_value},
    [FAMILY_SETS] = {lower_sets_condition, lower_sets_value},
    [FAMILY_NAMES] = {lower_names_condition, lower_names_value},
    [FAMILY_TEXT] = {lower_text_condition, lower_text_value},
    [FAMILY_TREE] = {lower_tree_condition, lower_tree_value},
    [FAMILY_MOVES] = {lower_moves_condition, lower_moves_value},
    [FAMILY_PATHS] = {lower_path_condition, lower_path_value},
    [FAMILY_LINES] = {lower_line_condition, lower_line_value},
    [FAMILY_TRANSFORMED] = {lower_variants_condition, lower_variants_value},
    [FAMILY_RELATIONS] = {lower_relation_condition, lower_relation_value},
};

static const Lowering *lowering_of(Op op)
{
    return &families[op_info[op].family];
}

// Of filters of type set nothing is learned from one to the next: each may be empty.
static Order order_of(const Ast *ast)
{
    const bool compound = ast->op == OP_COMPOUND || ast->op == OP_CALL;
    return compound && ast->type == TYPE_SET ? ORDER_CAREFUL : op_info[ast->op].order;
}

typedef struct Entry {
    Order order;
    uint32_t place;
    uint8_t *saved;
} Entry;

static Entry enter(Lower *l, const Ast *ast)
{
    Entry e = {order_of(ast), l->place, NULL};
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
}

Ir *lower_condition(Lower *l, const Ast *ast)
{
    const Entry e = enter(l, ast);
    Ir *condition = lowering_of(ast->op)->condition(l, ast);
    leave(l, e);
    return condition;
}

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
    const Value value = lowering_of(ast->op)->value(l, ast);
    leave(l, e);
    return is_taller(value.val, VALUE_HEIGHT) ? value_hold(l, value) : value;
}

Ir *lower_into(Lower *l, const Ast *ast, int local)
{
    const Value v = lower_value(l, ast);
    return ir_and(v.pre, ir_let(local, v.val));
}
