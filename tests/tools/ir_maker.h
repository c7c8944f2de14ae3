// The parts of random IR that the body and the other functions of a module share.
#ifndef CQL_TOOLS_IR_MAKER_H
#define CQL_TOOLS_IR_MAKER_H

#include "compiler/middle/ir/build.h"

// Slots 0-8 are: int int int, set set set, text text text. The next two are what the recursive function is given, a number that limits
// it and a set; two belong to the search that is called from one place, the last one is 1 while a part of the body is evaluated.
enum { LIMIT = 9, GIVEN, SEARCHED, FOUND, FLAG, SLOTS };
enum { TEXTS = 11, DEPTH = 5, SEEN = 12 };

// Locals 0-8 are: int int position, set set set, text text text. The others always have a value that is right for their kind. Loops
// and tests may have locals of their own, MOST_LOCALS in all.
enum { SQUARE = 9, NO_PIECE, PLACE, COUNTER, MARK, NAME, RATING, LOCALS, MOST_LOCALS = 60 };

typedef struct Maker {
    Module *m;
    Arena *a;
    IrFunction *f;
    uint64_t state;
    bool may_search;   // the search has no caller yet
    bool may_flag;     // nothing sets the flag yet
    int loops;         // loops around
    Ir *seen[5][SEEN]; // trees without effects that were made before, by type
    int seen_count[5];
    int square, piece,
        place; // locals: the square of a loop around, the number of its piece, the position of a loop
} Maker;

uint32_t random_below(Maker *k, uint32_t limit);
Ir *with_number(Ir *ir, int32_t value, int32_t low);
Ir *random_board(Maker *k);

// A tree of at most that depth: a condition that may have effects, one without, a number, a set, a set that a call makes, a text.
Ir *condition(Maker *k, int depth);
Ir *pure_condition(Maker *k, int depth);
Ir *number(Maker *k, int depth);
Ir *set(Maker *k, int depth);
Ir *set_of_call(Maker *k, int depth);
Ir *text(Maker *k, int depth);
// A loop over squares or positions; alternatives that differ only in constants, as the variants of a transform do.
Ir *loop(Maker *k, int depth);
Ir *variants(Maker *k);
// A few things that screens read.
Ir *facts(Maker *k);
// A call of the recursive function.
Ir *again(const Maker *k, Ir *limit, Ir *given);
// A condition on the game alone.
Ir *of_tags(Maker *k);

#endif
