// Names and their ids during an import: what the tables player, event and site have, in memory. Internal to
// runtime/database.
#ifndef CQL_DATABASE_NAMES_H
#define CQL_DATABASE_NAMES_H

#include "runtime/game/game.h"

typedef struct Name {
    uint64_t hash;
    int64_t id; // 0: an empty slot
    size_t start, length;
} Name;

// A hash table with open addresses. Zero-initialised.
typedef struct NameTable {
    Name *slot;
    size_t slots, count; // slots: a power of 2
    Buffer text;
    int64_t last_id; // the greatest one, of those that were forgotten, too
    size_t most;     // bytes; 0: no limit
} NameTable;

uint64_t names_hash(Text name);

// The id of a name, or 0.
int64_t names_find(const NameTable *t, Text name, uint64_t hash);

// Adds a name that is not in the table yet. If the table is full, it is emptied first; a name that was in it then gets a new id
// when it is added again.
void names_add(NameTable *t, Text name, uint64_t hash, int64_t id);

// About the bytes that the table may take; 0: no limit.
void names_limit(NameTable *t, size_t most);
void names_free(NameTable *t); // leaves an empty table

#endif
