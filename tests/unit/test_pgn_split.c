// Where games begin and end in a stream (language reference 9.1-9.4).
#include "split_fixture.h"

#include <stdlib.h>

// Another splitter that goes on from where `s` is, if it can.
static PgnSplitter *go_on(PgnSplitter *s, Stream *stream)
{
    PgnPlace place;
    if (!pgn_split_place(s, &place))
        return s;
    pgn_split_close(s);
    stream->at = place.offset;
    s = pgn_split_open(read_stream, stream, keep_report, NULL);
    pgn_split_go(s, &place);
    return s;
}

// Splits `text` and compares the games, written as "LINE{TEXT}" one after the other, and the reports. Every
// way of reading must give the same: at once, byte by byte, in blocks, and each block by another splitter.
static void assert_split(const char *text, size_t length, const char *games, const char *expected_reports)
{
    for (int way = 0; way < 4; way++) {
        Stream stream = {text, length, 0, way == 1};
        char got[4096] = "";
        reports[0] = 0;
        PgnSplitter *s = pgn_split_open(read_stream, &stream, keep_report, NULL);
        GameText one;
        PgnBlock block = {0};
        int64_t number = 0;
        while (way >= 2 ? pgn_split_block(s, 40, &block) : pgn_split_next(s, &one)) {
            for (size_t i = 0; i < (way >= 2 ? block.count : 1); i++) {
                const GameText *g = way >= 2 ? &block.game[i] : &one;
                assert_int_equal(g->number, ++number);
                assert_memory_equal(g->text.start, text + g->offset, g->text.length);
                size_t used = strlen(got);
                snprintf(got + used, sizeof got - used, "%d{%.*s}", (int)g->line, (int)g->text.length,
                         g->text.start);
            }
            if (way >= 2)
                pgn_block_free(&block);
            if (way == 3)
                s = go_on(s, &stream);
        }
        assert_null(pgn_split_error(s));
        assert_int_equal(pgn_split_bytes(s), length);
        pgn_split_close(s);
        assert_string_equal(got, games);
        assert_string_equal(reports, expected_reports);
    }
}

#define SPLIT(text, games, expected) assert_split(text, sizeof(text) - 1, games, expected)

static void test_plain(void **state)
{
    (void)state;
    SPLIT("[Event \"a\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n[Site \"c\"]\n\n*\n",
          "1{[Event \"a\"]\n\n1. e4 e5 1-0}5{[Event \"b\"]\n[Site \"c\"]\n\n*}", "");
    SPLIT("", "", "");
    SPLIT(" \n\t\r\n", "", "");
    SPLIT("{only a comment}\n; and this\n% and this\n", "", "");
}

static void test_line_ends(void **state)
{
    (void)state;
    SPLIT("[Event \"a\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"b\"]\r\n\r\n*\r\n",
          "1{[Event \"a\"]\r\n\r\n1. e4 *}5{[Event \"b\"]\r\n\r\n*}", "");
    SPLIT("[Event \"a\"]\r\r1. e4 *\r\r[Event \"b\"]\r\r*\r",
          "1{[Event \"a\"]\r\r1. e4 *}5{[Event \"b\"]\r\r*}", "");
}

static void test_byte_order_marks(void **state)
{
    (void)state;
    SPLIT("\xEF\xBB\xBF[A \"a\"]\n*\n\xEF\xBB\xBF[B \"b\"]\n1. e4\n\n\xEF\xBB\xBF[C \"c\"]\n*\n",
          "1{[A \"a\"]\n*}3{[B \"b\"]\n1. e4\n\n\xEF\xBB\xBF}6{[C \"c\"]\n*}", "");
}

static void test_utf16_is_refused(void **state)
{
    (void)state;
    static const char *const mark[] = {"\xFF\xFE[\0E\0", "\xFE\xFF\0[\0E"};
    SPLIT("\xFF\xFF", "", "1 0 text outside any game ignored\n"); // others
    SPLIT("\xFE\xFE", "", "1 0 text outside any game ignored\n");
    SPLIT("\xFF", "", "1 0 text outside any game ignored\n");
    for (int i = 0; i < 4; i++) {
        Stream stream = {mark[i % 2], i < 2 ? 6 : 2, 0, 0};
        GameText game;
        PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
        assert_false(pgn_split_next(s, &game));
        assert_string_equal(pgn_split_error(s), "the input is UTF-16; convert it to UTF-8");
        assert_int_equal(pgn_split_bytes(s), 0);
        pgn_split_close(s);
    }
}

static void test_result_tokens(void **state)
{
    (void)state;
    SPLIT("[A \"1\"]\n1-0\n[A \"2\"]\n0-1\n[A \"3\"]\n1/2-1/2\n[A \"4\"]\n*\n",
          "1{[A \"1\"]\n1-0}3{[A \"2\"]\n0-1}5{[A \"3\"]\n1/2-1/2}7{[A \"4\"]\n*}", "");
    SPLIT("[A \"1\"]\n1:0\n[A \"2\"]\n0:1\n[A \"3\"]\n1/2\n[A \"4\"]\n1/2:1/2\n",
          "1{[A \"1\"]\n1:0}3{[A \"2\"]\n0:1}5{[A \"3\"]\n1/2}7{[A \"4\"]\n1/2:1/2}", "");
    // glued to a move, a comment, a bracket; castling with zeros is none
    SPLIT("[A \"1\"]\ne4*\n[A \"2\"]\ne4{x}1-0\n[A \"3\"]\ne4(d4)0-1\n[A \"4\"]\nO-O1/2-1/2\n[A \"5\"]\n0-0 "
          "0-0-0 Nf31-0\n",
          "1{[A \"1\"]\ne4*}3{[A \"2\"]\ne4{x}1-0}5{[A \"3\"]\ne4(d4)0-1}7{[A \"4\"]\nO-O1/2-1/2}9{[A "
          "\"5\"]\n0-0 0-0-0 Nf31-0}",
          "");
}

// A game ends with its first result outside comments and words, wherever its last bytes are among the 64 that are looked at
// at once, and whatever touches them.
static void test_marks_anywhere(void **state)
{
    (void)state;
    static const char *const ends[] = {
        "{a}1-0",       "{a} 1-0",      "{a}0-1",         "{a}*",         "{a}1/2-1/2",    "{a}1:0",
        "{a}1/2",       "(d4)1-0",      "(d4) 0-1",       "{a}(d4)1-0",   "{a}{b}1-0",     "{a}{b}(c4{d})0-1",
        "} 1-0",        "}1-0",         "- 1-0",          "-1-0 0-1",     "{a}-1-0 *",     "{a}x1-0 *",
        ")1-0",         "({a})1-0",     "({a}d4)*",       "{ {b} }1-0",   "w{a} *",        "w{ 1-0}*",
        "(1-0 d4) *",   "{a}(1-0) *",   "{1-0}{*}0-1",    "{a{1-0}*}1-0", "Bb5-c6 1-0",    "w/x 1/2",
        "w:1-0 0:1",    "1/2x 1-0",     "1-00 *",         "{a} - / : *",  "{[%a 1/2]}1-0", "a(1-0)*",
        "{a}\n%*\n1-0", "{a};{ *\n0-1", "({a}(d4)c4)1-0", "11-0 *",       "21-0 1-0",      "{0}{-}{1}1-0",
    };
    static const char rest[] = "\n\n1. d4 {words and words and words and words and words and words and "
                               "words and words and words and words and words and words and words} *\n";
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int pad = 0; pad < 3 * 66; pad++) {
            static const char *const fillings[] = {"w", " ", "{w}"};
            char text[600] = "1. e4 ";
            for (int k = 0; k < pad / 3; k++)
                strcat(text, fillings[pad % 3]);
            strcat(text, " ");
            strcat(text, ends[i]);
            const size_t length = strlen(text);
            strcat(text, rest);
            Stream stream = {text, strlen(text), 0, 0};
            GameText game;
            PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
            assert_true(pgn_split_next(s, &game));
            if (game.text.length != length)
                fail_msg("%s: %.*s", text, (int)game.text.length, game.text.start);
            assert_true(pgn_split_next(s, &game));
            assert_int_equal(game.offset, length + 2);
            assert_false(pgn_split_next(s, &game));
            pgn_split_close(s);
        }
}

static void test_result_in_variation(void **state)
{
    (void)state;
    SPLIT("[A \"1\"]\n1. e4 (1. d4 1-0) e5 0-1\n", "1{[A \"1\"]\n1. e4 (1. d4 1-0) e5 0-1}", "");
    SPLIT("[A \"1\"]\n1. e4 (1. d4 1-0 {end}\n; line\n[A \"2\"]\n*\n",
          "1{[A \"1\"]\n1. e4 (1. d4 1-0}4{[A \"2\"]\n*}", "");
    SPLIT("[A \"1\"]\n1. e4 (1. d4 1-0 {oops\n[A \"2\"]\n*\n",
          "1{[A \"1\"]\n1. e4 (1. d4 1-0}3{[A \"2\"]\n*}", "2 0 unterminated comment outside any game\n");
    SPLIT("[A \"1\"]\n1. e4 (1. d4 1-0", "1{[A \"1\"]\n1. e4 (1. d4 1-0}", "");
    SPLIT("[A \"1\"]\n1. e4 (1. d4 1-0 {end}\n; x\n", "1{[A \"1\"]\n1. e4 (1. d4 1-0}", "");
    SPLIT("[A \"1\"]\n1. e4 (1. d4 1-0 {end}\n[x] 1-0\n", "1{[A \"1\"]\n1. e4 (1. d4 1-0 {end}\n[x] 1-0}",
          "");
}

static void test_hidden_results(void **state)
{
    (void)state;
    SPLIT("[A \"1\"]\ne4 {1-0 {*} [B \"x\"]\n} e5 ; 1-0 *\nNf3 % 0-1\n% *\nNc6 *\n",
          "1{[A \"1\"]\ne4 {1-0 {*} [B \"x\"]\n} e5 ; 1-0 *\nNf3 % 0-1\n% *\nNc6 *}", "");
    // an unknown word reaches to the next white space or ')'
    SPLIT("[A \"1\"]\ne4 xyz*;% e5 *\n", "1{[A \"1\"]\ne4 xyz*;% e5 *}", "");
    SPLIT("[A \"1\"]\ne4 xyz{*} e5 *\n", "1{[A \"1\"]\ne4 xyz{*} e5 *}", "");
}

static void test_tag_section(void **state)
{
    (void)state;
    SPLIT("[A \"1\"]\n\n[B \"2\"]\n; [x\n% y\n{c\n[C \"3\"]\n}\n [D \"4\"\n[Foo]\n{first} 1. e4 *\n",
          "1{[A \"1\"]\n\n[B \"2\"]\n; [x\n% y\n{c\n[C \"3\"]\n}\n [D \"4\"\n[Foo]\n{first} 1. e4 *}", "");
}

// Tags without moves are games.
static void test_sections(void **state)
{
    (void)state;
    SPLIT("[Event \"a\"]\n[White \"b\"]\n[Event \"c\"]\n[White \"d\"]\n\n*\n",
          "1{[Event \"a\"]\n[White \"b\"]}3{[Event \"c\"]\n[White \"d\"]\n\n*}", "");
    SPLIT("[Event \"a\"]\n \t\n{c}\n[Event \"b\"]\n\n\n[Event\"c\"]",
          "1{[Event \"a\"]\n \t\n{c}}4{[Event \"b\"]}7{[Event\"c\"]}", "");
    SPLIT("[Event \"a\"]\n[Event \"b\"]\n[Event \"c\"][Site \"d\"]\n[Event \"e\"]\n\n[Event \"f\"]",
          "1{[Event \"a\"]\n[Event \"b\"]\n[Event \"c\"][Site \"d\"]}4{[Event \"e\"]}6{[Event \"f\"]}", "");
    // after an empty line any tag that was there begins a game; otherwise its value is replaced
    SPLIT("[A \"1\"]\n[B \"2\"]\n[A \"3\"]\n\n[C \"4\"]\n[ Event \"5\"]\n\n; x\n[B \"6\"]\n\n[EventDate "
          "\"7\"]\n[D \"8\"]\n[D \"9\"]\n*",
          "1{[A \"1\"]\n[B \"2\"]\n[A \"3\"]\n\n[C \"4\"]\n[ Event \"5\"]\n\n; x}9{[B \"6\"]\n\n[EventDate "
          "\"7\"]\n[D \"8\"]\n[D \"9\"]\n*}",
          "");
    SPLIT("[A \"1\"]\r\n\r\n[A \"2\"]\r\n[EventDate \"3\"]\r\n[Event \"4\"]\r\n[ Event \"5\"]\r\n*",
          "1{[A \"1\"]}3{[A \"2\"]\r\n[EventDate \"3\"]\r\n[Event \"4\"]}6{[ Event \"5\"]\r\n*}", "");
    // several tags in a line, and moves in the line of a tag
    SPLIT("[A \"1\"][B \"2\"] 1. e4 * [A \"3\"] 1-0[A \"4\"] x\n[B \"5\"] *\nx [A \"6\"] *",
          "1{[A \"1\"][B \"2\"] 1. e4 *}1{[A \"3\"] 1-0}1{[A \"4\"] x\n[B \"5\"] *}",
          "3 0 text outside any game ignored\n");
}

// A tag of a section with many tags.
static size_t count_sections(const char *before, const char *format, int count)
{
    Buffer text = {0};
    buffer_text(&text, before);
    for (int i = 0; i < count; i++)
        buffer_format(&text, format, i);
    Stream stream = {text.start, text.length, 0, 0};
    PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
    GameText game;
    size_t games = 0;
    while (pgn_split_next(s, &game))
        games++;
    pgn_split_close(s);
    buffer_free(&text);
    return games;
}

// Not in quadratic time.
static void test_many_sections(void **state)
{
    (void)state;
    assert_int_equal(count_sections("", "[T%d \"\"]\n\n", 200000), 1);
    assert_int_equal(count_sections("", "[Event \"%d\"]\n[White \"?\"]\n", 200000), 200000);
    assert_int_equal(count_sections("", "[Event \"%d\"] 1. e4 * ", 200000), 200000);
    assert_int_equal(count_sections("[Event \"\"]", " [T%d \"x\"]", 200000), 1);
}

static void test_missing_result(void **state)
{
    (void)state;
    SPLIT("[A \"1\"]\n\n1. e4\n[A", "1{[A \"1\"]\n\n1. e4\n[A}", ""); // no tag line
    SPLIT("[A \"1\"]\n\n1. e4\n[A ", "1{[A \"1\"]\n\n1. e4\n[A}", "");
    SPLIT("[A \"1\"]\n\n1. e4\n[A \"", "1{[A \"1\"]\n\n1. e4}4{[A \"}", "");
    SPLIT("[A \"1\"]\n\n1. e4\n\n[A \"2\"]\n\n1. d4 [x [A \"no\"] d5\n",
          "1{[A \"1\"]\n\n1. e4}5{[A \"2\"]\n\n1. d4 [x [A \"no\"] d5}", "");
}

static void test_games_without_tags(void **state)
{
    (void)state;
    SPLIT("[A \"1\"]\n*\n\n1. g3 g6 *\ne4 e5 1-0\n", "1{[A \"1\"]\n*}4{1. g3 g6 *}5{e4 e5 1-0}", "");
    // a move that is not legal in the array begins no game
    SPLIT("[A \"1\"]\n*\n\ne5 Ke2\n", "1{[A \"1\"]\n*}", "4 0 text outside any game ignored\n");
}

static void test_text_between_games(void **state)
{
    (void)state;
    SPLIT("Some title\nof 12 pages\n[A \"1\"]\n*\n\n1-0\n{c}\nmore\n[A \"2\"]\n*\nend\n",
          "3{[A \"1\"]\n*}9{[A \"2\"]\n*}",
          "1 0 text outside any game ignored\n6 0 text outside any game ignored\n11 0 text outside any game "
          "ignored\n");
    SPLIT("[A \"1\"]\n*\n\0\n[A \"2\"]\n*\n", "1{[A \"1\"]\n*}4{[A \"2\"]\n*}",
          "4 0 NUL byte read as white space\n");
#define LONG "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *" // longer than a block
    SPLIT("[A \"1\"]\n" LONG "\n\0\n[A \"2\"]\n" LONG "\n\0\n[A \"3\"]\n" LONG
          "\n\0\n[A \"4\"]\n*\n", // once in a file
          "1{[A \"1\"]\n" LONG "}4{[A \"2\"]\n" LONG "}7{[A \"3\"]\n" LONG "}10{[A \"4\"]\n*}",
          "4 0 NUL byte read as white space\n");
#undef LONG
}

// What lies between games does not stay in memory with the games of a block.
static void test_much_between_games(void **state)
{
    (void)state;
    enum { LINES = 3000, WIDTH = 64 };
    static const char first[] = "[A \"1\"]\n*\n", second[] = "[A \"2\"]\n*\n";
    char *text = malloc(sizeof first + LINES * WIDTH + sizeof second);
    size_t length = sizeof first - 1;
    memcpy(text, first, length);
    for (int i = 0; i < LINES; i++, length += WIDTH) {
        memset(text + length, ';', WIDTH - 1);
        text[length + WIDTH - 1] = '\n';
    }
    memcpy(text + length, second, sizeof second - 1);
    assert_split(text, length + sizeof second - 1, "1{[A \"1\"]\n*}3003{[A \"2\"]\n*}", "");
    free(text);
}

static void test_unterminated_comment(void **state)
{
    (void)state;
    // the text of the game ends with the brace; reading goes on at the next tag line, not at the result
    // before it
    SPLIT("[A \"1\"]\n\n1. e4 {oops\ne5 *\n\n1. d4 *\n[A \"2\"]\n\n1. d4 {x} *\n",
          "1{[A \"1\"]\n\n1. e4 {}7{[A \"2\"]\n\n1. d4 {x} *}", "");
    SPLIT("[A \"1\"]\n1. e4 {oops\n[A \"2\"]\n1. d4 {oops\n[A \"3\"]\n{x} *\n",
          "1{[A \"1\"]\n1. e4 {}3{[A \"2\"]\n1. d4 {}5{[A \"3\"]\n{x} *}", "");
    SPLIT("[A \"1\"]\n1. e4 {oops", "1{[A \"1\"]\n1. e4 {}", "");
    SPLIT("[A \"1\"]\n1. e4 {oops e5 *\n\n[A \"2\"]\n1. d4 {x} d5 *\n",
          "1{[A \"1\"]\n1. e4 {}4{[A \"2\"]\n1. d4 {x} d5 *}", "");
    SPLIT("[A \"1\"]\n*\n{oops\n[A \"2\"]\n*\n", "1{[A \"1\"]\n*}4{[A \"2\"]\n*}",
          "3 0 unterminated comment outside any game\n");
}

static void split_many(const char *game, size_t length)
{
    enum { GAMES = 100000 };
    const size_t one = strlen(game);
    char *text = malloc(GAMES * one);
    assert_non_null(text);
    for (size_t i = 0; i < GAMES; i++)
        memcpy(text + i * one, game, one);
    Stream stream = {text, GAMES * one, 0, 0};
    PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
    GameText found = {0};
    while (pgn_split_next(s, &found))
        assert_int_equal(found.text.length, length);
    assert_int_equal(found.number, GAMES);
    assert_int_equal(found.line, 2 * GAMES - 1);
    pgn_split_close(s);
    free(text);
}

// Many comments that are not closed, or not as often as they are opened, must not take quadratic time.
static void test_many_unterminated_comments(void **state)
{
    (void)state;
    split_many("[A \"1\"]\n1. e4 {oops { x\n", 15);
    split_many("[A \"1\"]\n1. e4 {oops {x}\n", 23);
}

static void test_comment_after_comment(void **state)
{
    (void)state;
    SPLIT("[A \"1\"]\n1. e4 {a {b} e5 2. Nf3 *\n[A \"2\"]\n{a {b} c} *\n",
          "1{[A \"1\"]\n1. e4 {a {b} e5 2. Nf3 *}3{[A \"2\"]\n{a {b} c} *}", "");
    SPLIT("[A \"1\"]\n1. e4 {a {b} c {d} * \n[A \"2\"]\n{a} *\n",
          "1{[A \"1\"]\n1. e4 {a {b} c {d} *}3{[A \"2\"]\n{a} *}", "");
}

// No place is known after an unterminated comment.
static void test_places(void **state)
{
    (void)state;
    static const char text[] = "[A \"1\"]\n*\n[A \"2\"]\n1. e4 {oops\n[A \"3\"]\n*\n\n[A \"4\"]\n* \n";
    const bool want[] = {true, false, true, true};
    Stream stream = {text, sizeof text - 1, 0, 0};
    PgnSplitter *s = pgn_split_open(read_stream, &stream, NULL, NULL);
    PgnBlock block;
    PgnPlace place;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_true(pgn_split_block(s, 1, &block));
        assert_int_equal(block.count, 1);
        pgn_block_free(&block);
        assert_int_equal(pgn_split_place(s, &place), want[i]);
        assert_int_equal(place.number, i + 1);
    }
    assert_int_equal(place.line, 9);
    assert_false(pgn_split_block(s, 1, &block));
    pgn_split_close(s);
}

// Appends the games from here on, and the reports about them.
static void read_rest(PgnSplitter *s, char *out, size_t size)
{
    PgnBlock block;
    reports[0] = 0;
    out[0] = 0;
    while (pgn_split_block(s, 1, &block)) {
        for (size_t i = 0; i < block.count; i++) {
            const GameText *g = &block.game[i];
            const size_t used = strlen(out);
            snprintf(out + used, size - used, "%d %d %d{%.*s}", (int)g->number, (int)g->line, (int)g->offset,
                     (int)g->text.length, g->text.start);
        }
        pgn_block_free(&block);
    }
    const char *error = pgn_split_error(s);
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s%d", reports, error ? error : "", (int)pgn_split_bytes(s));
}

// A splitter goes on from a place as a new one does, whatever it has read before and however that ended.
static void test_go_on(void **state)
{
    (void)state;
    static const char text[] =
        "[A \"1\"]\n*\xFF\xFE\n\0 junk\n[A \"2\"]\n1. e4 (1. d4) *\n\0\n1. c4 *\n more\n[A "
        "\"4\"]\n1. e4 {oops {\n[A \"5\"]\n*\n {x";
    static const struct {
        const char *text;
        size_t length;
    } others[] = {
        {"\0 junk {x", 10}, {"[A \"1\"]\n*\n\0", 12}, {"[A \"1\"]\n\n\n*\nj\0", 15}, {"", 0},
        {"\xFF\xFE[", 3},   {"1. e4 {oops { {", 15},  {"1. e4 (1. d4", 12},          {"[A \"1\"", 7}};
    PgnPlace places[8] = {{0}};
    size_t count = 0;
    Stream stream = {text, sizeof text - 1, 0, 0};
    PgnSplitter *s = pgn_split_open(read_stream, &stream, keep_report, NULL);
    for (GameText game; pgn_split_next(s, &game);)
        count += pgn_split_place(s, &places[count]);
    pgn_split_close(s);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count * (sizeof others / sizeof *others); i++) {
        const PgnPlace *place = &places[i % count];
        char fresh[1000], again[1000];
        for (int used = 0; used < 2; used++) {
            Stream from = {others[i / count].text, others[i / count].length, 0, 0};
            s = pgn_split_open(read_stream, &from, keep_report, NULL);
            if (used)
                read_rest(s, again, sizeof again);
            from = (Stream){text, sizeof text - 1, place->offset, 0};
            pgn_split_go(s, place);
            assert_null(pgn_split_error(s));
            read_rest(s, used ? again : fresh, sizeof fresh);
            pgn_split_close(s);
        }
        assert_string_equal(again, fresh);
        assert_null(strstr(fresh, "UTF-16")); // which only the first bytes of a file say
    }
}

static void test_read_error(void **state)
{
    (void)state;
    Stream stream = {"[A \"1\"]\n1. e4 *\n[A \"2\"]\n1. d4", 33, 0, 0};
    stream.length = strlen(stream.text);
    PgnSplitter *s = pgn_split_open(read_failing, &stream, NULL, NULL);
    GameText game;
    assert_true(pgn_split_next(s, &game));
    assert_true(pgn_split_next(s, &game));
    assert_false(pgn_split_next(s, &game));
    assert_string_equal(pgn_split_error(s), "cannot read the input");
    pgn_split_close(s);
}

// Wherever a read fails: without the last game of a block that says so, all games are as they are in the whole text.
static void test_cut_anywhere(void **state)
{
    (void)state;
    static const char text[] =
        "[A \"1\"]\n\n1. e4 {a [b]} e5 (1... c5 {c}) 2. Nf3 {d\n[e\nf} *\n\n[A \"2\"]\n\n{g} 1. d4 ; {\nd5 "
        "1-0\n\n"
        "1. c4 {h} 1/2-1/2\n\n[A \"4\"]\n[B \"{\"]\n\n1. f4 $1 {i} f5 {j} 0-1\n\n[A \"5\"]\n\n*\n";
    enum { GAMES = 5 };
    Stream whole = {text, strlen(text), 0, 0};
    PgnBlock all = {0};
    PgnSplitter *s = pgn_split_open(read_stream, &whole, NULL, NULL);
    assert_true(pgn_split_block(s, sizeof text, &all));
    assert_int_equal(all.count, GAMES);
    for (size_t length = 0; length <= strlen(text); length++) {
        size_t complete = 0;
        while (complete < GAMES && all.game[complete].offset + all.game[complete].text.length <= length)
            complete++;
        for (size_t size = 1; size <= sizeof text; size += 30) {
            Stream stream = {text, length, 0, 0};
            PgnSplitter *cut = pgn_split_open(read_failing, &stream, NULL, NULL);
            PgnBlock block = {0};
            size_t kept = 0;
            while (pgn_split_block(cut, size, &block)) {
                const size_t count = block.count - pgn_split_is_cut(cut);
                for (size_t i = 0; i < count; i++, kept++) {
                    assert_true(kept < GAMES);
                    assert_int_equal(block.game[i].text.length, all.game[kept].text.length);
                    assert_int_equal(block.game[i].offset, all.game[kept].offset);
                }
                pgn_block_free(&block);
            }
            assert_non_null(pgn_split_error(cut));
            assert_true(kept >= (complete > 0 ? complete - 1 : 0) && kept <= complete);
            pgn_split_close(cut);
        }
    }
    pgn_block_free(&all);
    pgn_split_close(s);
}

static int64_t read_buffer(void *user, void *buffer, size_t size)
{
    Buffer *b = user;
    const size_t n = b->length < size ? b->length : size;
    memcpy(buffer, b->start + b->capacity - b->length, n);
    b->length -= n;
    return (int64_t)n;
}

// Nothing is read ahead to find out that a bracket in movetext begins no tag: most of 4 megabytes is left after the first game.
static void test_read_ahead(void **state)
{
    (void)state;
    Buffer all = {0};
    GameText game;
    buffer_text(&all, "[Event \"a\"]\n\n1. e4\n[%x] [A] [ e5 *\n\n");
    while (all.length < 4000000)
        buffer_text(&all, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n");
    Buffer rest = {.start = all.start, .length = all.length, .capacity = all.length};
    PgnSplitter *s = pgn_split_open(read_buffer, &rest, NULL, NULL);
    assert_true(pgn_split_next(s, &game));
    assert_true(rest.length >= 2000000 && rest.length <= all.length);
    pgn_split_close(s);
    buffer_free(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_byte_order_marks),
        cmocka_unit_test(test_utf16_is_refused),
        cmocka_unit_test(test_result_tokens),
        cmocka_unit_test(test_marks_anywhere),
        cmocka_unit_test(test_result_in_variation),
        cmocka_unit_test(test_hidden_results),
        cmocka_unit_test(test_tag_section),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_many_sections),
        cmocka_unit_test(test_missing_result),
        cmocka_unit_test(test_games_without_tags),
        cmocka_unit_test(test_text_between_games),
        cmocka_unit_test(test_much_between_games),
        cmocka_unit_test(test_unterminated_comment),
        cmocka_unit_test(test_many_unterminated_comments),
        cmocka_unit_test(test_comment_after_comment),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_go_on),
        cmocka_unit_test(test_read_error),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_read_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
