// The output formats, from a game and what a query is said to have found in it.
#include "format_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/format/found.h"
#include "runtime/format/tables.h"
#include "runtime/format/text.h"
#include "runtime/format/writers.h"
#include "runtime/value/unicode.h"

#define PGN                                                                                                  \
    "[Event \"A \"cup\", 2020\"]\n[White \"Ek, C\"]\n[Black \"Qu\xEDll\"]\n[WhiteElo \"2100\"]\n[Opening "   \
    "\"x<y\"]\n"                                                                                             \
    "[Result \"1-0\"]\n\n1. Nf3 Nf6 2. Ng1 {back} Ng8 3. e4 (3. d4 d5) 3... e5 4. Bc4 a6 5. Qh5 a5 6. "      \
    "Qxf7# 1-0\n"
// positions: 0 start, 1 Nf3, 2 Nf6, 3 Ng1, 4 Ng8, 5 e4, 6 e5, 7 Bc4, 8 a6, 9 Qh5, 10 a5, 11 Qxf7#, 12 d4, 13
// d5

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(format_by_name("jsonl"), FORMAT_JSONL);
    assert_int_equal(format_by_name("PGN"), FORMAT_COUNT_);
    assert_int_equal(format_by_file("x/y.HTML"), FORMAT_HTML);
    assert_int_equal(format_by_file("out.d/pgn"), FORMAT_COUNT_);
    assert_int_equal(format_by_file("a.csv"), FORMAT_CSV);
    assert_int_equal(format_by_file("a.b/c.tsv.ZST"), FORMAT_TSV);
    assert_int_equal(format_by_file("a.gz"), FORMAT_COUNT_);
    assert_int_equal(format_by_file(".csv"), FORMAT_COUNT_);
    assert_int_equal(format_by_file("a/.csv"), FORMAT_COUNT_);
    assert_int_equal(format_by_file("a/b.csv"), FORMAT_CSV);
    assert_int_equal(format_by_file("a/b.csvx"), FORMAT_COUNT_);
    assert_int_equal(format_by_file("a.cs"), FORMAT_COUNT_);
    assert_int_equal(format_by_file("csv"), FORMAT_COUNT_);
    assert_int_equal(format_by_file(""), FORMAT_COUNT_);
    assert_false(format_has_ending("a/.csv"));
    assert_true(format_has_ending("a."));
    assert_false(format_has_ending("a.gz"));
    assert_false(format_has_ending("a.b/c"));
    assert_true(format_has_ending("a.xls.gz"));
}

// The clocks count from the beginning: no capture and no pawn move before 3.e4. The square passed by a pawn that
// has moved two steps is always written (PGN standard, 16.1.3.4).
static void test_fen(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, PGN);
    static const int32_t hit[] = {0, 4, 5, 9, 11, 13};
    s.result.hit = hit;
    s.result.hit_count = 6;
    assert_string_equal(sample_write(&s, FORMAT_FEN),
                        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
                        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3\n"
                        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3\n"
                        "rnbqkbnr/1ppp1ppp/p7/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 1 5\n"
                        "rnbqkbnr/1ppp1Qpp/8/p3p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 6\n"
                        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 4\n");
    sample_close(&s);
}

static void test_jsonl(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, PGN);
    static const int32_t hit[] = {3, 11};
    const LogEntry log[] = {{3, LOG_TEXT, STR("CQL")},        {3, LOG_TEXT, STR("good {one}")},
                            {3, LOG_TEXT, STR("good {one}")}, {6, LOG_TEXT, STR("far")},
                            {11, LOG_TEXT, STR("CQL")},       {0, LOG_KEYS, STR(" deep: 7")}};
    const SortKeyInfo key = {.name = "deep"};
    const SortValue value = {true, 7, NULL};
    s.result.hit = hit;
    s.result.hit_count = 2;
    s.result.log = log;
    s.result.log_count = 6;
    s.query.sort_key = &key;
    s.query.sort_key_count = 1;
    s.result.sort = &value;
    assert_string_equal(sample_write(&s, FORMAT_JSONL),
                        "{\"game\":3,\"file\":\"in.pgn\",\"query\":\"q.cql\",\"tags\":{\"Event\":\"A "
                        "\\\"cup\\\", 2020\",\"Site\":\"?\","
                        "\"Date\":\"????.??.??\",\"Round\":\"?\",\"White\":\"Ek, "
                        "C\",\"Black\":\"Qu\xC3\xADll\",\"Result\":\"1-0\","
                        "\"WhiteElo\":\"2100\",\"Opening\":\"x<y\"},\"positions\":["
                        "{\"id\":3,\"ply\":3,\"fen\":\"rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq "
                        "- 3 2\",\"number\":2,"
                        "\"san\":\"Ng1\",\"uci\":\"f3g1\",\"next_san\":\"Ng8\",\"next_uci\":\"f6g8\","
                        "\"comment\":\"back good _one_\"},"
                        "{\"id\":11,\"ply\":11,\"fen\":\"rnbqkbnr/1ppp1Qpp/8/p3p3/2B1P3/8/PPPP1PPP/RNB1K1NR "
                        "b KQkq - 0 6\",\"number\":6,"
                        "\"san\":\"Qxf7#\",\"uci\":\"h5f7\"}],"
                        "\"comments\":[{\"id\":6,\"ply\":6,\"comment\":\"far\"}],\"sort\":{\"deep\":7}}\n");
    sample_close(&s);
}

static void test_csv(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, PGN);
    static const int32_t hit[] = {0, 13};
    const SortKeyInfo keys[] = {{.name = "a,b"}, {.name = "n"}};
    const SortValue values[] = {{true, 0, STR("x\"y")}, {false, 0, NULL}};
    SearchTotals totals = {0};
    QueryTotals query = {0};
    s.result.hit = hit;
    s.result.hit_count = 2;
    s.query.sort_key = keys;
    s.query.sort_key_count = 2;
    s.result.sort = values;
    Buffer head = {0};
    format_begin(FORMAT_CSV, &head,
                 &(FormatSearch){.matcher = &s.matcher, .totals = &totals, .query = &query});
    buffer_append(&head, "", 1);
    assert_string_equal(head.start, "game,file,query,position,ply,number,san,uci,next_san,next_uci,fen,white,"
                                    "black,white_elo,black_elo,result,date,"
                                    "event,site,round,eco,comment,clock,elapsed,eval,\"a,b\",n\r\n");
    buffer_free(&head);
    assert_string_equal(
        sample_write(&s, FORMAT_CSV),
        "3,in.pgn,q.cql,0,0,,,,Nf3,g1f3,rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 "
        "1,\"Ek, C\",Qu\xC3\xADll,2100,,1-0,"
        "????.??.??,\"A \"\"cup\"\", 2020\",?,?,,,,,,\"x\"\"y\",\r\n"
        "3,in.pgn,q.cql,13,6,3,d5,d7d5,,,rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w "
        "KQkq d6 0 4,\"Ek, C\",Qu\xC3\xADll,2100,,1-0,"
        "????.??.??,\"A \"\"cup\"\", 2020\",?,?,,,,,,\"x\"\"y\",\r\n");
    sample_close(&s);
}

// Columns for characters that take two or none, and texts that are cut.
static void test_cells(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t columns, width;
        bool right;
        const char *cell;
    } cases[] = {{"abc", 3, 5, false, "abc  "},
                 {"abc", 3, 5, true, "  abc"},
                 {"abc", 3, 2, false, "a…"},
                 {"abc", 3, 1, true, "…"},
                 {"abc", 3, 0, false, ""},
                 {"", 0, 2, false, "  "},
                 {"e\xCC\x81x", 2, 2, false, "e\xCC\x81x"},
                 {"李强", 4, 4, false, "李强"},
                 {"李强", 4, 3, false, "李…"},
                 {"李强", 4, 2, true, " …"},
                 {"a\nb", 3, 3, false, "a b"},
                 {"\xE9t", 2, 3, false, "\xE9t "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buffer out = {0};
        assert_int_equal(unicode_columns(cases[i].text, strlen(cases[i].text)), cases[i].columns);
        text_cell(&out, text_of(cases[i].text), cases[i].width, cases[i].right);
        buffer_append(&out, "", 1);
        assert_string_equal(out.start, cases[i].cell);
        buffer_free(&out);
    }
}

// Lines of a list: the move that is found at the first match, the move that leads to the second; no match; a variation.
static void test_list(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, PGN);
    static const int32_t hit[] = {3, 13};
    static const FoundMove moves[] = {{3, 4}};
    s.result.hit = hit;
    s.result.hit_count = 2;
    s.result.moves = moves;
    s.result.moves_count = 1;
    s.g.width = 70; // 34 columns for players and comment
    assert_string_equal(sample_write(&s, FORMAT_LIST),
                        "      3  Ek, C – Qu\xC3\xADll                    1–0  2...Ng8       back\n"
                        "                                               3...d5\n");
    s.result.hit_count = 0;
    assert_string_equal(sample_write(&s, FORMAT_LIST),
                        "      3  Ek, C – Qu\xC3\xADll                    1–0\n");
    sample_close(&s);
}

// The fields that the user names, in their order: rows of positions, or of games when no field belongs to positions.
static void test_fields(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, PGN);
    static const int32_t hit[] = {0, 9};
    FieldList fields;
    s.result.hit = hit;
    s.result.hit_count = 2;
    s.g.fields = &fields;
    s.g.number_in_file = 2;
    s.g.offset = 70;
    s.g.context = 2;
    assert_null(
        fields_read(&fields, "Opening,before,san,next_san,after,number,game_in_file,offset,NoTag,white_elo"));
    assert_string_equal(sample_write(&s, FORMAT_CSV), "x<y,,,Nf3,Nf3 Nf6,,2,70,,2100\r\n"
                                                      "x<y,a6 Qh5,Qh5,a5,a5 Qxf7#,5,2,70,,2100\r\n");
    assert_string_equal(
        sample_write(&s, FORMAT_JSONL),
        "{\"Opening\":\"x<y\",\"before\":[],\"san\":null,\"next_san\":\"Nf3\",\"after\":[\"Nf3\","
        "\"Nf6\"],\"number\":null,\"game_in_file\":2,\"offset\":70,\"NoTag\":null,\"white_elo\":2100}\n"
        "{\"Opening\":\"x<y\",\"before\":[\"a6\",\"Qh5\"],\"san\":\"Qh5\",\"next_san\":\"a5\","
        "\"after\":[\"a5\",\"Qxf7#\"],\"number\":5,\"game_in_file\":2,\"offset\":70,\"NoTag\":null,"
        "\"white_elo\":2100}\n");
    assert_null(fields_read(&fields, "offset,game,uci_moves,Event"));
    s.g.offset = -1;
    assert_string_equal(sample_write(&s, FORMAT_TSV),
                        "\t3\tg1f3 g8f6 f3g1 f6g8 e2e4 e7e5 f1c4 a7a6 d1h5 a6a5 h5f7\tA \"cup\", 2020\n");
    assert_null(fields_read(&fields, "positions,comments,sort"));
    s.g.context = 0;
    s.result.hit_count = 1;
    assert_string_equal(sample_write(&s, FORMAT_JSONL),
                        "{\"positions\":[{\"id\":0,\"ply\":0,\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/"
                        "RNBQKBNR w KQkq - 0 1\","
                        "\"next_san\":\"Nf3\",\"next_uci\":\"g1f3\"}],\"comments\":[],\"sort\":{}}\n");
    static const char *const bad[] = {"", "game,", "gam", "fen,fen", "Site,Site"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *message = fields_read(&fields, bad[i]);
        assert_non_null(message);
        free(message);
    }
    sample_close(&s);
}

// The names are those of the header; tabs and line ends of values become spaces.
static void test_tsv(void **state)
{
    (void)state;
    FieldList fields;
    Buffer out = {0};
    Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 0, NULL, "test", CQL_LAYOUT};
    assert_null(fields_read(&fields, "fen,White,sort,moves"));
    format_begin(FORMAT_TSV, &out, &(FormatSearch){.matcher = &matcher, .fields = &fields});
    text_tsv(&out, text_of("a\tb\r\n\"c\" \xE9"));
    buffer_append(&out, "", 1);
    assert_string_equal(out.start, "fen\tWhite\tmoves\na b  \"c\" \xC3\xA9");
    buffer_free(&out);
}

// A game cut to what is around its matches: 3.d4 d5 is a variation, 11 the last move.
static void test_excerpt(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, PGN);
    static const int32_t hit[] = {3, 13};
    const LogEntry log[] = {{0, LOG_TEXT, STR("Game")}, {3, LOG_TEXT, STR("CQL")}};
    s.result.hit = hit;
    s.result.hit_count = 1;
    s.result.log = log;
    s.result.log_count = 2;
    s.g.context = 1;
    // 2.Ng1 with the position before it, and 2...Ng8.
    const char *text = sample_write(&s, FORMAT_PGN);
    assert_non_null(strstr(
        text, "[Opening \"x<y\"]\n[SetUp \"1\"]\n[FEN \"rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w "
              "KQkq - 2 2\"]\n\n{Game}\n2.Ng1 {back CQL} 2...Ng8 1-0\n"));
    s.result.hit_count = 2; // the last common position of both is 2...Ng8, after the first match
    s.g.context = 2;
    text = sample_write(&s, FORMAT_PGN);
    assert_non_null(strstr(
        text, "RNBQKB1R b KQkq - 1 1\"]\n\n{Game}\n1...Nf6 2.Ng1 {back CQL} 2...Ng8 3.e4 ( 3.d4 d5 ) 1-0\n"));
    s.result.hit = hit + 1;
    s.result.hit_count = 1;
    s.result.log_count = 0;
    s.g.context = 1;
    text = sample_write(&s, FORMAT_PGN);
    assert_non_null(strstr(text, "/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3\"]\n\n3...d5 1-0\n"));
    s.g.context = 1000; // from the beginning: no FEN; nothing follows
    text = sample_write(&s, FORMAT_PGN);
    assert_null(strstr(text, "FEN"));
    assert_non_null(strstr(text, "\n\n1.Nf3 Nf6 2.Ng1 {back} 2...Ng8 3.d4 d5 1-0\n"));
    sample_close(&s);
}

// Matches in two lines: the cut game begins where both lines part.
static void test_excerpt_of_lines(void **state)
{
    (void)state;
    static const int32_t hit[] = {3, 6}; // 2.d4 and 2.Nf3
#define AFTER_E4 "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"]\n\n"
    Sample s;
    sample_open(&s, "1. e4 e5 (1... c5 2. Nf3 d6) 2. d4 exd4 *\n");
    s.result.hit = hit;
    s.g.context = 1;
    s.result.hit_count = 2;
    // the positions before both matches are after 1...e5 and after 1...c5
    const char *text = sample_write(&s, FORMAT_PGN);
    assert_non_null(strstr(text, "[SetUp \"1\"]\n" AFTER_E4 "1...e5 ( 1...c5 2.Nf3 d6 ) 2.d4 exd4 *\n"));
    sample_close(&s);
    // numbers of moves with more digits
    char pgn[400] = "";
    static const int32_t late[] = {23}; // 12.Ng1
    for (int i = 0; i < 24; i++)
        strcat(pgn, i % 4 == 0 ? "Nf3 " : i % 4 == 1 ? "Nf6 " : i % 4 == 2 ? "Ng1 " : "Ng8 ");
    sample_open(&s, strcat(pgn, "*\n"));
    s.result.hit = late;
    s.result.hit_count = 1;
    s.g.context = 1;
    text = sample_write(&s, FORMAT_PGN);
    assert_non_null(strstr(text,
                           "[FEN \"rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 22 12\"]\n\n"
                           "12.Ng1 Ng8 *\n"));
    sample_close(&s);
}

static void test_positions(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, PGN);
    static const int32_t hit[] = {3, 11};
    s.result.hit = hit;
    assert_string_equal(sample_write(&s, FORMAT_POSITIONS), ""); // it matches because nothing in it does
    s.result.hit_count = 2;
    assert_string_equal(sample_write(&s, FORMAT_POSITIONS), "3: 3 11\n");
    const QueryInfo two[] = {s.query, s.query};
    s.matcher.query = two;
    s.matcher.query_count = 2;
    assert_string_equal(sample_write(&s, FORMAT_POSITIONS), "q.cql\t3: 3 11\n");
    sample_close(&s);
}

static void test_set_tags(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "[White \"A\"]\n\n1. e4 *\n");
    const Tag tags[] = {{.name = {"White", 5}, .value = {"B", 1}},
                        {.name = {"Theme", 5}, .value = {"one", 3}},
                        {.name = {"Theme", 5}, .value = {"two", 3}}};
    static const int32_t hit[] = {1};
    s.result.hit = hit;
    s.result.hit_count = 1;
    s.result.set_tag = tags;
    s.result.set_tag_count = 3;
    const char *json = sample_write(&s, FORMAT_JSONL);
    assert_non_null(strstr(json, "\"White\":\"B\","));
    assert_non_null(strstr(json, "\"Theme\":\"two\"}"));
    assert_null(strstr(json, "one"));
    sample_close(&s);
}

// The page of a query begins with a title, and what follows it.
static void expect_title(Sample *s, const char *title, const char *lead)
{
    char wanted[300];
    const SearchTotals totals = {.games = 1};
    const QueryTotals query = {0};
    const char *const input[] = {"a.pgn"};
    const FormatSearch search = {&s->matcher, &totals, &query, 1, 1, input, NULL, 0, false, 0, {0}};
    PageState page = {.search = &search};
    s->out.length = 0;
    assert_true(page_next(&page, &s->out));
    buffer_append(&s->out, "", 1);
    snprintf(wanted, sizeof wanted, "<h1>%s</h1>\n%s%s%s", title, lead ? "<p class='lead'>" : "",
             lead ? lead : "", lead ? "</p>\n" : "<p class='total'>");
    if (!strstr(s->out.start, wanted))
        fail_msg("%s: %s", s->query.source, strstr(s->out.start, "<h1>"));
}

// The comment that a query begins with: up to a colon or full stop within 61 characters, or all 90, is the title of its page, and
// the rest stands below; a longer one gives no title.
static void test_titles(void **state)
{
    (void)state;
#define TEN "abcdefghi "
#define FIFTY TEN TEN TEN TEN TEN
    static const struct {
        const char *source, *title, *lead;
    } cases[] = {
        {"// Checks: the last ones.\ncql() check", "Checks", "The last ones."},
        {"// Checks. More of them.\n// And more\n//\n// not this\ncql() check", "Checks",
         "More of them. And more"},
        {"// Checks.\ncql() check", "Checks", NULL},
        {"/* Checks:\n   all of them */ cql() check", "Checks", "All of them "},
        {"; dialect: cql5\n; Checks\ncql() check", "Checks", NULL},
        {"// 3.5 checks\ncql() check", "3.5 checks", NULL},
        {"// " FIFTY TEN ": rest\ncql() check", FIFTY TEN, "Rest"},
        {"// " FIFTY TEN "x: rest\ncql() check", FIFTY TEN "x: rest", NULL},
        {"// " FIFTY TEN TEN TEN "abcdefghij\ncql() check", FIFTY TEN TEN TEN "abcdefghij", NULL},
        {"// " FIFTY TEN TEN TEN "abcdefghijk\ncql() check", "q.cql",
         "A"
         "bcdefghi " TEN TEN TEN TEN TEN TEN TEN "abcdefghijk"},
        {"// dialect\ncql() check", "dialect", NULL}, // only with a colon a marker
        {"// dialects\ncql() check", "dialects", NULL},
        {"// dialect:\n// Checks\ncql() check", "Checks", NULL},
        {"// a: {b}\ncql() check", "a", "{b}"},
        {"// The `x: y` of `<b>`: `z` and `\ncql() check", "The <code>x: y</code> of <code>&lt;b&gt;</code>",
         "<code>z</code> and `"},
        {"// a: zugzwang\ncql() check", "a", "Zugzwang"},
        {"// a: 4 knights\ncql() check", "a", "4 knights"},
        {"// a:b. c.d\ncql() check", "a:b", "C.d"},
        {"// :\ncql() check", ":", NULL},
        {"// a\n\ncql() check", "a", NULL},
        {"// a\n//\n// b\ncql() check", "a", NULL},
        {"//\n//\n// a\n//b\n;c\n//\n// d\ncql() check", "a b c", NULL},
        {"/* a */ // b\ncql() check", "a ", NULL},
        {"/* a", "q.cql", NULL},
        {"\t\r\n // a\ncql() check", "a", NULL},
        {"// a\n \t// b\ncql() check", "a b", NULL},
        {"// a \t * / ; b\ncql() check", "a * / ; b", NULL},
        {"cql() check", "q.cql", NULL},
        {"", "q.cql", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        sample_open(&s, PGN);
        s.query.source = cases[i].source;
        expect_title(&s, cases[i].title, cases[i].lead);
        sample_close(&s);
    }
    static const char *const expressions[] = {"-e", "-e1", "-e20"}; // they are their own titles
    for (size_t i = 0; i < 3; i++) {
        Sample s;
        sample_open(&s, PGN);
        s.query.name = expressions[i];
        s.query.source = "// Not: a title\ncheck";
        expect_title(&s, s.query.source, NULL);
        sample_close(&s);
    }
}

// Rows that are cut off, and bytes that begin no row, as a file of `--part` could have them.
static void test_damaged_tables(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, PGN);
    sample_write(&s, FORMAT_SQLITE);
    const size_t length = s.out.length - 1;
    s.out.start[length] = 'X';
    const struct {
        size_t start, end;
        bool good;
    } cases[] = {{0, length, true},      {0, 1, false},          {0, 2, false},
                 {0, length - 1, false}, {0, length + 1, false}, {length, length + 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Tables *t = tables_open(&s.matcher, NULL, 0);
        assert_int_equal(tables_take(t, s.out.start + cases[i].start, cases[i].end - cases[i].start),
                         cases[i].good);
        if (cases[i].good)
            assert_null(tables_error(t));
        else
            assert_non_null(strstr(tables_error(t), "a result is damaged"));
        tables_close(t);
    }
    sample_close(&s);
}

// A comment has drawings up to MOST_DRAWINGS and up to a command that does not end, however many follow.
static void test_most_drawings(void **state)
{
    (void)state;
    Drawing drawing[MOST_DRAWINGS];
    Buffer b = {0};
    buffer_text(&b, "[%csl Ga4,[x][%cal Rb1b2]");
    assert_int_equal(html_drawings((Text){b.start, b.length}, drawing), 2);
    buffer_text(&b, "[%csl Yh8");
    assert_int_equal(html_drawings((Text){b.start, b.length}, drawing), 2);
    b.length = 0;
    for (int i = 0; i < MOST_DRAWINGS; i++)
        buffer_text(&b, i % 2 ? "Ga4]" : "[%csl Rb5,");
    assert_int_equal(html_drawings((Text){b.start, b.length}, drawing), MOST_DRAWINGS);
    buffer_text(&b, "[%csl Yh8]");
    assert_int_equal(html_drawings((Text){b.start, b.length}, drawing), MOST_DRAWINGS);
    assert_int_equal(drawing[MOST_DRAWINGS - 1].colour, 'G');
    buffer_free(&b);
}

// Squares and arrows of comments, as lichess and ChessBase write them; others are left out.
static void test_drawings(void **state)
{
    (void)state;
    static const struct {
        const char *comment, *drawn;
    } cases[] = {
        {"[%csl Ga4]", "Ga4 "},
        {"[%csl  Ga4 ,  Rh8  ]", "Ga4 Rh8 "},
        {"[%csl Ra1,Gh1,Ya8,Bh8]", "Ra1 Gh1 Ya8 Bh8 "},
        {"[%cal Ga1h8, Rh8a1 ]", "Ga1h8 Rh8a1 "},
        {"x[%csl Ya1]y[%cal Ba1b2]z", "Ya1 Ba1b2 "},
        {"[%cal Ga1a1,Ga1,Ga1a2b3,Ba1a9,Bi1a1,Bb1c1]", "Bb1c1 "},
        {"[%csl Ga1h8,G,a1,ga1,Xa1,Ga0,Ga9,Gi1,G`1,Gh8]", "Gh8 "},
        {"[%csl ]", ""},
        {"[%csl    ]", ""},
        {"[%csl ,,]", ""},
        {"[%cslGa4]", ""},
        {"[%CSL Ga4]", ""},
        {"[%cls Ga4]", ""},
        {"[%csl Ga4", ""},
        {"[%csl ", ""},
        {"[%csl", ""},
        {"[", ""},
        {"", ""},
        {"[[%csl Ga4]]", "Ga4 "},
        {"[%csl [%csl Ga4]", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Drawing drawing[MOST_DRAWINGS];
        Buffer got = {0};
        const int count = html_drawings(text_of(cases[i].comment), drawing);
        for (int k = 0; k < count; k++) {
            const int from = drawing[k].from, to = drawing[k].to;
            buffer_format(&got, "%c%c%d", drawing[k].colour, 'a' + from % 8, from / 8 + 1);
            if (to != from)
                buffer_format(&got, "%c%d", 'a' + to % 8, to / 8 + 1);
            buffer_text(&got, " ");
        }
        buffer_append(&got, "", 1);
        if (strcmp(got.start, cases[i].drawn) != 0)
            fail_msg("%s: %s, expected %s", cases[i].comment, got.start, cases[i].drawn);
        buffer_free(&got);
    }
}

// The line below the names of a game: what its tags say of it, web addresses as links.
static void test_facts(void **state)
{
    (void)state;
#define LINK(address, shown) "<a rel='noopener noreferrer' href='" address "'>" shown "</a>"
#define GAME " \u00B7 game 3"
    static const struct {
        const char *tags, *line;
    } cases[] = {
        {"", "game 3"},
        {"[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n", "game 3"},
        {"[Event \"A & B\"]\n[Site \"C\"]\n[Date \"2020.01.31\"]\n[ECO \"B01\"]\n",
         "<bdi>A &amp; B</bdi>, <bdi>C</bdi>, <bdi>2020.01.31</bdi>, <bdi>B01</bdi>" GAME},
        {"[Date \"2020.12.??\"]\n", "<bdi>2020.12</bdi>" GAME},
        {"[Date \"2020.??.31\"]\n", "<bdi>2020</bdi>" GAME},
        {"[Date \"????.12.31\"]\n", "game 3"},
        {"[Site \"https://a/?b&c\"]\n", LINK("https://a/?b&amp;c", "a/?b&amp;c") GAME},
        {"[Site \"HTTP://a'b\"]\n", LINK("HTTP://a&#39;b", "a&#39;b") GAME},
        {"[Site \"http://x\"]\n", LINK("http://x", "x") GAME},
        {"[Site \"http://\"]\n", "<bdi>http://</bdi>" GAME},
        {"[Site \"https://\"]\n", "<bdi>https://</bdi>" GAME},
        {"[Site \"ftp://x\"]\n", "<bdi>ftp://x</bdi>" GAME},
        {"[Site \"see http://x\"]\n", "<bdi>see http://x</bdi>" GAME},
        {"[Site \"http://x y\"]\n", "<bdi>http://x y</bdi>" GAME},
        {"[Site \"http://x<y\"]\n", "<bdi>http://x&lt;y</bdi>" GAME},
        {"[Site \"http://x\"y\"]\n", "<bdi>http://x&quot;y</bdi>" GAME},
        {"[Link \"https://l\"]\n", LINK("https://l", "l") GAME},
        {"[Site \"https://l\"]\n[Link \"https://l\"]\n", LINK("https://l", "l") GAME},
        {"[Site \"https://s\"]\n[Link \"https://l\"]\n",
         LINK("https://s", "s") ", " LINK("https://l", "l") GAME},
        {"[Link \"nowhere\"]\n", "game 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        char pgn[400], wanted[400];
        snprintf(pgn, sizeof pgn, "%s[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n", cases[i].tags);
        snprintf(wanted, sizeof wanted,
                 "<h2><bdi>A</bdi> \u2013 <bdi>B</bdi><span>*</span></h2>\n<p class='soft'>%s</p>\n",
                 cases[i].line);
        sample_open(&s, pgn);
        const char *page = sample_write(&s, FORMAT_HTML);
        if (!strstr(page, wanted))
            fail_msg("%s: %s", cases[i].tags, strstr(page, "<h2>"));
        sample_close(&s);
    }
}

// The movetext of a page: glyphs, clocks and evaluations beside the moves, comments without their commands.
static void test_html_moves(void **state)
{
    (void)state;
#define CLOCK(text) "<time>\u00A0" text "</time>"
#define EVAL(text) "<data>\u00A0" text "</data>"
    static const struct {
        const char *after, *shown; // the move
    } cases[] = {
        {"", "</i>"},
        {" $1", "!</i>"},
        {" $2 $3", "?!!</i>"},
        {" $4 $5 $6", "?"
                      "?!"
                      "??"
                      "!</i>"},
        {" $7", " $7</i>"},
        {" {[%clk 0:00:00]}", "</i>" CLOCK("0:00")},
        {" {[%clk 0:00:59]}", "</i>" CLOCK("0:59")},
        {" {[%clk 0:01:00]}", "</i>" CLOCK("1:00")},
        {" {[%clk 0:59:59]}", "</i>" CLOCK("59:59")},
        {" {[%clk 1:00:00]}", "</i>" CLOCK("1:00:00")},
        {" {[%clk 11:01:09]}", "</i>" CLOCK("11:01:09")},
        {" {[%eval 0.00]}", "</i>" EVAL("0.00")},
        {" {[%eval 0.05]}", "</i>" EVAL("+0.05")},
        {" {[%eval 0.01]}", "</i>" EVAL("+0.01")},
        {" {[%eval -0.01]}", "</i>" EVAL("\u22120.01")},
        {" {[%eval -0.5]}", "</i>" EVAL("\u22120.50")},
        {" {[%eval 12.34]}", "</i>" EVAL("+12.34")},
        {" {[%eval 990]}", "</i>" EVAL("+990.00")},
        {" {[%eval -990]}", "</i>" EVAL("\u2212990.00")},
        {" {[%eval #1]}", "</i>" EVAL("#1")},
        {" {[%eval #-1]}", "</i>" EVAL("\u2212#1")},
        {" {[%eval #999]}", "</i>" EVAL("#999")},
        {" $1 {[%clk 0:02:03][%eval 1] good}",
         "!</i>" CLOCK("2:03") EVAL("+1.00") " <span class='comment'>good</span>"},
        {" {a [%x y] b}", "</i> <span class='comment'>a b</span>"},
        {" {[%x] [%y] c [%z]}", "</i> <span class='comment'>c</span>"},
        {" {[x] [% y}", "</i> <span class='comment'>[x] [% y</span>"},
        {" {[%x]<b>}", "</i> <span class='comment'>&lt;b&gt;</span>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        char pgn[200], wanted[300];
        snprintf(pgn, sizeof pgn, "1. e4%s *\n", cases[i].after);
        snprintf(wanted, sizeof wanted, "<div class='moves'>1.\u00A0<i>e4%s *</div>\n", cases[i].shown);
        sample_open(&s, pgn);
        const char *page = sample_write(&s, FORMAT_HTML);
        if (!strstr(page, wanted))
            fail_msg("%s: %s", cases[i].after, strstr(page, "<div class='moves'"));
        sample_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_titles),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_fen),
        cmocka_unit_test(test_jsonl),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_tsv),
        cmocka_unit_test(test_excerpt),
        cmocka_unit_test(test_excerpt_of_lines),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_set_tags),
        cmocka_unit_test(test_damaged_tables),
        cmocka_unit_test(test_most_drawings),
        cmocka_unit_test(test_drawings),
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_html_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
