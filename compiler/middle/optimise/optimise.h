// The IR optimiser. Every pass keeps the meaning exactly: values, order of effects, comments.
#ifndef CQL_OPTIMISE_H
#define CQL_OPTIMISE_H

#include "compiler/middle/ir/ir.h"

// Runs all passes in order. `screen` derives Module.screen when the conditions are in their simplest form and the passes after
// it have not yet hidden them in functions; NULL: only the passes before it.
void optimise(Module *m, void (*screen)(Module *m, void *user), void *user);

// ---- passes after the screen ----
// Conditions that are evaluated at other positions, and depend on nothing but the position, become functions whose
// results the runtime remembers (docs/ir.md). What these functions say is hidden from the passes before.
void remember_conditions(Module *m);

// Conditions that depend on the game alone are evaluated once a game, in the functions of remember_conditions, too.
void evaluate_once(Module *m);

// Functions of searches that are called from one place become part of their caller, cells that only one search uses become
// locals, and texts that stay are not watched. The passes before look for the calls and the cells.
void inline_searches(Module *m);

// Intersections with several expensive operands stop where no square is left. Comes after all others: conditions that assign
// locals are hard to move.
void stage_intersections(Module *m);

// The tree with constants folded; it is changed in place.
Ir *optimise_folded(Ir *tree);

// Does folding constants make the condition true? It stays as it is.
bool optimise_makes_true(const Ir *condition);

#endif
