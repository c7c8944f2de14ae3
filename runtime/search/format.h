// How a matching game is written in each format.
#ifndef CQL_FORMAT_H
#define CQL_FORMAT_H

#include "../match/runtime.h"
#include "search.h"

// What one query found in a game.
typedef struct Found {
    const QueryInfo *query;
    const RunResult *result; // matched
} Found;

// Reusable memory of a writer; one a thread. Zero-initialised by the caller.
typedef struct FormatMemory {
    Text *added;
    bool *drop;
    int32_t *first, *last, *next;
    int32_t position_capacity, entry_capacity;
    Buffer text;
} FormatMemory;
void format_memory_free(FormatMemory *m);

// `GAME: ID ID ...`, after `QUERY<tab>` when `label` is set.
void format_positions(Buffer *out, int64_t game, const Found *found, bool label);

// The game with tags, moves and comments (language reference 10). `game` must hold the whole tree and its notes; several queries
// add their texts in order.
void format_pgn(Buffer *out, Game *game, const Found *found, size_t count, FormatMemory *memory);

// One JSON object on a line.
void format_jsonl(Buffer *out, Game *game, const Found *found, FormatMemory *memory);

#endif
