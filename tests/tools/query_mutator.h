// Damages query texts: what people mistype, and what nobody in his right mind would write.
#ifndef CQL_QUERY_MUTATOR_H
#define CQL_QUERY_MUTATOR_H

#include "runtime/game/game.h"

// Puts a changed copy of `query` into `out` (which is emptied before). Pieces of `other` may get into it. The
// same seed and texts give the same result. The result may hold any byte, NUL included, and be empty.
void mutate_query(uint64_t seed, Text query, Text other, Buffer *out);

#endif
