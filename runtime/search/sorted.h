// The written forms of matching games that wait for the end of the search, because the query sorts them
// (language reference 10.6) or because the format writes all of them at once. Beyond a bound they go to an
// unlinked temporary file.
#ifndef CQL_SORTED_H
#define CQL_SORTED_H

#include "runtime/game/game.h"
#include "runtime/match/matcher.h"

typedef struct SortedKey {
    bool has_value, is_min;
    int32_t number;
    char *text; // NULL: compare the numbers
    size_t length;
} SortedKey;

typedef struct SortedGame {
    int64_t number;  // game number: breaks ties
    char *text;      // what will be written; NULL: it is in the temporary file
    uint64_t offset; // in the temporary file
    size_t length;
    char *file;          // the output file it goes to; NULL: that of all games
    size_t index_length; // of the first part of the text (format_game)
    SortedKey *key;
    size_t key_count;
} SortedGame;

typedef struct SortedGames {
    SortedGame *game;
    size_t count, capacity;
    size_t memory;    // bytes of text in memory
    int fd;           // of the temporary file; valid when spilled > 0
    uint64_t spilled; // bytes in it
    int error;        // errno of a failed access to it, 0: none
} SortedGames;

// Adds a game with a copy of its text. The result is valid until the next sorted_add.
SortedGame *sorted_add(SortedGames *s, int64_t number, const char *text, size_t length);

// Adds a key value to the game just added, in key order. Copies `text` (may be NULL).
void sorted_key(SortedGame *game, bool has_value, bool is_min, int32_t number, String text);

// Drops all but the first `count` games.
void sorted_cut(SortedGames *s, size_t count);

// Moves the games of `from`, all of which are in memory, to the end of `to`. When `to` then has more than
// `bound` bytes of text in memory they go to its temporary file. Returns false after an error (to->error).
bool sorted_move(SortedGames *to, SortedGames *from, size_t bound);

// Sorts the games by the keys (games without a value last), then by number.
void sorted_sort(SortedGames *s);

// Appends the text of game i from byte `begin` to byte `end`. Returns false after an error (s->error).
bool sorted_text(SortedGames *s, size_t i, size_t begin, size_t end, Buffer *out);

void sorted_free(SortedGames *s);

#endif
