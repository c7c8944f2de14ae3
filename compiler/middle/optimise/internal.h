// The passes of the optimiser and what they share. Every pass keeps values, the order of effects and
// comments.
#ifndef CQL_OPTIMISE_INTERNAL_H
#define CQL_OPTIMISE_INTERNAL_H

#include "optimise.h"

// ---- optimise.c: questions ----
// Evaluating the tree changes nothing, so it can be left out.
bool is_droppable(const Ir *tree);
// Its value depends on the current position and the game only: the same wherever it is evaluated at that
// position.
bool is_fixed(const Ir *tree);
// Nothing but itself decides that it may be evaluated: no division, no field of a position that might not
// exist ... Such a tree can be evaluated earlier than it is written.
bool is_total(const Ir *tree);
// Rough number of machine operations.
int cost(const Ir *tree);
// Calls `rewrite` for every node, kids first, and puts what it returns in the node's place.
Ir *rewrite_tree(Module *m, Ir *tree, Ir *(*rewrite)(Module *m, Ir *node));
void rewrite_module(Module *m, Ir *(*rewrite)(Module *m, Ir *node));

// ---- optimise_sets.c ----
// The kinds of squares that a set value can hold: a bit for each piece code, EMPTY included. All 13: nothing
// is known.
enum { ALL_KINDS = (1 << PIECE_CODES) - 1 };
int kinds_of(const Ir *set);
Ir *fold_set(Module *m, Ir *node); // nodes of type set; kids are folded

// ---- passes ----
Ir *fold_node(Module *m, Ir *node); // optimise_fold.c: constants, identities, flattening
void remove_dead_locals(Module *m); // optimise_locals.c
void unroll_attacks(Module *m);     // optimise_attacks.c
void order_tests(Module *m);        // optimise_order.c: cheap tests first
void roll_variants(Module *m);      // optimise_roll.c: many alternatives become a loop over a table
void share_calls(Module *m);        // optimise_common.c: equal calls are made once
void hoist_game_test(Module *m);    // optimise_game.c

#endif
