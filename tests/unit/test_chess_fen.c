// Reading and writing FEN by the rules of language reference 9.5.
#include <stdio.h>

#include "test_chess.h"

static void test_start(void **state)
{
    (void)state;
    const Position p = position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_memory_equal(&p, &pos_start, sizeof p);
}

// Complete FENs that must come out as they went in.
static void test_round_trip(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 13 57",
        "8/8/8/8/8/8/8/K1k5 b - - 99 120",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", // both rooks are outermost
        "4k3/8/8/8/8/8/8/1R2K1RR w G - 0 1",                                 // an inner rook needs its letter
        "r1rk4/8/8/8/8/8/8/4K3 b c - 0 1",
    };
    for (size_t i = 0; i < LENGTH(fens); i++) {
        Position p;
        FenClocks clocks;
        char out[FEN_MAX];
        assert_null(fen_parse(fens[i], strlen(fens[i]), &p, &clocks));
        assert_int_equal(fen_write(&p, clocks, out), strlen(fens[i]));
        assert_string_equal(out, fens[i]);
    }
}

// Incomplete or odd FENs and what they mean, written out in full.
static void test_completion(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *meaning;
    } cases[] = {
        {"4k3888884P34K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},
        {"  4k3/8/8/8/8/8/8/4K3   b  ", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
        {"\t4k3/8/8/8/8/8/8/4K3\tb\n-\v-\f3\r7\t", "4k3/8/8/8/8/8/8/4K3 b - - 3 7"},
        {"4k3/8/8/8/8/8/8/4K3\010b", NULL}, // BS and SO are not white space
        {"4k3/8/8/8/8/8/8/4K3\016b", NULL},
        {"4k3/8/8/8/8/8/8/11111111K7 w", NULL},
        {"4k3/8/8/8/8/8/8/1111K111 w", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        // Castling: assumed when absent, without effect when king or rook is not there.
        {"r3k2r/8/8/8/8/8/8/R3K2R w", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
        {"r3k3/8/8/8/8/8/8/4K2R b", "r3k3/8/8/8/8/8/8/4K2R b Kq - 0 1"},
        {"rk5r/8/8/8/8/8/8/RK5R b", "rk5r/8/8/8/8/8/8/RK5R b - - 0 1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w -", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"r3k3/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "r3k3/8/8/8/8/8/4K3/R6R w q - 0 1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
        {"4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", "4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1"},
        {"4k3/8/8/8/8/8/8/4K1RR w H - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1"},
        {"4k3/8/8/8/8/8/8/4K1R1 w EH - 0 1", "4k3/8/8/8/8/8/8/4K1R1 w - - 0 1"},
        // En passant: kept only with a pawn to take next to an empty square.
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 5", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 5"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - c6 0 5", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 5"},
        {"4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 5", "4k3/8/8/3pP3/8/8/8/4K3 b - - 0 5"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 5", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 5"},
        {"4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 5", "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 5"},
        {"4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 5", "4k3/8/8/3PP3/8/8/8/4K3 w - - 0 5"},
        {"4k3/8/8/p6p/8/8/8/4K3 w - a6 0 5", "4k3/8/8/p6p/8/8/8/4K3 w - a6 0 5"},
        {"4k3/8/8/p6p/8/8/8/4K3 w - h6 0 5", "4k3/8/8/p6p/8/8/8/4K3 w - h6 0 5"},
        {"4k3/8/8/8/P6P/8/8/4K3 b - a3 0 5", "4k3/8/8/8/P6P/8/8/4K3 b - a3 0 5"},
        {"4k3/8/8/8/P6P/8/8/4K3 b - h3 0 5", "4k3/8/8/8/P6P/8/8/4K3 b - h3 0 5"},
        {"4k3/8/p7/8/8/8/8/4K3 w - i6 0 5", "4k3/8/p7/8/8/8/8/4K3 w - - 0 5"},
        {"4k3/8/8/8/7p/8/8/4K3 w - `6 0 5", "4k3/8/8/8/7p/8/8/4K3 w - - 0 5"},
        {"4k3/8/8/p2p3p/8/8/8/4K3 w - i6 0 5", "4k3/8/8/p2p3p/8/8/8/4K3 w - - 0 5"},
        {"4k3/8/8/p2p3p/p6p/8/8/4K3 w - `6 0 5", "4k3/8/8/p2p3p/p6p/8/8/4K3 w - - 0 5"},
        {"4k3/8/8/p2p3p/8/8/8/4K3 w - d 6 5", "4k3/8/8/p2p3p/8/8/8/4K3 w - - 6 5"},
        {"4k3/8/8/p2p3p/8/8/8/4K3 w - d66 0 5", "4k3/8/8/p2p3p/8/8/8/4K3 w - - 0 5"},
        // Clocks: nonsense is 0 and 1; the en passant field may be missing before them.
        {"4k3/8/8/8/8/8/8/4K3 w - - x 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K3 w - - -3 7x", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K3 w - 12 34", "4k3/8/8/8/8/8/8/4K3 w - - 12 34"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 12345678901234567890 2", "4k3/8/8/8/8/8/8/4K3 w - - 0 2"},
        // The side not to move is in check; more than nine queens; pawns on the first rank.
        {"4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"},
        {"qqqq3k/qqqq4/8/8/8/8/NNNNNNNN/K7 w - - 0 1", "qqqq3k/qqqq4/8/8/8/8/NNNNNNNN/K7 w - - 0 1"},
        {"4k2P/8/8/8/8/8/8/P3K2p w - - 0 1", "4k2P/8/8/8/8/8/8/P3K2p w - - 0 1"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        Position p;
        FenClocks clocks;
        char out[FEN_MAX];
        const char *wrong = fen_parse(cases[i].fen, strlen(cases[i].fen), &p, &clocks);
        if (!cases[i].meaning) {
            assert_non_null(wrong);
            continue;
        }
        if (wrong)
            fail_msg("%s: %s", cases[i].fen, wrong);
        fen_write(&p, clocks, out);
        assert_string_equal(out, cases[i].meaning);
    }
}

static void test_no_position(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "",
        " ",
        "w",
        "4k3/8/8/8/8/8/8/4K3",                        // no side
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",              // no such side
        "4k3/8/8/8/8/8/8/4K3 white",                  //
        "4k3/8/8/8/8/8/8/4K2 w - - 0 1",              // 63 squares
        "4k3/8/8/8/8/8/8/4K31 w - - 0 1",             // 65 squares
        "4k3/8/8/8/8/8/8/4K3/ w - - 0 1",             // a slash too many
        "4k3//8/8/8/8/8/8/4K3 w - - 0 1",             //
        "/4k3/8/8/8/8/8/8/4K3 w - - 0 1",             //
        "4k/38/8/8/8/8/8/4K3 w - - 0 1",              // a slash inside a rank
        "4k3/9/8/8/8/8/8/4K3 w - - 0 1",              // no digit of FEN
        "4k3/80/8/8/8/8/8/4K3 w - - 0 1",             //
        "4x3/8/8/8/8/8/8/4K3 w - - 0 1",              // no piece
        "8/8/8/8/8/8/8/4K3 w - - 0 1",                // no black king
        "4k3/8/8/8/8/8/8/8 w - - 0 1",                // no white king
        "4k2k/8/8/8/8/8/8/4K3 w - - 0 1",             // two black kings
        "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",             // two white kings
        "4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w - - 0 1", // 17 white men
        "4k3/8/8/8/8/8/8/4K3 w xyz - 0 1",            // no castling rights
    };
    for (size_t i = 0; i < LENGTH(fens); i++) {
        Position p;
        if (!fen_parse(fens[i], strlen(fens[i]), &p, NULL))
            fail_msg("'%s' is accepted", fens[i]);
    }
}

// What is wrong, in the words of the message about the game.
static void test_reasons(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"8/8/8/8/8/8/8/4K3 w", "FEN without exactly one black king"},
        {"4k2k/8/8/8/8/8/8/4K3 w", "FEN without exactly one black king"},
        {"4k3/8/8/8/8/8/8/8 w", "FEN without exactly one white king"},
        {"4k3/8/8/8/8/8/8/K3K3 w", "FEN without exactly one white king"},
        {"4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w", "FEN with more than 16 men of one side"},
        {"rnbqkbnr/pppppppp/n7/8/8/8/8/4K3 w", "FEN with more than 16 men of one side"},
        {"4k3//8/8/8/8/8/8/4K3 w", "FEN with a slash inside a rank"},
        {"4k/38/8/8/8/8/8/4K3 w", "FEN with a slash inside a rank"},
        {"4k3/8/8/8/8/8/8/4K3/ w", "FEN with a slash inside a rank"},
        {"4k3/9/8/8/8/8/8/4K3 w",
         "FEN with an unknown character in the board; expected KQRBNPkqrbnp, 1 to 8 or /"},
        {"4k3/0/8/8/8/8/8/4K3 w",
         "FEN with an unknown character in the board; expected KQRBNPkqrbnp, 1 to 8 or /"},
        {"4k3/8/8/8/8/8/8/4K31 w", "FEN with more than 64 squares"},
        {"4k3/8/8/8/8/8/8/4K3p w", "FEN with more than 64 squares"},
        {"4k3/8/8/8/8/8/8/4K2 w", "FEN with fewer than 64 squares"},
        {"4k3/8/8/8/8/8/8/4K3", "FEN without a side to move; expected w or b after the board"},
        {"4k3/8/8/8/8/8/8/4K3 ww", "FEN without a side to move; expected w or b after the board"},
        {"4k3/8/8/8/8/8/8/4K3 W", "FEN without a side to move; expected w or b after the board"},
        {"4k3/8/8/8/8/8/8/4K3 w KI", "FEN with an unknown castling right; expected KQkq, A-H, a-h or -"},
        {"4k3/8/8/8/8/8/8/4K3 w i", "FEN with an unknown castling right; expected KQkq, A-H, a-h or -"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        Position p;
        const char *wrong = fen_parse(cases[i][0], strlen(cases[i][0]), &p, NULL);
        assert_string_equal(wrong ? wrong : cases[i][0], cases[i][1]);
    }
}

// Counters of up to six digits; the move number begins with 1.
static void test_counters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int halfmove, fullmove;
    } cases[] = {{"0 0", 0, 1},
                 {"1 1", 1, 1},
                 {"7 2", 7, 2},
                 {"999999 999999", 999999, 999999},
                 {"1000000 1000000", 0, 1},
                 {"5", 5, 1},
                 {"", 0, 1},
                 {"05 007", 5, 7}};
    for (size_t i = 0; i < LENGTH(cases); i++) {
        Position p;
        FenClocks clocks;
        char fen[80];
        snprintf(fen, sizeof fen, "4k3/8/8/8/8/8/8/4K3 w - - %s", cases[i].text);
        assert_null(fen_parse(fen, strlen(fen), &p, &clocks));
        assert_int_equal(clocks.halfmove, cases[i].halfmove);
        assert_int_equal(clocks.fullmove, cases[i].fullmove);
    }
}

// The text ends where its length says, whatever follows.
static void test_length(void **state)
{
    (void)state;
    static const char text[] = "4k3/8/8/8/8/8/8/4K2R w K - 5 6";
    Position p;
    FenClocks clocks;
    assert_null(fen_parse(text, strlen("4k3/8/8/8/8/8/8/4K2R w K - 5"), &p, &clocks));
    assert_int_equal(clocks.halfmove, 5);
    assert_int_equal(clocks.fullmove, 1);
    assert_non_null(fen_parse(text, strlen("4k3/8/8/8/8/8/8/4K2R"), &p, NULL));
    assert_non_null(fen_parse("4k3/8/8/8/8/8/8/4K2\0"
                              "1 w",
                              23, &p, NULL)); // a NUL is not a piece, and no right
    assert_non_null(fen_parse("4k3/8/8/8/8/8/8/4K2R w K\0 - 0 1", 32, &p, NULL));
    assert_null(fen_parse("4k3/8/8/8/8/8/8/4K2R w K- - 0 1", 32, &p, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),      cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_completion), cmocka_unit_test(test_no_position),
        cmocka_unit_test(test_length),     cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
