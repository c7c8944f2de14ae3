// What callers fill in, checked and copied.
#ifndef CQL_API_OPTIONS_H
#define CQL_API_OPTIONS_H

#include <math.h>

#include "cqlgen.h"

// Copies a struct that begins with its size and may have been compiled with another version: members that it does not have are
// 0. NULL gives all 0. Returns NULL, or what is wrong, which the caller frees; then all members are 0.
char *options_take(void *to, size_t size, const void *from, const char *name);

// The values that an option may have.
typedef struct OptionRange {
    const char *name;
    double value, least, most;
} OptionRange;

// One that may have any value that is not negative.
#define OPTION_FROM_0(options, member)                                                                       \
    {                                                                                                        \
        .name = #member, .value = (double)(options)->member, .most = HUGE_VAL                                \
    }

// Returns NULL, or what is wrong with the first value out of its range, which the caller frees.
char *options_check(const OptionRange *range, size_t count);

#endif
