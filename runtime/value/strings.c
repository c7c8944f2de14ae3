// Strings (language reference 7.9, 7.10).

#include "runtime/match/run_state.h"

const CqlString run_empty = {0, {0}};

CqlString *run_string_new(Context *c, size_t length)
{
    CqlString *s = string_arena_new(&c->run->strings, length);
    if (!s)
        rt_raise(c, RAISE_MEMORY, NULL);
    return s;
}

String run_string(Context *c, const char *bytes, size_t length)
{
    if (length == 0)
        return &run_empty;
    CqlString *s = run_string_new(c, length);
    memcpy(s->bytes, bytes, length);
    return s;
}

// ---- comparison and search -------------------------------------------------------------------------------

int32_t rt_compare(String a, String b)
{
    return dict_compare(DICT_STRING, (Slot){.t = run_text(a)}, (Slot){.t = run_text(b)});
}

int32_t rt_index_of(String part, String whole, int32_t *index)
{
    part = run_text(part);
    whole = run_text(whole);
    const char *found = memmem(whole->bytes, whole->length, part->bytes, part->length);
    if (!found)
        return 0;
    *index = (int32_t)(found - whole->bytes);
    return 1;
}

int32_t rt_contains(String part, String whole)
{
    int32_t index;
    return rt_index_of(part, whole, &index);
}

int32_t rt_length(String s)
{
    return (int32_t)run_text(s)->length;
}

// ---- making strings --------------------------------------------------------------------------------------

String rt_concat(Context *c, String a, String b)
{
    a = run_text(a);
    b = run_text(b);
    if (a->length == 0)
        return b;
    if (b->length == 0)
        return a;
    CqlString *s = run_string_new(c, (size_t)a->length + b->length);
    memcpy(s->bytes, a->bytes, a->length);
    memcpy(s->bytes + a->length, b->bytes, b->length);
    return s;
}

// The index from 0 that a subscript means; false outside the string.
static bool absolute_index(String s, int32_t index, int64_t *absolute)
{
    *absolute = index < 0 ? (int64_t)index + s->length : index;
    return *absolute >= 0 && *absolute < (int64_t)s->length;
}

int32_t rt_subscript(Context *c, String s, int32_t index, String *result)
{
    int64_t at;
    s = run_text(s);
    if (!absolute_index(s, index, &at))
        return 0;
    *result = run_string(c, s->bytes + at, 1);
    return 1;
}

typedef struct Slice {
    size_t begin, end;
} Slice;

static size_t clamp(int64_t value, size_t low, size_t high)
{
    return value < (int64_t)low ? low : value > (int64_t)high ? high : (size_t)value;
}

// Negative bounds count from the end; then both are moved into the string, the end not before the beginning.
static Slice slice_of(String s, int32_t low, int32_t high, int32_t missing)
{
    const int64_t length = s->length;
    const int64_t from = missing & 1 ? 0 : low < 0 ? low + length : low;
    const int64_t to = missing & 2 ? length : high < 0 ? high + length : high;
    const size_t begin = clamp(from, 0, s->length);
    return (Slice){begin, clamp(to, begin, s->length)};
}

String rt_slice(Context *c, String s, int32_t low, int32_t high, int32_t missing)
{
    s = run_text(s);
    const Slice slice = slice_of(s, low, high, missing);
    if (slice.begin == 0 && slice.end == s->length)
        return s;
    return run_string(c, s->bytes + slice.begin, slice.end - slice.begin);
}

static String replaced(Context *c, String s, Slice slice, String part)
{
    part = run_text(part);
    const size_t tail = s->length - slice.end;
    CqlString *result = run_string_new(c, slice.begin + part->length + tail);
    memcpy(result->bytes, s->bytes, slice.begin);
    memcpy(result->bytes + slice.begin, part->bytes, part->length);
    memcpy(result->bytes + slice.begin + part->length, s->bytes + slice.end, tail);
    return result;
}

int32_t rt_replace_index(Context *c, String s, int32_t index, String part, String *result)
{
    int64_t at;
    s = run_text(s);
    if (!absolute_index(s, index, &at))
        return 0;
    *result = replaced(c, s, (Slice){(size_t)at, (size_t)at + 1}, part);
    return 1;
}

String rt_replace_slice(Context *c, String s, int32_t low, int32_t high, int32_t missing, String part)
{
    s = run_text(s);
    return replaced(c, s, slice_of(s, low, high, missing), part);
}

// The string with the ASCII letters from `first` to `first` + 25 in the other case.
static String other_case(Context *c, String s, char first)
{
    s = run_text(s);
    CqlString *result = run_string_new(c, s->length);
    for (uint32_t i = 0; i < s->length; i++) {
        const char byte = s->bytes[i];
        result->bytes[i] = byte >= first && byte < first + 26 ? (char)(byte ^ 32) : byte;
    }
    return result;
}

String rt_upper(Context *c, String s)
{
    return other_case(c, s, 'a');
}

String rt_lower(Context *c, String s)
{
    return other_case(c, s, 'A');
}

// ---- numbers and characters ------------------------------------------------------------------------------

int32_t rt_parse_int(String s, int32_t *value)
{
    s = run_text(s);
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
    s = run_text(s);
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

// ---- strings that outlive the game -----------------------------------------------------------------------

String rt_keep(Context *c, String s)
{
    s = run_text(s);
    if (s->length == 0)
        return &run_empty;
    CqlString *copy = string_arena_new(&c->run->kept, s->length);
    if (!copy)
        rt_raise(c, RAISE_MEMORY, NULL);
    memcpy(copy->bytes, s->bytes, s->length);
    return copy;
}

void kept_compact(Context *c)
{
    struct RunState *run = c->run;
    if (run->kept.used <= run->kept_limit)
        return;
    StringArena fresh = {.cap = run->kept.cap};
    for (int32_t i = 0; i < c->query->persistent_count; i++) {
        const PersistentInfo *info = &c->query->persistent[i];
        Slot *slot = &c->slot[info->slot];
        if (info->type != 2 || !slot->t || slot->t->length == 0)
            continue;
        CqlString *copy = string_arena_new(&fresh, slot->t->length);
        if (!copy) { // the old arena goes on
            string_arena_free(&fresh);
            return;
        }
        memcpy(copy->bytes, slot->t->bytes, slot->t->length);
        slot->t = copy;
    }
    string_arena_free(&run->kept);
    run->kept = fresh;
    run->kept_limit = 2 * fresh.used + 65536;
}
