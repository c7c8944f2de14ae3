// Matching games that wait for the end of the search because the query sorts them (language reference 10.6).
#ifndef CQL_SORTED_H
#define CQL_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../match/matcher.h"

typedef struct SortedKey {
    bool has_value, is_min;
    int32_t number;
    char *text;              // NULL: compare the numbers
    size_t length;
} SortedKey;

typedef struct SortedGame {
    int64_t number;          // game number: decides between equals
    char *text;              // what will be written
    size_t length;
    SortedKey *key;
    size_t key_count;
} SortedGame;

typedef struct SortedGames {
    SortedGame *game;
    size_t count, capacity;
} SortedGames;

// Adds a game with a copy of its text. The result is valid until the next sorted_add.
SortedGame *sorted_add(SortedGames *s, int64_t number, const char *text, size_t length);

// Adds a key value to the game just added; keys are added in key order. `text` (may be NULL) is copied.
void sorted_key(SortedGame *game, bool has_value, bool is_min, int32_t number, String text);

// Moves all games of `from` to the end of `to`; `from` is empty then.
void sorted_move(SortedGames *to, SortedGames *from);

// Brings the games into their final order: by the keys (games without a value last), then by number.
void sorted_sort(SortedGames *s);

void sorted_free(SortedGames *s);

#endif
