// The words of the `hhdb` filter (language reference 9.7). In a tree, Ast.number is an enum Hhdb; of HHDB_AWARD,
// Ast.low is the kind and Ast.high the flags.
#ifndef CQL_LANGUAGE_HHDB_H
#define CQL_LANGUAGE_HHDB_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/match/calls/hhdb.h"
#include "table.h"

// Where a word goes.
typedef enum HhdbPlace {
    HHDB_KEY,  // after `hhdb`: value is an enum Hhdb
    HHDB_PART, // after `hhdb gbr`: likewise
    HHDB_KIND, // award words: value is the kind of award
    HHDB_FLAG  // award words: value is an AWARD_ flag
} HhdbPlace;

typedef struct HhdbWord {
    const char *word;
    HhdbPlace place;
    int value;
    Type type;        // of the filter; a string key may be followed by a string to search
    const char *text; // HHDB_CODE, HHDB_TEXT_HERE: what is looked for
    bool variations;  // means nothing unless variations are searched
    bool cqli;        // of CQLi only (13.9)
} HhdbWord;
extern const HhdbWord hhdb_words[];
extern const size_t hhdb_word_count;

// The word at one of the places (bits 1 << HHDB_KEY …), or NULL.
const HhdbWord *hhdb_find(const char *word, unsigned places);
// Is the word written without quotes?
bool hhdb_is_plain(const HhdbWord *word);

#endif
