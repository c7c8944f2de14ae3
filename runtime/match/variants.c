// Variants of chess: names in the Variant tag.
#include "variants.h"

#include <assert.h>

#include "runtime/value/ascii.h"

// The first name of a variant is that of the reference. lichess: "From Position" is chess that begins with a
// FEN.
static const struct {
    const char *name;
    enum Variant variant;
} names[] = {
    {"Standard", VARIANT_STANDARD},
    {"Chess", VARIANT_STANDARD},
    {"Classical", VARIANT_STANDARD},
    {"Normal", VARIANT_STANDARD},
    {"From Position", VARIANT_STANDARD},
    {"Chess960", VARIANT_CHESS960},
    {"Fischerandom", VARIANT_CHESS960},
    {"King of the Hill", VARIANT_KING_OF_THE_HILL},
    {"kingOfTheHill", VARIANT_KING_OF_THE_HILL},
    {"KOTH", VARIANT_KING_OF_THE_HILL},
    {"Three-check", VARIANT_THREE_CHECK},
    {"Three Check", VARIANT_THREE_CHECK},
    {"ThreeCheck", VARIANT_THREE_CHECK},
    {"Three Check Chess", VARIANT_THREE_CHECK},
    {"3-Check", VARIANT_THREE_CHECK},
    {"3 Check", VARIANT_THREE_CHECK},
};

static bool is(Text text, const char *name)
{
    return text.length > 0 && text.length == strlen(name) && ascii_same_bytes(text.start, name, text.length);
}

enum Variant variant_of(const Game *game, Text *name)
{
    *name = (Text){"", 0};
    size_t tags;
    const Tag *tag = game_tags(game, &tags);
    for (size_t i = 0; i < tags && name->length == 0; i++)
        if (is(tag[i].name, "Variant"))
            *name = tag[i].value;
    if (name->length == 0)
        return VARIANT_STANDARD;
    for (size_t i = 0; i < game->alias_count; i++)
        if (is(*name, game->alias[i].alias))
            *name = text_of(game->alias[i].name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(*name, names[i].name))
            return names[i].variant;
    return VARIANT_FOREIGN;
}

const char *variant_name(enum Variant variant)
{
    assert(variant != VARIANT_FOREIGN);
    size_t i = 0;
    while (names[i].variant != variant)
        i++;
    return names[i].name;
}
