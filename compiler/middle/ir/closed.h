// Conditions that depend on nothing but the position at which they are evaluated, although they use locals.
#ifndef CQL_IR_CLOSED_H
#define CQL_IR_CLOSED_H

#include "ir.h"

// True when the tree has no effects, reads nothing but the position, the game and locals that it has written before, and
// nothing outside it uses these locals. uses: by local, the places in the whole function.
bool depends_only_on_position(const Ir *tree, const int *uses);

// The same of its locals alone.
bool closed_locals(const Ir *tree, const int *uses);

#endif
