// Runs a search, and changes to the matcher that the system compiler makes during a long one.
#ifndef CQL_API_UPGRADE_H
#define CQL_API_UPGRADE_H

#include "runtime/search/search.h"
#include "compiler/back/engine.h"

// Runs a search with the engine's matcher. When `module` is not NULL (the modules of the matcher, which live until
// the function returns), a search that lasts gets a faster matcher. Sets search->upgrade. *used: the kind of the
// best matcher that ran. Returns the STATUS_ of the search.
int search_upgraded(const Engine *engine, Module *const *module, int count, const EngineOptions *options,
                    SearchOptions *search, SearchTotals *totals, EngineKind *used);

#endif
