// Regular expressions by PCRE2.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "regex.h"

#include <pcre2.h>
#include <stdlib.h>

#include "regex_syntax.h"
#include "memory.h"

// Backtracking steps and memory for one match. Ordinary patterns stay far below; those that would run for
// minutes end within about a second.
enum {
    MATCH_LIMIT = 10000000,
    HEAP_LIMIT_KIB = 128 * 1024,
    JIT_STACK_FIRST = 32 * 1024,
    JIT_STACK_LAST = 8 * 1024 * 1024
};

struct Regex {
    pcre2_code *code;
    int groups;
};

static const char *compile_error(int error)
{
    switch (error) {
    case PCRE2_ERROR_DUPLICATE_SUBPATTERN_NAME:
        return "two groups have the same name";
    case PCRE2_ERROR_SUBPATTERN_NAME_TOO_LONG:
        return "the name of a group is too long";
    case PCRE2_ERROR_BAD_SUBPATTERN_REFERENCE:
        return "a back-reference to a group that does not exist";
    default:
        return error < 0 ? "malformed UTF-8" : "the pattern is too large";
    }
}

static const char *compile(const char *pattern, size_t length, int flags, pcre2_code **code)
{
    Buffer translated = {0};
    const char *message = regex_translate(pattern, length, flags, &translated);
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
    const char *message = compile(pattern, length, flags, &code);
    pcre2_code_free(code);
    return message;
}

Regex *regex_new(const char *pattern, size_t length, int flags, const char **message)
{
    pcre2_code *code;
    *message = compile(pattern, length, flags, &code);
    if (*message)
        return NULL;
    Regex *re = memory_new(sizeof *re);
    uint32_t groups = 0;
    pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
    *re = (Regex){code, (int)groups};
    // Fails on machines for which PCRE2 has no compiler; matching then interprets the pattern.
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
    return re;
}

void regex_free(Regex *re)
{
    if (!re)
        return;
    pcre2_code_free(re->code);
    free(re);
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
        pcre2_set_match_limit(context, MATCH_LIMIT);
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

RegexResult regex_match(const Regex *re, RegexMemory *memory, const char *text, size_t length, size_t start,
                        bool nonempty_here, size_t *offset)
{
    memory_prepare(memory, re->groups);
    const uint32_t options = nonempty_here ? PCRE2_NOTEMPTY_ATSTART | PCRE2_ANCHORED : 0;
    int result =
        pcre2_match(re->code, (PCRE2_SPTR)text, length, start, options, memory->match_data, memory->context);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT)
        result = pcre2_match(re->code, (PCRE2_SPTR)text, length, start, options | PCRE2_NO_JIT,
                             memory->match_data, memory->context);
    if (result == PCRE2_ERROR_NOMATCH)
        return REGEX_NONE;
    if (result < 0)
        return REGEX_LIMIT;
    const PCRE2_SIZE *found = pcre2_get_ovector_pointer(memory->match_data);
    for (int i = 0; i < 2 * (re->groups + 1); i++)
        offset[i] = i < 2 * result && found[i] != PCRE2_UNSET ? found[i] : REGEX_NO_OFFSET;
    return REGEX_FOUND;
}

bool regex_found(const Regex *re, const char *text, size_t length)
{
    RegexMemory memory = {0};
    size_t *offset = memory_zeroed(2 * ((size_t)regex_groups(re) + 1), sizeof *offset);
    const RegexResult result = regex_match(re, &memory, text ? text : "", length, 0, false, offset);
    regex_memory_free(&memory);
    free(offset);
    return result == REGEX_FOUND;
}
