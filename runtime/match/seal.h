// Seals of compiled matchers: the end of the file is a hash of what comes before, and a text inside says what processor the matcher
// needs. Matchers that people build themselves from emitted C have neither.
#ifndef CQL_SEAL_H
#define CQL_SEAL_H

#include <stdbool.h>
#include <stddef.h>

typedef enum SealState {
    SEAL_GOOD,
    SEAL_NONE,  // the file never had one
    SEAL_BROKEN // the file is damaged
} SealState;

SealState seal_state(const char *bytes, size_t length);

// A feature of the processor that the matcher needs and this processor lacks; NULL: none.
const char *seal_missing_feature(const char *bytes, size_t length);

// C that puts the text into a matcher: what it needs is what the compiler may use. It follows the emitted C.
const char *seal_text(void);

// Appends the name, if there is one, and the seal to a file; false when that fails.
bool seal_add(const char *path, const char *name);

// Is it a file with a good seal, and with this name?
bool seal_has_name(const char *bytes, size_t length, const char *name);

// A whole regular file of the user's or, with `anybody`, of anybody's (malloc'd); NULL: it cannot be read.
char *seal_read_file(const char *path, bool anybody, size_t *length);

#endif
