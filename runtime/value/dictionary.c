// Dictionaries as hash tables, with a treap for their order.
#include "dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { LEAST_BUCKETS = 16, KEPT_ENTRIES = 1 << 16 };

// ---- keys -------------------------------------------------------------------------------------------------

static uint64_t mixed(uint64_t hash)
{
    hash *= 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 29;
}

DictKey dict_key_int(int32_t key)
{
    return (DictKey){{.i = key}, (uint32_t)(mixed((uint32_t)key) >> 32)};
}

DictKey dict_key_set(uint64_t key)
{
    return (DictKey){{.s = key}, (uint32_t)(mixed(mixed(key)) >> 32)};
}

DictKey dict_key_string(String key)
{
    uint64_t hash = key->length, word = 0;
    const char *next = key->bytes;
    size_t left = key->length;
    for (; left >= sizeof word; left -= sizeof word, next += sizeof word) {
        memcpy(&word, next, sizeof word);
        hash = mixed(hash ^ word);
    }
    word = 0;
    memcpy(&word, next, left);
    return (DictKey){{.t = key}, (uint32_t)(mixed(mixed(hash ^ word)) >> 32)};
}

static bool keys_are_equal(int32_t type, Slot a, Slot b)
{
    switch (type) {
    case DICT_SET:
        return a.s == b.s;
    case DICT_STRING:
        return a.t == b.t || (a.t->length == b.t->length && memcmp(a.t->bytes, b.t->bytes, a.t->length) == 0);
    default:
        return a.i == b.i;
    }
}

// Is a key less than another (7.13)? Numbers by value, strings bytewise, positions by id, sets as 64-bit numbers.
static bool is_less(int32_t type, Slot a, Slot b)
{
    switch (type) {
    case DICT_SET:
        return a.s < b.s;
    case DICT_STRING:
        return string_compare(a.t, b.t) < 0;
    default:
        return a.i < b.i;
    }
}

// ---- strings of entries ----------------------------------------------------------------------------------

// Replaces a slot's borrowed string by a copy, unless the dictionary borrows.
static void own(const Dictionary *d, int32_t type, Slot *slot)
{
    if (type == DICT_STRING && !d->borrows)
        slot->t = string_copy(slot->t->bytes, slot->t->length);
}

static void defer_free(const Dictionary *d, DeferredStrings *g, int32_t type, Slot slot)
{
    if (type != DICT_STRING || d->borrows)
        return;
    if (!g) {
        string_free(slot.t);
        return;
    }
    MEMORY_PUSH(g->string, g->count, g->capacity, slot.t);
    g->bytes += string_size(slot.t);
}

void deferred_strings_empty(DeferredStrings *g)
{
    for (size_t i = 0; i < g->count; i++)
        string_free(g->string[i]);
    g->count = g->bytes = 0;
}

void deferred_strings_free(DeferredStrings *g)
{
    deferred_strings_empty(g);
    free(g->string);
    *g = (DeferredStrings){0};
}

static size_t entry_size(const Dictionary *d, const DictEntry *e)
{
    size_t size = sizeof *e;
    if (!d->borrows && d->key_type == DICT_STRING)
        size += string_size(e->key.t);
    if (!d->borrows && d->value_type == DICT_STRING)
        size += string_size(e->value.t);
    return size;
}

// ---- the hash table ---------------------------------------------------------------------------------------

// The link to the first entry of a chain.
static uint32_t *chain(const Dictionary *d, uint32_t hash)
{
    DictBucket *bucket = &d->bucket[hash & (d->bucket_count - 1)];
    if (bucket->generation != d->generation)
        *bucket = (DictBucket){d->generation, 0};
    return &bucket->first;
}

static void enter_chain(Dictionary *d, uint32_t number)
{
    uint32_t *first = chain(d, d->entry[number].hash);
    d->entry[number].next = *first;
    *first = number;
}

// The link to the entry under a key, or to 0 at the end of its chain.
static uint32_t *link_of(const Dictionary *d, DictKey key)
{
    uint32_t *link = chain(d, key.hash);
    while (*link) {
        DictEntry *e = &d->entry[*link];
        if (e->hash == key.hash && keys_are_equal(d->key_type, key.slot, e->key))
            break;
        link = &e->next;
    }
    return link;
}

static uint32_t number_of(const Dictionary *d, DictKey key)
{
    return d->size > 0 ? *link_of(d, key) : 0;
}

DictEntry *dict_find(const Dictionary *d, DictKey key)
{
    const uint32_t number = number_of(d, key);
    return number ? &d->entry[number] : NULL;
}

static void more_buckets(Dictionary *d)
{
    d->bucket_count = d->bucket_count ? 2 * d->bucket_count : LEAST_BUCKETS;
    free(d->bucket);
    d->bucket = memory_zeroed(d->bucket_count, sizeof *d->bucket);
    d->generation = 1;
    for (uint32_t i = 1; i <= d->count; i++)
        if (d->entry[i].used)
            enter_chain(d, i);
}

// ---- the tree ---------------------------------------------------------------------------------------------

static uint32_t next_priority(Dictionary *d)
{
    return (uint32_t)(mixed(++d->seed) >> 32);
}

// Splits a tree into the entries below `key` and those above it; `key` itself does not occur.
static void split(const Dictionary *d, uint32_t tree, Slot key, uint32_t *below, uint32_t *above)
{
    while (tree) {
        DictEntry *e = &d->entry[tree];
        if (is_less(d->key_type, e->key, key)) {
            *below = tree;
            below = &e->right;
            tree = e->right;
        } else {
            *above = tree;
            above = &e->left;
            tree = e->left;
        }
    }
    *below = *above = 0;
}

// Joins two trees, all keys of the first below those of the second, into *link.
static void join(const Dictionary *d, uint32_t *link, uint32_t a, uint32_t b)
{
    while (a && b) {
        if (d->entry[a].priority >= d->entry[b].priority) {
            *link = a;
            link = &d->entry[a].right;
            a = *link;
        } else {
            *link = b;
            link = &d->entry[b].left;
            b = *link;
        }
    }
    *link = a ? a : b;
}

static void enter_tree(Dictionary *d, uint32_t number)
{
    DictEntry *e = &d->entry[number];
    uint32_t *link = &d->root;
    e->priority = next_priority(d);
    while (*link && d->entry[*link].priority >= e->priority)
        link = is_less(d->key_type, e->key, d->entry[*link].key) ? &d->entry[*link].left
                                                                 : &d->entry[*link].right;
    split(d, *link, e->key, &e->left, &e->right);
    *link = number;
}

static void leave_tree(Dictionary *d, uint32_t number)
{
    const DictEntry *e = &d->entry[number];
    uint32_t *link = &d->root;
    while (*link != number)
        link = is_less(d->key_type, e->key, d->entry[*link].key) ? &d->entry[*link].left
                                                                 : &d->entry[*link].right;
    join(d, link, e->left, e->right);
}

static void make_order(Dictionary *d)
{
    d->root = 0;
    for (uint32_t i = 1; i <= d->count; i++)
        if (d->entry[i].used)
            enter_tree(d, i);
    d->ordered = true;
}

DictEntry *dict_above(Dictionary *d, const Slot *key)
{
    if (!d->ordered)
        make_order(d);
    uint32_t best = 0;
    for (uint32_t i = d->root; i;) {
        if (!key || is_less(d->key_type, *key, d->entry[i].key)) {
            best = i;
            i = d->entry[i].left;
        } else {
            i = d->entry[i].right;
        }
    }
    return best ? &d->entry[best] : NULL;
}

// ---- changes ----------------------------------------------------------------------------------------------

static uint32_t new_entry(Dictionary *d)
{
    const uint32_t number = d->free ? d->free : ++d->count;
    if (d->free)
        d->free = d->entry[number].next;
    else
        d->entry = memory_grow(d->entry, &d->capacity, (size_t)number + 1, sizeof *d->entry);
    return number;
}

static void insert(Dictionary *d, DictKey key, Slot value)
{
    if ((uint32_t)d->size >= d->bucket_count)
        more_buckets(d);
    const uint32_t number = new_entry(d);
    DictEntry *e = &d->entry[number];
    *e = (DictEntry){.key = key.slot, .value = value, .hash = key.hash, .used = true};
    own(d, d->key_type, &e->key);
    own(d, d->value_type, &e->value);
    enter_chain(d, number);
    if (d->ordered)
        enter_tree(d, number);
    d->size++;
    d->bytes += entry_size(d, e);
}

void dict_put(Dictionary *d, DictKey key, Slot value, DeferredStrings *deferred)
{
    DictEntry *e = dict_find(d, key);
    if (!e) {
        insert(d, key, value);
        return;
    }
    own(d, d->value_type, &value);
    d->bytes -= entry_size(d, e);
    defer_free(d, deferred, d->value_type, e->value);
    e->value = value;
    d->bytes += entry_size(d, e);
}

void dict_remove(Dictionary *d, DictKey key, DeferredStrings *deferred)
{
    const uint32_t number = number_of(d, key);
    if (!number)
        return;
    DictEntry *e = &d->entry[number];
    if (d->ordered)
        leave_tree(d, number);
    *link_of(d, key) = e->next;
    d->bytes -= entry_size(d, e);
    defer_free(d, deferred, d->key_type, e->key);
    defer_free(d, deferred, d->value_type, e->value);
    e->used = false;
    e->next = d->free;
    d->free = number;
    d->size--;
}

static void free_tables(Dictionary *d)
{
    free(d->entry);
    free(d->bucket);
    d->entry = NULL;
    d->bucket = NULL;
    d->capacity = 0;
    d->bucket_count = 0;
}

void dict_clear(Dictionary *d, DeferredStrings *deferred)
{
    for (uint32_t i = 1; !d->borrows && i <= d->count; i++) {
        if (d->entry[i].used) {
            defer_free(d, deferred, d->key_type, d->entry[i].key);
            defer_free(d, deferred, d->value_type, d->entry[i].value);
        }
    }
    if (d->capacity > KEPT_ENTRIES || ++d->generation == 0)
        free_tables(d);
    d->ordered = false;
    d->size = 0;
    d->bytes = 0;
    d->count = d->free = d->root = 0;
}

void dict_free(Dictionary *d)
{
    dict_clear(d, NULL);
    free_tables(d);
}
