// Memory for strings that are all given up at once: at the end of a game, or when the persistent strings are
// compacted.
#ifndef CQL_STRING_ARENA_H
#define CQL_STRING_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/match/matcher.h"

typedef struct StringChunk StringChunk;

// Zero-initialised, with `cap` set.
typedef struct StringArena {
    StringChunk *first, *current;
    size_t used; // bytes handed out since the last reset
    size_t cap;  // most bytes that may be handed out between two resets
} StringArena;

// A string of `length` bytes, not filled in but terminated; NULL when the cap or memory is exhausted. Owned
// by the arena.
CqlString *string_arena_new(StringArena *a, size_t length);

// Gives up all strings. Memory up to a moderate size is kept for the next use.
void string_arena_reset(StringArena *a);

void string_arena_free(StringArena *a);

#endif
