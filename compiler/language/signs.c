// The table of signs (signs.def).
#include "signs.h"

#include <string.h>

#include "table.h"

const char *const punctuation_spelling[PUNCT_COUNT_] = {
#define SIGN(name, ascii, unicode, dialects) [PUNCT_##name] = ascii,
#include "signs.def"
};

static const struct {
    const char *unicode;
    unsigned dialects;
} signs[PUNCT_COUNT_] = {
#define SIGN(name, ascii, unicode, dialects) [PUNCT_##name] = {unicode, IN_##dialects},
#include "signs.def"
};

const char *punctuation_symbol(int mark)
{
    return signs[mark].unicode;
}

enum { LONGEST_SYMBOL = 16 }; // bytes, and more

size_t symbol_scan(const char *text, size_t available, int *number, int *op)
{
    size_t length = 0;
    *number = *op = -1;
    for (int i = 0; i < PUNCT_COUNT_; i++) {
        const char *symbol = signs[i].unicode;
        if (symbol != NULL && strncmp(text, symbol, strlen(symbol)) == 0) {
            *number = i;
            return strlen(symbol);
        }
    }
    *op = op_from_symbol(text, available, &length);
    return length;
}

size_t symbol_missing(const char *text, unsigned dialect)
{
    int number, op;
    const char *arrow = punctuation_spelling[PUNCT_ARROW_RIGHT];
    if (strncmp(text, arrow, strlen(arrow)) == 0)
        return (signs[PUNCT_ARROW_RIGHT].dialects & dialect) == 0 ? strlen(arrow) : 0;
    if ((unsigned char)*text < 0x80) // no other symbol is ASCII
        return 0;
    const size_t length = symbol_scan(text, strnlen(text, LONGEST_SYMBOL), &number, &op);
    const unsigned dialects = number >= 0 ? signs[number].dialects : op >= 0 ? op_info[op].dialects : dialect;
    return (dialects & dialect) == 0 ? length : 0;
}
