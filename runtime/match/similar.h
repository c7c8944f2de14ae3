// The positions of the file of `similarposition` (language reference 6.15), indexed by what its transforms do not
// change.
#ifndef CQL_SIMILAR_H
#define CQL_SIMILAR_H

#include <stdbool.h>

#include "runtime/chess/chess.h"

typedef struct SimilarFile SimilarFile;

// Reads the main lines of all games of a PGN file. Games with an invalid FEN are left out; damaged games
// are read as far as possible. allowed: files_may_use. `plain`: no transforms. Returns NULL when the file cannot be read;
// *message then is the reason. The caller frees that, and the result with similar_free. A pipe ends when `stopped` (or NULL)
// says so.
SimilarFile *similar_read(const char *path, bool allowed, bool plain, bool (*stopped)(void *user), void *user,
                          char **message);
// Adds an owner, perhaps in another thread: each owner calls similar_free. Returns the file.
SimilarFile *similar_share(SimilarFile *file);
void similar_free(SimilarFile *file);

// A map of the board: to the left-right mirror image or another symmetry, then `files` to the right.
typedef struct SimilarMap {
    uint8_t symmetry; // 0 identity, else in the order of the table in 8.3, from reflect_v
    int8_t files;
} SimilarMap;

enum { SIMILAR_NAME_MAX = 48 };
// The name of the map in the form of `currenttransform` (8.11), without brackets; empty for the identity.
// Returns the length.
int similar_map_name(SimilarMap map, char out[SIMILAR_NAME_MAX]);

// One position of the file that matches: the map leads from it to the position that was looked up.
typedef struct SimilarMatch {
    int32_t game;        // number in the file, from 1
    int32_t move_number; // 6.2
    SimilarMap map;
} SimilarMatch;

// Iterates over the matches of a position in the order of the file. Start with *cursor = -1; false: no more.
// Threads may share the file.
bool similar_next(const SimilarFile *file, const Position *p, int32_t *cursor, SimilarMatch *match);

#endif
