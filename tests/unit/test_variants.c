// Moves of variants by perft (language reference 16.8): the leaves after 1 to 4 plies; their notation, and FENs.
#include "runtime/chess/variant.h"
#include "test.h"

static const struct {
    enum Variant variant;
    const char *fen;
    long leaves[4];
} table[] = {
    {VARIANT_CHESS960, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {20, 400, 8902, 197281}},
    {VARIANT_CHESS960,
     "r1k1r2b/pp1ppppp/8/2p5/2P5/8/PP1PPPPP/B1R1KR2 w KQkq - 0 1",
     {23, 531, 12219, 280729}},
    {VARIANT_CHESS960, "1rk3r1/p6p/8/8/8/3q4/P6P/1RK3R1 w KQkq - 0 1", {24, 1086, 21098, 909034}},
    {VARIANT_ATOMIC, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {20, 400, 8902, 197326}},
    {VARIANT_ATOMIC, "r3k2r/1P4p1/8/3pP3/8/2N5/5PPP/R3K2R w KQkq d6 0 1", {42, 1002, 35556, 810496}},
    {VARIANT_ATOMIC, "8/3p4/3k4/4K3/8/2r4p/6P1/R2Q4 b - - 0 1", {21, 739, 13450, 469204}},
    {VARIANT_CRAZYHOUSE,
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
     {20, 400, 8902, 197281}},
    {VARIANT_CRAZYHOUSE,
     "r1bqk2r/ppp2ppp/2n5/3np3/1b6/2N2N2/PPPPBPPP/R1BQK2R[P] w KQkq - 0 7",
     {57, 2542, 113000, 5199178}},
    {VARIANT_CRAZYHOUSE, "3r2k1/P4ppp/8/4q3/3N4/6P1/2p2PKP/4R~3[p] w - - 0 30", {33, 2618, 82409, 4905094}},
    {VARIANT_KING_OF_THE_HILL,
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
     {20, 400, 8902, 197281}},
    {VARIANT_KING_OF_THE_HILL, "8/8/3k4/8/2p5/2P1K3/8/7R w - - 0 1", {21, 141, 2130, 12917}},
    {VARIANT_KING_OF_THE_HILL, "r3k2r/pp3ppp/8/3q4/8/4K3/PP3PPP/R6R b kq - 0 20", {43, 850, 33837, 663974}},
    {VARIANT_THREE_CHECK,
     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
     {20, 400, 8902, 197281}},
    {VARIANT_THREE_CHECK,
     "r1bqk2r/ppp2ppp/2n2n2/3pp3/1bB5/2N2N2/PPPPQPPP/R1B1K2R w KQkq - 1+1 0 7",
     {37, 1501, 55187, 2218690}},
    {VARIANT_THREE_CHECK, "4k3/P6R/8/8/8/8/r6p/4K3 b - - 2+1 0 40", {18, 266, 4260, 69484}},
    {VARIANT_GIVEAWAY, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", {20, 400, 8067, 153299}},
    {VARIANT_GIVEAWAY, "8/P6p/8/8/2k5/8/p6P/5K2 w - - 0 1", {12, 180, 1833, 22785}},
    {VARIANT_GIVEAWAY, "rnb1kbnr/p1pp1ppp/8/1N2p3/8/4P3/PPPP1qPP/R1BQKBNR w - - 0 5", {3, 40, 90, 818}},
    {VARIANT_LOSERS, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", {20, 400, 8067, 152955}},
    {VARIANT_LOSERS, "r3k2r/p1pp1ppp/8/1N2p3/8/4P3/PPPP1qPP/R1BQKB1R w KQkq - 0 5", {1, 23, 44, 176}},
    {VARIANT_LOSERS, "8/P4k1p/8/8/8/1n6/p4K1P/8 b - - 0 1", {20, 269, 4450, 45948}},
    {VARIANT_HORDE,
     "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
     {8, 128, 1274, 23310}},
    {VARIANT_HORDE, "r3k2r/3p4/2P3pP/1P1p4/8/8/8/P2P3P w kq - 0 1", {10, 213, 2030, 41635}},
    {VARIANT_HORDE, "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1", {30, 241, 6633, 56539}},
    {VARIANT_RACING_KINGS, "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", {21, 421, 11264, 296242}},
    {VARIANT_RACING_KINGS, "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1", {6, 33, 178, 3151}},
    {VARIANT_RACING_KINGS, "8/1r4N1/K3b2k/8/3n4/8/2R4B/5Q2 b - - 0 20", {32, 1220, 34112, 1202339}},
};

static long perft(const Position *p, int depth)
{
    Move moves[MAX_VARIANT_MOVES];
    const int count = variant_moves(p, false, moves);
    if (depth == 1)
        return count;
    long sum = 0;
    for (int i = 0; i < count; i++) {
        VariantPosition next;
        variant_make(&next, p, moves[i]);
        sum += perft(&next.board, depth - 1);
    }
    return sum;
}

// The position of a row, of which a FEN is written that is read as the same.
static void begin(size_t row, VariantPosition *v)
{
    FenClocks clocks;
    VariantPosition again;
    char fen[FEN_MAX];
    const char *wrong =
        variant_fen_parse(table[row].variant, table[row].fen, strlen(table[row].fen), v, &clocks);
    if (wrong)
        fail_msg("%s: %s", table[row].fen, wrong);
    const int length = fen_write(&v->board, clocks, fen);
    assert_null(variant_fen_parse(table[row].variant, fen, (size_t)length, &again, &clocks));
    assert_memory_equal(v->board.square, again.board.square, 64);
    assert_memory_equal(v->pocket, again.pocket, sizeof again.pocket);
    assert_memory_equal(v->checks, again.checks, sizeof again.checks);
    assert_int_equal(v->promoted, again.promoted);
    assert_int_equal(pos_key(&v->board), pos_key(&again.board));
}

static void test_perft(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        VariantPosition v;
        begin(i, &v);
        for (int depth = 1; depth <= 3 + !SLOW_BUILD; depth++) {
            const long leaves = perft(&v.board, depth);
            if (leaves != table[i].leaves[depth - 1])
                fail_msg("%s %s: %ld leaves after %d plies, not %ld", variant_rules[table[i].variant].name,
                         table[i].fen, leaves, depth, table[i].leaves[depth - 1]);
        }
    }
}

// Suicide has the moves of Giveaway.
static void test_suicide(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        VariantPosition v;
        if (table[i].variant != VARIANT_GIVEAWAY)
            continue;
        begin(i, &v);
        v.variant = VARIANT_SUICIDE;
        for (int depth = 1; depth <= 3; depth++)
            assert_int_equal(perft(&v.board, depth), table[i].leaves[depth - 1]);
    }
}

// Every legal move is written so that it is read as the same move.
static void test_notation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        VariantPosition v, next;
        Move moves[MAX_VARIANT_MOVES], replies[MAX_VARIANT_MOVES];
        begin(i, &v);
        const int count = variant_moves(&v.board, false, moves);
        for (int m = 0; m < count; m++) {
            variant_make(&next, &v.board, moves[m]);
            const int answers = variant_moves(&next.board, false, replies);
            for (int a = 0; a < answers; a++) {
                char san[SAN_MAX];
                Move read;
                int length = san_write(&next.board, replies[a], san);
                while (san[length - 1] == '+' || san[length - 1] == '#')
                    length--;
                if (san_parse(&next.board, san, (size_t)length, &read) != SAN_OK ||
                    memcmp(&read, &replies[a], sizeof read) != 0)
                    fail_msg("%s %s: %s", variant_rules[v.variant].name, table[i].fen, san);
            }
        }
    }
}

static void test_bad_fens(void **state)
{
    (void)state;
    static const struct {
        enum Variant variant;
        const char *fen;
    } bad[] = {
        {VARIANT_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1"},
        {VARIANT_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[x] w - - 0 1"},
        {VARIANT_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K3[N w - - 0 1"},
        {VARIANT_CRAZYHOUSE, "4k3/8/8/8/8/8/8/~4K3 w - - 0 1"},
        {VARIANT_ATOMIC, "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1"},
        {VARIANT_ATOMIC, "r~3k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {VARIANT_ATOMIC, "8/8/8/8/8/8/8/R7 w - - 0 1"},
        {VARIANT_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 4+3 0 1"},
        {VARIANT_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +4+0"},
        {VARIANT_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - 3+ 0 1"},
        {VARIANT_THREE_CHECK, "4k3/8/8/8/8/8/8/4K3 w - - +0+0 0 1"},
        {VARIANT_HORDE, "4k3/8/8/8/8/8/8/PPP1K3 w - - 0 1"},
        {VARIANT_RACING_KINGS, "8/8/8/8/8/P7/k7/K7 w - - 0 1"},
        {VARIANT_GIVEAWAY, "8/8/8/8/8/8/8/8 w - - 0 1"},
        {VARIANT_LOSERS, "8/8/8/8/8/8/8/4K3 w - - 0 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        VariantPosition v;
        FenClocks clocks;
        if (!variant_fen_parse(bad[i].variant, bad[i].fen, strlen(bad[i].fen), &v, &clocks))
            fail_msg("accepted: %s", bad[i].fen);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perft),
        cmocka_unit_test(test_suicide),
        cmocka_unit_test(test_notation),
        cmocka_unit_test(test_bad_fens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
