// Passes of the optimiser on alternatives and on loops over squares, on trees that queries seldom or never have.
#include "pass_fixture.h"

#include <stdio.h>

// ---- alternatives -----------------------------------------------------------------------------------------

static void alternatives_are_combined(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        // A test of all is drawn out, the dearest first; what is left may share others.
        {"", "i", "OR(AND(in_check(), EQ(%0, 1)), AND(in_check(), EQ(%0, 2)))",
         "AND(in_check(), OR(EQ(%0, 1), EQ(%0, 2)))"},
        {"", "i", "OR(AND(EQ(%0, 1), in_check()), AND(in_check(), EQ(%0, 2)))",
         "AND(in_check(), OR(EQ(%0, 1), EQ(%0, 2)))"},
        {"", "i", "OR(AND(in_check(), EQ(%0, 1)), has_legal_move(), AND(in_check(), EQ(%0, 2)))",
         "OR(AND(in_check(), OR(EQ(%0, 1), EQ(%0, 2))), has_legal_move())"},
        {"", "i",
         "OR(AND(has_legal_move(), ANY([P]), EQ(%0, 1)), AND(has_legal_move(), ANY([P]), EQ(%0, 2)), "
         "AND(legal_position(), ANY([P]), EQ(%0, 3)), AND(legal_position(), ANY([P]), EQ(%0, 4)))",
         "AND(ANY([P]), OR(AND(has_legal_move(), OR(EQ(%0, 1), EQ(%0, 2))), AND(legal_position(), OR(EQ(%0, "
         "3), EQ(%0, 4)))))"},
        {"", "i",
         "OR(AND(has_legal_move(), in_check(), EQ(%0, 1)), AND(has_legal_move(), EQ(%0, 2)), AND(in_check(), "
         "EQ(%0, 3)))",
         "OR(AND(has_legal_move(), OR(AND(in_check(), EQ(%0, 1)), EQ(%0, 2))), AND(in_check(), EQ(%0, 3)))"},
        {"", "i", "OR(AND(in_check(), EQ(%0, 1)), in_check())", "in_check()"},
        {"", "", "OR(in_check())", NULL},
        {"", "", "AND(in_check())", NULL},
        // Not past effects, nor what may fail.
        {"", "i", "OR(AND(in_check(), EQ(%0, 1)), AND(LET:0(3), in_check()), AND(in_check(), EQ(%0, 2)))",
         NULL},
        {"", "i", "OR(AND(in_check(), EQ(MOD(5, %0), 1)), AND(in_check(), EQ(%0, 2)))", NULL},
        // A test of one and its negation in another.
        {"", "i", "OR(AND(in_check(), EQ(%0, 1)), AND(NOT(in_check()), EQ(%0, 2)))",
         "IF(in_check(), EQ(%0, 1), EQ(%0, 2))"},
        {"", "i", "OR(AND(NOT(in_check()), EQ(%0, 1)), AND(in_check(), EQ(%0, 2)))",
         "IF(in_check(), EQ(%0, 2), EQ(%0, 1))"},
        {"", "i", "OR(AND(LE(%0, 3), in_check()), AND(GT(%0, 3), has_legal_move()))",
         "IF(GT(%0, 3), has_legal_move(), in_check())"},
        {"", "i",
         "OR(AND(in_check(), EQ(%0, 1)), AND(NOT(in_check()), EQ(%0, 2)), AND(NOT(in_check()), EQ(%0, 3)))",
         "IF(in_check(), EQ(%0, 1), OR(EQ(%0, 2), EQ(%0, 3)))"},
        {"", "i", "OR(AND(EQ(%0, 1), in_check()), AND(EQ(%0, 2), NOT(in_check())), has_legal_move())",
         "OR(IF(in_check(), EQ(%0, 1), EQ(%0, 2)), has_legal_move())"},
        // Each of them once.
        {"", "i",
         "OR(AND(GT(%0, 3), in_check()), AND(LE(%0, 3), has_legal_move()), AND(NOT(GT(%0, 3)), "
         "legal_position()))",
         "OR(IF(GT(%0, 3), in_check(), has_legal_move()), AND(NOT(GT(%0, 3)), legal_position()))"},
        {"", "i",
         "OR(AND(GT(%0, 3), in_check()), AND(NOT(GT(%0, 3)), legal_position()), AND(LE(%0, 3), EQ(SIDE, 0)), "
         "AND(NOT(LE(%0, 3)), has_legal_move()))",
         "OR(IF(GT(%0, 3), in_check(), legal_position()), IF(GT(%0, 3), has_legal_move(), EQ(SIDE, 0)))"},
        // What saves most is drawn out: three with a cost of 2 save 4, two with a cost of 4 save 4, and the first one wins.
        {"", "i",
         "OR(AND(ANY([P]), in_check(), EQ(%0, 1)), AND(in_check(), EQ(%0, 2)), AND(ANY([P]), EQ(%0, 3)), "
         "AND(ANY([P]), EQ(%0, 4)))",
         "OR(AND(ANY([P]), OR(AND(in_check(), EQ(%0, 1)), EQ(%0, 3), EQ(%0, 4))), AND(in_check(), EQ(%0, "
         "2)))"},
        {"", "i",
         "OR(AND(in_check(), ANY([P]), EQ(%0, 1)), AND(in_check(), EQ(%0, 2)), AND(ANY([P]), EQ(%0, 3)), "
         "AND(ANY([P]), EQ(%0, 4)))",
         "OR(AND(in_check(), OR(AND(ANY([P]), EQ(%0, 1)), EQ(%0, 2))), AND(ANY([P]), OR(EQ(%0, 3), EQ(%0, "
         "4))))"},
    };
    CHECK_PASS(combine_alternatives, rows);
}

// Tests that two, four, eight alternatives share are drawn out in three rounds; what sixteen share stays.
static void rounds_end(void **state)
{
    (void)state;
    enum { ROUNDS = 3 };
    static const char *const shared[] = {"EQ(legal_count([P], [N], [B], 0), %d) ", "EQ(power([P]), %d) ",
                                         "EQ(ADD(ADD(ADD(%%1, %%1), %%1), %%1), %d) ", "ANY(%%2) "};
    for (int levels = ROUNDS; levels <= ROUNDS + 1; levels++) {
        char text[4000], *end = text + sprintf(text, "OR(");
        for (int i = 0; i < 1 << levels; i++) {
            end += sprintf(end, "AND(EQ(%%0, %d) ", i);
            for (int level = 0; level < levels; level++) {
                const char *format = level == levels - 1 ? shared[3] : shared[level];
                end += sprintf(end, format, i >> (level + 1));
            }
            end += sprintf(end, ")");
        }
        sprintf(end, ")");
        Module *m = module_of_text("", "iis", text);
        combine_alternatives(m);
        assert_int_equal(m->function[0]->body->op, levels <= ROUNDS ? IR_AND : IR_OR);
        arena_free(m->arena);
    }
}

#define THREE(king, rook, knight)                                                                            \
    "AND(ANY(SET_AND([K], #" king ")), ANY(SET_AND([R], #" rook ")), ANY(SET_AND([N], #" knight ")))"

static void patterns_are_joined(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", "OR(ANY(SET_AND([K], #1)), ANY(SET_AND([K], #2)))", "ANY(SET_AND([K], #3))"},
        {"", "", "OR(ANY(SET_AND([K], #1)), in_check(), ANY(SET_AND([K], #2)))",
         "OR(ANY(SET_AND([K], #3)), in_check())"},
        {"", "", "OR(ANY(SET_AND([K], #1)), ANY(SET_AND([R], #1)))", "ANY(SET_AND(SET_OR([R], [K]), #1))"},
        {"", "", "OR(ANY(SET_AND([K], #1)), ANY(SET_AND([R], #2)))", NULL},
        {"", "s", "OR(ANY(SET_AND([K], #1)), ANY(SET_AND(SET_OR([P], %0), #1)))",
         "ANY(SET_AND(#1, SET_OR(SET_OR([P], [K]), %0)))"},
        {"", "s", "OR(ANY(SET_AND([K], #1)), ANY(SET_AND(%0, #1)))", NULL},
        {"", "", "AND(NOT(ANY(SET_AND([K], #1))), NOT(ANY(SET_AND([K], #2))))", "NOT(ANY(SET_AND([K], #3)))"},
        {"", "", "AND(NOT(ANY(SET_AND([K], #1))), in_check(), NOT(ANY(SET_AND([K], #2))))",
         "AND(NOT(ANY(SET_AND([K], #3))), in_check())"},
        {"", "i", "AND(LET:0(1), NOT(ANY(SET_AND([K], #1))), NOT(ANY(SET_AND([K], #2))))", NULL},
        {"", "i", "AND(NOT(ANY(SET_AND([K], #1))), LET:0(1), NOT(ANY(SET_AND([K], #2))))", NULL},
        {"", "", "AND(NOT(ANY(SET_AND([K], #1))), NOT(ANY(SET_AND([R], #2))))", NULL},
        {"", "", "AND(ANY(SET_AND([K], #1)), ANY(SET_AND([K], #2)))", NULL},
        // Two pieces: K on a1 and R on b1, or one square to the right of that.
        {"", "",
         "OR(AND(ANY(SET_AND([K], #1)), ANY(SET_AND([R], #2))), AND(ANY(SET_AND([K], #2)), ANY(SET_AND([R], "
         "#4))))",
         "ANY(SET_AND([K], #3, STEP:-1,0([R])))"},
        // Three pieces: at least three places.
        {"", "", "OR(" THREE("1", "2", "4") ", " THREE("2", "4", "8") ")", NULL},
        {"", "", "OR(" THREE("1", "2", "4") ", " THREE("2", "4", "8") ", " THREE("4", "8", "10") ")",
         "ANY(SET_AND([K], #7, STEP:-1,0([R]), STEP:-2,0([N])))"},
        {"", "",
         "OR(AND(ANY(SET_AND([K], #1)), ANY(SET_AND([R], #2))), AND(ANY(SET_AND([K], #2)), ANY(SET_AND([R], "
         "#8))))",
         NULL},
    };
    CHECK_PASS(combine_alternatives, rows);
}

#define ON(piece, squares) "ANY(SET_AND([" piece "], #" squares "))"
#define TWO(first, second) "OR(AND(" ON("K", "1") ", " first "), AND(" ON("K", "2") ", " second "))"

static void shapes_are_joined(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        // A king on a1 and a pawn on a2 or b2, or one file to the right of that.
        {"", "", TWO(ON("P", "300"), ON("P", "600")),
         "ANY(SET_AND([K], #3, SET_OR(STEP:0,-1([P]), STEP:-1,-1([P]))))"},
        {"", "", TWO("NOT(" ON("P", "300") ")", "NOT(" ON("P", "600") ")"),
         "ANY(SET_AND([K], #3, SET_NOT(SET_OR(STEP:0,-1([P]), STEP:-1,-1([P])))))"},
        {"", "", TWO(ON("P", "300"), ON("P", "c00")), NULL},
        {"", "", TWO(ON("P", "300"), "NOT(" ON("P", "600") ")"), NULL},
        {"", "", TWO(ON("P", "300"), ON("N", "600")), NULL},
        {"", "", "OR(AND(" ON("K", "1") ", " ON("P", "300") "), AND(" ON("R", "2") ", " ON("P", "600") "))",
         NULL},
        {"", "", "OR(AND(" ON("P", "300") ", " ON("K", "1") "), AND(" ON("N", "600") ", " ON("K", "2") "))",
         NULL},
        {"", "", "OR(AND(" ON("P", "300") ", " ON("K", "1") "), AND(" ON("P", "600") ", " ON("K", "2") "))",
         "ANY(SET_AND([K], #3, SET_OR(STEP:0,-1([P]), STEP:-1,-1([P]))))"},
        // What is attacked is dear: it is asked for where the rest is true.
        {"", "", TWO("ANY(attackers([r], #2))", "ANY(attackers([r], #4))"),
         "AND(ANY(SET_AND([K], #3)), ANY(SET_AND([K], #3, STEP:-1,0(attacked([r])))))"},
        {"", "", TWO("ANY(attackers([r], #2))", "ANY(attackers([b], #4))"), NULL},
        // Other tests have the same meaning at each place.
        {"", "", TWO(ON("P", "300") ", in_check()", ON("P", "600") ", in_check()"),
         "AND(in_check(), ANY(SET_AND([K], #3, SET_OR(STEP:0,-1([P]), STEP:-1,-1([P])))))"},
        {"", "", TWO(ON("P", "300") ", in_check()", ON("P", "600") ", has_legal_move()"), NULL},
        // A shape has no more squares than its places have tests.
        {"", "", TWO(ON("P", "700"), ON("P", "e00")),
         "ANY(SET_AND([K], #3, SET_OR(STEP:0,-1([P]), STEP:-1,-1([P]), STEP:-2,-1([P]))))"},
        {"", "", TWO(ON("P", "f00"), ON("P", "1e00")), NULL},
        // A larger shape that is at one place only stays.
        {"", "",
         "OR(AND(" ON("K", "1") ", " ON("P", "700") "), AND(" ON("K", "1") ", " ON("P", "300") "), AND(" ON(
             "K", "2") ", " ON("P", "600") "))",
         "OR(AND(" ON("K", "1") ", " ON("P", "700") "), ANY(SET_AND([K], #3, SET_OR(STEP:0,-1([P]), "
                                                    "STEP:-1,-1([P])))))"},
        // At the edges of the board: the h file, the eighth rank, the first one.
        {"", "",
         "OR(AND(" ON("K", "80") ", " ON("P", "c000") "), AND(" ON("K", "40") ", " ON("P", "6000") "))",
         "ANY(SET_AND([K], #c0, SET_OR(STEP:1,-1([P]), STEP:0,-1([P]))))"},
        {"", "",
         "OR(AND(" ON("K", "1000000000000") ", " ON("P", "202000000000000") "), AND(" ON(
             "K", "2000000000000") ", " ON("P", "404000000000000") "))",
         "ANY(SET_AND([K], #3000000000000, STEP:-1,0(SET_OR([P], STEP:0,-1([P])))))"},
        {"", "",
         "OR(AND(" ON("K", "10000") ", " ON("P", "202") "), AND(" ON("K", "20000") ", " ON("P", "404") "))",
         "ANY(SET_AND([K], #30000, STEP:-1,1(SET_OR([P], STEP:0,1([P])))))"},
        {"", "", TWO(ON("P", "200000000000002"), ON("P", "400000000000004")),
         "ANY(SET_AND([K], #3, SET_OR(STEP:-1,0([P]), STEP:-1,-7([P]))))"},
        // A run of three ranks; a run that ends at the rank of the first square.
        {"", "", TWO(ON("P", "2020200"), ON("P", "4040400")),
         "ANY(SET_AND([K], #3, STEP:-1,-1(SET_OR([P], STEP:0,-1(SET_OR([P], STEP:0,-1([P])))))))"},
        {"", "",
         "OR(AND(" ON("K", "10000") ", " ON("P", "20200") "), AND(" ON("K", "20000") ", " ON("P",
                                                                                             "40400") "))",
         "ANY(SET_AND([K], #30000, SET_OR(STEP:-1,1([P]), STEP:-1,0([P]))))"},
        // Not past effects, nor what may fail.
        {"", "i",
         "OR(AND(LET:0(1), in_check()), AND(" ON("K", "1") ", " ON("P", "300") "), AND(" ON("K", "2") ", " ON(
             "P", "600") "))",
         NULL},
        {"", "i", TWO(ON("P", "300") ", EQ(MOD(5, %0), 1)", ON("P", "600") ", EQ(MOD(5, %0), 1)"), NULL},
    };
    CHECK_PASS(combine_alternatives, rows);
}

// So many shapes with the same tests are joined.
static void shapes_end(void **state)
{
    (void)state;
    enum { MOST_FAMILIES = 16 };
    for (int shapes = MOST_FAMILIES; shapes <= MOST_FAMILIES + 1; shapes++) {
        char text[4000], *end = text + sprintf(text, "OR(");
        for (int i = 0; i < 2 * shapes; i++) { // on a1 and on b1
            const int square = 8 + i / 2 % 5 + i / 2 / 5 * 8;
            end += sprintf(end, "AND(" ON("K", "%x") ", " ON("P", "%llx") ") ", 1 + i % 2,
                           3ULL << (square + i % 2));
        }
        sprintf(end, ")");
        Module *m = module_of_text("", "", text);
        combine_alternatives(m);
        assert_int_equal(m->function[0]->body->kid_count, shapes + (shapes > MOST_FAMILIES));
        arena_free(m->arena);
    }
}

// ---- tables -----------------------------------------------------------------------------------------------

// Alternatives with the numbers 0, 1 ... in the place of the `@`.
static Module *module_of_alternatives(const char *op, const char *locals, const char *one, int count)
{
    char text[4000], *end = text + sprintf(text, "%s(", op);
    for (int i = 0; i < count; i++)
        for (const char *from = one; *from != '\0'; from++)
            end += *from == '@' ? sprintf(end, "%d", i) : sprintf(end, "%c", *from);
    sprintf(end, ")");
    return module_of_text("", locals, text);
}

static void assert_rows(const char *op, const char *locals, const char *one, int count, int rows, int columns)
{
    Module *m = module_of_alternatives(op, locals, one, count);
    roll_variants(m);
    assert_null(ir_verify(m));
    assert_int_equal(m->table_count, rows > 0);
    if (rows > 0) {
        assert_int_equal(m->table[0]->row_count, rows);
        assert_int_equal(m->table[0]->column_count, columns);
        for (int i = 0; i < rows * columns; i++)
            assert_int_equal(m->table[0]->cell[i], i / columns);
    }
    arena_free(m->arena);
}

static void alternatives_become_tables(void **state)
{
    (void)state;
    assert_rows("OR", "i", "EQ(%0, @) ", 11, 0, 0);
    assert_rows("OR", "i", "EQ(%0, @) ", 12, 12, 1);
    assert_rows("OR", "i", "EQ(ADD(%0, @), @) ", 13, 13, 2);
    assert_rows("AND", "i", "ALWAYS(EQ(%0, @)) ", 12, 12, 1);
    assert_rows("AND", "i", "EQ(%0, @) ", 12, 0, 0);
    // A local that the alternatives share, however often they read it, and others after it.
    assert_rows("OR", "ii", "EQ(ADD(ADD(ADD(ADD(ADD(ADD(%0, %0), %0), %0), %0), %0), %1), @) ", 12, 12, 1);
    assert_rows("OR", "i", "AND(LET:0(@), EQ(%0, 5)) ", 12, 12, 1);
    // Other operations, fields, calls.
    assert_rows("OR", "i", "EQ(%0, @) NE(%0, @) ", 6, 0, 0);
    assert_rows("OR", "i", "EQ(.ply(CURRENT), @) EQ(.depth(CURRENT), @) ", 6, 0, 0);
    assert_rows("OR", "is", "ANY(STEP:1,0(%1)) ANY(STEP:2,0(%1)) ", 6, 0, 0);
    assert_rows("OR", "is", "ANY(STEP:1,0(%1)) ANY(STEP:1,1(%1)) ", 6, 0, 0);
    assert_rows("OR", "is", "EACH_SQUARE:0,any(%1, EQ(%0, @)) EACH_SQUARE:0,all(%1, EQ(%0, @)) ", 6, 0, 0);
}

// A number that is another one in one alternative alone.
static void one_cell_makes_a_column(void **state)
{
    (void)state;
    enum { ROWS = 12 };
    for (int other = 0; other < ROWS; other++) {
        char text[1000], *end = text + sprintf(text, "OR(");
        for (int i = 0; i < ROWS; i++)
            end += sprintf(end, "EQ(ADD(%%0, 7), %d) ", i == other ? 3 : 5);
        sprintf(end, ")");
        Module *m = module_of_text("", "i", text);
        roll_variants(m);
        assert_int_equal(m->table_count, 1);
        assert_int_equal(m->table[0]->column_count, 1);
        for (int i = 0; i < ROWS; i++)
            assert_int_equal(m->table[0]->cell[i], i == other ? 3 : 5);
        arena_free(m->arena);
    }
}

// Tests that are the same for all rows come before the loop, unless one before them may fail.
static void tests_of_all_rows_come_first(void **state)
{
    (void)state;
    static const struct {
        const char *one, *after;
    } row[] = {
        {"AND(in_check(), EQ(%0, @)) ", "AND(in_check(), EACH_ROW:0,any(AND(EQ(%0, ROW:0,0))))"},
        {"AND(EQ(%0, @), in_check()) ", "AND(in_check(), EACH_ROW:0,any(AND(EQ(%0, ROW:0,0))))"},
        {"AND(EQ(%0, @), NE(%0, @)) ", "EACH_ROW:0,any(AND(EQ(%0, ROW:0,0), NE(%0, ROW:0,1)))"},
        {"AND(in_check(), has_legal_move()) ", "AND(in_check(), has_legal_move(), TRUE)"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Module *m = module_of_alternatives("OR", "i", row[i].one, 12);
        roll_variants(m);
        assert_null(ir_verify(m));
        assert_ir(m, m->function[0]->body, row[i].after);
        arena_free(m->arena);
    }
}

static void locals_of_tables_are_their_own(void **state)
{
    (void)state;
    // Each of twelve alternatives has a local of its own; used outside, or of another type, it stays.
    static const struct {
        const char *types, *format, *rest;
        int tables;
    } row[] = {
        {"iiiiiiiiiiii", "AND(LET:%d(%d), EQ(%%%d, 5)) ", "", 1},
        {"iiiiiiiiiiii", "AND(LET:%d(%d), EQ(%%%d, 5)) ", "EQ(%3, 7)", 0},
        {"iiiiiiiiiiii", "AND(LET:%d(%d), EQ(%%%d, 5)) ", "EQ(%0, 7)", 0},
        {"iiiixiiiiiii", "AND(LET:%d(%d), EQ(%%%d, 5)) ", "", 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[2000], *end = text + sprintf(text, "OR(");
        for (int k = 0; k < 12; k++)
            end += strstr(row[i].types, "x") && k == 4
                       ? sprintf(end, "AND(LET:4(POSITION_OF(4)), EQ(%%4, 5)) ")
                       : sprintf(end, row[i].format, k, k, k);
        sprintf(end, "%s)", row[i].rest);
        Module *m = module_of_text("", row[i].types, text);
        roll_variants(m);
        assert_null(ir_verify(m));
        assert_int_equal(m->table_count, row[i].tables);
        arena_free(m->arena);
    }
}

// ---- loops over squares -----------------------------------------------------------------------------------

#define HERE "BIT(%0)"
#define ANY_OF_1(body) "EACH_SQUARE:0,any(%1, " body ")"
#define WITH_2 "ANY(SET_AND(" HERE ", %2))"
#define WITH_3 "ANY(SET_AND(" HERE ", %3))"

static void restrict_and_fold(Module *m)
{
    restrict_loops(m);
    fold_module(m);
}

static void tests_restrict_loops(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "iss", ANY_OF_1(WITH_2), "ANY(SET_AND(%1, %2))"},
        {"", "iss", ANY_OF_1("AND(" WITH_2 ", EQ(%0, 3))"), "EACH_SQUARE:0,any(SET_AND(%1, %2), EQ(%0, 3))"},
        {"", "iss", ANY_OF_1("AND(EQ(%0, 3), " WITH_2 ")"), "EACH_SQUARE:0,any(SET_AND(%1, %2), EQ(%0, 3))"},
        {"", "iss", ANY_OF_1("NOT(" WITH_2 ")"), "ANY(SET_AND(%1, SET_NOT(%2)))"},
        {"", "iss", ANY_OF_1("PLACE:5(" WITH_2 ")"), "ANY(SET_AND(%1, %2))"},
        {"", "isss", ANY_OF_1("OR(" WITH_2 ", " WITH_3 ")"), "ANY(SET_AND(%1, SET_OR(%2, %3)))"},
        {"", "isss", ANY_OF_1("OR(" WITH_2 ", EQ(%0, 3))"), NULL},
        {"", "isss", ANY_OF_1("NOT(AND(" WITH_2 ", " WITH_3 "))"),
         "ANY(SET_AND(%1, SET_NOT(SET_AND(%2, %3))))"},
        {"", "is", ANY_OF_1("ANY(" HERE ")"), "ANY(%1)"},
        // The square is kept for what comes after, or it is not that of the loop.
        {"", "iss", "AND(" ANY_OF_1(WITH_2) ", EQ(%0, 3))", NULL},
        {"", "iss", "AND(EQ(%0, 3), " ANY_OF_1(WITH_2) ")", NULL},
        {"", "iss", ANY_OF_1("AND(" WITH_2 ", LET:0(3), EQ(%0, 3))"), NULL},
        {"", "issi", "EQ(INT_OF(" ANY_OF_1("AND(" WITH_2 ", LET:3(5), EQ(%0, 3))") "), %3)",
         "EQ(INT_OF(EACH_SQUARE:0,any(SET_AND(%1, %2), AND(LET:3(5), EQ(%0, 3)))), %3)"},
        {"", "issi", "EQ(%3, INT_OF(" ANY_OF_1("AND(" WITH_2 ", LET:3(5), EQ(%0, 3))") "))",
         "EQ(%3, INT_OF(EACH_SQUARE:0,any(SET_AND(%1, %2), AND(LET:3(5), EQ(%0, 3)))))"},
        {"", "issi", ANY_OF_1("AND(" WITH_2 ", LET:3(5), EQ(%0, 3))"),
         "AND(LET:3(5), EACH_SQUARE:0,any(SET_AND(%1, %2), EQ(%0, 3)))"},
        {"", "issi", ANY_OF_1("ANY(SET_AND(BIT(%3), %2))"), NULL},
        // The other sets do not depend on the round.
        {"", "iss", ANY_OF_1("AND(LET:2(SET_OR([P], %2)), " WITH_2 ")"), NULL},
        {"", "isi", ANY_OF_1("AND(ANY(SET_AND(" HERE ", CHOOSE(EQ(%2, 1), [P], [N]))), year:2())"), NULL},
        {"", "isi", "AND(year:2(), " ANY_OF_1("ANY(SET_AND(" HERE ", CHOOSE(EQ(%2, 1), [P], [N])))") ")",
         "AND(year:2(), ANY(SET_AND(%1, CHOOSE(EQ(%2, 1), [P], [N]))))"},
        {"", "iss", "AND(" ANY_OF_1("AND(LET:2([P]), " WITH_2 ")") ", ANY(%2))", NULL},
        {"s", "is", ANY_OF_1("ANY(SET_AND(" HERE ", $0))"), NULL},
        // What a part of the body does stays after the tests before it.
        {"i", "iss", ANY_OF_1("AND(STORE:0(1), " WITH_2 ")"), NULL},
        {"i", "iss", ANY_OF_1("AND(" WITH_2 ", STORE:0(1))"),
         "EACH_SQUARE:0,any(SET_AND(%1, %2), STORE:0(1))"},
        {"i", "isss", ANY_OF_1("AND(" WITH_2 ", STORE:0(1), " WITH_3 ")"),
         "EACH_SQUARE:0,any(SET_AND(%1, %2), AND(STORE:0(1), " WITH_3 "))"},
        // Attacks of the square and on it.
        {"", "iss", ANY_OF_1("ANY(attackers(%2, " HERE "))"), "ANY(SET_AND(%1, attacked(%2)))"},
        {"", "iss", ANY_OF_1("ANY(attackers(" HERE ", %2))"), "ANY(SET_AND(%1, attackers(%1, %2)))"},
        {"", "iss", "EACH_SQUARE:0,any(attacked(%1), ANY(attackers(" HERE ", %2)))",
         "ANY(SET_AND(attacked(%1), attackers([occupied], %2)))"},
        {"", "iss", ANY_OF_1("ANY(SET_AND(%2, attacked(" HERE ")))"), "ANY(SET_AND(%1, attackers(%1, %2)))"},
        {"", "isss", ANY_OF_1("ANY(attackers(SET_AND(" HERE ", %3), %2))"),
         "ANY(SET_AND(%1, %3, attackers(%1, %2)))"},
        {"", "isss", ANY_OF_1("ANY(attackers(SET_OR(" HERE ", %3), %2))"), NULL},
        {"", "is", ANY_OF_1("ANY(attackers(" HERE ", " HERE "))"), NULL},
        // More than a number of them.
        {"", "iss", ANY_OF_1("GT(COUNT(attackers(%2, " HERE ")), 1)"),
         "EACH_SQUARE:0,any(SET_AND(%1, attacked(%2)), GT(COUNT(attackers(%2, " HERE ")), 1))"},
        {"", "iss", ANY_OF_1("LT(1, COUNT(attackers(%2, " HERE ")))"),
         "EACH_SQUARE:0,any(SET_AND(%1, attacked(%2)), GT(COUNT(attackers(%2, " HERE ")), 1))"},
        {"", "iss", ANY_OF_1("GT(COUNT(attackers(%2, " HERE ")), 0)"),
         "EACH_SQUARE:0,any(SET_AND(%1, attacked(%2)), ANY(attackers(%2, " HERE ")))"},
        {"", "iss", ANY_OF_1("GT(COUNT(attackers(%2, " HERE ")), MOD(%0, 2))"), NULL},
        {"", "iss", ANY_OF_1("GE(COUNT(attackers(%2, " HERE ")), 2)"), NULL},
        {"", "iss", ANY_OF_1("LT(COUNT(attackers(%2, " HERE ")), 2)"), NULL},
        {"", "isss", ANY_OF_1("GT(COUNT(attackers(%2, " HERE ")), COUNT(attackers(%3, " HERE ")))"),
         "EACH_SQUARE:0,any(SET_AND(%1, attacked(%2)), GT(COUNT(attackers(%2, " HERE
         ")), COUNT(attackers(%3, " HERE "))))"},
        {"", "isss", ANY_OF_1("LT(COUNT(attackers(%2, " HERE ")), COUNT(attackers(%3, " HERE ")))"),
         "EACH_SQUARE:0,any(SET_AND(%1, attacked(%3)), LT(COUNT(attackers(%2, " HERE
         ")), COUNT(attackers(%3, " HERE "))))"},
        // Every square.
        {"", "iss", "EACH_SQUARE:0,all(%1, " WITH_2 ")", "NOT(ANY(SET_AND(%1, SET_NOT(%2))))"},
        {"", "isss", "EACH_SQUARE:0,all(%1, AND(" WITH_2 ", " WITH_3 "))",
         "NOT(ANY(SET_AND(%1, SET_NOT(SET_AND(%2, %3)))))"},
        {"", "iss", "EACH_SQUARE:0,all(%1, AND(" WITH_2 ", EQ(%0, 3)))",
         "AND(NOT(ANY(SET_AND(%1, SET_NOT(%2)))), EACH_SQUARE:0,all(%1, EQ(%0, 3)))"},
        {"i", "iss", "EACH_SQUARE:0,all(%1, AND(" WITH_2 ", STORE:0(1)))", NULL},
        {"", "iss", "EACH_SQUARE:0,all(%1, AND(" WITH_2 ", ANY(attackers(%2, " HERE "))))",
         "AND(NOT(ANY(SET_AND(%1, SET_NOT(%2)))), NOT(ANY(SET_AND(%1, SET_NOT(attacked(%2))))))"},
        // Each square.
        {"", "iss", "EACH_SQUARE:0,each(%1, " WITH_2 ")", "TRUE"},
        {"", "issi", "AND(EACH_SQUARE:0,each(%1, AND(" WITH_2 ", LET:3(%0))), EQ(%3, 5))",
         "AND(EACH_SQUARE:0,each(SET_AND(%1, %2), LET:3(%0)), EQ(%3, 5))"},
        {"", "isss", "AND(EACH_SQUARE:0,each(%1, AND(" WITH_2 ", LET:3(SET_OR(%3, " HERE ")))), ANY(%3))",
         "AND(LET:3(SET_OR(%3, SET_AND(%1, %2))), ANY(%3))"},
        {"", "issi", "AND(EACH_SQUARE:0,each(%1, ALWAYS(AND(" WITH_2 ", LET:3(ADD(%3, 2))))), EQ(%3, 5))",
         "AND(LET:3(ADD(%3, MUL(COUNT(SET_AND(%1, %2)), 2))), EQ(%3, 5))"},
        {"i", "iss", "EACH_SQUARE:0,each(%1, AND(" WITH_2 ", STORE:0(ADD($0, 1))))",
         "STORE:0(ADD($0, COUNT(SET_AND(%1, %2))))"},
        {"i", "is", "EACH_SQUARE:0,each(attacked(%1), STORE:0(ADD($0, 1)))",
         "STORE:0(ADD($0, COUNT(attacked(%1))))"},
        {"i", "is", "EACH_SQUARE:0,each(%1, STORE:0(SUB($0, 1)))", NULL},
        {"i", "is", "EACH_SQUARE:0,each(%1, STORE:0(ADD($0, %0)))", NULL},
        {"ii", "is", "EACH_SQUARE:0,each(%1, STORE:0(ADD($1, 1)))", NULL},
        {"i", "is", ANY_OF_1("STORE:0(ADD($0, 1))"), NULL},
        {"ii", "is", "EACH_SQUARE:0,each(attacked(%1), AND(STORE:0(ADD($0, 1)), STORE:1(ADD($1, 1))))",
         "AND(LET:2(attacked(%1)), STORE:0(ADD($0, COUNT(%2))), STORE:1(ADD($1, COUNT(%2))))"},
    };
    CHECK_PASS(restrict_and_fold, rows);
}

#define TEST_OF_3 "AND(LET:3(STEP:0,1(" HERE ")), EQ(COUNT(SET_AND([P], %3)), MOD(%0, 2)))"

static void locals_of_bodies_are_known(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        // Steps from the square.
        {"", "iss", ANY_OF_1("ANY(SET_AND(STEP:0,1(" HERE "), %2))"), "ANY(SET_AND(%1, STEP:0,-1(%2)))"},
        {"", "iss", ANY_OF_1("ANY(SET_AND(STEP:1,0(STEP:0,2(" HERE ")), %2))"),
         "ANY(SET_AND(%1, STEP:0,-2(STEP:-1,0(%2))))"},
        {"", "iss", ANY_OF_1("ANY(SET_AND(SET_OR(STEP:0,1(" HERE "), STEP:1,0(" HERE ")), %2))"),
         "ANY(SET_AND(%1, SET_OR(STEP:0,-1(%2), STEP:-1,0(%2))))"},
        {"", "isss", ANY_OF_1("AND(LET:3(STEP:0,1(" HERE ")), ANY(SET_AND(%3, %2)))"),
         "ANY(SET_AND(%1, STEP:0,-1(%2)))"},
        {"", "isss", ANY_OF_1("AND(LET:3(STEP:0,1(" HERE ")), EQ(%0, 3), ANY(SET_AND(%3, %2)))"),
         "EACH_SQUARE:0,any(SET_AND(%1, STEP:0,-1(%2)), EQ(%0, 3))"},
        // A test may have a local of its own.
        {"", "isss", ANY_OF_1("AND(" TEST_OF_3 ", " WITH_2 ")"),
         "EACH_SQUARE:0,any(SET_AND(%1, %2), " TEST_OF_3 ")"},
        {"", "isss", ANY_OF_1("AND(" TEST_OF_3 ", " WITH_2 ", EQ(COUNT(%3), MOD(%0, 3)))"),
         ANY_OF_1("AND(LET:3(STEP:0,1(" HERE ")), EQ(COUNT(SET_AND([P], %3)), MOD(%0, 2)), " WITH_2
                  ", EQ(COUNT(%3), MOD(%0, 3)))")},
        {"", "isss", "AND(" ANY_OF_1("AND(" TEST_OF_3 ", " WITH_2 ")") ", ANY(%3))",
         "AND(" ANY_OF_1("AND(LET:3(STEP:0,1(" HERE ")), EQ(COUNT(SET_AND([P], %3)), MOD(%0, 2)), " WITH_2
                         ")") ", ANY(%3))"},
        {"", "isss", ANY_OF_1("AND(" TEST_OF_3 ", AND(LET:3([N]), EQ(MOD(%0, 3), 1)), " WITH_2 ")"),
         ANY_OF_1("AND(LET:3(STEP:0,1(" HERE
                  ")), EQ(COUNT(SET_AND([P], %3)), MOD(%0, 2)), LET:3([N]), EQ(MOD(%0, 3), 1), " WITH_2 ")")},
        // The local is read after the loop, or before its assignment, or written twice.
        {"", "isss", "AND(" ANY_OF_1("AND(LET:3(STEP:0,1(" HERE ")), ANY(SET_AND(%3, %2)))") ", ANY(%3))",
         NULL},
        {"", "isss", ANY_OF_1("AND(ANY(%3), LET:3(STEP:0,1(" HERE ")), ANY(SET_AND(%3, %2)))"), NULL},
        {"", "isss", ANY_OF_1("AND(LET:3(STEP:0,1(" HERE ")), ANY(SET_AND(%3, %2)), LET:3([P]))"), NULL},
        // What is the same in each round comes before the loop.
        {"", "isss", ANY_OF_1("AND(LET:3(SET_OR([P], %2)), EQ(COUNT(SET_AND(%3, " HERE ")), MOD(%0, 2)))"),
         "AND(LET:3(SET_OR([P], %2)), EACH_SQUARE:0,any(%1, EQ(COUNT(SET_AND(%3, " HERE ")), MOD(%0, 2))))"},
        {"", "isss", ANY_OF_1("AND(LET:3(attacked(%2)), EQ(COUNT(SET_AND(%3, " HERE ")), MOD(%0, 2)))"),
         NULL},
        {"", "isss", "AND(" ANY_OF_1("AND(LET:3(SET_OR([P], %2)), EQ(MOD(%0, 2), 1))") ", ANY(%3))", NULL},
    };
    CHECK_PASS(restrict_and_fold, rows);
}

// Unions of few steps become sets.
static void many_steps_stay(void **state)
{
    (void)state;
    enum { MOST_STEPS = 16 };
    for (int count = MOST_STEPS; count <= MOST_STEPS + 1; count++) {
        char text[1000], *end = text + sprintf(text, "EACH_SQUARE:0,any(%%1, ANY(SET_AND(%%2, SET_OR(");
        for (int i = 0; i < count; i++)
            end += sprintf(end, "STEP:%d,%d(BIT(%%0)) ", 1 + i % 7, i / 7);
        sprintf(end, "))))");
        Module *m = module_of_text("", "iss", text);
        restrict_loops(m);
        assert_int_equal(m->function[0]->body->op == IR_EACH_SQUARE, count > MOST_STEPS);
        arena_free(m->arena);
    }
}

// ---- stages -----------------------------------------------------------------------------------------------

#define LINES(piece) "attackers([" piece "], [k])"

static void intersections_have_stages(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", "ANY(SET_AND(" LINES("R") ", " LINES("Q") "))",
         "AND(LET:0(" LINES("R") "), ANY(%0), ANY(SET_AND(%0, " LINES("Q") ")))"},
        {"", "", "ANY(SET_AND(" LINES("R") ", [P]))", NULL},
        {"", "", "ANY(" LINES("R") ")", NULL},
        {"", "", "ANY(SET_OR(" LINES("R") ", " LINES("Q") "))", NULL},
        {"", "", "ANY(SET_AND(SET_NOT(" LINES("R") "), " LINES("Q") ", [P]))",
         "AND(LET:0(SET_AND([P], " LINES("Q") ")), ANY(%0), ANY(SET_AND(%0, SET_NOT(" LINES("R") "))))"},
        {"", "", "ANY(SET_AND(" LINES("R") ", " LINES("Q") ", " LINES("B") "))",
         "AND(LET:0(" LINES("R") "), ANY(%0), LET:1(SET_AND(%0, " LINES(
             "Q") ")), ANY(%1), ANY(SET_AND(%1, " LINES("B") ")))"},
        {"", "i", "EACH_SQUARE:0,any(SET_AND(" LINES("R") ", " LINES("Q") "), EQ(%0, 1))",
         "AND(LET:1(" LINES("R") "), ANY(%1), EACH_SQUARE:0,any(SET_AND(%1, " LINES("Q") "), EQ(%0, 1)))"},
        {"", "i", "EACH_SQUARE:0,all(SET_AND(" LINES("R") ", " LINES("Q") "), EQ(%0, 1))",
         "NOT(AND(LET:1(" LINES("R") "), ANY(%1), NOT(EACH_SQUARE:0,all(SET_AND(%1, " LINES(
             "Q") "), EQ(%0, 1)))))"},
        {"", "i", "EACH_SQUARE:0,each(SET_AND(" LINES("R") ", " LINES("Q") "), EQ(%0, 1))",
         "NOT(AND(LET:1(" LINES("R") "), ANY(%1), NOT(EACH_SQUARE:0,each(SET_AND(%1, " LINES(
             "Q") "), EQ(%0, 1)))))"},
        {"", "", "EQ(CHOOSE(ANY(SET_AND(" LINES("R") ", " LINES("Q") ")), 1, 2), 1)", NULL},
        {"", "", "EQ(COUNT(SET_AND(" LINES("R") ", " LINES("Q") ")), 2)", NULL},
    };
    CHECK_PASS(stage_intersections, rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alternatives_are_combined),
        cmocka_unit_test(rounds_end),
        cmocka_unit_test(patterns_are_joined),
        cmocka_unit_test(shapes_are_joined),
        cmocka_unit_test(shapes_end),
        cmocka_unit_test(alternatives_become_tables),
        cmocka_unit_test(tests_of_all_rows_come_first),
        cmocka_unit_test(one_cell_makes_a_column),
        cmocka_unit_test(locals_of_tables_are_their_own),
        cmocka_unit_test(tests_restrict_loops),
        cmocka_unit_test(locals_of_bodies_are_known),
        cmocka_unit_test(many_steps_stay),
        cmocka_unit_test(intersections_have_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
