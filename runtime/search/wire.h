// What the search of a block has found, as bytes that another process reads.
#ifndef CQL_SEARCH_WIRE_H
#define CQL_SEARCH_WIRE_H

#include "block.h"

// Appends the results of the block; more: further results of the block follow.
void block_put(Buffer *out, const Block *block, bool more);

// The block that block_put has written in a search with the same plan, with copies of its texts; the caller frees it
// with block_free. NULL when the bytes are something else.
Block *block_get(const Plan *plan, const char *bytes, size_t length);

#endif
