// What a query is about at matching positions, for diagrams.
#include "run_state.h"
#include "runtime/value/memory.h"

// Showing is no part of the evaluation, and may look at alternatives that the body has skipped.
void rt_show(Context *c)
{
    struct RunState *state = c->run;
    const size_t count = (size_t)c->query->slot_count;
    const int64_t steps = c->steps, steps_left = state->steps_left;
    jmp_buf *const outer = state->escape;
    jmp_buf escape;
    if (!state->slots_before)
        state->slots_before = memory_new(count * sizeof *c->slot);
    memcpy(state->slots_before, c->slot, count * sizeof *c->slot);
    c->steps = 0;
    state->steps_left = state->show_steps;
    run_give_steps(c);
    state->escape = &escape;
    if (!setjmp(escape))
        c->query->show(c, c->at, c->position[c->at], c->depth);
    state->escape = outer;
    if (state->stopped)
        longjmp(*outer, 1);
    state->show_steps = state->steps_left + (c->steps > 0 ? c->steps : 0);
    c->steps = steps;
    state->steps_left = steps_left;
    memcpy(c->slot, state->slots_before, count * sizeof *c->slot);
    state->exhausted = false;
}

void rt_show_squares(Context *c, int32_t n, Bitboard squares)
{
    struct RunState *state = c->run;
    if (squares == 0)
        return;
    FoundSquares *last = state->squares_count > 0 ? &state->squares[state->squares_count - 1] : NULL;
    if (last && last->position == n) {
        last->squares |= squares;
        return;
    }
    state->squares =
        run_grow(state->squares, &state->squares_capacity, state->squares_count + 1, sizeof *state->squares);
    state->squares[state->squares_count++] = (FoundSquares){n, squares};
}

void rt_show_move(Context *c, int32_t move)
{
    struct RunState *state = c->run;
    if (move >= c->game->count) // tried out, not in the game
        return;
    state->moves =
        run_grow(state->moves, &state->moves_capacity, state->moves_count + 1, sizeof *state->moves);
    state->moves[state->moves_count++] = move;
}
