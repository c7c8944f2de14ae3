// The search of a chunk of a database. Internal to runtime/search.
#ifndef CQL_SEARCH_STORED_H
#define CQL_SEARCH_STORED_H

#include "evaluate.h"

// Searches the games of the block's chunk, until the ending is reached.
void stored_search(Worker *w, Block *block);
void stored_free(struct Stored *s);

#endif
