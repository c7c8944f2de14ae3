// Which games of a database the queries may find by their tags: the atoms of each condition on tags (QueryInfo) are
// evaluated once for each value of a column of the database, in whatever game it is.
#ifndef CQL_SEARCH_CANDIDATES_H
#define CQL_SEARCH_CANDIDATES_H

#include "runtime/database/database.h"
#include "runtime/match/run.h"

// What is known about the values of the databases of a search. Shared by its threads.
typedef struct Candidates Candidates;
// `columns`: of names that others want (candidates_names), bits 1 << COLUMN_.
Candidates *candidates_new(const Matcher *matcher, unsigned columns);
void candidates_free(Candidates *c);

// The names of a database by column (those of Black are White's); NULL when they are damaged.
const NameList *candidates_names(Candidates *c, Database *d);

bool candidates_any(const Candidates *c); // the queries have conditions on tags

// One thread's memory.
typedef struct CandidateSearch CandidateSearch;
CandidateSearch *candidate_search_new(void);
void candidate_search_free(CandidateSearch *s);

enum { CANDIDATE = -1 };

typedef enum CandidatesResult {
    CANDIDATES_FOUND,
    CANDIDATES_ALL,    // the queries have no conditions on tags
    CANDIDATES_DAMAGED // the columns of the chunk, or names, cannot be read
} CandidatesResult;

// Fills count[game * queries + query] for the games of a chunk: 0, the game cannot match; above, the number of matching
// positions is known; CANDIDATE, the game must be evaluated. Fills nothing unless the result is CANDIDATES_FOUND. `run`:
// by query.
CandidatesResult candidates_find(Candidates *c, CandidateSearch *s, Run *const *run, Database *d,
                                 int64_t chunk, int32_t *count);

#endif
