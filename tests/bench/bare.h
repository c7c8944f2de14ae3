// The bare loop, the yardstick of the machine: the main lines of all games as move words in memory, replayed one game
// after the other on twelve bitboards, with one mask tested in each position. Nothing is found out about a position but
// where the pieces are. The yardstick is the plain form, written as one would write it first; the tuned form has no
// branches but those for special moves.
#ifndef CQL_BENCH_BARE_H
#define CQL_BENCH_BARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/chess/word.h"

// Zero-initialised. The lines are contiguous, whatever the input was.
typedef struct BareLines {
    MoveWord *word;
    size_t *end; // by game: the index after its last word
    size_t words, games, word_capacity, game_capacity;
    int64_t positions; // with the starting positions
    int64_t expected;  // positions in which the mask matches, by the ordinary reader
    int64_t bytes;     // of the PGN text
} BareLines;

// Reads the main lines of PGN files and databases. Leaves out games that do not start from the standard position or
// contain null moves.
void bare_load(BareLines *lines, const char *const *input, size_t count);
void bare_free(BareLines *lines);

// Positions in which the mask matches.
typedef int64_t BareLoop(const BareLines *lines);
BareLoop bare_replay, bare_replay_tuned;

// Positions a second: the best of `rounds` measurements of at least `seconds`. Ends the program when the replay finds
// anything else than the ordinary reader.
double bare_rate(const BareLines *lines, BareLoop *loop, double seconds, int rounds);

#endif
