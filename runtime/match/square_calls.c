// The squares that a query found, for diagrams.
#include "run_state.h"

void rt_found_squares(Context *c, int32_t n, Bitboard squares)
{
    struct RunState *state = c->run;
    state->squares = run_grow(state->squares, &state->squares_capacity, state->squares_count + 1, sizeof *state->squares);
    state->squares[state->squares_count++] = (FoundSquares){n, squares};
}
