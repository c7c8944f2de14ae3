// Numbers for distinct trees, by hashing: equal trees have equal numbers.
#ifndef CQL_IR_TREE_MAP_H
#define CQL_IR_TREE_MAP_H

#include "ir.h"

typedef struct TreeEntry {
    const Ir *tree;
    uint64_t hash;
    int value;        // the user's; 0 at first
    const char *name; // the same; NULL at first
} TreeEntry;

typedef struct TreeMap { // all zero: empty
    TreeEntry *entry;    // by number
    int count;
    int *slot; // 1 + number, 0: free
    size_t slot_count;
} TreeMap;

// The number of an equal tree, in the order in which they were added; tree_find returns -1 when there is none,
// the others add the tree, which must stay as it is. An entry can move when another tree is added.
int tree_find(const TreeMap *map, const Ir *tree);
TreeEntry *tree_entry(TreeMap *map, const Ir *tree);
int tree_number(TreeMap *map, const Ir *tree);
// The same for a tree whose ir_hash is known; NULL: there is none.
TreeEntry *tree_known(const TreeMap *map, const Ir *tree, uint64_t hash);
TreeEntry *tree_entry_of(TreeMap *map, const Ir *tree, uint64_t hash);
void tree_forget(TreeMap *map, int count); // all numbers from `count` on
void tree_map_free(TreeMap *map);

#endif
