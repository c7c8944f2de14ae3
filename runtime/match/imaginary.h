// Imaginary positions (language reference 13.5, 13.17): positions after moves that are only tried out, before moves
// that may have been made, and with changes. Internal to runtime/match.
//
// Matchers reach the board and the node of an imaginary position as they reach those of the game: Context.position
// and Context.node are then arrays of the run, in which these follow the positions of the game:
//
//   QueryInfo.imaginary_levels   one for each lexical level of the filters that make imaginary positions, made again and
//                                again
//   as many                      no positions: the node of number i has the move of the retraction at level i
//   the rest                     those that `saveposition` keeps until the game ends
//
// The node has no children. Its parent is the position from which a move was tried out, else -1.
#ifndef CQL_IMAGINARY_H
#define CQL_IMAGINARY_H

#include "run_state.h"
#include "runtime/chess/retract.h"
#include "runtime/chess/variant.h"

typedef enum ImaginaryKind { IMAGINED_MOVE, IMAGINED_RETRACTION, IMAGINED_CHANGES } ImaginaryKind;

// A part of what `imagine` changed: a piece that was put on a square, or removed from it.
typedef struct Change {
    char sign; // '+' or '-'; 'w' or 'b': the side that has the move now
    uint8_t piece, square;
} Change;

typedef struct Imaginary {
    union {
        Position board;
        VariantPosition varied; // of a game of a variant
    };
    int32_t origin; // the position that it was made of; may be imaginary itself
    ImaginaryKind kind;
    Retraction made; // the move, or the retraction
    Change *change;  // IMAGINED_CHANGES, in order
    int32_t change_count;
    size_t change_capacity;
} Imaginary;

typedef struct ImaginaryLevel {
    Imaginary position;
    Retraction *move; // the list of rt_imagine_moves or rt_imagine_retractions
    int32_t move_count;
    size_t move_capacity;
} ImaginaryLevel;

typedef struct ImaginaryState {
    ImaginaryLevel *level;
    Imaginary **saved; // their memory serves the next game again
    int32_t saved_count, saved_made;
    size_t saved_capacity;
    const Position **position; // Context.position and Context.node of queries with QUERY_IMAGINARY
    Node *node;
    size_t position_capacity, node_capacity;
} ImaginaryState;

static inline bool is_imaginary(const Context *c, int32_t position)
{
    return position >= c->game->count && c->query->imaginary_levels > 0;
}

// It vanishes when the filter that made it ends.
static inline bool is_passing(const Context *c, int32_t position)
{
    return is_imaginary(c, position) && position < c->game->count + c->query->imaginary_levels;
}

static inline Imaginary *imaginary_of(const Context *c, int32_t position)
{
    ImaginaryState *s = c->run->imaginary;
    const int32_t number = position - c->game->count;
    return is_passing(c, position) ? &s->level[number].position
                                   : s->saved[number - 2 * c->query->imaginary_levels];
}

// The position of the game from which an imaginary one was reached; positions of the game themselves.
static inline int32_t imaginary_root(const Context *c, int32_t position)
{
    while (is_imaginary(c, position))
        position = imaginary_of(c, position)->origin;
    return position;
}

// Copies a position, with all that a variant needs, to the board of an imaginary one.
static inline void imaginary_copy(Imaginary *to, const Position *p)
{
    if (variant_is(p))
        to->varied = *variant_position(p);
    else
        to->board = *p;
}

// Makes the position of a level one that was made of position n; its board is not set. Returns its positionid.
int32_t imaginary_enter(Context *c, int32_t n, int32_t level, ImaginaryKind kind, Retraction made);

// The positionid of a copy of a passing position, and of those that it was made of, that lasts until the game ends.
int32_t imaginary_save(Context *c, int32_t n);

#endif
