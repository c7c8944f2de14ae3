// The text before the first token, which all dialects read alike (language reference 14.2): a byte order mark, a
// line `#!`, blank lines, lines that begin with `//` or `;`, and `/* … */` blocks.
#ifndef CQL_SHARED_PREAMBLE_H
#define CQL_SHARED_PREAMBLE_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/base/diagnostic.h"

// The text has `with` at the offset `at`.
bool text_has(const char *text, size_t length, size_t at, const char *with);
// The offset of the line feed that ends the line, or the length.
size_t text_line_end(const char *text, size_t length, size_t at);
// The end of a comment of CQL 3 that begins with `;`: CR ends a line there, too.
size_t text_semicolon_end(const char *text, size_t length, size_t at);

// The offset after the byte order mark and the line `#!`.
size_t preamble_start(const char *text, size_t length);
// The offset after one white space character or comment at `at`; `at` itself when a token begins there.
size_t preamble_skip(const char *text, size_t length, size_t at);
// The offset of `CQL …` or `CQL-S …` with a version in the line with which CQL-S names itself, `; CQL-S 1.0 …`: the first one
// that is not blank and does not begin with `//` (12b.1). The length: there is none.
size_t preamble_identification(const char *text, size_t length);
// What puts the last diagnostic right is this line at the beginning of the text: `// dialect: cqli`.
void preamble_cure(Diagnostics *diagnostics, const char *line);
// The offset of the first token.
size_t preamble_end(const char *text, size_t length);

#endif
