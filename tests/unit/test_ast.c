// Trees: their operands, copies, searches that are kept, and how they are printed.
#include "test.h"

#include <stdlib.h>

#include "compiler/language/ast.h"

static const Span nowhere = {0, 0};

static Ast *leaf(Arena *arena, Op op)
{
    return ast_new(arena, op, TYPE_BOOL, nowhere);
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
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_deep_print),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
