// Regular expressions by PCRE2.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "regex.h"

#include <pcre2.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "regex_syntax.h"
#include "memory.h"
#include "strings.h"

// Backtracking and memory for one match. Ordinary patterns stay far below. A match in a short text is first tried without counting
// its steps, with little backtracking.
enum {
    MATCH_LIMIT = 10000000,
    SHORT_TEXT = 512,
    SHORT_LIMIT = 200,
    SHORT_BYTES_PER_STEP = 8,
    BYTES_PER_STEP = 64,
    STEPS_PER_LOOK = 4096, // whether the match is to end
    HEAP_LIMIT_KIB = 128 * 1024,
    JIT_STACK_FIRST = 32 * 1024,
    JIT_STACK_LAST = 8 * 1024 * 1024
};

// The links of a chain between two gaps.
typedef struct Part {
    const ChainLink *link;
    const char *bytes;     // of the links, if is_literal
    size_t length, anchor; // anchor: the first link with a single byte; length: none
    bool at_start, at_end; // of the text
    bool is_literal;       // all links have a single byte
} Part;

struct Regex {
    pcre2_code *code;
    int groups;
    bool compiled; // to machine code
    Literal literal;
    Part *part; // if literal.chain.is_all
    int part_count;
    // The same with callouts that count steps, made when it is first needed.
    _Atomic(pcre2_code *) metered;
    Buffer pattern;
    int flags;
};

static const char *compile_error(int error)
{
    switch (error) {
    case PCRE2_ERROR_DUPLICATE_SUBPATTERN_NAME:
        return "two groups have the same name";
    case PCRE2_ERROR_BAD_SUBPATTERN_REFERENCE:
        return "a back-reference to a group that does not exist";
    default:
        return error < 0 ? "malformed UTF-8" : "the pattern is too large";
    }
}

static const char *compile(const char *pattern, size_t length, int flags, pcre2_code **code, Literal *literal)
{
    Buffer translated = {0};
    const char *message = regex_translate(pattern, length, flags, &translated, literal);
    const uint32_t unicode = flags & REGEX_UNICODE ? PCRE2_UTF | PCRE2_MATCH_INVALID_UTF : 0;
    *code = NULL;
    if (!message) {
        int error;
        PCRE2_SIZE offset;
        *code = pcre2_compile((PCRE2_SPTR)(translated.start ? translated.start : ""), translated.length,
                              PCRE2_DOLLAR_ENDONLY | unicode, &error, &offset, NULL);
        if (!*code)
            message = compile_error(error);
    }
    buffer_free(&translated);
    return message;
}

const char *regex_check(const char *pattern, size_t length, int flags)
{
    pcre2_code *code;
    Literal literal = {0};
    const char *message = compile(pattern, length, flags, &code, &literal);
    pcre2_code_free(code);
    literal_free(&literal);
    return message;
}

void regex_literal(const char *pattern, size_t length, int flags, Buffer *out)
{
    Buffer translated = {0};
    Literal literal = {0};
    if (regex_translate(pattern, length, flags, &translated, &literal) == NULL)
        buffer_append(out, literal.text.start, literal.text.length);
    buffer_free(&translated);
    literal_free(&literal);
}

static void add_part(Regex *re, Part part)
{
    while (part.anchor < part.length && !part.link[part.anchor].is_single)
        part.anchor++;
    part.is_literal = true;
    for (size_t i = 0; i < part.length; i++)
        part.is_literal = part.is_literal && part.link[i].is_single;
    re->part = memory_resized(re->part, (size_t)re->part_count + 1, sizeof *re->part);
    re->part[re->part_count++] = part;
}

static void make_parts(Regex *re)
{
    const Chain *chain = &re->literal.chain;
    const ChainLink *const first = (const ChainLink *)(const void *)chain->links.start, *link = first;
    if (!chain->is_all)
        return;
    for (const ChainLink *const end = link + chain_length(chain); link < end;) {
        Part part = {.link = link,
                     .bytes = chain->bytes.start + (link - first),
                     .length = 1,
                     .at_start = re->part_count == 0 && chain->at_start};
        while (link + part.length < end && !link[part.length].after_gap)
            part.length++;
        link += part.length;
        part.at_end = chain->at_end && link == end;
        add_part(re, part);
    }
}

Regex *regex_new(const char *pattern, size_t length, int flags, const char **message)
{
    pcre2_code *code;
    Literal literal = {0};
    *message = compile(pattern, length, flags, &code, &literal);
    if (*message) {
        literal_free(&literal);
        return NULL;
    }
    Regex *re = memory_new(sizeof *re);
    uint32_t groups = 0;
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
    // Compiling fails on machines for which PCRE2 has no compiler; matching then interprets the pattern.
    *re = (Regex){.code = code,
                  .groups = (int)groups,
                  .compiled = pcre2_jit_compile(code, PCRE2_JIT_COMPLETE) == 0,
                  .literal = literal,
                  .flags = flags};
    buffer_append(&re->pattern, pattern, length);
    make_parts(re);
    return re;
}

void regex_free(Regex *re)
{
    if (!re)
        return;
    pcre2_code_free(re->code);
    pcre2_code_free(re->metered);
    literal_free(&re->literal);
    free(re->part);
    buffer_free(&re->pattern);
    free(re);
}

const char *regex_required(const Regex *re, size_t *length)
{
    *length = re->literal.text.length;
    return re->literal.text.start;
}

int regex_groups(const Regex *re)
{
    return re->groups;
}

int regex_group_number(const Regex *re, const char *name)
{
    const int number = pcre2_substring_number_from_name(re->code, (PCRE2_SPTR)name);
    return number > 0 ? number : -1;
}

void regex_memory_free(RegexMemory *m)
{
    pcre2_match_data_free(m->match_data);
    pcre2_match_context_free(m->context);
    pcre2_jit_stack_free(m->stack);
    *m = (RegexMemory){0};
}

static void memory_prepare(RegexMemory *m, int groups)
{
    if (!m->context) {
        pcre2_match_context *context = memory_checked(pcre2_match_context_create(NULL));
        pcre2_set_heap_limit(context, HEAP_LIMIT_KIB);
        m->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_LAST, NULL);
        if (m->stack)
            pcre2_jit_stack_assign(context, NULL, m->stack);
        m->context = context;
    }
    if (!m->match_data || groups > m->groups) {
        pcre2_match_data_free(m->match_data);
        m->match_data = memory_checked(pcre2_match_data_create((uint32_t)groups + 1, NULL));
        m->groups = groups;
    }
}

// Adds the steps that it takes to look at some bytes.
static void count_bytes(RegexMemory *m, size_t bytes)
{
    m->steps += (int64_t)(bytes / BYTES_PER_STEP);
}

// ---- literals ---------------------------------------------------------------------------------------------

// Where a pattern that is a literal first matches at or after `start`, or NULL.
static const char *find_literal(const Literal *l, const char *text, size_t length, size_t start)
{
    const size_t size = l->text.length;
    if (length - start < size || (l->at_start && (start > 0 || (l->at_end && length != size))))
        return NULL;
    const char *place = l->at_start ? text : l->at_end ? text + length - size : NULL;
    if (size == 0)
        return place ? place : text + start;
    if (!place)
        return string_find(text + start, length - start, l->text.start, size);
    return memcmp(place, l->text.start, size) == 0 ? place : NULL;
}

// regex_match for a pattern that is a literal.
static RegexResult match_literal(const Literal *l, const char *text, size_t length, size_t start,
                                 bool nonempty_here, size_t *offset)
{
    const char *found = find_literal(l, text, length, start);
    if (!found || (nonempty_here && (l->text.length == 0 || found != text + start)))
        return REGEX_NONE;
    offset[0] = (size_t)(found - text);
    offset[1] = offset[0] + l->text.length;
    return REGEX_FOUND;
}

// False when the text lacks the literal that every match contains.
static bool may_match(const Literal *l, RegexMemory *memory, const char *text, size_t length, size_t start)
{
    if (l->text.length < 2)
        return true;
    const char *found = string_find(text + start, length - start, l->text.start, l->text.length);
    count_bytes(memory, found ? (size_t)(found - text) - start : length - start);
    return found;
}

// ---- chains -----------------------------------------------------------------------------------------------

static bool part_is_at(const Part *part, const char *place)
{
    for (size_t i = 0; i < part->length; i++)
        if (!byte_set_has(&part->link[i].set, place[i]))
            return false;
    return true;
}

// Where the part first matches between two places, or NULL.
static const char *find_part(const Part *part, RegexMemory *memory, const char *from, const char *end)
{
    const size_t room = (size_t)(end - from), length = part->length, anchor = part->anchor;
    if (room < length || (part->at_start && part->at_end && room != length))
        return NULL;
    if (part->at_start || part->at_end) {
        const char *place = part->at_start ? from : end - length;
        return part_is_at(part, place) ? place : NULL;
    }
    if (part->is_literal)
        return string_find(from, room, part->bytes, length);
    const char *const last = end - length, *found = NULL;
    for (const char *place = from; place <= last && found == NULL; place++) {
        if (anchor < length) {
            place = memchr(place + anchor, part->bytes[anchor], (size_t)(last - place) + 1);
            if (place == NULL)
                break;
            place -= anchor;
        }
        if (part_is_at(part, place))
            found = place;
    }
    count_bytes(memory, length * (size_t)((found != NULL ? found : last) - from));
    return found;
}

// Does a chain match in a text without ends of lines? Its parts are found one after the other, each as early as possible: what is
// found later leaves no more room for the next. before: as of regex_test_line.
static bool test_chain(const Regex *re, RegexMemory *memory, const char *text, size_t length, size_t before)
{
    if (length == 0) // each part has a byte
        return false;
    int p = 0;
    const char *from = text, *const end = text + length;
    count_bytes(memory, length - before);
    if (before > 0) {
        p = memory->part;
        from += memory->part_from;
        const size_t overlap = re->part[p].length - 1;
        if (!re->part[p].at_start && before > overlap && text + before - overlap > from)
            from = text + before - overlap;
    }
    for (; p < re->part_count; p++) {
        const char *found = find_part(&re->part[p], memory, from, end);
        if (found == NULL) {
            memory->part = p;
            memory->part_from = (size_t)(from - text);
            return false;
        }
        from = found + re->part[p].length;
    }
    return true;
}

// ---- matching ---------------------------------------------------------------------------------------------

// Called by PCRE2 wherever a metered match goes on: counts its work, and ends it.
static int count_steps(pcre2_callout_block *block, void *user)
{
    RegexMemory *m = user;
    const size_t here = block->current_position;
    const size_t distance = here > m->place ? here - m->place : m->place - here;
    const int64_t before = m->steps / STEPS_PER_LOOK;
    m->place = here;
    m->steps += 1 + (int64_t)(distance / BYTES_PER_STEP);
    if (m->most_steps > 0 && m->steps >= m->most_steps)
        return PCRE2_ERROR_CALLOUT;
    return m->steps / STEPS_PER_LOOK != before && m->stopped && m->stopped(m->user) ? PCRE2_ERROR_CALLOUT : 0;
}

// The pattern with callouts. Threads that make it at the same time keep the first.
static pcre2_code *metered_code(const Regex *re)
{
    Regex *shared = (Regex *)re;
    pcre2_code *code = atomic_load(&shared->metered), *none = NULL;
    if (code)
        return code;
    Literal literal = {0};
    memory_checked(compile(re->pattern.start ? re->pattern.start : "", re->pattern.length,
                           re->flags | REGEX_METERED, &code, &literal)
                       ? NULL
                       : code);
    literal_free(&literal);
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    if (atomic_compare_exchange_strong(&shared->metered, &none, code))
        return code;
    pcre2_code_free(code);
    return none;
}

// One attempt by a code, as machine code where there is some and it can.
static int attempt(const pcre2_code *code, RegexMemory *memory, const char *text, size_t length, size_t start,
                   uint32_t options)
{
    int result = PCRE2_ERROR_JIT_STACKLIMIT;
    if (options == 0)
        result =
            pcre2_jit_match(code, (PCRE2_SPTR)text, length, start, 0, memory->match_data, memory->context);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT || result == PCRE2_ERROR_JIT_BADOPTION)
        result = pcre2_match(code, (PCRE2_SPTR)text, length, start, options | PCRE2_NO_JIT,
                             memory->match_data, memory->context);
    return result;
}

// Bounds what the next attempts may do, and counts their steps if they are metered.
static void set_limit(RegexMemory *m, uint32_t limit)
{
    if (m->limit == limit)
        return;
    m->limit = limit;
    pcre2_set_match_limit(m->context, limit);
    pcre2_set_callout(m->context, limit == SHORT_LIMIT ? NULL : count_steps, m);
}

// The result of PCRE2; the match is in memory->match_data.
static int match(const Regex *re, RegexMemory *memory, const char *text, size_t length, size_t start,
                 uint32_t options)
{
    int result;
    memory_prepare(memory, re->groups);
    if (re->compiled && options == 0 && length - start <= SHORT_TEXT) {
        memory->steps += (int64_t)((length - start) / SHORT_BYTES_PER_STEP);
        set_limit(memory, SHORT_LIMIT);
        result = attempt(re->code, memory, text, length, start, 0);
        if (result >= 0 || result == PCRE2_ERROR_NOMATCH)
            return result;
    }
    memory->place = start;
    set_limit(memory, MATCH_LIMIT);
    result = attempt(metered_code(re), memory, text, length, start, options);
    if (result == PCRE2_ERROR_NOMATCH)
        count_bytes(memory, length - memory->place);
    return result;
}

static RegexResult outcome(int result)
{
    return result >= 0                     ? REGEX_FOUND
           : result == PCRE2_ERROR_NOMATCH ? REGEX_NONE
           : result == PCRE2_ERROR_CALLOUT ? REGEX_STOPPED
                                           : REGEX_LIMIT;
}

RegexResult regex_match(const Regex *re, RegexMemory *memory, const char *text, size_t length, size_t start,
                        bool nonempty_here, size_t *offset)
{
    memory->steps = 0;
    if (re->literal.is_all) {
        const RegexResult found = match_literal(&re->literal, text, length, start, nonempty_here, offset);
        count_bytes(memory, found == REGEX_FOUND ? offset[1] - start : length - start);
        return found;
    }
    if (!may_match(&re->literal, memory, text, length, start))
        return REGEX_NONE;
    const int result =
        match(re, memory, text, length, start, nonempty_here ? PCRE2_NOTEMPTY_ATSTART | PCRE2_ANCHORED : 0);
    if (result < 0)
        return outcome(result);
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(memory->match_data);
    for (int i = 0; i < 2 * (re->groups + 1); i++)
        offset[i] = i < 2 * result && found[i] != PCRE2_UNSET ? found[i] : REGEX_NO_OFFSET;
    return REGEX_FOUND;
}

static bool is_line(const char *text, size_t length)
{
    return length == 0 || (memchr(text, '\n', length) == NULL && memchr(text, '\r', length) == NULL);
}

bool regex_is_local(const Regex *re)
{
    const Literal *l = &re->literal;
    return l->chain.is_all && !l->chain.at_end;
}

RegexResult regex_test(const Regex *re, RegexMemory *memory, const char *text, size_t length)
{
    memory->steps = 0;
    if (re->literal.is_all) {
        const char *found = find_literal(&re->literal, text, length, 0);
        count_bytes(memory, found ? (size_t)(found - text) : length);
        return found ? REGEX_FOUND : REGEX_NONE;
    }
    if (!may_match(&re->literal, memory, text, length, 0))
        return REGEX_NONE;
    if (re->literal.chain.is_all && is_line(text, length))
        return test_chain(re, memory, text, length, 0) ? REGEX_FOUND : REGEX_NONE;
    return outcome(match(re, memory, text, length, 0, 0));
}

RegexResult regex_test_line(const Regex *re, RegexMemory *memory, const char *line, size_t length,
                            size_t before)
{
    if (!re->literal.chain.is_all)
        return regex_test(re, memory, line, length);
    memory->steps = 0;
    return test_chain(re, memory, line, length, before) ? REGEX_FOUND : REGEX_NONE;
}

bool regex_found(const Regex *re, const char *text, size_t length)
{
    RegexMemory memory = {0};
    const RegexResult result = regex_test(re, &memory, text ? text : "", length);
    regex_memory_free(&memory);
    return result == REGEX_FOUND;
}
