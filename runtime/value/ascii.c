// Comparisons without regard to case, and decimal fractions.
#include "ascii.h"

#include <stdio.h>
#include <string.h>

bool ascii_same_bytes(const char *a, const char *b, size_t length)
{
    size_t i = 0;
    while (i < length && ascii_lower(a[i]) == ascii_lower(b[i]))
        i++;
    return i == length;
}

bool ascii_same(const char *a, const char *b)
{
    const size_t length = strlen(a);
    return strlen(b) == length && ascii_same_bytes(a, b, length);
}

int ascii_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

Decimal ascii_decimal(double number, int digits)
{
    Decimal d;
    const int length = snprintf(d.text, sizeof d.text, "%.*f", digits, number);
    if (digits > 0) { // what separates them may have several bytes
        char *point = d.text + strspn(d.text, "-0123456789");
        memmove(point + 1, d.text + length - digits, (size_t)digits + 1);
        *point = '.';
    }
    return d;
}
