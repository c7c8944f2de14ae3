// The fast searches in PGN text against plain loops, at all alignments and lengths.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/game/scan.h"

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

// Spaces, digits and dots; `p` when a number in them begins with 0.
static const char *after_numbers(const char *p, const char *end)
{
    const char *q = p;
    for (; q < end && (*q == ' ' || *q == '\n' || *q == '.' || is_digit(*q)); q++)
        if (*q == '0' && (q == p || !is_digit(q[-1])))
            return p;
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
    static const char mark[] = "+ # +-+";
    assert_ptr_equal(scan_check_mark(mark, mark + 7), mark + 1);
    assert_ptr_equal(scan_check_mark(mark + 2, mark + 7), mark + 3);
    assert_ptr_equal(scan_check_mark(mark + 4, mark + 7), mark + 4);
    assert_ptr_equal(scan_check_mark(mark + 6, mark + 7), mark + 6);
}

// Bytes of 64 that are neither white space nor part of a number, and zeros that begin a number.
static uint64_t others(const char *p, bool digit)
{
    uint64_t found = 0;
    for (int i = 0; i < 64; i++) {
        const bool after_digit = i > 0 ? is_digit(p[i - 1]) : digit;
        const bool white = p[i] == ' ' || (p[i] >= '\t' && p[i] <= '\r');
        const bool number = p[i] == '.' || (is_digit(p[i]) && (p[i] != '0' || after_digit));
        found |= (uint64_t)(!white && !number) << i;
    }
    return found;
}

static void test_others(void **state)
{
    (void)state;
    char text[64];
    static const char bytes[] = " \t\n\v\f\r\b\x0e.0123456789:/-+{}axNO\0\xa0\xff\x80";
    for (int round = 0; round < 20000; round++) {
        fill(text, sizeof text, bytes, sizeof bytes - 1);
        const bool digit = round % 2;
        assert_true(scan_others(text, digit) == others(text, digit));
#ifdef SCAN_WIDE
        if (scan_has_wide())
            assert_true(scan_others_wide(text, digit) == others(text, digit));
#endif
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
        cmocka_unit_test(test_others),   cmocka_unit_test(test_normal_comments),
        cmocka_unit_test(test_searches), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
