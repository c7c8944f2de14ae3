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

// Flags of rt_imagine_moves.
enum { IMAGINE_PSEUDOLEGAL = 1, IMAGINE_EN_PASSANT = 2, IMAGINE_CAPTURE = 4 };

typedef struct ImaginaryLevel {
    Position board;
    int32_t origin; // the position from which the move was played; may be imaginary itself
    Move *move;     // the list of rt_imagine_moves
    int32_t move_count, move_capacity;
    History history;
    Identities identities;
} ImaginaryLevel;

typedef struct Imaginary {
    ImaginaryLevel *level[IMAGINARY_LEVELS]; // NULL: not used so far
    const Position **position; // Context.position and Context.node of queries with QUERY_IMAGINARY
    Node *node;
    int32_t capacity;
} Imaginary;

// Makes room for imaginary positions behind those of the game that the context has just been given.
void imaginary_begin_game(Context *c);
void imaginary_free(struct RunState *run);

// The position of the game from which an imaginary one was reached; positions of the game themselves.
int32_t imaginary_root(const Context *c, int32_t position);

static inline bool is_imaginary(const Context *c, int32_t position)
{
    return position >= c->game->count;
}

const History *imaginary_history(Context *c, int32_t position);
const Identities *imaginary_identities(Context *c, int32_t position);

#endif
