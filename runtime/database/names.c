// Names and their ids, in memory.
#include "names.h"

#include <stdlib.h>

#include <xxhash.h>

#include "runtime/value/memory.h"

uint64_t names_hash(Text name)
{
    return XXH3_64bits(name.start, name.length);
}

// The slot of a name, or the empty slot where it belongs.
static Name *slot_of(const NameTable *t, Text name, uint64_t hash)
{
    for (size_t i = hash;; i++) {
        Name *n = &t->slot[i & (t->slots - 1)];
        if (n->id == 0 || (n->hash == hash && text_equal(name, (Text){t->text.start + n->start, n->length})))
            return n;
    }
}

int64_t names_find(const NameTable *t, Text name, uint64_t hash)
{
    return t->slots > 0 ? slot_of(t, name, hash)->id : 0;
}

static void enlarge(NameTable *t)
{
    Name *old = t->slot;
    const size_t slots = t->slots;
    t->slots = slots > 0 ? 2 * slots : 1024;
    t->slot = memory_zeroed(t->slots, sizeof *t->slot);
    for (size_t i = 0; i < slots; i++)
        if (old[i].id != 0)
            *slot_of(t, (Text){t->text.start + old[i].start, old[i].length}, old[i].hash) = old[i];
    free(old);
}

void names_add(NameTable *t, Text name, uint64_t hash, int64_t id)
{
    if (2 * (t->count + 1) > t->slots)
        enlarge(t);
    *slot_of(t, name, hash) = (Name){hash, id, t->text.length, name.length};
    buffer_append(&t->text, name.start, name.length);
    t->count++;
    t->last_id = id > t->last_id ? id : t->last_id;
}

void names_free(NameTable *t)
{
    free(t->slot);
    buffer_free(&t->text);
    *t = (NameTable){0};
}
