// Bytes between the ranks of a search.
//
// All calls of MPI are made by one thread at a time (MPI_THREAD_SERIALIZED): by the main thread before and after a search, and
// by one thread of its own during the search.
#ifndef CQL_MPI_MESSAGES_H
#define CQL_MPI_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/value/buffer.h"

// What rank 0 asks of all ranks.
typedef enum Request {
    REQUEST_END,    // nothing more
    REQUEST_SHARDS, // look for databases with these names
    REQUEST_SEARCH  // take part in this job
} Request;

// The kinds of messages between rank 0 and another rank.
enum {
    MESSAGE_CLAIM = 1, // to rank 0: asks for blocks; empty
    MESSAGE_RANGE,     // from rank 0: the first block and the one after the last; equal: nothing is left
    MESSAGE_RESULTS,   // to rank 0: results of blocks, each with its length before it
    MESSAGE_MORE,      // to rank 0: the beginning of a long message, the rest of which follows
    MESSAGE_ENDED,     // to rank 0: the number of blocks of the inputs
    MESSAGE_PLACE,     // to rank 0: a SharePlace that was reached; from rank 0: one to go on from
    MESSAGE_DONE       // to rank 0: the rank has finished: its RankReport; from rank 0: the search is over
};

// What a rank has done.
typedef struct RankReport {
    int64_t blocks, games, positions, bytes; // bytes: of results
    double seconds, waited;                  // of the search; for blocks
    int64_t failed;                          // it could not take part
    char node[64];
} RankReport;

int message_rank(void);
int message_ranks(void);

// A request with bytes that rank 0 sends to all ranks, and that all others receive. A receiver frees *bytes.
void message_ask(Request request, const Buffer *bytes);
Request message_hear(Buffer *bytes);

// Rank 0 gets the bytes of all ranks, by rank; it frees them and the array. Others get NULL.
Buffer *message_gather(const Buffer *bytes);

void message_send(int rank, int kind, const void *bytes, size_t length);

// Is there a message? *rank: who sent it. *bytes: its contents, or NULL when the message is not whole yet; valid until the next
// call.
bool message_poll(int *rank, int *kind, const char **bytes, size_t *length);

// How many nanoseconds to sleep when there is nothing to do: twice as long as before, at most `most`. *rest: the time before; a
// caller sets it to 0 when there was something to do.
long message_rest(long *rest, long most);
void message_sleep(long *rest, long most); // sleeps so long
enum { MOST_REST = 1000000 };              // where another process may wait for an answer

#endif
