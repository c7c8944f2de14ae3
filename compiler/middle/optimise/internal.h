// The passes of the optimiser and what they share. Every pass keeps values, the order of effects, and
// comments.
#ifndef CQL_OPTIMISE_INTERNAL_H
#define CQL_OPTIMISE_INTERNAL_H

#include "compiler/middle/ir/build.h"
#include "compiler/middle/ir/tree_map.h"
#include "compiler/middle/ir/uses.h"
#include "optimise.h"

enum { EXPENSIVE = 30 }; // ir_cost of what is worth keeping, or asking for late: about that of an attack

// ---- rewrite.c ----
// Calls `rewrite` for every node, kids first, and puts what it returns in the node's place.
Ir *rewrite_tree(Ir *tree, Ir *(*rewrite)(Ir *node));
void rewrite_module(Module *m, Ir *(*rewrite)(Ir *node));

// ---- fold.c, sets.c ----
// Folds one node, whose kids are folded: constants, identities, flattening.
Ir *fold_node(Ir *node);
Ir *fold_set(Ir *node); // nodes of type set

bool sets_are_disjoint(const Ir *a, const Ir *b); // certainly, whatever the position

// ---- sums.c ----
Ir *fold_sum(Ir *node); // ADD and SUB

// ---- placements.c ----
// A kid of an OR, as the conjunction of tests.
typedef struct Alternative {
    Ir *const *test;
    int count;   // 0: it has effects, or is joined with another one
    int *number; // of each test
    int chosen;  // index of the test to be drawn out
    int factor;  // its number, -1: none
    const char *note;
} Alternative;

// A test of whether some square of a mask is in a set, or none is.
typedef struct PlacedTest {
    Ir *set; // NULL: no such test; it has the same meaning wherever the pattern is
    Bitboard mask;
    bool negated;
} PlacedTest;

PlacedTest placed_test(const Ir *test);

// Joins alternatives that are one pattern at several places of the board: the first becomes all of them, the others NULL.
void join_placements(Ir *list, Alternative *alternative);

// ---- log_cuts.c ----
// Leaves out what cuts texts off the log again where nothing can have added any.
void keep_certain_texts(Module *m);

// ---- passes ----
void unshare_trees(Module *m); // rewrite.c: no node has two parents, because passes rewrite in place
void fold_module(Module *m);
void use_known_cells(Module *m);       // cells.c
void use_single_squares(Module *m);    // squares.c: loops over squares have sets of one square
void use_squares_of_pieces(Module *m); // loops.c: in loops over pieces, the square of the piece is known
void remove_dead_locals(Module *m);    // locals.c
void restrict_loops(Module *m);        // loops.c: tests of loops over squares become set algebra
void name_attacks(Module *m);          // attacks.c: those of kings, knights and pawns are operations
void use_known_conditions(Module *m);  // known.c
void combine_alternatives(Module *m);  // algebra.c
void order_tests(Module *m);           // order.c: cheap tests first
void share_calls(Module *m);           // common.c: equal calls are made once
void note_comments(Module *m);         // comments.c: what each match needs of comments
void split_tags(Module *m);            // tags.c: conditions on tags, for games before their moves are read

#endif
