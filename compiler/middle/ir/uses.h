// Which locals trees use, and whether they have a node of some kind.
#ifndef CQL_IR_USES_H
#define CQL_IR_USES_H

#include "ir.h"

// Is the test true of a node of the tree?
bool ir_has_node(const Ir *tree, bool (*test)(const Ir *node, const void *user), const void *user);

bool ir_reads_board_before(const Ir *tree); // a board of the position before the last move

int ir_used_local(const Ir *node); // that the node itself reads or writes, -1: none
bool ir_writes_local(const Ir *tree, int local);
bool ir_uses_local(const Ir *tree, int local); // reads or writes it

// Adds `change` for each node that reads a local to its number in `reads`, and for each that writes one to that in `writes`.
// Both may be the same, or NULL.
void ir_count_uses(const Ir *tree, int *reads, int *writes, int change);

// Gives the function a local like that of another one, with its name.
int ir_copy_local(IrFunction *to, const IrFunction *from, int local);
// Makes the tree one of another function: each of its locals becomes the one that `map` has for it; -1: none yet.
void ir_move_locals(Ir *tree, IrFunction *to, const IrFunction *from, int *map);

#endif
