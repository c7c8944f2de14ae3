// The written forms of matching games that wait for the end of the search, because the query sorts them
// (language reference 10.6) or because the format writes all of them at once. Beyond a bound of memory, sorted runs
// of them go to an unlinked temporary file, and are merged when they are read.
#ifndef CQL_SORTED_H
#define CQL_SORTED_H

#include "runtime/game/game.h"
#include "runtime/match/matcher.h"

typedef struct SortedKey {
    bool has_value, is_min;
    int32_t number;
    const char *text; // NULL: compare the numbers
    size_t length;
} SortedKey;

typedef struct SortedGame {
    int64_t number; // game number: breaks ties
    char *text;     // what will be written
    size_t length;
    char *file;          // the output file it goes to; NULL: that of all games
    size_t index_length; // of the first part of the text (format_game)
    SortedKey *key;
    size_t key_count;
} SortedGame;

typedef struct SortedGames {
    SortedGame *game; // those in memory
    size_t count, capacity;
    size_t memory;         // bytes of them
    size_t most;           // only so many games, the first ones in order, are wanted; 0: all
    bool by_file;          // the order is that of the files first
    struct SortedRun *run; // in the temporary file
    size_t run_count, run_capacity;
    int fd;           // of the temporary file; valid when spilled > 0
    uint64_t spilled; // bytes in it
    struct SortedMerge *merge;
    int error; // errno of a failed access to the file, 0: none
} SortedGames;

// Adds a game with a copy of its text. The result is valid until the next sorted_add.
SortedGame *sorted_add(SortedGames *s, int64_t number, const char *text, size_t length);

// Adds a key value to the game just added, in key order. Copies `text` (may be NULL).
void sorted_key(SortedGame *game, bool has_value, bool is_min, int32_t number, String text);
void sorted_key_bytes(SortedGame *game, bool has_value, bool is_min, int32_t number, const char *text,
                      size_t length);

// Drops all but the first `count` games in memory.
void sorted_cut(SortedGames *s, size_t count);

// Moves the games of `from`, all of which are in memory, to `to`. When `to` then has more than `bound` bytes in
// memory they go to its temporary file. Returns false after an error (to->error).
bool sorted_move(SortedGames *to, SortedGames *from, size_t bound);

// Begins to read the games, in the order of the keys (games without a value last), then of the numbers. May be called
// again, to read them again.
void sorted_begin(SortedGames *s);

// The next game, valid until the next call. NULL at the end, or after an error (s->error).
const SortedGame *sorted_next(SortedGames *s);

void sorted_free(SortedGames *s);

#endif
