// Text of games in the encodings of the output formats. Bytes that are no UTF-8 are taken for Latin-1.
#ifndef CQL_SEARCH_TEXT_H
#define CQL_SEARCH_TEXT_H

#include "runtime/game/game.h"

// Appends a JSON string with its quotes (RFC 8259), without anything that some program takes for the end of a
// line.
void text_json(Buffer *out, const char *bytes, size_t length);

// Appends a CSV field, quoted when it must be (RFC 4180).
void text_csv(Buffer *out, const char *bytes, size_t length);

// Appends text for HTML content and quoted attributes. Control characters other than white space become
// U+FFFD.
void text_html(Buffer *out, const char *bytes, size_t length);

// The same for NUL-terminated text.
void text_json_string(Buffer *out, const char *text);
void text_csv_string(Buffer *out, const char *text);
void text_html_string(Buffer *out, const char *text);

#endif
