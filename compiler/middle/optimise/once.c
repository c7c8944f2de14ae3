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
    int *uses; // by local: places in the function
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

static Ir *ask_once(const Once *o, Ir *tree)
{
    if (is_of_game(o, tree))
        return evaluated_once(o, tree);
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = ask_once(o, tree->kid[i]);
    return tree;
}

// Atoms are evaluated before the cells are emptied.
void evaluate_once(Module *m)
{
    ir_forget_notes(m);
    for (int i = 0; i < m->function_count; i++) {
        IrFunction *f = m->function[i];
        if (ir_is_tag_atom(m, i))
            continue;
        Once o = {m, account_new((size_t)f->local_count + 1, sizeof(int))};
        ir_count_uses(f->body, o.uses, o.uses, 1);
        f->body = ask_once(&o, f->body);
        account_free(o.uses);
    }
}
