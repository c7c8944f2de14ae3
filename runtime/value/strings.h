// Strings (value.h): comparing, copying, and arenas for strings that are freed together.
#ifndef CQL_STRINGS_H
#define CQL_STRINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "value.h"

extern const CqlString string_empty;

// Runtime calls take NULL for the empty string.
static inline String string_or_empty(String s)
{
    return s ? s : &string_empty;
}

// Bytewise order: -1, 0 or 1.
int string_compare(String a, String b);

// Where `part` first occurs in `text`, or NULL. Takes linear time.
const char *string_find(const char *text, size_t length, const char *part, size_t part_length);

// Are all bytes ASCII characters?
bool string_is_ascii(String s);

// Copies `length` bytes, with the ASCII letters from `first` to `first` + 25 in the other case.
void string_fold(char *to, const char *from, size_t length, char first);

// The memory that a string takes, in bytes.
size_t string_size(String s);

// A copy of `length` bytes in memory of its own; free it with string_free.
String string_copy(const char *bytes, size_t length);
void string_free(String s); // may be NULL

// ---- arenas -----------------------------------------------------------------------------------------------

typedef struct StringChunk StringChunk;

// Zero-initialised, with `cap` set.
typedef struct StringArena {
    StringChunk *first, *current;
    size_t used; // bytes handed out since the last reset
    size_t cap;  // most bytes that may be handed out between two resets
} StringArena;

// A string of `length` bytes, terminated but not filled in; NULL when the cap or memory is exhausted. Owned
// by the arena.
CqlString *string_arena_new(StringArena *a, size_t length);

// Frees all strings. Memory up to a moderate size is kept for the next use.
void string_arena_reset(StringArena *a);

void string_arena_free(StringArena *a);

#endif
