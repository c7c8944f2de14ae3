// Variants of chess.
#include "variants.h"

#include <string.h>
#include <strings.h>

static bool is(Text text, const char *name)
{
    return text.length > 0 && text.length == strlen(name) && strncasecmp(text.start, name, text.length) == 0;
}

bool variant_is_foreign(const Game *game, Text *name)
{
    // lichess: "From Position" is chess that begins with a FEN.
    static const char *const known[] = {
        "Chess",      "Classical",         "Normal",           "Standard",      "Chess960",    "Fischerandom",
        "KOTH",       "kingOfTheHill",     "King of the Hill", "From Position", "Three-Check", "Three Check",
        "ThreeCheck", "Three Check Chess", "3-Check",          "3 Check"};
    for (size_t i = 0; i < game->tag_count; i++) {
        if (!is(game->tag[i].name, "Variant"))
            continue;
        *name = game->tag[i].value;
        if (name->length == 0)
            return false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (is(*name, known[k]))
                return false;
        return true;
    }
    return false;
}
