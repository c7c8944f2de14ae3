// The search of PGN games by their main lines. Internal to runtime/search.
#ifndef CQL_SEARCH_LINES_H
#define CQL_SEARCH_LINES_H

#include "evaluate.h"

// Searches the first games of the block: screens rule games out before their trees are made. Returns how many: all, or
// fewer when the queries have no screens that are worth it, or the search needs every game by itself.
size_t lines_search(Worker *w, Block *block);
void lines_free(struct Lines *lines);

#endif
