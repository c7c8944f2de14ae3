// What searches of paths remember (language reference 5.5): which functions of the search have been at which
// position, and the end of the longest path from there.
#include "run_state.h"
#include "runtime/value/memory.h"

#include <stdlib.h>

// Entries a table may hold; what does not fit is computed again.
enum { MEMO_CAP = 1 << 22 };

static uint64_t key_of(int32_t position, int32_t code)
{
    return (uint64_t)(uint32_t)code << 32 | (uint32_t)position;
}

static MemoEntry *find(const MemoTable *t, uint64_t key)
{
    const uint64_t mask = t->capacity - 1;
    uint64_t i = (key * 0x9e3779b97f4a7c15ULL) >> 20 & mask;
    while (t->entry[i].serial == t->serial && t->entry[i].key != key)
        i = (i + 1) & mask;
    return &t->entry[i];
}

static void grow(MemoTable *t)
{
    const MemoTable old = *t;
    t->capacity = old.capacity ? 2 * old.capacity : 1024;
    t->entry = memory_zeroed(t->capacity, sizeof *t->entry);
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.entry[i].serial == old.serial)
            *find(t, old.entry[i].key) = old.entry[i];
    free(old.entry);
}

void rt_memo_begin(Context *c, int32_t memo, int32_t keep)
{
    struct RunState *run = c->run;
    if (memo >= run->memo_count) {
        run->memo = run_grow(run->memo, &run->memo_capacity, memo + 1, sizeof *run->memo);
        memset(run->memo + run->memo_count, 0, (size_t)(memo + 1 - run->memo_count) * sizeof *run->memo);
        run->memo_count = memo + 1;
    }
    MemoTable *t = &run->memo[memo];
    if (keep && t->game == run->game_serial)
        return;
    t->game = run->game_serial;
    t->count = 0;
    if (++t->serial == 0) { // never that of an empty entry
        memset(t->entry, 0, t->capacity * sizeof *t->entry);
        t->serial = 1;
    }
    if (!t->entry)
        grow(t);
}

void rt_memo_keep(Context *c, int32_t n, int32_t memo, int32_t code, int32_t end)
{
    MemoTable *t = &c->run->memo[memo];
    // Positionids behind those of the game are used again for other positions.
    if (t->count >= MEMO_CAP || n >= c->game->count)
        return;
    if (2 * t->count >= t->capacity)
        grow(t);
    MemoEntry *e = find(t, key_of(n, code));
    t->count += e->serial != t->serial;
    *e = (MemoEntry){key_of(n, code), end, t->serial};
}

int32_t rt_memo_find(Context *c, int32_t n, int32_t memo, int32_t code, int32_t *end)
{
    const MemoTable *t = &c->run->memo[memo];
    const MemoEntry *e = find(t, key_of(n, code));
    if (e->serial != t->serial)
        return 0;
    *end = e->end;
    return 1;
}

int32_t rt_memo_visit(Context *c, int32_t n, int32_t memo, int32_t code)
{
    int32_t end;
    if (rt_memo_find(c, n, memo, code, &end))
        return 0;
    rt_memo_keep(c, n, memo, code, -1);
    return 1;
}
