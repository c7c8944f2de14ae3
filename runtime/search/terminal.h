// Text of games and names of files on a terminal, where control characters would do what they say.
#ifndef CQL_SEARCH_TERMINAL_H
#define CQL_SEARCH_TERMINAL_H

#include <stdio.h>

#include "runtime/value/buffer.h"

// Appends the text with `?` for each control character but tabs and line ends.
void text_harmless(Buffer *out, const char *bytes, size_t length);

// fwrite of the text; on a terminal, of the harmless one.
void print_harmless(FILE *out, const char *bytes, size_t length);

// fprintf; on a terminal, of harmless text: names of files may contain anything.
void say(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_list(FILE *out, const char *format, va_list list) __attribute__((format(printf, 2, 0)));

#endif
