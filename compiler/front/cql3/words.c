// The words of CQL 3: look-up, and messages about misplaced and unknown words (language reference 12).
#include "internal.h"

#include <string.h>

const Cql3WordInfo cql3_words[KEY_COUNT_] = {
#define CQL3_WORD(name, word, group, parameters, changes, meaning, help)                                     \
    {":" word, GROUP_##group, parameters, CHANGES_##changes, meaning, help},
#include "words.def"
};

const char *cql3_word(Keyword keyword)
{
    return cql3_words[keyword].written + 1;
}

Keyword cql3_keyword(const char *word, unsigned groups)
{
    for (int i = 0; i < KEY_COUNT_; i++)
        if (groups >> cql3_words[i].group & 1 && i != KEY_DESIGNATOR && i != KEY_NOT_LIST &&
            strcmp(cql3_word((Keyword)i), word) == 0)
            return (Keyword)i;
    return KEY_NONE;
}

// Extensions that are known but not supported: words between spaces.
static const char of_scidb[] =
    " subround eventdate eventmode eventtype eventcountry eventcategory rating whiterating blackrating"
    " averagerating averagerating* ratingdifference title whitetitle blacktitle gender whitegender"
    " blackgender country whitecountry blackcountry birthyear whitebirthyear blackbirthyear deathyear"
    " whitedeathyear blackdeathyear iscomputer whiteiscomputer blackiscomputer ishuman whiteishuman"
    " blackishuman date tag comment hascomments hasannotation hasvariations hasmarker startposition"
    " ischess960 isshufflechess variant goodgame error eithercolor contactcheck halfmoveclock"
    " threefoldrepetition fivefoldrepetition gameisover matingmaterial whitecannotwin blackcannotwin"
    " goodbishop opposition pawncount pawncountdifference iscontactcheck isdoublecheck forced"
    " captureforced line line* repetitioncount pretransformrepetitioncount match matchconsecutive cut"
    " exclude skip checkcount accumulate* evaluation moveevaluation exchangeevaluation"
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

void cql3_unknown(Cql3 *c, const Item *item, unsigned groups)
{
    const char *word = strchr(item->text, ':') + 1;
    const char *program = extended_by(c, word);
    if (program != NULL) {
        cql3_error(c, item->span, "`:%s` is an extension of %s that cqlgen does not support", word, program);
        return;
    }
    if (cql3_keyword(word, ~0u) != KEY_NONE) {
        cql3_error(c, item->span, "`:%s` does not belong in this list", word);
        return;
    }
    cql3_error(c, item->span, "`:%s` is not a keyword of CQL 3", word);
    const char *names[KEY_COUNT_];
    size_t count = 0;
    for (int i = 0; i < KEY_COUNT_; i++)
        if (groups >> cql3_words[i].group & 1 && i != KEY_DESIGNATOR)
            names[count++] = cql3_word((Keyword)i);
    const char *near = nearest_name(word, strlen(word), names, count);
    if (near != NULL)
        diag_advise(c->diagnostics, arena_printf(c->arena, "did you mean `:%s`?", near));
}
