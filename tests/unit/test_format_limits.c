// Limits of the output formats: what is cut, folded, left out or quoted one below, at and above each.
#include "format_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/format/tables.h"
#include "runtime/format/text.h"
#include "runtime/format/values.h"

#define FOUR "1. Nf3 Nf6 2. Ng1 Ng8 "

// `comments` and `sort` are members only where there are some.
static void test_jsonl_without(void **state)
{
    (void)state;
    static const int32_t hit[] = {0};
#define HEAD                                                                                                 \
    "{\"game\":3,\"file\":\"in.pgn\",\"query\":\"q.cql\",\"tags\":{\"Event\":\"?\",\"Site\":\"?\",\"Date\":" \
    "\"????.??.??\",\"Round\":\"?\",\"White\":\"?\",\"Black\":\"?\",\"Result\":\"*\"},\"positions\":["
    Sample s;
    sample_open(&s, "*\n");
    assert_string_equal(sample_write(&s, FORMAT_JSONL), HEAD "]}\n");
    s.result.hit = hit;
    s.result.hit_count = 1;
    assert_string_equal(
        sample_write(&s, FORMAT_JSONL),
        HEAD "{\"id\":0,\"ply\":0,\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}]}\n");
    sample_close(&s);
}

// A rating that a query sets is a number of up to nine digits, or a text; without one there is none.
static void test_ratings(void **state)
{
    (void)state;
    static const struct {
        const char *rating, *json;
    } cases[] = {
        {"0", "0"},
        {"9", "9"},
        {"0123456789", "\"0123456789\""},
        {"123456789", "123456789"},
        {"1234567890", "\"1234567890\""},
        {"-", "\"-\""},
        {"21OO", "\"21OO\""},
        {"2100/", "\"2100/\""},
        {":", "\":\""},
    };
    FieldList fields;
    assert_null(fields_read(&fields, "white_elo,black_elo"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        char wanted[100];
        snprintf(wanted, sizeof wanted, "{\"white_elo\":%s,\"black_elo\":null}\n", cases[i].json);
        sample_open(&s, "*\n");
        const Tag tag = {.name = text_of("WhiteElo"), .value = text_of(cases[i].rating)};
        s.result.set_tag = &tag;
        s.result.set_tag_count = 1;
        s.g.fields = &fields;
        assert_string_equal(sample_write(&s, FORMAT_JSONL), wanted);
        sample_close(&s);
    }
}

typedef struct Escaped {
    const char *text, *csv, *tsv;
} Escaped;

static void check_escaped(const Escaped *cases, size_t count, void (*as_csv)(Buffer *, Text),
                          void (*as_tsv)(Buffer *, Text))
{
    for (size_t i = 0; i < count; i++) {
        Buffer csv = {0}, tsv = {0};
        as_csv(&csv, text_of(cases[i].text));
        as_tsv(&tsv, text_of(cases[i].text));
        buffer_append(&csv, "", 1);
        buffer_append(&tsv, "", 1);
        assert_string_equal(csv.start, cases[i].csv);
        assert_string_equal(tsv.start, cases[i].tsv);
        buffer_free(&csv);
        buffer_free(&tsv);
    }
}

// RFC 4180: fields with quotes, commas or line ends are in quotes; here those with a space at an end, too.
static void test_quotes(void **state)
{
    (void)state;
    static const Escaped cases[] = {
        {"", "", ""},
        {"a b", "a b", "a b"},
        {" a", "\" a\"", " a"},
        {"a ", "\"a \"", "a "},
        {" ", "\" \"", " "},
        {"a,b", "\"a,b\"", "a,b"},
        {"\"", "\"\"\"\"", "\""},
        {"a\nb", "\"a\nb\"", "a b"},
        {"a\rb", "\"a\rb\"", "a b"},
        {"a\tb", "a\tb", "a b"},
        {"a;b'", "a;b'", "a;b'"},
    };
    check_escaped(cases, sizeof cases / sizeof *cases, text_csv, text_tsv);
}

// `'` before what a spreadsheet would take for a formula, and before nothing else.
static void test_safe(void **state)
{
    (void)state;
    static const Escaped cases[] = {
        {"", "", ""},
        {"a=1", "a=1", "a=1"},
        {"'=1", "'=1", "'=1"},
        {"1-0", "1-0", "1-0"},
        {" =1", "\" =1\"", " =1"},
        {"=1", "'=1", "'=1"},
        {"=A(\"x\",1)", "\"'=A(\"\"x\"\",1)\"", "'=A(\"x\",1)"},
        {"+1", "'+1", "'+1"},
        {"-1", "'-1", "'-1"},
        {"@A ", "\"'@A \"", "'@A "},
        {"\t=1", "'\t=1", "' =1"},
        {"\r=1", "\"'\r=1\"", "' =1"},
        {"\n=1", "\"'\n=1\"", "' =1"},
        {"\xEF\xBC\x9D\x31", "'\xEF\xBC\x9D\x31", "'\xEF\xBC\x9D\x31"}, // wide =
        {"\xEF\xBC\xA0", "'\xEF\xBC\xA0", "'\xEF\xBC\xA0"},             // wide @
        {"\xEF\xBC\xA1", "\xEF\xBC\xA1", "\xEF\xBC\xA1"},               // wide A
        {"\xE9=", "\xC3\xA9=", "\xC3\xA9="},
    };
    check_escaped(cases, sizeof cases / sizeof *cases, text_csv_safe, text_tsv_safe);
}

// Control characters: JSON escapes those below the space and DEL, and all line ends; HTML keeps tabs and line ends.
static void test_controls(void **state)
{
    (void)state;
    for (int c = 1; c <= 0x7F; c++) {
        const char byte = (char)c;
        char json_wanted[16], html_wanted[16];
        const bool control = c < 0x20 || c == 0x7F, space = c == '\t' || c == '\n' || c == '\r';
        Buffer json = {0}, html = {0};
        snprintf(json_wanted, sizeof json_wanted,
                 control                 ? "\"\\u%04x\""
                 : c == '"' || c == '\\' ? "\"\\%c\""
                                         : "\"%c\"",
                 c);
        snprintf(html_wanted, sizeof html_wanted, "%c", c);
        text_json(&json, (Text){&byte, 1});
        text_html(&html, (Text){&byte, 1});
        buffer_append(&json, "", 1);
        buffer_append(&html, "", 1);
        assert_string_equal(json.start, json_wanted);
        if (!strchr("<>&\"'", c))
            assert_string_equal(html.start, control && !space ? "\xEF\xBF\xBD" : html_wanted);
        buffer_free(&json);
        buffer_free(&html);
    }
    Buffer ends = {0}; // of Latin-1, and of UTF-8
    text_json(&ends, text_of("\xE9\x85"));
    text_json(&ends, text_of("\xE2\x80\xA8\xE2\x80\xA9\xC2\x85\xC2\x84"));
    buffer_append(&ends, "", 1);
    assert_string_equal(ends.start, "\"\xC3\xA9\\u0085\"\"\\u2028\\u2029\\u0085\xC2\x84\"");
    buffer_free(&ends);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part)) != NULL) {
        count++;
        text += strlen(part);
    }
    return count;
}

// What begins the page of a search with so many games in the result, and another input.
static const char *page_begin(Sample *s, int64_t written, const char *input)
{
    const SearchTotals totals = {.games = 20, .matches = 13, .hits = 2};
    const QueryTotals query = {.matches = 13};
    const char *const inputs[] = {input, "b.pgn"};
    const FormatSearch search = {&s->matcher, &totals, &query, written, 2, inputs, NULL, 0, false, 0, {0}};
    s->query.source = "a";
    s->out.length = 0;
    PageState page = {.search = &search};
    assert_true(page_next(&page, &s->out)); // the table
    assert_true(page_next(&page, &s->out)); // the games
    buffer_append(&s->out, "", 1);
    s->query.source = NULL;
    return s->out.start;
}

// The query and the table of games are folded.
static void test_folds(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "*\n");
    for (int games = 1; games <= 13; games++) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "</details>\n<details class='table'><summary>%d game%s</summary>",
                 games, games == 1 ? "" : "s");
        const char *page = page_begin(&s, games, "-");
        assert_non_null(strstr(page, wanted));
        assert_non_null(strstr(page, "<details class='query'><summary>The query q.cql</summary>"));
        assert_non_null(strstr(page, "<p class='soft'>Searched: standard input, b.pgn</p>\n"));
        assert_non_null(strstr(page, "</thead>\n<tbody>\n</tbody>\n</table></details>\n"));
        assert_int_equal(count_of(page, "<defs>"), 1);
        assert_true((strstr(page, " of them.</p>") != NULL) == (games < 13));
    }
    const char *page = page_begin(&s, 0, "a.pgn");
    assert_non_null(strstr(page, "</details>\n<p>No game to show.</p>\n"));
    sample_close(&s);
}

// A game has up to 12 diagrams; a sentence tells how many more positions there are.
static void test_most_diagrams(void **state)
{
    (void)state;
    static const int32_t hit[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    static const char *const rest[] = {"", "1 more position is", "2 more positions are"};
    Sample s;
    sample_open(&s, FOUR FOUR FOUR FOUR "*\n");
    s.result.hit = hit;
    for (int32_t count = 0; count <= 14; count++) {
        s.result.hit_count = count;
        const char *page = sample_write(&s, FORMAT_HTML);
        const int shown = count < 12 ? count : 12;
        assert_int_equal(count_of(page, "<figure "), shown);
        assert_int_equal(count_of(page, "<a href='#g3p"), shown);
        assert_int_equal(count_of(page, "<div class='one'>"), count == 1);
        assert_int_equal(count_of(page, "<div class='diagrams'>"), count > 1);
        assert_int_equal(count_of(page, "</b></a>"), shown);
        assert_int_equal(count_of(page, "marked in the moves"), count > 12);
        if (count > 12) {
            char wanted[100];
            snprintf(wanted, sizeof wanted, "<p class='soft more'>%s marked in the moves.</p>\n",
                     rest[count - 12]);
            assert_non_null(strstr(page, wanted));
        }
    }
    sample_close(&s);
}

// Equal comments of a position are added once (language reference 10.3), however many it has; their order stays, and so
// do those of other positions.
static void test_many_comments(void **state)
{
    (void)state;
    enum { MOST = 40, DIFFERENT = 7 };
    const String text[DIFFERENT] = {STR("d"), STR("b"), STR("aa"), STR("a"), STR("c"), STR("ab"), STR("e{}")};
    for (int count = 1; count <= MOST; count++) {
        LogEntry log[MOST + 2];
        Sample s;
        sample_open(&s, "1. e4 *\n");
        log[0] = (LogEntry){1, LOG_TEXT, text[6]}; // the greatest of the position before
        for (int i = 0; i < count; i++)
            log[i + 1] = (LogEntry){0, LOG_TEXT, text[i % DIFFERENT]};
        log[count + 1] = (LogEntry){1, LOG_TEXT, text[0]};
        s.result.log = log;
        s.result.log_count = count + 2;
        char once[100] = "{", all[400] = "{";
        for (int i = 0; i < count; i++) {
            char one[8];
            snprintf(one, sizeof one, "%s%s", i > 0 ? " " : "",
                     i % DIFFERENT == 6 ? "e__" : text[i % DIFFERENT]->bytes);
            strcat(all, one);
            strcat(once, i < DIFFERENT ? one : "");
        }
        for (int repeat = 0; repeat < 2; repeat++) {
            char *wanted = repeat ? all : once;
            strcat(wanted, "} 1.e4 {e__ d} * ");
            s.g.repeat_comments = repeat;
            const char *pgn = sample_write(&s, FORMAT_PGN);
            Buffer folded = {0}; // long lines are broken at spaces
            for (const char *at = strchr(pgn, '{'); *at; at++)
                buffer_append(&folded, *at == '\n' ? " " : at, 1);
            buffer_append(&folded, "", 1);
            if (strncmp(folded.start, wanted, strlen(wanted)) != 0)
                fail_msg("%d: %s, expected %s", count, folded.start, wanted);
            buffer_free(&folded);
        }
        sample_close(&s);
    }
}

// A cut game keeps the comments of the search at the start of the game, before those of the position where it begins.
static void test_header_of_excerpt(void **state)
{
    (void)state;
    static const int32_t hit[] = {2};
    for (int header = 0; header < 2; header++) {
        const LogEntry log[] = {{0, LOG_TEXT, STR("Game")}, {1, LOG_TEXT, STR("Mark")}};
        Sample s;
        sample_open(&s, "1. Nf3 Nf6 2. Ng1 *\n");
        s.result.hit = hit;
        s.result.hit_count = 1;
        s.result.log = log + header;
        s.result.log_count = 2 - header;
        s.g.context = 1;
        const char *text = sample_write(&s, FORMAT_PGN);
        assert_non_null(
            strstr(text, header ? "\n\n{Mark}\n1...Nf6 2.Ng1 *\n" : "\n\n{Game Mark}\n1...Nf6 2.Ng1 *\n"));
        s.g.context = 2; // from the start
        text = sample_write(&s, FORMAT_PGN);
        assert_non_null(strstr(text, header ? "\n\n1.Nf3 {Mark} 1...Nf6 2.Ng1 *\n"
                                            : "\n\n{Game}\n1.Nf3 {Mark} 1...Nf6 2.Ng1 *\n"));
        sample_close(&s);
    }
}

// A cut game has the tags that queries set, before those of its start.
static void test_tags_of_excerpt(void **state)
{
    (void)state;
    static const int32_t hit[] = {2};
    const Tag tags[] = {{.name = text_of("Theme"), .value = text_of("one")},
                        {.name = text_of("Other"), .value = text_of("two")}};
    Sample s;
    sample_open(&s, "[White \"A\"]\n\n1. Nf3 Nf6 *\n");
    s.result.hit = hit;
    s.result.hit_count = 1;
    s.result.set_tag = tags;
    s.result.set_tag_count = 2;
    s.g.context = 1;
    assert_non_null(strstr(sample_write(&s, FORMAT_PGN),
                           "[Theme \"one\"]\n[Other \"two\"]\n[SetUp \"1\"]\n[FEN "
                           "\"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1\"]\n\n1...Nf6 *\n"));
    sample_close(&s);
}

// Values as bytes, cut off at each length, and beginning with another letter.
static void test_values(void **state)
{
    (void)state;
    static const int64_t numbers[] = {0, 1, -1, 255, 256, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        Buffer b = {0};
        Value v;
        value_put_number(&b, numbers[i]);
        const char *at = b.start;
        assert_int_equal(b.length, 9);
        assert_true(value_get(&at, b.start + b.length, &v));
        assert_ptr_equal(at, b.start + 9);
        assert_int_equal(v.kind, VALUE_NUMBER);
        assert_true(v.number == numbers[i]);
        for (size_t cut = 0; cut < b.length; cut++) {
            at = b.start;
            assert_false(value_get(&at, b.start + cut, &v));
            assert_ptr_equal(at, b.start);
        }
        buffer_free(&b);
    }
    char text[300];
    memset(text, 'x', sizeof text);
    text[0] = 0; // becomes a space
    for (size_t length = 0; length <= sizeof text; length += 1 + length / 3) {
        Buffer b = {0};
        Value v;
        value_put_text(&b, (Text){text, length});
        assert_int_equal(b.length, 5 + length);
        const char *at = b.start;
        assert_true(value_get(&at, b.start + b.length, &v));
        assert_ptr_equal(at, b.start + b.length);
        assert_int_equal(v.kind, VALUE_TEXT);
        assert_int_equal(v.text.length, length);
        if (length > 0) {
            assert_memory_equal(v.text.start + 1, text + 1, length - 1);
            assert_int_equal(v.text.start[0], ' ');
        }
        at = b.start;
        assert_false(value_get(&at, b.start + b.length - 1, &v));
        at = b.start;
        b.start[0] = 'u';
        assert_false(value_get(&at, b.start + b.length, &v));
        buffer_free(&b);
    }
}

// What a game says of itself: its first byte may be the first of the file.
static void test_offset(void **state)
{
    (void)state;
    static const struct {
        int64_t offset;
        const char *json;
    } cases[] = {{-1, "{\"offset\":null}\n"}, {0, "{\"offset\":0}\n"}, {1, "{\"offset\":1}\n"}};
    FieldList fields;
    assert_null(fields_read(&fields, "offset"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        sample_open(&s, "*\n");
        s.g.fields = &fields;
        s.g.offset = cases[i].offset;
        assert_string_equal(sample_write(&s, FORMAT_JSONL), cases[i].json);
        sample_close(&s);
    }
}

// Up to so many moves before and after a position, on its own line; a move has a number from the second position on.
static void test_moves_around(void **state)
{
    (void)state;
    static const int32_t hit[] = {0, 1, 3, 4};
    static const char *const rows[] = {
        "{\"before\":[],\"after\":[],\"number\":null}\n{\"before\":[],\"after\":[],\"number\":1}\n"
        "{\"before\":[],\"after\":[],\"number\":1}\n{\"before\":[],\"after\":[],\"number\":2}\n",
        "{\"before\":[],\"after\":[\"e4\"],\"number\":null}\n"
        "{\"before\":[\"e4\"],\"after\":[\"e5\"],\"number\":1}\n"
        "{\"before\":[\"c5\"],\"after\":[\"Nf3\"],\"number\":1}\n"
        "{\"before\":[\"Nf3\"],\"after\":[],\"number\":2}\n",
        "{\"before\":[],\"after\":[\"e4\",\"e5\"],\"number\":null}\n"
        "{\"before\":[\"e4\"],\"after\":[\"e5\"],\"number\":1}\n"
        "{\"before\":[\"e4\",\"c5\"],\"after\":[\"Nf3\"],\"number\":1}\n"
        "{\"before\":[\"c5\",\"Nf3\"],\"after\":[],\"number\":2}\n"};
    FieldList fields;
    assert_null(fields_read(&fields, "before,after,number"));
    for (int context = 0; context < 3; context++) {
        Sample s;
        sample_open(&s, "1. e4 e5 (1... c5 2. Nf3) *\n");
        s.g.fields = &fields;
        s.g.context = context;
        s.result.hit = hit;
        s.result.hit_count = 4;
        assert_string_equal(sample_write(&s, FORMAT_JSONL), rows[context]);
        sample_close(&s);
    }
}

// Black begins: the numbers of moves go on from that of the start.
static void test_numbers_of_moves(void **state)
{
    (void)state;
    static const int32_t hit[] = {0, 1, 2, 3};
    FieldList fields;
    Sample s;
    assert_null(fields_read(&fields, "number,ply,san"));
    sample_open(&s, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 7 30\"]\n\n30... Kd7 31. Kd2 Kd6 *\n");
    s.g.fields = &fields;
    s.result.hit = hit;
    s.result.hit_count = 4;
    assert_string_equal(sample_write(&s, FORMAT_TSV), "\t0\t\n30\t1\tKd7\n31\t2\tKd2\n31\t3\tKd6\n");
    sample_close(&s);
}

// The columns of a table: with moves of context two more, before the tags; the sort keys of all queries, each name once.
static void test_columns(void **state)
{
    (void)state;
#define POSITIONS "game,file,query,position,ply,number,san,uci,next_san,next_uci,fen,"
#define TAGS "white,black,white_elo,black_elo,result,date,event,site,round,eco,comment,clock,elapsed,eval"
    static const SortKeyInfo first[] = {{.name = "a"}, {.name = "b"}, {.name = "a"}},
                             second[] = {{.name = "c"}, {.name = "b"}, {.name = "d"}};
    const QueryInfo queries[] = {{.name = "p.cql", .sort_key = first, .sort_key_count = 3},
                                 {.name = "q.cql", .sort_key = second, .sort_key_count = 3}};
    const SortValue values[] = {{true, 5, NULL}, {true, -6, NULL}, {true, 7, NULL}},
                    others[] = {{false, 0, NULL}, {true, 8, NULL}, {true, 0, STR("x")}};
    static const int32_t hit[] = {0};
    const RunResult results[] = {{.matched = true, .hit = hit, .hit_count = 1, .sort = values},
                                 {.matched = true, .hit = hit, .hit_count = 1, .sort = others}};
    const Found found[] = {{&queries[0], &results[0]}, {&queries[1], &results[1]}};
    const Matcher one = {CQL_MAGIC, CQL_ABI_VERSION, 1, queries, "test", CQL_LAYOUT},
                  two = {CQL_MAGIC, CQL_ABI_VERSION, 2, queries, "test", CQL_LAYOUT};
    static const struct {
        int context;
        bool both;
        const char *head;
    } cases[] = {{0, false, POSITIONS TAGS ",a,b\r\n"},
                 {1, false, POSITIONS "before,after," TAGS ",a,b\r\n"},
                 {0, true, POSITIONS TAGS ",a,b,c,d\r\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buffer out = {0};
        format_begin(FORMAT_CSV, &out,
                     &(FormatSearch){.matcher = cases[i].both ? &two : &one, .context = cases[i].context});
        buffer_append(&out, "", 1);
        assert_string_equal(out.start, cases[i].head);
        buffer_free(&out);
    }
    FieldList fields;
    Sample s;
    assert_null(fields_read(&fields, "sort,query,game"));
    sample_open(&s, "*\n");
    s.g.fields = &fields;
    s.g.matcher = &two;
    s.g.found = found;
    s.g.count = 2;
    assert_string_equal(sample_write(&s, FORMAT_TSV), "5\t-6\t\t\tp.cql\t3\n\t8\t\tx\tq.cql\t3\n");
    assert_string_equal(sample_write(&s, FORMAT_JSONL),
                        "{\"sort\":{\"a\":5,\"b\":-6,\"a\":7},\"query\":\"p.cql\",\"game\":3}\n"
                        "{\"sort\":{\"c\":null,\"b\":8,\"d\":\"x\"},\"query\":\"q.cql\",\"game\":3}\n");
    sample_close(&s);
}

// Of the ratings that a name and a tag give, the first is written; other tags of the game are unique.
static void test_two_ratings(void **state)
{
    (void)state;
    Sample s;
    sample_open(&s, "[White \"Ek (2100)\"]\n[Black \"Ju (2200)\"]\n[BlackElo \"1\"]\n[WhiteElo \"2\"]\n"
                    "[Note \"n\"]\n\n*\n");
    assert_non_null(strstr(sample_write(&s, FORMAT_JSONL),
                           "\"White\":\"Ek\",\"Black\":\"Ju\",\"Result\":\"*\",\"WhiteElo\":\"2100\","
                           "\"BlackElo\":\"2200\",\"Note\":\"n\"},"));
    sample_close(&s);
}

// Comments of a position are joined by a space, in CQL 5 after a semicolon, unless another query found the game, too. That of
// the sort keys begins with a space, and has no semicolon (language reference 11.8).
static void test_separators(void **state)
{
    (void)state;
    const LogEntry log[] = {{1, LOG_TEXT, STR("a")}, {1, LOG_TEXT, STR("{b}")}, {1, LOG_KEYS, STR(" k: 1")}};
    static const struct {
        unsigned flags[2];
        int queries;
        const char *moves;
    } cases[] = {{{0, 0}, 1, "1.e4 {o a _b_  k: 1} *"},
                 {{QUERY_CQL5, 0}, 1, "1.e4 {o; a; _b_ k: 1} *"},
                 {{QUERY_CQL5, QUERY_CQL5}, 2, "1.e4 {o; a; _b_ k: 1} *"},
                 {{QUERY_CQL5, 0}, 2, "1.e4 {o a _b_  k: 1} *"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        sample_open(&s, "1. e4 {o} *\n");
        const QueryInfo queries[] = {{.name = "p", .flags = cases[i].flags[0]},
                                     {.name = "q", .flags = cases[i].flags[1]}};
        const RunResult results[] = {{.matched = true, .log = log, .log_count = 3}, {.matched = true}};
        const Found found[] = {{&queries[0], &results[0]}, {&queries[1], &results[1]}};
        s.g.found = found;
        s.g.count = (size_t)cases[i].queries;
        const char *pgn = sample_write(&s, FORMAT_PGN);
        if (!strstr(pgn, cases[i].moves))
            fail_msg("%s: expected %s", pgn, cases[i].moves);
        sample_close(&s);
    }
}

// A value of a row is a text however short, or none.
static void test_short_values(void **state)
{
    (void)state;
    static const char row[] = "Gi\0\0\0\0\0\0\0\3t\0\0\0\1fi\0\0\0\0\0\0\0\2t\0\0\0\1Wni\0\0\0\0\0\0\0\7n";
    Sample s;
    sample_open(&s, "[White \"W\"]\n[Black \"\"]\n[WhiteElo \"7\"]\n\n*\n");
    s.g.input = "f";
    s.g.number_in_file = 2;
    sample_write(&s, FORMAT_SQLITE);
    assert_memory_equal(s.out.start, row, sizeof row - 1);
    sample_close(&s);
}

// The rows of hits, cut off: only between rows the bytes are whole.
static void test_cut_rows(void **state)
{
    (void)state;
    static const int32_t hit[] = {0, 1};
    static const SortKeyInfo keys[] = {{.name = "a"}, {.name = "b"}};
    const SortValue values[] = {{true, 5, NULL}, {true, 0, STR("x")}};
    Sample s;
    sample_open(&s, "1. e4 *\n");
    s.result.hit = hit;
    s.result.hit_count = 2;
    s.result.sort = values;
    s.query.sort_key = keys;
    s.query.sort_key_count = 2;
    sample_write(&s, FORMAT_SQLITE);
    const size_t length = s.out.length - 1;
    for (size_t cut = 0; cut < 100; cut += cut < 30 ? 1 : 7) { // both sort keys, and some columns before
        Tables *t = tables_open(&s.matcher, NULL, 0);
        assert_int_equal(tables_take(t, s.out.start, length - cut), cut == 0);
        if (cut > 0)
            assert_string_equal(tables_error(t), "a result is damaged");
        tables_close(t);
    }
    Tables *t = tables_open(&s.matcher, NULL, 0);
    for (size_t i = 0; i < length; i++)
        if (s.out.start[i] == 'H' && s.out.start[i + 1] == 'i') { // a query that there is not
            s.out.start[i + 9] = 1;
            break;
        }
    assert_false(tables_take(t, s.out.start, length));
    assert_string_equal(tables_error(t), "a result is damaged");
    tables_close(t);
    sample_close(&s);
}

static bool take_bytes(void *user, const void *bytes, size_t length)
{
    buffer_append(user, bytes, length);
    return true;
}

static int open_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

// The tables are in a file without a name, of which nothing stays: neither in the folder nor among the open files.
static void test_temporary_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/cqlgen-format-XXXXXX";
    const char *given = getenv("TMPDIR");
    char *before = given ? strdup(given) : NULL;
    assert_non_null(mkdtemp(folder));
    setenv("TMPDIR", folder, true);
    Sample s;
    sample_open(&s, "1. e4 *\n");
    const int open = open_descriptors();
    Tables *t = tables_open(&s.matcher, NULL, 0);
    assert_null(tables_error(t));
    assert_int_equal(rmdir(folder), 0); // it is empty
    sample_write(&s, FORMAT_SQLITE);
    assert_true(tables_take(t, s.out.start, s.out.length - 1));
    Buffer file = {0};
    assert_true(tables_end(t, take_bytes, &file));
    assert_memory_equal(file.start, "SQLite format 3", 16);
    assert_int_equal((uint8_t)file.start[16] << 8 | (uint8_t)file.start[17], 4096); // the size of its pages
    assert_int_equal(file.length % 4096, 0);
    buffer_free(&file);
    tables_close(t);
    assert_int_equal(open_descriptors(), open);
    t = tables_open(&s.matcher, NULL, 0); // the folder is gone
    assert_string_equal(tables_error(t), "No such file or directory");
    assert_false(tables_end(t, take_bytes, &file));
    tables_close(t);
    assert_int_equal(open_descriptors(), open);
    setenv("TMPDIR", "", true); // then it is in /tmp
    t = tables_open(&s.matcher, NULL, 0);
    assert_null(tables_error(t));
    tables_close(t);
    unsetenv("TMPDIR");
    t = tables_open(&s.matcher, NULL, 0);
    assert_null(tables_error(t));
    tables_close(t);
    if (before)
        setenv("TMPDIR", before, true);
    free(before);
    sample_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jsonl_without),
        cmocka_unit_test(test_ratings),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_safe),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_folds),
        cmocka_unit_test(test_most_diagrams),
        cmocka_unit_test(test_many_comments),
        cmocka_unit_test(test_header_of_excerpt),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_tags_of_excerpt),
        cmocka_unit_test(test_offset),
        cmocka_unit_test(test_numbers_of_moves),
        cmocka_unit_test(test_cut_rows),
        cmocka_unit_test(test_short_values),
        cmocka_unit_test(test_temporary_file),
        cmocka_unit_test(test_moves_around),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_two_ratings),
        cmocka_unit_test(test_separators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
