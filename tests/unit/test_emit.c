// The parts of emitted C that people read: texts, comments, long lines, names and constants (docs/architecture.md, "Emitted C").
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

static void test_comments(void **state)
{
    (void)state;
    static const char text[] = "a\r\nb\rc\n\n\t d";
    const Source source = {"q.cql", text, sizeof text - 1, NULL};
    FILE *out = new_output();
    emit_source(out, &source);
    check_written(out, "//\n//     a\n//     b\n//     c\n//\n//       d\n");
    const Source ended = {"q.cql", "a\n", 2, NULL}, part = {"q.cql", "a b\nc", 2, NULL};
    out = new_output();
    emit_source(out, &ended);
    check_written(out, "//\n//     a\n");
    out = new_output();
    emit_source(out, &part);
    check_written(out, "//\n//     a \n");
    static const struct {
        int indent, line;
        const char *note, *wanted;
    } cases[] = {{0, 1, NULL, "// 1: a\n"},
                 {2, 4, NULL, "        // 4: d\n"},
                 {1, 0, "note\n", "    // note.\n"},
                 {0, 1, "note", "// 1: a -- note\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        out = new_output();
        emit_quoted(out, cases[i].indent, &source, cases[i].line, cases[i].note);
        check_written(out, cases[i].wanted);
    }
}

// ---- long lines -------------------------------------------------------------------------------------------

static void wrapped(int indent, const char *text, const char *wanted)
{
    FILE *out = new_output();
    emit_wrapped(out, indent, text);
    check_written(out, wanted);
}

// Lines have 110 columns. They break inside the fewest parentheses, there after the operator that binds least, there at the
// last place; what follows is below the inside of the parenthesis.
static void test_long_lines(void **state)
{
    (void)state;
    const char *a50 = repeated('a', 50), *b50 = repeated('b', 50), *c20 = repeated('c', 20);
    wrapped(0, "x;", "x;\n");
    wrapped(2, "x;", "        x;\n");
    wrapped(19, "x;", TEXT("%s\n", TEXT("%78s", "x;")));
    wrapped(20, "x;", TEXT("%s\n", TEXT("%78s", "x;"))); // indentation ends at 80 columns
    wrapped(300, "x;", TEXT("%s\n", TEXT("%78s", "x;")));
    wrapped(0, TEXT("%s, %s, bcdefg", a50, b50), TEXT("%s, %s, bcdefg\n", a50, b50)); // 110
    wrapped(0, TEXT("%s, %s, bcdefgh", a50, b50), TEXT("%s, %s,\n    bcdefgh\n", a50, b50));
    wrapped(0, TEXT("call(%s, %s, %s);", a50, b50, c20), TEXT("call(%s, %s,\n     %s);\n", a50, b50, c20));
    wrapped(1, TEXT("call(%s, %s, %s);", a50, b50, c20),
            TEXT("    call(%s,\n         %s, %s);\n", a50, b50, c20));
    wrapped(0, TEXT("%s && (%s, %s)", a50, c20, b50), TEXT("%s &&\n    (%s, %s)\n", a50, c20, b50));
    static const char *const weaker[][2] = {{";", ","},   {",", "?"},  {"?", "||"}, {":", "||"},
                                            {"||", "&&"}, {"&&", "|"}, {"|", "&"},  {"^", "&"},
                                            {"&", "="},   {"&", "+"},  {"&", "-"},  {"|", "="}};
    for (size_t i = 0; i < sizeof weaker / sizeof *weaker; i++) {
        const char *x = weaker[i][0], *y = weaker[i][1];
        wrapped(0, TEXT("%s %s %s %s %s", a50, x, c20, y, b50),
                TEXT("%s %s\n    %s %s %s\n", a50, x, c20, y, b50));
        wrapped(0, TEXT("%s %s %s %s %s", a50, y, c20, x, b50),
                TEXT("%s %s %s %s\n    %s\n", a50, y, c20, x, b50));
    }
    wrapped(0, TEXT("%s | %s ^ %s", a50, c20, b50),
            TEXT("%s | %s ^\n    %s\n", a50, c20, b50)); // these bind alike
    wrapped(0, TEXT("%s ^ %s | %s", a50, c20, b50), TEXT("%s ^ %s |\n    %s\n", a50, c20, b50));
    wrapped(0, TEXT("%s = %s + %s", a50, c20, b50), TEXT("%s = %s +\n    %s\n", a50, c20, b50));
    wrapped(0, TEXT("%s + %s = %s", a50, c20, b50), TEXT("%s + %s =\n    %s\n", a50, c20, b50));
    wrapped(0, TEXT("%s / %s, %s", a50, c20, b50), TEXT("%s / %s,\n    %s\n", a50, c20, b50)); // no comment
    wrapped(0, TEXT("call(%s, %s, %s) && %s && %s", a50, b50, c20, a50, b50),
            TEXT("call(%s, %s,\n     %s) && %s &&\n    %s\n", a50, b50, c20, a50, b50));
    wrapped(0, TEXT("call(%s, %s, %s, %s) && %s && %s", a50, b50, c20, c20, a50, b50),
            TEXT("call(%s, %s,\n     %s, %s) && %s &&\n    %s\n", a50, b50, c20, c20, a50, b50));
    // not in the first sixth of a line; after a comment not in its first half
    const char *w110 = repeated('w', 110);
    wrapped(0, TEXT("%s, %s", repeated('v', 16), w110), TEXT("%s, %s\n", repeated('v', 16), w110));
    wrapped(0, TEXT("%s, %s", repeated('v', 17), w110), TEXT("%s,\n    %s\n", repeated('v', 17), w110));
    wrapped(0, TEXT("/* %s */ %s", repeated('v', 48), w110), TEXT("/* %s */ %s\n", repeated('v', 48), w110));
    wrapped(0, TEXT("/* %s */ %s", repeated('v', 49), w110),
            TEXT("/* %s */\n    %s\n", repeated('v', 49), w110));
    // at most 64 parentheses are told apart
    wrapped(0, TEXT("%sa, (%s, %s", repeated('(', 63), c20, b50),
            TEXT("%sa,\n    (%s, %s\n", repeated('(', 63), c20, b50));
    wrapped(0, TEXT("%sa, (%s, %s", repeated('(', 64), c20, b50),
            TEXT("%sa, (%s,\n    %s\n", repeated('(', 64), c20, b50));
    // a parenthesis beyond the middle of the line does not move the next one there
    for (int indent = 0; indent < 2; indent++)
        for (int more = 0; more < 2; more++) {
            const int first = 4 * indent, column = more ? first + 4 : first + 54;
            wrapped(indent, TEXT("%s(%s, %s", repeated('v', 53 + more), c20, b50),
                    TEXT("%*s%s(%s,\n%*s%s\n", first, "", repeated('v', 53 + more), c20, column, "", b50));
        }
    // what is far to the right has 40 columns at least
    static const struct {
        int indent, fits;
    } far[] = {{17, 42}, {18, 40}, {19, 40}, {30, 40}};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        const int first = far[i].indent < 19 ? 4 * far[i].indent : 76;
        const char *end = repeated('w', far[i].fits - 22);
        wrapped(far[i].indent, TEXT("%s, %s", c20, end), TEXT("%*s%s, %s\n", first, "", c20, end));
        wrapped(far[i].indent, TEXT("%s, %sw", c20, end),
                TEXT("%*s%s,\n%*s%sw\n", first, "", c20, first + 4 < 80 ? first + 4 : 80, "", end));
    }
    wrapped(4, TEXT("%s(%s, %s, %s", repeated('v', 52), c20, c20, repeated('w', 19)),
            TEXT("%16s%s(%s,\n%69s%s, %s\n", "", repeated('v', 52), c20, "", c20, repeated('w', 19)));
    const char *word = repeated('w', 120); // no place to break
    wrapped(0, word, TEXT("%s\n", word));
    wrapped(0, TEXT("%s /* %s, %s */", a50, c20, b50), TEXT("%s /* %s, %s */\n", a50, c20, b50));
}

// ---- expressions ------------------------------------------------------------------------------------------

// Operands are put into parentheses where they bind less than the place needs.
static void test_parentheses(void **state)
{
    (void)state;
    static const struct {
        Strength strength;
        const char *u, *a, *b;
    } cases[] = {{STRENGTH_CHOICE, "(x)", "(x)", "(x)"}, {STRENGTH_OR, "(x)", "(x)", "(x)"},
                 {STRENGTH_AND, "(x)", "(x)", "(x)"},    {STRENGTH_BITS, "(x)", "(x)", "x"},
                 {STRENGTH_COMPARE, "(x)", "(x)", "x"},  {STRENGTH_ARITHMETIC, "(x)", "x", "x"},
                 {STRENGTH_UNARY, "x", "x", "x"},        {STRENGTH_PRIMARY, "x", "x", "x"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Expr x = emit_expr(&emit, cases[i].strength, "x");
        assert_int_equal(x.strength, cases[i].strength);
        assert_string_equal(emit_primary(&emit, "%u %a %b %e", x, x, x, x).text,
                            TEXT("%s %s %s x", cases[i].u, cases[i].a, cases[i].b));
    }
    assert_string_equal(emit_primary(&emit, "%s[%d]->%s", "a", -7, "b").text, "a[-7]->b");
    const Expr item[] = {emit_word("a"), emit_word("b"), emit_word("c")};
    assert_string_equal(emit_list(&emit, item, 3, ", ", STRENGTH_PRIMARY).text, "a, b, c");
    assert_string_equal(emit_list(&emit, item, 1, ", ", STRENGTH_PRIMARY).text, "a");
    assert_string_equal(emit_list(&emit, item, 0, ", ", STRENGTH_PRIMARY).text, "");
}

// ---- constants --------------------------------------------------------------------------------------------

#define BIT(file, rank) (1ULL << (8 * ((rank)-1) + (file) - 'a'))

static void test_sets(void **state)
{
    (void)state;
    const Bitboard a_file = 0x0101010101010101ULL;
    const struct {
        Bitboard set;
        const char *text;
    } cases[] = {
        {0, "0"},
        {~0ULL, "ALL_SQUARES"},
        {0xaa55aa55aa55aa55ULL, "DARK_SQUARES"}, // a1 is dark
        {~0xaa55aa55aa55aa55ULL, "LIGHT_SQUARES"},
        {BIT('d', 1), "SQUARE(D1)"},
        {BIT('h', 8), "SQUARE(H8)"},
        {a_file, "FILE_A"},
        {a_file << 7, "FILE_H"},
        {0xff, "RANK_1"},
        {0xffULL << 56, "RANK_8"},
        {0xff | 0xffULL << 56, "~SQUARES(A2, H7)"},
        {a_file >> 8, "SQUARES(A1, A7)"},
        {a_file << 8, "SQUARES(A2, A8)"},
        {0x7f, "SQUARES(A1, G1)"},
        {0xfe, "SQUARES(B1, H1)"},
        {0x0f0f0f0f, "SQUARES(A1, D4)"},
        {BIT('a', 1) | BIT('h', 8), "SQUARE(A1) | SQUARE(H8)"},
        {BIT('a', 1) | BIT('b', 1) | BIT('a', 2) | BIT('b', 2) | BIT('a', 3), "SQUARES(A1, B2) | SQUARE(A3)"},
        {BIT('a', 1) | BIT('b', 1) | BIT('a', 2), "SQUARES(A1, A2) | SQUARE(B1)"},
        {~BIT('d', 4), "~SQUARE(D4)"},
        {~(BIT('a', 1) | BIT('h', 8)), "~(SQUARE(A1) | SQUARE(H8))"},
        {0x55, "SQUARE(A1) | SQUARE(C1) | SQUARE(E1) | SQUARE(G1)"},
        {0x255, "0x0000000000000255ULL /* a1 c1 e1 g1 b2 */"},
        {0x30308ab, "0x00000000030308abULL /* a-b1 d1-2 f1 h1 a-b3-4 */"},
        {0xaa55, "0x000000000000aa55ULL /* a1 c1 e1 g1 b2 d2 f2 h2 */"},
        {0x1aa55, "0x000000000001aa55ULL"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(emit_squares(&emit, cases[i].set).text, cases[i].text);
    assert_int_equal(emit_squares(&emit, 3).strength, STRENGTH_PRIMARY);
    assert_int_equal(emit_squares(&emit, 5).strength, STRENGTH_BITS);
    assert_int_equal(emit_squares(&emit, ~1ULL).strength, STRENGTH_UNARY);
    emit.is_read = false; // only compiled
    assert_string_equal(emit_squares(&emit, BIT('d', 1)).text, "0x8ULL");
    assert_string_equal(emit_squares(&emit, ~0ULL).text, "0xffffffffffffffffULL");
    assert_string_equal(emit_squares(&emit, 0).text, "0");
}

static void test_kinds(void **state)
{
    (void)state;
    assert_string_equal(emit_kinds(&emit, 0).text, "0");
    assert_string_equal(emit_kinds(&emit, 0x1ffe).text, "ANY_KIND");
    assert_string_equal(emit_kinds(&emit, 0x7e).text, "WHITE_KINDS");
    assert_string_equal(emit_kinds(&emit, 0x1f80).text, "BLACK_KINDS");
    assert_string_equal(emit_kinds(&emit, 1 << BLACK_KING).text, "KIND_k");
    assert_int_equal(emit_kinds(&emit, 1 << BLACK_KING).strength, STRENGTH_PRIMARY);
    assert_string_equal(emit_kinds(&emit, 1 << WHITE_KNIGHT | 1 << WHITE_BISHOP).text, "KIND_N | KIND_B");
    assert_int_equal(emit_kinds(&emit, 1 << WHITE_KNIGHT | 1 << WHITE_BISHOP).strength, STRENGTH_BITS);
    assert_string_equal(emit_kinds(&emit, 1 << 13).text, "8192");
    assert_string_equal(emit_kinds(&emit, 0x7e & ~2).text, "KIND_N | KIND_B | KIND_R | KIND_Q | KIND_K");
}

static void test_constants(void **state)
{
    (void)state;
    static const struct {
        int32_t value;
        Meaning meaning;
        const char *text;
    } cases[] = {
        {0, PLAIN, "0"},
        {-5, PLAIN, "-5"},
        {INT32_MAX, PLAIN, "2147483647"},
        {INT32_MIN, PLAIN, "(-2147483647 - 1)"},
        {0, SIDE, "WHITE"},
        {1, SIDE, "BLACK"},
        {2, SIDE, "2"},
        {-1, SIDE, "-1"},
        {0, PIECE, "EMPTY"},
        {1, PIECE, "WHITE_PAWN"},
        {12, PIECE, "BLACK_KING"},
        {13, PIECE, "13"},
        {-1, PIECE, "-1"},
        {0, RESULT, "RESULT_UNKNOWN"},
        {1, RESULT, "RESULT_WHITE"},
        {2, RESULT, "RESULT_BLACK"},
        {3, RESULT, "RESULT_DRAW"},
        {4, RESULT, "4"},
        {-1, RESULT, "-1"},
        {0, SQUARE, "A1"},
        {7, SQUARE, "H1"},
        {8, SQUARE, "A2"},
        {63, SQUARE, "H8"},
        {-1, SQUARE, "-1"},
        {NO_SQUARE, SQUARE, "NO_SQUARE"},
        {0, FLAGS, "0"},
        {1, FLAGS, "MOVE_NULL"},
        {3, FLAGS, "MOVE_NULL | MOVE_CAPTURE"},
        {32, FLAGS, "MOVE_DOUBLE_STEP"},
        {64, FLAGS, "64"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(emit_constant(&emit, cases[i].value, cases[i].meaning).text, cases[i].text);
    assert_int_equal(emit_constant(&emit, -5, PLAIN).strength, STRENGTH_UNARY);
    assert_int_equal(emit_constant(&emit, 0, PLAIN).strength, STRENGTH_PRIMARY);
    assert_string_equal(emit_board_word(emit.arena, WHITE_PAWN, false), "white_pawn");
    assert_string_equal(emit_board_word(emit.arena, BLACK_KING, true), "BLACK_KING");
}

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

// A name that is taken gets a number; after a block its names are free again, those of the file never.
static void test_names_of_blocks(void **state)
{
    (void)state;
    emit.prefix = "q2_";
    assert_string_equal(emit_file_name(&emit, "table"), "q2_table");
    assert_string_equal(emit_file_name(&emit, "table"), "q2_table_2");
    assert_string_equal(emit_own_name(&emit, "q2_table"), "q2_table_3");
    emit_enter(&emit);
    assert_string_equal(emit_own_name(&emit, "rest"), "rest");
    assert_string_equal(emit_own_name(&emit, "rest"), "rest_2");
    emit_enter(&emit);
    assert_string_equal(emit_own_name(&emit, "rest"), "rest_3");
    emit_leave(&emit);
    assert_string_equal(emit_own_name(&emit, "rest"), "rest_3");
    emit_leave(&emit);
    assert_string_equal(emit_unique_name(&emit, &emit.own, "rest"),
                        "rest_4"); // which no block had
    for (int i = 0; i < 3; i++) {  // numbers, too, begin again
        emit_enter(&emit);
        assert_string_equal(emit_own_name(&emit, "again"), "again");
        assert_string_equal(emit_own_name(&emit, "again"), "again_2");
        emit_leave(&emit);
    }
    emit_enter(&emit);
    for (int i = 0; i < 500; i++)
        assert_string_equal(emit_own_name(&emit, TEXT("name %d", i)), TEXT("name %d", i));
    for (int i = 0; i < 500; i++)
        assert_string_equal(emit_own_name(&emit, TEXT("name %d", i)), TEXT("name %d_2", i));
    emit_leave(&emit);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_literals),        TEST(test_shown),       TEST(test_comments),
        TEST(test_long_lines),      TEST(test_parentheses), TEST(test_sets),
        TEST(test_kinds),           TEST(test_constants),   TEST(test_safe_names),
        TEST(test_names_of_blocks),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(written);
    return failed;
}
