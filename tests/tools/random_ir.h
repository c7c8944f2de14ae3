// Random IR that means something: modules that are well-formed (ir_verify), keep the rules of docs/ir.md, and contain the forms that
// passes look for.
#ifndef CQL_TOOLS_RANDOM_IR_H
#define CQL_TOOLS_RANDOM_IR_H

#include "compiler/middle/ir/ir.h"

// A module with a body, a recursive function, a function that is called from one place, a table, texts and cells. The same seed gives the
// same module. It is freed with its arena.
Module *random_module(uint64_t seed);

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

#endif
