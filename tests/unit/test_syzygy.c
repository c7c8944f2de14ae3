// Tablebases: which files are whole, and what libfathom says, against a small solver of its own.
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/match/syzygy.h"
#include "runtime/match/syzygy_file.h"

static void test_names(void **state)
{
    (void)state;
    assert_true(syzygy_is_name("KRPvKR.rtbw"));
    assert_true(syzygy_is_name("KNvK.rtbz"));
    assert_true(syzygy_is_name("KQRBNPvK.rtbw"));
    const char *const others[] = {"KvK.rtbw",   "KRPvKR.rtbx", "KRPvKR.rtbw2",    "KRPvKR",
                                  "KRPKR.rtbw", "RvK.rtbw",    "KKvK.rtbw",       "KRvQ.rtbw",
                                  "",           "K",           "KQRBNPvKP.rtbw.", "KQRBNPvKPP.rtbw",
                                  "KXvK.rtbw",  "KRvKR."};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (syzygy_is_name(others[i]))
            fail_msg("%s", others[i]);
}

// A table of three men that says "draw" of all positions: magic, flags, order, men (king, king, knight; each half of a byte for a
// side), a byte that makes the place even, for each side "all the same" and the value; zeros up to a multiple of 64; the check sum.
enum { SMALL = 80 };
static const uint8_t draw[SMALL] = {0x71, 0xE8, 0x23, 0x5D, 0x31, 0, 0xEE, 0x66, 0x22, 0, 0x80, 2, 0x80, 2};

static const char *fault(const char *name, const uint8_t *bytes, size_t length)
{
    return syzygy_file_fault(name, bytes, length, length);
}

static void test_whole(void **state)
{
    (void)state;
    uint8_t other[SMALL + 64];
    assert_null(fault("KNvK.rtbw", draw, SMALL));
    assert_string_equal(fault("KNvK.rtbw", draw, SMALL - 1), "it is cut off");
    assert_string_equal(fault("KNvK.rtbw", draw, 16), "it is cut off");
    assert_string_equal(fault("KNvK.rtbw", draw, 13), "its head is damaged");
    assert_string_equal(fault("KNvK.rtbw", draw, 4), "it is not a tablebase");
    assert_string_equal(fault("KNvK.rtbw", draw, 0), "it is not a tablebase");
    assert_string_equal(fault("KNvK.rtbz", draw, SMALL), "it is not a tablebase");
    assert_string_equal(fault("KBvK.rtbw", draw, SMALL), "its head is damaged");
    assert_string_equal(fault("KNNvK.rtbw", draw, SMALL), "its head is damaged");
    assert_string_equal(fault("KPvK.rtbw", draw, SMALL), "its head is damaged");
    assert_string_equal(fault("draws.rtbw", draw, SMALL), "its name is not that of a tablebase");
    memcpy(other, draw, SMALL);
    memset(other + SMALL, 0, 64);
    assert_string_equal(fault("KNvK.rtbw", other, sizeof other), "it is longer than a tablebase");
    const struct {
        int at;
        uint8_t byte;
    } wrong[] = {{8, 0x29}, {8, 0x92}, {4, 0x30}, {4, 0x33}, {5, 0x02}, {5, 0x20}, {11, 5}, {13, 5}, {10, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(other, draw, SMALL);
        other[wrong[i].at] = wrong[i].byte;
        const char *text = fault("KNvK.rtbw", other, SMALL);
        assert_non_null(text);
        assert_string_equal(text, "its head is damaged");
    }
}

// Any head is whole or has a fault, and reading it ends within its bytes (under sanitizers).
static void test_any_head(void **state)
{
    (void)state;
    srand(1);
    for (int i = 0; i < ROUNDS(200000); i++) {
        uint8_t head[SMALL];
        memcpy(head, draw, SMALL);
        for (int k = rand() % 24; k >= 0; k--)
            head[10 + rand() % (SMALL - 10)] = (uint8_t)rand();
        const size_t length = (size_t)(rand() % (SMALL + 1));
        uint8_t *part = malloc(length + 1); // which ends where the file does
        memcpy(part + 1, head, length);
        const char *wrong = fault("KNvK.rtbw", part + 1, length);
        assert_true(wrong == NULL || *wrong);
        free(part);
    }
}

// ---- KR against K ---------------------------------------------------------------------------------------------

// Half-moves to mate, + 1; 0: a draw or not known yet. By side to move, white king, rook, black king.
static uint8_t (*mate)[64][64][64];

static bool set_up(Position *p, int side, int king, int rook, int black)
{
    if (king == rook || king == black || rook == black)
        return false;
    memset(p, 0, sizeof *p);
    p->square[king] = WHITE_KING;
    p->square[rook] = WHITE_ROOK;
    p->square[black] = BLACK_KING;
    p->side = (uint8_t)side;
    p->en_passant = NO_SQUARE;
    pos_rebuild(p);
    return !pos_in_check(p, !side) && !(king_table[king] & bb_of(black));
}

// Is the position decided in `plies`, when all that are decided in fewer are known?
static bool is_decided(const Position *p, int plies)
{
    Move moves[MAX_MOVES];
    const int count = pos_legal_moves(p, moves);
    bool all = count > 0 || pos_in_check(p, p->side);
    for (int i = 0; i < count; i++) {
        Position next;
        pos_make(&next, p, moves[i]);
        const int after = next.white.rook ? mate[next.side][bb_first(next.white.king)]
                                                [bb_first(next.white.rook)][bb_first(next.black.king)]
                                          : 0;
        if (p->side == WHITE && after == plies)
            return true;
        all &= after > 0;
    }
    return p->side == BLACK && all && (count > 0 || plies == 0);
}

static void solve(void)
{
    Position p;
    mate = calloc(2, sizeof *mate);
    for (int plies = 0; plies < 34; plies++)
        for (int place = 0; place < 64 * 64 * 64; place++) {
            const int king = place >> 12, rook = place >> 6 & 63, black = place & 63,
                      side = plies % 2 ? WHITE : BLACK;
            uint8_t *value = &mate[side][king][rook][black];
            if (*value == 0 && set_up(&p, side, king, rook, black) && is_decided(&p, plies))
                *value = (uint8_t)(plies + 1);
        }
}

static void test_solved(void **state)
{
    (void)state;
    char *message = NULL;
    if (!syzygy_open("../shared/syzygy", &message)) {
        free(message);
        return;
    }
    if (!is_full_run()) // it takes long
        return;
    solve();
    Position p;
    int checked = 0;
    for (int place = 0; place < 2 * 64 * 64 * 64; place++) {
        const int side = place >> 18, king = place >> 12 & 63, rook = place >> 6 & 63, black = place & 63;
        if (!set_up(&p, side, king, rook, black) || (side == WHITE && place % 7)) // a sample
            continue;
        const int plies = mate[side][king][rook][black] - 1, sign = side == WHITE ? 1 : -1;
        int wdl, dtz;
        assert_true(syzygy_wdl(&p, &wdl));
        assert_int_equal(wdl, plies < 0 ? 0 : 2 * sign);
        if (place % 97 == 0) {
            assert_true(syzygy_dtz(&p, &dtz));
            assert_int_equal(dtz, plies < 0 ? 0 : plies == 0 ? -1 : plies * sign);
        }
        checked++;
    }
    assert_true(checked > 100000);
    free(mate);
}

// ---- any men --------------------------------------------------------------------------------------------------

static int sign_of(int value)
{
    return (value > 0) - (value < 0);
}

// The result of a position is the best of those after its moves.
static void check_result(const Position *p)
{
    Move moves[MAX_MOVES];
    const int count = pos_legal_moves(p, moves);
    int wdl, dtz, best = count == 0 && !pos_in_check(p, p->side) ? 0 : -1;
    char fen[FEN_MAX];
    fen_write(p, (FenClocks){0, 1}, fen);
    if (!syzygy_wdl(p, &wdl))
        fail_msg("%s has no value", fen);
    for (int i = 0; i < count; i++) {
        Position next;
        int after;
        pos_make(&next, p, moves[i]);
        if (!syzygy_wdl(&next, &after))
            fail_msg("a position after %s has no value", fen);
        best = -sign_of(after) > best ? -sign_of(after) : best;
    }
    if (sign_of(wdl) != best)
        fail_msg("%s: %d, but %d after its moves", fen, wdl, best);
    if (rand() % 20 == 0 && (!syzygy_dtz(p, &dtz) || sign_of(dtz) != best))
        fail_msg("%s: wdl %d, dtz %d", fen, wdl, dtz);
}

// Puts the men of a table on random squares; half of those with pawns of both colours have just seen a double step.
static bool scatter(Position *p, const char *men)
{
    *p = (Position){.en_passant = NO_SQUARE, .side = (uint8_t)(rand() % 2)};
    int own = -1;
    for (; *men; men++) {
        int square = rand() % 64;
        while (p->square[square] != EMPTY || (strchr("Pp", *men) && (square < 8 || square > 55)))
            square = rand() % 64;
        p->square[square] = (uint8_t)(strchr(fen_letters, *men) - fen_letters);
        own = *men == (p->side == WHITE ? 'p' : 'P') ? square : own;
    }
    pos_rebuild(p);
    const int step = p->side == WHITE ? 8 : -8; // from the pawn back to where it came from
    if (own >= 0 && own / 8 == (p->side == WHITE ? 4 : 3) && p->square[own + step] == EMPTY &&
        p->square[own + 2 * step] == EMPTY && rand() % 2)
        p->en_passant = (uint8_t)(own + step);
    return !pos_in_check(p, !p->side) && !(king_table[bb_first(p->white.king)] & p->black.king);
}

static void test_consistent(void **state)
{
    (void)state;
    static const char *const men[] = {"KPkp", "KPk",  "KPPk", "KQkr", "KRkp", "KBNk",
                                      "KNkp", "KRkn", "KQkp", "kpPK", "krPK", "kqRK"};
    if (!syzygy_is_open())
        return;
    srand(2);
    for (int i = 0; i < ROUNDS(6000); i++) {
        Position p;
        if (scatter(&p, men[(size_t)i % (sizeof men / sizeof *men)]))
            check_result(&p);
    }
}

static void test_unsuitable(void **state)
{
    (void)state;
    // too many men, a castling right, a pawn on the last rank, the side not to move in check, kings side by side
    const char *const fens[] = {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
                                "4k3/8/8/8/8/8/8/K3R3 w - - 0 1", "8/8/8/8/8/3k4/3K4/4R3 w - - 0 1"};
    int value;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position p;
        assert_null(fen_parse(fens[i], strlen(fens[i]), &p, NULL));
        assert_false(syzygy_wdl(&p, &value));
        assert_false(syzygy_dtz(&p, &value));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),  cmocka_unit_test(test_whole),      cmocka_unit_test(test_any_head),
        cmocka_unit_test(test_solved), cmocka_unit_test(test_consistent), cmocka_unit_test(test_unsuitable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
