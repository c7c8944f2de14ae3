// Main lines read alone, against the trees of the same games.
#include "test_game.h"

#include "runtime/game/game_memory.h"
#include "runtime/game/lines.h"

// Reads the game in all alignments: after 0 to 130 spaces.
static void assert_line(const char *movetext, bool readable, const char *uci, unsigned facts)
{
    Game g;
    GameLine line = {0};
    game_init(&g);
    for (int spaces = 0; spaces <= 130; spaces++) {
        char text[2000], got[1000] = "";
        snprintf(text, sizeof text, "%*s%s", spaces, "", movetext);
        const GameText source = game_of(text);
        game_parse_tags(&g, &source);
        assert_int_equal(game_read_line(&line, &g), readable);
        if (!readable)
            continue;
        reports[0] = 0;
        game_parse(&g, &source, 0, keep_report, NULL);
        assert_string_equal(reports, "");
        assert_int_equal(line.count, g.ply_count);
        assert_int_equal(line.result, g.view.result);
        assert_int_equal(line.notes, g.memory->has_notes);
        assert_int_equal(line.variations, g.memory->has_variations);
        assert_memory_equal(&line.last, g.view.position[g.ply_count], sizeof line.last);
        bool null_moves = false;
        for (int32_t i = 0; i < g.ply_count; i++)
            null_moves |= g.view.node[i + 1].move.flags & MOVE_NULL;
        assert_int_equal(line.null_moves, null_moves);
        for (int32_t i = 0; i < g.ply_count; i++) {
            char move[SAN_MAX];
            const Move m = g.view.node[i + 1].move;
            assert_int_equal(line.word[i], word_of(m));
            uci_write(g.view.position[i], m, move);
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", i > 0 ? " " : "", move);
        }
        assert_string_equal(got, uci);
        assert_int_equal(line.facts, facts);
    }
    game_line_free(&line);
    game_free(&g);
}

static void test_null_moves(void **state)
{
    (void)state;
    assert_line("1. e4 -- 2. d4 d5 *", true, "e2e4 0000 d2d4 d7d5", 0);
    assert_line("1. e4 e5 2. Z0 d5 *", true, "e2e4 e7e5 0000 d7d5", 0);
    assert_line("1. e4 e5 2. d4 null *", true, "e2e4 e7e5 d2d4 0000", 0);
    assert_line("1. e4 e5 (1... -- 2. d4) 2. d4 *", true, "e2e4 e7e5 d2d4", 0);
}

static void test_moves(void **state)
{
    (void)state;
    assert_line("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0", true, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", 0);
    assert_line("e4 e5 Nf3 Nc6 *", true, "e2e4 e7e5 g1f3 b8c6", 0);
    assert_line("1.e4 e5\r\n2.Nf3\tNc6 1/2-1/2", true, "e2e4 e7e5 g1f3 b8c6", 0);
    assert_line("1. Nf3 Nf6 2. Ng1 Ng8 3. N2f3 *", false, "", 0); // illegal: another origin
    assert_line("10. e4 20... e5 007 100. d4 0-1", true, "e2e4 e7e5 d2d4", 0);
    assert_line("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0", true, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7",
                LINE_MATE);
    assert_line("*", true, "", 0);
    assert_line("1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. h4 Rah6 5. Qxc7 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 "
                "9. Qxc8 Kg6 10. Qe6 1/2-1/2",
                true,
                "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 "
                "c8e6",
                LINE_STALEMATE);
}

static void test_special_moves(void **state)
{
    (void)state;
    assert_line("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *", true,
                "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8", LINE_CASTLES_KING);
    assert_line("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 *", true, "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1",
                LINE_CASTLES_KING & LINE_WHITE);
    // a zero behind a move is no part of a number
    assert_line("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc50-0 Nc6 5. d3 d6 6. Bg5 h6 7. Bh4 g5 8. Bg3 *", true,
                "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 b8c6 d2d3 d7d6 c1g5 h7h6 g5h4 g7g5 h4g3",
                LINE_CASTLES_KING & LINE_WHITE);
    assert_line("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. a3 O-O-O *", true,
                "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 a2a3 e8c8", LINE_CASTLES_QUEEN & LINE_BLACK);
    assert_line("1. e4 a6 2. e5 d5 3. exd6 *", true, "e2e4 a7a6 e4e5 d7d5 e5d6", LINE_EN_PASSANT);
    assert_line("1. e4 d5 2. exd5 c6 3. dxc6 a6 4. cxb7 a5 5. bxa8=Q *", true,
                "e2e4 d7d5 e4d5 c7c6 d5c6 a7a6 c6b7 a6a5 b7a8q", LINE_PROMOTES & LINE_WHITE);
    assert_line("1. e4 -- 2. d4 *", true, "e2e4 0000 d2d4", 0);
    // with more after it, in the usual way
    assert_line("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O O-O-O 6. a3 a6 7. h3 h6 8. g3 g6 *", true,
                "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 e8c8 a2a3 a7a6 h2h3 h7h6 g2g3 g7g6",
                LINE_CASTLES_QUEEN);
    assert_line("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. O-O-O a6 6. a3 a5 7. h3 h6 8. g3 g6 *", true,
                "d2d4 d7d5 b1c3 b8c6 c1f4 c8f5 d1d2 d8d7 e1c1 a7a6 a2a3 a6a5 h2h3 h7h6 g2g3 g7g6",
                LINE_CASTLES_QUEEN & LINE_WHITE);
    assert_line("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3 O-O 5. a3 a6 6. h3 h6 7. g3 g6 8. Nc3 Nc6 *", true,
                "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 d2d3 e8g8 a2a3 a7a6 h2h3 h7h6 g2g3 g7g6 b1c3 b8c6",
                LINE_CASTLES_KING & LINE_BLACK);
    // a checked king must not castle
    assert_line("1. e4 e5 2. Nf3 Qh4 3. Bc4 Qxf2+ 4. O-O *", false, "", 0);
    // a pinned piece, a king in check
    assert_line("1. e4 e5 2. d3 Bb4+ 3. a3 *", false, "", 0);
    assert_line("1. e4 e5 2. d3 Bb4+ 3. Nd2 a6 4. Nb3 *", false, "", 0);
    assert_line("1. e4 e5 2. d3 Bb4+ 3. Nd2 a6 4. Ngf3 Bxd2+ 5. Bxd2 *", true,
                "e2e4 e7e5 d2d3 f8b4 b1d2 a7a6 g1f3 b4d2 c1d2", 0);
    assert_line("1. e4 e5 2. d4 Bb4+ 3. Nc3 d6 4. Ne2 *", true, "e2e4 e7e5 d2d4 f8b4 b1c3 d7d6 g1e2", 0);
}

static void test_other_tokens(void **state)
{
    (void)state;
    assert_line("1. e4 { [%clk 0:05:00] } 1... e5 {best {by} test} 2. Nf3! $14 Nc6 ; rest\n3. Bb5 1-0", true,
                "e2e4 e7e5 g1f3 b8c6 f1b5", 0);
    assert_line("1. e4{a}e5{b}{c}2.Nf3+- Nc6 1-0", true, "e2e4 e7e5 g1f3 b8c6", 0);
    assert_line("1. e4 e5 } 2. Nf3 { } } Nc6 *", true, "e2e4 e7e5 g1f3 b8c6", 0);
    assert_line("1. e4 ; no { comment\ne5 2. Nf3 ;}\n{ Bc4 ; { a }\n} Nc6 *", true, "e2e4 e7e5 g1f3 b8c6", 0);
    assert_line("1. e4 Diagram{ e5 2. Nf3 Nc6 } e5 *", true, "e2e4 e7e5", 0);
    assert_line("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. 5171 Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *", false,
                "", 0);
    assert_line("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. ♔e2 Be7 6. Re1ch b5 7. Bb3 d6 8. c3 O-O *", true,
                "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1e2 f8e7 h1e1 b7b5 a4b3 d7d6 c2c3 e8g8",
                LINE_CASTLES_KING & LINE_BLACK);
    assert_line("1. e4 {a} { b {c} d } {e} e5 { {} } {{ f }} 2. Nf3 {12. g} Nc6 { 0-1 } *", true,
                "e2e4 e7e5 g1f3 b8c6", 0);
    assert_line("1. e4 { 2. Nf3 } 1... { } e5 {1-0} { [%clk 0:05:00] } 2. { } Nf3 0-1", true,
                "e2e4 e7e5 g1f3", 0);
    assert_line("1. e4 e5 2. Nf3 Nc6 1-0 { after }", true, "e2e4 e7e5 g1f3 b8c6", 0);
    assert_line("1. e4 $0-1", false, "", 0);
    assert_line("1. e4 e5", false, "", 0);
    assert_line("1. e4 hello e5 *", false, "", 0);
    assert_line("1. e4 {open *", false, "", 0);
    assert_line("1. e4 e5 ) *", false, "", 0);
    assert_line("1. e4 e9 *", false, "", 0);
    assert_line("1. e4 00 *", false, "", 0); // castling with zeros
    assert_line("1. e4 e500 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 *", false, "", 0);
    assert_line("", false, "", 0);
}

static void test_variations(void **state)
{
    (void)state;
    assert_line("1. e4 (1. d4) e5 *", true, "e2e4 e7e5", 0);
    assert_line(
        "1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. Nf3)) (1... f5) 2. c4) (1. c4) 1... e5 2. Nf3 (2. f4) Nc6 "
        "(2... d6) *",
        true, "e2e4 e7e5 g1f3 b8c6", 0);
    assert_line("1. e4 ((1. c4) 1. d4) *", true, "e2e4", 0);
    assert_line("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3 (4. O-O O-O) 4... a6 (4... O-O) 5. c3 *", true,
                "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 d2d3 a7a6 c2c3", 0);
    assert_line("1. e4 a6 2. e5 (2. d4 e6) d5 (2... f5 3. exf6) 3. exd6 (3. d4 (3. exd6 exd6)) *", true,
                "e2e4 a7a6 e4e5 d7d5 e5d6", LINE_EN_PASSANT);
    assert_line("(1. d4) 1. e4 *", false, "", 0);
    assert_line("(1. d4 d5 *", false, "", 0);
    assert_line("1. e4 (1. d4 e5 *", false, "", 0);
    assert_line("1. e4 (1. e5) e5 *", false, "", 0);
    assert_line("1. e4 (1. d4 d5 1-0) e5 *", false, "", 0);
}

// Lines that are longer than what is looked at at once.
static void test_long_lines(void **state)
{
    (void)state;
    Game g;
    GameLine line = {0};
    game_init(&g);
    for (int i = 0; i < 300; i++) {
        char text[6000];
        size_t used = (size_t)sprintf(text, "1. e4 {%*s}", i % 2 ? 1900 + 2 * i : i / 2, "x");
        used += (size_t)sprintf(text + used, " e5 ");
        for (int k = 0; k < 240; k++)
            used += (size_t)sprintf(text + used, "%s", k % 2 ? "3. Ng1  Ng8 " : "Nf3 Nf6\n");
        strcpy(text + used, "1-0");
        const GameText source = game_of(text);
        game_parse(&g, &source, 0, NULL, NULL);
        assert_false(g.damaged);
        game_parse_tags(&g, &source);
        assert_true(game_read_line(&line, &g));
        assert_int_equal(line.count, g.ply_count);
        assert_memory_equal(&line.last, g.view.position[g.ply_count], sizeof line.last);
    }
    game_line_free(&line);
    game_free(&g);
}

// Nothing of a line is left when the next one is read.
static void test_next_line(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1. e4 -- 2. d4 *",
        "1. e4 (1. d4) e5 *",
        "1. e4 {a} e5 $1 1-0",
        "1. f3 e5 2. g4 Qh4# 0-1",
        "*",
        "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O 1/2-1/2",
        "1. e4 e5 (1... -- 2. d4 {b",
        "1. e4 e5 2. d4 e5 *",
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    Game g;
    GameLine line = {0};
    game_init(&g);
    for (int i = 0; i < TEXTS * TEXTS; i++) {
        GameLine fresh = {0};
        const GameText before = game_of(texts[i / TEXTS]), source = game_of(texts[i % TEXTS]);
        game_parse_tags(&g, &before);
        game_read_line(&line, &g);
        game_parse_tags(&g, &source);
        const bool readable = game_read_line(&line, &g);
        assert_int_equal(game_read_line(&fresh, &g), readable);
        if (readable) {
            assert_int_equal(line.count, fresh.count);
            assert_memory_equal(line.word, fresh.word, line.count * sizeof *line.word);
            assert_int_equal(line.facts, fresh.facts);
            assert_int_equal(line.null_moves, fresh.null_moves);
            assert_int_equal(line.variations, fresh.variations);
            assert_int_equal(line.notes, fresh.notes);
            assert_int_equal(line.result, fresh.result);
            assert_memory_equal(&line.last, &fresh.last, sizeof line.last);
        }
        game_line_free(&fresh);
    }
    game_line_free(&line);
    game_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),         cmocka_unit_test(test_null_moves),
        cmocka_unit_test(test_special_moves), cmocka_unit_test(test_other_tokens),
        cmocka_unit_test(test_variations),    cmocka_unit_test(test_next_line),
        cmocka_unit_test(test_long_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
