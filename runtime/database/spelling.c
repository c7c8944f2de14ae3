// Spelling files of Scid.
#include "spelling.h"

#include <stdlib.h>
#include <string.h>

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
    size_t start, length; // of the name, in `text`; length 0: it is a spelling of several
    bool is_name;         // the spelling is a correct name
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
};

// ---- reading ----------------------------------------------------------------------------------------------

typedef struct SpellingReader {
    Spelling *s;
    ReportFn *report;
    void *user;
    uint64_t line;
    int section;
    size_t name, name_length; // the last correct name of the section, in `text`; length 0: none
    Buffer utf8, key;         // of the line
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
    const Entry entry = {r->name, r->name_length, is_name};
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
    const Text name = trimmed((Text){line.start, comment ? (size_t)(comment - line.start) : line.length});
    if (name.length == 0)
        return;
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

Spelling *spelling_read(Text file, ReportFn *report_line, void *user)
{
    Spelling *s = memory_zeroed(1, sizeof *s);
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

// The correct form of the name in *name, which is valid until that changes.
static Text correct_name(const Spelling *s, const Section *section, Buffer *name)
{
    for (size_t i = 0; i < section->rules; i++)
        apply_rule(s, &section->rule[i], name);
    const Text ruled = {name->start, name->length};
    Buffer key = {0};
    const Text made = make_key(&key, ruled);
    const int64_t id = ruled.length > 0 ? names_find(&section->keys, made, names_hash(made)) : 0;
    buffer_free(&key);
    const Entry *entry = id > 0 ? &section->entry[id - 1] : NULL;
    return entry && entry->length > 0 ? (Text){s->text.start + entry->start, entry->length} : ruled;
}

static void append_value(Buffer *out, Text name)
{
    for (size_t i = 0; i < name.length; i++) {
        if (name.start[i] == '"' || name.start[i] == '\\')
            buffer_append(out, "\\", 1);
        buffer_append(out, name.start + i, 1);
    }
}

bool spelling_correct(const Spelling *s, Text game, Buffer *out, Buffer *scratch)
{
    const char *end = game.start + game.length, *copied = game.start;
    const size_t start = out->length;
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
        const Text name = correct_name(s, &s->section[section], scratch);
        const bool same = text_equal(name, (Text){before.start, before.length});
        buffer_free(&before);
        if (same)
            continue;
        buffer_append(out, copied, (size_t)(tag.value.start - copied));
        append_value(out, name);
        copied = tag.value.start + tag.value.length;
    }
    if (out->length == start)
        return false;
    buffer_append(out, copied, (size_t)(end - copied));
    return true;
}
