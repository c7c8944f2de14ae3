// Moves in 16 bits, and text packed with them.
#include "runtime/chess/word.h"

#include "runtime/game/game.h"
#include "test_chess.h"

// Every legal move comes out of its word again.
static void test_round_trip(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",      // en passant
        "1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1", // Chess960
        "2r1k1r1/pppppppp/8/8/8/8/PPPPPPPP/2R1K1R1 b GCgc - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        const Position p = position_of(fens[i]);
        Move moves[MAX_MOVES], again;
        const int count = pos_legal_moves(&p, moves);
        assert_true(count > 0);
        for (int k = 0; k < count; k++) {
            assert_true(word_move(&p, word_of(moves[k]), &again));
            assert_memory_equal(&again, &moves[k], sizeof again);
        }
        const Move null = pos_null_move(&p);
        assert_true(word_move(&p, word_of(null), &again));
        assert_memory_equal(&again, &null, sizeof again);
    }
}

static MoveWord word(const char *from, const char *to, int kind)
{
    return (MoveWord)(square_of(from) | square_of(to) << 6 | kind << 12);
}

static void test_damaged(void **state)
{
    (void)state;
    Move m;
    assert_false(word_move(&pos_start, word("e2", "e4", WORD_KING), &m));        // a pawn
    assert_false(word_move(&pos_start, word("e7", "e5", WORD_PAWN), &m));        // Black's
    assert_false(word_move(&pos_start, word("d1", "e1", 5), &m));                // onto the own king
    assert_false(word_move(&pos_start, word("e2", "d3", WORD_EN_PASSANT), &m));  // nothing to take
    assert_false(word_move(&pos_start, word("e1", "g1", WORD_CASTLE_KING), &m)); // no rook
    assert_false(word_move(&pos_start, word("e2", "e4", 15), &m));
    assert_false(word_move(&pos_start, word("a1", "b1", 0), &m));
}

static const char plain[] = "[White \"A\"]\n\n1. e4 e5 2.Nf3 {1.e4} Nc6\n( 2... Nf6 3. d4) 3. Bb5 $1 a6 "
                            "4.O-O\n4... Ng8e7 5. Re1# 1-0";

static void expect_unpacked(const char *game, const char *packed_as)
{
    const GameText source = {.text = text_of(game), .line = 1, .number = 1};
    Game g;
    Buffer packed = {0}, text = {0};
    bool variations, notes;
    MoveWord words[16];
    game_init(&g);
    game_parse(&g, &source, PARSE_MOVE_TEXTS, NULL, NULL);
    assert_true(game_pack(&packed, &g, &variations, &notes));
    assert_int_equal(packed.length, strlen(packed_as));
    assert_memory_equal(packed.start, packed_as, packed.length);
    for (int i = 0; i < g.ply_count; i++)
        words[i] = word_of(g.view.node[i + 1].move);
    const size_t movetext = game_movetext_start(&g);
    assert_true(game_unpack(&text, (Text){packed.start, packed.length}, game_start(&g), g.clocks, words, 1,
                            (size_t)g.ply_count));
    assert_int_equal(text.length, source.text.length - movetext);
    assert_memory_equal(text.start, game + movetext, text.length);
    buffer_free(&packed);
    buffer_free(&text);
    game_free(&g);
}

// Check marks where positions are odd: mate, a king that the reader lets go next to the other, null moves out of check.
static void test_marks(void **state)
{
    (void)state;
    expect_unpacked("1.f3 e5 2.g4 Qh4# 0-1", "\3\2\4\2 0-1");
    expect_unpacked("1.f3 e5 2.g4 Qh4+ 0-1", "\3\2\4 \7Qh4+ 0-1");
    expect_unpacked("1.f3 e5 2.g4 Qh4 0-1", "\3\2\4 \7Qh4 0-1");
    expect_unpacked("[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n1.Rh8# Ka7 *", "\n\3\2 *");
    expect_unpacked("[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 9\"]\n9.Ra8+ -- 10.Ra7 Kd8 *", "\n\3\2\4\2 *");
    expect_unpacked("[FEN \"4k3/8/8/8/8/8/4R3/4K3 w - - 0 99\"]\n99.Kf2+ Kd8 100.Rd2+ *", "\n\3\2\4 *");
}

static void test_packed(void **state)
{
    (void)state;
    const GameText source = {.text = text_of(plain), .line = 1, .number = 1};
    Game g;
    Buffer packed = {0}, text = {0};
    bool variations, notes;
    MoveWord words[16];
    game_init(&g);
    game_parse(&g, &source, PARSE_MOVE_TEXTS, NULL, NULL);
    assert_int_equal(g.ply_count, 9);
    assert_true(game_pack(&packed, &g, &variations, &notes));
    assert_true(variations && notes);
    // Re1 is not mate: the check mark stays, as the spelling Ng8e7 does
    static const char wanted[] = "\n\n\5\2\4 {1.e4}\2\n( 2... Nf6 3. d4)\6 $1\2\4\n4... \7Ng8e7\6# 1-0";
    assert_int_equal(packed.length, sizeof wanted - 1);
    assert_memory_equal(packed.start, wanted, packed.length);
    for (int i = 0; i < g.ply_count; i++)
        words[i] = word_of(g.view.node[i + 1].move);
    const size_t movetext = game_movetext_start(&g);
    assert_true(game_unpack(&text, (Text){packed.start, packed.length}, &pos_start, g.clocks, words, 1, 9));
    assert_int_equal(text.length, source.text.length - movetext);
    assert_memory_equal(text.start, plain + movetext, text.length);
    // one move too few
    assert_false(game_unpack(&text, (Text){packed.start, packed.length}, &pos_start, g.clocks, words, 1, 8));
    buffer_free(&packed);
    buffer_free(&text);
    game_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_packed), cmocka_unit_test(test_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
