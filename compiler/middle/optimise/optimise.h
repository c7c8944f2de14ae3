// The IR optimiser. Every pass keeps the meaning exactly: values, order of effects, comments.
#ifndef CQL_OPTIMISE_H
#define CQL_OPTIMISE_H

#include "compiler/middle/ir/ir.h"

// Folds constants, set algebra and conditions; removes assignments that nobody reads; turns attacks of pieces
// that cannot be blocked into steps of sets, and many alternatives that differ in constants only into a loop
// over a table; puts cheap tests first; makes equal calls once; hoists tests of tags into Module.game_test.
void optimise(Module *m);

#endif
