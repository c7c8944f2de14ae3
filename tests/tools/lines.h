// The main lines of games in memory, as a database stores them for screens.
#ifndef CQL_TOOLS_LINES_H
#define CQL_TOOLS_LINES_H

#include "results.h"

// The screen of the query rules out no game that matches or fails, and an exact one counts the matching positions, whether it is asked
// alone or not. `hits`: by game, as of run_query. *game: the game for which that is not so. True for a query
// without a screen. The games are the same at every call.
bool screen_agrees(const QueryInfo *query, const Games *games, const int32_t *hits, int *game);

#endif
