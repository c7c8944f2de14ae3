// What the fast readers of main lines leave to the general readers of tokens and moves. They are compiled with counters in place
// of these.
#include "runtime/game/lex.h"

#include "test_game.h"

static int parsed, lexed;

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

#define san_parse counted_parse
#define pgn_lex counted_lex
#include "runtime/game/line.c"
#define open_level tree_open_level // names of both files
#define close_level tree_close_level
#define read_token tree_read_token
#define read_usual tree_read_usual
#include "runtime/game/parse.c"

// Reads a game as a main line alone, as a tree without variations, and with them. Expects so many moves and tokens for the general
// readers.
static void expect(const char *text, int line_moves, int line_tokens, int tree_moves, int tree_tokens)
{
    const GameText source = game_of(text);
    GameLine line = {0};
    Game g;
    game_init(&g);
    game_parse_tags(&g, &source);
    parsed = lexed = 0;
    assert_true(game_read_line(&line, &g));
    if (parsed != line_moves || lexed != line_tokens)
        fail_msg("%.60s: line: %d moves, %d tokens", text, parsed, lexed);
    for (unsigned flags = 0; flags <= PARSE_VARIATIONS; flags += PARSE_VARIATIONS) {
        parsed = lexed = 0;
        game_parse(&g, &source, flags, NULL, NULL);
        if (parsed != tree_moves || lexed != tree_tokens)
            fail_msg("%.60s: tree, %u: %d moves, %d tokens", text, flags, parsed, lexed);
    }
    game_line_free(&line);
    game_free(&g);
}

#define FIRST                                                                                                \
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 "    \
    "Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3"
#define REST                                                                                                 \
    " 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 21. axb5 axb5 22. Rxa8 Bxa8 23. "    \
    "Bxf6 Bxf6 24. Nxh5 gxh5 25. Qh6 Bg7 26. Qxh5 Nd7 27. Qxf7+ Kxf7 28. Ng5+ Qxg5"
#define SECOND "14... g6" REST "        1-0"

// Moves in the usual spelling, numbers and comments go to no general reader; the result is the only token.
static void test_usual(void **state)
{
    (void)state;
    expect(FIRST " " SECOND, 0, 1, 0, 1);
    expect(FIRST " {a comment that is longer than a move, and longer than the next two} " SECOND, 0, 1, 0, 1);
    expect(FIRST "\n" SECOND, 0, 1, 0, 1);
    expect(FIRST "     " SECOND, 0, 1, 0, 1);
}

static void test_others(void **state)
{
    (void)state;
    expect(FIRST " $1 " SECOND, 0, 2, 0, 2);
    expect(FIRST " (14. a4 a5) " SECOND, 0, 3, 0, 3); // the brackets, not what is between them
    // the number before a move that san_parse reads is a token for the tree, and for the line if it is glued to it
    expect(FIRST " 14... g7g6" REST "        1-0", 1, 2, 1, 3);
    expect(FIRST " 14...g7g6" REST "        1-0", 1, 3, 1, 3);
    expect(FIRST " g7g6" REST "        1-0", 1, 2, 1, 2);
    // the reader without positions leaves the last bytes to the lexer
    expect(FIRST " g6" REST " {a comment that is longer than a move} 1-0", 0, 2, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_usual), cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
