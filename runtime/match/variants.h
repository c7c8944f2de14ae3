// Variants of chess: the Variant tag of a game (language reference 13.8).
#ifndef CQL_VARIANTS_H
#define CQL_VARIANTS_H

#include "runtime/game/game.h"

enum Variant {
    VARIANT_STANDARD,
    VARIANT_CHESS960,
    VARIANT_KING_OF_THE_HILL,
    VARIANT_THREE_CHECK,
    VARIANT_FOREIGN // moves by rules that cqlgen does not know
};

// How a rule of a variant ended the game for the side to move, as bits.
enum { VARIANT_END_WON = 1, VARIANT_END_LOST = 2 };

// The variant of a game; *name is the value of its Variant tag, empty without one.
enum Variant variant_of(const Game *game, Text *name);

// The name that `variant` returns; not for VARIANT_FOREIGN, whose games are not searched.
const char *variant_name(enum Variant variant);

#endif
