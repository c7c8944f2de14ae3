// Text that fits a terminal of 80 columns.
#ifndef CQL_EDITOR_WRAP_H
#define CQL_EDITOR_WRAP_H

#include <stddef.h>
#include <stdio.h>

// The columns that UTF-8 text takes.
int wrap_columns(const char *text, size_t length);

// Prints words and a line end, beginning in column `at`; lines that follow are indented.
void wrap_words(FILE *out, const char *text, size_t length, int at, int indent);

// Prints `left` after two spaces in a column of `width`, and the text in a column after it. A longer left part gets a line of
// its own.
void wrap_entry(FILE *out, const char *left, int width, const char *text);

#endif
