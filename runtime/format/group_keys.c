// The keys and measures of groups: reading them.
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

// ---- names ------------------------------------------------------------------------------------------------

#define COLUMN(name) (1U << COLUMN_##name)

// Keys by the names of columns and tags. most: the greatest number after a slash; 0: none is allowed.
enum { WIDEST_BAND = 99999, WIDEST_RATINGS = 4000, ECO_LETTERS = 3 };
static const struct {
    const char *name;
    GroupKind kind;
    const char *tag;
    int whose;
    unsigned columns;
    int most;
    bool of_position;
} names[] = {
    {"white", GROUP_TAG, "White", 0, COLUMN(WHITE), 0, false},
    {"black", GROUP_TAG, "Black", 0, COLUMN(BLACK), 0, false},
    {"player", GROUP_PLAYER, NULL, 0, COLUMN(WHITE) | COLUMN(BLACK), 0, false},
    {"opponent", GROUP_OPPONENT, NULL, 0, COLUMN(WHITE) | COLUMN(BLACK), 0, false},
    {"event", GROUP_TAG, "Event", 0, COLUMN(EVENT), 0, false},
    {"site", GROUP_TAG, "Site", 0, COLUMN(SITE), 0, false},
    {"date", GROUP_TAG, "Date", 0, COLUMN(DATE), 0, false},
    {"round", GROUP_TAG, "Round", 0, 0, 0, false},
    {"year", GROUP_YEAR, NULL, 0, COLUMN(DATE), WIDEST_BAND, false},
    {"month", GROUP_MONTH, NULL, 0, COLUMN(DATE), 0, false},
    {"result", GROUP_RESULT, NULL, 0, COLUMN(RESULT), 0, false},
    {"eco", GROUP_ECO, NULL, 0, COLUMN(ECO), ECO_LETTERS, false},
    {"white_elo", GROUP_RATING, NULL, RATING_WHITE, COLUMN(WHITE_ELO), WIDEST_RATINGS, false},
    {"black_elo", GROUP_RATING, NULL, RATING_BLACK, COLUMN(BLACK_ELO), WIDEST_RATINGS, false},
    {"elo", GROUP_RATING, NULL, RATING_AVERAGE, COLUMN(WHITE_ELO) | COLUMN(BLACK_ELO), WIDEST_RATINGS, false},
    {"file", GROUP_FILE, NULL, 0, COLUMN(RESULT), 0, false},
    {"move", GROUP_MOVE, NULL, 0, 0, 0, true},
    {"uci", GROUP_UCI, NULL, 0, 0, 0, true},
    {"from", GROUP_FROM, NULL, 0, 0, 0, true},
    {"to", GROUP_TO, NULL, 0, 0, 0, true},
    {"piece", GROUP_PIECE, NULL, 0, 0, 0, true},
    {"captured", GROUP_CAPTURED, NULL, 0, 0, 0, true},
    {"promotion", GROUP_PROMOTION, NULL, 0, 0, 0, true},
    {"side", GROUP_SIDE, NULL, 0, 0, 0, true},
    {"ply", GROUP_PLY, NULL, 0, 0, WIDEST_BAND, true},
    {"men", GROUP_MEN, NULL, 0, 0, 0, true},
    {"ply_count", GROUP_PLY_COUNT, NULL, 0, COLUMN(RESULT), WIDEST_BAND, false},
    {"material", GROUP_MATERIAL, NULL, 0, 0, 0, true},
    {"next_material", GROUP_NEXT_MATERIAL, NULL, 0, 0, 0, true},
    {"line", GROUP_LINE, NULL, 0, 0, 0, true},
};
enum { NAMES = sizeof names / sizeof *names };

const char *group_key_name(size_t i)
{
    return i < NAMES ? names[i].name : NULL;
}

// The same in the spelling of tags.
static const char *const tag_names[][2] = {{"White", "white"},   {"Black", "black"}, {"Event", "event"},
                                           {"Site", "site"},     {"Date", "date"},   {"Round", "round"},
                                           {"Result", "result"}, {"ECO", "eco"}};

static const char *column_name(const char *word)
{
    for (size_t i = 0; i < sizeof tag_names / sizeof *tag_names; i++)
        if (strcmp(word, tag_names[i][0]) == 0)
            return tag_names[i][1];
    return word;
}

static bool is_word(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    return strspn(text, letters) == strlen(text);
}

// Splits `NAME/N`; *part is 0 without `/N`, -1 when N is not a number.
static char *split_part(const char *text, int *part)
{
    const char *slash = strchr(text, '/');
    *part = 0;
    if (!slash)
        return memory_copy(text, strlen(text));
    const size_t digits = strspn(slash + 1, "0123456789");
    *part = digits > 0 && digits < 6 && !slash[1 + digits] ? atoi(slash + 1) : -1;
    return memory_copy(text, (size_t)(slash - text));
}

// Could the word be a designator of pieces, too: letters of pieces, and perhaps a square?
static bool is_designator(const char *word)
{
    const size_t pieces = strspn(word, "KQRBNPAZ");
    const char *square = word + pieces;
    return pieces > 0 && (!*square || (strchr("abcdefgh", square[0]) && square[1] >= '1' &&
                                       square[1] <= '8' && !square[2]));
}

static char *wrong_part(const GroupKey *key, const char *option)
{
    return memory_format("the key `%s` of %s cannot be read; %s", key->name, option,
                         key->kind == GROUP_RATING ? "write the width of a rating band from 1 to "
                                                     "4000 after the slash, as in `elo/100`"
                         : key->kind == GROUP_ECO  ? "write `eco/1`, `eco/2` or `eco/3` for the first "
                                                     "characters of the code"
                                                   : "only numbers and `eco` take a number from 1 to 99999 "
                                                     "after a slash, as in `year/5`");
}

static void set_text(GroupKey *key, GroupKind kind, const char *text)
{
    key->kind = kind;
    key->text = text ? memory_copy(text, strlen(text)) : NULL;
}

// `opening/1`: the name up to its first colon or comma. NULL, or what is wrong.
static char *read_family(GroupKey *key, const char *option)
{
    const bool family = key->part == 1;
    key->part = 0; // the value is a text, not a number in bands
    set_text(key, GROUP_EXPRESSION, "{opening ~~ \"^[^:,]*\" \\0}");
    return family ? NULL
                  : memory_format("the key `%s` of %s cannot be read; write `opening` for the whole name or "
                                  "`opening/1` for the part before its first colon or comma",
                                  key->name, option);
}

// Reads a name, perhaps with a band after it. is_number: it is no tag. NULL, or what is wrong.
static char *read_word(GroupKey *key, const char *word, const char *option, bool is_number)
{
    const char *name = column_name(word);
    const bool slash = strchr(key->name, '/');
    size_t i = 0;
    while (i < NAMES && strcmp(name, names[i].name) != 0)
        i++;
    if (i == NAMES && !slash && !is_number && word[0] >= 'A' && word[0] <= 'Z') {
        if (is_designator(word))
            return memory_format("the key `%s` of %s can be a tag or pieces; write `tag:%s` or `{%s}`", word,
                                 option, word, word);
        set_text(key, GROUP_TAG, word);
        return NULL;
    }
    if (slash && strcmp(word, "opening") == 0)
        return read_family(key, option);
    const int most = i < NAMES ? names[i].most : WIDEST_BAND;
    if (i < NAMES) {
        set_text(key, names[i].kind, names[i].tag);
        key->whose = names[i].whose;
        key->columns = names[i].columns;
        key->of_position = names[i].of_position;
    } else {
        set_text(key, GROUP_EXPRESSION, word);
    }
    return slash && (key->part <= 0 || key->part > most) ? wrong_part(key, option) : NULL;
}

// Reads key->name. NULL, or what is wrong.
static char *read_name(GroupSpec *spec, GroupKey *key, const char *option, bool is_number)
{
    char *word = split_part(key->name, &key->part), *message = NULL;
    if (strncmp(key->name, "tag:", 4) == 0 && is_word(key->name + 4) && key->name[4]) {
        key->part = 0;
        set_text(key, GROUP_TAG, key->name + 4);
    } else if (*word && is_word(word) && (word[0] < '0' || word[0] > '9')) {
        message = read_word(key, word, option, is_number);
    } else {
        key->part = 0;
        set_text(key, GROUP_EXPRESSION, key->name);
    }
    free(word);
    if (key->kind == GROUP_EXPRESSION) {
        key->of_position = true;
        key->expression = spec->expressions++;
    }
    spec->of_position |= key->of_position;
    spec->of_moves |= key->kind == GROUP_PLY_COUNT;
    return message;
}

// ---- reading ----------------------------------------------------------------------------------------------

// The length of the first key, which ends before a comma; *wrong: a bracket or quote that does not fit, or 0.
static size_t key_length(const char *text, char *wrong)
{
    char open[64];
    size_t depth = 0, i = 0;
    *wrong = 0;
    for (; text[i] && (text[i] != ',' || depth > 0); i++) {
        const char c = text[i];
        const char *bracket = strchr("([{)]}", c);
        if (c == '"') {
            const char *end = strchr(text + i + 1, '"');
            *wrong = end ? 0 : c;
            i = end ? (size_t)(end - text) : strlen(text) - 1;
        } else if (bracket && strchr("([{", c)) {
            *wrong = depth == sizeof open ? c : 0;
            open[depth % sizeof open] = c;
            depth++;
        } else if (bracket) {
            *wrong = depth == 0 || open[depth - 1] != (c == ')' ? '(' : c == ']' ? '[' : '{') ? c : 0;
            depth -= depth > 0;
        }
        if (*wrong)
            return i;
    }
    *wrong = depth > 0 ? open[depth - 1] : 0;
    return i;
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && strchr(" \t\r\n", **text)) {
        (*text)++;
        (*length)--;
    }
    while (*length > 0 && strchr(" \t\r\n", (*text)[*length - 1]))
        (*length)--;
}

static char *read_key(GroupSpec *spec, const char *text, size_t length)
{
    if (spec->count == MOST_KEYS)
        return memory_format("--count-by takes at most %d keys", MOST_KEYS);
    spec->key = memory_grow(spec->key, &spec->capacity, spec->count + 1, sizeof *spec->key);
    GroupKey *key = &spec->key[spec->count++];
    *key = (GroupKey){.name = memory_copy(text, length)};
    char *message = read_name(spec, key, "--count-by", false);
    spec->by_player |= key->kind == GROUP_PLAYER;
    spec->by_side |= key->kind == GROUP_PLAYER || key->kind == GROUP_OPPONENT;
    for (size_t i = 0; i + 1 < spec->count && !message; i++)
        if (strcmp(spec->key[i].name, key->name) == 0)
            message = memory_format("the key `%s` of --count-by is given twice", key->name);
    return message;
}

// Reads a list with commas between its members. `noun`: what they are.
static char *read_list(GroupSpec *spec, const char *text, const char *option, const char *noun,
                       const char *example, char *(*read)(GroupSpec *spec, const char *text, size_t length))
{
    char *message = NULL, wrong = 0;
    for (bool more = true; more && !message;) {
        const char *part = text;
        size_t length = key_length(text, &wrong), own = length;
        if (wrong)
            return memory_format("`%c` in %s has no partner", wrong, option);
        trim(&part, &own);
        message = own == 0 ? memory_format("a %s of %s is empty; write %ss with commas between them: `%s`",
                                           noun, option, noun, example)
                           : read(spec, part, own);
        more = text[length] == ',';
        text += length + 1;
    }
    return message;
}

char *group_spec_read(GroupSpec *spec, const char *text)
{
    *spec = (GroupSpec){0};
    char *message = read_list(spec, text, "--count-by", "key", "year,eco/1", read_key);
    for (size_t i = 0; i < spec->count; i++)
        spec->columns |= spec->key[i].columns;
    for (size_t i = 0; i < spec->count; i++)
        if (!spec->key[i].columns)
            spec->columns = 0;
    return message;
}

// ---- measures ---------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    MeasureKind kind;
    bool has_value; // a key in brackets follows
} measure_names[] = {{"games", MEASURE_GAMES, false},   {"score", MEASURE_SCORE, false},
                     {"avg", MEASURE_AVERAGE, true},    {"sum", MEASURE_SUM, true},
                     {"min", MEASURE_LEAST, true},      {"max", MEASURE_GREATEST, true},
                     {"median", MEASURE_MEDIAN, true},  {"distinct", MEASURE_DISTINCT, true},
                     {"results", MEASURE_WHITE, false}, {"count", MEASURE_GAMES, false}};
enum { MEASURES = sizeof measure_names / sizeof *measure_names };

static GroupMeasure *add_measure(GroupSpec *spec, MeasureKind kind, const char *name, size_t length)
{
    spec->measure =
        memory_grow(spec->measure, &spec->measure_capacity, spec->measure_count + 1, sizeof *spec->measure);
    GroupMeasure *m = &spec->measure[spec->measure_count++];
    *m = (GroupMeasure){.kind = kind, .name = memory_copy(name, length), .sum = -1};
    return m;
}

static void add_results(GroupSpec *spec)
{
    static const char *const result[] = {"white", "draws", "black"};
    for (int i = 0; i < 3; i++)
        add_measure(spec, MEASURE_WHITE + i, result[i], strlen(result[i]));
}

// The value that a measure is about.
static char *read_value(GroupSpec *spec, GroupMeasure *m, const char *text, size_t length)
{
    GroupKey *of = &m->of;
    trim(&text, &length);
    of->name = memory_copy(text, length);
    char *message = read_name(spec, of, "--measure", m->kind != MEASURE_DISTINCT);
    const bool number = of->kind == GROUP_EXPRESSION || of->kind == GROUP_RATING || of->kind == GROUP_PLY ||
                        of->kind == GROUP_PLY_COUNT || of->kind == GROUP_YEAR;
    if (!message && m->kind != MEASURE_DISTINCT && (!number || of->part > 0))
        return memory_format("the measure `%s` needs a number, such as `ply`, `elo`, `year`, `ply_count` or "
                             "an expression of CQL",
                             m->name);
    if (of->kind == GROUP_YEAR && m->kind != MEASURE_DISTINCT)
        of->part = 1;
    if (m->kind >= MEASURE_AVERAGE && m->kind <= MEASURE_GREATEST)
        m->sum = (int)spec->sums++;
    return message;
}

static char *read_measure(GroupSpec *spec, const char *text, size_t length)
{
    const char *bracket = memchr(text, '(', length);
    size_t name = bracket ? (size_t)(bracket - text) : length, i = 0;
    while (name > 0 && text[name - 1] == ' ')
        name--;
    while (i < MEASURES &&
           (strlen(measure_names[i].name) != name || memcmp(measure_names[i].name, text, name) != 0))
        i++;
    const bool closed = bracket && text[length - 1] == ')' && bracket + 2 < text + length;
    if (i == MEASURES || measure_names[i].has_value != (bracket != NULL) || (bracket && !closed))
        return memory_format(
            "`%.*s` is not a measure; expected count, games, results, score, avg(E), sum(E), "
            "min(E), max(E), median(E) or distinct(KEY), where E is a number such as `ply`",
            (int)length, text);
    if (spec->measure_count + 3 > MOST_MEASURES)
        return memory_format("--measure takes at most %d measures", MOST_MEASURES - 2);
    const MeasureKind kind = measure_names[i].kind;
    if (strcmp(measure_names[i].name, "count") == 0 || (kind == MEASURE_GAMES && !spec->per_position))
        return NULL; // it is always the first column
    if (kind == MEASURE_WHITE) {
        add_results(spec);
        return NULL;
    }
    GroupMeasure *m = add_measure(spec, kind, text, length);
    return bracket ? read_value(spec, m, bracket + 1, (size_t)(text + length - bracket) - 2) : NULL;
}

char *group_measures_read(GroupSpec *spec, const char *text)
{
    char *message = NULL;
    if (text)
        message = read_list(spec, text, "--measure", "measure", "score,avg(ply)", read_measure);
    else if (spec->per_position)
        add_measure(spec, MEASURE_GAMES, "games", strlen("games"));
    if (!text)
        add_results(spec);
    for (size_t i = 0; i < spec->measure_count; i++) {
        const GroupMeasure *m = &spec->measure[i];
        if (m->of.name && spec->columns)
            spec->columns = m->of.columns ? spec->columns | m->of.columns : 0;
        for (size_t k = 0; k < i && !message; k++)
            if (strcmp(spec->measure[k].name, m->name) == 0)
                message = memory_format("the measure `%s` is given twice",
                                        m->kind == MEASURE_WHITE ? "results" : m->name);
    }
    if (spec->player && spec->columns)
        spec->columns |= COLUMN(WHITE) | COLUMN(BLACK);
    bool opponent = false;
    for (size_t i = 0; i < spec->count; i++)
        opponent |= spec->key[i].kind == GROUP_OPPONENT;
    for (size_t i = 0; i < spec->measure_count; i++)
        opponent |= spec->measure[i].of.kind == GROUP_OPPONENT;
    if (!message && opponent && !spec->by_player && !spec->player)
        message = memory_format("`opponent` is that of a player: add the key `player`, or --player NAME");
    return message;
}

char *group_spec_check(const GroupSpec *spec)
{
    const char *both =
        spec->of_all && spec->per_position ? "--of-all counts games; for positions use --among true" : NULL;
    for (size_t i = 0; i < spec->count && !both; i++) {
        const GroupKey *key = &spec->key[i];
        if (spec->of_all && (key->of_position || key->kind == GROUP_PLY_COUNT))
            return memory_format("--of-all counts games that do not match, too, where `%s` has no value; use "
                                 "keys like tags, year, elo/100 or eco",
                                 key->name);
        if (spec->among && !spec->per_position && key->of_position)
            return memory_format(
                "--among counts games, whose first match says nothing of `%s`; add --per position, "
                "or use keys like tags, year, elo/100 or eco",
                key->name);
    }
    return both ? memory_copy(both, strlen(both)) : NULL;
}

const GroupKey *group_expression(const GroupSpec *spec, int number, const GroupMeasure **measure)
{
    *measure = NULL;
    for (size_t i = 0; i < spec->count; i++)
        if (spec->key[i].kind == GROUP_EXPRESSION && spec->key[i].expression == number)
            return &spec->key[i];
    for (size_t i = 0; i < spec->measure_count; i++) {
        *measure = &spec->measure[i];
        if ((*measure)->of.text && (*measure)->of.kind == GROUP_EXPRESSION &&
            (*measure)->of.expression == number)
            return &(*measure)->of;
    }
    return NULL;
}

static void free_key(GroupKey *key)
{
    free(key->name);
    free(key->text);
}

void group_spec_free(GroupSpec *spec)
{
    for (size_t i = 0; i < spec->count; i++)
        free_key(&spec->key[i]);
    for (size_t i = 0; i < spec->measure_count; i++) {
        free(spec->measure[i].name);
        free_key(&spec->measure[i].of);
    }
    free(spec->key);
    free(spec->measure);
    *spec = (GroupSpec){0};
}
