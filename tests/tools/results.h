// What a query finds in games, as fingerprints that can be compared.
#ifndef CQL_TOOLS_RESULTS_H
#define CQL_TOOLS_RESULTS_H

#include "games.h"
#include "runtime/match/matcher.h"

// All that a game's output depends on, or only the positions that match.
typedef enum Detail { EVERYTHING, POSITIONS } Detail;

enum { NOT_EVALUATED = -2 };

// Runs a query over all games; fills result[game], UINT64_MAX: not known, and unless it is NULL hits[game]: -1 after an error,
// NOT_EVALUATED when its tags rule it out or it takes more than `steps`, or four games before it have taken too many.
void run_query(const QueryInfo *query, Games *games, Detail detail, int64_t steps, uint64_t *result,
               int32_t *hits);

#endif
