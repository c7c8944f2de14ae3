// Parameters of keywords about the data of a game in match lists of CQL-S (language reference 12b.6).
#include "internal.h"
#include "runtime/value/ascii.h"

#include <string.h>

// ---- enumerations -----------------------------------------------------------------------------------------

static const Cql3Choice modes[] = {{"unknown", NULL},
                                   {"otb", "otb"},
                                   {"corr", "pm"},
                                   {"email", "em"},
                                   {"internet", "ics"},
                                   {"tele", "tc"},
                                   {"analysis", "analysis"},
                                   {"composition", "composition"},
                                   {0}};
static const Cql3Choice types[] = {{"unknown", NULL},
                                   {"game", "game|single"},
                                   {"match", "match"},
                                   {"tourn", "tourn"},
                                   {"knockout", "knockout|k\\.o\\."},
                                   {"swiss", "swiss"},
                                   {"team", "team"},
                                   {"schev", "schev"},
                                   {"simul", "simul"},
                                   {0}};
static const Cql3Choice time_modes[] = {{"unknown", NULL},
                                        {"normal", "normal"},
                                        {"rapid", "rapid"},
                                        {"blitz", "blitz"},
                                        {"bullet", "bullet"},
                                        {"corr", "corr"},
                                        {0}};
static const Cql3Choice terminations[] = {{"unknown", NULL},
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
static const Cql3Choice titles[] = {{"None", NULL},   {"GM", "gm"},     {"IM", "im"},     {"FM", "fm"},
                                    {"CM", "cm"},     {"WGM", "wgm"},   {"WIM", "wim"},   {"WFM", "wfm"},
                                    {"WCM", "wcm"},   {"HGM", "hgm"},   {"CGM", "cgm"},   {"CIM", "cim"},
                                    {"CLGM", "clgm"}, {"CLIM", "clim"}, {"CSIM", "csim"}, {0}};
static const Cql3Choice sexes[] = {{"x", NULL}, {"f", "f"}, {"w", "f"}, {"m", "m"}, {0}};

const Cql3Choice *cql3_choices(Keyword keyword)
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

#define LETTERS_AND_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

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
    g->word = cql3_words_at(c, list, *i, &g->word_count);
    if (g->word_count == 0)
        return cql3_error(c, cql3_span_at(list, *i),
                          "expected %s, or several separated by commas without blanks, found %s", what,
                          cql3_item_text(c, cql3_item_at(list, *i)));
    ++*i;
    return true;
}

static const char *names_of(Cql3 *c, const Cql3Choice *choice)
{
    const char *names = arena_printf(c->arena, "`%s`", choice->word);
    while ((++choice)->word != NULL)
        names = arena_printf(c->arena, "%s, `%s`", names, choice->word);
    return names;
}

static bool read_choices(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Cql3Choice *all = cql3_choices(g->test.keyword);
    const Span span = cql3_span_at(list, *i);
    if (!read_words(c, list, i, g, arena_printf(c->arena, "one of %s", names_of(c, all))))
        return false;
    for (int k = 0; k < g->word_count; k++) {
        int row = 0;
        while (all[row].word != NULL && !ascii_same(all[row].word, g->word[k]))
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
    if (!read_words(c, list, i, g, "a country code"))
        return false;
    for (int k = 0; k < g->word_count; k++)
        if (g->word[k][strspn(g->word[k], LETTERS_AND_DIGITS)] != '\0')
            return cql3_error(c, span, "`%s` is not a country code", g->word[k]);
    return true;
}

// Finds a name, ignoring case, in a list of names separated by blanks. Returns it as the list spells it.
static const char *find_name(Cql3 *c, const char *names, const char *name)
{
    for (const char *at = names; *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        const char *one = arena_copy(c->arena, at, length);
        if (ascii_same(one, name))
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

// code = letter digit digit [ "-" [ letter ] digit digit ]: adds the first and the last code to g->word
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
    low[0] = ascii_upper(low[0]);
    high[0] = ascii_upper(high[0]);
    const char *both[2] = {arena_copy(c->arena, low, 3), arena_copy(c->arena, high, 3)};
    ARENA_PUSH(c->arena, g->word, g->word_count, both[0]);
    ARENA_PUSH(c->arena, g->word, g->word_count, both[1]);
    return true;
}

static bool read_eco(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Span span = cql3_span_at(list, *i);
    const char *text = cql3_word_at(c, list, *i);
    GameTest codes = {0};
    if (strcmp(text, "*") == 0 || strcmp(text, "-") == 0) {
        g->test.bounds.special = *text;
        ++*i;
        return true;
    }
    if (!read_words(c, list, i, &codes, "an ECO code from `A00` to `E99`"))
        return false;
    for (int k = 0; k < codes.word_count; k++) {
        if (!read_code(c, codes.word[k], g))
            return cql3_error(c, span,
                              "`%s` is not an ECO code from `A00` to `E99` or a range such as `B00-B99`",
                              codes.word[k]);
        if (strcmp(g->word[g->word_count - 2], g->word[g->word_count - 1]) > 0)
            return cql3_error(c, span, "the range `%s` is reversed; write the smaller code first",
                              codes.word[k]);
    }
    return true;
}

// [ marker { "," marker } ]
static bool read_markers(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = word_or_string(list, *i);
    if (item == NULL || item->kind != ITEM_WORD || g->test.negated)
        return true;
    g->word = cql3_words_at(c, list, *i, &g->word_count);
    bool good = g->word_count > 0;
    for (int k = 0; k < g->word_count; k++)
        good &= strlen(g->word[k]) == 1 && strchr("wbmeNpTKQ!?U*DGS^~=MP", *g->word[k]) != NULL;
    if (!good)
        return cql3_error(c, item->span,
                          "expected markers (`w b m e N p T K Q ! ? U * D G S ^ ~ = M P`) separated by "
                          "commas, found `%s`",
                          item->text);
    ++*i;
    return true;
}

// PGN can answer only `illegalmove`.
static bool read_special_markers(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    static const char markers[] = " deleted changed added illegalmove invalidmove ";
    const Span span = cql3_span_at(list, *i);
    if (!read_words(c, list, i, g, "the marker `illegalmove`"))
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

// [ language { "," language } ]. Comments in PGN have no language, which counts as `xx`.
static bool read_languages(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = word_or_string(list, *i);
    c->variations = true;
    if (item == NULL || item->kind != ITEM_WORD || g->test.negated)
        return true;
    const Span span = item->span;
    if (!read_words(c, list, i, g, "a language code"))
        return false;
    for (int k = 0; k < g->word_count; k++)
        if (strlen(g->word[k]) != 2 || !is_letter(g->word[k][0]) || !is_letter(g->word[k][1]))
            return cql3_error(c, span,
                              "expected a language code of two letters, such as `en` (`xx`: no language), "
                              "found `%s`",
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

// ( name | "*" ) [ text ]
static bool read_additional_tag(Cql3 *c, const Item *list, int *i, GameTest *g)
{
    const Item *item = cql3_item_at(list, *i);
    const bool word = item != NULL && item->kind == ITEM_WORD;
    if (!word ||
        (strcmp(item->text, "*") != 0 && strspn(item->text, LETTERS_AND_DIGITS "_") != strlen(item->text)))
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
