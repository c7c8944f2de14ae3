// The work of matching patterns, to the step: a step for each 64 bytes that are looked at, for each eight bytes of a short text, and for
// each place where a longer match goes on (runtime/value/regex.h). What is asked on the way, and which patterns are chains.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/value/regex.h"

static Regex *regex(const char *pattern)
{
    const char *message;
    Regex *re = regex_new(pattern, strlen(pattern), 0, &message);
    if (re == NULL)
        fail_msg("%s: %s", pattern, message);
    return re;
}

// ---- steps ------------------------------------------------------------------------------------------------

// A pattern, and a text: so many letters a, then `end`, then so many letters a again. Where a match starts, and the steps of
// regex_match and regex_test; -1: not tried.
typedef struct Case {
    const char *pattern;
    int before;
    const char *end;
    int after, start;
    int64_t match, test;
} Case;

static void expect(const Case *c)
{
    char text[2000];
    size_t offset[8];
    const size_t end = strlen(c->end), length = (size_t)c->before + end + (size_t)c->after;
    assert_true(length <= sizeof text);
    memset(text, 'a', sizeof text);
    memcpy(text + c->before, c->end, end);
    Regex *re = regex(c->pattern);
    RegexMemory memory = {.steps = 1000}; // of another match
    if (c->match >= 0) {
        assert_int_equal(regex_match(re, &memory, text, length, (size_t)c->start, false, offset),
                         end > 0 ? REGEX_FOUND : REGEX_NONE);
        if (memory.steps != c->match)
            fail_msg("`%s`, %d, %d: %d steps", c->pattern, c->before, c->start, (int)memory.steps);
    }
    if (c->test >= 0) {
        assert_int_equal(regex_test(re, &memory, text, length), end > 0 ? REGEX_FOUND : REGEX_NONE);
        if (memory.steps != c->test)
            fail_msg("test of `%s`, %d: %d steps", c->pattern, c->before, (int)memory.steps);
    }
    regex_memory_free(&memory);
    regex_free(re);
}

static void test_steps(void **state)
{
    (void)state;
    static const Case cases[] = {
        // A literal: a match counts from its start to the end of what is found, or of the text; a test up to what is found.
        {"b", 640, "", 0, 0, 10, 10},
        {"b", 639, "", 0, 0, 9, 9},
        {"b", 640, "", 0, 64, 9, -1},
        {"b", 640, "", 0, 1, 9, -1},
        {"b", 127, "b", 500, 0, 2, 1},
        {"b", 128, "b", 500, 0, 2, 2},
        {"b", 126, "b", 500, 0, 1, 1},
        {"b", 127, "b", 500, 64, 1, -1},
        {"b", 127, "b", 500, 65, 0, -1},
        {"bc", 126, "bc", 500, 0, 2, 1},
        {"b$", 512, "", 0, 0, 8, 8},
        {"b$", 511, "b", 0, 0, 8, -1},
        {"^b", 512, "", 0, 0, 8, 8},
        {"^b$", 512, "", 0, 0, 8, 8},
        // Other patterns: two letters that every match contains are looked for first; where they are missing, that is all.
        {"(x|y)bc", 512, "", 0, 0, 8, 8},
        {"(x|y)bc", 640, "", 0, 0, 10, 10},
        {"(x|y)bc", 640, "", 0, 128, 8, -1},
        // A single letter is not. A text of at most 512 bytes takes a step for each eight.
        {"(x|y)b", 512, "", 0, 0, 64, 64},
        {"(x|y)b", 511, "", 0, 0, 63, 63},
        {"(x|y)b", 519, "", 0, 8, 63, -1},
        // In a longer one nothing begins a match, so that only its bytes count, from the start on.
        {"(x|y)b", 513, "", 0, 0, 8, 8},
        {"(x|y)b", 640, "", 0, 0, 10, 10},
        {"(x|y)b", 704, "", 0, 64, 10, -1},
        // Both: up to the two letters, and all of the text.
        {"(x|y)bc", 255, "xbc", 254, 0, 4 + 64, 4 + 64},
        {"(x|y)bc", 254, "xbc", 255, 0, 3 + 64, 3 + 64},
        {"(x|y)bc", 255 + 64, "xbc", 254, 64, 4 + 64, -1},
        // A test of a chain looks at the text once, and at the bytes of a part with sets at each place where it may be.
        {"[bc]", 512, "", 0, 0, -1, 8 + 7},
        {"[bc]", 577, "", 0, 0, -1, 9 + 9},
        {"[bc][de]", 512, "", 0, 0, -1, 8 + 15},   // twice 510
        {"[bc][de]", 514, "", 0, 0, -1, 8 + 16},   // twice 512
        {"[ab].*[cd]", 640, "", 0, 0, -1, 10 + 9}, // the first part at once, then 638 places
        {"[ab].*[cd]", 642, "", 0, 0, -1, 10 + 10},
        {"[bc]", 128, "c", 0, 0, -1, 2 + 2},
        {"[bc]", 127, "c", 0, 0, -1, 2 + 1},
        {"b.*c", 640, "", 0, 0, -1, 10}, // letters are found without that
        {"a.*b", 128, "b", 511, 0, -1, 10},
        {"^[bc]", 640, "", 0, 0, -1, 10}, // and so is what can only be at an end
        {"[bc]$", 640, "", 0, 0, -1, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(&cases[i]);
}

// A line that goes on from what was tested before takes the steps of what is new.
static void test_lines(void **state)
{
    (void)state;
    char line[960];
    memset(line, 'a', sizeof line);
    Regex *re = regex("[ab].*[cd]");
    RegexMemory memory = {0};
    assert_int_equal(regex_test_line(re, &memory, line, 320, 0), REGEX_NONE);
    assert_int_equal(memory.steps, 5 + 4); // 318 places for the second part
    assert_int_equal(regex_test_line(re, &memory, line, 640, 320), REGEX_NONE);
    assert_int_equal(memory.steps, 5 + 4); // 319
    assert_int_equal(regex_test_line(re, &memory, line, 960, 640), REGEX_NONE);
    assert_int_equal(memory.steps, 5 + 4);
    assert_int_equal(regex_test_line(re, &memory, line, 960, 0), REGEX_NONE);
    assert_int_equal(memory.steps, 15 + 14); // 958
    line[700] = 'c';
    assert_int_equal(regex_test_line(re, &memory, line, 960, 640), REGEX_FOUND);
    assert_int_equal(memory.steps, 5 + 0); // 60
    regex_memory_free(&memory);
    regex_free(re);
    // what the letters of a pattern are is not looked for first in a line
    re = regex("bc.*[de]");
    assert_int_equal(regex_test_line(re, &memory, line, 640, 0), REGEX_NONE);
    assert_int_equal(memory.steps, 10);
    regex_memory_free(&memory);
    regex_free(re);
}

// ---- the end of a match -------------------------------------------------------------------------------------

static int asked, most_asked;

static bool stop_after(void *user)
{
    assert_ptr_equal(user, &asked);
    return ++asked > most_asked;
}

// Whether the match is to end is asked after each 4096 steps.
static void test_looks(void **state)
{
    (void)state;
    static const struct {
        int64_t most; // steps
        int answers;  // that let it go on
        int asked;
        int64_t steps;
    } cases[] = {{1, 100, 0, 8},          {4096, 100, 0, 4096}, {4097, 100, 1, 4097},
                 {8192, 100, 1, 8192},    {8193, 100, 2, 8193}, {40960, 100, 9, 40960},
                 {40961, 100, 10, 40961}, {8193, 0, 1, 4096},   {100000, 2, 3, 12288}};
    char text[60];
    size_t offset[4];
    memset(text, 'a', sizeof text);
    Regex *re = regex("^(a+)+[bc]");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RegexMemory memory = {.most_steps = cases[i].most, .stopped = stop_after, .user = &asked};
        asked = 0;
        most_asked = cases[i].answers;
        assert_int_equal(regex_match(re, &memory, text, sizeof text, 0, false, offset), REGEX_STOPPED);
        assert_int_equal(asked, cases[i].asked);
        assert_int_equal(memory.steps, cases[i].steps);
        regex_memory_free(&memory);
        assert_true(memory.match_data == NULL && memory.context == NULL && memory.stack == NULL);
        assert_true(memory.groups == 0 && memory.limit == 0);
    }
    regex_free(re);
}

// ---- literals and chains ----------------------------------------------------------------------------------

// What every match contains: the longest run of characters outside of parentheses, the first of those that are as long. And whether the
// pattern is local: a chain that need not be at the end.
static void test_required(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *required;
        bool is_local;
    } cases[] = {
        {"abc", "abc", true},       {"ab.cd", "ab", true},
        {"ab.cde", "cde", true},    {"a.*bc", "bc", true},
        {"a.+bc", "bc", true},      {"a.+?bc", "bc", true},
        {"[ab]c", "c", true},       {"[^ab]c", "c", true},
        {"c[a-f]", "c", true},      {".", "", true},
        {"[ab]", "", true},         {"\\.b", ".b", true},
        {"\\x61b", "ab", true},     {"^ab", "ab", true},
        {"^.*ab", "ab", true},      {"^[ab]", "", true},
        {"a.*$", "a", true},        {".*ab", "ab", true},
        {"ab.*", "ab", true},       {"[]a]b", "a]b", false},
        {"ab$", "ab", false},       {"[ab]$", "", false},
        {".*ab$", "ab", false},     {"^ab$", "ab", false},
        {"a$b", "a", false},        {"a^b", "a", false},
        {"ab+c", "ab", false},      {"a+bc", "bc", false},
        {"ab*cd", "cd", false},     {"ab?c", "a", false},
        {"ab{2}cde", "cde", false}, {"a|bc", "", false},
        {"abc|", "", false},        {"(ab)c", "c", false},
        {"(a|b)cd", "cd", false},   {"(?:ab)cd", "cd", false},
        {"ab(?=c)", "ab", false},   {"\\dab", "ab", false},
        {"a[\\d]b", "a", false},    {"[[:alpha:]]bc", "bc", false},
        {"\\bab", "ab", false},     {"(a)bc\\1", "bc", false},
        {"a[^]bc", "bc", false},    {"a.?bc", "bc", false},
        {"a[bc]+", "a", false},     {"a.{2}", "a", false},
        {".*", "", false},          {"^", "", false},
        {"$", "", false},           {"", "", false},
        {"[]", "", false},          {"^.*", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *pattern = cases[i].pattern, *wanted = cases[i].required;
        size_t length;
        Buffer literal = {0};
        Regex *re = regex(pattern);
        const char *required = regex_required(re, &length);
        if (length != strlen(wanted) || memcmp(length > 0 ? required : "", wanted, length) != 0)
            fail_msg("`%s` requires `%.*s`", pattern, (int)length, length > 0 ? required : "");
        if (regex_is_local(re) != cases[i].is_local)
            fail_msg("`%s` is local: %d", pattern, !cases[i].is_local);
        regex_literal(pattern, strlen(pattern), 0, &literal);
        assert_int_equal(literal.length, length);
        assert_memory_equal(length > 0 ? literal.start : "", wanted, length);
        buffer_free(&literal);
        regex_free(re);
    }
    // characters beyond ASCII count in bytes; no pattern of characters is a chain
    const char *message;
    size_t length;
    Regex *re = regex_new("\xC3\xA9\\u20ACab.abcdef", 17, REGEX_UNICODE, &message);
    assert_non_null(re);
    assert_memory_equal(regex_required(re, &length),
                        "\xC3\xA9\xE2\x82\xAC"
                        "ab",
                        7);
    assert_int_equal(length, 7);
    assert_false(regex_is_local(re));
    regex_free(re);
}

// Chains have up to 64 links; only they can be tested in parts of a line.
static void test_longest_chain(void **state)
{
    (void)state;
    for (int links = 62; links <= 66; links++) {
        char pattern[600] = "", line[70];
        for (int i = 0; i < links; i++)
            strcat(pattern, i % 10 == 9 ? ".*[ab]" : i % 2 ? "a" : "[ab]");
        Regex *re = regex(pattern);
        assert_int_equal(regex_is_local(re), links <= 64);
        memset(line, 'a', sizeof line);
        assert_true(regex_found(re, line, (size_t)links));
        assert_false(regex_found(re, line, (size_t)links - 1));
        regex_free(re);
    }
}

// Each byte alone, in brackets, and all others; bytes that end a line among them.
static void test_bytes(void **state)
{
    (void)state;
    for (int byte = 0; byte < 256; byte++) {
        char pattern[20];
        snprintf(pattern, sizeof pattern, "[\\x%02x]z", byte);
        Regex *one = regex(pattern);
        snprintf(pattern, sizeof pattern, "[^\\x%02x]z", byte);
        Regex *others = regex(pattern);
        for (int other = 0; other < 256; other++) {
            const char text[2] = {(char)other, 'z'};
            if (regex_found(one, text, 2) != (byte == other) ||
                regex_found(others, text, 2) != (byte != other))
                fail_msg("byte %d in the place of %d", other, byte);
        }
        regex_free(one);
        regex_free(others);
    }
}

static bool is_of_class(int byte, char class)
{
    switch (class) {
    case 'd':
        return byte >= '0' && byte <= '9';
    case 'w':
        return is_of_class(byte, 'd') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
               byte == '_';
    case 's':
        return byte == ' ' || (byte >= '\t' && byte <= '\r');
    case '.':
        return byte != '\n' && byte != '\r';
    default: // D, W, S
        return !is_of_class(byte, (char)(class - 'A' + 'a'));
    }
}

// Each byte in each class, alone and in brackets, as a part of a line and in a text that is more than that.
static void test_classes(void **state)
{
    (void)state;
    for (const char *class = ".dDwWsS"; *class; class ++) {
        for (int way = 0; way < 3; way++) {
            char pattern[20];
            if (*class == '.' && way == 1)
                continue;
            snprintf(pattern, sizeof pattern,
                     way == 1   ? "[%s%c]z"
                     : way == 2 ? "(%s%c)z"
                                : "%s%cz",
                     *class == '.' ? "" : "\\", *class);
            Regex *re = regex(pattern);
            for (int byte = 0; byte < 256; byte++) {
                const char text[4] = {(char)byte, 'z', '\n', 'z'};
                for (size_t length = 2; length <= 3; length++)
                    if (regex_found(re, text, length) != is_of_class(byte, *class))
                        fail_msg("%s: byte %d", pattern, byte);
            }
            regex_free(re);
        }
    }
}

// From each byte to each other one.
static void test_ranges(void **state)
{
    (void)state;
    static const int ends[] = {0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 254, 255};
    enum { ENDS = sizeof ends / sizeof *ends };
    for (int low = 0; low < ENDS; low++)
        for (int high = low; high < ENDS; high++) {
            char pattern[20];
            snprintf(pattern, sizeof pattern, "[\\x%02x-\\x%02x]z", ends[low], ends[high]);
            Regex *re = regex(pattern);
            for (int i = 0; i < ENDS; i++) {
                const char text[2] = {(char)ends[i], 'z'};
                assert_int_equal(regex_found(re, text, 2), i >= low && i <= high);
            }
            regex_free(re);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),    cmocka_unit_test(test_lines),         cmocka_unit_test(test_looks),
        cmocka_unit_test(test_required), cmocka_unit_test(test_longest_chain), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_classes),  cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
