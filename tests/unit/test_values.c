// Strings, conversion, regular expressions and dictionaries, against the tables of the language reference
// (7.9 - 7.13).
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/value/dictionary.h"
#include "runtime/match/run_state.h"
#include "runtime/value/regex.h"
#include "run_fixture.h"

// ---- strings ----------------------------------------------------------------------------------------------

static void strings_body(Context *c)
{
    int32_t number = 0;
    String s = NULL;
    assert_text(rt_concat(c, STR("ab"), STR("cd")), "abcd");
    assert_text(rt_concat(c, STR(""), NULL), "");
    assert_int_equal(rt_length(c, STR("Zü")), 3);
    assert_true(rt_compare(c, STR("Z"), STR("a")) < 0);
    assert_true(rt_compare(c, STR("ab"), STR("abc")) < 0);
    assert_true(rt_compare(c, STR("\xff"), STR("a")) > 0);
    assert_int_equal(rt_compare(c, STR("ab"), STR("ab")), 0);
    assert_true(rt_contains(c, STR(""), STR("t")));
    assert_true(rt_contains(c, STR("bc"), STR("abcd")));
    assert_false(rt_contains(c, STR("cb"), STR("abcd")));
    assert_true(rt_index_of(c, STR(""), STR("abc"), &number));
    assert_int_equal(number, 0);
    assert_true(rt_index_of(c, STR("c"), STR("abcc"), &number));
    assert_int_equal(number, 2);
    assert_true(rt_subscript(c, STR("abc"), -1, &s));
    assert_text(s, "c");
    assert_false(rt_subscript(c, STR("abc"), 3, &s));
    assert_false(rt_subscript(c, STR("abc"), -4, &s));
    assert_false(rt_subscript(c, STR("abc"), INT32_MIN, &s));
    assert_text(rt_upper(c, STR("aZü1")), "AZü1");
    assert_text(rt_lower(c, STR("aZÜ1")), "azÜ1");
}

static void slices_body(Context *c)
{
    assert_text(rt_slice(c, STR("abc"), 2, 1, 0), "");
    assert_text(rt_slice(c, STR("abc"), 9, INT32_MAX, 2), "");
    assert_text(rt_slice(c, STR("abc"), -9, 2, 0), "ab");
    assert_text(rt_slice(c, STR("abc"), INT32_MIN, INT32_MAX, 3), "abc");
    assert_text(rt_slice(c, STR("abc"), INT32_MIN, 2, 1), "ab");
    assert_text(rt_slice(c, STR("abcd"), 1, -1, 0), "bc");
    String s = NULL;
    assert_true(rt_replace_index(c, STR("abc"), -3, STR("xyz"), &s));
    assert_text(s, "xyzbc");
    assert_false(rt_replace_index(c, STR("abc"), 3, STR("x"), &s));
    assert_text(rt_replace_slice(c, STR("abc"), INT32_MIN, 0, 1, STR("x")), "xabc");
    assert_text(rt_replace_slice(c, STR("abc"), 3, INT32_MAX, 2, STR("x")), "abcx");
    assert_text(rt_replace_slice(c, STR("abc"), 2, 2, 0, STR("x")), "abxc");
    assert_text(rt_replace_slice(c, STR("abc"), 0, -1, 0, STR("")), "c");
}

static void assert_no_int(String s)
{
    int32_t number;
    assert_false(rt_parse_int(s, &number));
}

static void numbers_body(Context *c)
{
    int32_t number = 0;
    String s = NULL;
    assert_true(rt_parse_int(STR("-007"), &number));
    assert_int_equal(number, -7);
    assert_true(rt_parse_int(STR("2147483647"), &number));
    assert_int_equal(number, INT32_MAX);
    assert_true(rt_parse_int(STR("-2147483648"), &number));
    assert_true(number == INT32_MIN);
    assert_no_int(STR("2147483648"));
    assert_no_int(STR("99999999999999999999999999"));
    assert_no_int(STR(""));
    assert_no_int(STR("-"));
    assert_no_int(STR("+3"));
    assert_no_int(STR(" 3"));
    assert_no_int(STR("3x"));
    assert_true(rt_char_code(STR("\xfc"), &number));
    assert_int_equal(number, 252);
    assert_false(rt_char_code(STR("ab"), &number));
    assert_true(rt_char_string(c, 255, &s));
    assert_text(s, "\xff");
    assert_false(rt_char_string(c, 0, &s));
    assert_false(rt_char_string(c, 256, &s));
    assert_text(rt_text_int(c, INT32_MIN), "-2147483648");
}

static void conversion_body(Context *c)
{
    assert_text(rt_text_set(c, SQ("e4")), "e4");
    assert_text(rt_text_set(c, 0), "[]");
    assert_text(rt_text_set(c, SQ("h1") | SQ("a1")), "[a1,h1]");
    assert_int_equal(rt_length(c, rt_text_set(c, ~0ULL)), 64 * 3 + 1);
    assert_text(rt_piece_letter(WHITE_KNIGHT), "N");
    assert_text(rt_piece_letter(BLACK_PAWN), "p");
    assert_text(rt_piece_letter(EMPTY), "_");
    assert_text(rt_type_letter(BLACK_QUEEN), "Q");
    // 1. e4 e5 (1... c5) 2. Nf3: ids 0 root, 1 e4, 2 e5, 3 Nf3, 4 c5
    assert_text(rt_text_position(c, 0), "move 1(wtm)");
    assert_text(rt_text_position(c, 1), "move 1(btm)");
    assert_text(rt_text_position(c, 3), "move 2(btm)");
    assert_text(rt_text_position(c, 4), "move 2(wtm)[4]");
    assert_text(rt_text_piece(c, 3, rt_piece_number(c, 0, 6)), "Nf3");
    assert_text(rt_text_piece(c, 0, 5000), "");
}

static void test_strings(void **state)
{
    (void)state;
    with_game("*", strings_body);
    with_game("*", slices_body);
    with_game("*", numbers_body);
    with_game("1. e4 e5 (1... c5) 2. Nf3 *", conversion_body);
}

static void hungry_body(Context *c)
{
    String s = STR("0123456789abcdef");
    for (int i = 0; i < 40; i++)
        s = rt_concat(c, s, s);
}

static void test_string_cap(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test", .match_game = hungry_body}};
    fixture_open(&f);
    for (int i = 0; i < 3; i++) {
        fixture_play(&f, "*");
        assert_non_null(f.result.error);
        game_free(&f.game);
    }
    run_free(f.run);
}

// ---- regular expressions ----------------------------------------------------------------------------------

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
    };
    static const char *const bad[] = {
        "(?<=a)",  "(?<n>a)",   "(?i)a",   "(?#x)", "(?>a)",    "(a",      "a)",     "*a",
        "a|*",     "[z-a]",     "a{",      "a{x}",  "a{2,1}",   "\\1",     "(a)\\2", "a**",
        "a++",     "a*+",       "a{2}{3}", "^*",    "\\b+",     "(?=a)*",  "[a",     "\\",
        "[\\d-z]", "[[:foo:]]", "\\u0100", "\\x4",  "(*UTF)a",  "\\Qa\\E", "\\K",    "\\p{L}",
        "\\A",     "(?P<n>a)",  "[a-\\w]", "{2}",   "a{99999}",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (regex_check(good[i], strlen(good[i]), 0))
            fail_msg("%s: %s", good[i], regex_check(good[i], strlen(good[i]), 0));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!regex_check(bad[i], strlen(bad[i]), 0))
            fail_msg("accepted: %s", bad[i]);
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
    };
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

// Every part of a text over two letters, and texts that almost contain it.
static void test_find(void **state)
{
    (void)state;
    enum { LONGEST = 100 };
    char text[LONGEST], part[LONGEST];
    uint32_t seed = 3;
    for (int round = 0; round < 400; round++) {
        const size_t length = (size_t)(round % LONGEST);
        for (size_t i = 0; i < length; i++) {
            seed = seed * 1103515245u + 12345u;
            text[i] = round % 3 == 0 || seed >> 28 ? 'a' : 'b';
        }
        for (size_t size = 0; size <= length; size += 1 + size / 4) {
            seed = seed * 1103515245u + 12345u;
            memcpy(part, text + (seed >> 16) % (length - size + 1), size);
            assert_ptr_equal(string_find(text, length, part, size), memmem(text, length, part, size));
            if (size > 0)
                part[(seed >> 8) % size] = 'b';
            assert_ptr_equal(string_find(text, length, part, size), memmem(text, length, part, size));
        }
    }
}

// Each byte at each place, alone and next to the ends of the alphabet.
static void test_fold(void **state)
{
    (void)state;
    for (int byte = 1; byte < 256; byte++)
        for (size_t length = 1; length < 20; length++)
            for (size_t at = 0; at < length; at++) {
                char from[20] = "zaZA{`[@zaZA{`[@zaZ", to[20];
                from[at] = (char)byte;
                string_fold(to, from, length, 'a');
                for (size_t i = 0; i < length; i++)
                    assert_int_equal(to[i], from[i] >= 'a' && from[i] <= 'z' ? from[i] - 32 : from[i]);
                String s = string_copy(from, length);
                assert_int_equal(string_is_ascii(s), byte < 128);
                string_free(s);
            }
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

static void loop_body(Context *c)
{
    // b*? on bb gives empty, b, empty, b, empty
    static const char *const expected[] = {"", "b", "", "b", ""};
    static const int32_t offsets[] = {0, 0, 1, 1, 2};
    String s;
    int32_t offset;
    rt_regex_begin(c, LAZY_B, STR("bb"));
    for (int i = 0; i < 5; i++) {
        assert_true(rt_regex_next(c, LAZY_B));
        assert_true(rt_group(c, 0, &s));
        assert_text(s, expected[i]);
        assert_true(rt_group_offset(c, 0, &offset));
        assert_int_equal(offset, offsets[i]);
    }
    assert_false(rt_regex_next(c, LAZY_B));
    // the record stays that of the last match
    assert_true(rt_group_offset(c, 0, &offset));
    assert_int_equal(offset, 2);
}

static void nested_loop_body(Context *c)
{
    String initials = STR(""), s;
    int inner = 0;
    rt_regex_begin(c, WORDS, STR("Tour Masters Berlin"));
    while (rt_regex_next(c, WORDS)) {
        assert_true(rt_group(c, 1, &s));
        initials = rt_concat(c, initials, s);
        rt_regex_begin(c, LAZY_B, STR("b"));
        while (rt_regex_next(c, LAZY_B))
            inner++;
    }
    assert_text(initials, "TMB");
    assert_int_equal(inner, 3 * 3);
}

static void record_body(Context *c)
{
    String s;
    int32_t offset;
    assert_true(rt_regex(c, OPTIONAL, STR("ayz"), &s));
    assert_text(s, "yz");
    assert_false(rt_group(c, 1, &s));
    assert_false(rt_group_offset(c, 1, &offset));
    assert_true(rt_group_offset(c, 2, &offset));
    assert_int_equal(offset, 1);
}

static void too_many_groups_body(Context *c)
{
    String s;
    assert_true(rt_regex(c, OPTIONAL, STR("ayz"), &s));
    rt_group(c, 3, &s);
}

static void empty_record_body(Context *c)
{
    String s;
    assert_true(rt_regex(c, OPTIONAL, STR("yz"), &s));
    assert_false(rt_regex(c, OPTIONAL, STR("y"), &s));
    rt_group(c, 0, &s);
}

static void no_record_body(Context *c)
{
    String s;
    rt_group(c, 0, &s);
}

static void catastrophe_body(Context *c)
{
    String s;
    rt_regex(c, CATASTROPHE, STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabc"), &s);
}

static void expect(void (*body)(Context *c), bool error)
{
    Fixture f;
    fixture_patterns(&f, body);
    fixture_play(&f, "*");
    if (!f.result.error == error)
        fail_msg("%s", f.result.error ? f.result.error : "no error");
    fixture_close(&f);
}

static void test_match_record(void **state)
{
    (void)state;
    expect(loop_body, false);
    expect(nested_loop_body, false);
    expect(record_body, false);
    expect(too_many_groups_body, true);
    expect(empty_record_body, true);
    expect(no_record_body, true);
    expect(catastrophe_body, true);
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

// ---- dictionaries -----------------------------------------------------------------------------------------

static void put_int(Dictionary *d, int32_t key, int32_t value, Graveyard *g)
{
    dict_put(d, dict_key_int(key), (Slot){.i = value}, g);
}

static void test_dictionary_order(void **state)
{
    (void)state;
    Dictionary d = {.key_type = DICT_INT, .value_type = DICT_INT};
    Graveyard g = {0};
    // a permutation of -500 .. 500, since 5 has no factor in common with 1001
    for (int i = 0; i < 1001; i++)
        put_int(&d, i * 5 % 1001 - 500, i, &g);
    assert_int_equal(d.size, 1001);
    int expected = -500;
    for (DictEntry *e = dict_above(&d, NULL); e; e = dict_above(&d, &e->key))
        assert_int_equal(e->key.i, expected++);
    assert_int_equal(expected, 501);
    for (int i = -500; i <= 500; i += 2)
        dict_remove(&d, dict_key_int(i), &g);
    assert_int_equal(d.size, 500);
    assert_null(dict_find(&d, dict_key_int(0)));
    assert_non_null(dict_find(&d, dict_key_int(1)));
    assert_int_equal(dict_above(&d, &(Slot){.i = 0})->key.i, 1);
    assert_int_equal(dict_above(&d, &(Slot){.i = 1})->key.i, 3);
    assert_null(dict_above(&d, &(Slot){.i = 499}));
    dict_clear(&d, &g);
    assert_int_equal(d.bytes, 0);
    dict_free(&d);
    graveyard_free(&g);
}

// A dictionary of strings against an array that is searched from the start: random changes, and an order that is asked for
// sooner or later.
static void check_dictionary_of_strings(bool borrows, uint32_t seed)
{
    enum { KEYS = 200, CHANGES = 3000 };
    static CqlString *key[KEYS];
    static int32_t value[KEYS]; // 0: no entry
    Dictionary d = {.key_type = DICT_STRING, .value_type = DICT_INT, .borrows = borrows};
    Graveyard g = {0};
    int32_t size = 0;
    memset(value, 0, sizeof value);
    for (int i = 0; i < KEYS; i++) { // 000 .. 199, with tails of different lengths
        char text[48];
        snprintf(text, sizeof text, "%03d%.*s", i, i % 30, "abcdefghijklmnopqrstuvwxyzabcd");
        key[i] = (CqlString *)(uintptr_t)string_copy(text, strlen(text));
    }
    for (int change = 1; change <= CHANGES; change++) {
        seed = seed * 1103515245u + 12345u;
        const int i = (int)(seed >> 16) % KEYS, what = (int)(seed >> 8) % 8;
        const DictKey k = dict_key_string(key[i]);
        if (what < 5) {
            size += !value[i];
            value[i] = change;
            dict_put(&d, k, (Slot){.i = change}, &g);
        } else if (what < 7) {
            size -= value[i] != 0;
            value[i] = 0;
            dict_remove(&d, k, &g);
        } else if (i == 0) {
            size = 0;
            memset(value, 0, sizeof value);
            dict_clear(&d, &g);
        }
        const DictEntry *found = dict_find(&d, k);
        assert_int_equal(found ? found->value.i : 0, value[i]);
        assert_int_equal(d.size, size);
        if (change % 500 != 0)
            continue;
        const DictEntry *e = dict_above(&d, NULL);
        for (int j = 0; j < KEYS; j++) {
            if (!value[j])
                continue;
            assert_int_equal(string_compare(e->key.t, key[j]), 0);
            assert_int_equal(e->value.i, value[j]);
            e = dict_above(&d, &(Slot){.t = key[j]});
        }
        assert_null(e);
    }
    dict_free(&d);
    graveyard_free(&g);
    for (int i = 0; i < KEYS; i++)
        string_free(key[i]);
}

static void test_dictionary_changes(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 4; seed++)
        check_dictionary_of_strings(seed % 2, seed);
}

enum { LOCAL, LASTING, SETS };
static const DictionaryInfo dictionaries[] = {{"Local", DICT_INT, DICT_INT, 1},
                                              {"Lasting", DICT_STRING, DICT_STRING, 0},
                                              {"Sets", DICT_SET, DICT_SET, 1}};

static void dictionary_body(Context *c)
{
    int32_t key, value, sum = 0;
    assert_int_equal(rt_dict_size(c, LOCAL), 0);
    rt_dict_key_int(c, 0);
    rt_dict_put_int(c, LOCAL, 1);
    for (int i = 3; i > 0; i--) {
        rt_dict_key_int(c, i * 10);
        rt_dict_put_int(c, LOCAL, i);
    }
    rt_dict_key_int(c, 0);
    rt_dict_remove(c, LOCAL);
    // an entry added with a greater key is visited, one removed is not
    for (int32_t first = 1; rt_dict_next_int(c, LOCAL, first, &key); first = 0) {
        sum = sum * 100 + key;
        if (key == 10) {
            rt_dict_key_int(c, 20);
            rt_dict_remove(c, LOCAL);
            rt_dict_key_int(c, 25);
            rt_dict_put_int(c, LOCAL, 9);
            rt_dict_key_int(c, 5);
            rt_dict_put_int(c, LOCAL, 9);
        }
    }
    assert_int_equal(sum, 102530);
    rt_dict_key_int(c, 25);
    assert_true(rt_dict_get_int(c, LOCAL, &value));
    assert_int_equal(value, 9);
    rt_dict_key_int(c, 26);
    assert_false(rt_dict_get_int(c, LOCAL, &value));
}

static void sets_body(Context *c)
{
    // order: [], a1, h8, and [a1,h8] after h8
    static const Bitboard expected[] = {0, 1, 1ULL << 63, 1ULL << 63 | 1};
    Bitboard key;
    for (int i = 3; i >= 0; i--) {
        rt_dict_key_set(c, expected[i]);
        rt_dict_put_set(c, SETS, 0);
    }
    int i = 0;
    for (int32_t first = 1; rt_dict_next_set(c, SETS, first, &key); first = 0)
        assert_true(key == expected[i++]);
    assert_int_equal(i, 4);
    rt_dict_key_set(c, 1);
    assert_true(rt_dict_has(c, SETS)); // though it holds the empty set
    rt_dict_clear(c, SETS);
    assert_int_equal(rt_dict_size(c, SETS), 0);
}

static void lasting_body(Context *c)
{
    String value, key;
    rt_dict_key_string(c, STR("count"));
    const bool known = rt_dict_get_string(c, LASTING, &value);
    String longer = rt_concat(c, known ? value : STR(""), STR("x"));
    rt_dict_put_string(c, LASTING, longer);
    if (known)
        assert_int_equal(rt_length(c, value), rt_length(c, longer) - 1); // the old string is still there
    rt_dict_key_string(c, STR("Z"));
    rt_dict_put_string(c, LASTING, STR(""));
    assert_true(rt_dict_next_string(c, LASTING, 1, &key));
    assert_text(key, "Z");
    rt_dict_key_string(c, key);
    rt_dict_remove(c, LASTING);
    assert_text(key, "Z");
    assert_true(rt_dict_next_string(c, LASTING, 0, &key));
    assert_text(key, "count");
    assert_text(rt_text_dictionary(c, LASTING), rt_length(c, longer) == 1
                                                    ? "Dictionary Lasting with 1 entries: \ncount: x\n"
                                                    : "Dictionary Lasting with 1 entries: \ncount: xx\n");
}

static void all_dictionaries_body(Context *c)
{
    dictionary_body(c);
    sets_body(c);
    lasting_body(c);
}

static void test_dictionaries(void **state)
{
    (void)state;
    Fixture f = {.query = {.name = "test",
                           .match_game = all_dictionaries_body,
                           .dictionary = dictionaries,
                           .dictionary_count = 3}};
    fixture_open(&f);
    for (int game = 0; game < 2; game++) {
        fixture_play(&f, "*");
        if (f.result.error)
            fail_msg("%s", f.result.error);
        game_free(&f.game);
    }
    run_free(f.run);
}

// ---- files ------------------------------------------------------------------------------------------------

static char folder[64];

static void files_body(Context *c)
{
    rt_write_file(c, STR("a.cqo"), STR("one\n"));
    rt_write_file(c, STR("a.cqo"), STR("two\n"));
    assert_text(rt_read_file(c, STR("a.cqo")), "one\ntwo\n");
}

static void absolute_body(Context *c)
{
    rt_read_file(c, STR("/tmp/a.cqo"));
}

static void above_body(Context *c)
{
    rt_read_file(c, STR("x/../../a.cqo"));
}

static void extension_body(Context *c)
{
    rt_write_file(c, STR("a.pgn"), STR(""));
}

static void missing_body(Context *c)
{
    rt_read_file(c, STR("missing.cqo"));
}

static void run_files(void (*body)(Context *c), bool error)
{
    Fixture f = {.query = {.name = "test", .match_game = body}, .options = {.allow_files = folder}};
    fixture_open(&f);
    fixture_play(&f, "*");
    if (!f.result.error == error)
        fail_msg("%s", f.result.error ? f.result.error : "no error");
    fixture_close(&f);
}

static void test_files(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/cqlgen-files-XXXXXX");
    assert_non_null(mkdtemp(folder));
    run_files(files_body, false);
    run_files(files_body, false); // a new run begins the file anew
    run_files(absolute_body, true);
    run_files(above_body, true);
    run_files(extension_body, true);
    run_files(missing_body, true);
    char path[100];
    snprintf(path, sizeof path, "%s/a.cqo", folder);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_string_cap),
        cmocka_unit_test(test_regex_syntax),
        cmocka_unit_test(test_regex_matches),
        cmocka_unit_test(test_regex_literals),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_fold),
        cmocka_unit_test(test_match_record),
        cmocka_unit_test(test_steps_of_strings),
        cmocka_unit_test(test_dictionary_order),
        cmocka_unit_test(test_dictionary_changes),
        cmocka_unit_test(test_dictionaries),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
