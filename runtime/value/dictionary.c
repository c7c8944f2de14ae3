#include "dictionary.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_strings(String a, String b)
{
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->bytes, b->bytes, shorter);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

int dict_compare(int32_t type, Slot a, Slot b)
{
    switch (type) {
    case DICT_SET:
        return (a.s > b.s) - (a.s < b.s);
    case DICT_STRING:
        return compare_strings(a.t, b.t);
    default:
        return (a.i > b.i) - (a.i < b.i);
    }
}

// ---- strings of entries ----------------------------------------------------------------------------------

static size_t string_size(String s)
{
    return offsetof(CqlString, bytes) + s->length + 1;
}

// Replaces a slot's borrowed string by a copy. False when memory is out.
static bool own(int32_t type, Slot *slot)
{
    if (type != DICT_STRING)
        return true;
    CqlString *copy =
        malloc(string_size(slot->t) < sizeof(CqlString) ? sizeof(CqlString) : string_size(slot->t));
    if (!copy)
        return false;
    memcpy(copy, slot->t, string_size(slot->t));
    slot->t = copy;
    return true;
}

static void bury(Graveyard *g, int32_t type, Slot slot)
{
    if (type != DICT_STRING)
        return;
    if (!g) {
        free((void *)(uintptr_t)slot.t);
        return;
    }
    if (g->count == g->capacity) {
        size_t capacity = g->capacity ? 2 * g->capacity : 64;
        g->string = memory_resized(g->string, capacity, sizeof *g->string);
        g->capacity = capacity;
    }
    g->string[g->count++] = slot.t;
    g->bytes += string_size(slot.t);
}

void graveyard_empty(Graveyard *g)
{
    for (size_t i = 0; i < g->count; i++)
        free((void *)(uintptr_t)g->string[i]);
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
        int order = dict_compare(d->key_type, key, e->key);
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
        if (!key || dict_compare(d->key_type, *key, e->key) < 0) {
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
        if (dict_compare(d->key_type, tree->key, key) < 0) {
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

static bool insert(Dictionary *d, Slot key, Slot value)
{
    DictEntry *e = malloc(sizeof *e);
    if (!e || !own(d->key_type, &key)) {
        free(e);
        return false;
    }
    if (!own(d->value_type, &value)) {
        bury(NULL, d->key_type, key);
        free(e);
        return false;
    }
    e->priority = next_priority(d);
    e->key = key;
    e->value = value;
    DictEntry **link = &d->root;
    while (*link && (*link)->priority >= e->priority)
        link = dict_compare(d->key_type, key, (*link)->key) < 0 ? &(*link)->left : &(*link)->right;
    split(d, *link, key, &e->left, &e->right);
    *link = e;
    d->size++;
    d->bytes += entry_size(d, e);
    return true;
}

bool dict_put(Dictionary *d, Slot key, Slot value, Graveyard *graveyard)
{
    DictEntry *e = dict_find(d, key);
    if (!e)
        return insert(d, key, value);
    if (!own(d->value_type, &value))
        return false;
    d->bytes -= entry_size(d, e);
    bury(graveyard, d->value_type, e->value);
    e->value = value;
    d->bytes += entry_size(d, e);
    return true;
}

void dict_remove(Dictionary *d, Slot key, Graveyard *graveyard)
{
    DictEntry **link = &d->root;
    while (*link) {
        int order = dict_compare(d->key_type, key, (*link)->key);
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
