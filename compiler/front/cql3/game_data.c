// Conditions on the data of a game in match lists of CQL-S: parameters and trees (language reference 12b.6).
#include "internal.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

// ---- enumerations -----------------------------------------------------------------------------------------

// A word of a query, and the values of the tag that it stands for: a regular expression for the value in lower case. NULL:
// every value that no other word has, and none.
typedef struct Choice {
    const char *word, *regex;
} Choice;

static const Choice modes[] = {{"unknown", NULL},
                               {"otb", "otb"},
                               {"corr", "pm"},
                               {"email", "em"},
                               {"internet", "ics"},
                               {"tele", "tc"},
                               {"analysis", "analysis"},
                               {"composition", "composition"},
                               {0}};
static const Choice types[] = {{"unknown", NULL},
                               {"game", "game|single"},
                               {"match", "match"},
                               {"tourn", "tourn"},
                               {"knockout", "knockout|k\\.o\\."},
                               {"swiss", "swiss"},
                               {"team", "team"},
                               {"schev", "schev"},
                               {"simul", "simul"},
                               {0}};
static const Choice time_modes[] = {{"unknown", NULL},
                                    {"normal", "normal"},
                                    {"rapid", "rapid"},
                                    {"blitz", "blitz"},
                                    {"bullet", "bullet"},
                                    {"corr", "corr"},
                                    {0}};
static const Choice terminations[] = {{"unknown", NULL},
                                      {"normal", "normal"},
                                      {"abandoned", "abandoned"},
                                      {"adjudication", "adjudication"},
                                      {"death", "death"},
                                      {"disconnection", "disconnection"},
                                      {"emergency", "emergency"},
                                      {"rulesinfraction", "rules *infraction"},
                                      {"timeforfeit", "time *forfeit"},
                                      {"unplayed", "unplayed"},
                                      {"unterminated", "unterminated"},
                                      {0}};
static const Choice titles[] = {{"None", NULL},   {"GM", "gm"},     {"IM", "im"},     {"FM", "fm"},
                                {"CM", "cm"},     {"WGM", "wgm"},   {"WIM", "wim"},   {"WFM", "wfm"},
                                {"WCM", "wcm"},   {"HGM", "hgm"},   {"CGM", "cgm"},   {"CIM", "cim"},
                                {"CLGM", "clgm"}, {"CLIM", "clim"}, {"CSIM", "csim"}, {0}};
static const Choice sexes[] = {{"x", NULL}, {"f", "f"}, {"w", "f"}, {"m", "m"}, {0}};

static const Choice *choices_of(Keyword keyword)
{
    switch (keyword) {
    case OP_CQL3_EVENTMODE:
        return modes;
    case OP_CQL3_EVENTTYPE:
        return types;
    case OP_CQL3_TIMEMODE:
        return time_modes;
    case OP_CQL3_TERMINATION:
        return terminations;
    case OP_CQL3_TITLE:
        return titles;
    default: // OP_CQL3_GENDER
        return sexes;
    }
}

// ---- parameters -------------------------------------------------------------------------------------------

static const char *lower(Cql3 *c, const char *text, size_t length)
{
    char *copy = arena_copy(c->arena, text, length);
    for (size_t i = 0; i < length; i++)
        copy[i] = (char)tolower((unsigned char)copy[i]);
    return copy;
}

static bool equal_words(Cql3 *c, const char *a, const char *b)
{
    return strcmp(lower(c, a, strlen(a)), lower(c, b, strlen(b))) == 0;
}

static const Item *word_or_string(const Item *list, int i)
{
    const Item *item = cql3_item_at(list, i);
    return item == NULL || item->kind == ITEM_LIST || cql3_is_keyword(item) ? NULL : item;
}

// A word, or a pattern in quotes.
static bool read_text(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = word_or_string(list, *i);
    if (item == NULL)
        return cql3_error(c, g->test.span, "`:%s` needs a word or a pattern in quotes, found %s",
                          cql3_word(g->test.keyword), cql3_item_text(c, cql3_item_at(list, *i)));
    ++*i;
    g->test.name = item->text;
    g->quoted = item->kind == ITEM_STRING;
    return !g->quoted || cql3_pattern(c, item, &g->pattern);
}

// word { "," word }
static bool read_words(Cql3 *c, const Item *list, int *i, GameTest *g, const char *what)
{
    const Item *item = cql3_item_at(list, *i);
    const char *text = item != NULL && item->kind == ITEM_WORD && !cql3_is_keyword(item) ? item->text : "";
    for (size_t length; *text != '\0'; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        if (length == 0 || (text[length] == ',' && text[length + 1] == '\0')) {
            g->word_count = 0;
            break;
        }
        const char *word = arena_copy(c->arena, text, length);
        ARENA_PUSH(c->arena, g->word, g->word_count, word);
    }
    if (g->word_count == 0)
        return cql3_error(c, cql3_span_at(list, *i),
                          "expected %s, several with commas and without blanks between them, found %s", what,
                          cql3_item_text(c, item));
    ++*i;
    return true;
}

static const char *names_of(Cql3 *c, const Choice *choice)
{
    const char *names = "";
    for (; choice->word != NULL; choice++)
        names = arena_printf(c->arena, "%s%s`%s`", names, *names != '\0' ? ", " : "", choice->word);
    return names;
}

static bool read_choices(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Choice *all = choices_of(g->test.keyword);
    const Span span = cql3_span_at(list, *i);
    if (!read_words(c, list, i, g, arena_printf(c->arena, "one of %s", names_of(c, all))))
        return false;
    for (int k = 0; k < g->word_count; k++) {
        int row = 0;
        while (all[row].word != NULL && !equal_words(c, all[row].word, g->word[k]))
            row++;
        if (all[row].word == NULL)
            return cql3_error(c, span, "`%s` is not one of %s", g->word[k], names_of(c, all));
        g->test.number |= 1 << row;
    }
    return true;
}

static bool read_countries(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Span span = cql3_span_at(list, *i);
    if (!read_words(c, list, i, g, "codes of countries"))
        return false;
    for (int k = 0; k < g->word_count; k++)
        if (g->word[k][strspn(lower(c, g->word[k], strlen(g->word[k])),
                              "abcdefghijklmnopqrstuvwxyz0123456789")] != '\0')
            return cql3_error(c, span, "`%s` is not the code of a country", g->word[k]);
    return true;
}

// A name of a list with blanks between the names; what is found is written as there.
static const char *find_name(Cql3 *c, const char *names, const char *name)
{
    for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        const char *one = arena_copy(c->arena, at, length);
        if (equal_words(c, one, name))
            return one;
        at += length;
    }
    return NULL;
}

static bool read_name_of(Cql3 *c, const Item *list, int *i, GameTest *g, const char *names, const char *what)
{
    const Item *item = cql3_item_at(list, *i);
    g->system = item != NULL && item->kind == ITEM_WORD ? find_name(c, names, item->text) : NULL;
    if (g->system == NULL)
        return cql3_error(c, cql3_span_at(list, *i), "expected %s (%s), found %s", what, names,
                          cql3_item_text(c, item));
    ++*i;
    return true;
}

static bool read_system(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    return read_name_of(c, list, i, g, "ELO DWZ ECF ACF USCF Rapid Blitz ICCF Edo", "a rating system");
}

static bool read_organisation(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    return read_name_of(c, list, i, g,
                        "ACF BdF CCRL CFC DSB ECF EHCR FICGS FICS FIDE ICC ICCF Lichess NZCF Playchess "
                        "SchemingMind USCF WNCA",
                        "an organisation");
}

static bool read_dates(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    return cql3_dates(c, list, i, &g->dates);
}

static bool read_category(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    return cql3_range_of(c, list, i, RANGE_KNOWN | RANGE_ROMAN, &g->test.bounds);
}

// code = letter digit digit [ "-" [ letter ] digit digit ]: the first and the last code in g->word
static bool read_code(Cql3 *c, const char *text, GameTest *g)
{
    char low[4] = {text[0], text[0] != '\0' ? text[1] : '\0',
                   text[0] != '\0' && text[1] != '\0' ? text[2] : '\0', '\0'};
    char high[4] = {low[0], low[1], low[2], '\0'};
    const char *rest = text + strlen(low);
    if (*rest == '-') {
        rest++;
        if (strchr("ABCDEabcde", *rest) != NULL && *rest != '\0')
            high[0] = *rest++;
        if (strlen(rest) != 2)
            return false;
        memcpy(high + 1, rest, 2);
        rest += 2;
    }
    if (*rest != '\0' || strchr("ABCDEabcde", low[0]) == NULL || low[0] == '\0' ||
        strspn(low + 1, "0123456789") != 2 || strspn(high + 1, "0123456789") != 2)
        return false;
    low[0] = (char)toupper((unsigned char)low[0]);
    high[0] = (char)toupper((unsigned char)high[0]);
    const char *both[2] = {arena_copy(c->arena, low, 3), arena_copy(c->arena, high, 3)};
    ARENA_PUSH(c->arena, g->word, g->word_count, both[0]);
    ARENA_PUSH(c->arena, g->word, g->word_count, both[1]);
    return true;
}

static bool read_eco(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = cql3_item_at(list, *i);
    const Span span = cql3_span_at(list, *i);
    const char *text = item != NULL && item->kind == ITEM_WORD ? cql3_plain_text(c, item->text) : "";
    GameTest codes = {0};
    if (strcmp(text, "*") == 0 || strcmp(text, "-") == 0) {
        g->test.bounds.special = *text;
        ++*i;
        return true;
    }
    const Item plain = {.kind = ITEM_WORD, .text = text, .span = span};
    const Item *one[] = {&plain};
    const Item only = {.kind = ITEM_LIST,
                       .span = list->span,
                       .item = (Item **)(uintptr_t)one,
                       .count = item != NULL && *text != '\0'};
    int at = 0;
    if (!read_words(c, &only, &at, &codes, "codes `A00` to `E99`"))
        return false;
    for (int k = 0; k < codes.word_count; k++) {
        if (!read_code(c, codes.word[k], g))
            return cql3_error(c, span, "`%s` is not a code `A00` to `E99` or a range of them, as `B00-B99`",
                              codes.word[k]);
        if (strcmp(g->word[g->word_count - 2], g->word[g->word_count - 1]) > 0)
            return cql3_error(c, span, "the range `%s` is reversed; write the smaller code first",
                              codes.word[k]);
    }
    ++*i;
    return true;
}

// Letters of markers, or nothing.
static bool read_markers(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = word_or_string(list, *i);
    if (item == NULL || item->kind != ITEM_WORD || g->test.negated)
        return true;
    for (const char *p = item->text; *p != '\0'; p += 1 + (p[1] == ',')) {
        if (strchr("wbmeNpTKQ!?U*DGS^~=MP", *p) == NULL || (p[1] != ',' && p[1] != '\0') ||
            (p[1] == ',' && p[2] == '\0'))
            return cql3_error(c, item->span,
                              "expected markers, of `w b m e N p T K Q ! ? U * D G S ^ ~ = M P`, with commas "
                              "between them, found `%s`",
                              item->text);
        const char *letter = arena_copy(c->arena, p, 1);
        ARENA_PUSH(c->arena, g->word, g->word_count, letter);
    }
    ++*i;
    return true;
}

// Of these only `illegalmove` is known of games in PGN.
static bool read_special_markers(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    static const char markers[] = " deleted changed added illegalmove invalidmove ";
    const Span span = cql3_span_at(list, *i);
    if (!read_words(c, list, i, g, "markers: `illegalmove`"))
        return false;
    for (int k = 0; k < g->word_count; k++) {
        const char *word = g->word[k];
        const bool known = strstr(markers, arena_printf(c->arena, " %s ", word)) != NULL;
        if (strcmp(word, "illegalmove") != 0)
            return cql3_error(c, span,
                              known ? "the marker `%s` belongs to Scidb's databases; PGN files do not have it"
                                    : "`%s` is not a special marker; expected `illegalmove`",
                              word);
    }
    return true;
}

static bool read_fault(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = cql3_item_at(list, *i);
    if (item == NULL || item->kind != ITEM_WORD || cql3_is_keyword(item))
        return cql3_error(c, cql3_span_at(list, *i), "`:error` needs the name of an error, found %s",
                          cql3_item_text(c, item));
    ++*i;
    g->test.name = item->text;
    return true;
}

// Languages of comments, or nothing. Comments in PGN have none, which counts as `xx`.
static bool read_languages(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = word_or_string(list, *i);
    c->variations = true;
    if (item == NULL || item->kind != ITEM_WORD || g->test.negated)
        return true;
    const Span span = item->span;
    if (!read_words(c, list, i, g, "languages"))
        return false;
    for (int k = 0; k < g->word_count; k++)
        if (strlen(g->word[k]) != 2)
            return cql3_error(c, span,
                              "expected languages of two letters (`xx` for comments without one), found `%s`",
                              g->word[k]);
    return true;
}

static bool read_pattern(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = cql3_item_at(list, *i);
    if (item == NULL || item->kind != ITEM_STRING)
        return cql3_error(c, cql3_span_at(list, *i), "`:%s` needs a pattern in quotes, found %s",
                          cql3_word(g->test.keyword), cql3_item_text(c, item));
    return read_text(c, list, i, g);
}

// The name of a tag, or `*`, and perhaps a text.
static bool read_additional_tag(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const Item *item = cql3_item_at(list, *i);
    const bool word = item != NULL && item->kind == ITEM_WORD;
    if (!word || (strcmp(item->text, "*") != 0 && strspn(item->text, letters) != strlen(item->text)))
        return cql3_error(c, cql3_span_at(list, *i), "`:tag` needs the name of a tag, or `*`, found %s",
                          cql3_item_text(c, item));
    ++*i;
    g->system = item->text;
    return word_or_string(list, *i) == NULL || read_text(c, list, i, g);
}

bool cql3_game_parameter(Cql3 *c, char kind, const Item *list, int *i, GameTest *g)
{
    typedef bool Reader(Cql3 * c, const Item *list, int *i, GameTest *g);
    static Reader *const reader[] = {['a'] = read_additional_tag, ['c'] = read_choices,
                                     ['d'] = read_dates,          ['e'] = read_eco,
                                     ['g'] = read_category,       ['k'] = read_countries,
                                     ['l'] = read_languages,      ['n'] = read_markers,
                                     ['o'] = read_organisation,   ['p'] = read_pattern,
                                     ['r'] = read_system,         ['s'] = read_special_markers,
                                     ['f'] = read_fault,          ['t'] = read_text};
    return reader[(int)kind](c, list, i, g);
}

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

// The value, in lower case, is one of the words chosen.
static Ast *is_chosen(Cql3 *c, Ast *value, const Choice *choice, int chosen, const char *frame)
{
    const char *of[2] = {"", ""}; // the chosen words; all
    Ast *low = cql3_tree(c, "lowercase $1", value);
    for (int row = 0; choice[row].word != NULL; row++) {
        for (int k = 0; k < 2 && choice[row].regex != NULL; k++)
            if (k == 1 || chosen >> row & 1)
                of[k] = arena_printf(c->arena, "%s%s%s", of[k], *of[k] != '\0' ? "|" : "", choice[row].regex);
    }
    Ast *known = *of[0] != '\0' ? cql3_regex(c, low, arena_printf(c->arena, frame, of[0])) : NULL;
    if (!(chosen & 1))
        return known;
    Ast *unknown =
        cql3_tree(c, "not $1", cql3_regex(c, ast_copy(c->arena, low), arena_printf(c->arena, frame, of[1])));
    return known != NULL ? any_of(c, known, unknown) : unknown;
}

// The number at the beginning of a tag, 0 without one.
static Ast *number_in(Cql3 *c, Ast *value)
{
    return cql3_tree(c, "if $1 then int $2 else 0", cql3_regex(c, value, "^\\d{1,9}"),
                     cql3_regex(c, ast_copy(c->arena, value), "^\\d{1,9}"));
}

static Ast *rating_of(Cql3 *c, const char *system, int colour)
{
    return number_in(c, tag_of(c, colour, strcmp(system, "ELO") == 0 ? "Elo" : system));
}

static Ast *text_matches(Cql3 *c, Ast *value, const GameTest *g)
{
    if (g->quoted)
        return cql3_matches_pattern(c, value, &g->pattern);
    return cql3_tree(c, "lowercase $1 in lowercase $2", cql3_string(c, g->test.name), value);
}

// ---- time -------------------------------------------------------------------------------------------------

static Ast *truth(Cql3 *c, bool value)
{
    return cql3_node(c, value ? OP_TRUE : OP_FALSE, TYPE_BOOL);
}

// By the seconds of 60 moves: S or S+I.
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

// The first that answers: TimeMode, a word in EventType, Mode, TimeControl.
static Ast *time_mode(Cql3 *c, int chosen)
{
    enum { UNKNOWN, NORMAL, RAPID, BLITZ, BULLET, CORR };
    static const char words[] = "\\((?:rapid|blitz|bullet|corr\\.?)\\)";
    static const Choice in_type[] = {{"", "rapid"}, {"", "blitz"}, {"", "bullet"}, {"", "corr\\.?"}, {0}};
    Ast *type = cql3_tree(c, "lowercase tag \"EventType\"");
    const int known = chosen & ~1;
    Ast *by_tag = known ? is_chosen(c, tag(c, "TimeMode"), time_modes, known, "^(?:%s)$") : truth(c, false);
    const int in_parentheses = chosen >> RAPID;
    const char *of = "";
    for (int i = 0; in_type[i].word != NULL; i++)
        if (in_parentheses >> i & 1)
            of = arena_printf(c->arena, "%s%s%s", of, *of != '\0' ? "|" : "", in_type[i].regex);
    Ast *by_type = *of != '\0'
                       ? cql3_regex(c, ast_copy(c->arena, type), arena_printf(c->arena, "\\((?:%s)\\)", of))
                       : truth(c, false);
    Ast *node = cql3_tree(c, "if tag \"TimeControl\" ~~ \"^\\d+/\\d\" then $1 else $2",
                          truth(c, chosen >> NORMAL & 1), truth(c, chosen >> UNKNOWN & 1));
    node = cql3_tree(c, "if tag \"TimeControl\" ~~ \"^\\d{1,6}(?:\\+\\d{1,6})?$\" then $1 else $2",
                     by_seconds(c, chosen), node);
    node = cql3_tree(c, "if (lowercase tag \"Mode\") ~~ \"^(?:pm|em)$\" then $1 else $2",
                     truth(c, chosen >> CORR & 1), node);
    node = cql3_tree(c, "if $1 then $2 else $3", cql3_regex(c, type, words), by_type, node);
    return cql3_tree(
        c, "if (lowercase tag \"TimeMode\") ~~ \"^(?:normal|rapid|blitz|bullet|corr)$\" then $1 else $2",
        by_tag, node);
}

// ---- events -----------------------------------------------------------------------------------------------

static Ast *is_in_country(Cql3 *c, Ast *value, const GameTest *g)
{
    const char *of = "";
    bool missing = false;
    for (int k = 0; k < g->word_count; k++) {
        const char *word = lower(c, g->word[k], strlen(g->word[k]));
        if (strcmp(word, "unk") == 0 || strcmp(word, "xx") == 0 || strcmp(word, "0") == 0) {
            missing = true;
            continue;
        }
        char *codes = arena_printf(c->arena, "%s%s%s", of, *of != '\0' ? "|" : "", cql3_country(c, word));
        for (char *p = codes; *p != '\0'; p++)
            *p = *p == ' ' ? '|' : *p;
        of = codes;
    }
    Ast *none = cql3_tree(c, "not $1", cql3_is_known(c, value));
    if (*of == '\0')
        return none;
    Ast *one = cql3_regex(c, cql3_tree(c, "lowercase $1", ast_copy(c->arena, value)),
                          arena_printf(c->arena, "^(?:%s)$", of));
    return missing ? any_of(c, one, none) : one;
}

// The numerals I to LXXXIX whose values are in the range, with `|` between them.
static const char *numerals(Cql3 *c, const Cql3Range *range)
{
    static const char *const tens[] = {"", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx"};
    static const char *const ones[] = {"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"};
    const char *all = "";
    for (int n = 1; n < 90; n++)
        if (range->special == '*' || (n >= range->range.low.value && n <= range->range.high.value))
            all =
                arena_printf(c->arena, "%s%s%s%s", all, *all != '\0' ? "|" : "", tens[n / 10], ones[n % 10]);
    return all;
}

// EventCategory: digits or a Roman numeral; anything else is 0.
static Ast *category(Cql3 *c, const Cql3Range *range)
{
    static const char roman[] = "^(?=[ivxl])l?x{0,3}(?:i[xv]|v?i{0,3})$|^x[l](?:i[xv]|v?i{0,3})$";
    Ast *value = cql3_tree(c, "lowercase tag \"EventCategory\"");
    const bool zero = range->special == '-' ||
                      (range->special == 0 && range->range.low.value <= 0 && range->range.high.value >= 0);
    const char *of = range->special == '-' ? "" : numerals(c, range);
    Ast *in_numerals =
        *of != '\0' ? cql3_regex(c, value, arena_printf(c->arena, "^(?:%s)$", of)) : truth(c, false);
    Ast *digits = cql3_in_range(c, number_in(c, ast_copy(c->arena, value)), NULL, range);
    return cql3_tree(c, "if $1 then $2 else if $3 then $4 else $5",
                     cql3_regex(c, ast_copy(c->arena, value), roman), in_numerals,
                     cql3_regex(c, ast_copy(c->arena, value), "^\\d{1,9}$"), digits, truth(c, zero));
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

// The condition on one player.
static Ast *player_test(Cql3 *c, const GameTest *g, int colour)
{
    const char *organisation = g->system != NULL && strcmp(g->system, "FIDE") == 0 ? "Fide" : g->system;
    const int titles_chosen = g->test.number & ~1;
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
        return titles_chosen ? is_chosen(c, tag_of(c, colour, "Title"), titles, titles_chosen, "^(?:%s)$")
                             : truth(c, false);
    case OP_CQL3_ISCOMPUTER:
        return is_computer(c, colour);
    case OP_CQL3_ISHUMAN:
        return cql3_tree(c, "not {$1}", is_computer(c, colour));
    case OP_CQL3_GENDER:
        return gender(c, colour, g->test.number);
    case OP_CQL3_COUNTRY:
        return is_in_country(c, tag_of(c, colour, "Country"), g);
    default: // OP_CQL3_PLAYERID
        return text_matches(c, tag_of(c, colour, arena_printf(c->arena, "%sId", organisation)), g);
    }
}

// Either player, or one; `exchanged`: the other.
static Ast *on_players(Cql3 *c, const GameTest *g, bool exchanged)
{
    const bool none_known = g->test.bounds.special == '-';
    const bool white = g->side == 0 || (g->side == 1) != exchanged,
               black = g->side == 0 || (g->side == 2) != exchanged;
    Ast *both[3];
    int count = 0;
    if (white)
        both[count++] = player_test(c, g, 0);
    if (black)
        both[count++] = player_test(c, g, 1);
    if (none_known) // of neither
        return cql3_all(c, both, count);
    if (g->test.keyword == OP_CQL3_TITLE && g->test.number & 1) { // `None`: neither has one
        Ast *some[2];
        int titled = 0;
        if (white)
            some[titled++] = has_title(c, 0);
        if (black)
            some[titled++] = has_title(c, 1);
        both[count++] = cql3_tree(c, "not {$1}", cql3_any(c, some, titled));
    }
    return cql3_any(c, both, count);
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
        class = arena_printf(c->arena, "%s\\%s", class, g->word[k]);
    for (const char *p = class; *p != '\0'; p++) // letters are not escaped
        if (isalpha((unsigned char)*p) && p > class && p[-1] == '\\')
            ((char *)(uintptr_t)p)[-1] = *p;
    return cql3_regex(c, tag(c, "ScidFlags"),
                      g->word_count > 0 ? arena_printf(c->arena, "[%s]", class) : ".");
}

// Somewhere in the game, variations included.
static Ast *somewhere(Cql3 *c, Ast *condition)
{
    return cql3_tree(c, "initialposition:find quiet $1", condition);
}

static bool of_no_language(Cql3 *c, const GameTest *g)
{
    for (int k = 0; k < g->word_count; k++)
        if (equal_words(c, g->word[k], "xx"))
            return true;
    return g->word_count == 0;
}

static Ast *comment(Cql3 *c, const GameTest *g)
{
    Ast *text = cql3_tree(c, "originalcomment");
    if (!of_no_language(c, g))
        return truth(c, false);
    if (g->test.keyword == OP_CQL3_HASCOMMENTS)
        return somewhere(c, text);
    return somewhere(c, g->test.keyword == OP_CQL3_COMMENT ? cql3_holds_pattern(c, text, &g->pattern)
                                                           : cql3_matches_pattern(c, text, &g->pattern));
}

// The values of all tags are lines of one text.
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

// Games with other errors are not searched, or the errors are those of other programs.
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
        return is_chosen(c, tag(c, "Mode"), modes, test->number, "^(?:%s)$");
    case OP_CQL3_EVENTTYPE:
        return is_chosen(c, tag(c, "EventType"), types, test->number, "^ *(?:%s) *(?:\\(.*\\) *)?$");
    case OP_CQL3_TERMINATION:
        return is_chosen(c, tag(c, "Termination"), terminations, test->number, "^ *(?:%s) *$");
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
