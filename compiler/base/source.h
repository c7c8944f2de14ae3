// Query text, and places in it.
#ifndef CQL_SOURCE_H
#define CQL_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "arena.h"

// A stretch of the query: byte offsets into Source.text. A span made by expanding a function points to the
// body.
typedef struct Span {
    uint32_t start, end;
} Span;

// Line and column of a byte offset, both from 1; columns count characters (UTF-8), not bytes.
typedef struct Place {
    uint32_t line, column;
} Place;

typedef struct SourceMark {
    uint32_t offset;
    Place place;
} SourceMark;

// One query: a file, or the text of -e.
typedef struct Source {
    const char *name; // as shown in messages
    const char *text; // owned by the arena that made it; NUL-terminated, may contain anything else
    size_t length;
    const SourceMark *mark; // places at equal distances, for source_place; NULL: it counts from the start
} Source;

// Makes source_place fast for a text that does not change any more; in the arena.
void source_index(Arena *arena, Source *s);
Place source_place(const Source *s, uint32_t offset);
// The text of a line (from 1) without its line end; not NUL-terminated.
const char *source_line(const Source *s, uint32_t line, size_t *length);

#endif
