// Strings as UTF-8, for queries whose strings are counted in code points (language reference 13.1). A byte
// that is not part of a well-formed character counts as a character and stays as it is.
#ifndef CQL_UNICODE_H
#define CQL_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

// Reads the character at `text`. Returns its length in bytes (1 to 4), or 0 when the bytes are malformed:
// overlong forms, surrogates and values above 10FFFF are. `length` must be at least 1.
size_t unicode_decode(const char *text, size_t length, uint32_t *character);

// Writes the character, which must be at most 10FFFF. Returns its length in bytes.
size_t unicode_encode(uint32_t character, char out[4]);

// Bytes of the character at `text`: 1 when it is malformed. `length` must be at least 1.
size_t unicode_length(const char *text, size_t length);

// The number of characters in the first `length` bytes.
size_t unicode_count(const char *text, size_t length);

// The bytes of the first `count` characters, or of all when there are not as many.
size_t unicode_prefix(const char *text, size_t length, size_t count);

// The columns of a terminal that the text takes: none for marks that are put on the character before, two for East Asian characters
// and emoji.
size_t unicode_columns(const char *text, size_t length);

// The bytes of the longest beginning that fits into so many columns.
size_t unicode_fit(const char *text, size_t length, size_t columns);

// True when all bytes belong to well-formed characters.
bool unicode_is_valid(const char *text, size_t length);

bool unicode_is_ascii(const char *text, size_t length);

// Appends UTF-8 as Latin-1. Returns false, appending nothing, when it is not UTF-8 or has a character that Latin-1 has not.
bool unicode_append_latin(Buffer *out, const char *text, size_t length);

// Appends a text of a game as UTF-8: when any of its bytes is malformed, the whole text is read as Latin-1.
void unicode_append(Buffer *out, const char *text, size_t length);

// Appends a byte of a text that is Latin-1 or, otherwise, UTF-8.
void unicode_append_byte(Buffer *out, bool latin, char byte);

// The simple upper or lower case of a character.
uint32_t unicode_upper(uint32_t character);
uint32_t unicode_lower(uint32_t character);

// Appends UTF-8 in small letters without accents (language reference 7.10, `fold`): "Müller" as "muller", "Ståhlberg" as
// "stahlberg", "Łódź" as "lodz". Malformed bytes stay.
void unicode_append_folded(Buffer *out, const char *text, size_t length);

#endif
