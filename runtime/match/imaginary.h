// Imaginary positions (language reference 13.5): positions after moves that are only tried out. Internal to
// runtime/match.
//
// Each lexical level of speculative moves has one. Its positionid is the number of positions of the game plus
// the level, so that matchers reach its board and its node as they reach those of the game: Context.position
// and Context.node are then arrays of the run, in which the imaginary positions follow those of the game. Its
// node has no parent and no children, and the move that was tried out as its move.
#ifndef CQL_IMAGINARY_H
#define CQL_IMAGINARY_H

#include "run_state.h"

typedef struct ImaginaryLevel {
    Position board;
    int32_t origin; // the position from which the move was played; may be imaginary itself
    Move *move;     // the list of rt_imagine_moves
    int32_t move_count;
    size_t move_capacity;
} ImaginaryLevel;

typedef struct ImaginaryState {
    ImaginaryLevel level[IMAGINARY_LEVELS];
    const Position **position; // Context.position and Context.node of queries with QUERY_IMAGINARY
    Node *node;
    size_t position_capacity, node_capacity;
} ImaginaryState;

static inline bool is_imaginary(const Context *c, int32_t position)
{
    return position >= c->game->count;
}

// The level of an imaginary position.
static inline ImaginaryLevel *imaginary_level(const Context *c, int32_t position)
{
    return &c->run->imaginary->level[position - c->game->count];
}

// The position of the game from which an imaginary one was reached; positions of the game themselves.
static inline int32_t imaginary_root(const Context *c, int32_t position)
{
    while (is_imaginary(c, position))
        position = imaginary_level(c, position)->origin;
    return position;
}

#endif
