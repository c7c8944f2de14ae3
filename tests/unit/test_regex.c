// Regular expressions (language reference 7.11), and the steps of a budget that they and strings take.
#include <stdio.h>
#include <stdlib.h>

#include "runtime/match/run_state.h"
#include "runtime/value/regex.h"
#include "run_fixture.h"

static void test_regex_syntax(void **state)
{
    (void)state;
    static const char *const good[] = {
        "",
        "a|b|",
        "(a)(?:b)*\\1",
        "a{2}b{2,}c{0,3}?",
        "[^]",
        "[]",
        "[]a]",
        "[\\]a]",
        "[a-z-]",
        "[[:alpha:]_]",
        "\\d\\D\\w\\W\\s\\S\\b\\B",
        "\\n\\r\\t\\f\\v\\0\\x41\\u00e9",
        "(?=a)(?!b)",
        "\\.\\*\\{",
        "a]b}",
        "^$",
        "[\\b]",
        "\\cJ[\\cj]",
    };
    static const char *const bad[] = {
        "(?<=a)",  "(?<n>a)",   "(?i)a",   "(?#x)",   "(?>a)",    "(a",          "a)",       "*a",
        "a|*",     "[z-a]",     "a{",      "a{x}",    "a{2,1}",   "\\1",         "(a)\\2",   "a**",
        "a++",     "a*+",       "a{2}{3}", "^*",      "\\b+",     "(?=a)*",      "[a",       "\\",
        "[\\d-z]", "[[:foo:]]", "\\u0100", "\\x4",    "(*UTF)a",  "\\Qa\\E",     "\\K",      "\\p{L}",
        "\\A",     "(?P<n>a)",  "[a-\\w]", "{2}",     "a{99999}", "[[:ascii:]]", "[[:al:]]", "[[:x:]]",
        "\\c",     "\\c1",      "\\01",    "[[.a.]]", "[[=a=]]",  "[a\\",        "[\\q]",    "[a-\\q]",
        "\\xZ0",   "a{1",       "a{1,",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (regex_check(good[i], strlen(good[i]), 0))
            fail_msg("%s: %s", good[i], regex_check(good[i], strlen(good[i]), 0));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!regex_check(bad[i], strlen(bad[i]), 0))
            fail_msg("accepted: %s", bad[i]);
    for (size_t depth = 100; depth <= 1000;
         depth += depth == 100 ? 1 : 899) { // after others, which do not count
        char deep[2101] = "";
        for (int i = 0; i < 25; i++)
            strcat(deep, "(a)|");
        memset(deep + 100, '(', depth);
        memset(deep + 100 + depth, ')', depth);
        const char *mistake = regex_check(deep, 100 + 2 * depth, 0);
        assert_string_equal(mistake ? mistake : "", depth == 100 ? "" : "parentheses are nested too deeply");
    }
}

typedef struct MatchCase {
    const char *pattern, *text;
    const char *expected; // NULL: no match
} MatchCase;

static void test_regex_matches(void **state)
{
    (void)state;
    static const MatchCase cases[] = {
        {"a|ab", "ab", "a"}, // the first alternative, not the longest
        {"b+", "abbb", "bbb"},
        {"b+?", "abbb", "b"},
        {"^b", "ab", NULL},
        {"a$", "a\n", NULL},
        {"^b", "a\nb", NULL},
        {"a.b", "a\nb", NULL},
        {"a.b", "a\rb", NULL},
        {"a.b",
         "a\x85"
         "b",
         "a\x85"
         "b"},
        {"a[^x]b", "a\nb", "a\nb"},
        {"a[^]b", "a\nb", "a\nb"},
        {"a[]b", "ab", NULL},
        {"[]a]", "a]", NULL},
        {"[\\]a]+", "a]", "a]"},
        {"(a)?b\\1", "b", NULL}, // a group that took no part
        {"(a)b\\1", "aba", "aba"},
        {"\\w+", "Z\xc3\xbc", "Z"},
        {"Z..", "Z\xc3\xbc", "Z\xc3\xbc"},
        {"\\d+", "x12", "12"},
        {"[[:digit:]a]+", "x1a2", "1a2"},
        {"[[:d:]a]+", "x1a2", "1a2"},
        {"[[:w:]-]+", "!a_-1", "a_-1"},
        {"[^[:s:]]+", " ab ", "ab"},
        {"[^[:alpha:]]", "ab1", "1"},
        {"\\x41\\u0042", "AB", "AB"},
        {"q(?!u)", "quq", "q"},
        {"a{2}", "aaa", "aa"},
        {"\\bb", "ab b", "b"},
        {"a{2,}", "a", NULL},
        {"", "abc", ""},
        {"[a-]+", "-a-", "-a-"},
        {"\\s", "\xa0", NULL},
        {"(?=ab)a", "aab", "a"},
        {"[\\b]", "\b", "\b"},
        {"}]", "}]", "}]"},
        {"\\cJz", "z\nz", "\nz"},
        {"\\cjz", "z\nz", "\nz"},
        {"\\cAb", "\001b", "\001b"},
        {"[\\cZb]+", "a\032b", "\032b"},
        {"\\n\\r\\t\\f\\v", "a\n\r\t\f\v", "\n\r\t\f\v"},
        {"[\\n\\r\\t\\f\\v]+", "a\n\r\t\f\va", "\n\r\t\f\v"},
        {"a\\0", "a\001", NULL},
        {"a[^\\0]", "a\001", "a\001"},
        {"\\x5a\\x5A\\u005a\\u005A", "ZZZZ", "ZZZZ"},
        {"\\x7e\\x4F\\xaF", "~O\xaf", "~O\xaf"},
        {"[\\x30-\\u0039]+", "/0189:", "0189"},
        {"\\D+", "09/:12", "/:"},
        {"\\W+", "09AZ_az/:@[^`{ 1", "/:@[^`{ "},
        {"\\w+", "/09AZ_az@", "09AZ_az"},
        {"\\S+", "\t\n\v\f\r \b!", "\b!"},
        {"\\s+", "a\t\n\v\f\r \b", "\t\n\v\f\r "},
        {"[\\D]+", "1a/:2", "a/:"},
        {"[^\\D]+", "a12b", "12"},
        {"[\\d-]+", "a1-2b", "1-2"},
    };
    const char *mistake;
    Regex *zero = regex_new("a\\0b", 4, 0, &mistake);
    RegexMemory some = {0};
    size_t place[20];
    assert_int_equal(regex_match(zero, &some, "ab\0a\0b", 6, 0, false, place), REGEX_FOUND);
    assert_int_equal(place[0], 3);
    regex_memory_free(&some);
    regex_free(zero);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const MatchCase *m = &cases[i];
        const char *message;
        Regex *re = regex_new(m->pattern, strlen(m->pattern), 0, &message);
        if (!re)
            fail_msg("%s: %s", m->pattern, message);
        RegexMemory memory = {0};
        size_t offset[20];
        const RegexResult found = regex_match(re, &memory, m->text, strlen(m->text), 0, false, offset);
        if (found != (m->expected ? REGEX_FOUND : REGEX_NONE))
            fail_msg("%s on %s", m->pattern, m->text);
        if (m->expected && (offset[1] - offset[0] != strlen(m->expected) ||
                            memcmp(m->text + offset[0], m->expected, strlen(m->expected)) != 0))
            fail_msg("%s on %s: %zu-%zu", m->pattern, m->text, offset[0], offset[1]);
        regex_memory_free(&memory);
        regex_free(re);
    }
}

// A random term of a pattern, or an operator that may follow one.
static const char *random_piece(uint32_t *seed)
{
    static const char *const pieces[] = {"a",    "b",     "ab",  "ba",     "a",     "b",  "\\x61", "\\.",
                                         ".",    "[ab]",  "(a)", "(?:ab)", "(?!b)", "a+", "b*",    "a?",
                                         "b{2}", "a{0}b", "a+?", "^",      "$",     "|",  "\\b",   "(b|a)"};
    *seed = *seed * 1103515245u + 12345u;
    return pieces[(*seed >> 16) % (sizeof pieces / sizeof *pieces)];
}

// What literals save must not change what is found: the same pattern in parentheses has none.
static void test_regex_literals(void **state)
{
    (void)state;
    enum { PATTERNS = 1500 };
    static const char *const texts[] = {"",    "a",        "ab",     "abab",
                                        "b.a", "aabbaabb", "ab\nab", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbba"};
    uint32_t seed = 7;
    RegexMemory memory = {0};
    for (int i = 0; i < PATTERNS; i++) {
        char pattern[64] = "", wrapped[80];
        for (int pieces = i % 6; pieces > 0; pieces--)
            strcat(pattern, random_piece(&seed));
        snprintf(wrapped, sizeof wrapped, "(?:%s)", pattern);
        const char *message;
        Regex *plain = regex_new(pattern, strlen(pattern), i & 1 ? REGEX_UNICODE : 0, &message);
        Regex *general = regex_new(wrapped, strlen(wrapped), i & 1 ? REGEX_UNICODE : 0, &message);
        assert_int_equal(!plain, !general);
        for (size_t t = 0; plain && t < 2 * sizeof texts / sizeof *texts; t++) {
            const char *text = texts[t / 2];
            const size_t length = strlen(text), start = length > 0 ? t % 2 : 0;
            for (int nonempty = 0; nonempty < 2; nonempty++) {
                size_t offset[20], expected[20];
                const RegexResult found = regex_match(plain, &memory, text, length, start, nonempty, offset);
                assert_int_equal(found,
                                 regex_match(general, &memory, text, length, start, nonempty, expected));
                if (found == REGEX_FOUND &&
                    memcmp(offset, expected, sizeof *offset * 2 * ((size_t)regex_groups(plain) + 1)) != 0)
                    fail_msg("%s on %s: %zu-%zu", pattern, text, offset[0], offset[1]);
                if (start == 0 && !nonempty)
                    assert_int_equal(found, regex_test(plain, &memory, text, length));
            }
        }
        regex_free(plain);
        regex_free(general);
    }
    regex_memory_free(&memory);
}

// Patterns of the queries below, by number.
enum { LAZY_B, WORDS, OPTIONAL, CATASTROPHE };

static void fixture_patterns(Fixture *f, void (*body)(Context *c))
{
    static struct {
        uint32_t length;
        char bytes[24];
    } text[] = {
        {3, "b*?"},
        {13, "([A-Z])[a-z]*"},
        {8, "(x)?(y)z"},
        {10, "(a+)+(b)\\2"},
    };
    static String patterns[4];
    for (int i = 0; i < 4; i++) {
        text[i].length = (uint32_t)strlen(text[i].bytes);
        patterns[i] = (String)(const void *)&text[i];
    }
    *f = (Fixture){.query = {.name = "test", .match_game = body, .pattern = patterns, .pattern_count = 4}};
    fixture_open(f);
}

// ---- steps ------------------------------------------------------------------------------------------------

// A string of 64,000 letters a.
static String long_string(Context *c)
{
    CqlString *s = run_string_new(c, 64000);
    memset(s->bytes, 'a', s->length);
    return s;
}

// Makes the string and looks at it three times: 1,000 steps each. Ends at the fourth of an endless loop otherwise.
static void (*look_at)(Context *c, String s);
static int looks;

static void looking_body(Context *c)
{
    String s = long_string(c);
    for (looks = 0; looks < 1000; looks++)
        look_at(c, s);
}

static void search_in(Context *c, String s)
{
    assert_false(rt_contains(c, STR("b"), s));
}

static void compare_with(Context *c, String s)
{
    assert_int_equal(rt_compare(c, s, s), 0);
}

static void take_offset(Context *c, String s)
{
    int32_t index;
    assert_false(rt_index_of(c, STR("b"), s, &index));
}

static void join_with(Context *c, String s)
{
    rt_concat(c, s, STR("b"));
}

static void match_pattern(Context *c, String s)
{
    assert_false(rt_regex_found(c, 1, s));
}

static void test_steps_of_strings(void **state)
{
    (void)state;
    static void (*const operations[])(Context * c, String s) = {search_in, compare_with, take_offset,
                                                                join_with, match_pattern};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        Fixture f;
        look_at = operations[i];
        fixture_patterns(&f, looking_body);
        run_free(f.run);
        f.options.max_steps = 4500;
        fixture_open(&f);
        fixture_play(&f, "*");
        assert_string_equal(f.result.error, "the query needs too many steps for this game");
        assert_int_equal(looks, 3);
        fixture_close(&f);
    }
}

static bool stop_at_once(void *user)
{
    ++*(int *)user;
    return true;
}

// What a match of a pattern in `length` times "a" gives, with a bound on steps; *steps: those taken.
static RegexResult match_in_row(const char *pattern, size_t length, int64_t most, int *asked, int64_t *steps)
{
    const char *message;
    Regex *re = regex_new(pattern, strlen(pattern), 0, &message);
    RegexMemory memory = {.most_steps = most, .stopped = asked ? stop_at_once : NULL, .user = asked};
    size_t offset[2 * 3];
    char *text = malloc(length);
    assert_non_null(re);
    memset(text, 'a', length);
    const RegexResult result = regex_match(re, &memory, text, length, 0, false, offset);
    *steps = memory.steps;
    free(text);
    regex_memory_free(&memory);
    regex_free(re);
    return result;
}

static void test_regex_steps(void **state)
{
    (void)state;
    int64_t few, steps;
    // A pattern that tries all ways to divide the text takes twice as many steps for each further letter, ends at its bound, and
    // when it is stopped.
    assert_int_equal(match_in_row("^(a+)+[bc]", 14, 0, NULL, &few), REGEX_NONE);
    assert_int_equal(match_in_row("^(a+)+[bc]", 18, 0, NULL, &steps), REGEX_NONE);
    assert_true(steps > 15 * few && steps < 17 * few);
    assert_int_equal(match_in_row("^(a+)+[bc]", 60, 100000, NULL, &steps), REGEX_STOPPED);
    assert_int_equal(steps, 100000);
    int asked = 0;
    assert_int_equal(match_in_row("^(a+)+[bc]", 60, 0, &asked, &steps), REGEX_STOPPED);
    assert_int_equal(asked, 1);
    // From each place to the end of the text: the square of its length, by 64 bytes a step and one for each place to go back to.
    assert_int_equal(match_in_row("a.*[bc]", 2000, 0, NULL, &steps), REGEX_NONE);
    assert_true(steps > 2000 * 2000 / 2 && steps < 2 * 2000 * 2000);
    // A literal, and the match of a class that is found at once, cost the bytes that are looked at.
    assert_int_equal(match_in_row("b", 640000, 0, NULL, &steps), REGEX_NONE);
    assert_int_equal(steps, 10000);
    assert_int_equal(match_in_row("[ab]", 640000, 0, NULL, &steps), REGEX_FOUND);
    assert_true(steps < 10);
}

// Texts of up to 512 bytes take a step for every eight of them, from where the search starts, and are not looked at byte by byte.
static void test_short_texts(void **state)
{
    (void)state;
    static const char pattern[] = "[ab]c|d[ef]";
    const char *message;
    char text[600];
    memset(text, 'z', sizeof text);
    Regex *re = regex_new(pattern, strlen(pattern), 0, &message);
    assert_non_null(re);
    RegexMemory memory = {0};
    for (size_t start = 0; start < 20; start += 5)
        for (size_t length = 500; length <= 520; length++) {
            size_t offset[2];
            assert_int_equal(regex_match(re, &memory, text, start + length, start, false, offset),
                             REGEX_NONE);
            if (length <= 512)
                assert_int_equal(memory.steps, length / 8);
            else
                assert_true(memory.steps < 64);
        }
    regex_memory_free(&memory);
    regex_free(re);
}

// What is wrong with a pattern; NULL: nothing (language reference 7.11).
static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        int flags;
        const char *mistake;
    } cases[] = {
        {"\\x", 0, "\\x needs two hexadecimal digits"},
        {"\\x1", 0, "\\x needs two hexadecimal digits"},
        {"\\x1g", 0, "\\x needs two hexadecimal digits"},
        {"\\x1F\\xff", 0, NULL},
        {"\\u00f", 0, "\\u needs four hexadecimal digits"},
        {"\\u00FF", 0, NULL},
        {"\\u0100", 0, "\\u beyond 00FF: patterns work on bytes"},
        {"\\u0100", REGEX_UNICODE, NULL},
        {"\\uD7FF\\uE000", REGEX_UNICODE, NULL},
        {"\\uD800", REGEX_UNICODE, "\\u with half of a surrogate pair"},
        {"\\uDFFF", REGEX_UNICODE, "\\u with half of a surrogate pair"},
        {"(?<abcdefghijklmnopqrstuvwxyzabcdef>x)", REGEX_NAMES, NULL}, // 32 letters
        {"(?<abcdefghijklmnopqrstuvwxyzabcdefg>x)", REGEX_NAMES, "the name of a group is too long"},
        {"\xff", REGEX_UNICODE, "malformed UTF-8"},
        {"\xff", 0, NULL},
        {"((((a{1000}b){1000}c){1000}d){1000}e){1000}", 0, "the pattern is too large"},
        {"\\cA", 0, NULL},
        {"\\c1", 0, "\\c needs a letter"},
        {"\\0", 0, NULL},
        {"\\01", 0, "\\0 cannot be followed by a digit"},
        {"[[.a.]]", 0, "[. and [= are not supported"},
        {"[[=a=]]", 0, "[. and [= are not supported"},
        {"[[:alpha:]]", 0, NULL},
        {"[[:letter:]]", 0, "unknown class in [[: :]]"},
        {"a\\", 0, "a backslash at the end"},
        {"[a\\", 0, "a backslash at the end"},
        {"\\q", 0, "unknown escape"},
        {"[\\q]", 0, "unknown escape"},
        {"[a", 0, "missing ] after ["},
        {"[\\d-z]", 0, "a class cannot begin a range"},
        {"[a-\\d]", 0, "a class cannot end a range"},
        {"[a-[:alpha:]]", 0, "a class cannot end a range"},
        {"[b-a]", 0, "a reversed range in brackets"},
        {"[a-a][a-b][a-][-a][\\d-]", 0, NULL},
        {"[a-", 0, "missing ] after ["},
        {"(?<a>x)(?<a>y)", REGEX_NAMES, "two groups have the same name"},
        {"(?<a>x)(?<A>y)", REGEX_NAMES, NULL},
        {"[[.", 0, "[. and [= are not supported"}, // as soon as it is read
        {"[[=", 0, "[. and [= are not supported"},
        {"[[:", 0, "unknown class in [[: :]]"},
        {"[[:alpha:", 0, "unknown class in [[: :]]"},
        {"[[:alpha]]", 0, "unknown class in [[: :]]"},
        {"[[:alpha:]", 0, "missing ] after ["},
        {"[[", 0, "missing ] after ["},
        {"[[]", 0, NULL},
        {"[[a]", 0, NULL},
        {"[[:alnum:]][[:alpha:]][[:blank:]][[:cntrl:]][[:d:]][[:digit:]][[:graph:]]", 0, NULL},
        {"[[:lower:]][[:print:]][[:punct:]][[:s:]][[:space:]][[:upper:]][[:w:]][[:xdigit:]]", 0, NULL},
        {"[b-a", 0, "a reversed range in brackets"},
        {"[a-b", 0, "missing ] after ["},
        {"\\1", 0, "a back-reference to a group that does not exist"},
        {"\\9", 0, "a back-reference to a group that does not exist"},
        {"(a)\\1", 0, NULL},
        {"(((((((((a)))))))))\\9", 0, NULL},
        {"(((((((((a)))))))))\\10", 0, "a back-reference to a group that does not exist"},
        {"(?<a>x)\\k<a>", REGEX_NAMES, NULL},
        {"\\k<a>", REGEX_NAMES, "a back-reference to a group that does not exist"},
        {"\\k<", REGEX_NAMES, "the name of a group consists of letters, digits and _ and ends with >"},
        {"\\k<a", REGEX_NAMES, "the name of a group consists of letters, digits and _ and ends with >"},
        {"\\k", REGEX_NAMES, "unknown escape"},
        {"\\k<a>", 0, "unknown escape"},
        {"a{", 0, "expected {n}, {n,} or {n,m} after {"},
        {"a{x}", 0, "expected {n}, {n,} or {n,m} after {"},
        {"a{1,x}", 0, "expected {n}, {n,} or {n,m} after {"},
        {"a{2,1}", 0, "a reversed range in { }"},
        {"a{2,2}b{0,1}c{3,}", 0, NULL},
        {"a{65535}", 0, NULL},
        {"a{65536}", 0, "more than 65535 repetitions"},
        {"a{1,65536}", 0, "more than 65535 repetitions"},
        {"a{65536,}", 0, "more than 65535 repetitions"},
        {"a{655350}", 0, "more than 65535 repetitions"}, // ten times the most
        {"a{0,4294967297}", 0, "more than 65535 repetitions"},
        {"a**", 0, "a quantifier after a quantifier"},
        {"a*?", 0, NULL},
        {"a*??", 0, "a quantifier after a quantifier"},
        {"(?<name>a)", REGEX_NAMES, NULL},
        {"(?<a1_>a)", REGEX_NAMES, NULL},
        {"(?<1a>a)", REGEX_NAMES, "the name of a group consists of letters, digits and _ and ends with >"},
        {"(?<>a)", REGEX_NAMES, "the name of a group consists of letters, digits and _ and ends with >"},
        {"(?<name>a)", 0, "expected (?: (?= or (?! after (?"},
        {"(?i)a", 0, "expected (?: (?= or (?! after (?"},
        {"(a", 0, "missing ) after ("},
        {"*a", 0, "a quantifier with nothing to repeat"},
        {"a|+", 0, "a quantifier with nothing to repeat"},
        {"(?=a)*", 0, "a quantifier with nothing to repeat"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *mistake = regex_check(cases[i].pattern, strlen(cases[i].pattern), cases[i].flags);
        if (strcmp(mistake ? mistake : "", cases[i].mistake ? cases[i].mistake : "") != 0)
            fail_msg("`%s`: %s", cases[i].pattern, mistake ? mistake : "no mistake");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),         cmocka_unit_test(test_regex_syntax),
        cmocka_unit_test(test_regex_matches),    cmocka_unit_test(test_regex_literals),
        cmocka_unit_test(test_steps_of_strings), cmocka_unit_test(test_regex_steps),
        cmocka_unit_test(test_short_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
