// What the files of the lexer share.
#ifndef CQL_LEXER_H
#define CQL_LEXER_H

#include "compiler/front/shared/characters.h"
#include "compiler/front/shared/designator.h"
#include "token.h"

// Text that begins no token (1.13).
typedef struct Invalid {
    size_t length;       // bytes that are one mistake
    const char *message; // what is wrong, and what to write instead
    const char *cure;    // that, or NULL
} Invalid;

// Explains the text at `text`, where no rule of 1.2 applies; `available` bytes, at least one, and a NUL
// after them.
Invalid invalid_scan(Arena *arena, const char *text, size_t available);

// Why the bytes are not text (another encoding, a program, a compressed file), or NULL.
const char *invalid_text(const char *bytes, size_t length);

#endif
