// The search of games by the thousand: of a database's chunk, or of a block of PGN. Internal to runtime/search.
#ifndef CQL_SEARCH_CHUNKS_H
#define CQL_SEARCH_CHUNKS_H

#include "evaluate.h"

// Searches the games of the block's chunk, until the ending is reached.
void chunks_search(Worker *w, Block *block);

// Searches the first games of a block of PGN: screens rule games out before their trees are made. Returns how many: all, or
// fewer when the queries have no screens that are worth it, or the search needs every game by itself.
size_t chunks_search_pgn(Worker *w, Block *block);

void chunks_free(struct Chunks *chunks);

#endif
