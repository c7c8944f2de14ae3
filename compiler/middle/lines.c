// Keeps the line of the query for messages about games that are given up. Runs last, since a store would stand in the
// way of the optimiser.
#include "lower.h"

static bool is_loop(const Ir *ir)
{
    switch ((IrOp)ir->op) {
    case IR_EACH_SQUARE:
    case IR_EACH_POSITION:
    case IR_EACH_CHILD:
    case IR_EACH_ROW:
        return true;
    default:
        return false;
    }
}

// Can it use up a budget or fail inside a function of the runtime? A RAISE brings its own line; a loop that stands in
// no other has few rounds.
static bool can_fail(const Ir *ir, bool in_loop)
{
    if (ir->op == IR_WHILE || ir->op == IR_INVOKE || (is_loop(ir) && in_loop) ||
        (ir->op == IR_CALL && ir_call_info[ir->number].effect == EFFECT))
        return true;
    for (int i = 0; i < ir->kid_count; i++)
        if (can_fail(ir->kid[i], in_loop || is_loop(ir)))
            return true;
    return false;
}

Ir *store_line(Module *m, int32_t line)
{
    if (m->info.line_cell == 0) {
        const char *name = "line of the query";
        ARENA_PUSH(m->arena, m->slot_name, m->info.slot_count, name);
        m->info.line_cell = m->info.slot_count;
    }
    Ir *number = ir_int(m->arena, line);
    Ir *store = ir_new(m->arena, IR_STORE, IRT_BOOL, 1, number);
    store->number = m->info.line_cell - 1;
    return store;
}

static void keep_in(Module *m, Ir *ir)
{
    if (ir->op != IR_PLACE) {
        for (int i = 0; i < ir->kid_count; i++)
            keep_in(m, ir->kid[i]);
    } else if (can_fail(ir->kid[0], false))
        ir->kid[0] = ir_new(m->arena, IR_AND, IRT_BOOL, 2, store_line(m, ir->number), ir->kid[0]);
}

void keep_lines(Module *m)
{
    keep_in(m, m->function[0]->body);
}
