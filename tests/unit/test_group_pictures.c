// Pictures of groups: which one suits the keys, boards, lines, bars, an image of its own, and boards on a terminal.
#include "group_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/format/group_picture.h"
#include "runtime/format/values.h"

// Adds games of a query by the values of the keys with `|` between them: `=12` is a number, `-` none, anything else a text.
static size_t add(Sample *s, uint32_t query, const char *row, GroupNumbers n)
{
    Buffer values = {0};
    for (const char *at = row; *at; at += strcspn(at, "|"), at += *at == '|') {
        const size_t length = strcspn(at, "|");
        if (*at == '=')
            value_put_number(&values, atoi(at + 1));
        else if (*at == '-')
            value_put_none(&values);
        else
            value_put_text(&values, (Text){at, length});
    }
    const size_t group = groups_add(&s->table, query, values.start, values.length, &n);
    buffer_free(&values);
    return group;
}

static void add_games(Sample *s, const char *row, int64_t games)
{
    add(s, 0, row, (GroupNumbers){.games = games});
}

static void add_numbers_to(Sample *s, int first, int last)
{
    for (int i = first; i <= last; i++) {
        char row[16];
        snprintf(row, sizeof row, "=%d", i);
        add_games(s, row, 1);
    }
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("`%s` is not in\n%s", part, text);
}

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

// ---- kinds ------------------------------------------------------------------------------------------------

// In `rows` the groups have commas between them; `A..B` adds the numbers from A to B.
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *rows;
        Picture wanted;
    } cases[] = {
        {"{x}", "e4,h8", {PICTURE_BOARDS, 0, NO_KEY, false}},
        {"{x}", "e4,-", {PICTURE_BOARDS, 0, NO_KEY, false}},
        {"{x}", "-", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"{x}", "e4,e9", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"{x}", "i4", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"{x}", "e4,=5", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"{x}", "e44", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"move", "e4,d4", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"{x},{y}", "e4|e5", {PICTURE_BOARDS, 0, 1, true}},
        {"{x},{y}", "N|e5,R|e6", {PICTURE_BOARDS, 1, 0, false}},
        {"{x},result", "e4|=0", {PICTURE_BOARDS, 0, 1, false}},
        {"{x},{y},{z}", "e4|e5|e6", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"{x}", "1..12", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"{x}", "1..12,-", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"{x}", "1..13,-", {PICTURE_LINES, 0, NO_KEY, false}},
        {"{x}", "1..13,a", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"result", "=0,=1,=2,=3", {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"result,{x}", "=0|=1", {PICTURE_BARS, NO_KEY, 0, false}},
        {"{x},result,{y}", "=0|=1|=2", {PICTURE_BARS, NO_KEY, 1, false}},
        {"year",
         "1990,1991,1992,1993,1994,1995,1996,1997,1998,1999,2000,2001,????",
         {PICTURE_BARS, NO_KEY, NO_KEY, false}},
        {"year",
         "1990,1991,1992,1993,1994,1995,1996,1997,1998,1999,2000,2001,2002,????",
         {PICTURE_LINES, 0, NO_KEY, false}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        GroupRows rows;
        sample_open(&s, cases[i].keys, 1);
        for (const char *at = cases[i].rows; *at; at += strcspn(at, ","), at += *at == ',') {
            char row[32];
            int first, last;
            snprintf(row, sizeof row, "%.*s", (int)strcspn(at, ","), at);
            if (sscanf(row, "%d..%d", &first, &last) == 2)
                add_numbers_to(&s, first, last);
            else
                add_games(&s, row, 1);
        }
        group_rows(&rows, &s.spec, &s.table, &s.matcher);
        const PictureRows r = picture_rows(&s.spec, &rows, 0);
        const Picture got = r.picture;
        if (got.kind != cases[i].wanted.kind || got.point != cases[i].wanted.point ||
            got.split != cases[i].wanted.split || got.arrows != cases[i].wanted.arrows)
            fail_msg("%s of %s: kind %d, %zu, %zu, %d", cases[i].keys, cases[i].rows, (int)got.kind,
                     got.point, got.split, got.arrows);
        group_rows_free(&rows);
        sample_close(&s);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *text, *brief;
    } cases[] = {{0, "0", "0"},
                 {-3, "-3", "-3"},
                 {0.125, "0.12", "0.12"},
                 {2.25, "2.2", "2.2"},
                 {9999, "9999", "9999"},
                 {10000, "10000", "10.0k"},
                 {12345, "12345", "12.3k"},
                 {123456, "123456", "123k"},
                 {1234567, "1234567", "1.2M"},
                 {250000000, "250000000", "250M"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(number_text(cases[i].number).text, cases[i].text);
        assert_string_equal(brief_number(cases[i].number).text, cases[i].brief);
    }
    assert_true(picture_number(text_of("1999")) == 1999);
    assert_true(picture_number(text_of("1999.01")) == 1999);
    assert_true(picture_number(text_of("1999.07")) == 1999.5);
    assert_true(picture_number(text_of("1400-1499")) == 1400);
    assert_true(picture_number(text_of("-20")) == -20);
    assert_int_equal(picture_square(text_of("a1")), 0);
    assert_int_equal(picture_square(text_of("h8")), 63);
    assert_int_equal(picture_square(text_of("b3")), 17);
    static const char *const others[] = {"", "a", "a0", "a9", "i1", "a11", "A1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(picture_square(text_of(others[i])), -1);
}

// ---- boards -----------------------------------------------------------------------------------------------

// e4 is the fifth of a row of 45 each and the fifth row from the top. The square root of 1/3 is .577: from the colour at .35,
// (239, 192, 122), it is .65 of the way to that at .7, (185, 100, 15).
static void test_board(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "{x}", 1);
    add_games(&s, "e4", 3);
    add_games(&s, "a1", 1);
    add_games(&s, "-", 5);
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    has(page, "<svg class='chart' viewBox='0 0 380 406' role='img' aria-labelledby='t0-0 d0-0'>"
              "<title id='t0-0'>Games by {x}</title>"
              "<desc id='d0-0'>A board with a number on each square. Most: e4 (3).</desc>");
    has(page, "<g><title>e4: 3</title><path class='cell' fill='#6b2f04' d='M180 180h45v45h-45z'/>"
              "<text class='light-text' x='202.5' y='207' text-anchor='middle'>3</text></g>\n");
    has(page, "<g><title>a1: 1</title><path class='cell' fill='#cc8434' d='M0 315h45v45h-45z'/>"
              "<text class='dark-text' x='22.5' y='342' text-anchor='middle'>1</text></g>\n");
    has(page, "<g><title>b1: 0</title><path class='cell' fill='#f7f2e6' d='M45 315h45v45h-45z'/></g>\n");
    has(page, "<g><title>c1: 0</title><path class='cell' fill='#ebe3d2' d='M90 315h45v45h-45z'/></g>\n");
    assert_int_equal(times(page, "class='cell'"), 64);
    // 3/16 is nearest to 0, which is there; 3 * 9/16 to 2.
    static const char *const legend[] = {
        "35.0' y='398.0' class='name'>0<", "107.0' y='398.0' class='name'>1<",
        "179.0' y='398.0' class='name'>2<", "251.0' y='398.0' class='name'>3<"};
    for (size_t i = 0; i < 4; i++)
        has(page, legend[i]);
    assert_int_equal(times(page, "y='398.0'"), 4);
    sample_close(&s);
}

// The names of a picture of two queries are different.
static void test_queries(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "{x}", 2);
    add(&s, 0, "e4", (GroupNumbers){.games = 1});
    add(&s, 1, "e5", (GroupNumbers){.games = 2});
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    has(page, "<desc id='d0-0'>A board with a number on each square. Most: e4 (1).</desc>");
    has(page, "<desc id='d1-0'>A board with a number on each square. Most: e5 (2).</desc>");
    page = sample_write(&s, FORMAT_SVG, 0);
    has(page, ">a.cql</text>");
    has(page, ">b,&quot;&lt;c&gt;&quot;.cql</text>");
    assert_int_equal(times(page, "<svg"), 1);
    assert_int_equal(times(page, "class='cell'"), 128);
    sample_close(&s);
}

// Boards of both keys with sums, and the twenty greatest of 22 arrows; a square is not an arrow. A limit for the table does not
// change them.
static void test_arrows(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        Sample s;
        GroupRows rows;
        HeatBoards boards;
        sample_open(&s, turned ? "to,from" : "from,to", 1);
        s.spec.limit = 2;
        for (int i = 0; i < 22;
             i++) { // from the first rank to a4, from the second to b4, from the third to c4
            char row[24];
            if (turned)
                snprintf(row, sizeof row, "%c4|%c%d", 'a' + i / 8, 'a' + i % 8, 1 + i / 8);
            else
                snprintf(row, sizeof row, "%c%d|%c4", 'a' + i % 8, 1 + i / 8, 'a' + i / 8);
            add_games(&s, row, 100 + i);
        }
        add_games(&s, "d4|d4", 900);
        group_rows(&rows, &s.spec, &s.table, &s.matcher);
        assert_int_equal(rows.count, 3);
        const PictureRows r = picture_rows(&s.spec, &rows, 0);
        heat_boards(&boards, &r);
        assert_int_equal(boards.count, 3);
        const HeatBoard *from = &boards.board[turned], *to = &boards.board[1 - turned];
        const HeatBoard *arrows = &boards.board[2];
        assert_true(from->value[0] == 100 && from->value[8] == 108 && from->value[16 + 5] == 121);
        assert_true(to->value[24] == 8 * 100 + 28 && to->value[24 + 3] == 900); // a4: 100 to 107; d4
        assert_int_equal(arrows->arrows, 20);
        assert_true(arrows->arrow[0].from == 16 + 5 && arrows->arrow[0].to == 24 + 2);
        assert_true(arrows->arrow[0].value == 121 && arrows->arrow[19].value == 102);
        heat_boards_free(&boards);
        group_rows_free(&rows);
        const char *page = sample_write(&s, FORMAT_HTML, 0);
        assert_int_equal(times(page, "<path class='arrow'"), 20);
        has(page, "<g opacity='0.90'><title>f3 to c4: 121</title>");
        has(page, "A board with 20 arrows. Most: f3 to c4 (121).</desc>");
        has(page, "<figcaption>the most frequent arrows</figcaption>");
        sample_close(&s);
    }
}

// A board for each value of the other key, the greatest first, up to twelve.
static void test_several_boards(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "{x},{y}", 1);
    for (int i = 0; i < 13; i++) {
        char row[24];
        snprintf(row, sizeof row, "%c<|e4", 'A' + i);
        add_games(&s, row, 1 + i);
        row[4] = '5';
        add_games(&s, row, 2);
    }
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    assert_int_equal(times(page, "<svg class='chart'"), 12);
    has(page, "<figcaption>M&lt;</figcaption>");
    assert_null(strstr(page, "<figcaption>A&lt;"));
    assert_true(strstr(page, "<figcaption>M&lt;") < strstr(page, "<figcaption>L&lt;"));
    has(page, "<p class='soft'>The picture has the largest 12 of 13.</p>");
    page = sample_write(&s, FORMAT_SVG, 0);
    // Three columns of 416 and a margin; four rows with a board, a heading and a margin below two headings and the note.
    has(page, "viewBox='0 0 1264 1886'");
    has(page, ">The picture has the largest 12 of 13.</text>");
    sample_close(&s);
}

// ---- lines ------------------------------------------------------------------------------------------------

// The numbers 0 to 12 and 20 are 17.1 apart: 342 for 20. The line is at 10 for one game and at 200 for none; without games between
// 12 and 20 it is there from 13 to 19, but a percentage is not known.
static void test_line(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "{x}", 1);
    add_numbers_to(&s, 0, 12);
    add_games(&s, "=20", 1);
    add_games(&s, "-", 7);
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    has(page, "<path class='line l0' d='M48.0 10.0L65.1 10.0L82.2 10.0L");
    has(page, "L253.2 10.0L270.3 200.0L372.9 200.0L390.0 10.0' ");
    has(page, "<desc id='d0-0'>1 line, from 0 to 20. Most: 1 at 0.</desc>");
    s.spec.of_all = true;
    for (int i = 0; i <= 20; i += i == 12 ? 8 : 1) {
        char row[24];
        snprintf(row, sizeof row, "=%d", i);
        add(&s, GROUP_NO_QUERY, row, (GroupNumbers){.searched = 2});
    }
    page = sample_write(&s, FORMAT_HTML, 0);
    has(page, "L253.2 10.0h0M390.0 10.0h0' ");
    has(page, "class='name' text-anchor='end'>50 %</text>");
    sample_close(&s);
}

// A line for each value of the other key; one that begins late or ends early is at zero there.
static void test_lines(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "year,{x}", 1);
    for (int i = 0; i < 14; i++) {
        char row[16];
        snprintf(row, sizeof row, "%d|a<", 1990 + i);
        add_games(&s, row, 10);
        snprintf(row, sizeof row, "%d|b", 1990 + i);
        if (i >= 2 && i <= 3)
            add_games(&s, row, 5);
    }
    add_games(&s, "????|b", 50);
    // 13 years on 342: 26.31 each. Up to 10 games on 190.
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    has(page,
        "<path class='line l1' d='M48.0 200.0L74.3 200.0L100.6 105.0L126.9 105.0L153.2 200.0L390.0 200.0' ");
    has(page, ">a&lt;</text>\n");
    has(page, "2 lines, from 1990 to 2003. Most of a&lt;: 10 at 1990.");
    has(page, "viewBox='0 0 400 268'");
    has(page, "text-anchor='middle'>1995</text>");
    sample_close(&s);
    sample_open(&s, "{x},{y}", 1);
    for (int i = 0; i < 13 * 8; i++) {
        char row[16];
        snprintf(row, sizeof row, "=%d|%c", i / 8, 'a' + i % 8);
        add_games(&s, row, 1 + i % 8);
    }
    page = sample_write(&s, FORMAT_SVG, 0);
    assert_int_equal(times(page, "<path class='line l"), 12); // with the legend
    has(page, ">h</text>");
    assert_null(strstr(page, ">b</text>"));
    has(page, ">The picture has the largest 6 of 8.</text>");
    sample_close(&s);
}

// ---- bars -------------------------------------------------------------------------------------------------

// Groups that differ in the result only are parts of one bar. The 40 bars with the most games keep the order of the table.
static void test_bars(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "{x},result", 1);
    add(&s, 0, "a|=0", (GroupNumbers){.games = 3, .white = 3});
    add(&s, 0, "a|=2", (GroupNumbers){.games = 1, .black = 1});
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    has(page, "<title>a: 4; 1-0 3, 1/2-1/2 0, 0-1 1</title>");
    has(page, "<rect class='white' x='16.0' y='3.0' width='240.0' height='14'/>\n"
              "<rect class='black' x='256.0' y='3.0' width='80.0' height='14'/>\n");
    sample_close(&s);
    for (int limit = 0; limit <= 2; limit += 2) {
        sample_open(&s, "{x}", 1);
        s.spec.order = GROUP_ORDER_KEY;
        s.spec.limit = limit;
        for (int i = 0; i < 42; i++) {
            char row[16];
            snprintf(row, sizeof row, "g%02d", i);
            add_games(&s, row, i < 3 ? 1 : 2); // of the three smallest one stays
        }
        page = sample_write(&s, FORMAT_SVG, 0);
        assert_int_equal(times(page, "<rect class='plain'"), limit ? 2 : 40);
        has(page, "<title>g00: 1</title>");
        assert_int_equal(times(page, "<title>g01: 1</title>"), limit ? 1 : 0);
        if (!limit) {
            assert_true(strstr(page, ">g03<") < strstr(page, ">g41<"));
            has(page, ">The picture has the largest 40 of 42.</text>");
        }
        assert_null(strstr(page, "White wins")); // no result is known
        sample_close(&s);
    }
}

// ---- measures ---------------------------------------------------------------------------------------------

static void open_measured(Sample *s, const char *keys, const char *measures)
{
    sample_open(s, keys, 1);
    group_spec_free(&s->spec);
    assert_null(group_spec_read(&s->spec, keys));
    assert_null(group_measures_read(&s->spec, measures));
}

static void add_sum(Sample *s, const char *row, int64_t count, int64_t sum)
{
    const size_t group = add(s, 0, row, (GroupNumbers){.games = 1, .white = 1});
    groups_add_sum(&s->table, group, 1, 0, &(GroupSum){.count = count, .sum = sum});
}

// The first measure that is not a number of games is shown, where there is one: as 10/4 of `a` and -6/2 of `b`.
static void test_measures(void **state)
{
    (void)state;
    Sample s;
    open_measured(&s, "{x}", "avg(ply_count),games");
    add_sum(&s, "a", 4, 10);
    add_sum(&s, "b", 2, -6);
    add_sum(&s, "c", 0, 0);
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    has(page, "<figcaption>avg(ply_count)</figcaption>");
    has(page, "2 bars. Most: a (2.5).");
    has(page, "<title>a: 2.5</title>\n<text x='8.0' y='15.0' text-anchor='end'>a</text>\n"
              "<rect class='plain' x='16.0' y='3.0' width='320.0' height='14'/>\n");
    has(page, "<title>b: -3</title>\n<text x='8.0' y='37.0' text-anchor='end'>b</text>\n"
              "<text x='22.0' y='37.0' class='name'>-3</text>\n");
    sample_close(&s);
    open_measured(&s, "{x}", "results,avg(ply_count)");
    add_sum(&s, "a", 4, 10);
    assert_null(strstr(sample_write(&s, FORMAT_HTML, 0), "<figcaption>"));
    sample_close(&s);
    open_measured(&s, "{x},{y}", "avg(ply_count)"); // boards of sums are of matches
    add_sum(&s, "a1|a2", 4, 10);
    assert_null(strstr(sample_write(&s, FORMAT_HTML, 0), "<figcaption>avg"));
    sample_close(&s);
    open_measured(&s, "{x},{y}", "avg(ply_count)");
    add_sum(&s, "a1|N", 4, 10);
    page = sample_write(&s, FORMAT_HTML, 0);
    has(page, "<figcaption>avg(ply_count)</figcaption>");
    has(page, "<g><title>a1: 2.5</title>");
    add_sum(&s, "a1|Q", 4, 11);
    page = sample_write(&s, FORMAT_HTML, 0);
    has(page, "<figcaption>Q: avg(ply_count)</figcaption>");
    has(page, "<g><title>a1: 2.8</title>"); // 2.75
    sample_close(&s);
    open_measured(&s, "{x}", "avg(ply_count)"); // no group has one
    add_sum(&s, "a1", 0, 0);
    has(sample_write(&s, FORMAT_HTML, 0), "Most: a1 (1).");
    sample_close(&s);
}

// The numbers -6 to 6 over 0 to 12 on a scale from -10 to 10: 28.5 to the right and 9.5 up each.
static void test_negative_line(void **state)
{
    (void)state;
    Sample s;
    open_measured(&s, "{x}", "avg(ply_count)");
    for (int i = 0; i <= 12; i++) {
        char row[24];
        snprintf(row, sizeof row, "=%d", i);
        add_sum(&s, row, 2, 2 * (i - 6));
    }
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    has(page, " d='M48.0 162.0h0L76.5 152.5h0L105.0 143.0h0L");
    has(page, "L390.0 48.0h0' ");
    has(page, ">-10</text>");
    has(page, "1 line, from 0 to 12. Most: 6 at 12.");
    sample_close(&s);
}

// With --per position the largest are those with the most positions.
static void test_positions(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "{x}", 1);
    s.spec.per_position = true;
    for (int i = 0; i < 41; i++) {
        char row[24];
        snprintf(row, sizeof row, "g%02d", i);
        add(&s, 0, row, (GroupNumbers){.games = 1 + i, .positions = 100 - i});
    }
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    has(page, ">Positions by {x}</title>");
    has(page, "40 bars. Most: g00 (100).");
    assert_null(strstr(page, "<title>g40: 60</title>"));
    sample_close(&s);
}

// ---- an image and a terminal ------------------------------------------------------------------------------

static void test_image(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "{x<y}", 1);
    s.query[0].name = "-e1";
    s.query[0].source = "a < b\nx<y";
    const char *page = sample_write(&s, FORMAT_SVG, 0);
    assert_memory_equal(page, "<svg xmlns='http://www.w3.org/2000/svg' class='chart' viewBox='0 0 432 ", 70);
    has(page, "<title>Games by {x&lt;y}</title>\n<style>\n.chart text");
    has(page, ">No groups.</text>\n</svg>\n");
    add_games(&s, "x", 1);
    page = sample_write(&s, FORMAT_SVG, 0);
    has(page, "class='heading'>a &lt; b</text>");
    assert_null(strstr(page, "No groups."));
    sample_close(&s);
}

static void test_terminal(void **state)
{
    (void)state;
    static const char board[] = "8  ·  ·  ·  ·  ·  ·  · 12\n"
                                "7  ·  ·  ·  ·  ·  ·  ·  ·\n"
                                "6  ·  ·  ·  ·  ·  ·  ·  ·\n"
                                "5  ·  ·  ·  ·  ·  ·  ·  ·\n"
                                "4  ·  ·  ·  ·  3  ·  ·  ·\n"
                                "3  ·  ·  ·  ·  ·  ·  ·  ·\n"
                                "2  ·  ·  ·  ·  ·  ·  ·  ·\n"
                                "1  ·  ·  ·  ·  ·  ·  ·  ·\n"
                                "   a  b  c  d  e  f  g  h\n";
    Sample s;
    sample_open(&s, "{x}", 1);
    add_games(&s, "e4", 3);
    add_games(&s, "h8", 12);
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 80), board);
    assert_memory_equal(sample_write(&s, FORMAT_TEXT, 0), "{x}      games", 14);
    s.spec.limit = 1;
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 80), board);
    s.spec.limit = 0;
    add_games(&s, "-", 2);
    const char *text = sample_write(&s, FORMAT_TEXT, 80);
    assert_memory_equal(text, board, sizeof board - 1);
    has(text, "h\n{x}         games       %");
    has(text, "\n(none)          2    11.8");
    sample_close(&s);
    sample_open(&s, "{x},{y}", 1);
    add_games(&s, "e4|Q\x01", 3);
    add_games(&s, "h8|Q\x01", 12);
    add_games(&s, "h8|R", 1);
    text = sample_write(&s, FORMAT_TEXT, 80);
    assert_memory_equal(text, "{x}  {y}      games", 19);
    char wanted[sizeof board + 20];
    snprintf(wanted, sizeof wanted, "\n\nQ \n%s\nR\n8 ", board);
    has(text, wanted);
    sample_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),         cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_board),         cmocka_unit_test(test_queries),
        cmocka_unit_test(test_arrows),        cmocka_unit_test(test_several_boards),
        cmocka_unit_test(test_line),          cmocka_unit_test(test_lines),
        cmocka_unit_test(test_bars),          cmocka_unit_test(test_measures),
        cmocka_unit_test(test_negative_line), cmocka_unit_test(test_positions),
        cmocka_unit_test(test_image),         cmocka_unit_test(test_terminal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
