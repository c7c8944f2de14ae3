// The parts of emitted C that people read: texts and names (docs/architecture.md, "Emitted C").
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/back/emit_internal.h"
#include "runtime/value/account.h"

static Emit emit;

static int begin(void **state)
{
    (void)state;
    emit = (Emit){.arena = arena_new(), .is_read = true, .prefix = ""};
    return 0;
}

static int end(void **state)
{
    (void)state;
    account_free(emit.buffer);
    arena_free(emit.arena);
    return 0;
}

// What a function writes, until the next call.
static char *written;
static size_t written_length;

static FILE *new_output(void)
{
    free(written);
    written = NULL;
    FILE *out = open_memstream(&written, &written_length);
    assert_non_null(out);
    return out;
}

static void check_written(FILE *out, const char *wanted)
{
    fclose(out);
    assert_string_equal(written, wanted);
}

static const char *repeated(char c, int times)
{
    char *text = arena_alloc(emit.arena, (size_t)times + 1);
    memset(text, c, (size_t)times);
    return text;
}

#define TEXT(...) arena_printf(emit.arena, __VA_ARGS__)

// ---- texts and comments -----------------------------------------------------------------------------------

static void literal(const char *bytes, size_t length, const char *wanted)
{
    FILE *out = new_output();
    emit_literal(out, bytes, length, 1);
    check_written(out, wanted);
}

static void test_literals(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"", "\"\""},
        {"a b~", "\"a b~\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\x1f\x7f\x80", "\"\\037\\177\\200\""},
        {"\x01"
         "1",
         "\"\\0011\""},
        {"?"
         "?=",
         "\"?\\?=\""},
        {"a?b?", "\"a?b?\""},
        {"?"
         "?"
         "?",
         "\"?\\?\\?\""},
        {"a\n", "\"a\\n\""},
        {"a\nb", "\"a\\n\"\n    \"b\""},
        {"\nb", "\"\\n\"\n    \"b\""},
        {"\t", "\"\\011\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        literal(cases[i].bytes, strlen(cases[i].bytes), cases[i].text);
    const char *marks = "?"
                        "?";
    literal(marks + 1, 1, "\"?\""); // nothing before it counts
    literal("a\0b", 3, "\"a\\000b\"");
    literal(repeated('x', 90), 90, TEXT("\"%s\"", repeated('x', 90)));
    literal(repeated('x', 91), 91, TEXT("\"%s\"\n    \"x\"", repeated('x', 90)));
}

static void shown(const char *text, const char *wanted)
{
    FILE *out = new_output();
    emit_shown(out, text, strlen(text));
    check_written(out, wanted);
}

// Nothing that could end the comment, join it to the next line or upset a terminal; chess pieces, arrows and the signs of
// set algebra stay.
static void test_shown(void **state)
{
    (void)state;
    shown("a // b */ c", "a // b */ c");
    shown("a\\", "a/");
    shown("a?"
          "?/b?",
          "a? ?/b?");
    shown("\tx\x1f ~\x7f\x80", " x. ~..");
    shown("\u2653\u2654\u265F\u2660", "...\u2654\u265F...");
    shown("\u218F\u2190\u2199\u219A", "...\u2190\u2199...");
    shown("\u21FF\u2200\u223F\u2240", "...\u2200\u223F...");
    shown("\xE2\x99", "..");
    shown("\xE2\x88"
          "a",
          "..a");
    shown("\xE2\x88\xC0", "...");
    shown("\xE2\x88\x7F", "...");
    shown("?"
          "?",
          "? ?");
    shown(TEXT("%s\u2654", repeated('x', 199)), TEXT("%s. ...", repeated('x', 199)));
    shown(TEXT("%s\u2654", repeated('x', 198)), TEXT("%s.. ...", repeated('x', 198)));
    shown(TEXT("%s\u2654?", repeated('x', 197)), TEXT("%s\u2654 ...", repeated('x', 197)));
    shown(repeated('x', 200), repeated('x', 200));
    shown(repeated('x', 201), TEXT("%s ...", repeated('x', 200)));
    shown(TEXT("%s?"
               "?",
               repeated('x', 199)),
          TEXT("%s? ...", repeated('x', 199)));
}

// ---- constants --------------------------------------------------------------------------------------------

#define BIT(file, rank) (1ULL << (8 * ((rank)-1) + (file) - 'a'))

// ---- names ------------------------------------------------------------------------------------------------

// Identifiers that mean nothing else in C, in the header or in a function.
static void test_safe_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"x", "x"},
                                           {"Mater", "Mater"},
                                           {"a9_", "a9_"},
                                           {"AZaz09", "AZaz09"},
                                           {"a@[`{/:", "a______"},
                                           {"", "x"},
                                           {"_a", "x_a"},
                                           {"9a", "x9a"},
                                           {"0a", "x0a"},
                                           {"9", "x9"},
                                           {"0", "x0"},
                                           {"a-b c\xC3\xA9", "a_b_c__"},
                                           {"int", "int_"},
                                           {"while", "while_"},
                                           {"c", "c_"},
                                           {"depth", "depth_"},
                                           {"state", "state_"},
                                           {"unix", "unix_"},
                                           {"FOO_MAX", "FOO_MAX_"},
                                           {"FOO_MIN", "FOO_MIN_"},
                                           {"INT_C", "INT_C_"},
                                           {"X_WIDTH", "X_WIDTH_"},
                                           {"FOO_MA", "FOO_MA"},
                                           {"_MAX", "x_MAX_"},
                                           {"in", "in"},
                                           {"Bitboard", "Bitboard_"},
                                           {"SQUARE", "SQUARE_"},
                                           {"WHITE", "WHITE_"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(emit_safe_name(&emit, cases[i][0]), cases[i][1]);
    assert_string_equal(emit_safe_name(&emit, repeated('y', 40)), repeated('y', 40));
    assert_string_equal(emit_safe_name(&emit, repeated('y', 41)), repeated('y', 40));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_literals),
        TEST(test_shown),

        TEST(test_safe_names),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(written);
    return failed;
}
