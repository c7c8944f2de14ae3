// A ring of pieces that one thread fills and another one empties.
#include "ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

enum { PIECES = 4, PIECE_BYTES = 256 * 1024 };

typedef struct Piece {
    char *bytes;
    size_t length;
    uint64_t offset; // of the reader after it
} Piece;

struct ReadAhead {
    ReadFn *read;
    uint64_t (*offset)(const void *user);
    void *user;
    pthread_t thread;
    pthread_mutex_t mutex; // guards all below up to `end`
    pthread_cond_t moved;
    size_t first, count; // the full pieces
    bool quit;           // nobody wants more
    int64_t status;      // 1: more may follow the full pieces; 0: the end; -1: an error
    uint64_t end;        // the offset of the reader at the end
    // Of the caller of ahead_read.
    size_t at; // the bytes of the first piece before this were returned
    uint64_t last_offset;
    bool ended;
    Piece piece[PIECES];
};

// Reads a piece. Returns the status after it.
static int64_t fill_piece(ReadAhead *a, Piece *piece)
{
    piece->length = 0;
    while (piece->length < PIECE_BYTES) {
        const int64_t count = a->read(a->user, piece->bytes + piece->length, PIECE_BYTES - piece->length);
        if (count <= 0)
            return count;
        piece->length += (size_t)count;
        piece->offset = a->offset(a->user);
    }
    return 1;
}

// Waits for an empty piece; NULL when none is wanted.
static Piece *empty_piece(ReadAhead *a)
{
    pthread_mutex_lock(&a->mutex);
    while (a->count == PIECES && !a->quit)
        pthread_cond_wait(&a->moved, &a->mutex);
    Piece *piece = a->quit ? NULL : &a->piece[(a->first + a->count) % PIECES];
    pthread_mutex_unlock(&a->mutex);
    return piece;
}

static void *read_pieces(void *ahead)
{
    ReadAhead *a = ahead;
    Piece *piece;
    for (int64_t status = 1; status > 0 && (piece = empty_piece(a)) != NULL;) {
        status = fill_piece(a, piece);
        pthread_mutex_lock(&a->mutex);
        a->count += piece->length > 0;
        a->status = status;
        a->end = status > 0 ? 0 : a->offset(a->user);
        pthread_cond_signal(&a->moved);
        pthread_mutex_unlock(&a->mutex);
    }
    return NULL;
}

ReadAhead *ahead_open(ReadFn *read, uint64_t (*offset)(const void *user), void *user)
{
    ReadAhead *a = memory_zeroed(1, sizeof *a);
    a->read = read;
    a->offset = offset;
    a->user = user;
    a->status = 1;
    for (int i = 0; i < PIECES; i++)
        a->piece[i].bytes = memory_new(PIECE_BYTES);
    pthread_mutex_init(&a->mutex, NULL);
    pthread_cond_init(&a->moved, NULL);
    if (pthread_create(&a->thread, NULL, read_pieces, a) == 0)
        return a;
    a->thread = pthread_self();
    ahead_close(a);
    return NULL;
}

// The first full piece; NULL at the end.
static const Piece *full_piece(ReadAhead *a)
{
    pthread_mutex_lock(&a->mutex);
    while (a->count == 0 && a->status > 0)
        pthread_cond_wait(&a->moved, &a->mutex);
    const Piece *piece = a->count > 0 ? &a->piece[a->first] : NULL;
    pthread_mutex_unlock(&a->mutex);
    return piece;
}

static void drop_piece(ReadAhead *a)
{
    a->at = 0;
    pthread_mutex_lock(&a->mutex);
    a->first = (a->first + 1) % PIECES;
    a->count--;
    pthread_cond_signal(&a->moved);
    pthread_mutex_unlock(&a->mutex);
}

int64_t ahead_read(void *ahead, void *buffer, size_t size)
{
    ReadAhead *a = ahead;
    const Piece *piece = full_piece(a);
    if (!piece) {
        a->ended = true;
        a->last_offset = a->end;
        return a->status;
    }
    const size_t left = piece->length - a->at, count = left < size ? left : size;
    memcpy(buffer, piece->bytes + a->at, count);
    a->at += count;
    a->last_offset = piece->offset;
    if (count == left)
        drop_piece(a);
    return (int64_t)count;
}

bool ahead_ended(const ReadAhead *a)
{
    return a->ended;
}

uint64_t ahead_offset(const ReadAhead *a)
{
    return a->last_offset;
}

void ahead_close(ReadAhead *a)
{
    pthread_mutex_lock(&a->mutex);
    a->quit = true;
    pthread_cond_signal(&a->moved);
    pthread_mutex_unlock(&a->mutex);
    if (!pthread_equal(a->thread, pthread_self()))
        pthread_join(a->thread, NULL);
    pthread_mutex_destroy(&a->mutex);
    pthread_cond_destroy(&a->moved);
    for (int i = 0; i < PIECES; i++)
        free(a->piece[i].bytes);
    free(a);
}
