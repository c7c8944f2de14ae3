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

static void test_brackets(void **state)
{
    (void)state;
    REFUSED({"{ ( }", "`}` does not match the `(` at line 1, column 3", 4, 5}, {"check )", "`)`", 6, 7},
            {"{ x", "`{` is never closed", 0, 1}, {"path (x]", "`]` does not match the `(`", 7, 8},
            {"path {x\n\n", "`{` is never closed", 5, 6}, {"♔\n { (\n x } )", "line 2, column 4", 12, 13});
}

// Errors do not hide later ones.
static void test_recovery(void **state)
{
    (void)state;
    Checked x;
    static const char text[] = "x! \\q 2147483648 h-a1 {,} \"abc\n check @";
    check_bytes(&x, text, sizeof text - 1);
    assert_int_equal(x.diagnostics.errors, 7);
    arena_free(x.arena);
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

static void test_print_long_line(void **state)
{
    (void)state;
    char text[301];
    memset(text, 'x', 300);
    text[300] = '\0';
    text[150] = 'y';
    Arena *arena = arena_new();
    Source source = {"q.cql", text, 300, NULL};
    Diagnostics d = {arena, &source, NULL, 0, 0};
    diag_add(&d, DIAG_WARNING, (Span){150, 151}, "long");
    char *output = printed(&d, false);
    const char *line = strchr(output, '\n') + 1, *carets = strchr(line, '\n') + 1;
    assert_memory_equal(output, "q.cql:1:151: warning: long\n", 27);
    assert_true(carets - line >= 60 && carets - line <= 120);
    assert_memory_equal(line, "...x", 4);
    assert_memory_equal(carets - 5, "x...\n", 5);
    assert_int_equal(strchr(line, 'y') - line, strchr(carets, '^') - carets);
    free(output);
    arena_free(arena);
}

// 100 characters of a line are shown, at most 40 of them before the place, with dots where more follow or precede.
static void test_window(void **state)
{
    (void)state;
    static const struct {
        size_t length, place, column; // of the caret
        bool before, after;           // dots
    } cases[] = {{100, 99, 99, false, false}, {101, 0, 0, false, true},     {101, 40, 40, false, true},
                 {101, 41, 43, true, false},  {101, 100, 102, true, false}, {200, 140, 43, true, false},
                 {201, 140, 43, true, true},  {300, 150, 43, true, true},   {200, 200, 103, true, false}};
    char text[301];
    memset(text, 'x', 300);
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t place = (uint32_t)cases[i].place;
        Source source = {"q.cql", text, cases[i].length, NULL};
        Diagnostics d = {arena, &source, NULL, 0, 0};
        diag_add(&d, DIAG_ERROR, (Span){place, place + 1}, "here");
        char *output = printed(&d, false), *line = strchr(output, '\n') + 1, *carets = strchr(line, '\n') + 1;
        assert_int_equal(carets - line - 1, 100 + 3 * (cases[i].before + cases[i].after));
        assert_int_equal(memcmp(line, "...", 3) == 0, cases[i].before);
        assert_int_equal(memcmp(carets - 4, "...", 3) == 0, cases[i].after);
        assert_int_equal(strspn(carets, " "), cases[i].column);
        assert_string_equal(carets + cases[i].column, "^\n");
        free(output);
    }
    arena_free(arena);
}

// What goes on after the part of a line that is shown is marked up to there.
static void test_marks_in_windows(void **state)
{
    (void)state;
    static const struct {
        uint32_t start, end;
        size_t blanks, carets;
    } cases[] = {
        {0, 300, 0, 100}, {150, 300, 43, 60}, {150, 210, 43, 60}, {150, 209, 43, 59}, {250, 300, 53, 50}};
    char text[300];
    memset(text, 'x', sizeof text);
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Source source = {"q.cql", text, sizeof text, NULL};
        Diagnostics d = {arena, &source, NULL, 0, 0};
        diag_add(&d, DIAG_ERROR, (Span){cases[i].start, cases[i].end}, "here");
        char *output = printed(&d, false), *carets = strchr(strchr(output, '\n') + 1, '\n') + 1;
        assert_int_equal(strspn(carets, " "), cases[i].blanks);
        assert_int_equal(strcspn(carets + cases[i].blanks, "\n"), cases[i].carets);
        assert_int_equal(strspn(carets + cases[i].blanks, "^~"), cases[i].carets);
        free(output);
    }
    arena_free(arena);
}

// The same of characters of two bytes, and of bytes that are no characters.
static void test_window_of_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        size_t count, place, column; // in characters
        bool before, after;
    } cases[] = {{"é", 100, 50, 50, false, false},   {"é", 101, 41, 43, true, false},
                 {"é", 150, 41, 43, true, true},     {"\xFF", 100, 50, 50, false, false},
                 {"\xFF", 101, 41, 43, true, false}, {"\xFF", 150, 41, 43, true, true}};
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t bytes = strlen(cases[i].unit);
        char text[301] = "";
        for (size_t k = 0; k < cases[i].count; k++)
            memcpy(text + k * bytes, cases[i].unit, bytes);
        const uint32_t place = (uint32_t)(cases[i].place * bytes);
        Source source = {"q.cql", text, cases[i].count * bytes, NULL};
        Diagnostics d = {arena, &source, NULL, 0, 0};
        diag_add(&d, DIAG_ERROR, (Span){place, place + (uint32_t)bytes}, "here");
        char *output = printed(&d, false), *line = strchr(output, '\n') + 1, *carets = strchr(line, '\n') + 1;
        const size_t shown = strlen("é"); // a byte, read as Latin-1, as well
        assert_int_equal(carets - line - 1, 100 * shown + 3 * (cases[i].before + cases[i].after));
        assert_int_equal(memcmp(line, "...", 3) == 0, cases[i].before);
        assert_int_equal(memcmp(carets - 4, "...", 3) == 0, cases[i].after);
        assert_int_equal(strspn(carets, " "), cases[i].column);
        assert_string_equal(carets + cases[i].column, "^\n");
        free(output);
    }
    arena_free(arena);
}

static void test_print_colour(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Source source = {"q.cql", "check", 5, NULL};
    Diagnostics d = {arena, &source, NULL, 0, 0};
    diag_add(&d, DIAG_NOTE, (Span){0, 5}, "here");
    assert_int_equal(d.errors, 0);
    char *output = printed(&d, true);
    assert_string_equal(output, "\033[1mq.cql:1:1:\033[0m \033[1;36mnote:\033[0m here\n"
                                "check\n"
                                "\033[1;36m^~~~~\033[0m\n");
    free(output);
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

static const char *suggested(Arena *arena, const char *word, const char *const *names, size_t count)
{
    Source source = {"q.cql", word, strlen(word), NULL};
    Diagnostics d = {arena, &source, NULL, 0, 0};
    diag_add(&d, DIAG_ERROR, (Span){0, (uint32_t)strlen(word)}, "unknown");
    diag_suggest(&d, word, strlen(word), names, count);
    return d.list[0].suggestion;
}

static void test_suggestions(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    size_t count;
    const char *const *words = op_words(IN_CQL6, &count);
    assert_string_equal(suggested(arena, "chekc", words, count), "did you mean `check`?");
    assert_string_equal(suggested(arena, "CHECK", words, count), "did you mean `check`?");
    assert_string_equal(suggested(arena, "stalmate", words, count), "did you mean `stalemate`?");
    assert_string_equal(suggested(arena, "enpasant", words, count), "did you mean `enpassant`?");
    assert_string_equal(suggested(arena, "conectedpawn", words, count), "did you mean `connectedpawns`?");
    assert_null(suggested(arena, "zz", words, count));
    assert_null(suggested(arena, "bishop", words, count));
    static const char *const names[] = {NULL, "", "fork", "forks"};
    assert_string_equal(suggested(arena, "frok", names, 4), "did you mean `fork`?");
    assert_string_equal(suggested(arena, "fork", names, 4), "did you mean `forks`?");
    assert_null(suggested(arena, "", names, 4));
    Source source = {"q.cql", "x", 1, NULL};
    Diagnostics none = {arena, &source, NULL, 0, 0};
    diag_suggest(&none, "frok", 4, names, 4); // nothing has been said that it would be added to
    diag_advise(&none, "write it otherwise");
    diag_add(&none, DIAG_ERROR, (Span){0, 1}, "unknown `%s`", "frok");
    diag_suggest(&none, "frok", 4, names, 4);
    char *output = printed(&none, false);
    assert_string_equal(output, "q.cql:1:1: error: unknown `frok`; did you mean `fork`?\nx\n^\n");
    free(output);
    arena_free(arena);
}

// The same, as text; "" for none.
static const char *name_near(const char *word, const char *const *names, size_t count)
{
    const char *found = nearest_name(word, strlen(word), names, count);
    return found ? found : "";
}

// One edit from three letters on, two from nine on; none that brings another letter into a word of up to four; the first of
// those that are as near as others, and the nearest before them.
static void test_near(void **state)
{
    (void)state;
    static const struct {
        const char *word, *name;
        bool near;
    } cases[] = {
        {"ab", "abc", false},
        {"abc", "abcd", true},
        {"abc", "ab", true},
        {"abc", "acb", true},
        {"abc", "abx", false},
        {"abcd", "abcx", false},
        {"abcd", "abdc", true},
        {"abcd", "abcde", true},
        {"abcde", "abcdx", true},
        {"abcde", "abcxy", false},
        {"abcde", "abc", false},
        {"abcdefgh", "abcdefxy", false},
        {"abcdefgh", "abcdefg", true},
        {"abcdefghi", "abcdefgxy", true},
        {"abcdefghi", "abcdefg", true},
        {"abcdefghi", "abcdefxyz", false},
        {"abcdefghi", "bacdefgih", true},
        {"abcdefghi", "abcdef", false},
        {"abcdefgh", "abcdefghij", false},
        {"AB", "ab", true},
        {"abc", "xabc", true},
        {"abcdefghi", "xyabcdefghi", true},
        {"abcdef", "bcdefa", false},
        {"cab", "abc", false},
        {"abcd", "badc", false},
        {"abcdefghi", "badcefghi", true},
        {"abcdefghi", "badcfeghi", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if ((*name_near(cases[i].word, &cases[i].name, 1) != '\0') != cases[i].near)
            fail_msg("%s, %s", cases[i].word, cases[i].name);
    static const char *const names[] = {"checked", "checks", "Check", "chick"};
    assert_string_equal(name_near("chock", names + 3, 1), "chick");
    assert_string_equal(name_near("check", names, 4), "Check");
    assert_string_equal(name_near("check", names, 2), "checks");
    assert_string_equal(name_near("chec", (const char *const[]){"chec", "cheec", "check"}, 3), "cheec");
    // only the letters of the word count, whatever follows them
    assert_string_equal(nearest_name("CHECKED", 5, names + 1, 2), "Check");
    assert_string_equal(nearest_name("checkxyz", 5, names, 2), "checks");
    assert_null(nearest_name("chickxyz", 5, names + 3, 1));
    static const char *const fork[] = {"fork"};
    assert_string_equal(nearest_name("frokxyz", 4, fork, 1), "fork");
    char word[70], name[70];
    for (size_t length = 63; length <= 66;
         length++) { // words of more than 64 letters get no suggestion, and are none
        memset(word, 'x', length);
        memcpy(name, word, length);
        word[length] = name[length] = word[2] = '\0';
        word[2] = 'y';
        const char *const one = name;
        assert_int_equal(*name_near(word, &one, 1) != '\0', length <= 64);
        word[length - 1] = '\0';
        assert_int_equal(*name_near(word, &one, 1) != '\0', length <= 64);
    }
}

// Errors and warnings in the order of the text, each with its notes.
static void test_order(void **state)
{
    (void)state;
    static const struct {
        Severity severity;
        uint32_t start;
        const char *message;
    } added[] = {{DIAG_ERROR, 5, "b"},        {DIAG_NOTE, 6, "note of b"},    {DIAG_WARNING, 9, "d"},
                 {DIAG_NOTE, 1, "note of d"}, {DIAG_NOTE, 2, "another of d"}, {DIAG_ERROR, 5, "c"},
                 {DIAG_WARNING, 1, "a"},      {DIAG_NOTE, 8, "note of a"}};
    static const char *const wanted[] = {"a", "note of a", "b",         "note of b",
                                         "c", "d",         "note of d", "another of d"};
    Arena *arena = arena_new();
    Source source = {"q.cql", "0123456789", 10, NULL};
    Diagnostics d = {arena, &source, NULL, 0, 0};
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        diag_add(&d, added[i].severity, (Span){added[i].start, added[i].start + 1}, "%s", added[i].message);
    assert_int_equal(d.errors, 2);
    diag_sort(&d);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_string_equal(d.list[i].message, wanted[i]);
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
        cmocka_unit_test(test_malformed_text),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_print_long_line),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_marks_in_windows),
        cmocka_unit_test(test_window_of_bytes),
        cmocka_unit_test(test_print_colour),
        cmocka_unit_test(test_print_many),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_print_controls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
