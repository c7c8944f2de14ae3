// Translation of the language's regular expressions to PCRE2 (language reference 7.11). Internal to
// runtime/value.
#ifndef CQL_REGEX_SYNTAX_H
#define CQL_REGEX_SYNTAX_H

#include <stdbool.h>

#include "buffer.h"

// What a pattern requires of every match.
typedef struct Literal {
    Buffer text;           // is part of the match; may be empty
    bool is_all;           // it is the match, and nothing else is required but:
    bool at_start, at_end; // the match begins and ends where the subject does
} Literal;

// A flag of regex_translate beside those of regex.h: the translation has a callout at its beginning and after everything that
// can match a text of any length, so that all work lies between two callouts that are not far from each other in the text.
enum { REGEX_METERED = 1 << 8 };

// Appends the translation to a buffer and fills in the zero-initialised literal. Returns NULL, or a static text with
// the error in the pattern. `flags` are REGEX_ bits (regex.h). The caller frees both buffers in any case.
const char *regex_translate(const char *pattern, size_t length, int flags, Buffer *out, Literal *literal);

#endif
