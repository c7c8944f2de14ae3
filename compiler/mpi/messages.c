// Bytes between the ranks of a search, by Open MPI.
#include "messages.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/value/memory.h"

enum { MOST_BYTES = 64 << 20 }; // of one message of MPI, whose lengths are int
enum { KEPT_BYTES = 1 << 20 };  // of memory for the next message of a rank
enum { LEAST_REST = 100000 };

int message_rank(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int message_ranks(void)
{
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Rank 0 may compile for long before the others hear from it: they sleep.
static void broadcast(char *bytes, size_t length)
{
    for (size_t at = 0; at < length; at += MOST_BYTES) {
        MPI_Request request;
        int done = 0;
        MPI_Ibcast(bytes + at, (int)least(length - at, MOST_BYTES), MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        for (long rest = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done;)
            message_sleep(&rest, MOST_REST);
    }
}

void message_ask(Request request, const Buffer *bytes)
{
    uint64_t head[2] = {request, bytes->length};
    broadcast((char *)head, sizeof head);
    broadcast(bytes->start, bytes->length);
}

Request message_hear(Buffer *bytes)
{
    uint64_t head[2];
    broadcast((char *)head, sizeof head);
    *bytes = (Buffer){memory_new(head[1] + 1), head[1], head[1] + 1};
    broadcast(bytes->start, bytes->length);
    return (Request)head[0];
}

Buffer *message_gather(const Buffer *bytes)
{
    const int ranks = message_ranks(), rank = message_rank();
    Buffer *all = rank == 0 ? memory_zeroed((size_t)ranks, sizeof *all) : NULL;
    if (rank > 0) {
        uint64_t length = bytes->length;
        MPI_Send(&length, 1, MPI_UINT64_T, 0, 0, MPI_COMM_WORLD);
        for (size_t at = 0; at < length; at += MOST_BYTES)
            MPI_Send(bytes->start + at, (int)least(length - at, MOST_BYTES), MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        return NULL;
    }
    buffer_append(&all[0], bytes->start, bytes->length);
    for (int from = 1; from < ranks; from++) {
        uint64_t length;
        MPI_Recv(&length, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        all[from] = (Buffer){memory_new(length + 1), length, length + 1};
        for (size_t at = 0; at < length; at += MOST_BYTES)
            MPI_Recv(all[from].start + at, (int)least(length - at, MOST_BYTES), MPI_BYTE, from, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return all;
}

void message_send(int rank, int kind, const void *bytes, size_t length)
{
    const char *at = bytes;
    for (; length > MOST_BYTES; at += MOST_BYTES, length -= MOST_BYTES)
        MPI_Send(at, MOST_BYTES, MPI_BYTE, rank, MESSAGE_MORE, MPI_COMM_WORLD);
    MPI_Send(at, (int)length, MPI_BYTE, rank, kind, MPI_COMM_WORLD);
}

bool message_poll(int *rank, int *kind, const char **bytes, size_t *length)
{
    static Buffer *part; // by rank: the beginning of a long message; kept for the next one
    static Buffer whole;
    int there = 0, count = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (!there)
        return false;
    if (!part)
        part = memory_zeroed((size_t)message_ranks(), sizeof *part);
    MPI_Get_count(&status, MPI_BYTE, &count);
    Buffer *to = &part[status.MPI_SOURCE];
    to->start = memory_grow(to->start, &to->capacity, to->length + (size_t)count + 1, 1); // never NULL
    MPI_Recv(to->start + to->length, count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    to->length += (size_t)count;
    *rank = status.MPI_SOURCE;
    *kind = status.MPI_TAG;
    *bytes = NULL;
    if (status.MPI_TAG == MESSAGE_MORE)
        return true;
    Buffer old = whole;
    whole = *to;
    if (old.capacity > KEPT_BYTES)
        buffer_free(&old);
    *to = (Buffer){old.start, 0, old.capacity};
    *bytes = whole.start;
    *length = whole.length;
    return true;
}

long message_rest(long *rest, long most)
{
    *rest = *rest == 0 ? LEAST_REST : 2 * *rest < most ? 2 * *rest : most;
    return *rest;
}

void message_sleep(long *rest, long most)
{
    nanosleep(&(struct timespec){.tv_nsec = message_rest(rest, most)}, NULL);
}
