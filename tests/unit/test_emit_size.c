// The limits of emitted C: when a file is large, an expression gets a variable, a condition no block of its own.
#include "engine_fixture.h"

static Module *module;

static int begin(void **state)
{
    (void)state;
    module = new_module();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(module->arena);
    return 0;
}

static bool says(Module *const *modules, int count, const char *line)
{
    size_t length;
    char *text = emit_c(modules, count, HEADER_INCLUDED, &length, NULL);
    const bool found = strstr(text, line) != NULL;
    free(text);
    return found;
}

static bool is_large(void)
{
    return says(&module, 1, "#define CQL_LARGE // primitives are called instead of inlined\n");
}

static bool has_large_screen(void)
{
    return says(&module, 1, "#define CQL_LARGE_SCREEN // likewise those of screens\n");
}

// A conjunction of `nodes` nodes with the parts that it has already.
static void fill(Ir *all, int nodes)
{
    for (; nodes > 0; nodes--)
        ir_add_kid(all, ir_bool(module->arena, true));
}

// ---- the size of the code ---------------------------------------------------------------------------------

static void check_limit(Ir *part, int nodes)
{
    enum { LARGE = 1000 };
    for (int more = 0; more < 2; more++) {
        Ir *all = ir_new(module->arena, IR_AND, IRT_BOOL, 0);
        if (part != NULL)
            ir_add_kid(all, part);
        fill(all, LARGE + more - nodes - 1);
        module->function[0]->body = all;
        assert_int_equal(is_large(), more);
    }
}

// More than a thousand nodes are large. A call of `pin` counts as ten, any other node as one, whatever its number.
static void test_large(void **state)
{
    (void)state;
    Arena *a = module->arena;
    check_limit(NULL, 0);
    check_limit(ir_any(board(a, WHITE_KING)), 2);
    Ir *pin = ir_call(a, IR_CALL_pin, 4, board(a, WHITE_ROOK), board(a, BLACK_ROOK), board(a, BLACK_KING),
                      ir_int(a, 0));
    check_limit(ir_any(pin), 1 + 10 + 4);
    check_limit(ir_any(ir_call(a, IR_CALL_attacked, 1, board(a, WHITE_ROOK))), 3);
    check_limit(ir_with_int(IR_EQ, ir_count(board(a, WHITE_PAWN)), IR_CALL_pin), 4);
}

// The functions of a query count together; one large query among others is enough.
static void test_large_together(void **state)
{
    (void)state;
    Arena *a = module->arena;
    Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0), *more = ir_new(a, IR_AND, IRT_BOOL, 0);
    IrFunction *second = ir_new_function(module, "second", NULL);
    fill(all, 600);
    fill(more, 397);
    module->function[0]->body = ir_new(a, IR_AND, IRT_BOOL, 1, all);
    second->body = more; // 1 + 601 + 398
    assert_false(is_large());
    fill(more, 1);
    assert_true(is_large());

    Module *small = new_module();
    small->function[0]->body = ir_bool(small->arena, true);
    static const char line[] = "#define CQL_LARGE ";
    assert_true(says((Module *const[]){module, small}, 2, line));
    assert_true(says((Module *const[]){small, module}, 2, line));
    assert_false(says((Module *const[]){small, small}, 2, line));
    arena_free(small->arena);
}

// ---- the cost of the screen -------------------------------------------------------------------------------

static Ir *conjunction(int boards, int others)
{
    Ir *all = ir_new(module->arena, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < boards; i++)
        ir_add_kid(all, ir_any(board(module->arena, WHITE_PAWN)));
    fill(all, others);
    return all;
}

// The conditions after the moves of the two sides count, not that at the start, which is evaluated once. More than 1500 is
// large.
static void test_large_screen(void **state)
{
    (void)state;
    module->function[0]->body = ir_bool(module->arena, true);
    assert_false(has_large_screen());
    for (int more = 0; more < 2; more++) {
        static Ir *condition[1][SCREEN_PLACES];
        condition[0][SCREEN_START] = conjunction(900, 0);
        condition[0][SCREEN_WHITE_MOVED] = conjunction(400, 0);    // 801
        condition[0][SCREEN_BLACK_MOVED] = conjunction(349, more); // 699
        Screen screen = {.count = 1, .condition = condition};
        module->screen = &screen;
        assert_int_equal(has_large_screen(), more);
        assert_false(is_large());
        Module *small = new_module();
        small->function[0]->body = ir_bool(small->arena, true);
        static const char line[] = "#define CQL_LARGE_SCREEN ";
        assert_int_equal(says((Module *const[]){module, small}, 2, line), more);
        assert_int_equal(says((Module *const[]){small, module}, 2, line), more);
        arena_free(small->arena);
        module->screen = NULL;
    }
}

// ---- the form of the code ---------------------------------------------------------------------------------

static int count_of(const char *line)
{
    size_t length;
    char *text = emit_c(&module, 1, HEADER_INCLUDED, &length, NULL);
    int count = 0;
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
        count++;
    free(text);
    return count;
}

// Texts of more than 90 characters go on below the place where they begin.
static void test_long_texts(void **state)
{
    (void)state;
    char name[92];
    memset(name, 'x', 91);
    name[91] = 0;
    static const char *const lines[] = {"    {\"%.90s\"\n        \"x\", 0, 1, 0},\n    {0, 0, 0, 1},\n",
                                        "        .name = \"%.90s\"\n            \"x\",\n",
                                        "TEXT(text, \"%.90s\"\n    \"x\");\n"};
    SortKeyInfo keys[] = {{.name = name, .is_min = true}, {.quiet = true}};
    IrText text = {name, 91};
    module->info.name = name;
    module->info.sort_key = keys;
    module->info.sort_key_count = 2;
    module->text = &text;
    module->text_count = 1;
    Ir *string = ir_new(module->arena, IR_STRING, IRT_STRING, 0);
    module->function[0]->body = ir_with_int(IR_GT, ir_call(module->arena, IR_CALL_length, 1, string), 3);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[200];
        snprintf(line, sizeof line, lines[i], name);
        if (count_of(line) != 1)
            fail_msg("no %s", line);
    }
}

// Conditions that are followed by statements are blocks within blocks, 19 of them; those that follow leave the round.
static void test_deep_blocks(void **state)
{
    (void)state;
    enum { CONDITIONS = 25, BLOCKS = 18 }; // and the loop
    Arena *a = module->arena;
    IrFunction *f = module->function[0];
    Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < CONDITIONS; i++) {
        ir_add_kid(all, ir_any(board(a, WHITE_PAWN)));
        ir_add_kid(all, ir_store(i % CELLS, ir_int(a, i)));
    }
    ir_add_kid(all, ir_any(board(a, BLACK_PAWN)));
    f->body = ir_each_square(board(a, WHITE_KING), ir_new_local(f, IRT_INT), all, MODE_ANY);
    assert_int_equal(count_of("if (p->white.pawn) {"), BLOCKS);
    assert_int_equal(count_of("if (!p->white.pawn)\n"), CONDITIONS - BLOCKS);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_large),       TEST(test_large_together), TEST(test_large_screen),
        TEST(test_deep_blocks), TEST(test_long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
