// Conditions on the game alone (tags, say) are evaluated once a game: where the first position asks for one, a cell takes
// the answer for the others. Runs after the screen has been derived, which looks through the conditions.
#include "internal.h"

#include "compiler/middle/ir/closed.h"
#include "runtime/value/account.h"

#include <stdlib.h>

// Values of a cell; cells are zero at the beginning of each game.
enum { UNKNOWN, IS_FALSE, IS_TRUE };

typedef struct Once {
    Module *m;
    int *uses;  // by local: places in the function
    bool *seen; // by function
    int *
        next; // functions that were seen and are still to be visited: a path may call one for each of its moves
    int next_count;
} Once;

static bool is_of_game(const Once *o, const Ir *tree)
{
    return tree->type == IRT_BOOL && tree->op != IR_PLACE && ir_noted_any(tree, IR_CALLS) &&
           !ir_noted_any(tree, IR_READS_POSITION | IR_EFFECT | IR_VOLATILE | IR_INVOKES) &&
           depends_only_on_position(tree, o->uses);
}

static Ir *evaluated_once(const Once *o, Ir *condition)
{
    Module *m = o->m;
    Arena *a = m->arena;
    const int cell = ir_new_slot(m, IRT_INT, "fact of the game");
    Ir *ask = ir_all(3, ir_store_int(a, cell, IS_FALSE), condition, ir_store_int(a, cell, IS_TRUE));
    return ir_and(ir_if(ir_slot_is(m, cell, UNKNOWN), ir_always(ask), ir_bool(a, true)),
                  ir_slot_is(m, cell, IS_TRUE));
}

static void see(Once *o, int number)
{
    if (!o->seen[number])
        o->next[o->next_count++] = number;
    o->seen[number] = true;
}

static Ir *visit(Once *o, Ir *tree)
{
    if (is_of_game(o, tree))
        return evaluated_once(o, tree);
    if (tree->op == IR_INVOKE)
        see(o, tree->number);
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = visit(o, tree->kid[i]);
    return tree;
}

static void visit_function(Once *o, int number)
{
    IrFunction *f = o->m->function[number];
    o->uses = account_new((size_t)f->local_count + 1, sizeof *o->uses);
    ir_count_uses(f->body, o->uses, o->uses, 1);
    f->body = visit(o, f->body);
    account_free(o->uses);
}

// Not the game test and the conditions on tags, which are evaluated before the cells are emptied.
void evaluate_once(Module *m)
{
    ir_forget_notes(m);
    Once o = {.m = m,
              .seen = account_new((size_t)m->function_count, sizeof(bool)),
              .next = account_new((size_t)m->function_count, sizeof(int))};
    see(&o, 0);
    for (int i = 0; i < m->info.remembered_count; i++)
        see(&o, m->remembered[i]);
    while (o.next_count > 0)
        visit_function(&o, o.next[--o.next_count]);
    account_free(o.next);
    account_free(o.seen);
}
