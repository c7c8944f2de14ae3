// Matching games that wait for the end of the search, because the query sorts them or because the format writes all of them at once. Beyond a bound of memory, sorted runs
// of them go to an unlinked temporary file, and are merged when they are read.
#ifndef CQL_SORTED_H
#define CQL_SORTED_H

#include "game_record.h"

typedef struct SortedGames {
    struct SortedGame *game; // those in memory
    size_t count, capacity;
    size_t memory;         // bytes of them
    size_t most;           // only so many games, the first ones in order, are wanted; 0: all
    struct SortedRun *run; // in the temporary file
    size_t run_count, run_capacity;
    Buffer record;    // of the last game
    int fd;           // of the temporary file; valid when spilled > 0
    uint64_t spilled; // bytes in it
    struct SortedMerge *merge;
    int error; // errno of a failed access to the file, 0: none
} SortedGames;

// Adds a copy of the game without its reports and messages. When the games then have more than `bound` bytes in memory they go to the
// temporary file. Returns false after an error (s->error).
bool sorted_add(SortedGames *s, const GameRecord *game, size_t bound);

// Begins to read the games in the order of their keys and numbers. May be called again, to read them again.
void sorted_begin(SortedGames *s);

// The next game, valid until the next call. NULL at the end, or after an error (s->error).
const GameRecord *sorted_next(SortedGames *s);

void sorted_free(SortedGames *s);

#endif
