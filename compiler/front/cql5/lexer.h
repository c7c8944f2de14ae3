// Tokens of CQL 5 (language reference 11.1). A token goes to the next white space or one of ( ) { } * + ?
#ifndef CQL_CQL5_LEXER_H
#define CQL_CQL5_LEXER_H

#include "compiler/language/ast.h"

typedef enum Cql5WordId {
#define CQL5_WORD(name, word, group, op, modern, help) CQL5_##name,
#include "words.def"
    CQL5_WORD_COUNT
} Cql5WordId;

typedef enum Cql5Group {
    GROUP_PLAIN,
    GROUP_FILTER,
    GROUP_DIRECTION,
    GROUP_TRANSFORM,
    GROUP_PART,
    GROUP_LCA,
    GROUP_ECHO
} Cql5Group;

typedef struct Cql5WordInfo {
    const char *word;
    Cql5Group group;
    Op op;              // the node it becomes; OP_TRUE: depends
    const char *modern; // spelling in CQL 6.2, NULL: the same
    const char *help;   // NULL: that of the op
} Cql5WordInfo;
extern const Cql5WordInfo cql5_words[CQL5_WORD_COUNT];

typedef enum Cql5Kind {
    CQL5_END,
    CQL5_KEYWORD,     // word
    CQL5_INTEGER,     // number
    CQL5_STRING,      // bytes, length
    CQL5_DESIGNATOR,  // pieces, mask, variables
    CQL5_ALL_SQUARES, // `.` of 5.2
    CQL5_MARK,        // mark: one of ( ) { } * + ?
    CQL5_OTHER,       // results and file names: bytes; an error elsewhere
    CQL5_BAD          // no token of CQL 5: the lexer has reported it
} Cql5Kind;

typedef struct Cql5Token {
    Cql5Kind kind;
    Cql5WordId word;
    char mark;
    int32_t number;
    uint32_t pieces; // as in Ast; without pieces: ANY_SQUARE
    Bitboard mask;
    bool has_pieces, has_squares; // what was written of a designator
    const char **variable;        // names of a designator's variables, with their `$`
    int variable_count;
    const char *bytes; // the text (of strings: without quotes), NUL-terminated
    uint32_t length;
    Span span;
} Cql5Token;

typedef struct Cql5Tokens {
    Cql5Token *token;
    int count; // including CQL5_END
} Cql5Tokens;

// Turns the text into tokens. `old`: the rules of 5.1. Errors go to the diagnostics, RECOVER_MAX_ERRORS at
// most; the tokens stay fit for a parser that passes over CQL5_BAD. The list always ends with CQL5_END.
Cql5Tokens cql5_lex(Arena *arena, const Source *source, Diagnostics *diagnostics, bool old);

#endif
