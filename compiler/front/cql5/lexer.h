// Tokens of CQL 5 (language reference 11.1). A token ends at white space or one of ( ) { } * + ?
#ifndef CQL_CQL5_LEXER_H
#define CQL_CQL5_LEXER_H

#include "compiler/front/kit/token.h"
#include "compiler/language/query.h"

typedef enum Cql5WordId {
#define CQL5_WORD(name, word, group, op, modern, help) CQL5_##name,
#include "words.def"
    CQL5_WORD_COUNT
} Cql5WordId;

typedef enum Cql5Group {
    GROUP_PLAIN,
    GROUP_FILTER,
    GROUP_EARLY,
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
const Cql5WordInfo *cql5_word(const char *text, size_t length); // NULL: not a word of CQL 5

// Turns the text into tokens; `op` of a word is its Cql5WordId. `old`: the rules of 5.1. Errors go to the diagnostics,
// PARSER_MAX_ERRORS at most; the tokens stay fit for a parser that passes over TOKEN_ERROR. The list always ends with
// TOKEN_END.
TokenList cql5_lex(Arena *arena, const Source *source, Diagnostics *diagnostics, bool old);

// The name of the i-th variable that a designator of the token names, with its `$`.
const char *cql5_variable_name(Arena *arena, const Token *designator, int i);

#endif
