// Reads ahead: a thread of its own calls a ReadFn (game.h), while its caller works on what came before.
#ifndef CQL_SEARCH_AHEAD_H
#define CQL_SEARCH_AHEAD_H

#include "runtime/game/game.h"

typedef struct ReadAhead ReadAhead;

// Starts to read. `offset` says how far `read` has come. Both are called by the thread alone until ahead_close; they
// must not wait for ever. The memory is bounded. NULL: no thread can be started.
ReadAhead *ahead_open(ReadFn *read, uint64_t (*offset)(const void *user), void *user);

// A ReadFn: what `read` has read. At the end, and after an error, the thread has ended.
int64_t ahead_read(void *ahead, void *buffer, size_t size);

// True when ahead_read has returned the end or an error.
bool ahead_ended(const ReadAhead *a);

// Where `read` was after the bytes that ahead_read has returned last.
uint64_t ahead_offset(const ReadAhead *a);

// Ends the thread, wherever it is.
void ahead_close(ReadAhead *a);

#endif
