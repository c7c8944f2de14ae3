// Which variant of chess a game is: its tags Variant and Rules (language reference 16.1).
#include "game.h"
#include "runtime/chess/variant.h"
#include "runtime/value/ascii.h"

// Besides the names of variant_rules. lichess: "From Position" is chess that begins with a FEN.
static const struct {
    const char *name;
    enum Variant variant;
} names[] = {
    {"Chess", VARIANT_STANDARD},
    {"Classical", VARIANT_STANDARD},
    {"Normal", VARIANT_STANDARD},
    {"From Position", VARIANT_STANDARD},
    {"Fischerandom", VARIANT_CHESS960},
    {"Fischer Random", VARIANT_CHESS960},
    {"Atom", VARIANT_ATOMIC},
    {"Atomic Chess", VARIANT_ATOMIC},
    {"Crazy House", VARIANT_CRAZYHOUSE},
    {"House", VARIANT_CRAZYHOUSE},
    {"ZH", VARIANT_CRAZYHOUSE},
    {"Antichess", VARIANT_GIVEAWAY},
    {"Anti chess", VARIANT_GIVEAWAY},
    {"Give away", VARIANT_GIVEAWAY},
    {"Giveaway Chess", VARIANT_GIVEAWAY},
    {"Give away chess", VARIANT_GIVEAWAY},
    {"Horde Chess", VARIANT_HORDE},
    {"kingOfTheHill", VARIANT_KING_OF_THE_HILL},
    {"KOTH", VARIANT_KING_OF_THE_HILL},
    {"Race", VARIANT_RACING_KINGS},
    {"Racing", VARIANT_RACING_KINGS},
    {"RacingKings", VARIANT_RACING_KINGS},
    {"Suicide Chess", VARIANT_SUICIDE},
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

int variant_by_name(Text name)
{
    for (int i = 0; i < VARIANTS; i++)
        if (is(name, variant_rules[i].name))
            return i;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(name, names[i].name))
            return names[i].variant;
    return VARIANT_FOREIGN;
}

static int variant_by_value(const Game *game, Text value)
{
    for (size_t i = 0; i < game->alias_count; i++)
        if (is(value, game->alias[i].alias))
            value = text_of(game->alias[i].name);
    return variant_by_name(value);
}

int game_variant(const Game *game, Text *value)
{
    size_t tags;
    const Tag *tag = game_tags(game, &tags);
    Text rules = {"", 0};
    *value = rules;
    for (size_t i = 0; i < tags; i++) {
        const size_t length = tag[i].name.length;
        if ((length != 7 && length != 5) || text_is_unknown(tag[i].value))
            continue;
        if (value->length == 0 && is(tag[i].name, "Variant"))
            *value = tag[i].value;
        else if (rules.length == 0 && is(tag[i].name, "Rules"))
            rules = tag[i].value;
    }
    if (value->length > 0)
        return variant_by_value(game, *value);
    const int variant = rules.length > 0 ? variant_by_value(game, rules) : VARIANT_STANDARD;
    return variant == VARIANT_FOREIGN ? VARIANT_STANDARD : variant;
}
