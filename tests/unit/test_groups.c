// Groups of games: keys, their values in games, tables, the order of rows, the writers.
#include "group_fixture.h"

#include <stdio.h>
#include <stdlib.h>

// ---- keys -------------------------------------------------------------------------------------------------

static void test_keys(void **state)
{
    (void)state;
    GroupSpec s =
        spec_of("year, White,elo/100,eco/2,\"a,b\" ~~ \"(,\",max(1,2) , {A , B},Opening,x,TimeControl/60");
    static const GroupKind kinds[] = {GROUP_YEAR,       GROUP_TAG,        GROUP_RATING,     GROUP_ECO,
                                      GROUP_EXPRESSION, GROUP_EXPRESSION, GROUP_EXPRESSION, GROUP_TAG,
                                      GROUP_EXPRESSION, GROUP_EXPRESSION};
    assert_int_equal(s.count, 10);
    for (size_t i = 0; i < s.count; i++)
        assert_int_equal(s.key[i].kind, kinds[i]);
    assert_string_equal(s.key[1].text, "White");
    assert_int_equal(s.key[2].part, 100);
    assert_int_equal(s.key[2].whose, RATING_AVERAGE);
    assert_string_equal(s.key[4].text, "\"a,b\" ~~ \"(,\"");
    assert_string_equal(s.key[5].text, "max(1,2)");
    assert_string_equal(s.key[6].text, "{A , B}");
    assert_int_equal(s.expressions, 5);
    assert_int_equal(s.columns, 0); // an expression needs more
    group_spec_free(&s);
    s = spec_of(
        "Aa,Z1,aB,@A,[A],A.b"); // tags begin with a capital letter, and consist of letters, digits and _
    for (size_t i = 0; i < s.count; i++)
        assert_int_equal(s.key[i].kind, i < 2 ? GROUP_TAG : GROUP_EXPRESSION);
    group_spec_free(&s);
    static const char *const need_tags[] = {"Opening,year", "year,Opening", "year,{ply},white", "round"};
    for (size_t i = 0; i < 4; i++) {
        s = spec_of(need_tags[i]);
        assert_int_equal(s.columns, 0);
        group_spec_free(&s);
    }
    s = spec_of("white,elo/100,result,file");
    assert_int_equal(s.columns,
                     1 << COLUMN_WHITE | 1 << COLUMN_WHITE_ELO | 1 << COLUMN_BLACK_ELO | 1 << COLUMN_RESULT);
    group_spec_free(&s);
}

static void test_mistakes(void **state)
{
    (void)state;
#define EMPTY "a key of --count-by is empty; write keys with commas between them: `year,eco/1`"
#define UNREAD(key) "the key `" key "` of --count-by cannot be read; "
#define BAND(key)                                                                                            \
    UNREAD(key)                                                                                              \
    "write the width of a rating band from 1 to 4000 after the slash, as in `elo/100`"
#define CODE(key) UNREAD(key) "write `eco/1`, `eco/2` or `eco/3` for the first characters of the code"
#define PLAIN(key)                                                                                           \
    UNREAD(key)                                                                                              \
    "only numbers and `eco` take a number from 1 to 99999 after a slash, as in `year/5`"
#define ALONE(sign) "`" sign "` in --count-by has no partner"
    static const char *const bad[][2] = {
        {"", EMPTY},
        {"year,,eco", EMPTY},
        {"year, ", EMPTY},
        {",year", EMPTY},
        {"elo/0", BAND("elo/0")},
        {"elo/", BAND("elo/")},
        {"elo/4001", BAND("elo/4001")},
        {"white_elo/100000", BAND("white_elo/100000")},
        {"black_elo/1x", BAND("black_elo/1x")},
        {"elo/-1", BAND("elo/-1")},
        {"eco/4", CODE("eco/4")},
        {"ECO/0", CODE("ECO/0")},
        {"month/2", PLAIN("month/2")},
        {"ply/0", PLAIN("ply/0")},
        {"ply/100000", PLAIN("ply/100000")},
        {"K", "the key `K` of --count-by can be a tag or pieces; write `tag:K` or `{K}`"},
        {"year,Pd2", "the key `Pd2` of --count-by can be a tag or pieces; write `tag:Pd2` or `{Pd2}`"},
        {"White/1", PLAIN("White/1")},
        {"file/", PLAIN("file/")},
        {"year,year", "the key `year` of --count-by is given twice"},
        {"Tag,year, Tag", "the key `Tag` of --count-by is given twice"},
        {"max(1,2", ALONE("(")},
        {"ply)", ALONE(")")},
        {"(ply]", ALONE("]")},
        {"{ply)", ALONE(")")},
        {"[1,2", ALONE("[")},
        {"((ply)", ALONE("(")},
        {"tag \"x", ALONE("\"")},
        {"tag \"x\" \"", ALONE("\"")},
        {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q", "--count-by takes at most 16 keys"}};
    static const char *const good[] = {"elo/1",
                                       "elo/4000",
                                       "eco/1",
                                       "year/5",
                                       "ply/99999",
                                       "tag:K",
                                       "{K}",
                                       "Pd9",
                                       "eco/3",
                                       "max(1,2)",
                                       "tag \")\"",
                                       "{[(1)]}",
                                       "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p",
                                       " year ,\tmonth\n"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        GroupSpec s;
        char *message = group_spec_read(&s, good[i]);
        if (message)
            fail_msg("%s: %s", good[i], message);
        group_spec_free(&s);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        GroupSpec s;
        char *message = group_spec_read(&s, bad[i][0]);
        assert_non_null(message);
        assert_string_equal(message, bad[i][1]);
        free(message);
        group_spec_free(&s);
    }
}

// Up to 64 brackets are open, and a number has up to five digits.
static void test_limits_of_keys(void **state)
{
    (void)state;
    for (int depth = 63; depth <= 65; depth++) {
        char text[200] = "";
        for (int i = 0; i < depth; i++)
            strcat(text, i % 3 == 0 ? "(" : i % 3 == 1 ? "[" : "{");
        strcat(text, "1,2");
        for (int i = depth - 1; i >= 0; i--)
            strcat(text, i % 3 == 0 ? ")" : i % 3 == 1 ? "]" : "}");
        strcat(text, ",year");
        GroupSpec s;
        char *message = group_spec_read(&s, text);
        assert_int_equal(message == NULL, depth <= 64);
        if (message)
            assert_string_equal(message, ALONE("["));
        else
            assert_int_equal(s.count, 2);
        free(message);
        group_spec_free(&s);
    }
    GroupSpec s = spec_of("elo/00100,x,eco/00001");
    assert_int_equal(s.key[0].part, 100);
    assert_int_equal(s.key[0].kind, GROUP_RATING);
    assert_int_equal(s.key[1].kind, GROUP_EXPRESSION);
    assert_int_equal(s.key[2].part, 1);
    group_spec_free(&s);
    char *message = group_spec_read(&s, "elo/000100");
    assert_string_equal(message, BAND("elo/000100"));
    free(message);
    group_spec_free(&s);
}

// ---- values -----------------------------------------------------------------------------------------------

// The values of the keys in a game with these tags, with spaces between them.
static void check_values(const char *keys, const char *tags, const char *want)
{
    GroupSpec spec = spec_of(keys);
    Buffer values = {0}, got = {0};
    GroupTable table = {0};
    GroupRows rows;
    Game game;
    const GroupNumbers one = {.games = 1};
    const QueryInfo query = {.name = "q"};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
    const GameText source = {{tags, strlen(tags)}, 1, 0, 1};
    game_init(&game);
    game_parse_tags(&game, &source);
    const GroupFacts facts = group_facts(&game, "f.pgn");
    group_values(&spec, &values, &facts);
    assert_true(group_values_are_good(&spec, 0, values.start, values.length));
    assert_false(group_values_are_good(&spec, 0, values.start, values.length - 1));
    groups_add(&table, 0, values.start, values.length, &one);
    group_rows(&rows, &spec, &table, &matcher);
    assert_int_equal(rows.count, 1);
    for (size_t k = 0; k < spec.count; k++) {
        buffer_text(&got, k > 0 ? " " : "");
        buffer_append(&got, rows.row[0].value[k].text.start, rows.row[0].value[k].text.length);
    }
    buffer_append(&got, "", 1);
    assert_string_equal(got.start, want);
    group_rows_free(&rows);
    groups_free(&table);
    buffer_free(&values);
    buffer_free(&got);
    game_free(&game);
    group_spec_free(&spec);
}

static void test_dates(void **state)
{
    (void)state;
    check_values("year,month,date", "[Date \"1999.05.03\"]", "1999 1999.05 1999.05.03");
    check_values("year,month,date", "[Date \"1999.??.??\"]", "1999 1999.?? 1999.??.??");
    check_values("year,month", "[Date \"1999.13.01\"]", "1999 1999.??");
    check_values("year,month", "[Date \"????.05.01\"]", "???? ????.05");
    check_values("year,month", "[White \"x\"]", "???? ????.??");
    check_values("year,month", "[Date \"????.??.??\"]\n[UTCDate \"2001.02.03\"]", "2001 2001.02");
    check_values("year,month", "[Date \"2000.01.02\"]\n[UTCDate \"2001.02.03\"]", "2000 2000.01");
    check_values("year,month", "[UTCDate \"200\"]", "???? ????.??");
    check_values("year,month", "[UTCDate \"2001.2\"]", "2001 2001.??");
    check_values("year,month", "[UTCDate \"2001.19.02\"]", "2001 2001.??");
    check_values("year,month", "[UTCDate \"2001.1x.02\"]", "2001 2001.??");
    static const struct {
        const char *utc, *want; // the text of UTCDate, year and month
    } dates[] = {
        {"2001.00.02", "2001 2001.??"}, {"2001.01", "2001 2001.01"},    {"2001.09.02", "2001 2001.09"},
        {"2001.10.02", "2001 2001.10"}, {"2001.12.02", "2001 2001.12"}, {"2001.13.02", "2001 2001.??"},
        {"2001-01-02", "2001 2001.??"}, {"2001.0:.02", "2001 2001.??"}, {"2001.1/.02", "2001 2001.??"},
        {"2001.20.02", "2001 2001.??"}, {"20011.1.2", "???? ????.??"},  {"/001.01.02", "???? ????.??"},
        {"200:.01.02", "???? ????.??"}, {"0009.01.02", "0009 0009.01"}, {"2001", "2001 2001.??"}};
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        char tags[40];
        snprintf(tags, sizeof tags, "[UTCDate \"%s\"]", dates[i].utc);
        check_values("year,month", tags, dates[i].want);
    }
}

static void test_ratings(void **state)
{
    (void)state;
    static const char both[] = "[WhiteElo \"1499\"]\n[BlackElo \"1500\"]";
    check_values("elo/100,white_elo/100,black_elo/100", both, "1400-1499 1400-1499 1500-1599");
    check_values("elo,white_elo,black_elo", both, "1499 1499 1500"); // the average is rounded down
    check_values("elo/100,white_elo/100,black_elo/1", "[WhiteElo \"99\"]", "(none) 0-99 (none)");
    check_values("WhiteElo", both, "1499");
    check_values("{ply},elo", both, "(none) 1499");     // an expression that was not evaluated
    check_values("elo", "[WhiteElo \"99\"]", "(none)"); // the shortest values
}

static void test_tags(void **state)
{
    (void)state;
    static const char tags[] = "[White \"Zo\xE9\"]\n[ECO \"b9\"]\n[Result \"1/2\"]\n[Opening \"a,b\"]";
    check_values("white,result,eco,eco/1,eco/2,eco/3", tags, "Zo\xC3\xA9 1/2-1/2 B90 B B9 B90");
    static const char others[] = "[Event \"e\"]\n[Site \"s\"]\n[Date \"2001.02.03\"]\n[Round \"r\"]\n"
                                 "[White \"w\"]\n[Black \"b\"]";
    check_values("event,site,date,round,white,black", others, "e s 2001.02.03 r w b");
    check_values("Event,Site,Date,Round,White,Black,Result,ECO", others, "e s 2001.02.03 r w b * (none)");
    check_values("black,Opening,Variation,file,eco/1", "[Opening \"a,b\"]", "? a,b (none) f.pgn (none)");
}

// ---- rows -------------------------------------------------------------------------------------------------

static void test_order(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "elo/100", 1);
    sample_add(&s, 0, "", 1000, 5);
    sample_add(&s, 0, "", 0, 1);
    sample_add(&s, 0, "", 950, 2);
    sample_add(&s, 0, "", 1099, 1);
    assert_string_equal(sample_write(&s, FORMAT_CSV, 0), "elo/100,games,percent,white,draws,black\r\n"
                                                         "900-999,2,22.22,2,0,0\r\n"
                                                         "1000-1099,6,66.67,6,0,0\r\n"
                                                         ",1,11.11,1,0,0\r\n");
    s.spec.order = GROUP_ORDER_GAMES;
    s.spec.limit = 1;
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 0),
                        "  elo/100      games       %      1-0  1/2-1/2      0-1\n"
                        "1000-1099          6    66.7        6        0        0\n"
                        " (others)          3    33.3        3        0        0\n");
    sample_close(&s);
    sample_open(&s, "white", 1); // names come by their numbers of games
    sample_add(&s, 0, "b", 0, 2);
    sample_add(&s, 0, "a", 0, 1);
    sample_add(&s, 0, "c", 0, 2);
    sample_add(&s, 0, "", 0, 3);
    assert_string_equal(sample_write(&s, FORMAT_CSV, 0) + sizeof "white,games,percent,white,draws,black\r",
                        ",3,37.50,3,0,0\r\nb,2,25.00,2,0,0\r\nc,2,25.00,2,0,0\r\na,1,12.50,1,0,0\r\n");
    s.spec.order = GROUP_ORDER_KEY;
    assert_non_null(strstr(sample_write(&s, FORMAT_CSV, 0), "a,1,12.50,1,0,0\r\nb,2"));
    sample_close(&s);
}

static void test_of_all(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "white_elo", 2);
    s.spec.of_all = true;
    sample_add(&s, 0, "", 1000, 1);
    sample_add(&s, 1, "", 2000, 3);
    sample_add(&s, GROUP_NO_QUERY, "", 1000, 2);
    sample_add(&s, GROUP_NO_QUERY, "", 2000, 4);
    assert_string_equal(sample_write(&s, FORMAT_CSV, 0),
                        "query,white_elo,games,of_all,percent,white,draws,black\r\n"
                        "a.cql,1000,1,2,50.00,1,0,0\r\n"
                        "a.cql,2000,0,4,0.00,0,0,0\r\n"
                        "\"b,\"\"<c>\"\".cql\",1000,0,2,0.00,0,0,0\r\n"
                        "\"b,\"\"<c>\"\".cql\",2000,3,4,75.00,3,0,0\r\n");
    assert_string_equal(sample_write(&s, FORMAT_JSONL, 0),
                        "{\"query\":\"a.cql\",\"group\":{\"white_elo\":1000},\"games\":1,\"of_all\":2,"
                        "\"percent\":50.00,"
                        "\"white\":1,\"draws\":0,\"black\":0}\n"
                        "{\"query\":\"a.cql\",\"group\":{\"white_elo\":2000},\"games\":0,\"of_all\":4,"
                        "\"percent\":0.00,"
                        "\"white\":0,\"draws\":0,\"black\":0}\n"
                        "{\"query\":\"b,\\\"<c>\\\".cql\",\"group\":{\"white_elo\":1000},\"games\":0,\"of_"
                        "all\":2,\"percent\":0.00,"
                        "\"white\":0,\"draws\":0,\"black\":0}\n"
                        "{\"query\":\"b,\\\"<c>\\\".cql\",\"group\":{\"white_elo\":2000},\"games\":3,\"of_"
                        "all\":4,\"percent\":75.00,"
                        "\"white\":3,\"draws\":0,\"black\":0}\n");
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    assert_non_null(
        strstr(page, "<strong>4</strong> of 9 games match, with 8 positions, counted for each query."));
    assert_non_null(strstr(page, "Searched: &lt;a&gt;.pgn"));
    assert_non_null(strstr(page, "<summary>The query a.cql (1 game)</summary><pre>q &lt; r</pre>"));
    assert_non_null(strstr(page, "<h2>Games by white_elo</h2>"));
    assert_non_null(strstr(page, "<h3>b,&quot;&lt;c&gt;&quot;.cql</h3>"));
    assert_non_null(strstr(page, "<svg"));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "://"));
    sample_close(&s);
}

// Of groups with equally many matches the one comes first of which more games were searched.
static void test_order_of_all(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "white", 1);
    s.spec.of_all = true;
    sample_add(&s, 0, "a", 0, 1);
    sample_add(&s, 0, "b", 0, 1);
    sample_add(&s, 0, "c", 0, 2);
    sample_add(&s, 0, "d", 0, 1);
    sample_add(&s, GROUP_NO_QUERY, "a", 0, 3);
    sample_add(&s, GROUP_NO_QUERY, "b", 0, 5);
    sample_add(&s, GROUP_NO_QUERY, "c", 0, 4);
    sample_add(&s, GROUP_NO_QUERY, "d", 0, 4);
    assert_string_equal(sample_write(&s, FORMAT_CSV, 0), "white,games,of_all,percent,white,draws,black\r\n"
                                                         "c,2,4,50.00,2,0,0\r\n"
                                                         "b,1,5,20.00,1,0,0\r\n"
                                                         "d,1,4,25.00,1,0,0\r\n"
                                                         "a,1,3,33.33,1,0,0\r\n");
    sample_close(&s);
}

// With several queries each has a table under its name, after an empty line.
static void test_queries(void **state)
{
    (void)state;
#define HEADING "white      games       %      1-0  1/2-1/2      0-1\n"
    Sample s;
    sample_open(&s, "white", 2);
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 0), HEADING); // nothing was found
    assert_string_equal(sample_write(&s, FORMAT_JSON, 0), "[\n]\n");
    assert_string_equal(sample_write(&s, FORMAT_JSONL, 0), "");
    assert_string_equal(sample_write(&s, FORMAT_CSV, 0), "query,white,games,percent,white,draws,black\r\n");
    sample_add(&s, 1, "a", 0, 2);
    sample_add(&s, 0, "a", 0, 3);
    sample_add(&s, 0, "b", 0, 1);
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 0),
                        "a.cql\n" HEADING "a              3    75.0        3        0        0\n"
                        "b              1    25.0        1        0        0\n\n"
                        "b,\"<c>\".cql\n" HEADING "a              2   100.0        2        0        0\n");
    s.matcher.query_count = 1; // the only query has no name
    groups_clear(&s.table);
    sample_add(&s, 0, "a", 0, 3);
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 0),
                        HEADING "a              3   100.0        3        0        0\n");
    sample_close(&s);
}

// Beyond the limit, groups are one row for each query, without values.
static void test_others(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "white,elo", 2);
    s.spec.limit = 1;
    sample_add(&s, 0, "a", 0, 1);
    sample_add(&s, 0, "b", 2000, 4);
    sample_add(&s, 0, "c", 2000, 3);
    sample_add(&s, 1, "c", 1000, 1);
    assert_string_equal(sample_write(&s, FORMAT_CSV, 0), "query,white,elo,games,percent,white,draws,black\r\n"
                                                         "a.cql,b,2000,4,50.00,4,0,0\r\n"
                                                         "a.cql,(others),,4,50.00,4,0,0\r\n"
                                                         "\"b,\"\"<c>\"\".cql\",c,1000,1,100.00,1,0,0\r\n");
    s.matcher.query_count = 1;
    groups_clear(&s.table);
    sample_add(&s, 0, "a", 0, 1);
    sample_add(&s, 0, "b", 2000, 4);
    assert_string_equal(sample_write(&s, FORMAT_JSON, 0),
                        "[\n "
                        "{\"group\":{\"white\":\"b\",\"elo\":2000},\"games\":4,\"percent\":80.00,"
                        "\"white\":4,\"draws\":0,\"black\":0},"
                        "\n "
                        "{\"others\":true,\"games\":1,\"percent\":20.00,\"white\":1,"
                        "\"draws\":0,\"black\":0}\n]\n");
    assert_non_null(strstr(sample_write(&s, FORMAT_HTML, 0),
                           "<tr><td>(others)</td><td></td><td class=\"n\">1</td><td class=\"n\">20.0</td>"));
    s.spec.limit = 2; // all of them
    assert_non_null(strstr(sample_write(&s, FORMAT_JSON, 0), "{\"white\":\"a\",\"elo\":null},\"games\":1"));
    assert_null(strstr(s.out.start, "others"));
    s.spec.limit = 1;
    s.spec.of_all = true;
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 0),
                        "white      elo      games     of all       %      1-0  1/2-1/2      0-1\n"
                        "b         2000          4          0     0.0        4        0        0\n"
                        "(others)                1          0     0.0        1        0        0\n");
    sample_close(&s);
}

// 80 columns: 5 for the key, 57 for the numbers; 15 are left for bars. 2 of 3 games: 10 of 15.
static void test_bars(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "white", 1);
    sample_add(&s, 0, "b", 0, 2);
    sample_add(&s, 0, "a\nb\xC3\xA9", 0, 3);
    assert_string_equal(sample_write(&s, FORMAT_TEXT, 69),
                        "white      games       %      1-0  1/2-1/2      0-1\n"
                        "a b\xC3\xA9           3    60.0        3        0        0  ███████████████\n"
                        "b              2    40.0        2        0        0  ██████████\n");
    sample_close(&s);
}

static int blocks_in(const char *text)
{
    int count = 0;
    while ((text = strstr(text, "█")) != NULL)
        text += strlen("█"), count++;
    return count;
}

// Bars are 5 to 60 characters wide, or left out, and drawn in eighths.
static void test_widths_of_bars(void **state)
{
    (void)state;
    static const struct {
        int width, longest;
    } cases[] = {{0, 0}, {58, 0}, {59, 5}, {114, 60}, {115, 60}, {300, 60}};
    Sample s;
    sample_open(&s, "white", 1);
    sample_add(&s, 0, "b", 0, 8);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(blocks_in(sample_write(&s, FORMAT_TEXT, cases[i].width)), cases[i].longest);
    sample_add(&s, 0, "a", 0, 1); // an eighth of 15 characters
    sample_add(&s, 0, "c", 0, 3);
    assert_non_null(strstr(sample_write(&s, FORMAT_TEXT, 69),
                           "\na              1     8.3        1        0        0  █▉\n"));
    assert_non_null(strstr(sample_write(&s, FORMAT_TEXT, 69), "        0        0  █████▋\n"));
    sample_close(&s);
    static const struct {
        const char *keys;
        bool of_all;
        int least; // the width from which on there are bars; 6 for the `(none)` of elo
    } keys[] = {{"white,elo", false, 67}, {"white,elo,year", false, 73}, {"white", true, 70}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        sample_open(&s, keys[i].keys, 1);
        s.spec.of_all = keys[i].of_all;
        sample_add(&s, 0, "b", 0, 8);
        if (keys[i].of_all)
            sample_add(&s, GROUP_NO_QUERY, "b", 0, 9);
        assert_int_equal(blocks_in(sample_write(&s, FORMAT_TEXT, keys[i].least - 1)), 0);
        assert_int_equal(blocks_in(sample_write(&s, FORMAT_TEXT, keys[i].least)), 5);
        sample_close(&s);
    }
}

// Values have up to 40 characters in a table, labels of a chart 30; longer ones are cut.
static void test_long_values(void **state)
{
    (void)state;
    char name[64];
    Sample s;
    sample_open(&s, "white,elo", 1);
    memset(name, 'x', 40);
    name[40] = 0;
    sample_add(&s, 0, name, 7, 2);
    assert_non_null(
        strstr(sample_write(&s, FORMAT_TEXT, 0), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx    7          2"));
    memset(name, 'y', 41);
    name[41] = 0;
    sample_add(&s, 0, name, 7, 1);
    assert_non_null(strstr(sample_write(&s, FORMAT_TEXT, 0),
                           "\nyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…    7          1"));
    sample_close(&s);
}

// A picture has 40 bars, the table all rows.
static void test_long_chart(void **state)
{
    (void)state;
    char name[16];
    Sample s;
    sample_open(&s, "white", 1);
    for (int i = 0; i < 201; i++) {
        assert_true(i > 40 || !strstr(sample_write(&s, FORMAT_HTML, 0), "The picture has"));
        snprintf(name, sizeof name, "p%d", i);
        sample_add(&s, 0, name, 0, 1);
    }
    const char *page = sample_write(&s, FORMAT_HTML, 0);
    assert_non_null(strstr(page, "<p class='soft'>The picture has the largest 40 of 201.</p>"));
    int bars = 0, rows = 0;
    for (const char *at = page; (at = strstr(at, "<g><title>")) != NULL; at++)
        bars++;
    for (const char *at = page; (at = strstr(at, "<tr><td")) != NULL; at++)
        rows++;
    assert_int_equal(bars, 40);
    assert_int_equal(rows, 201);
    sample_close(&s);
}

// Tables that are added to each other are what all games make together.
static void test_sums(void **state)
{
    (void)state;
    GroupTable a = {0}, b = {0};
    const GroupNumbers one = {1, 2, 3, 4, 5, 6};
    char text[16];
    for (int i = 0; i < 1000; i++) {
        const size_t length = (size_t)snprintf(text, sizeof text, "%d", i % 600);
        groups_add(i < 500 ? &a : &b, i % 2, text, length, &one);
    }
    groups_add_all(&a, &b);
    assert_int_equal(a.count, 600);
    GroupNumbers sum = {0};
    for (size_t i = 0; i < a.count; i++) {
        const GroupNumbers *n = &a.group[i].numbers;
        sum.games += n->games;
        sum.positions += n->positions;
        sum.white += n->white;
        sum.black += n->black;
        sum.draws += n->draws;
        sum.searched += n->searched;
    }
    assert_int_equal(sum.games, 1000);
    assert_int_equal(sum.positions, 2000);
    assert_int_equal(sum.white, 3000);
    assert_int_equal(sum.black, 4000);
    assert_int_equal(sum.draws, 5000);
    assert_int_equal(sum.searched, 6000);
    groups_clear(&a);
    groups_add(&a, 0, "x", 1, &one);
    assert_int_equal(a.count, 1);
    groups_free(&a);
    groups_free(&b);
}

// The memory that a table takes is that of its groups, their values, and the places to look for them.
static void test_memory(void **state)
{
    (void)state;
    GroupTable t = {0};
    const GroupNumbers one = {.games = 1};
    assert_int_equal(groups_bytes(&t), 0);
    groups_add(&t, 0, "abc", 3, &one);
    const size_t first = groups_bytes(&t);
    assert_true(first > sizeof(Group) + 3 && first < 1000);
    groups_add(&t, 0, "abc", 3, &one);
    assert_int_equal(groups_bytes(&t), first);
    groups_add(&t, 1, "abc", 3, &one); // of another query
    assert_int_equal(groups_bytes(&t), first + sizeof(Group) + 3);
    groups_add(&t, 1, "", 0, &one);
    assert_int_equal(groups_bytes(&t), first + 2 * sizeof(Group) + 3);
    groups_clear(&t);
    assert_int_equal(groups_bytes(&t), first - sizeof(Group) - 3); // they are kept for the next groups
    groups_add(&t, 0, "abc", 3, &one);
    assert_int_equal(groups_bytes(&t), first);
    groups_free(&t);
    assert_int_equal(groups_bytes(&t), 0);
}

// Only a date that is not known needs the tags of the game, where it may be in UTCDate.
static void test_facts(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *date;
        bool suffice;
    } cases[] = {{"year", "2001.02.03", true},  {"year", "????.??.??", false}, {"month", "????.02.??", false},
                 {"month", "2001.??.??", true}, {"white", "????.??.??", true}, {"date", "????.??.??", true},
                 {"white,year", "????", false}, {"year,white", "????", false}, {"white,elo", "????", true}};
    Game game;
    game_init(&game);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GroupSpec spec = spec_of(cases[i].keys);
        assert_int_equal(group_facts_suffice(&spec, &(GroupFacts){.date = cases[i].date}), cases[i].suffice);
        assert_true(group_facts_suffice(&spec, &(GroupFacts){.date = cases[i].date, .game = &game}));
        group_spec_free(&spec);
    }
    game_free(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),           cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_limits_of_keys), cmocka_unit_test(test_dates),
        cmocka_unit_test(test_ratings),        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_order),          cmocka_unit_test(test_widths_of_bars),
        cmocka_unit_test(test_long_values),    cmocka_unit_test(test_long_chart),
        cmocka_unit_test(test_of_all),         cmocka_unit_test(test_order_of_all),
        cmocka_unit_test(test_queries),        cmocka_unit_test(test_others),
        cmocka_unit_test(test_bars),           cmocka_unit_test(test_sums),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
