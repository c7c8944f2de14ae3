// Translation of the language's regular expressions to PCRE2 (language reference 7.11). Internal to
// runtime/value.
#ifndef CQL_REGEX_SYNTAX_H
#define CQL_REGEX_SYNTAX_H

#include "buffer.h"

// Appends the translation to a buffer. Returns NULL, or a static text with the error in the pattern.
// `flags` are REGEX_ bits (regex.h).
const char *regex_translate(const char *pattern, size_t length, int flags, Buffer *out);

#endif
