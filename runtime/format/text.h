// Strings of games in the encodings of the output formats. A string that is not UTF-8 as a whole is read as Latin-1.
#ifndef CQL_FORMAT_TEXT_H
#define CQL_FORMAT_TEXT_H

#include "runtime/game/game.h"

// Appends the text as UTF-8.
void text_utf8(Buffer *out, Text text);

// Appends a JSON string with its quotes (RFC 8259); escapes all characters that some program reads as the end
// of a line.
void text_json(Buffer *out, Text text);

// Appends a field of a table.
typedef void (*TextWriter)(Buffer *out, Text text);

// Appends a CSV field, quoted when it must be (RFC 4180).
void text_csv(Buffer *out, Text text);

// Appends a field of a table with tabs between its columns, without quotes: tabs and line ends become spaces.
void text_tsv(Buffer *out, Text text);

// The same with `'` before a text that a spreadsheet would take for a formula: one that begins with = + - @, also as wide characters,
// or with a tab or a line end.
void text_csv_safe(Buffer *out, Text text);
void text_tsv_safe(Buffer *out, Text text);

// Appends HTML content or the value of a quoted attribute. Control characters other than white space become
// U+FFFD.
void text_html(Buffer *out, Text text);

// Appends a comment without commands ([%clk 0:05:00]) and the spaces before them.
void text_without_commands(Buffer *out, Text text);

// Appends a text of UTF-8 in `width` columns of a terminal; a longer one ends with `…`. Line ends and the like become spaces.
void text_cell(Buffer *out, Text text, size_t width, bool right);

// The text after `https://` or `http://` when the whole text is a web address, otherwise NULL.
const char *text_address(Text text);

#endif
