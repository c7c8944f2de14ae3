// The limits of queries in each dialect: what is accepted at the limit, and the message one beyond it.
#include "test.h"

#include <stdlib.h>

#include "compiler/front/detect/dialect.h"
#include "compiler/middle/lower/lower.h"

// `count` times `repeated`, between `before` and `after`. `closing` follows `middle` as often as `repeated` comes before it.
typedef struct Limit {
    Dialect dialect;
    const char *before, *repeated, *middle, *closing, *after;
    int most;            // of `repeated`
    const char *message; // the first one beyond
} Limit;

static const char *repeat(Arena *arena, const char *text, int count)
{
    const size_t length = strlen(text);
    char *all = arena_alloc(arena, length * (size_t)count + 1);
    for (int i = 0; i < count; i++)
        memcpy(all + (size_t)i * length, text, length);
    all[length * (size_t)count] = '\0';
    return all;
}

// The first error of the text, copied to the arena; NULL: it is accepted.
static const char *error_of(Arena *arena, const char *text, Dialect dialect, int *errors)
{
    Source source = {"test", text, strlen(text), NULL};
    source_index(arena, &source);
    Diagnostics d = {.arena = arena, .source = &source};
    const ParseOptions options = {.variations = -1};
    const Query *query = parse_any(arena, &source, dialect, &options, &d, NULL, NULL);
    *errors = d.errors;
    assert_true((query != NULL) == (d.errors == 0));
    for (int i = 0; i < d.count; i++)
        if (d.list[i].severity == DIAG_ERROR)
            return d.list[i].message;
    return NULL;
}

static void check_limit(const Limit *l, int count, bool accepted)
{
    Arena *arena = arena_new();
    const char *text = arena_printf(arena, "%s%s%s%s%s", l->before, repeat(arena, l->repeated, count),
                                    l->middle, repeat(arena, l->closing, count), l->after);
    int errors;
    const char *message = error_of(arena, text, l->dialect, &errors);
    if (accepted && message != NULL)
        fail_msg("%d times `%s`: %s", count, l->repeated, message);
    if (!accepted && (message == NULL || strcmp(message, l->message) != 0))
        fail_msg("%d times `%s`: `%s`, expected `%s`", count, l->repeated, message ? message : "accepted",
                 l->message);
    if (!accepted && errors != 1)
        fail_msg("%d times `%s`: %d errors", count, l->repeated, errors);
    arena_free(arena);
}

static void test_repeated_text(void **state)
{
    (void)state;
    static const char deep6[] = "filters are nested too deeply (more than 1000 levels)",
                      deep5[] = "filters are nested too deeply (more than 800 levels)",
                      high[] = "expression nested too deeply (more than 4000 operators inside one another)";
    static const Limit limits[] = {
        {DIALECT_CQL6, "cql() ", "{", "true", "}", "", 999, deep6},
        {DIALECT_CQLI, "cql() ", "{", "true", "}", "", 999, deep6},
        {DIALECT_CQL6, "cql() ", "not ", "true", "", "", 999, deep6},
        // Where a path, a line or a sequence and what is in it take a level each.
        {DIALECT_CQL6, "cql() path ", "(", "--", ")", "", 999, deep6},
        {DIALECT_CQL6, "cql() line --> ", "(", "check", ")", "", 998, deep6},
        {DIALECT_CQL6, "cql() ", "parent:", "check", "", "", 999, deep6},
        {DIALECT_CQL6, "cql() ply", " < ply", "", "", "", 999, deep6},
        {DIALECT_CQL6, "cql() ", "--(", "check", ")", "", 999, deep6},
        {DIALECT_CQL6, "cql() 0 == ", "-(", "ply", ")", "", 499, deep6},
        {DIALECT_CQLI, "cql() ", "imagine remove a1 : ", "check", "", "", 999, deep6},
        {DIALECT_CQL5, "cql() next (", "(", "check", ")", ")", 798, deep5},
        {DIALECT_CQL5, "cql() ", "not ", "check", "", "", 799, deep5},
        {DIALECT_CQL5, "cql() K", " or K", "", "", "", 799, deep5},
        {DIALECT_CQL5, "cql() ", "{", "check", "}", "", 799, deep5},
        {DIALECT_CQL6, "cql() 0", "+1", " == 5", "", "", 3998, high},
        {DIALECT_CQLI, "cql() move from (K", "|K", ") : check", "", "", 3997, high},
        {DIALECT_CQLI, "cql() move legal to (K", "|K", ") count : check", "", "", 3997, high},
        {DIALECT_CQL6, "cql() move from (K", "|K", ")", "", "", 3998, high},
        {DIALECT_CQL3, "(match ", "(position :not ", "(position)", ")", ")", 58,
         "lists nested too deeply (more than 60 levels)"},
        {DIALECT_CQL3, "(match (position :gappedsequence (", "(position R) ", "", "", ")))", 666,
         "expression nested too deeply (more than 2000 tests inside one another)"},
        // Strings, tokens and names of CQL 5.
        {DIALECT_CQL5, "cql() player \"", "x", "\"", "", "", 499, "a string has 1 to 499 characters"},
        {DIALECT_CQL51, "cql() comment \"", "x", "\"", "", "", 199,
         "the string of `comment` may have at most 199 characters"},
        {DIALECT_CQL5, "cql(input ", "x", ".pgn) check", "", "", 95,
         "this token is longer than 99 characters"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        check_limit(&limits[i], limits[i].most, true);
        check_limit(&limits[i], limits[i].most + 1, false);
    }
}

// What follows one another is not nested.
static void test_siblings(void **state)
{
    (void)state;
    static const struct {
        Dialect dialect;
        const char *before, *repeated, *after;
    } rows[] = {
        {DIALECT_CQL6, "cql() ", "{check wtm} ", ""},
        {DIALECT_CQL6, "cql() ", "(check) ", ""},
        {DIALECT_CQL6, "cql() ", "not check ", ""},
        {DIALECT_CQL6, "cql() ", "parent:parent:check ", ""},
        {DIALECT_CQL6, "cql() ", "#~K == -ply ", ""},
        {DIALECT_CQL6, "cql() ", "flip find check ", ""},
        {DIALECT_CQL6, "cql() ", "if check then wtm ", ""},
        {DIALECT_CQL6, "cql() ", "K--(check) ", ""},
        {DIALECT_CQL6, "cql() ", "square v in K check ", ""},
        {DIALECT_CQL6, "cql() ", "max(1 2) > ply ", ""},
        {DIALECT_CQL6, "cql() ", "/// \"a\"\n", ""},
        {DIALECT_CQL6, "cql() function f(x) {x} ", "f(K) ", ""},
        {DIALECT_CQL6, "cql() path ", "(-- check) ", ""},
        {DIALECT_CQL6, "cql() path ", "--(check)", ""},
        {DIALECT_CQL6, "cql() line ", "--> (check) ", ""},
        {DIALECT_CQL6, "cql() x = \"abc\" ", "x[0] == x[1:2] ", ""},
        {DIALECT_CQLI, "cql() ", "imagine remove a1 : check ", ""},
        {DIALECT_CQLI, "cql() ", "move legal : check ", ""},
        {DIALECT_CQL5, "cql() ", "{check wtm} ", ""},
        {DIALECT_CQL5, "cql() ", "not check ", ""},
        {DIALECT_CQL5, "cql() ", "K or k ", ""},
        {DIALECT_CQL5, "cql() next (", "(K k) ", ")"},
        {DIALECT_CQL5, "cql() next (", "(K k)+ ", ")"},
        {DIALECT_CQL3, "(match ", "(position :and ((position))) ", ")"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        int errors;
        const char *text = arena_printf(arena, "%s%s%s", rows[i].before,
                                        repeat(arena, rows[i].repeated, 1100), rows[i].after);
        const char *message = error_of(arena, text, rows[i].dialect, &errors);
        if (message != NULL)
            fail_msg("many times `%s`: %s", rows[i].repeated, message);
        arena_free(arena);
    }
}

// A body of a thousand tokens, two of them braces.
static void test_expansion(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); // a million tokens take long there
#endif
    Arena *arena = arena_new();
    const Limit calls = {
        DIALECT_CQL6, arena_printf(arena, "cql() function f() {%s} {", repeat(arena, "wtm ", 998)),
        "f() ",       "",
        "",           "}",
        1000,         "the calls of functions in this query expand to more than 1000000 tokens"};
    check_limit(&calls, 1000, true);
    check_limit(&calls, 1001, false);
    arena_free(arena);
}

// Mistakes are reported up to a number.
static void test_errors(void **state)
{
    (void)state;
    static const struct {
        Dialect dialect;
        const char *header, *mistake;
        int most;
    } rows[] = {
        {DIALECT_CQL6, "cql()\n", "3\n", 50},
        {DIALECT_CQL6, "cql()\n", "@\n", 20},
        {DIALECT_CQL5, "cql()\n", "up 8 A\n", 50},
        {DIALECT_CQL5, "cql()\n", "x!\n", 50},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int count = rows[i].most - 1; count <= rows[i].most + 1; count++) {
            Arena *arena = arena_new();
            int errors;
            const char *text =
                arena_printf(arena, "%s%s", rows[i].header, repeat(arena, rows[i].mistake, count));
            assert_non_null(error_of(arena, text, rows[i].dialect, &errors));
            if (errors != (count < rows[i].most ? count : rows[i].most))
                fail_msg("%d times `%s`: %d errors", count, rows[i].mistake, errors);
            arena_free(arena);
        }
}

// What a mistake leaves open is not around the filters after it.
static void test_depth_after_mistakes(void **state)
{
    (void)state;
    static const struct {
        Dialect dialect;
        const char *before, *opening, *mistake, *closing, *after;
    } rows[] = {{DIALECT_CQL6, "cql()\n", "{", "nn1", "}", ""},
                {DIALECT_CQLI, "cql()\n", "{", "nn1", "}", ""},
                {DIALECT_CQL6, "cql()\npath ", "(", "-- nn1", ")", "\n\n"},
                {DIALECT_CQL6, "cql()\nline --> ", "(", "nn1", ")", ""},
                {DIALECT_CQL5, "cql()\n", "{", "not", "}", ""},
                {DIALECT_CQL5, "cql()\n next (", "(", "not", ")", ")"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        int errors;
        const char *text = arena_printf(
            arena, "%s%s%s%s%s\ncheck\nnot %scheck", rows[i].before, repeat(arena, rows[i].opening, 700),
            rows[i].mistake, repeat(arena, rows[i].closing, 700), rows[i].after, repeat(arena, "not ", 700));
        const char *message = error_of(arena, text, rows[i].dialect, &errors);
        if (message == NULL || errors != 1 || strstr(message, "deep") != NULL)
            fail_msg("row %zu: %d errors, %s", i, errors, message);
        arena_free(arena);
    }
}

// A tree that assigns to hidden variables, with numbers from `first` on, and reads the last.
static const Ast *tree_of_own(Arena *arena, int count, int first)
{
    Ast *tree = ast_new(arena, OP_COMPOUND, TYPE_INT, (Span){0, 0});
    for (int i = 0; i < count; i++) {
        Variable *v = arena_alloc(arena, sizeof *v);
        *v = (Variable){.name = "own", .kind = VARIABLE_INT, .number = first + i, .hidden = true};
        Ast *value = ast_new(arena, OP_NUMBER, TYPE_INT, (Span){0, 0});
        Ast *assignment = ast_new(arena, OP_ASSIGN, TYPE_BOOL, (Span){0, 0});
        assignment->variable = v;
        ast_add_kid(arena, assignment, value);
        ast_add_kid(arena, tree, assignment);
        if (i == count - 1) {
            Ast *read = ast_new(arena, OP_VARIABLE, TYPE_INT, (Span){0, 0});
            read->variable = v;
            ast_add_kid(arena, tree, read);
        }
    }
    return tree;
}

// Copies that each have variables of their own say the same, up to 64 variables.
static void test_own_variables(void **state)
{
    (void)state;
    for (int count = 1; count <= 70; count++) {
        Arena *arena = arena_new();
        const char *one = ast_signature(arena, tree_of_own(arena, count, 0));
        const char *other = ast_signature(arena, tree_of_own(arena, count, 1000));
        const char *another = ast_signature(arena, tree_of_own(arena, count, 1000));
        if ((strcmp(one, other) == 0) != (count <= 64))
            fail_msg("%d variables: %s, %s", count, one, other);
        assert_string_equal(other, another);
        arena_free(arena);
    }
    // its first variable is not the first of the query
    Arena *one = arena_new();
    Ast *own = (Ast *)tree_of_own(one, 1, 7), *other = (Ast *)tree_of_own(one, 1, 7);
    for (int number = 0; number < 8; number++) {
        other->kid[1]->variable = &(Variable){.name = "x", .number = number};
        assert_string_not_equal(ast_signature(one, own), ast_signature(one, other));
    }
    arena_free(one);
    // variables that the tree does not bind, and those that have a name, are themselves
    for (int hidden = 0; hidden < 2; hidden++)
        for (int binds = 0; binds < 2; binds++) {
            Arena *arena = arena_new();
            const char *text[2];
            for (int i = 0; i < 2; i++) {
                Ast *tree = ast_new(arena, binds ? OP_ASSIGN : OP_VARIABLE, TYPE_INT, (Span){0, 0});
                tree->variable = arena_alloc(arena, sizeof *tree->variable);
                *tree->variable = (Variable){.name = "x", .number = i, .hidden = hidden};
                text[i] = ast_signature(arena, tree);
            }
            assert_int_equal(strcmp(text[0], text[1]) == 0, hidden && binds);
            arena_free(arena);
        }
}

// Each position list makes as many copies as its transformations have maps that differ on the squares of its designators.
// Along each axis of the board there are 15 shifts and as many with a reflection, but by 7 squares both maps are the same: 28.
// An exchange of the axes doubles them, but for the four maps that are by 7 squares along both, and one of colours again:
// (2 * 28 * 28 - 4) * 2 = 3128.
static void test_copies(void **state)
{
    (void)state;
    if (!is_full_run())
        skip(); // 400000 copies take long
    Arena *arena = arena_new();
    const Limit copies = {
        DIALECT_CQL3,
        arena_printf(arena, "(match %s",
                     repeat(arena, "(position R[a2-8,b-h1-8] :shift :flip :flipcolor)", 127)),
        "(position)",
        "",
        "",
        ")",
        400000 - 127 * 3128,
        "position list 2872: the transformations of this position list and of those around it make too many "
        "copies"};
    check_limit(&copies, copies.most, true);
    check_limit(&copies, copies.most + 1, false);
    check_limit(&copies, copies.most + 2, false);
    arena_free(arena);
}

// A file is no text when more than eight of its first 512 bytes, and more than a twentieth of them, are control characters.
static void test_binary_files(void **state)
{
    (void)state;
    static const struct {
        int controls, blanks, more; // control characters, spaces, and again control characters
        bool binary;
    } rows[] = {{8, 0, 0, false},    {8, 92, 0, false},  {9, 0, 0, true},     {9, 170, 0, true},
                {9, 171, 0, false},  {9, 91, 1, true},   {25, 487, 1, false}, {25, 486, 1, true},
                {0, 512, 50, false}, {26, 486, 0, true}, {26, 2000, 0, true}, {25, 2000, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        const char *text =
            arena_printf(arena, "%s%s%s", repeat(arena, "\x01", rows[i].controls),
                         repeat(arena, " ", rows[i].blanks), repeat(arena, "\x01", rows[i].more));
        int errors;
        const char *message = error_of(arena, text, DIALECT_CQL6, &errors);
        assert_non_null(message);
        if ((strcmp(message, "this is a binary file, not text") == 0) != rows[i].binary)
            fail_msg("%d, %d, %d: %s", rows[i].controls, rows[i].blanks, rows[i].more, message);
        arena_free(arena);
    }
}

// Files of other programs, as soon as they have begun.
static void test_foreign_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"{\\rtf", "this is a document of a word processor; save the query as plain text"},
        {"\xD0\xCF\x11\xE0", "this is a document of a word processor; save the query as plain text"},
        {"PK\x03\x04",
         "this is a zip archive or a document of a word processor; save the query as plain text"},
        {"<!DOCTYPE", "this is a web page; save the query alone, as plain text"},
        {"<html", "this is a web page; save the query alone, as plain text"},
        {"[Event ", "these are games in PGN; a query begins with `cql()`"},
        {"\xFF\xFE", "the query is encoded as UTF-16; save it as UTF-8"},
        {"\xFE\xFF", "the query is encoded as UTF-16; save it as UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_new();
        int errors;
        const char *more = arena_printf(arena, "%s and more", rows[i].text);
        assert_string_equal(error_of(arena, rows[i].text, DIALECT_CQL6, &errors), rows[i].message);
        assert_string_equal(error_of(arena, more, DIALECT_CQL6, &errors), rows[i].message);
        const char *less = arena_copy(arena, rows[i].text, strlen(rows[i].text) - 1);
        assert_string_not_equal(error_of(arena, less, DIALECT_CQL6, &errors), rows[i].message);
        arena_free(arena);
    }
}

// A place has no column where that is too great, and is none where its line is.
static void test_places(void **state)
{
    (void)state;
    enum { LINES = 2 * PLACE_COLUMNS, LAST = INT32_MAX / PLACE_COLUMNS };
    char *text = malloc(LINES + LAST);
    memset(text, ' ', LINES);
    memset(text + LINES, '\n', LAST);
    Query query = {.source = {.name = "q", .text = text, .length = LINES + LAST}};
    assert_int_equal(place_at(&query, 0), PLACE(1, 1));
    assert_int_equal(place_at(&query, PLACE_COLUMNS - 2), PLACE(1, PLACE_COLUMNS - 1));
    assert_int_equal(place_at(&query, PLACE_COLUMNS - 1), PLACE(1, 0));
    assert_int_equal(place_at(&query, LINES), PLACE(1, 0));
    assert_int_equal(place_at(&query, LINES + 1), PLACE(2, 1));
    assert_int_equal(place_at(&query, LINES + LAST - 2), PLACE(LAST - 1, 1));
    assert_int_equal(place_at(&query, LINES + LAST - 1), 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeated_text), cmocka_unit_test(test_siblings),
        cmocka_unit_test(test_expansion),     cmocka_unit_test(test_errors),
        cmocka_unit_test(test_copies),        cmocka_unit_test(test_places),
        cmocka_unit_test(test_binary_files),  cmocka_unit_test(test_depth_after_mistakes),
        cmocka_unit_test(test_own_variables), cmocka_unit_test(test_foreign_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
