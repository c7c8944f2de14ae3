// Which variant of chess a game is: its tags Variant and Rules (language reference 16.1).
#include "game_memory.h"
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
    {"Fischerrandom", VARIANT_CHESS960},
    {"Chess 960", VARIANT_CHESS960},
    {"wild/fr", VARIANT_CHESS960}, // FICS
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
    {"3check", VARIANT_THREE_CHECK}, // WinBoard
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
    const int variant = variant_by_name(value);
    for (size_t i = 0; variant == VARIANT_FOREIGN && i < game->alias_count; i++)
        if (is(value, game->alias[i].alias))
            return variant_by_name(text_of(game->alias[i].name));
    return variant;
}

int game_variant(const Game *game, Text *value)
{
    const struct GameMemory *m = game->memory;
    Text tag = m->variant_tag;
    int variant = VARIANT_STANDARD;
    if (tag.length > 0) {
        variant = variant_by_value(game, tag);
    } else if (m->rules_tag.length > 0) {
        variant = variant_by_value(game, m->rules_tag);
        tag = variant == VARIANT_FOREIGN ? tag : m->rules_tag;
    }
    if (value)
        *value = tag;
    return variant == VARIANT_FOREIGN && tag.length == 0 ? VARIANT_STANDARD : variant;
}

bool game_may_be_variant(const Game *game)
{
    const struct GameMemory *m = game->memory;
    const Text tag = m->variant_tag.length > 0 ? m->variant_tag : m->rules_tag;
    return tag.length > 0 && variant_by_name(tag) != VARIANT_STANDARD;
}

bool game_is_chess(const Game *game)
{
    return game->variant >= VARIANTS || game->variant == VARIANT_CHESS960 ||
           variant_rules[game->variant].rules & RULE_CHESS;
}
