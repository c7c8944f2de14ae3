// Positions with equal values, by a key of the values: a table for each keyed condition, made for the whole game when it is
// first asked for.
#include "runtime/match/run_state.h"

typedef struct EqualPosition {
    int32_t key, next; // next: with the same bucket, ascending; -1: none; NOT_WANTED
} EqualPosition;

enum { NOT_WANTED = -2 };

typedef struct EqualTable {
    EqualPosition *position;
    int32_t *bucket; // the first position; as many as positions, up to a power of two
    size_t position_capacity, bucket_capacity;
    uint32_t mask;
    uint64_t game; // RunState.game_serial of the table
} EqualTable;

typedef struct EqualState {
    EqualTable *table; // by condition
    size_t capacity;
    uint64_t key; // under construction
} EqualState;

const Subject equal_subject = {.size = sizeof(EqualState)};

// ---- keys -------------------------------------------------------------------------------------------------

static void add(Context *c, uint64_t value)
{
    uint64_t *key = &c->run->equal->key;
    *key = (*key ^ value) * 0x9E3779B97F4A7C15ULL;
    *key ^= *key >> 32;
}

void rt_key_sets(Context *c, const Bitboard *set, int32_t count)
{
    c->run->equal->key = 0;
    for (int32_t i = 0; i < count; i++)
        add(c, set[i] + 1);
}

void rt_key_int(Context *c, int32_t value)
{
    add(c, (uint32_t)value + 1ULL);
}

int32_t rt_key_end(Context *c)
{
    return (int32_t)c->run->equal->key;
}

// ---- tables -----------------------------------------------------------------------------------------------

static bool is_wanted(Context *c, int32_t condition, int32_t n, int32_t *key)
{
    run_take_step(c);
    const bool wanted = c->query->remembered(c, condition, n) != 0;
    *key = rt_key_end(c);
    return wanted;
}

static EqualTable *table_of(Context *c, int32_t condition)
{
    EqualState *s = c->run->equal;
    s->table = run_grow(c, s->table, &s->capacity, (size_t)condition + 1, sizeof *s->table);
    EqualTable *t = &s->table[condition];
    if (t->game == c->run->game_serial)
        return t;
    const int32_t count = c->game->count;
    size_t buckets = 1;
    while (buckets < (size_t)count)
        buckets *= 2;
    t->mask = (uint32_t)buckets - 1;
    t->position = run_grow(c, t->position, &t->position_capacity, (size_t)count, sizeof *t->position);
    t->bucket = run_grow(c, t->bucket, &t->bucket_capacity, buckets, sizeof *t->bucket);
    memset(t->bucket, -1, buckets * sizeof *t->bucket);
    for (int32_t n = 0; n < count; n++)
        t->position[n].next = is_wanted(c, condition, n, &t->position[n].key) ? -1 : NOT_WANTED;
    for (int32_t n = count - 1; n >= 0; n--) {
        EqualPosition *p = &t->position[n];
        if (p->next == NOT_WANTED)
            continue;
        int32_t *bucket = &t->bucket[(uint32_t)p->key & t->mask];
        p->next = *bucket;
        *bucket = n;
    }
    t->game = c->run->game_serial;
    return t;
}

int32_t rt_key_at(Context *c, int32_t condition, int32_t position)
{
    int32_t key;
    if (position < c->game->count)
        return table_of(c, condition)->position[position].key;
    is_wanted(c, condition, position, &key);
    return key;
}

int32_t rt_next_equal(Context *c, int32_t condition, int32_t key, int32_t first, int32_t last)
{
    const EqualTable *t = table_of(c, condition);
    const EqualPosition *position = t->position;
    const int32_t before = first - 1, count = c->game->count;
    // The chain goes on where the last search ended, or at an equal source.
    int32_t n =
        before >= 0 && before < count && position[before].key == key && position[before].next != NOT_WANTED
            ? position[before].next
            : t->bucket[(uint32_t)key & t->mask];
    while (n >= 0 && (n < first || position[n].key != key))
        n = position[n].next;
    if (n >= 0)
        return n <= last ? n : -1;
    // Imaginary positions are in no table.
    for (n = first > count ? first : count; n <= last; n++) {
        int32_t own;
        if (is_wanted(c, condition, n, &own) && own == key)
            return n;
    }
    return -1;
}
