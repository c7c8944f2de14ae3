// Regular expressions: a recursive descent parser that writes the pattern anew for PCRE2.
#include "regex_syntax.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "regex.h"
#include "unicode.h"

enum { MAX_NESTING = 100, MAX_REPEAT = 65535 };

typedef struct Translator {
    const char *next, *end;
    Buffer *out;
    int groups; // opened so far
    int greatest_reference;
    int nesting;
    const char *error; // the first one
    int flags;         // REGEX_
    Literal *literal;
    Buffer run; // the characters that were just read, outside of parentheses
    bool alternatives;
    bool begun;      // a term was read
    bool is_literal; // all terms were characters, after ^ or before $
    unsigned character;
    bool is_character; // the last atom is this character
    bool is_reference; // the last atom is a back-reference
    ByteSet set;       // if is_set, the last atom is one of these bytes
    bool is_set;
} Translator;

// Keeps the first error. Nothing is read after it: the cursor goes to the end, where everything ends.
static void fail(Translator *t, const char *message)
{
    if (!t->error)
        t->error = message;
    t->next = t->end;
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

// The next character of the pattern.
static void next_character(Translator *t, unsigned *character)
{
    uint32_t code = (unsigned char)*t->next;
    size_t bytes = is_unicode(t) ? unicode_decode(t->next, (size_t)(t->end - t->next), &code) : 1;
    t->next += bytes;
    *character = code;
    if (bytes == 0)
        fail(t, "malformed UTF-8");
}

// ---- characters ------------------------------------------------------------------------------------------

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void add_bytes(Translator *t, unsigned first, unsigned last)
{
    for (unsigned byte = first; byte <= last && byte < 256; byte++)
        t->set.word[byte >> 6] |= 1ULL << (byte & 63);
}

static void emit_character(Translator *t, unsigned character)
{
    t->character = character;
    t->is_character = true;
    const bool plain = is_digit((int)character) || is_letter((int)character);
    buffer_format(t->out, plain ? "%c" : "\\x{%x}", character);
}

// ---- escapes ---------------------------------------------------------------------------------------------

static int hex_value(int c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// `digits` hexadecimal digits as a character.
static void hex_escape(Translator *t, int digits, unsigned *byte)
{
    unsigned value = 0;
    for (int i = 0; i < digits; i++, t->next++) {
        if (at_end(t) || hex_value(*t->next) < 0) {
            fail(t, digits == 2 ? "\\x needs two hexadecimal digits" : "\\u needs four hexadecimal digits");
            return;
        }
        value = value * 16 + (unsigned)hex_value(*t->next);
    }
    if (value > greatest(t))
        fail(t, "\\u beyond 00FF: patterns work on bytes");
    if (value >= 0xD800 && value < 0xE000)
        fail(t, "\\u with half of a surrogate pair");
    *byte = value;
}

// Reads the character that follows a backslash.
static void character_escape(Translator *t, unsigned *byte)
{
    const char c = *t->next;
    const char *const control = strchr("n\nr\rt\tf\fv\v", c);
    if (is_letter(c) && control) {
        t->next++;
        *byte = (unsigned char)control[1];
    } else if (c == 'x' || c == 'u') {
        t->next++;
        hex_escape(t, c == 'x' ? 2 : 4, byte);
    } else if (c == 'c') {
        if (t->end - t->next < 2 || !is_letter(t->next[1])) {
            fail(t, "\\c needs a letter");
            return;
        }
        *byte = (unsigned)t->next[1] & 31;
        t->next += 2;
    } else if (c == '0') {
        t->next++;
        if (!at_end(t) && is_digit(*t->next))
            fail(t, "\\0 cannot be followed by a digit");
        *byte = 0;
    } else if (is_letter(c) || is_digit(c)) {
        fail(t, "unknown escape");
    } else {
        next_character(t, byte);
    }
}

static void emit_range(Translator *t, unsigned first, unsigned last)
{
    buffer_format(t->out, "\\x{%x}-\\x{%x}", first, last);
}

static bool looking_at_class(const Translator *t)
{
    return *t->next && strchr("dDwWsS", *t->next);
}

// Writes \d \D \w \W \s \S, after the backslash, as members of a bracket. PCRE2 10.42 does not find all
// characters of \D, \W and \S in UTF-8.
static void emit_class(Translator *t)
{
    const char c = *t->next++;
    const char *range = c == 'D' ? "09" : c == 'W' ? "09AZ__az" : "\t\r  ";
    unsigned first = 0;
    if (c >= 'a') {
        buffer_format(t->out, "\\%c", c);
        return;
    }
    for (; *range; range += 2) {
        emit_range(t, first, (unsigned)range[0] - 1);
        first = (unsigned)range[1] + 1;
    }
    emit_range(t, first, greatest(t));
}

// ---- brackets --------------------------------------------------------------------------------------------

// The class of that name in [[: :]]; false when there is none.
static bool named_class(Translator *t, const char *name, int length)
{
    static const char *const names[] = {"alnum", "alpha", "blank", "cntrl", "d",
                                        "digit", "graph", "lower", "print", "punct",
                                        "s",     "space", "upper", "w",     "xdigit"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) != (size_t)length || memcmp(names[i], name, (size_t)length) != 0)
            continue;
        buffer_format(t->out, length == 1 ? "\\%.*s" : "[:%.*s:]", length, name);
        return true;
    }
    return false;
}

// The text inside [: :], after "[:".
static void class_name(Translator *t)
{
    const char *name = t->next, *close = name;
    while (close < t->end && is_letter(*close))
        close++;
    if (t->end - close < 2 || close[0] != ':' || close[1] != ']' ||
        !named_class(t, name, (int)(close - name)))
        fail(t, "unknown class in [[: :]]");
    else
        t->next = close + 2;
}

// One element of a bracket. Returns true for a character, which is not written yet, false for a class or a mistake.
static bool bracket_element(Translator *t, unsigned *character)
{
    const char next = t->end - t->next >= 2 && *t->next == '[' ? t->next[1] : 0;
    if (next == '.' || next == '=') {
        fail(t, "[. and [= are not supported");
        return false;
    }
    if (next == ':') {
        t->next += 2;
        class_name(t);
        return false;
    }
    if (!take(t, '\\')) {
        next_character(t, character);
        return true;
    }
    if (at_end(t)) {
        fail(t, "a backslash at the end");
        return false;
    }
    if (looking_at_class(t)) {
        emit_class(t);
        return false;
    }
    if (take(t, 'b'))
        *character = '\b';
    else
        character_escape(t, character);
    return true;
}

// bracket = "[" , [ "^" ] , { element , [ "-" , element ] } , "]" ;
static void bracket(Translator *t)
{
    const bool inverted = take(t, '^');
    t->is_set = true;
    if (take(t, ']')) {
        t->is_set = false; // the empty class matches nowhere
        buffer_text(t->out, inverted ? "(?s:.)" : "(?:(?!))");
        return;
    }
    buffer_text(t->out, inverted ? "[^" : "[");
    while (!take(t, ']')) {
        unsigned first = 0, last = 0;
        if (at_end(t)) {
            fail(t, "missing ] after [");
            return;
        }
        bool single = bracket_element(t, &first);
        const bool range = looking_at(t, '-') && t->end - t->next >= 2 && t->next[1] != ']';
        t->is_set = t->is_set && single;
        if (single)
            emit_character(t, first);
        else if (range)
            fail(t, "a class cannot begin a range");
        if (!range || !take(t, '-')) {
            add_bytes(t, first, first);
            continue;
        }
        single = bracket_element(t, &last);
        if (!single || last < first)
            fail(t, single ? "a reversed range in brackets" : "a class cannot end a range");
        buffer_text(t->out, "-");
        emit_character(t, last);
        add_bytes(t, first, last);
    }
    buffer_text(t->out, "]");
    for (int i = 0; inverted && i < 4; i++)
        t->set.word[i] = ~t->set.word[i];
}

// ---- terms -----------------------------------------------------------------------------------------------

static void disjunction(Translator *t);

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
static void counted(Translator *t)
{
    int low, high;
    bool open = false;
    const bool begins = number(t, &low);
    if (take(t, ','))
        open = !number(t, &high);
    else
        high = low;
    if (!begins || !take(t, '}'))
        fail(t, "expected {n}, {n,} or {n,m} after {");
    else if (!open && high < low)
        fail(t, "a reversed range in { }");
    else if (low > MAX_REPEAT || high > MAX_REPEAT)
        fail(t, "more than 65535 repetitions");
    buffer_format(t->out, open ? "{%d,}" : "{%d,%d}", low, high);
}

static void callout(Translator *t)
{
    if (t->flags & REGEX_METERED)
        buffer_text(t->out, "(?C)");
}

static bool looking_at_quantifier(const Translator *t)
{
    return looking_at(t, '*') || looking_at(t, '+') || looking_at(t, '?') || looking_at(t, '{');
}

// quantifier = ( "*" | "+" | "?" | counted ) , [ "?" ] ;
static void quantifier(Translator *t)
{
    if (!looking_at_quantifier(t))
        return;
    const char c = *t->next++;
    if (c == '{')
        counted(t);
    else
        buffer_append(t->out, &c, 1);
    if (take(t, '?'))
        buffer_text(t->out, "?");
    if (looking_at_quantifier(t))
        fail(t, "a quantifier after a quantifier");
}

// PCRE2 allows more from 10.44 on. A query is right or wrong with any version.
enum { NAME_LENGTH = 32 };

// name = ( letter | "_" ) , { letter | digit | "_" } , ">" ;   after "(?<" or "\k<"
static void group_name(Translator *t)
{
    const char *begin = t->next;
    while (!at_end(t) && (is_letter(*t->next) || *t->next == '_' || (t->next > begin && is_digit(*t->next))))
        t->next++;
    if (t->next == begin || !looking_at(t, '>'))
        fail(t, "the name of a group consists of letters, digits and _ and ends with >");
    else if (t->next - begin > NAME_LENGTH)
        fail(t, "the name of a group is too long");
    else
        buffer_append(t->out, begin, (size_t)(++t->next - begin));
}

static bool takes_name(Translator *t)
{
    return t->flags & REGEX_NAMES && take(t, '<');
}

// What follows "(". Returns true for a lookahead, which takes no quantifier.
static bool group(Translator *t)
{
    bool assertion = false;
    if (!take(t, '?')) {
        t->groups++;
        buffer_text(t->out, "(");
    } else if (take(t, ':')) {
        buffer_text(t->out, "(?:");
    } else if (takes_name(t)) {
        t->groups++;
        buffer_text(t->out, "(?<");
        group_name(t);
    } else if (looking_at(t, '=') || looking_at(t, '!')) {
        assertion = true;
        buffer_text(t->out, *t->next == '=' ? "(?=" : "(?!");
        t->next++;
    } else {
        fail(t, "expected (?: (?= or (?! after (?");
    }
    if (++t->nesting > MAX_NESTING)
        fail(t, "parentheses are nested too deeply");
    disjunction(t);
    t->nesting--;
    if (!take(t, ')'))
        fail(t, "missing ) after (");
    buffer_text(t->out, ")");
    return assertion;
}

static void back_reference(Translator *t)
{
    int n;
    t->is_reference = true;
    number(t, &n);
    if (n > t->greatest_reference)
        t->greatest_reference = n;
    buffer_format(t->out, "\\g{%d}", n);
}

// What follows a backslash outside brackets. Returns true for \b or \B, which take no quantifier.
static bool escape(Translator *t)
{
    unsigned character = 0;
    if (at_end(t)) {
        fail(t, "a backslash at the end");
    } else if (looking_at(t, 'b') || looking_at(t, 'B')) {
        buffer_text(t->out, *t->next++ == 'b' ? "\\b" : "\\B");
        return true;
    } else if (*t->next >= '1' && *t->next <= '9') {
        back_reference(t);
    } else if (t->flags & REGEX_NAMES && t->end - t->next >= 2 && t->next[0] == 'k' && t->next[1] == '<') {
        t->next += 2;
        t->is_reference = true;
        buffer_text(t->out, "\\k<");
        group_name(t);
    } else if (looking_at_class(t)) {
        buffer_text(t->out, "[");
        emit_class(t);
        buffer_text(t->out, "]");
    } else {
        character_escape(t, &character);
        emit_character(t, character);
    }
    return false;
}

// ---- the literal -----------------------------------------------------------------------------------------

// Keeps the longest run.
static void end_run(Translator *t)
{
    Buffer *best = &t->literal->text;
    if (t->run.length > best->length) {
        best->length = 0;
        buffer_append(best, t->run.start, t->run.length);
    }
    t->run.length = 0;
}

static void extend_run(Translator *t)
{
    char bytes[4] = {(char)t->character};
    buffer_append(&t->run, bytes, is_unicode(t) ? unicode_encode(t->character, bytes) : 1);
}

// ---- the chain -------------------------------------------------------------------------------------------

static void add_link(Translator *t)
{
    Chain *chain = &t->literal->chain;
    const ChainLink link = {.set = t->set, .is_single = t->is_character, .after_gap = chain->gap};
    const char byte = t->is_character ? (char)t->character : 0;
    buffer_append(&chain->links, (const char *)&link, sizeof link);
    buffer_append(&chain->bytes, &byte, 1);
    chain->gap = false;
}

// As note_term.
static void note_link(Translator *t, char first, char quantifier, bool begins)
{
    enum { MOST_LINKS = 64 };
    Chain *chain = &t->literal->chain;
    const bool is_gap = first == '.' && (quantifier == '*' || quantifier == '+');
    if (first == '^' && begins) {
        chain->at_start = true;
    } else if (first == '$' && !chain->at_end) {
        chain->at_end = true;
    } else if (!t->is_set || chain->at_end || (quantifier != 0 && !is_gap) ||
               chain_length(chain) == MOST_LINKS) {
        chain->is_all = false;
    } else {
        if (quantifier != '*')
            add_link(t);
        if (is_gap)
            chain->gap = true;
    }
    // Nothing is before a gap at the beginning, or after one at the end, that would have to be anywhere.
    if (chain->gap && chain_length(chain) == 0)
        chain->at_start = chain->gap = false;
}

// ---- terms outside of parentheses ------------------------------------------------------------------------

// Takes note of a term outside of parentheses, which began with `first` and has that quantifier or 0.
static void note_term(Translator *t, char first, char quantifier)
{
    Literal *l = t->literal;
    const bool begins = !t->begun;
    t->begun = true;
    note_link(t, first, quantifier, begins);
    if (first == '^' && begins) {
        l->at_start = true;
    } else if (first == '$' && !l->at_end) {
        l->at_end = true;
    } else if (t->is_character && !l->at_end && quantifier == 0) {
        extend_run(t);
    } else {
        t->is_literal = false;
        if (t->is_character && quantifier == '+')
            extend_run(t);
        end_run(t);
    }
}

// term = assertion | atom , [ quantifier ] ;
static void term(Translator *t)
{
    if (looking_at_quantifier(t)) {
        fail(t, "a quantifier with nothing to repeat");
        return;
    }
    const char c = *t->next;
    unsigned character;
    t->is_character = t->is_reference = t->is_set = false;
    t->set = (ByteSet){{0}};
    next_character(t, &character);
    bool assertion = c == '^' || c == '$';
    switch (c) {
    case '^':
    case '$':
        buffer_append(t->out, &c, 1);
        break;
    case '.':
        buffer_text(t->out, "[^\\x0a\\x0d]");
        t->set = (ByteSet){{~(1ULL << '\n' | 1ULL << '\r'), ~0ULL, ~0ULL, ~0ULL}};
        t->is_set = true;
        break;
    case '[':
        bracket(t);
        break;
    case '(':
        assertion = group(t);
        break;
    case '\\':
        assertion = escape(t);
        break;
    default:
        emit_character(t, character);
    }
    if (c == '[' || c == '(')
        t->is_character = t->is_reference = false;
    if (c == '(')
        t->is_set = false;
    if (t->is_character) {
        add_bytes(t, t->character, t->character);
        t->is_set = true;
    }
    if (t->nesting == 0)
        note_term(t, c, (char)(looking_at_quantifier(t) ? *t->next : 0));
    if (assertion) {
        if (looking_at_quantifier(t))
            fail(t, "a quantifier with nothing to repeat");
        return;
    }
    const bool any_length = t->is_reference || looking_at_quantifier(t);
    quantifier(t);
    if (any_length)
        callout(t);
}

// disjunction = { term } , { "|" , { term } } ;
static void disjunction(Translator *t)
{
    for (;;) {
        while (!at_end(t) && *t->next != '|' && *t->next != ')')
            term(t);
        if (!take(t, '|'))
            return;
        t->alternatives |= t->nesting == 0;
        buffer_text(t->out, "|");
    }
}

const char *regex_translate(const char *pattern, size_t length, int flags, Buffer *out, Literal *literal)
{
    Translator t = {.next = pattern,
                    .end = pattern + length,
                    .out = out,
                    .flags = flags,
                    .literal = literal,
                    .is_literal = true};
    literal->chain.is_all = !is_unicode(&t);
    callout(&t);
    disjunction(&t);
    if (!at_end(&t))
        fail(&t, ") without (");
    if (t.greatest_reference > t.groups)
        fail(&t, "a back-reference to a group that does not exist");
    end_run(&t);
    buffer_free(&t.run);
    literal->is_all = t.is_literal && !t.alternatives;
    literal->chain.is_all &= !t.alternatives && chain_length(&literal->chain) > 0;
    literal->chain.at_end &= !literal->chain.gap;
    if (t.alternatives)
        literal->text.length = 0;
    return t.error;
}
