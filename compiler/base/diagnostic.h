// Diagnostics: one type from the lexer to the command line.
#ifndef CQL_DIAGNOSTIC_H
#define CQL_DIAGNOSTIC_H

#include <stdbool.h>
#include <stdio.h>

#include "arena.h"
#include "source.h"

typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } Severity;

// What puts it right: the text that replaces a span, which may be empty. text NULL: it is not known.
typedef struct Cure {
    Span span;
    const char *text;
} Cure;

typedef struct Diagnostic {
    Severity severity;
    Span span;
    const char *message;    // what is wrong and what was expected
    const char *suggestion; // "did you mean `x`?", another advice, or NULL
    Cure cure;              // for editors
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
// Adds "did you mean `NAME`?" to the last diagnostic when one of the names is near `word`, and the cure when `word` is its span.
void diag_suggest(Diagnostics *d, const char *word, size_t length, const char *const *names, size_t count);

// Adds the advice to the last diagnostic, after a semicolon.
void diag_advise(Diagnostics *d, const char *advice);
// Adds a cure to the last diagnostic; with blanks where letters or digits would join what is around it.
void diag_cure(Diagnostics *d, Span span, const char *text);
// Puts errors and warnings into the order of the text, each with the notes that follow it.
void diag_sort(Diagnostics *d);

// Prints `FILE:LINE:COLUMN: error: MESSAGE`, the source line and a caret range for each, as terminal.h says. `colour`: ANSI
// escapes.
void diag_print(const Diagnostics *d, FILE *out, bool colour);

#endif
