// Moves in 16 bits, and text packed with them.
#include "runtime/chess/word.h"

#include "runtime/game/game.h"
#include "test_chess.h"

static const char *const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",      // en passant
    "1r2k2r/8/8/8/8/8/8/1R2K2R w BHbh - 0 1", // Chess960
    "2r1k1r1/pppppppp/8/8/8/8/PPPPPPPP/2R1K1R1 b GCgc - 0 1",
};

// Every legal move comes out of its word again.
static void test_round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        const Position p = position_of(fens[i]);
        Move moves[MAX_MOVES], again;
        const int count = pos_legal_moves(&p, moves);
        assert_true(count > 0);
        for (int k = 0; k < count; k++) {
            assert_true(word_move(&p, word_of(moves[k]), &again));
            assert_memory_equal(&again, &moves[k], sizeof again);
        }
        const Move null = pos_null_move(&p);
        assert_true(word_move(&p, word_of(null), &again));
        assert_memory_equal(&again, &null, sizeof again);
    }
}

static MoveWord word(const char *from, const char *to, int kind)
{
    return (MoveWord)(square_of(from) | square_of(to) << 6 | kind << 12);
}

// A word is played as its move, whether or not it is known if the king is in check, which is known afterwards as it was before.
static void expect_played(const Position *p, Move m)
{
    Position next, expected, unknown = *p;
    Move played;
    pos_make(&expected, p, m);
    assert_true(pos_play_word(&next, p, word_of(m), &played));
    assert_memory_equal(&played, &m, sizeof m);
    pos_find_check(&expected);
    assert_memory_equal(&next, &expected, sizeof next);
    unknown.check = CHECK_UNKNOWN;
    assert_true(pos_play_word(&next, &unknown, word_of(m), &played));
    expected.check =
        m.flags & MOVE_NULL ? expected.check : CHECK_UNKNOWN; // after a null move it is looked for
    assert_memory_equal(&next, &expected, sizeof next);
}

static void test_played(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        Position p = position_of(fens[i]);
        Move moves[MAX_MOVES];
        const int count = pos_legal_moves(&p, moves);
        pos_find_check(&p);
        for (int k = 0; k < count; k++)
            expect_played(&p, moves[k]);
        expect_played(&p, pos_null_move(&p));
    }
    // kings that meet: nobody knows what a check is then; a null move in check
    Position p = position_of("8/8/8/3k4/8/3K4/8/8 w - - 0 1");
    pos_find_check(&p);
    expect_played(&p, pos_plain_move(WHITE_KING, square_of("d3"), square_of("d4"), false));
    p = position_of("8/8/8/3k4/8/3K4/8/3r4 w - - 0 1");
    pos_find_check(&p);
    expect_played(&p, pos_null_move(&p));
}

static void test_damaged(void **state)
{
    (void)state;
    Move m;
    assert_false(word_move(&pos_start, word("e2", "e4", WORD_KING), &m));        // a pawn
    assert_false(word_move(&pos_start, word("e7", "e5", WORD_PAWN), &m));        // Black's
    assert_false(word_move(&pos_start, word("d1", "e1", 5), &m));                // onto the own king
    assert_false(word_move(&pos_start, word("e2", "d3", WORD_EN_PASSANT), &m));  // nothing to take
    assert_false(word_move(&pos_start, word("e1", "g1", WORD_CASTLE_KING), &m)); // no rook
    assert_false(word_move(&pos_start, word("e2", "e4", 15), &m));
    assert_false(word_move(&pos_start, word("a1", "b1", 0), &m));
    Position next;
    assert_false(pos_play_word(&next, &pos_start, word("e2", "d3", WORD_EN_PASSANT), &m));
    assert_false(pos_play_word(&next, &pos_start, word("e1", "g1", WORD_CASTLE_KING), &m));
    assert_false(pos_play_word(&next, &pos_start, word("e1", "d1", WORD_KING), &m));
}

static const char plain[] = "[White \"A\"]\n\n1. e4 e5 2.Nf3 {1.e4} Nc6\n( 2... Nf6 3. d4) 3. Bb5 $1 a6 "
                            "4.O-O\n4... Ng8e7 5. Re1# 1-0";

// Packs a game in one pass, if `in_one_pass`, or after reading it.
static void pack(Game *g, const GameText *source, bool in_one_pass, Buffer *packed, Buffer *words,
                 MainLine *line)
{
    if (in_one_pass) {
        game_parse_tags(g, source);
        assert_true(game_read_packed(g, packed, words, line));
    } else {
        game_parse(g, source, PARSE_MOVE_TEXTS, NULL, NULL);
        assert_true(game_pack(g, packed, words, line));
    }
    assert_int_equal(line->plies, g->ply_count);
    assert_int_equal(words->length, (size_t)line->plies * sizeof(MoveWord));
}

static bool unpack(const Game *g, const Buffer *packed, const Buffer *words, size_t plies, Buffer *text)
{
    return game_unpack(text, (Text){packed->start, packed->length}, game_start(g), g->clocks,
                       (const MoveWord *)words->start, 1, plies, NULL);
}

static void expect_packed(const char *game, const char *packed_as, bool in_one_pass, MainLine *line)
{
    const GameText source = {.text = text_of(game), .line = 1, .number = 1};
    Game g;
    Buffer packed = {0}, words = {0}, text = {0};
    game_init(&g);
    pack(&g, &source, in_one_pass, &packed, &words, line);
    assert_int_equal(packed.length, strlen(packed_as));
    assert_memory_equal(packed.start, packed_as, packed.length);
    const size_t movetext = game_movetext_start(&g), plies = (size_t)line->plies;
    assert_true(unpack(&g, &packed, &words, plies, &text));
    assert_int_equal(text.length, source.text.length - movetext);
    assert_memory_equal(text.start, game + movetext, text.length);
    // one move too few
    assert_false(unpack(&g, &packed, &words, plies - 1, &text));
    buffer_free(&packed);
    buffer_free(&words);
    buffer_free(&text);
    game_free(&g);
}

static void expect_unpacked(const char *game, const char *packed_as)
{
    MainLine one, two;
    expect_packed(game, packed_as, true, &one);
    expect_packed(game, packed_as, false, &two);
    assert_int_equal(one.notes, two.notes);
    assert_int_equal(one.variations, two.variations);
    assert_memory_equal(one.flags, two.flags, sizeof one.flags);
    assert_memory_equal(one.promoted, two.promoted, sizeof one.promoted);
    assert_memory_equal(one.last.square, two.last.square, sizeof one.last.square);
}

// Games that are not packed in one pass.
static void expect_packed_later(const char *game, const char *packed_as)
{
    const GameText source = {.text = text_of(game), .line = 1, .number = 1};
    MainLine line;
    Buffer packed = {0}, words = {0};
    Game g;
    game_init(&g);
    game_parse_tags(&g, &source);
    assert_false(game_read_packed(&g, &packed, &words, &line));
    assert_int_equal(packed.length + words.length, 0);
    buffer_free(&packed);
    buffer_free(&words);
    game_free(&g);
    expect_packed(game, packed_as, false, &line);
}

// Check marks where positions are odd: mate, a king that the reader lets go next to the other, null moves out of check.
static void test_marks(void **state)
{
    (void)state;
    expect_unpacked("1.f3 e5 2.g4 Qh4# 0-1", "\3\2\4\2 0-1");
    expect_unpacked("1.f3 e5 2.g4 Qh4+ 0-1", "\3\2\4 \7Qh4+ 0-1");
    expect_unpacked("1.f3 e5 2.g4\nQh4+ {mate in two moves, the shortest that there is} 0-1",
                    "\3\2\4\n\7Qh4+ {mate in two moves, the shortest that there is} 0-1");
    expect_unpacked("1.f3 e5 2.g4 Qh4 0-1", "\3\2\4 \7Qh4 0-1");
    // a check that is answered by mate, in any spelling
#define BEFORE "1. c3 g6 2. g3 b5 3. f4 a5 4. Nh3 e5 5. Kf2 exf4 6. Qa4 Bc5+ 7. Kg2 Bb7+ 8. Qe4+"
#define CODES "\5\2\6\2\6\2\6\2\6\2\6\2\6\2\6"
    expect_unpacked(BEFORE " Bxe4# 0-1", CODES "\2 0-1");
    expect_unpacked(BEFORE " Bxe4+ 0-1", CODES " \7Bxe4+ 0-1");
    expect_unpacked(BEFORE " b7e4# 0-1", CODES " \7b7e4# 0-1");
    expect_unpacked(BEFORE " Bb7xe4# 0-1", CODES " \7Bb7xe4# 0-1");
    expect_packed_later("[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n1.Rh8# Ka7 *", "\n\3\2 *");
    expect_packed_later("[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n1.Rh8+ Ka7 *", "\n1.\7Rh8+\2 *");
    expect_packed_later("[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 9\"]\n9.Ra8+ -- 10.Ra7 Kd8 *", "\n\3\2\4\2 *");
    expect_packed_later("[FEN \"4k3/8/8/8/8/8/4R3/4K3 w - - 0 99\"]\n99.Kf2+ Kd8 100.Rd2+ *", "\n\3\2\4 *");
}

// What comes between moves, and spellings.
static void test_gaps(void **state)
{
    (void)state;
    expect_unpacked("1. e4 e5 2.Nf3 {1.e4} Nc6 $1 3. Bb5! a6 1/2-1/2", "\5\2\4 {1.e4}\2 $1\6!\2 1/2-1/2");
    expect_unpacked("\n\n1.e4\ne5\n2. d4 exd4\n;rest\n3.c3 *", "\n\n\3\n\1\n\5\2\n;rest\n\3 *");
    expect_unpacked("1.e4 {a} 1...e5 2.Ngf3  Nb8c6 3.Bb5\n 1-0", "\3 {a}\4 2.\7Ngf3  \7Nb8c6\4\n 1-0");
    expect_unpacked("1. e4 d5 2. exd5 Qxxd5 3. Nc3 Qa5 4. Nxf3 *", "\5\2\6 \7Qxxd5\6\2 4. \7Nxf3 *");
    expect_packed_later("[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 9\"]\n\n9.a8=Q+ Kd7 10.Qa7+ *", "\n\n\3\2\4 *");
    expect_packed_later(
        "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 99998\"]\n99998.O-O Kd7 99999.Kg2 Ke7 100000.Kg3 *",
        "\n\3\2\4\2 100000.\1 *");
}

static void test_packed(void **state)
{
    (void)state;
    // Re1 is not mate: the check mark stays, as the spelling Ng8e7 does
    MainLine line;
    expect_packed(plain, "\n\n\5\2\4 {1.e4}\2\n( 2... Nf6 3. d4)\6 $1\2\4\n4... \7Ng8e7\6# 1-0", false,
                  &line);
    assert_true(line.variations && line.notes);
    assert_int_equal(line.plies, 9);
    assert_int_equal(line.flags[WHITE], MOVE_CASTLE_KING);
    assert_int_equal(line.flags[BLACK], 0);
    // what follows the result counts, too
    expect_packed("1. e4 e5 * {after} (1. d4)", "\5\2 * {after} (1. d4)", false, &line);
    assert_true(line.variations && line.notes);
    expect_packed("1. e4 e5 * 1. d4", "\5\2 * 1. d4", false, &line);
    assert_true(!line.variations && !line.notes);
}

// Whether a text is packed in one pass, and after reading it.
static void expect_ways(Text text, bool in_one_pass, bool later)
{
    const GameText source = {.text = text, .line = 1, .number = 1};
    MainLine line;
    Buffer packed = {0}, words = {0};
    Game g;
    game_init(&g);
    game_parse_tags(&g, &source);
    assert_int_equal(game_read_packed(&g, &packed, &words, &line), in_one_pass);
    packed.length = words.length = 0;
    game_parse(&g, &source, PARSE_MOVE_TEXTS, NULL, NULL);
    assert_int_equal(game_pack(&g, &packed, &words, &line), later);
    buffer_free(&packed);
    buffer_free(&words);
    game_free(&g);
}
#define EXPECT_WAYS(text, in_one_pass, later) expect_ways((Text){text, sizeof(text) - 1}, in_one_pass, later)

// Bytes that mean something, starts that only the reader of games knows, texts in which more moves than 65535 may be.
static void test_ways(void **state)
{
    (void)state;
    EXPECT_WAYS("1. e4 {a} e5 *", true, true);
    EXPECT_WAYS("1. e4 {\x07} e5 *", false, false);
    EXPECT_WAYS("1. e4 {\x01} e5 *", false, false);
    EXPECT_WAYS("1. e4 {\x08} e5 *", true, true); // a comment with clocks, but there is none here
    EXPECT_WAYS("1. e4 {\x09} e5 *", true, true);
    EXPECT_WAYS("[A \"\x07\"]\n\n1. e4 e5 *", true, true); // tags are not packed
    EXPECT_WAYS("[A \"\0\"]\n\n1. e4 e5 *", false, true);
    EXPECT_WAYS("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd2 *", false, true);
    EXPECT_WAYS("[FEN \"4k3\"]\n\n1. e4 *", false, true);
    EXPECT_WAYS("1. e4 e5", false, true); // no result
    EXPECT_WAYS("1. e4 (1. d4) e5 *", false, true);
    EXPECT_WAYS("1. e4 e5 * {after}", false, true);
    EXPECT_WAYS("1. e4 e5 *\n", true, true);
    enum { MOST = 2 * MAIN_LINE_PLIES + 1 };
    static char text[MOST + 1];
    memset(text, ' ', sizeof text);
    memcpy(text, "1. e4 *", 7);
    expect_ways((Text){text, MOST}, true, true);
    expect_ways((Text){text, MOST + 1}, false, true);
}

// What follows the text in memory does not count.
static void test_end(void **state)
{
    (void)state;
    static const char *const after[] = {"", "(", "!", "$1", "{a}"};
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        char text[40] = "1. e4 e5 2. Nf3 *";
        const GameText source = {.text = text_of(text), .line = 1, .number = 1};
        strcat(text, after[i]);
        for (int in_one_pass = 0; in_one_pass < 2; in_one_pass++) {
            MainLine line;
            Buffer packed = {0}, words = {0};
            Game g;
            game_init(&g);
            pack(&g, &source, in_one_pass, &packed, &words, &line);
            assert_true(!line.variations && !line.notes);
            buffer_free(&packed);
            buffer_free(&words);
            game_free(&g);
        }
    }
}

static uint32_t random_below(uint32_t limit)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(state >> 33) % limit;
}

// Spells a move of a piece in some way: with or without its file, its rank, `x` and a check mark.
static void spell(const Position *p, Move m, char text[SAN_MAX])
{
    static const char letters[] = " PNBRQK";
    char usual[SAN_MAX], other[SAN_MAX] = "";
    const int length = san_write(p, m, usual), ways = (int)random_below(64);
    strcpy(text, usual);
    if (piece_type(m.piece) == WHITE_PAWN || m.flags & MOVE_CASTLE || ways >= 32)
        return;
    const bool marked = strchr("+#", usual[length - 1]) && ways & 8,
               takes = !(m.flags & MOVE_CAPTURE) == !(ways & 16);
    snprintf(other, sizeof other, "%c%.*s%.*s%s%c%c%.*s", letters[piece_type(m.piece)], ways & 1,
             &(char){(char)('a' + square_file(m.from))}, ways >> 1 & 1,
             &(char){(char)('1' + square_rank(m.from))}, takes ? "" : "x", 'a' + square_file(m.to),
             '1' + square_rank(m.to), marked, usual + length - 1);
    Move read;
    if (san_parse(p, other, strlen(other), &read) == SAN_OK && read.from == m.from && read.to == m.to)
        strcpy(text, other);
}

// The legal move with the longest usual spelling of some: others of the same kind often can go there.
static Move some_move(const Position *p, const Move *moves, int count)
{
    Move best = moves[random_below((uint32_t)count)];
    int longest = 0;
    for (int i = 0; i < 6; i++) {
        const Move m = moves[random_below((uint32_t)count)];
        char san[SAN_MAX];
        const int length =
            piece_type(m.piece) == WHITE_PAWN ? 0 : san_write(p, m, san) - !!(m.flags & MOVE_CAPTURE);
        if (length > longest) {
            longest = length;
            best = m;
        }
    }
    return best;
}

// A move in standard notation is a byte; in each other spelling it stays as it is, in games of moves at random.
static void test_spellings(void **state)
{
    (void)state;
    int usual = 0, others = 0;
    for (int game = 0; game < 250; game++) {
        char text[4000] = "", packed_as[4000] = "", *end = text, *out = packed_as;
        Position p = pos_start, next;
        for (int ply = 0; ply < 150; ply++) {
            Move moves[MAX_MOVES];
            char san[SAN_MAX], spelled[SAN_MAX];
            const int count = pos_legal_moves(&p, moves);
            if (count == 0)
                break;
            const Move m = some_move(&p, moves, count);
            char number[20] = " ";
            if (p.side == WHITE)
                sprintf(number, ply > 0 ? " %d. " : "%d. ", ply / 2 + 1);
            san_write(&p, m, san);
            spell(&p, m, spelled);
            end += sprintf(end, "%s%s", number, spelled);
            if (strcmp(san, spelled) == 0)
                out += sprintf(out, "%c", ply == 0 ? 5 : p.side == WHITE ? 6 : 2);
            else
                out += sprintf(out, "%s\7%s", number, spelled);
            ++*(strcmp(san, spelled) == 0 ? &usual : &others);
            pos_make(&next, &p, m);
            p = next;
        }
        strcpy(end, " *");
        strcpy(out, " *");
        expect_unpacked(text, packed_as);
    }
    assert_true(usual > 10000 && others > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_damaged), cmocka_unit_test(test_packed),
        cmocka_unit_test(test_gaps),       cmocka_unit_test(test_marks),   cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_played),     cmocka_unit_test(test_ways),    cmocka_unit_test(test_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
