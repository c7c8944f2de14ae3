// Whole searches of paths and lines that depend on the position alone. They use cells and functions, so depends_only_on_position does
// not take them; but nothing else uses these cells, which get a value in each search before it reads them.
#include "remember.h"

#include "compiler/middle/ir/closed.h"
#include "runtime/value/account.h"

enum {
    MOST_PARTS = 64,
    MOST_NODES = 1000 // so that the work for searches within searches is proportional to the query
};

// The cells and functions that a condition uses.
typedef struct Parts {
    const Module *m;
    int slot[MOST_PARTS], uses[MOST_PARTS], slot_count;
    int function[MOST_PARTS], function_count;
} Parts;

static void count_slots(const Ir *tree, int *uses)
{
    if (tree->op == IR_SLOT || tree->op == IR_STORE)
        uses[tree->number]++;
    for (int i = 0; i < tree->kid_count; i++)
        count_slots(tree->kid[i], uses);
}

int *searches_count_slots(const Module *m)
{
    int *uses = account_new((size_t)m->info.slot_count + 1, sizeof *uses);
    for (int i = 0; i < m->function_count; i++)
        count_slots(m->function[i]->body, uses);
    return uses;
}

// What it changes is at most what a search remembers, and it does not depend on the place of a filter in the query.
static bool is_pure_call(const Ir *call)
{
    return ir_is_call_that(call, MEMO) || (!ir_has_own_effect(call) && !ir_is_call_that(call, VOLATILE));
}

static bool add_slot(Parts *p, int slot)
{
    if (p->m->slot_of_search == NULL || !p->m->slot_of_search[slot])
        return false;
    int i = 0;
    while (i < p->slot_count && p->slot[i] != slot)
        i++;
    if (i == MOST_PARTS)
        return false;
    if (i == p->slot_count)
        p->slot[p->slot_count++] = slot;
    p->uses[i]++;
    return true;
}

static bool add_function(Parts *p, int function)
{
    for (int i = 0; i < p->function_count; i++)
        if (p->function[i] == function)
            return true;
    if (p->function_count == MOST_PARTS)
        return false;
    p->function[p->function_count++] = function;
    return true;
}

static bool add_parts(Parts *p, const Ir *tree)
{
    switch ((IrOp)tree->op) {
    case IR_CALL:
        if (!is_pure_call(tree))
            return false;
        break;
    case IR_SLOT:
    case IR_STORE:
        if (!add_slot(p, tree->number))
            return false;
        break;
    case IR_INVOKE:
        if (!add_function(p, tree->number))
            return false;
        break;
    default:
        if (ir_has_own_effect(tree))
            return false;
    }
    for (int i = 0; i < tree->kid_count; i++)
        if (!add_parts(p, tree->kid[i]))
            return false;
    return true;
}

bool searches_closed(const Remember *r, const Ir *tree)
{
    Parts p = {.m = r->m};
    if (ir_noted_size(tree) > MOST_NODES || !ir_noted_any(tree, IR_INVOKES) ||
        !closed_locals(tree, r->uses) || !add_parts(&p, tree))
        return false;
    for (int i = 0; i < p.function_count; i++) { // add_parts lengthens the list
        const Ir *body = r->m->function[p.function[i]]->body;
        if (!add_parts(&p, body))
            return false;
    }
    for (int i = 0; i < p.slot_count; i++)
        if (p.uses[i] != r->slot_uses[p.slot[i]])
            return false;
    return true;
}
