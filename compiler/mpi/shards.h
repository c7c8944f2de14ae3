// The databases of a search in which each rank has some on its own disk (--local).
#ifndef CQL_MPI_SHARDS_H
#define CQL_MPI_SHARDS_H

#include "compiler/cli/cli.h"
#include "runtime/share/hub.h"
#include "runtime/search/search.h"

// All databases by name, as every rank knows them.
typedef struct Shards {
    InputNames name;
    SearchShard *shard; // `absent`: for this rank
    bool *has;          // by rank and shard: [rank * name.count + shard]
    int ranks;
} Shards;

// Looks for databases with these names, which may have wildcards, on all ranks; all ranks call it at the same time. Rank 0
// returns false after a message when there are none, or when databases of one name differ.
bool shards_find(Shards *s, const char *const *name, size_t count);
void shards_free(Shards *s);

// Lets the hub hand out the blocks of each database to the ranks that have it.
void shards_divide(const Shards *s, const SearchOptions *search, Hub *hub);

#endif
