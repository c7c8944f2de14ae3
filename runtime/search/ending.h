// When a search ends before the last game.
#ifndef CQL_SEARCH_ENDING_H
#define CQL_SEARCH_ENDING_H

#include <stdatomic.h>
#include <stdbool.h>

#include "runtime/value/clock.h"

typedef struct Ending {
    atomic_bool complete;               // nothing more is wanted: the limit is reached, or the output failed
    atomic_bool enough;                 // no further block is wanted
    const atomic_int *stop;             // set by a signal; NULL: none
    double deadline;                    // by clock_now(); 0: none
    const atomic_bool *result_complete; // the same of each result; NULL: of none
    const atomic_bool *result_full;     // it is a page with enough games: others are only counted
} Ending;

bool ending_is_late(double deadline);
bool ending_stopped(const Ending *ending); // by a signal
bool ending_reached(const Ending *ending);

#endif
