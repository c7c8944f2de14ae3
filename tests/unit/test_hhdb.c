// Tags of games, and what study databases write in them: codes, awards and tourneys (language reference 9.6, 9.7, 13.9).
#include "run_fixture.h"

#include <stdio.h>

#include "runtime/match/calls/hhdb.h"
#include "runtime/match/calls/hhdb_event.h"

static void with_event(const char *event, void (*body)(Context *c))
{
    char pgn[200];
    snprintf(pgn, sizeof pgn, "[Event \"%s\"]\n\n*\n", event);
    with_game(pgn, body);
}

// ---- awards -----------------------------------------------------------------------------------------------

static const struct Award {
    const char *event;
    int kind;            // 0: no award
    bool special;        // the values are those with `special`
    int32_t first, last; // its value, and that of `max`
} awards[] = {
    {"3.p Lark", AWARD_PRIZE, false, 3, 3},
    {"2/4.hm Lark", AWARD_HM, false, 2, 4},
    {".c Lark", AWARD_COMMENDATION, false, 1, 10000},
    {"sp.hm", AWARD_HM, true, 1, 10000},
    {"1.sp.p", AWARD_PRIZE, true, 1, 1},
    {"1/2.sp.c", AWARD_COMMENDATION, true, 1, 2},
    {"1.prize", AWARD_PRIZE, false, 1, 1},
    {"003.p", AWARD_PRIZE, false, 3, 3},
    {"100000000.p", AWARD_PRIZE, false, 100000000, 100000000},
    {"1/100000000.p", AWARD_PRIZE, false, 1, 100000000},
    {"100000001.p", 0, false, 0, 0},
    {"1000000000.p", 0, false, 0, 0},
    {"999999999.p", 0, false, 0, 0},
    {"1/100000001.p", 0, false, 0, 0},
    {"99999999999999999999.p", 0, false, 0, 0},
    {"0.p", 0, false, 0, 0},
    {"4/4.p", 0, false, 0, 0},
    {"5/3.p", 0, false, 0, 0},
    {"1/.p", 0, false, 0, 0},
    {"3 p", 0, false, 0, 0},
    {"3.x", 0, false, 0, 0},
    {"sp Lark", 0, false, 0, 0},
    {"1.spp", 0, false, 0, 0},
    {"1sp.p", 0, false, 0, 0},
    {".sp.p", 0, false, 0, 0},
    {"Lark 1.p", 0, false, 0, 0},
    {"", 0, false, 0, 0},
};
static const struct Award *award;

static bool value_is(Context *c, int kind, int flags, int32_t value)
{
    int32_t got = 0;
    return rt_hhdb_award(c, kind, flags, &got) && got == value;
}

static void check_award(Context *c)
{
    int32_t unused;
    const int special = award->special ? AWARD_SPECIAL : 0;
    for (int kind = AWARD_ANY; kind <= AWARD_COMMENDATION; kind++) {
        const bool is = award->kind != 0 && (kind == AWARD_ANY || kind == award->kind);
        assert_int_equal(rt_hhdb_award_holds(c, kind, 0), is);
        assert_int_equal(rt_hhdb_award_holds(c, kind, AWARD_SPECIAL), is && award->special);
        assert_int_equal(rt_hhdb_award_holds(c, kind, AWARD_NONSPECIAL), is && !award->special);
        assert_int_equal(value_is(c, kind, special, award->first), is);
        assert_int_equal(value_is(c, kind, special | AWARD_MAX, award->last), is);
        // a special one has a value only if it is asked for
        assert_int_equal(rt_hhdb_award(c, kind, 0, &unused), is && !award->special);
        assert_int_equal(value_is(c, kind, AWARD_SORT, award->first), is);
        assert_int_equal(value_is(c, kind, AWARD_CATEGORY, 2 * award->kind - 1 + award->special), is);
    }
}

static void test_awards(void **state)
{
    (void)state;
    for (award = awards; award < awards + sizeof awards / sizeof *awards; award++)
        with_event(award->event, check_award);
}

// ---- tourneys ---------------------------------------------------------------------------------------------

static const struct Tourney {
    const char *event, *distinction, *name, *edition, *part; // NULL: missing
    int32_t year, year_end;                                  // 0: missing
} tourneys[] = {
    {"1.p Lark 1975", "1.p", "Lark", NULL, NULL, 1975, 1975},
    {"2/4.hm Lark", "2/4.hm", "Lark", NULL, NULL, 0, 0},
    {"sp.c", "sp.c", NULL, NULL, NULL, 0, 0},
    {"Lark (1975)", NULL, "Lark", NULL, NULL, 1975, 1975},
    {"Lark 1975-76", NULL, "Lark", NULL, NULL, 1975, 1976},
    {"Lark (1975/76)", NULL, "Lark", NULL, NULL, 1975, 1976},
    {"Lark 1999/00", NULL, "Lark", NULL, NULL, 1999, 2000},
    {"Lark 1975-75", NULL, "Lark", NULL, NULL, 1975, 1975},
    {"Lark 1975/1980", NULL, "Lark", NULL, NULL, 1975, 1980},
    {"Lark 1975 1980", NULL, "Lark", NULL, NULL, 1975, 1980},
    {"1975 Lark 1976 1977", NULL, "Lark 1977", NULL, NULL, 1975, 1976},
    {"Lark 1975/III", NULL, "Lark", NULL, "III", 1975, 1975},
    {"Lark 1975/2", NULL, "Lark", NULL, "2", 1975, 1975},
    {"Lark 1975 III", NULL, "Lark", NULL, "III", 1975, 1975},
    {"Lark 1975III", NULL, "Lark", NULL, "III", 1975, 1975},
    {"Lark 1975 cup III", NULL, "Lark cup III", NULL, NULL, 1975, 1975},
    {"Lark 1975 IIIa", NULL, "Lark IIIa", NULL, NULL, 1975, 1975},
    {"III Lark", NULL, "III Lark", NULL, NULL, 0, 0},
    {"1st Lark", NULL, "Lark", "1st", NULL, 0, 0},
    {"2nd Lark", NULL, "Lark", "2nd", NULL, 0, 0},
    {"3rd Lark", NULL, "Lark", "3rd", NULL, 0, 0},
    {"12. Lark", NULL, "Lark", "12.", NULL, 0, 0},
    {"1.p 4th Lark", "1.p", "Lark", "4th", NULL, 0, 0},
    {"5x Lark", NULL, "5x Lark", NULL, NULL, 0, 0},
    {"th Lark", NULL, "th Lark", NULL, NULL, 0, 0},
    {"Lark 3rd", NULL, "Lark 3rd", NULL, NULL, 0, 0},
    {"Lark 0999", NULL, "Lark 0999", NULL, NULL, 0, 0},
    {"Lark 1000", NULL, "Lark", NULL, NULL, 1000, 1000},
    {"Lark 2100", NULL, "Lark", NULL, NULL, 2100, 2100},
    {"Lark 2101", NULL, "Lark 2101", NULL, NULL, 0, 0},
    {"Lark 12345", NULL, "Lark 12345", NULL, NULL, 0, 0},
    {"Lark 197", NULL, "Lark 197", NULL, NULL, 0, 0},
    {"Lark 1975x", NULL, "Lark 1975x", NULL, NULL, 0, 0},
    {"Lark 1975-x", NULL, "Lark 1975-x", NULL, NULL, 0, 0},
    {"Lark 1975-", NULL, "Lark 1975-", NULL, NULL, 0, 0},
    {"Lark 1975/", NULL, "Lark 1975/", NULL, NULL, 0, 0},
    {"Lark 1975 #12", NULL, "Lark", NULL, NULL, 1975, 1975},
    {"Lark #12 1975", NULL, "Lark #12", NULL, NULL, 1975, 1975},
    {"Lark #x", NULL, "Lark #x", NULL, NULL, 0, 0},
    {"Lark #", NULL, "Lark #", NULL, NULL, 0, 0},
    {" Lark ", NULL, "Lark", NULL, NULL, 0, 0},
    {"1975", NULL, NULL, NULL, NULL, 1975, 1975},
    {"", NULL, NULL, NULL, NULL, 0, 0},
};
static const struct Tourney *tourney;

static void check_part(Context *c, int key, const char *expected)
{
    String value;
    const bool has = hhdb_event_part(c, key, &value);
    if (has != (expected != NULL) || (has && strcmp(value->bytes, expected) != 0))
        fail_msg("%s: key %d is `%s`", tourney->event, key, has ? value->bytes : "missing");
}

static void check_year(int key, int32_t expected)
{
    int32_t value = 0;
    const bool has = hhdb_year((Text){tourney->event, strlen(tourney->event)}, key, &value);
    if (has != (expected != 0) || value != expected)
        fail_msg("%s: key %d is %d", tourney->event, key, (int)value);
}

static void check_tourney(Context *c)
{
    check_part(c, HHDB_DISTINCTION, tourney->distinction);
    check_part(c, HHDB_TOURNEY_NAME, tourney->name);
    check_part(c, HHDB_TOURNEY_EDITION, tourney->edition);
    check_part(c, HHDB_TOURNEY_YEAR_PART, tourney->part);
    check_year(HHDB_TOURNEY_YEAR, tourney->year);
    check_year(HHDB_TOURNEY_YEAR_END, tourney->year_end);
}

static void test_tourneys(void **state)
{
    (void)state;
    for (tourney = tourneys; tourney < tourneys + sizeof tourneys / sizeof *tourneys; tourney++)
        with_event(tourney->event, check_tourney);
}

// ---- texts of studies ------------------------------------------------------------------------------------

// A study, and the value of a string key or of `egdiagram`; NULL: it has none.
static const struct Study {
    const char *event, *white, *black, *comment;
    int key;
    const char *value;
} studies[] = {
    {"", "A", "+0400.10a1h8", "", HHDB_GBR, "+0400.10a1h8"}, // Black has nothing else
    {"", "A", "=9999.09h8a1)", "", HHDB_GBR, "=9999.09h8a1"},
    {"", "A", "(+0400.10a1h8", "", HHDB_GBR_KINGS, "a1h8"},
    {"", "A", "*0400.10a1h8", "", HHDB_GBR, NULL}, // before + and after =
    {"", "A", ">0400.10a1h8", "", HHDB_GBR, NULL},
    {"", "A", "+0400:10a1h8", "", HHDB_GBR, NULL},
    {"", "A", "+04000.0a1h8", "", HHDB_GBR, NULL},
    {"", "A", "+0400.10i1h8", "", HHDB_GBR, NULL},
    {"", "A", "+0400.10a0h8", "", HHDB_GBR, NULL},
    {"", "A", "+0400.10a1h9", "", HHDB_GBR, NULL},
    {"", "A", "+0400.10a1`8", "", HHDB_GBR, NULL},
    {"", "A", "+0400.10a1h", "", HHDB_GBR, NULL},
    {"", "A", "/000.10a1h8", "", HHDB_GBR, NULL},
    {"", "A", "+040:.10a1h8", "", HHDB_GBR, NULL}, // after 9
    {"", "A", "+/400.10a1h8", "", HHDB_GBR, NULL}, // before 0
    {"", "A", "+0400.1:a1h8", "", HHDB_GBR, NULL},
    {"", "A", "+0400.10b2g7 +0400.10a1h8", "", HHDB_GBR, "+0400.10b2g7"},
    {"", "A NN", "", "", HHDB_COMPOSER, "A"},
    {"", "NN", "", "", HHDB_COMPOSER, "NN"},
    {"", "A NX", "", "", HHDB_COMPOSER, "A NX"},
    {"", "A XN", "", "", HHDB_COMPOSER, "A XN"},
    {"", "ANN", "", "", HHDB_COMPOSER, "ANN"},
    {"", "A NN2", "", "", HHDB_COMPOSER, "A NN2"},
    {"", "A", "MC", "B, C. D.", HHDB_COMPOSER, "B, C"},
    {"", "A", "MC", "B", HHDB_COMPOSER, NULL},
    {"", "A", "MC", ".B", HHDB_COMPOSER, NULL},
    {"", "A", "MC", "", HHDB_COMPOSER, NULL},
    {"", "A", "", "stipulation: W.", HHDB_STIPULATION, "W"},
    {"", "A", "", "stipulation: .W.", HHDB_STIPULATION, NULL},
    {"", "A", "", "stipulation: W", HHDB_STIPULATION, NULL},
    {"", "A", "", "stipulation:W.", HHDB_STIPULATION, NULL},
    {"#1", "A", "", "", HHDB_DIAGRAM, "1"},
    {"B # #a b", "A", "", "", HHDB_DIAGRAM, "a"},
    {"##2", "A", "", "", HHDB_DIAGRAM, "#2"},
    {"B #", "A", "", "", HHDB_DIAGRAM, NULL},
    {"", "A", "", "", HHDB_DIAGRAM, NULL},
    {"", "A", "", "x", HHDB_FIRSTCOMMENT, "x"},
    {"", "A", "", "", HHDB_FIRSTCOMMENT, NULL},
    {"E", "A", "B", "c", HHDB_SEARCH, "E\nA\nB\nc"},
    {"E", "A", "B", "", HHDB_SEARCH, "E\nA\nB"},
    {"", "A", "", "EG#0", HHDB_EGDIAGRAM, "0"},
    {"", "A", "", "EG#2147483647", HHDB_EGDIAGRAM, "2147483647"},
    {"", "A", "", "EG#2147483648 EG#1", HHDB_EGDIAGRAM, NULL},
    {"", "A", "", "EG#21474836470", HHDB_EGDIAGRAM, NULL},
    {"", "A", "", "EG#99999999999999999999", HHDB_EGDIAGRAM, NULL},
    {"", "A", "", "EG#EG# EG#:EG#/EG#0129:", HHDB_EGDIAGRAM, "129"},
    {"", "A", "", "EG#", HHDB_EGDIAGRAM, NULL},
};
static const struct Study *study;

static void check_study(Context *c)
{
    char text[100] = "";
    bool has;
    if (study->key == HHDB_EGDIAGRAM) {
        int32_t number;
        has = rt_hhdb_number(c, study->key, &number);
        snprintf(text, sizeof text, "%d", (int)number);
    } else {
        String s;
        has = rt_hhdb_string(c, study->key, &s);
        snprintf(text, sizeof text, "%s", has ? s->bytes : "");
    }
    if (has != (study->value != NULL) || (has && strcmp(text, study->value) != 0))
        fail_msg("study %d: %s", (int)(study - studies), has ? text : "no value");
}

static void test_studies(void **state)
{
    (void)state;
    for (study = studies; study < studies + sizeof studies / sizeof *studies; study++) {
        char pgn[300];
        snprintf(pgn, sizeof pgn, "[Event \"%s\"]\n[White \"%s\"]\n[Black \"%s\"]\n\n%s%s%s *", study->event,
                 study->white, study->black, *study->comment ? "{" : "", study->comment,
                 *study->comment ? "}" : "");
        with_game(pgn, check_study);
    }
}

enum { NOTHING = -1, ONLY_HOLDS = -2 };

typedef struct AwardCase {
    const char *event;
    int kind, flags, value; // NOTHING: no award; ONLY_HOLDS: without a value
} AwardCase;

static const AwardCase *award_case;

static void award_body(Context *c)
{
    const AwardCase *a = award_case;
    int32_t value = 0;
    const bool holds = rt_hhdb_award_holds(c, a->kind, a->flags),
               has = rt_hhdb_award(c, a->kind, a->flags, &value);
    if (holds != (a->value != NOTHING) || has != (a->value >= 0) || (has && value != a->value))
        fail_msg("%s: %d %d %d", a->event, holds, has, (int)value);
}

static void test_award_calls(void **state)
{
    (void)state;
    static const AwardCase cases[] = {
        {"3.p Lark", AWARD_ANY, 0, 3},
        {"3.p Lark", AWARD_PRIZE, 0, 3},
        {"3.p Lark", AWARD_HM, 0, NOTHING},
        {"2/4.hm Lark", AWARD_ANY, 0, 2},
        {"2/4.hm Lark", AWARD_HM, AWARD_MAX, 4},
        {".c Lark", AWARD_ANY, 0, 1},
        {".c Lark", AWARD_COMMENDATION, AWARD_MAX, 10000},
        {"sp.hm Lark", AWARD_ANY, 0, ONLY_HOLDS},
        {"sp.hm Lark", AWARD_ANY, AWARD_SPECIAL, 1},
        {"1.sp.p Lark", AWARD_PRIZE, 0, ONLY_HOLDS},
        {"1.sp.p Lark", AWARD_PRIZE, AWARD_SPECIAL, 1},
        {"3.p Lark", AWARD_PRIZE, AWARD_SPECIAL, NOTHING},
        {"1.prize Lark", AWARD_PRIZE, 0, 1},
        {"003.p", AWARD_ANY, 0, 3},
        {"100000000.p", AWARD_ANY, 0, 100000000},
        {"100000001.p", AWARD_ANY, 0, NOTHING},
        {"1000000000.p", AWARD_ANY, 0, NOTHING},
        {"1/1000000000.p", AWARD_ANY, AWARD_MAX, NOTHING},
        {"1/100000000.p", AWARD_ANY, AWARD_MAX, 100000000},
        {"0.p", AWARD_ANY, 0, NOTHING},
        {"4/4.p", AWARD_ANY, 0, NOTHING},
        {"5/3.p", AWARD_ANY, 0, NOTHING},
        {"3 p", AWARD_ANY, 0, NOTHING},
        {"sp Lark", AWARD_ANY, 0, NOTHING},
        {"1sp.p", AWARD_ANY, 0, NOTHING},
        {".sp.p", AWARD_ANY, 0, NOTHING},
        {"Lark", AWARD_ANY, 0, NOTHING},
        {"", AWARD_ANY, 0, NOTHING},
        {"3/", AWARD_ANY, 0, NOTHING},
        {"1.p", AWARD_ANY, AWARD_CATEGORY, 1},
        {"1.sp.p", AWARD_ANY, AWARD_CATEGORY, 2},
        {".hm", AWARD_ANY, AWARD_CATEGORY, 3},
        {"sp.hm", AWARD_ANY, AWARD_CATEGORY, 4},
        {".c", AWARD_ANY, AWARD_CATEGORY, 5},
        {"sp.c", AWARD_ANY, AWARD_CATEGORY, 6},
        {"2.sp.c", AWARD_ANY, AWARD_SORT, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char pgn[100];
        snprintf(pgn, sizeof pgn, "[Event \"%s\"]\n\n*", cases[i].event);
        award_case = &cases[i];
        with_game(pgn, award_body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_awards),
        cmocka_unit_test(test_tourneys),
        cmocka_unit_test(test_award_calls),
        cmocka_unit_test(test_studies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
