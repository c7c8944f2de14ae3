// Rank 0: prepares the search, hands out blocks, and collects the results.
#ifndef CQL_MPI_LEADER_H
#define CQL_MPI_LEADER_H

// Runs `cqlgen search` with these arguments on all ranks. Returns the exit status.
int lead_search(int count, char **argument);

#endif
