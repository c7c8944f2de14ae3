// Characters of Unicode, and names of variants (language reference 13.1, 16).
#include "test.h"

#include "runtime/chess/variant.h"
#include "runtime/game/game.h"
#include "runtime/value/unicode.h"

// ---- characters -------------------------------------------------------------------------------------------

static void test_decode(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t bytes;
        uint32_t character;
    } table[] = {{"a", 1, 'a'},
                 {"é", 2, 0xE9},
                 {"€", 3, 0x20AC},
                 {"\xF0\x9F\x99\x82", 4, 0x1F642},
                 {"\x80", 0, 0},             // a continuation alone
                 {"\xC3", 0, 0},             // cut off
                 {"\xC0\xAF", 0, 0},         // overlong
                 {"\xE0\x80\xAF", 0, 0},     // overlong
                 {"\xED\xA0\x80", 0, 0},     // a surrogate
                 {"\xF4\x90\x80\x80", 0, 0}, // above 10FFFF
                 {"\xF5\x80\x80\x80", 0, 0},
                 // the first and last characters of each length, and what is next to them
                 {"\x7F", 1, 0x7F},
                 {"\xC1\xBF", 0, 0},
                 {"\xC2\x80", 2, 0x80},
                 {"\xDF\xBF", 2, 0x7FF},
                 {"\xE0\x9F\xBF", 0, 0},
                 {"\xE0\xA0\x80", 3, 0x800},
                 {"\xED\x9F\xBF", 3, 0xD7FF},
                 {"\xED\xBF\xBF", 0, 0},
                 {"\xEE\x80\x80", 3, 0xE000},
                 {"\xEF\xBF\xBF", 3, 0xFFFF},
                 {"\xF0\x8F\xBF\xBF", 0, 0},
                 {"\xF0\x90\x80\x80", 4, 0x10000},
                 {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
                 {"\xFF", 0, 0},
                 // bytes that do not go on
                 {"\xC3\x7F", 0, 0},
                 {"\xC3\xC0", 0, 0},
                 {"\xE2\x82,", 0, 0},
                 {"\xE2,\x82", 0, 0},
                 {"\xE2\x82", 0, 0},
                 {"\xF0\x9F\x99", 0, 0},
                 {"\xF0\x9F\x99\xC2", 0, 0}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        uint32_t character = 0;
        char again[4];
        assert_int_equal(unicode_decode(table[i].text, strlen(table[i].text), &character), table[i].bytes);
        assert_int_equal(character, table[i].character);
        if (table[i].bytes > 0) {
            assert_int_equal(unicode_encode(character, again), table[i].bytes);
            assert_memory_equal(again, table[i].text, table[i].bytes);
        }
    }
    uint32_t character = 1;
    assert_int_equal(unicode_decode("", 1, &character), 1); // a NUL is a character, too
    assert_int_equal(character, 0);
    assert_int_equal(unicode_count("a\xC3\xA9\x80z", 5), 4);
}

static void expect_appended(const char *text, const char *expected)
{
    Buffer out = {0};
    unicode_append(&out, text, strlen(text));
    assert_int_equal(out.length, strlen(expected));
    assert_memory_equal(out.start, expected, out.length);
    buffer_free(&out);
}

// Texts that are not UTF-8 are read as Latin-1, as a whole; in numbers of characters a byte that is part of none is one.
static void test_texts(void **state)
{
    (void)state;
    static const size_t prefix[] = {0, 1, 3, 4, 5, 5};
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        assert_int_equal(unicode_prefix("a\xC3\xA9\x80z", 5, i), prefix[i]);
    expect_appended("a\xC3\xA9", "a\xC3\xA9");
    expect_appended("a\xE9", "a\xC3\xA9");
    expect_appended("\xC3\xA9\xE9", "\xC3\x83\xC2\xA9\xC3\xA9");
    expect_appended("\x7F\x80\xBF\xC0\xFF", "\x7F\xC2\x80\xC2\xBF\xC3\x80\xC3\xBF");
    for (size_t length = 1; length <= 20; length++) {
        for (size_t place = 0; place < length; place++) {
            char text[20];
            memset(text, 'a', sizeof text);
            assert_true(unicode_is_valid(text, length));
            text[place] = (char)0x80;
            assert_false(unicode_is_valid(text, length));
        }
    }
}

static void test_case(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {{'a', 'A'},        {0xE9, 0xC9},       {0xFF, 0x178},  {0x101, 0x100},
                                        {0x3B1, 0x391},    {0x44F, 0x42F},     {0x561, 0x531}, {0x1E9, 0x1E8},
                                        {0x2C65, 0x23A},   {0x10428, 0x10400}, {0xE0, 0xC0},   {0xFE, 0xDE},
                                        {0x1044F, 0x10427}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(unicode_upper(pairs[i][0]), pairs[i][1]);
        assert_int_equal(unicode_lower(pairs[i][1]), pairs[i][0]);
        assert_int_equal(unicode_upper(pairs[i][1]), pairs[i][1]);
        assert_int_equal(unicode_lower(pairs[i][0]), pairs[i][0]);
    }
    for (uint32_t c = 0; c < 0x80; c++) {
        assert_int_equal(unicode_upper(c), c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
        assert_int_equal(unicode_lower(c), c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    assert_int_equal(unicode_upper(0xF7), 0xF7); // the division sign is among the letters
    assert_int_equal(unicode_upper(0xDF), 0xDF); // sharp s has no single upper case letter
    assert_int_equal(unicode_upper(0x4E00), 0x4E00);
}

// ---- variants ---------------------------------------------------------------------------------------------

static void test_variants(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        enum Variant variant;
    } table[] = {{"Chess", VARIANT_STANDARD},
                 {"Classical", VARIANT_STANDARD},
                 {"Normal", VARIANT_STANDARD},
                 {"STANDARD", VARIANT_STANDARD},
                 {"", VARIANT_STANDARD},
                 {"From Position", VARIANT_STANDARD},
                 {"chess960", VARIANT_CHESS960},
                 {"Fischerandom", VARIANT_CHESS960},
                 {"fischerrandom", VARIANT_CHESS960},
                 {"chess 960", VARIANT_CHESS960},
                 {"wild/fr", VARIANT_CHESS960},
                 {"3check", VARIANT_THREE_CHECK},
                 {"King of the Hill", VARIANT_KING_OF_THE_HILL},
                 {"kingOfTheHill", VARIANT_KING_OF_THE_HILL},
                 {"koth", VARIANT_KING_OF_THE_HILL},
                 {"Three-Check", VARIANT_THREE_CHECK},
                 {"THREE CHECK", VARIANT_THREE_CHECK},
                 {"ThreeCheck", VARIANT_THREE_CHECK},
                 {"Three Check Chess", VARIANT_THREE_CHECK},
                 {"3-Check", VARIANT_THREE_CHECK},
                 {"3 check", VARIANT_THREE_CHECK},
                 {"Atom", VARIANT_ATOMIC},
                 {"Atomic", VARIANT_ATOMIC},
                 {"Atomic Chess", VARIANT_ATOMIC},
                 {"Crazyhouse", VARIANT_CRAZYHOUSE},
                 {"crazy house", VARIANT_CRAZYHOUSE},
                 {"House", VARIANT_CRAZYHOUSE},
                 {"ZH", VARIANT_CRAZYHOUSE},
                 {"Antichess", VARIANT_GIVEAWAY},
                 {"Giveaway", VARIANT_GIVEAWAY},
                 {"Give away", VARIANT_GIVEAWAY},
                 {"Giveaway Chess", VARIANT_GIVEAWAY},
                 {"Give away chess", VARIANT_GIVEAWAY},
                 {"Suicide", VARIANT_SUICIDE},
                 {"Suicide Chess", VARIANT_SUICIDE},
                 {"Losers", VARIANT_LOSERS},
                 {"Horde", VARIANT_HORDE},
                 {"Horde Chess", VARIANT_HORDE},
                 {"Race", VARIANT_RACING_KINGS},
                 {"Racing", VARIANT_RACING_KINGS},
                 {"RacingKings", VARIANT_RACING_KINGS},
                 {"Racing Kings", VARIANT_RACING_KINGS},
                 {"Chess 1960", VARIANT_FOREIGN},
                 {"Normal ", VARIANT_FOREIGN}};
    Game game;
    game_init(&game);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[80];
        snprintf(text, sizeof text, "[Variant \"%s\"]\n\n*", table[i].value);
        game_parse_tags(&game, &(GameText){.text = text_of(text), .line = 1, .number = 1});
        Text name;
        if (game_variant(&game, &name) != (int)table[i].variant)
            fail_msg("the variant %s", table[i].value);
        assert_true(text_equal(name, text_of(table[i].value)));
    }
    // other names, of one letter and more, in any case
    static const VariantAlias alias[] = {{.name = "KOTH", .alias = "h"},
                                         {.name = "Atomic", .alias = "Chess"},
                                         {.name = "3 check", .alias = "three"}};
    static const struct {
        const char *tags, *name;
        enum Variant variant;
    } named_otherwise[] = {{"[Variant \"h\"]", "h", VARIANT_KING_OF_THE_HILL},
                           {"[Variant \"H\"]", "H", VARIANT_KING_OF_THE_HILL},
                           {"[Variant \"chess\"]", "chess", VARIANT_STANDARD}, // keeps its meaning
                           {"[Variant \"THREE\"]", "THREE", VARIANT_THREE_CHECK},
                           {"[Variant \"?\"]\n[Rules \"h\"]", "h", VARIANT_KING_OF_THE_HILL},
                           {"[Rules \"Swiss\"]", "", VARIANT_STANDARD},
                           {"[Variant \"Horde\"]\n[Rules \"h\"]", "Horde", VARIANT_HORDE},
                           {"[Variant \"hh\"]", "hh", VARIANT_FOREIGN},
                           {"[Variants \"h\"]\n[Varian \"h\"]\n[V \"h\"]", "", VARIANT_STANDARD},
                           {"[variant \"h\"]", "h", VARIANT_KING_OF_THE_HILL}};
    game.alias = alias;
    game.alias_count = sizeof alias / sizeof *alias;
    for (size_t i = 0; i < sizeof named_otherwise / sizeof *named_otherwise; i++) {
        char text[120];
        Text name;
        snprintf(text, sizeof text, "%s\n\n*", named_otherwise[i].tags);
        game_parse_tags(&game, &(GameText){.text = text_of(text), .line = 1, .number = 1});
        if (game_variant(&game, &name) != (int)named_otherwise[i].variant ||
            !text_equal(name, text_of(named_otherwise[i].name)))
            fail_msg("%s: %.*s", named_otherwise[i].tags, (int)name.length, name.start);
    }
    game_free(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_case),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_variants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
