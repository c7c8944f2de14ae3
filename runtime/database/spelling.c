// Spelling files of Scid.
#include "spelling.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/game/retag.h"
#include "runtime/game/section.h"
#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "runtime/value/unicode.h"
#include "names.h"

enum { SECTION_PLAYER, SECTION_SITE, SECTION_EVENT, SECTION_ROUND, SECTIONS, SECTION_NONE = SECTIONS };
static const char *const section_name[SECTIONS] = {"PLAYER", "SITE", "EVENT", "ROUND"};

typedef enum RuleKind { RULE_PREFIX, RULE_INFIX, RULE_SUFFIX, RULES } RuleKind;
static const char *const rule_name[RULES] = {"Prefix", "Infix", "Suffix"};

// A text that is replaced.
typedef struct Rule {
    RuleKind kind;
    size_t from, from_length, to, to_length; // in `text`
} Rule;

// A spelling and its correct name.
typedef struct Entry {
    size_t start, length;       // of the name, in `text`; length 0: it is a spelling of several
    size_t about, about_length; // of what the file says of the person, in `text`
    bool is_name;               // the spelling is a correct name
} Entry;

typedef struct Section {
    NameTable keys; // ids: 1 + index of an entry
    Entry *entry;
    size_t count, capacity;
    Rule *rule;
    size_t rules, rule_capacity;
} Section;

struct Spelling {
    Section section[SECTIONS];
    Buffer text;
    int64_t names;
    const char *file;
};

// ---- reading ----------------------------------------------------------------------------------------------

typedef struct SpellingReader {
    Spelling *s;
    ReportFn *report;
    void *user;
    uint64_t line;
    int section;
    size_t name, name_length; // the last correct name of the section, in `text`; length 0: none
    size_t about, about_length;
    Buffer utf8, key; // of the line
} SpellingReader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static Text trimmed(Text t)
{
    while (t.length > 0 && is_blank(*t.start))
        t = (Text){t.start + 1, t.length - 1};
    while (t.length > 0 && is_blank(t.start[t.length - 1]))
        t.length--;
    return t;
}

// Sets *key to that by which a name is found: its letters and digits without case and accents, or, if there are none, the name.
static Text make_key(Buffer *key, Text name)
{
    key->length = 0;
    unicode_append_folded(key, name.start, name.length);
    size_t length = 0;
    for (size_t i = 0; i < key->length; i++) {
        const char c = key->start[i];
        if ((unsigned char)c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            key->start[length++] = c;
    }
    return length > 0 ? (Text){key->start, length} : name;
}

// Adds a spelling of the last name.
static void add_entry(SpellingReader *r, Text spelling, bool is_name)
{
    Section *section = &r->s->section[r->section];
    const Text key = make_key(&r->key, spelling);
    const uint64_t hash = names_hash(key);
    const Entry entry = {r->name, r->name_length, r->about, r->about_length, is_name};
    const int64_t id = names_find(&section->keys, key, hash);
    if (id == 0) {
        MEMORY_PUSH(section->entry, section->count, section->capacity, entry);
        names_add(&section->keys, key, hash, (int64_t)section->count);
        return;
    }
    Entry *known = &section->entry[id - 1];
    const char *text = r->s->text.start;
    if (is_name && !known->is_name)
        *known = entry;
    else if (is_name == known->is_name &&
             (known->length != entry.length ||
              memcmp(text + known->start, text + entry.start, entry.length) != 0))
        known->length = 0;
}

static size_t keep(SpellingReader *r, Text text)
{
    const size_t start = r->s->text.length;
    buffer_append(&r->s->text, text.start, text.length);
    return start;
}

static void report(const SpellingReader *r, const char *message)
{
    r->report(r->user, r->line, 0, message);
}

// Takes a text in quotes from the beginning of *line; false when there is none.
static bool take_quoted(Text *line, Text *quoted)
{
    const Text t = trimmed(*line);
    const char *end = t.length > 1 && *t.start == '"' ? memchr(t.start + 1, '"', t.length - 1) : NULL;
    if (!end)
        return false;
    *quoted = (Text){t.start + 1, (size_t)(end - t.start) - 1};
    *line = (Text){end + 1, (size_t)(t.start + t.length - end) - 1};
    return true;
}

// `% word` and what follows.
static void read_rule(SpellingReader *r, Text line)
{
    Section *section = &r->s->section[r->section];
    for (int kind = 0; kind < RULES; kind++) {
        const size_t length = strlen(rule_name[kind]);
        Text rest = {line.start + length, line.length - length}, from, to;
        if (line.length < length || !ascii_same_bytes(line.start, rule_name[kind], length))
            continue;
        if (!take_quoted(&rest, &from) || from.length == 0 || !take_quoted(&rest, &to)) {
            report(r, "expected two texts in quotes, as in %Prefix \"Linares ESP\" \"Linares\"; the line is "
                      "ignored");
            return;
        }
        Rule rule = {.kind = (RuleKind)kind, .from = keep(r, from), .from_length = from.length};
        rule.to = keep(r, to);
        rule.to_length = to.length;
        MEMORY_PUSH(section->rule, section->rules, section->rule_capacity, rule);
    }
}

static void read_section(SpellingReader *r, Text name)
{
    r->name_length = 0;
    for (r->section = 0; r->section < SECTIONS; r->section++)
        if (name.length == strlen(section_name[r->section]) &&
            ascii_same_bytes(name.start, section_name[r->section], name.length))
            return;
    report(r, "expected @PLAYER, @SITE, @EVENT or @ROUND; the names of this section are ignored");
}

static void read_name(SpellingReader *r, Text line)
{
    const char *comment = memchr(line.start, '#', line.length);
    const size_t length = comment ? (size_t)(comment - line.start) : line.length;
    const Text name = trimmed((Text){line.start, length});
    if (name.length == 0)
        return;
    r->about = keep(r, (Text){line.start + length, line.length - length});
    r->about_length = line.length - length;
    r->name = keep(r, name);
    r->name_length = name.length;
    r->s->names++;
    add_entry(r, name, true);
}

static void read_line(SpellingReader *r, Text written)
{
    r->utf8.length = 0;
    unicode_append(&r->utf8, written.start, written.length);
    Text line = trimmed((Text){r->utf8.start, r->utf8.length});
    if (line.length == 0 || *line.start == '#' || memchr(line.start, 0, line.length))
        return;
    const Text rest = trimmed((Text){line.start + 1, line.length - 1});
    if (*line.start == '@')
        read_section(r, rest);
    else if (r->section == SECTION_NONE)
        return;
    else if (r->section < 0)
        report(r, "expected @PLAYER, @SITE, @EVENT or @ROUND before the first name; the line is ignored");
    else if (*line.start == '%')
        read_rule(r, rest);
    else if (*line.start != '=')
        read_name(r, line);
    else if (r->name_length == 0)
        report(r, "expected a correct name before its other spelling; the line is ignored");
    else if (rest.length > 0)
        add_entry(r, rest, false);
}

Spelling *spelling_read(Text file, const char *name, ReportFn *report_line, void *user)
{
    Spelling *s = memory_zeroed(1, sizeof *s);
    s->file = name;
    SpellingReader r = {.s = s, .report = report_line, .user = user, .section = -1};
    const char *at = file.start, *const end = file.start + file.length;
    if (file.length >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    while (at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at)), *line_end = feed ? feed : end;
        r.line++;
        read_line(&r, (Text){at, (size_t)(line_end - at)});
        at = feed ? feed + 1 : end;
    }
    buffer_free(&r.utf8);
    buffer_free(&r.key);
    return s;
}

void spelling_free(Spelling *s)
{
    for (int i = 0; s && i < SECTIONS; i++) {
        names_free(&s->section[i].keys);
        free(s->section[i].entry);
        free(s->section[i].rule);
    }
    if (s)
        buffer_free(&s->text);
    free(s);
}

const char *spelling_file(const Spelling *s)
{
    return s->file;
}

int64_t spelling_names(const Spelling *s)
{
    return s->names;
}

// ---- correcting -------------------------------------------------------------------------------------------

static int section_of(Text tag)
{
    static const struct {
        const char *tag;
        int section;
    } tags[] = {{"White", SECTION_PLAYER},
                {"Black", SECTION_PLAYER},
                {"Site", SECTION_SITE},
                {"Event", SECTION_EVENT},
                {"Round", SECTION_ROUND}};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (text_equal(tag, text_of(tags[i].tag)))
            return tags[i].section;
    return SECTION_NONE;
}

// Where a rule finds its text in a name, or NULL.
static const char *find_rule(const Spelling *s, const Rule *rule, const Buffer *name)
{
    const char *from = s->text.start + rule->from, *at = name->start;
    if (rule->from_length > name->length)
        return NULL;
    if (rule->kind == RULE_INFIX)
        return memmem(name->start, name->length, from, rule->from_length);
    if (rule->kind == RULE_SUFFIX)
        at += name->length - rule->from_length;
    return memcmp(at, from, rule->from_length) == 0 ? at : NULL;
}

// Replaces the text of a rule in a name once.
static void apply_rule(const Spelling *s, const Rule *rule, Buffer *name)
{
    const char *found = name->length > 0 ? find_rule(s, rule, name) : NULL;
    if (!found)
        return;
    const size_t before = (size_t)(found - name->start), after = name->length - before - rule->from_length;
    buffer_room(name, rule->to_length);
    char *at = name->start + before;
    memmove(at + rule->to_length, at + rule->from_length, after);
    memcpy(at, s->text.start + rule->to, rule->to_length);
    name->length = before + rule->to_length + after;
}

// The value without the backslashes that escape quotes and backslashes, in UTF-8.
static void read_value(Buffer *name, Text written)
{
    name->length = 0;
    unicode_append(name, written.start, written.length);
    size_t length = 0;
    for (size_t i = 0; i < name->length; i++) {
        if (name->start[i] == '\\' && i + 1 < name->length && strchr("\"\\", name->start[i + 1]))
            i++;
        name->start[length++] = name->start[i];
    }
    name->length = length;
}

// The correct form of the name in *name, which is valid until that changes; *entry: what it was found as, or NULL.
static Text correct_name(const Spelling *s, const Section *section, Buffer *name, const Entry **entry)
{
    for (size_t i = 0; i < section->rules; i++)
        apply_rule(s, &section->rule[i], name);
    const Text ruled = {name->start, name->length};
    Buffer key = {0};
    const Text made = make_key(&key, ruled);
    const int64_t id = ruled.length > 0 ? names_find(&section->keys, made, names_hash(made)) : 0;
    buffer_free(&key);
    *entry = id > 0 && section->entry[id - 1].length > 0 ? &section->entry[id - 1] : NULL;
    return *entry ? (Text){s->text.start + (*entry)->start, (*entry)->length} : ruled;
}

static void append_value(Buffer *out, Text name)
{
    for (size_t i = 0; i < name.length; i++) {
        if (name.start[i] == '"' || name.start[i] == '\\')
            buffer_append(out, "\\", 1);
        buffer_append(out, name.start + i, 1);
    }
}

// ---- what is known about players --------------------------------------------------------------------------

typedef enum Fact { FACT_TITLE, FACT_SEX, FACT_COUNTRY, FACT_BIRTH, FACT_DEATH, FACTS } Fact;

// Tags of both players.
typedef struct Facts {
    Tag tag[2 * FACTS];
    size_t count;
} Facts;

static const char *const fact_tag[2][FACTS] = {
    {"WhiteTitle", "WhiteSex", "WhiteCountry", "WhiteBirthDate", "WhiteDeathDate"},
    {"BlackTitle", "BlackSex", "BlackCountry", "BlackBirthDate", "BlackDeathDate"}};

static void add_fact(Facts *facts, bool black, Fact fact, Text value)
{
    const Text name = text_of(fact_tag[black][fact]);
    for (size_t i = 0; i < facts->count; i++)
        if (text_equal(facts->tag[i].name, name))
            return; // the first one counts
    if (facts->count < 2 * FACTS)
        facts->tag[facts->count++] = (Tag){.name = name, .value = value};
}

// A title as tags have it; it is empty when the word is none.
static Text title_of(Text word)
{
    static const char *const titles[] = {"GM",  "IM",  "FM",  "CM",  "WGM", "WIM",  "WFM",
                                         "WCM", "HGM", "CGM", "CIM", "SIM", "CLGM", "CLIM"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strlen(titles[i]) == word.length && ascii_same_bytes(word.start, titles[i], word.length))
            return text_of(titles[i]);
    return (Text){0};
}

static bool is_date(Text t)
{
    size_t digits = 0;
    while (digits < t.length && (is_digit(t.start[digits]) || strchr(".?", t.start[digits])))
        digits++;
    return digits == t.length && digits >= 4 && is_digit(*t.start);
}

// `1963.04.13`, `1911.08.17--1995.05.05` or `--1995`.
static void read_dates(Facts *facts, bool black, Text word)
{
    const char *dashes = memmem(word.start, word.length, "--", 2);
    const size_t length = dashes ? (size_t)(dashes - word.start) : word.length;
    const Text birth = {word.start, length};
    if (is_date(birth))
        add_fact(facts, black, FACT_BIRTH, birth);
    if (dashes && is_date((Text){dashes + 2, word.length - length - 2}))
        add_fact(facts, black, FACT_DEATH, (Text){dashes + 2, word.length - length - 2});
}

// A country, or the last one of `YUG/SRB`.
static Text country_of(Text word)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ/";
    size_t n = 0;
    while (n < word.length && strchr(letters, word.start[n]))
        n++;
    const bool good = n == word.length && n % 4 == 3 && !memchr(word.start + n - 3, '/', 3);
    return good ? (Text){word.start + n - 3, 3} : (Text){0};
}

static void read_word(Facts *facts, bool black, Text word)
{
    const char *plus = memchr(word.start, '+', word.length);
    const Text title = title_of((Text){word.start, plus ? (size_t)(plus - word.start) : word.length});
    const Text country = country_of(word);
    const bool woman = word.length == 1 && (*word.start == 'w' || *word.start == 'W');
    if (title.length > 0)
        add_fact(facts, black, FACT_TITLE, title);
    else if (country.length > 0)
        add_fact(facts, black, FACT_COUNTRY, country);
    else
        read_dates(facts, black, word);
    if (woman || (title.length > 0 && *title.start == 'W'))
        add_fact(facts, black, FACT_SEX, text_of("f"));
}

// Reads `#GM RUS [2851] 1963.04.13`.
static void read_about(Facts *facts, bool black, Text about)
{
    for (const char *p = about.start, *const end = p + about.length; p < end;) {
        const char *word = p;
        while (p < end && !is_blank(*p) && *p != '#')
            p++;
        if (p > word)
            read_word(facts, black, (Text){word, (size_t)(p - word)});
        else
            p++;
    }
}

// Adds the tags that the game does not have to its text from `start` of *out on, or if that is empty, to a copy of it.
static void add_tags(const Facts *facts, Text game, Buffer *out, size_t start)
{
    if (facts->count == 0)
        return;
    Buffer text = {0};
    if (out->length > start)
        buffer_append(&text, out->start + start, out->length - start);
    else
        buffer_append(&text, game.start, game.length);
    out->length = start;
    game_retag(out, (Text){text.start, text.length}, facts->tag, facts->count, true);
    if (text_equal((Text){out->start + start, out->length - start}, game))
        out->length = start;
    buffer_free(&text);
}

bool spelling_correct(const Spelling *s, Text game, Buffer *out, Buffer *scratch)
{
    const char *end = game.start + game.length, *copied = game.start;
    const size_t start = out->length;
    Facts facts = {0};
    for (const char *p = game.start; (p = section_next_tag(game.start, p, end)) != NULL;) {
        SectionTag tag;
        bool cut;
        p = section_read_tag(p, end, &tag, &cut);
        const int section = section_of(tag.name);
        if (section == SECTION_NONE || tag.value.length == 0)
            continue;
        read_value(scratch, tag.value);
        Buffer before = {0};
        buffer_append(&before, scratch->start, scratch->length);
        const Entry *entry;
        const Text name = correct_name(s, &s->section[section], scratch, &entry);
        if (section == SECTION_PLAYER && entry)
            read_about(&facts, *tag.name.start == 'B',
                       (Text){s->text.start + entry->about, entry->about_length});
        const bool same = text_equal(name, (Text){before.start, before.length});
        buffer_free(&before);
        if (same)
            continue;
        buffer_append(out, copied, (size_t)(tag.value.start - copied));
        append_value(out, name);
        copied = tag.value.start + tag.value.length;
    }
    if (out->length > start)
        buffer_append(out, copied, (size_t)(end - copied));
    add_tags(&facts, game, out, start);
    return out->length > start;
}

bool spelling_tag(const Spelling *s, Text tag, Text white, Text black, Text *value)
{
    const bool of_black = tag.length > 0 && *tag.start == 'B';
    const Text written = of_black ? black : white;
    Fact fact = 0;
    while (fact < FACTS && !text_equal(tag, text_of(fact_tag[of_black][fact])))
        fact++;
    if (fact == FACTS || written.length == 0)
        return false;
    Buffer name = {0};
    Facts facts = {0};
    const Entry *entry;
    unicode_append(&name, written.start, written.length);
    correct_name(s, &s->section[SECTION_PLAYER], &name, &entry);
    buffer_free(&name);
    if (entry)
        read_about(&facts, of_black, (Text){s->text.start + entry->about, entry->about_length});
    size_t i = 0;
    while (i < facts.count && !text_equal(facts.tag[i].name, tag))
        i++;
    if (i < facts.count)
        *value = facts.tag[i].value;
    return i < facts.count;
}
