// Numbers for distinct texts, by hashing.
#ifndef CQL_TEXT_MAP_H
#define CQL_TEXT_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"

typedef struct TextMapCell TextMapCell;

typedef struct TextMap { // all zero: empty
    TextMapCell *cell;
    uint32_t capacity;
    int count;
} TextMap;

// The number of an equal text, in the order in which they were added; adds the text, which must stay as it is, when there
// is none. *is_new, which may be NULL: whether it was added.
int text_map_number(Arena *a, TextMap *map, const char *bytes, uint32_t length, bool *is_new);

int text_map_find(const TextMap *map, const char *bytes, uint32_t length); // -1: there is none

#endif
