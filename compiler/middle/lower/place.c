// Keeps the place in the query for messages about games that are abandoned. Runs last, since a store would be in
// the way of the optimiser.
#include "lower.h"

#include "compiler/middle/ir/build.h"

// Can it use up a budget or fail inside a function of the runtime? A RAISE has its own place; a loop that is not
// inside another one has few rounds.
static bool can_fail(const Ir *ir, bool in_loop)
{
    if (ir->op == IR_WHILE || ir->op == IR_INVOKE || (ir_is_loop(ir) && in_loop) ||
        ir_is_call_that(ir, EFFECT | TAKES_STEPS))
        return true;
    for (int i = 0; i < ir->kid_count; i++)
        if (can_fail(ir->kid[i], in_loop || ir_is_loop(ir)))
            return true;
    return false;
}

int32_t place_at(const Query *query, uint32_t offset)
{
    const Place place = source_place(&query->source, offset);
    const uint32_t column = place.column < PLACE_COLUMNS ? place.column : 0;
    return place.line < INT32_MAX / PLACE_COLUMNS ? (int32_t)PLACE(place.line, column) : 0;
}

Ir *place_store(Module *m, int32_t place)
{
    if (m->info.place_cell == 0)
        m->info.place_cell = ir_new_slot(m, IRT_INT, "place in the query") + 1;
    return ir_store_int(m->arena, m->info.place_cell - 1, place);
}

static void keep_in(Module *m, Ir *ir)
{
    if (ir->op != IR_PLACE) {
        for (int i = 0; i < ir->kid_count; i++)
            keep_in(m, ir->kid[i]);
    } else if (can_fail(ir->kid[0], false))
        ir->kid[0] = ir_new(m->arena, IR_AND, IRT_BOOL, 2, place_store(m, ir->number), ir->kid[0]);
}

void place_keep(Module *m)
{
    keep_in(m, m->function[0]->body);
}
