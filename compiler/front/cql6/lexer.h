// What the files of the lexer share.
#ifndef CQL_LEXER_H
#define CQL_LEXER_H

#include "token.h"

// A piece designator (1.10) at some place of the text.
typedef struct Designator {
    size_t length;   // bytes; 0: no designator here
    uint32_t pieces; // as in Token
    Bitboard mask;
    bool has_squares;                     // squares are written
    const char *mistake;                  // a malformation that no later rule may accept (1.2), else NULL
    size_t mistake_start, mistake_length; // where it is, in bytes from the start of the designator
} Designator;

// Tries to read a designator at `text`, which must be followed by a NUL somewhere. Applies the end condition
// of 1.10.3.
Designator designator_scan(const char *text);

// The length in bytes of the non-ASCII piece (1.5) at `text`, or 0.
size_t designator_symbol_length(const char *text);

// The piece, ASCII or not, at `text`: its symbols, and its length in bytes; 0 when there is none.
uint32_t designator_piece(const char *text, size_t *length);
// The spelling of what one character stands for in a designator, non-ASCII or not; NULL when there is none.
const char *designator_spelling(uint32_t symbols, bool unicode);

// The non-ASCII spelling of a punctuation, or NULL.
const char *punctuation_symbol(int mark);
// The non-ASCII operator or word (1.5) at `text`: its PUNCT_ number or op, the other is -1. Returns its
// length in bytes, or 0.
size_t symbol_scan(const char *text, size_t available, int *number, int *op);

// Text that begins no token (1.13).
typedef struct Invalid {
    size_t length;       // bytes that are one mistake
    const char *message; // what is wrong, and what to write instead
} Invalid;

// Explains the text at `text`, where no rule of 1.2 applies; `available` bytes, at least one, and a NUL
// behind them.
Invalid invalid_scan(Arena *arena, const char *text, size_t available);

// Why the bytes are no text at all (another encoding, a program, a compressed file), or NULL.
const char *invalid_text(const char *bytes, size_t length);

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
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
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static inline bool is_word_byte(char c)
{
    return is_word_start(c) || is_digit(c);
}

#endif
