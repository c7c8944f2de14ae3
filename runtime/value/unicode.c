// Strings counted in code points (language reference 13.1).
#include "unicode.h"

#include "runtime/match/run_state.h"

// ---- characters -------------------------------------------------------------------------------------------

size_t unicode_decode(const char *text, size_t length, uint32_t *character)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)*text;
    const size_t bytes = first < 0x80   ? 1
                         : first < 0xC2 ? 0
                         : first < 0xE0 ? 2
                         : first < 0xF0 ? 3
                         : first < 0xF5 ? 4
                                        : 0;
    if (bytes == 0 || bytes > length)
        return 0;
    uint32_t value = bytes == 1 ? first : first & (0x7Fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | ((unsigned char)text[i] & 0x3F);
    }
    if (value < least[bytes] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 0;
    *character = value;
    return bytes;
}

size_t unicode_encode(uint32_t character, char out[4])
{
    if (character < 0x80) {
        out[0] = (char)character;
        return 1;
    }
    const size_t bytes = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = bytes - 1; i > 0; i--, character >>= 6)
        out[i] = (char)(0x80 | (character & 0x3F));
    out[0] = (char)(0xF00u >> bytes | character);
    return bytes;
}

// Bytes of the character at `text`; malformed ones stand alone.
static size_t character_length(const char *text, size_t length)
{
    uint32_t character;
    const size_t bytes = unicode_decode(text, length, &character);
    return bytes ? bytes : 1;
}

size_t unicode_count(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; count++)
        i += character_length(text + i, length - i);
    return count;
}

typedef struct Fold {
    uint32_t first, last;
    int32_t step, difference;
} Fold;

static const Fold upper_fold[] = {
#define FOLD_UPPER(first, last, step, difference) {first, last, step, difference},
#include "unicode_case.def"
};

static const Fold lower_fold[] = {
#define FOLD_LOWER(first, last, step, difference) {first, last, step, difference},
#include "unicode_case.def"
};

static uint32_t folded(uint32_t character, const Fold *fold, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (fold[middle].last < character)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == count || character < fold[low].first ||
        (character - fold[low].first) % (uint32_t)fold[low].step)
        return character;
    return character + (uint32_t)fold[low].difference;
}

uint32_t unicode_upper(uint32_t character)
{
    if (character < 128)
        return character >= 'a' && character <= 'z' ? character - 32 : character;
    return folded(character, upper_fold, sizeof upper_fold / sizeof *upper_fold);
}

uint32_t unicode_lower(uint32_t character)
{
    if (character < 128)
        return character >= 'A' && character <= 'Z' ? character + 32 : character;
    return folded(character, lower_fold, sizeof lower_fold / sizeof *lower_fold);
}

// ---- indexes ----------------------------------------------------------------------------------------------

// The byte where character `index` begins; the length of the string when it has no such character.
static size_t byte_of(String s, int64_t index)
{
    size_t at = 0;
    for (; index > 0 && at < s->length; index--)
        at += character_length(s->bytes + at, s->length - at);
    return at;
}

// The bounds in bytes of the character that a subscript means; false outside the string.
static bool bounds_of_character(String s, int32_t index, int32_t *begin, int32_t *end)
{
    int64_t at = index;
    if (at < 0)
        at += (int64_t)unicode_count(s->bytes, s->length);
    if (at < 0)
        return false;
    const size_t byte = byte_of(s, at);
    if (byte >= s->length)
        return false;
    *begin = (int32_t)byte;
    *end = (int32_t)(byte + character_length(s->bytes + byte, s->length - byte));
    return true;
}

// A bound of a slice as a number of bytes.
static int32_t slice_bound(String s, int32_t bound)
{
    int64_t at = bound;
    if (at < 0)
        at += (int64_t)unicode_count(s->bytes, s->length);
    return (int32_t)byte_of(s, at < 0 ? 0 : at);
}

static void slice_bounds(String s, int32_t *low, int32_t *high, int32_t missing)
{
    if (!(missing & 1))
        *low = slice_bound(s, *low);
    if (!(missing & 2))
        *high = slice_bound(s, *high);
}

// ---- the calls --------------------------------------------------------------------------------------------

int32_t rt_unicode_length(String s)
{
    s = run_text(s);
    return (int32_t)unicode_count(s->bytes, s->length);
}

int32_t rt_unicode_index_of(String part, String whole, int32_t *index)
{
    if (!rt_index_of(part, whole, index))
        return 0;
    *index = (int32_t)unicode_count(run_text(whole)->bytes, (size_t)*index);
    return 1;
}

int32_t rt_unicode_subscript(Context *c, String s, int32_t index, String *result)
{
    int32_t begin, end;
    s = run_text(s);
    if (!bounds_of_character(s, index, &begin, &end))
        return 0;
    *result = run_string(c, s->bytes + begin, (size_t)(end - begin));
    return 1;
}

String rt_unicode_slice(Context *c, String s, int32_t low, int32_t high, int32_t missing)
{
    s = run_text(s);
    slice_bounds(s, &low, &high, missing);
    return rt_slice(c, s, low, high, missing);
}

int32_t rt_unicode_replace_index(Context *c, String s, int32_t index, String part, String *result)
{
    int32_t begin, end;
    s = run_text(s);
    if (!bounds_of_character(s, index, &begin, &end))
        return 0;
    *result = rt_replace_slice(c, s, begin, end, 0, part);
    return 1;
}

String rt_unicode_replace_slice(Context *c, String s, int32_t low, int32_t high, int32_t missing, String part)
{
    s = run_text(s);
    slice_bounds(s, &low, &high, missing);
    return rt_replace_slice(c, s, low, high, missing, part);
}

static String other_case(Context *c, String s, uint32_t (*fold)(uint32_t))
{
    s = run_text(s);
    if (s->length == 0)
        return s;
    Buffer *b = &c->run->scratch;
    b->length = 0;
    for (size_t i = 0; i < s->length;) {
        uint32_t character;
        char bytes[4];
        const size_t length = unicode_decode(s->bytes + i, s->length - i, &character);
        if (length == 0)
            buffer_append(b, s->bytes + i, 1);
        else
            buffer_append(b, bytes, unicode_encode(fold(character), bytes));
        i += length ? length : 1;
    }
    return run_string(c, b->start, b->length);
}

String rt_unicode_upper(Context *c, String s)
{
    return other_case(c, s, unicode_upper);
}

String rt_unicode_lower(Context *c, String s)
{
    return other_case(c, s, unicode_lower);
}

int32_t rt_unicode_group_offset(Context *c, int32_t group, int32_t *result)
{
    if (!rt_group_offset(c, group, result))
        return 0;
    *result = (int32_t)unicode_count(c->run->record.subject->bytes, (size_t)*result);
    return 1;
}
