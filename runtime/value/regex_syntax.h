// Translation of the language's regular expressions to PCRE2 (language reference 7.11). Internal to
// runtime/value.
#ifndef CQL_REGEX_SYNTAX_H
#define CQL_REGEX_SYNTAX_H

#include <stddef.h>

// Appends the translation to *out (malloc'd and grown; the caller frees it; its length is *out_length).
// Returns NULL or a static text that says what is wrong; *out must be freed then too. out may be NULL: check
// only. `flags` are REGEX_ bits (regex.h).
const char *regex_translate(const char *pattern, size_t length, int flags, char **out, size_t *out_length);

#endif
