// The keys of the `hhdb` filter (language reference 9.7), shared by parser and runtime.
#ifndef CQL_HHDB_H
#define CQL_HHDB_H

enum Hhdb {
    HHDB_CODE, // bool: text = code that occurs in the Black tag (9.7.1)
    HHDB_COOKED,
    HHDB_COOK_HERE,
    HHDB_MINOR_DUAL_HERE,
    HHDB_TEXT_HERE, // bool: text = exact text that the comment here contains ("<eg>", "<main>", "<or>")
    HHDB_DUAL,
    HHDB_SOUND,
    HHDB_UNSOUND,
    HHDB_MAINLINE,
    HHDB_VARIATION,
    HHDB_COMPOSER, // from here on: string or int
    HHDB_FIRSTCOMMENT,
    HHDB_STIPULATION,
    HHDB_DIAGRAM,
    HHDB_EGDIAGRAM,
    HHDB_SEARCH,
    HHDB_GBR,
    HHDB_GBR_MATERIAL,
    HHDB_GBR_PIECES,
    HHDB_GBR_PAWNS,
    HHDB_GBR_KINGS,
    HHDB_DISTINCTION, // parts of Event (13.9)
    HHDB_TOURNEY_NAME,
    HHDB_TOURNEY_EDITION,
    HHDB_TOURNEY_YEAR_PART,
    HHDB_TOURNEY_YEAR,
    HHDB_TOURNEY_YEAR_END,
    HHDB_AWARD // int: an AWARD_ kind and flags
};

// Kinds of awards.
enum { AWARD_ANY, AWARD_PRIZE, AWARD_HM, AWARD_COMMENDATION };

// Flags of the award filter. AWARD_SPECIAL: only special awards. AWARD_NONSPECIAL: only others. AWARD_MAX: the last rank. AWARD_SORT: the
// value is wanted as a sort key, so special awards have one even when AWARD_SPECIAL was not given.
// AWARD_CATEGORY (runtime only): the value is the category, 1 prize ... 6 special commendation (9.7.3).
enum { AWARD_SPECIAL = 1, AWARD_MAX = 2, AWARD_SORT = 4, AWARD_CATEGORY = 8, AWARD_NONSPECIAL = 16 };

#endif
