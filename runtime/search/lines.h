// The search of PGN games by their main lines. Internal to runtime/search.
#ifndef CQL_SEARCH_LINES_H
#define CQL_SEARCH_LINES_H

#include "evaluate.h"

// Searches the games of the block: screens rule games out before their trees are made. False, and nothing was done,
// when the queries have no screens that are worth it, or the search needs every game by itself.
bool lines_search(Worker *w, Block *block);
void lines_free(struct Lines *lines);

#endif
