// Query text, places in it, and diagnostics. One diagnostic type from the lexer to the command line.
#ifndef CQL_SOURCE_H
#define CQL_SOURCE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Memory that lives as long as one compiled query; freed at once. Allocation never returns NULL (it ends the
// program with a message when memory is exhausted).
typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *a);
void *arena_alloc(Arena *a, size_t size);                    // zeroed, aligned to 16
char *arena_copy(Arena *a, const char *text, size_t length); // NUL-terminated copy
char *arena_printf(Arena *a, const char *format, ...) __attribute__((nonnull, format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *format, va_list arguments)
    __attribute__((nonnull(1, 2), format(printf, 2, 0)));

// Grows an arena array by doubling: `ARENA_PUSH(arena, array, count, value)`; array and count are lvalues.
#define ARENA_PUSH(arena, array, count, value)                                                               \
    do {                                                                                                     \
        if (((count) & ((count)-1)) == 0) {                                                                  \
            size_t bytes_ = sizeof *(array) * (size_t)(count);                                               \
            void *grown_ = arena_alloc((arena), bytes_ ? 2 * bytes_ : sizeof *(array));                      \
            if (bytes_)                                                                                      \
                __builtin_memcpy(grown_, (array), bytes_);                                                   \
            (array) = grown_;                                                                                \
        }                                                                                                    \
        (array)[(count)++] = (value);                                                                        \
    } while (0)

// A stretch of the query: byte offsets into Source.text. A span made by expanding a function points to the
// body.
typedef struct Span {
    uint32_t start, end;
} Span;

// One query: a file, or the text of -e.
typedef struct Source {
    const char *name; // as shown in messages
    const char *text; // owned by the arena that made it; NUL-terminated, may hold anything else
    size_t length;
} Source;

// Line and column of a byte offset, both from 1; columns count characters (UTF-8), not bytes.
typedef struct Place {
    uint32_t line, column;
} Place;
Place source_place(const Source *s, uint32_t offset);
// The text of a line (from 1) without its line end; not NUL-terminated.
const char *source_line(const Source *s, uint32_t line, size_t *length);

typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } Severity;

typedef struct Diagnostic {
    Severity severity;
    Span span;
    const char *message;    // what is wrong and what was expected
    const char *suggestion; // "did you mean `x`?", another advice, or NULL
} Diagnostic;

// Collects what is wrong with a query, in the order found.
typedef struct Diagnostics {
    Arena *arena;
    const Source *source;
    Diagnostic *list;
    int count, errors;
} Diagnostics;

void diag_add(Diagnostics *d, Severity severity, Span span, const char *format, ...)
    __attribute__((nonnull(4), format(printf, 4, 5)));
// The name that is nearest to `word` (edit distance, letter case apart), NULL when none is near.
const char *nearest_name(const char *word, size_t length, const char *const *names, size_t count);
// Adds "did you mean `NAME`?" to the last diagnostic when one of the names is near `word`.
void diag_suggest(Diagnostics *d, const char *word, size_t length, const char *const *names, size_t count);

// Adds the advice to the last diagnostic, behind a semicolon.
void diag_advise(Diagnostics *d, const char *advice);
// Puts errors and warnings into the order of the text, each with the notes that follow it.
void diag_sort(Diagnostics *d);

// Prints `FILE:LINE:COLUMN: error: MESSAGE`, the source line and a caret range for each. `colour`: ANSI
// escapes.
void diag_print(const Diagnostics *d, FILE *out, bool colour);

#endif
