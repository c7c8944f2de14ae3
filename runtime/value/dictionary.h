// Dictionaries (language reference 7.13): ordered maps from keys of one type to values of one type. Balanced
// by random priorities (a treap), so that access takes logarithmic time for every order of insertion.
#ifndef CQL_DICTIONARY_H
#define CQL_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>

#include "strings.h"

// Types of keys and values, as in DictionaryInfo.
enum { DICT_INT, DICT_SET, DICT_STRING, DICT_POSITION };

typedef struct DictEntry {
    struct DictEntry *left, *right;
    uint64_t priority;
    Slot key, value; // strings are owned by the entry
} DictEntry;

typedef struct Dictionary {
    int32_t key_type, value_type;
    int32_t size;
    size_t bytes; // memory of all entries
    uint64_t seed;
    DictEntry *root;
} Dictionary;

// Strings of removed entries, which may still be in use until the end of the game.
typedef struct Graveyard {
    String *string;
    size_t count, capacity, bytes;
} Graveyard;
void graveyard_empty(Graveyard *g); // frees the strings
void graveyard_free(Graveyard *g);

// The entry under a key, or NULL.
DictEntry *dict_find(const Dictionary *d, Slot key);

// The entry with the least key that is greater than *key (NULL: the least of all), or NULL.
DictEntry *dict_above(const Dictionary *d, const Slot *key);

// Stores a value under a key; strings are copied.
void dict_put(Dictionary *d, Slot key, Slot value, Graveyard *graveyard);

// Removes the entry under a key, if there is one.
void dict_remove(Dictionary *d, Slot key, Graveyard *graveyard);

// Removes all entries. With a graveyard their strings go there, without one they are freed at once.
void dict_clear(Dictionary *d, Graveyard *graveyard);

#endif
