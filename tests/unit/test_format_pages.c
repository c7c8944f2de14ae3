// Games on a page: names of positions, sort keys, found moves and squares, variations, moves as squares.
#include "format_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/format/found.h"

static void expect_parts(const char *page, const char *const *part)
{
    for (; *part; part++)
        if (!strstr(page, *part))
            fail_msg("%s is not in %s", *part, page);
}

// A position has the name of the move that leads there, with its number.
static void test_names(void **state)
{
    (void)state;
    static const int32_t hit[] = {0, 1, 2, 4};
    static const char *const parts[] = {
        "\n<section id='g3' data-moves='e2e4e7e5(c7c5)d2d4'>\n<h2>Game 3<",
        "<figure id='g3p0'><svg class='diagram' viewBox='0 0 360 360' role='img' aria-label='Board, Start'>",
        "<figcaption><b>Start</b><small>White to move</small>",
        "aria-label='Board, 1. e4'>",
        "<figcaption><b>1. e4</b><small>Black to move</small>",
        "aria-label='Board, 1\u2026 e5'>",
        "<figcaption><b>1\u2026 e5</b><small>White to move</small>",
        "aria-label='Board, 1\u2026 c5'>",
        "<figcaption><b>1\u2026 c5</b> in a variation<small>White to move</small>"
        "<a class='fen' rel='noopener noreferrer' href='https://lichess.org/analysis/"
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_c6_0_2'>"
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2</a></figcaption></figure>\n",
        "</a></figcaption></figure>\n</div>\n<div class='moves'>",
        "<a href='#g3p0'><b><i data-start>Start</i></b></a> <a href='#g3p1'><b>1.\u00A0<i>e4</i></b></a> ",
        NULL};
    Sample s;
    sample_open(&s, "1. e4 e5 (1... c5) 2. d4 *\n");
    s.result.hit = hit;
    s.result.hit_count = 4;
    expect_parts(sample_write(&s, FORMAT_HTML), parts);
    sample_close(&s);
}

// The values of the sort keys of all queries stand in one line; without keys there is none.
static void test_sort_keys(void **state)
{
    (void)state;
    static const SortKeyInfo first[] = {{.name = "a"}, {.name = "b<"}}, second[] = {{.name = "c"}};
    const SortValue values[] = {{true, -1, NULL}, {false, 0, NULL}}, other = {true, 0, STR("x>")};
    const QueryInfo queries[] = {{.name = "p", .sort_key = first, .sort_key_count = 2},
                                 {.name = "q", .sort_key = second, .sort_key_count = 1},
                                 {.name = "r"}};
    const RunResult results[] = {{.sort = values}, {.sort = &other}, {.matched = true}};
    const Found found[] = {
        {&queries[0], &results[0]}, {&queries[1], &results[1]}, {&queries[2], &results[2]}};
    static const struct {
        size_t first, count;
        const char *line;
    } cases[] = {{0, 1, "<p>a: <b>-1</b> \u00B7 b&lt;: <b>none</b></p>\n"},
                 {1, 1, "<p>c: <b>x&gt;</b></p>\n"},
                 {0, 3, "<p>a: <b>-1</b> \u00B7 b&lt;: <b>none</b> \u00B7 c: <b>x&gt;</b></p>\n"},
                 {2, 1, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        char wanted[200];
        sample_open(&s, "1. e4 *\n");
        s.g.found = &found[cases[i].first];
        s.g.count = cases[i].count;
        const char *page = sample_write(&s, FORMAT_HTML), *from = strstr(page, "</h2>\n");
        assert_non_null(from);
        snprintf(wanted, sizeof wanted, "</h2>\n<p class='soft'></p>\n%s<div class='moves'>", cases[i].line);
        if (strncmp(from, wanted, strlen(wanted)) != 0)
            fail_msg("%s: expected %s", from, wanted);
        sample_close(&s);
    }
}

// A move that is found but does not lead from the position has a pale arrow, and the script gets its squares.
static void test_later_moves(void **state)
{
    (void)state;
    static const FoundMove moves[] = {{0, 2}, {0, 3}, {1, 2}};
    static const int32_t hit[] = {0, 1};
    Sample s;
    sample_open(&s, "1. e4 e5 2. d4 *\n");
    s.result.hit = hit;
    s.result.hit_count = 2;
    s.result.moves = moves;
    static const struct {
        int first, count;
        const char *const parts[5];
    } cases[] = {
        {0,
         1,
         {"White to move: <b>1\u2026 e5</b></small>", "<b data-a='e7e5'><i data-start>",
          "<path class='next later' d='"}},
        {0, 2, {"White to move: <b>1\u2026 e5 2. d4</b></small>", "<b data-a='e7e5d2d4'><i data-start>"}},
        {2,
         1,
         {"Black to move: <b>1\u2026 e5</b></small>", "<b><i data-start>", "<b>1.\u00A0<i>e4</i></b>",
          "<path class='next' d='"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        s.result.moves = moves + cases[i].first;
        s.result.moves_count = cases[i].count;
        expect_parts(sample_write(&s, FORMAT_HTML), cases[i].parts);
    }
    sample_close(&s);
}

// The row of a game in the table.
static void test_row(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "[Event \"E<\"]\n[Date \"2001.02.??\"]\n\n1. e4 0-1\n");
    s.g.number = 12345678901;
    const char *page = sample_write(&s, FORMAT_HTML),
               *row = "<tr><td class='n'><a href='#g12345678901'>12345678901</a></td><td>?</td><td>?</td>"
                      "<td class='r'>0\u20131</td><td class='d wide'>2001.02</td><td class='wide'>E&lt;</td>"
                      "<td class='n'>0</td></tr>\n<section id='g12345678901' ";
    assert_memory_equal(page, row, strlen(row));
    sample_close(&s);
}

// The comment of a position is its own, that which is added, or both, however short.
static void test_comments(void **state)
{
    (void)state;
    const LogEntry log[] = {{2, LOG_TEXT, STR("b")}, {3, LOG_TEXT, STR("y")}};
    static const int32_t hit[] = {0, 1, 2, 3};
    FieldList fields;
    Sample s;
    assert_null(fields_read(&fields, "comment,ply"));
    sample_open(&s, "1. e4 {a} e5 2. d4 {x} *\n");
    s.g.fields = &fields;
    s.result.hit = hit;
    s.result.hit_count = 4;
    s.result.log = log;
    s.result.log_count = 2;
    assert_string_equal(sample_write(&s, FORMAT_CSV), ",0\r\na,1\r\nb,2\r\nx y,3\r\n");
    sample_close(&s);
}

// A game from another start has the position of its start for the script.
static void test_start(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n");
    assert_non_null(
        strstr(sample_write(&s, FORMAT_HTML),
               "\n<section id='g3' data-fen='4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' data-moves='e2e4'>\n<h2>"));
    sample_close(&s);
}

// A page of several queries has the titles of all.
static void test_several_titles(void **state)
{
    (void)state;
    static const QueryInfo queries[] = {{.name = "p.cql", .source = "// One"},
                                        {.name = "q.cql", .source = "// Two: 2"},
                                        {.name = "-e1", .source = "x<y"}};
    static const char *const titles[] = {"One", "One; Two", "One; Two; x&lt;y"};
    const SearchTotals totals = {.games = 1};
    const QueryTotals query[3] = {{.matches = 0}};
    const char *const input[] = {"a.pgn", "b.pgn", "-"};
    for (uint32_t count = 1; count <= 3; count++) {
        char title[100], heading[100], inputs[100];
        Buffer out = {0};
        const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, count, queries, "test", CQL_LAYOUT};
        format_begin(FORMAT_HTML, &out,
                     &(FormatSearch){&matcher, &totals, query, 0, count, input, NULL, 0, false, 0});
        buffer_append(&out, "", 1);
        snprintf(title, sizeof title, "<title>%s</title>\n<style>\n", titles[count - 1]);
        snprintf(heading, sizeof heading, "\n<h1>%s</h1>\n<p class='total'>", titles[count - 1]);
        snprintf(inputs, sizeof inputs, "<p class='soft'>Searched: a.pgn%s%s</p>\n<details open>",
                 count > 1 ? ", b.pgn" : "", count > 2 ? ", standard input" : "");
        expect_parts(out.start, (const char *const[]){title, heading, inputs, NULL});
        buffer_free(&out);
    }
}

// The squares that all queries mark at a position are ringed, unless these are all squares of the board.
static void test_squares(void **state)
{
    (void)state;
    static const FoundSquares first[] = {{0, SQ("a1")}, {1, SQ("b1")}, {0, SQ("c1")}},
                              second[] = {{0, SQ("h8")}},
                              rest[] = {{0, ~(SQ("a1") | SQ("c1"))}, {1, ~(SQ("b1") | SQ("h8"))}};
    const QueryInfo query = {.name = "q"};
    const RunResult results[] = {{.squares = first, .squares_count = 3},
                                 {.squares = second, .squares_count = 1},
                                 {.squares = rest, .squares_count = 2}};
    const Found found[] = {
        {&query, &results[0]}, {&query, &results[1]}, {&query, &results[2]}, {&query, &results[0]}};
    Sample s;
    sample_open(&s, "1. e4 *\n");
    s.g.found = found;
    s.g.count = 0;
    assert_true(found_squares(&s.g, 0) == 0);
    s.g.count = 1;
    assert_true(found_squares(&s.g, 0) == (SQ("a1") | SQ("c1")));
    assert_true(found_squares(&s.g, 1) == SQ("b1"));
    s.g.count = 2;
    assert_true(found_squares(&s.g, 0) == (SQ("a1") | SQ("c1") | SQ("h8")));
    static const int32_t hit[] = {0, 1};
    const RunResult shown[] = {{.squares = first, .squares_count = 3, .hit = hit, .hit_count = 2},
                               results[1]};
    const Found both[] = {{&query, &shown[0]}, {&query, &shown[1]}};
    s.g.found = both;
    expect_parts(sample_write(&s, FORMAT_HTML),
                 (const char *const[]){"<a href='#g3p0'><b data-r='a1c1h8'><i data-start>Start</i></b></a> "
                                       "<a href='#g3p1'><b data-r='b1'>1.\u00A0<i>e4</i></b></a> ",
                                       NULL});
    s.g.found = found + 2; // both are all squares of the start
    assert_true(found_squares(&s.g, 0) == 0);
    assert_true(found_squares(&s.g, 1) == ~SQ("h8"));
    s.g.count = 1;
    assert_true(found_squares(&s.g, 0) == ~(SQ("a1") | SQ("c1")));
    sample_close(&s);
}

// Variations stand in parentheses after the move that they replace; then Black's move has its number.
static void test_variations(void **state)
{
    (void)state;
#define MOVE(number, san) number "\u00A0<i>" san "</i>"
#define COMMENT(text) "<span class='comment'>" text "</span>"
#define OPEN "<span class='line'>("
#define CLOSE ")</span> "
    static const char *const cases[][2] = {
        {"1. e4 e5 (1... c5 {x} 2. Nf3) (1... e6) 2. d4 *",
         MOVE("1.", "e4") " <i>e5</i> " OPEN MOVE("1\u2026", "c5") " " COMMENT("x") " " MOVE("2.", "Nf3")
             CLOSE OPEN MOVE("1\u2026", "e6") CLOSE MOVE("2.", "d4") " "},
        {"1. e4 (1. d4 d5 (1... f5)) e5 *",
         MOVE("1.", "e4") " " OPEN MOVE("1.", "d4") " <i>d5</i> " OPEN MOVE(
             "1\u2026", "f5") ")</span>" CLOSE MOVE("1\u2026", "e5") " "},
        {"1. e4 ({s} 1. d4 {}) e5 *",
         MOVE("1.", "e4") " " OPEN COMMENT("s") " " MOVE("1.", "d4") CLOSE MOVE("1\u2026", "e5") " "},
        {"1. e4 {a} e5 {b} 2. d4 *", MOVE("1.", "e4") " " COMMENT("a") " " MOVE("1\u2026", "e5") " " COMMENT(
                                         "b") " " MOVE("2.", "d4") " "},
        {"{start} 1. e4 *", COMMENT("start") " " MOVE("1.", "e4") " "},
        {"*", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        char pgn[100], wanted[800];
        snprintf(pgn, sizeof pgn, "%s\n", cases[i][0]);
        snprintf(wanted, sizeof wanted, "<div class='moves'>%s*</div>\n", cases[i][1]);
        sample_open(&s, pgn);
        const char *page = sample_write(&s, FORMAT_HTML);
        if (!strstr(page, wanted))
            fail_msg("%s: %s, expected %s", pgn, strstr(page, "<div class='moves'>"), wanted);
        sample_close(&s);
    }
}

// The script gets the drawings of comments, which are not shown as text.
static void test_drawings_of_moves(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "{[%csl Ga4,Rb5]} 1. e4 {[%cal Yh8a1]x} e5 {[%csl ]} *\n");
    assert_non_null(strstr(sample_write(&s, FORMAT_HTML),
                           "<div class='moves' data-d='Ga4Rb5'>1.\u00A0<i data-d='Yh8a1'>e4</i> " COMMENT(
                               "x") " " MOVE("1\u2026", "e5") " *</div>\n"));
    sample_close(&s);
}

// Moves as the squares that change: castling, en passant, promotions, null moves.
static void test_moves_as_squares(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 5. c3 Qd7 6. d3 Nh6 7. a3 O-O", "e1g1+h1f1|e8g8+h8f8"},
        {"1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd3 Qd7 5. O-O-O O-O-O", "e1c1+a1d1e8c8+a8d8"},
        {"1. e4 a6 2. e5 d5 3. exd6 a5 4. dxc7 a4 5. b4 axb3 6. cxb8=N",
         "e5d6-d5a6a5d6c7a5a4b2b4a4b3-b4c7b8=n"},
        {"1. e4 -- 2. -- e5 (2... d5) (2... Nf6)", "'e2e4----e7e5(d7d5)(g8f6)'"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        char pgn[200], part[100];
        snprintf(pgn, sizeof pgn, "%s *\n", cases[i][0]);
        sample_open(&s, pgn);
        const char *page = sample_write(&s, FORMAT_HTML);
        for (const char *at = cases[i][1]; *at; at += strcspn(at, "|"), at += *at == '|') {
            snprintf(part, sizeof part, "%.*s", (int)strcspn(at, "|"), at);
            if (!strstr(page, part))
                fail_msg("%s: %s, expected %s", pgn, strstr(page, "data-moves"), part);
        }
        sample_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),           cmocka_unit_test(test_sort_keys),
        cmocka_unit_test(test_later_moves),     cmocka_unit_test(test_squares),
        cmocka_unit_test(test_start),           cmocka_unit_test(test_row),
        cmocka_unit_test(test_comments),        cmocka_unit_test(test_several_titles),
        cmocka_unit_test(test_variations),      cmocka_unit_test(test_drawings_of_moves),
        cmocka_unit_test(test_moves_as_squares)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
