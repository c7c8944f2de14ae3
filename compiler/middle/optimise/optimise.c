// The optimiser: the passes in order, and the questions that they ask.
#include "internal.h"

#include <string.h>

bool is_droppable(const Ir *tree)
{
    return !ir_does_any(tree, IR_WRITES_LOCAL | IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES);
}

bool is_fixed(const Ir *tree)
{
    return !ir_does_any(tree, ~(unsigned)(IR_READS_POSITION | IR_READS_GAME));
}

// A runtime function that is given a position or a square of the query's must be able to rely on the tests
// before it.
static bool call_is_total(const Ir *call)
{
    return strpbrk(ir_call_info[call->number].parameters, "xtT") == NULL;
}

bool is_total(const Ir *tree)
{
    switch ((IrOp)tree->op) {
    case IR_DIV:
    case IR_MOD:
    case IR_SQRT:
    case IR_FIRST:
    case IR_AT:
    case IR_RAISE:
    case IR_EACH_CHILD:
    case IR_SQUARE:
        return false;
    case IR_NODE:
        return tree->kid[0]->op == IR_CURRENT;
    case IR_CALL:
        if (!call_is_total(tree))
            return false;
        break;
    default:
        break;
    }
    for (int i = 0; i < tree->kid_count; i++) {
        if (!is_total(tree->kid[i]))
            return false;
    }
    return true;
}

static int call_cost(const Ir *call)
{
    switch (call->number) {
    case IR_CALL_in_check:
    case IR_CALL_attackers:
    case IR_CALL_attacked:
        return 30;
    case IR_CALL_legal_to:
    case IR_CALL_legal_from:
    case IR_CALL_legal_count:
    case IR_CALL_pure_mate:
    case IR_CALL_has_legal_move:
        return 400;
    default:
        return 60;
    }
}

int cost(const Ir *tree)
{
    enum { LOOP = 6, LIMIT = 1000000 };
    int sum = tree->op == IR_CALL ? call_cost(tree) : 1;
    if (tree->op == IR_INVOKE)
        sum = 1000;
    for (int i = 0; i < tree->kid_count; i++)
        sum += cost(tree->kid[i]);
    switch ((IrOp)tree->op) {
    case IR_EACH_SQUARE:
    case IR_EACH_CHILD:
    case IR_WHILE:
        sum *= LOOP;
        break;
    case IR_EACH_POSITION:
    case IR_EACH_ROW:
        sum *= 8 * LOOP;
        break;
    default:
        break;
    }
    return sum < LIMIT ? sum : LIMIT;
}

Ir *rewrite_tree(Module *m, Ir *tree, Ir *(*rewrite)(Module *m, Ir *node))
{
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = rewrite_tree(m, tree->kid[i], rewrite);
    return rewrite(m, tree);
}

void rewrite_module(Module *m, Ir *(*rewrite)(Module *m, Ir *node))
{
    for (int i = 0; i < m->function_count; i++)
        m->function[i]->body = rewrite_tree(m, m->function[i]->body, rewrite);
    if (m->game_test != NULL)
        m->game_test = rewrite_tree(m, m->game_test, rewrite);
}

// Passes rewrite in place, so no node may stand in two places.
static void unshare(Module *m)
{
    for (int i = 0; i < m->function_count; i++)
        m->function[i]->body = ir_copy(m->arena, m->function[i]->body);
}

void optimise(Module *m)
{
    unshare(m);
    rewrite_module(m, fold_node);
    remove_dead_locals(m);
    unroll_attacks(m);
    rewrite_module(m, fold_node);
    roll_variants(m);
    order_tests(m);
    share_calls(m);
    remove_dead_locals(m);
    rewrite_module(m, fold_node);
    hoist_game_test(m);
}
