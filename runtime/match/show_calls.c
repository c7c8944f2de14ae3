// What a query is about at matching positions, for diagrams.
#include "run_state.h"

void rt_show_squares(Context *c, int32_t n, Bitboard squares)
{
    struct RunState *state = c->run;
    if (squares == 0)
        return;
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
