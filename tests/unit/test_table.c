// The table of the language: from spellings to rows, the parts of its syntax column, signs that a dialect lacks.
#include "test.h"

#include <stdio.h>

#include "compiler/language/ast.h"
#include "compiler/language/hhdb.h"
#include "compiler/language/query.h"
#include "compiler/language/signs.h"
#include "compiler/language/table.h"
#include "runtime/game/view.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_syntax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
