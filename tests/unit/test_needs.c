// What the positions of a game must look like (compiler/middle/screen), for bodies that queries seldom or never have.
#include "screen_fixture.h"

#include "compiler/middle/optimise/optimise.h"

#include <stdio.h>

#define KD1 "ANY(SET_AND([K], #8))"
#define RA1 "ANY(SET_AND([R], #1))"
#define KD1_BEFORE "ANY(SET_AND([K*], #8))"
#define RA1_BEFORE "ANY(SET_AND([R*], #1))"
#define BEFORE(board) "AT(.parent(CURRENT), ANY(SET_AND([" board "], #8)))"
#define HAS_PARENT "GE(.parent(CURRENT), 0)"
#define NC1 "ANY(SET_AND([N], #4))"
#define NO_QB1 "NOT(ANY(SET_AND([Q], #2)))"
#define LATE "GT(.ply(CURRENT), 3)"
#define PAWN(squares) "ANY(SET_AND([P], #" #squares "))"
// At the position in %0 and again at that in %1, which is the same one.
#define AT_BOTH "AND(LET:1(%0), AT(%0, AND(" RA1 ", AT(%1, " KD1 "))))"
// At some position of the game.
#define VISIT(condition) "EACH_POSITION:0,any(0, SUB(@0, 1), AT(%0, " condition "))"
#define VISIT_AT1(condition) "EACH_POSITION:1,any(0, SUB(@0, 1), AT(%1, " condition "))"
#define VISITS_4 VISIT(PAWN(1)) ", " VISIT(PAWN(2)) ", " VISIT(PAWN(4)) ", " VISIT(PAWN(8))
#define VISITS_7                                                                                             \
    VISIT(PAWN(10))                                                                                          \
    ", " VISIT(PAWN(20)) ", " VISIT(PAWN(40)) ", " VISIT(PAWN(80)) ", " VISIT(PAWN(100)) ", " VISIT(         \
        PAWN(200)) ", " VISIT(PAWN(400))
// The game ends here without a legal move, in one of these ways.
#define ENDS_WITH(facts)                                                                                     \
    "AND(EQ(@0, 1), NE(AND_BITS(@4, " facts "), 0))|"                                                        \
    "AND(EQ(@0, ADD(.ply(CURRENT), 1)), NE(AND_BITS(@4, " facts "), 0))|"                                    \
    "AND(EQ(@0, ADD(.ply(CURRENT), 1)), NE(AND_BITS(@4, " facts "), 0))"
#define ENDS ENDS_WITH("96")
// The line goes on.
#define GOES_ON                                                                                              \
    "NOT(AND(EQ(@0, 1), NE(AND_BITS(@4, 96), 0)))|"                                                          \
    "NOT(AND(EQ(@0, ADD(.ply(CURRENT), 1)), NE(AND_BITS(@4, 96), 0)))|"                                      \
    "NOT(AND(EQ(@0, ADD(.ply(CURRENT), 1)), NE(AND_BITS(@4, 96), 0)))"
#define FROM_FF "ANY(SET_AND(#ff, BIT(.move.from(CURRENT))))"
#define FLAGS "NE(AND_BITS(.move.flags(CURRENT), 1), 0)"
#define PLY_3 "EQ(.ply(CURRENT), 3)"
#define PLY_3_TWICE "EQ(MUL(.ply(CURRENT), 2), 6)"
// Of positions after a move.
#define AFTER(condition) "FALSE|" condition "|" condition
#define S64 "ssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss"

static void positions_are_visited(void **state)
{
    (void)state;
    static const Row rows[] = {
        // The variable of the loop is the position that is visited, whatever its number.
        {"", "x", "EACH_POSITION:0,any(0, SUB(@0, 1), AT(%0, AND(" KD1 ", EQ(.ply(%0), 3))))", NULL,
         "FALSE|AND(" KD1 ", EQ(.ply(CURRENT), 3))|AND(" KD1 ", EQ(.ply(CURRENT), 3))"},
        {"", "ix", "EACH_POSITION:1,any(0, SUB(@0, 1), AT(%1, AND(" KD1 ", EQ(.ply(%1), 3))))", NULL,
         "FALSE|AND(" KD1 ", EQ(.ply(CURRENT), 3))|AND(" KD1 ", EQ(.ply(CURRENT), 3))"},
        {"", "x", VISIT(KD1), NULL, KD1},
        // Another local that has it, if nothing but the loop gives the first one a value.
        {"", "xx", "EACH_POSITION:0,any(0, SUB(@0, 1), " AT_BOTH ")", NULL, "AND(" RA1 ", " KD1 ")"},
        {"", "xx", "AND(OR(LET:0(CURRENT), TRUE), EACH_POSITION:0,any(0, SUB(@0, 1), " AT_BOTH "))", NULL,
         RA1 ";" KD1},
        {"", "xx",
         "AND(EACH_POSITION:0,any(0, SUB(@0, 1), " AT_BOTH "), EACH_POSITION:0,any(0, SUB(@0, 1), AT(%0, " NC1
         ")))",
         NULL, RA1 ";" KD1 ";" NC1},
        {"", "xx", "EACH_ANCESTOR:0,any(CURRENT, " AT_BOTH ")", NULL, RA1 ";" KD1},
        {"", "xxx",
         "EACH_POSITION:2,any(0, SUB(@0, 1), AND(LET:1(%2), AT(%2, AND(" RA1 ", AT(%1, " KD1 ")))))", NULL,
         "AND(" RA1 ", " KD1 ")"},
        {"", "x", "EACH_POSITION:0,all(0, SUB(@0, 1), AT(%0, " KD1 "))", NULL, NULL},
        {"", "x", "EACH_POSITION:0,each(0, SUB(@0, 1), AT(%0, " KD1 "))", NULL, NULL},
        {"", "x", "EACH_ANCESTOR:0,any(CURRENT, AT(%0, " KD1 "))", NULL, KD1},
        {"", "x", "EACH_CHILD:0,any(CURRENT, AT(%0, " KD1 "))", NULL, "FALSE|" KD1 "|" KD1},
        {"", "x", "EACH_CHILD:0,any(.parent(CURRENT), AT(%0, " KD1 "))", NULL, KD1},
        {"", "x", "AND(" RA1 ", EACH_CHILD:0,any(CURRENT, AT(%0, " KD1 ")))", NULL,
         "FALSE|AND(" RA1_BEFORE ", " KD1 ")|AND(" RA1_BEFORE ", " KD1 ")"},
        {"", "x", "AND(" RA1 ", EACH_CHILD:0,all(CURRENT, AT(%0, " KD1 ")))", NULL, RA1},
        {"", "", "AT(.first_child(CURRENT), " KD1 ")", NULL, "FALSE|" KD1 "|" KD1},
        // Two moves before the last position nothing is known of a board.
        {"", "", "AND(" HAS_PARENT ", " BEFORE("K") ", AT(.first_child(CURRENT), " KD1 "))", NULL,
         AFTER("AND(GE(ADD(ADD(.ply(CURRENT), -1), -1), 0), " KD1 ")")},
        {"", "", "AND(" HAS_PARENT ", " BEFORE("empty") ", AT(.first_child(CURRENT), " KD1 "))", NULL,
         AFTER("AND(GE(ADD(ADD(.ply(CURRENT), -1), -1), 0), " KD1 ")")},
        // Before the first move there is no position before.
        {"", "", "AT(.parent(CURRENT), " KD1 ")", NULL, NULL},
        {"", "", "AND(" HAS_PARENT ", AT(.parent(CURRENT), " KD1 "))", NULL,
         "!FALSE|" KD1_BEFORE "|" KD1_BEFORE},
        {"", "", "AT(.parent(.parent(CURRENT)), " KD1 ")", NULL, KD1},
        {"", "", "AND(" RA1 ", AT(.parent(.parent(CURRENT)), " KD1 "))", NULL, RA1 ";" KD1},
        {"", "", "AND(" RA1 ", AT(.first_child(.first_child(CURRENT)), " KD1 "))", NULL, RA1 ";" KD1},
        {"", "", "AND(" RA1 ", AT(.first_child(.parent(CURRENT)), " KD1 "))", NULL, "!AND(" RA1 ", " KD1 ")"},
        {"", "i", "EACH_SQUARE:0,any(SET_AND([N], #ff), EQ(MOD(%0, 2), 1))", NULL, "ANY(SET_AND([N], #ff))"},
        {"", "i", "EACH_SQUARE:0,all(SET_AND([N], #ff), EQ(.ply(CURRENT), 3))", NULL, NULL},
    };
    CHECK(rows);
}

static void conditions_are_chosen(void **state)
{
    (void)state;
    static const Row rows[] = {
        // The heaviest first; comparisons of plies other than EQ say nothing.
        {"", "x",
         "AND(" VISIT(LATE) ", " VISIT(NO_QB1) ", " VISIT(RA1) ", " VISIT("AND(" KD1 ", " NC1 ")") ")", NULL,
         "AND(" KD1 ", " NC1 ");" RA1 ";" NO_QB1},
        {"", "x", VISIT(LATE), NULL, NULL},
        {"", "x", VISIT("NE(.ply(CURRENT), 3)"), NULL, NULL},
        {"", "x", VISIT(NO_QB1), NULL, NO_QB1},
        {"", "x", VISIT("EQ(.ply(CURRENT), 3)"), NULL, "FALSE|EQ(.ply(CURRENT), 3)|EQ(.ply(CURRENT), 3)"},
        {"", "x", "AND(" VISIT("EQ(.ply(CURRENT), 3)") ", " VISIT(RA1) ")", NULL,
         RA1 ";FALSE|EQ(.ply(CURRENT), 3)|EQ(.ply(CURRENT), 3)"},
        {"", "x", "AND(" VISIT(RA1) ", " VISIT("NOT(has_legal_move())") ")", NULL, ENDS ";" RA1},
        {"", "x", "AND(" VISIT("AND(" KD1 ", " NC1 ")") ", " VISIT("NOT(has_legal_move())") ")", NULL,
         ENDS ";AND(" KD1 ", " NC1 ")"},
        {"", "x", "AND(" VISIT("NOT(has_legal_move())") ", " VISIT("AND(" KD1 ", " NC1 ", " RA1 ")") ")",
         NULL, "AND(" KD1 ", " NC1 ", " RA1 ");" ENDS},
        // A set weighs 3, another call 4, an end without a move 8, a ply and a NOT 1.
        {"", "x", "AND(" VISIT(RA1) ", " VISIT("has_legal_move()") ")", NULL, GOES_ON ";" RA1},
        {"", "x", "AND(" VISIT("has_legal_move()") ", " VISIT("AND(" KD1 ", " NO_QB1 ", " PLY_3 ")") ")",
         NULL, AFTER("AND(" KD1 ", " NO_QB1 ", " PLY_3 ")") ";" GOES_ON},
        {"", "x", "AND(" VISIT("AND(" KD1 ", " NC1 ", " NO_QB1 ")") ", " VISIT("NOT(has_legal_move())") ")",
         NULL, ENDS ";AND(" KD1 ", " NC1 ", " NO_QB1 ")"},
        {"", "x", "AND(" VISIT(NO_QB1) ", " VISIT("AND(" PLY_3 ", " PLY_3_TWICE ")") ")", NULL,
         AFTER("AND(" PLY_3 ", " PLY_3_TWICE ")") ";" NO_QB1},
        {"", "x", "AND(" VISIT("AND(" PLY_3 ", " PLY_3_TWICE ")") ", " VISIT(RA1) ")", NULL,
         RA1 ";" AFTER("AND(" PLY_3 ", " PLY_3_TWICE ")")},
        {"", "x", "AND(" VISIT("AND(" NO_QB1 ", " LATE ")") ", " VISIT("AND(" NO_QB1 ", " PLY_3 ")") ")",
         NULL, AFTER("AND(" NO_QB1 ", " PLY_3 ")") ";" AFTER("AND(" NO_QB1 ", " LATE ")")},
        {"", "x", VISIT("AND(" HAS_PARENT ", " FROM_FF ")"), NULL, AFTER(FROM_FF)},
        {"", "x", "AND(" VISIT(NO_QB1) ", " VISIT(FLAGS) ")", NULL, AFTER(FLAGS) ";" NO_QB1},
        // An alternative is as heavy as its lightest part.
        {"", "x", VISIT("OR(" KD1 ", " LATE ")"), NULL, NULL},
        {"", "x", VISIT("OR(" LATE ", " KD1 ")"), NULL, NULL},
        {"", "x", "AND(" VISIT("OR(" KD1 ", " NO_QB1 ")") ", " VISIT(RA1) ")", NULL,
         RA1 ";OR(" KD1 ", " NO_QB1 ")"},
        {"", "x", "AND(" VISIT(NO_QB1) ", " VISIT("OR(" KD1 ", " RA1 ")") ")", NULL,
         "OR(" KD1 ", " RA1 ");" NO_QB1},
        // What follows from another one is left out.
        {"", "x", "AND(" VISIT(RA1) ", " VISIT(RA1) ")", NULL, RA1},
        {"", "x", "AND(" VISIT(RA1) ", " VISIT("AND(" KD1 ", " RA1 ")") ")", NULL, "AND(" KD1 ", " RA1 ")"},
        {"", "x", "AND(" VISIT("OR(" KD1 ", " RA1 ")") ", " VISIT(RA1) ")", NULL, RA1},
        {"", "x", "AND(" VISIT("OR(" KD1 ", " NC1 ")") ", " VISIT(RA1) ")", NULL,
         "OR(" KD1 ", " NC1 ");" RA1},
        {"", "x", "AND(" VISIT("OR(" KD1 ", " NC1 ")") ", " VISIT("AND(" RA1 ", " NC1 ")") ")", NULL,
         "AND(" RA1 ", " NC1 ")"},
        {"", "x", "AND(" VISIT("AND(" KD1 ", " NC1 ")") ", " VISIT("AND(" RA1 ", " NC1 ")") ")", NULL,
         "AND(" KD1 ", " NC1 ");AND(" RA1 ", " NC1 ")"},
        // At most four of at most twelve.
        {"", "x", "AND(" VISITS_4 ")", NULL, PAWN(1) ";" PAWN(2) ";" PAWN(4) ";" PAWN(8)},
        {"", "x", "AND(" VISITS_4 ", " VISIT(PAWN(10)) ")", NULL,
         PAWN(1) ";" PAWN(2) ";" PAWN(4) ";" PAWN(8)},
        {"", "x", "AND(" VISITS_4 ", " VISITS_7 ", " VISIT("AND(" KD1 ", " NC1 ")") ")", NULL,
         "AND(" KD1 ", " NC1 ");" PAWN(1) ";" PAWN(2) ";" PAWN(4)},
        {"", "x", "AND(" VISITS_4 ", " VISITS_7 ", " VISIT(RA1) ", " VISIT("AND(" KD1 ", " NC1 ")") ")", NULL,
         PAWN(1) ";" PAWN(2) ";" PAWN(4) ";" PAWN(8)},
    };
    CHECK(rows);
}

static void alternatives_need_one_of_two(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", "", "OR(" KD1 ", " RA1 ")", NULL, "!OR(" KD1 ", " RA1 ")"},
        {"", "x", "OR(" VISIT(KD1) ", " VISIT(RA1) ")", NULL, "OR(" KD1 ", " RA1 ")"},
        {"", "x", "OR(" VISIT(KD1) ", " VISIT(KD1) ")", NULL, KD1},
        {"", "x", "OR(" VISIT(KD1) ", EQ(MOD(.ply(CURRENT), 2), 1))", NULL, NULL},
        {"", "x", "OR(AND(" VISIT(RA1) ", " VISIT(KD1) "), AND(" VISIT(NC1) ", " VISIT(KD1) "))", NULL,
         KD1 ";OR(" RA1 ", " NC1 ")"},
        {"", "x", "OR(AND(" VISIT(NO_QB1) ", " VISIT(KD1) "), " VISIT(RA1) ")", NULL, "OR(" KD1 ", " RA1 ")"},
        {"", "x", "OR(AND(" VISIT(KD1) ", FALSE), " VISIT(RA1) ")", NULL, RA1},
        {"", "x", "OR(" VISIT(RA1) ", AND(" VISIT(KD1) ", FALSE))", NULL, RA1},
        {"", "x", "AND(" VISIT(KD1) ", FALSE)", NULL, "FALSE"},
        {"", "x", "OR(AND(" VISIT(KD1) ", FALSE), FALSE)", NULL, "FALSE"},
        {"", "x", "AND(OR(" KD1 ", " RA1 "), " VISIT(NC1) ")", NULL, "OR(" KD1 ", " RA1 ");" NC1},
        {"", "x", "OR(AND(" RA1 ", " VISIT(NC1) "), " KD1 ")", NULL, "OR(" RA1 ", " KD1 ")"},
        {"", "x", "OR(AND(" RA1 ", " VISIT(NC1) "), AND(" KD1 ", " VISIT(NC1) "))", NULL,
         "OR(" RA1 ", " KD1 ");" NC1},
        {"", "x",
         "OR(EACH_CHILD:0,any(CURRENT, AT(%0, " KD1 ")), EACH_CHILD:0,any(CURRENT, AT(%0, " RA1 ")))", NULL,
         "FALSE|OR(" KD1 ", " RA1 ")|OR(" KD1 ", " RA1 ")"},
        {"", "x", "OR(EACH_CHILD:0,any(CURRENT, AT(%0, " KD1 ")), " RA1 ")", NULL,
         RA1 "|OR(" KD1 ", " RA1 ")|OR(" KD1 ", " RA1 ")"},
        {"", "x", "IF(" VISIT(KD1) ", " VISIT(RA1) ", " VISIT(NC1) ")", NULL, "OR(" KD1 ", " NC1 ")"},
        {"", "x", "IF(" VISIT(KD1) ", FALSE, " VISIT(NC1) ")", NULL, NC1},
        {"", "x", "IF(" VISIT(KD1) ", " VISIT(RA1) ", FALSE)", NULL, KD1 ";" RA1},
        {"", "x", "IF(EQ(MOD(.ply(CURRENT), 2), 1), " VISIT(RA1) ", " VISIT(RA1) ")", NULL, RA1},
        // What the test of an IF assigns is known where it is true, not where it is false.
        {"", "sx",
         "AND(LET:0([R]), IF(AND(LET:0([K]), " VISIT_AT1(
             NC1) "), ANY(SET_AND(%0, #8)), ANY(SET_AND(%0, #8))))",
         NULL, NULL},
        {"", "sx", "IF(AND(LET:0([K]), " VISIT_AT1(NC1) "), ANY(SET_AND(%0, #8)), FALSE)", NULL, KD1 ";" NC1},
    };
    CHECK(rows);
}

static void writes_are_needed(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), EQ(%0, 1))", NULL, KD1},
        {"i", "", "AND(STORE:0(0), ALWAYS(AND(" KD1 ", STORE:0(1))), EQ($0, 1))", NULL, KD1},
        {"", "ii", "AND(LET:1(0), ALWAYS(AND(" KD1 ", LET:1(1))), EQ(%1, 1))", NULL, KD1},
        {"ii", "", "AND(STORE:1(0), ALWAYS(AND(" KD1 ", STORE:1(1))), EQ($1, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), PLACE:5(EQ(%0, 1)))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(.ply(CURRENT)))), EQ(%0, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), GE(%0, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), NE(%0, 0))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(-1))), LT(%0, 0))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(-1))), LE(%0, -1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), EQ(DIV(%0, 1), 1))", NULL, NULL},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), OR(EQ(%0, 1), FALSE))", NULL, NULL},
        // The comparison is true without a write, or it is none with a constant.
        {"", "i", "AND(LET:0(1), ALWAYS(AND(" KD1 ", LET:0(2))), GE(%0, 1))", NULL, NULL},
        {"", "i", "AND(LET:0(1), ALWAYS(AND(" KD1 ", LET:0(2))), GT(%0, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), GT(%0, MOD(.ply(CURRENT), 2)))", NULL, NULL},
        {"", "i", "AND(LET:0(.ply(CURRENT)), ALWAYS(AND(" KD1 ", LET:0(1))), EQ(%0, 1))", NULL, NULL},
        {"", "i", "AND(ALWAYS(AND(" KD1 ", LET:0(1))), EQ(%0, 1))", NULL, NULL},
        // A write for which the comparison is false is not enough.
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(0))), EQ(%0, 1))", NULL, "FALSE"},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(2))), EQ(%0, 1))", NULL, "FALSE"},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(2))), ALWAYS(AND(" RA1 ", LET:0(1))), EQ(%0, 1))",
         NULL, RA1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), ALWAYS(AND(" RA1 ", LET:0(1))), EQ(%0, 1))",
         NULL, "OR(" KD1 ", " RA1 ")"},
        // The last assignment before the comparison counts.
        {"", "i",
         "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), LET:0(0), ALWAYS(AND(" RA1 ", LET:0(1))), EQ(%0, 1))",
         NULL, RA1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", LET:0(1))), LET:0(1), EQ(%0, 1))", NULL, NULL},
        {"", "i", "AND(LET:0(0), EQ(%0, 1), ALWAYS(AND(" KD1 ", LET:0(1))))", NULL, "FALSE"},
        // Where the write is.
        {"", "i", "AND(LET:0(0), ALWAYS(OR(AND(" KD1 ", LET:0(1)), AND(" RA1 ", LET:0(1)))), EQ(%0, 1))",
         NULL, "OR(" KD1 ", " RA1 ")"},
        {"", "i", "AND(LET:0(0), ALWAYS(OR(" KD1 ", LET:0(1))), EQ(%0, 1))", NULL, NULL},
        {"", "i", "AND(LET:0(0), ALWAYS(NOT(AND(" KD1 ", LET:0(1)))), EQ(%0, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(LET:0(1), " KD1 ")), EQ(%0, 1))", NULL, NULL},
        {"", "i", "AND(LET:0(0), ALWAYS(IF(" KD1 ", LET:0(1), TRUE)), EQ(%0, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), ALWAYS(IF(" KD1 ", TRUE, LET:0(1))), EQ(%0, 1))", NULL, NULL},
        {"", "i",
         "AND(LET:0(0), ALWAYS(IF(" KD1 ", AND(" RA1 ", LET:0(1)), AND(" NC1 ", LET:0(1)))), EQ(%0, 1))",
         NULL, "OR(AND(" KD1 ", " RA1 "), " NC1 ")"},
        {"", "i", "AND(LET:0(0), ALWAYS(IF(AND(" KD1 ", LET:0(1)), TRUE, FALSE)), EQ(%0, 1))", NULL, KD1},
        {"", "ix",
         "AND(LET:0(0), EACH_POSITION:1,each(0, SUB(@0, 1), AT(%1, AND(" KD1 ", LET:0(1)))), EQ(%0, 1))",
         NULL, KD1},
        {"", "ix", "AND(LET:0(0), EACH_CHILD:1,each(CURRENT, AT(%1, AND(" KD1 ", LET:0(1)))), EQ(%0, 1))",
         NULL, "FALSE|" KD1 "|" KD1},
        {"", "ii", "AND(LET:0(0), EACH_SQUARE:1,each([N], AND(" KD1 ", LET:0(1))), EQ(%0, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), WHILE(" RA1 ", AND(" KD1 ", LET:0(1))), EQ(%0, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), WHILE(AND(" KD1 ", LET:0(1)), TRUE), EQ(%0, 1))", NULL, NULL},
        {"", "i", "AND(LET:0(0), ALWAYS(AND(" KD1 ", year:0())), EQ(%0, 1))", NULL, KD1},
        {"", "i", "AND(LET:0(0), year:0(), EQ(%0, 1))", NULL, NULL},
        {"i", "", "AND(STORE:0(0), ALWAYS(INVOKE:1()), EQ($0, 1))", "AND(" KD1 ", STORE:0(1))", KD1},
        {"i", "", "AND(STORE:0(0), ALWAYS(AND(" RA1 ", INVOKE:1())), EQ($0, 1))", KD1, "FALSE"},
        {"", "i", "AND(LET:0(0), ALWAYS(INVOKE:1()), EQ(%0, 1))", "AND(" KD1 ", LET:0(1))", "FALSE"},
    };
    CHECK(rows);
}

static void functions_are_entered(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", "", "INVOKE:1()", KD1, KD1},
        {"", "", "AND(" RA1 ", INVOKE:1())", KD1, "AND(" RA1 ", " KD1 ")"},
        {"", "", "AND(" HAS_PARENT ", AT(.parent(CURRENT), INVOKE:1()))", KD1,
         "FALSE|" KD1_BEFORE "|" KD1_BEFORE},
        {"s", "", "AND(STORE:0([K]), INVOKE:1())", "ANY(SET_AND($0, #8))", KD1},
        {"", "", "AND(INVOKE:1(), INVOKE:1())", KD1, KD1},
        {"i", "", "AND(STORE:0(0), ALWAYS(INVOKE:1()), ALWAYS(INVOKE:1()), EQ($0, 1))",
         "AND(" KD1 ", STORE:0(1))", KD1},
        {"i", "x", "AND(STORE:0(0), ALWAYS(INVOKE:1()), EQ($0, 1))",
         "OR(EACH_CHILD:0,any(CURRENT, AT(%0, INVOKE:1())), AND(" KD1 ", STORE:0(1)))", KD1},
        {"ii", "x", "AND(STORE:0(0), ALWAYS(INVOKE:1()), ALWAYS(AND(" RA1 ", STORE:0(1))), EQ($0, 1))",
         "OR(EACH_CHILD:0,any(CURRENT, AT(%0, INVOKE:1())), AND(" KD1 ", STORE:1(1)))", RA1},
        // What a function may write is not known afterwards.
        {"s", "", "AND(STORE:0([K]), INVOKE:1(), ANY(SET_AND($0, #8)))", "STORE:0([R])", NULL},
        {"ss", "", "AND(STORE:0([K]), STORE:1([R]), ALWAYS(INVOKE:1()), ANY(SET_AND($0, #8)))",
         "STORE:1([N])", NULL},
        {"", "s", "AND(LET:0([K]), INVOKE:1(), ANY(SET_AND(%0, #8)))", "LET:0([R])", KD1},
        // The first call of a function that calls itself finds what it needs.
        {"", "x", "INVOKE:1()", "OR(" KD1 ", EACH_CHILD:0,any(CURRENT, AT(%0, INVOKE:1())))", KD1},
        {"", "x", "INVOKE:1()", "AND(" RA1 ", OR(" KD1 ", EACH_CHILD:0,any(CURRENT, AT(%0, INVOKE:1()))))",
         RA1 ";" KD1},
        {"", "x", "INVOKE:1()", "EACH_CHILD:0,any(CURRENT, AT(%0, INVOKE:1()))", NULL},
    };
    CHECK(rows);
}

// What needs an earlier success of the same kind is left out: one of them was the first.
static void first_successes_count(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), EQ(%0, 5), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), EQ(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, "OR(" RA1 ", " KD1 ")"},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), GE(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, "OR(" RA1 ", " KD1 ")"},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), GT(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"ii", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($1), EQ(%0, 5), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, "OR(" RA1 ", " KD1 ")"},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), GE(%0, 5), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), NE(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), LT(%0, 0), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), LE(%0, -1), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"i", "i",
         "AND(STORE:0(0), ALWAYS(AND(" RA1 ", STORE:0(5))), ALWAYS(AND(LET:0($0), PLACE:5(EQ(%0, 5)), " KD1
         ", STORE:0(7))), GT($0, 4))",
         NULL, RA1},
        {"", "x", "OR(memo_find:0(1, 1), " KD1 ")", NULL, KD1},
        {"", "x", "OR(" KD1 ", memo_find:0(1, 1))", NULL, KD1},
        {"", "x", "OR(AND(" RA1 ", memo_find:0(1, 1)), " KD1 ")", NULL, KD1},
        {"", "x", "AND(" RA1 ", memo_find:0(1, 1))", NULL, NULL},
        {"", "x", "OR(AND(" RA1 ", memo_find:0(1, 1)), memo_find:0(1, 1))", NULL, NULL},
        {"", "x", "OR(AND(FALSE, memo_find:0(1, 1)), " KD1 ")", NULL, KD1},
        {"", "x", "AND(OR(AND(FALSE, memo_find:0(1, 1)), FALSE), " KD1 ")", NULL, "FALSE"},
        {"", "x", "OR(AND(" RA1 ", memo_visit(1, 1)), " KD1 ")", NULL, "OR(" RA1 ", " KD1 ")"},
    };
    CHECK(rows);
}

static void effects_outside_count(void **state)
{
    (void)state;
    // What comes after is no reason to leave the game out, because something has been seen then.
    static const char *const seen[] = {
        "message(\"x\", 0)",
        "write_file(\"x\", \"y\")",
        "contains(read_file(\"x\"), \"y\")",
        "command_pipe:1(\"x\", \"y\")",
        "raise(1, \"x\")",
        "EQ(pattern(\"x\"), 1)",
        "group:1(1)",
        "group_offset:0(1)",
        "EQ(group_number(\"x\"), 1)",
        "ANY(direction([P], 1, 1, 7))",
        "RAISE:1,-1",
    };
    static const char *const unseen[] = {
        "ALWAYS(regex:1(0, \"x\"))",
        "log_add(CURRENT, \"x\")",
        "sort_int(0, 0, 1, 2)",
        "set_tag(\"x\", \"y\")",
    };
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        char body[400];
        snprintf(body, sizeof body, "AND(%s, %s, %s)", RA1, seen[i], KD1);
        const Row row = {"", "itx", body, NULL, RA1};
        check_rows(&row, 1);
        snprintf(body, sizeof body, "AND(%s, OR(AND(%s, FALSE), %s))", RA1, seen[i], KD1);
        check_rows(&row, 1);
    }
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        char body[400];
        snprintf(body, sizeof body, "AND(%s, %s, %s)", RA1, unseen[i], KD1);
        const Row row = {"", "itx", body, NULL, "AND(" RA1 ", " KD1 ")"};
        check_rows(&row, 1);
    }
    static const Row rows[] = {
        {"", "", "AND(" RA1 ", INVOKE:1(), " KD1 ")", "message(\"x\", 0)", RA1},
        {"", "", "AND(" RA1 ", INVOKE:1(), " KD1 ")", "TRUE", "AND(" RA1 ", " KD1 ")"},
        {"", "", "AND(message(\"x\", 0), " KD1 ")", NULL, NULL},
        {"", "", "OR(" KD1 ", message(\"x\", 0))", NULL, NULL},
        {"", "", "PLACE:5(AND(" RA1 ", message(\"x\", 0), " KD1 "))", NULL, RA1},
    };
    CHECK(rows);
}

static void values_are_known(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"", "s", "AND(LET:0([K]), ANY(SET_AND(%0, #8)))", NULL, "!" KD1},
        {"s", "", "AND(STORE:0([K]), ANY(SET_AND($0, #8)))", NULL, "!" KD1},
        {"", "s", "ANY(SET_AND(%0, #8))", NULL, NULL},
        {"s", "", "ANY(SET_AND($0, #8))", NULL, NULL},
        {"", "s", "AND(LET:0([R]), LET:0([K]), ANY(SET_AND(%0, #8)))", NULL, "!" KD1},
        {"", "s", "AND(OR(LET:0([K]), TRUE), ANY(SET_AND(%0, #8)))", NULL, NULL},
        {"", "s", "AND(LET:0([K]), AT(.parent(CURRENT), ANY(SET_AND(%0, #8))))", NULL, "!" KD1},
        {"", "x", "AND(LET:0(CURRENT), AT(.parent(CURRENT), AT(%0, " KD1 ")))", NULL, "!" KD1},
        {"", "x", "AND(" HAS_PARENT ", LET:0(.parent(CURRENT)), AT(%0, " KD1 "))", NULL,
         "!FALSE|" KD1_BEFORE "|" KD1_BEFORE},
        // Many locals: 8 and 64 of them share a part of what is known.
        {"", S64 S64,
         "AND(LET:0([K]), LET:8([R]), LET:127([N]), ANY(SET_AND(%0, #8)), ANY(SET_AND(%8, #1)), "
         "ANY(SET_AND(%127, #4)))",
         NULL, "!AND(" KD1 ", " RA1 ", " NC1 ")"},
        {"", S64 S64, "AND(LET:1([K]), LET:65([R]), OR(LET:65([N]), TRUE), ANY(SET_AND(%1, #8)))", NULL,
         "!" KD1},
        {"", S64 S64, "AND(LET:1([K]), LET:65([R]), OR(LET:1([N]), TRUE), ANY(SET_AND(%65, #1)))", NULL,
         "!" RA1},
        {"", S64 S64, "AND(LET:65([K]), OR(LET:65([N]), TRUE), ANY(SET_AND(%65, #8)))", NULL, NULL},
        // The same at the next position.
        {"", S64 S64, "AND(LET:9(#8), AT(.first_child(CURRENT), ANY(SET_AND([K], %9))))", NULL,
         "FALSE|" KD1 "|" KD1},
        {"", S64 S64, "AND(LET:70(#8), AT(.first_child(CURRENT), ANY(SET_AND([K], %70))))", NULL,
         "FALSE|" KD1 "|" KD1},
        {"", S64 S64,
         "AND(LET:9(#8), AT(.first_child(CURRENT), AND(dict_get_set:9(0), ANY(SET_AND([K], %9)))))", NULL,
         NULL},
        {"", S64 S64,
         "AND(LET:70(#8), AT(.first_child(CURRENT), AND(dict_get_set:70(0), ANY(SET_AND([K], %70)))))", NULL,
         NULL},
        {"", S64 S64,
         "AND(LET:9(#8), AT(.first_child(CURRENT), AND(dict_get_set:8(0), ANY(SET_AND([K], %9)))))", NULL,
         "FALSE|" KD1 "|" KD1},
        {"", S64 S64,
         "AND(LET:9(#8), AT(.first_child(CURRENT), AND(OR(LET:9(#1), TRUE), ANY(SET_AND([K], %9)))))", NULL,
         NULL},
        {"", S64 S64,
         "AND(LET:70(#8), AT(.first_child(CURRENT), AND(OR(LET:70(#1), TRUE), ANY(SET_AND([K], %70)))))",
         NULL, NULL},
        {"", "s", "AND(LET:0([R]), AT(.first_child(CURRENT), ANY(SET_AND(%0, #1))))", NULL,
         "FALSE|" RA1_BEFORE "|" RA1_BEFORE},
        {"", "x", "AND(LET:0(CURRENT), AT(.first_child(CURRENT), AT(%0, " RA1 ")))", NULL,
         "FALSE|" RA1_BEFORE "|" RA1_BEFORE},
        {"", S64 "s", "AND(LET:64([K]), ANY(SET_AND(%64, #8)))", NULL, "!" KD1},
        {"", S64 "s", "AND(LET:0([K]), LET:64([R]), ANY(SET_AND(%0, #8)))", NULL, "!" KD1},
        {"", "ssssssss", "AND(LET:0([R]), LET:7([K]), ANY(SET_AND(%7, #8)))", NULL, "!" KD1},
        {"", "sssssssss", "AND(LET:0([R]), LET:8([K]), ANY(SET_AND(%8, #8)))", NULL, "!" KD1},
    };
    CHECK(rows);
}

static void lines_are_known(void **state)
{
    (void)state;
    static const Row rows[] = {
        // In a main line.
        {"", "", "EQ(.depth(CURRENT), 0)", NULL, "!TRUE"},
        {"", "", "EQ(.index(CURRENT), 0)", NULL, "!TRUE"},
        {"", "", "EQ(.next_sibling(CURRENT), -1)", NULL, "!TRUE"},
        {"", "", "EQ(.last(CURRENT), 3)", NULL, "!EQ(ADD(@0, -1), 3)"},
        {"", "", "EQ(.ply(.last(CURRENT)), 3)", NULL, "!EQ(ADD(@0, -1), 3)"},
        {"", "", "EQ(.last(.last(CURRENT)), 3)", NULL, "!EQ(ADD(@0, -1), 3)"},
        {"", "", "EQ(.last(.parent(.parent(CURRENT))), 3)", NULL, "!EQ(ADD(@0, -1), 3)"},
        {"", "", "EQ(.ply(CURRENT), 3)", NULL, "!FALSE|EQ(.ply(CURRENT), 3)|EQ(.ply(CURRENT), 3)"},
        {"", "", "EQ(CURRENT, 3)", NULL, "!FALSE|EQ(.ply(CURRENT), 3)|EQ(.ply(CURRENT), 3)"},
        {"", "", "EQ(.ply(.parent(CURRENT)), 3)", NULL,
         "!FALSE|EQ(ADD(.ply(CURRENT), -1), 3)|EQ(ADD(.ply(CURRENT), -1), 3)"},
        {"", "", "EQ(.parent(CURRENT), 3)", NULL,
         "!FALSE|EQ(ADD(.ply(CURRENT), -1), 3)|EQ(ADD(.ply(CURRENT), -1), 3)"},
        {"", "", "EQ(.parent(.parent(CURRENT)), 3)", NULL,
         "!FALSE|EQ(ADD(.ply(CURRENT), -2), 3)|EQ(ADD(.ply(CURRENT), -2), 3)"},
        {"", "", "GE(.first_child(CURRENT), 0)", NULL,
         "!GT(@0, 1)|LT(ADD(.ply(CURRENT), 1), @0)|LT(ADD(.ply(CURRENT), 1), @0)"},
        {"", "", "LT(.first_child(CURRENT), 0)", NULL,
         "!EQ(@0, 1)|EQ(@0, ADD(.ply(CURRENT), 1))|EQ(@0, ADD(.ply(CURRENT), 1))"},
        {"", "", "GE(.first_child(.parent(CURRENT)), 0)", NULL, "!TRUE"},
        {"", "", "LT(.first_child(.parent(CURRENT)), 0)", NULL, "!FALSE"},
        {"", "", "EQ(.first_child(.parent(CURRENT)), 3)", NULL, "!" AFTER(PLY_3)},
        {"", "", "EQ(.first_child(CURRENT), 3)", NULL,
         "!EQ(CHOOSE(GT(@0, 1), 1, -1), 3)|EQ(CHOOSE(LT(ADD(.ply(CURRENT), 1), @0), ADD(.ply(CURRENT), 1), "
         "-1), 3)|EQ(CHOOSE(LT(ADD(.ply(CURRENT), 1), @0), ADD(.ply(CURRENT), 1), -1), 3)"},
        {"", "", "EQ(SIDE, 0)", NULL, "!TRUE|FALSE|TRUE"},
        {"", "", "AT(.parent(CURRENT), EQ(SIDE, 0))", NULL, "!FALSE|TRUE|FALSE"},
        {"", "", "EQ(lca(CURRENT, .parent(CURRENT)), 3)", NULL,
         "!FALSE|EQ(CHOOSE(LT(.ply(CURRENT), ADD(.ply(CURRENT), -1)), .ply(CURRENT), ADD(.ply(CURRENT), "
         "-1)), 3)|"
         "EQ(CHOOSE(LT(.ply(CURRENT), ADD(.ply(CURRENT), -1)), .ply(CURRENT), ADD(.ply(CURRENT), -1)), 3)"},
        // Plies: 1 to 65534 after a move.
        {"", "", "GE(.ply(CURRENT), 1)", NULL, "!FALSE|TRUE|TRUE"},
        {"", "", "LT(.ply(CURRENT), 1)", NULL, "!TRUE|FALSE|FALSE"},
        {"", "", "LT(.ply(CURRENT), 2)", NULL, "!TRUE|LT(.ply(CURRENT), 2)|LT(.ply(CURRENT), 2)"},
        {"", "", "GT(.ply(CURRENT), 65533)", NULL,
         "!FALSE|GT(.ply(CURRENT), 65533)|GT(.ply(CURRENT), 65533)"},
        {"", "", "GT(.ply(CURRENT), 65534)", NULL, "!FALSE"},
        {"", "", "EQ(.ply(CURRENT), 0)", NULL, "!TRUE|FALSE|FALSE"},
        {"", "", "NE(.ply(CURRENT), 0)", NULL, "!FALSE|TRUE|TRUE"},
        {"", "", "EQ(.ply(CURRENT), 1)", NULL, "!FALSE|EQ(.ply(CURRENT), 1)|EQ(.ply(CURRENT), 1)"},
        {"", "", "EQ(ADD(.ply(CURRENT), 1), 1)", NULL, "!TRUE|FALSE|FALSE"},
        {"", "", "EQ(ADD(.ply(CURRENT), 1), 2)", NULL,
         "!FALSE|EQ(ADD(.ply(CURRENT), 1), 2)|EQ(ADD(.ply(CURRENT), 1), 2)"},
        {"", "", "LT(.ply(CURRENT), @0)", NULL, "!GT(@0, 0)|TRUE|TRUE"},
        {"", "", "GE(.ply(CURRENT), @0)", NULL, "!LE(@0, 0)|FALSE|FALSE"},
        {"", "", "LE(.ply(CURRENT), @0)", NULL, "!GE(@0, 0)|LE(.ply(CURRENT), @0)|LE(.ply(CURRENT), @0)"},
        {"", "", "LT(ADD(.ply(CURRENT), 1), @0)", NULL,
         "!GT(@0, 1)|LT(ADD(.ply(CURRENT), 1), @0)|LT(ADD(.ply(CURRENT), 1), @0)"},
        // Numbers do not wrap: they are below 2147483647. A ply is at most 65536, a number of squares 64.
        {"", "", "EQ(MUL(.ply(CURRENT), 32767), 3)", NULL,
         "!FALSE|EQ(MUL(.ply(CURRENT), 32767), 3)|EQ(MUL(.ply(CURRENT), 32767), 3)"},
        {"", "", "EQ(MUL(.ply(CURRENT), 32768), 3)", NULL, NULL},
        {"", "", "EQ(MUL(.ply(CURRENT), -32768), 3)", NULL, NULL},
        {"", "", "EQ(ADD(MUL(COUNT([P]), 33554431), 62), 3)", NULL,
         "!EQ(ADD(MUL(COUNT([P]), 33554431), 62), 3)"},
        {"", "", "EQ(ADD(MUL(COUNT([P]), 33554431), 63), 3)", NULL, NULL},
        {"", "", "EQ(SUB(MUL(COUNT([P]), 33554431), 62), 3)", NULL,
         "!EQ(SUB(MUL(COUNT([P]), 33554431), 62), 3)"},
        {"", "", "EQ(SUB(MUL(COUNT([P]), 33554431), 63), 3)", NULL, NULL},
        {"", "", "EQ(MUL(COUNT([P]), 33554432), 3)", NULL, NULL},
        {"", "", "EQ(MUL(CHOOSE(" KD1 ", 65536, COUNT([P])), 32767), 3)", NULL,
         "!EQ(MUL(CHOOSE(" KD1 ", 65536, COUNT([P])), 32767), 3)"},
        {"", "", "EQ(MUL(CHOOSE(" KD1 ", 65536, COUNT([P])), 32768), 3)", NULL, NULL},
        {"", "", "EQ(MUL(CHOOSE(" KD1 ", COUNT([P]), 65536), 32768), 3)", NULL, NULL},
        {"", "", "EQ(SHIFT_RIGHT:1(COUNT([P])), 3)", NULL, "!EQ(SHIFT_RIGHT:1(COUNT([P])), 3)"},
        {"", "", "EQ(SHIFT_RIGHT:1(SUB(COUNT([P]), 1)), 3)", NULL, NULL},
        {"", "", "EQ(SHIFT_RIGHT:1(ADD(COUNT([P]), -1)), 3)", NULL, NULL},
        {"", "", "EQ(MOD(.ply(CURRENT), 2), 1)", NULL, NULL},
        {"", "", "AND(" KD1 ", EQ(MOD(.ply(CURRENT), 2), 1))", NULL, KD1},
    };
    CHECK(rows);
}

// The pieces on these squares before the move that led here, and the square from which a piece has moved.
#define MOVED(pieces, and_more)                                                                              \
    "AND(" HAS_PARENT ", AT(.parent(CURRENT), LET:0(" pieces                                                 \
    ")), ANY(SET_AND(%0, BIT(.move.from(CURRENT))" and_more ")))"
#define FLAG(flags) "NE(AND_BITS(.move.flags(CURRENT), " flags "), 0)"
#define FACT(facts) "NE(AND_BITS(@4, " facts "), 0)"
#define PROMOTED(kinds) "ANY(SET_AND(#" kinds ", BIT(.move.promoted(CURRENT))))"
#define PIECE(kinds) "ANY(SET_AND(#" kinds ", BIT(.move.piece(CURRENT))))"

static void moves_are_known(void **state)
{
    (void)state;
    static const Row rows[] = {
        // Of the side that has moved: P 1, N 2 ... K 6, p 7 ... k 12.
        {"", "s", MOVED("[P]", ""), NULL, "!FALSE|" PIECE("2") "|FALSE"},
        {"", "s", MOVED("[p]", ""), NULL, "!FALSE|FALSE|" PIECE("80")},
        {"", "s", MOVED("SET_OR([P], [N], [n])", ""), NULL, "!FALSE|" PIECE("6") "|" PIECE("100")},
        {"", "s", MOVED("[white]", ""), NULL, "!FALSE|TRUE|FALSE"},
        {"", "s", MOVED("[black]", ""), NULL, "!FALSE|FALSE|TRUE"},
        {"", "s", MOVED("[occupied]", ""), NULL, "!FALSE|TRUE|TRUE"},
        {"", "s", MOVED("[empty]", ""), NULL, "!FALSE"},
        {"", "s", MOVED("SET_OR([P], #ff)", ""), NULL,
         "!" AFTER("ANY(SET_AND(SET_OR(#ff, [P*]), BIT(.move.from(CURRENT))))")},
        {"", "s", MOVED("SET_OR(STEP:0,1([P]), [N])", ""), NULL,
         "!" AFTER("ANY(SET_AND(SET_OR(STEP:0,1([P*]), [N*]), BIT(.move.from(CURRENT))))")},
        {"", "s", MOVED("[P]", ", #ff"), NULL, "!FALSE|AND(" PIECE("2") ", " FROM_FF ")|FALSE"},
        {"", "s", MOVED("[white]", ", #ff"), NULL, "!FALSE|" FROM_FF "|FALSE"},
        // Castling and en passant leave facts of the game: 8, 16, 4 leave 0x500, 0xa00, 0x4000.
        {"", "", FLAG("8"), NULL, "!" AFTER("AND(" FLAG("8") ", " FACT("1280") ")")},
        {"", "", FLAG("16"), NULL, "!" AFTER("AND(" FLAG("16") ", " FACT("2560") ")")},
        {"", "", FLAG("4"), NULL, "!" AFTER("AND(" FLAG("4") ", " FACT("16384") ")")},
        {"", "", FLAG("24"), NULL, "!" AFTER("AND(" FLAG("24") ", " FACT("3840") ")")},
        {"", "", FLAG("28"), NULL, "!" AFTER("AND(" FLAG("28") ", " FACT("20224") ")")},
        {"", "", FLAG("9"), NULL, "!" AFTER(FLAG("9"))},
        {"", "", "OR(" FLAG("8") ", " FLAG("4") ")", NULL,
         "!" AFTER("AND(OR(" FLAG("8") ", " FLAG("4") "), " FACT("17664") ")")},
        {"", "", "OR(" FLAG("8") ", " FLAG("2") ")", NULL, "!" AFTER("OR(" FLAG("8") ", " FLAG("2") ")")},
        {"", "", "OR(" FLAG("2") ", " FLAG("8") ")", NULL, "!" AFTER("OR(" FLAG("2") ", " FLAG("8") ")")},
        {"", "", "AND(" KD1 ", " FLAG("8") ")", NULL,
         "!" AFTER("AND(" KD1 ", " FLAG("8") ", " FACT("1280") ")")},
        {"", "", "NE(AND_BITS(.move.flags(CURRENT), 8), 8)", NULL,
         "!TRUE|NE(AND_BITS(.move.flags(CURRENT), 8), 8)|NE(AND_BITS(.move.flags(CURRENT), 8), 8)"},
        // A promotion, 0x3000: not one of the pieces of other moves, which are 1.
        {"", "", PROMOTED("4"), NULL, "!" AFTER("AND(" PROMOTED("4") ", " FACT("12288") ")")},
        {"", "", PROMOTED("5"), NULL, "!TRUE|" PROMOTED("5") "|" PROMOTED("5")},
        {"", "", PIECE("4"), NULL, "!" AFTER(PIECE("4"))},
        {"", "", "NE(AND_BITS(.move.flags(CURRENT), 1), 0)", NULL,
         "!FALSE|NE(AND_BITS(.move.flags(CURRENT), 1), 0)|NE(AND_BITS(.move.flags(CURRENT), 1), 0)"},
        {"", "", "EQ(AND_BITS(.move.flags(CURRENT), 8), 0)", NULL,
         "!TRUE|EQ(AND_BITS(.move.flags(CURRENT), 8), 0)|EQ(AND_BITS(.move.flags(CURRENT), 8), 0)"},
        // Without a legal move the game has ended: mate 32, stalemate 64.
        {"", "", "NOT(has_legal_move())", NULL, "!" ENDS},
        {"", "", "AND(in_check(), NOT(has_legal_move()))", NULL, "!" ENDS_WITH("32")},
        {"", "", "AND(NOT(has_legal_move()), in_check())", NULL, "!" ENDS_WITH("32")},
        {"", "", "AND(NOT(in_check()), NOT(has_legal_move()))", NULL, "!" ENDS_WITH("64")},
        {"", "", "has_legal_move()", NULL, "!" GOES_ON},
        {"", "", "AND(" HAS_PARENT ", AT(.parent(CURRENT), has_legal_move()))", NULL, "!FALSE|TRUE|TRUE"},
        {"", "", "AND(" HAS_PARENT ", AT(.parent(CURRENT), NOT(has_legal_move())))", NULL, "!FALSE"},
    };
    CHECK(rows);
}

static void men_are_counted(void **state)
{
    (void)state;
    // At the end of the game: White's men @5, Black's @6.
    static const Row rows[] = {
        {"", "", "LE(COUNT([P]), 1)", NULL, "!LE(COUNT([P]), 1)"},
        {"", "", "LE(COUNT([white]), 5)", NULL, "!AND(LE(COUNT([white]), 5), LE(@5, 5))"},
        {"", "", "LE(COUNT([black]), 5)", NULL, "!AND(LE(COUNT([black]), 5), LE(@6, 5))"},
        {"", "", "EQ(COUNT([white]), 5)", NULL, "!AND(EQ(COUNT([white]), 5), LE(@5, 5))"},
        {"", "", "LT(COUNT([white]), 5)", NULL, "!AND(LT(COUNT([white]), 5), LE(@5, 4))"},
        {"", "", "GE(COUNT([white]), 5)", NULL, "!GE(COUNT([white]), 5)"},
        {"", "", "LE(COUNT([white]), 15)", NULL, "!AND(LE(COUNT([white]), 15), LE(@5, 15))"},
        {"", "", "LE(COUNT([white]), 16)", NULL, "!LE(COUNT([white]), 16)"},
        {"", "", "LE(COUNT([occupied]), 5)", NULL, "!AND(LE(COUNT([occupied]), 5), LE(ADD(@5, @6), 5))"},
        {"", "", "LE(COUNT([occupied]), 31)", NULL, "!AND(LE(COUNT([occupied]), 31), LE(ADD(@5, @6), 31))"},
        {"", "", "LE(COUNT([occupied]), 32)", NULL, "!LE(COUNT([occupied]), 32)"},
        // The larger unions of kinds first.
        {"", "", "AND(LE(COUNT([P]), 1), LE(COUNT([white]), 5))", NULL,
         "!AND(LE(COUNT([P]), 1), LE(COUNT([white]), 5), LE(@5, 5))"},
        {"", "", "AND(LE(COUNT([white]), 5), LE(COUNT([black]), 6))", NULL,
         "!AND(LE(COUNT([white]), 5), LE(COUNT([black]), 6), LE(@5, 5), LE(@6, 6))"},
        {"", "", "AND(LE(COUNT([white]), 5), LE(COUNT([black]), 6), LE(COUNT([occupied]), 10))", NULL,
         "!AND(LE(COUNT([white]), 5), LE(COUNT([black]), 6), LE(COUNT([occupied]), 10), LE(@5, 5), LE(@6, "
         "6), LE(ADD(@5, @6), 10))"},
        {"", "", "AND(LE(COUNT([white]), 5), LE(COUNT([occupied]), 16))", NULL,
         "!AND(LE(COUNT([white]), 5), LE(COUNT([occupied]), 16), LE(@5, 5), LE(ADD(@5, @6), 16))"},
        // All but the king.
        {"", "", "LE(COUNT(SET_OR([P], [N], [B], [R], [Q])), 2)", NULL,
         "!AND(LE(COUNT(SET_NOT(SET_OR([black], [empty], [K]))), 2), LE(@5, 3))"},
        {"", "", "LE(COUNT(SET_OR([P], [N], [B], [R])), 2)", NULL,
         "!LE(COUNT(SET_OR([P], [N], [B], [R])), 2)"},
        {"", "", "AND(LE(COUNT([P]), 1), LE(COUNT(SET_OR([N], [B], [R])), 2), LE(COUNT([Q]), 3))", NULL,
         "!AND(LE(COUNT([P]), 1), LE(COUNT(SET_OR([N], [B], [R])), 2), LE(COUNT([Q]), 3), LE(@5, 7))"},
        {"", "", "LE(COUNT(SET_OR([P], [N], [B], [R], [Q], [p], [n], [b], [r], [q])), 2)", NULL,
         "!AND(LE(COUNT(SET_NOT(SET_OR([empty], [K], [k]))), 2), LE(ADD(@5, @6), 4))"},
        {"", "", "NOT(ANY(SET_OR([P], [N], [B], [R], [Q])))", NULL,
         "!AND(NOT(ANY(SET_NOT(SET_OR([black], [empty], [K])))), LE(@5, 1))"},
        {"", "", "SET_EQ([white], [K])", NULL, "!AND(SET_EQ([white], [K]), LE(@5, 1))"},
        // Men that count several times, and numbers that say nothing.
        {"", "", "LE(MUL(COUNT([white]), 2), 5)", NULL, "!AND(LE(MUL(COUNT([white]), 2), 5), LE(@5, 5))"},
        {"", "", "LE(MUL(COUNT([white]), -1), 5)", NULL, "!LE(MUL(COUNT([white]), -1), 5)"},
        {"", "", "LE(ADD(COUNT([white]), COUNT([white])), 5)", NULL,
         "!AND(LE(ADD(COUNT([white]), COUNT([white])), 5), LE(@5, 5))"},
        {"", "", "LT(ADD(COUNT([white]), COUNT([white])), 0)", NULL,
         "!AND(LT(ADD(COUNT([white]), COUNT([white])), 0), LE(@5, 0))"},
        {"", "", "LE(ADD(COUNT([white]), .ply(CURRENT)), 5)", NULL,
         "!AND(LE(COUNT([white]), 5), LE(@5, 5))|LE(ADD(COUNT([white]), .ply(CURRENT)), "
         "5)|LE(ADD(COUNT([white]), .ply(CURRENT)), 5)"},
        {"", "", "LE(ADD(.ply(CURRENT), COUNT([white])), 5)", NULL,
         "!AND(LE(COUNT([white]), 5), LE(@5, 5))|LE(ADD(.ply(CURRENT), COUNT([white])), "
         "5)|LE(ADD(.ply(CURRENT), COUNT([white])), 5)"},
        {"", "", "LE(SUB(COUNT([white]), COUNT([P])), 5)", NULL, "!LE(SUB(COUNT([white]), COUNT([P])), 5)"},
        {"", "", "LE(COUNT([empty]), 40)", NULL, "!LE(COUNT([empty]), 40)"},
        {"", "", "LE(COUNT(SET_AND([white], #ff)), 5)", NULL, "!LE(COUNT(SET_AND([white], #ff)), 5)"},
    };
    CHECK(rows);
}

static Module *module_with(void (*change)(Module *m), const char *body)
{
    Module *m = module_of_text("", "x", body);
    change(m);
    return m;
}

static void is_sequential(Module *m)
{
    m->info.flags |= QUERY_SEQUENTIAL;
}

static void finds_similar(Module *m)
{
    m->info.flags |= QUERY_SIMILAR_PLAIN;
}

static void finds_similar_of_file(Module *m)
{
    m->info.similar_file = "x.pgn";
}

static void wants_no_match(Module *m)
{
    m->info.flags |= QUERY_HAS_MATCHCOUNT;
}

static void wants_a_match(Module *m)
{
    m->info.flags |= QUERY_HAS_MATCHCOUNT;
    m->info.matchcount_low = 1;
}

static void keeps_a_value(Module *m)
{
    m->info.persistent_slots = 1;
}

static void imagines(Module *m)
{
    m->info.flags |= QUERY_IMAGINARY;
}

static void queries_need_all_games(void **state)
{
    (void)state;
    static const struct {
        void (*change)(Module *m);
        const char *body, *wanted;
    } row[] = {
        {is_sequential, KD1, NULL},
        {finds_similar, KD1, NULL},
        {finds_similar_of_file, KD1, NULL},
        {wants_no_match, KD1, NULL},
        {wants_a_match, KD1, "!" KD1},
        {keeps_a_value, KD1, NULL},
        // Positions elsewhere may be imaginary, those here, before and after are of the game.
        {imagines, KD1, "!" KD1},
        {imagines, "AND(" RA1 ", " VISIT(KD1) ")", RA1},
        {imagines, "AND(" RA1 ", EACH_CHILD:0,any(.last(CURRENT), AT(%0, " KD1 ")))", RA1},
        {imagines, "EACH_CHILD:0,any(CURRENT, AT(%0, " KD1 "))", "FALSE|" KD1 "|" KD1},
        {imagines, "AND(" HAS_PARENT ", AT(.parent(CURRENT), " KD1 "))", "!FALSE|" KD1_BEFORE "|" KD1_BEFORE},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Module *m = module_with(row[i].change, row[i].body);
        check_screen(m, row[i].wanted);
        assert_int_equal((m->info.flags & QUERY_EXACT_SCREEN) != 0,
                         row[i].wanted != NULL && *row[i].wanted == '!');
        arena_free(m->arena);
    }
}

// A condition of `size` nodes, and one more: at most 12000 at all places together.
static void large_conditions_are_left_out(void **state)
{
    (void)state;
    enum { NODES = 4, MOST = (12000 / SCREEN_PLACES - 1) / NODES };
    for (int count = MOST; count <= MOST + 1; count++) {
        Module *m = module_of_text("", "", "TRUE");
        Ir *all = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
        for (int i = 1; i <= count; i++)
            ir_add_kid(all,
                       ir_any(ir_set_and(ir_board(m->arena, WHITE_PAWN), ir_set(m->arena, (Bitboard)i))));
        m->function[0]->body = all;
        screen_module(m);
        assert_int_equal(m->screen != NULL, count == MOST);
        arena_free(m->arena);
    }
}

// Functions that do not call themselves are entered once for each call: a chain of them takes work in proportion to its length,
// even if each calls another one twice.
static void calls_take_little_work(void **state)
{
    (void)state;
    enum { FUNCTIONS = 20 };
    for (int leaves = 0; leaves <= 2; leaves += 2) {
        Module *m = module_of_text("", "", "TRUE");
        for (int i = 1; i < FUNCTIONS; i++)
            add_ir_function(m, "", KD1);
        add_ir_function(m, "", RA1);
        for (int i = 0; i < FUNCTIONS - 1; i++) {
            Ir *all = ir_new(m->arena, IR_AND, IRT_BOOL, 0);
            for (int leaf = 0; leaf < leaves; leaf++)
                ir_add_kid(all, ir_invoke(m->arena, FUNCTIONS));
            ir_add_kid(all, ir_invoke(m->arena, i + 1));
            m->function[i]->body = all;
        }
        check_screen(m, leaves > 0 ? "AND(" RA1 ", " KD1 ")" : KD1);
        arena_free(m->arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_are_visited),
        cmocka_unit_test(conditions_are_chosen),
        cmocka_unit_test(alternatives_need_one_of_two),
        cmocka_unit_test(writes_are_needed),
        cmocka_unit_test(functions_are_entered),
        cmocka_unit_test(first_successes_count),
        cmocka_unit_test(effects_outside_count),
        cmocka_unit_test(values_are_known),
        cmocka_unit_test(lines_are_known),
        cmocka_unit_test(moves_are_known),
        cmocka_unit_test(men_are_counted),
        cmocka_unit_test(queries_need_all_games),
        cmocka_unit_test(large_conditions_are_left_out),
        cmocka_unit_test(calls_take_little_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
