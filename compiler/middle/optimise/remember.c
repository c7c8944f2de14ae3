// Nothing that depends on the position alone is evaluated twice for a position. Conditions that are evaluated at other
// positions become functions of their own, whose results the runtime remembers (runtime/match/calls/members.def):
//   - a loop over positions visits only those where such a part of its body is true (position_loops.c);
//   - a costly condition at another position (`parent:F`, a filter of a path) becomes a call of rt_member.
// Runs after the screen has been derived, which looks through the conditions.
#include "remember.h"

#include "compiler/middle/ir/closed.h"
#include "runtime/value/account.h"

#include <stdlib.h>
#include <string.h>

enum { WORTH_REMEMBERING = 100 }; // two bits are cheaper than a condition of this cost

// ---- locals -----------------------------------------------------------------------------------------------

// Remember.scope of other locals.
enum { NEVER_WRITTEN = 0, WRITTEN = -1, ONLY_WRITE = -2 };

void remember_grow_locals(Remember *r)
{
    const int count = r->f->local_count + 1;
    r->uses = account_resized(r->uses, (size_t)count, sizeof *r->uses);
    r->seen = account_resized(r->seen, (size_t)count, sizeof *r->seen);
    r->scope = account_resized(r->scope, (size_t)count, sizeof *r->scope);
    r->moved = account_resized(r->moved, (size_t)count, sizeof *r->moved);
    for (; r->locals < count; r->locals++) {
        r->uses[r->locals] = r->scope[r->locals] = 0;
        r->seen[r->locals] = (Places){0};
    }
}

bool remember_has_current(const Remember *r, int local)
{
    return r->scope[local] == r->here;
}

static const Ir *without_place(const Ir *tree)
{
    return tree->op == IR_PLACE ? without_place(tree->kid[0]) : tree;
}

// ---- functions --------------------------------------------------------------------------------------------

// The pass has come to a place of the local.
static void see(Remember *r, int local, bool is_write)
{
    Places *seen = &r->seen[local];
    r->time++;
    seen->count++;
    if (seen->first == 0)
        seen->first = r->time;
    if (is_write)
        seen->last_write = r->time;
}

static void see_node(Remember *r, const Ir *node)
{
    const int written = ir_written_local(node);
    if (node->op == IR_STORE)
        r->slot_stored[node->number] = ++r->time;
    if (node->op == IR_INVOKE)
        r->last_invoke = ++r->time;
    if (node->op == IR_LOCAL)
        see(r, node->number, false);
    if (written >= 0)
        see(r, written, true);
}

static void see_tree(Remember *r, const Ir *tree)
{
    see_node(r, tree);
    for (int i = 0; i < tree->kid_count; i++)
        see_tree(r, tree->kid[i]);
}

bool remember_is_unchanged(const Remember *r, int slot, int since)
{
    const bool of_search = r->m->slot_of_search != NULL && r->m->slot_of_search[slot];
    return !of_search && r->slot_stored[slot] < since && r->last_invoke < since;
}

void remember_note_uses(Remember *r, const Ir *tree)
{
    ir_count_uses(tree, r->uses, r->uses, 1);
    see_tree(r, tree);
}

static void forget_use(Remember *r, int local)
{
    r->uses[local]--;
    r->seen[local].count--;
    r->moved[local] = -1;
}

void remember_forget_uses(Remember *r, const Ir *tree)
{
    const int written = ir_written_local(tree);
    if (tree->op == IR_LOCAL)
        forget_use(r, tree->number);
    if (written >= 0)
        forget_use(r, written);
    for (int i = 0; i < tree->kid_count; i++)
        remember_forget_uses(r, tree->kid[i]);
}

// Moves the condition out of the function to one that nothing calls yet.
static IrFunction *extracted(Remember *r, Ir *condition)
{
    IrFunction *f = arena_alloc(r->m->arena, sizeof *f);
    f->arena = r->m->arena;
    remember_forget_uses(r, condition);
    ir_move_locals(condition, f, r->f, r->moved);
    f->body = condition;
    return f;
}

// Makes it a remembered condition; returns its number.
static int add_condition(Module *m, IrFunction *f)
{
    int count = m->info.remembered_count++, function = m->function_count;
    f->name = arena_printf(m->arena, "condition_%d", count + 1);
    ARENA_PUSH(m->arena, m->function, m->function_count, f);
    ARENA_PUSH(m->arena, m->remembered, count, function);
    return count - 1;
}

int remember_condition(Remember *r, Ir *condition)
{
    const Ir *inner = without_place(condition);
    if (inner->op == IR_CALL && inner->number == IR_CALL_member)
        return inner->kid[0]->number;
    IrFunction *f = extracted(r, condition);
    TreeEntry *entry = tree_entry(&r->conditions, condition);
    if (entry->value == 0)
        entry->value = add_condition(r->m, f) + 1;
    return entry->value - 1;
}

int remember_compared(Remember *r, Ir *condition)
{
    return add_condition(r->m, extracted(r, condition));
}

static Ir *member(Remember *r, Ir *condition)
{
    Arena *a = condition->arena;
    return ir_call(a, IR_CALL_member, 1, ir_int(a, remember_condition(r, condition)));
}

// ---- conditions -------------------------------------------------------------------------------------------

bool remember_is_closed(const Remember *r, const Ir *condition)
{
    return depends_only_on_position(condition, r->uses) || searches_closed(r, condition);
}

static bool is_worth_it(const Remember *r, const Ir *condition)
{
    return ir_costs_at_least(condition, WORTH_REMEMBERING) && remember_is_closed(r, condition);
}

// A tree whose operands have been looked at, the last one from the time `since` on.
static Ir *remember_here(Remember *r, Ir *tree, int since)
{
    switch ((IrOp)tree->op) {
    case IR_EACH_POSITION:
    case IR_EACH_ANCESTOR:
        return remember_in_loop(r, tree, since);
    case IR_AT:
        if (tree->kid[0]->op != IR_CURRENT && is_worth_it(r, tree->kid[1]))
            tree->kid[1] = member(r, tree->kid[1]);
        return tree;
    case IR_LET:
        if (r->scope[tree->number] == ONLY_WRITE && tree->kid[0]->op == IR_CURRENT)
            r->scope[tree->number] = r->here;
        return tree;
    default:
        return tree;
    }
}

// Kids first, so that loops inside a condition are short when the condition is looked at.
static Ir *remember_inside(Remember *r, Ir *tree)
{
    const int here = r->here;
    int since = 0;
    for (int i = 0; i < tree->kid_count; i++) {
        if (tree->op == IR_AT && i == 1)
            r->here = ++r->scopes;
        since = r->time + 1;
        tree->kid[i] = remember_inside(r, tree->kid[i]);
    }
    r->here = here;
    const Ir node = *tree;
    Ir *result = remember_here(r, tree, since);
    see_node(r, &node);
    return result;
}

// ---- the pass ---------------------------------------------------------------------------------------------

static void count_writes(const Ir *tree, int *scope)
{
    const int written = ir_written_local(tree);
    if (written >= 0)
        scope[written] = scope[written] == NEVER_WRITTEN ? ONLY_WRITE : WRITTEN;
    for (int i = 0; i < tree->kid_count; i++)
        count_writes(tree->kid[i], scope);
}

static void remember_in_function(Remember *r, IrFunction *f)
{
    r->f = f;
    r->locals = r->time = r->last_invoke = 0;
    memset(r->slot_stored, 0, sizeof *r->slot_stored * (size_t)r->m->info.slot_count);
    r->here = r->scopes = 1;
    remember_grow_locals(r);
    ir_count_uses(f->body, r->uses, r->uses, 1);
    count_writes(f->body, r->scope);
    f->body = remember_inside(r, f->body);
}

void remember_conditions(Module *m)
{
    Remember r = {.m = m, .slot_uses = searches_count_slots(m)};
    r.slot_stored = account_new((size_t)m->info.slot_count + 1, sizeof *r.slot_stored);
    const int count = m->function_count; // without those that are added
    ir_forget_notes(m);
    for (int i = 0; i < count; i++)
        remember_in_function(&r, m->function[i]);
    account_free(r.uses);
    account_free(r.seen);
    account_free(r.scope);
    account_free(r.moved);
    account_free(r.slot_uses);
    account_free(r.slot_stored);
    remember_free_loops(&r);
    tree_map_free(&r.conditions);
}
