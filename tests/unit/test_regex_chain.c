// Random patterns of characters, sets and gaps over random texts: whether they match, against PCRE2 itself.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "test.h"

#include <stdio.h>

#include "runtime/value/regex.h"

enum { TEXTS = 30, LONGEST = 90 };

static uint64_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % limit;
}

// As the language writes it, and as PCRE2 does, which has another `.`.
typedef struct Pattern {
    char own[80], pcre2[200];
} Pattern;

static void add(Pattern *p, const char *term)
{
    const bool is_dot = *term == '.';
    strcat(p->own, term);
    strcat(p->pcre2, is_dot ? "[^\\n\\r]" : "");
    strcat(p->pcre2, term + is_dot);
}

static void random_pattern(Pattern *p)
{
    static const char *const term[] = {"k",     "K",     "R",     "p",     "/",      "kq",    "Rp",    ".",
                                       "[kK]",  "[^k]",  "[a-r]", "[^/8]", "\\.",    ".*",    ".*",    ".*",
                                       ".*?",   ".+",    ".+?",   "[.]",   "8",      " ",     "[K-R]", "k",
                                       "\\x6b", "\\n",   "\xe9",  "k+",    "p?",     "[pR]*", "(k)",   "k{2}",
                                       "\\d",   "[\\d]", ".{2}",  ".?",    "(?:kq)", "$",     "^",     "|"};
    // Mostly those that make a chain.
    const uint32_t terms = random_below(6) ? 27 : sizeof term / sizeof *term;
    *p = (Pattern){"", ""};
    if (random_below(6) == 0)
        add(p, "^");
    for (uint32_t i = 1 + random_below(6); i > 0; i--)
        add(p, term[random_below(terms)]);
    if (random_below(6) == 0)
        add(p, "$");
}

static size_t random_text(char *out)
{
    static const char some[] = "kKRrpPqQb/8 1.\xe9";
    const uint32_t letters = random_below(3) == 0 ? 5 : sizeof some - 1;
    const size_t length = random_below(3) == 0 ? random_below(5) : random_below(LONGEST);
    const bool has_lines = random_below(4) == 0;
    for (size_t i = 0; i < length; i++)
        out[i] = has_lines && random_below(8) == 0 ? "\n\r"[random_below(2)] : some[random_below(letters)];
    return length;
}

static bool is_line(const char *text, size_t length)
{
    return memchr(text, '\n', length) == NULL && memchr(text, '\r', length) == NULL;
}

static int local_patterns;

static void compare(const char *pattern, const Regex *regex, const pcre2_code *code, pcre2_match_data *data)
{
    RegexMemory memory = {0};
    for (int i = 0; i < TEXTS; i++) {
        char text[LONGEST];
        const size_t length = random_text(text);
        const bool expected = pcre2_match(code, (PCRE2_SPTR)text, length, 0, 0, data, NULL) >= 0;
        if ((regex_test(regex, &memory, text, length) == REGEX_FOUND) != expected)
            fail_msg("`%s` in `%.*s`: expected %d", pattern, (int)length, text, expected);
        if (!is_line(text, length))
            continue;
        bool found = false;
        size_t before = 0;
        if (regex_is_local(regex)) {
            local_patterns++;
            before = random_below((uint32_t)length + 1);
            found = regex_test_line(regex, &memory, text, before, 0) == REGEX_FOUND;
            if (found && !expected)
                fail_msg("`%s` in the beginning of `%.*s`", pattern, (int)length, text);
        }
        found = found || regex_test_line(regex, &memory, text, length, before) == REGEX_FOUND;
        if (found != expected)
            fail_msg("`%s` in the line `%.*s`, after %zu: expected %d", pattern, (int)length, text, before,
                     expected);
    }
    regex_memory_free(&memory);
}

static void test_chains(void **state)
{
    (void)state;
    pcre2_match_data *data = pcre2_match_data_create(4, NULL);
    const int patterns = ROUNDS(2000);
    for (int i = 0; i < patterns; i++) {
        Pattern pattern;
        const char *message;
        int error;
        PCRE2_SIZE offset;
        random_pattern(&pattern);
        Regex *regex = regex_new(pattern.own, strlen(pattern.own), 0, &message);
        if (regex == NULL) // such as a quantifier after ^
            continue;
        pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern.pcre2, PCRE2_ZERO_TERMINATED,
                                         PCRE2_DOLLAR_ENDONLY, &error, &offset, NULL);
        assert_non_null(code);
        compare(pattern.own, regex, code, data);
        pcre2_code_free(code);
        regex_free(regex);
    }
    pcre2_match_data_free(data);
    assert_true(local_patterns >= patterns && local_patterns <= patterns * TEXTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
