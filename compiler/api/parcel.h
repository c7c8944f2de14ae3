// Found games on their way from the threads of a search to the caller, each in one piece that can be moved.
#ifndef CQL_API_PARCEL_H
#define CQL_API_PARCEL_H

#include "cqlgen.h"
#include "runtime/format/format.h"
#include "runtime/value/buffer.h"

// Appends a parcel for each query that found the game. `want`: CQL_WANT_. `out` has nothing but parcels.
void parcel_write(Buffer *out, const FoundGame *g, FormatMemory *m, uint32_t want);

// Opens the parcel at *next, once, and moves *next past it. The parcels are aligned as malloc'd memory is. The game is part of
// the parcel, which must stay where it is.
const CqlGame *parcel_open(char **next);

#endif
