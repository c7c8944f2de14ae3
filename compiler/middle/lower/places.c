// Keeps the place in the query for messages about games that are given up. Runs last, since a store would
// stand in the way of the optimiser.
#include "lower.h"

#include "compiler/middle/ir/build.h"

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

// Can it use up a budget or fail inside a function of the runtime? A RAISE brings its own place; a loop that
// stands in no other has few rounds.
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

int32_t place_at(const Query *query, uint32_t offset)
{
    const Place place = source_place(&query->source, offset);
    const uint32_t column = place.column < PLACE_COLUMNS ? place.column : 0;
    return place.line < INT32_MAX / PLACE_COLUMNS ? (int32_t)PLACE(place.line, column) : 0;
}

Ir *store_place(Module *m, int32_t place)
{
    if (m->info.place_cell == 0) {
        const char *name = "place in the query";
        ARENA_PUSH(m->arena, m->slot_name, m->info.slot_count, name);
        m->info.place_cell = m->info.slot_count;
    }
    Ir *number = ir_int(m->arena, place);
    Ir *store = ir_unary(IR_STORE, number);
    store->number = m->info.place_cell - 1;
    return store;
}

static void keep_in(Module *m, Ir *ir)
{
    if (ir->op != IR_PLACE) {
        for (int i = 0; i < ir->kid_count; i++)
            keep_in(m, ir->kid[i]);
    } else if (can_fail(ir->kid[0], false))
        ir->kid[0] = ir_new(m->arena, IR_AND, IRT_BOOL, 2, store_place(m, ir->number), ir->kid[0]);
}

void keep_places(Module *m)
{
    keep_in(m, m->function[0]->body);
}
