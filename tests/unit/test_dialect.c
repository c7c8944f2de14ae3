// Which dialect a file is written in (language reference 14).
#include "test.h"

#include <stdlib.h>
#include <time.h>

#include "compiler/front/detect/dialect.h"
#include "compiler/front/shared/preamble.h"

// ---- helpers ----------------------------------------------------------------------------------------------

typedef struct Found {
    Dialect dialect;
    char why[64];
    int errors, count; // of messages
} Found;

static Found detect(const char *text, Dialect option)
{
    Arena *arena = arena_new();
    const Source source = {"test", text, strlen(text), NULL};
    Diagnostics d = {.arena = arena, .source = &source};
    const char *why;
    Found f = {.dialect = dialect_detect(&source, option, &d, &why)};
    strncpy(f.why, why, sizeof f.why - 1);
    f.errors = d.errors;
    f.count = d.count;
    arena_free(arena);
    return f;
}

static void check(const char *text, Dialect expected, const char *why, int line)
{
    const Found f = detect(text, DIALECT_NONE);
    if (f.dialect != expected || (strcmp(f.why, why) != 0))
        fail_msg("line %d: `%s` is %s (%s), expected %s (%s)", line, text, dialect_name(f.dialect), f.why,
                 dialect_name(expected), why);
}

#define WHY(text, dialect, why) check((text), DIALECT_##dialect, (why), __LINE__)

// ---- names and markers (14.1, 14.2) -----------------------------------------------------------------------

static void test_markers(void **state)
{
    (void)state;
    WHY("// dialect: cql5\ncql(input x.pgn) check", CQL5, "from line 1");
    WHY("\xEF\xBB\xBF#!/usr/bin/cqlgen\n\n; a comment\n;\tdialect:   CQL-S \r\ncheck", CQL3, "from line 4");
    WHY("/* by me\n * dialect: cqli */ cql() mate", CQLI, "from line 2");
    WHY("; CQL 1.0\n(match)", CQL3, "from line 1");
    WHY("; CQL-S 1.0 of today\n(match)", CQL3, "from line 1");
    WHY("\xEF\xBB\xBF; CQL 1.0\n(match)", CQL3, "from line 1");
    WHY("// dialect: cql5\n// dialect: cqli\ncql() mate", CQL5, "from line 1");
    WHY("// a dialect: cql5\ncql() mate", CQL6, "default");
    WHY("cql() mate // dialect: cql5", CQL6, "default");
    WHY("// dialect: cql5 or so\ncql() mate", CQL6, "default");
    WHY("// dialect: cql5", CQL5, "from line 1");
    WHY(";dialect:cql5", CQL5, "from line 1");
    WHY("/*dialect:cqli*/cql() mate", CQLI, "from line 1");
    WHY("/**dialect:cqli*/cql() mate", CQLI, "from line 1");
    WHY("/*\n\n*dialect: cqli\n*/ cql() mate", CQLI, "from line 3");
    WHY("/*\n\n\tdialect: cqli\t*/ cql() mate", CQLI, "from line 3");
    WHY("/* dialect: cqli", CQLI, "from line 1");
    WHY("/***dialect: cqli */ cql() mate", CQL6, "default");
    WHY("//* dialect: cqli\ncql() mate", CQL6, "default");
    WHY("; * dialect: cqli\ncql() mate", CQL6, "default");
    WHY("// dialect:\ncqli\ncql() mate", CQL6, "default");
    WHY("// dialect: */ cqli\ncql() mate", CQL6, "default");
    WHY("\n; CQL 1.0\n(match)", CQL3, "from line 2");
    WHY("//; CQL 1.0\ncql() mate", CQL6, "default");
    WHY("; CQL 1.1\n(match)", CQL3, "from line 1"); // read as 1.0, with a warning
    const Found unknown = detect("// dialect: cql7\ncql() mate", DIALECT_NONE);
    assert_int_equal(unknown.errors, 1);
    const Found overridden = detect("// dialect: cql5\ncql() mate", DIALECT_CQL3);
    assert_int_equal(overridden.dialect, DIALECT_CQL3);
    assert_true(overridden.errors == 0 && overridden.count == 1);
    assert_string_equal(overridden.why, "by option");
}

// ---- parsing ----------------------------------------------------------------------------------------------

static void test_preamble(void **state)
{
    (void)state;
    static const char text[] = "\xEF\xBB\xBF#! x\n // a\n\n;b\n/* c\nd */ check // e";
    assert_int_equal(preamble_end(text, strlen(text)), strstr(text, "check") - text);
    assert_int_equal(preamble_end("; only", 6), 6);
    assert_int_equal(preamble_end("/* open", 7), 7);
    assert_int_equal(preamble_end("", 0), 0);
    static const struct {
        const char *text;
        size_t end;
    } whole[] = {{";", 1},
                 {"//", 2},
                 {"/*", 2},
                 {"/*/", 3},
                 {"/**/", 4},
                 {"/**/x", 4},
                 {"/* */*/", 5},
                 {"#!", 2},
                 {" ", 1},
                 {"/", 0},
                 {"x", 0},
                 {"\xEF\xBB\xBF", 3},
                 {"\xEF\xBB\xBF#!", 5},
                 {"#", 0},
                 {" #!", 1}};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        assert_int_equal(preamble_end(whole[i].text, strlen(whole[i].text)), whole[i].end);
}

// The seconds that `piece` again and again up to `size` bytes, then `after`, take.
static double seconds_of(const char *piece, const char *after, size_t size, Dialect expected)
{
    static const char before[] = "cql() ";
    const size_t length = strlen(piece);
    char *text = malloc(size + 100);
    assert_non_null(text);
    size_t end = sizeof before - 1;
    memcpy(text, before, end);
    for (; end + length < size; end += length)
        memcpy(text + end, piece, length);
    strcpy(text + end, after);
    const clock_t start = clock();
    const Found f = detect(text, DIALECT_NONE);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(text);
    assert_int_equal(f.dialect, expected);
    return seconds;
}

// Eight times the text takes about eight times as long, not 64 times.
static void check_long(const char *piece, const char *after, Dialect expected)
{
    enum { TIMES = 8 };
    const int size = ROUNDS(100000);
    const double once = seconds_of(piece, after, size, expected);
    const double more = seconds_of(piece, after, TIMES * size, expected);
    if (more > 4 * TIMES * (once + 0.01))
        fail_msg("`%s`: %.2f s for %d bytes, %.2f s for %d times as many", piece, once, size, more, TIMES);
}

// What the rules must know of the text around a word is not looked for at each word.
static void test_long_texts(void **state)
{
    (void)state;
    check_long("next ", "next = 1", DIALECT_CQL6);
    check_long("echo next ", "", DIALECT_CQL6);
    check_long("function ", "next", DIALECT_CQL6);
    check_long("move from ", "", DIALECT_CQL6);
    check_long("move from@from@", "", DIALECT_CQL6);
    check_long("previous(", "--", DIALECT_CQL6);
    check_long("x ", "relation", DIALECT_CQL5);
    check_long("move from ", "A:", DIALECT_CQLI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markers),
        cmocka_unit_test(test_preamble),
        cmocka_unit_test(test_long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
