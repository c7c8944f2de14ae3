// Tag sections and their normal forms (language reference 9.2, 9.3, 9.5).
#include "test_game.h"

static Game game;

static void read_tags(const char *text)
{
    GameText source = game_of(text);
    game_parse_tags(&game, &source);
}

static size_t tag_count(void)
{
    size_t count;
    game_tags(&game, &count);
    return count;
}

static void assert_tag(const char *name, const char *expected)
{
    Text value;
    bool found = game_tag(&game, (Text){name, strlen(name)}, &value);
    assert_int_equal(found, expected != NULL);
    if (expected)
        assert_text(value, expected);
}

static void test_lines(void **state)
{
    (void)state;
    read_tags("[Event \"a \"b\" c\"]\n[Site \"x\\\"y\"]\n[Round \"x\"] [White \"y\"][Black\"z\" ]\n");
    assert_tag("Event", "a \"b\" c");
    assert_tag("Site", "x\"y");
    assert_tag("Round", "x");
    assert_text(game_roster(&game)->white, "y");
    assert_text(game_roster(&game)->black, "z");
    read_tags("  [ Annotator\t\"me\" ] more\n[white \"no\"]\n[Foo]\n[Foo bar]\n[ \"x\"]\n[Half \"]\n[Open "
              "\"x\"\n\n*");
    assert_tag("Annotator", "me");
    assert_tag("white", "no");
    assert_tag("White", "?");
    assert_tag("Foo", NULL);
    assert_tag("Half", NULL);
    assert_tag("Open", "x");
    assert_int_equal(tag_count(), 3);
    read_tags(
        "[\n[ \n[\t\r\n[A \"b\"]\n[\"\n[B\n[C \"\n[D\"\n[E \"\"\n*"); // lines without a name, or a value
    assert_int_equal(tag_count(), 2);
    assert_tag("A", "b");
    assert_tag("E", "");
}

static void test_escapes(void **state)
{
    (void)state;
    read_tags("[A \"\\\\\"]\n[B \"a\\b\\\\c\\\\\\\"]d\"]\n[C \"c:\\\"]\n[D \"\\\"] [E \"x\"] x\"]\n[F \"]\"] "
              "x\n[G \"\\\"\n*");
    assert_tag("A", "\\");
    assert_tag("B", "a\\b\\c\\\"]d");
    assert_tag("C", "c:\\"); // no other quote can end it
    assert_tag("D", "\"] [E \"x");
    assert_tag("F", "]");
    assert_tag("G", "\\");
    assert_int_equal(tag_count(), 6);
    // a name is normalised after that
    read_tags("[White \"\\\"Quill\\\",A\"]\n*");
    assert_text(game_roster(&game)->white, "\"Quill\", A");
}

// Comments and movetext in the line of a tag; what is neither is ignored.
static void test_rest_of_line(void **state)
{
    (void)state;
    static const char *const rests[] = {"1. e4 *", "e4 *",    " \t1-0",       "*",         "O-O *",
                                        "nf3",     " {c} e4", "; c\n1. e4 *", "12 *",      "%",
                                        "x\n*",    ". e4\n*", "de\n*",        "[x] e4\n*", "[x\n*"};
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        char text[64];
        snprintf(text, sizeof text, "[A \"b\"]%s", rests[i]);
        read_tags(text);
        const char *movetext =
            strchr(rests[i], '\n') && rests[i][0] != ';' ? strchr(text, '\n') : strchr(text, ']') + 1;
        while (*movetext == ' ' || *movetext == '\t')
            movetext++;
        assert_int_equal(game_movetext_start(&game), movetext - text);
        assert_int_equal(tag_count(), 1);
    }
    // long lines, and lines that hold more than a tag, among others
    read_tags("[A \"a very long value, longer than what is looked at at once\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 "
              "w - -\"]\n[B \"]b\"]\n"
              "[C \"c\"] [Result \"1-0\"]\n[D \"d\"] {x [E \"e\"]} [F \"f\"] 1-0 [G \"g\"]\n[H \"and more, "
              "so that there is enough\"]\n");
    assert_true(game.has_fen);
    assert_int_equal(game.view.result, RESULT_WHITE);
    assert_tag("B", "]b");
    assert_tag("F", "f");
    assert_tag("E", NULL);
    assert_tag("G", NULL);
}

static void test_absent(void **state)
{
    (void)state;
    read_tags("1. e4 *");
    assert_tag("Event", "?");
    assert_tag("Site", "?");
    assert_tag("Round", "?");
    assert_tag("White", "?");
    assert_tag("Black", "?");
    assert_tag("Date", "????.??.??");
    assert_tag("EventDate", "????.??.??");
    assert_tag("ECO", NULL);
    assert_tag("FEN", NULL);
    assert_tag("Annotator", NULL);
    read_tags("[Site \"\"]\n[Annotator \"\"]\n*");
    assert_tag("Site", NULL); // empty is not a value for the built-in names
    assert_tag("Annotator", "");
    assert_text(game_roster(&game)->site, "");
}

static void assert_name(const char *written, const char *expected, int rating)
{
    char text[256];
    snprintf(text, sizeof text, "[White \"%s\"]\n*", written);
    read_tags(text);
    assert_text(game_roster(&game)->white, expected);
    assert_int_equal(game_roster(&game)->rating[WHITE], rating);
}

static void test_names(void **state)
{
    (void)state;
    assert_name("Quill,A", "Quill, A", 0);
    assert_name("Quill,   A", "Quill, A", 0);
    assert_name("Quill  ,A  B", "Quill  , A  B", 0);
    assert_name("  Quill", "Quill", 0);
    assert_name("Ek, E.", "Ek, E", 0);
    assert_name("Ek, E. .\t", "Ek, E", 0);
    assert_name("van der Linde, C", "Van der Linde, C", 0);
    assert_name("van Der Linde", "Van der Linde", 0);
    assert_name("Van Den Berg", "Van den Berg", 0);
    assert_name("Van De Velde", "Van de Velde", 0);
    assert_name("Van Dam", "Van Dam", 0);
    assert_name("vanity", "vanity", 0);
    assert_name("van ", "van", 0);
    assert_name("van D", "Van D", 0);
    assert_name("Van De ", "Van De", 0);
    assert_name("Van De X", "Van de X", 0);
    assert_name("Van Der X", "Van der X", 0);
    assert_name("Van Den X", "Van den X", 0);
    assert_name("Van Denx X", "Van Denx X", 0);
    assert_name("Van Dex", "Van Dex", 0);
    assert_name("van Der", "Van Der", 0);
    assert_name("VAN De Berg", "VAN De Berg", 0);
    assert_name("wan De Berg", "wan De Berg", 0);
    assert_name("van De Berg (1999)", "Van de Berg", 1999);
    assert_name("A (2145)", "A", 2145);
    assert_name("A (2145) .", "A", 2145);
    assert_name(" (2145)", "(2145)", 0);
    assert_name("A(2145)", "A(2145)", 0);
    assert_name("AB (214)", "AB (214)", 0);
    assert_name("AB (21456)", "AB (21456)", 0);
    assert_name("AB (21a5)", "AB (21a5)", 0);
    assert_name("AB (214:)", "AB (214:)", 0);
    assert_name("AB (x145)", "AB (x145)", 0);
    assert_name("AB (2x45)", "AB (2x45)", 0);
    assert_name("AB (0000)", "AB", 0);
    assert_name("AB [2145)", "AB [2145)", 0);
    assert_name("AB (2145]", "AB (2145]", 0);
    assert_name("  A", "A", 0);
    assert_name(",A", ", A", 0);
    assert_name(" ,A", ", A", 0);
    assert_name(" ", "", 0);
    assert_name(".", "", 0);
    assert_name(" A B", "A B", 0);
    assert_name("A. (2145)", "A.", 2145);
    read_tags("[White \"A. (2145)\"]\n[Black \"\"]\n*"); // the dot is not one of the next name
    assert_text(game_roster(&game)->black, "");
    assert_name("A,  B", "A, B", 0);
    assert_name("A , B", "A , B", 0);
    assert_name("A,B,C", "A, B, C", 0);
    assert_name("A,,B", "A, , B", 0);
    assert_name("A, ", "A,", 0);
    assert_name("A.B. .\t", "A.B", 0);
    assert_name("Marten, B (2145)", "Marten, B", 2145);
    assert_name("Marten, B (9145)", "Marten, B", 4000);
    assert_name("Marten, B (21a5)", "Marten, B (21a5)", 0);
    assert_name("Marten(2145)", "Marten(2145)", 0);
    assert_name(" (2145)", "(2145)", 0);
    assert_name("Marten (21456)", "Marten (21456)", 0);
    assert_name("A,B,C", "A, B, C", 0);
    assert_name("", "", 0);
}

static void assert_date(const char *written, const char *expected, int year)
{
    char text[256];
    snprintf(text, sizeof text, "[Date \"%s\"]\n*", written);
    read_tags(text);
    assert_string_equal(game_roster(&game)->date, expected);
    assert_int_equal(game_roster(&game)->year, year);
}

// The FEN is found wherever it is among the tags, however long these are.
static void test_place_of_fen(void **state)
{
    (void)state;
    static const char fen[] = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 9";
    Game g;
    game_init(&g);
    for (int i = 0; i < 71 * 5 * 4 * 4; i++) {
        const int pad = i % 71, before = i / 71 % 5, after = i / 71 / 5 % 4, form = i / 71 / 5 / 4;
        const char *const line_end = form & 1 ? "\r\n" : "\n";
        char text[1200] = "";
        for (int k = 0; k <= before + after; k++) {
            char *out = text + strlen(text);
            if (k == before)
                sprintf(out, "[FEN \"%s\"]%s", fen, line_end);
            else
                sprintf(out, "[T%d \"%*s\"]%s", k, k == 0 ? pad : (pad + 7 * k) % 40, "", line_end);
        }
        sprintf(text + strlen(text), "%s{%*s} 9... Kd7 *", line_end, form & 2 ? 150 : 0, "");
        const GameText source = game_of(text);
        game_parse(&g, &source, 0, NULL, NULL);
        assert_int_equal(g.ply_count, 1);
        assert_int_equal(g.view.position[0]->side, BLACK);
        const Text found = game_start_fen(&g);
        if (found.length != strlen(fen) || memcmp(found.start, fen, found.length) != 0)
            fail_msg("the FEN of `%s` is `%.*s`", text, (int)found.length, found.start);
    }
    game_free(&g);
}

static void test_dates(void **state)
{
    (void)state;
    assert_date("1987.03.09", "1987.03.09", 1987);
    assert_date("2003", "2003.??.??", 2003);
    assert_date("2003.07", "2003.07.??", 2003);
    assert_date("31.12.1999", "0031.12.??", 31);
    assert_date("1999.13.20", "1999.??.??", 1999);
    assert_date("1999.02.45", "1999.02.??", 1999);
    assert_date("3000.01.01", "????.01.01", 0);
    assert_date("1999.??.05", "1999.??.05", 1999);
    assert_date("2047.1.2", "2047.01.02", 2047);
    assert_date("99999999999999999999.1.1", "????.01.01", 0);
    assert_date("", "????.??.??", 0);
    // the last and first of each, in the usual form and in another
    assert_date("2047.12.31", "2047.12.31", 2047);
    assert_date("2048.12.31", "????.12.31", 0);
    assert_date("2048.1.1", "????.01.01", 0);
    assert_date("0001.01.01", "0001.01.01", 1);
    assert_date("0000.01.01", "????.01.01", 0);
    assert_date("2000.13.31", "2000.??.??", 2000);
    assert_date("2000.00.31", "2000.??.31", 2000);
    assert_date("2000.12.32", "2000.12.??", 2000);
    assert_date("2000.12.00", "2000.12.??", 2000);
    assert_date("2000.12.5", "2000.12.05", 2000);
    assert_date("2000.1.31", "2000.01.31", 2000);
    // other characters where the usual form has digits and points
    assert_date("200:.10.10", "0200.10.10", 200);
    assert_date("20/0.10.10", "0020.10.10", 20);
    assert_date("2000.12.3a", "2000.12.03", 2000);
    assert_date("2000.1a.31", "2000.01.31", 2000);
    assert_date("2000:12.31", "2000.??.??", 2000);
    assert_date("2000.12:31", "2000.12.??", 2000);
    assert_date("2000.12.311", "2000.12.??", 2000);
    // bytes that are digits but for their high bits
    assert_date("\xD2"
                "0\xD0"
                "0.\xD1"
                "2.\xD3"
                "1",
                "????.??.??", 0);
    assert_date("2\xD0"
                "0\xD0.1\xD2.3\xD1",
                "0002.01.03", 2);
}

static void test_eco(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        {"B23", "B23"},     {"C", "C00"},       {"E9", "E90"},     {"B90a1x", "B90a1"}, {"d85k2", "D85k2"},
        {"a00a", "A00a"},   {"B90a7", "B90a"},  {"Z99", NULL},     {"?", NULL},         {"", NULL},
        {"@00", NULL},      {"`00", NULL},      {"F00", NULL},     {"f1", NULL},        {"A00", "A00"},
        {"E99z4", "E99z4"}, {"E99a1", "E99a1"}, {"E99z5", "E99z"}, {"E99a0", "E99a"},   {"E99{1", "E99"},
        {"E99`1", "E99"},   {"E99A1", "E99"},   {"E991", "E99"},   {"A1b2", "A10"},     {"C/9", "C00"},
        {"C9:", "C90"},     {"c0", "C00"},      {"Ba1", "B00"}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        char text[64];
        snprintf(text, sizeof text, "[ECO \"%s\"]\n*", pair[i][0]);
        read_tags(text);
        assert_tag("ECO", pair[i][1]);
    }
}

static void assert_rating(int colour, int rating, int type)
{
    assert_int_equal(game_roster(&game)->rating[colour], rating);
    assert_int_equal(game_roster(&game)->rating_type[colour], type);
}

static void test_ratings(void **state)
{
    (void)state;
    read_tags("[WhiteRating \"1999\"]\n[BlackUSCF \"2050\"]\n[WhiteElo \"2500\"]\n*");
    assert_rating(WHITE, 1999, RATING_RATING);
    assert_rating(BLACK, 2050, RATING_USCF);
    assert_tag("WhiteElo", "2500");
    read_tags("[WhiteElo \"0\"]\n[WhiteICCF \"?\"]\n[WhiteDWZ \"2001 est\"]\n[BlackElo \"4500\"]\n*");
    assert_rating(WHITE, 2001, RATING_DWZ);
    assert_rating(BLACK, 4000, RATING_ELO);
    assert_tag("WhiteElo", NULL);
    assert_tag("WhiteICCF", NULL);
    // a rating in the name is the rating, whatever came before
    read_tags("[WhiteUSCF \"1800\"]\n[White \"Quill (2100)\"]\n[WhiteElo \"2200\"]\n*");
    assert_rating(WHITE, 2100, RATING_ELO);
    assert_tag("WhiteUSCF", NULL);
    assert_tag("WhiteElo", "2200");
}

// The names of ratings, and others that are nearly such names.
static void test_rating_names(void **state)
{
    (void)state;
    static const struct {
        const char *ending;
        int type;
    } c[] = {
        {"Elo", RATING_ELO},     {"Rating", RATING_RATING}, {"Rapid", RATING_RAPID}, {"ICCF", RATING_ICCF},
        {"USCF", RATING_USCF},   {"DWZ", RATING_DWZ},       {"BCF", RATING_BCF},     {"", RATING_NONE},
        {"El", RATING_NONE},     {"Elx", RATING_NONE},      {"Elp", RATING_NONE},    {"Eln", RATING_NONE},
        {"Eloo", RATING_NONE},   {"elo", RATING_NONE},      {"ELO", RATING_NONE},    {"Rapi", RATING_NONE},
        {"Rapidx", RATING_NONE}, {"BCFx", RATING_NONE},     {"BC", RATING_NONE},     {"ACF", RATING_NONE},
        {"USCD", RATING_NONE},   {"Title", RATING_NONE},
    };
    static const char *const players[] = {"White", "Black", "Whit2", "Bleck", "white"};
    for (size_t i = 0; i < 5 * (sizeof c / sizeof *c); i++) {
        const char *const player = players[i % 5], *const ending = c[i / 5].ending;
        const int type = i % 5 > 1 ? RATING_NONE : c[i / 5].type;
        char text[64], name[32];
        snprintf(name, sizeof name, "%s%s", player, ending);
        snprintf(text, sizeof text, "[%s \"2001\"]\n*", name);
        read_tags(text);
        for (int colour = WHITE; colour <= BLACK; colour++) {
            const bool rated = type != RATING_NONE && colour == (int)(i % 5);
            assert_rating(colour, rated ? 2001 : 0, rated ? type : RATING_NONE);
        }
        assert_tag(name, "2001");
    }
}

static void test_repeated(void **state)
{
    (void)state;
    read_tags("[X \"1\"]\n[Event \"a\"]\n[Y \"2\"]\n[X \"3\"]\n[Event \"b\"]\n*");
    assert_int_equal(tag_count(), 3);
    read_tags("[Event \"a\"]\n[X \"1\"]\n[Event \"b\"]\n*");
    assert_int_equal(tag_count(), 2);
    assert_tag("Event", "b");
    read_tags("[X \"1\"]\n[Event \"a\"]\n[Y \"2\"]\n[X \"3\"]\n[Event \"b\"]\n*");
    assert_text(game_tags(&game, &(size_t){0})[0].name, "X");
    assert_text(game_tags(&game, &(size_t){0})[0].value, "3");
    assert_tag("Event", "b");
}

// The tags of a game count when they were asked for; those of the game before do not.
static void test_listed(void **state)
{
    (void)state;
    Text value;
    for (int round = 0; round < 2; round++) {
        read_tags("[X \"1\"]\n[Event \"a\"]\n[Y \"2\"]\n*");
        assert_int_equal(game_listed_tags(&game), 0);
        assert_false(game_tag(&game, text_of(""), &value));
        assert_int_equal(game_listed_tags(&game), 0);
        assert_true(game_tag(&game, text_of("Y"), &value));
        assert_int_equal(game_listed_tags(&game), 3);
    }
}

// Normal forms of tags and of comments have room side by side, in whatever order they are asked for.
static void test_normal_forms(void **state)
{
    (void)state;
    static const char text[] =
        "[White \"Quill,A\"]\n[Black \"Ek,  B.\"]\n[ECO \"b23\"]\n\n{a  {b}} 1. e4 {c  d} *";
    for (int order = 0; order < 3; order++) {
        const GameText source = game_of(text);
        game_parse_tags(&game, &source);
        if (order == 1)
            game_roster(&game);
        game_parse(&game, &source, PARSE_NOTES, NULL, NULL);
        const TagRoster *r = game_roster(&game);
        if (order == 2)
            assert_true(game_read_notes(&game, PARSE_NOTES));
        assert_text(r->white, "Quill, A");
        assert_text(r->black, "Ek, B");
        assert_text(r->eco, "B23");
        assert_text(game.note[0].comment, "a _b_");
        assert_text(game.note[1].comment, "c d");
    }
}

// Appends all that the tags of a game say.
static void describe(Buffer *out, Game *g)
{
    size_t count;
    const TagRoster *r = game_roster(g);
    const Text texts[] = {r->event, r->site, r->round, r->white, r->black, r->eco};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        buffer_format(out, "%.*s|", (int)texts[i].length, texts[i].length ? texts[i].start : "");
    buffer_format(out, "%s %s %d %d %d %d %d %d %d %d %d\n", r->date, r->event_date, (int)r->year,
                  (int)r->rating[0], (int)r->rating[1], r->rating_type[0], r->rating_type[1],
                  (int)g->view.result, g->has_fen, g->skipped, g->clocks.fullmove);
    const Tag *tag = game_tags(g, &count);
    for (size_t i = 0; i < count; i++) {
        Text value = {0};
        const bool found = game_tag(g, tag[i].name, &value);
        buffer_format(out, "%.*s %.*s %d %.*s\n", (int)tag[i].name.length, tag[i].name.start,
                      (int)tag[i].value.length, tag[i].value.start, found, (int)value.length,
                      value.length ? value.start : "");
    }
    tag = game_written_tags(g, NULL, 0, &count);
    for (size_t i = 0; i < count; i++)
        buffer_format(out, "[%.*s %.*s]\n", (int)tag[i].name.length, tag[i].name.start,
                      (int)tag[i].value.length, tag[i].value.length ? tag[i].value.start : "");
    buffer_append(out, "", 1);
}

// Nothing of a game is left when the next one is read.
static void test_next_game(void **state)
{
    (void)state;
    static const char *const text[] = {
        "[WhiteElo \"2000\"]\n[BlackElo \"2100\"]\n*",
        "[X \"1\"]\n[Y \"2\"]\n[White \"A (2200)\"]\n[Black \"B (2300)\"]\n*",
        ("[Event \"a\"]\n[Site \"b\"]\n[Round \"c\"]\n[White \"d\"]\n[Black \"e\"]\n[ECO \"C\"]\n[Date "
         "\"2001\"]\n[EventDate \"2000\"]\n[Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n"),
        "[Result \"0-1\"]\n[Y \"3\"]\n[X \"4\"]\n",
        "[FEN \"8\"]\n[WhiteUSCF \"1\"]\n[WhiteElo \"2\"]\n*",
        "*",
    };
    enum { TEXTS = sizeof text / sizeof *text };
    for (int i = 0; i < TEXTS * TEXTS; i++) {
        const GameText source = game_of(text[i % TEXTS]);
        Buffer fresh = {0}, again = {0};
        Game g;
        game_init(&g);
        game_parse_tags(&g, &source);
        describe(&fresh, &g);
        read_tags(text[i / TEXTS]);
        describe(&again, &game);
        again.length = 0;
        game_parse_tags(&game, &source);
        describe(&again, &game);
        assert_string_equal(again.start, fresh.start);
        game_free(&g);
        buffer_free(&fresh);
        buffer_free(&again);
    }
}

static void test_many(void **state)
{
    (void)state;
    static char text[40000];
    size_t used = 0;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 1000; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "[T%d%c\"%d\"]\n", i,
                                     round ? '\t' : ' ', i + round);
    read_tags(text);
    assert_int_equal(tag_count(), 1000);
    assert_tag("T0", "1");
    assert_tag("T999", "1000");
    assert_text(game_tags(&game, &(size_t){0})[500].value, "501");
}

static void test_result(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int by_tag, result;
    } c[] = {
        {"[Result \"1-0\"]\n*", RESULT_WHITE, RESULT_UNKNOWN},
        {"[Result \"1-0\"]\ne4 0-1", RESULT_WHITE, RESULT_BLACK},
        {"[Result \"1/2\"]\ne4", RESULT_DRAW, RESULT_DRAW},
        {"[Result \"0-1 time\"]\ne4", RESULT_BLACK, RESULT_BLACK},
        {"[Result \"?\"]\ne4", RESULT_UNKNOWN, RESULT_UNKNOWN},
        {"e4 1:0", RESULT_UNKNOWN, RESULT_WHITE},
        {"e4 0:1", RESULT_UNKNOWN, RESULT_BLACK},
        {"e4 1/2", RESULT_UNKNOWN, RESULT_DRAW},
        {"e4 1/2:1/2", RESULT_UNKNOWN, RESULT_DRAW},
        {"e4 (d4 1-0) e5 0-1", RESULT_UNKNOWN, RESULT_BLACK},
        {"e4 (d4 1-0", RESULT_UNKNOWN, RESULT_WHITE},
        {"e4 (d4 1-0 {x} ; y\n %z", RESULT_UNKNOWN, RESULT_WHITE},
        {"e4 (d4 1-0 {x", RESULT_UNKNOWN, RESULT_WHITE},
        {"e4 (d4 1-0\n[A \"b\"]", RESULT_UNKNOWN, RESULT_WHITE},
        {"e4 (d4 1-0 {x} d5", RESULT_UNKNOWN, RESULT_UNKNOWN},
        {"[Result \"0-1\"]\ne4 (d4 1-0 )", RESULT_BLACK, RESULT_BLACK},
        {"[Result \"0-\"]\ne4", RESULT_UNKNOWN, RESULT_UNKNOWN},
        {"[Result \"1-0\"]\ne4", RESULT_WHITE, RESULT_WHITE},
        {"e4 Qh8 d4 1-0", RESULT_UNKNOWN, RESULT_WHITE},
    };
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        read_tags(c[i].text);
        assert_int_equal(game.view.result, c[i].by_tag);
        parse(&game, c[i].text);
        assert_int_equal(game.view.result, c[i].result);
    }
}

static void test_fen(void **state)
{
    (void)state;
    parse(&game, "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b\"]\n[SetUp \"0\"]\n\n1... Kd7 2. e3 *");
    assert_true(game.has_fen);
    assert_int_equal(game.view.count, 3);
    assert_tag("FEN", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1");
    parse(&game, "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n*");
    assert_false(game.has_fen);
    assert_tag("FEN", NULL);
}

static void test_bad_fen(void **state)
{
    (void)state;
    const char *text = "[Event \"x\"]\n[FEN \"8/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. e4 1-0";
    parse(&game, text);
    assert_true(game.skipped);
    read_tags("*");
    assert_false(game.skipped);
    read_tags(text);
    assert_true(game.skipped);
    parse(&game, text);
    assert_true(game.skipped);
    assert_true(game.damaged);
    assert_int_equal(game.view.count, 1);
    assert_memory_equal(reports, "2 1 bad FEN", 11);
    GameText source = game_of(text);
    game_parse(&game, &source, PARSE_BAD_START_STANDARD, NULL, NULL);
    assert_false(game.skipped);
    assert_false(game.has_fen);
    assert_int_equal(game.view.count, 2);
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
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),        cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_rest_of_line), cmocka_unit_test(test_absent),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_place_of_fen), cmocka_unit_test(test_eco),
        cmocka_unit_test(test_ratings),      cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_many),         cmocka_unit_test(test_listed),
        cmocka_unit_test(test_result),       cmocka_unit_test(test_fen),
        cmocka_unit_test(test_bad_fen),      cmocka_unit_test(test_rating_names),
        cmocka_unit_test(test_normal_forms), cmocka_unit_test(test_next_game),
    };
    return cmocka_run_group_tests(tests, start, tear_down);
}
