// What must agree when PGN is read in different ways:
//   - games found one by one, in blocks, and from a stream that delivers few bytes at a time;
//   - each position and what the move makes of the one before it, each move and what is read from its
//   notation;
//   - the main line of a game read alone, and that of its tree;
//   - the clocks of a game that is packed without its tree, and those of its comments;
//   - the tree of a game and the tree of what game_write_pgn made of it.
#ifndef CQL_GAME_CHECKS_H
#define CQL_GAME_CHECKS_H

#include "runtime/game/game.h"

typedef struct GameChecks {
    Game game, again;
    Buffer out;
} GameChecks;
void game_checks_init(GameChecks *c);
void game_checks_free(GameChecks *c);

// Reads the games of a PGN text, whatever it is.
void check_games(GameChecks *c, const char *text, size_t length);

// What does not agree in the text. Each program that uses the checks has its own.
_Noreturn void check_failed(const char *what, const char *text, size_t length);

#endif
