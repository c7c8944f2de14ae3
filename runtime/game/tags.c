// Tag sections: reading, merging of repeated tags, normal forms (language reference 9.2, 9.3).
#include <stdio.h>
#include <string.h>

#include "lex.h"
#include "game_memory.h"
#include "section.h"
#include "runtime/value/ascii.h"
#include "runtime/value/unicode.h"

static const char unknown_date[] = "????.??.??";

const char *const game_column_name[COLUMNS] = {
    [COLUMN_WHITE] = "white",     [COLUMN_BLACK] = "black",         [COLUMN_EVENT] = "event",
    [COLUMN_SITE] = "site",       [COLUMN_DATE] = "date",           [COLUMN_RESULT] = "result",
    [COLUMN_ECO] = "eco",         [COLUMN_WHITE_ELO] = "white_elo", [COLUMN_BLACK_ELO] = "black_elo",
    [COLUMN_PLIES] = "ply_count", [COLUMN_OTHER] = "other"};

// ---- what a tag is for -----------------------------------------------------------------------------------

static const Text roster_name[TAG_ROSTER_COUNT] = {
    [TAG_EVENT] = {"Event", 5},   [TAG_SITE] = {"Site", 4},   [TAG_DATE] = {"Date", 4},
    [TAG_ROUND] = {"Round", 5},   [TAG_WHITE] = {"White", 5}, [TAG_BLACK] = {"Black", 5},
    [TAG_RESULT] = {"Result", 6}, [TAG_ECO] = {"ECO", 3},     [TAG_EVENT_DATE] = {"EventDate", 9},
    [TAG_FEN] = {"FEN", 3},
};

static TagUse roster_use(Text name)
{
#define IS(use, literal) memcmp(name.start, literal, sizeof literal - 1) == 0 ? (use)
    switch (name.length) {
    case 3:
        return IS(TAG_ECO, "ECO") : IS(TAG_FEN, "FEN") : TAG_OTHER;
    case 4:
        return IS(TAG_SITE, "Site") : IS(TAG_DATE, "Date") : TAG_OTHER;
    case 5:
        return IS(TAG_EVENT, "Event")
            : IS(TAG_ROUND, "Round") : IS(TAG_WHITE, "White") : IS(TAG_BLACK, "Black") : TAG_OTHER;
    case 6:
        return IS(TAG_RESULT, "Result") : TAG_OTHER;
    case 9:
        return IS(TAG_EVENT_DATE, "EventDate") : TAG_OTHER;
    default:
        return TAG_OTHER;
    }
#undef IS
}

// By RatingType: the ending of the tag name.
static const Text rating_ending[] = {{"", 0},     {"Elo", 3},  {"Rating", 6}, {"Rapid", 5},
                                     {"ICCF", 4}, {"USCF", 4}, {"DWZ", 3},    {"BCF", 3}};

// The rating type and the colour of WhiteElo, BlackUSCF, ...; RATING_NONE for other names.
static enum RatingType rating_type(Text name, int *colour)
{
    if (name.length < 8 || (name.start[0] != 'W' && name.start[0] != 'B'))
        return RATING_NONE;
    if (memcmp(name.start, "White", 5) == 0)
        *colour = WHITE;
    else if (memcmp(name.start, "Black", 5) == 0)
        *colour = BLACK;
    else
        return RATING_NONE;
    Text rest = {name.start + 5, name.length - 5};
    if (rest.length == 3 && memcmp(rest.start, "Elo", 3) == 0)
        return RATING_ELO;
    for (int i = RATING_ELO; i <= RATING_BCF; i++)
        if (text_equal(rest, rating_ending[i]))
            return (enum RatingType)i;
    return RATING_NONE;
}

// ---- normal forms ----------------------------------------------------------------------------------------

// The value of the leading digits of [*p, end), at most `limit`; moves *p past them.
static int leading_number(const char **p, const char *end, int limit)
{
    int value = 0;
    for (; *p < end && pgn_is(**p, BYTE_DIGIT); (*p)++)
        value = value >= limit ? limit : value * 10 + (**p - '0');
    return value > limit ? limit : value;
}

static void set_digits(char *out, int digits, int value)
{
    for (int i = digits; i-- > 0; value /= 10)
        out[i] = (char)('0' + value % 10);
}

// The number of two digits; 100 or more: they are others.
static unsigned two_digits(const char *p)
{
    const unsigned tens = (unsigned char)(p[0] - '0'), ones = (unsigned char)(p[1] - '0');
    return tens > 9 || ones > 9 ? 100 : 10 * tens + ones;
}

// The year of a date that is in its normal form and complete, or 0.
static int complete_date(Text value)
{
    const char *p = value.start;
    if (value.length != 10 || p[4] != '.' || p[7] != '.')
        return 0;
    const unsigned century = two_digits(p), rest = two_digits(p + 2), year = 100 * century + rest;
    const unsigned month = two_digits(p + 5), day = two_digits(p + 8);
    return rest < 100 && year <= 2047 && month - 1 < 12 && day - 1 < 31 ? (int)year : 0;
}

void game_write_date(int year, int month, int day, char out[11])
{
    memcpy(out, unknown_date, sizeof unknown_date);
    if (year)
        set_digits(out, 4, year);
    if (month)
        set_digits(out + 5, 2, month);
    if (day)
        set_digits(out + 8, 2, day);
}

// Reads a date and writes its normal form; returns the year.
static int normal_date(Text value, char out[11])
{
    const int complete = complete_date(value);
    if (complete) {
        memcpy(out, value.start, 10);
        out[10] = 0;
        return complete;
    }
    const char *p = value.start, *end = p + value.length;
    int field[3] = {0, 0, 0};
    for (int i = 0; i < 3 && p < end; i++) {
        field[i] = leading_number(&p, end, 9999);
        while (p < end && *p != '.')
            p++;
        p += p < end;
    }
    int year = field[0] > 2047 ? 0 : field[0];
    int month = field[1] > 12 ? 0 : field[1];
    int day = field[1] > 12 || field[2] > 31 ? 0 : field[2];
    game_write_date(year, month, day, out);
    return year;
}

// A00 ... E99, then optionally a small letter and a digit 1-4; empty when the value is not of this form.
static Text normal_eco(struct GameMemory *m, Text value)
{
    const char *p = value.start, *end = p + value.length;
    char letter = (char)(value.length ? *p & ~0x20 : 0);
    if (letter < 'A' || letter > 'E')
        return (Text){0};
    char *out = game_text_room(m, 5);
    size_t n = 0;
    out[n++] = letter;
    p++;
    bool full = end - p >= 2 && pgn_is(p[0], BYTE_DIGIT) && pgn_is(p[1], BYTE_DIGIT);
    for (int i = 0; i < 2; i++)
        out[n++] = p < end && pgn_is(*p, BYTE_DIGIT) ? *p++ : '0';
    if (full && p < end && *p >= 'a' && *p <= 'z') {
        out[n++] = *p++;
        if (p < end && *p >= '1' && *p <= '4')
            out[n++] = *p;
    }
    m->text_length += n;
    return (Text){out, n};
}

// "van ", "Van Der ", "Van Den ", "Van De ": normalises the capitals of Dutch names.
static void dutch_prefix(char *name, size_t length)
{
    if (length < 4 || (name[0] != 'v' && name[0] != 'V') || memcmp(name + 1, "an ", 3) != 0)
        return;
    name[0] = 'V';
    static const Text article[] = {{"Der ", 4}, {"Den ", 4}, {"De ", 3}};
    for (int i = 0; i < 3; i++)
        if (length >= 4 + article[i].length && memcmp(name + 4, article[i].start, article[i].length) == 0)
            name[4] = 'd';
}

// Cuts a final " (2145)" off; returns the rating, 0 when there is none.
static int cut_rating(const char *name, size_t *length)
{
    if (*length < 8)
        return 0;
    const char *p = name + *length - 7;
    if (p[0] != ' ' || p[1] != '(' || p[6] != ')')
        return 0;
    for (int i = 2; i < 6; i++)
        if (!pgn_is(p[i], BYTE_DIGIT))
            return 0;
    *length -= 7;
    p += 2;
    return leading_number(&p, p + 4, 4000);
}

// Normalises a player's name by the steps of language reference 9.2.1; *rating is the rating in it, or 0.
static Text normal_name(struct GameMemory *m, Text value, int *rating)
{
    char *out = game_text_room(m, 2 * value.length);
    const char *comma = memchr(value.start, ',', value.length);
    size_t n, plain = comma ? (size_t)(comma - value.start) : value.length;
    if (plain > 0 && value.start[0] == ' ')
        plain = 0;                   // leading spaces go
    memcpy(out, value.start, plain); // nothing else changes before the first comma
    n = plain;
    for (size_t i = plain; i < value.length; i++) {
        char c = value.start[i];
        bool after_comma = i > 0 && value.start[i - 1] == ',';
        if (after_comma && c == ' ') {
            while (i + 1 < value.length && value.start[i + 1] == ' ')
                i++;
            out[n++] = ' ';
        } else if (c != ' ' || n > 0) {
            if (after_comma)
                out[n++] = ' ';
            out[n++] = c;
        }
    }
    while (n > 0 && (out[n - 1] == '.' || out[n - 1] == ' ' || out[n - 1] == '\t'))
        n--;
    dutch_prefix(out, n);
    *rating = cut_rating(out, &n);
    m->text_length += n;
    return (Text){out, n};
}

// ---- merging ---------------------------------------------------------------------------------------------

enum { LINEAR_TAGS = 24 }; // with more tags, a hash table finds names

static size_t name_hash(Text name)
{
    size_t hash = 14695981039346656037u;
    for (size_t i = 0; i < name.length; i++)
        hash = (hash ^ (unsigned char)name.start[i]) * 1099511628211u;
    return hash ^ hash >> 29;
}

static int32_t *hash_slot(struct GameMemory *m, Text name)
{
    size_t mask = m->hash_size - 1;
    for (size_t i = name_hash(name) & mask;; i = (i + 1) & mask)
        if (m->tag_hash[i] < 0 || text_equal(m->tag[m->tag_hash[i]].name, name))
            return &m->tag_hash[i];
}

// Puts all ordinary tags into a hash table with room for more.
static void rebuild_hash(struct GameMemory *m)
{
    size_t wanted = 64;
    while (wanted < 4 * m->tag_count)
        wanted *= 2;
    m->tag_hash = memory_grow(m->tag_hash, &m->hash_capacity, wanted, sizeof *m->tag_hash);
    m->hash_size = wanted;
    memset(m->tag_hash, 0xFF, wanted * sizeof *m->tag_hash);
    for (size_t i = 0; i < m->tag_count; i++)
        if (m->tag_use[i] == TAG_OTHER)
            *hash_slot(m, m->tag[i].name) = (int32_t)i;
}

static int32_t find_other(const struct GameMemory *m, Text name)
{
    for (size_t i = 0; i < m->tag_count; i++)
        if (m->tag_use[i] == TAG_OTHER && text_equal(m->tag[i].name, name))
            return (int32_t)i;
    return -1;
}

static int32_t append_tag(struct GameMemory *m, Tag tag, TagUse use)
{
    m->tag = memory_grow(m->tag, &m->tag_capacity, m->tag_count + 1, sizeof *m->tag);
    m->tag_use = memory_grow(m->tag_use, &m->use_capacity, m->tag_count + 1, 1);
    m->tag[m->tag_count] = tag;
    m->tag_use[m->tag_count] = (uint8_t)use;
    return (int32_t)m->tag_count++;
}

static void add_other(struct GameMemory *m, Tag tag)
{
    if (m->tag_count < LINEAR_TAGS) {
        int32_t found = find_other(m, tag.name);
        if (found >= 0)
            m->tag[found] = tag;
        else
            append_tag(m, tag, TAG_OTHER);
        return;
    }
    if (m->hash_size < 2 * m->tag_count)
        rebuild_hash(m);
    int32_t *slot = hash_slot(m, tag.name);
    if (*slot >= 0)
        m->tag[*slot] = tag;
    else
        *slot = append_tag(m, tag, TAG_OTHER);
}

// ---- the section -----------------------------------------------------------------------------------------

static void set_rating(struct GameMemory *m, int colour, int rating, enum RatingType type)
{
    m->roster.rating[colour] = rating;
    m->roster.rating_type[colour] = (uint8_t)type;
}

// A rating in a name replaces an earlier rating tag.
static void set_name(struct GameMemory *m, int colour, Text value)
{
    int rating;
    *(colour == WHITE ? &m->roster.white : &m->roster.black) = normal_name(m, value, &rating);
    if (rating == 0)
        return;
    if (m->rating_tag[colour] >= 0)
        m->tag_use[m->rating_tag[colour]] = TAG_VANISHED;
    m->rating_tag[colour] = -1;
    set_rating(m, colour, rating, RATING_ELO);
}

// Returns false when the tag is an ordinary one because the player already has a rating.
static bool add_rating(struct GameMemory *m, Tag tag, enum RatingType type, int colour)
{
    if (m->roster.rating[colour])
        return false;
    const char *p = tag.value.start;
    int rating = leading_number(&p, p + tag.value.length, 4000);
    if (rating) {
        set_rating(m, colour, rating, type);
        m->rating_tag[colour] = append_tag(m, tag, TAG_RATING);
    }
    return true;
}

static void add_tag(struct GameMemory *m, Tag tag)
{
    int colour;
    enum RatingType type = rating_type(tag.name, &colour);
    if (type != RATING_NONE && add_rating(m, tag, type, colour))
        return;
    TagUse use = roster_use(tag.name);
    if (use == TAG_OTHER) {
        add_other(m, tag);
        return;
    }
    if (m->place_of[use] >= 0)
        m->tag[m->place_of[use]] = tag;
    else
        m->place_of[use] = append_tag(m, tag, use);
    if (use == TAG_WHITE || use == TAG_BLACK)
        set_name(m, use == TAG_WHITE ? WHITE : BLACK, tag.value);
}

static bool is_name(Text name, const char *wanted)
{
    return name.length == strlen(wanted) && ascii_same_bytes(name.start, wanted, name.length);
}

// Of several tags the first one counts that says something.
static void take_first(Text *value, Text text)
{
    if (value->length == 0 && !text_is_unknown(text))
        *value = text;
}

// Takes the value of a tag if the reader needs it.
static void take_needed(struct GameMemory *m, const SectionTag *tag)
{
    if (text_equal(tag->name, roster_name[TAG_FEN]))
        m->fen_tag = tag->value;
    else if (text_equal(tag->name, roster_name[TAG_RESULT]))
        m->result_tag = tag->value;
    else if (is_name(tag->name, "variant"))
        take_first(&m->variant_tag, tag->value);
    else if (is_name(tag->name, "rules"))
        take_first(&m->rules_tag, tag->value);
}

// The same for a line that is skipped.
static void take_line(void *game, const char *line)
{
    const Game *g = game;
    SectionTag tag;
    bool cut;
    if (line[1] == 'R' && line[2] == 'o') // Round
        return;
    section_read_tag(line, g->source.text.start + g->source.text.length, &tag, &cut);
    take_needed(g->memory, &tag);
}

// Finds the movetext and the tags that the reader needs.
static void scan_tags(Game *g)
{
    struct GameMemory *m = g->memory;
    const char *start = g->source.text.start, *end = start + g->source.text.length, *section_end = start;
    SectionTag tag;
    bool cut;
    m->fen_tag = m->result_tag = m->variant_tag = m->rules_tag = (Text){0};
    for (const char *p = start; (p = section_next_tag(start, p, end)) != NULL; p = section_end) {
        section_end = section_read_tag(p, end, &tag, &cut);
        take_needed(m, &tag);
        section_end = section_skip_lines(section_end, end, take_line, g);
    }
    m->movetext = (size_t)(section_end - start);
}

static Text tag_value(const struct GameMemory *m, TagUse use, Text absent)
{
    int32_t i = m->place_of[use];
    return i < 0 ? absent : m->tag[i].value;
}

// The result by the prefix of the Result tag: 1-0..., 0-1..., 1/2...
static int tag_result(Text value)
{
    if (value.length < 3)
        return RESULT_UNKNOWN;
    if (memcmp(value.start, "1-0", 3) == 0)
        return RESULT_WHITE;
    if (memcmp(value.start, "0-1", 3) == 0)
        return RESULT_BLACK;
    return memcmp(value.start, "1/2", 3) == 0 ? RESULT_DRAW : RESULT_UNKNOWN;
}

static void fill_roster(struct GameMemory *m)
{
    TagRoster *r = &m->roster;
    r->event = tag_value(m, TAG_EVENT, text_of("?"));
    r->site = tag_value(m, TAG_SITE, text_of("?"));
    r->round = tag_value(m, TAG_ROUND, text_of("?"));
    if (m->place_of[TAG_WHITE] < 0)
        r->white = text_of("?");
    if (m->place_of[TAG_BLACK] < 0)
        r->black = text_of("?");
    r->year = normal_date(tag_value(m, TAG_DATE, text_of("")), r->date);
    normal_date(tag_value(m, TAG_EVENT_DATE, text_of("")), r->event_date);
    r->eco = normal_eco(m, tag_value(m, TAG_ECO, text_of("")));
}

// Sets the starting position of the variant.
static void begin_variant(VariantPosition *v, int variant)
{
    const char *start = variant_rules[variant].start;
    if (start)
        variant_fen_parse(variant, start, strlen(start), v, NULL);
    else
        variant_begin(v, variant, &pos_start);
}

// Reads the FEN tag of a game of a variant. The FEN of the starting position counts as no tag.
static void read_variant_fen(Game *g)
{
    struct GameMemory *m = g->memory;
    VariantPosition *v = &m->varied_start, start;
    const Text fen = m->fen_tag;
    begin_variant(&start, g->variant);
    if (fen.start) {
        m->fen_error = variant_fen_parse(g->variant, fen.start, fen.length, v, &g->clocks);
        g->has_fen = !m->fen_error && (!pos_same(&v->board, &start.board) || v->promoted ||
                                       memcmp(v->pocket, start.pocket, sizeof v->pocket) != 0 ||
                                       memcmp(v->checks, start.checks, sizeof v->checks) != 0 ||
                                       g->clocks.halfmove != 0 || g->clocks.fullmove != 1);
    }
    if (g->has_fen)
        m->fen_length = fen_write(&v->board, g->clocks, m->fen);
    else
        *v = start;
    m->start = v->board;
    m->start.check = CHECK_UNKNOWN;
}

// The same of chess.
static void read_chess_fen(Game *g)
{
    struct GameMemory *m = g->memory;
    const Text fen = m->fen_tag;
    if (fen.start) {
        m->fen_error = fen_parse(fen.start, fen.length, &m->start, &g->clocks);
        g->has_fen = !m->fen_error && (!pos_same(&m->start, &pos_start) || g->clocks.halfmove != 0 ||
                                       g->clocks.fullmove != 1);
    }
    if (g->has_fen)
        m->fen_length = fen_write(&m->start, g->clocks, m->fen);
    else
        m->start = pos_start;
}

static void read_fen(Game *g)
{
    struct GameMemory *m = g->memory;
    g->has_fen = false;
    m->fen_error = NULL;
    g->clocks = (FenClocks){0, 1};
    if (game_is_varied(g))
        read_variant_fen(g);
    else
        read_chess_fen(g);
    g->skipped = m->fen_error != NULL;
    if (m->fen_error)
        g->clocks = (FenClocks){0, 1};
}

void game_read_tags(Game *g)
{
    struct GameMemory *m = g->memory;
    // a name grows when it becomes UTF-8 and by spaces after commas; comments are joined and become UTF-8
    m->text = memory_grow(m->text, &m->text_capacity, 6 * g->source.text.length + 64, 1);
    m->text_length = m->tag_text_length = 0;
    m->tags_listed = m->latin = false;
    m->periods = -1;
    scan_tags(g);
    g->view.result = tag_result(m->result_tag);
    g->variant = g->as_chess ? (uint8_t)VARIANT_STANDARD : (uint8_t)game_variant(g, NULL);
    read_fen(g);
}

// A tag as filters see it: in UTF-8, without the backslashes that escape quotes and backslashes. `ascii`: its section is.
static Tag tag_of(struct GameMemory *m, const SectionTag *written, bool ascii)
{
    Tag tag = {written->name, written->value,
               !ascii && !unicode_is_valid(written->value.start, written->value.length)};
    if (!tag.latin && !written->escaped)
        return tag;
    const char *p = tag.value.start, *end = p + tag.value.length;
    char *out = game_text_room(m, 2 * tag.value.length);
    size_t n = 0;
    while (p < end) {
        p += *p == '\\' && end - p > 1 && (p[1] == '"' || p[1] == '\\');
        n += tag.latin ? unicode_encode((unsigned char)*p, out + n) : (out[n] = *p, 1);
        p++;
    }
    m->text_length += n;
    m->latin |= tag.latin;
    tag.value = (Text){out, n};
    return tag;
}

// Reads all tags.
static void read_tags(const Game *g)
{
    struct GameMemory *m = g->memory;
    m->tags_listed = true;
    memset(m->place_of, 0xFF, sizeof m->place_of);
    m->rating_tag[WHITE] = m->rating_tag[BLACK] = -1;
    memset(&m->roster, 0, sizeof m->roster);
    m->tag_count = 0;
    m->hash_size = 0;
    const char *start = g->source.text.start, *end = start + g->source.text.length,
               *movetext = start + m->movetext;
    const bool ascii = unicode_is_ascii(start, m->movetext);
    for (const char *p = start; (p = section_next_tag(start, p, movetext)) != NULL;) {
        SectionTag tag;
        bool cut;
        p = section_read_tag(p, end, &tag, &cut);
        if (tag.name.length > 0)
            add_tag(m, tag_of(m, &tag, ascii));
    }
    fill_roster(m);
    m->tag_text_length = m->text_length;
}

// Short, because conditions on tags ask for the roster again and again.
static inline void list_tags(const Game *g)
{
    if (!g->memory->tags_listed)
        read_tags(g);
}

TagRoster *game_roster(const Game *g)
{
    list_tags(g);
    return &g->memory->roster;
}

const Tag *game_tags(const Game *g, size_t *count)
{
    list_tags(g);
    *count = g->memory->tag_count;
    return g->memory->tag;
}

// ---- queries ---------------------------------------------------------------------------------------------

const char *result_text(int result)
{
    static const char *const text[] = {
        [RESULT_UNKNOWN] = "*", [RESULT_WHITE] = "1-0", [RESULT_BLACK] = "0-1", [RESULT_DRAW] = "1/2-1/2"};
    return text[result];
}

Text game_result_text(const Game *g)
{
    return text_of(g->both_lose ? "0-0" : result_text(g->view.result));
}

static Text roster_value(const Game *g, TagUse use)
{
    const TagRoster *r = game_roster(g);
    const Text value[TAG_ROSTER_COUNT] = {
        [TAG_EVENT] = r->event,
        [TAG_SITE] = r->site,
        [TAG_DATE] = {r->date, 10},
        [TAG_ROUND] = r->round,
        [TAG_WHITE] = r->white,
        [TAG_BLACK] = r->black,
        [TAG_RESULT] = game_result_text(g),
        [TAG_ECO] = r->eco,
        [TAG_EVENT_DATE] = {r->event_date, 10},
        [TAG_FEN] = game_start_fen(g),
    };
    return value[use];
}

bool game_tag(const Game *g, Text name, Text *value)
{
    if (name.length == 0)
        return false;
    TagUse use = roster_use(name);
    if (use != TAG_OTHER) {
        *value = roster_value(g, use);
        return value->length > 0;
    }
    list_tags(g);
    for (size_t i = 0; i < g->memory->tag_count; i++) {
        if (g->memory->tag_use[i] >= TAG_RATING && g->memory->tag_use[i] != TAG_VANISHED &&
            text_equal(g->memory->tag[i].name, name)) {
            *value = g->memory->tag[i].value;
            return true;
        }
    }
    return false;
}

size_t game_listed_tags(const Game *g)
{
    return g->memory->tags_listed ? g->memory->tag_count : 0;
}

Text game_start_fen(const Game *g)
{
    return g->has_fen ? (Text){g->memory->fen, (size_t)g->memory->fen_length} : (Text){0};
}

// ---- output ----------------------------------------------------------------------------------------------

static void put_tag(struct GameMemory *m, Text name, Text value, bool latin)
{
    MEMORY_PUSH(m->written, m->written_count, m->written_capacity, (Tag){name, value, latin});
}

static void put_rating(const Game *g, int colour)
{
    struct GameMemory *m = g->memory;
    RatingText *text = &m->rating_text[colour];
    const Text ending = rating_ending[g->memory->roster.rating_type[colour]];
    if (g->memory->roster.rating[colour] == 0)
        return;
    const int name =
        snprintf(text->name, sizeof text->name, "%s%s", colour == WHITE ? "White" : "Black", ending.start);
    const int value = snprintf(text->value, sizeof text->value, "%d", (int)g->memory->roster.rating[colour]);
    put_tag(m, (Text){text->name, (size_t)name}, (Text){text->value, (size_t)value}, false);
}

static void remove_written_tag(struct GameMemory *m, Text name)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->written_count; i++)
        if (!text_equal(m->written[i].name, name) || text_equal(name, roster_name[TAG_RESULT]))
            m->written[kept++] = m->written[i];
    m->written_count = kept;
}

// Replaces the value of a tag, adds it after all others, or removes it.
static void set_written_tag(struct GameMemory *m, const Tag *set)
{
    if (set->value.start == NULL) {
        remove_written_tag(m, set->name);
        return;
    }
    for (size_t i = 0; i < m->written_count; i++) {
        if (text_equal(m->written[i].name, set->name)) {
            m->written[i].value = set->value;
            m->written[i].latin = m->latin;
            return;
        }
    }
    put_tag(m, set->name, set->value, m->latin);
}

const Tag *game_written_tags(const Game *g, const Tag *set_tag, size_t set_tag_count, size_t *count)
{
    struct GameMemory *m = g->memory;
    list_tags(g);
    m->written_count = 0;
    for (TagUse use = 0; use <= TAG_RESULT; use++)
        put_tag(m, roster_name[use], roster_value(g, use),
                m->place_of[use] >= 0 && m->tag[m->place_of[use]].latin);
    put_rating(g, WHITE);
    put_rating(g, BLACK);
    if (g->memory->roster.eco.length)
        put_tag(m, roster_name[TAG_ECO], g->memory->roster.eco, false);
    if (strcmp(g->memory->roster.event_date, unknown_date) != 0)
        put_tag(m, roster_name[TAG_EVENT_DATE], roster_value(g, TAG_EVENT_DATE), false);
    for (size_t i = 0; i < m->tag_count; i++)
        if (m->tag_use[i] == TAG_OTHER)
            put_tag(m, m->tag[i].name, m->tag[i].value, m->tag[i].latin);
    for (size_t i = 0; i < set_tag_count; i++)
        set_written_tag(m, &set_tag[i]);
    if (g->has_fen)
        put_tag(m, roster_name[TAG_FEN], game_start_fen(g), false);
    *count = m->written_count;
    return m->written;
}
