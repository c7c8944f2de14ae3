// Counts of move sequences against the published numbers.
#include "test.h"

#include "runtime/chess/chess.h"

typedef struct Perft {
    const char *fen;
    uint64_t nodes[8]; // for depth 1, 2, ...; 0: unknown or not tested
} Perft;

// The number of leaf nodes at `depth`.
static uint64_t perft(const Position *p, int depth)
{
    if (depth == 0)
        return 1;
    Move moves[MAX_MOVES];
    const int count = pos_legal_moves(p, moves);
    if (depth == 1)
        return (uint64_t)count;
    uint64_t nodes = 0;
    for (int i = 0; i < count; i++) {
        Position next;
        pos_make(&next, p, moves[i]);
        nodes += perft(&next, depth - 1);
    }
    return nodes;
}

// The depths from four million nodes on are left to full runs.
static void check(const Perft *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Position p;
        assert_null(fen_parse(cases[i].fen, strlen(cases[i].fen), &p, NULL));
        for (int depth = 1; depth <= 8; depth++)
            if (cases[i].nodes[depth - 1] && (cases[i].nodes[depth - 1] < 4000000 || is_full_run()) &&
                perft(&p, depth) != cases[i].nodes[depth - 1])
                fail_msg("%s: depth %d gives %llu nodes", cases[i].fen, depth,
                         (unsigned long long)perft(&p, depth));
    }
}

// The six positions of the "Perft Results" page of the chess programming wiki.
static void test_well_known(void **state)
{
    (void)state;
    static const Perft cases[] = {
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
         {20, 400, 8902, 197281, 4865609, 119060324}},
        {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
         {48, 2039, 97862, 4085603, 193690690}},
        {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238, 674624, 11030083}},
        {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
         {6, 264, 9467, 422333, 15833292}},
        {"r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", {6, 264, 9467, 422333}},
        {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", {44, 1486, 62379, 2103487, 89941194}},
        {"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
         {46, 2079, 89890, 3894594, 164075551}},
    };
    check(cases, sizeof cases / sizeof *cases);
}

// Martin Sedlak's collection: en passant, castling and promotion in the situations that break move
// generators.
static void test_special_moves(void **state)
{
    (void)state;
    static const Perft cases[] = {
        {"3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", {[5] = 1134888}},
        {"8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", {[5] = 1015133}},
        {"8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", {[5] = 1440467}},
        {"8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1", {[5] = 824064}},
        {"8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", {[5] = 824064}},
        {"8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1", {[5] = 1440467}},
        {"8/b2p2k1/8/2P5/8/4K3/8/8 b - - 0 1", {[5] = 1015133}},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", {[5] = 661072}},
        {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", {[5] = 803711}},
        {"r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", {[3] = 1274206}},
        {"r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", {[3] = 1720476}},
        {"2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", {[5] = 3821001}},
        {"8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", {[4] = 1004658}},
        {"4k3/1P6/8/8/8/8/K7/8 w - - 0 1", {[5] = 217342}},
        {"8/P1k5/K7/8/8/8/8/8 w - - 0 1", {[5] = 92683}},
        {"K1k5/8/P7/8/8/8/8/8 w - - 0 1", {[5] = 2217}},
        {"8/k1P5/8/1K6/8/8/8/8 w - - 0 1", {[6] = 567584}},
        {"8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", {[3] = 23527}},
    };
    check(cases, sizeof cases / sizeof *cases);
}

// The first positions of the "Chess960 Perft Results" of the chess programming wiki.
static void test_chess960(void **state)
{
    (void)state;
    static const Perft cases[] = {
        {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
         {21, 528, 12189, 326672, 8146062}},
        {"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
         {21, 807, 18002, 667366, 16253601}},
        {"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", {20, 479, 10471, 273318, 6417013}},
        {"qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", {22, 593, 13440, 382958, 9183776}},
        {"1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", {28, 1120, 31058, 1171749}},
        {"qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9", {29, 899, 26578, 824055}},
        {"q1bnrkr1/ppppp2p/2n2p2/4b1p1/2NP4/8/PPP1PPPP/QNB1RRKB w ge - 1 9", {30, 860, 24566, 732757}},
        {"qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 9", {25, 635, 17054, 465806}},
        {"qnnbbrkr/1p2ppp1/2pp3p/p7/1P5P/2NP4/P1P1PPP1/Q1NBBRKR w HFhf - 0 9", {24, 572, 15243, 384260}},
        {"qn1rbbkr/ppp2p1p/1n1pp1p1/8/3P4/P6P/1PP1PPPK/QNNRBB1R w hd - 2 9", {28, 811, 23175, 679699}},
    };
    check(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_well_known),
        cmocka_unit_test(test_special_moves),
        cmocka_unit_test(test_chess960),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
