// Intersections that ask for several attacks are made in stages: where the first leaves no square, the others are not asked
// for.
#include "internal.h"

static bool is_expensive(const Ir *set)
{
    return ir_costs_at_least(set, EXPENSIVE);
}

// Comes after what is cheaper. Few squares are in what pieces attack, most are in a complement of that.
static int rank(const Ir *set)
{
    return !is_expensive(set) ? 0 : set->op == IR_SET_NOT ? 2 : 1;
}

// Does the intersection of droppable operands have two that are expensive?
static bool has_stages(const Ir *set)
{
    int expensive = 0;
    for (int i = 0; set->op == IR_SET_AND && i < set->kid_count; i++)
        expensive += is_expensive(set->kid[i]);
    return expensive > 1 && ir_is_droppable(set);
}

static void put_cheap_first(Ir *set)
{
    for (int i = 1; i < set->kid_count; i++) {
        Ir *kid = set->kid[i];
        int to = i;
        for (; to > 0 && rank(set->kid[to - 1]) > rank(kid); to--)
            set->kid[to] = set->kid[to - 1];
        set->kid[to] = kid;
    }
}

// All stages of an intersection but the last one, which *set becomes. The condition is true when they leave any square.
static Ir *first_stages(IrFunction *f, Ir **set)
{
    Ir *stages = NULL, *stage = NULL;
    const Ir *all = *set;
    for (int i = 0; i < all->kid_count; i++) {
        stage = stage == NULL ? all->kid[i] : ir_set_and(stage, all->kid[i]);
        if (i == all->kid_count - 1 || !is_expensive(all->kid[i]))
            continue;
        const int local = ir_new_local(f, IRT_SET);
        stages = ir_all(3, stages, ir_let(local, stage), ir_any(ir_local(f, local)));
        stage = ir_local(f, local);
    }
    *set = stage;
    return stages;
}

// The condition, whose first operand is the intersection and which is true or false where that is empty.
static Ir *in_stages(IrFunction *f, Ir *condition, bool when_empty)
{
    put_cheap_first(condition->kid[0]);
    Ir *stages = first_stages(f, &condition->kid[0]);
    return when_empty ? ir_not(ir_and(stages, ir_not(condition))) : ir_and(stages, condition);
}

// Conditions that are values stay expressions.
static Ir *stage_tree(IrFunction *f, Ir *tree)
{
    for (int i = 0; i < tree->kid_count; i++)
        if (tree->kid[i]->type == IRT_BOOL && tree->type == IRT_BOOL && tree->op != IR_CHOOSE)
            tree->kid[i] = stage_tree(f, tree->kid[i]);
    const bool asks = tree->op == IR_ANY || tree->op == IR_EACH_SQUARE;
    if (!asks || !has_stages(tree->kid[0]))
        return tree;
    return in_stages(f, tree, tree->op == IR_EACH_SQUARE && tree->mode != MODE_ANY);
}

void stage_intersections(Module *m)
{
    for (int i = 0; i < m->function_count; i++)
        m->function[i]->body = stage_tree(m->function[i], m->function[i]->body);
}
