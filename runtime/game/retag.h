// Setting tags in the text of a game, all other bytes of which stay as they are.
#ifndef CQL_GAME_RETAG_H
#define CQL_GAME_RETAG_H

#include "game.h"

// Appends the text of a game in which the `count` tags have their new values: in their places, or after the last tag, or in lines of
// their own before the moves. keep: tags that are there and say something stay as they are.
void game_retag(Buffer *out, Text text, const Tag *set, size_t count, bool keep);

#endif
