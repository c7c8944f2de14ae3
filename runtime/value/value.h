// The values that queries compute with. Self-contained: it is embedded in front of generated C.
#ifndef CQL_VALUE_H
#define CQL_VALUE_H

#include "integers.h"

// An immutable string of bytes without NUL bytes, with a NUL after the last one. A value of type string is a
// pointer to one. Its creator determines how long it lives: literals live forever, results of runtime calls
// until the end of the current game. Calls that keep a string longer (persistent variables, dictionaries)
// copy it.
typedef struct CqlString {
    uint32_t length;
    char bytes[4]; // really length + 1
} CqlString;
typedef const CqlString *String;

// A value of any type: a number or positionid, a set of squares, a string.
typedef union Slot {
    int32_t i;
    uint64_t s;
    String t;
} Slot;

#endif
