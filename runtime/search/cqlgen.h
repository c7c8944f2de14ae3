// libcqlgen: search games with compiled matchers from other programs. Plain C; every function can be called
// through a foreign function interface. See examples/embed.
//
// Several threads may use all functions, each with its own CqlSearch. When memory runs out, the program ends
// with a message on stderr and status 7.
#ifndef CQLGEN_H
#define CQLGEN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A loaded matcher.so and everything one thread needs to run it.
typedef struct CqlSearch CqlSearch;

// A game that a query finds. All pointers are valid only during the callback.
typedef struct CqlHit {
    int64_t game;            // number in the file, from 1
    int32_t query;           // index of the query in the matcher, from 0
    int32_t position_count;  // matching positions
    const int32_t *position; // their positionids, ascending
} CqlHit;

// Called for each matching game and query, in order. Return 0 to continue, anything else to stop the search.
typedef int32_t CqlCallback(void *user, const CqlHit *hit);

// Loads a matcher made by `cqlgen QUERY.cql -o MATCHER.so`. Returns NULL when that fails; cql_error(NULL)
// gives the reason.
CqlSearch *cql_open(const char *matcher_path);
void cql_close(CqlSearch *search);

// The number of queries in the matcher, and their names.
int32_t cql_query_count(const CqlSearch *search);
const char *cql_query_name(const CqlSearch *search, int32_t query);

// Searches a PGN file, plain or compressed with zstd, gzip, bzip2 or xz. Returns the number of matching games
// (for all queries together), or -1 when the file cannot be read (see cql_error). Damaged games are searched
// as far as they can be read. `callback` may be NULL.
int64_t cql_search_file(CqlSearch *search, const char *pgn_path, CqlCallback *callback, void *user);

// The same for games in memory.
int64_t cql_search_text(CqlSearch *search, const char *pgn, uint64_t length, CqlCallback *callback,
                        void *user);

// Why the last call failed, in English; "" when it did not. cql_error(NULL) is about cql_open in the calling
// thread. A query that fails in a game does not match there.
const char *cql_error(const CqlSearch *search);

#ifdef __cplusplus
}
#endif

#endif
