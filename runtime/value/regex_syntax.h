// Translation of the language's regular expressions to PCRE2 (language reference 7.11). Internal to
// runtime/value.
#ifndef CQL_REGEX_SYNTAX_H
#define CQL_REGEX_SYNTAX_H

#include <stdbool.h>
#include <stdint.h>

#include "buffer.h"

// A set of bytes.
typedef struct ByteSet {
    uint64_t word[4];
} ByteSet;

static inline bool byte_set_has(const ByteSet *set, char byte)
{
    return set->word[(unsigned char)byte >> 6] >> (byte & 63) & 1;
}

// One byte of a match.
typedef struct ChainLink {
    ByteSet set;
    bool is_single; // it has one member, Chain.bytes
    bool after_gap; // `.*` is before it
} ChainLink;

// A pattern of bytes and sets of bytes with `.*` between some of them, such as `k.*[QR]K`. In a text without ends of lines it
// matches where its parts between the gaps follow each other.
typedef struct Chain {
    Buffer links;          // of ChainLink
    Buffer bytes;          // by link: the only member of its set, or 0
    bool is_all;           // it is the whole pattern
    bool at_start, at_end; // the first (last) part is at the beginning (end) of the text
    bool gap;              // `.*` was read last
} Chain;

static inline int chain_length(const Chain *chain)
{
    return (int)(chain->links.length / sizeof(ChainLink));
}

// What a pattern requires of every match.
typedef struct Literal {
    Buffer text;           // is part of the match; may be empty
    bool is_all;           // it is the match, and nothing else is required but:
    bool at_start, at_end; // the match begins and ends where the subject does
    Chain chain;
} Literal;

static inline void literal_free(Literal *literal)
{
    buffer_free(&literal->text);
    buffer_free(&literal->chain.links);
    buffer_free(&literal->chain.bytes);
}

// A flag of regex_translate beside those of regex.h: the translation has a callout at its beginning and after everything that
// can match a text of any length, so that all work lies between two callouts that are not far from each other in the text.
enum { REGEX_METERED = 1 << 8 };

// Appends the translation to a buffer and fills in the zero-initialised literal. Returns NULL, or a static text with
// the error in the pattern. `flags` are REGEX_ bits (regex.h). The caller frees both buffers in any case.
const char *regex_translate(const char *pattern, size_t length, int flags, Buffer *out, Literal *literal);

#endif
