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
    int errors, warnings, notes;
    bool parsed;
} Found;

static void count(Found *f, const Diagnostics *d)
{
    f->errors = d->errors;
    for (int i = 0; i < d->count; i++) {
        f->warnings += d->list[i].severity == DIAG_WARNING;
        f->notes += d->list[i].severity == DIAG_NOTE;
    }
}

static Found detect(const char *text, Dialect option)
{
    Arena *arena = arena_new();
    const Source source = {"test", text, strlen(text), NULL};
    Diagnostics d = {.arena = arena, .source = &source};
    const char *why;
    Found f = {.dialect = dialect_detect(&source, option, &d, &why)};
    strncpy(f.why, why, sizeof f.why - 1);
    count(&f, &d);
    arena_free(arena);
    return f;
}

static Found parse_text(const char *text, Dialect option, bool filters_only)
{
    Arena *arena = arena_new();
    const Source source = {"test", text, strlen(text), NULL};
    Diagnostics d = {.arena = arena, .source = &source};
    const ParseOptions options = {.variations = -1, .filters_only = filters_only};
    const char *why;
    Found f = {0};
    f.parsed = parse_any(arena, &source, option, &options, &d, &f.dialect, &why) != NULL;
    strncpy(f.why, why, sizeof f.why - 1);
    count(&f, &d);
    arena_free(arena);
    return f;
}

static Found parse(const char *text, Dialect option)
{
    return parse_text(text, option, false);
}

static void check(const char *text, Dialect expected, const char *why, int line)
{
    const Found f = detect(text, DIALECT_NONE);
    if (f.dialect != expected || (why != NULL && strcmp(f.why, why) != 0))
        fail_msg("line %d: `%s` is %s (%s), expected %s (%s)", line, text, dialect_name(f.dialect), f.why,
                 dialect_name(expected), why != NULL ? why : "any reason");
}

#define IS(text, dialect) check((text), DIALECT_##dialect, NULL, __LINE__)
#define WHY(text, dialect, why) check((text), DIALECT_##dialect, (why), __LINE__)
#define BODY(text, dialect) IS("cql(input x.pgn) " text, dialect)

// ---- names and markers (14.1, 14.2) -----------------------------------------------------------------------

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        Dialect dialect;
    } names[] = {{"cql6", DIALECT_CQL6},   {"CQL6.2", DIALECT_CQL6},  {"cql6.0", DIALECT_CQL6},
                 {"cqli", DIALECT_CQLI},   {"cql5", DIALECT_CQL5},    {"cql5.2", DIALECT_CQL5},
                 {"cql51", DIALECT_CQL51}, {"cql5.0", DIALECT_CQL51}, {"Cql5.1", DIALECT_CQL51},
                 {"cql3", DIALECT_CQL3},   {"CQL-S", DIALECT_CQL3},   {"cql4", DIALECT_NONE},
                 {"cql", DIALECT_NONE},    {"cql55", DIALECT_NONE}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(dialect_from_name(names[i].name, strlen(names[i].name)), names[i].dialect);
}

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
    assert_int_equal(overridden.warnings, 1);
    assert_string_equal(overridden.why, "by option");
}

// ---- rules (14.3) -----------------------------------------------------------------------------------------

static void test_cql5_words(void **state)
{
    (void)state;
    WHY("cql(input x.pgn) mate relation mate (lcasum 1 3)", CQL5, "because of `relation`");
    BODY("countsquares 3 A", CQL5);
    BODY("next (check mate)", CQL5);
    BODY("check next* mate", CQL5);
    BODY("previous* mate", CQL5);
    BODY("previous (check mate)", CQL5);
    BODY("previous (K--)", CQL6);
    BODY("previous (K ― a1)", CQL6);
    BODY("next = 3 check on mate", CQL6);
    BODY("next += 3 relation", CQL5);
    BODY("function next(x) {x} next(check) on", CQL6);
    BODY("function f(relation) {relation} f(check) on", CQL6);
    BODY("square origin in A origin on", CQL6);
    BODY("x == next", CQL6);
    BODY("comment \"relation\" on", CQL6);
    BODY("check on // relation\n mate", CQL6);
    BODY("attack (A a)", CQL6);
    IS("relation mate", CQL6); // no header: filters of the command line
}

static void test_versions_of_cql5(void **state)
{
    (void)state;
    BODY("next (check) attack (K any)", CQL51);
    BODY("next (check) .d4", CQL51);
    BODY("next (check) [Q.]a1", CQL51);
    BODY("next (check) .", CQL5);
    BODY("next (check . mate)", CQL5);
    BODY("next (check) any _d4", CQL5);
}

static void test_others(void **state)
{
    (void)state;
    IS("(match :pgn x.pgn)", CQL3);
    IS("; old\n( match )", CQL3);
    IS("(check) mate", CQL6);
    BODY("imagine mate", CQLI);
    BODY("saveposition x", CQLI);
    BODY("move reverse", CQLI);
    BODY("move from R to a1 : check", CQLI);
    BODY("move legal from Ra-h1-8 : check", CQLI);
    BODY("`x", CQLI);
    BODY("move from R on", CQL6);
    BODY("imagine = 3 on", CQL6);
}

static void test_mixed(void **state)
{
    (void)state;
    const Found f = detect("cql(input x.pgn) relation mate (mismatch 0) path -- --", DIALECT_NONE);
    assert_int_equal(f.dialect, DIALECT_CQL6);
    assert_int_equal(f.notes, 1);
}

// ---- parsing ----------------------------------------------------------------------------------------------

static void test_parsing(void **state)
{
    (void)state;
    Found f = parse("cql(input x.pgn) next=3 next==4", DIALECT_NONE);
    assert_true(f.parsed && f.dialect == DIALECT_CQL6 && f.notes == 0);
    f = parse("cql(input x.pgn) countsquares 3 A", DIALECT_NONE);
    assert_true(f.parsed && f.dialect == DIALECT_CQL5 && f.notes == 1 && f.errors == 0);
    f = parse("cql(input x.pgn) countsquares 3 A on . mate", DIALECT_NONE);
    assert_true(f.parsed && f.warnings == 1);
    f = parse("cql(input x.pgn) countsquares 3 A on . _d4", DIALECT_NONE);
    assert_true(f.parsed && f.warnings == 0);
    f = parse("; dialect: cql51\ncql(input x.pgn) any", DIALECT_NONE);
    assert_true(f.parsed && f.dialect == DIALECT_CQL51 && f.notes == 0);
    f = parse("; dialect: cql5\ncql(input x.pgn) any", DIALECT_NONE);
    assert_true(!f.parsed && f.errors == 1 && f.notes == 1);
    f = parse("cql(input x.pgn) check", DIALECT_CQL5);
    assert_true(f.parsed && f.dialect == DIALECT_CQL5);
    f = parse("cql(input x.pgn) attack (A a)", DIALECT_NONE);
    assert_true(!f.parsed && f.dialect == DIALECT_CQL6 && f.notes == 1); // cql5 is proposed
    f = parse("// dialect: cql9\ncql(input x.pgn) check", DIALECT_NONE);
    assert_true(!f.parsed && f.errors == 1);
    f = parse("(match (position :mate))", DIALECT_NONE);
    assert_true(f.parsed && f.dialect == DIALECT_CQL3 && f.notes == 0); // nothing else begins so
    f = parse("(match (position :matt))", DIALECT_NONE);
    assert_true(!f.parsed && f.errors == 1 && f.notes == 1);
}

// The text of option -e.
static void test_filters(void **state)
{
    (void)state;
    Found f = parse_text("(match (position :mate))", DIALECT_NONE, true);
    assert_true(f.parsed && f.dialect == DIALECT_CQL3);
    f = parse_text("next* mate", DIALECT_NONE, true);
    assert_true(!f.parsed && f.dialect == DIALECT_CQL6);
    f = parse_text("next* mate", DIALECT_CQL5, true);
    assert_true(f.parsed && f.dialect == DIALECT_CQL5);
    f = parse_text("cql() next* mate", DIALECT_NONE, true);
    assert_true(!f.parsed && f.dialect == DIALECT_CQL6);
    assert_string_equal(f.why, "default");
}

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
    enum { SIZE = 100000, TIMES = 8 };
    const double once = seconds_of(piece, after, SIZE, expected);
    const double more = seconds_of(piece, after, TIMES * SIZE, expected);
    if (more > 4 * TIMES * (once + 0.01))
        fail_msg("`%s`: %.2f s for %d bytes, %.2f s for %d times as many", piece, once, SIZE, more, TIMES);
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
        cmocka_unit_test(test_names),      cmocka_unit_test(test_markers),
        cmocka_unit_test(test_cql5_words), cmocka_unit_test(test_versions_of_cql5),
        cmocka_unit_test(test_others),     cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_parsing),    cmocka_unit_test(test_filters),
        cmocka_unit_test(test_preamble),   cmocka_unit_test(test_long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
