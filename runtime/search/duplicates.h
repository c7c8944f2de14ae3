// Games that are there more than once (same.h), in the games of some inputs.
//
// The inputs are read three times, which takes time in proportion to them, and some 60 bytes of memory for each game:
//   1. each game gets its key: hashes of its moves and tags;
//   2. games whose players meet more than once are played again: a hash on the way that is that of a whole game may be that of the same game,
//      cut short;
//   3. of all games that may be duplicates or have one, the moves and what is shown of them go to a temporary file: each pair is compared
//      before one of its games is dropped.
// Of equal games the one with most tags, comments, variations and glyphs is kept, of those the first one. A game that begins a longer one is
// dropped. What is kept depends neither on threads nor on the order of blocks.
#ifndef CQL_SEARCH_DUPLICATES_H
#define CQL_SEARCH_DUPLICATES_H

#include "runtime/database/database.h"
#include "search.h"

typedef struct Duplicates Duplicates;

// Finds duplicates in the inputs of `options` (input, memory, threads, stop). The first `fixed` games stay. Messages about inputs go to
// stderr. Sets *status, STATUS_INPUT when something could not be read; NULL and *status after a message when nothing can be said:
// an input has changed, there is no room for the temporary file, or it was interrupted. Pipes are copied to temporary files, since they are
// read again. `amend`, if not NULL, changes the games of PGN before they are compared.
Duplicates *duplicates_find(const SearchOptions *options, int64_t fixed, AmendFn *amend, void *amend_user,
                            int *status);
void duplicates_free(Duplicates *d);

int64_t duplicates_games(const Duplicates *d);   // in all inputs
int64_t duplicates_dropped(const Duplicates *d); // of them
int64_t duplicates_begins(const Duplicates *d);  // of these, those that begin a longer game

// Is game `number` (from 1, of input `i`) dropped? All inputs could be read if duplicates_whole.
bool duplicates_drops(const Duplicates *d, size_t i, int64_t number);
bool duplicates_whole(const Duplicates *d);

// A game as reports show it. The texts are valid until the next call of duplicates_next.
typedef struct DuplicateGame {
    const char *file;
    int64_t number; // in the file
    uint64_t line;  // 0: the file is a database
    Text white, black, date, result;
    uint32_t plies;
} DuplicateGame;

// The next game that is dropped after the place *at, which begins as 0, in the order of the inputs, and the one that is kept. False: none is
// left, or the temporary file cannot be read, which sets *failed.
bool duplicates_next(Duplicates *d, int64_t *at, DuplicateGame *dropped, DuplicateGame *kept, bool *failed);

// Writes the games that are kept as PGN, their bytes unchanged. False when `write` is; messages about inputs, which set *status, go to stderr.
bool duplicates_write(Duplicates *d, bool (*write)(void *user, const void *bytes, size_t length), void *user,
                      int *status);

// Opens input `i` to be read again: as input_open.
struct InputFile *duplicates_open(const Duplicates *d, size_t i);

#endif
