// The words of the older dialects, as the help shows them. Those of CQL 6.2 are in op_info (table.h).
#ifndef CQL_DIALECT_WORDS_H
#define CQL_DIALECT_WORDS_H

#include "compiler/language/ast.h"

typedef struct DialectWord {
    const char *word;    // as written, keywords of CQL 3 with their colon
    const char *dialect; // for display: "CQL 5", "CQL 3"
    const char *help;
    const char *modern; // the same in CQL 6.2, NULL: the same word, or a longer expression
    bool is_new;        // CQL 6.2 has no such word, or in another meaning
} DialectWord;

// All words by dialect, in the order of its table; a word with two uses in one dialect is listed twice.
// *count: how many.
const DialectWord *dialect_words(size_t *count);

#endif
