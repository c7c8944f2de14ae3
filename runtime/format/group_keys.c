// The keys of groups: reading them, and their values in a game.
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "values.h"

// ---- names ------------------------------------------------------------------------------------------------

#define COLUMN(name) (1U << COLUMN_##name)

// Keys by the names of columns and tags.
static const struct {
    const char *name;
    GroupKind kind;
    const char *tag;
    int whose;
    unsigned columns;
} names[] = {
    {"white", GROUP_TAG, "White", 0, COLUMN(WHITE)},
    {"black", GROUP_TAG, "Black", 0, COLUMN(BLACK)},
    {"event", GROUP_TAG, "Event", 0, COLUMN(EVENT)},
    {"site", GROUP_TAG, "Site", 0, COLUMN(SITE)},
    {"date", GROUP_TAG, "Date", 0, COLUMN(DATE)},
    {"round", GROUP_TAG, "Round", 0, 0},
    {"year", GROUP_YEAR, NULL, 0, COLUMN(DATE)},
    {"month", GROUP_MONTH, NULL, 0, COLUMN(DATE)},
    {"result", GROUP_RESULT, NULL, 0, COLUMN(RESULT)},
    {"eco", GROUP_ECO, NULL, 0, COLUMN(ECO)},
    {"white_elo", GROUP_RATING, NULL, RATING_WHITE, COLUMN(WHITE_ELO)},
    {"black_elo", GROUP_RATING, NULL, RATING_BLACK, COLUMN(BLACK_ELO)},
    {"elo", GROUP_RATING, NULL, RATING_AVERAGE, COLUMN(WHITE_ELO) | COLUMN(BLACK_ELO)},
    {"file", GROUP_FILE, NULL, 0, COLUMN(RESULT)},
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

// Reads a name; false when it is not one. *message: what is wrong with it.
static bool read_name(GroupKey *key, char **message)
{
    int part;
    char *word = split_part(key->name, &part);
    const char *name = column_name(word);
    size_t i = 0;
    while (i < NAMES && strcmp(name, names[i].name) != 0)
        i++;
    const bool tag = i == NAMES && part == 0 && word[0] >= 'A' && word[0] <= 'Z' && is_word(word);
    if (i < NAMES) {
        const GroupKind kind = names[i].kind;
        const int most = kind == GROUP_RATING ? 4000 : kind == GROUP_ECO ? 3 : 0;
        key->kind = kind;
        key->whose = names[i].whose;
        key->columns = names[i].columns;
        key->text = names[i].tag ? memory_copy(names[i].tag, strlen(names[i].tag)) : NULL;
        key->part = part;
        if (part < 0 || part > most || (part == 0 && strchr(key->name, '/')))
            *message = memory_format("the key `%s` of --count-by cannot be read; %s", key->name,
                                     kind == GROUP_RATING ? "write the width of a rating band from 1 to "
                                                            "4000 after the slash, as in `elo/100`"
                                     : kind == GROUP_ECO  ? "write `eco/1`, `eco/2` or `eco/3` for the first "
                                                            "characters of the code"
                                                          : "only `elo`, `white_elo`, `black_elo` and `eco` "
                                                            "take a number after a slash");
    } else if (tag) {
        key->kind = GROUP_TAG;
        key->text = memory_copy(word, strlen(word));
    }
    free(word);
    return i < NAMES || tag;
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
    char *message = NULL;
    trim(&text, &length);
    if (length == 0)
        return memory_format(
            "a key of --count-by is empty; write keys with commas between them: `year,eco/1`");
    if (spec->count == MOST_KEYS)
        return memory_format("--count-by takes at most %d keys", MOST_KEYS);
    spec->key = memory_grow(spec->key, &spec->capacity, spec->count + 1, sizeof *spec->key);
    GroupKey *key = &spec->key[spec->count++];
    *key = (GroupKey){.name = memory_copy(text, length)};
    if (!read_name(key, &message)) {
        key->kind = GROUP_EXPRESSION;
        key->text = memory_copy(text, length);
        key->expression = spec->expressions++;
    }
    for (size_t i = 0; i + 1 < spec->count && !message; i++)
        if (strcmp(spec->key[i].name, key->name) == 0)
            message = memory_format("the key `%s` of --count-by is given twice", key->name);
    return message;
}

char *group_spec_read(GroupSpec *spec, const char *text)
{
    char *message = NULL, wrong = 0;
    *spec = (GroupSpec){0};
    for (;;) {
        const size_t length = key_length(text, &wrong);
        if (wrong)
            return memory_format("`%c` in --count-by has no partner", wrong);
        if ((message = read_key(spec, text, length)) || !text[length])
            break;
        text += length + 1;
    }
    for (size_t i = 0; i < spec->count; i++)
        spec->columns |= spec->key[i].columns;
    for (size_t i = 0; i < spec->count; i++)
        if (!spec->key[i].columns)
            spec->columns = 0;
    return message;
}

void group_spec_free(GroupSpec *spec)
{
    for (size_t i = 0; i < spec->count; i++) {
        free(spec->key[i].name);
        free(spec->key[i].text);
    }
    free(spec->key);
    *spec = (GroupSpec){0};
}

// ---- values in a game -------------------------------------------------------------------------------------

GroupFacts group_facts(const Game *game, const char *file)
{
    const TagRoster *r = game_roster(game);
    return (GroupFacts){.game = game,
                        .name = {r->white, r->black, r->event, r->site},
                        .date = r->date,
                        .rating = {r->rating[0], r->rating[1]},
                        .result = game->view.result,
                        .eco = r->eco,
                        .file = file};
}

static bool is_known_year(const char *date)
{
    return date[0] != '?';
}

bool group_facts_suffice(const GroupSpec *spec, const GroupFacts *facts)
{
    for (size_t i = 0; i < spec->count && !facts->game; i++) {
        const GroupKind kind = spec->key[i].kind;
        if ((kind == GROUP_YEAR || kind == GROUP_MONTH) && !is_known_year(facts->date))
            return false;
    }
    return true;
}

static void put_known_text(Buffer *out, Text text)
{
    if (text.length > 0)
        value_put_text(out, text);
    else
        value_put_none(out);
}

// Is this a dot and a month from 01 to 12?
static bool is_month(const char *text)
{
    return text[0] == '.' && ((text[1] == '0' && text[2] >= '1' && text[2] <= '9') ||
                              (text[1] == '1' && text[2] >= '0' && text[2] <= '2'));
}

static bool is_year(Text text)
{
    size_t digits = 0;
    while (digits < text.length && text.start[digits] >= '0' && text.start[digits] <= '9')
        digits++;
    return digits == 4;
}

// The year and month of Date, or when its year is not known, of UTCDate.
static void put_date(Buffer *out, const GroupFacts *f, size_t length)
{
    const char *date = f->date;
    char other[8] = "????.??";
    Text utc;
    if (!is_known_year(date) && f->game && game_tag(f->game, text_of("UTCDate"), &utc) && is_year(utc)) {
        memcpy(other, utc.start, 4);
        if (utc.length >= 7 && is_month(utc.start + 4))
            memcpy(other + 5, utc.start + 5, 2);
        date = other;
    }
    value_put_text(out, (Text){date, length});
}

static void put_rating(Buffer *out, const GroupKey *key, const int rating[2])
{
    const bool both = key->whose == RATING_AVERAGE;
    const int value = !both ? rating[key->whose] : rating[0] && rating[1] ? (rating[0] + rating[1]) / 2 : 0;
    if (value == 0)
        value_put_none(out);
    else
        value_put_number(out, key->part > 0 ? value / key->part * key->part : value);
}

static void put_tag(Buffer *out, const GroupKey *key, const GroupFacts *f)
{
    Text value = {0};
    if (key->columns == COLUMN(DATE))
        value = (Text){f->date, 10};
    else if (key->columns)
        value = f->name[__builtin_ctz(key->columns)];
    else if (!game_tag(f->game, text_of(key->text), &value))
        value.length = 0;
    put_known_text(out, value);
}

// Results in the order 1-0, 1/2-1/2, 0-1, *.
static const int result_rank[] = {
    [RESULT_UNKNOWN] = 3, [RESULT_WHITE] = 0, [RESULT_BLACK] = 2, [RESULT_DRAW] = 1};

void group_values(const GroupSpec *spec, Buffer *out, const GroupFacts *f, const SortValue *value)
{
    for (size_t i = 0; i < spec->count; i++) {
        const GroupKey *key = &spec->key[i];
        const size_t letters =
            key->part > 0 && (size_t)key->part < f->eco.length ? (size_t)key->part : f->eco.length;
        switch (key->kind) {
        case GROUP_TAG:
            put_tag(out, key, f);
            break;
        case GROUP_YEAR:
        case GROUP_MONTH:
            put_date(out, f, key->kind == GROUP_YEAR ? 4 : 7);
            break;
        case GROUP_RATING:
            put_rating(out, key, f->rating);
            break;
        case GROUP_RESULT:
            value_put_number(out, result_rank[f->result]);
            break;
        case GROUP_ECO:
            put_known_text(out, (Text){f->eco.start, letters});
            break;
        case GROUP_FILE:
            value_put_text(out, text_of(f->file));
            break;
        case GROUP_EXPRESSION:
            value_put_sort(out, value ? &value[key->expression] : &(SortValue){0});
            break;
        }
    }
}

bool group_values_are_good(const GroupSpec *spec, const char *values, size_t length)
{
    const char *end = values + length;
    Value value;
    for (size_t i = 0; i < spec->count; i++)
        if (!value_get(&values, end, &value))
            return false;
    return values == end;
}
