// The classes of characters that all dialects share.
#ifndef CQL_SHARED_CHARACTERS_H
#define CQL_SHARED_CHARACTERS_H

#include <stdbool.h>

#include "runtime/value/ascii.h"

static inline bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static inline bool is_file(char c)
{
    return c >= 'a' && c <= 'h';
}

static inline bool is_rank(char c)
{
    return c >= '1' && c <= '8';
}

static inline bool is_word_start(char c)
{
    return is_letter(c) || c == '_' || c == '$';
}

static inline bool is_word_byte(char c)
{
    return is_word_start(c) || is_digit(c);
}

#endif
