// The clock for durations: seconds, whatever happens to the time of day.
#ifndef CQL_CLOCK_H
#define CQL_CLOCK_H

#include <time.h>

static inline double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
