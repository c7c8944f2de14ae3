// Screens: what the positions of a game must look like for a query to match, derived from its IR.
#ifndef CQL_SCREEN_H
#define CQL_SCREEN_H

#include "compiler/middle/ir/ir.h"

// Sets m->screen, or leaves it NULL when nothing is known. The module must be optimised.
void screen_module(Module *m);

#endif
