// Movetext: the tree, comments and glyphs (language reference 6.1, 9.4).
#include "runtime/chess/word.h"
#include "runtime/game/game_memory.h"
#include "test_game.h"

static Game game;

static void test_ids(void **state)
{
    (void)state;
    // the example of language reference 6.1.1
    parse(&game, "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6 2. d4) 2. Nf3 Nc6 (2... Nf6) *");
    assert_tree(&game, "0e2e4 1e7e5 2g1f3 3b8c6 3g8f6 1c7c5 6g1f3 7d7d6 6c2c3 9d7d5 1e7e6 11d2d4");
    assert_string_equal(reports, "");
    static const int32_t last[] = {12, 12, 5, 5, 4, 5, 10, 8, 8, 10, 10, 12, 12};
    static const int32_t depth[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 1, 1};
    static const int32_t ply[] = {0, 1, 2, 3, 4, 4, 2, 3, 4, 3, 4, 2, 3};
    static const int32_t index[] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0};
    static const int32_t sibling[] = {-1, -1, 6, -1, 5, -1, 11, 9, -1, -1, -1, -1, -1};
    static const int32_t child[] = {1, 2, 3, 4, -1, -1, 7, 8, -1, 10, -1, 12, -1};
    assert_int_equal(game.view.count, 13);
    assert_int_equal(game.ply_count, 4);
    for (int i = 0; i < 13; i++) {
        const Node *n = &game.view.node[i];
        assert_int_equal(n->last, last[i]);
        assert_int_equal(n->depth, depth[i]);
        assert_int_equal(n->ply, ply[i]);
        assert_int_equal(n->index, index[i]);
        assert_int_equal(n->next_sibling, sibling[i]);
        assert_int_equal(n->first_child, child[i]);
    }
    for (int i = 1; i <= 4; i++) // the main line is contiguous
        assert_ptr_equal(game.view.position[i], game.view.position[0] + i);
}

static void test_main_line_only(void **state)
{
    (void)state;
    GameText source = game_of("1. e4 {a} e5 (1... c5 {b} 2. Nf3 (2. c3 $1) d6) 2. Nf3 $2 *");
    game_parse(&game, &source, PARSE_NOTES, NULL, NULL);
    assert_tree(&game, "0e2e4 1e7e5 2g1f3");
    assert_text(game.note[1].comment, "a");
    assert_text(game.note[2].comment, "");
    assert_int_equal(game.note[3].nag_count, 1);
    game_parse(&game, &source, 0, NULL, NULL);
    assert_tree(&game, "0e2e4 1e7e5 2g1f3");
    assert_null(game.note);
    for (int i = 0; i < 4; i++) {
        const Node *n = &game.view.node[i];
        assert_int_equal(n->last, 3);
        assert_int_equal(n->first_child, i < 3 ? i + 1 : -1);
        assert_int_equal(n->next_sibling, -1);
        assert_int_equal(n->ply, i);
    }
}

// Notes that are read into a game whose moves are known.
static void test_notes_alone(void **state)
{
    (void)state;
    const char *text =
        "[Event \"a  b\"]\n\n{before} 1. e4! {[%clk 0:01:02]  two  words} e5 $14 ; rest {of} line\n"
        "2. Nf3 {a {b} c} Nc6 3.Bb5 e.p. {first} {[%eval 0.5]} a6\n4. O-O {} d6 5. Bxc6+ {x} bxc6?! 1-0";
    Game replayed;
    game_init(&replayed);
    const GameText source = game_of(text);
    game_parse(&game, &source, PARSE_NOTES | PARSE_CLOCKS, NULL, NULL);
    MoveWord word[16];
    const size_t count = (size_t)game.ply_count;
    assert_int_equal(count, 10);
    for (size_t i = 0; i < count; i++)
        word[i] = word_of(game.view.node[i + 1].move);
    game_parse_tags(&replayed, &source);
    assert_true(game_replay(&replayed, 0, word, 1, count, RESULT_WHITE));
    assert_true(game_read_notes(&replayed, PARSE_NOTES | PARSE_CLOCKS));
    for (size_t i = 0; i <= count; i++) {
        const Note *a = &game.note[i], *b = &replayed.note[i];
        assert_int_equal(a->comment.length, b->comment.length);
        assert_true(a->comment.length == 0 ||
                    memcmp(a->comment.start, b->comment.start, a->comment.length) == 0);
        assert_int_equal(a->clocks.has, b->clocks.has);
        assert_int_equal(a->clocks.clock, b->clocks.clock);
        assert_int_equal(a->clocks.eval, b->clocks.eval);
        assert_int_equal(a->nag_count, b->nag_count);
        assert_memory_equal(a->nag, b->nag, a->nag_count);
    }
    assert_text(replayed.note[1].comment, "[%clk 0:01:02] two words");
    assert_text(replayed.note[3].comment, "a _b_ c");
    assert_false(game_complete(&replayed));
    game_parse_tags(&replayed, &source); // another number of moves than the text has
    assert_true(game_replay(&replayed, 0, word, 1, count - 1, RESULT_WHITE));
    assert_false(game_read_notes(&replayed, PARSE_NOTES));
    game_free(&replayed);
}

// The tree of a game that was read without variations and notes is complete if the text has none.
static void test_complete(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool complete;
    } cases[] = {
        {"1. e4 e5 *", true},
        {"*", true},
        {"1. e4 ; {a} (\n e5 *", true},
        {"1. e4 e.p. e5 } *", true},
        {"1. e4 (1. d4) e5 *", false},
        {"1. e4 () e5 *", false},
        {"1. e4 {} e5 *", false},
        {"{a} 1. e4 *", false},
        {"1. e4 e5 * {a}", true},
        {"1. e4! e5 *", false},
        {"1. e4 $0 e5 *", false},
        {"1. e4 e5 2. Nf3 Nc6 3. Bb5 {a} a6 *", false},
        {"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 *", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (unsigned flags = 0; flags <= PARSE_NOTES; flags += PARSE_NOTES) {
            const GameText source = game_of(cases[i].text);
            game_parse(&game, &source, flags, NULL, NULL);
            assert_true((game.note != NULL) == (flags == PARSE_NOTES));
            if (game_complete(&game) != cases[i].complete)
                fail_msg("%s", cases[i].text);
            for (int32_t id = 0; cases[i].complete && id < game.view.count; id++)
                assert_int_equal(game.note[id].comment.length + game.note[id].nag_count, 0);
        }
}

// Games use the memory of those before them.
static void test_memory_of_games(void **state)
{
    (void)state;
    const GameText source = game_of("1. e4 {a  b} (1. d4 {c  d} (1. c4) d5) e5 *");
    size_t side = 0, texts = 0;
    for (int i = 0; i < 3; i++) {
        game_parse(&game, &source, PARSE_VARIATIONS | PARSE_NOTES, NULL, NULL);
        if (i == 0) {
            side = (size_t)game.memory->side_count;
            texts = game.memory->text_length;
        }
        assert_int_equal(game.memory->side_count, side);
        assert_int_equal(game.memory->text_length, texts);
    }
    assert_int_equal(side, 3);
    assert_int_equal(texts, strlen("a b") + strlen("c d"));
    for (int i = 0; i < 3; i++) {
        game_parse(&game, &source, 0, NULL, NULL);
        assert_int_equal(game.memory->side_count, 0); // side lines that are not kept give their room back
    }
}

// A game that is replayed has nothing of the game that was read before it.
static void test_replay_after_another(void **state)
{
    (void)state;
    static const char *const before[] = {"1. d4 {a} (1. c4 {b}) d5 $1 *", "1. d4 d5 2. e5 *",
                                         "[FEN \"8\"]\n\n*", "*",
                                         "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n\n9... Kd7 {a} *"};
    static const char text[] = "1. e4 e5 2. Nf3 *";
    const GameText source = game_of(text);
    MoveWord word[3];
    parse(&game, text);
    for (int i = 0; i < 3; i++)
        word[i] = word_of(game.view.node[i + 1].move);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (int count = 0; count <= 3; count++) {
            parse(&game, before[i]);
            game_parse_tags(&game, &source);
            assert_true(game_replay(&game, 0, word, 1, (size_t)count, RESULT_DRAW));
            assert_int_equal(game.view.count, count + 1);
            assert_int_equal(game.ply_count, count);
            assert_int_equal(game.view.result, RESULT_DRAW);
            assert_false(game.damaged || game.skipped || game.has_fen);
            assert_int_equal(game.view.node[count].first_child, -1);
            assert_int_equal(game.view.node[0].last, count);
            assert_int_equal(game.view.position[count]->side, count & 1);
            assert_true(game_complete(&game));
        }
    word[1] = word[0]; // the move before it is played
    game_parse_tags(&game, &source);
    assert_false(game_replay(&game, 0, word, 1, 3, RESULT_DRAW));
    assert_int_equal(game.ply_count, 1);
    assert_int_equal(game.view.count, 2);
}

// The same into games that were read without notes.
static void test_notes_later(void **state)
{
    (void)state;
    GameText source = game_of("{before} 1. e4 {a  b} e5 $1 2. -- Nc6! {c} 3. Z0 {d} *");
    game_parse(&game, &source, 0, NULL, NULL);
    assert_true(game_read_notes(&game, PARSE_NOTES));
    static const char *const comment[] = {"before", "a b", "", "", "c", "d"};
    for (int i = 0; i < 6; i++)
        assert_text(game.note[i].comment, comment[i]);
    assert_int_equal(game.note[2].nag[0], 1);
    assert_int_equal(game.note[4].nag[0], 1);
    static const char *const other[] = {"1. e4 {a} (1. d4 {b}) e5 *", "1. e4 {a} e6 2. e6 {b} *",
                                        "1. e4 {a} xyz e5 *"};
    for (int i = 0; i < 3; i++) { // a variation, an illegal move, an unknown word
        source = game_of(other[i]);
        game_parse(&game, &source, 0, NULL, NULL);
        assert_false(game_read_notes(&game, PARSE_NOTES));
    }
}

// Comments and moves that are glued to a pawn move, and whose text looks like its target.
static void test_notes_of_glued_moves(void **state)
{
    (void)state;
    const GameText source =
        game_of("1. e4;c5 {hidden}\nc5 2. Nf3{d4 } d6{e5}3.d4Nf6 {f} 4.dxc5{d6 }dxc5{d4 best} *");
    game_parse(&game, &source, 0, NULL, NULL);
    assert_int_equal(game.ply_count, 8);
    assert_true(game_read_notes(&game, PARSE_NOTES));
    static const char *const comment[] = {"", "", "", "d4", "e5", "", "f", "d6", "d4 best"};
    for (int i = 0; i < 9; i++)
        assert_text(game.note[i].comment, comment[i]);
}

static void test_no_moves(void **state)
{
    (void)state;
    parse(&game, "1/2-1/2");
    assert_int_equal(game.view.count, 1);
    assert_int_equal(game.view.node[0].first_child, -1);
    assert_int_equal(game.view.node[0].parent, -1);
    assert_int_equal(game.view.result, RESULT_DRAW);
}

// Language reference 6.17: an alternative to the first move of a variation is one more child of the same
// parent.
static void test_alternative_to_first_move(void **state)
{
    (void)state;
    parse(&game, "1. e4 e5 (1... c5 (1... e6 2. d4) 2. Nf3) (1... d5) *");
    assert_tree(&game, "0e2e4 1e7e5 1c7c5 3g1f3 1e7e6 5d2d4 1d7d5");
    assert_int_equal(game.view.node[5].index, 2);
    assert_int_equal(game.view.node[5].depth, 1);
    assert_int_equal(game.view.node[7].index, 3);
}

static void test_empty_variations(void **state)
{
    (void)state;
    parse(&game, "1. e4 () e5 ({only a comment}) 2. Nf3 (2. Nc3) ($1) 2... Nc6 *");
    assert_tree(&game, "0e2e4 1e7e5 2g1f3 3b8c6 2b1c3");
}

static void test_parentheses(void **state)
{
    (void)state;
    parse(&game, "1. c4 c5 ) 2. Nc3 (2. Nf3 Nf6 3. g3 *");
    assert_tree(&game, "0c2c4 1c7c5 2b1c3 2g1f3 4g8f6 5g2g3");
    parse(&game, "(1. d4 (1. c4) d5) 1. e4 (1. d4) 1-0"); // an alternative to nothing
    assert_tree(&game, "0e2e4 0d2d4");
    assert_int_equal(game.view.result, RESULT_WHITE);
}

static void test_comments(void **state)
{
    (void)state;
    parse(&game, "{one} {two} 1. e4 {alpha} {beta} e5 {gamma} (1... c5 {delta}) {epsilon} {} 2. Nf3 *");
    assert_text(game.note[0].comment, "one two");
    assert_text(game.note[1].comment, "alpha beta");
    assert_text(game.note[2].comment, "gamma epsilon");
    assert_text(game.note[3].comment, "");
    assert_text(game.note[4].comment, "delta");
    parse(&game, "1. d4 {outer {inner} rest} d5 } 2. c4 {[Event \"not a tag\"]} e6 {  two \r\n  "
                 "spaced\twords } 3. Nc3 { } *");
    assert_text(game.note[1].comment, "outer _inner_ rest");
    assert_text(game.note[3].comment, "[Event \"not a tag\"]");
    assert_text(game.note[4].comment, "two spaced words");
    assert_text(game.note[5].comment, "");
    static const char *const marked[][2] = {{"a\n\xEF\xBB\xBF"
                                             "b",
                                             "a b"},
                                            {"\n\xEF\xBB\xBF"
                                             "a",
                                             "a"},
                                            {"a\r\xEF\xBB\xBF", "a"},
                                            {"a \n\xEF\xBB\xBF \r\xEF\xBB\xBF b", "a b"},
                                            {"a \xEF\xBB\xBF"
                                             "b",
                                             "a \xEF\xBB\xBF"
                                             "b"},
                                            {"\xEF\xBB\xBF"
                                             "a",
                                             "\xEF\xBB\xBF"
                                             "a"},
                                            {"a\n\xEF\xBB", "a \xC3\xAF\xC2\xBB"}};
    for (size_t i = 0; i < sizeof marked / sizeof *marked;
         i++) { // a byte order mark that begins a line is none of it
        char text[64];
        snprintf(text, sizeof text, "1. e4 {%s} *", marked[i][0]);
        parse(&game, text);
        assert_text(game.note[1].comment, marked[i][1]);
    }
    parse(&game,
          "1. e4 {caf\xE9 \xC3\xA9} e5 {\xC3\xA9} {\xE9} 2. d4 {\xC3\xA9} *"); // as a whole, Latin-1 or UTF-8
    assert_text(game.note[1].comment, "caf\xC3\xA9 \xC3\x83\xC2\xA9");
    assert_text(game.note[2].comment, "\xC3\x83\xC2\xA9 \xC3\xA9");
    assert_text(game.note[3].comment, "\xC3\xA9");
}

static void test_start_comments(void **state)
{
    (void)state;
    parse(&game,
          "1. d4 d5 ({before} 1... Nf6 {after} 2. c4 ({pre} 2. Bg5 {post}) 2... e6 {tail}) 2. c4 {main} *");
    assert_tree(&game, "0d2d4 1d7d5 2c2c4 1g8f6 4c2c4 5e7e6 4c1g5");
    assert_text(game.note[4].start_comment, "before");
    assert_text(game.note[4].comment, "after");
    assert_text(game.note[7].start_comment, "pre");
    assert_text(game.note[7].comment, "post");
    assert_text(game.note[6].comment, "tail");
    assert_text(game.note[3].comment, "main");
    // several before the first move of a variation, and around variations
    parse(&game, "1. d4 {a} ({b}{c  d} (1. c4 {e}) {f} 1. e4 {g}) {h} ({i} ({j}) 1. Nf3) { {k} } d5 {l} *");
    assert_tree(&game, "0d2d4 1d7d5 0c2c4 0e2e4 0g1f3");
    static const char *const comment[] = {"", "a h _k_", "l", "e", "g", ""};
    static const char *const start[] = {"", "", "", "", "b c d f", "i"};
    for (int i = 0; i < 6; i++) {
        assert_text(game.note[i].comment, comment[i]);
        assert_text(game.note[i].start_comment, start[i]);
    }
}

static void test_glyphs(void **state)
{
    (void)state;
    parse(&game, "1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! 4. Ba4 = Nf6 += 5. O-O =+ Be7 +/- 6. Re1 -/+ b5 +- "
                 "7. Bb3 -+ "
                 "d6 ~ 8. c3 $146 O-O D 9. h3 N Na5 $14 $36 $1 10. Bc2 !!! c5 =/+ 11. d4 +/= Qc7 B Dia *");
    static const int nag[] = {0,  1,  2,  3,   4,   5,   6,  10, 14, 15, 16, 17,
                              18, 19, 13, 146, 201, 146, 14, 3,  15, 14, 0};
    assert_int_equal(game.ply_count, 22);
    for (int i = 1; i <= 22; i++)
        assert_int_equal(game.note[i].nag_count ? game.note[i].nag[0] : 0, nag[i]);
    assert_int_equal(game.note[18].nag_count, 3);
    assert_string_equal(reports, "");
    parse(&game,
          "1. e4‼ e5⁇ 2. Nf3⁉$1 Nc6⁈ 3. Bb5 □ a6∞ {a} 4. Ba4⩲ Nf6+⩱ 5. O-O± Be7+− (5... d6∓) 6. Re1 –+ *");
    static const int symbols[] = {0, 3, 4, 5, 6, 7, 13, 14, 15, 16, 18, 19, 17};
    assert_int_equal(game.view.count, 13);
    for (int i = 1; i < 13; i++)
        assert_int_equal(game.note[i].nag_count ? game.note[i].nag[0] : 0, symbols[i]);
    assert_int_equal(game.note[3].nag[1], 1);
    assert_string_equal(reports, "");
    parse(&game, "$10 1. c4 {note} $1 c5 ($3 1... e5 $4) $0 $256 $255 2. Nc3 $1 $1 $2 $3 $4 $5 $6 $7 *");
    assert_int_equal(game.note[0].nag_count, 0);
    assert_int_equal(game.note[1].nag[0], 1);
    assert_int_equal(game.note[2].nag_count, 1);
    assert_int_equal(game.note[2].nag[0], 255);
    assert_int_equal(game.note[4].nag_count, 1);
    assert_int_equal(game.note[4].nag[0], 4);
    assert_int_equal(game.note[3].nag_count, 7);
    assert_int_equal(game.note[3].nag[1], 1);
    assert_int_equal(game.note[3].nag[6], 6);
}

static void test_reports(void **state)
{
    (void)state;
    parse(&game, "[Result \"1-0\"]\n1. e4\ne5");
    assert_string_equal(reports, "3 1 no result token at the end of the game\n");
    assert_int_equal(game.view.result, RESULT_WHITE);
    parse(&game, "[A \"b\"]\n\n1. e4 {");
    assert_string_equal(reports, "3 1 unterminated comment, the game ends before it\n");
    GameText source = {{"1. e4\0e5 *", 10}, 7, 0, 3};
    reports[0] = 0;
    game_parse(&game, &source, 0, keep_report, NULL);
    assert_string_equal(reports, "7 3 NUL byte read as white space\n");
    assert_int_equal(game.view.count, 3);
    assert_int_equal(game.view.number, 3);
}

// Variations nested far deeper than any first allocation. Each is an alternative to the fifth move of the one around
// it, which is White's in the array again.
static void test_deep(void **state)
{
    (void)state;
    enum { LEVELS = 20000 };
    Buffer text = {0}, out = {0};
    buffer_text(&text, "1. Nf3 ");
    for (int i = 0; i < LEVELS; i++)
        buffer_text(&text, "(Nc3 Nc6 Nb1 Nb8 Nc3 ");
    for (int i = 0; i < LEVELS; i++)
        buffer_text(&text, ")");
    buffer_text(&text, "Nf6 *");
    GameText source = {{text.start, text.length}, 1, 0, 1};
    game_parse(&game, &source, PARSE_VARIATIONS | PARSE_NOTES, NULL, NULL);
    assert_int_equal(game.view.count, 3 + 5 * LEVELS);
    assert_int_equal(game.view.node[2].last, 2);
    assert_int_equal(game.view.node[game.view.count - 1].depth, LEVELS);
    assert_int_equal(game.ply_count, 2);
    game_write_pgn(&out, &game, NULL);
    GameText written = {{out.start, out.length}, 1, 0, 1};
    game_parse(&game, &written, PARSE_VARIATIONS, NULL, NULL);
    assert_int_equal(game.view.count, 3 + 5 * LEVELS);
    game_parse(&game, &written, 0, NULL, NULL);
    assert_int_equal(game.view.count, 3);
    buffer_free(&out);
    buffer_free(&text);
}

// What the first `length` bytes are read as: the game and the reports about it.
static void read_as(Buffer *out, const char *text, size_t length)
{
    GameText source = {{text, length}, 1, 0, 1};
    reports[0] = 0;
    out->length = 0;
    game_parse(&game, &source, PARSE_VARIATIONS | PARSE_NOTES, keep_report, NULL);
    game_write_pgn(out, &game, NULL);
    buffer_text(out, reports);
}

// A game that ends anywhere is read the same whatever bytes follow it.
static void test_bytes_after_the_end(void **state)
{
    (void)state;
    static const char text[] =
        "[White \"A \\\"b\\\"\"]\n[WhiteElo \"2100\"]\n[FEN \"r3k2r/P7/8/8/8/8/7p/R3K2R w KQkq - 0 1\"]\n\n"
        "{start} 1. O-O-O $1 {one; [%clk 0:01:02.5] two}(1.a8=Q+! $140 Rxa8)( 1.a8N?!) h1Q 2.Rhxh1 ; rest\n"
        "2... Rhxh1!? {[%eval #-3,20]} 3. Rd1xh1 +- \xA0 Ke7 \xE2\x80\x83 4.foo--bar() Z0 -- 5.Kb1\xC3\xA9 "
        "d4N e.p. "
        "\n% escape\n[A  6... ex d8=Q# \xE2\x99\x94 e8 0-0 <x> 0:1 1/2-1/2";
    static const char *const follows[] = {
        "",  "x",  "1",  "0 1-0", "5 e4",     "+",        "#",       "=Q",    "Q",  ")", "(e4)",    "}", "\"",
        "]", "e",  "-1", "-O",    "/2",       ".",        "!",       "?",     "$1", " ", "\n\n[A]", "%", "\n",
        "-", ":1", ";",  "\xA0",  "\x80\x83", "\xC3\xA9", "\x94 e8", " \"c\""};
    char copy[sizeof text + 16];
    Buffer plain = {0}, other = {0};
    for (size_t length = 0; length < sizeof text; length++)
        for (size_t i = 0; i < sizeof follows / sizeof *follows; i++) {
            memcpy(copy, text, length);
            strcpy(copy + length, follows[i]);
            read_as(i == 0 ? &plain : &other, copy, length);
            if (i > 0 &&
                (plain.length != other.length || memcmp(plain.start, other.start, plain.length) != 0))
                fail_msg("%.*s|%s", (int)length, text, follows[i]);
        }
    buffer_free(&plain);
    buffer_free(&other);
}

// The same of a main line alone, of the line without a tree, and of packed text.
static void read_line_as(Buffer *out, const char *text, size_t length)
{
    const GameText source = {{text, length}, 1, 0, 1};
    GameLine line = {0};
    MainLine packed = {0};
    Buffer bytes = {0}, words = {0};
    char move[SAN_MAX];
    reports[0] = 0;
    out->length = 0;
    game_parse(&game, &source, 0, keep_report, NULL);
    buffer_format(out, "%s%d:", reports, (int)game.view.result);
    for (int32_t i = 1; i <= game.ply_count; i++) {
        uci_write(game.view.position[i - 1], game.view.node[i].move, move);
        buffer_format(out, " %s", move);
    }
    game_parse_tags(&game, &source);
    const bool readable = game_read_line(&line, &game);
    buffer_format(out, "\n%d %zu %d %d\n", readable, line.count, readable ? line.result : 0,
                  readable && line.notes);
    game_parse_tags(&game, &source);
    const bool packs = game_read_packed(&game, &bytes, &words, &packed);
    buffer_format(out, "%d %d\n", packs, packs ? packed.plies : 0);
    buffer_append(out, bytes.start, bytes.length);
    game_line_free(&line);
    buffer_free(&bytes);
    buffer_free(&words);
}

static void test_bytes_after_a_line(void **state)
{
    (void)state;
    static const char text[] = "[A  \"b\"]\n\n1. e4 e5 2. Nf3 {[%clk 0:01:02]} Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. "
                               "O-O Bg4 6. d4 Qd7 7. d5 O-O-O? 8.        Nxe5         Qe8 9. Nxg4 Bd6 1-0";
    static const char *const follows[] = {
        "",       "x",      "1",      "0 1-0",     "8 Nf6", "+ ",  "# ",    " Nf6 ",  "Nf6 ",
        " e5 d4", "f3 Nf6", "} Nf6 ", "0:00]} e5", "O-O ",  "-O ", ". e4 ", "8=Q e5", ")",
        "{a} e5", " \"c\"", "\"c\"]", "xe5 ",      "e5 ",   "5 ",  "e8 ",   "]\n*\n", ":1"};
    char copy[sizeof text + 16];
    Buffer plain = {0}, other = {0};
    for (size_t length = 0; length < sizeof text; length++)
        for (size_t i = 0; i < sizeof follows / sizeof *follows; i++) {
            memset(copy, 0, sizeof copy);
            memcpy(copy, text, length);
            strcpy(copy + length, follows[i]);
            read_line_as(i == 0 ? &plain : &other, copy, length);
            if (i > 0 &&
                (plain.length != other.length || memcmp(plain.start, other.start, plain.length) != 0))
                fail_msg("%.*s|%s", (int)length, text, follows[i]);
        }
    parse(&game, text);
    assert_string_equal(reports, "");
    buffer_free(&plain);
    buffer_free(&other);
}

static int start(void **state)
{
    (void)state;
    game_init(&game);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    game_free(&game);
    return 0;
}

// What game_may_comment and game_text_holds say of a game and `cook`.
static void expect_holds(const char *text, bool may, bool holds)
{
    const GameText source = game_of(text);
    Game g;
    game_init(&g);
    game_parse_tags(&g, &source);
    if (game_may_comment(&g, text_of("cook")) != may || game_text_holds(&g, text_of("cook")) != holds)
        fail_msg("%s", text);
    game_free(&g);
}

// Comments count wherever they are, values of tags only for the second; what only tags were read of may have comments.
static void test_holds(void **state)
{
    (void)state;
    expect_holds("1. e4 {a cook!} e5 *", true, true);
    expect_holds("{cook} 1. e4 *", true, true);
    expect_holds("1. e4 (1. d4 {cook}) e5 *", true, true);
    expect_holds("1. e4 * {cook}", true, true);
    expect_holds("1. e4 {coo} {k} *", false, false);
    expect_holds("1. e4 {Cook} *", false, false);
    expect_holds("1. e4 ;cook\n *", true, false); // no comment that is read, but the text may be one
    expect_holds("[A \"cook\"]\n\n1. e4 *", false, true);
    expect_holds("[cook \"a\"]\n\n1. e4 {a} *", false, false);
    expect_holds("[A \"a\"]", true, false); // the movetext may be elsewhere
    expect_holds("[A \"cook\"]", true, true);
    expect_holds("", true, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_main_line_only),
        cmocka_unit_test(test_notes_alone),
        cmocka_unit_test(test_complete),
        cmocka_unit_test(test_memory_of_games),
        cmocka_unit_test(test_replay_after_another),
        cmocka_unit_test(test_notes_later),
        cmocka_unit_test(test_notes_of_glued_moves),
        cmocka_unit_test(test_no_moves),
        cmocka_unit_test(test_alternative_to_first_move),
        cmocka_unit_test(test_empty_variations),
        cmocka_unit_test(test_parentheses),
        cmocka_unit_test(test_comments),
        cmocka_unit_test(test_start_comments),
        cmocka_unit_test(test_glyphs),
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_bytes_after_the_end),
        cmocka_unit_test(test_bytes_after_a_line),
        cmocka_unit_test(test_holds),
    };
    return cmocka_run_group_tests(tests, start, tear_down);
}
