// Games of PGN as a chunk: their main lines are read without trees. Internal to runtime/search.
#ifndef CQL_SEARCH_LINES_H
#define CQL_SEARCH_LINES_H

#include "runtime/database/database.h"

// Zero-initialised.
typedef struct Lines {
    Chunk chunk; // entries and groups; a game whose main line is not known is STORED_UNGROUPED
    GameLine line;
    GameEntry *entry; // by game
    size_t entry_capacity;
    size_t *first; // by game: where its words begin
    size_t first_capacity;
    Buffer words, rows; // rows: those of the groups
    size_t order_capacity, group_capacity;
} Lines;

// Begins a chunk.
void lines_begin(Lines *l);

// Adds a game whose tags were read; NULL: its main line is not wanted. The line of a game that needs more than this memory is not read:
// its evaluation reports it.
void lines_add(Lines *l, const Game *game, size_t memory);

// Puts the games with known main lines side by side.
void lines_end(Lines *l);

// Sets what is known of the main line of a game; false: it is not known.
bool lines_game(const Lines *l, size_t i, StoredGame *game);

void lines_free(Lines *l);

#endif
