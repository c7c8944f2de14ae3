// Positions that are only imagined, what searches remember of positions, sets of marked positions, and what is shown of a match,
// call by call (language reference 5.5, 5.7, 13.5, 13.17).
#include "run_fixture.h"

#include <stdio.h>

#include "runtime/match/imaginary.h"

// Runs two bodies over games of one run.
static void with_two_games(Fixture *f, const char *first, void (*body)(Context *c), const char *second)
{
    f->query.name = "test";
    f->query.source = "";
    f->query.match_game = body;
    fixture_open(f);
    fixture_play(f, first);
    assert_null(f->result.error);
    game_free(&f->game);
    fixture_play(f, second);
    assert_null(f->result.error);
}

// ---- what searches remember -------------------------------------------------------------------------------

static void memo_body(Context *c)
{
    enum { CODES = 3000 };
    int32_t end = 7;
    assert_int_equal(c->game->count, 3);
    assert_false(rt_memo_find(c, 0, 1, 5, &end)); // nothing from the game before
    for (int32_t code = 0; code < CODES; code++)
        assert_int_equal(1, rt_memo_visit(c, 0, 0, code));
    for (int32_t code = 0; code < CODES; code++) {
        assert_false(rt_memo_visit(c, 0, 0, code));
        assert_int_equal(1, rt_memo_find(c, 0, 0, code, &end));
        assert_int_equal(end, -1);
    }
    assert_int_equal(1, rt_memo_visit(c, 1, 0, 5)); // another position
    assert_int_equal(1, rt_memo_visit(c, 0, 1, 5)); // another table
    rt_memo_keep(c, 2, 1, 7, 42);
    assert_true(rt_memo_find(c, 2, 1, 7, &end) && end == 42);
    rt_memo_keep(c, 2, 1, 7, 43);
    assert_true(rt_memo_find(c, 2, 1, 7, &end) && end == 43);
    assert_false(rt_memo_find(c, 2, 1, 8, &end));
    rt_memo_begin(c, 0);
    assert_false(rt_memo_find(c, 0, 0, 5, &end));
    assert_int_equal(1, rt_memo_find(c, 0, 1, 5, &end));
    // positions beyond the game are used again
    assert_int_equal(1, rt_memo_visit(c, 3, 0, 5) && rt_memo_visit(c, 3, 0, 5));
    // what was found about other pieces is forgotten
    rt_memo_follow(c, 0, SQ("e4"));
    assert_int_equal(1, rt_memo_visit(c, 1, 0, 5));
    rt_memo_follow(c, 0, SQ("e4"));
    assert_false(rt_memo_visit(c, 1, 0, 5));
    rt_memo_follow(c, 0, SQ("e5"));
    assert_int_equal(1, rt_memo_visit(c, 1, 0, 5));
    rt_memo_follow(c, 0, SQ("e4"));
    assert_int_equal(1, rt_memo_visit(c, 1, 0, 5));
}

static void test_memo(void **state)
{
    (void)state;
    Fixture f = {0};
    with_two_games(&f, "1. e4 e5 *", memo_body, "1. d4 d5 *");
    fixture_close(&f);
}

// ---- marks ------------------------------------------------------------------------------------------------

static void marks_body(Context *c)
{
    static const int32_t marks[] = {0, 1, 62, 63, 64, 65, 127, 128};
    enum { MARKS = sizeof marks / sizeof *marks };
    assert_int_equal(c->game->count, 129);
    for (int from = MARKS; from >= 0; from--) { // more and more marks, from the last one on
        for (int32_t n = 0; n < c->game->count; n++) {
            int next = from;
            while (next < MARKS && marks[next] < n)
                next++;
            assert_int_equal(rt_marked(c, 1, n), next < MARKS && marks[next] == n);
        }
        assert_false(rt_marked(c, 0, 0));
        if (from > 0)
            rt_mark(c, 1, marks[from - 1]);
    }
    static bool later; // no mark of the game before is left
    rt_mark(c, 0, later ? 0 : 128);
    assert_int_equal(rt_marked(c, 0, 128), !later);
    later = true;
}

static void test_marks(void **state)
{
    (void)state;
    char pgn[2000] = "";
    for (int i = 0; i < 128; i++)
        strcat(pgn, i % 4 == 0 ? "Nf3 " : i % 4 == 1 ? "Nf6 " : i % 4 == 2 ? "Ng1 " : "Ng8 ");
    strcat(pgn, "*");
    Fixture f = {.query.mark_set_count = 2};
    with_two_games(&f, pgn, marks_body, pgn);
    fixture_close(&f);
}

// ---- what is shown ----------------------------------------------------------------------------------------

static void show_body(Context *c)
{
    rt_show_squares(c, 0, 0);
    rt_show_squares(c, 1, SQ("a1"));
    rt_show_squares(c, 1, 0);
    rt_show_squares(c, 1, SQ("h8"));
    rt_show_squares(c, 2, SQ("h8"));
    rt_show_squares(c, 3, SQ("b1"));
    c->at = 1;
    rt_show_line(c, 1, 4);
    c->at = 2;
    rt_show_line(c, 4, 2);
    rt_show_line(c, 3, 3);
    rt_show_line(c, 4, 3);
    rt_show_move(c, 1);
}

static void test_show(void **state)
{
    (void)state;
    static const FoundMove moves[] = {{1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {2, 4}, {2, 1}};
    Fixture f = {0};
    with_two_games(&f, "1. e4 e5 2. Nf3 Nc6 *", show_body, "1. d4 d5 2. c4 e6 *");
    assert_int_equal(f.result.squares_count, 3);
    assert_true(f.result.squares[0].position == 1 && f.result.squares[0].squares == (SQ("a1") | SQ("h8")));
    assert_true(f.result.squares[1].position == 2 && f.result.squares[1].squares == SQ("h8"));
    assert_true(f.result.squares[2].position == 3 && f.result.squares[2].squares == SQ("b1"));
    assert_int_equal(f.result.moves_count, sizeof moves / sizeof *moves);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        assert_true(f.result.moves[i].position == moves[i].position &&
                    f.result.moves[i].move == moves[i].move);
    fixture_close(&f);
}

// ---- imaginary positions ----------------------------------------------------------------------------------

enum { LEVELS = 2 };
static int times; // that a body found the game it is about

static void imagine(const char *pgn, void (*body)(Context *c))
{
    Fixture f = {.query = {.imaginary_levels = LEVELS, .flags = QUERY_IMAGINARY}};
    times = 0;
    with_two_games(&f, "1. d4 d5 2. c4 e6 3. Nc3 Nf6 *", body, pgn);
    assert_int_equal(times, 1);
    fixture_close(&f);
}

static void expect_fen(const Context *c, int32_t n, const char *expected)
{
    char fen[FEN_MAX];
    fen_write(c->position[n], (FenClocks){0, 1}, fen);
    assert_string_equal(fen, expected);
}

static void expect_mutation(Context *c, int32_t n, const char *expected)
{
    String text;
    assert_int_equal(rt_mutation(c, n, &text), *expected != '\0');
    if (*expected)
        assert_text(text, expected);
}

static void changes_body(Context *c)
{
    const int32_t count = c->game->count, copy = count;
    if (count != 5)
        return;
    times++;
    expect_mutation(c, 4, "");
    // 13.17: the side changes, so that en passant is over; a rook has gone, and with it a right
    assert_int_equal(rt_imagine_begin(c, 4, 0), copy);
    assert_true(c->node[copy].parent == -1 && c->node[copy].ply == 4);
    assert_int_equal(rt_imagine_put(c, 0, WHITE_QUEEN, SQ("e4") | SQ("d4")), copy);
    assert_int_equal(rt_imagine_put(c, 0, EMPTY, SQ("h1") | SQ("h3")), copy);
    assert_int_equal(rt_imagine_side(c, 0, 2), copy);
    assert_int_equal(1, rt_imagine_end(c, 0));
    expect_fen(c, copy, "rnbqkbnr/1pp1pppp/p7/3pP3/3QQ3/8/PPPP1PPP/RNBQKBN1 b Qkq - 0 1");
    expect_mutation(c, copy, "+Qd4 +Qe4 -Rh1 btm");
    // a copy of the copy
    assert_int_equal(rt_imagine_begin(c, copy, 1), copy + 1);
    assert_int_equal(rt_imagine_put(c, 1, BLACK_KNIGHT, SQ("a1")), copy + 1);
    assert_int_equal(rt_imagine_side(c, 1, WHITE), copy + 1);
    rt_imagine_side(c, 1, WHITE);
    assert_int_equal(1, rt_imagine_end(c, 1));
    expect_fen(c, copy + 1, "rnbqkbnr/1pp1pppp/p7/3pP3/3QQ3/8/PPPP1PPP/nNBQKBN1 w kq - 0 1");
    expect_mutation(c, copy + 1, "+Qd4 +Qe4 -Rh1 btm +na1 wtm wtm");
    // copies that last: first of what it was made of
    assert_int_equal(rt_save_position(c, 4), 4);
    const int32_t saved = rt_save_position(c, copy + 1);
    assert_int_equal(saved, count + 2 * LEVELS + 1);
    expect_fen(c, saved, "rnbqkbnr/1pp1pppp/p7/3pP3/3QQ3/8/PPPP1PPP/nNBQKBN1 w kq - 0 1");
    expect_fen(c, saved - 1, "rnbqkbnr/1pp1pppp/p7/3pP3/3QQ3/8/PPPP1PPP/RNBQKBN1 b Qkq - 0 1");
    assert_int_equal(rt_save_position(c, saved), saved);
    // without a change of side en passant stays, unless the pawn goes or its way is blocked
    static const struct {
        int piece;
        const char *square, *fen;
    } row[] = {
        {WHITE_KNIGHT, "a8", "Nnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQk d6 0 1"},
        {EMPTY, "a8", "1nbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQk d6 0 1"},
        {EMPTY, "h8", "rnbqkbn1/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQq d6 0 1"},
        {BLACK_ROOK, "a1", "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/rNBQKBNR w Kkq d6 0 1"},
        {WHITE_ROOK, "a1", "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1"},
        {EMPTY, "d5", "rnbqkbnr/1pp1pppp/p7/4P3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"},
        {WHITE_PAWN, "d5", "rnbqkbnr/1pp1pppp/p7/3PP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"},
        {BLACK_QUEEN, "d6", "rnbqkbnr/1pp1pppp/p2q4/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rt_imagine_begin(c, 4, 0);
        rt_imagine_put(c, 0, row[i].piece, SQ(row[i].square));
        assert_int_equal(1, rt_imagine_end(c, 0));
        expect_fen(c, copy, row[i].fen);
    }
    rt_imagine_begin(c, 4, 0);
    rt_imagine_side(c, 0, WHITE); // no change
    assert_int_equal(1, rt_imagine_end(c, 0));
    expect_fen(c, copy, "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 1");
    // kings: one a side; where they have moved there is no right
    rt_imagine_begin(c, 4, 0);
    rt_imagine_put(c, 0, EMPTY, SQ("e8"));
    assert_false(rt_imagine_end(c, 0));
    rt_imagine_put(c, 0, BLACK_KING, SQ("d6"));
    assert_int_equal(1, rt_imagine_end(c, 0));
    expect_fen(c, copy, "rnbq1bnr/1pp1pppp/p2k4/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQ - 0 1");
    rt_imagine_put(c, 0, WHITE_KING, SQ("e3"));
    assert_false(rt_imagine_end(c, 0));
    rt_imagine_put(c, 0, EMPTY, SQ("e1"));
    assert_int_equal(1, rt_imagine_end(c, 0));
    expect_fen(c, copy, "rnbq1bnr/1pp1pppp/p2k4/3pP3/8/4K3/PPPP1PPP/RNBQ1BNR w - - 0 1");
    rt_imagine_put(c, 0, EMPTY, BB_ALL);
    assert_false(rt_imagine_end(c, 0));
}

// Black may take en passant; White is in check.
static void black_body(Context *c)
{
    if (c->game->count != 1)
        return;
    times++;
    const bool in_check = rt_in_check(c->position[0]);
    const int32_t copy = rt_imagine_begin(c, 0, 0);
    if (in_check)
        rt_imagine_side(c, 0, 2);
    assert_int_equal(1, rt_imagine_end(c, 0));
    assert_false(rt_in_check(c->position[copy]));
    expect_fen(c, copy, in_check ? "k3r3/8/8/8/8/8/8/4K3 b - - 0 1" : "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
}

static void test_changes(void **state)
{
    (void)state;
    imagine("[FEN \"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1\"]\n\n*", black_body);
    imagine("[FEN \"k3r3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n*", black_body);
    imagine("1. e4 a6 2. e5 d5 *", changes_body);
}

// ---- moves that are tried out -----------------------------------------------------------------------------

// The moves that fit, in order, as squares and the piece of a promotion.
static void expect_moves(Context *c, int32_t n, Bitboard from, Bitboard to, Bitboard capture,
                         Bitboard passing, int castling, int promotion, int flags, const char *expected)
{
    char text[2000] = "";
    const int32_t count = rt_imagine_moves(c, n, 1, from, to, capture, passing, castling, promotion, flags);
    for (int32_t i = 0; i < count; i++) {
        const int a = rt_imagine_square(c, 1, i, 0), b = rt_imagine_square(c, 1, i, 1),
                  victim = rt_imagine_square(c, 1, i, 2);
        sprintf(text + strlen(text), "%s%c%d%c%d", i > 0 ? " " : "", 'a' + a % 8, a / 8 + 1, 'a' + b % 8,
                b / 8 + 1);
        if (victim != NO_SQUARE && victim != b)
            sprintf(text + strlen(text), "x%c%d", 'a' + victim % 8, victim / 8 + 1);
    }
    assert_string_equal(text, expected);
}

enum { PSEUDOLEGAL = 1, EN_PASSANT = 2, CAPTURE = 4, PRIMARY = 8, SECONDARY = 16 };

static void moves_body(Context *c)
{
    const Bitboard all = BB_ALL;
    if (c->game->count != 5)
        return;
    times++;
    // after 1. e4 a6 2. e5 d5, White may take en passant
    expect_moves(c, 4, SQ("e5"), all, 0, 0, 0, 0, 0, "e5e6 e5d6xd5");
    expect_moves(c, 4, SQ("e5"), SQ("d6"), 0, 0, 0, 0, 0, "e5d6xd5");
    expect_moves(c, 4, all, all, 0, SQ("d5"), 0, 0, EN_PASSANT, "e5d6xd5");
    expect_moves(c, 4, all, all, 0, ~SQ("d5"), 0, 0, EN_PASSANT, "");
    expect_moves(c, 4, all, all, SQ("d5"), 0, 0, 0, CAPTURE, "e5d6xd5");
    expect_moves(c, 4, all, all, ~SQ("d5"), 0, 0, 0, CAPTURE, "f1a6");
    expect_moves(c, 4, SQ("g1"), all, 0, 0, 0, 0, 0, "g1e2 g1f3 g1h3");
    expect_moves(c, 4, all, all, 0, 0, 3, 0, 0, "");
    expect_moves(c, 4, all, all, 0, 0, 0, 1 << BOARD_WHITE, 0, "");
    expect_moves(c, 0, all, all, 0, 0, 0, 0, PRIMARY, "e2e4");
    expect_moves(c, 0, all, all, 0, 0, 0, 0, SECONDARY, "");
    expect_moves(c, 4, all, all, 0, 0, 0, 0, PRIMARY, "");
    assert_int_equal(rt_imagine_moves(c, 0, 0, all, all, 0, 0, 0, 0, 0), 20);

    // playing one
    assert_int_equal(rt_imagine_moves(c, 4, 0, SQ("e5"), SQ("d6"), 0, 0, 0, 0, 0), 1);
    assert_int_equal(rt_imagine_play(c, 4, 0, 0), 5);
    expect_fen(c, 5, "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_true(c->node[5].parent == 4 && c->node[5].ply == 5 && c->node[5].move.flags & MOVE_EN_PASSANT);
    expect_mutation(c, 5, "3.exd6");
    assert_int_equal(rt_imagine_moves(c, 5, 1, all, SQ("d6"), 0, 0, 0, 0, 0), 3); // two pawns, the queen
    assert_int_equal(rt_imagine_play(c, 5, 1, 0), 6);
    assert_true(c->node[6].parent == 5 && c->node[6].ply == 6);
    expect_mutation(c, 6, "3.exd6 3...cxd6"); // c7 is the first square
    const int32_t saved = rt_save_position(c, 6);
    assert_int_equal(saved, 5 + 2 * LEVELS + 1);
    assert_true(c->node[saved].parent == saved - 1 && c->node[saved].last == saved);
    expect_mutation(c, saved, "3.exd6 3...cxd6");

    // a move of the game
    assert_int_equal(rt_imagine_child(c, 0, 0, 1), 5);
    assert_memory_equal(c->position[5], c->position[1], sizeof(Position));
    assert_true(c->node[5].parent == 0 && c->node[5].ply == 1);
    expect_mutation(c, 5, "1.e4");

    // taking one back
    const int32_t count = rt_imagine_retractions(c, 1, 0);
    bool seen = false;
    for (int32_t i = 0; i < count; i++) {
        const int from = rt_imagine_square(c, 0, i, 0), to = rt_imagine_square(c, 0, i, 1);
        assert_int_equal(rt_imagine_retract(c, 1, 0, i), 5);
        assert_true(c->node[5].parent == -1 && c->node[5].ply == 0);
        assert_true(c->node[5 + LEVELS].move.from == from && c->node[5 + LEVELS].move.to == to);
        if (1ULL << from == SQ("e2") && 1ULL << to == SQ("e4")) {
            seen = true;
            expect_fen(c, 5, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
            expect_mutation(c, 5, "-1.e4");
        }
    }
    assert_true(seen);
}

// The clocks of a FEN go back with a retraction of a king's move; no number is less than its least (9.5).
static const char *wanted_before;

static void retraction_body(Context *c)
{
    if (c->game->count != 1)
        return;
    times++;
    const bool black = c->position[0]->side == WHITE; // the side that has moved
    const Bitboard from = black ? SQ("e7") : SQ("e2"), to = black ? SQ("e8") : SQ("e1");
    const int32_t count = rt_imagine_retractions(c, 0, 0);
    int seen = 0;
    for (int32_t i = 0; i < count; i++) {
        if (1ULL << rt_imagine_square(c, 0, i, 0) != from || 1ULL << rt_imagine_square(c, 0, i, 1) != to ||
            rt_imagine_square(c, 0, i, 2) != NO_SQUARE)
            continue;
        seen++;
        assert_text(rt_current_fen(c, rt_imagine_retract(c, 0, 0, i), 1), wanted_before);
    }
    assert_int_equal(seen, 1);
}

static void test_retracted_clocks(void **state)
{
    (void)state;
    static const char *const row[][2] = {
        {"4k3/8/8/8/8/8/8/4K2R w - - 5 7", "8/4k3/8/8/8/8/8/4K2R b - - 4 6"},
        {"4k3/8/8/8/8/8/8/4K2R w - - 1 2", "8/4k3/8/8/8/8/8/4K2R b - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 2", "8/4k3/8/8/8/8/8/4K2R b - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "8/4k3/8/8/8/8/8/4K2R b - - 0 1"},
        {"4k3/8/8/8/8/8/8/4K2R b - - 5 7", "4k3/8/8/8/8/8/4K3/7R w - - 4 7"},
        {"4k3/8/8/8/8/8/8/4K2R b - - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char pgn[100];
        snprintf(pgn, sizeof pgn, "[FEN \"%s\"]\n\n*", row[i][0]);
        wanted_before = row[i][1];
        imagine(pgn, retraction_body);
    }
}

static void promotions_body(Context *c)
{
    const Bitboard all = BB_ALL;
    if (c->game->count != 2)
        return;
    times++;
#define QUEENS "a7a8 a7b8"
    expect_moves(c, 0, SQ("a7"), all, 0, 0, 0, 0, 0, "a7a8 a7a8 a7a8 a7a8 a7b8 a7b8 a7b8 a7b8");
    expect_moves(c, 0, all, all, 0, 0, 0, 1 << WHITE_QUEEN, 0, QUEENS);
    expect_moves(c, 0, all, all, 0, 0, 0, 1 << BLACK_KNIGHT, 0, QUEENS); // a piece is meant by either letter
    expect_moves(c, 0, all, SQ("b8"), 0, 0, 0, 1 << WHITE_ROOK | 1 << WHITE_BISHOP, 0, "a7b8 a7b8");
    expect_moves(c, 0, all, all, 0, 0, 0, 1 << WHITE_PAWN | 1 << WHITE_KING, 0, "");
    expect_moves(c, 0, all, all, SQ("b8"), 0, 0, 1 << BOARD_BLACK, CAPTURE, "a7b8 a7b8 a7b8 a7b8");
    expect_moves(c, 0, all, all, 0, 0, 0, 0, PRIMARY, "a7a8"); // to a rook only
    assert_int_equal(rt_imagine_moves(c, 0, 0, SQ("a7"), all, 0, 0, 0, 0, 0), 8);
    static const char *const fens[] = {"Qn2k3", "Rn2k3", "Bn2k3", "Nn2k3",
                                       "1Q2k3", "1R2k3", "1B2k3", "1N2k3"};
    for (int32_t i = 0; i < 8; i++) {
        char fen[100];
        snprintf(fen, sizeof fen, "%s/8/8/8/8/8/8/R3K2R b KQ - 0 1", fens[i]);
        expect_fen(c, rt_imagine_play(c, 0, 0, i), fen);
    }
    static const char letters[] = "NBRQ"; // each by its white and its black letter, or by both
    for (int type = WHITE_KNIGHT; type <= WHITE_QUEEN; type++) {
        for (int way = 1; way <= 3; way++) {
            char fen[100];
            const int32_t symbols =
                (way & 1 ? 1 << type : 0) | (way & 2 ? 1 << (BLACK_PAWN - WHITE_PAWN + type) : 0);
            snprintf(fen, sizeof fen, "%cn2k3/8/8/8/8/8/8/R3K2R b KQ - 0 1", letters[type - WHITE_KNIGHT]);
            assert_int_equal(rt_imagine_moves(c, 0, 0, all, SQ("a8"), 0, 0, 0, symbols, 0), 1);
            expect_fen(c, rt_imagine_play(c, 0, 0, 0), fen);
        }
    }
    expect_moves(c, 0, all, all, 0, 0, 1, 0, 0, "e1g1");
    expect_moves(c, 0, all, all, 0, 0, 2, 0, 0, "e1c1");
    expect_moves(c, 0, all, all, 0, 0, 3, 0, 0, "e1c1 e1g1");
    expect_moves(c, 0, SQ("h1"), all, 0, 0, 3, 0, 0, "");
    rt_imagine_moves(c, 0, 0, all, SQ("g1"), 0, 0, 1, 0, 0);
    expect_fen(c, rt_imagine_play(c, 0, 0, 0), "1n2k3/P7/8/8/8/8/8/R4RK1 b - - 0 1");
}

// The king is in check: what he may do, and what leaves him there.
static void check_body(Context *c)
{
    const Bitboard all = BB_ALL;
    if (c->game->count != 1)
        return;
    times++;
    expect_moves(c, 0, all, all, 0, 0, 0, 0, 0, "e1d1 e1f1 e1d2 e1f2 a2e2");
    expect_moves(c, 0, SQ("e1"), all, 0, 0, 0, 0, PSEUDOLEGAL, "e1d1 e1f1 e1d2 e1e2 e1f2");
    expect_moves(c, 0, SQ("a2"), SQ("a3") | SQ("e2"), 0, 0, 0, 0, PSEUDOLEGAL, "a2e2 a2a3");
}

static void test_moves(void **state)
{
    (void)state;
    imagine("1. e4 a6 2. e5 d5 *", moves_body);
    imagine("[FEN \"1n2k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. a8=R *", promotions_body);
    imagine("[FEN \"k3r3/8/8/8/8/8/R7/4K3 w - - 0 1\"]\n\n*", check_body);
}

static void variations_body(Context *c)
{
    if (c->game->count != 4)
        return;
    times++;
    expect_moves(c, 0, BB_ALL, BB_ALL, 0, 0, 0, 0, PRIMARY, "e2e4");
    expect_moves(c, 0, BB_ALL, BB_ALL, 0, 0, 0, 0, SECONDARY, "c2c4 d2d4");
}

static void test_variations(void **state)
{
    (void)state;
    imagine("1. e4 (1. d4) (1. c4) *", variations_body);
}

// What is made at a level says nothing of what was made there before; what was saved in one game is not there in the next.
static void again_body(Context *c)
{
    const int32_t count = c->game->count, copy = count;
    times += count == 5;
    rt_imagine_begin(c, 0, 0);
    rt_imagine_put(c, 0, WHITE_QUEEN, SQ("e4") | SQ("d4"));
    expect_mutation(c, copy, "+Qd4 +Qe4");
    assert_int_equal(rt_save_position(c, copy), count + 2 * LEVELS);
    rt_imagine_begin(c, 0, 0);
    expect_mutation(c, rt_imagine_side(c, 0, BLACK), "btm");
    rt_imagine_moves(c, 0, 0, SQ("e2"), SQ("e4"), 0, 0, 0, 0, 0);
    expect_mutation(c, rt_imagine_play(c, 0, 0, 0), "1.e4");
    rt_imagine_begin(c, 0, 0);
    rt_imagine_put(c, 0, EMPTY, SQ("e2"));
    expect_mutation(c, rt_imagine_child(c, 0, 0, 1), c->game->count == 5 ? "1.e4" : "1.d4");
    expect_mutation(c, count + 2 * LEVELS, "+Qd4 +Qe4");
    // what is imagined has neither children nor siblings
    for (int32_t n = copy; n < copy + LEVELS; n++)
        assert_true(c->node[n].first_child < 0 && c->node[n].next_sibling < 0 && c->node[n].last == n);
    assert_int_equal(rt_save_position(c, copy), count + 2 * LEVELS + 1);
    const Node *saved = &c->node[count + 2 * LEVELS + 1];
    assert_true(saved->first_child < 0 && saved->next_sibling < 0);
}

static void test_again(void **state)
{
    (void)state;
    imagine("1. e4 (1. c4) 1... a6 2. e5 *", again_body);
}

// Who castles: a king and a rook that have not moved, though they are at home again.
static void castling_body(Context *c)
{
    static const struct {
        int32_t position;
        const char *moves;
    } row[] = {{0, "e1c1 e1g1"}, {1, "e8c8 e8g8"}, {2, "e1c1 e1g1"}, {3, "e8c8 e8g8"},
               {4, "e1g1"},      {5, "e8c8"},      {6, "e1g1"},      {7, "e8c8"},
               {10, ""},         {11, "e8c8"},     {12, ""}};
    if (c->game->count != 13)
        return;
    times++;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        expect_moves(c, row[i].position, BB_ALL, BB_ALL, 0, 0, 3, 0, 0, row[i].moves);
}

static void test_castling(void **state)
{
    (void)state;
    imagine("[FEN \"r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1\"]\n\n1. a3 h6 2. Ra2 Rh7 3. Ra1 Rh8 4. Rf1 a6 "
            "5. Rh1 a5 "
            "6. h3 Ke7 *",
            castling_body);
}

// A step of two squares, and no other move, may be answered en passant.
static void steps_body(Context *c)
{
    if (c->game->count != 2)
        return;
    times++;
    rt_imagine_moves(c, 0, 0, SQ("e2"), BB_ALL, 0, 0, 0, 0, 0);
    expect_fen(c, rt_imagine_play(c, 0, 0, 0), "4k3/5p2/8/8/3p4/4P3/8/4K3 b - - 0 1");
    expect_fen(c, rt_imagine_play(c, 0, 0, 1), "4k3/5p2/8/8/3pP3/8/8/4K3 b - e3 0 1");
    expect_moves(c, 2, SQ("d4"), BB_ALL, 0, 0, 0, 0, 0, "d4d3 d4e3xe4");
    rt_imagine_moves(c, 2, 1, SQ("f7"), SQ("f5"), 0, 0, 0, 0, 0);
    expect_fen(c, rt_imagine_play(c, 2, 1, 0), "4k3/8/8/5p2/3pP3/8/8/4K3 w - f6 0 1");
}

// The positions around a variation are as deep in it as the position that they were made of.
static void depths_body(Context *c)
{
    if (c->game->count != 6)
        return;
    times++;
    for (int32_t n = 0; n < 6; n++) {
        const int32_t copy = rt_imagine_begin(c, n, 0);
        assert_int_equal(c->node[copy].depth, c->node[n].depth);
        assert_int_equal(c->node[copy].ply, c->node[n].ply);
        assert_int_equal(c->node[copy].first_child, -1);
        rt_imagine_moves(c, copy, 1, BB_ALL, BB_ALL, 0, 0, 0, 0, 0);
        const int32_t played = rt_imagine_play(c, copy, 1, 0), saved = rt_save_position(c, played);
        assert_int_equal(c->node[played].depth, c->node[n].depth);
        assert_int_equal(c->node[played].ply, c->node[n].ply + 1);
        assert_int_equal(c->node[saved].depth, c->node[n].depth);
        assert_int_equal(c->node[saved].ply, c->node[n].ply + 1);
        assert_memory_equal(&c->node[saved].move, &c->node[played].move, sizeof(Move));
        assert_int_equal(c->node[saved - 1].parent, -1);
        assert_int_equal(c->node[saved].parent, saved - 1);
    }
}

static void test_nodes(void **state)
{
    (void)state;
    imagine("[FEN \"4k3/5p2/8/8/3p4/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 *", steps_body);
    imagine("1. e4 (1. d4 d5 (1... f5)) 1... e5 *", depths_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memo),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_show),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_variations),
        cmocka_unit_test(test_retracted_clocks),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_castling),
        cmocka_unit_test(test_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
