// The words of the `hhdb` filter (language reference 9.7), each once.
#include "hhdb.h"

#include <string.h>

#define ROW(name, where, number, of, ...)                                                                    \
    {                                                                                                        \
        .word = name, .place = where, .value = number, .type = of, __VA_ARGS__                               \
    }
#define CODE(name, code) ROW(name, HHDB_KEY, HHDB_CODE, TYPE_BOOL, .text = code)

const HhdbWord hhdb_words[] = {
    CODE("(c)", "(c)"),
    CODE("correction", "(c)"),
    CODE("(m)", "(m)"),
    CODE("modification", "(m)"),
    CODE("(s)", "(s)"),
    CODE("corrected_solution", "(s)"),
    CODE("(v)", "(v)"),
    CODE("version", "(v)"),
    CODE("AN", "AN"),
    CODE("anticipation", "AN"),
    CODE("CR", "CR"),
    CODE("colors_reversed", "CR"),
    CODE("MC", "MC"),
    CODE("too_many_composers", "MC"),
    CODE("PH", "PH"),
    CODE("posthumous", "PH"),
    CODE("TE", "TE"),
    CODE("theoretical_ending", "TE"),
    CODE("TT", "TT"),
    CODE("theme_tournament", "TT"),
    CODE("theme_tourney", "TT"),
    CODE("TW", "TW"),
    CODE("twin", "TW"),
    CODE("U1", "U1"),
    CODE("dual_at_move_1", "U1"),
    CODE("U2", "U2"),
    CODE("dual_after_move_1", "U2"),
    CODE("U3", "U3"),
    CODE("white_fails", "U3"),
    CODE("U4", "U4"),
    CODE("white_wins_in_draw", "U4"),
    CODE("U5", "U5"),
    CODE("unreachable", "U5"),
    ROW("cooked", HHDB_KEY, HHDB_COOKED, TYPE_BOOL),
    ROW("<cook>", HHDB_KEY, HHDB_COOK_HERE, TYPE_BOOL),
    ROW("<minor_dual>", HHDB_KEY, HHDB_MINOR_DUAL_HERE, TYPE_BOOL),
    ROW("<eg>", HHDB_KEY, HHDB_TEXT_HERE, TYPE_BOOL, .text = "<eg>"),
    ROW("<main>", HHDB_KEY, HHDB_TEXT_HERE, TYPE_BOOL, .text = "<main>", .variations = true),
    ROW("<or>", HHDB_KEY, HHDB_TEXT_HERE, TYPE_BOOL, .text = "<or>", .variations = true),
    ROW("dual", HHDB_KEY, HHDB_DUAL, TYPE_BOOL),
    ROW("sound", HHDB_KEY, HHDB_SOUND, TYPE_BOOL),
    ROW("unsound", HHDB_KEY, HHDB_UNSOUND, TYPE_BOOL),
    ROW("mainline", HHDB_KEY, HHDB_MAINLINE, TYPE_BOOL, .variations = true),
    ROW("variation", HHDB_KEY, HHDB_VARIATION, TYPE_BOOL, .variations = true),
    ROW("composer", HHDB_KEY, HHDB_COMPOSER, TYPE_STRING),
    ROW("firstcomment", HHDB_KEY, HHDB_FIRSTCOMMENT, TYPE_STRING),
    ROW("stipulation", HHDB_KEY, HHDB_STIPULATION, TYPE_STRING),
    ROW("diagram", HHDB_KEY, HHDB_DIAGRAM, TYPE_STRING),
    ROW("egdiagram", HHDB_KEY, HHDB_EGDIAGRAM, TYPE_INT),
    ROW("search", HHDB_KEY, HHDB_SEARCH, TYPE_STRING),
    ROW("gbr", HHDB_KEY, HHDB_GBR, TYPE_STRING),
    ROW("material", HHDB_PART, HHDB_GBR_MATERIAL, TYPE_STRING),
    ROW("pieces", HHDB_PART, HHDB_GBR_PIECES, TYPE_STRING),
    ROW("pawns", HHDB_PART, HHDB_GBR_PAWNS, TYPE_STRING),
    ROW("kings", HHDB_PART, HHDB_GBR_KINGS, TYPE_STRING),
    ROW("award", HHDB_KIND, AWARD_ANY, TYPE_INT),
    ROW("prize", HHDB_KIND, AWARD_PRIZE, TYPE_INT),
    ROW("hm", HHDB_KIND, AWARD_HM, TYPE_INT),
    ROW("commendation", HHDB_KIND, AWARD_COMMENDATION, TYPE_INT),
    ROW("special", HHDB_FLAG, AWARD_SPECIAL, TYPE_INT),
    ROW("max", HHDB_FLAG, AWARD_MAX, TYPE_INT),
    ROW("sort", HHDB_FLAG, AWARD_SORT, TYPE_INT),
    ROW("nonspecial", HHDB_FLAG, AWARD_NONSPECIAL, TYPE_INT, .cqli = true),
    ROW("sortable", HHDB_FLAG, AWARD_SORT, TYPE_INT, .cqli = true),
    ROW("distinction", HHDB_KEY, HHDB_DISTINCTION, TYPE_STRING, .cqli = true),
    ROW("tourney_name", HHDB_KEY, HHDB_TOURNEY_NAME, TYPE_STRING, .cqli = true),
    ROW("tourney_edition", HHDB_KEY, HHDB_TOURNEY_EDITION, TYPE_STRING, .cqli = true),
    ROW("tourney_year", HHDB_KEY, HHDB_TOURNEY_YEAR, TYPE_INT, .cqli = true),
    ROW("tourney_year_part", HHDB_KEY, HHDB_TOURNEY_YEAR_PART, TYPE_STRING, .cqli = true),
    ROW("tourney_year_end", HHDB_KEY, HHDB_TOURNEY_YEAR_END, TYPE_INT, .cqli = true),
};
const size_t hhdb_word_count = sizeof hhdb_words / sizeof *hhdb_words;

const HhdbWord *hhdb_find(const char *word, unsigned places)
{
    for (size_t i = 0; i < hhdb_word_count; i++)
        if (places >> hhdb_words[i].place & 1 && strcmp(hhdb_words[i].word, word) == 0)
            return &hhdb_words[i];
    return NULL;
}

bool hhdb_is_plain(const HhdbWord *word)
{
    return strpbrk(word->word, "(<") == NULL;
}
