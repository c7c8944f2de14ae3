// The words of CQL 3: look-up, and messages about misplaced and unknown words (language reference 12).
#include "internal.h"

#include <string.h>

const char *cql3_word(Keyword keyword)
{
    return op_info[keyword].name + 1;
}

// Extensions that cqlgen does not support, between spaces.
static const char of_scidb[] =
    " variant losing mustcapture captureforced takeslastpiece kingonthehill threechecks checkcount"
    " endgameevaluation endgameevaluation* ";

// Words that the manual uses without a definition; cure: what to write instead.
static const struct {
    const char *word, *cure;
} undefined[] = {{"final", "`:terminal`"},
                 {"nomatingmaterial", "`!:matingmaterial`"},
                 {"promotion", "`:promote`"},
                 {"null", "`:isnull`"},
                 {"nocastling", "`!:iscastling`"},
                 {"ispromotedpiece", "a designator such as `U~`"},
                 {"preceding", NULL},
                 {"following", NULL},
                 {"powerdifference*", NULL},
                 {"collateral", NULL},
                 {"perpendicular", NULL}};

static bool refuse_undefined(Cql3 *c, const Item *item, const char *word)
{
    for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++) {
        if (strcmp(undefined[i].word, word) != 0)
            continue;
        if (undefined[i].cure != NULL)
            cql3_error(c, item->span, "CQL-S does not define `:%s`; write %s", word, undefined[i].cure);
        else
            cql3_error(c, item->span, "the CQL-S manual names `:%s` but does not define it", word);
        return true;
    }
    return false;
}

// Says why the word is refused. False: it is not known.
static bool refuse_known(Cql3 *c, const Item *item, const char *word)
{
    const char *between_spaces = arena_printf(c->arena, " %s ", word);
    if (strcmp(word, "eco*") == 0)
        cql3_error(c, item->span,
                   "`:%s` needs a classification of openings; `:eco` reads the tag, and `openingcode` of CQL "
                   "6.2 finds the code by the moves",
                   word);
    else if (strcmp(word, "reset") == 0)
        cql3_error(c, item->span, "`:%s` is an extension of Chess Assistant that cqlgen does not support",
                   word);
    else if (strstr(of_scidb, between_spaces) != NULL)
        cql3_error(c, item->span, "`:%s` is an extension of Scidb that cqlgen does not support", word);
    else
        return refuse_undefined(c, item, word);
    return true;
}

Keyword cql3_keyword(Cql3 *c, const Item *item, unsigned place)
{
    const char *written = strchr(item->text, ':'), *word = written + 1;
    const size_t length = strlen(written);
    const Keyword keyword = op_from_word(written, length, place);
    const bool negated = item->text[0] == '!';
    if (keyword >= 0 && !(negated && place == IN_CQL3_RELATION)) {
        return keyword;
    } else if (refuse_known(c, item, word)) {
        return KEYWORD_NONE;
    } else if (op_from_word(written, length, IN_CQL3) >= 0) {
        cql3_error(c, item->span, "`:%s` does not belong in this list", word);
    } else {
        size_t count;
        const char *const *names = op_words(place, &count);
        cql3_error(c, item->span, "`:%s` is not a keyword of CQL 3", word);
        diag_suggest(c->diagnostics, written, length, names, count);
    }
    return KEYWORD_NONE;
}

// What PGN files do not say (12b.6.2).
static Keyword of_spelling(Cql3 *c, const Item *item, Keyword keyword)
{
    if ((keyword != OP_CQL3_BIRTHYEAR && keyword != OP_CQL3_DEATHYEAR) || c->options->spelling)
        return keyword;
    cql3_error(c, item->span, "`:%s` needs a spelling file (--spelling FILE)", strchr(item->text, ':') + 1);
    return KEYWORD_NONE;
}

// A keyword about players may begin with the colour of one: `:whiteelo`.
Keyword cql3_match_word(Cql3 *c, const Item *item, int *side)
{
    const char *written = strchr(item->text, ':') + 1;
    const bool white = strncmp(written, "white", 5) == 0;
    *side = 0;
    if (white || strncmp(written, "black", 5) == 0) {
        const char *rest = strcmp(written + 5, "id") == 0 ? "playerid" : written + 5;
        const char *word = arena_printf(c->arena, ":%s", rest);
        const Keyword keyword = op_from_word(word, strlen(word), IN_CQL3_MATCH);
        if (keyword >= 0 && strchr(op_info[keyword].syntax, '@') != NULL) {
            *side = white ? 1 : 2;
            return of_spelling(c, item, keyword);
        }
    }
    return of_spelling(c, item, cql3_keyword(c, item, IN_CQL3_MATCH));
}

const char *cql3_colon_hint(Cql3 *c, const Item *item, unsigned place)
{
    if (item->kind != ITEM_WORD)
        return "";
    const char *word = arena_printf(c->arena, ":%s", item->text);
    return op_from_word(word, strlen(word), place) >= 0 ? arena_printf(c->arena, "; write `%s`", word) : "";
}
