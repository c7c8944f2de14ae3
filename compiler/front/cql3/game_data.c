// Trees of conditions on the data of a game in match lists of CQL-S (language reference 12b.6).
#include "internal.h"
#include "runtime/value/ascii.h"

#include <limits.h>
#include <string.h>

// ---- values -----------------------------------------------------------------------------------------------

static const char *const colour_name[] = {"White", "Black"};

static Ast *tag(Cql3 *c, const char *name)
{
    return cql3_tree(c, arena_printf(c->arena, "tag \"%s\"", name));
}

static Ast *tag_of(Cql3 *c, int colour, const char *name)
{
    return tag(c, arena_printf(c->arena, "%s%s", colour_name[colour], name));
}

static Ast *any_of(Cql3 *c, Ast *a, Ast *b)
{
    return cql3_tree(c, "$1 or $2", a, b);
}

static Ast *truth(Cql3 *c, bool value)
{
    return cql3_node(c, value ? OP_TRUE : OP_FALSE, TYPE_BOOL);
}

// Adds a regular expression after `|`.
static const char *add_alternative(Cql3 *c, const char *some, const char *regex)
{
    return *some == '\0' ? regex : arena_printf(c->arena, "%s|%s", some, regex);
}

// The text matches one of the alternatives, which take the place of `%s` in the frame.
static Ast *one_of(Cql3 *c, Ast *text, const char *alternatives, const char *frame)
{
    return *alternatives != '\0' ? cql3_regex(c, text, arena_printf(c->arena, frame, alternatives))
                                 : truth(c, false);
}

// The value is one of the words chosen, ignoring case. chosen: bits by the row of the word.
static Ast *is_chosen(Cql3 *c, Ast *value, const Cql3Choice *choice, int chosen, const char *frame)
{
    const char *words = "", *all = "";
    Ast *low = cql3_tree(c, "lowercase $1", value);
    for (int row = 0; choice[row].word != NULL; row++) {
        if (choice[row].regex == NULL)
            continue;
        all = add_alternative(c, all, choice[row].regex);
        if (chosen >> row & 1)
            words = add_alternative(c, words, choice[row].regex);
    }
    Ast *known = one_of(c, low, words, frame);
    if (!(chosen & 1))
        return known;
    Ast *unknown = cql3_tree(c, "not $1", one_of(c, ast_copy(c->arena, low), all, frame));
    return *words != '\0' ? any_of(c, known, unknown) : unknown;
}

// The number that a tag begins with, 0 if none.
static Ast *number_in(Cql3 *c, Ast *value)
{
    return cql3_tree(c, "if $1 then int $2 else 0", cql3_regex(c, value, "^\\d{1,9}"),
                     cql3_regex(c, ast_copy(c->arena, value), "^\\d{1,9}"));
}

static Ast *rating_of(Cql3 *c, const char *system, int colour)
{
    return number_in(c, tag_of(c, colour, strcmp(system, "ELO") == 0 ? "Elo" : system));
}

static const char *lower(Cql3 *c, const char *text)
{
    char *copy = arena_copy(c->arena, text, strlen(text));
    for (char *p = copy; *p != '\0'; p++)
        *p = ascii_lower(*p);
    return copy;
}

static Ast *text_matches(Cql3 *c, Ast *value, const GameTest *g)
{
    if (g->quoted)
        return cql3_matches_pattern(c, value, &g->pattern);
    return cql3_tree(c, "lowercase $1 in lowercase $2", cql3_string(c, g->test.name), value);
}

// ---- time -------------------------------------------------------------------------------------------------

// TimeControl is S or S+I: the seconds for 60 moves decide.
static Ast *by_seconds(Cql3 *c, int chosen)
{
    enum { NORMAL = 1, RAPID, BLITZ, BULLET };
    Ast *seconds = cql3_variable(c, "seconds", VARIABLE_INT);
    Ast *control = cql3_tree(c,
                             "tag \"TimeControl\" ~~ \"^(\\d{1,6})(?:\\+(\\d{1,6}))?$\" "
                             "$1 = int \\1 if \\2 $1 = $1 + 60 * int \\2",
                             seconds);
    Ast *speed[4] = {cql3_tree(c, "$1 < 180", seconds), cql3_tree(c, "$1 >= 180 $1 <= 600", seconds),
                     cql3_tree(c, "$1 > 600 $1 < 3600", seconds), cql3_tree(c, "$1 >= 3600", seconds)};
    const int row[4] = {BULLET, BLITZ, RAPID, NORMAL};
    Ast *any[4];
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (chosen >> row[i] & 1)
            any[count++] = speed[i];
    return cql3_tree(c, "$1 $2", control, cql3_any(c, any, count));
}

// If the tag has one of the words: whether that is a chosen one. Else `otherwise`.
static Ast *answer(Cql3 *c, const char *tag_name, const Cql3Choice *choice, int chosen, const char *frame,
                   Ast *otherwise)
{
    const int all = ~1; // except `unknown`
    return cql3_tree(c, "if $1 then $2 else $3", is_chosen(c, tag(c, tag_name), choice, all, frame),
                     is_chosen(c, tag(c, tag_name), choice, chosen & all, frame), otherwise);
}

// TimeMode, a word in EventType, Mode or TimeControl: the first that has an answer decides.
static Ast *time_mode(Cql3 *c, int chosen)
{
    enum { UNKNOWN, NORMAL, RAPID, BLITZ, BULLET, CORR };
    static const Cql3Choice in_type[] = {[UNKNOWN] = {"unknown", NULL},
                                         [NORMAL] = {"normal", NULL},
                                         [RAPID] = {"rapid", "rapid"},
                                         [BLITZ] = {"blitz", "blitz"},
                                         [BULLET] = {"bullet", "bullet"},
                                         [CORR] = {"corr", "corr\\.?"},
                                         {0}};
    Ast *node = cql3_tree(c, "if tag \"TimeControl\" ~~ \"^\\d+/\\d\" then $1 else $2",
                          truth(c, chosen >> NORMAL & 1), truth(c, chosen >> UNKNOWN & 1));
    node = cql3_tree(c, "if tag \"TimeControl\" ~~ \"^\\d{1,6}(?:\\+\\d{1,6})?$\" then $1 else $2",
                     by_seconds(c, chosen), node);
    node = cql3_tree(c, "if (lowercase tag \"Mode\") ~~ \"^(?:pm|em)$\" then $1 else $2",
                     truth(c, chosen >> CORR & 1), node);
    node = answer(c, "EventType", in_type, chosen, "\\((?:%s)\\)", node);
    return answer(c, "TimeMode", cql3_choices(OP_CQL3_TIMEMODE), chosen, "^(?:%s)$", node);
}

// ---- events -----------------------------------------------------------------------------------------------

static Ast *is_in_country(Cql3 *c, Ast *value, const GameTest *g)
{
    const char *codes = "";
    bool missing = false;
    for (int k = 0; k < g->word_count; k++) {
        const char *word = lower(c, g->word[k]);
        if (strcmp(word, "unk") == 0 || strcmp(word, "xx") == 0 || strcmp(word, "0") == 0)
            missing = true;
        else
            codes = add_alternative(c, codes, cql3_country(c, word, '|'));
    }
    Ast *one = one_of(c, cql3_tree(c, "lowercase $1", ast_copy(c->arena, value)), codes, "^(?:%s)$");
    Ast *none = cql3_tree(c, "not $1", cql3_is_known(c, value));
    return !missing ? one : *codes == '\0' ? none : any_of(c, one, none);
}

// The numerals in the range, as alternatives.
static const char *numerals(Cql3 *c, Range range)
{
    const char *all = "";
    for (int n = 1; n <= CQL3_LAST_NUMERAL; n++)
        if (n >= range.low.value && n <= range.high.value)
            all = add_alternative(c, all, cql3_numeral(c, n));
    return all;
}

// EventCategory: digits or a Roman numeral; anything else is 0.
static Ast *category(Cql3 *c, const Cql3Range *range)
{
    Ast *value = cql3_tree(c, "lowercase tag \"EventCategory\"");
    const Range in_range = range->special == '*'   ? build_range(1, INT_MAX)
                           : range->special == '-' ? build_range(INT_MIN, 0)
                                                   : range->range;
    Ast *digits = build_in_range(c->arena, number_in(c, ast_copy(c->arena, value)), in_range);
    Ast *other = cql3_tree(c, "if $1 then $2 else $3", cql3_regex(c, ast_copy(c->arena, value), "^\\d{1,9}$"),
                           digits, truth(c, in_range.low.value <= 0 && in_range.high.value >= 0));
    return cql3_tree(c, "if $1 then $2 else $3",
                     one_of(c, value, numerals(c, build_range(1, CQL3_LAST_NUMERAL)), "^(?:%s)$"),
                     one_of(c, ast_copy(c->arena, value), numerals(c, in_range), "^(?:%s)$"), other);
}

// The numbers before and after the first dot of Round; both 0 when it does not begin with a number.
static Ast *round_in(Cql3 *c, const GameTest *g)
{
    static const char form[] = "^\\(?(\\d{1,9})\\)?(?:\\.\\(?(\\d{0,9})\\)?.*)?$";
    Ast *value = cql3_tree(c, "tag \"Round\"");
    const bool sub = g->test.keyword == OP_CQL3_SUBROUND;
    Ast *number = cql3_variable(c, sub ? "subround" : "round", VARIABLE_INT);
    Ast *read =
        cql3_tree(c, sub ? "$1 = 0 if {$2 and {#\\2 >= 1}} $1 = int \\2" : "$1 = 0 if $2 $1 = int \\1",
                  number, cql3_regex(c, value, form));
    Ast *in_range = cql3_in_range(c, number, NULL, &g->test.bounds);
    if (!sub)
        return cql3_tree(c, "$1 $2", read, in_range);
    return cql3_tree(c, "$1 $2 $3", cql3_regex(c, ast_copy(c->arena, value), "^\\(?0*[1-9]\\d*\\)?(?:\\.|$)"),
                     read, in_range);
}

// ---- players ----------------------------------------------------------------------------------------------

static Ast *has_title(Cql3 *c, int colour)
{
    return cql3_tree(c, "$1 ~~ \"^(?![-?]$).\"", tag_of(c, colour, "Title"));
}

static Ast *is_computer(Cql3 *c, int colour)
{
    return cql3_tree(c, "(lowercase $1) ~~ \"^(?:program|computer|engine)$\" or (lowercase $2) ~~ \"^bot$\"",
                     tag_of(c, colour, "Type"), tag_of(c, colour, "Title"));
}

static Ast *gender(Cql3 *c, int colour, int chosen)
{
    enum { UNKNOWN = 1, FEMALE = 2 | 4, MALE = 8 };
    Ast *sex = tag_of(c, colour, "Sex");
    Ast *by_title =
        cql3_tree(c, "if (lowercase $1) ~~ \"^w[gifc]m$\" then $2 else $3", tag_of(c, colour, "Title"),
                  truth(c, chosen & FEMALE), truth(c, chosen & UNKNOWN));
    return cql3_tree(
        c, "if (lowercase $1) ~~ \"^f$\" then $2 else if (lowercase $3) ~~ \"^m$\" then $4 else $5", sex,
        truth(c, chosen & FEMALE), ast_copy(c->arena, sex), truth(c, chosen & MALE), by_title);
}

// A date has a year in the range.
static Ast *year_in(Cql3 *c, Ast *date, const Cql3Range *range)
{
    return cql3_tree(c, "$1 $2", cql3_regex(c, date, "^0*[1-9]"),
                     cql3_in_range(c, number_in(c, ast_copy(c->arena, date)), NULL, range));
}

// The condition on one player.
static Ast *player_test(Cql3 *c, const GameTest *g, int colour)
{
    const char *organisation = g->system != NULL && strcmp(g->system, "FIDE") == 0 ? "Fide" : g->system;
    switch (g->test.keyword) {
    case OP_CQL3_PLAYER:
        if (g->quoted && g->pattern.as_written)
            return text_matches(c, tag(c, colour == 0 ? "*White" : "*Black"), g);
        return text_matches(c, cql3_tree(c, colour == 0 ? "player white" : "player black"), g);
    case OP_CQL3_GAME_ELO:
        return cql3_number_in(c, cql3_tree(c, colour == 0 ? "elo white" : "elo black"), &g->test.bounds);
    case OP_CQL3_RATING:
        return cql3_in_range(c, rating_of(c, g->system, colour), NULL, &g->test.bounds);
    case OP_CQL3_TITLE:
        return is_chosen(c, tag_of(c, colour, "Title"), cql3_choices(OP_CQL3_TITLE), g->test.number & ~1,
                         "^(?:%s)$");
    case OP_CQL3_ISCOMPUTER:
        return is_computer(c, colour);
    case OP_CQL3_ISHUMAN:
        return cql3_tree(c, "not {$1}", is_computer(c, colour));
    case OP_CQL3_GENDER:
        return gender(c, colour, g->test.number);
    case OP_CQL3_COUNTRY:
        return is_in_country(c, tag_of(c, colour, "Country"), g);
    case OP_CQL3_BIRTHYEAR:
    case OP_CQL3_DEATHYEAR:
        return year_in(c, tag_of(c, colour, g->test.keyword == OP_CQL3_BIRTHYEAR ? "BirthDate" : "DeathDate"),
                       &g->test.bounds);
    default: // OP_CQL3_PLAYERID
        return text_matches(c, tag_of(c, colour, arena_printf(c->arena, "%sId", organisation)), g);
    }
}

// Either player, or one; `exchanged`: the other.
static Ast *on_players(Cql3 *c, const GameTest *g, bool exchanged)
{
    const bool untitled = g->test.keyword == OP_CQL3_TITLE && g->test.number & 1;
    Ast *test[3], *titled[2];
    int count = 0;
    for (int colour = WHITE; colour <= BLACK; colour++) {
        if (g->side != 0 && (g->side - 1 == colour) == exchanged)
            continue;
        titled[count] = untitled ? has_title(c, colour) : NULL;
        test[count++] = player_test(c, g, colour);
    }
    if (g->test.bounds.special == '-') // neither is known
        return cql3_all(c, test, count);
    if (untitled) { // `None`: neither has a title
        test[count] = cql3_tree(c, "not {$1}", cql3_any(c, titled, count));
        count++;
    }
    return cql3_any(c, test, count);
}

static Ast *two_ratings(Cql3 *c, const GameTest *g)
{
    Ast *white = cql3_variable(c, "white_rating", VARIABLE_INT),
        *black = cql3_variable(c, "black_rating", VARIABLE_INT);
    Ast *read =
        cql3_tree(c, "$1 = $2 $3 = $4", white, rating_of(c, g->system, 0), black, rating_of(c, g->system, 1));
    Ast *both = cql3_tree(c, "$1 >= 1 $2 >= 1", white, black);
    const Cql3Range *range = &g->test.bounds;
    switch (g->test.keyword) {
    case OP_CQL3_RATINGDIFFERENCE:
        return cql3_tree(c, "$1 $2 $3", read, both,
                         cql3_in_range(c, cql3_tree(c, "abs ($1 - $2)", white, black), NULL, range));
    case OP_CQL3_AVERAGERATING_BOTH:
        return cql3_tree(c, "$1 $2 $3", read, both,
                         cql3_in_range(c, cql3_tree(c, "($1 + $2) / 2", white, black), NULL, range));
    default: {
        Ast *mean = cql3_tree(c, "if {$1} then ($2 + $3) / 2 else $2 + $3", both, white, black);
        if (range->special == 0) // no value is in no range
            return cql3_tree(c, "$1 $2 + $3 >= 1 $4", read, white, black,
                             cql3_in_range(c, mean, NULL, range));
        return cql3_tree(c, "$1 $2", read, cql3_in_range(c, mean, NULL, range));
    }
    }
}

// ---- header and game --------------------------------------------------------------------------------------

static Ast *eco(Cql3 *c, const GameTest *g)
{
    if (g->test.bounds.special != 0)
        return cql3_tree(c, g->test.bounds.special == '*' ? "eco ~~ \".\"" : "not eco ~~ \".\"");
    Ast **any = arena_alloc(c->arena, sizeof *any * (size_t)(g->word_count / 2));
    for (int k = 0; k < g->word_count; k += 2)
        any[k / 2] = strcmp(g->word[k], g->word[k + 1]) == 0
                         ? cql3_regex(c, cql3_tree(c, "eco"), arena_printf(c->arena, "^%s", g->word[k]))
                         : cql3_tree(c, "eco >= $1 eco <= $2", cql3_string(c, g->word[k]),
                                     cql3_string(c, arena_printf(c->arena, "%s~", g->word[k + 1])));
    return cql3_any(c, any, g->word_count / 2);
}

static Ast *markers(Cql3 *c, const GameTest *g)
{
    const char *class = "";
    for (int k = 0; k < g->word_count; k++)
        class = arena_printf(c->arena, "%s%s%s", class, is_letter(*g->word[k]) ? "" : "\\", g->word[k]);
    return cql3_regex(c, tag(c, "ScidFlags"),
                      g->word_count > 0 ? arena_printf(c->arena, "[%s]", class) : ".");
}

// Somewhere in the game, variations included.
static Ast *somewhere(Cql3 *c, Ast *condition)
{
    return cql3_tree(c, "initialposition:find quiet $1", condition);
}

static bool of_no_language(const GameTest *g)
{
    for (int k = 0; k < g->word_count; k++)
        if (ascii_same(g->word[k], "xx"))
            return true;
    return g->word_count == 0;
}

static Ast *comment(Cql3 *c, const GameTest *g)
{
    Ast *text = cql3_tree(c, "originalcomment");
    if (!of_no_language(g))
        return truth(c, false);
    if (g->test.keyword == OP_CQL3_HASCOMMENTS)
        return somewhere(c, text);
    return somewhere(c, g->test.keyword == OP_CQL3_COMMENT ? cql3_holds_pattern(c, text, &g->pattern)
                                                           : cql3_matches_pattern(c, text, &g->pattern));
}

// The values of all additional tags are lines of one text.
static Ast *any_tag(Cql3 *c, const GameTest *g)
{
    Ast *all = tag(c, "*");
    if (g->test.name == NULL || !g->quoted)
        return g->test.name == NULL ? all : text_matches(c, all, g);
    if (!g->pattern.sensitive)
        all = cql3_tree(c, "lowercase $1", all);
    return cql3_regex(c, all, arena_printf(c->arena, "\\n(?!\\?\\n)%s\\n", g->pattern.regex));
}

static Ast *additional_tag(Cql3 *c, const GameTest *g)
{
    if (strcmp(g->system, "*") == 0)
        return any_tag(c, g);
    if (g->test.name == NULL)
        return cql3_is_known(c, tag(c, g->system));
    return text_matches(c, tag(c, g->system), g);
}

// Some move has a glyph.
static Ast *annotation(Cql3 *c)
{
    Ast *glyph = cql3_node(c, OP_ORIGINALCOMMENT, TYPE_BOOL);
    glyph->number = 256;
    return glyph;
}

static Ast *has_fault(Cql3 *c, bool in_moves)
{
    Ast *fault = cql3_node(c, OP_GAME_FAULT, TYPE_BOOL);
    fault->number = in_moves;
    return fault;
}

// Other errors are never found: such games are not searched, or only other programs report them.
static Ast *error(Cql3 *c, const GameTest *g)
{
    if (strcmp(g->test.name, "None") == 0)
        return cql3_tree(c, "not $1", has_fault(c, false));
    return strcmp(g->test.name, "CannotDecodeMove") == 0 ? has_fault(c, true) : truth(c, false);
}

Ast *cql3_build_game_test(Cql3 *c, const GameTest *g, bool exchanged)
{
    const Test *test = &g->test;
    if (strchr(op_info[test->keyword].syntax, '@') != NULL)
        return on_players(c, g, exchanged);
    if (op_info[test->keyword].meaning != NULL && strchr(op_info[test->keyword].syntax, 't') != NULL)
        return text_matches(c, cql3_tree(c, op_info[test->keyword].meaning), g);
    switch (test->keyword) {
    case OP_CQL3_GAMENUMBER:
        return build_in_range(c->arena, cql3_tree(c, "gamenumber"), test->range);
    case OP_CQL3_GAME_RESULT:
        return cql3_result_is(c, test->number, exchanged);
    case OP_CQL3_EVENTDATE:
        return cql3_date_in(c, cql3_tree(c, "eventdate"), &g->dates);
    case OP_CQL3_DATE:
        return cql3_date_in(c, cql3_tree(c, "date"), &g->dates);
    case OP_CQL3_EVENTCATEGORY:
        return category(c, &test->bounds);
    case OP_CQL3_EVENTCOUNTRY:
        return is_in_country(c, tag(c, "EventCountry"), g);
    case OP_CQL3_EVENTMODE:
        return is_chosen(c, tag(c, "Mode"), cql3_choices(test->keyword), test->number, "^(?:%s)$");
    case OP_CQL3_EVENTTYPE:
        return is_chosen(c, tag(c, "EventType"), cql3_choices(test->keyword), test->number,
                         "^ *(?:%s) *(?:\\(.*\\) *)?$");
    case OP_CQL3_TERMINATION:
        return is_chosen(c, tag(c, "Termination"), cql3_choices(test->keyword), test->number, "^ *(?:%s) *$");
    case OP_CQL3_TIMEMODE:
        return time_mode(c, test->number);
    case OP_CQL3_ROUND:
    case OP_CQL3_SUBROUND:
        return round_in(c, g);
    case OP_CQL3_AVERAGERATING:
    case OP_CQL3_AVERAGERATING_BOTH:
    case OP_CQL3_RATINGDIFFERENCE:
        return two_ratings(c, g);
    case OP_CQL3_ECO:
        return eco(c, g);
    case OP_CQL3_PLYCOUNT: // that of the last position of the main line
        return cql3_tree(c, "initialposition:find quiet {mainline terminal $1}",
                         build_in_range(c->arena, cql3_tree(c, "ply"), test->range));
    case OP_CQL3_HASMARKER:
        return markers(c, g);
    case OP_CQL3_HASSPECIALMARKER:
        return has_fault(c, true);
    case OP_CQL3_ERROR:
        return error(c, g);
    case OP_CQL3_COMMENT:
    case OP_CQL3_COMMENT_WHOLE:
    case OP_CQL3_HASCOMMENTS:
        return comment(c, g);
    case OP_CQL3_HASVARIATIONS:
        return somewhere(c, cql3_tree(c, "variation"));
    case OP_CQL3_HASANNOTATION:
        return somewhere(c, annotation(c));
    case OP_CQL3_TAG:
        return additional_tag(c, g);
    case OP_CQL3_GAME_STARTPOSITION:
    case OP_CQL3_GAME_ISCHESS960:
    case OP_CQL3_GAME_ISSHUFFLECHESS:
        return cql3_start_position(c, test);
    case OP_CQL3_GOODGAME:
        return cql3_good_game(c, exchanged);
    default:
        return cql3_by_meaning(c, test, exchanged, NULL);
    }
}
