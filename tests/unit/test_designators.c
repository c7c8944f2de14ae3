// Piece designators by the rules of a dialect: letters, figurines, squares, where they end, and mistakes.
#include "test.h"

#include "compiler/front/shared/designator.h"
#include "compiler/language/ast.h"

#define BIT(n) ((uint32_t)1 << (n))
#define ALL (~(Bitboard)0)

static bool at_end(const char *after)
{
    return *after == '\0';
}

static bool anywhere(const char *after)
{
    (void)after;
    return true;
}

static const DesignatorRules plain = {.more_letters = "", .may_end = at_end},
                             many = {.more_letters = "_.UMmIi?",
                                     .unicode = true,
                                     .squares_alone = true,
                                     .ranges_alone = true,
                                     .empty_lists = true,
                                     .any_side = true,
                                     .may_end = at_end},
                             loose = {.more_letters = "", .may_end = anywhere};

// What a designator means; length 0: it is none.
typedef struct Meaning {
    const char *text;
    size_t length;
    uint32_t pieces;
    Bitboard mask;
} Meaning;

static void check(const DesignatorRules *rules, const Meaning *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const DesignatorScan d = designator_scan(rules, rows[i].text);
        if (d.length != rows[i].length)
            fail_msg("%s: %zu bytes", rows[i].text, d.length);
        if (d.length > 0 && (d.pieces != rows[i].pieces || d.mask != rows[i].mask))
            fail_msg("%s: %x %llx", rows[i].text, (unsigned)d.pieces, (unsigned long long)d.mask);
    }
}

#define CHECK(rules, ...)                                                                                    \
    do {                                                                                                     \
        static const Meaning rows_[] = {__VA_ARGS__};                                                        \
        check(&(rules), rows_, sizeof rows_ / sizeof *rows_);                                                \
    } while (0)

// Each character that is a piece, in each dialect that has it.
static const struct {
    const char *letter, *figurine; // NULL: none
    uint32_t symbols;
    bool older; // only where the rules say so
} pieces[] = {{"P", "♙", BIT(WHITE_PAWN), false},
              {"N", "♘", BIT(WHITE_KNIGHT), false},
              {"B", "♗", BIT(WHITE_BISHOP), false},
              {"R", "♖", BIT(WHITE_ROOK), false},
              {"Q", "♕", BIT(WHITE_QUEEN), false},
              {"K", "♔", BIT(WHITE_KING), false},
              {"p", "♟", BIT(BLACK_PAWN), false},
              {"n", "♞", BIT(BLACK_KNIGHT), false},
              {"b", "♝", BIT(BLACK_BISHOP), false},
              {"r", "♜", BIT(BLACK_ROOK), false},
              {"q", "♛", BIT(BLACK_QUEEN), false},
              {"k", "♚", BIT(BLACK_KING), false},
              {"A", "△", SYMBOL_WHITE, false},
              {"a", "▲", SYMBOL_BLACK, false},
              {"_", "□", SYMBOL_EMPTY, true},
              {NULL, "◭", SYMBOL_WHITE | SYMBOL_BLACK, false},
              {".", NULL, SYMBOL_EMPTY, true},
              {"U", NULL, SYMBOL_WHITE | SYMBOL_BLACK, true},
              {"M", NULL, BIT(WHITE_QUEEN) | BIT(WHITE_ROOK), true},
              {"m", NULL, BIT(BLACK_QUEEN) | BIT(BLACK_ROOK), true},
              {"I", NULL, BIT(WHITE_BISHOP) | BIT(WHITE_KNIGHT), true},
              {"i", NULL, BIT(BLACK_BISHOP) | BIT(BLACK_KNIGHT), true},
              {"?", NULL, ANY_SQUARE, true}};

static void test_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const char *letter = pieces[i].letter, *figurine = pieces[i].figurine;
        const uint32_t symbols = pieces[i].symbols;
        size_t length;
        if (letter != NULL) {
            const Meaning row = {letter, 1, symbols, ALL};
            check(&many, &row, 1);
            const Meaning alone = {letter, pieces[i].older ? 0 : 1, symbols, ALL};
            check(&plain, &alone, 1);
            // only the letters of the rules
            char one[2] = {letter[0], '\0'};
            const DesignatorRules rules = {.more_letters = one, .may_end = at_end};
            if (pieces[i].older)
                check(&rules, &row, 1);
            assert_int_equal(designator_symbol_length(letter), 0);
            assert_int_equal(designator_piece(letter, &length), strchr(".UMmIi?", *letter) ? 0 : symbols);
            assert_int_equal(length, strchr(".UMmIi?", *letter) ? 0 : 1);
        }
        if (figurine != NULL) {
            const Meaning row = {figurine, 3, symbols, ALL}, none = {figurine, 0, 0, 0};
            check(&many, &row, 1);
            check(&plain, &none, 1);
            assert_int_equal(designator_symbol_length(figurine), 3);
            assert_int_equal(designator_piece(figurine, &length), symbols);
            assert_int_equal(length, 3);
            assert_string_equal(designator_spelling(symbols, true), figurine);
            if (letter != NULL)
                assert_string_equal(designator_spelling(symbols, false), letter);
            else
                assert_null(designator_spelling(symbols, false));
        }
    }
    assert_null(designator_spelling(BIT(WHITE_KING) | BIT(WHITE_QUEEN), true));
    for (int c = 1; c < 128; c++) { // no other letter is one
        const char text[2] = {(char)c, '\0'};
        bool is_piece = false;
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
            is_piece |= pieces[i].letter != NULL && *pieces[i].letter == c;
        assert_int_equal(designator_scan(&many, text).length, is_piece);
    }
}

static void test_squares(void **state)
{
    (void)state;
    for (int square = 0; square < 64; square++) {
        const char text[] = {'K', (char)('a' + square % 8), (char)('1' + square / 8), '\0'};
        const Meaning row = {text, 3, BIT(WHITE_KING), (Bitboard)1 << square};
        check(&plain, &row, 1);
        check(&many, &row, 1);
        const Meaning alone = {text + 1, 2, ANY_SQUARE, row.mask}, none = {text + 1, 0, 0, 0};
        check(&many, &alone, 1);
        check(&plain, &none, 1);
    }
    CHECK(many, {"Ka-h1", 5, BIT(WHITE_KING), 0xFF}, {"Kh1-8", 5, BIT(WHITE_KING), 0x8080808080808080},
          {"Kb-c2-3", 7, BIT(WHITE_KING), 0x060600}, {"K?1", 3, BIT(WHITE_KING), 0xFF},
          {"Ka?", 3, BIT(WHITE_KING), 0x0101010101010101}, {"K??", 3, BIT(WHITE_KING), ALL},
          {"K[a1,h1]", 8, BIT(WHITE_KING), 0x81}, {"K[a-b1,h?]", 10, BIT(WHITE_KING), 0x8080808080808083},
          {"[a1]", 4, ANY_SQUARE, 1}, {"[Kk]a1", 6, BIT(WHITE_KING) | BIT(BLACK_KING), 1},
          {"K[]", 3, BIT(WHITE_KING), 0}, {"[]", 2, ANY_SQUARE, 0}, {"[]a1", 4, 0, 1},
          {"♔♚a1", 8, BIT(WHITE_KING) | BIT(BLACK_KING), 1},
          {"[♔♚]", 8, BIT(WHITE_KING) | BIT(BLACK_KING), ALL},
          {"[Q?]", 4, ANY_SQUARE | BIT(WHITE_QUEEN), ALL});
    CHECK(plain, {"K[a-b1]", 7, BIT(WHITE_KING), 3}, {"Ka-h1", 0, 0, 0}, {"Ka1-8", 0, 0, 0}, {"K?1", 0, 0, 0},
          {"K[]", 0, 0, 0}, {"[]", 0, 0, 0}, {"[]a1", 0, 0, 0},
          {"[Kk]", 4, BIT(WHITE_KING) | BIT(BLACK_KING), ALL}, {"Ki1", 0, 0, 0}, {"K`1", 0, 0, 0},
          {"Ka9", 0, 0, 0}, {"Ka0", 0, 0, 0}, {"K[a-i1]", 0, 0, 0}, {"K[a-`1]", 0, 0, 0},
          {"K[a1-9]", 0, 0, 0}, {"K[a1-0]", 0, 0, 0}, {"K[a1", 0, 0, 0}, {"K[a1,]", 0, 0, 0}, {"[K", 0, 0, 0},
          {"[K♔]", 0, 0, 0}, {"K[a1-]", 0, 0, 0}, {"", 0, 0, 0});
    // where squares may not end, the piece alone does
    CHECK(loose, {"Ka1x", 3, BIT(WHITE_KING), 1}, {"Kax", 1, BIT(WHITE_KING), ALL},
          {"K[a1x", 1, BIT(WHITE_KING), ALL});
}

// A mistake is said, wherever the designator ends, and only the first.
static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        size_t start, length;
    } rows[] = {{"Kb-a1", "files", 1, 4},       {"Kb2-1", "ranks", 1, 4},  {"Kb-a2-1", "files", 1, 6},
                {"K[a1,b2-1]", "ranks", 5, 4},  {"♔♔", "only once", 3, 3}, {"[♔♚♔]", "only once", 7, 3},
                {"♔♔b-a1", "only once", 3, 3},  {"◭△", "only once", 3, 3}, {"b-a1x", "files", 0, 4},
                {"K[b-a1,c2-1]", "files", 2, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const DesignatorScan d = designator_scan(&many, rows[i].text);
        if (d.mistake == NULL || strstr(d.mistake, rows[i].part) == NULL)
            fail_msg("%s: %s", rows[i].text, d.mistake);
        assert_int_equal(d.mistake_start, rows[i].start);
        assert_int_equal(d.mistake_length, rows[i].length);
        assert_true(d.length > 0);
    }
    assert_null(designator_scan(&many, "Kb-b2-2").mistake);
    assert_null(designator_scan(&many, "♔♚").mistake);
}

static void test_parts(void **state)
{
    (void)state;
    Bitboard mask = 2;
    uint32_t some = 0;
    const char *const squares = "a1x", *const list = "[a1,c1]", *const kinds = "[Kk]a1";
    assert_ptr_equal(designator_squares(&plain, squares, &mask), squares + 2);
    assert_true(mask == 3);
    assert_ptr_equal(designator_squares(&plain, list, &mask), list + 7);
    assert_true(mask == 7);
    assert_null(designator_squares(&plain, "x", &mask));
    assert_null(designator_squares(&plain, "[b-a1]", &mask));
    assert_ptr_equal(designator_pieces(&plain, kinds, &some), kinds + 4);
    assert_int_equal(some, BIT(WHITE_KING) | BIT(BLACK_KING));
    assert_null(designator_pieces(&plain, "x", &some));
    assert_null(designator_pieces(&many, "♔♔", &some));
    DesignatorScan d = designator_scan(&many, "K");
    assert_true(d.has_pieces && !d.has_squares);
    d = designator_scan(&many, "a1");
    assert_true(!d.has_pieces && d.has_squares);
    d = designator_scan(&many, "Ka1");
    assert_true(d.has_pieces && d.has_squares);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces), cmocka_unit_test(test_squares),
                                       cmocka_unit_test(test_mistakes), cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
