// Games written as PGN (language reference 10.2, 10.3).
#include "test_game.h"

#include <ctype.h>
#include <stdlib.h>

static Game game;
static Buffer out;

// The part of the output after the tags, white space folded to single spaces.
static const char *movetext(void)
{
    static char text[4096];
    buffer_append(&out, "", 1);
    const char *p = strstr(out.start, "\n\n");
    assert_non_null(p);
    size_t n = 0;
    for (p += 2; *p && n + 1 < sizeof text; p++) {
        if (!isspace((unsigned char)*p))
            text[n++] = *p;
        else if (n && text[n - 1] != ' ')
            text[n++] = ' ';
    }
    while (n && text[n - 1] == ' ')
        n--;
    text[n] = 0;
    return text;
}

static void write_game(const char *text, const GameChanges *changes)
{
    parse(&game, text);
    out.length = 0;
    game_write_pgn(&out, &game, changes);
}

static void assert_written(const char *text, const char *expected)
{
    write_game(text, NULL);
    assert_string_equal(movetext(), expected);
}

// Texts are written as they were, what is added likewise if Latin-1 has it; or all in UTF-8.
static void test_encodings(void **state)
{
    (void)state;
    static const char text[] = "[White \"M\xFCller,A\"]\n[Black \"M\xC3\xBCller\"]\n[\xD6 "
                               "\"\xE9\\\"\"]\n{\xFC} {b} 1. e4 ({\xE8} 1. d4 {\xC3\xA8}) *";
    const Text added[] = {{"\xC3\xA4", 2}, {"\xC5\x81\xC3\xA4", 4}, {0}};
    const Tag set = {.name = text_of("New"), .value = text_of("\xC3\x9F")};
    const PgnForms utf8 = {.utf8 = true};
    write_game(text, &(GameChanges){.added = added, .set_tag = &set, .set_tag_count = 1});
    assert_non_null(strstr(out.start, "[White \"M\xFCller, A\"]\n[Black \"M\xC3\xBCller\"]\n"));
    assert_non_null(strstr(out.start, "[\xD6 \"\xE9\\\"\"]\n[New \"\xDF\"]\n"));
    assert_string_equal(movetext(), "{\xFC b \xE4} 1.e4 {\xC5\x81\xC3\xA4} ( {\xE8} 1.d4 {\xC3\xA8} ) *");
    write_game(text, &(GameChanges){.added = added, .set_tag = &set, .set_tag_count = 1, .forms = &utf8});
    assert_non_null(strstr(out.start, "[White \"M\xC3\xBCller, A\"]\n[Black \"M\xC3\xBCller\"]\n"));
    assert_non_null(strstr(out.start, "[\xC3\x96 \"\xC3\xA9\\\"\"]\n[New \"\xC3\x9F\"]\n"));
    assert_string_equal(movetext(),
                        "{\xC3\xBC b \xC3\xA4} 1.e4 {\xC5\x81\xC3\xA4} ( {\xC3\xA8} 1.d4 {\xC3\xA8} ) *");
    // nothing is Latin-1
    write_game("[White \"M\xC3\xBCller\"]\n1. e4 *", &(GameChanges){.added = added});
    assert_string_equal(movetext(), "{\xC3\xA4} 1.e4 {\xC5\x81\xC3\xA4} *");
}

static void test_lines(void **state)
{
    (void)state;
    Buffer b = {0};
    buffer_text(&b, "1. e4 {");
    for (int i = 0; i < 60; i++)
        buffer_text(&b, i % 7 ? "some words " : "[%x] ");
    buffer_text(
        &b, "} e5 (1... c5 {and} 2. Nf3 d6 3. d4 cxd4) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 *");
    buffer_append(&b, "", 1);
    write_game(b.start, NULL);
    buffer_append(&out, "", 1);
    for (char *line = strstr(out.start, "\n\n") + 2; *line; line += strcspn(line, "\n") + 1) {
        size_t length = strcspn(line, "\n");
        assert_true(length <= 79 + strlen(" [%x]"));
        assert_true(length == 0 || (*line != '[' && *line != '%' && line[length - 1] != ' '));
    }
    buffer_free(&b);
}

// Writes the game and cuts it so that `room` bytes are left for the movetext and what follows it.
static size_t cut_changed(const char *text, const GameChanges *changes, size_t room)
{
    write_game(text, changes);
    buffer_append(&out, "", 1);
    const size_t tags = (size_t)(strstr(out.start, "\n\n") + 2 - out.start);
    out.length--;
    const size_t whole = out.length;
    Buffer two = {0}; // what was written before stays, and counts for nothing
    buffer_append(&two, out.start, whole);
    buffer_append(&two, out.start, whole);
    assert_int_equal(game_cut_pgn(&out, 0, tags + room), whole > tags + room);
    assert_int_equal(game_cut_pgn(&two, whole, tags + room), whole > tags + room);
    assert_int_equal(two.length, whole + out.length);
    assert_memory_equal(two.start + whole, out.start, out.length);
    buffer_free(&two);
    return out.length - tags;
}

static size_t cut_to(const char *text, size_t room)
{
    return cut_changed(text, NULL, room);
}

static void assert_cut(const char *text, size_t room, const char *expected)
{
    cut_to(text, room);
    assert_string_equal(movetext(), expected);
}

static void test_cut(void **state)
{
    (void)state;
    const char *plain = "1. e4 e5 2. Nf3 Nc6 1-0", *comment = "1. e4 {one two} 1-0";
    const size_t ends = strlen("\n\n\n");
    assert_cut(plain, strlen("1.e4 e5 2.Nf3 Nc6 1-0") + ends, "1.e4 e5 2.Nf3 Nc6 1-0");
    assert_cut(plain, strlen("1.e4 e5 2.Nf3 1-0") + ends, "1.e4 e5 2.Nf3 1-0");
    assert_cut(plain, strlen("1.e4 e5 2.Nf3 1-0") + ends - 1, "1.e4 e5 1-0");
    assert_cut(plain, 0, "1-0");
    assert_cut("*", 0, "*");
    assert_cut(comment, strlen("1.e4 {one} 1-0") + ends, "1.e4 {one} 1-0");
    assert_cut(comment, strlen("1.e4 {one} 1-0") + ends - 1, "1.e4 1-0");
    const char *nested = "1. e4 e5 (1... c5 2. Nf3 (2. d4 d5) 2... d6) *";
    const size_t room = strlen("1.e4 e5 ( 1...c5 2.Nf3 ( 2.d4 ) ) *") + ends;
    assert_cut(nested, room, "1.e4 e5 ( 1...c5 2.Nf3 ( 2.d4 ) ) *");
    assert_cut(nested, room - 1, "1.e4 e5 ( 1...c5 2.Nf3 ) *");
    const char *begin = "{one two} 1. e4 1-0"; // a comment that no move comes before
    assert_cut(begin, strlen("{one two} 1-0") + ends, "{one two} 1-0");
    assert_cut(begin, strlen("{one two} 1-0") + ends - 1, "{one} 1-0");
    assert_cut(begin, strlen("{one} 1-0") + ends - 1, "1-0");
}

// Comments of a query may begin with spaces and have more than one between words: the cut comes after a word.
static void test_cut_spaces(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        size_t room;
        const char *expected;
    } c[] = {
        {"one  two", sizeof "1.e4 {one} 1-0", "1.e4 {one} 1-0"},
        {"one  two", sizeof "1.e4 {one} 1-0" - 1, "1.e4 1-0"},
        {" one two", sizeof "1.e4 { one} 1-0", "1.e4 { one} 1-0"},
        {" one two", sizeof "1.e4 { one} 1-0" - 1, "1.e4 1-0"},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        const Text added[2] = {{0}, text_of(c[i].comment)};
        const GameChanges changes = {.added = added};
        cut_changed("1. e4 1-0", &changes, c[i].room - 1 + strlen("\n\n\n"));
        assert_string_equal(movetext(), c[i].expected);
    }
}

// Wherever it is cut, a game stays one that can be read, and a larger room is not used worse.
static void test_cut_anywhere(void **state)
{
    (void)state;
    const char *text = "{start of it} 1. e4 $3 {first word} e5 ({no move} 1... c5 $1 2. Nf3 {z} ({w} 2. d4 "
                       "{a b} d5) 2... d6)\n"
                       "(1... d5 {a longer text that fills more than one line of the output, which then is "
                       "broken}) 2. Nf3 1/2-1/2";
    size_t last = 0, whole = cut_to(text, 10000);
    for (size_t room = 0; room <= whole; room++) {
        const size_t length = cut_to(text, room);
        assert_true(length >= last);
        assert_true(length <= room || length == strlen("1/2-1/2\n\n\n"));
        last = length;
        buffer_append(&out, "", 1);
        char copy[2048];
        snprintf(copy, sizeof copy, "%s", out.start);
        parse(&game, copy);
        assert_string_equal(reports, "");
        assert_int_equal(game.view.result, RESULT_DRAW);
    }
    assert_int_equal(last, whole);
}

// Writes a comment of words of these lengths and compares the lengths of the lines that it takes.
// White space at the end of a comment is none of it.
static void assert_widths(const int *words, int count, const int *lines, int line_count)
{
    for (int spaces = 0; spaces < 2; spaces++) {
        Buffer b = {0};
        buffer_text(&b, "{");
        for (int i = 0; i < count; i++) {
            buffer_text(&b, i ? " " : "");
            for (int k = 0; k < words[i]; k++)
                buffer_text(&b, "w");
        }
        buffer_text(&b, spaces ? " } *" : "} *");
        buffer_append(&b, "", 1);
        write_game(b.start, NULL);
        buffer_append(&out, "", 1);
        const char *line = strstr(out.start, "\n\n") + 2;
        for (int i = 0; i < line_count; i++, line += strcspn(line, "\n") + 1)
            assert_int_equal(strcspn(line, "\n"), lines[i]);
        buffer_free(&b);
    }
}

// A line has at most 79 characters, braces included.
static void test_exact_width(void **state)
{
    (void)state;
    assert_widths((const int[]){39, 37}, 2, (const int[]){79}, 1);
    assert_widths((const int[]){39, 38}, 2, (const int[]){40, 39}, 2);
    assert_widths((const int[]){39, 39}, 2, (const int[]){40, 40}, 2);
    assert_widths((const int[]){39, 38, 5}, 3, (const int[]){79, 6}, 2);
    assert_widths((const int[]){39, 39, 5}, 3, (const int[]){40, 46}, 2);
    assert_widths((const int[]){5, 100, 5}, 3, (const int[]){6, 100, 6}, 3);
}

// A comment is the same after it was written and read, wherever its lines end.
static void test_comment_again(void **state)
{
    (void)state;
    static const char *const words[] = {"[x", "%x", "\xEF\xBB\xBFx", "\xEF\xBB\xBF", "x"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (int before = 60; before < 82; before++) {
            char text[200], want[200], written[1000];
            snprintf(
                text, sizeof text, "{%.*s %s y} *", before,
                "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
                words[i]);
            write_game(text, NULL);
            snprintf(want, sizeof want, "%.*s", (int)game.note[0].comment.length, game.note[0].comment.start);
            snprintf(written, sizeof written, "%.*s", (int)out.length, out.start);
            parse(&game, written);
            assert_text(game.note[0].comment, want);
        }
}

#define MARK "\xEF\xBB\xBF" // of the byte order

// Writes a comment character by character (10.2): a space becomes the end of a line when the word after it, with the brace that
// follows the last word, does not fit, unless it is next to another space, the last character, or before what would be read
// as something else at the beginning of a line. Braces are written as _.
static void write_plainly(Buffer *to, const char *text, size_t width, bool wide)
{
    size_t column = 1 + wide;
    buffer_text(to, wide ? "{ " : "{");
    for (const char *p = text; *p; p++) {
        const size_t word = strcspn(p + 1, " \n"), brace = p[1 + word] ? 0 : 1 + wide;
        const bool stays =
            !p[1] || strchr(" %[", p[1]) || strncmp(p + 1, MARK, 3) == 0 || (p > text && p[-1] == ' ');
        const bool ends = *p == '\n' || (*p == ' ' && !stays && column + 1 + word + brace > width);
        buffer_append(to, ends ? "\n" : *p == '{' || *p == '}' ? "_" : p, 1);
        column = ends ? 0 : column + 1;
    }
    buffer_text(to, wide ? " }" : "}");
}

static void test_lines_of_comments(void **state)
{
    (void)state;
    static const char *const pieces[] = {"w",  "ww",       "wwww", "wwwwwwww", "wwwwwwwwwwwwwwwwwwwwww",
                                         "x",  " ",        "  ",   " ",        " %",
                                         " [", (" " MARK), " ",    "  "};
    static const char *const specials[] = {"{", "}", "\n", " \n", "\n ", "}{"};
    uint32_t seed = 3;
    Buffer want = {0};
    parse(&game, "*");
    for (int round = 0; round < 20000; round++) {
        char text[400] = "w";
        for (int i = 0; i < round % 16; i++) {
            seed = seed * 1103515245u + 12345u;
            const unsigned k = seed >> 16;
            strcat(text, round % 3 == 0 && k % 5 == 0 ? specials[k / 5 % 6] : pieces[k / 5 % 14]);
        }
        const PgnForms forms = {.width = 8 + (size_t)round % 41, .wide_comments = round % 7 == 0};
        const Text added = {text, strlen(text)};
        out.length = want.length = 0;
        game_write_pgn(&out, &game, &(GameChanges){.added = &added, .forms = &forms});
        buffer_append(&out, "", 1);
        write_plainly(&want, text, forms.width, forms.wide_comments);
        const char *written = strstr(out.start, "\n\n");
        assert_non_null(written);
        if (strncmp(written + 2, want.start, want.length) != 0)
            fail_msg("width %zu: `%s` as `%s`", forms.width, text, written + 2);
    }
    buffer_free(&want);
}

// With `apart` each of the texts is a comment of its own, without the space before those of sort keys.
static void test_comments_apart(void **state)
{
    (void)state;
    static const struct {
        Text added;
        const char *want;
    } cases[] = {
        {{"a", 1}, "{own} {a} *"},
        {{"a\0b c", 5}, "{own} {a} {b c} *"},
        {{" a\0 b", 5}, "{own} {a} {b} *"},
        {{"a\0", 2}, "{own} {a} *"},
        {{"", 0}, "{own} *"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const PgnForms forms = {.apart = true};
        write_game("{own} *", &(GameChanges){.added = &cases[i].added, .forms = &forms});
        assert_string_equal(movetext(), cases[i].want);
    }
}

static int start(void **state)
{
    (void)state;
    game_init(&game);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    game_free(&game);
    buffer_free(&out);
    return 0;
}

// ---- forms ------------------------------------------------------------------------------------------------

static const char formed[] = "1. e4 {a} e5 $1 (1... c5 {b} 2. Nf3) 2. Nf3 $2 Nc6 *";

// Each form alone (language reference 13.20).
static void test_forms(void **state)
{
    (void)state;
    static const struct {
        PgnForms forms;
        const char *text;
    } cases[] = {
        {{0}, "1.e4 {a} 1...e5 $1 ( 1...c5 {b} 2.Nf3 ) 2.Nf3 $2 Nc6 *"},
        {{.wide_comments = true}, "1.e4 { a } 1...e5 $1 ( 1...c5 { b } 2.Nf3 ) 2.Nf3 $2 Nc6 *"},
        {{.wide_moves = true}, "1. e4 {a} 1... e5 $1 ( 1... c5 {b} 2. Nf3 ) 2. Nf3 $2 Nc6 *"},
        {{.split_moves = true}, "1.e4 {a} 1...e5 $1 ( 1...c5 {b} 2.Nf3 ) 2.Nf3 $2 Nc6 *"},
        {{.split_moves = true, .wide_moves = true},
         "1. e4 {a} 1... e5 $1 ( 1... c5 {b} 2. Nf3 ) 2. Nf3 $2 Nc6 *"},
        {{.compact_variations = true}, "1.e4 {a} 1...e5 $1 (1...c5 {b} 2.Nf3) 2.Nf3 $2 Nc6 *"},
        {{.no_comments = true}, "1.e4 e5 $1 ( 1...c5 2.Nf3 ) 2.Nf3 $2 Nc6 *"},
        {{.no_nags = true}, "1.e4 {a} 1...e5 ( 1...c5 {b} 2.Nf3 ) 2.Nf3 Nc6 *"},
        {{.no_variations = true}, "1.e4 {a} 1...e5 $1 2.Nf3 $2 Nc6 *"},
        {{.no_numbers = true}, "e4 {a} e5 $1 ( c5 {b} Nf3 ) Nf3 $2 Nc6 *"},
        {{.number_after_nag = true}, "1.e4 {a} 1...e5 $1 ( 1...c5 {b} 2.Nf3 ) 2.Nf3 $2 2...Nc6 *"},
        {{.number_after_nag = true, .no_nags = true}, "1.e4 {a} 1...e5 ( 1...c5 {b} 2.Nf3 ) 2.Nf3 Nc6 *"},
        {{.no_number_after_comment = true}, "1.e4 {a} e5 $1 ( 1...c5 {b} 2.Nf3 ) 2.Nf3 $2 Nc6 *"},
        {{.apart = true}, "1.e4 {a} 1...e5 $1 ( 1...c5 {b} 2.Nf3 ) 2.Nf3 $2 Nc6 *"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_game(formed, &(GameChanges){.forms = &cases[i].forms});
        assert_string_equal(movetext(), cases[i].text);
    }
}

// Comments that are added: after the original one, with a semicolon, in braces of their own, or none.
static void test_added(void **state)
{
    (void)state;
    static const struct {
        const char *game;
        Text added;
        PgnForms forms;
        bool semicolon;
        const char *text;
    } cases[] = {
        {"{old} 1. e4 *", {"new", 3}, {0}, false, "{old new} 1.e4 *"},
        {"{old} 1. e4 *", {"new", 3}, {0}, true, "{old; new} 1.e4 *"},
        {"{old} 1. e4 *", {"new", 3}, {.wide_comments = true}, true, "{ old; new } 1.e4 *"},
        {"1. e4 *", {"new", 3}, {0}, true, "{new} 1.e4 *"},
        {"{old} 1. e4 *", {"", 0}, {0}, true, "{old} 1.e4 *"},
        {"{old} 1. e4 *", {"x\0y", 3}, {.apart = true}, false, "{old} {x} {y} 1.e4 *"},
        {"1. e4 *", {"x\0y", 3}, {.apart = true, .wide_comments = true}, false, "{ x } { y } 1.e4 *"},
        {"{old} 1. e4 *", {"new", 3}, {.no_comments = true}, true, "1.e4 *"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Text added[2] = {cases[i].added};
        write_game(cases[i].game,
                   &(GameChanges){.added = added, .semicolon = cases[i].semicolon, .forms = &cases[i].forms});
        assert_string_equal(movetext(), cases[i].text);
    }
}

// A line ends between two comments that are joined when the first word of the second, with what belongs to it, does not fit,
// unless a line must not begin with it. The lines have 20 columns, the first comment 14.
static void test_joined(void **state)
{
    (void)state;
    static const struct {
        const char *second;
        bool wide, semicolon, breaks;
    } cases[] = {
        {"www", false, false, false},    {"wwww", false, false, true},    {"ww", false, true, false},
        {"www", false, true, true},      {"w", true, false, false},       {"ww", true, false, true},
        {"wwww w", false, false, false}, {"wwwww w", false, false, true}, {"[wwww", false, false, false},
        {"%wwww", false, false, false},  {" ww", false, false, false},    {"w[www", false, false, true},
        {"w%www", false, false, true},   {"www w", true, false, false},   {"wwww w", true, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[100];
        const PgnForms forms = {.wide_comments = cases[i].wide, .width = 20};
        const Text added = text_of(cases[i].second);
        const char *const space = cases[i].wide ? " " : "";
        snprintf(expected, sizeof expected, "{%saaaaaaaaaaaaaa%s%s%s", space, cases[i].semicolon ? ";" : "",
                 cases[i].breaks ? "\n" : " ", cases[i].second);
        write_game("{aaaaaaaaaaaaaa} *",
                   &(GameChanges){.added = &added, .semicolon = cases[i].semicolon, .forms = &forms});
        buffer_append(&out, "", 1);
        const char *written = strstr(out.start, "\n\n") + 2;
        if (strncmp(written, expected, strcspn(expected, "w") + 1) != 0)
            fail_msg("`%s` is not `%s`", written, expected);
    }
}

// The first word of a line, with the braces that stay with it.
static size_t first_unit(const char *line, size_t length)
{
    size_t used = length > 1 && line[0] == '{' && line[1] == ' ' ? 2 : 0;
    while (used < length && line[used] != ' ')
        used++;
    return used + (length - used >= 2 && line[used + 1] == '}' ? 2 : 0);
}

// Lines are as long as they can be: the word that begins a line did not fit into the one before. (A comment of several words needs one
// column more to begin, or two with spaces in its braces.) What they say does not depend on their length.
static void test_line_lengths(void **state)
{
    (void)state;
    static const char text[] =
        "1. e4 {one word after the other} e5 (1... c5 {w} 2. Nf3 {www ww}) 2. Nf3 Nc6 {wwwwwwww} 3. Bb5 a6 "
        "4. Ba4 Nf6 "
        "5. O-O Be7 {w w w w w w w w w w w w w w w w w w w w w w} 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 *";
    Text added[64] = {[1] = {"more words", 10}, [2] = {"a word {or more} than that", 26}};
    for (int id = 3; id < 64; id++)
        added[id] = (Text){"single", 6};
    for (int form = 0; form < 16; form++) {
        const PgnForms plain = {.wide_comments = form & 1, .compact_variations = form & 2};
        GameChanges changes = {.forms = &plain, .added = form & 4 ? added : NULL, .semicolon = form & 8};
        write_game(text, &changes);
        char *whole = strdup(movetext());
        for (size_t width = 14; width <= 100; width++) {
            PgnForms forms = plain;
            forms.width = width;
            changes.forms = &forms;
            write_game(text, &changes);
            buffer_append(&out, "", 1);
            const char *line = strstr(out.start, "\n\n") + 2;
            size_t before = 0;
            for (size_t length; (length = strcspn(line, "\n")) > 0; line += length + 1) {
                const size_t unit = first_unit(line, length);
                assert_true(length <= width);
                const bool goes_on =
                    line[0] == '{' && strcspn(line, "}") >= unit; // the comment, after its first word
                if (before > 0)
                    assert_true(before + 1 + unit + (goes_on ? 1 + (form & 1) : 0) > width);
                before = length;
            }
            out.length--;
            if (!forms.compact_variations) // whose parentheses have no space, but may have a line break
                assert_string_equal(movetext(), whole);
        }
        free(whole);
    }
}

// Numbers of all lengths.
static void test_move_numbers(void **state)
{
    (void)state;
    static const int numbers[] = {1, 9, 10, 11, 99, 100, 101, 109, 110, 999, 1000, 1001, 9999};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[200], expected[100];
        snprintf(text, sizeof text, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 %d\"]\n\n%d. e4 Kd7 *", numbers[i],
                 numbers[i]);
        snprintf(expected, sizeof expected, "%d.e4 Kd7 *", numbers[i]);
        assert_written(text, expected);
        snprintf(text, sizeof text, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 %d\"]\n\n%d... Kd7 *", numbers[i],
                 numbers[i]);
        snprintf(expected, sizeof expected, "%d...Kd7 *", numbers[i]);
        assert_written(text, expected);
    }
}

// A number and its move may be in two lines.
static void test_split_moves(void **state)
{
    (void)state;
    static const struct {
        size_t width;
        bool split;
        const char *text;
    } cases[] = {{10, false, "1.e4 e5\n2.Nf3 *\n\n\n"}, {10, true, "1.e4 e5 2.\nNf3 *\n\n\n"},
                 {9, true, "1.e4 e5\n2.Nf3 *\n\n\n"},   {13, true, "1.e4 e5 2.Nf3\n*\n\n\n"},
                 {12, true, "1.e4 e5 2.\nNf3 *\n\n\n"}, {15, true, "1.e4 e5 2.Nf3 *\n\n\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const PgnForms forms = {.width = cases[i].width, .split_moves = cases[i].split};
        write_game("1. e4 e5 2. Nf3 *", &(GameChanges){.forms = &forms});
        buffer_append(&out, "", 1);
        assert_string_equal(strstr(out.start, "\n\n") + 2, cases[i].text);
    }
}

// A game may end after a comment.
static void test_cut_after_comment(void **state)
{
    (void)state;
    const char *const text = "1. e4 {one two} e5 {three} 2. Nf3 1-0";
    const size_t ends = strlen("\n\n\n");
    assert_cut(text, strlen("1.e4 {one two} 1-0") + ends, "1.e4 {one two} 1-0");
    assert_cut(text, strlen("1.e4 {one two} 1-0") + ends - 1, "1.e4 {one} 1-0");
    assert_cut(text, strlen("1.e4 {one two} 1...e5 1-0") + ends - 1, "1.e4 {one two} 1-0");
    assert_cut(text, strlen("1.e4 {one two} 1...e5 1-0") + ends, "1.e4 {one two} 1...e5 1-0");
    assert_cut(text, strlen("1.e4 {one two} 1...e5 {three} 1-0") + ends, "1.e4 {one two} 1...e5 {three} 1-0");
    // but not in a variation that has no move yet
    const char *const varied = "1. e4 e5 ({it begins} 1... c5 2. Nf3) 2. Nc3 *";
    assert_cut(varied, strlen("1.e4 e5 ( {it begins} ) *") + ends, "1.e4 e5 *");
    assert_cut(varied, strlen("1.e4 e5 ( {it begins} 1...c5 ) *") + ends, "1.e4 e5 ( {it begins} 1...c5 ) *");
    assert_cut(text, strlen("1.e4 {one two} 1...e5 {three} 1-0") + ends - 1, "1.e4 {one two} 1...e5 1-0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_encodings),      cmocka_unit_test(test_lines),
        cmocka_unit_test(test_move_numbers),   cmocka_unit_test(test_forms),
        cmocka_unit_test(test_added),          cmocka_unit_test(test_line_lengths),
        cmocka_unit_test(test_split_moves),    cmocka_unit_test(test_cut_after_comment),
        cmocka_unit_test(test_exact_width),    cmocka_unit_test(test_cut),
        cmocka_unit_test(test_cut_spaces),     cmocka_unit_test(test_comment_again),
        cmocka_unit_test(test_cut_anywhere),   cmocka_unit_test(test_lines_of_comments),
        cmocka_unit_test(test_comments_apart), cmocka_unit_test(test_joined),
    };
    return cmocka_run_group_tests(tests, start, tear_down);
}
