// What random IR must keep, and how a body becomes smaller.
#ifndef CQL_TOOLS_SMALLER_IR_H
#define CQL_TOOLS_SMALLER_IR_H

#include "compiler/middle/ir/ir.h"

// NULL, or what is wrong with a module: ir_verify, or a local that is read where it may have no value.
const char *module_fault(const Module *m);

// A change that makes a body smaller: its node with that number in preorder becomes its operand `kid`, or the simplest value of its
// type when `kid` is -1.
typedef struct Edit {
    int node, kid;
} Edit;

int tree_size(const Ir *tree);
// False when the body has no such node or operand, or the module has a fault now.
bool edit_body(Module *m, Edit edit);

// Puts other constants into the tree, a little larger or elsewhere on the board; sometimes other pieces.
// What relies on a test before it stays with that test.
void vary_tree(Ir *tree, int files, int more);

#endif
