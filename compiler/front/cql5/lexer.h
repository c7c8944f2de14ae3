// Tokens of CQL 5 (language reference 11.1). A token ends at white space or one of ( ) { } * + ?
#ifndef CQL_CQL5_LEXER_H
#define CQL_CQL5_LEXER_H

#include "compiler/front/shared/token.h"
#include "compiler/language/query.h"

// Turns the text into tokens; `op` of a word is its row. `old`: the rules of 5.1. Errors go to the diagnostics,
// PARSER_MAX_ERRORS at most; the tokens remain usable by a parser that skips TOKEN_ERROR. The list always ends with
// TOKEN_END.
TokenList cql5_lex(Arena *arena, const Source *source, Diagnostics *diagnostics, bool old);

// The name of the i-th variable that a designator of the token names, with its `$`.
const char *cql5_variable_name(Arena *arena, const Token *designator, int i);

#endif
