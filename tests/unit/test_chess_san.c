// Reading moves: every form of the language reference 9.4.1, legality by 4.2.1; writing them (10.2.2).
#include <stdio.h>

#include "runtime/chess/usual.h"
#include "test_chess.h"

// A text, read in a position, and what it means: "e2e4" with the squares of the move, or a refusal.
typedef struct Case {
    const char *text, *squares;
    SanResult result;
} Case;

static void check(const char *fen, const Case *cases, size_t count)
{
    const Position p = position_of(fen);
    for (size_t i = 0; i < count; i++) {
        Move m;
        const SanResult result = parse(&p, cases[i].text, &m);
        if (result != cases[i].result)
            fail_msg("%s: %s gives %d", fen, cases[i].text, result);
        if (result == SAN_OK &&
            (m.from != square_of(cases[i].squares) || m.to != square_of(cases[i].squares + 2)))
            fail_msg("%s: %s goes from %d to %d", fen, cases[i].text, m.from, m.to);
    }
}
#define CHECK(fen, cases) check(fen, cases, LENGTH(cases))

#define OK(text, squares)                                                                                    \
    {                                                                                                        \
        text, squares, SAN_OK                                                                                \
    }
#define ILLEGAL(text)                                                                                        \
    {                                                                                                        \
        text, "", SAN_ILLEGAL                                                                                \
    }
#define AMBIGUOUS(text)                                                                                      \
    {                                                                                                        \
        text, "", SAN_AMBIGUOUS                                                                              \
    }
#define NO_MOVE(text)                                                                                        \
    {                                                                                                        \
        text, "", SAN_NOT_A_MOVE                                                                             \
    }

static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static void test_forms(void **state)
{
    (void)state;
    static const Case cases[] = {
        OK("e4", "e2e4"),    OK("e3", "e2e3"),     OK("Pe4", "e2e4"),    OK("e2e4", "e2e4"),
        OK("e2-e4", "e2e4"), OK("Pe2-e4", "e2e4"), OK("Nf3", "g1f3"),    OK("Ngf3", "g1f3"),
        OK("N1f3", "g1f3"),  OK("Ng1f3", "g1f3"),  OK("Ng1-f3", "g1f3"), OK("Nf3:", "g1f3"),
        OK("N:f3", "g1f3"),  OK("g1f3", "g1f3"),   OK("g1-f3", "g1f3"),  ILLEGAL("e5"),
        ILLEGAL("Nf4"),      ILLEGAL("Nbf3"),      ILLEGAL("N2f3"),      ILLEGAL("Ke2"),
        ILLEGAL("Ra2"),      ILLEGAL("e7e5"),      ILLEGAL("e2e5"),      ILLEGAL("Pg1f3"),
        ILLEGAL("exd3"),     ILLEGAL("ed"),        ILLEGAL("Nf"),        ILLEGAL("e4=Q"),
        ILLEGAL("g1f3Q"),    ILLEGAL("O-O"),       ILLEGAL("O-O-O"),     ILLEGAL("Ke1"),
        ILLEGAL("Kg1"),      NO_MOVE("nf3"),       NO_MOVE("ng1-f3"),    NO_MOVE("pe4"),
        ILLEGAL("bb3"),      ILLEGAL("bb5"),       ILLEGAL("e1g1"),      ILLEGAL("Pe5"),
        ILLEGAL("e4="),      ILLEGAL("e4=K"),      ILLEGAL("e4=P"),      ILLEGAL("e4q"),
        ILLEGAL("e4(Q)"),    ILLEGAL("e4(n)"),     ILLEGAL("e4()"),      ILLEGAL("e4(Q"),
        ILLEGAL("e4(x)"),    ILLEGAL("e4Q)"),      ILLEGAL("e4(QQ)"),    ILLEGAL("e4=QQ"),
        ILLEGAL("e4=y"),     ILLEGAL("e4y"),       NO_MOVE("k:f-3"),     NO_MOVE("nf3"),
        NO_MOVE("n1f3"),     NO_MOVE("kf"),        NO_MOVE("n3"),        NO_MOVE("rx-"),
        NO_MOVE("qf3!"),     NO_MOVE("sf3"),       NO_MOVE("0000"),      OK("<>", "e1e1"),
        OK("@@@@", "e1e1"),  NO_MOVE("novelty"),   NO_MOVE("e"),         NO_MOVE(""),
        NO_MOVE("N"),        NO_MOVE("Nf3x!"),     NO_MOVE("0-0-0-0"),   NO_MOVE("O"),
        NO_MOVE("-"),        OK("---", "e1e1"),    NO_MOVE("Nxx"),       NO_MOVE("O--O"),
        NO_MOVE("-O-O"),     OK("♘f3", "g1f3"),    OK("♞g1–f3", "g1f3"), NO_MOVE("♡f3"),
        NO_MOVE("z0"),       NO_MOVE("NULL"),      ILLEGAL("e4e.p."),    NO_MOVE("O-O-"),
    };
    CHECK(start, cases);
}

static void test_pawn_captures(void **state)
{
    (void)state;
    static const Case cases[] = {
        OK("exd5", "e4d5"),  OK("ed5", "e4d5"),   OK("ed", "e4d5"),    OK("exd", "e4d5"),  OK("e:d5", "e4d5"),
        OK("Pexd5", "e4d5"), OK("e4xd5", "e4d5"), OK("e4:d5", "e4d5"), OK("e4d5", "e4d5"), OK("cd", "c4d5"),
        OK("ed5:", "e4d5"),  ILLEGAL("gd5"),      ILLEGAL("exf5"),     ILLEGAL("ee5"),     ILLEGAL("ad"),
        ILLEGAL("dxe4"),     ILLEGAL("e4d5e6"),
    };
    CHECK("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", cases);
    // The short capture looks at every rank, and at two captures of one file it fails.
    static const Case two[] = {AMBIGUOUS("ed"), OK("exd3", "e2d3"), OK("exd5", "e4d5")};
    CHECK("4k3/8/8/3p4/4P3/3p4/4P3/4K3 w - - 0 1", two);
    // One of the two captures is pinned away.
    static const Case pinned[] = {OK("ed", "e2d3"), ILLEGAL("exd5")};
    CHECK("4k3/8/8/3p4/3KP2r/3p4/4P3/8 w - - 0 1", pinned);
}

// Pawns on the first rank of their side, which a FEN may have, go one step; so do those before the last.
static void test_pawns_at_edges(void **state)
{
    (void)state;
    static const Case white[] = {OK("a2", "a1a2"), OK("h2", "h1h2"), ILLEGAL("a3"), OK("h8=Q", "h7h8"),
                                 ILLEGAL("a1")};
    CHECK("4k3/7P/8/8/8/8/8/P3K2P w - - 0 1", white);
    static const Case black[] = {OK("h7", "h8h7"), OK("a7", "a8a7"), ILLEGAL("h6"), OK("a1=Q", "a2a1"),
                                 ILLEGAL("h8")};
    CHECK("p3k2p/8/8/8/8/8/p7/4K3 b - - 0 1", black);
}

static void test_en_passant(void **state)
{
    (void)state;
    static const char fen[] = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
    static const Case cases[] = {OK("exd6", "e5d6"), OK("ed", "e5d6"), OK("e5d6", "e5d6"), ILLEGAL("exf6"),
                                 ILLEGAL("d6")};
    CHECK(fen, cases);
    Position p = position_of(fen);
    Move m;
    assert_int_equal(parse(&p, "exd6", &m), SAN_OK);
    assert_int_equal(m.flags, MOVE_CAPTURE | MOVE_EN_PASSANT);
    assert_int_equal(m.victim, square_of("d5"));
    pos_play(&p, m);
    assert_int_equal(p.square[square_of("d5")], EMPTY);
    assert_int_equal(p.square[square_of("d6")], WHITE_PAWN);

    // Both pawns leave the rank between king and rook.
    static const Case rank[] = {ILLEGAL("bxc6"), ILLEGAL("bc"), OK("b6", "b5b6")};
    CHECK("8/8/8/KPp4r/8/8/8/7k w - c6 0 1", rank);
    // The capturing pawn leaves a diagonal pin.
    static const Case diagonal[] = {ILLEGAL("exd6"), ILLEGAL("e6")};
    CHECK("7k/8/5b2/3pP3/3K4/8/8/8 w - d6 0 1", diagonal);
    // The pawn that gives check is taken in passing.
    static const Case check_ended[] = {OK("dxc3", "d4c3"), ILLEGAL("d3")};
    CHECK("8/8/8/1k6/2Pp4/8/4P3/6K1 b - c3 0 1", check_ended);
    // The right lasts one move.
    p = pos_start;
    play(&p, "e4 a6 e5 d5 a3 a5");
    assert_int_equal(parse(&p, "exd6", &m), SAN_ILLEGAL);
}

static void test_promotions(void **state)
{
    (void)state;
    static const Case cases[] = {
        OK("a8=Q", "a7a8"),  OK("a8Q", "a7a8"),   OK("a8=N", "a7a8"),  OK("axb8=R", "a7b8"),
        OK("abR", "a7b8"),   OK("ab=B", "a7b8"),  OK("a7a8Q", "a7a8"), OK("a7xb8=N", "a7b8"),
        OK("Pa8=B", "a7a8"), ILLEGAL("a8"),       ILLEGAL("a8=K"),     OK("a8=q", "a7a8"),
        OK("a8q", "a7a8"),   OK("a8(Q)", "a7a8"), ILLEGAL("a8=P"),     OK("a7a8q", "a7a8"),
        ILLEGAL("axb8"),     ILLEGAL("ab"),       OK("a8b", "a7a8"),   ILLEGAL("a8="),
        ILLEGAL("c8=Q"),     ILLEGAL("g3=Q"),     ILLEGAL("a8=Queen"), OK("a8/Q", "a7a8"),
    };
    static const char fen[] = "1n5k/P1p5/8/8/8/8/6P1/4K3 w - - 0 1";
    CHECK(fen, cases);
    const Position p = position_of(fen);
    Move m;
    assert_int_equal(parse(&p, "axb8=R", &m), SAN_OK);
    assert_int_equal(m.promoted, WHITE_ROOK);
    assert_int_equal(m.piece, WHITE_PAWN);
    assert_int_equal(m.flags, MOVE_CAPTURE);
    static const Case black[] = {OK("h1=N", "h2h1"), OK("hg=Q", "h2g1"), ILLEGAL("h1")};
    CHECK("7k/8/8/8/8/8/7p/K5N1 b - - 0 1", black);
}

static void test_disambiguation(void **state)
{
    (void)state;
    static const Case knights[] = {
        OK("Nb4d3", "b4d3"), OK("Nf4d3", "f4d3"), OK("N2d3", "b2d3"), AMBIGUOUS("Nd3"),
        AMBIGUOUS("N4d3"),   AMBIGUOUS("Nbd3"),   OK("Nfd3", "f4d3"), ILLEGAL("Nad3"),
    };
    CHECK("7k/8/8/8/1N3N2/8/1N6/K7 w - - 0 1", knights);
    // A pinned rival does not count; a pinned piece may move along the line only.
    static const Case pinned[] = {OK("Nd4", "f5d4"), ILLEGAL("Ned4"), ILLEGAL("Ne2d4")};
    CHECK("4r2k/8/8/5N2/8/8/4N3/4K3 w - - 0 1", pinned);
    static const Case along[] = {OK("Re7", "e2e7"), OK("Rxe8", "e2e8"), ILLEGAL("Rd2")};
    CHECK("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", along);
    // In check both the block and the capture are moves, others are not.
    static const Case in_check[] = {OK("Be2", "f1e2"), OK("Rxe8", "a8e8"), ILLEGAL("Ra1"), OK("Kd1", "e1d1"),
                                    ILLEGAL("Ke2")};
    CHECK("R3r2k/8/8/8/8/8/8/4KB2 w - - 0 1", in_check);
    // The king's origin is never in doubt, whatever is written.
    static const Case king[] = {OK("Kef1", "e1f1"), OK("Ka5f1", "e1f1"), ILLEGAL("Kf2"), ILLEGAL("Kef2")};
    CHECK("7k/8/8/8/8/8/r7/4K3 w - - 0 1", king);
}

static void test_king_is_never_taken(void **state)
{
    (void)state;
    static const Case cases[] = {ILLEGAL("Rxe8"), ILLEGAL("dxe8=Q"), ILLEGAL("e6e8"), ILLEGAL("de=Q"),
                                 OK("Re7", "e6e7")};
    CHECK("4k3/3P4/4R3/8/8/8/8/4K3 w - - 0 1", cases);
    // Two kings side by side, as a diagram may have it: the one to move can only go away.
    static const Case kings[] = {ILLEGAL("Kxe2"), ILLEGAL("Kd1"), ILLEGAL("Kf2"), OK("Kc1", "d1c1")};
    CHECK("8/8/8/8/8/8/4k3/3K4 w - - 0 1", kings);
}

static void test_null_moves(void **state)
{
    (void)state;
    static const char *const names[] = {"--", "null", "Z0"};
    // In check, and with a right of en passant.
    const Position p = position_of("r3k2r/8/8/3pP3/8/8/4r3/R3K2R w KQkq d6 0 1");
    for (size_t i = 0; i < LENGTH(names); i++) {
        Move m;
        Position next;
        assert_int_equal(parse(&p, names[i], &m), SAN_OK);
        assert_int_equal(m.flags, MOVE_NULL);
        assert_int_equal(m.from, square_of("e1"));
        assert_int_equal(m.to, square_of("e1"));
        assert_int_equal(m.victim, NO_SQUARE);
        pos_make(&next, &p, m);
        assert_int_equal(next.side, BLACK);
        assert_int_equal(next.en_passant, NO_SQUARE);
        assert_int_equal(next.castling, 15);
        assert_memory_equal(next.board, p.board, sizeof p.board);
    }
}

static void test_castling(void **state)
{
    (void)state;
    static const Case right[] = {
        OK("O-O", "e1g1"),   OK("0-0", "e1g1"),  OK("o-o", "e1g1"),   OK("OO", "e1g1"),
        OK("O-O-O", "e1c1"), OK("000", "e1c1"),  OK("0-0-0", "e1c1"), OK("Kg1", "e1g1"),
        OK("Kc1", "e1c1"),   OK("e1g1", "e1g1"), OK("e1-c1", "e1c1"), OK("Kf1", "e1f1"),
        ILLEGAL("Kh1"),      ILLEGAL("Kxh1"),    ILLEGAL("e1h1"),     ILLEGAL("Kb1"),
    };
    CHECK("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", right);
    static const Case no_right[] = {OK("O-O", "e1g1"), OK("O-O-O", "e1c1"), ILLEGAL("Kg1"), ILLEGAL("Kc1"),
                                    ILLEGAL("e1g1")};
    CHECK("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", no_right);
    // The rights of the other side are no help.
    static const Case other_side[] = {ILLEGAL("Kc1"), ILLEGAL("e1c1"), OK("Kg1", "e1g1"), ILLEGAL("Ka1")};
    CHECK("4k2r/8/8/8/8/8/8/4K2R w Kkq - 0 1", other_side);
    static const Case black_side[] = {ILLEGAL("Kg8"), ILLEGAL("e8g8"), OK("Kc8", "e8c8"), ILLEGAL("Kh8")};
    CHECK("r3k3/8/8/8/8/8/8/R3K2R b KQq - 0 1", black_side);
    // Attacked: b1 does not matter, d1 and f1 do; no castling out of check or without a rook.
    static const Case b_file[] = {OK("O-O-O", "e1c1"), OK("O-O", "e1g1")};
    CHECK("1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", b_file);
    static const Case f_file[] = {OK("O-O-O", "e1c1"), ILLEGAL("O-O")};
    CHECK("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", f_file);
    static const Case d_file[] = {ILLEGAL("O-O-O"), OK("O-O", "e1g1")};
    CHECK("3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1", d_file);
    static const Case e_file[] = {ILLEGAL("O-O-O"), ILLEGAL("O-O")};
    CHECK("k3r3/8/8/8/8/8/8/R3K2R w KQ - 0 1", e_file);
    static const Case no_rook[] = {ILLEGAL("O-O-O"), ILLEGAL("O-O")};
    CHECK("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", no_rook);
    static const Case blocked[] = {ILLEGAL("O-O-O"), ILLEGAL("O-O")};
    CHECK("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", blocked);
    static const Case moved[] = {ILLEGAL("O-O"), ILLEGAL("O-O-O")};
    CHECK("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", moved);
}

static void test_castling_moves_the_rook(void **state)
{
    (void)state;
    Position p = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    char board[FEN_MAX];
    Move m;
    assert_int_equal(parse(&p, "O-O", &m), SAN_OK);
    assert_int_equal(m.flags, MOVE_CASTLE_KING);
    assert_int_equal(m.rook_from, square_of("h1"));
    assert_int_equal(m.rook_to, square_of("f1"));
    assert_int_equal(m.victim, NO_SQUARE);
    play(&p, "O-O O-O-O");
    fen_write_board(&p, board);
    assert_string_equal(board, "2kr3r/8/8/8/8/8/8/R4RK1");
    assert_int_equal(p.castling, 0);
}

// Kings and rooks elsewhere: the king goes to the g or c file, the rook next to it.
static void test_castling_chess960(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *text, *after; // after: the placement, or NULL when it is illegal
    } cases[] = {
        {"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "O-O", "4k3/8/8/8/8/8/8/1R3RK1"},
        {"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR2R1"},
        {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", "4k3/8/8/8/8/8/8/5RK1"},
        {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "Kxg1", "4k3/8/8/8/8/8/8/5RK1"},
        {"4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "4k3/8/8/8/8/8/8/5RK1"},
        {"4k3/8/8/8/8/8/8/5KR1 w - - 0 1", "Kxg1", NULL},
        {"4k3/8/8/8/8/8/8/6KR w H - 0 1", "O-O", "4k3/8/8/8/8/8/8/5RK1"},
        {"4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR4"},
        {"4k3/8/8/8/8/8/8/RK6 w A - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR4"},
        {"4k3/8/8/8/8/8/8/RK6 w A - 0 1", "Kxa1", "4k3/8/8/8/8/8/8/2KR4"},
        {"4k3/8/8/8/8/8/8/RK6 w A - 0 1", "Kc1", "4k3/8/8/8/8/8/8/R1K5"},
        {"4k3/8/8/8/8/8/8/1K5R w H - 0 1", "O-O", "4k3/8/8/8/8/8/8/5RK1"},
        {"4k3/8/8/8/8/8/8/K6R w H - 0 1", "O-O",
         "4k3/8/8/8/8/8/8/5RK1"}, // no position of Chess960, but castling
        {"4k3/8/8/8/8/8/8/R6K w A - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR4"},
        {"4k3/8/8/8/8/8/8/1K5R w H - 0 1", "b1h1", "4k3/8/8/8/8/8/8/5RK1"},
        // An attacked square on the king's way, a piece on the rook's way, a rook that shields its king.
        {"4kr2/8/8/8/8/8/8/1K5R w H - 0 1", "O-O", NULL},
        {"4k3/8/8/8/8/8/8/RN1K4 w A - 0 1", "O-O-O", NULL},
        {"4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "O-O-O", NULL},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        Position p = position_of(cases[i].fen);
        char board[FEN_MAX];
        Move m;
        if (!cases[i].after) {
            assert_int_equal(parse(&p, cases[i].text, &m), SAN_ILLEGAL);
            continue;
        }
        play(&p, cases[i].text);
        fen_write_board(&p, board);
        assert_string_equal(board, cases[i].after);
    }
}

static void test_writing(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move, *san;
    } cases[] = {
        {start, "e2e4", "e4"},
        {start, "g1f3", "Nf3"},
        {"7k/8/8/8/8/8/4r3/1N3NK1 w - - 0 1", "b1d2", "Nbd2"},
        {"7k/8/8/N7/8/8/8/N5K1 w - - 0 1", "a1b3", "N1b3"},
        {"7k/8/8/8/1N3N2/8/1N6/K7 w - - 0 1", "b4d3", "Nb4d3"},
        {"7k/8/8/8/1N3N2/8/1N6/K7 w - - 0 1", "f4d3", "Nfd3"},
        {"7k/8/8/8/1N3N2/8/1N6/K7 w - - 0 1", "b2d3", "N2d3"},
        {"4r2k/8/8/5N2/8/8/4N3/4K3 w - - 0 1", "f5d4", "Nd4"}, // the other knight is pinned
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
        {"1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8Q", "axb8=Q+"},
        {"1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8N", "a8=N"},
        {"6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", "Ra8#"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", "O-O-O"},
        {"5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O+"},
        {"8/8/8/1k6/2Pp4/8/4P3/6K1 b - c3 0 1", "dc", "dxc3"},
        {"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "--", "--"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const Position p = position_of(cases[i].fen);
        char out[SAN_MAX];
        Move m;
        assert_int_equal(parse(&p, cases[i].move, &m), SAN_OK);
        assert_int_equal(san_write(&p, m, out), strlen(cases[i].san));
        assert_string_equal(out, cases[i].san);
    }
}

static void test_writing_uci(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move, *uci;
    } cases[] = {
        {start, "Nf3", "g1f3"},
        {start, "null", "0000"},
        {"1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=N", "a7b8n"},
        {"4k3/8/8/8/8/8/7p/K7 b - - 0 1", "h1=Q", "h2h1q"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O", "e8g8"},
        {"5kr1/8/8/8/8/8/8/4K3 b g - 0 1", "O-O", "f8g8"},
        {"4k3/8/8/8/8/8/8/1K5R w H - 0 1", "O-O", "b1h1"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const Position p = position_of(cases[i].fen);
        char out[SAN_MAX];
        Move m;
        assert_int_equal(parse(&p, cases[i].move, &m), SAN_OK);
        uci_write(&p, m, out);
        assert_string_equal(out, cases[i].uci);
    }
}

// ---- against the plainest way ------------------------------------------------------------------------------

static uint32_t random_below(uint32_t *seed, uint32_t bound)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 16) % bound;
}

// A position with the kings, up to six white pieces of one kind, and three black ones that may pin them; "": it is none.
static const char *random_fen(uint32_t *seed, char fen[100])
{
    char square[64];
    memset(square, '.', sizeof square);
    for (const char *black = "krbq"; *black; black++)
        square[random_below(seed, 64)] = *black;
    for (uint32_t count = 2 + random_below(seed, 5), kind = random_below(seed, 4); count > 0; count--)
        square[random_below(seed, 64)] = "NBRQ"[kind];
    square[random_below(seed, 64)] = 'K';
    if (!memchr(square, 'k', 64))
        return "";
    char *out = fen;
    for (int i = 0; i < 64; i++) {
        if (i > 0 && i % 8 == 0)
            *out++ = '/';
        *out++ = square[i] == '.' ? '1' : square[i];
    }
    strcpy(out, " w - - 0 1");
    return fen;
}

// The file where no other piece of the kind that can go to the same square is on it, else the rank where none is on that, else
// both (10.2.2).
static void test_writing_origins(void **state)
{
    (void)state;
    uint32_t seed = 11;
    int written[4] = {0};
    for (int round = 0; round < 4000; round++) {
        char fen[100];
        Position p;
        Move moves[MAX_MOVES];
        if (!*random_fen(&seed, fen) || fen_parse(fen, strlen(fen), &p, NULL))
            continue;
        const int count = pos_legal_moves(&p, moves);
        for (int i = 0; i < count; i++) {
            const Move m = moves[i];
            bool any = false, file = false, rank = false;
            char want[8] = "", text[SAN_MAX];
            int n = 0;
            if (piece_type(m.piece) == WHITE_KING)
                continue;
            for (int k = 0; k < count; k++) {
                const Move other = moves[k];
                if (other.piece != m.piece || other.to != m.to || other.from == m.from)
                    continue;
                any = true;
                file |= square_file(other.from) == square_file(m.from);
                rank |= square_rank(other.from) == square_rank(m.from);
            }
            want[n++] = "-PNBRQK"[piece_type(m.piece)];
            if (any && (!file || rank))
                want[n++] = (char)('a' + square_file(m.from));
            if (any && file)
                want[n++] = (char)('1' + square_rank(m.from));
            written[any ? 1 + file + (file && rank) : 0]++;
            if (m.flags & MOVE_CAPTURE)
                want[n++] = 'x';
            want[n++] = (char)('a' + square_file(m.to));
            want[n++] = (char)('1' + square_rank(m.to));
            san_write(&p, m, text);
            text[strcspn(text, "+#")] = '\0';
            if (strcmp(text, want) != 0)
                fail_msg("%s: %s, not %s", fen, text, want);
        }
    }
    for (int i = 0; i < 4; i++)
        assert_true(written[i] > 100); // each kind of origin
}

// What a text says of a move, without the reader's way to find it; -1: nothing.
typedef struct Said {
    int type, from_file, from_rank, to_file, to_rank, promotion;
    bool capture; // of pawns alone; a move with all four coordinates may be one
} Said;

static bool fits(const Said *s, Move m)
{
    const bool pawn = s->type == WHITE_PAWN, named = s->from_file >= 0 && s->from_rank >= 0;
    return (s->type < 0 || piece_type(m.piece) == s->type) &&
           (s->to_rank < 0 || square_rank(m.to) == s->to_rank) && square_file(m.to) == s->to_file &&
           (s->from_file < 0 || square_file(m.from) == s->from_file) &&
           (s->from_rank < 0 || square_rank(m.from) == s->from_rank) &&
           piece_type(m.promoted) == s->promotion &&
           (!pawn || named || s->capture == (square_file(m.from) != square_file(m.to)));
}

// The fast ways to read a text leave it alone, or play the only move that fits, if any; p->check is known.
static void check_fast(const Position *p, const char *text, const Move *fitting)
{
    char padded[16 + SAN_PLAY_BYTES];
    Position next, expected, in_place = *p;
    Move m;
    MoveWord word;
    UsualUndo undo;
    snprintf(padded, sizeof padded, "%s %*s", text, SAN_PLAY_BYTES, "");
    const char *end = san_play(&next, p, padded, &m);
    if (!end != !usual_step(&in_place, padded, &word, &undo) || (end && !fitting))
        fail_msg("%s is played", text);
    if (!end)
        return;
    pos_make(&expected, p, *fitting);
    pos_find_check(&expected);
    assert_memory_equal(&m, fitting, sizeof m);
    assert_ptr_equal(end, padded + strlen(text));
    assert_memory_equal(&next, &expected, sizeof next);
    assert_memory_equal(&in_place, &expected, sizeof in_place);
    assert_int_equal(word, word_of(m));
}

// Reads a text in a position whose legal moves are known.
static void check_said(const Position *p, const Move *moves, int count, const char *text, const Said *s)
{
    Move m, wanted = {0};
    int fitting = 0;
    for (int i = 0; i < count; i++) {
        if (fits(s, moves[i])) {
            fitting++;
            wanted = moves[i];
        }
    }
    const SanResult result = parse(p, text, &m);
    if (result != (fitting == 0   ? SAN_ILLEGAL
                   : fitting == 1 ? SAN_OK
                                  : SAN_AMBIGUOUS) ||
        (fitting == 1 && memcmp(&m, &wanted, sizeof m) != 0))
        fail_msg("%s gives %d, %d moves fit", text, result, fitting);
    if (p->check != CHECK_UNKNOWN)
        check_fast(p, text, fitting == 1 ? &wanted : NULL);
}

// All texts of pawns with a target, with the file before it, and without its rank; all origins and targets; with and without
// promotions.
static void check_pawn_texts(const Position *p, const Move *moves, int count)
{
    for (int k = 0; k < 5; k++) {
        const char *const promotion[] = {"", "=N", "B", "=R", "Q"};
        const int promoted = k > 0 ? k + 1 : 0;
        for (int to = 0; to < 64; to++) {
            const int file = square_file(to), rank = square_rank(to);
            char text[10];
            snprintf(text, sizeof text, "%c%c%s", 'a' + file, '1' + rank, promotion[k]);
            check_said(p, moves, count, text, &(Said){WHITE_PAWN, -1, -1, file, rank, promoted, false});
            for (int from = 0; from < 8; from++) {
                snprintf(text, sizeof text, "%c%s%c%c%s", 'a' + from, rank & 1 ? "x" : "", 'a' + file,
                         '1' + rank, promotion[k]);
                check_said(p, moves, count, text, &(Said){WHITE_PAWN, from, -1, file, rank, promoted, true});
            }
            for (int from = 0; from < 64; from++) {
                const Said said = {-1, square_file(from), square_rank(from), file, rank, promoted, false};
                snprintf(text, sizeof text, "%c%c%c%c%s", 'a' + square_file(from), '1' + square_rank(from),
                         'a' + file, '1' + rank, promotion[k]);
                check_said(p, moves, count, text, &said);
            }
            snprintf(text, sizeof text, "%c%c%s", 'a' + rank, 'a' + file,
                     promotion[k]); // each file with each
            check_said(p, moves, count, text, &(Said){WHITE_PAWN, rank, -1, file, -1, promoted, true});
        }
    }
}

// All texts of pieces other than the king: no origin, its file, its rank, both.
static void check_piece_texts(const Position *p, const Move *moves, int count)
{
    for (int type = WHITE_KNIGHT; type <= WHITE_QUEEN; type++) {
        for (int to = 0; to < 64; to++) {
            for (int from = 0; from < 81; from++) {
                const int from_file = from % 9 - 1, from_rank = from / 9 - 1;
                char text[8], *out = text;
                *out++ = " PNBRQ"[type];
                if (from_file >= 0)
                    *out++ = (char)('a' + from_file);
                if (from_rank >= 0)
                    *out++ = (char)('1' + from_rank);
                snprintf(out, 3, "%c%c", 'a' + square_file(to), '1' + square_rank(to));
                check_said(p, moves, count, text,
                           &(Said){type, from_file, from_rank, square_file(to), square_rank(to), 0, false});
            }
        }
    }
}

static void test_all_texts(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "1n1r4/P1P3P1/8/1pPp2Pk/2P1p3/3p1p2/4P1P1/N3K2N w - d6 0 1",
        "n3k2n/4p1p1/3P1P2/2p1P3/1PpP2pK/8/p1p3p1/1N1R4 b - d3 0 1",
        "7k/8/R5R1/8/3N4/8/B2Q1N1B/R2K2R1 w - - 0 1",
        "r2k2r1/b2q1n1b/8/3n4/8/r5r1/8/7K b - - 0 1",
        "4r2k/8/8/b4N2/8/2P5/3NN3/R3K3 w - - 0 1",
        "4k3/8/8/b3n2q/8/2P2NP1/3PQB1P/R3K2r w - - 0 1",
        "8/P6p/1p4P1/P5pP/p5PP/P6p/1p4P1/K5bk w - - 0 1",
    };
    for (size_t i = 0; i < LENGTH(fens); i++) {
        Position p = position_of(fens[i]);
        Move moves[MAX_MOVES];
        const int count = pos_legal_moves(&p, moves);
        pos_find_check(&p);
        check_pawn_texts(&p, moves, count);
        check_piece_texts(&p, moves, count);
    }
}

// Castling in place: as the rules say, where the king's side is not in check and the position is one of a game.
static void check_castling(const Position *p)
{
    for (int wing = 0; wing < 2; wing++) {
        Position in_place = *p, next = *p, expected;
        Move m, played;
        MoveWord word = 0;
        const char *text = wing == 0 ? "O-O      " : "O-O-O      ";
        const bool good = p->check == CHECK_NONE && pos_castling_move(p, wing, true, &m);
        const char *end = usual_castle(&in_place, text, &word), *other = san_play(&next, p, text, &played);
        if (!end != !good || (good && !other)) {
            char fen[FEN_MAX];
            fen_write(p, (FenClocks){0, 1}, fen);
            fail_msg("%s: %s", fen, text);
        }
        if (!good)
            continue;
        pos_make(&expected, p, m);
        pos_find_check(&expected);
        assert_ptr_equal(end, strchr(text, ' '));
        assert_ptr_equal(other, end);
        assert_int_equal(word, word_of(m));
        assert_memory_equal(&played, &m, sizeof m);
        assert_memory_equal(&in_place, &expected, sizeof expected);
        assert_memory_equal(&next, &expected, sizeof expected);
    }
}

// With any rights, and a man anywhere.
static void test_usual_castling(void **state)
{
    (void)state;
    static const char *const boards[] = {"r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1",
                                         "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
                                         "r3k2r/8/8/8/8/8/8/4K3 w - - 0 1"};
    for (size_t board = 0; board < LENGTH(boards); board++)
        for (int square = 0; square < 64; square++)
            for (int piece = EMPTY; piece < PIECE_CODES; piece++) {
                Position p = position_of(boards[board]);
                const bool king = piece_type(piece) == WHITE_KING;
                if (p.square[square] != EMPTY || (king && board == (size_t)(1 + (piece == BLACK_KING))) ||
                    (king && board == 0) || (piece_type(piece) == WHITE_PAWN && (square < 8 || square > 55)))
                    continue;
                if (king) // it is elsewhere
                    p.square[piece == WHITE_KING ? 4 : 60] = EMPTY;
                p.square[square] = (uint8_t)piece;
                for (int rights = 0; rights < 16; rights++) {
                    if ((board == 1 && rights > 3) || (board == 2 && (rights & 3)))
                        continue;
                    p.castling = (uint8_t)rights;
                    for (int side = WHITE; side <= BLACK; side++) {
                        p.side = (uint8_t)side;
                        pos_rebuild(&p);
                        pos_find_check(&p);
                        check_castling(&p);
                    }
                }
            }
    // a check mark or less may follow, no evaluation
    const Position p = position_of("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    Position now = p;
    pos_find_check(&now);
    for (int after = 0; after < 256; after++)
        for (int wing = 0; wing < 2; wing++) {
            char text[16] = "";
            Position in_place = now, next;
            MoveWord word;
            Move m;
            snprintf(text, sizeof text, "%s%c   ", wing == 0 ? "O-O" : "O-O-O", after);
            assert_int_equal(usual_castle(&in_place, text, &word) != NULL, after <= '+');
            assert_int_equal(san_play(&next, &now, text, &m) != NULL, after <= '+');
        }
    static const char *const evaluated[] = {"O-O-+    ", "O-O-/+   ", "O-O-     ", "O-O-O-   ", "O-O-o    ",
                                            "O-0      ", "O-o      ", "O-x      ", "OO       ", "O-O-0    "};
    for (size_t i = 0; i < LENGTH(evaluated); i++) {
        Position in_place = now, next;
        MoveWord word;
        Move m;
        assert_null(usual_castle(&in_place, evaluated[i], &word));
        assert_null(san_play(&next, &now, evaluated[i], &m));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_usual_castling),
        cmocka_unit_test(test_pawn_captures),
        cmocka_unit_test(test_pawns_at_edges),
        cmocka_unit_test(test_en_passant),
        cmocka_unit_test(test_promotions),
        cmocka_unit_test(test_disambiguation),
        cmocka_unit_test(test_king_is_never_taken),
        cmocka_unit_test(test_null_moves),
        cmocka_unit_test(test_castling),
        cmocka_unit_test(test_castling_moves_the_rook),
        cmocka_unit_test(test_castling_chess960),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_writing_origins),
        cmocka_unit_test(test_writing_uci),
        cmocka_unit_test(test_all_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
