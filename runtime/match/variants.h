// Variants of chess (language reference 13.8).
#ifndef CQL_VARIANTS_H
#define CQL_VARIANTS_H

#include <stdbool.h>

#include "runtime/game/game.h"

// True when the game's Variant tag names a game whose moves are not those of chess; those of Chess960, King of
// the Hill and Three-check are. *name becomes the value of the tag. Needs game_parse_tags.
bool variant_is_foreign(const Game *game, Text *name);

#endif
