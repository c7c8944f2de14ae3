// Characters of UTF-8 text.
#ifndef CQL_UTF8_H
#define CQL_UTF8_H

#include <stddef.h>
#include <stdint.h>

// Decodes the character at `text`, of which `available` bytes may be read (at least 1). Returns its length in
// bytes, 1 to 4, or 0 when the bytes are not well-formed UTF-8 (overlong forms, surrogates and values above
// U+10FFFF are not).
size_t utf8_decode(const char *text, size_t available, uint32_t *character);

// Columns that the character takes on a terminal: 0, 1 or 2. Approximate: common combining marks, East Asian
// blocks.
int utf8_width(uint32_t character);

#endif
