// How the numbers of two positions compare: what compiled queries tell rt_compared (compared.c).
#ifndef CQL_COMPARED_H
#define CQL_COMPARED_H

// A relation is a set of bits: how a number of the visited position may compare with that of the position around the loop.
// rt_compared takes the relation of the first number, and that of the second one shifted left by COMPARE_BITS.
enum CompareRelation {
    COMPARE_LESS = 1,
    COMPARE_EQUAL = 2,
    COMPARE_GREATER = 4,
    COMPARE_ANY = 7,
    COMPARE_BITS = 3,
    COMPARE_ALL = COMPARE_ANY << COMPARE_BITS | COMPARE_ANY, // both may be anything
    COMPARE_EITHER = 64                                      // one of the relations is enough
};

#endif
