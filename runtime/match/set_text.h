// Sets of squares as text (language reference 7.12).
#ifndef CQL_SET_TEXT_H
#define CQL_SET_TEXT_H

#include "runtime/chess/chess.h"

enum { SET_TEXT_MAX = 3 * 64 + 2 };

// Writes a set, not NUL-terminated; returns the length.
static inline int set_text(Bitboard set, char out[SET_TEXT_MAX])
{
    const bool one = bb_count(set) == 1;
    char *end = out;
    if (!one)
        *end++ = '[';
    for (; set; set &= set - 1) {
        square_name(bb_first(set), end);
        end += 2;
        if (set & (set - 1))
            *end++ = ',';
    }
    if (!one)
        *end++ = ']';
    return (int)(end - out);
}

#endif
