// The fast searches in PGN text against plain loops, at all alignments and lengths.
#include "test.h"

#include "runtime/game/scan.h"
#include "runtime/game/section.h"

static unsigned state_of_random = 7;

static char random_byte(const char *from, size_t count)
{
    state_of_random = state_of_random * 1103515245u + 12345u;
    return from[(state_of_random >> 16) % count];
}

static void fill(char *text, size_t length, const char *from, size_t count)
{
    for (size_t i = 0; i < length; i++)
        text[i] = random_byte(from, count);
}

static const char *first_mark(const char *p, const char *end)
{
    while (p < end && !scan_is_mark((unsigned char)*p))
        p++;
    return p;
}

static const char *first_brace(const char *p, const char *end)
{
    while (p < end && *p != '{' && *p != '}')
        p++;
    return p;
}

static uint64_t count_lines(const char *p, const char *end)
{
    uint64_t lines = 0;
    for (; p < end; p++)
        lines += *p == '\n' || (*p == '\r' && !(p + 1 < end && p[1] == '\n'));
    return lines;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Spaces, digits and dots; `p` when a number in them begins with 0 or has four digits.
static const char *after_numbers(const char *p, const char *end)
{
    const char *q = p;
    int digits = 0;
    for (; q < end && (*q == ' ' || *q == '\n' || *q == '.' || is_digit(*q)); q++) {
        if (*q == '0' && digits == 0)
            return p;
        digits = is_digit(*q) ? digits + 1 : 0;
        if (digits == 4)
            return p;
    }
    return q;
}

static void test_searches(void **state)
{
    (void)state;
    static const char rare[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{}()*%;[-/:1\xFB\xAD";
    char text[200];
    for (int round = 0; round < 3000; round++) {
        fill(text, sizeof text, rare, sizeof rare - 1);
        const char *p = text + round % 67, *end = text + sizeof text - round % 61;
        assert_ptr_equal(scan_mark(p, end), first_mark(p, end));
        assert_ptr_equal(scan_brace(p, end), first_brace(p, end));
    }
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const bytes[] = {"ab\n", "abcdefghi\r\n", "a\n\r\n"};
    char text[70000];
    for (int round = 0; round < 300; round++) {
        const char *from = bytes[round % 3];
        fill(text, sizeof text, from, strlen(from));
        const size_t length = round % 50 ? (size_t)round : sizeof text - 3;
        assert_int_equal(scan_count_lines(text, text + length), count_lines(text, text + length));
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const char bytes[] = "  ..\n1234567890e{-+\t\xA0";
    char text[40];
    for (int round = 0; round < 20000; round++) {
        fill(text, sizeof text, bytes, round & 1 ? 14 : sizeof bytes - 1);
        const char *end = text + sizeof text - round % 30, *p = text + round % 9, *q = scan_numbers(p, end);
        assert_ptr_equal(q, after_numbers(p, end));
    }
    char long_run[200];
    memset(long_run, '1', sizeof long_run);
    assert_ptr_equal(scan_numbers(long_run, long_run + sizeof long_run), long_run);
    for (int i = 3; i < 200; i += 4)
        long_run[i] = ' ';
    assert_ptr_equal(scan_numbers(long_run, long_run + sizeof long_run), long_run);
    assert_ptr_equal(scan_numbers(long_run, long_run + 60), long_run + 60);
    static const char mark[] = "+ # +-+";
    assert_ptr_equal(scan_check_mark(mark, mark + 7), mark + 1);
    assert_ptr_equal(scan_check_mark(mark + 2, mark + 7), mark + 3);
    assert_ptr_equal(scan_check_mark(mark + 4, mark + 7), mark + 4);
    assert_ptr_equal(scan_check_mark(mark + 6, mark + 7), mark + 6);
}

// Bytes of 64 that are neither white space nor part of a number, zeros that begin a number, and digits of a number after
// its third. `before`: digits before them, if there are fewer than 3.
static uint64_t others(const char *p, int before)
{
    uint64_t found = 0;
    int digits = before;
    for (int i = 0; i < 64; i++) {
        const bool white = p[i] == ' ' || (p[i] >= '\t' && p[i] <= '\r');
        const bool number = p[i] == '.' || (is_digit(p[i]) && (p[i] != '0' || digits > 0) && digits < 3);
        digits = is_digit(p[i]) ? digits + 1 : 0;
        found |= (uint64_t)(!white && !number) << i;
    }
    return found;
}

static uint64_t bytes_equal(const char *p, char c)
{
    uint64_t found = 0;
    for (int i = 0; i < 64; i++)
        found |= (uint64_t)(p[i] == c) << i;
    return found;
}

static void assert_text(ScanText text, const char *p, int before)
{
    assert_true(text.others == others(p, before));
    assert_true(text.open == bytes_equal(p, '{'));
    assert_true(text.close == bytes_equal(p, '}'));
}

static void test_text(void **state)
{
    (void)state;
    char text[64];
    static const char bytes[] = " \t\n\v\f\r\b\x0e.0123456789:/-+{}axNO\0\xa0\xff\x80\xfb\xfd";
    for (int round = 0; round < 20000; round++) {
        fill(text, sizeof text, bytes, sizeof bytes - 1);
        const int before = round % 4;
        const uint64_t digits = 7 & (7u << (3 - before)); // of the three bytes before them
        assert_text(scan_text(text, digits), text, before);
#ifdef SCAN_WIDE
        if (cpu_is_wide())
            assert_text(scan_text_wide(text, digits), text, before);
#endif
    }
}

// Comments in 64 bytes, one byte after the other.
static void test_comments(void **state)
{
    (void)state;
    char text[64];
    for (int round = 0; round < 20000; round++) {
        bool inside = round % 2, wrong = false;
        uint64_t comments = 0, got = 0, braces = 0;
        fill(text, sizeof text, "{}..........", round % 3 ? 12 : 2);
        for (int i = 0; i < 64 && !wrong && round % 5 > 1; i++) { // mostly without mistakes
            if (text[i] == '{' || text[i] == '}')
                text[i] = inside ? '}' : '{';
            inside ^= text[i] != '.';
        }
        inside = round % 2;
        for (int i = 0; i < 64; i++) {
            wrong |= text[i] == (inside ? '{' : '}');
            comments |= (uint64_t)(inside || text[i] == '{') << i;
            inside ^= text[i] != '.';
        }
        const uint64_t after = scan_comments(bytes_equal(text, '{'), bytes_equal(text, '}'),
                                             0 - (uint64_t)(round % 2), &got, &braces);
        assert_int_equal(braces != 0, wrong);
        if (wrong)
            continue;
        assert_true(got == comments);
        assert_int_equal(after >> 63, inside);
    }
}

// A tag is read alike whether or not much text follows, unless the reader says that it depends on that text.
static void test_tag(void **state)
{
    (void)state;
    static const char *const piece[] = {"[",  "\"", "\\", "]",   "\n",    "\r\n", " ", "\t",
                                        "Ab", "x",  "é",  "]\n", "\"]\n", " \"",  "\0"};
    size_t usual = 0, certain = 0;
    for (int round = 0; round < 40000; round++) {
        char text[160] = "[";
        for (size_t n = 1; n < 30;) {
            const char *from = piece[(unsigned char)random_byte("\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 15)];
            n += (size_t)sprintf(text + n, "%s", from) + (*from == 0);
        }
        memset(text + 45, 'x', sizeof text - 45);
        SectionTag near, far;
        bool near_cut, far_cut;
        const char *near_end = section_read_tag(text, text + 45, &near, &near_cut);
        const char *far_end = section_read_tag(text, text + sizeof text, &far, &far_cut);
        usual += scan_tag(text, text + sizeof text).close > 0;
        if (near_cut)
            continue;
        certain++;
        assert_ptr_equal(near_end, far_end);
        assert_true(text_equal(near.name, far.name) && text_equal(near.value, far.value));
        assert_int_equal(near.escaped, far.escaped);
    }
    assert_true(certain > 10000);
#ifdef __SSE2__
    assert_true(usual > 100);
#else
    assert_int_equal(usual, 0);
#endif
}

#ifdef SCAN_WIDE
static void test_marks(void **state)
{
    (void)state;
    char text[64];
    static const char bytes[] = "()*%;[{}-/:012 \naaaaaaaaaaaaaaaaaaa\xfb\xa8\xba\xdb\\|]+.,_k{\x1a\x08";
    for (int round = 0; round < 20000 && cpu_is_wide(); round++) {
        fill(text, sizeof text, bytes, sizeof bytes - 1);
        uint64_t marks = 0, results = 0;
        for (int i = 0; i < 64; i++) {
            const bool mark = scan_is_mark((unsigned char)text[i]) || text[i] == '}',
                       join = strchr("-/:", text[i]);
            const bool before = i == 0 || strchr("012", text[i - 1]),
                       after = i == 63 || strchr("012", text[i + 1]);
            marks |= (uint64_t)mark << i;
            results |= (uint64_t)(mark && (!join || (before && after))) << i;
        }
        const ScanMarks got = scan_marks_wide(text);
        assert_true(got.marks == marks);
        assert_true(got.open == bytes_equal(text, '{'));
        assert_true(got.close == bytes_equal(text, '}'));
        assert_true(got.white == (bytes_equal(text, ' ') | bytes_equal(text, '\n')));
        assert_true(scan_results_wide(text, marks) == results);
    }
}
#endif

static void test_tag_lines(void **state)
{
    (void)state;
    char text[SCAN_TAG_LINES_BYTES];
    for (int round = 0; round < 20000; round++) {
        fill(text, sizeof text, "\n\n\n[[[[FRVfr \r\t\0a]\"vv", 22);
        uint32_t ends = 0, names = 0, events = 0;
        for (int i = 0; i < SCAN_TAG_LINES; i++) {
            const bool line = text[i] == '\n' && text[i + 1] == '[';
            const bool blank = memchr(" \r\t\n", text[i + 2], 5);
            ends |= (uint32_t)(text[i] == '\r' || (text[i] == '\n' && !line)) << i;
            ends |= (uint32_t)(text[i] == ']' && text[i + 1] != '\n') << i;
            names |= (uint32_t)(line && (blank || strchr("FRVfrv", text[i + 2]))) << i;
            events |= (uint32_t)(line && (blank || text[i + 3] == 'v')) << i;
        }
        const bool wide = round % 2 && cpu_is_wide();
        const ScanTagLines found = wide ? scan_tag_lines_wide(text) : scan_tag_lines(text);
        assert_int_equal(found.events, events);
        assert_int_equal(found.ends, ends);
        assert_int_equal(found.names, names);
    }
}

static bool is_normal(const char *p, const char *end)
{
    for (; p < end; p++)
        if (strchr("{}\t\n\v\f\r", *p) || (*p == ' ' && end - p > 1 && p[1] == ' '))
            return false;
    return true;
}

// Nearly all texts of letters and single spaces, with few or no other bytes.
static void test_normal_comments(void **state)
{
    (void)state;
    char text[80];
    static const char others[] = " {}\t\n\v\f\r\0|z~\x0e\xa0";
    for (int round = 0; round < 20000; round++) {
        const size_t length = (size_t)round % 70, start = (size_t)round / 70 % 8;
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = i % 4 == 1 ? ' ' : '[';
        for (int i = round % 3; i > 0 && length > 0; i--) {
            state_of_random = state_of_random * 1103515245u + 12345u;
            text[start + (state_of_random >> 16) % length] = random_byte(others, sizeof others - 1);
        }
        const char *p = text + start, *end = p + length;
        assert_true(scan_is_normal(p, end) == is_normal(p, end));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),      cmocka_unit_test(test_comments),
        cmocka_unit_test(test_tag_lines), cmocka_unit_test(test_normal_comments),
        cmocka_unit_test(test_searches),  cmocka_unit_test(test_lines),
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_tag),
#ifdef SCAN_WIDE
        cmocka_unit_test(test_marks),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
