// Nothing that depends on the position alone is evaluated twice for a position. Conditions that are evaluated at other
// positions become functions of their own, whose results the runtime remembers (runtime/match/calls/members.def):
//   - a loop over positions visits only those where such a part of its body is true (find, echo), or counts them;
//   - a costly condition at another position (`parent:F`, a filter of a path) becomes a call of rt_member.
// Runs after the screen has been derived, which looks through the conditions.
#include "internal.h"

#include "compiler/middle/ir/closed.h"
#include "runtime/value/memory.h"

#include <stdlib.h>

enum { WORTH_REMEMBERING = 100 }; // two bits are cheaper than a condition of this cost

typedef struct Remember {
    Module *m;
    IrFunction *f;
    int *uses;         // by local of the function: places
    TreeMap condition; // by number, with locals numbered from 0
} Remember;

static bool is_closed(const Remember *r, const Ir *tree)
{
    return closed_condition(tree, r->uses);
}

static const Ir *without_place(const Ir *tree)
{
    return tree->op == IR_PLACE ? without_place(tree->kid[0]) : tree;
}

// ---- functions --------------------------------------------------------------------------------------------

// Gives the locals of the tree the numbers of a new function, in the order in which they occur.
static void renumber(Ir *tree, const IrFunction *from, IrFunction *to, int *number)
{
    int *const place[2] = {
        tree->op == IR_LOCAL || (tree->op != IR_CALL && ir_written_local(tree) >= 0) ? &tree->number : NULL,
        tree->op == IR_CALL && tree->out >= 0 ? &tree->out : NULL};
    for (int i = 0; i < 2; i++) {
        if (place[i] == NULL)
            continue;
        const int old = *place[i];
        if (number[old] < 0) {
            number[old] = ir_new_local(to, from->local[old]);
            if (old < from->local_name_count && from->local_name[old] != NULL)
                ir_name_local(to, number[old], from->local_name[old]);
        }
        *place[i] = number[old];
    }
    for (int i = 0; i < tree->kid_count; i++)
        renumber(tree->kid[i], from, to, number);
}

static void forget_uses(const Ir *tree, int *uses)
{
    const int written = ir_written_local(tree);
    if (tree->op == IR_LOCAL)
        uses[tree->number]--;
    if (written >= 0)
        uses[written]--;
    for (int i = 0; i < tree->kid_count; i++)
        forget_uses(tree->kid[i], uses);
}

// The number of the remembered condition, which is taken out of the function.
static int remember(Remember *r, Ir *condition)
{
    const Ir *inner = without_place(condition);
    if (inner->op == IR_CALL && inner->number == IR_CALL_member)
        return inner->kid[0]->number;
    Module *m = r->m;
    const size_t locals = (size_t)r->f->local_count + 1;
    int *number = memory_resized(NULL, locals, sizeof *number);
    for (size_t i = 0; i < locals; i++)
        number[i] = -1;
    IrFunction scratch = {.arena = m->arena};
    forget_uses(condition, r->uses);
    renumber(condition, r->f, &scratch, number);
    free(number);
    TreeEntry *entry = tree_entry(&r->condition, condition);
    if (entry->value > 0)
        return entry->value - 1;
    const int count = m->info.remembered_count++;
    entry->value = count + 1;
    int function;
    IrFunction *f = ir_new_function(m, arena_printf(m->arena, "condition_%d", count + 1), &function);
    scratch.name = f->name;
    *f = scratch;
    f->body = condition;
    int pushed = count;
    ARENA_PUSH(m->arena, m->remembered, pushed, function);
    return count;
}

static Ir *member(Remember *r, Ir *condition)
{
    Arena *a = condition->arena;
    return ir_call(a, IR_CALL_member, 1, ir_int(a, remember(r, condition)));
}

// ---- loops over positions ---------------------------------------------------------------------------------

typedef struct Loop {
    Ir *node;
    int *inside; // by local: places in the body
    Ir *filter;  // what is true where the loop goes; NULL: nothing yet
    bool
        is_open; // what comes next is still evaluated in every round, or can be evaluated before what was seen
    bool first;  // nothing was seen but the filter
} Loop;

// May the operand be left out in rounds in which a later one is false?
static bool can_be_left_out(const Remember *r, const Loop *loop, const Ir *tree)
{
    if (ir_does_any(tree, IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES))
        return false;
    const int written = ir_written_local(tree);
    if (written >= 0 && loop->inside[written] != r->uses[written])
        return false;
    for (int i = 0; i < tree->kid_count; i++)
        if (!can_be_left_out(r, loop, tree->kid[i]))
            return false;
    return true;
}

// Moves conditions on the position of the loop from the tree to the filter. at: the tree is evaluated at that position.
// Returns what is left.
static Ir *take_filters(const Remember *r, Loop *loop, Ir *tree, bool at)
{
    Arena *a = tree->arena;
    if (!loop->is_open)
        return tree;
    if (at && tree->op != IR_TRUE && (loop->first || ir_is_total(tree)) && is_closed(r, tree)) {
        loop->filter = loop->filter == NULL ? tree : ir_and(loop->filter, tree);
        return ir_bool(a, true);
    }
    const Ir *position = tree->op == IR_AT ? tree->kid[0] : NULL;
    if (tree->op == IR_AND) {
        for (int i = 0; i < tree->kid_count; i++)
            tree->kid[i] = take_filters(r, loop, tree->kid[i], at);
        return optimise_folded(tree);
    }
    if (tree->op == IR_PLACE) {
        tree->kid[0] = take_filters(r, loop, tree->kid[0], at);
        return tree;
    }
    if (position != NULL && position->op == IR_LOCAL && position->number == loop->node->number) {
        tree->kid[1] = take_filters(r, loop, tree->kid[1], true);
        if (tree->kid[1]->op != IR_TRUE)
            return tree;
        forget_uses(position, r->uses);
        return tree->kid[1];
    }
    loop->is_open = can_be_left_out(r, loop, tree);
    loop->first = false;
    return tree;
}

// The body of a loop of which every round counts, without its ALWAYS.
static Ir *body_of_each(Ir *body)
{
    while (body->op == IR_ALWAYS || body->op == IR_PLACE)
        body = body->kid[0];
    return body;
}

static bool adds_one(const Ir *body)
{
    const Ir *sum = body->op == IR_LET ? body->kid[0] : NULL;
    return sum != NULL && sum->op == IR_ADD && sum->kid[0]->op == IR_LOCAL &&
           sum->kid[0]->number == body->number && sum->kid[1]->op == IR_INT && sum->kid[1]->number == 1;
}

// A loop that does nothing but count becomes a sum.
static Ir *count_rounds(Ir *loop)
{
    Ir *body = loop->kid[loop->kid_count - 1];
    if (loop->low == 0 || loop->mode != MODE_EACH || !adds_one(body))
        return loop;
    Arena *a = loop->arena;
    Ir *number = ir_int(a, loop->low - 1);
    Ir *count = loop->op == IR_EACH_POSITION
                    ? ir_call(a, IR_CALL_count_members, 3, number, loop->kid[0], loop->kid[1])
                    : ir_call(a, IR_CALL_count_members_before, 2, number, loop->kid[0]);
    body->kid[0]->kid[1] = count;
    return body;
}

static Ir *remember_in_loop(Remember *r, Ir *node)
{
    if (node->low != 0 || node->mode == MODE_ALL)
        return node;
    Ir **body = &node->kid[node->kid_count - 1];
    if (node->mode == MODE_EACH)
        *body = body_of_each(*body);
    Loop loop = {.node = node, .is_open = true, .first = true};
    loop.inside = memory_zeroed((size_t)r->f->local_count + 1, sizeof *loop.inside);
    closed_count_locals(*body, loop.inside);
    *body = take_filters(r, &loop, *body, false);
    free(loop.inside);
    if (loop.filter == NULL)
        return node;
    node->low = remember(r, loop.filter) + 1;
    return count_rounds(node);
}

// ---- conditions -------------------------------------------------------------------------------------------

static bool is_worth_it(const Remember *r, const Ir *condition)
{
    return ir_cost(condition) >= WORTH_REMEMBERING && is_closed(r, condition);
}

// Kids first, so that loops inside a condition are short when the condition is looked at.
static Ir *remember_inside(Remember *r, Ir *tree)
{
    for (int i = 0; i < tree->kid_count; i++)
        tree->kid[i] = remember_inside(r, tree->kid[i]);
    switch ((IrOp)tree->op) {
    case IR_EACH_POSITION:
    case IR_EACH_ANCESTOR:
        return remember_in_loop(r, tree);
    case IR_AT:
        if (tree->kid[0]->op != IR_CURRENT && is_worth_it(r, tree->kid[1]))
            tree->kid[1] = member(r, tree->kid[1]);
        return tree;
    default:
        return tree;
    }
}

void remember_conditions(Module *m)
{
    Remember r = {.m = m};
    const int count = m->function_count; // without those that are added
    for (int i = 0; i < count; i++) {
        r.f = m->function[i];
        r.uses = memory_zeroed((size_t)r.f->local_count + 1, sizeof *r.uses);
        closed_count_locals(r.f->body, r.uses);
        r.f->body = remember_inside(&r, r.f->body);
        free(r.uses);
    }
    tree_map_free(&r.condition);
}
