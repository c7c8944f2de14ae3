// What a worker adds to SearchOptions.explorer. Internal to runtime/search.
#ifndef CQL_SEARCH_EXPLORING_H
#define CQL_SEARCH_EXPLORING_H

#include "evaluate.h"

typedef struct Exploring Exploring;
void exploring_free(Exploring *e);

// Does the game of a group reach the position? Leaves it as soon as its men or pawns can no longer become those of the position.
bool exploring_reaches(Worker *w, const LineGroup *group, size_t lane);

// Adds a game that was found, if its main line reaches the position.
void exploring_found(Worker *w, const GameText *source);

// The same for a game of the chunk that the queries find by its number of matching positions alone.
void exploring_counted(Worker *w, int64_t number);

// Adds the worker's table to SearchOptions.explorer.
void exploring_give(Worker *w);

#endif
