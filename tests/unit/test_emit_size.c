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

// The squares of a loop that take more than 50 characters have a line of their own.
static void test_long_sets(void **state)
{
    (void)state;
    Arena *a = module->arena;
    for (int more = 0; more < 2; more++) {
        IrFunction *f = module->function[0];
        Ir *set =
            ir_set_or(board(a, WHITE_KNIGHT), board(a, WHITE_BISHOP)); // p->white.knight, p->white.bishop
        ir_add_kid(set, board(a, more ? BOARD_WHITE : WHITE_QUEEN));   // p->white_pieces, p->white.queen
        f->body = ir_each_square(set, ir_new_local(f, IRT_INT), ir_bool(a, true), MODE_ANY);
        assert_int_equal(count_of("    for (Bitboard rest = p->white.knight | p->white.bishop | "
                                  "p->white.queen; rest; rest &= rest - 1)"),
                         !more);
        assert_int_equal(count_of("    Bitboard rest = p->white.knight | p->white.bishop | "
                                  "p->white_pieces;\n    for (; rest; rest &= rest - 1)"),
                         more);
    }
}

// A string is named after its content when that is a word or a few, in at most 24 characters.
static void test_text_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"mate", "text_mate"},
                                           {"a b", "text_a_b"},
                                           {"a_ ", "text_a"},
                                           {"123456789012345678901234", "text_123456789012345678901234"},
                                           {"1234567890123456789012345", "text"},
                                           {"a-b", "text"},
                                           {"", "text"},
                                           {" _", "text_"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char line[80];
        IrText text = {cases[i][0], (uint32_t)strlen(cases[i][0])};
        module->text = &text;
        module->text_count = 1;
        Ir *string = ir_new(module->arena, IR_STRING, IRT_STRING, 0);
        module->function[0]->body = ir_with_int(IR_GT, ir_call(module->arena, IR_CALL_length, 1, string), 3);
        snprintf(line, sizeof line, "\nTEXT(%s, \"%s\");\n", cases[i][1], cases[i][0]);
        if (count_of(line) != 1)
            fail_msg("no line %s", line);
        module->text_count = 0;
    }
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

// The conditions on tags and those that are remembered: one is called, of several the one that is asked for.
static void test_numbered_conditions(void **state)
{
    (void)state;
    static int functions[] = {1, 2, 3};
    static const int32_t columns[] = {1, 2, 4}, formula[] = {0};
    static const char *const names[] = {"first", "second", "third"};
    for (int i = 0; i < 3; i++)
        ir_new_function(module, names[i], NULL)->body = ir_any(board(module->arena, WHITE_PAWN + i));
    module->function[0]->body = ir_bool(module->arena, true);
    module->tag_atom = module->remembered = functions;
    module->info.tag_columns = columns;
    module->info.tag_formula = formula;
    module->info.tag_formula_count = 1;
    for (int kind = 0; kind < 2; kind++)
        for (int count = 1; count <= 3; count++) {
            static const char *const heads[] = {"tag_atom(Context *c, int32_t atom)",
                                                "remembered(Context *c, int32_t condition, int32_t n)"};
            const char *arguments = kind ? "c, n, c->position[n], c->depth" : "c, -1, 0, c->depth";
            char text[500], *end = text + sprintf(text, "static int32_t %s\n{\n", heads[kind]);
            if (count > 1)
                end += sprintf(end, "    switch (%s) {\n", kind ? "condition" : "atom");
            for (int i = 0; i < count; i++) {
                if (count > 1)
                    end += i < count - 1 ? sprintf(end, "    case %d:\n    ", i)
                                         : sprintf(end, "    default:\n    ");
                end += sprintf(end, "    return %s(%s);\n", names[i], arguments);
            }
            sprintf(end, "%s}\n\n", count > 1 ? "    }\n" : "");
            module->info.tag_atom_count = kind ? 0 : count;
            module->info.remembered_count = kind ? count : 0;
            if (count_of(text) != 1)
                fail_msg("no %s", text);
        }
}

static Ir *row_of(int table, int column, IrType type)
{
    return numbered(ir_new(module->arena, IR_ROW, type, 0), table, column);
}

static Ir *each_row(int table, Ir *test)
{
    Ir *loop = numbered(ir_new(module->arena, IR_EACH_ROW, IRT_BOOL, 1, test), table, 0);
    loop->mode = MODE_ANY;
    return loop;
}

// Tables have the strings of their rows, and at least one row; those that nobody reads are left out.
static void test_tables(void **state)
{
    (void)state;
    Arena *a = module->arena;
    static IrType columns[] = {IRT_STRING, IRT_INT}, sets[] = {IRT_SET};
    static uint64_t cells[] = {1, 5, 0, (uint32_t)INT32_MIN, 2, 7};
    static IrText texts[] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};
    IrTable read = {.column = columns, .cell = cells, .column_count = 2, .row_count = 3}, unread = read,
            empty = {.column = sets, .cell = cells, .column_count = 1};
    IrTable *tables[] = {&read, &empty, &unread};
    module->table = tables;
    module->table_count = 3;
    module->text = texts;
    module->text_count = 4;
    Ir *longer = ir_gt(ir_call(a, IR_CALL_length, 1, row_of(0, 0, IRT_STRING)), row_of(0, 1, IRT_INT));
    module->function[0]->body = ir_new(a, IR_AND, IRT_BOOL, 2, each_row(0, longer),
                                       ir_not(each_row(1, ir_any(row_of(1, 0, IRT_SET)))));
    static const char *const lines[] = {
        "\nTEXT(text_a, \"a\");\nTEXT(text_b, \"b\");\nTEXT(text_c, \"c\");\n\nstatic const struct {\n"
        "    String string;\n    int32_t number;\n} table[3] = {\n    {STRING(text_b), 5},\n"
        "    {STRING(text_a), -2147483647 - 1},\n    {STRING(text_c), 7},\n};\n\n",
        "static const struct {\n    Bitboard squares;\n} table_2[1] = {\n    {0},\n};\n\n// ",
        "for (int32_t row = 0; row < 3; row++) {", "for (int32_t row = 0; row < 0; row++) {"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (count_of(lines[i]) != 1)
            fail_msg("no %s", lines[i]);
    assert_int_equal(count_of("static const struct {"), 2);
    module->table_count = module->text_count = 0;
}

// A function begins with its comment; lines of the query are shown again in each function.
static void test_comments(void **state)
{
    (void)state;
    Arena *a = module->arena;
    static const char text[] = "P\n";
    Source source = {"q.cql", text, sizeof text - 1, NULL};
    IrFunction *second = ir_new_function(module, "second", NULL);
    second->comment = "a part";
    Ir *invoke = numbered(ir_new(a, IR_INVOKE, IRT_BOOL, 0), 1, 0), *found[2];
    for (int i = 0; i < 2; i++)
        found[i] = numbered(ir_new(a, IR_PLACE, IRT_BOOL, 1, ir_any(board(a, WHITE_PAWN))), PLACE(1, 1), 0);
    second->body = ir_new(a, IR_AND, IRT_BOOL, 2, ir_store(0, ir_int(a, 1)), found[0]);
    module->function[0]->body = ir_new(a, IR_AND, IRT_BOOL, 2, invoke, found[1]);
    assert_int_equal(count_of("\n// a part\nstatic int32_t second("), 1);
    source_index(a, &source);
    module->source = &source;
    assert_int_equal(count_of("\n// a part\nstatic int32_t second("), 1);
    assert_int_equal(count_of("    // 1: P\n"), 2);
    module->source = NULL;
}

// Sums of numbers that cannot be large are C's: those that count or name squares, and constants below a million.
static void test_small_numbers(void **state)
{
    (void)state;
    Arena *a = module->arena;
    static const struct {
        int32_t added;
        const char *text;
    } cases[] = {{999999, "count_squares(p->white.pawn) + 999999 == 5"},
                 {1000000, "add(count_squares(p->white.pawn), 1000000) == 5"},
                 {-999999, "count_squares(p->white.pawn) + -999999 == 5"},
                 {-1000000, "add(count_squares(p->white.pawn), -1000000) == 5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        module->function[0]->body =
            ir_with_int(IR_EQ, ir_with_int(IR_ADD, ir_count(board(a, WHITE_PAWN)), cases[i].added), 5);
        if (count_of(cases[i].text) != 1)
            fail_msg("no %s", cases[i].text);
    }
    for (int more = 0; more < 2;
         more++) { // together below a hundred millions: 64 and 100 times 999999 and the rest
        Ir *sum = ir_with_int(IR_ADD, ir_count(board(a, WHITE_PAWN)), 35 + more);
        for (int i = 0; i < 100; i++)
            sum = ir_with_int(IR_ADD, sum, 999999);
        module->function[0]->body = ir_with_int(IR_EQ, sum, 5);
        assert_int_equal(count_of("add("), more);
    }
}

// A value whose absolute value is at most `bound`, and the greatest sum with it that is C's.
static void check_bound(Ir *value, int32_t bound)
{
    for (int more = 0; more < 2; more++) {
        int32_t rest = 99999999 - bound + more;
        Ir *sum = ir_copy(value);
        for (int i = 0; rest > 0; i++) {
            const int32_t part = rest < 999999 ? rest : 999999;
            sum = ir_with_int(i % 2 ? IR_ADD : IR_SUB, sum, part);
            rest -= part;
        }
        module->function[0]->body = ir_with_int(IR_EQ, sum, 5);
        assert_int_equal(count_of(" add(") + count_of(" subtract("), more);
    }
}

// What is known of other small numbers: squares, their files and ranks, pieces and the like.
static void test_bounds(void **state)
{
    (void)state;
    Arena *a = module->arena;
    Ir *from =
        numbered(ir_new(a, IR_NODE, IRT_INT, 1, ir_new(a, IR_CURRENT, IRT_POSITION, 0)), IR_NODE_FROM, 0);
    check_bound(ir_count(board(a, WHITE_PAWN)), 64);
    check_bound(ir_first(board(a, WHITE_KING)), 64);
    check_bound(ir_side(a), 255);
    check_bound(from, 255);
    check_bound(ir_shift_right(ir_copy(from), 3), 64);
    check_bound(ir_with_int(IR_AND_BITS, ir_side(a), 77), 77);
    check_bound(ir_with_int(IR_AND_BITS, ir_side(a), 0), 0);
    check_bound(ir_int(a, 0), 0);
    check_bound(ir_int(a, -3), 3);
}

// A choice by a constant is one of its values; another one that needs no statements is an expression.
static void test_choices(void **state)
{
    (void)state;
    Arena *a = module->arena;
    static const char *const texts[] = {
        "return count_squares(p->white.pawn) == 5;", "return count_squares(p->black.pawn) == 5;",
        "return (p->white.king ? count_squares(p->white.pawn) : count_squares(p->black.pawn)) == 5;"};
    for (int i = 0; i < 3; i++) {
        Ir *test = i < 2 ? ir_bool(a, i == 0) : ir_any(board(a, WHITE_KING));
        Ir *choice = ir_choose(test, ir_count(board(a, WHITE_PAWN)), ir_count(board(a, BLACK_PAWN)));
        module->function[0]->body = ir_with_int(IR_EQ, choice, 5);
        if (count_of(texts[i]) != 1)
            fail_msg("no %s", texts[i]);
    }
}

// The attacks of pawns are two steps of one set.
static void test_pawn_attacks(void **state)
{
    (void)state;
    Arena *a = module->arena;
    for (int ranks = -1; ranks <= 1; ranks++) {
        Ir *west = numbered(ir_unary(IR_STEP, board(a, WHITE_ROOK)), -1, ranks),
           *east = numbered(ir_unary(IR_STEP, board(a, WHITE_ROOK)), 1, ranks);
        module->function[0]->body = ir_any(ir_set_or(west, east));
        assert_int_equal(count_of("return white_pawn_attacks(p->white.rook) != 0;"), ranks == 1);
        assert_int_equal(count_of("return black_pawn_attacks(p->white.rook) != 0;"), ranks == -1);
        assert_int_equal(count_of("return (west(p->white.rook) | east(p->white.rook)) != 0;"), ranks == 0);
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
        TEST(test_large),        TEST(test_large_together),
        TEST(test_large_screen), TEST(test_long_sets),
        TEST(test_text_names),   TEST(test_small_numbers),
        TEST(test_deep_blocks),  TEST(test_choices),
        TEST(test_pawn_attacks), TEST(test_bounds),
        TEST(test_long_texts),   TEST(test_tables),
        TEST(test_comments),     TEST(test_numbered_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
