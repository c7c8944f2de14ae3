// The passes of the optimiser and what they share. Every pass keeps values, the order of effects, and
// comments.
#ifndef CQL_OPTIMISE_INTERNAL_H
#define CQL_OPTIMISE_INTERNAL_H

#include "compiler/middle/ir/build.h"
#include "optimise.h"

// ---- rewrite.c ----
// Calls `rewrite` for every node, kids first, and puts what it returns in the node's place.
Ir *rewrite_tree(Module *m, Ir *tree, Ir *(*rewrite)(Module *m, Ir *node));
void rewrite_module(Module *m, Ir *(*rewrite)(Module *m, Ir *node));

// ---- fold.c, sets.c ----
// Folds one node, whose kids are folded: constants, identities, flattening.
Ir *fold_node(Module *m, Ir *node);
Ir *fold_set(Module *m, Ir *node); // nodes of type set

// ---- passes ----
void unshare_trees(Module *m); // rewrite.c: no node has two parents, because passes rewrite in place
void fold_module(Module *m);
void remove_dead_locals(Module *m); // locals.c
void unroll_attacks(Module *m);     // attacks.c
void roll_variants(Module *m);      // roll.c: many alternatives become a loop over a table
void order_tests(Module *m);        // order.c: cheap tests first
void share_calls(Module *m);        // common.c: equal calls are made once
void hoist_game_test(Module *m);    // game.c

#endif
