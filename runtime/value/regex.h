// Regular expressions of the language (7.11): the ECMAScript syntax on bytes, matched by PCRE2 after
// translation.
//
// The translation parses the pattern completely, so that what PCRE2 has and ECMAScript lacks is refused, and
// writes an equivalent pattern in which every class is spelled out byte by byte.
#ifndef CQL_REGEX_H
#define CQL_REGEX_H

#include <stdbool.h>
#include <stddef.h>

enum {
    REGEX_UNICODE = 1, // text and pattern are UTF-8, and characters are code points (13.1)
    REGEX_NAMES = 2    // groups may have names: (?<name>…) (13.7)
};

// NULL when the pattern is well-formed, else a static text that says what is wrong. `flags` are REGEX_ bits.
const char *regex_check(const char *pattern, size_t length, int flags);

// A compiled pattern. Immutable after regex_new; may be shared by threads.
typedef struct Regex Regex;

// Compiles a pattern. On failure returns NULL and sets *message (static).
Regex *regex_new(const char *pattern, size_t length, int flags, const char **message);
void regex_free(Regex *re);

// Number of groups, the whole match not counted.
int regex_groups(const Regex *re);
// The number of a named group, or -1.
int regex_group_number(const Regex *re, const char *name);

// What matching needs beside the pattern: one a thread. Zero-initialised; filled by the first match.
typedef struct RegexMemory {
    void *match_data, *context, *stack; // of PCRE2
    int groups;                         // for which match_data has room
} RegexMemory;
void regex_memory_free(RegexMemory *m);

// An offset that stands for "this group took no part".
#define REGEX_NO_OFFSET ((size_t)-1)

typedef enum RegexResult {
    REGEX_NONE,
    REGEX_FOUND,
    REGEX_LIMIT // given up: too much backtracking or memory
} RegexResult;

// Looks for the first match at or after `start`. With `nonempty_here` only a match that begins at `start` and
// is not empty counts. Fills offset[2 * g] and offset[2 * g + 1] with begin and end of the groups 0 ..
// regex_groups.
RegexResult regex_match(const Regex *re, RegexMemory *memory, const char *text, size_t length, size_t start,
                        bool nonempty_here, size_t *offset);

#endif
