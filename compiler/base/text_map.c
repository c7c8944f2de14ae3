// Numbers for distinct texts, by hashing.
#include "text_map.h"

#include <string.h>

struct TextMapCell {
    const char *bytes; // NULL: free
    uint32_t length, hash;
    int number;
};

static uint32_t hash_of(const char *bytes, uint32_t length)
{
    uint64_t hash = length;
    for (uint32_t at = 0; at < length; at += (uint32_t)sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, bytes + at, length - at < sizeof word ? length - at : sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return (uint32_t)hash;
}

// The cell of the text, or the free one where it would go.
static TextMapCell *cell_of(const TextMap *map, const char *bytes, uint32_t length, uint32_t hash)
{
    for (uint32_t i = hash;; i++) {
        TextMapCell *cell = &map->cell[i & (map->capacity - 1)];
        if (cell->bytes == NULL ||
            (cell->hash == hash && cell->length == length && memcmp(cell->bytes, bytes, length) == 0))
            return cell;
    }
}

static void grow(Arena *a, TextMap *map)
{
    enum { FEWEST = 16 };
    const TextMap old = *map;
    map->capacity = old.capacity > 0 ? 2 * old.capacity : FEWEST;
    map->cell = arena_alloc(a, map->capacity * sizeof *map->cell);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.cell[i].bytes != NULL)
            *cell_of(map, old.cell[i].bytes, old.cell[i].length, old.cell[i].hash) = old.cell[i];
}

int text_map_number(Arena *a, TextMap *map, const char *bytes, uint32_t length, bool *is_new)
{
    if (2 * (uint32_t)map->count >= map->capacity)
        grow(a, map);
    const uint32_t hash = hash_of(bytes, length);
    TextMapCell *cell = cell_of(map, bytes, length, hash);
    const bool added = cell->bytes == NULL;
    if (added)
        *cell = (TextMapCell){bytes, length, hash, map->count++};
    if (is_new != NULL)
        *is_new = added;
    return cell->number;
}

int text_map_find(const TextMap *map, const char *bytes, uint32_t length)
{
    const TextMapCell *cell = map->count > 0 ? cell_of(map, bytes, length, hash_of(bytes, length)) : NULL;
    return cell != NULL && cell->bytes != NULL ? cell->number : -1;
}
