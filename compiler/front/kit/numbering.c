// Numbers for strings of bytes: a hash table with open addressing.
#include "numbering.h"

#include <stdint.h>
#include <string.h>

static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t h = length;
    for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        const size_t rest = length - at;
        memcpy(&word, bytes + at, rest < sizeof word ? rest : sizeof word);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

// Where the number of the bytes is, or the free slot where it belongs.
static int find_slot(const Numbering *n, const void *bytes, size_t length)
{
    int i = (int)(hash_of(bytes, length) & (uint64_t)(n->slots - 1));
    for (; n->slot[i] != 0; i = (i + 1) & (n->slots - 1)) {
        const struct NumberedBytes *e = &n->entry[n->slot[i] - 1];
        if (e->length == length && (length == 0 || memcmp(e->bytes, bytes, length) == 0))
            break;
    }
    return i;
}

static void grow(Numbering *n)
{
    n->slots = n->slots == 0 ? 64 : 4 * n->slots;
    n->slot = arena_alloc(n->arena, sizeof *n->slot * (size_t)n->slots);
    for (int i = 0; i < n->count; i++)
        n->slot[find_slot(n, n->entry[i].bytes, n->entry[i].length)] = i + 1;
}

int numbering_add(Numbering *n, const void *bytes, size_t length)
{
    if (2 * n->count >= n->slots)
        grow(n);
    const int slot = find_slot(n, bytes, length);
    if (n->slot[slot] != 0)
        return n->slot[slot] - 1;
    const struct NumberedBytes entry = {arena_copy(n->arena, bytes, length), length};
    ARENA_PUSH(n->arena, n->entry, n->count, entry);
    n->slot[slot] = n->count;
    return n->count - 1;
}
