// The IR optimiser. Every pass keeps the meaning exactly: values, order of effects, comments.
#ifndef CQL_OPTIMISE_H
#define CQL_OPTIMISE_H

#include "ir.h"

// Folds constants and set algebra, removes what cannot matter, merges equal alternatives, turns set loops whose results
// are only tested into searches, unrolls attacks and chains, hoists tests of the game into Module.game_test.
void optimise(Module *m);

#endif
