// The ranks beside rank 0: search the blocks that rank 0 hands out.
#ifndef CQL_MPI_MEMBER_H
#define CQL_MPI_MEMBER_H

// Does what rank 0 asks for, until it asks for the end.
void member_run(void);

#endif
