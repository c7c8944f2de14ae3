// The Event tag of study databases: an award, then the tourney (language reference 9.7.3, 13.9).
#include "hhdb_event.h"
#include "runtime/value/ascii.h"

// ---- awards (9.7.3) ---------------------------------------------------------------------------------------

typedef struct Award {
    int kind; // AWARD_
    bool special;
    int32_t first, last; // ranks, 0: none
} Award;

// Reads a rank at text[*at]; 0 when there is none or it is out of range.
static int32_t read_rank(Text text, size_t *at)
{
    const int64_t limit = 100000000;
    int64_t rank = 0;
    size_t i = *at;
    for (; i < text.length && is_digit(text.start[i]); i++)
        if (rank <= limit)
            rank = rank * 10 + text.start[i] - '0';
    if (rank < 1 || rank > limit)
        return 0;
    *at = i;
    return (int32_t)rank;
}

static bool skip(Text text, size_t *at, const char *word)
{
    const size_t length = strlen(word);
    if (text.length - *at < length || memcmp(text.start + *at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

// Returns the length of the award at the beginning of Event; 0: there is none.
static size_t read_award(Text event, Award *award)
{
    size_t at = 0;
    *award = (Award){.first = read_rank(event, &at)};
    award->last = award->first;
    if (award->first > 0 && skip(event, &at, "/")) {
        award->last = read_rank(event, &at);
        if (award->last <= award->first)
            return 0;
    }
    award->special = skip(event, &at, award->first > 0 ? ".sp" : "sp");
    if (skip(event, &at, ".p"))
        award->kind = AWARD_PRIZE;
    else if (skip(event, &at, ".hm"))
        award->kind = AWARD_HM;
    else if (skip(event, &at, ".c"))
        award->kind = AWARD_COMMENDATION;
    return award->kind != 0 ? at : 0;
}

static bool find_award(Context *c, int32_t kind, int32_t flags, Award *award)
{
    return read_award(game_roster(run_game_of(c))->event, award) > 0 &&
           (kind == AWARD_ANY || award->kind == kind) && (award->special || !(flags & AWARD_SPECIAL)) &&
           !(award->special && flags & AWARD_NONSPECIAL);
}

int32_t rt_hhdb_award(Context *c, int32_t kind, int32_t flags, int32_t *value)
{
    Award award;
    if (!find_award(c, kind, flags, &award))
        return 0;
    if (award.special && !(flags & (AWARD_SPECIAL | AWARD_SORT | AWARD_CATEGORY)))
        return 0;
    if (flags & AWARD_CATEGORY)
        *value = 2 * award.kind - 1 + award.special;
    else if (award.first == 0)
        *value = flags & AWARD_MAX ? 10000 : 1;
    else
        *value = flags & AWARD_MAX ? award.last : award.first;
    return 1;
}

int32_t rt_hhdb_award_holds(Context *c, int32_t kind, int32_t flags)
{
    Award award;
    return find_award(c, kind, flags, &award);
}

// ---- tourneys (13.9) -----------------------------------------------------------------------------------

enum { FIRST_YEAR = 1000, LAST_YEAR = 2100 };

// What the words of a tourney say. The years are 0 and the texts empty when they are missing.
typedef struct Tourney {
    Text edition, part;
    int32_t year, year_end;
    Buffer *name; // the other words; NULL: not wanted
} Tourney;

static Text part_of(Text text, size_t from, size_t to)
{
    return (Text){text.start + from, to - from};
}

// Takes the next word, which blanks separate, from the front of *text; false at the end.
static bool next_word(Text *text, Text *word)
{
    size_t begin = 0, end;
    while (begin < text->length && text->start[begin] == ' ')
        begin++;
    for (end = begin; end < text->length && text->start[end] != ' ';)
        end++;
    *word = part_of(*text, begin, end);
    *text = part_of(*text, end, text->length);
    return word->length > 0;
}

// The number of `digits` digits at the beginning, with no digit after them; -1: there is none.
static int32_t leading_number(Text text, size_t digits)
{
    int32_t number = 0;
    if (text.length < digits || (text.length > digits && is_digit(text.start[digits])))
        return -1;
    for (size_t i = 0; i < digits; i++) {
        if (!is_digit(text.start[i]))
            return -1;
        number = number * 10 + text.start[i] - '0';
    }
    return number;
}

static int32_t leading_year(Text text)
{
    const int32_t year = leading_number(text, 4);
    return year >= FIRST_YEAR && year <= LAST_YEAR ? year : 0;
}

static bool is_roman(Text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!strchr("IVXLC", text.start[i]) || text.start[i] == 0)
            return false;
    return text.length > 0;
}

// The year that follows the first one after `-` or `/`: four digits, or two of the same or the next century.
static int32_t second_year(Text text, int32_t first)
{
    const int32_t year = leading_number(text, 2);
    if (year < 0 || text.length > 2)
        return text.length == 4 ? leading_year(text) : 0;
    return first / 100 * 100 + year + (first % 100 > year ? 100 : 0);
}

// year-word = ["("] year [ ("-"|"/") year | "/" part | roman ] [")"]
static bool read_years(Text word, Tourney *t)
{
    if (word.length > 0 && word.start[0] == '(')
        word = part_of(word, 1, word.length);
    if (word.length > 0 && word.start[word.length - 1] == ')')
        word = part_of(word, 0, word.length - 1);
    const int32_t year = leading_year(word);
    if (year == 0 || t->year_end != 0)
        return false;
    Text rest = part_of(word, 4, word.length);
    const char mark = rest.length > 0 ? rest.start[0] : 0;
    if (mark == '-' || mark == '/')
        rest = part_of(rest, 1, rest.length);
    const int32_t end = mark == '-' || mark == '/' ? second_year(rest, year) : 0;
    const bool part = end == 0 && rest.length > 0 && (mark == '/' || is_roman(rest));
    if (mark != 0 && end == 0 && !part)
        return false;
    if (part && t->part.length == 0)
        t->part = rest;
    t->year_end = t->year != 0 ? year : end;
    t->year = t->year != 0 ? t->year : year;
    return true;
}

// A leading number with `.`, `st`, `nd`, `rd` or `th`.
static bool is_edition(Text word)
{
    static const char *const endings[] = {".", "st", "nd", "rd", "th"};
    size_t digits = 0;
    while (digits < word.length && is_digit(word.start[digits]))
        digits++;
    for (size_t i = 0; digits > 0 && i < sizeof endings / sizeof *endings; i++)
        if (text_equal(part_of(word, digits, word.length), text_of(endings[i])))
            return true;
    return false;
}

static bool is_diagram(Text word)
{
    return word.length > 1 && word.start[0] == '#' && is_digit(word.start[1]);
}

static void read_tourney(Text event, Tourney *t)
{
    Award award;
    Text rest = part_of(event, read_award(event, &award), event.length), word, after;
    bool first = true, after_year = false;
    for (; next_word(&rest, &word); first = false) {
        const bool roman = after_year && t->part.length == 0 && is_roman(word);
        Text ahead = rest;
        after_year = false;
        if (is_diagram(word) && !next_word(&ahead, &after))
            break;
        if (first && is_edition(word)) {
            t->edition = word;
        } else if (roman) {
            t->part = word;
        } else if (read_years(word, t)) {
            after_year = true;
        } else if (t->name) {
            buffer_text(t->name, t->name->length > 0 ? " " : "");
            buffer_append(t->name, word.start, word.length);
        }
    }
}

bool hhdb_year(Text event, int key, int32_t *value)
{
    Tourney t = {0};
    read_tourney(event, &t);
    *value = key == HHDB_TOURNEY_YEAR_END && t.year_end != 0 ? t.year_end : t.year;
    return t.year != 0;
}

bool hhdb_event_part(Context *c, int key, String *value)
{
    const Text event = game_roster(run_game_of(c))->event;
    Award award;
    Tourney t = {.name = run_scratch(c)};
    read_tourney(event, &t);
    if (key == HHDB_TOURNEY_NAME) {
        *value = run_scratch_string(c);
        return (*value)->length > 0;
    }
    const Text text = key == HHDB_DISTINCTION       ? part_of(event, 0, read_award(event, &award))
                      : key == HHDB_TOURNEY_EDITION ? t.edition
                                                    : t.part;
    *value = run_text(c, text);
    return text.length > 0;
}
