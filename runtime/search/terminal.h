// Text of games on a terminal, where control characters would do what they say.
#ifndef CQL_SEARCH_TERMINAL_H
#define CQL_SEARCH_TERMINAL_H

#include <stdio.h>

#include "runtime/value/buffer.h"

// Appends the text with `?` for each control character but tabs and line ends.
void text_harmless(Buffer *out, const char *bytes, size_t length);

// fwrite of the text; on a terminal, of the harmless one.
void print_harmless(FILE *out, const char *bytes, size_t length);

#endif
