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

// Appends the translation to a buffer and fills in the zero-initialised literal. Returns NULL, or a static text with
// the error in the pattern. `flags` are REGEX_ bits (regex.h). The caller frees both buffers in any case.
const char *regex_translate(const char *pattern, size_t length, int flags, Buffer *out, Literal *literal);

#endif
