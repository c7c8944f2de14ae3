// Random queries, made from the table of filters: type-directed, so that nearly all of them are accepted.
#ifndef CQL_QUERY_GENERATOR_H
#define CQL_QUERY_GENERATOR_H

#include <stddef.h>
#include <stdint.h>

// Fills `out` with the filters of a query (no header), NUL-terminated. The same seed gives the same text.
void generate_query(uint64_t seed, char *out, size_t size);

#endif
