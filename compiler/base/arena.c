// Memory of one compiled query: chunks that are freed together.
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/account.h"
#include "runtime/value/memory.h"

enum { CHUNK_BYTES = 64 * 1024 };

typedef struct Chunk {
    struct Chunk *previous;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
} Chunk;

struct Arena {
    AccountEntry entry; // first
    Chunk *chunk;
};

static Chunk *chunk_new(Arena *a, size_t size, Chunk *previous)
{
    if (size > SIZE_MAX - sizeof(Chunk))
        size = SIZE_MAX - sizeof(Chunk);
    account_charge(&a->entry, sizeof(Chunk) + size);
    Chunk *chunk = memory_resized(NULL, 1, sizeof(Chunk) + size); // arena_alloc clears what is used of it
    *chunk = (Chunk){.previous = previous, .size = size};
    return chunk;
}

static void end_arena(AccountEntry *entry)
{
    arena_free((Arena *)(void *)entry);
}

Arena *arena_new(void)
{
    Arena *a = memory_zeroed(1, sizeof *a);
    account_enter(&a->entry, end_arena);
    a->chunk = chunk_new(a, CHUNK_BYTES, NULL);
    return a;
}

void arena_free(Arena *a)
{
    if (a == NULL)
        return;
    for (Chunk *chunk = a->chunk; chunk != NULL;) {
        Chunk *previous = chunk->previous;
        free(chunk);
        chunk = previous;
    }
    account_leave(&a->entry);
    free(a);
}

void *arena_alloc(Arena *a, size_t size)
{
    if (size <= SIZE_MAX - 15)
        size = (size + 15) & ~(size_t)15;
    if (size > a->chunk->size - a->chunk->used) {
        if (size >
            CHUNK_BYTES /
                4) { // a block of its own, before the current chunk in the list; the rest of that stays in use
            a->chunk->previous = chunk_new(a, size, a->chunk->previous);
            return memset(a->chunk->previous->bytes, 0, size);
        }
        a->chunk = chunk_new(a, CHUNK_BYTES, a->chunk);
    }
    void *memory = a->chunk->bytes + a->chunk->used;
    a->chunk->used += size;
    return memset(memory, 0, size);
}

char *arena_copy(Arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    if (length > 0)
        memcpy(copy, text, length);
    return copy;
}

char *arena_vprintf(Arena *a, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = arena_alloc(a, size);
    vsnprintf(text, size, format, arguments);
    return text;
}

char *arena_printf(Arena *a, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(a, format, arguments);
    va_end(arguments);
    return text;
}
