// Lowering: the typed syntax tree of a query becomes IR. Transforms are expanded before.
#ifndef CQL_LOWER_H
#define CQL_LOWER_H

#include "compiler/language/query.h"
#include "compiler/middle/ir/ir.h"

typedef struct LowerOptions {
    bool optimize;   // merge variants by meaning, choose short-circuit forms
    int variations;  // -1: as the header says, 0, 1: overridden
    bool diagrams;   // wanted: make Module.show_function
    bool free_moves; // `move` filters in a line are not tied to its next move (5.13)
    bool
        keys_everywhere; // keys of groups are recorded at all matching positions, not at the first one of a game
} LowerOptions;

// Makes the module. The query must have been expanded. Returns NULL when something was refused (see
// diagnostics).
Module *lower_query(Query *query, const LowerOptions *options, Diagnostics *diagnostics);

// The number of a place in the query (PLACE_COLUMNS) for an offset in its source; 0: too far down.
int32_t place_at(const Query *query, uint32_t offset);

// A statement that keeps a place in the query, for the message when the game is abandoned.
Ir *place_store(Module *m, int32_t place);

// Makes the filters of the body that may abandon the game keep their places. Call it after the optimiser.
void place_keep(Module *m);

#endif
