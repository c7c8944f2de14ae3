// The table of the language: from spellings to rows, the parts of its syntax column, signs that a dialect lacks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/language/ast.h"
#include "compiler/language/hhdb.h"
#include "compiler/language/query.h"
#include "compiler/language/signs.h"
#include "compiler/language/table.h"
#include "runtime/game/view.h"

// Each word is found in each of its dialects, and the words of a dialect are those, sorted.
static void test_words(void **state)
{
    (void)state;
    for (unsigned dialect = 1; dialect <= IN_EXTENSION; dialect *= 2) {
        size_t count, wanted = 0;
        const char *const *words = op_words(dialect, &count);
        for (int op = 0; op < OP_COUNT_; op++) {
            const OpInfo *info = &op_info[op];
            if (info->row == ROW_STRUCTURE || !((info->dialects | info->also) & dialect))
                continue;
            wanted++;
            assert_int_equal(op_from_word(info->name, strlen(info->name), dialect), op);
            assert_true(op_from_word(info->name, strlen(info->name) - 1, dialect) != op);
        }
        assert_int_equal(count, wanted);
        assert_true(count > 0);
        for (size_t i = 0; i + 1 < count; i++)
            assert_true(strcmp(words[i], words[i + 1]) < 0);
    }
    for (int op = 0; op < OP_COUNT_; op++)
        if (op_info[op].row == ROW_STRUCTURE)
            assert_true(op_from_word(op_info[op].name, strlen(op_info[op].name), ~0u) != op);
    assert_int_equal(op_from_word("check", 5, IN_NOTHING), -1);
    assert_int_equal(op_from_word("zzz", 3, ~0u), -1);
    assert_int_equal(op_from_word("aaa", 3, ~0u), -1);
}

// Each spelling that is not ASCII, in a text that ends with it, and in none that is shorter.
static void test_symbols(void **state)
{
    (void)state;
    int symbols = 0;
    for (int op = 0; op < OP_COUNT_; op++) {
        const char *symbol = op_info[op].unicode;
        if (symbol == NULL)
            continue;
        size_t length = 0;
        symbols++;
        assert_int_equal(op_from_symbol(symbol, strlen(symbol), &length), op);
        assert_int_equal(length, strlen(symbol));
        assert_int_equal(op_from_symbol(symbol, strlen(symbol) - 1, &length), -1);
        int number, found;
        assert_int_equal(symbol_scan(symbol, strlen(symbol), &number, &found), strlen(symbol));
        assert_int_equal(number, -1);
        assert_int_equal(found, op);
    }
    assert_int_equal(symbols, 5); // ⊢ ◎ ∙ ✵ ⬓
    for (int mark = 0; mark < PUNCT_COUNT_; mark++) {
        const char *symbol = punctuation_symbol(mark);
        int number, found;
        if (symbol == NULL || (unsigned char)*symbol < 0x80)
            continue;
        assert_int_equal(symbol_scan(symbol, strlen(symbol), &number, &found), strlen(symbol));
        assert_int_equal(number, mark);
        assert_int_equal(found, -1);
        assert_true(symbol_missing(symbol, IN_CQL6) == 0);
    }
    int number, found;
    assert_int_equal(symbol_scan("é", 2, &number, &found), 0);
    assert_int_equal(number, -1);
    assert_int_equal(found, -1);
    assert_int_equal(symbol_missing("→", IN_CQL6), 0);
    assert_int_equal(symbol_missing("→", IN_CQLI), 3);
    assert_int_equal(symbol_missing("->", IN_CQL6), 0);
    assert_int_equal(symbol_missing("->", IN_CQLI), 2);
    assert_int_equal(symbol_missing("-", IN_CQLI), 0);
    assert_int_equal(symbol_missing("é", IN_CQLI), 0);
    assert_int_equal(symbol_missing("∊", IN_CQLI), 0);
    assert_int_equal(symbol_missing("", IN_CQLI), 0);
}

// A syntax column as text: the kind of each part in letters, `?` where it may be left out, `*` where it may come again.
static const char *parts_of(Arena *arena, const char *syntax, unsigned *flags)
{
    static const char kinds[] = "()sSnTtpfcCvirqNxF";
    const char *text = "";
    SyntaxPart part;
    *flags = 0;
    while (syntax_next(&syntax, &part)) {
        text = arena_printf(arena, "%s%c%s%s", text, kinds[part.kind], part.optional ? "?" : "",
                            part.repeated ? "*" : "");
        *flags |= part.flags;
    }
    return text;
}

static void test_syntax(void **state)
{
    (void)state;
    static const struct {
        const char *syntax, *parts;
        unsigned flags;
    } rows[] = {{"", "", 0},
                {"set", "s", 0},
                {"tight-set", "S", 0},
                {"(set set)", "(ss)", 0},
                {"[(]set[)]", "(?s)?", 0},
                {"[range] filter", "r?f", 0},
                {"number string tight-string position", "nTtp", 0},
                {"condition tight-condition value items", "cCvi", 0},
                {"quoted name search range", "qNxr", 0},
                {"(value value {value})", "(vvv*)", 0},
                {"[quoted]", "q?", 0},
                {"{white|black} set", "F*s", AST_WHITE | AST_BLACK},
                {"[quiet]", "F?", AST_QUIET},
                {"min", "F", AST_MIN},
                {"nosort|notransform|all", "F", AST_NOSORT | AST_NOTRANSFORM | AST_ALL}};
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned flags;
        const char *parts = parts_of(arena, rows[i].syntax, &flags);
        if (strcmp(parts, rows[i].parts) != 0 || flags != rows[i].flags)
            fail_msg("%s: %s, %x", rows[i].syntax, parts, flags);
    }
    arena_free(arena);
}

static void test_kinds(void **state)
{
    (void)state;
    static const char *const names[] = {"bool", "int", "set", "string", "position", "any"};
    for (int type = TYPE_BOOL; type <= TYPE_ANY; type++)
        assert_string_equal(type_name((Type)type), names[type]);
    static const Op transforms[] = {OP_FLIP,          OP_FLIPHORIZONTAL, OP_FLIPVERTICAL, OP_FLIPCOLOR,
                                    OP_ROTATE90,      OP_ROTATE45,       OP_SHIFT,        OP_SHIFTHORIZONTAL,
                                    OP_SHIFTVERTICAL, OP_REVERSECOLOR};
    for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++)
        assert_true(op_is_transform(transforms[i]));
    static const Op others[] = {OP_NOTRANSFORM, OP_CHECK, OP_COMPOUND, OP_FIND, OP_LINE};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(op_is_transform(others[i]));
    assert_int_equal(op_level(OP_CHECK), LEVEL_PRIMARY);
    assert_int_equal(op_level(OP_BETWEEN), LEVEL_PRIMARY);
    assert_int_equal(op_level(OP_POWER), LEVEL_MOVE);
    assert_int_equal(op_level(OP_LIGHT), LEVEL_PREFIX);
    assert_int_equal(op_level(OP_FIND), LEVEL_PREFIX);
    assert_int_equal(op_level(OP_AND), LEVEL_AND);
    assert_null(op_older_dialect(OP_CHECK));
    assert_string_equal(op_older_dialect(OP_CQL5_LIGHTSQUARES), "CQL 5");
    assert_string_equal(op_older_dialect(OP_CQL5_ON), "CQL 5");
    assert_string_equal(op_older_dialect(OP_CQL3_ATTACKCOUNT), "CQL 3");
    assert_null(op_older_dialect(OP_WORD_QUIET));
}

static void test_names(void **state)
{
    (void)state;
    assert_true(is_pgn_name("a.pgn", 5) && is_pgn_name("a.PGN", 5) && is_pgn_name("a b.pgn", 7));
    assert_false(is_pgn_name(".pgn", 4) || is_pgn_name("pgn", 3) || is_pgn_name("a.Pgn", 5) ||
                 is_pgn_name("", 0));
    static const char *const built_in[] = {"White", "Black",     "Event", "Site",
                                           "Date",  "EventDate", "ECO",   "FEN"},
                             *const refused[] = {"Round",     "ROUND",     "Result",   "result",
                                                 "RESULT",    "black",     "BLACK",    "white",
                                                 "WHITE",     "event",     "EVENT",    "site",
                                                 "SITE",      "date",      "DATE",     "Eco",
                                                 "eco",       "Fen",       "fen",      "eventdate",
                                                 "eventDate", "EVENTDATE", "WhiteElo", "BlackElo",
                                                 "Whites",    "Blacks"},
                             *const free[] = {"Whit",   "Blac",  "Annotator", "round",
                                              "Rounds", "wHite", "Eventdate", ""};
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++)
        assert_true(tag_is_built_in(built_in[i]) && !tag_is_refused(built_in[i]));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_true(!tag_is_built_in(refused[i]) && tag_is_refused(refused[i]));
    for (size_t i = 0; i < sizeof free / sizeof *free; i++)
        assert_true(!tag_is_built_in(free[i]) && !tag_is_refused(free[i]));
    assert_int_equal(result_number("1-0"), RESULT_WHITE);
    assert_int_equal(result_number("0-1"), RESULT_BLACK);
    assert_int_equal(result_number("1/2-1/2"), RESULT_DRAW);
    static const char *const none[] = {"", "*", "1/2", "1-00", "0-0", "1-1"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(result_number(none[i]), -1);
}

static bool is_one_of(const char *word, const char *words)
{
    char between[40];
    snprintf(between, sizeof between, " %s ", word);
    return strstr(words, between) != NULL;
}

// The words of `hhdb` (9.7): where each may be, its type, and what it needs.
static void test_hhdb(void **state)
{
    (void)state;
    static const char
        of_variations[] = " <main> <or> mainline variation ",
        of_cqli[] = " nonspecial sortable distinction tourney_name tourney_edition tourney_year "
                    "tourney_year_part tourney_year_end ",
        strings[] = " composer firstcomment stipulation diagram search gbr material pieces pawns kings "
                    "distinction tourney_name tourney_edition tourney_year_part ",
        numbers[] =
            " egdiagram award prize hm commendation special max sort nonspecial sortable tourney_year "
            "tourney_year_end ",
        signs[] = " (c) (m) (s) (v) <cook> <minor_dual> <eg> <main> <or> ",
        *const places[] = {[HHDB_KIND] = " award prize hm commendation ",
                           [HHDB_FLAG] = " special max sort nonspecial sortable ",
                           [HHDB_PART] = " material pieces pawns kings "};
    for (size_t i = 0; i < hhdb_word_count; i++) {
        const HhdbWord *word = &hhdb_words[i];
        bool elsewhere = false;
        assert_ptr_equal(hhdb_find(word->word, 1u << word->place), word);
        assert_ptr_equal(hhdb_find(word->word, ~0u), word);
        assert_null(hhdb_find(word->word, ~(1u << word->place)));
        assert_int_equal(word->variations, is_one_of(word->word, of_variations));
        assert_int_equal(word->cqli, is_one_of(word->word, of_cqli));
        assert_int_equal(hhdb_is_plain(word), !is_one_of(word->word, signs));
        assert_int_equal(word->type, is_one_of(word->word, strings)   ? TYPE_STRING
                                     : is_one_of(word->word, numbers) ? TYPE_INT
                                                                      : TYPE_BOOL);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            if (places[k] != NULL && is_one_of(word->word, places[k])) {
                elsewhere = true;
                assert_int_equal(word->place, k);
            }
        if (!elsewhere)
            assert_int_equal(word->place, HHDB_KEY);
    }
    assert_null(hhdb_find("nothing", ~0u));
    assert_null(hhdb_find("prize", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),  cmocka_unit_test(test_symbols),
                                       cmocka_unit_test(test_syntax), cmocka_unit_test(test_kinds),
                                       cmocka_unit_test(test_names),  cmocka_unit_test(test_hhdb)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
