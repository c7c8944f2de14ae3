// Numbers for distinct trees, by hashing: equal trees have equal numbers.
#include "tree_map.h"
#include "runtime/value/account.h"

#include <stdlib.h>

// The slot of the tree, or the free slot where it would go.
static size_t slot_of(const TreeMap *map, const Ir *tree, uint64_t hash)
{
    const size_t last = map->slot_count - 1;
    for (size_t slot = (size_t)(hash >> 32) & last;; slot = (slot + 1) & last) {
        const int number = map->slot[slot] - 1;
        if (number < 0 || (map->entry[number].hash == hash && ir_equal(map->entry[number].tree, tree)))
            return slot;
    }
}

static void grow(TreeMap *map)
{
    enum { FEWEST = 16 };
    map->slot_count = map->slot_count ? 2 * map->slot_count : FEWEST;
    account_free(map->slot);
    map->slot = account_new(map->slot_count, sizeof *map->slot);
    map->entry = account_resized(map->entry, map->slot_count / 2, sizeof *map->entry);
    for (int i = 0; i < map->count; i++)
        map->slot[slot_of(map, map->entry[i].tree, map->entry[i].hash)] = i + 1;
}

int tree_find(const TreeMap *map, const Ir *tree)
{
    return map->count == 0 ? -1 : map->slot[slot_of(map, tree, ir_hash(tree))] - 1;
}

TreeEntry *tree_known(const TreeMap *map, const Ir *tree, uint64_t hash)
{
    const int number = map->count == 0 ? -1 : map->slot[slot_of(map, tree, hash)] - 1;
    return number < 0 ? NULL : &map->entry[number];
}

TreeEntry *tree_entry(TreeMap *map, const Ir *tree)
{
    return tree_entry_of(map, tree, ir_hash(tree));
}

TreeEntry *tree_entry_of(TreeMap *map, const Ir *tree, uint64_t hash)
{
    if ((size_t)map->count * 2 >= map->slot_count)
        grow(map);
    const size_t slot = slot_of(map, tree, hash);
    if (map->slot[slot] == 0) {
        map->entry[map->count] = (TreeEntry){.tree = tree, .hash = hash};
        map->slot[slot] = ++map->count;
    }
    return &map->entry[map->slot[slot] - 1];
}

int tree_number(TreeMap *map, const Ir *tree)
{
    const TreeEntry *entry = tree_entry(map, tree);
    return (int)(entry - map->entry);
}

// The newest entry is at the end of its chain of slots, because all later entries have been removed.
void tree_forget(TreeMap *map, int count)
{
    while (map->count > count) {
        const TreeEntry *last = &map->entry[map->count - 1];
        map->slot[slot_of(map, last->tree, last->hash)] = 0;
        map->count--;
    }
}

void tree_map_free(TreeMap *map)
{
    account_free(map->slot);
    account_free(map->entry);
    *map = (TreeMap){0};
}
