// Attacks, checks, making moves, and which moves there are.
#include "test_chess.h"

#include "runtime/chess/sliders.h"

static Bitboard set_of(const char *names)
{
    Bitboard set = 0;
    for (; *names; names += 2)
        set |= bb_of(square_of(names));
    return set;
}

// The attacks of a slider by walking, as language reference 3.3 puts it.
static Bitboard walk(int square, Bitboard occupied, bool diagonal)
{
    static const int steps[2][4][2] = {{{0, 1}, {0, -1}, {1, 0}, {-1, 0}},
                                       {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
    Bitboard attacked = 0;
    for (int i = 0; i < 4; i++) {
        int file = square_file(square) + steps[diagonal][i][0],
            rank = square_rank(square) + steps[diagonal][i][1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            attacked |= bb_of(rank * 8 + file);
            if (occupied & bb_of(rank * 8 + file))
                break;
            file += steps[diagonal][i][0];
            rank += steps[diagonal][i][1];
        }
    }
    return attacked;
}

static void test_slider_attacks(void **state)
{
    (void)state;
    uint64_t random = 0x9E3779B97F4A7C15ULL;
    for (int i = 0; i < 200000; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        const Bitboard occupied = i & 1 ? random : random & random << 23;
        const int square = i & 63;
        assert_int_equal(slider_rook(square, occupied), walk(square, occupied, false));
        assert_int_equal(slider_bishop(square, occupied), walk(square, occupied, true));
    }
}

static void test_tables(void **state)
{
    (void)state;
    const int a1 = square_of("a1"), d4 = square_of("d4"), h8 = square_of("h8"), b3 = square_of("b3");
    assert_int_equal(knight_table[a1], set_of("b3c2"));
    assert_int_equal(knight_table[d4], set_of("b3b5c2c6e2e6f3f5"));
    assert_int_equal(king_table[h8], set_of("g8g7h7"));
    assert_int_equal(pawn_table[WHITE][d4], set_of("c5e5"));
    assert_int_equal(pawn_table[BLACK][d4], set_of("c3e3"));
    assert_int_equal(pawn_table[WHITE][a1], set_of("b2"));
    assert_int_equal(pawn_table[WHITE][h8], 0);
    assert_int_equal(between_table[a1][d4], set_of("b2c3"));
    assert_int_equal(between_table[d4][a1], set_of("b2c3"));
    assert_int_equal(between_table[a1][b3], 0);
    assert_int_equal(line_table[d4][square_of("e5")], set_of("a1b2c3d4e5f6g7h8"));
    assert_int_equal(line_table[d4][square_of("d8")], set_of("d1d2d3d4d5d6d7d8"));
    assert_int_equal(line_table[a1][b3], 0);
    assert_int_equal(line_table[d4][d4], 0);
    assert_int_equal(ray_table[NORTH][d4], set_of("d5d6d7d8"));
    assert_int_equal(ray_table[NORTH_EAST][d4], set_of("e5f6g7h8"));
    assert_int_equal(ray_table[EAST][d4], set_of("e4f4g4h4"));
    assert_int_equal(ray_table[SOUTH_EAST][d4], set_of("e3f2g1"));
    assert_int_equal(ray_table[SOUTH][d4], set_of("d3d2d1"));
    assert_int_equal(ray_table[SOUTH_WEST][d4], set_of("c3b2a1"));
    assert_int_equal(ray_table[WEST][d4], set_of("c4b4a4"));
    assert_int_equal(ray_table[NORTH_WEST][d4], set_of("c5b6a7"));
}

static void test_attacks_from_and_to(void **state)
{
    (void)state;
    const Position p = position_of("4k2P/8/3p4/8/3R1n2/8/1B4P1/4K2q w - - 0 1");
    assert_int_equal(attacks_from(&p, square_of("d4")), set_of("d1d2d3d5d6a4b4c4e4f4"));
    assert_int_equal(attacks_from(&p, square_of("b2")), set_of("a1c1a3c3d4"));
    assert_int_equal(attacks_from(&p, square_of("f4")), set_of("d3d5e2e6g2g6h3h5"));
    assert_int_equal(attacks_from(&p, square_of("d6")), set_of("c5e5"));
    assert_int_equal(attacks_from(&p, square_of("g2")), set_of("f3h3"));
    assert_int_equal(attacks_from(&p, square_of("h8")), 0); // a pawn on its last rank
    assert_int_equal(attacks_from(&p, square_of("e1")), set_of("d1d2e2f2f1"));
    assert_int_equal(attacks_from(&p, square_of("a8")), 0);
    assert_int_equal(attackers_to(&p, square_of("g2"), p.board[BOARD_OCCUPIED]), set_of("f4h1"));
    assert_int_equal(attackers_to(&p, square_of("d4"), p.board[BOARD_OCCUPIED]), set_of("b2"));
    assert_int_equal(attackers_of_colour(&p, square_of("e1"), BLACK), set_of("h1"));
    assert_int_equal(attackers_of_colour(&p, square_of("e1"), WHITE), 0);
    assert_true(pos_in_check(&p, WHITE));
    assert_false(pos_in_check(&p, BLACK));
}

static void check_fen_after(const char *fen, const char *moves, const char *expected)
{
    Position p = position_of(fen);
    char out[FEN_MAX];
    play(&p, moves);
    fen_write(&p, (FenClocks){0, 1}, out);
    assert_string_equal(out, expected);
}

static void test_make(void **state)
{
    (void)state;
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    static const char rooks[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    // The square passed over is kept whether or not a pawn can capture there.
    check_fen_after(start, "e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    check_fen_after(start, "e4 a6", "rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    check_fen_after(start, "e3 h5", "rnbqkbnr/ppppppp1/8/7p/8/4P3/PPPP1PPP/RNBQKBNR w KQkq h6 0 1");
    check_fen_after(start, "e4 --", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    // Rights end with a move of the king, with a move of the rook, and with its capture.
    check_fen_after(rooks, "Ke2", "r3k2r/8/8/8/8/8/4K3/R6R b kq - 0 1");
    check_fen_after(rooks, "Ra2", "r3k2r/8/8/8/8/8/R7/4K2R b Kkq - 0 1");
    check_fen_after(rooks, "Rg1", "r3k2r/8/8/8/8/8/8/R3K1R1 b Qkq - 0 1");
    check_fen_after(rooks, "Rxa8", "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
    check_fen_after(rooks, "O-O Kd7", "r6r/3k4/8/8/8/8/8/R4RK1 w - - 0 1");
    check_fen_after(rooks, "Rxh8 -- Rh1 --", "r3k3/8/8/8/8/8/8/R3K2R w Qq - 0 1");
    check_fen_after("4k3/6P1/8/8/8/8/8/4K3 w - - 0 1", "g8=N", "4k1N1/8/8/8/8/8/8/4K3 b - - 0 1");
}

static void test_castling_move(void **state)
{
    (void)state;
    const Position p = position_of("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1");
    Move m;
    assert_false(pos_castling_move(&p, 0, true, &m));
    assert_true(pos_castling_move(&p, 0, false, &m));
    assert_int_equal(m.to, square_of("g1"));
    assert_true(pos_castling_move(&p, 1, true, &m));
    assert_int_equal(m.rook_to, square_of("d1"));
    assert_int_equal(m.flags, MOVE_CASTLE_QUEEN);
}

// Without a right king and rook must be at home, the squares between them empty, and those of the king safe (4.2.1).
static void test_castling_without_right(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        bool may[2]; // kingside, queenside
    } cases[] = {
        {"4k3/8/8/8/8/8/8/R3K2R w - - 0 1", {true, true}},
        {"4k3/8/8/8/8/8/8/RN2K2R w - - 0 1", {true, false}},
        {"4k3/8/8/8/8/8/8/R1N1K2R w - - 0 1", {true, false}},
        {"4k3/8/8/8/8/8/8/R2NK2R w - - 0 1", {true, false}},
        {"4k3/8/8/8/8/8/8/R3KB1R w - - 0 1", {false, true}},
        {"4k3/8/8/8/8/8/8/R3K1nR w - - 0 1", {false, true}},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", {true, false}},
        {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {false, true}},
        {"4k3/8/8/8/8/8/8/b3K2R w - - 0 1", {true, false}},
        {"4k3/8/8/8/8/8/8/R3K2b w - - 0 1", {false, true}},
        {"4k3/8/8/8/8/8/8/R3K2N w - - 0 1", {false, true}},
        {"4k3/8/8/8/8/8/8/R2K3R w - - 0 1", {false, false}},
        {"4k3/8/8/8/8/8/8/R4K1R w - - 0 1", {false, false}},
        {"4k3/8/8/8/8/8/4K3/R6R w - - 0 1", {false, false}},
        {"1r5k/8/8/8/8/8/8/R3K2R w - - 0 1", {true, true}},
        {"2r4k/8/8/8/8/8/8/R3K2R w - - 0 1", {true, false}},
        {"3r3k/8/8/8/8/8/8/R3K2R w - - 0 1", {true, false}},
        {"4r2k/8/8/8/8/8/8/R3K2R w - - 0 1", {false, false}},
        {"5r1k/8/8/8/8/8/8/R3K2R w - - 0 1", {false, true}},
        {"6r1/7k/8/8/8/8/8/R3K2R w - - 0 1", {false, true}},
        {"k6r/8/8/8/8/8/8/R3K2R w - - 0 1", {true, true}},
        {"r3k2r/8/8/8/8/8/8/4K3 b - - 0 1", {true, true}},
        {"rn2k2r/8/8/8/8/8/8/4K3 b - - 0 1", {true, false}},
        {"r3kb1r/8/8/8/8/8/8/4K3 b - - 0 1", {false, true}},
        {"r2k3r/8/8/8/8/8/8/4K3 b - - 0 1", {false, false}},
        {"r3k2R/8/8/8/8/8/8/4K3 b - - 0 1", {false, false}}, // in check
        {"r3k2B/8/8/8/8/8/8/4K3 b - - 0 1", {false, true}},
        {"r3k2r/8/8/8/8/8/8/3R3K b - - 0 1", {true, false}},
        {"r3k2r/8/8/8/8/8/8/5R1K b - - 0 1", {false, true}},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const Position p = position_of(cases[i].fen);
        const int back = p.side == WHITE ? 0 : 56;
        for (int wing = 0; wing < 2; wing++) {
            Move m;
            assert_false(pos_castling_move(&p, wing, true, &m));
            if (pos_castling_move(&p, wing, false, &m) != cases[i].may[wing])
                fail_msg("%s: wing %d", cases[i].fen, wing);
            if (!cases[i].may[wing])
                continue;
            assert_int_equal(m.from, back + 4);
            assert_int_equal(m.to, back + (wing == 0 ? 6 : 2));
            assert_int_equal(m.rook_from, back + (wing == 0 ? 7 : 0));
            assert_int_equal(m.rook_to, back + (wing == 0 ? 5 : 3));
            assert_int_equal(m.flags, wing == 0 ? MOVE_CASTLE_KING : MOVE_CASTLE_QUEEN);
        }
    }
}

static int legal_count(const char *fen)
{
    const Position p = position_of(fen);
    Move moves[MAX_MOVES];
    const int count = pos_legal_moves(&p, moves);
    assert_int_equal(pos_has_legal_move(&p), count > 0);
    return count;
}

static void test_number_of_moves(void **state)
{
    (void)state;
    // Petrovic's position has the most moves that are known to be reachable.
    assert_int_equal(legal_count("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"), 218);
    assert_int_equal(legal_count("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"),
                     0);                                                // fool's mate
    assert_int_equal(legal_count("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 0); // stalemate
    // The capture in passing alone answers the check of the pawn: the black pieces guard every square around
    // the king.
    assert_int_equal(legal_count("k2r1r2/8/2n5/3pP3/4K3/r7/8/8 w - d6 0 1"), 1);
    assert_int_equal(legal_count("k2r1r2/8/2n5/3pP3/4K3/r7/8/8 w - - 0 1"), 0);
    // The king cannot be taken, wherever it is: 12 moves of the rook (14 less those onto the kings), 5 of
    // the king.
    assert_int_equal(legal_count("4k3/8/4R3/8/8/8/8/4K3 w - - 0 1"), 12 + 5);
    // A pawn on its own first rank steps once; one on its last rank does not move.
    assert_int_equal(legal_count("7k/8/8/8/8/8/8/P6K w - - 0 1"), 1 + 3);
    assert_int_equal(legal_count("P6k/8/8/8/8/8/8/7K w - - 0 1"), 3);
    // In Chess960 castling can be the only move: the king stays where it is.
    assert_int_equal(legal_count("4k3/8/8/8/7p/4n2P/1r5P/6KR w H - 0 1"), 1);
    assert_int_equal(legal_count("4k3/8/8/8/7p/4n2P/1r5P/6KR w - - 0 1"), 0);
}

// Positions without kings are no games of chess, but nothing breaks.
static void test_without_kings(void **state)
{
    (void)state;
    Position p = {.en_passant = NO_SQUARE, .rook_file = {7, 0, 7, 0}};
    p.square[square_of("a1")] = WHITE_ROOK;
    pos_rebuild(&p);
    Move moves[MAX_MOVES], m;
    assert_int_equal(pos_legal_moves(&p, moves), 14);
    assert_false(pos_in_check(&p, WHITE));
    assert_int_equal(parse(&p, "Ra8", &m), SAN_OK);
    assert_int_equal(parse(&p, "Ke2", &m), SAN_ILLEGAL);
    assert_int_equal(parse(&p, "O-O", &m), SAN_ILLEGAL);
    m = pos_null_move(&p);
    assert_int_equal(m.from, 0);
    assert_int_equal(m.to, 0);
}

// Whether there is a check is found from the board, whatever was known: with a king on each side that are not neighbours, and
// no check by the side to move.
static void test_find_check(void **state)
{
    (void)state;
    static const struct {
        const char *fen;
        char take; // a king of either side is taken away, or there is one more
        int check;
    } cases[] = {
        {"4k3/8/8/8/8/8/8/K7 w", 0, CHECK_NONE},       {"4K3/8/8/8/8/8/8/k7 w", 0, CHECK_NONE},
        {"4k3/8/8/8/8/8/8/4K3 w", 0, CHECK_NONE},      {"4k3/8/8/8/8/4r3/8/4K3 w", 0, CHECK_GIVEN},
        {"4k3/8/8/8/8/4r3/8/4K3 b", 0, CHECK_UNKNOWN}, {"4k3/4R3/8/8/8/8/8/4K3 w", 0, CHECK_UNKNOWN},
        {"4k3/4R3/8/8/8/8/8/4K3 b", 0, CHECK_GIVEN},   {"8/8/8/8/8/8/4k3/4K3 w", 0, CHECK_UNKNOWN},
        {"8/8/8/8/8/8/4k3/4K3 b", 0, CHECK_UNKNOWN},   {"8/8/8/8/8/4k3/8/4K3 b", 0, CHECK_NONE},
        {"4k3/8/8/8/8/8/8/4K3 w", '-', CHECK_UNKNOWN}, {"4k3/8/8/8/8/8/8/4K3 b", '-', CHECK_UNKNOWN},
        {"4k3/8/8/8/8/8/8/4K3 w", '+', CHECK_UNKNOWN}, {"4k3/8/8/8/8/8/8/4K3 b", '+', CHECK_UNKNOWN},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (int known = CHECK_UNKNOWN; known <= CHECK_GIVEN; known++)
            for (int colour = WHITE; colour <= BLACK; colour++) {
                Position p = position_of(cases[i].fen);
                if (cases[i].take == '-')
                    p.square[colour == WHITE ? 4 : 60] = EMPTY;
                if (cases[i].take == '+')
                    p.square[colour == WHITE ? 7 : 63] = (uint8_t)piece_make(colour, WHITE_KING);
                if (cases[i].take)
                    pos_rebuild(&p);
                p.check = (uint8_t)known;
                pos_find_check(&p);
                if (p.check != cases[i].check)
                    fail_msg("%s: %d", cases[i].fen, p.check);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_check),
        cmocka_unit_test(test_slider_attacks),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_attacks_from_and_to),
        cmocka_unit_test(test_make),
        cmocka_unit_test(test_castling_move),
        cmocka_unit_test(test_castling_without_right),
        cmocka_unit_test(test_number_of_moves),
        cmocka_unit_test(test_without_kings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
