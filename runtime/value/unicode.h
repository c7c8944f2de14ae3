// Strings as UTF-8, for queries whose strings are counted in code points (language reference 13.1). A byte
// that is not part of a well-formed character counts as a character and stays as it is.
#ifndef CQL_UNICODE_H
#define CQL_UNICODE_H

#include <stddef.h>
#include <stdint.h>

// Reads the character at `text`. Returns its length in bytes (1 to 4), or 0 when the bytes are malformed:
// overlong forms, surrogates and values above 10FFFF are. `length` must be at least 1.
size_t unicode_decode(const char *text, size_t length, uint32_t *character);

// Writes the character, which must be at most 10FFFF. Returns its length in bytes.
size_t unicode_encode(uint32_t character, char out[4]);

// Bytes of the character at `text`: 1 when it is malformed. `length` must be at least 1.
size_t unicode_length(const char *text, size_t length);

// The number of characters in the first `length` bytes.
size_t unicode_count(const char *text, size_t length);

// The simple upper or lower case of a character.
uint32_t unicode_upper(uint32_t character);
uint32_t unicode_lower(uint32_t character);

#endif
