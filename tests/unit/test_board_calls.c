// Functions of one position and generated moves, against results worked out by hand from the language
// reference.
#include <stdio.h>

#include "run_fixture.h"
#include "runtime/chess/setwise.h"
#include "runtime/match/calls/moves.h"

static Position position(const char *fen)
{
    Position p;
    assert_null(fen_parse(fen, strlen(fen), &p, NULL));
    return p;
}

#define START_FROM(fen) "[FEN \"" fen "\"]\n\n"

// ---- attacks ----------------------------------------------------------------------------------------------

static void test_attacks(void **state)
{
    (void)state;
    const Position p = position("4k3/8/8/3p4/4P3/8/8/R3K2R w - - 0 1");
    assert_int_equal(rt_attacked(&p, SQ("e4")), SQ("d5") | SQ("f5"));
    assert_int_equal(rt_attacked(&p, SQ("b2")), 0);
    assert_int_equal(rt_attacked(&p, 0), 0);
    // the rook's attack ends on its own king, which it defends
    assert_true(rt_attacked(&p, SQ("a1")) & SQ("e1"));
    assert_false(rt_attacked(&p, SQ("a1")) & SQ("f1"));
    assert_int_equal(rt_attackers(&p, p.board[BOARD_OCCUPIED], SQ("e1")), SQ("a1") | SQ("h1"));
    assert_int_equal(rt_attackers(&p, BB_ALL, SQ("d5") | SQ("e4")), SQ("d5") | SQ("e4"));
    assert_int_equal(rt_attackers(&p, BB_ALL, 0), 0);
}

static void test_between(void **state)
{
    (void)state;
    assert_int_equal(rt_between(SQ("a1"), SQ("d4")), SQ("b2") | SQ("c3"));
    assert_int_equal(rt_between(SQ("a1"), SQ("b3")), 0);
    assert_int_equal(rt_between(SQ("a1"), SQ("a1") | SQ("a2") | SQ("a4")), SQ("a2") | SQ("a3"));
    assert_int_equal(rt_between(0, BB_ALL), 0);
}

// The table of 3.4: R on a1, N on c1, k on e1.
static void test_chains(void **state)
{
    (void)state;
    const Position p = position("8/8/8/8/8/7K/8/R1N1k3 w - - 0 1");
    const Bitboard R = SQ("a1"), N = SQ("c1"), k = SQ("e1"), none = p.board[EMPTY];
#define FROM(...)                                                                                            \
    rt_chain_from(&p, 0xFF, 1, (const Bitboard[]){__VA_ARGS__},                                              \
                  (int32_t)(sizeof((Bitboard[]){__VA_ARGS__}) / 8))
#define TO(...)                                                                                              \
    rt_chain_to(&p, 0xFF, 1, (const Bitboard[]){__VA_ARGS__},                                                \
                (int32_t)(sizeof((Bitboard[]){__VA_ARGS__}) / 8))
    assert_int_equal(FROM(R, N, k), R);
    assert_int_equal(TO(R, N, k), k);
    assert_int_equal(FROM(R, none, N, k), R);
    assert_int_equal(FROM(R, none, N, none, k), R);
    assert_int_equal(FROM(R, none, none, N, k), 0);
    assert_int_equal(FROM(R, N, BB_ALL), R);
    assert_int_equal(TO(R, N, BB_ALL), SQ("d1") | SQ("e1"));
    assert_int_equal(FROM(R, SQ("c1"), SQ("d1")), R);
    assert_int_equal(FROM(R, k), 0); // the knight is in between
    // a knight never begins a chain
    assert_int_equal(FROM(N, none, k), 0);
    // a chain of two elements at least; as many as a line has squares, and one more
    assert_int_equal(FROM(R), 0);
    assert_int_equal(TO(R), 0);
    assert_int_equal(FROM(R, N), R);
    assert_int_equal(TO(R, N), N);
    const Position q = position("8/8/8/8/8/7K/8/R6k w - - 0 1");
    const Bitboard e = q.board[EMPTY], line[9] = {R, e, e, e, e, e, e, SQ("h1"), BB_ALL};
    assert_int_equal(rt_chain_from(&q, 0xFF, 1, line, 8), R);
    assert_int_equal(rt_chain_to(&q, 0xFF, 1, line, 8), SQ("h1"));
    assert_int_equal(rt_chain_from(&q, 0xFF, 1, line, 9), 0);
    assert_int_equal(rt_chain_to(&q, 0xFF, 1, line, 9), 0);
    assert_int_equal(FROM(R, none, none, none, none, none, none, none, none), 0);
}

static void test_rays(void **state)
{
    (void)state;
    const Position p = position("3k4/8/8/8/3P4/8/8/3K4 w - - 0 1");
    const Bitboard from_pawn[2] = {SQ("d4"), SQ("d8")}, from_king[2] = {SQ("d1"), SQ("d8")};
    const Bitboard through[3] = {SQ("d1"), SQ("d4"), SQ("d8")};
    assert_int_equal(rt_chain_to(&p, 0xFF, 0, from_pawn, 2), SQ("d8"));
    assert_int_equal(rt_chain_to(&p, 1 << NORTH, 0, from_pawn, 2), SQ("d8"));
    assert_int_equal(rt_chain_to(&p, 1 << SOUTH, 0, from_pawn, 2), 0);
    assert_int_equal(rt_chain_to(&p, 0xFF, 0, from_king, 2), 0);
    assert_int_equal(rt_chain_to(&p, 0xFF, 0, through, 3), SQ("d8"));
    assert_int_equal(rt_chain_to(&p, 0xFF, 1, through, 3), 0); // neither king nor pawn slides
}

// ---- pins -------------------------------------------------------------------------------------------------

static Bitboard kings(const Position *p)
{
    return p->board[WHITE_KING] | p->board[BLACK_KING];
}

static void test_pins(void **state)
{
    (void)state;
    // the knight e2 is pinned by the rook; the black bishop d7 is pinned by the queen a4; h-file: two pieces
    // between
    const Position p = position("4k2r/3b4/7n/4r3/Q6N/8/4N3/4K3 w - - 0 1");
    assert_int_equal(rt_pin(&p, BB_ALL, BB_ALL, kings(&p), 0), SQ("e2") | SQ("d7"));
    assert_int_equal(rt_pin(&p, BB_ALL, BB_ALL, kings(&p), 1), SQ("e5") | SQ("a4"));
    assert_int_equal(rt_pin(&p, BB_ALL, BB_ALL, kings(&p), 2), kings(&p));
    assert_int_equal(rt_pin(&p, BB_ALL, SQ("e2"), kings(&p), 1), SQ("e5"));
    assert_int_equal(rt_pin(&p, SQ("h8"), BB_ALL, SQ("h4"), 0), 0); // knight h6 is the rook's own
    // only an empty square follows the knight on e2, too: it may be the target
    const Position q = position("k7/8/8/4r3/8/4N3/8/7K w - - 0 1");
    assert_int_equal(rt_pin(&q, BB_ALL, BB_ALL, SQ("e1"), 0), SQ("e3"));
    assert_int_equal(rt_pin(&q, BB_ALL, BB_ALL, kings(&q), 0), 0);
    // with a piece of the pinning side as the target there is no pin
    const Position r = position("k7/8/8/4r3/8/4N3/8/4n2K w - - 0 1");
    assert_int_equal(rt_pin(&r, BB_ALL, BB_ALL, SQ("e1"), 0), 0);
}

// ---- directions, pawns, material --------------------------------------------------------------------------

static void directions_body(Context *c)
{
    assert_int_equal(rt_direction(c, SQ("a1"), 1 << NORTH, 1, 7), 0x0101010101010100ULL);
    assert_int_equal(rt_direction(c, SQ("h4"), 1 << EAST, 1, 7), 0);
    assert_int_equal(rt_direction(c, SQ("d4"), 1 << NORTH_EAST | 1 << SOUTH_WEST, 1, 1), SQ("e5") | SQ("c3"));
    assert_int_equal(rt_direction(c, SQ("e4"), 1 << NORTH, -1, 1), SQ("e3") | SQ("e4") | SQ("e5"));
    assert_int_equal(rt_direction(c, SQ("e4"), 1 << NORTH_WEST, -1, -1), SQ("f3"));
    assert_int_equal(rt_direction(c, SQ("e4"), 0xFF, 0, 0), SQ("e4"));
    assert_int_equal(rt_direction(c, BB_ALL, 1 << WEST, 7, 7), BB_FILE_A);
    assert_int_equal(rt_direction(c, BB_ALL, 1 << WEST, -7, -7), BB_FILE_A << 7);
    assert_int_equal(rt_direction(c, SQ("a1"), 1 << NORTH | 1 << EAST, -7, 7), BB_FILE_A | 0xFF);
}

static int32_t bad_low, bad_high;

static void bad_direction_body(Context *c)
{
    rt_direction(c, SQ("e4"), 1 << NORTH, bad_low, bad_high);
}

static void test_directions(void **state)
{
    (void)state;
    static const int32_t bad[][2] = {{1, 8}, {-8, 1}, {2, 1}, {-1, -2}, {8, 8}, {-8, -8}};
    with_game("*", directions_body);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char expected[100];
        Fixture f = {.query = {.name = "test", .match_game = bad_direction_body}};
        bad_low = bad[i][0];
        bad_high = bad[i][1];
        fixture_open(&f);
        fixture_play(&f, "*");
        snprintf(expected, sizeof expected,
                 "the direction range %d %d must be within -7 to 7, lower bound first", bad_low, bad_high);
        assert_string_equal(f.result.error ? f.result.error : "", expected);
        assert_false(f.result.matched);
        fixture_close(&f);
    }
}

static void test_pawns(void **state)
{
    (void)state;
    // White: a2 a4 (doubled), b5, e4, h2; Black: c7, e6, g4
    const Position p = position("4k3/2p5/4p3/1P6/P3P1p1/8/P6P/4K3 w - - 0 1");
    assert_int_equal(rt_connected_pawns(&p), SQ("a2") | SQ("a4") | SQ("b5"));
    assert_int_equal(rt_doubled_pawns(&p), SQ("a2") | SQ("a4"));
    // a-pawns: files a and b are free of black pawns; b5: c7 is ahead; e4: e6; h2: g4. Black: c7: b5
    // ahead (below); e6: e4 ahead; g4: h2 ahead
    assert_int_equal(rt_passed_pawns(&p), SQ("a2") | SQ("a4"));
    // an enemy pawn on the next file of the same rank does not stop it, nor does an own pawn ahead
    const Position q = position("4k3/8/8/3Pp3/8/4p3/8/4K3 w - - 0 1");
    assert_int_equal(rt_passed_pawns(&q), SQ("d5") | SQ("e5") | SQ("e3"));
}

static void test_small_things(void **state)
{
    (void)state;
    assert_int_equal(rt_makesquare(STR("e4")), SQ("e4"));
    assert_int_equal(rt_makesquare(STR("h8")), SQ("h8"));
    assert_int_equal(rt_makesquare(STR("e9")), 0);
    assert_int_equal(rt_makesquare(STR("E4")), 0);
    assert_int_equal(rt_makesquare(STR("e44")), 0);
    assert_int_equal(rt_makesquare(STR("")), 0);
    assert_int_equal(rt_makesquare(NULL), 0);
    const Position p = pos_start;
    assert_int_equal(rt_power(&p, BB_ALL), 2 * (8 + 6 + 6 + 10 + 9));
    assert_int_equal(rt_power(&p, SQ("d1") | SQ("e1") | SQ("e4")), 9);
    assert_int_equal(rt_in_check(&p), 0);
    assert_int_equal(rt_has_legal_move(&p), 1);
}

// ---- FEN (3.18) -------------------------------------------------------------------------------------------

static void fen_body(Context *c)
{
    assert_text(rt_fen(c, 0), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_text(rt_fen(c, 1), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_text(rt_fen(c, 2), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 1");
    assert_text(rt_fen(c, 3), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 0 1");
    // the king is back at home, but its right is gone; Black's rook has left a8
    assert_text(rt_fen(c, 5), "rnbqkbnr/1ppp1ppp/8/p3p3/4P3/8/PPPP1PPP/RNBQKBNR b kq - 0 1");
    assert_text(rt_fen(c, 6), "1nbqkbnr/rppp1ppp/8/p3p3/4P3/8/PPPP1PPP/RNBQKBNR w k - 0 1");
}

static void fen_field_body(Context *c)
{
    // rights by history although the FEN denies them; its en passant square does not count
    assert_text(rt_fen(c, 0), "4k3/8/8/3pP3/8/8/8/R3K2R w KQ - 0 1");
}

static void test_fen(void **state)
{
    (void)state;
    with_game("1. e4 e5 2. Ke2 a5 3. Ke1 Ra7 *", fen_body);
    with_game(START_FROM("4k3/8/8/3pP3/8/8/8/R3K2R w - d6 0 1") "*", fen_field_body);
}

// Patterns of one query, one after the other: where the search for one has ended says nothing of the next.
static void fen_patterns_body(Context *c)
{
    static const bool found[] = {false, false, true, true, false, true};
    for (int round = 0; round < 2; round++)
        for (int32_t pattern = 0; pattern < 6; pattern++)
            assert_int_equal(rt_fen_found(c, 0, pattern), found[pattern]);
}

static void test_fen_patterns(void **state)
{
    (void)state;
    static String patterns[6];
    patterns[0] = STR("q.*[x]");
    patterns[1] = STR("[x]");
    patterns[2] = STR("[r]n.*[w]");
    patterns[3] = STR("[p]{8}.*w");
    patterns[4] = STR("8.*[b] ");
    patterns[5] = STR("^[r]");
    Fixture f = {
        .query = {.name = "test", .match_game = fen_patterns_body, .pattern = patterns, .pattern_count = 6}};
    fixture_open(&f);
    fixture_play(&f, "*");
    assert_null(f.result.error);
    fixture_close(&f);
}

// ---- generated moves (4.2.2) ------------------------------------------------------------------------------

static Bitboard legal(Context *c, int32_t n, Bitboard left)
{
    return rt_legal_to(c, n, left, BB_ALL, 0, 0);
}

static void start_body(Context *c)
{
    assert_int_equal(rt_legal_count(c, 0, BB_ALL, BB_ALL, 0, 0), 20);
    assert_int_equal(rt_legal_count(c, 0, BB_ALL, BB_ALL, 0, 1), 20);
    assert_int_equal(rt_legal_from(c, 0, BB_ALL, BB_ALL, 0, 0), 0xFF00ULL | SQ("b1") | SQ("g1"));
    assert_int_equal(rt_legal_to(c, 0, SQ("g1"), BB_ALL, 0, 0), SQ("f3") | SQ("h3"));
    assert_int_equal(rt_legal_to(c, 0, SQ("g1"), SQ("h3"), 0, 0), SQ("h3"));
    assert_int_equal(rt_legal_to(c, 0, 0xFFULL << 56, BB_ALL, 0, 0), 0);
}

static void castling_body(Context *c)
{
    // both wings, though the FEN gives no right; the rook's squares are no destinations
    assert_int_equal(legal(c, 0, SQ("e1")),
                     SQ("d1") | SQ("f1") | SQ("d2") | SQ("e2") | SQ("f2") | SQ("c1") | SQ("g1"));
    // after the rook went h1-h2-h1 only queenside castling is left; after the king moved none
    assert_int_equal(legal(c, 4, SQ("e1")) & (SQ("c1") | SQ("g1")), SQ("c1"));
    assert_int_equal(legal(c, 8, SQ("e1")) & (SQ("c1") | SQ("g1")), 0);
}

static void three_rights_body(Context *c)
{
    // the right that the FEN denies does not count
    assert_int_equal(legal(c, 0, SQ("e1")) & (SQ("c1") | SQ("g1")), SQ("c1") | SQ("g1"));
    assert_int_equal(legal(c, 1, SQ("e8")) & (SQ("c8") | SQ("g8")), SQ("c8") | SQ("g8"));
}

static void four_rights_body(Context *c)
{
    assert_int_equal(legal(c, 0, SQ("e1")) & (SQ("c1") | SQ("g1")), SQ("c1") | SQ("g1"));
    assert_int_equal(legal(c, 1, SQ("e8")) & (SQ("c8") | SQ("g8")), SQ("c8") | SQ("g8"));
    // each rook that has moved has ended one: a1, h8, h1
    assert_int_equal(legal(c, 4, SQ("e1")) & (SQ("c1") | SQ("g1")), SQ("g1"));
    assert_int_equal(legal(c, 5, SQ("e8")) & (SQ("c8") | SQ("g8")), SQ("c8"));
    assert_int_equal(legal(c, 8, SQ("e1")) & (SQ("c1") | SQ("g1")), 0);
}

static void other_rook_body(Context *c)
{
    // the right is that of the rook on b8, which has moved; the one on a8 has not
    assert_int_equal(legal(c, 3, SQ("e8")) & (SQ("c8") | SQ("g8")), SQ("c8") | SQ("g8"));
}

static void attacked_castling_body(Context *c)
{
    // the black rook on f8 covers f1: no castling short, not even pseudolegal; b1 may be attacked
    assert_int_equal(legal(c, 0, SQ("e1")) & (SQ("c1") | SQ("g1")), SQ("c1"));
    assert_int_equal(rt_legal_to(c, 0, SQ("e1"), SQ("c1") | SQ("g1"), 0, 1), SQ("c1"));
}

static void test_castling(void **state)
{
    (void)state;
    with_game("*", start_body);
    with_game(START_FROM("4k3/8/8/8/8/8/8/R3K2R w - - 0 1") "1. Rh2 Kd8 2. Rh1 Ke8 3. Kd1 Kd8 4. Ke1 Ke8 *",
              castling_body);
    with_game(START_FROM("1r2kr2/8/8/8/8/8/8/R3K2R w - - 0 1") "*", attacked_castling_body);
    with_game(START_FROM("rr2k2r/8/8/8/8/8/8/R3K2R w HAhb - 0 1") "1. Ra3 Rb2 2. Ra4 *", other_rook_body);
    static const char *const three[] = {"KQk", "KQq", "Kkq", "Qkq"};
    for (size_t i = 0; i < 4; i++) {
        char pgn[100];
        snprintf(pgn, sizeof pgn, "[FEN \"r3k2r/p6p/8/8/8/8/P6P/R3K2R w %s - 0 1\"]\n\n1. a3 a6 *", three[i]);
        with_game(pgn, three_rights_body);
    }
    with_game(
        START_FROM("r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1") "1. a3 h6 2. Ra2 Rh7 3. Ra1 Rh8 4. Rf1 a6 "
                                                               "5. Rh1 a5 *",
        four_rights_body);
}

static void en_passant_body(Context *c)
{
    // at the root there is never an en passant capture
    assert_int_equal(legal(c, 0, SQ("e5")), SQ("e6"));
    // after ...d7-d5 there is
    assert_int_equal(legal(c, 2, SQ("e5")), SQ("e6") | SQ("d6"));
    assert_int_equal(rt_legal_to(c, 2, BB_ALL, BB_ALL, SQ("d5"), 2), SQ("d6"));
    assert_int_equal(rt_legal_to(c, 2, BB_ALL, BB_ALL, SQ("f5"), 2), 0);
    assert_int_equal(rt_legal_count(c, 2, BB_ALL, BB_ALL, BB_ALL, 2), 1);
    // two plies later no more
    assert_int_equal(legal(c, 4, SQ("e5")), SQ("e6"));
}

static void pinned_en_passant_body(Context *c)
{
    // both pawns leave the fifth rank: the rook on h5 would attack the king on a5
    assert_int_equal(rt_legal_to(c, 2, BB_ALL, BB_ALL, BB_ALL, 2), 0);
    assert_int_equal(rt_legal_to(c, 2, BB_ALL, BB_ALL, BB_ALL, 3), SQ("d6"));
}

static void null_move_body(Context *c)
{
    // Black to move after the null move: the two-step move was his own
    assert_int_equal(rt_legal_count(c, 3, BB_ALL, BB_ALL, BB_ALL, 2), 0);
}

static void test_en_passant(void **state)
{
    (void)state;
    with_game(START_FROM("4k3/3p4/8/4Pp2/8/8/8/4K3 w - f6 0 1") "1. Kd1 d5 2. Kc1 Kd8 *", en_passant_body);
    with_game(START_FROM("4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1") "1. Kd1 d5 2. -- Kd8 *", null_move_body);
    with_game(START_FROM("8/3p3k/8/4P2r/K7/8/8/8 w - - 0 1") "1. Ka5 d5 *", pinned_en_passant_body);
}

static void legality_body(Context *c)
{
    // the promotion counts once, whatever the piece; the king may not step next to the other king
    assert_int_equal(rt_legal_count(c, 0, SQ("h7"), BB_ALL, 0, 0), 1);
    assert_int_equal(legal(c, 0, SQ("a1")), SQ("a2"));
    assert_int_equal(rt_legal_to(c, 0, SQ("a1"), BB_ALL, 0, 1), SQ("a2") | SQ("b1") | SQ("b2"));
}

static void check_body(Context *c)
{
    // rook e8 checks e1: the rook a4 may step between or the queen take; the pinned bishop d2 (by a5) may do
    // nothing
    assert_int_equal(legal(c, 0, SQ("a4")), SQ("e4"));
    assert_int_equal(legal(c, 0, SQ("d2")), 0);
    assert_int_equal(legal(c, 0, SQ("h8")), SQ("e8") | SQ("e5"));
    assert_int_equal(legal(c, 0, SQ("e1")), SQ("d1") | SQ("f1") | SQ("f2"));
}

static void test_legality(void **state)
{
    (void)state;
    with_game(START_FROM("8/7P/8/8/8/8/8/K1k5 w - - 0 1") "*", legality_body);
    with_game(START_FROM("4r2Q/7k/8/b7/R7/8/3B4/4K3 w - - 0 1") "*", check_body);
}

// ---- pure mates (3.16) ------------------------------------------------------------------------------------

enum { PURE, MODEL, IDEAL, PURE_STALE, MODEL_STALE, IDEAL_STALE };

typedef struct MateCase {
    const char *fen;
    int kind;
    Bitboard participants;
} MateCase;

static const MateCase *mate_case;

static void mate_body(Context *c)
{
    const Bitboard found = rt_pure_mate(c, 0, mate_case->kind);
    if (found != mate_case->participants)
        fail_msg("%s, kind %d: %016llx", mate_case->fen, mate_case->kind, (unsigned long long)found);
}

static void check_mates(const MateCase *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char pgn[200];
        snprintf(pgn, sizeof pgn, "[FEN \"%s\"]\n\n*", cases[i].fen);
        mate_case = &cases[i];
        with_game(pgn, mate_body);
    }
}

static void test_pure_mates(void **state)
{
    (void)state;
#define BACK_RANK (SQ("e8") | SQ("g8") | SQ("f7") | SQ("g7") | SQ("h7"))
#define KNIGHT_PINNED (SQ("e8") | SQ("g6") | SQ("h6") | SQ("b2") | SQ("h8"))
#define QUEEN_PINNED (SQ("h1") | SQ("g4") | SQ("b2") | SQ("g3") | SQ("h8"))
#define PINNED (SQ("d6") | SQ("e1") | SQ("e8") | SQ("d8") | SQ("f8") | SQ("d7") | SQ("e7"))
    static const MateCase cases[] = {
        // the rook alone guards f8 and, through the king, h8; the pawns block squares that nobody guards
        {"4R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1", PURE, BACK_RANK},
        {"4R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1", MODEL, BACK_RANK},
        {"4R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1", IDEAL, 0},
        {"4R1k1/5ppp/8/8/8/8/8/KN6 b - - 0 1", PURE, BACK_RANK},
        {"4R1k1/5ppp/8/8/8/8/8/KN6 b - - 0 1", MODEL, 0},
        // a second rook attacks the pawn f7
        {"4R1k1/3R1ppp/8/8/8/8/8/K7 b - - 0 1", PURE, 0},
        // king and rook, each square of the field guarded once; the same with colours reversed
        {"k6R/8/1K6/8/8/8/8/8 b - - 0 1", IDEAL, SQ("a8") | SQ("b6") | SQ("h8")},
        {"8/8/8/8/8/1k6/8/K6r w - - 0 1", IDEAL, SQ("a1") | SQ("b3") | SQ("h1")},
        // a7 is guarded by king and queen
        {"k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", PURE, 0},
        // the queen e7 is guarded by the rook that pins it, and could take the knight if it were not pinned
        {"3rkr2/3bq3/3N4/8/8/8/8/4R2K b - - 0 1", PURE, PINNED},
        {"3rkr2/3bq3/3N4/8/8/8/8/4R2K b - - 0 1", IDEAL, 0},
        // a rook on e7 could not: its guard is superfluous
        {"3rkr2/3br3/3N4/8/8/8/8/4R2K b - - 0 1", PURE, 0},
        // two checks: nobody could answer one of them alone; the knight could answer each
        {"k7/8/8/8/5B2/8/8/R3K2B b - - 0 1", PURE, 0},
        {"k7/8/8/2n5/5B2/8/8/R3K2B b - - 0 1", PURE, SQ("a8") | SQ("a1") | SQ("h1") | SQ("f4")},
        {"k7/8/8/2n5/5B2/8/8/R3K2B b - - 0 1", MODEL, SQ("a8") | SQ("a1") | SQ("h1") | SQ("f4")},
        {"k7/8/8/2n5/5B2/8/8/R3K2B b - - 0 1", IDEAL, 0},
        // the rook e8 is behind the pawn e3, before the white king
        {"k3r3/8/8/2n5/5B2/4p3/8/R3K2B b - - 0 1", PURE,
         SQ("a8") | SQ("e3") | SQ("a1") | SQ("h1") | SQ("f4")},
        // and so is the rook a7 behind a5, with one check
        {"4R1k1/r4ppp/8/p7/8/8/8/K7 b - - 0 1", PURE, BACK_RANK | SQ("a5")},
        // the rook a8 is behind the bishop c8, before the rook that gives check
        {"r1b1R1k1/5ppp/8/8/8/8/8/K7 b - - 0 1", PURE, BACK_RANK | SQ("c8")},
        // the bishop pins the knight that could take the rook or step between
        {"4R2k/8/5nPP/8/8/8/1B6/K7 b - - 0 1", PURE, KNIGHT_PINNED},
        {"4R2k/8/5nPP/8/8/8/1B6/K7 b - - 0 1", MODEL, KNIGHT_PINNED},
        {"4R2k/8/5nPP/8/8/8/1B6/K7 b - - 0 1", IDEAL, 0},
        // the pinned queen could step between on h5; g3 keeps it from h2
        {"7k/8/8/4q3/6R1/6P1/1B6/2K4R b - - 0 1", PURE, QUEEN_PINNED},
        {"7k/8/8/4q3/6R1/6P1/1B6/2K4R b - - 0 1", MODEL, QUEEN_PINNED},
        {"7k/8/8/4q3/6R1/8/1B4P1/2K4R b - - 0 1", PURE, QUEEN_PINNED & ~SQ("g3")},
        // no mate at all
        {"4k2R/8/8/8/8/8/8/4K3 b - - 0 1", PURE, 0},
    };
    check_mates(cases, sizeof cases / sizeof *cases);
}

static void test_pure_stalemates(void **state)
{
    (void)state;
#define KNIGHT_APART (SQ("a8") | SQ("d8") | SQ("h8") | SQ("b6") | SQ("f4"))
#define CORNER (SQ("a1") | SQ("c2") | SQ("e6"))
    static const MateCase cases[] = {
        // the king covers b1 and b2, the bishop a2
        {"8/8/4B3/8/8/8/2K5/k7 b - - 0 1", PURE_STALE, CORNER},
        {"8/8/4B3/8/8/8/2K5/k7 b - - 0 1", MODEL_STALE, CORNER},
        {"8/8/4B3/8/8/8/2K5/k7 b - - 0 1", IDEAL_STALE, CORNER},
        // a pawn that takes no part, blocked by a black one
        {"8/8/4B3/7p/7P/8/2K5/k7 b - - 0 1", IDEAL_STALE, 0},
        {"8/8/4B3/7p/7P/8/2K5/k7 b - - 0 1", MODEL_STALE, CORNER | SQ("h5")},
        // a rook on b8 covers b1 and b2 a second time
        {"1R6/8/4B3/8/8/8/2K5/k7 b - - 0 1", PURE_STALE, 0},
        {"k6R/8/1K6/8/8/8/8/8 b - - 0 1", PURE_STALE, 0}, // mate
        // the rook pins the knight, which is next to the king, or is not
        {"kn5R/8/1K6/8/8/8/8/8 b - - 0 1", IDEAL_STALE, SQ("a8") | SQ("b8") | SQ("b6") | SQ("h8")},
        {"k2n3R/8/1K6/8/5B2/8/8/8 b - - 0 1", PURE_STALE, KNIGHT_APART},
        {"k2n3R/8/1K6/8/5B2/8/8/8 b - - 0 1", MODEL_STALE, KNIGHT_APART},
        {"k2n3R/8/1K6/8/5B2/8/8/8 b - - 0 1", IDEAL_STALE, KNIGHT_APART},
    };
    check_mates(cases, sizeof cases / sizeof *cases);
}

// ---- random positions against the definitions, written out literally ---------------------------------------

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(random_state >> 33) % n;
}

static Bitboard random_set(void)
{
    Bitboard set = 0;
    for (int i = 0; i < 64; i++)
        set |= (Bitboard)(random_below(3) == 0) << i;
    return set;
}

static Position random_position(void)
{
    Position p = {.en_passant = NO_SQUARE};
    for (int s = 0; s < 64; s++)
        p.square[s] = (uint8_t)(random_below(3) == 0 ? 1 + random_below(12) : EMPTY);
    pos_rebuild(&p);
    return p;
}

static const int dx[8] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[8] = {1, 1, 0, -1, -1, -1, 0, 1};

// The next square in a direction, or -1.
static int next_square(int s, int d)
{
    const int x = s % 8 + dx[d], y = s / 8 + dy[d];
    return x >= 0 && x < 8 && y >= 0 && y < 8 ? 8 * y + x : -1;
}

static bool slides(int piece, int d)
{
    const int type = piece_type(piece);
    return type == WHITE_QUEEN || (type == WHITE_ROOK && d % 2 == 0) || (type == WHITE_BISHOP && d % 2 == 1);
}

// `walk` of 3.4, element numbers from 0.
static Bitboard walk(const Position *p, const Bitboard *set, int n, int s, int i, int d)
{
    Bitboard r = 0;
    for (;;) {
        s = next_square(s, d);
        if (s < 0)
            return r;
        const bool taken = p->square[s] != EMPTY;
        if (i == n - 1) {
            if (set[i] >> s & 1)
                r |= 1ULL << s;
            if (taken)
                return r;
        } else if (set[i] >> s & 1) {
            if (taken)
                i++;
            else
                r |= walk(p, set, n, s, i + 1, d);
        } else if (taken) {
            return r;
        }
    }
}

static void test_random_chains(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        const Position p = random_position();
        const Bitboard set[4] = {random_set(), random_set(), random_set(), random_set()};
        const int n = 2 + (int)random_below(3), sliders = (int)random_below(2),
                  directions = (int)random_below(256);
        Bitboard from = 0, to = 0;
        for (int s = 0; s < 64; s++) {
            for (int d = 0; d < 8; d++) {
                if (!(set[0] >> s & 1) || !(directions >> d & 1) || (sliders && !slides(p.square[s], d)))
                    continue;
                const Bitboard r = walk(&p, set, n, s, 1, d);
                from |= (Bitboard)(r != 0) << s;
                to |= r;
            }
        }
        assert_true(rt_chain_from(&p, directions, sliders, set, n) == from);
        assert_true(rt_chain_to(&p, directions, sliders, set, n) == to);
    }
}

// One square of a set, or none.
static Bitboard one_of(Bitboard set)
{
    return set & -set;
}

// Of any sets, and on one piece of each colour.
static void test_random_pins(void **state)
{
    (void)state;
    for (int round = 0; round < 4000; round++) {
        const Position p = random_position();
        const Bitboard from = random_set(), through = random_set(), set = random_set();
        const Bitboard to = round & 1 ? set : one_of(set & p.white_pieces) | one_of(set & p.black_pieces);
        Bitboard expected[3] = {0, 0, 0};
        for (int f = 0; f < 64; f++) {
            for (int d = 0; d < 8; d++) {
                if (!(from >> f & 1) || p.square[f] == EMPTY || !slides(p.square[f], d))
                    continue;
                int middle = -1;
                for (int t = next_square(f, d); t >= 0; t = next_square(t, d)) {
                    const bool empty = p.square[t] == EMPTY;
                    if (middle >= 0 && (to >> t & 1) && (through >> middle & 1) &&
                        piece_colour(p.square[middle]) != piece_colour(p.square[f]) &&
                        (empty || piece_colour(p.square[t]) == piece_colour(p.square[middle]))) {
                        expected[0] |= 1ULL << middle;
                        expected[1] |= 1ULL << f;
                        expected[2] |= 1ULL << t;
                    }
                    if (!empty && middle >= 0)
                        break;
                    if (!empty)
                        middle = t;
                }
            }
        }
        for (int which = 0; which < 3; which++)
            assert_true(rt_pin(&p, from, through, to, which) == expected[which]);
    }
}

static void test_random_attacks(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        const Position p = random_position();
        const Bitboard from = random_set(), to = random_below(2) ? random_set() : 1ULL << random_below(64);
        Bitboard attackers = 0;
        for (int s = 0; s < 64; s++)
            if ((from >> s & 1) && (rt_attacked(&p, 1ULL << s) & to))
                attackers |= 1ULL << s;
        assert_true(rt_attackers(&p, from, to) == attackers);
    }
}

// The moves between two random sets; to: the destinations of the moves from each square.
static void compare_parts(Context *c, int32_t n, const Bitboard to[64], int32_t flags)
{
    const Bitboard left = random_set() | random_set(), right = random_set();
    Bitboard origins = 0, destinations = 0;
    int32_t count = 0;
    for (int s = 0; s < 64; s++) {
        const Bitboard found = left >> s & 1 ? to[s] & right : 0;
        origins |= found ? 1ULL << s : 0;
        destinations |= found;
        count += bb_count(found);
    }
    assert_true(rt_legal_from(c, n, left, right, 0, flags) == origins);
    assert_true(rt_legal_to(c, n, left, right, 0, flags) == destinations);
    assert_int_equal(rt_legal_count(c, n, left, right, 0, flags), count);
    const Bitboard from = rt_legal_from(c, n, left, right, 0, flags | GENERATE_SOME),
                   goal = rt_legal_to(c, n, left, right, 0, flags | GENERATE_SOME);
    assert_true(!(from & ~origins) && !(goal & ~destinations));
    assert_true((from != 0) == (origins != 0) && (goal != 0) == (destinations != 0));
}

static void compare_moves(Context *c, int32_t n, const Move *moves, int moves_count, int32_t flags)
{
    Bitboard to[64] = {0};
    for (int i = 0; i < moves_count; i++)
        to[moves[i].from] |= 1ULL << moves[i].to;
    int32_t total = 0;
    for (int s = 0; s < 64; s++) {
        if (rt_legal_to(c, n, 1ULL << s, BB_ALL, 0, flags) != to[s])
            fail_msg("position %d, square %d, flags %d", (int)n, s, (int)flags);
        total += bb_count(to[s]);
    }
    assert_int_equal(rt_legal_count(c, n, BB_ALL, BB_ALL, 0, flags), total);
    compare_parts(c, n, to, flags);
}

// In games from the array the moves of 4.2.2 are those of chess, promotions counted once.
static void compare_with_chess(Context *c)
{
    for (int32_t n = 0; n < c->game->count; n++) {
        Move moves[MAX_MOVES];
        compare_moves(c, n, moves, pos_legal_moves(c->position[n], moves), 0);
        compare_moves(c, n, moves, pos_pseudolegal_moves(c->position[n], moves), GENERATE_PSEUDOLEGAL);
        Position unknown = *c->position[n];
        unknown.check = CHECK_UNKNOWN;
        assert_int_equal(rt_in_check(c->position[n]), pos_in_check(&unknown, unknown.side));
        assert_int_equal(rt_in_check(&unknown), pos_in_check(&unknown, unknown.side));
    }
}

static void test_random_games(void **state)
{
    (void)state;
    for (int game = 0; game < 40; game++) {
        char pgn[4000] = "";
        size_t length = 0;
        Position p = pos_start, next;
        for (int ply = 0; ply < 200; ply++) {
            Move moves[MAX_MOVES];
            char san[SAN_MAX];
            const int count = pos_legal_moves(&p, moves);
            if (count == 0)
                break;
            const Move m = moves[random_below((uint32_t)count)];
            san_write(&p, m, san);
            length += (size_t)snprintf(pgn + length, sizeof pgn - length, "%s ", san);
            pos_make(&next, &p, m);
            p = next;
        }
        strcat(pgn, "*");
        with_game(pgn, compare_with_chess);
    }
}

// The same in positions with any men, where pins and double checks are frequent.
static void test_random_men(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        Position p = {.side = round & 1, .en_passant = NO_SQUARE, .rook_file = {7, 0, 7, 0}};
        const int men = 2 + (int)random_below(20);
        for (int i = 0; i < men; i++) {
            const int piece = 1 + (int)random_below(12), square = (int)random_below(64);
            const bool pawn = piece_type(piece) == WHITE_PAWN;
            if (piece_type(piece) != WHITE_KING && !(pawn && (square < 8 || square > 55)))
                p.square[square] = (uint8_t)piece;
        }
        const int white = (int)random_below(64), black = (int)random_below(64);
        if (white == black || white == 4 || black == 60) // a king at home may castle without a right (4.2.1)
            continue;
        p.square[white] = WHITE_KING;
        p.square[black] = BLACK_KING;
        pos_rebuild(&p);
        if ((king_table[white] >> black & 1) || pos_in_check(&p, !p.side))
            continue;
        char fen[FEN_MAX], pgn[FEN_MAX + 30];
        fen_write(&p, (FenClocks){0, 1}, fen);
        snprintf(pgn, sizeof pgn, "[FEN \"%s\"]\n\n*", fen);
        with_game(pgn, compare_with_chess);
    }
}

static int use_plain(void **state)
{
    (void)state;
    setwise = setwise_plain;
    return 0;
}

static int use_wide(void **state)
{
    (void)state;
#if defined(__x86_64__)
    if (setwise_wide.attacked && __builtin_cpu_supports("avx2"))
        setwise = setwise_wide;
#endif
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attacks),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_pawns),
        cmocka_unit_test(test_small_things),
        cmocka_unit_test(test_fen),
        cmocka_unit_test(test_fen_patterns),
        cmocka_unit_test(test_castling),
        cmocka_unit_test(test_en_passant),
        cmocka_unit_test(test_legality),
        cmocka_unit_test(test_pure_mates),
        cmocka_unit_test(test_pure_stalemates),
        cmocka_unit_test(test_random_chains),
        cmocka_unit_test(test_random_pins),
        cmocka_unit_test(test_random_attacks),
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_random_men),
    };
    // With the functions for this processor, and with those for lesser ones.
    return cmocka_run_group_tests(tests, NULL, NULL) + cmocka_run_group_tests(tests, use_wide, NULL) +
           cmocka_run_group_tests(tests, use_plain, NULL);
}
