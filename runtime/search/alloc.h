// Memory of the search driver. Running out of it ends the program with a message: results cannot be kept
// then.
#ifndef CQL_SEARCH_ALLOC_H
#define CQL_SEARCH_ALLOC_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline _Noreturn void alloc_failed(void)
{
    fputs("cqlgen: out of memory\n", stderr);
    abort();
}

// `count` zeroed elements.
static inline void *alloc_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        alloc_failed();
    return memory;
}

// Makes a growing array of *capacity elements hold at least `need`. Contents are kept.
static inline void *alloc_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    *capacity = need > 2 * *capacity ? need : 2 * *capacity;
    array = realloc(array, *capacity * size);
    if (!array)
        alloc_failed();
    return array;
}

static inline char *alloc_copy(const char *bytes, size_t length)
{
    char *copy = alloc_zeroed(length + 1, 1);
    memcpy(copy, bytes, length);
    return copy;
}

#endif
