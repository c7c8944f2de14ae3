// Letters, digits and decimal fractions, the same in every program: what <ctype.h>, strcasecmp and printf's %f do depends on the
// locale that the program around the library has chosen. In Turkish the capital of i is not I, and most of Europe has a decimal comma.
#ifndef CQL_ASCII_H
#define CQL_ASCII_H

#include <stdbool.h>
#include <stddef.h>

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline char ascii_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static inline char ascii_upper(char c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c);
}

// Are these bytes the same but for the case of letters?
bool ascii_same_bytes(const char *a, const char *b, size_t length);
// The same for texts that end with NUL.
bool ascii_same(const char *a, const char *b);

// For qsort and bsearch: the order of pointers to texts that end with NUL.
int ascii_compare(const void *a, const void *b);

// A number below 1e15 as printf's "%.*f" writes it in the C locale.
typedef struct Decimal {
    char text[40];
} Decimal;

Decimal ascii_decimal(double number, int digits);

#endif
