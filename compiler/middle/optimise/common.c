// Makes equal runtime calls once: the first place that is always evaluated puts the result into a local.
#include "internal.h"

#include <string.h>

enum { WORTH_KEEPING = 30 }; // a local is cheaper than a call of this cost

typedef struct Common {
    Module *module;
    IrFunction *function;
} Common;

// Has the same value wherever it is evaluated at one position, and is safe to evaluate speculatively.
static bool is_candidate(const Ir *ir)
{
    return ir->op == IR_CALL && ir->out < 0 && ir->type != IRT_BOOL &&
           ir_call_info[ir->number].effect == PURE && ir_cost(ir) >= WORTH_KEEPING && ir_is_fixed(ir) &&
           ir_is_total(ir);
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
    case IR_EACH_ROW:
        return 0;
    default:
        return ir->kid_count;
    }
}

// The kids that are evaluated at the same position as the node.
static int kids_here(const Ir *ir)
{
    return ir->op == IR_AT ? 1 : ir->kid_count;
}

static int occurrences(const Ir *tree, const Ir *call)
{
    if (tree->op == IR_CALL && ir_equal(tree, call))
        return 1;
    int count = 0;
    for (int i = 0; i < kids_here(tree); i++)
        count += occurrences(tree->kid[i], call);
    return count;
}

static Ir *replace(const Common *c, Ir *tree, const Ir *call, int local)
{
    if (tree->op == IR_CALL && ir_equal(tree, call))
        return ir_local(c->function, local);
    for (int i = 0; i < kids_here(tree); i++)
        tree->kid[i] = replace(c, tree->kid[i], call, local);
    return tree;
}

// The first call that kid `from` of the list always makes and that the list makes again.
static const Ir *find_repeated(const Ir *list, int from, const Ir *tree)
{
    if (is_candidate(tree)) {
        int count = 0;
        for (int i = from; i < list->kid_count; i++)
            count += occurrences(list->kid[i], tree);
        if (count > 1)
            return tree;
    }
    const int certain = certain_kids(tree);
    for (int i = 0; i < certain; i++) {
        const Ir *found = find_repeated(list, from, tree->kid[i]);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static void insert_kid(Ir *list, int at, Ir *kid)
{
    ir_add_kid(list, kid);
    memmove(&list->kid[at + 1], &list->kid[at], sizeof(Ir *) * (size_t)(list->kid_count - 1 - at));
    list->kid[at] = kid;
}

static void share_in_list(const Common *c, Ir *list)
{
    for (int from = 0; from < list->kid_count; from++) {
        const Ir *call;
        while ((call = find_repeated(list, from, list->kid[from])) != NULL) {
            Ir *value = ir_copy(call);
            const int local = ir_new_local(c->function, (IrType)call->type);
            for (int i = from; i < list->kid_count; i++)
                list->kid[i] = replace(c, list->kid[i], value, local);
            insert_kid(list, from++, ir_let(local, value));
        }
    }
}

static void share(const Common *c, Ir *tree)
{
    if (tree->op == IR_AND)
        share_in_list(c, tree);
    for (int i = 0; i < tree->kid_count; i++)
        share(c, tree->kid[i]);
}

void share_calls(Module *m)
{
    for (int i = 0; i < m->function_count; i++) {
        const Common c = {m, m->function[i]};
        Ir *all = ir_unary(IR_AND, m->function[i]->body);
        share(&c, all);
        m->function[i]->body = all;
    }
}
