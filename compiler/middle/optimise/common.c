// Makes equal runtime calls once: the first place that is always evaluated puts the result into a local.
#include "internal.h"

typedef struct Common {
    Module *module;
    IrFunction *function;
} Common;

// Has the same value wherever it is evaluated at one position, and is safe to evaluate speculatively.
static bool is_candidate(const Ir *ir)
{
    return ir->op == IR_CALL && ir->out < 0 && ir->type != IRT_BOOL &&
           (ir_call_info[ir->number].facts & CALL_EFFECT) == PURE && ir_is_fixed(ir) && ir_is_total(ir);
}

// How many of the first kids are evaluated whenever the node is, at the same position.
static int certain_kids(const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_AND:
    case IR_OR:
    case IR_IF:
    case IR_CHOOSE:
    case IR_EACH_SQUARE:
    case IR_EACH_CHILD:
    case IR_EACH_ANCESTOR:
    case IR_WHILE:
    case IR_AT:
        return ir->kid_count < 1 ? 0 : 1;
    case IR_EACH_POSITION:
        return 2;
    default:
        return ir->kid_count;
    }
}

// The kids that are evaluated at the same position as the node.
static int kids_here(const Ir *ir)
{
    return ir->op == IR_AT ? 1 : ir->kid_count;
}

// Where a call occurs in a list: in its kid `kid`. The places of equal calls are linked, the last one first.
typedef struct CallPlace {
    Ir **node;
    int kid, previous; // 1 + index, 0: none
} CallPlace;

// The calls of a list.
typedef struct Calls {
    const Common *common;
    TreeMap count; // by call: how often it occurs from the current kid on
    int *last;     // by number in `count`: the last place, 1 + index
    CallPlace *place;
    int place_count;
} Calls;

// Counts the candidates inside the tree, itself not included.
static void count_inside(Calls *s, Ir *tree, int kid)
{
    Arena *a = s->common->module->arena;
    for (int i = 0; i < kids_here(tree); i++) {
        if (is_candidate(tree->kid[i])) {
            int number = tree_find(&s->count, tree->kid[i]);
            if (number < 0) {
                int count = number = tree_number(&s->count, ir_copy(tree->kid[i]));
                ARENA_PUSH(a, s->last, count, 0);
            }
            s->count.entry[number].value++;
            const CallPlace place = {&tree->kid[i], kid, s->last[number]};
            ARENA_PUSH(a, s->place, s->place_count, place);
            s->last[number] = s->place_count;
        }
        count_inside(s, tree->kid[i], kid);
    }
}

// The candidates inside the tree do not count any more. is_gone: the tree is not used any more; its places become NULL.
static void uncount_inside(Calls *s, Ir *tree, bool is_gone)
{
    for (int i = 0; i < kids_here(tree); i++) {
        const int number = is_candidate(tree->kid[i]) ? tree_find(&s->count, tree->kid[i]) : -1;
        if (number >= 0)
            s->count.entry[number].value--;
        uncount_inside(s, tree->kid[i], is_gone);
        if (is_gone)
            tree->kid[i] = NULL;
    }
}

// The number of the first call inside the tree that is always made and that the list makes again, or -1.
static int find_repeated(const Calls *s, const Ir *tree)
{
    const int certain = certain_kids(tree);
    for (int i = 0; i < certain; i++) {
        int number = is_candidate(tree->kid[i]) ? tree_find(&s->count, tree->kid[i]) : -1;
        if (number < 0 || s->count.entry[number].value < 2)
            number = find_repeated(s, tree->kid[i]);
        if (number >= 0)
            return number;
    }
    return -1;
}

// The assignment of the call to a local, which takes its place everywhere from the kid on.
static Ir *share_call(Calls *s, int number, int from)
{
    IrFunction *f = s->common->function;
    Ir *value = ir_copy(s->count.entry[number].tree);
    const int local = ir_new_local(f, (IrType)value->type);
    s->count.entry[number].value = 0;
    for (int i = s->last[number]; i > 0 && s->place[i - 1].kid >= from; i = s->place[i - 1].previous) {
        Ir **node = s->place[i - 1].node;
        if (*node == NULL)
            continue;
        uncount_inside(s, *node, true);
        *node = ir_local(f, local);
    }
    return ir_let(local, value);
}

static void share_in_list(const Common *c, Ir *list)
{
    Calls s = {.common = c};
    for (int i = 0; i < list->kid_count; i++)
        count_inside(&s, list->kid[i], i);
    Ir *shared = ir_new(list->arena, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < list->kid_count && s.place_count > 0; i++) {
        int number;
        while ((number = find_repeated(&s, list->kid[i])) >= 0)
            ir_add_kid(shared, share_call(&s, number, i));
        uncount_inside(&s, list->kid[i], false);
        ir_add_kid(shared, list->kid[i]);
    }
    tree_map_free(&s.count);
    if (shared->kid_count > list->kid_count) {
        list->kid = shared->kid;
        list->kid_count = shared->kid_count;
    }
}

static void share_in_tree(const Common *c, Ir *tree)
{
    if (tree->op == IR_AND)
        share_in_list(c, tree);
    for (int i = 0; i < tree->kid_count; i++)
        share_in_tree(c, tree->kid[i]);
}

static int count_candidates(const Ir *tree)
{
    int count = is_candidate(tree);
    for (int i = 0; i < tree->kid_count; i++)
        count += count_candidates(tree->kid[i]);
    return count;
}

void share_calls(Module *m)
{
    for (int i = 0; i < m->function_count; i++) {
        if (count_candidates(m->function[i]->body) < 2)
            continue;
        const Common c = {m, m->function[i]};
        Ir *all = ir_unary(IR_AND, m->function[i]->body);
        share_in_tree(&c, all);
        m->function[i]->body = all;
    }
}
