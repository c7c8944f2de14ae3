// Dictionaries as treaps.
#include "dictionary.h"

#include <stdlib.h>

#include "memory.h"

// Order of two keys (7.13): numbers by value, strings bytewise, positions by id, sets as 64-bit numbers.
static int compare_keys(int32_t type, Slot a, Slot b)
{
    switch (type) {
    case DICT_SET:
        return (a.s > b.s) - (a.s < b.s);
    case DICT_STRING:
        return string_compare(a.t, b.t);
    default:
        return (a.i > b.i) - (a.i < b.i);
    }
}

// ---- strings of entries ----------------------------------------------------------------------------------

// Replaces a slot's borrowed string by a copy.
static void own(int32_t type, Slot *slot)
{
    if (type == DICT_STRING)
        slot->t = string_copy(slot->t->bytes, slot->t->length);
}

static void bury(Graveyard *g, int32_t type, Slot slot)
{
    if (type != DICT_STRING)
        return;
    if (!g) {
        string_free(slot.t);
        return;
    }
    g->string = memory_grow(g->string, &g->capacity, g->count + 1, sizeof *g->string);
    g->string[g->count++] = slot.t;
    g->bytes += string_size(slot.t);
}

void graveyard_empty(Graveyard *g)
{
    for (size_t i = 0; i < g->count; i++)
        string_free(g->string[i]);
    g->count = g->bytes = 0;
}

void graveyard_free(Graveyard *g)
{
    graveyard_empty(g);
    free(g->string);
    *g = (Graveyard){0};
}

static size_t entry_size(const Dictionary *d, const DictEntry *e)
{
    return sizeof *e + (d->key_type == DICT_STRING ? string_size(e->key.t) : 0) +
           (d->value_type == DICT_STRING ? string_size(e->value.t) : 0);
}

// ---- the tree --------------------------------------------------------------------------------------------

static uint64_t next_priority(Dictionary *d)
{
    uint64_t z = d->seed += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

DictEntry *dict_find(const Dictionary *d, Slot key)
{
    DictEntry *e = d->root;
    while (e) {
        int order = compare_keys(d->key_type, key, e->key);
        if (order == 0)
            return e;
        e = order < 0 ? e->left : e->right;
    }
    return NULL;
}

DictEntry *dict_above(const Dictionary *d, const Slot *key)
{
    DictEntry *best = NULL;
    for (DictEntry *e = d->root; e;) {
        if (!key || compare_keys(d->key_type, *key, e->key) < 0) {
            best = e;
            e = e->left;
        } else {
            e = e->right;
        }
    }
    return best;
}

// Splits a tree into the entries below `key` and those above it; `key` itself does not occur.
static void split(const Dictionary *d, DictEntry *tree, Slot key, DictEntry **below, DictEntry **above)
{
    while (tree) {
        if (compare_keys(d->key_type, tree->key, key) < 0) {
            *below = tree;
            below = &tree->right;
            tree = tree->right;
        } else {
            *above = tree;
            above = &tree->left;
            tree = tree->left;
        }
    }
    *below = *above = NULL;
}

// Joins two trees, all keys of the first below those of the second, into *link.
static void join(DictEntry **link, DictEntry *a, DictEntry *b)
{
    while (a && b) {
        if (a->priority >= b->priority) {
            *link = a;
            link = &a->right;
            a = a->right;
        } else {
            *link = b;
            link = &b->left;
            b = b->left;
        }
    }
    *link = a ? a : b;
}

static void insert(Dictionary *d, Slot key, Slot value)
{
    DictEntry *e = memory_new(sizeof *e);
    own(d->key_type, &key);
    own(d->value_type, &value);
    *e = (DictEntry){.priority = next_priority(d), .key = key, .value = value};
    DictEntry **link = &d->root;
    while (*link && (*link)->priority >= e->priority)
        link = compare_keys(d->key_type, key, (*link)->key) < 0 ? &(*link)->left : &(*link)->right;
    split(d, *link, key, &e->left, &e->right);
    *link = e;
    d->size++;
    d->bytes += entry_size(d, e);
}

void dict_put(Dictionary *d, Slot key, Slot value, Graveyard *graveyard)
{
    DictEntry *e = dict_find(d, key);
    if (!e) {
        insert(d, key, value);
        return;
    }
    own(d->value_type, &value);
    d->bytes -= entry_size(d, e);
    bury(graveyard, d->value_type, e->value);
    e->value = value;
    d->bytes += entry_size(d, e);
}

void dict_remove(Dictionary *d, Slot key, Graveyard *graveyard)
{
    DictEntry **link = &d->root;
    while (*link) {
        int order = compare_keys(d->key_type, key, (*link)->key);
        if (order == 0)
            break;
        link = order < 0 ? &(*link)->left : &(*link)->right;
    }
    DictEntry *e = *link;
    if (!e)
        return;
    join(link, e->left, e->right);
    d->bytes -= entry_size(d, e);
    bury(graveyard, d->key_type, e->key);
    bury(graveyard, d->value_type, e->value);
    free(e);
    d->size--;
}

void dict_clear(Dictionary *d, Graveyard *graveyard)
{
    // Rotating left children up turns the tree into a list while it is freed: no recursion, no stack.
    DictEntry *e = d->root;
    while (e) {
        if (e->left) {
            DictEntry *left = e->left;
            e->left = left->right;
            left->right = e;
            e = left;
            continue;
        }
        DictEntry *next = e->right;
        bury(graveyard, d->key_type, e->key);
        bury(graveyard, d->value_type, e->value);
        free(e);
        e = next;
    }
    d->root = NULL;
    d->size = 0;
    d->bytes = 0;
}
