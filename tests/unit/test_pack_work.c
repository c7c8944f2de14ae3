// What the fast packer of games leaves to the general readers of tokens, moves and comments. It is compiled with counters in
// place of these.
#include "runtime/game/clocks.h"
#include "runtime/game/lex.h"

#include "test_game.h"

static int parsed, lexed, read_comments, written_moves;

static SanResult counted_parse(const Position *p, const char *text, size_t length, Move *m)
{
    parsed++;
    return san_parse(p, text, length, m);
}

static PgnToken counted_lex(const char *start, const char *p, const char *end)
{
    lexed++;
    return pgn_lex(start, p, end);
}

static NoteClocks counted_clocks(struct GameMemory *m, int32_t ply, const char *comment, const char *end)
{
    read_comments++;
    return clocks_add_ply(m, ply, comment, end);
}

static int counted_write(const Position *p, Move m, char out[SAN_MAX])
{
    written_moves++;
    return san_write_move(p, m, out);
}

#define san_parse counted_parse
#define pgn_lex counted_lex
#define clocks_add_ply counted_clocks
#define san_write_move counted_write
#include "runtime/game/pack.c"

// Expects a game to be packed, with so many moves, tokens and comments for the general readers.
static void expect(const char *text, int moves, int tokens, int comments, int spellings)
{
    const GameText source = game_of(text);
    Buffer packed = {0}, words = {0};
    MainLine line;
    Game g;
    game_init(&g);
    parsed = lexed = read_comments = written_moves = 0;
    game_parse_tags(&g, &source);
    assert_true(game_read_packed(&g, &packed, &words, &line));
    if (parsed != moves || lexed != tokens || read_comments != comments || written_moves != spellings)
        fail_msg("%.60s: %d moves, %d tokens, %d comments, %d spellings", text, parsed, lexed, read_comments,
                 written_moves);
    buffer_free(&packed);
    buffer_free(&words);
    game_free(&g);
}

static const char *const moves[] = {
    "e4",  "e5",  "Nf3",  "Nc6", "Bb5",   "a6",   "Ba4",  "Nf6",  "O-O",  "Be7",  "Re1",  "b5",
    "Bb3", "d6",  "c3",   "O-O", "h3",    "Nb8",  "d4",   "Nbd7", "Nbd2", "Bb7",  "Bc2",  "Re8",
    "Nf1", "Bf8", "Ng3",  "g6",  "a4",    "c5",   "d5",   "c4",   "Bg5",  "h6",   "Be3",  "Nc5",
    "Qd2", "h5",  "Bg5",  "Be7", "axb5",  "axb5", "Rxa8", "Bxa8", "Bxf6", "Bxf6", "Nxh5", "gxh5",
    "Qh6", "Bg7", "Qxh5", "Nd7", "Qxf7+", "Kxf7", "Ng5+", "Qxg5"};

// A game of 101 moves, the last ones with kings that go forth and back. Each White and Black move has a number in these formats,
// and something after it.
static void make_game(char *text, const char *white, const char *black, const char *after)
{
    static const char *const kings[] = {"Kh1", "Kg8", "Kg1", "Kf7"};
    const int count = sizeof moves / sizeof *moves;
    for (int ply = 0; ply < 202; ply++) {
        text += sprintf(text, ply % 2 ? black : white, ply / 2 + 1);
        text += sprintf(text, "%s%s", ply < count ? moves[ply] : kings[ply % 4], after);
    }
    strcpy(text, " 1/2-1/2");
}

// Moves in the usual spelling, in the usual forms, go to no general reader; the result is the only token. Two knights on other
// files, and no third one, need no list of moves.
static void test_usual(void **state)
{
    (void)state;
    static char text[12000];
    static const char *const forms[][3] = {
        {" %d. ", " ", ""},  {"%d.", " ", " "},        {"\n%d. ", "\n", ""},       {"%d.", "\n", "\n"},
        {" %d. ", " ", " "}, {" %d. ", " %d... ", ""}, {" %d. ", " %d... ", " {}"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        make_game(text, forms[i][0], forms[i][1], forms[i][2]);
        expect(text, 0, 1, *forms[i][2] == ' ' && forms[i][2][1] ? 202 : 0, 0);
    }
    // the usual comments with clocks
    make_game(text, " %d. ", " %d... ", " { [%%clk 0:59:59] }");
    for (char *p = text; (p = strstr(p, "%%")); p++)
        memmove(p, p + 1, strlen(p));
    expect(text, 0, 1, 0, 0);
    make_game(text, " %d. ", " %d... ", " {[%%clk 9:50:00]}");
    for (char *p = text; (p = strstr(p, "%%")); p++)
        memmove(p, p + 1, strlen(p));
    expect(text, 0, 1, 0, 0);
}

static void test_others(void **state)
{
    (void)state;
    expect("1. e4 {a} e5 {b} 2. Nf3 {[%clk 0:00:01.5]} *", 0, 1, 3, 0);
    expect("1. e4 $1 e5 ! 2. Nf3 ; x\n *", 0, 4, 0, 0);
    // numbers that are not expected are no tokens for the lexer
    expect("1. e4 e5 2. 9. Nf3 Nc6 3. 8 Bb5 3... 9 a6 *", 0, 1, 0, 0);
    expect("7. e4 1. e5 Nf3 2. Nc6 99... Bb5 1000... a6 *", 0, 1, 0, 0);
    // other spellings and moves: the number before one that san_parse reads is a token, too
    expect("1. e2e4 e5 2. Ng1f3 *", 1, 3, 0, 2);
    expect("1. e4 a6 2. e5 d5 3. exd6 a5 4. dxc7 a4 5. cxb8=Q *", 2, 5, 0, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_usual), cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
