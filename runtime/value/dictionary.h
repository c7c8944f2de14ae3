// Dictionaries (language reference 7.13): ordered maps from keys of one type to values of one type. A hash table
// finds entries; the first request for an order makes a tree of them as well, balanced by random priorities (a
// treap), so that every access takes logarithmic time at most.
#ifndef CQL_DICTIONARY_H
#define CQL_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>

#include "strings.h"

// Types of keys and values, as in DictionaryInfo.
enum { DICT_INT, DICT_SET, DICT_STRING, DICT_POSITION };

// A key and its hash.
typedef struct DictKey {
    Slot slot;
    uint32_t hash;
} DictKey;

// Keys of the types int and position, set, and string. The string is not copied.
DictKey dict_key_int(int32_t key);
DictKey dict_key_set(uint64_t key);
DictKey dict_key_string(String key);

// Entries are numbered from 1; 0 means none.
typedef struct DictEntry {
    Slot key, value;
    uint32_t hash;
    uint32_t next;        // in the chain of its bucket, or of free entries
    uint32_t left, right; // in the tree
    uint32_t priority;
    bool used;
} DictEntry;

// The first entry of a chain. Chains of other generations are empty.
typedef struct DictBucket {
    uint32_t generation, first;
} DictBucket;

// Zero-initialised, with the types and `borrows` set; free it with dict_free.
typedef struct Dictionary {
    int32_t key_type, value_type;
    bool borrows; // strings are kept by reference and must last until dict_clear; otherwise they are copied
    bool ordered; // the tree contains all entries
    int32_t size;
    size_t bytes; // memory of all entries
    DictEntry *entry;
    size_t capacity; // of `entry`
    uint32_t count;  // entries from 1 on that are or were in use
    uint32_t free;   // the first free one of them
    uint32_t root;   // of the tree
    uint32_t seed;
    DictBucket *bucket;
    uint32_t bucket_count; // a power of two, or 0
    uint32_t generation;
} Dictionary;

// Strings of removed entries, which may still be in use until the end of the game.
typedef struct DeferredStrings {
    String *string;
    size_t count, capacity, bytes;
} DeferredStrings;
void deferred_strings_empty(DeferredStrings *g); // frees the strings
void deferred_strings_free(DeferredStrings *g);

// Entries are valid until the dictionary changes.

// The entry under a key, or NULL.
DictEntry *dict_find(const Dictionary *d, DictKey key);

// The entry with the least key that is greater than *key (NULL: the least of all), or NULL.
DictEntry *dict_above(Dictionary *d, const Slot *key);

// Stores a value under a key.
void dict_put(Dictionary *d, DictKey key, Slot value, DeferredStrings *deferred);

// Removes the entry under a key, if there is one.
void dict_remove(Dictionary *d, DictKey key, DeferredStrings *deferred);

// Removes all entries; takes constant time when strings are borrowed. Otherwise strings go to the deferred, or
// without one are freed at once.
void dict_clear(Dictionary *d, DeferredStrings *deferred);

// Removes all entries and frees the memory.
void dict_free(Dictionary *d);

#endif
