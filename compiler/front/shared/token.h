// The tokens of all dialects except CQL 3, whose text is nested lists (language reference, chapters 1 and 11.1).
#ifndef CQL_SHARED_TOKEN_H
#define CQL_SHARED_TOKEN_H

#include "runtime/chess/board.h"
#include "compiler/base/diagnostic.h"
#include "compiler/language/signs.h"

typedef enum TokenKind {
    TOKEN_END,  // end of the text; always the last one
    TOKEN_WORD, // keyword: `op` says which (filters.def)
    TOKEN_IDENTIFIER,
    TOKEN_INTEGER,      // number
    TOKEN_STRING,       // "…" and escape tokens: bytes, length
    TOKEN_GROUP,        // \1: number = group; \{name}: number = -1, bytes = the name
    TOKEN_GROUP_OFFSET, // \-1: number = group; \-{name}
    TOKEN_DESIGNATOR,   // mask, pieces; in CQL 5 number = how many variables its text names
    TOKEN_RESULT,       // number = RESULT_WHITE, RESULT_BLACK, RESULT_DRAW
    TOKEN_REPETITION,   // {n,m}: low, high
    TOKEN_FILE, // after input / output: number = OP_WORD_INPUT or OP_WORD_OUTPUT (-1: the name alone), bytes = the name
    TOKEN_PIECE_DECLARATION, // [Aa] or ◭ before an identifier
    TOKEN_PUNCTUATION,       // number = PUNCT_
    TOKEN_ERROR,       // text that is not a token: it has been reported; errors that follow from it are not
    TOKEN_LINE_COMMENT // `///`: number = index of the first token after its line (its arguments end there)
} TokenKind;

enum {
    TOKEN_LEFT_TIE = 1, // move tokens, 1.11
    TOKEN_RIGHT_TIE = 2,
    TOKEN_WILDCARD = 4,      // + or * (or {+} {*} ?) is a wildcard here, not arithmetic (1.12)
    TOKEN_PATH_TOP = 8,      // is at the top level of a path
    TOKEN_BLANK_BEFORE = 16, // a blank line precedes this token
    TOKEN_PATH_END =
        32, // a blank line before this token ends every open path that is on top of the bracket stack
    TOKEN_SPACE_BEFORE = 64,     // not adjacent to the token before
    TOKEN_IN_COMMENT_LINE = 128, // belongs to the arguments of a `///`
    TOKEN_HAS_PIECES = 256,      // what is written of a designator of CQL 5
    TOKEN_HAS_SQUARES = 512,
    TOKEN_BRACED_NUMBER = 1024 // a repetition that is a number in braces where no repetition can be (CQLi)
};

typedef struct Token {
    TokenKind kind;
    uint16_t flags; // TOKEN_ flags
    int16_t op; // TOKEN_WORD: enum Op (filters.def, all reserved words have a row); identifiers: -1, or the
                // word of CQL 6.2 that it is inside `move`, `line` and `pin` of CQLi
    int32_t number;
    int32_t low, high; // TOKEN_REPETITION
    Bitboard mask;     // TOKEN_DESIGNATOR: squares (all ones when none are written)
    uint32_t pieces;   // TOKEN_DESIGNATOR: bit set by piece symbol, see ast.h; squares only: ANY_SQUARE
    const char *bytes; // identifiers, strings, file names, words: the text (NUL-terminated copy in the arena)
    uint32_t length;   // bytes of it
    Span span;
} Token;

// A copy in UTF-8 of the text of a string, which is read like the texts of games: Latin-1 if it is not UTF-8. Changes *length.
const char *token_string(Arena *arena, const char *text, size_t *length);

static inline bool token_is_mark(const Token *t, int mark)
{
    return t->kind == TOKEN_PUNCTUATION && t->number == mark;
}

// 1: an opening bracket, whose closing one is the next sign; -1: a closing one; 0: no bracket.
static inline int token_bracket(const Token *t)
{
    if (t->kind != TOKEN_PUNCTUATION || t->number < PUNCT_LEFT_PAREN || t->number > PUNCT_RIGHT_BRACKET)
        return 0;
    return (t->number - PUNCT_LEFT_PAREN) % 2 == 0 ? 1 : -1;
}

typedef struct TokenList {
    Token *token;
    int count; // including TOKEN_END
} TokenList;

// How a token is named in a message: "`check`", "end of query", ...
const char *token_text(Arena *arena, const Source *source, const Token *token);

#endif
