// Going on after a syntax error: the rule that the parsers share which jump out of a broken filter (CQL 6.2,
// CQLi, CQL 5).
#ifndef CQL_RECOVER_H
#define CQL_RECOVER_H

#include "compiler/base/source.h"

enum { RECOVER_MAX_ERRORS = 50 }; // in one query; then the rest is not looked at

// What the rule must know of a token.
typedef struct RecoverToken {
    uint32_t start;     // byte offset in the source
    int bracket;        // 1 opens, -1 closes, 0 neither
    bool begins_filter; // a filter may begin here after broken text
} RecoverToken;

// After an error in the filter whose first token is number `start`, the parser having come to number
// `reached`: the number of the next token outside of brackets that begins a line and may begin a filter, but
// is no bracket (it may continue the broken filter); `limit` when there is none. `token` tells about token i
// of the parser `parser`.
int recover_next(const Source *source, int start, int reached, int limit,
                 RecoverToken (*token)(const void *parser, int i), const void *parser);

#endif
