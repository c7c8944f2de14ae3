// The words of CQL 3: look-up, and messages about misplaced and unknown words (language reference 12).
#include "internal.h"

#include <string.h>

const char *cql3_word(Keyword keyword)
{
    return op_info[keyword].name + 1;
}

// Extensions that are known but not supported: words between spaces.
static const char of_scidb[] =
    " variant contactcheck halfmoveclock"
    " threefoldrepetition fivefoldrepetition gameisover matingmaterial whitecannotwin blackcannotwin"
    " goodbishop opposition pawncount pawncountdifference iscontactcheck isdoublecheck forced"
    " captureforced line line* match"
    " checkcount evaluation moveevaluation exchangeevaluation"
    " maxswapevaluation endgameevaluation ";
static const char of_chess_assistant[] = " endgame inside reset ";

// The program whose extension the word is, or NULL.
static const char *extended_by(Cql3 *c, const char *word)
{
    const char *between_spaces = arena_printf(c->arena, " %s ", word);
    return strstr(of_scidb, between_spaces) != NULL             ? "Scidb"
           : strstr(of_chess_assistant, between_spaces) != NULL ? "Chess Assistant"
                                                                : NULL;
}

// What PGN files do not say: words between spaces.
static const char of_persons[] =
    " birthyear whitebirthyear blackbirthyear deathyear whitedeathyear blackdeathyear ";
static const char of_openings[] = " eco* ";

// Says why the word is refused. False: it is not known.
static bool refuse_known(Cql3 *c, const Item *item, const char *word)
{
    const char *between_spaces = arena_printf(c->arena, " %s ", word), *program = extended_by(c, word);
    if (strstr(of_persons, between_spaces) != NULL)
        cql3_error(c, item->span,
                   "`:%s` needs a spelling file (--spelling FILE), which cqlgen does not read yet", word);
    else if (strstr(of_openings, between_spaces) != NULL)
        cql3_error(
            c, item->span,
            "`:%s` needs a classification of openings, which cqlgen does not have; `:eco` reads the tag",
            word);
    else if (program != NULL)
        cql3_error(c, item->span, "`:%s` is an extension of %s that cqlgen does not support", word, program);
    else
        return false;
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

// A keyword about players may name one of them: `:whiteelo`.
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
            return keyword;
        }
    }
    return cql3_keyword(c, item, IN_CQL3_MATCH);
}

const char *cql3_colon_hint(Cql3 *c, const Item *item, unsigned place)
{
    if (item->kind != ITEM_WORD)
        return "";
    const char *word = arena_printf(c->arena, ":%s", item->text);
    return op_from_word(word, strlen(word), place) >= 0 ? arena_printf(c->arena, "; write `%s`", word) : "";
}
