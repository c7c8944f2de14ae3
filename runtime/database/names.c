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

static bool must_grow(const NameTable *t)
{
    return 2 * (t->count + 1) > t->slots;
}

static void forget(NameTable *t)
{
    free(t->slot);
    buffer_free(&t->text);
    *t = (NameTable){.last_id = t->last_id, .most = t->most};
}

// Has the table room for one more of this length? Arrays are copied when they grow.
static bool has_room(const NameTable *t, size_t length)
{
    const size_t slots = (must_grow(t) ? 3 * t->slots : t->slots) * sizeof *t->slot,
                 end = t->text.length + length;
    return t->most == 0 || slots + (end > t->text.capacity ? 3 * end : t->text.capacity) <= t->most;
}

void names_limit(NameTable *t, size_t most)
{
    t->most = most;
}

void names_add(NameTable *t, Text name, uint64_t hash, int64_t id)
{
    t->last_id = id > t->last_id ? id : t->last_id;
    if (!has_room(t, name.length))
        forget(t);
    if (!has_room(t, name.length))
        return;
    if (must_grow(t))
        enlarge(t);
    *slot_of(t, name, hash) = (Name){hash, id, t->text.length, name.length};
    buffer_append(&t->text, name.start, name.length);
    t->count++;
}

void names_free(NameTable *t)
{
    forget(t);
    *t = (NameTable){.most = t->most};
}
