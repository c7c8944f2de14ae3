// Trees: their operands, copies, searches that are kept, and how they are printed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/language/ast.h"

static const Span nowhere = {0, 0};

static Ast *leaf(Arena *arena, Op op)
{
    return ast_new(arena, op, TYPE_BOOL, nowhere);
}

static void test_operands(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Ast *node = leaf(arena, OP_MOVE), *kid[3], *left = leaf(arena, OP_MATE), *extra2 = leaf(arena, OP_WTM);
    assert_null(ast_operand(node, 0));
    for (int i = 0; i < 3; i++)
        ast_add_kid(arena, node, kid[i] = leaf(arena, OP_CHECK));
    ast_set_operand(node, &node->kid_extra2, extra2);
    ast_set_operand(node, &node->kid_left, left);
    ast_set_operand(node, &node->kid_right, NULL);
    for (int i = 0; i < 3; i++)
        assert_ptr_equal(*ast_operand(node, i), kid[i]);
    assert_ptr_equal(ast_operand(node, 3), &node->kid_left);
    assert_ptr_equal(ast_operand(node, 4), &node->kid_extra2);
    assert_null(ast_operand(node, 5));
    assert_null(ast_operand(node, 6));
    assert_int_equal(node->height, 2);
    Ast *high = leaf(arena, OP_NOT);
    ast_add_kid(arena, high, node);
    ast_set_operand(node, &node->kid_extra, high); // as high as it was
    assert_int_equal(node->height, high->height + 1);
    ast_set_operand(node, &node->kid_right, leaf(arena, OP_CHECK));
    assert_int_equal(node->height, high->height + 1);
    arena_free(arena);
}

static void test_braces(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Ast *check = leaf(arena, OP_CHECK), *one = leaf(arena, OP_COMPOUND), *two = leaf(arena, OP_COMPOUND),
        *three = leaf(arena, OP_COMPOUND), *not = leaf(arena, OP_NOT);
    ast_add_kid(arena, one, check);
    ast_add_kid(arena, two, one);
    ast_add_kid(arena, three, check);
    ast_add_kid(arena, three, check);
    ast_add_kid(arena, not, check);
    assert_ptr_equal(ast_unwrap(two), check);
    assert_ptr_equal(ast_unwrap(one), check);
    assert_ptr_equal(ast_unwrap(check), check);
    assert_ptr_equal(ast_unwrap(three), three);
    assert_ptr_equal(ast_unwrap(not ), not );
    arena_free(arena);
}

static Ast *repeat(Arena *arena, Ast *kid, int low)
{
    Ast *node = leaf(arena, OP_REPEAT);
    ast_add_kid(arena, node, kid);
    node->low = low;
    node->high = 5;
    return node;
}

static void test_empty_constituents(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Ast *check = leaf(arena, OP_CHECK), *none = repeat(arena, check, 0), *once = repeat(arena, check, 1);
    assert_true(ast_can_be_empty(none));
    assert_false(ast_can_be_empty(once));
    assert_false(ast_can_be_empty(check));
    assert_true(ast_can_be_empty(repeat(arena, none, 1)));
    for (int bits = 0; bits < 4; bits++) { // of two constituents, which can be empty
        Ast *chain = leaf(arena, OP_GROUP_CHAIN);
        ast_add_kid(arena, chain, bits & 1 ? none : once);
        ast_add_kid(arena, chain, bits & 2 ? none : once);
        assert_int_equal(ast_can_be_empty(chain), bits == 3);
        assert_int_equal(ast_can_be_empty(repeat(arena, chain, 2)), bits == 3);
    }
    arena_free(arena);
}

typedef struct Wanted {
    Op op;
    int asked;
} Wanted;

static bool is_wanted(const Ast *node, void *user)
{
    Wanted *w = user;
    w->asked++;
    return node->op == w->op;
}

// A tree of six nodes: three levels, an operand by role.
static Ast *small_tree(Arena *arena)
{
    Ast *top = leaf(arena, OP_AND), *left = leaf(arena, OP_NOT), *right = leaf(arena, OP_MOVE);
    ast_add_kid(arena, left, leaf(arena, OP_CHECK));
    ast_add_kid(arena, right, leaf(arena, OP_MATE));
    ast_set_operand(right, &right->kid_extra, leaf(arena, OP_WTM));
    ast_add_kid(arena, top, left);
    ast_add_kid(arena, top, right);
    return top;
}

static void test_copies(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Ast *tree = small_tree(arena), *shallow, *deep;
    Wanted w = {OP_WTM, 0};
    assert_true(ast_contains_kept(tree, 4, is_wanted, &w));
    shallow = ast_copy_node(arena, tree);
    assert_ptr_not_equal(shallow->kid, tree->kid);
    assert_ptr_equal(shallow->kid[1], tree->kid[1]);
    ast_add_kid(arena, shallow, leaf(arena, OP_BTM));
    assert_int_equal(tree->kid_count, 2);
    assert_int_equal(shallow->kid_count, 3);
    assert_int_equal(shallow->kept, 0);
    deep = ast_copy(arena, tree);
    assert_ptr_not_equal(deep->kid[0], tree->kid[0]);
    assert_ptr_not_equal(deep->kid[1], tree->kid[1]);
    assert_ptr_not_equal(deep->kid[1]->kid_extra, tree->kid[1]->kid_extra);
    assert_int_equal(deep->kid[1]->kid_extra->op, OP_WTM);
    assert_int_equal(deep->height, tree->height);
    // what is known of a tree is not known of a copy that is changed
    deep->kid[1]->kid_extra->op = OP_BTM;
    assert_false(ast_contains_kept(deep, 4, is_wanted, &w));
    assert_true(ast_contains_kept(tree, 4, is_wanted, &w));
    arena_free(arena);
}

static void test_searches(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Ast *tree = small_tree(arena);
    Wanted w = {OP_NOT, 0};
    assert_true(ast_contains(tree, is_wanted, &w));
    assert_int_equal(w.asked, 2);
    w = (Wanted){OP_BTM, 0};
    assert_false(ast_contains(tree, is_wanted, &w));
    assert_int_equal(w.asked, 6);
    w = (Wanted){OP_WTM, 0};
    assert_true(ast_contains(tree, is_wanted, &w));
    // each question has an answer of its own, which is asked for once
    static const Op ops[] = {OP_BTM, OP_WTM, OP_AND, OP_CHECK, OP_MATE, OP_OR};
    for (int time = 0; time < 2; time++)
        for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++) {
            w = (Wanted){ops[i], 0};
            assert_int_equal(ast_contains_kept(tree, 1u << 2 * i, is_wanted, &w),
                             ops[i] != OP_BTM && ops[i] != OP_OR);
            assert_true(time == 0 ? w.asked > 0 : w.asked == 0);
        }
    w = (Wanted){OP_CHECK, 0};
    assert_true(ast_contains_kept(tree->kid[0], 1u << 2 * 3, is_wanted, &w));
    assert_int_equal(w.asked, 0);
    arena_free(arena);
}

static void test_symbols(void **state)
{
    (void)state;
    static const char letters[] = "_PNBRQKpnbrqkAa", exchanged[] = "_pnbrqkPNBRQKaA";
    assert_string_equal(symbol_letters, letters);
    for (int i = 0; letters[i] != '\0'; i++) {
        assert_int_equal(symbol_of(letters[i]), 1u << i);
        assert_int_equal(symbols_exchange_colours(symbol_of(letters[i])), symbol_of(exchanged[i]));
    }
    assert_int_equal(symbol_of('\0'), 0);
    assert_int_equal(symbol_of('x'), 0);
    assert_int_equal(symbols_exchange_colours(0), 0);
    assert_int_equal(symbols_exchange_colours(symbol_of('Q') | symbol_of('a')),
                     symbol_of('q') | symbol_of('A'));
    static const Type types[] = {TYPE_INT, TYPE_SET,  TYPE_STRING, TYPE_POSITION,
                                 TYPE_SET, TYPE_BOOL, TYPE_BOOL};
    for (int kind = VARIABLE_INT; kind <= VARIABLE_FUNCTION; kind++)
        assert_int_equal(variable_type(&(Variable){.kind = (VariableKind)kind}), types[kind]);
}

static void check_print(const Ast *tree, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ast_print(out, tree);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

#define PRINT(expected, which, ...)                                                                          \
    check_print(&(Ast){.op = which, .type = TYPE_BOOL, __VA_ARGS__}, expected "\n")

static void test_print(void **state)
{
    (void)state;
    Variable n = {.name = "n"}, hidden = {.name = "n", .hidden = true};
    PRINT("check : bool", OP_CHECK, .number = 0);
    PRINT("check : bool 5", OP_CHECK, .number = 5);
    PRINT("number : bool 0", OP_NUMBER, .number = 0);
    PRINT("number : bool -3", OP_NUMBER, .number = -3);
    PRINT("designator : bool Q", OP_DESIGNATOR, .pieces = symbol_of('Q'), .mask = ~(Bitboard)0);
    PRINT("designator : bool PKpkAa", OP_DESIGNATOR,
          .pieces = symbol_of('P') | symbol_of('K') | symbol_of('p') | symbol_of('k') | symbol_of('A') |
                    symbol_of('a'),
          .mask = ~(Bitboard)0);
    PRINT("designator : bool _ a1", OP_DESIGNATOR, .pieces = symbol_of('_'), .mask = 1);
    PRINT("designator : bool _ h8", OP_DESIGNATOR, .pieces = symbol_of('_'), .mask = (Bitboard)1 << 63);
    PRINT("designator : bool _ [a1,h1,a2]", OP_DESIGNATOR, .pieces = symbol_of('_'), .mask = 0x181);
    PRINT("designator : bool _ []", OP_DESIGNATOR, .pieces = symbol_of('_'), .mask = 0);
    PRINT("move : bool q", OP_MOVE, .pieces = symbol_of('q'));
    PRINT("check : bool {2,0}", OP_CHECK, .low = 2);
    PRINT("check : bool {0,7}", OP_CHECK, .high = 7);
    PRINT("check : bool range 3 4", OP_CHECK, .range = {.present = true, .low.value = 3, .high.value = 4});
    PRINT("check : bool range n 4", OP_CHECK, .range = {.present = true, .low = {5, &n}, .high.value = 4});
    PRINT("check : bool range 0 n", OP_CHECK, .range = {.present = true, .high = {5, &n}});
    PRINT("check : bool range count", OP_CHECK, .range = {.present = true, .all = true});
    PRINT("check : bool \"a b\"", OP_CHECK, .text = "a b", .text_length = 3);
    PRINT("check : bool \"\\x22\\x5c\\x0a\\x1f \"", OP_CHECK, .text = "\"\\\n\x1f xx", .text_length = 5);
    PRINT("check : bool n", OP_CHECK, .variable = &n);
    PRINT("check : bool (hidden) n", OP_CHECK, .variable = &hidden, .variable2 = &n);
    PRINT("check : bool persistent linked", OP_CHECK, .flags = AST_PERSISTENT | AST_LINKED);
    static const char *const shown[] = {
#define FLAG(name, shown, word) shown,
#include "compiler/language/flags.def"
    };
    for (int i = 0; i < AST_FLAGS; i++) {
        char expected[100];
        snprintf(expected, sizeof expected, "check : bool %s\n", shown[i]);
        check_print(&(Ast){.op = OP_CHECK, .type = TYPE_BOOL, .flags = 1u << i}, expected);
    }
    Ast left = {.op = OP_MATE, .type = TYPE_SET}, right = {.op = OP_WTM, .type = TYPE_INT},
        extra = {.op = OP_BTM, .type = TYPE_STRING}, extra2 = {.op = OP_TRUE, .type = TYPE_POSITION},
        kid = {.op = OP_FALSE, .type = TYPE_ANY}, *kids[] = {&kid, &kid};
    PRINT("move : bool\n  left: mate : set\n  right: wtm : int\n  extra: btm : string\n  extra2: true : "
          "position\n"
          "  false : any\n  false : any",
          OP_MOVE, .kid_left = &left, .kid_right = &right, .kid_extra = &extra, .kid_extra2 = &extra2,
          .kid = kids, .kid_count = 2);
}

// From level 61 on a number says how deep a line is.
static void test_deep_print(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Ast *tree = ast_new(arena, OP_TRUE, TYPE_BOOL, (Span){0, 0});
    for (int i = 0; i < 63; i++) {
        Ast *node = ast_new(arena, OP_NOT, TYPE_BOOL, (Span){0, 0});
        ast_add_kid(arena, node, tree);
        tree = node;
    }
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ast_print(out, tree);
    fclose(out);
    const char *line = text;
    for (int level = 0; level <= 63; level++, line = strchr(line, '\n') + 1) {
        const char *name = level < 63 ? "not : bool\n" : "true : bool\n";
        const char *expected = level <= 60 ? arena_printf(arena, "%*s%s", 2 * level, "", name)
                                           : arena_printf(arena, "%*s(%d) %s", 120, "", level, name);
        assert_memory_equal(line, expected, strlen(expected));
    }
    assert_string_equal(line, "");
    free(text);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_braces),
        cmocka_unit_test(test_empty_constituents),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_searches),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_deep_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
