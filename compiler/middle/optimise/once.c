// Conditions on the game alone (tags, say) are evaluated once a game: where the first position asks for one, a cell takes
// the answer for the others. Runs after the screen has been derived, which looks through the conditions.
#include "internal.h"

#include "compiler/middle/ir/closed.h"
#include "runtime/value/account.h"

#include <stdlib.h>
#include <string.h>

// Values of a cell; cells are zero at the beginning of each game.
enum { UNKNOWN, IS_FALSE, IS_TRUE };

// What is known about a tree.
typedef struct Fact {
    int size;         // in nodes
    unsigned effects; // of all nodes, as far as they count outside
    bool calls;       // the runtime
} Fact;

typedef struct Once {
    Module *m;
    int *uses;  // by local: places in the function
    Fact *fact; // by node, in preorder
    bool *seen; // by function
    int *
        next; // functions that were seen and are still to be visited: a path may call one for each of its moves
    int next_count;
} Once;

static Fact fact_of(const Ir *tree)
{
    Fact f = {1, ir_op_info[tree->op].effects, false};
    if (tree->op != IR_CALL)
        return f;
    const IrCallInfo *info = &ir_call_info[tree->number];
    f.calls = true;
    if (info->facts & (EFFECT | VOLATILE))
        f.effects |= IR_EFFECT;
    if (strpbrk(info->parameters, "pn") != NULL)
        f.effects |= IR_READS_POSITION;
    return f;
}

static int collect(Fact *fact, const Ir *tree)
{
    *fact = fact_of(tree);
    for (int i = 0; i < tree->kid_count; i++) {
        const Fact *kid = fact + fact->size;
        fact->size += collect(fact + fact->size, tree->kid[i]);
        // At another position the one around does not count.
        fact->effects |=
            tree->op == IR_AT && i == 1 ? kid->effects & ~(unsigned)IR_READS_POSITION : kid->effects;
        fact->calls |= kid->calls;
    }
    return fact->size;
}

static bool is_of_game(const Once *o, const Ir *tree, const Fact *fact)
{
    return tree->type == IRT_BOOL && tree->op != IR_PLACE && fact->calls &&
           (fact->effects & (IR_READS_POSITION | IR_EFFECT | IR_INVOKES)) == 0 &&
           closed_condition(tree, o->uses);
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

static Ir *visit(Once *o, Ir *tree, const Fact *fact)
{
    if (is_of_game(o, tree, fact))
        return evaluated_once(o, tree);
    if (tree->op == IR_INVOKE)
        see(o, tree->number);
    const Fact *kid = fact + 1;
    for (int i = 0; i < tree->kid_count; i++) {
        const int size = kid->size;
        tree->kid[i] = visit(o, tree->kid[i], kid);
        kid += size;
    }
    return tree;
}

static void visit_function(Once *o, int number)
{
    IrFunction *f = o->m->function[number];
    o->uses = account_new((size_t)f->local_count + 1, sizeof *o->uses);
    o->fact = account_new((size_t)ir_size(f->body, INT32_MAX), sizeof *o->fact);
    ir_count_uses(f->body, o->uses, o->uses, 1);
    collect(o->fact, f->body);
    f->body = visit(o, f->body, o->fact);
    account_free(o->fact);
    account_free(o->uses);
}

// Not the game test and the conditions on tags, which are evaluated before the cells are emptied.
void evaluate_once(Module *m)
{
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
