// Tables of groups.
#include "groups.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "runtime/value/memory.h"

// ---- tables -----------------------------------------------------------------------------------------------

// Adds what counts once a match, and with `game` what counts once a game.
static void add_numbers(GroupNumbers *to, const GroupNumbers *n, bool game)
{
    to->positions += n->positions;
    to->searched += n->searched;
    if (!game)
        return;
    to->games += n->games;
    to->white += n->white;
    to->black += n->black;
    to->draws += n->draws;
}

// The slot of a group, which is free when the table does not have it.
static uint32_t *find_slot(const GroupTable *t, uint64_t hash, uint32_t query, const char *values,
                           size_t length)
{
    for (size_t i = hash & (t->slots - 1);; i = (i + 1) & (t->slots - 1)) {
        if (t->slot[i] == 0)
            return &t->slot[i];
        const Group *g = &t->group[t->slot[i] - 1];
        if (g->hash == hash && g->query == query && g->length == length &&
            memcmp(t->values.start + g->start, values, length) == 0)
            return &t->slot[i];
    }
}

static void make_slots(GroupTable *t, size_t slots)
{
    t->slot = memory_grow(t->slot, &t->slots_capacity, slots, sizeof *t->slot);
    t->slots = slots;
    memset(t->slot, 0, slots * sizeof *t->slot);
    for (size_t i = 0; i < t->count; i++) {
        const Group *g = &t->group[i];
        *find_slot(t, g->hash, g->query, t->values.start + g->start, g->length) = (uint32_t)i + 1;
    }
}

// The index of the group, which is added if need be.
static size_t place_of(GroupTable *t, uint32_t query, const char *values, size_t length)
{
    const uint64_t hash = XXH3_64bits_withSeed(values, length, query);
    if (t->slots < 2 * (t->count + 1))
        make_slots(t, t->slots ? 2 * t->slots : 64);
    uint32_t *slot = find_slot(t, hash, query, values, length);
    if (*slot == 0) {
        t->group = memory_grow(t->group, &t->capacity, t->count + 1, sizeof *t->group);
        t->group[t->count] = (Group){t->values.length, length, hash, query, {0}, 0};
        buffer_append(&t->values, values, length);
        if (t->sums > 0) {
            t->sum = memory_grow(t->sum, &t->sum_capacity, (t->count + 1) * t->sums, sizeof *t->sum);
            memset(t->sum + t->count * t->sums, 0, t->sums * sizeof *t->sum);
        }
        *slot = (uint32_t)++t->count;
    }
    return *slot - 1;
}

size_t groups_add(GroupTable *t, uint32_t query, const char *values, size_t length,
                  const GroupNumbers *numbers)
{
    const size_t i = place_of(t, query, values, length);
    add_numbers(&t->group[i].numbers, numbers, true);
    return i;
}

size_t groups_add_match(GroupTable *t, uint32_t query, const char *values, size_t length,
                        const GroupNumbers *numbers, int64_t game)
{
    const size_t i = place_of(t, query, values, length);
    add_numbers(&t->group[i].numbers, numbers, t->group[i].game != game);
    t->group[i].game = game;
    return i;
}

void groups_add_sum(GroupTable *t, size_t group, size_t sums, size_t i, const GroupSum *sum)
{
    if (t->sums == 0) {
        t->sums = sums;
        t->sum = memory_grow(t->sum, &t->sum_capacity, t->count * sums, sizeof *t->sum);
        memset(t->sum, 0, t->count * sums * sizeof *t->sum);
    }
    GroupSum *to = &t->sum[group * t->sums + i];
    if (sum->count == 0)
        return;
    to->least = to->count > 0 && to->least < sum->least ? to->least : sum->least;
    to->greatest = to->count > 0 && to->greatest > sum->greatest ? to->greatest : sum->greatest;
    to->count += sum->count;
    to->sum += sum->sum;
}

void groups_add_all(GroupTable *t, const GroupTable *other)
{
    for (size_t i = 0; i < other->count; i++) {
        const Group *g = &other->group[i];
        const size_t place = groups_add(t, g->query, other->values.start + g->start, g->length, &g->numbers);
        for (size_t k = 0; k < other->sums; k++)
            groups_add_sum(t, place, other->sums, k, &other->sum[i * other->sums + k]);
    }
}

size_t groups_find(const GroupTable *t, uint32_t query, const char *values, size_t length)
{
    const uint32_t *slot =
        t->slots > 0 ? find_slot(t, XXH3_64bits_withSeed(values, length, query), query, values, length)
                     : NULL;
    return slot && *slot > 0 ? *slot - 1 : SIZE_MAX;
}

void groups_clear(GroupTable *t)
{
    t->count = t->values.length = t->sums = 0;
    t->cleared++;
    if (t->slots > 0)
        memset(t->slot, 0, t->slots * sizeof *t->slot);
}

void groups_free(GroupTable *t)
{
    free(t->group);
    free(t->sum);
    free(t->slot);
    buffer_free(&t->values);
    *t = (GroupTable){0};
}

size_t groups_bytes(const GroupTable *t)
{
    return t->count * (sizeof *t->group + t->sums * sizeof *t->sum) + t->values.length +
           t->slots * sizeof *t->slot;
}
