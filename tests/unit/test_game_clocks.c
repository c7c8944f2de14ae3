// Clocks and evaluations in comments (language reference 15).
#include "test_game.h"

static Game game;

enum { NONE = -999999 };

static void read_game(const char *text)
{
    GameText source = game_of(text);
    game_parse(&game, &source, PARSE_VARIATIONS | PARSE_CLOCKS, NULL, NULL);
}

static int32_t clock_of(int32_t id)
{
    int32_t value;
    return game_clock(&game, id, &value) ? value : NONE;
}

static int32_t elapsed_of(int32_t id)
{
    int32_t value;
    return game_elapsed(&game, id, &value) ? value : NONE;
}

static int32_t eval_of(int32_t id)
{
    int32_t value;
    return game_eval(&game, id, &value) ? value : NONE;
}

// The values of the position after a move with this comment.
static void read_comment(const char *comment)
{
    char text[256];
    snprintf(text, sizeof text, "1. e4 {%s} *", comment);
    read_game(text);
}

static void test_times(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        int32_t clock;
    } row[] = {
        {"[%clk 1:02:03]", 3723},
        {"[%clk 0:00:59.8]", 59},
        {"[%clk 0:00:59.999]", 59},
        {"[%clk 59.8]", 59},
        {"[%clk .9]", 0},
        {"[%clk 2:05]", 125},
        {"[%clk 336:00:00]", 1209600},
        {"good [%eval 0.1] [%clk 0:01:00] move", 60},
        {"[%eval 0.1][%clk 0:01:00]", 60},
        {"[ %clk  0:01:00 ]", 60},
        {"[%clk\n0:01:00]", 60},
        {"[%clk 0:01:00,1]", 60},
        {"[%clk 0:01:00] [%clk 0:00:58]", 58},
        {"[%clk 0:01:00] [%clk x]", 60},
        {"[%clk 0:01:00", NONE},
        {"[%clk -0:01:00]", NONE},
        {"[%clk 1:2:3:4]", NONE},
        {"[%clk 0:01:00x]", NONE},
        {"[%clk]", NONE},
        {"[%clk ]", NONE},
        {"[%clk0:01:00]", NONE},
        {"[%clock 0:01:00]", NONE},
        {"[%CLK 0:01:00]", NONE},
        {"[%clk 99999999999999]", NONE},
        {"[%clk 19999999:00]", NONE},
        {"[%clk 20000000]", 20000000},
        {"[%clk 20000000.99]", 20000000},
        {"[%clk 20000001]", NONE},
        {"[%clk 20000001.5]", NONE},
        {"[%clk 100000000]", NONE},
        {"[%clk 5965:13:56.47]", 21474836}, // 2^31 - 1 hundredths
        {"[%clk 5965:13:56.48]", NONE},
        {"[%clk 357913:56.47]", 21474836},
        {"[%clk 357913:56.48]", NONE},
        {"clk 0:01:00", NONE},
        {"[", NONE},
        {"[%", NONE},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        read_comment(row[i].comment);
        if (clock_of(1) != row[i].clock)
            fail_msg("%s: %d", row[i].comment, (int)clock_of(1));
    }
}

static void test_evaluations(void **state)
{
    (void)state;
    static const struct {
        const char *comment;
        int32_t eval;
    } row[] = {
        {"[%eval 0.35]", 35},
        {"[%eval -0.05]", -5},
        {"[%eval +1.2]", 120},
        {"[%eval .5]", 50},
        {"[%eval -.5]", -50},
        {"[%eval 3]", 300},
        {"[%eval 0.355]", 36},
        {"[%eval -0.355]", -36},
        {"[%eval 0.3549]", 35},
        {"[%eval 0.3,22]", 30},
        {"[%eval 35,22]", 35},
        {"[%eval -35 , 22]", -35},
        {"[%eval #3]", 99997},
        {"[%eval #-3]", -99997},
        {"[%eval -#3]", -99997},
        {"[%eval #0]", 100000},
        {"[%eval #-0]", -100000},
        {"[%eval #3,40]", 99997},
        {"[%eval #2.5]", NONE},
        {"[%eval #]", NONE},
        {"[%eval #200000]", NONE},
        {"[%eval M3]", NONE},
        {"[%eval 1e3]", NONE},
        {"[%eval 152.65]", 15265},
        {"[%eval 0.3/22]", NONE},
        {"[%eval 30000000]", NONE},
        {"[%eval 20000000]", 2000000000},
        {"[%eval 20000001]", NONE},
        {"[%eval #99999]", 1},
        {"[%eval #100000]", 0},
        {"[%eval #100001]", NONE},
        {"[%eval 20000000,1]", 20000000},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        read_comment(row[i].comment);
        if (eval_of(1) != row[i].eval)
            fail_msg("%s: %d", row[i].comment, (int)eval_of(1));
    }
}

// Packed values that no game has.
static void test_damaged(void **state)
{
    (void)state;
    static const char good[] = {1, 100, 1, 3};                          // one clock: 1 unit of 100
    static const char large[] = {1, 100, 1, -127, -128, -128, -128, 8}; // 2^30 units of 100
    Game g;
    game_init(&g);
    const NoteClocks *value = game_clock_values(&g, (Text){good, sizeof good}, 1);
    assert_non_null(value);
    assert_int_equal(value[0].clock, 100);
    assert_null(game_clock_values(&g, (Text){large, sizeof large}, 1));
    for (size_t length = 1; length < sizeof good; length++)
        assert_null(game_clock_values(&g, (Text){good, length}, 1));
    static const struct {
        const char packed[12];
        size_t length;
        bool good;
    } row[] = {
        {{4, 101, 1, 3}, 4, false}, // there are no units over 100
        {{1, 100, 2, 0, 3}, 5, true},
        {{1, 100, 3, 0, 0, 3}, 6, false},                  // a value after the last ply
        {{1, 100, 1, 3, 0}, 5, false},                     // a byte too much
        {{8}, 1, false},                                   // no such kind
        {{4, 1, 1, -1, -1, -1, -1, 15}, 8, true},          // 2^31 - 1
        {{4, 1, 1, -127, -128, -128, -128, 16}, 8, false}, // 2^31
        {{4, 1, 1, -2, -1, -1, -1, 15}, 8, true},          // 1 - 2^31
        {{4, 1, 1, -128, -128, -128, -128, 16}, 8, false}, // -2^31
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (!game_clock_values(&g, (Text){row[i].packed, row[i].length}, 1) == row[i].good)
            fail_msg("row %d", (int)i);
    game_free(&g);
}

// Two comments after a move, one before the first move, in variations and after them.
static void test_places(void **state)
{
    (void)state;
    read_game("{[%clk 0:09:00] [%eval 0.2]} 1. e4 {[%eval 0.3]} {[%clk 0:03:00]} (1. {[%clk 0:08:00]} d4 "
              "{[%clk 0:02:59]} {[%emt 5.9]}) {[%eval 0.4]} 1... e5 *");
    assert_int_equal(clock_of(0), NONE);
    assert_int_equal(eval_of(0), 20);
    assert_int_equal(clock_of(1), 180);
    assert_int_equal(eval_of(1), 40);
    assert_int_equal(elapsed_of(1), NONE);
    assert_int_equal(clock_of(2), NONE); // 1... e5
    assert_int_equal(clock_of(3), 179);
    assert_int_equal(elapsed_of(3), 5);
    assert_int_equal(eval_of(3), NONE);
}

static void test_elapsed(void **state)
{
    (void)state;
    // White: 3:00 + 2 - 2:58.5 = 3.5; + 2 - 2:59.9 = 0.6; no clock; no earlier clock; then too much
    read_game(
        "[TimeControl \"180+2\"]\n\n1. e4 {[%clk 0:02:58.5]} e5 {[%clk 0:02:50]} 2. Nf3 {[%clk 0:02:59.9]} "
        "Nc6 {[%emt 0:00:07] [%clk 0:02:00]} 3. Bb5 a6 {[%clk 0:02:00]} 4. Ba4 {[%clk 0:02:00]} Nf6 "
        "{[%clk 9:00:00]} *");
    static const int32_t plain[] = {NONE, 3, 12, 0, 7, NONE, 2, NONE, NONE};
    for (int32_t i = 0; i < 9; i++)
        assert_int_equal(elapsed_of(i), plain[i]);
    // each variation counts from the move before it
    read_game(
        "[TimeControl \"60\"]\n\n1. e4 {[%clk 50]} e5 {[%clk 40]} (1... c5 {[%clk 30]} 2. Nf3 {[%clk 45]} d6 "
        "{[%clk 29]}) 2. -- {[%clk 20]} Nc6 {[%clk 10]} *");
    static const int32_t tree[] = {NONE, 10, 20, 30, 30, 30, 5, 1};
    for (int32_t i = 0; i < 8; i++)
        assert_int_equal(elapsed_of(i), tree[i]);
}

// The time of White's first two moves, with the clocks 50 and 40.
static void assert_control(const char *control, int32_t first, int32_t second)
{
    char text[256];
    snprintf(text, sizeof text, "[TimeControl \"%s\"]\n\n1. e4 {[%%clk 50]} e5 2. d4 {[%%clk 40]} *",
             control);
    read_game(text);
    if (elapsed_of(1) != first || elapsed_of(3) != second)
        fail_msg("%s: %d %d", control, (int)elapsed_of(1), (int)elapsed_of(3));
}

static void test_controls(void **state)
{
    (void)state;
    assert_control("60", 10, 10);
    assert_control("60+5", 15, 15);
    assert_control("60+0.9", 10, 10);
    assert_control("60.999", 10, 10); // rounded down before differences are taken
    assert_control("60+5.999", 15, 15);
    assert_control("1/60.999", 10, 20);
    assert_control("30", NONE, 10);
    assert_control("1/60", 10, 20);
    assert_control("1/60+5:300+7", 15, 17);
    assert_control("40/60+5:300", 15, 15);
    assert_control("?", NONE, 10);
    assert_control("-", NONE, 10);
    assert_control("", NONE, 10);
    assert_control("*60", NONE, 10);
    assert_control("60+", NONE, 10);
    assert_control("60:", NONE, 10);
    assert_control("0/60", NONE, 10);
    assert_control("60+5:", NONE, 10);
    assert_control("90 minutes", NONE, 10);
    assert_control("60+5:60:60:60", 15, 15);
    assert_control("60+5:60:60:60:60", NONE, 10);
    assert_control("60+5:60:60:60:", NONE, 10);
    assert_control("1.0/60", NONE, 10);
    assert_control("1/", NONE, 10);
    assert_control("2/60+5:300+7", 15, 15);
}

// A clock that grows by more than the increment has the time of the next period.
static void test_periods(void **state)
{
    (void)state;
    read_game(
        "[TimeControl \"2/100:60+5\"]\n\n1. e4 {[%clk 90]} e5 {[%clk 99]} 2. d4 {[%clk 130]} d5 {[%clk 9]} "
        "3. Nc3 {[%clk 134]} Nc6 {[%clk 70]} 4. Nf3 {[%clk 300]} *");
    static const int32_t expected[] = {NONE, 10, 1, 20, 90, 1, 4, NONE};
    for (int32_t i = 0; i < 8; i++)
        assert_int_equal(elapsed_of(i), expected[i]);
    // the first moves of a fragment are not those of the game
    read_game("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 30\"]\n[TimeControl \"60\"]\n\n30... Kd8 {[%clk 50]} 31. "
              "Kd1 {[%clk "
              "50]} Ke8 {[%clk 40]} *");
    assert_int_equal(elapsed_of(1), NONE);
    assert_int_equal(elapsed_of(2), NONE);
    assert_int_equal(elapsed_of(3), 10);
}

// Moves of Black at the beginning, first moves that gain time, differences of 0 and as great as they can be.
static void test_differences(void **state)
{
    (void)state;
    read_game(
        "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n[TimeControl \"2/100+1:60+5\"]\n\n1... Kd8 {[%clk 90]} 2. "
        "Kd1 {[%clk 50]} Ke8 {[%clk 80]} 3. Ke1 {[%clk 40]} Kd8 {[%clk 70]} *");
    // White's move 2 is the first one of White; move 3 belongs to the second period
    static const int32_t expected[] = {NONE, 11, 51, 11, 15, 15};
    for (int32_t i = 0; i < 6; i++)
        assert_int_equal(elapsed_of(i), expected[i]);
    // more than the base time at a first move: there is no period before it
    read_game("[TimeControl \"60\"]\n\n{[%emt 5]} 1. e4 {[%clk 60]} e5 {[%clk 70]} 2. d4 {[%clk 60]} d5 "
              "{[%emt 0]} *");
    static const int32_t least[] = {NONE, 0, NONE, 0, 0};
    for (int32_t i = 0; i < 5; i++)
        assert_int_equal(elapsed_of(i), least[i]);
    // the base time after a first move: the clock did not run, and nothing was added; White's second move took 3 + 2 - 2 seconds
    read_game(
        "[TimeControl \"180+2\"]\n\n1. e4 {[%clk 0:03:00]} (1. d4 {[%clk 0:03:00]} d5 {[%clk 0:03:00.1]}) e5 "
        "{[%clk 0:03:00]} 2. d4 {[%clk 0:02:59]} d5 {[%clk 0:03:00]} *");
    static const int32_t still[] = {NONE, 0, 0, 3, 2, 0, 1};
    for (int32_t i = 0; i < 7; i++)
        assert_int_equal(elapsed_of(i), still[i]);
    // a first move is the one of move 1
    read_game("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 9\"]\n[TimeControl \"1/60+5\"]\n\n9. Kd1 {[%clk 60]} *");
    assert_int_equal(elapsed_of(1), 5);
    // 2^31 - 1 hundredths, and one more
    static const char most[] =
        "[TimeControl \"0+1474836.4%d\"]\n\n1. e4 {[%%clk 20000000]} e5 2. d4 {[%%clk 0]} *";
    char text[256];
    for (int last = 7; last <= 8; last++) {
        snprintf(text, sizeof text, most, last);
        read_game(text);
        assert_int_equal(elapsed_of(3), last == 7 ? 21474836 : NONE);
    }
}

// What databases store of a game.
static void test_packed(void **state)
{
    (void)state;
    static const char text[] =
        "{[%eval 0.2]} 1. e4 {[%clk 0:03:00] [%eval 0.35]} {[%emt 2]} e5 {[%clk 0:02:58.5]} 2. Nf3 "
        "Nc6 {[%clk 0:02:58.5] [%eval #-3]} *";
    // all kinds; clocks: in tenths, 5 positions; times: in seconds, 2; evaluations: 1, 5
    static const unsigned char expected[] = {7, 10, 5, 0, 0x91, 0x1c, 0xf3, 0x1b, 0,    1,    100, 2,
                                             0, 5,  1, 5, 41,   31,   0,    0,    0x80, 0x9b, 0x0c};
    Buffer packed = {0}, words = {0};
    MainLine line;
    GameText source = game_of(text);
    game_parse_tags(&game, &source);
    assert_true(game_read_packed(&game, &packed, &words, &line));
    packed.length = 0;
    game_pack_clocks(&game, &packed);
    assert_int_equal(packed.length, sizeof expected);
    assert_memory_equal(packed.start, expected, sizeof expected);
    const MoveWord *word = (const MoveWord *)words.start;
    for (size_t length = 0; length <= sizeof expected; length++) { // all of it, and damaged ends
        assert_true(game_replay(&game, PARSE_CLOCKS, word, 1, 4, RESULT_UNKNOWN));
        assert_int_equal(game_unpack_clocks(&game, (Text){packed.start, length}),
                         length == 0 || length == sizeof expected);
    }
    assert_int_equal(clock_of(1), 180);
    assert_int_equal(clock_of(4), 178);
    assert_int_equal(elapsed_of(1), 2);
    assert_int_equal(eval_of(0), 20);
    assert_int_equal(eval_of(1), 35);
    assert_int_equal(eval_of(4), -99997);
    assert_int_equal(eval_of(3), NONE);
    static const char beyond[] = {1, 100, 6, 0, 0, 0, 0, 0, 0}, strange[] = {8};
    assert_false(game_unpack_clocks(&game, (Text){beyond, sizeof beyond}));
    assert_false(game_unpack_clocks(&game, (Text){strange, sizeof strange}));
    buffer_free(&packed);
    buffer_free(&words);
}

static bool unpack(const Buffer *packed, const Buffer *words, const MainLine *line, const NoteClocks *values,
                   Buffer *text)
{
    text->length = 0;
    return game_unpack(text, (Text){packed->start, packed->length}, &pos_start, (FenClocks){0, 1},
                       (const MoveWord *)words->start, 1, (size_t)line->plies, values);
}

// Expects that a text is packed as `packed_as`, and that it comes out again.
static void expect_coded(const char *text, const char *packed_as, bool coded)
{
    Buffer packed = {0}, words = {0}, clocks = {0}, again = {0};
    MainLine line;
    GameText source = game_of(text);
    game_parse_tags(&game, &source);
    assert_true(game_read_packed(&game, &packed, &words, &line));
    assert_int_equal(line.clock_codes, coded);
    assert_int_equal(packed.length, strlen(packed_as));
    assert_memory_equal(packed.start, packed_as, packed.length);
    game_pack_clocks(&game, &clocks);
    const NoteClocks *values =
        coded ? game_clock_values(&game, (Text){clocks.start, clocks.length}, (size_t)line.plies) : NULL;
    assert_true(unpack(&packed, &words, &line, values, &again));
    assert_int_equal(again.length, strlen(text));
    assert_memory_equal(again.start, text, again.length);
    if (coded) { // values that the comments need are missing
        values = game_clock_values(&game, (Text){0}, (size_t)line.plies);
        assert_false(unpack(&packed, &words, &line, values, &again));
    }
    buffer_free(&packed);
    buffer_free(&words);
    buffer_free(&clocks);
    buffer_free(&again);
}

// Comments that databases store as their values: 32, spaces 1, evaluation 2.
static void test_coded(void **state)
{
    (void)state;
    expect_coded("1. e4 { [%clk 0:05:00] } 1... e5 { [%clk 10:59:59] } 2. d4 { [%clk 0:00:01] } *",
                 "\5\10!\6\10!\6\10! *", true);
    expect_coded("1. e4 {[%clk 0:02:59.9]} 1... e5 {[%clk 0:02:00.05]} 2. d4 {[%clk 0:00:00]} d5 {next} *",
                 "\5\10 \6\10 \6\10 \2 {next} *", true);
    expect_coded("1. e4 { [%eval 0.17] [%clk 0:05:00] } 1... e5 { [%eval -1.3] [%clk 0:05:00] } *",
                 "\5\10#\6\10# *", true);
    expect_coded("1. e4 {[%eval #-3] [%clk 0:05:00]} 1... e5 {[%eval 0.0] [%clk 0:05:00]} *",
                 "\5\10\"\6\10\" *", true);
    // other spellings stay as they are: minutes over 59, hours with two digits, zeros, no space before, another order
    expect_coded("1. e4 {[%clk 0:60:00]} 1... e5 {[%clk 05:00]} *", "\5 {[%clk 0:60:00]}\6 {[%clk 05:00]} *",
                 false);
    expect_coded("1. e4 {[%clk 0:01:00.50]} 1... e5{[%clk 0:05:00]} *",
                 "\5 {[%clk 0:01:00.50]}\6{[%clk 0:05:00]} *", false);
    expect_coded("1. e4 {[%clk 0:05:00] [%eval 0.1]} 1... e5 {[%eval 0.10] [%clk 0:05:00]} *",
                 "\5 {[%clk 0:05:00] [%eval 0.1]}\6 {[%eval 0.10] [%clk 0:05:00]} *", false);
    expect_coded("1. e4 {[%clk 0:05:00] } 1... e5 { [%clk 0:05:00]} *",
                 "\5 {[%clk 0:05:00] }\6 { [%clk 0:05:00]} *", false);
    expect_coded("1. e4 {[%clk 0:00:60]} 1... e5 { [%clk 0:05:00]  } *",
                 "\5 {[%clk 0:00:60]}\6 { [%clk 0:05:00]  } *", false);
    expect_coded("1. e4 {[%eval 0.3] [%clk 0:05:00] [%emt 0:00:01]} *",
                 "\5 {[%eval 0.3] [%clk 0:05:00] [%emt 0:00:01]} *", false);
    // decimals, hours, the greatest time
    expect_coded("1. e4 {[%clk 123:09:00.01]} 1... e5 {[%clk 0:00:09.5]} 2. d4 {[%clk 0:10:00.99]} *",
                 "\5\10 \6\10 \6\10  *", true);
    expect_coded("1. e4 { [%eval -21474836.47] [%clk 5965:13:56.47] } *",
                 "\5 { [%eval -21474836.47] [%clk 5965:13:56.47] } *", false); // no such evaluation
    expect_coded("1. e4 { [%eval -19999999.99] [%clk 5965:13:56.47] } *", "\5\10# *", true);
    // evaluations that are a mate in so many moves, and those that are not
    expect_coded("1. e4 {[%eval 500.0] [%clk 0:05:00]} 1... e5 {[%eval #49999] [%clk 0:05:00]} *",
                 "\5\10\"\6\10\" *", true);
    expect_coded("1. e4 {[%eval #0] [%clk 0:05:00]} 1... e5 {[%eval #-0] [%clk 0:05:00]} *",
                 "\5\10\"\6\10\" *", true);
    expect_coded("1. e4 {[%eval 1000.01] [%clk 0:05:00]} 1... e5 {[%eval -1000.01] [%clk 0:05:00]} *",
                 "\5\10\"\6\10\" *", true);
    expect_coded("1. e4 {[%eval 500.01] [%clk 0:05:00]} 1... e5 {[%eval #50000] [%clk 0:05:00]} *",
                 "\5 {[%eval 500.01] [%clk 0:05:00]}\6 {[%eval #50000] [%clk 0:05:00]} *", false);
    expect_coded("1. e4 {[%eval 1000.0] [%clk 0:05:00]} 1... e5 {[%eval -0.0] [%clk 0:05:00]} *",
                 "\5 {[%eval 1000.0] [%clk 0:05:00]}\6 {[%eval -0.0] [%clk 0:05:00]} *", false);
    expect_coded("1. e4 {[%eval -0.01] [%clk 0:05:00]} 1... e5 {[%eval 0.1] [%clk 0:05:00]} *",
                 "\5\10\"\6\10\" *", true);
    // what follows a mate with the mark of a check is not packed
    expect_coded("1.f3 e5 2.g4 {[%clk 0:05:00]} Qh4+ {[%clk 0:04:00]} 0-1",
                 "\3\2\4\10  \7Qh4+ {[%clk 0:04:00]} 0-1", true);
    // a byte that means such a comment
    expect_coded("1. e4 {[%clk 0:05:00]} 1... e5 {\10} *", "\5 {[%clk 0:05:00]}\6 {\10} *", false);
    // the second comment of a position replaces the first one's value: only the second may be coded, which comes last
    expect_coded("1. e4 {[%eval 1]} {[%clk 0:05:00]} 1... e5 *", "\5 {[%eval 1]}\10 \6 *", true);
    // a comment without values replaces nothing; one before the first move
    expect_coded("1. e4 {[%clk 0:05:00]} {so} 1... e5 *", "\5\10  {so}\6 *", true);
    expect_coded("1. e4 {[%clk 0:02:59.9]} {so} {or so} 1... e5 *", "\5\10  {so} {or so}\6 *", true);
    expect_coded(" {[%clk 0:05:00]} 1. e4 {[%clk 0:04:00]} 1... e5 *", "\10 \6\10 \6 *", true);
    // an empty comment ends at its first brace
    expect_coded("1. e4 {} e5 } 2. d4 {[%clk 0:05:00]} d5 {} {x} *", "\5 {}\2 }\6\10 \2 {} {x} *", true);
    // not even a comment that is not coded, before one that is
    expect_coded("1. e4 {[%clk 0:05:00] } {[%clk 0:04:00]} 1... e5 *", "\5 {[%clk 0:05:00] }\10 \6 *", true);
}

// Moves that are not spelled as usual stay as they are, after a code that says so (7).
static void test_spellings(void **state)
{
    (void)state;
    expect_coded("1. e2e4 e7-e5 2. Ng1f3 Nb8-c6 3. Bf1b5 *",
                 "1. \7e2e4 \7e7-e5 2. \7Ng1f3 \7Nb8-c6 3. \7Bf1b5 *", false);
    expect_coded("1. Pe4 e-5 2. Ngf3 N8c6 3. N3d4 ed4 *", "1. \7Pe4 \7e-5 2. \7Ngf3 \7N8c6 3. \7N3d4 \7ed4 *",
                 false);
    expect_coded("1. N3f c-5 2. Nxc3 Nc6: *", "1. \7N3f \7c-5 2. \7Nxc3 \7Nc6: *", false);
    static const char *const captures[] = {"Ndx5",  "Nd5",    "N:d5",  "Nd:5", "Nd5x",
                                           "Ncxd5", "Nc3xd5", "N3xd5", "c3d5"};
    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++) {
        char text[64], packed[64];
        snprintf(text, sizeof text, "1. Nc3 d5 2. %s Nf6 *", captures[i]);
        snprintf(packed, sizeof packed, "\5\2 2. \7%s\2 *", captures[i]);
        expect_coded(text, packed, false);
    }
    static const char *const pawns[] = {"ed5",  "exd",   "ed",    "e:d5", "e4xd5",
                                        "e4d5", "Pexd5", "exd5:", "ed:5"};
    for (size_t i = 0; i < sizeof pawns / sizeof *pawns; i++) {
        char text[64], packed[64];
        snprintf(text, sizeof text, "1. e4 d5 2. %s Nf6 *", pawns[i]);
        snprintf(packed, sizeof packed, "\5\2 2. \7%s\2 *", pawns[i]);
        expect_coded(text, packed, false);
    }
    expect_coded("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ *", "\5\2\6\2\6\2 *", false);
}

// What the packers say of a main line.
static void expect_main_line(const char *text, bool at_once, bool variations, bool notes, unsigned white,
                             unsigned black)
{
    const GameText source = game_of(text);
    for (int way = 0; way < 2; way++) {
        Buffer packed = {0}, words = {0};
        MainLine line = {.variations = !variations, .notes = !notes};
        buffer_text(&packed, "before"); // they are appended
        buffer_text(&words, "ab");
        game_parse(&game, &source, 0, NULL, NULL);
        const int32_t plies = game.ply_count;
        const Position last = *game.view.position[plies];
        game_parse_tags(&game, &source);
        if (way == 0) {
            assert_int_equal(game_read_packed(&game, &packed, &words, &line), at_once);
        } else {
            game_parse(&game, &source, PARSE_MOVE_TEXTS, NULL, NULL);
            assert_true(game_pack(&game, &packed, &words, &line));
        }
        if (way == 1 || at_once) {
            if (line.variations != variations || line.notes != notes)
                fail_msg("%s: %d %d", text, line.variations, line.notes);
            assert_int_equal(line.flags[WHITE], white & 0xFF);
            assert_int_equal(line.flags[BLACK], black & 0xFF);
            assert_int_equal(line.promoted[WHITE] != 0, white >> 8);
            assert_int_equal(line.promoted[BLACK] != 0, black >> 8);
            assert_int_equal(line.plies, plies);
            assert_int_equal(words.length, 2 + (size_t)plies * sizeof(MoveWord));
            for (int32_t i = 0; i < plies; i++)
                assert_int_equal(((const MoveWord *)words.start)[1 + i], word_of(game.view.node[i + 1].move));
            assert_memory_equal(&line.last, &last, sizeof last);
            assert_false(line.clock_codes);
            const Text moves = {packed.start + 6, packed.length - 6};
            Buffer again = {0};
            assert_true(game_unpack(&again, moves, &pos_start, (FenClocks){0, 1},
                                    (const MoveWord *)words.start + 1, 1, (size_t)plies, NULL));
            assert_int_equal(again.length, strlen(text));
            assert_memory_equal(again.start, text, again.length);
            buffer_free(&again);
        } else {
            assert_int_equal(packed.length, 6);
            assert_int_equal(words.length, 2);
        }
        assert_memory_equal(packed.start, "before", 6);
        assert_memory_equal(words.start, "ab", 2);
        buffer_free(&packed);
        buffer_free(&words);
    }
}

static void test_main_lines(void **state)
{
    (void)state;
    enum { PROMOTES = 256 };
    expect_main_line("1. e4 e5 *", true, false, false, 0, 0);
    expect_main_line("*", true, false, false, 0, 0);
    expect_main_line("1. e4 (1. d4) e5 *", false, true, false, 0, 0);
    expect_main_line("1. e4 e5 2. Nf3 (2. Nc3 Nc6 3. Bc4) 2... Nc6 3. Bb5 a6 *", false, true, false, 0, 0);
    expect_main_line("1. e4 () e5 *", false, true, false, 0, 0);
    expect_main_line("1. e4 {a} e5 *", true, false, true, 0, 0);
    expect_main_line("{a} 1. e4 *", true, false, true, 0, 0);
    expect_main_line("1. e4{a}e5 *", true, false, true, 0, 0);
    expect_main_line("1. e4 {} e5 2. d4 d5 3. c4 c5 4. b4 b5 5. a4 a5 *", true, false, true, 0, 0);
    expect_main_line("1. e4! e5 2. d4 d5 3. c4 c5 4. b4 b5 5. a4 a5 *", true, false, true, 0, 0);
    expect_main_line("1. e4 $1 *", true, false, true, 0, 0);
    expect_main_line("1. e4 ; {a} (\ne5 } *", true, false, false, 0, 0);
    expect_main_line("1. e4 e5 * (1. d4)", false, true, false, 0, 0);
    expect_main_line("1. e4 e5 * {a}", false, false, true, 0, 0);
    expect_main_line("1. e4 e5 * $1", false, false, true, 0, 0);
    expect_main_line("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O *", true, false, false, MOVE_CASTLE_KING, 0);
    expect_main_line("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3 O-O *", true, false, false, 0, MOVE_CASTLE_KING);
    expect_main_line("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O *", true, false, false,
                     MOVE_CASTLE_QUEEN, MOVE_CASTLE_QUEEN);
    expect_main_line("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 0-0-0 a6 *", true, false, false,
                     MOVE_CASTLE_QUEEN, 0);
    expect_main_line("1. e4 a6 2. e5 d5 3. exd6 *", true, false, false, MOVE_EN_PASSANT, 0);
    expect_main_line("1. e4 -- 2. d4 *", true, false, false, 0, MOVE_NULL);
    expect_main_line("1. e4 d5 2. exd5 c6 3. dxc6 a6 4. cxb7 a5 5. bxa8=Q *", true, false, false, PROMOTES,
                     0);
    expect_main_line("1. a3 d5 2. a4 d4 3. a5 d3 4. a6 dxc2 5. axb7 cxb1=N *", true, false, false, 0,
                     PROMOTES);
}

// The longest movetext that this reader takes.
static void test_longest(void **state)
{
    (void)state;
    for (int length = 2 * MAIN_LINE_PLIES - 1; length <= 2 * MAIN_LINE_PLIES + 3; length++) {
        Buffer text = {0}, packed = {0}, words = {0};
        MainLine line;
        buffer_text(&text, "1. e4 {");
        while ((int)text.length < length - 3)
            buffer_text(&text, "x");
        buffer_text(&text, "} *");
        const GameText source = {{text.start, text.length}, 1, 0, 1};
        game_parse_tags(&game, &source);
        assert_int_equal(game_read_packed(&game, &packed, &words, &line), length <= 2 * MAIN_LINE_PLIES + 1);
        buffer_free(&text);
        buffer_free(&packed);
        buffer_free(&words);
    }
}

// Forms of comments that do not exist.
static void test_damaged_codes(void **state)
{
    (void)state;
    static const char *const packed[] = {"\5\10", "\5\10\1", "\5\10$", "\5\10\"", "\10 "};
    const MoveWord word = (MoveWord)(12 | 28 << 6 | 1 << 12); // e2-e4
    const NoteClocks values[2] = {{0}, {.clock = 100, .has = CLOCKS_CLOCK}};
    Buffer text = {0};
    for (int i = 0; i < 5; i++)
        assert_false(
            game_unpack(&text, text_of(packed[i]), &pos_start, (FenClocks){0, 1}, &word, 1, 1, values));
    assert_true(game_unpack(&text, text_of("\5\10 "), &pos_start, (FenClocks){0, 1}, &word, 1, 1, values));
    // a move without a word, a word that is no move, and the words that are used
    const MoveWord illegal[2] = {word, word};
    assert_false(game_unpack(&text, text_of("\5\2"), &pos_start, (FenClocks){0, 1}, &word, 1, 1, NULL));
    assert_false(game_unpack(&text, text_of("\5\7e5"), &pos_start, (FenClocks){0, 1}, illegal, 1, 2, NULL));
    text.length = 0;
    assert_true(game_unpack(&text, text_of("\5 *"), &pos_start, (FenClocks){0, 1}, illegal, 1, 2, NULL));
    assert_int_equal(text.length, strlen("1. e4 *"));
    assert_memory_equal(text.start, "1. e4 *", text.length);
    static const NoteClocks negative[2] = {{0},
                                           {.clock = -1, .has = CLOCKS_CLOCK}}; // no clock shows less than 0
    assert_false(game_unpack(&text, text_of("\5\10 "), &pos_start, (FenClocks){0, 1}, &word, 1, 1, negative));
    buffer_free(&text);
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
        cmocka_unit_test(test_times),         cmocka_unit_test(test_evaluations),
        cmocka_unit_test(test_places),        cmocka_unit_test(test_elapsed),
        cmocka_unit_test(test_controls),      cmocka_unit_test(test_periods),
        cmocka_unit_test(test_packed),        cmocka_unit_test(test_coded),
        cmocka_unit_test(test_damaged_codes), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_spellings),     cmocka_unit_test(test_longest),
        cmocka_unit_test(test_main_lines),    cmocka_unit_test(test_differences),
    };
    return cmocka_run_group_tests(tests, start, tear_down);
}
