// Refused texts (language reference 1.13 and the errors named elsewhere in chapter 1), places, and how
// messages are printed.
#include "test.h"

#include <stdlib.h>

#include "compiler/language/ast.h"
#include "compiler/front/cql6/token.h"

typedef struct Checked {
    Arena *arena;
    Source source;
    Diagnostics diagnostics;
    TokenList tokens;
} Checked;

static void check_bytes(Checked *x, const char *text, size_t length)
{
    x->arena = arena_new();
    x->source = (Source){"test.cql", arena_copy(x->arena, text, length), length, NULL};
    x->diagnostics = (Diagnostics){x->arena, &x->source, NULL, 0, 0};
    x->tokens = lex(x->arena, &x->source, IN_CQL6, &x->diagnostics);
    token_check(&x->tokens, &x->diagnostics);
    assert_int_equal(x->tokens.token[x->tokens.count - 1].kind, TOKEN_END);
}

// One error expected, at bytes [start, end), whose message has `part` in it.
typedef struct Refused {
    const char *text, *part;
    uint32_t start, end;
} Refused;

static void check_refused(const Refused *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Checked x;
        check_bytes(&x, cases[i].text, strlen(cases[i].text));
        if (x.diagnostics.errors == 0)
            fail_msg("%s: not refused", cases[i].text);
        Diagnostic first = x.diagnostics.list[0];
        if (x.diagnostics.errors > 1)
            fail_msg("%s: also %s", cases[i].text, x.diagnostics.list[1].message);
        if (strstr(first.message, cases[i].part) == NULL)
            fail_msg("%s: message is %s", cases[i].text, first.message);
        if (first.span.start != cases[i].start || first.span.end != cases[i].end)
            fail_msg("%s: at %u to %u", cases[i].text, first.span.start, first.span.end);
        arena_free(x.arena);
    }
}

#define REFUSED(...)                                                                                         \
    do {                                                                                                     \
        static const Refused cases_[] = {__VA_ARGS__};                                                       \
        check_refused(cases_, sizeof cases_ / sizeof cases_[0]);                                             \
    } while (0)

static void test_malformed_text(void **state)
{
    (void)state;
    REFUSED({"", "empty", 0, 0}, {"x \xFF\xFE y", "malformed UTF-8", 2, 4},
            {"\xC0\x80", "malformed UTF-8", 0, 2}, {"\xED\xA0\x80", "malformed UTF-8", 0, 3},
            {"\xE2\x99", "malformed UTF-8", 0, 2},
            {"input \xFF.pgn", "malformed UTF-8 in a file name", 6, 7});
    static const struct {
        const char *text;
        size_t length;
    } nul[] = {{"check\0wtm", 9}, {"\"a\0b\"", 5}, {"// \0\ncheck", 10}, {"\0", 1}, {"input x\0.pgn", 12}};
    for (size_t i = 0; i < sizeof nul / sizeof nul[0]; i++) {
        Checked x;
        check_bytes(&x, nul[i].text, nul[i].length);
        assert_true(x.diagnostics.errors > 0);
        assert_non_null(strstr(x.diagnostics.list[0].message, "NUL"));
        arena_free(x.arena);
    }
}

// 1.1: fewer than 10,000,000 bytes.
static void test_size(void **state)
{
    (void)state;
    char *text = malloc(10000000);
    assert_non_null(text);
    memset(text, ' ', 10000000);
    Checked x;
    check_bytes(&x, text, 9999999);
    assert_int_equal(x.diagnostics.errors, 0);
    arena_free(x.arena);
    check_bytes(&x, text, 10000000);
    assert_int_equal(x.diagnostics.errors, 1);
    assert_string_equal(x.diagnostics.list[0].message,
                        "the query is too long: it has 10000000 bytes, but must have fewer than 10000000");
    arena_free(x.arena);
    free(text);
}

// An index changes no place, also between the bytes of a character, whichever of its marks they are at.
static void test_index(const Source *part)
{
    char text[14 + 40 * 14];
    for (size_t shift = 0; shift < 14; shift++) {
        memset(text, 'x', shift);
        for (int i = 0; i < 40; i++)
            memcpy(text + shift + i * 14, part->text, 14);
        Source plain = {"test.cql", text, shift + 40 * 14, NULL}, indexed = plain;
        Arena *arena = arena_new();
        source_index(arena, &indexed);
        for (uint32_t offset = 0; offset < plain.length + 2; offset++) {
            const Place a = source_place(&plain, offset), b = source_place(&indexed, offset);
            assert_int_equal(a.line, b.line);
            assert_int_equal(a.column, b.column);
        }
        arena_free(arena);
    }
}

static void test_places(void **state)
{
    (void)state;
    Source s = {"test.cql", "ab\r\n♔é\tx\n\xFFy", 14, NULL};
    static const struct {
        uint32_t offset, line, column;
    } cases[] = {{0, 1, 1},  {1, 1, 2},  {4, 2, 1},  {7, 2, 2},  {9, 2, 3},
                 {10, 2, 4}, {12, 3, 1}, {13, 3, 2}, {14, 3, 3}, {99, 3, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Place place = source_place(&s, cases[i].offset);
        assert_int_equal(place.line, cases[i].line);
        assert_int_equal(place.column, cases[i].column);
    }
    test_index(&s);
    size_t length;
    assert_memory_equal(source_line(&s, 1, &length), "ab", 2);
    assert_int_equal(length, 2);
    assert_memory_equal(source_line(&s, 2, &length), "♔é\tx", 7);
    assert_int_equal(length, 7);
    source_line(&s, 4, &length);
    assert_int_equal(length, 0);
    Source marked = {"test.cql", "\xEF\xBB\xBFxy", 5, NULL};
    assert_int_equal(source_place(&marked, 4).column, 2);
}

static char *printed(const Diagnostics *d, bool colour)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    diag_print(d, out, colour);
    fclose(out);
    char *copy = strdup(text);
    free(text);
    return copy;
}

static void check_printed(const char *text, Span span, const char *expected)
{
    Arena *arena = arena_new();
    Source source = {"q.cql", text, strlen(text), NULL};
    Diagnostics d = {arena, &source, NULL, 0, 0};
    diag_add(&d, DIAG_ERROR, span, "found %s", "it");
    char *output = printed(&d, false);
    assert_string_equal(output, expected);
    free(output);
    arena_free(arena);
}

static void test_print(void **state)
{
    (void)state;
    check_printed("cql()\nchekc wtm\n", (Span){6, 11}, "q.cql:2:1: error: found it\nchekc wtm\n^~~~~\n");
    check_printed("♔♕ é", (Span){3, 9}, "q.cql:1:2: error: found it\n♔♕ é\n ^~~\n");
    check_printed("\tx\ty z", (Span){3, 4}, "q.cql:1:4: error: found it\n\tx\ty z\n\t \t^\n");
    check_printed("ab", (Span){2, 2}, "q.cql:1:3: error: found it\nab\n  ^\n");
    check_printed("ab", (Span){3, 4}, "q.cql:1:3: error: found it\nab\n  ^\n"); // beyond the end
    check_printed("ab\n", (Span){9, 9}, "q.cql:2:1: error: found it\n\n^\n");
    check_printed("ab\ncd", (Span){1, 5}, "q.cql:1:2: error: found it\nab\n ^\n");
    check_printed("a\033[1m\xFF\r\nb", (Span){1, 2}, "q.cql:1:2: error: found it\na?[1mÿ\n ^\n");
    check_printed("a\xCC\x81"
                  "b 象棋",
                  (Span){5, 11},
                  "q.cql:1:5: error: found it\na\xCC\x81"
                  "b 象棋\n   ^~~~\n");
    // a mark without a width of its own has the caret that the letter after it continues
    check_printed("a\xCC\x81"
                  "b",
                  (Span){1, 4},
                  "q.cql:1:2: error: found it\na\xCC\x81"
                  "b\n ^~\n");
    // a character that turns the text around has no width; what is shown instead has one
    check_printed("\xE2\x80\x8F"
                  "b",
                  (Span){3, 4}, "q.cql:1:2: error: found it\n?b\n ^\n");
    // bytes that are no characters are read as Latin-1
    check_printed("\xFF\xFE"
                  "b",
                  (Span){2, 3}, "q.cql:1:3: error: found it\nÿþb\n  ^\n");
    check_printed("b\xFF\xFE\xFD"
                  "b",
                  (Span){1, 4}, "q.cql:1:2: error: found it\nbÿþýb\n ^~~\n");
}

// 100 characters of a line are shown, at most 40 of them before the place, with dots where more follow or precede. What goes on after
// the part that is shown is marked up to there. A byte that is no character is read as Latin-1.
static void test_window(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        size_t count, start, end, blanks, carets; // in characters
        bool before, after;                       // dots
    } cases[] = {{"x", 100, 99, 100, 99, 1, false, false},  {"x", 101, 0, 1, 0, 1, false, true},
                 {"x", 101, 40, 41, 40, 1, false, true},    {"x", 101, 41, 42, 43, 1, true, false},
                 {"x", 101, 100, 101, 102, 1, true, false}, {"x", 200, 140, 141, 43, 1, true, false},
                 {"x", 201, 140, 141, 43, 1, true, true},   {"x", 300, 150, 151, 43, 1, true, true},
                 {"x", 200, 200, 201, 103, 1, true, false}, {"x", 300, 0, 300, 0, 100, false, true},
                 {"x", 300, 150, 300, 43, 60, true, true},  {"x", 300, 150, 210, 43, 60, true, true},
                 {"x", 300, 150, 209, 43, 59, true, true},  {"x", 300, 250, 300, 53, 50, true, false},
                 {"é", 100, 50, 51, 50, 1, false, false},   {"é", 101, 41, 42, 43, 1, true, false},
                 {"é", 150, 41, 42, 43, 1, true, true},     {"\xFF", 100, 50, 51, 50, 1, false, false},
                 {"\xFF", 101, 41, 42, 43, 1, true, false}, {"\xFF", 150, 41, 42, 43, 1, true, true}};
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t bytes = strlen(cases[i].unit), shown = *cases[i].unit == 'x' ? 1 : strlen("é");
        char text[301] = "";
        for (size_t k = 0; k < cases[i].count; k++)
            memcpy(text + k * bytes, cases[i].unit, bytes);
        const Span span = {(uint32_t)(cases[i].start * bytes), (uint32_t)(cases[i].end * bytes)};
        Source source = {"q.cql", text, cases[i].count * bytes, NULL};
        Diagnostics d = {arena, &source, NULL, 0, 0};
        diag_add(&d, DIAG_ERROR, span, "here");
        char *output = printed(&d, false), *line = strchr(output, '\n') + 1, *carets = strchr(line, '\n') + 1;
        assert_int_equal(carets - line - 1, 100 * shown + 3 * (cases[i].before + cases[i].after));
        assert_int_equal(memcmp(line, "...", 3) == 0, cases[i].before);
        assert_int_equal(memcmp(carets - 4, "...", 3) == 0, cases[i].after);
        assert_int_equal(strspn(carets, " "), cases[i].blanks);
        assert_int_equal(strcspn(carets + cases[i].blanks, "\n"), cases[i].carets);
        assert_int_equal(strspn(carets + cases[i].blanks, "^~"), cases[i].carets);
        free(output);
    }
    arena_free(arena);
}

// The first 30 are shown, the others counted.
static void test_print_many(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Source source = {"q.cql", "", 0, NULL};
    Diagnostics d = {arena, &source, NULL, 0, 0};
    for (int i = 1; i <= 33; i++) {
        diag_add(&d, DIAG_ERROR, (Span){0, 0}, "number %d.", i);
        char *output = printed(&d, false);
        const char *end = i <= 30 ? "" : arena_printf(arena, "q.cql: %d more not shown\n", i - 30);
        const char *last = strstr(output, i < 30 ? arena_printf(arena, "number %d.\n", i) : "number 30.\n");
        assert_non_null(last);
        assert_string_equal(strchr(last, '\n') + 1, end);
        free(output);
    }
    arena_free(arena);
}

// What could upset a terminal is shown as a question mark.
static void test_print_controls(void **state)
{
    (void)state;
    for (uint32_t c = 1; c <= 0x180; c++) {
        char text[4] = {(char)c};
        if (c >= 0x80) {
            text[0] = (char)(0xC0 | c >> 6);
            text[1] = (char)(0x80 | (c & 0x3F));
        }
        const bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
        if (c == '\n')
            continue;
        char message[100], line[100];
        snprintf(message, sizeof message, "q.cql:1:1: error: <%s>\n", control ? "?" : text);
        snprintf(line, sizeof line, "%s\n^\n", c == '\r' ? "" : control && c != '\t' ? "?" : text);
        Arena *arena = arena_new();
        Source source = {"q.cql", text, strlen(text), NULL};
        Diagnostics d = {arena, &source, NULL, 0, 0};
        diag_add(&d, DIAG_ERROR, (Span){0, 1}, "<%s>", text);
        char *output = printed(&d, false);
        assert_memory_equal(output, message, strlen(message));
        assert_string_equal(output + strlen(message), line);
        free(output);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_malformed_text), cmocka_unit_test(test_size),
        cmocka_unit_test(test_places),         cmocka_unit_test(test_print),
        cmocka_unit_test(test_window),         cmocka_unit_test(test_print_many),
        cmocka_unit_test(test_print_controls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
