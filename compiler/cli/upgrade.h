// Running a search, with the faster matcher that the system compiler makes while a long one is already
// running.
#ifndef CQL_CLI_UPGRADE_H
#define CQL_CLI_UPGRADE_H

#include "runtime/search/search.h"
#include "compiler/back/engine.h"

// Runs a search with the engine's matcher; a signal ends it in good order, and then the program. When
// `module` is not NULL (the modules of the matcher, which stay until the function returns), a search that
// goes on for a moment gets a better matcher. Sets search->stop and search->upgrade. *used: the kind of the
// best matcher that ran. Returns the STATUS_ of the search.
int search_upgraded(const Engine *engine, Module *const *module, int count, const EngineOptions *options,
                    SearchOptions *search, SearchTotals *totals, EngineKind *used);

#endif
