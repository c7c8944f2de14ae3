// The lexer of CQL 6.2 and CQLi (language reference, chapter 1). It makes the whole array of tokens, then
// token_check does the structure checks of 1.12 and marks the tokens that mean something else inside `path`.
#ifndef CQL_TOKEN_H
#define CQL_TOKEN_H

#include "compiler/front/shared/token.h"

// Turns the text into tokens. Errors go to the diagnostics; the text that they concern becomes a TOKEN_ERROR,
// unless a token of another kind can replace it. The list is always usable, ends with TOKEN_END, and its strings
// live in the arena. `dialect`: IN_CQL6, or IN_CQLI (13.7, 13.9, 13.10), whose words and signs are different ones.
TokenList lex(Arena *arena, const Source *source, unsigned dialect, Diagnostics *diagnostics);

// The structure checks of 1.12: brackets, paths, wildcards. Sets the flags WILDCARD, PATH_TOP and PATH_END.
// Where brackets do not match, the list is cut: a TOKEN_ERROR replaces the outermost bracket without
// partner and all after it.
void token_check(TokenList *tokens, Diagnostics *diagnostics);

#endif
