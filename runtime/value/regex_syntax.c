// Regular expressions: a recursive descent parser that writes the pattern anew for PCRE2.
#include "regex_syntax.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "regex.h"
#include "unicode.h"

enum { MAX_NESTING = 100, MAX_REPEAT = 65535 };

// A set of bytes.
typedef struct Bytes {
    uint64_t bits[4];
} Bytes;

typedef struct Translator {
    const char *next, *end;
    Buffer *out;
    int groups; // opened so far
    int greatest_reference;
    int nesting;
    const char *error; // the first one
    int flags;         // REGEX_
    Buffer wide;       // members of the current bracket beyond ASCII, in the syntax of PCRE2
} Translator;

static bool fail(Translator *t, const char *message)
{
    if (!t->error)
        t->error = message;
    return false;
}

static bool at_end(const Translator *t)
{
    return t->next == t->end;
}

static bool looking_at(const Translator *t, char c)
{
    return t->next < t->end && *t->next == c;
}

static bool take(Translator *t, char c)
{
    if (!looking_at(t, c))
        return false;
    t->next++;
    return true;
}

static bool is_unicode(const Translator *t)
{
    return t->flags & REGEX_UNICODE;
}

// The greatest character of a pattern.
static unsigned greatest(const Translator *t)
{
    return is_unicode(t) ? 0x10FFFF : 255;
}

// The next character of the pattern; false at malformed UTF-8.
static bool next_character(Translator *t, unsigned *character)
{
    uint32_t code = (unsigned char)*t->next;
    size_t bytes = is_unicode(t) ? unicode_decode(t->next, (size_t)(t->end - t->next), &code) : 1;
    t->next += bytes;
    *character = code;
    return bytes > 0 || fail(t, "malformed UTF-8");
}

// ---- sets of bytes ---------------------------------------------------------------------------------------

static void bytes_add(Bytes *set, unsigned byte)
{
    set->bits[byte >> 6] |= 1ULL << (byte & 63);
}

static bool bytes_has(const Bytes *set, unsigned byte)
{
    return set->bits[byte >> 6] >> (byte & 63) & 1;
}

static void bytes_add_range(Bytes *set, unsigned first, unsigned last)
{
    for (unsigned b = first; b <= last; b++)
        bytes_add(set, b);
}

static void bytes_add_set(Bytes *set, const Bytes *other, bool inverted)
{
    for (int i = 0; i < 4; i++)
        set->bits[i] |= inverted ? ~other->bits[i] : other->bits[i];
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The ASCII members of a named class, as listed: pairs of first and last byte.
typedef struct NamedClass {
    const char *name;
    const char *ranges;
} NamedClass;

static const NamedClass named_classes[] = {
    {"alnum", "09AZaz"}, {"alpha", "AZaz"},     {"blank", "\t\t  "},  {"cntrl", "\x01\x1f\x7f\x7f"},
    {"d", "09"},         {"digit", "09"},       {"graph", "!~"},      {"lower", "az"},
    {"print", " ~"},     {"punct", "!/:@[`{~"}, {"s", "\t\r  "},      {"space", "\t\r  "},
    {"upper", "AZ"},     {"w", "09AZ__az"},     {"xdigit", "09AFaf"},
};

static bool add_named_class(Bytes *set, const char *name, size_t length, bool inverted)
{
    for (size_t i = 0; i < sizeof named_classes / sizeof *named_classes; i++) {
        const NamedClass *named = &named_classes[i];
        if (strlen(named->name) != length || memcmp(named->name, name, length) != 0)
            continue;
        Bytes members = {{0}};
        for (const char *r = named->ranges; *r; r += 2)
            bytes_add_range(&members, (unsigned char)r[0], (unsigned char)r[1]);
        if (strcmp(named->name, "cntrl") == 0)
            bytes_add(&members, 0);
        bytes_add_set(set, &members, inverted);
        return true;
    }
    return false;
}

static void emit_character(Translator *t, unsigned byte)
{
    const bool plain = byte < 128 && (is_digit((int)byte) || is_letter((int)byte));
    buffer_format(t->out, plain ? "%c" : "\\x{%02x}", byte);
}

// Adds the characters that have no place in a set of bytes.
static void add_wide(Translator *t, unsigned first, unsigned last)
{
    buffer_format(&t->wide, "\\x{%x}-\\x{%x}", first, last);
}

// With Unicode, the set has the characters up to 127 and t->wide the others.
static void add_range(Translator *t, Bytes *set, unsigned first, unsigned last)
{
    const unsigned limit = is_unicode(t) ? 128 : 256;
    if (first < limit)
        bytes_add_range(set, first, last < limit ? last : limit - 1);
    if (last >= limit)
        add_wide(t, first < limit ? limit : first, last);
}

// The set, with t->wide, or its complement. With Unicode, a set may have members that are not listed, so that a
// complement cannot be listed either.
static void emit_set(Translator *t, const Bytes *set, bool inverted)
{
    static const Bytes nothing = {{0}};
    if (memcmp(set, &nothing, sizeof nothing) == 0 && t->wide.length == 0) {
        buffer_text(t->out, inverted ? "(?s:.)" : "(?:(?!))"); // the empty class matches nowhere
        return;
    }
    buffer_text(t->out, inverted ? "[^" : "[");
    for (unsigned first = 0; first < 256; first++) {
        if (!bytes_has(set, first))
            continue;
        unsigned last = first;
        while (last < 255 && bytes_has(set, last + 1))
            last++;
        buffer_format(t->out, first == last ? "\\x%02x" : "\\x%02x-\\x%02x", first, last);
        first = last;
    }
    buffer_append(t->out, t->wide.start, t->wide.length);
    t->wide.length = 0;
    buffer_text(t->out, "]");
}

// ---- escapes ---------------------------------------------------------------------------------------------

static int hex_value(int c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// `digits` hexadecimal digits as a byte.
static bool hex_escape(Translator *t, int digits, unsigned *byte)
{
    unsigned value = 0;
    for (int i = 0; i < digits; i++, t->next++) {
        if (at_end(t) || hex_value(*t->next) < 0)
            return fail(t, digits == 2 ? "\\x needs two hexadecimal digits"
                                       : "\\u needs four hexadecimal digits");
        value = value * 16 + (unsigned)hex_value(*t->next);
    }
    if (value > greatest(t))
        return fail(t, "\\u beyond 00FF: patterns work on bytes");
    if (value >= 0xD800 && value < 0xE000)
        return fail(t, "\\u with half of a surrogate pair");
    *byte = value;
    return true;
}

// Reads what follows a backslash when it is one byte: false without an error when it is something else.
static bool character_escape(Translator *t, unsigned *byte)
{
    const char c = *t->next;
    const char *const control = strchr("n\nr\rt\tf\fv\v", c);
    if (is_letter(c) && control) {
        t->next++;
        *byte = (unsigned char)control[1];
        return true;
    }
    if (c == 'x' || c == 'u') {
        t->next++;
        return hex_escape(t, c == 'x' ? 2 : 4, byte);
    }
    if (c == 'c') {
        if (t->end - t->next < 2 || !is_letter(t->next[1]))
            return fail(t, "\\c needs a letter");
        *byte = (unsigned)t->next[1] & 31;
        t->next += 2;
        return true;
    }
    if (c == '0') {
        if (t->end - t->next > 1 && is_digit(t->next[1]))
            return fail(t, "\\0 cannot be followed by a digit");
        t->next++;
        *byte = 0;
        return true;
    }
    if (is_letter(c) || is_digit(c))
        return false;
    return next_character(t, byte);
}

// \d \D \w \W \s \S, after the backslash. False: something else.
static bool class_escape(Translator *t, Bytes *set)
{
    const char c = *t->next;
    if (!c || !strchr("dDwWsS", c))
        return false;
    const char name = (char)(c | 32);
    t->next++;
    add_named_class(set, &name, 1, c != name);
    if (is_unicode(t) && c != name) {
        set->bits[2] = set->bits[3] = 0;
        add_wide(t, 128, greatest(t));
    }
    return true;
}

// ---- brackets --------------------------------------------------------------------------------------------

// One element of a bracket: a byte (true in *single) or a class.
static bool bracket_element(Translator *t, Bytes *set, unsigned *byte, bool *single)
{
    *single = false;
    if (t->end - t->next >= 2 && *t->next == '[' && (t->next[1] == '.' || t->next[1] == '='))
        return fail(t, "[. and [= are not supported");
    if (t->end - t->next >= 2 && *t->next == '[' && t->next[1] == ':') {
        const char *name = t->next + 2, *close = name;
        while (close < t->end && is_letter(*close))
            close++;
        if (t->end - close < 2 || close[0] != ':' || close[1] != ']' ||
            !add_named_class(set, name, (size_t)(close - name), false))
            return fail(t, "unknown class in [[: :]]");
        t->next = close + 2;
        return true;
    }
    if (!take(t, '\\')) {
        *single = true;
        return next_character(t, byte);
    }
    if (at_end(t))
        return fail(t, "a backslash at the end");
    if (class_escape(t, set))
        return true;
    *single = true;
    if (take(t, 'b')) {
        *byte = '\b';
        return true;
    }
    if (character_escape(t, byte))
        return true;
    return fail(t, "unknown escape");
}

// bracket = "[" , [ "^" ] , { element , [ "-" , element ] } , "]" ;
static bool bracket(Translator *t)
{
    Bytes set = {{0}};
    const bool inverted = take(t, '^');
    while (!take(t, ']')) {
        unsigned first, last;
        bool single;
        if (at_end(t))
            return fail(t, "missing ] after [");
        if (!bracket_element(t, &set, &first, &single))
            return false;
        const bool range = looking_at(t, '-') && t->end - t->next >= 2 && t->next[1] != ']';
        if (!single) {
            if (range)
                return fail(t, "a class cannot begin a range");
            continue;
        }
        last = first;
        if (range) {
            t->next++;
            if (!bracket_element(t, &set, &last, &single))
                return false;
            if (!single || last < first)
                return fail(t, single ? "a reversed range in brackets" : "a class cannot end a range");
        }
        add_range(t, &set, first, last);
    }
    Bytes result = {{0}};
    bytes_add_set(&result, &set, inverted && !is_unicode(t));
    emit_set(t, &result, inverted && is_unicode(t));
    return true;
}

// ---- terms -----------------------------------------------------------------------------------------------

static bool disjunction(Translator *t);

// The number at the cursor; more than MAX_REPEAT is cut to MAX_REPEAT + 1. False when there is none.
static bool number(Translator *t, int *value)
{
    const char *begin = t->next;
    int n = 0;
    for (; !at_end(t) && is_digit(*t->next); t->next++)
        n = n > MAX_REPEAT ? n : n * 10 + (*t->next - '0');
    *value = n > MAX_REPEAT ? MAX_REPEAT + 1 : n;
    return t->next > begin;
}

// counted = n , [ "," , [ m ] ] , "}" ;   after the "{"
static bool counted(Translator *t)
{
    int low, high = -1;
    bool open = false;
    if (!number(t, &low))
        return fail(t, "expected {n}, {n,} or {n,m} after {");
    if (take(t, ','))
        open = !number(t, &high);
    else
        high = low;
    if (!take(t, '}'))
        return fail(t, "expected {n}, {n,} or {n,m} after {");
    if (!open && high < low)
        return fail(t, "a reversed range in { }");
    if (low > MAX_REPEAT || high > MAX_REPEAT)
        return fail(t, "more than 65535 repetitions");
    buffer_format(t->out, open ? "{%d,}" : "{%d,%d}", low, high);
    return true;
}

static bool looking_at_quantifier(const Translator *t)
{
    return looking_at(t, '*') || looking_at(t, '+') || looking_at(t, '?') || looking_at(t, '{');
}

// quantifier = ( "*" | "+" | "?" | counted ) , [ "?" ] ;
static bool quantifier(Translator *t)
{
    if (!looking_at_quantifier(t))
        return true;
    const char c = *t->next++;
    if (c == '{') {
        if (!counted(t))
            return false;
    } else {
        buffer_append(t->out, &c, 1);
    }
    if (take(t, '?'))
        buffer_text(t->out, "?");
    return looking_at_quantifier(t) ? fail(t, "a quantifier after a quantifier") : true;
}

// name = ( letter | "_" ) , { letter | digit | "_" } , ">" ;   after "(?<" or "\k<"
static bool group_name(Translator *t)
{
    const char *begin = t->next;
    while (!at_end(t) && (is_letter(*t->next) || *t->next == '_' || (t->next > begin && is_digit(*t->next))))
        t->next++;
    if (t->next == begin || !looking_at(t, '>'))
        return fail(t, "the name of a group consists of letters, digits and _ and ends with >");
    buffer_append(t->out, begin, (size_t)(++t->next - begin));
    return true;
}

static bool takes_name(Translator *t)
{
    return t->flags & REGEX_NAMES && take(t, '<');
}

// What follows "(". *assertion: it is a lookahead, which takes no quantifier.
static bool group(Translator *t, bool *assertion)
{
    *assertion = false;
    if (!take(t, '?')) {
        t->groups++;
        buffer_text(t->out, "(");
    } else if (take(t, ':')) {
        buffer_text(t->out, "(?:");
    } else if (takes_name(t)) {
        t->groups++;
        buffer_text(t->out, "(?<");
        if (!group_name(t))
            return false;
    } else if (looking_at(t, '=') || looking_at(t, '!')) {
        *assertion = true;
        buffer_text(t->out, *t->next == '=' ? "(?=" : "(?!");
        t->next++;
    } else {
        return fail(t, "expected (?: (?= or (?! after (?");
    }
    if (++t->nesting > MAX_NESTING)
        return fail(t, "parentheses are nested too deeply");
    if (!disjunction(t))
        return false;
    t->nesting--;
    if (!take(t, ')'))
        return fail(t, "missing ) after (");
    buffer_text(t->out, ")");
    return true;
}

static bool back_reference(Translator *t)
{
    int n;
    number(t, &n);
    if (n > t->greatest_reference)
        t->greatest_reference = n;
    buffer_format(t->out, "\\g{%d}", n);
    return true;
}

// What follows a backslash outside brackets. *assertion: \b or \B.
static bool escape(Translator *t, bool *assertion)
{
    if (at_end(t))
        return fail(t, "a backslash at the end");
    if (looking_at(t, 'b') || looking_at(t, 'B')) {
        *assertion = true;
        buffer_text(t->out, *t->next++ == 'b' ? "\\b" : "\\B");
        return true;
    }
    if (*t->next >= '1' && *t->next <= '9')
        return back_reference(t);
    if (t->flags & REGEX_NAMES && t->end - t->next >= 2 && t->next[0] == 'k' && t->next[1] == '<') {
        t->next += 2;
        buffer_text(t->out, "\\k<");
        return group_name(t);
    }
    Bytes set = {{0}};
    if (class_escape(t, &set)) {
        emit_set(t, &set, false);
        return true;
    }
    unsigned byte;
    if (!character_escape(t, &byte))
        return fail(t, "unknown escape");
    emit_character(t, byte);
    return true;
}

// term = assertion | atom , [ quantifier ] ;
static bool term(Translator *t)
{
    if (looking_at_quantifier(t))
        return fail(t, "a quantifier with nothing to repeat");
    const char c = *t->next;
    unsigned character;
    if (!next_character(t, &character))
        return false;
    bool assertion = c == '^' || c == '$', good = true;
    switch (c) {
    case '^':
    case '$':
        buffer_append(t->out, &c, 1);
        break;
    case '.':
        buffer_text(t->out, "[^\\x0a\\x0d]");
        break;
    case '[':
        good = bracket(t);
        break;
    case '(':
        good = group(t, &assertion);
        break;
    case '\\':
        good = escape(t, &assertion);
        break;
    default:
        emit_character(t, character);
    }
    if (!good)
        return false;
    if (assertion)
        return looking_at_quantifier(t) ? fail(t, "a quantifier with nothing to repeat") : true;
    return quantifier(t);
}

// disjunction = { term } , { "|" , { term } } ;
static bool disjunction(Translator *t)
{
    for (;;) {
        while (!at_end(t) && *t->next != '|' && *t->next != ')')
            if (!term(t))
                return false;
        if (!take(t, '|'))
            return true;
        buffer_text(t->out, "|");
    }
}

const char *regex_translate(const char *pattern, size_t length, int flags, Buffer *out)
{
    Translator t = {.next = pattern, .end = pattern + length, .out = out, .flags = flags};
    if (disjunction(&t)) {
        if (!at_end(&t))
            fail(&t, ") without (");
        else if (t.greatest_reference > t.groups)
            fail(&t, "a back-reference to a group that does not exist");
    }
    buffer_free(&t.wide);
    return t.error;
}
