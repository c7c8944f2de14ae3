// Single passes of the optimiser on trees that queries seldom or never have: what a pass does, and where it must leave the tree.
#include "pass_fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void numbers_are_folded(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "i", "EQ(ADD(%0, 0), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(ADD(0, %0), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(SUB(%0, 0), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(SUB(0, %0), 3)", NULL},
        {"", "i", "EQ(MUL(%0, 1), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(MUL(1, %0), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(MUL(%0, 2), 3)", NULL},
        {"", "i", "EQ(DIV(%0, 1), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(DIV(1, %0), 3)", NULL},
        {"", "i", "EQ(MOD(%0, 1), 3)", NULL},
        {"", "i", "EQ(ADD(%0, INT_OF(TRUE)), 3)", "EQ(ADD(%0, 1), 3)"},
        {"", "i", "EQ(ADD(%0, INT_OF(FALSE)), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(INT_OF(POSITION_OF(%0)), 3)", "EQ(%0, 3)"},
        {"", "x", "EQ(POSITION_OF(INT_OF(%0)), 3)", "EQ(%0, 3)"},
        {"", "x", "EQ(POSITION_OF(INT_OF(in_check())), 3)", NULL},
        {"", "i", "EQ(CHOOSE(TRUE, %0, 2), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(CHOOSE(FALSE, 2, %0), 3)", "EQ(%0, 3)"},
        {"", "i", "EQ(CHOOSE(in_check(), %0, %0), 3)", "EQ(%0, 3)"},
        {"", "ii", "EQ(CHOOSE(in_check(), %0, %1), 3)", NULL},
    };
    CHECK_PASS(fold_module, rows);
}

static void comparisons_are_folded(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "i", "EQ(3, %0)", "EQ(%0, 3)"},
        {"", "i", "NE(3, %0)", "NE(%0, 3)"},
        {"", "i", "LT(3, %0)", "GT(%0, 3)"},
        {"", "i", "LE(3, %0)", "GE(%0, 3)"},
        {"", "i", "GT(3, %0)", "LT(%0, 3)"},
        {"", "i", "GE(3, %0)", "LE(%0, 3)"},
        {"", "i", "EQ(%0, %0)", "TRUE"},
        {"", "i", "NE(%0, %0)", "FALSE"},
        {"", "i", "LE(%0, %0)", "TRUE"},
        {"", "i", "LT(%0, %0)", "FALSE"},
        {"", "", "EQ(INT_OF(in_check()), 0)", "NOT(in_check())"},
        {"", "", "NE(INT_OF(in_check()), 0)", "in_check()"},
        {"", "", "NE(INT_OF(in_check()), 1)", NULL},
        {"", "", "GT(INT_OF(in_check()), 0)", NULL},
        {"", "s", "EQ(INT_OF(\"x\"), 0)", NULL},
        // Numbers of squares: 0 to 64.
        {"", "", "GT(COUNT([P]), 0)", "ANY([P])"},
        {"", "", "GE(COUNT([P]), 1)", "ANY([P])"},
        {"", "", "NE(COUNT([P]), 0)", "ANY([P])"},
        {"", "", "EQ(COUNT([P]), 0)", "NOT(ANY([P]))"},
        {"", "", "LE(COUNT([P]), 0)", "NOT(ANY([P]))"},
        {"", "", "LT(COUNT([P]), 1)", "NOT(ANY([P]))"},
        {"", "", "GT(COUNT([P]), 1)", NULL},
        {"", "", "EQ(COUNT([P]), 1)", NULL},
        {"", "", "GE(COUNT([P]), 0)", "TRUE"},
        {"", "", "LT(COUNT([P]), 0)", "FALSE"},
        {"", "", "NE(COUNT([P]), -1)", "TRUE"},
        {"", "", "GT(COUNT([P]), 64)", "FALSE"},
        {"", "", "GT(COUNT([P]), 63)", NULL},
        {"", "", "EQ(COUNT([P]), 65)", "FALSE"},
        {"", "", "EQ(COUNT([P]), 64)", NULL},
        {"", "", "LT(COUNT([P]), 65)", "TRUE"},
        {"", "", "LT(COUNT([P]), 64)", NULL},
        // Sets, and sets with a part of themselves.
        {"", "", "SET_EQ([P], [P])", "TRUE"},
        {"", "", "SET_EQ([P], [N])", NULL},
        {"", "", "SET_EQ([P], #0)", "NOT(ANY([P]))"},
        {"", "", "SET_EQ(#0, [P])", "NOT(ANY([P]))"},
        {"", "", "SET_EQ(#1, [P])", NULL},
        {"", "s", "SET_EQ(SET_AND(%0, [P]), %0)", "NOT(ANY(SET_AND(SET_NOT([P]), %0)))"},
        {"", "s", "SET_EQ(%0, SET_AND(%0, #7))", "NOT(ANY(SET_AND(%0, SET_NOT(#7))))"},
        {"", "sss", "SET_EQ(SET_AND(%0, %1, %2), SET_AND(%0, %1))", "NOT(ANY(SET_AND(%0, %1, SET_NOT(%2))))"},
        {"", "sss", "SET_EQ(SET_AND(%0, %1), SET_AND(%0, %2))", NULL},
        {"", "sss", "SET_EQ(SET_AND(%0, %1), %2)", NULL},
        {"", "ss", "SET_EQ(SET_AND(%0, %1), SET_AND(%1, %0))", NULL},
    };
    CHECK_PASS(fold_module, rows);
}

static void conditions_are_folded(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", "AND(TRUE, in_check(), TRUE)", "in_check()"},
        {"", "", "OR(FALSE, in_check(), FALSE)", "in_check()"},
        {"", "", "AND(in_check(), FALSE, has_legal_move())", "FALSE"},
        {"", "", "OR(in_check(), TRUE, has_legal_move())", "TRUE"},
        {"", "", "AND()", "TRUE"},
        {"", "", "OR()", "FALSE"},
        {"", "i", "AND(LET:0(1), in_check(), FALSE)", "AND(LET:0(1), FALSE)"},
        {"", "i", "OR(LET:0(1), in_check(), TRUE)", "OR(LET:0(1), TRUE)"},
        {"", "", "AND(AND(in_check(), has_legal_move()), AND(legal_position(), TRUE))",
         "AND(in_check(), has_legal_move(), legal_position())"},
        {"", "", "OR(OR(in_check(), has_legal_move()), legal_position())",
         "OR(in_check(), has_legal_move(), legal_position())"},
        {"", "", "OR(AND(in_check(), has_legal_move()), legal_position())", NULL},
        // The place of a part that is never true stays with the rest.
        {"", "", "OR(FALSE:5, FALSE)", "FALSE:5"},
        {"", "", "OR(FALSE, FALSE:5)", "FALSE"},
        {"", "i", "OR(FALSE:5, AND(LET:0(1), FALSE))", "AND(LET:0(1), FALSE:5)"},
        {"", "i", "OR(FALSE:5, AND(LET:0(1), FALSE:7))", "AND(LET:0(1), FALSE:7)"},
        {"", "", "PLACE:5(FALSE)", "FALSE:5"},
        {"", "", "PLACE:5(TRUE)", "TRUE"},
        {"", "", "PLACE:5(in_check())", NULL},
        {"", "", "NOT(NOT(in_check()))", "in_check()"},
        {"", "i", "NOT(EQ(%0, 1))", "NE(%0, 1)"},
        {"", "i", "NOT(GE(%0, 1))", "LT(%0, 1)"},
        {"", "i", "NOT(GT(%0, 1))", "LE(%0, 1)"},
        {"", "i", "NOT(AND(LET:0(1), in_check()))", "AND(LET:0(1), NOT(in_check()))"},
        {"", "i", "NOT(AND(in_check(), LET:0(1)))", NULL},
        {"", "i", "NOT(OR(in_check(), EQ(%0, 1)))", NULL},
        {"", "i", "IF(TRUE, in_check(), LET:0(1))", "in_check()"},
        {"", "i", "IF(FALSE, LET:0(1), in_check())", "in_check()"},
        {"", "", "IF(in_check(), TRUE, FALSE)", "in_check()"},
        {"", "", "IF(in_check(), FALSE, TRUE)", "NOT(in_check())"},
        {"", "", "IF(in_check(), TRUE, TRUE)", "TRUE"},
        {"", "i", "IF(LET:0(1), TRUE, TRUE)", NULL},
        {"", "", "IF(in_check(), TRUE, has_legal_move())", NULL},
        {"", "", "IF(in_check(), FALSE, has_legal_move())", NULL},
        {"", "", "IF(in_check(), has_legal_move(), TRUE)", NULL},
        {"", "", "IF(in_check(), has_legal_move(), FALSE)", NULL},
        {"", "i", "ALWAYS(LET:0(1))", "LET:0(1)"},
        {"", "", "ALWAYS(in_check())", "TRUE"},
        {"", "i", "ALWAYS(AND(LET:0(1), in_check()))", NULL},
    };
    CHECK_PASS(fold_module, rows);
}

static void loops_are_folded(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "i", "EACH_SQUARE:0,any(#0, EQ(%0, 1))", "FALSE"},
        {"", "i", "EACH_SQUARE:0,all(#0, EQ(%0, 1))", "TRUE"},
        {"", "i", "EACH_SQUARE:0,each(#0, EQ(%0, 1))", "TRUE"},
        {"", "i", "EACH_SQUARE:0,any(#1, EQ(%0, 1))", NULL},
        {"", "i", "EACH_SQUARE:0,any([P], TRUE)", "ANY([P])"},
        {"", "i", "EACH_SQUARE:0,each([P], TRUE)", NULL},
        {"", "i", "EACH_SQUARE:0,any([P], in_check())", NULL},
        {"", "x", "EACH_CHILD:0,any(CURRENT, TRUE)", "GE(INT_OF(.first_child(CURRENT)), 0)"},
        {"", "x", "EACH_CHILD:0,each(CURRENT, TRUE)", NULL},
        {"", "x", "EACH_CHILD:0,any(CURRENT, in_check())", NULL},
        {"", "xi", "AT(%0, EQ(%1, 2))", "EQ(%1, 2)"},
        {"", "x", "AT(%0, in_check())", NULL},
        {"", "x", "AT(%0, AT(CURRENT, TRUE))", "TRUE"},
        // Whether there is a move at all is found sooner than all moves: 4.
        {"", "", "ANY(legal_to([P], [N], [B], 1))", "ANY(legal_to([P], [N], [B], 5))"},
        {"", "", "ANY(legal_from([P], [N], [B], 0))", "ANY(legal_from([P], [N], [B], 4))"},
        {"", "", "ANY(legal_to([P], [N], [B], 4))", NULL},
        {"", "i", "ANY(legal_to([P], [N], [B], %0))", NULL},
        {"", "", "SET_EQ(legal_to([P], [N], [B], 1), [P])", NULL},
    };
    CHECK_PASS(fold_module, rows);
}

static void sums_are_joined(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", "EQ(ADD(COUNT([P]), COUNT([N])), 3)", "EQ(COUNT(SET_OR([P], [N])), 3)"},
        {"", "", "EQ(SUB(COUNT([P]), COUNT([N])), 3)", NULL},
        {"", "i", "EQ(SUB(SUB(%0, COUNT([P])), COUNT([N])), 3)", "EQ(SUB(%0, COUNT(SET_OR([P], [N]))), 3)"},
        {"", "i", "EQ(ADD(SUB(%0, COUNT([P])), COUNT([N])), 3)", NULL},
        {"", "i", "EQ(SUB(ADD(%0, COUNT([P])), COUNT([N])), 3)", NULL},
        {"", "i", "EQ(ADD(ADD(%0, COUNT([P])), COUNT([N])), 3)", "EQ(ADD(%0, COUNT(SET_OR([P], [N]))), 3)"},
        {"", "", "EQ(ADD(MUL(COUNT([P]), 2), MUL(2, COUNT([N]))), 3)",
         "EQ(MUL(COUNT(SET_OR([P], [N])), 2), 3)"},
        {"", "", "EQ(ADD(MUL(COUNT([P]), 2), MUL(COUNT([N]), 3)), 4)", NULL},
        {"", "", "EQ(ADD(MUL(COUNT([P]), 2), COUNT([N])), 4)", NULL},
        {"", "", "EQ(ADD(COUNT([P]), COUNT([P])), 4)", NULL},
        {"", "s", "EQ(ADD(COUNT(SET_AND([P], %0)), COUNT([N])), 4)", NULL},
        {"", "s", "EQ(ADD(COUNT([P]), COUNT(SET_AND([N], %0))), 4)", NULL},
        {"", "", "EQ(ADD(COUNT(SET_AND([P], #f)), COUNT(SET_AND([P], #f0))), 4)",
         "EQ(COUNT(SET_AND([P], #ff)), 4)"},
        {"", "", "EQ(ADD(COUNT(SET_AND([P], #f)), COUNT(SET_AND([P], #18))), 4)", NULL},
    };
    CHECK_PASS(fold_module, rows);
}

// A number of squares joins one of the sixteen terms before it.
static void long_sums_stay(void **state)
{
    (void)state;
    enum { MOST_TERMS = 16 };
    for (int between = MOST_TERMS - 1; between <= MOST_TERMS; between++) {
        Module *m = module_of_text("", "i", "TRUE");
        Ir *sum = ir_count(ir_board(m->arena, WHITE_PAWN));
        for (int i = 0; i < between; i++)
            sum = ir_add(sum, ir_local(m->function[0], 0));
        sum = fold_sum(ir_add(sum, ir_count(ir_board(m->arena, WHITE_KNIGHT))));
        assert_int_equal(sum->kid[1]->op, between < MOST_TERMS ? IR_LOCAL : IR_COUNT);
        arena_free(m->arena);
    }
}

static void cells_are_known(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"i", "", "AND(STORE:0(1), ALWAYS(EQ($0, 3)), STORE:0(0))",
         "AND(STORE:0(1), ALWAYS(EQ(1, 3)), STORE:0(0))"},
        {"i", "", "AND(ALWAYS(EQ($0, 3)), STORE:0(1), STORE:0(0))",
         "AND(ALWAYS(EQ(0, 3)), STORE:0(1), STORE:0(0))"},
        {"ii", "", "AND(EQ($1, 3), ALWAYS(EQ($1, 3)), STORE:1(1), ALWAYS(EQ($1, 3)), STORE:1(0))",
         "AND(EQ(0, 3), ALWAYS(EQ(0, 3)), STORE:1(1), ALWAYS(EQ(1, 3)), STORE:1(0))"},
        // It stays set where something in between fails, or where there is another write.
        {"i", "", "AND(STORE:0(1), EQ($0, 3), STORE:0(0))", NULL},
        {"i", "", "AND(STORE:0(1), ALWAYS(EQ($0, 3)), STORE:0(1))", NULL},
        {"i", "", "OR(AND(STORE:0(1), ALWAYS(EQ($0, 3)), STORE:0(0)), STORE:0(1))", NULL},
        {"i", "", "OR(STORE:0(1), AND(STORE:0(1), ALWAYS(EQ($0, 3)), STORE:0(0)))", NULL},
        // Only 0 and 1 are remembered.
        {"i", "", "AND(STORE:0(2), ALWAYS(EQ($0, 3)), STORE:0(0))", NULL},
        {"i", "", "AND(STORE:0(-1), ALWAYS(EQ($0, 3)), STORE:0(0))", NULL},
        {"i", "", "AND(STORE:0(.ply(CURRENT)), ALWAYS(EQ($0, 3)), STORE:0(0))", NULL},
        {"i", "", "AND(STORE:0(1), STORE:0(.ply(CURRENT)), ALWAYS(EQ($0, 3)), STORE:0(0))", NULL},
        // Another round or another operand may have written it.
        {"i", "", "AND(STORE:0(1), WHILE(EQ($0, 1), STORE:0(0)), STORE:0(0))", NULL},
        {"i", "",
         "AND(STORE:0(1), ALWAYS(OR(AND(STORE:0(0), EQ($0, 3)), EQ($0, 4))), ALWAYS(EQ($0, 5)), STORE:0(0))",
         "AND(STORE:0(1), ALWAYS(OR(AND(STORE:0(0), EQ(0, 3)), EQ($0, 4))), ALWAYS(EQ($0, 5)), STORE:0(0))"},
    };
    CHECK_PASS(use_known_cells, rows);
}

static void sets_of_one_square_are_known(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "is", "EACH_SQUARE:0,any([N], AND(LET:1(BIT(%0)), ANY(%1), EQ(COUNT(%1), 1), EQ(FIRST(%1), 5)))",
         "EACH_SQUARE:0,any([N], AND(LET:1(BIT(%0)), TRUE, EQ(1, 1), EQ(%0, 5)))"},
        {"", "iss", "EACH_SQUARE:0,any([N], AND(ANY(%1), LET:1(BIT(%0)), ANY(%2), ANY(SET_AND(%1, [P]))))",
         NULL},
        // Not what something else writes: it may be no square.
        {"", "is", "AND(LET:0(.move.from(CURRENT)), LET:1(BIT(%0)), ANY(%1))", NULL},
        {"", "is", "EACH_SQUARE:0,any([N], AND(LET:1(BIT(%0)), ANY(%1), LET:0(3)))", NULL},
        {"", "is", "EACH_SQUARE:0,any([N], AND(LET:1(BIT(%0)), ANY(%1), LET:1([P]), ANY(%1)))", NULL},
        {"", "is", "EACH_SQUARE:0,any([N], AND(LET:1([N]), ANY(%1)))", NULL},
        {"", "is", "EACH_SQUARE:0,any([N], AND(LET:1(BIT(5)), ANY(%1)))", NULL},
        {"", "is", "OR(AND(year:0(), in_check()), EACH_SQUARE:0,any([N], AND(LET:1(BIT(%0)), ANY(%1))))",
         NULL},
    };
    CHECK_PASS(use_single_squares, rows);
}

static void squares_of_pieces_are_known(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "ii",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), EQ(piece_square(CURRENT, %1), 5)))",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), EQ(%0, 5)))"},
        {"", "ii",
         "EACH_SQUARE:0,each([N], ALWAYS(AND(LET:1(piece_number(CURRENT, %0)), EQ(piece_square(CURRENT, %1), "
         "5))))",
         "EACH_SQUARE:0,each([N], ALWAYS(AND(LET:1(piece_number(CURRENT, %0)), EQ(%0, 5))))"},
        {"", "ii", "EQ(piece_square(CURRENT, %1), 5)", NULL},
        {"", "ii", "EQ(piece_square(CURRENT, %0), 5)", NULL},
        // Before the assignment, after the loop, at another position.
        {"", "ii",
         "EACH_SQUARE:0,any([N], AND(EQ(piece_square(CURRENT, %1), 5), LET:1(piece_number(CURRENT, %0))))",
         NULL},
        {"", "ii",
         "AND(EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), in_check())), "
         "EQ(piece_square(CURRENT, %1), 5))",
         NULL},
        {"", "iix",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), AT(%2, EQ(piece_square(CURRENT, %1), "
         "5))))",
         NULL},
        {"", "iix",
         "AT(%2, EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), EQ(piece_square(CURRENT, %1), "
         "5))))",
         "AT(%2, EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), EQ(%0, 5))))"},
        {"", "iix",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), AT(%2, in_check()), "
         "EQ(piece_square(CURRENT, %1), 5)))",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), AT(%2, in_check()), EQ(%0, 5)))"},
        // Empty squares have no piece.
        {"", "ii",
         "EACH_SQUARE:0,any([empty], AND(LET:1(piece_number(CURRENT, %0)), EQ(piece_square(CURRENT, %1), "
         "5)))",
         NULL},
        {"", "iis",
         "EACH_SQUARE:0,any(%2, AND(LET:1(piece_number(CURRENT, %0)), EQ(piece_square(CURRENT, %1), 5)))",
         NULL},
        // What is written twice, another piece, another loop's square.
        {"", "ii",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), LET:1(3), EQ(piece_square(CURRENT, "
         "%1), 5)))",
         NULL},
        {"", "ii",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), LET:0(3), EQ(piece_square(CURRENT, "
         "%1), 5)))",
         NULL},
        {"", "iii",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), EQ(piece_square(CURRENT, %2), 5)))",
         NULL},
        {"", "iii",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %2)), EQ(piece_square(CURRENT, %1), 5)))",
         NULL},
        {"", "iix",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(%2, %0)), EQ(piece_square(CURRENT, %1), 5)))", NULL},
        {"", "iix",
         "EACH_SQUARE:0,any([N], AND(LET:1(piece_number(CURRENT, %0)), EQ(piece_square(%2, %1), 5)))", NULL},
    };
    CHECK_PASS(use_squares_of_pieces, rows);
}

static void dead_locals_are_removed(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "i", "AND(LET:0(3), EQ(.ply(CURRENT), %0))", "EQ(.ply(CURRENT), 3)"},
        {"", "s", "AND(LET:0(#3), ANY(SET_AND([P], %0)))", "ANY(SET_AND([P], #3))"},
        {"", "t", "AND(LET:0(\"x\"), contains(%0, \"xy\"))", "contains(\"x\", \"xy\")"},
        {"", "ii", "AND(LET:0(3), LET:1(ADD(%0, 1)), EQ(.ply(CURRENT), %1))", "EQ(.ply(CURRENT), 4)"},
        {"", "x", "AND(LET:0(CURRENT), EQ(.ply(%0), 3))", NULL},
        {"", "x", "AND(LET:0(CURRENT), in_check())", "in_check()"},
        {"", "i", "AND(LET:0(log_mark()), in_check())", NULL},
        {"", "i", "AND(OR(AND(in_check(), LET:0(3)), LET:0(4)), EQ(.ply(CURRENT), %0))", NULL},
        {"", "i", "AND(year:0(), EQ(%0, 3))", NULL},
        {"", "i", "AND(LET:0(3), year:0())", NULL},
        {"", "i", "AND(LET:0(3), year:0(), EQ(.ply(CURRENT), %0))", NULL},
        {"", "i", "EACH_SQUARE:0,any([P], AND(LET:0(3), EQ(.ply(CURRENT), %0)))", NULL},
        {"", "x", "EACH_POSITION:0,any(0, 3, AND(LET:0(POSITION_OF(3)), EQ(.ply(%0), 3)))", NULL},
        {"", "x", "EACH_ANCESTOR:0,any(CURRENT, EQ(.ply(%0), 3))", NULL},
        {"", "x", "EACH_CHILD:0,any(CURRENT, EQ(.ply(%0), 3))", NULL},
    };
    CHECK_PASS(remove_dead_locals, rows);
}

static void conditions_are_known(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", "AND(in_check(), in_check())", "in_check()"},
        {"", "", "AND(in_check(), NOT(in_check()))", "FALSE"},
        {"", "", "OR(in_check(), in_check())", "in_check()"},
        {"", "", "OR(in_check(), NOT(in_check()))", "TRUE"},
        {"", "", "OR(in_check(), AND(NOT(in_check()), has_legal_move()))",
         "OR(in_check(), has_legal_move())"},
        {"", "", "AND(OR(in_check(), has_legal_move()), in_check())", NULL},
        {"", "", "AND(AND(in_check(), has_legal_move()), has_legal_move())",
         "AND(in_check(), has_legal_move())"},
        {"", "", "OR(AND(in_check(), has_legal_move()), has_legal_move())", NULL},
        {"", "", "AND(PLACE:5(in_check()), in_check())", "PLACE:5(in_check())"},
        {"", "", "AND(EQ(.ply(CURRENT), 3), NE(.ply(CURRENT), 3))", "FALSE"},
        {"", "", "AND(NE(.ply(CURRENT), 3), NE(.ply(CURRENT), 3))", "NE(.ply(CURRENT), 3)"},
        {"", "", "AND(GT(.ply(CURRENT), 3), LE(.ply(CURRENT), 3))", "FALSE"},
        {"", "", "IF(in_check(), in_check(), NOT(in_check()))", "TRUE"},
        {"", "", "IF(in_check(), has_legal_move(), in_check())", "IF(in_check(), has_legal_move(), FALSE)"},
        {"", "", "EQ(CHOOSE(in_check(), INT_OF(in_check()), 5), 3)", "EQ(CHOOSE(in_check(), 1, 5), 3)"},
        {"", "", "EQ(CHOOSE(in_check(), 5, INT_OF(in_check())), 3)", "EQ(CHOOSE(in_check(), 5, 0), 3)"},
        {"", "", "OR(IF(in_check(), has_legal_move(), FALSE), in_check())", NULL},
        // Not at another position, nor what reads a local.
        {"", "", "AND(in_check(), AT(.parent(CURRENT), in_check()))", NULL},
        {"", "", "AND(AT(.parent(CURRENT), in_check()), in_check())", NULL},
        {"", "", "AT(.parent(CURRENT), AND(in_check(), in_check()))", "AT(.parent(CURRENT), in_check())"},
        {"", "i", "AND(EQ(%0, 1), LET:0(2), EQ(%0, 1))", NULL},
        // One king of each colour.
        {"", "", "AND(in_check(), ANY([K]))", "in_check()"},
        {"", "", "AND(in_check(), NOT(ANY([k])))", "FALSE"},
        {"", "", "AND(ANY(SET_AND([K], #8)), ANY(SET_AND([K], #18)))", "ANY(SET_AND([K], #8))"},
        {"", "", "AND(ANY(SET_AND([K], #18)), ANY(SET_AND([K], #8)))", NULL},
        {"", "", "AND(ANY(SET_AND([K], #8)), ANY(SET_AND([K], #10)))", "FALSE"},
        {"", "", "AND(ANY(SET_AND([k], #8)), ANY(SET_AND([k], #10)))", "FALSE"},
        {"", "", "AND(ANY(SET_AND([K], #8)), ANY(SET_AND([k], #10)))", NULL},
        {"", "", "AND(ANY(SET_AND([k], #8)), ANY(SET_AND([K], #10)))", NULL},
        {"", "", "AND(ANY(SET_AND([Q], #8)), ANY(SET_AND([Q], #10)))", NULL},
        {"", "", "AND(ANY(SET_AND([K], #8)), OR(in_check(), has_legal_move()), ANY(SET_AND([k], #8)))", NULL},
        {"", "", "AND(ANY(SET_AND([k], #8)), OR(in_check(), has_legal_move()), ANY(SET_AND([K], #8)))", NULL},
        {"", "", "AND(ANY(SET_AND([K], #8)), OR(in_check(), has_legal_move()), ANY(SET_AND([K], #18)))",
         "AND(ANY(SET_AND([K], #8)), OR(in_check(), has_legal_move()))"},
        {"", "", "AND(ANY(SET_AND([k], #8)), OR(in_check(), has_legal_move()), ANY(SET_AND([k], #18)))",
         "AND(ANY(SET_AND([k], #8)), OR(in_check(), has_legal_move()))"},
        {"", "", "AND(OR(AND(ANY(SET_AND([k], #8)), in_check()), has_legal_move()), ANY(SET_AND([k], #18)))",
         NULL},
        {"", "", "AND(OR(AND(ANY(SET_AND([K], #8)), in_check()), has_legal_move()), ANY(SET_AND([K], #18)))",
         NULL},
        {"", "", "OR(ANY(SET_AND([K], #8)), ANY(SET_AND([K], #8)))", "ANY(SET_AND([K], #8))"},
        {"", "", "OR(ANY(SET_AND([K], #8)), ANY(SET_AND([K], #18)))", NULL},
        {"", "", "OR(AND(ANY(SET_AND([K], #8)), in_check()), ANY(SET_AND([K], #8)))", NULL},
        // The side to move.
        {"", "", "AND(EQ(SIDE, 0), EQ(SIDE, 0))", "EQ(SIDE, 0)"},
        {"", "", "AND(EQ(SIDE, 0), EQ(SIDE, 1))", "FALSE"},
        {"", "", "AND(EQ(SIDE, 1), EQ(SIDE, 0))", "FALSE"},
        {"", "", "OR(EQ(SIDE, 0), EQ(SIDE, 1))", "TRUE"},
        {"", "i", "AND(EQ(SIDE, 1), EQ(%0, SIDE))", "AND(EQ(SIDE, 1), EQ(%0, 1))"},
        {"", "i", "AND(NE(SIDE, 0), EQ(%0, SIDE))", "AND(NE(SIDE, 0), EQ(%0, 1))"},
        {"", "i", "OR(AND(EQ(SIDE, 1), in_check()), EQ(%0, SIDE))", NULL},
        {"", "i", "AND(NE(SIDE, 2), EQ(%0, SIDE))", NULL},
    };
    CHECK_PASS(use_known_conditions, rows);
}

#define LINES "attackers([R], [k]), attackers([B], [k]), attackers([Q], [k])"

static void cheap_tests_come_first(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", "AND(has_legal_move(), ANY([P]))", "AND(ANY([P]), has_legal_move())"},
        {"", "", "OR(has_legal_move(), ANY([P]))", "OR(ANY([P]), has_legal_move())"},
        {"", "", "AND(ANY([P]), ANY([N]))", NULL},
        {"", "", "AND(has_legal_move(), ANY([P]), ANY([N]))", "AND(ANY([P]), ANY([N]), has_legal_move())"},
        {"", "i", "AND(has_legal_move(), LET:0(1), ANY([P]))", NULL},
        {"", "i", "AND(has_legal_move(), LET:0(1), has_legal_move(), ANY([P]))",
         "AND(has_legal_move(), LET:0(1), ANY([P]), has_legal_move())"},
        {"", "i", "AND(has_legal_move(), EQ(DIV(5, %0), 1))", NULL},
        {"", "i", "AND(ALWAYS(has_legal_move()), ANY([P]))", NULL},
        {"", "", "IF(has_legal_move(), has_legal_move(), ANY([P]))", NULL},
        // A test that may end early costs its first operand and a quarter of the others: 2 + 400 / 4. The sets cost 98 and 103.
        {"", "", "AND(has_legal_move(), OR(ANY([P]), has_legal_move()))",
         "AND(OR(ANY([P]), has_legal_move()), has_legal_move())"},
        {"", "", "AND(OR(ANY([P]), has_legal_move()), ANY(SET_OR(" LINES ")))",
         "AND(ANY(SET_OR(" LINES ")), OR(ANY([P]), has_legal_move()))"},
        {"", "", "AND(OR(ANY([P]), has_legal_move()), ANY(SET_OR(" LINES ", [P], [N], [B], [R], [Q])))",
         NULL},
        {"", "", "AND(NOT(has_legal_move()), PLACE:5(ANY([P])))",
         "AND(PLACE:5(ANY([P])), NOT(has_legal_move()))"},
    };
    CHECK_PASS(order_tests, rows);
}

#define ATTACKED "attacked([Q])"
#define AT_COUNT(set) "POSITION_OF(COUNT(" set "))"

static void equal_calls_are_shared(void **state)
{
    (void)state;
    static const PassRow rows[] = {
        {"", "", "AND(ANY(" ATTACKED "), GT(COUNT(" ATTACKED "), 3))",
         "AND(LET:0(" ATTACKED "), AND(ANY(%0), GT(COUNT(%0), 3)))"},
        {"", "", "OR(in_check(), AND(ANY(" ATTACKED "), GT(COUNT(" ATTACKED "), 3)))",
         "AND(OR(in_check(), AND(LET:0(" ATTACKED "), ANY(%0), GT(COUNT(%0), 3))))"},
        {"", "", "ANY(" ATTACKED ")", NULL},
        {"", "", "AND(in_check(), NOT(in_check()))", NULL},
        {"", "", "OR(ANY(" ATTACKED "), GT(COUNT(" ATTACKED "), 3))",
         "AND(LET:0(" ATTACKED "), OR(ANY(%0), GT(COUNT(%0), 3)))"},
        {"", "", "IF(ANY(" ATTACKED "), GT(COUNT(" ATTACKED "), 3), in_check())",
         "AND(LET:0(" ATTACKED "), IF(ANY(%0), GT(COUNT(%0), 3), in_check()))"},
        {"", "", "IF(in_check(), ANY(" ATTACKED "), ANY(" ATTACKED "))",
         "AND(IF(in_check(), ANY(" ATTACKED "), ANY(" ATTACKED ")))"},
        {"", "", "AND(ANY(" ATTACKED "), AT(.parent(CURRENT), ANY(" ATTACKED ")))",
         "AND(AND(ANY(" ATTACKED "), AT(.parent(CURRENT), ANY(" ATTACKED "))))"},
        {"", "i", "EACH_SQUARE:0,any(" ATTACKED ", ANY(" ATTACKED "))",
         "AND(LET:1(" ATTACKED "), EACH_SQUARE:0,any(%1, ANY(%1)))"},
        {"", "i", "EACH_SQUARE:0,any([P], OR(ANY(" ATTACKED "), EQ(COUNT(" ATTACKED "), 3)))",
         "AND(EACH_SQUARE:0,any([P], OR(ANY(" ATTACKED "), EQ(COUNT(" ATTACKED "), 3))))"},
        {"", "x", "EACH_POSITION:0,any(COUNT(" ATTACKED "), COUNT(" ATTACKED "), in_check())",
         "AND(LET:1(" ATTACKED "), EACH_POSITION:0,any(COUNT(%1), COUNT(%1), in_check()))"},
        {"", "x", "EACH_POSITION:0,any(0, 3, SET_EQ(" ATTACKED ", " ATTACKED "))",
         "AND(EACH_POSITION:0,any(0, 3, SET_EQ(" ATTACKED ", " ATTACKED ")))"},
        {"", "s", "AND(ANY(attacked(%0)), GT(COUNT(attacked(%0)), 3))", NULL},
        // Only the first operand is certain.
        {"", "", "WHILE(ANY(" ATTACKED "), GT(COUNT(" ATTACKED "), 3))",
         "AND(LET:0(" ATTACKED "), WHILE(ANY(%0), GT(COUNT(%0), 3)))"},
        {"", "", "WHILE(in_check(), OR(ANY(" ATTACKED "), GT(COUNT(" ATTACKED "), 3)))",
         "AND(WHILE(in_check(), OR(ANY(" ATTACKED "), GT(COUNT(" ATTACKED "), 3))))"},
        {"", "", "OR(in_check(), SET_EQ(" ATTACKED ", " ATTACKED "))",
         "AND(OR(in_check(), SET_EQ(" ATTACKED ", " ATTACKED ")))"},
        {"", "", "EQ(CHOOSE(ANY(" ATTACKED "), COUNT(" ATTACKED "), 3), 5)",
         "AND(LET:0(" ATTACKED "), EQ(CHOOSE(ANY(%0), COUNT(%0), 3), 5))"},
        {"", "", "EQ(CHOOSE(in_check(), COUNT(" ATTACKED "), COUNT(" ATTACKED ")), 5)",
         "AND(EQ(CHOOSE(in_check(), COUNT(" ATTACKED "), COUNT(" ATTACKED ")), 5))"},
        {"", "x", "EACH_CHILD:0,any(" AT_COUNT(ATTACKED) ", EQ(" AT_COUNT(ATTACKED) ", %0))",
         "AND(LET:1(" ATTACKED "), EACH_CHILD:0,any(" AT_COUNT("%1") ", EQ(" AT_COUNT("%1") ", %0)))"},
        {"", "x", "EACH_CHILD:0,any(CURRENT, EQ(" AT_COUNT(ATTACKED) ", " AT_COUNT(ATTACKED) "))",
         "AND(EACH_CHILD:0,any(CURRENT, EQ(" AT_COUNT(ATTACKED) ", " AT_COUNT(ATTACKED) ")))"},
        {"", "x", "EACH_ANCESTOR:0,any(" AT_COUNT(ATTACKED) ", EQ(" AT_COUNT(ATTACKED) ", %0))",
         "AND(LET:1(" ATTACKED "), EACH_ANCESTOR:0,any(" AT_COUNT("%1") ", EQ(" AT_COUNT("%1") ", %0)))"},
        {"", "x", "EACH_ANCESTOR:0,any(CURRENT, EQ(" AT_COUNT(ATTACKED) ", " AT_COUNT(ATTACKED) "))",
         "AND(EACH_ANCESTOR:0,any(CURRENT, EQ(" AT_COUNT(ATTACKED) ", " AT_COUNT(ATTACKED) ")))"},
        {"", "", "AND(AT(" AT_COUNT(ATTACKED) ", in_check()), EQ(" AT_COUNT(ATTACKED) ", 3))",
         "AND(LET:0(" ATTACKED "), AND(AT(" AT_COUNT("%0") ", in_check()), EQ(" AT_COUNT("%0") ", 3)))"},
        {"", "", "AT(CURRENT, SET_EQ(" ATTACKED ", " ATTACKED "))",
         "AND(AT(CURRENT, SET_EQ(" ATTACKED ", " ATTACKED ")))"},
        // Several calls, and calls within calls.
        {"", "", "AND(SET_EQ(" ATTACKED ", attacked([R])), SET_EQ(" ATTACKED ", attacked([R])))",
         "AND(LET:0(" ATTACKED "), LET:1(attacked([R])), AND(SET_EQ(%0, %1), SET_EQ(%0, %1)))"},
        {"", "", "AND(ANY(attackers([N], " ATTACKED ")), ANY(attackers([N], " ATTACKED ")))",
         "AND(LET:0(attackers([N], " ATTACKED ")), AND(ANY(%0), ANY(%0)))"},
        {"", "", "AND(ANY(attackers([N], " ATTACKED ")), ANY(attackers([B], " ATTACKED ")))",
         "AND(LET:0(" ATTACKED "), AND(ANY(attackers([N], %0)), ANY(attackers([B], %0))))"},
    };
    CHECK_PASS(share_calls, rows);
}

// With CQLGEN_CHECK a tree that breaks the rules of the IR ends the program, else not.
static void checked_runs_end_at_broken_trees(void **state)
{
    (void)state;
    for (int checked = 0; checked < 2; checked++) {
        const pid_t child = fork();
        if (child == 0) {
            if (checked)
                setenv("CQLGEN_CHECK", "1", 1);
            else
                unsetenv("CQLGEN_CHECK");
            freopen("/dev/null", "w", stderr);
            Module *m = module_of_text("", "", "TRUE");
            m->function[0]->body = ir_int(m->arena, 5); // no condition
            optimise(m, NULL, NULL);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, checked ? SIGABRT : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_folded),
        cmocka_unit_test(comparisons_are_folded),
        cmocka_unit_test(conditions_are_folded),
        cmocka_unit_test(loops_are_folded),
        cmocka_unit_test(sums_are_joined),
        cmocka_unit_test(long_sums_stay),
        cmocka_unit_test(cells_are_known),
        cmocka_unit_test(sets_of_one_square_are_known),
        cmocka_unit_test(squares_of_pieces_are_known),
        cmocka_unit_test(dead_locals_are_removed),
        cmocka_unit_test(conditions_are_known),
        cmocka_unit_test(cheap_tests_come_first),
        cmocka_unit_test(equal_calls_are_shared),
        cmocka_unit_test(checked_runs_end_at_broken_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
