// Regular expressions of the language (7.11): the ECMAScript syntax on bytes, matched by PCRE2 after
// translation. Patterns that are plain text are searched for directly, and texts without the longest literal that a
// pattern requires never reach PCRE2. Whether a pattern of characters, sets and `.*` matches is found without PCRE2, too.
//
// The translation parses the whole pattern, so that it rejects what PCRE2 has and ECMAScript lacks.
#ifndef CQL_REGEX_H
#define CQL_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

enum {
    REGEX_UNICODE = 1, // text and pattern are UTF-8, and characters are code points (13.1)
    REGEX_NAMES = 2    // groups may have names: (?<name>…) (13.7)
};

// Returns NULL, or a static text with the error in a malformed pattern. `flags` are REGEX_ bits.
const char *regex_check(const char *pattern, size_t length, int flags);

// Appends the longest text that every match of a pattern without errors contains; it may be empty.
void regex_literal(const char *pattern, size_t length, int flags, Buffer *out);

// A compiled pattern. Immutable after regex_new; may be shared by threads.
typedef struct Regex Regex;

// Compiles a pattern. On failure returns NULL and sets *message (static).
Regex *regex_new(const char *pattern, size_t length, int flags, const char **message);
void regex_free(Regex *re);

// A text that every match contains, with its length, which may be 0.
const char *regex_required(const Regex *re, size_t *length);

// A match in the beginning of a line is one in the whole line, too.
bool regex_is_local(const Regex *re);

// Number of groups, the whole match not counted.
int regex_groups(const Regex *re);
// The number of a named group, or -1.
int regex_group_number(const Regex *re, const char *name);

// Working memory of matching, one per thread. Zero-initialised; filled by the first match.
typedef struct RegexMemory {
    void *match_data, *context, *stack; // of PCRE2
    int groups;                         // for which match_data has room
    uint32_t limit;                     // that the context has; 0: not set
    // Of the caller, before each match: the steps that it may take, 0: any number; and whether to end it, asked now and then, or
    // NULL.
    int64_t most_steps;
    bool (*stopped)(void *user);
    void *user;
    int64_t steps;    // that the last match took: one for each place where it went on, and for each 64 bytes
    size_t place;     // where it was last
    int part;         // of a pattern that regex_test_line did not find: the first part that is missing
    size_t part_from; // and where it was looked for
} RegexMemory;
void regex_memory_free(RegexMemory *m);

// The offset of a group that did not take part in the match.
#define REGEX_NO_OFFSET ((size_t)-1)

typedef enum RegexResult {
    REGEX_NONE,
    REGEX_FOUND,
    REGEX_LIMIT,  // too much backtracking or memory
    REGEX_STOPPED // it took most_steps, or was ended
} RegexResult;

// Finds the first match at or after `start`; with `nonempty_here`, one that begins at `start` and is not empty.
// Fills offset[2 * g] and offset[2 * g + 1] with begin and end of the groups 0 ..
// regex_groups.
RegexResult regex_match(const Regex *re, RegexMemory *memory, const char *text, size_t length, size_t start,
                        bool nonempty_here, size_t *offset);

// Does the pattern match somewhere in the text? Cheaper than regex_match.
RegexResult regex_test(const Regex *re, RegexMemory *memory, const char *text, size_t length);

// regex_test for a text in which no line ends. before: the length of its beginning in which the pattern, which is local, did not
// match when the memory was used last; 0: any text.
RegexResult regex_test_line(const Regex *re, RegexMemory *memory, const char *line, size_t length,
                            size_t before);

// regex_test without memory that is kept and without a bound on steps; false at the limit, too.
bool regex_found(const Regex *re, const char *text, size_t length);

#endif
