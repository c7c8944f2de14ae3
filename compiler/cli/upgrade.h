// The faster matcher that the system compiler makes while a long search is already running.
#ifndef CQL_UPGRADE_H
#define CQL_UPGRADE_H

#include "../../runtime/search/search.h"
#include "../back/engine.h"

typedef struct Upgrade Upgrade;

// Sets search->upgrade, and begins to compile in a thread of its own once the search has been running for a
// moment. NULL when there is too little to read for it. The modules must stay until upgrade_finish.
Upgrade *upgrade_start(Module *const *module, int count, const EngineOptions *options, SearchOptions *search);

// Ends the thread and frees everything; the search must be over. Returns whether the matcher was ready
// before. NULL: false.
bool upgrade_finish(Upgrade *u);

#endif
