// Strings (language reference 7.9, 7.10), counted in bytes or, in the dialect CQLi (13.1), in characters.
#include "runtime/match/run_state.h"
#include "runtime/value/unicode.h"

typedef enum Unit { BYTES, CHARACTERS } Unit;

static Unit unit_of(const Context *c)
{
    return c->query->flags & QUERY_CQLI ? CHARACTERS : BYTES;
}

static size_t count_of(String s, Unit unit)
{
    return unit == BYTES ? s->length : unicode_count(s->bytes, s->length);
}

// The byte where an element begins; indexes below 0 count from the end. Beyond the string: its nearest end.
static size_t byte_of(String s, int32_t index, Unit unit)
{
    int64_t left = index < 0 ? index + (int64_t)count_of(s, unit) : index;
    if (left <= 0)
        return 0;
    if (unit == BYTES)
        return left < s->length ? (size_t)left : s->length;
    size_t at = 0;
    for (; left > 0 && at < s->length; left--)
        at += unicode_length(s->bytes + at, s->length - at);
    return at;
}

// A part of a string in bytes.
typedef struct Slice {
    size_t begin, end;
} Slice;

// The element that a subscript means; false outside the string.
static bool element_of(String s, int32_t index, Unit unit, Slice *slice)
{
    if (index < 0 && index + (int64_t)count_of(s, unit) < 0)
        return false;
    slice->begin = byte_of(s, index, unit);
    if (slice->begin == s->length)
        return false;
    const size_t length =
        unit == BYTES ? 1 : unicode_length(s->bytes + slice->begin, s->length - slice->begin);
    slice->end = slice->begin + length;
    return true;
}

static Slice slice_of(String s, int32_t low, int32_t high, int32_t missing, Unit unit)
{
    const size_t begin = missing & 1 ? 0 : byte_of(s, low, unit);
    const size_t end = missing & 2 ? s->length : byte_of(s, high, unit);
    return (Slice){begin, end < begin ? begin : end};
}

// ---- comparison and search --------------------------------------------------------------------------------

int32_t rt_compare(Context *c, String a, String b)
{
    a = string_or_empty(a);
    b = string_or_empty(b);
    run_take_bytes(c, a->length < b->length ? a->length : b->length);
    return string_compare(a, b);
}

// The byte where `part` first occurs, or NULL.
static const char *find(Context *c, String part, String whole)
{
    run_take_bytes(c, whole->length);
    part = string_or_empty(part);
    return string_find(whole->bytes, whole->length, part->bytes, part->length);
}

int32_t rt_contains(Context *c, String part, String whole)
{
    return find(c, part, string_or_empty(whole)) != NULL;
}

int32_t rt_index_of(Context *c, String part, String whole, int32_t *index)
{
    whole = string_or_empty(whole);
    const char *found = find(c, part, whole);
    if (!found)
        return 0;
    const size_t bytes = (size_t)(found - whole->bytes);
    *index = (int32_t)(unit_of(c) == BYTES ? bytes : unicode_count(whole->bytes, bytes));
    return 1;
}

int32_t rt_length(Context *c, String s)
{
    return (int32_t)count_of(string_or_empty(s), unit_of(c));
}

// ---- parts ------------------------------------------------------------------------------------------------

String rt_concat(Context *c, String a, String b)
{
    a = string_or_empty(a);
    b = string_or_empty(b);
    if (a->length == 0)
        return b;
    if (b->length == 0)
        return a;
    CqlString *s = run_string_new(c, (size_t)a->length + b->length);
    memcpy(s->bytes, a->bytes, a->length);
    memcpy(s->bytes + a->length, b->bytes, b->length);
    return s;
}

static String part_of(Context *c, String s, Slice slice)
{
    if (slice.begin == 0 && slice.end == s->length)
        return s;
    return run_string(c, s->bytes + slice.begin, slice.end - slice.begin);
}

int32_t rt_subscript(Context *c, String s, int32_t index, String *result)
{
    Slice slice;
    s = string_or_empty(s);
    if (!element_of(s, index, unit_of(c), &slice))
        return 0;
    *result = part_of(c, s, slice);
    return 1;
}

String rt_slice(Context *c, String s, int32_t low, int32_t high, int32_t missing)
{
    s = string_or_empty(s);
    return part_of(c, s, slice_of(s, low, high, missing, unit_of(c)));
}

// ---- replacing --------------------------------------------------------------------------------------------

static String replaced(Context *c, String s, Slice slice, String part)
{
    part = string_or_empty(part);
    const size_t tail = s->length - slice.end;
    CqlString *result = run_string_new(c, slice.begin + part->length + tail);
    memcpy(result->bytes, s->bytes, slice.begin);
    memcpy(result->bytes + slice.begin, part->bytes, part->length);
    memcpy(result->bytes + slice.begin + part->length, s->bytes + slice.end, tail);
    return result;
}

int32_t rt_replace_index(Context *c, String s, int32_t index, String part, String *result)
{
    Slice slice;
    s = string_or_empty(s);
    if (!element_of(s, index, unit_of(c), &slice))
        return 0;
    *result = replaced(c, s, slice, part);
    return 1;
}

String rt_replace_slice(Context *c, String s, int32_t low, int32_t high, int32_t missing, String part)
{
    s = string_or_empty(s);
    return replaced(c, s, slice_of(s, low, high, missing, unit_of(c)), part);
}

// ---- case -------------------------------------------------------------------------------------------------

// The string with the ASCII letters from `first` to `first` + 25 in the other case.
static String ascii_folded(Context *c, String s, char first)
{
    CqlString *result = run_string_new(c, s->length);
    string_fold(result->bytes, s->bytes, s->length, first);
    return result;
}

// The string with each well-formed character folded.
static String unicode_folded(Context *c, String s, uint32_t (*fold)(uint32_t))
{
    Buffer *b = run_scratch(c);
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
    return run_scratch_string(c);
}

String rt_upper(Context *c, String s)
{
    s = string_or_empty(s);
    return unit_of(c) == BYTES || string_is_ascii(s) ? ascii_folded(c, s, 'a')
                                                     : unicode_folded(c, s, unicode_upper);
}

String rt_lower(Context *c, String s)
{
    s = string_or_empty(s);
    return unit_of(c) == BYTES || string_is_ascii(s) ? ascii_folded(c, s, 'A')
                                                     : unicode_folded(c, s, unicode_lower);
}

String rt_fold(Context *c, String s)
{
    s = string_or_empty(s);
    if (string_is_ascii(s))
        return ascii_folded(c, s, 'A');
    unicode_append_folded(run_scratch(c), s->bytes, s->length);
    return run_scratch_string(c);
}

// ---- numbers and characters ------------------------------------------------------------------------------

int32_t rt_parse_int(String s, int32_t *value)
{
    s = string_or_empty(s);
    const bool negative = s->length > 0 && s->bytes[0] == '-';
    int64_t number = 0;
    if (s->length == (uint32_t)negative)
        return 0;
    for (uint32_t i = negative; i < s->length; i++) {
        if (s->bytes[i] < '0' || s->bytes[i] > '9')
            return 0;
        number = number * 10 + s->bytes[i] - '0';
        if (number > (int64_t)INT32_MAX + negative)
            return 0;
    }
    *value = (int32_t)(negative ? -number : number);
    return 1;
}

int32_t rt_char_code(String s, int32_t *value)
{
    s = string_or_empty(s);
    if (s->length != 1)
        return 0;
    *value = (unsigned char)s->bytes[0];
    return 1;
}

int32_t rt_char_string(Context *c, int32_t code, String *result)
{
    if (code < 1 || code > 255)
        return 0;
    const char byte = (char)code;
    *result = run_string(c, &byte, 1);
    return 1;
}
