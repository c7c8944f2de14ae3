// Numbers for strings of bytes: 0, 1, 2 … in the order of their first appearance, equal strings having equal numbers.
#ifndef CQL_KIT_NUMBERING_H
#define CQL_KIT_NUMBERING_H

#include "compiler/base/arena.h"

// Initialise with {.arena = …}, which owns everything.
typedef struct Numbering {
    Arena *arena;
    struct NumberedBytes {
        const void *bytes; // a copy, aligned to 16
        size_t length;
    } * entry;
    int count;
    int *slot; // 1 + a number, 0: free
    int slots; // a power of two
} Numbering;

// The number of the bytes; it was n->count before the call if and only if they are new.
int numbering_add(Numbering *n, const void *bytes, size_t length);

#endif
