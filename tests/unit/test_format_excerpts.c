// Games cut to their matches: what is kept before, between and after them, in main lines and variations.
#include "format_fixture.h"

#include <stdio.h>
#include <stdlib.h>

// positions: 0 start, 1 and 5 Nf3, 2 and 6 Nf6, 3 and 7 Ng1, 4 and 8 Ng8
#define LINE "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *\n"
// positions: 1 e4, 2 e5, 3 Nf3, 4 Nc6, 5 c5, 6 Nf3, 7 d6, 8 e6, 9 d4, 10 d5
#define TREE "1. e4 e5 (1... c5 2. Nf3 d6) (1... e6 2. d4 d5) 2. Nf3 Nc6 *\n"

// From the first position that is kept to the moves: its FEN, if it is not that of the whole game, a blank line, the moves.
static void expect_excerpt(Sample *s, const char *fen, const char *moves)
{
    const char *text = sample_write(s, FORMAT_PGN), *tag = strstr(text, "[FEN \"");
    char wanted[300];
    snprintf(wanted, sizeof wanted, "%s%s%s\n%s\n", fen ? "[FEN \"" : "[Result \"*\"]\n", fen ? fen : "",
             fen ? "\"]\n" : "", moves);
    if (!strstr(text, wanted) || strstr(text + 1, "[Event ") || (tag != NULL) != (fen != NULL))
        fail_msg("%s: expected %s", text, wanted);
}

static void test_kept(void **state)
{
    (void)state;
#define BOTH "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - "
#define BLACK_ONLY "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - "
#define WHITE_ONLY "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - "
#define E4 "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    static const struct {
        const char *pgn;
        int32_t hit[3];
        int count, context;
        const char *fen, *moves; // NULL: it begins where the game does
    } cases[] = {
        {LINE, {0}, 1, 1, NULL, "1.Nf3 *"},
        {LINE, {8}, 1, 1, BLACK_ONLY "7 4", "4...Ng8 *"},
        {LINE, {7}, 1, 1, BOTH "6 4", "4.Ng1 Ng8 *"},
        {LINE, {3}, 1, 3, NULL, "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 *"},
        {LINE, {4}, 1, 3, WHITE_ONLY "1 1", "1...Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 *"},
        {LINE, {4}, 1, 4, NULL, "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 *"},
        // what lies between two matches is kept, however far they are from each other
        {LINE, {1, 7}, 2, 1, NULL, "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 *"},
        {LINE, {0, 5}, 2, 1, NULL, "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 *"},
        {LINE, {2, 7}, 2, 1, WHITE_ONLY "1 1", "1...Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 *"},
        // each line has its moves after a match; a line without one is left out
        {TREE, {1}, 1, 1, NULL, "1.e4 e5 ( 1...c5 ) ( 1...e6 ) *"},
        {TREE, {7, 10}, 2, 1, E4, "1...c5 ( 1...e6 2.d4 d5 ) 2.Nf3 d6 *"},
        {TREE, {4, 10}, 2, 1, E4, "1...e5 ( 1...e6 2.d4 d5 ) 2.Nf3 Nc6 *"},
        {TREE, {4, 7, 10}, 3, 1, E4, "1...e5 ( 1...c5 2.Nf3 d6 ) ( 1...e6 2.d4 d5 ) 2.Nf3 Nc6 *"},
        {TREE, {2, 5, 8}, 3, 1, E4, "1...e5 ( 1...c5 2.Nf3 ) ( 1...e6 2.d4 ) 2.Nf3 *"},
        {TREE, {10}, 1, 2, "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "2.d4 d5 *"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        sample_open(&s, cases[i].pgn);
        s.result.hit = cases[i].hit;
        s.result.hit_count = cases[i].count;
        s.g.context = cases[i].context;
        expect_excerpt(&s, cases[i].fen, cases[i].moves);
        sample_close(&s);
    }
}

// Comments that a query removes are not in the excerpt either, and those that it adds are at their positions.
static void test_comments(void **state)
{
    (void)state;
    static const int32_t hit[] = {2};
    static const bool drop[] = {false, false, true, false};
    const LogEntry log[] = {{1, LOG_TEXT, STR("before")}, {3, LOG_TEXT, STR("after")}};
    Sample s;
    sample_open(&s, "1. e4 {a} e5 {b} 2. Nf3 {c} *\n");
    s.result.hit = hit;
    s.result.hit_count = 1;
    s.g.context = 1;
    expect_excerpt(&s, E4, "{a}\n1...e5 {b} 2.Nf3 {c} *");
    s.result.drop_comment = drop;
    s.result.position_count = 4;
    s.result.log = log;
    s.result.log_count = 2;
    expect_excerpt(&s, E4, "{a before}\n1...e5 2.Nf3 {c after} *");
    sample_close(&s);
}

// The comments of any positions are removed, that of the start, too, when one of the queries removes them.
static void test_removed(void **state)
{
    (void)state;
    static const bool first[] = {true, false, false}, second[] = {false, false, true};
    const QueryInfo query = {.name = "q"};
    const RunResult results[] = {{.drop_comment = first, .position_count = 3},
                                 {.matched = true},
                                 {.drop_comment = second, .position_count = 3}};
    const Found found[] = {{&query, &results[0]}, {&query, &results[1]}, {&query, &results[2]}};
    static const struct {
        size_t from, count;
        const char *moves;
    } cases[] = {{0, 1, "1.e4 {a} 1...e5 {b} *"},
                 {1, 1, "{s}\n1.e4 {a} 1...e5 {b} *"},
                 {2, 1, "{s}\n1.e4 {a} 1...e5 *"},
                 {0, 3, "1.e4 {a} 1...e5 *"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample s;
        sample_open(&s, "{s} 1. e4 {a} e5 {b} *\n");
        s.g.found = found + cases[i].from;
        s.g.count = cases[i].count;
        expect_excerpt(&s, NULL, cases[i].moves);
        sample_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept), cmocka_unit_test(test_comments),
                                       cmocka_unit_test(test_removed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
