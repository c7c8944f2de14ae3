// Functions that become part of their callers, and cells of searches that become locals.
#include "pass_fixture.h"

typedef struct Row {
    const char *cells;                          // a capital letter: of a search
    const char *locals, *body, *first, *second; // functions 1 and 2 with the same locals; NULL: there is none
    const char *after, *first_after, *second_after; // NULL: as before
    int cells_after;
} Row;

static Module *module_of_row(const Row *row)
{
    char cells[16] = "";
    for (size_t i = 0; row->cells[i] != '\0'; i++)
        cells[i] = (char)tolower((unsigned char)row->cells[i]);
    Module *m = module_of_text(cells, row->locals, "TRUE");
    m->slot_of_search = arena_alloc(m->arena, sizeof cells);
    for (size_t i = 0; row->cells[i] != '\0'; i++)
        m->slot_of_search[i] = isupper((unsigned char)row->cells[i]);
    add_ir_function(m, row->locals, row->first);
    if (row->second != NULL)
        add_ir_function(m, row->locals, row->second);
    m->function[0]->body = ir_from_text(m, m->function[0], row->body);
    assert_null(ir_verify(m));
    return m;
}

static void assert_function(Module *m, int number, const char *wanted)
{
    IrFunction *f = m->function[number];
    if (ir_equal(f->body, ir_from_text(m, f, wanted)))
        return;
    ir_print(stderr, m);
    fail_msg("function %d: wanted %s", number, wanted);
}

static void check_inlined(Module *m, const Row *row)
{
    inline_searches(m);
    assert_null(ir_verify(m));
    assert_function(m, 0, row->after != NULL ? row->after : row->body);
    assert_function(m, 1, row->first_after != NULL ? row->first_after : row->first);
    if (row->second != NULL)
        assert_function(m, 2, row->second_after != NULL ? row->second_after : row->second);
    assert_int_equal(m->info.slot_count, row->cells_after);
    arena_free(m->arena);
}

#define KD1 "ANY(SET_AND([K], #8))"
#define SETS_0 "AND(STORE:0(.ply(CURRENT)), EQ($0, 3))"
#define LETS_0 "AND(LET:0(.ply(CURRENT)), EQ(%0, 3))"

static void functions_join_their_callers(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"i", "", "AND(in_check(), INVOKE:1())", KD1, NULL, "AND(in_check(), " KD1 ")", "TRUE", NULL, 1},
        {"i", "", "INVOKE:1()", "AND(" KD1 ", INVOKE:2())", "in_check()", "AND(" KD1 ", in_check())", "TRUE",
         "TRUE", 1},
        {"i", "", "AND(INVOKE:1(), INVOKE:2())", KD1, "in_check()", "AND(" KD1 ", in_check())", "TRUE",
         "TRUE", 1},
        {"i", "", "in_check()", KD1, NULL, NULL, "TRUE", NULL, 1}, // never called
        // Called from two places.
        {"i", "", "AND(INVOKE:1(), INVOKE:1())", KD1, NULL, NULL, NULL, NULL, 1},
        {"i", "", "AND(INVOKE:1(), INVOKE:2())", KD1, "INVOKE:1()", "AND(INVOKE:1(), INVOKE:1())", NULL,
         "TRUE", 1},
        {"i", "x", "INVOKE:1()", "OR(" KD1 ", EACH_CHILD:0,any(CURRENT, AT(%0, INVOKE:1())))", NULL, NULL,
         NULL, NULL, 1},
        {"i", "", "AND(INVOKE:1(), INVOKE:1())", "INVOKE:2()", KD1, NULL, KD1, "TRUE", 1},
        // The part's locals come after those of its caller.
        {"i", "i", "AND(LET:0(.ply(CURRENT)), INVOKE:1(), EQ(%0, 3))",
         "AND(LET:0(.depth(CURRENT)), EQ(%0, 5))", NULL,
         "AND(LET:0(.ply(CURRENT)), LET:1(.depth(CURRENT)), EQ(%1, 5), EQ(%0, 3))", "TRUE", NULL, 1},
        {"i", "i", "AND(year:0(), INVOKE:1(), EQ(%0, 3))", "AND(year:0(), EQ(%0, 5))", NULL,
         "AND(year:0(), year:1(), EQ(%1, 5), EQ(%0, 3))", "TRUE", NULL, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_inlined(module_of_row(&rows[i]), &rows[i]);
}

#define AB "contains(\"a\", \"b\")"

static void roots_stay(void **state)
{
    (void)state;
    static const Row joined = {"i", "", "INVOKE:1()", AB, NULL, AB, "TRUE", NULL, 1};
    static const Row kept = {"i", "", "INVOKE:1()", AB, NULL, NULL, NULL, NULL, 1};
    static const Row alone = {"i", "", "in_check()", AB, NULL, NULL, NULL, NULL, 1};
    check_inlined(module_of_row(&joined), &joined);
    for (int use = 0; use < 4; use++)
        for (int called = 0; called < 2; called++) {
            const Row *row = called ? &kept : &alone;
            Module *m = module_of_row(row);
            static int number[] = {1};
            if (use == 0)
                m->show_function = 1;
            if (use == 1)
                m->game_test = ir_invoke(m->arena, 1);
            if (use == 2) {
                m->tag_atom = number;
                m->info.tag_atom_count = 1;
            }
            if (use == 3) {
                m->remembered = number;
                m->info.remembered_count = 1;
            }
            check_inlined(m, row);
        }
}

static void cells_become_locals(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"I", "", "INVOKE:1()", SETS_0, NULL, LETS_0, "TRUE", NULL, 0},
        {"i", "", "INVOKE:1()", SETS_0, NULL, SETS_0, "TRUE", NULL, 1}, // of no search
        // Of a function that is called from several places, or of two functions.
        {"I", "", "AND(INVOKE:1(), INVOKE:1())", SETS_0, NULL, NULL, NULL, NULL, 1},
        {"I", "", "AND(INVOKE:1(), INVOKE:1(), EQ($0, 3))", "STORE:0(.ply(CURRENT))", NULL, NULL, NULL, NULL,
         1},
        {"I", "", "AND(STORE:0(.ply(CURRENT)), INVOKE:1(), EQ($0, 3))", "EQ($0, 4)", NULL,
         "AND(LET:0(.ply(CURRENT)), EQ(%0, 4), EQ(%0, 3))", "TRUE", NULL, 0},
        // Cells of searches that nothing uses any more are left out, and the others move up.
        {"IiI", "", "AND(INVOKE:1(), STORE:1(3))", "TRUE", NULL, "STORE:0(3)", "TRUE", NULL, 1},
        {"iIi", "", "AND(INVOKE:1(), STORE:0(2), STORE:2(3))", KD1, NULL,
         "AND(" KD1 ", STORE:0(2), STORE:1(3))", "TRUE", NULL, 2},
        {"iii", "", "AND(INVOKE:1(), STORE:2(3))", KD1, NULL, "AND(" KD1 ", STORE:2(3))", "TRUE", NULL, 3},
        {"II", "", "AND(INVOKE:1(), INVOKE:1(), EQ($1, 3))", "STORE:1(.ply(CURRENT))", NULL,
         "AND(INVOKE:1(), INVOKE:1(), EQ($0, 3))", "STORE:0(.ply(CURRENT))", NULL, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_inlined(module_of_row(&rows[i]), &rows[i]);
    // The local is named as the cell, without the first word.
    static const char *const name[][2] = {{"path end", "end"}, {"cell", "cell"}};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        Module *m = module_of_row(&rows[0]);
        m->slot_name[0] = name[i][0];
        inline_searches(m);
        assert_string_equal(m->function[0]->local_name[0], name[i][1]);
        arena_free(m->arena);
    }
    // The cell with the place in the query keeps its meaning.
    for (int place = 0; place <= 3; place += 3) {
        Module *m = module_of_row(&rows[6]);
        m->info.place_cell = place;
        inline_searches(m);
        assert_int_equal(m->info.place_cell, place > 0 ? 2 : 0);
        arena_free(m->arena);
    }
}

#define SEARCH(body) "AT(.parent(CURRENT), AND(STORE:0(0), " body ", EQ($0, 1)))"

// A search at another position that depends on that position alone is remembered, with the functions and cells that it has for
// itself.
static void searches_are_remembered(void **state)
{
    (void)state;
    static const struct {
        const char *cells, *body, *first, *second;
        int remembered;
    } row[] = {
        {"I", SEARCH("INVOKE:1()"), "STORE:0(1)", NULL, 1},
        {"I", SEARCH("INVOKE:1()"), "AND(in_check(), INVOKE:2())", "STORE:0(1)", 1},
        {"I", SEARCH("INVOKE:1()"), "OR(STORE:0(1), INVOKE:1())", NULL, 1},
        {"I", SEARCH("has_legal_move()"), "STORE:0(1)", NULL, 0},                 // no function is called
        {"i", SEARCH("INVOKE:1()"), "STORE:0(1)", NULL, 0},                       // another cell
        {"I", "AND(" SEARCH("INVOKE:1()") ", EQ($0, 5))", "STORE:0(1)", NULL, 0}, // it is read elsewhere
        {"I", SEARCH("INVOKE:1()"), "in_check()", "STORE:0(1)", 0},               // or written
        {"II", SEARCH("AND(INVOKE:1(), EQ($1, 0))"), "AND(STORE:0(1), STORE:1(1))", NULL, 1},
        {"II", SEARCH("INVOKE:1()"), "STORE:0(1)", "STORE:1(1)", 1},
        {"II", SEARCH("AND(INVOKE:1(), EQ($1, 0))"), "STORE:0(1)", "STORE:1(1)", 0},
        // What is called may remember what it has found, but has no effects.
        {"I", SEARCH("INVOKE:1()"), "AND(memo_begin(1), memo_visit(1, 1), STORE:0(1))", NULL, 1},
        {"I", SEARCH("INVOKE:1()"), "AND(memo_follow(1, [P]), memo_keep(1, 1, CURRENT), STORE:0(1))", NULL,
         1},
        {"I", SEARCH("INVOKE:1()"), "AND(memo_find:1(1, 1), STORE:0(1))", NULL, 1},
        {"I", SEARCH("INVOKE:1()"), "AND(comments_wanted(), STORE:0(1))", NULL, 0},
        {"I", SEARCH("INVOKE:1()"), "AND(log_wanted(), STORE:0(1))", NULL, 0},
        {"I", SEARCH("INVOKE:1()"), "AND(log_add(CURRENT, \"x\"), STORE:0(1))", NULL, 0},
        {"I", SEARCH("AND(log_add(CURRENT, \"x\"), INVOKE:1())"), "STORE:0(1)", NULL, 0},
        {"I", SEARCH("AND(INVOKE:1(), EQ(%0, 3))"), "STORE:0(1)", NULL, 0}, // a local that it does not write
        {"I", "AND(LET:0(.ply(CURRENT)), " SEARCH("AND(INVOKE:1(), EQ(%0, 3))") ")", "STORE:0(1)", NULL, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const Row all = {row[i].cells, "ix", row[i].body, row[i].first, row[i].second, NULL, NULL, NULL, 0};
        Module *m = module_of_row(&all);
        remember_conditions(m);
        assert_null(ir_verify(m));
        if (m->info.remembered_count != row[i].remembered)
            fail_msg("%s with %s: %d", row[i].body, row[i].first, m->info.remembered_count);
        arena_free(m->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_join_their_callers),
        cmocka_unit_test(roots_stay),
        cmocka_unit_test(cells_become_locals),
        cmocka_unit_test(searches_are_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
