// The words of CQL 3: look-up, and messages about misplaced and unknown words (language reference 12).
#include "internal.h"

#include <string.h>

const char *cql3_word(Keyword keyword)
{
    return op_info[keyword].name + 1;
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

Keyword cql3_keyword(Cql3 *c, const Item *item, unsigned place)
{
    const char *written = strchr(item->text, ':'), *word = written + 1, *program;
    const size_t length = strlen(written);
    const Keyword keyword = op_from_word(written, length, place);
    const bool negated = item->text[0] == '!';
    if (keyword >= 0 && !(negated && place != IN_CQL3_POSITION)) {
        return keyword;
    } else if ((program = extended_by(c, word)) != NULL) {
        cql3_error(c, item->span, "`:%s` is an extension of %s that cqlgen does not support", word, program);
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
