// What the files of the loops over positions share: position_loops.c takes tests out of the body, loop_values.c says what the
// values of the body depend on, loop_comparisons.c finds comparisons of the two positions.
#ifndef CQL_POSITION_LOOPS_H
#define CQL_POSITION_LOOPS_H

#include "remember.h"

enum { MOST_KEYS = 16, NUMBERS = 2 };

// Where a value comes from. Bits.
enum { FROM_AROUND = 1, FROM_VISITED = 2, FROM_ELSEWHERE = 4 };

// What a local of the body contains in the round of a loop.
typedef struct Content {
    int loop; // of which; what is kept from another one means nothing
    const Ir *value;
    const Ir *at;   // the position at which it was evaluated; NULL: that around the loop
    int since;      // when it was put there
    int last_write; // when it was written last
    bool is_known;
} Content;

// By local. Kept from loop to loop, because a function may have as many loops as locals.
struct LoopLocals {
    int count, loops;
    Content *content;
};

// `visited`, evaluated at the visited position, is in the relation (enum CompareRelation) to `around`, evaluated at the
// position around the loop. Trees without locals of the body that always have a value.
typedef struct Comparison {
    Ir *visited, *around;
    unsigned relation;
} Comparison;

typedef struct Loop {
    Remember *r;
    Ir *node;
    int since;                   // when the visit of the body began
    int time;                    // counts what is seen of the body
    Ir *filter;                  // what is true where the loop goes; NULL: nothing yet
    Ir *before;                  // tests before the loop; NULL: none
    Comparison equal[MOST_KEYS]; // of numbers or sets
    Comparison number[NUMBERS];  // other comparisons of numbers
    int equal_count, number_count;
    bool is_either; // one of the two comparisons of numbers is enough
    bool is_open;   // what comes next can be evaluated before what was seen
    bool is_first;  // nothing was seen but the filter
} Loop;

// ---- loop_values.c

// A value as an expression without locals of the body, and what it depends on.
typedef struct Resolved {
    Ir *value; // NULL: it cannot be said so
    unsigned from;
} Resolved;

// Where a tree is evaluated.
typedef struct Site {
    const Ir *at; // the position; NULL: that around the loop
    int time, depth;
} Site;

bool loop_is_visited(const Loop *loop, const Ir *position);
// The position around the loop: `CURRENT` outside of every AT, or a local that has it.
bool loop_is_around(const Loop *loop, const Ir *position);
bool loop_is_of_body(const Loop *loop, int local);
const Ir *loop_peeled(const Ir *tree); // without changes of its type
Ir *loop_as_int(Ir *value);            // a position becomes a number
Content *loop_content(const Loop *loop, int local);
// The value that a local of the body has at a site, and where that value was evaluated; NULL: not known.
const Ir *loop_known_value(const Loop *loop, const Ir *local, Site *site);
Resolved loop_resolve(const Loop *loop, const Ir *tree, Site site);
Resolved loop_resolve_now(const Loop *loop, const Ir *tree, const Ir *at);

// ---- loop_comparisons.c

// Adds what a test says of values at the two positions. It may be less than the test says, never more.
void loop_take_comparisons(Loop *loop, const Ir *test, const Ir *at);

#endif
