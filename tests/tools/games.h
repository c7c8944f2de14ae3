// Games of PGN files in memory, as matchers see them.
#ifndef CQL_TOOLS_GAMES_H
#define CQL_TOOLS_GAMES_H

#include "runtime/game/game.h"

enum { MAX_GAMES = 1000 };

// Zero-initialised; large.
typedef struct Games {
    Game game[MAX_GAMES];
    char *text[MAX_GAMES]; // where their source texts are
    int count;
    int64_t positions; // of games that are not skipped
} Games;

// Adds games of a file until there are `most`, or as many positions. `flags`: PARSE_. Ends the program with a message
// when the file cannot be opened.
void games_load(Games *games, const char *path, unsigned flags, int most, int64_t positions);
void games_free(Games *games);

#endif
