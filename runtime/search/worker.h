// One thread of a search: evaluates games and formats those that match.
#ifndef CQL_SEARCH_WORKER_H
#define CQL_SEARCH_WORKER_H

#include "block.h"
#include "ending.h"

// How deep the calls of a query's own functions may nest: enough for games of ten thousand moves. A call
// needs less than 4 KB.
enum { WORKER_DEPTH = 64000 };

typedef struct Worker Worker;

// `number`: of the thread, from 1. `like`: another worker of the search that does not work yet, or NULL: both
// share the files they only read. The plan and the ending must live as long as the worker. Returns NULL and
// sets *query and *message when a query cannot be run.
Worker *worker_open(const Plan *plan, const Ending *ending, const Worker *like, int number,
                    const char **query, char **message);
void worker_close(Worker *w);

// Searches all games of the block, until the ending is reached.
void worker_search(Worker *w, Block *block);

// Prints the values of persistent variables and, with show_dictionaries, the dictionaries.
void worker_print_persistent(const Worker *w, FILE *out);

#endif
