// What the body of a query asks of single boards, evaluated at many positions at once (runtime/chess/sieve.h) before libtcc's
// code is called for the positions that are left: code that was not optimised costs most where it is called.
#ifndef CQL_BACK_SIEVE_H
#define CQL_BACK_SIEVE_H

#include "compiler/middle/ir/ir.h"

typedef struct Sieve Sieve;

// The first conditions of the module's body as steps, as many as steps can express, in the arena; NULL if that saves no time.
const Sieve *sieve_new(Arena *a, const Module *m);

typedef int32_t SieveBody(Context *c, int32_t n, const Position *p,
                          int32_t depth); // Matches of templates/prelude.h

// Appends the positions at which `matches`, the compiled body, is true to c->hit, as match_positions does there. Several threads
// may use a sieve.
void sieve_match(const Sieve *sieve, Context *c, SieveBody *matches);

#endif
