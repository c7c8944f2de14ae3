// Games by their numbers: those that an earlier search has found, so that another one can leave out the others.
#ifndef CQL_SEARCH_NUMBERS_H
#define CQL_SEARCH_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/format/totals.h"

typedef struct GameNumbers {
    int64_t *number;
    size_t count, capacity;
    SearchTotals totals; // of the earlier search
} GameNumbers;

void numbers_add(GameNumbers *n, int64_t number);
void numbers_free(GameNumbers *n);

// Between all numbers_add and the first numbers_has.
void numbers_sort(GameNumbers *n);
bool numbers_has(const GameNumbers *n, int64_t number);

#endif
