// The IR optimiser. Every pass keeps the meaning exactly: values, order of effects, comments.
#ifndef CQL_OPTIMISE_H
#define CQL_OPTIMISE_H

#include "compiler/middle/ir/ir.h"

// Folds constants, set algebra and conditions; removes assignments that are never read; turns attacks of pieces
// that cannot be blocked into steps of sets; joins alternatives, or makes a loop over a table of those that
// differ only in constants; puts cheap tests first; makes equal calls once; hoists conditions on tags into
// Module.game_test.
void optimise(Module *m);

// Conditions that are evaluated at other positions, and depend on nothing but the position, become functions whose
// results the runtime remembers (docs/ir.md). Comes last: what these functions say is hidden from the other passes.
void remember_conditions(Module *m);

// Conditions that depend on the game alone are evaluated once a game. Comes after remember_conditions, and changes what
// is hidden there, too.
void evaluate_once(Module *m);

// Functions of searches that are called from one place become part of their caller, cells that only one search uses become
// locals, and texts that stay are not watched. Comes last: the other passes look for the calls and the cells.
void inline_searches(Module *m);

// Intersections with several expensive operands stop where no square is left. Comes after all others: conditions that assign
// locals are hard to move.
void stage_intersections(Module *m);

// The tree with constants folded; it is changed in place.
Ir *optimise_folded(Ir *tree);

// Does folding constants make the condition true? It stays as it is.
bool optimise_makes_true(const Ir *condition);

#endif
