// Random IR that means something: modules that are well-formed (ir_verify), keep the rules of docs/ir.md, and contain the forms that
// passes look for.
#ifndef CQL_TOOLS_RANDOM_IR_H
#define CQL_TOOLS_RANDOM_IR_H

#include "compiler/middle/ir/ir.h"

// A module with a body, a recursive function, a function that is called from one place, a table, texts and cells. The same seed gives the
// same module. It is freed with its arena.
Module *random_module(uint64_t seed);

#endif
