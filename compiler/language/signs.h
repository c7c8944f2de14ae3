// Signs: operators and punctuation (language reference 1.5).
#ifndef CQL_SIGNS_H
#define CQL_SIGNS_H

#include <stddef.h>

enum Punctuation {
#define SIGN(name, ascii, unicode, dialects) PUNCT_##name,
#include "signs.def"
    PUNCT_COUNT_
};

// The ASCII spelling of each sign.
extern const char *const punctuation_spelling[PUNCT_COUNT_];
// The non-ASCII spelling of a sign, or NULL.
const char *punctuation_symbol(int mark);

// The non-ASCII sign or word (1.5) at `text`: its PUNCT_ number or op, the other is -1. Returns its length in
// bytes, or 0.
size_t symbol_scan(const char *text, size_t available, int *number, int *op);
// The sign or non-ASCII word at `text` that a dialect (IN_ bits) does not have but CQL 6.2 has: its length in
// bytes, or 0. Of ASCII signs only `->`: the others are read as shorter ones.
size_t symbol_missing(const char *text, unsigned dialect);

#endif
