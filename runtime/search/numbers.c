// Sorted numbers of games.
#include "numbers.h"

#include <stdlib.h>

#include "runtime/value/memory.h"

void numbers_add(GameNumbers *n, int64_t number)
{
    MEMORY_PUSH(n->number, n->count, n->capacity, number);
}

void numbers_free(GameNumbers *n)
{
    free(n->number);
    *n = (GameNumbers){0};
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void numbers_sort(GameNumbers *n)
{
    if (n->count > 0)
        qsort(n->number, n->count, sizeof *n->number, compare);
}

bool numbers_has(const GameNumbers *n, int64_t number)
{
    return n->count > 0 && bsearch(&number, n->number, n->count, sizeof *n->number, compare) != NULL;
}
