// What print_relation.c and print_resemblance.c compare boards with.
//
// Boards are compared under symmetries and shifts by mapping sets of squares. `flip` and the like map the
// directions and the corner in the function `image`, and so make it the map of each of their copies; shifts
// are loops over the variables `files` and `ranks`.
#ifndef CQL_PRINT_MAPS_H
#define CQL_PRINT_MAPS_H

#include "internal.h"

enum { MOST_SQUARES = 64 };

// Filters, one a line.
typedef struct Lines {
    Arena *arena;
    const char **line;
    int count;
} Lines;

void lines_add(Lines *l, const char *format, ...) __attribute__((format(printf, 2, 3))); // not an empty one
const char *lines_text(Printer *p, const Lines *l);
const char *lines_block(Printer *p, const Lines *l); // in braces

// Bounds of a number of squares.
typedef struct Limits {
    int64_t low, high;
} Limits;

bool limits_allow_all(Limits limits);
bool limits_allow_none(Limits limits); // nothing but 0
// The test whether a number of squares lies in the limits; empty: it certainly does.
const char *print_count_test(Printer *p, const char *number, Limits limits);

// Names of functions: the image of a set under the transform around, which maps `right`, `up` and `a1`; the
// set shifted; and whether a reflection or rotation around is another map than the identity, which all begin
// with.
const char *print_image_function(Printer *p);
const char *print_shift_function(Printer *p);
const char *print_moved_function(Printer *p);
// Filters that succeed when the conditions hold for some shift along files, ranks or both. `prepared` comes
// before the conditions.
const char *print_some_shift(Printer *p, bool along_files, bool along_ranks, const char *prepared,
                             const Lines *conditions);

#endif
