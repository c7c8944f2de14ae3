// The interpreter: the reference semantics of the IR. Needs no compiler at run time.
#ifndef CQL_INTERP_H
#define CQL_INTERP_H

#include "compiler/middle/ir/ir.h"

// Makes the matcher of the modules, which must outlive it. Freed by interp_free. Never fails.
const Matcher *interp_new(Module *const *module, int count);
void interp_free(const Matcher *matcher);

#endif
