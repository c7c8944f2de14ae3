// What screens make of loops over tables and of positions in cells (compiler/middle/screen/translate.c).
#include "screen_fixture.h"

#define KD1 "ANY(SET_AND([K], #8))"
#define KD1_BEFORE "ANY(SET_AND([K*], #8))"

enum { ROWS = 2, COLUMNS = 2 };

static void add_table(Module *m, const uint64_t *cells)
{
    IrTable *table = arena_alloc(m->arena, sizeof *table);
    *table = (IrTable){.column_count = COLUMNS, .row_count = ROWS};
    table->column = arena_alloc(m->arena, sizeof *table->column * COLUMNS);
    table->column[0] = IRT_INT;
    table->column[1] = IRT_SET;
    table->cell = arena_alloc(m->arena, sizeof *table->cell * ROWS * COLUMNS);
    memcpy(table->cell, cells, sizeof *table->cell * ROWS * COLUMNS);
    ARENA_PUSH(m->arena, m->table, m->table_count, table);
}

// The body's reads of the second column are sets.
static void set_types(Ir *tree)
{
    if (tree->op == IR_ROW && tree->low == 1)
        tree->type = IRT_SET;
    for (int i = 0; i < tree->kid_count; i++)
        set_types(tree->kid[i]);
}

#define SQUARES(squares, number) "EQ(COUNT(SET_AND([P], #" squares ")), " number ")"
#define ROW_OF(table) "EQ(COUNT(SET_AND([P], ROW:" table ",1)), ROW:" table ",0)"

static void rows_are_conditions(void **state)
{
    (void)state;
    static const uint64_t first[] = {3, 0xf, 4, 0xf0}, second[] = {5, 0xff, -1ULL, 0x3};
    static const struct {
        const char *body, *wanted;
    } row[] = {
        {"EACH_ROW:0,any(" ROW_OF("0") ")", "!OR(" SQUARES("f", "3") ", " SQUARES("f0", "4") ")"},
        {"EACH_ROW:0,all(" ROW_OF("0") ")", "!AND(" SQUARES("f", "3") ", " SQUARES("f0", "4") ")"},
        {"EACH_ROW:0,each(" ROW_OF("0") ")", NULL},
        {"EACH_ROW:1,any(" ROW_OF("1") ")", "!" SQUARES("ff", "5")}, // no number of squares is -1
        // Tables within each other, and one after the other.
        {"EACH_ROW:0,any(EACH_ROW:1,all(AND(GT(ROW:1,0, ROW:0,0), ANY(SET_AND([P], ROW:0,1)))))", "!FALSE"},
        {"EACH_ROW:0,any(EACH_ROW:1,any(AND(GT(ROW:1,0, ROW:0,0), ANY(SET_AND([P], ROW:0,1)))))",
         "!OR(ANY(SET_AND([P], #f)), ANY(SET_AND([P], #f0)))"},
        {"AND(EACH_ROW:0,any(" ROW_OF("0") "), EACH_ROW:0,all(ANY(SET_AND([N], ROW:0,1))))",
         "!AND(OR(" SQUARES("f", "3") ", " SQUARES("f0",
                                                   "4") "), ANY(SET_AND([N], #f)), ANY(SET_AND([N], #f0)))"},
        // What a round assigns is not known in the next one.
        {"AND(LET:0(#1), EACH_ROW:0,any(AND(ANY(SET_AND([N], %0)), LET:0(ROW:0,1))))", NULL},
        {"EACH_ROW:0,any(AND(LET:0(ROW:0,1), ANY(SET_AND([N], %0))))",
         "!OR(ANY(SET_AND([N], #f)), ANY(SET_AND([N], #f0)))"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Module *m = module_of_text("", "s", "TRUE");
        add_table(m, first);
        add_table(m, second);
        m->function[0]->body = ir_from_text(m, m->function[0], row[i].body);
        set_types(m->function[0]->body);
        assert_null(ir_verify(m));
        check_screen(m, row[i].wanted);
        arena_free(m->arena);
    }
}

// A cell with a position.
static void positions_are_in_cells(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"x", "", "AND(STORE:0(CURRENT), AT($0, " KD1 "))", NULL, "!" KD1},
        {"x", "", "AND(GE(.parent(CURRENT), 0), STORE:0(.parent(CURRENT)), AT($0, " KD1 "))", NULL,
         "!FALSE|" KD1_BEFORE "|" KD1_BEFORE},
        {"x", "", "AND(ANY([Q]), AT($0, " KD1 "))", NULL, "ANY([Q]);" KD1},
        {"x", "", "AND(ANY([Q]), STORE:0(.last(CURRENT)), AT($0, " KD1 "))", NULL, "ANY([Q]);" KD1},
        {"xi", "", "AND(ANY([Q]), STORE:1(3), AT($0, " KD1 "))", NULL, "ANY([Q]);" KD1},
        {"x", "", "AND(STORE:0(.parent(CURRENT)), EQ($0, 3))", NULL,
         "!FALSE|EQ(ADD(.ply(CURRENT), -1), 3)|EQ(ADD(.ply(CURRENT), -1), 3)"},
        {"x", "", "AND(ANY([Q]), EQ($0, 3))", NULL, "ANY([Q])"},
    };
    CHECK(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_conditions),
        cmocka_unit_test(positions_are_in_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
