// What searches of paths remember (language reference 5.5): which functions of the search have been at which
// position, and the end of the longest path from there.
#include <stdlib.h>

#include "runtime/match/run_state.h"

// Entries that a table may have; what does not fit is computed again.
enum { MEMO_CAP = 1 << 22 };

// What a search remembers of a position. The entry is empty unless `serial` is that of the table.
typedef struct MemoEntry {
    uint64_t key;
    int32_t end; // positionid, -1: none
    uint32_t serial;
} MemoEntry;

typedef struct MemoTable {
    MemoEntry *entry;
    uint32_t capacity, count; // capacity: a power of two
    uint32_t serial;          // counts how often the table was emptied
    uint64_t game;            // RunState.game_serial when it was emptied
    Bitboard pieces;          // those that the searches follow
} MemoTable;

typedef struct MemoState {
    MemoTable *table; // by memo number
    size_t capacity;
} MemoState;

static void memo_release(Context *c)
{
    for (size_t i = 0; i < c->run->memo->capacity; i++)
        free(c->run->memo->table[i].entry);
}

const Subject memo_subject = {.size = sizeof(MemoState), .release = memo_release};

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

static void forget_all(Context *c, MemoTable *t)
{
    t->game = c->run->game_serial;
    t->count = 0;
    if (++t->serial == 0) { // never that of an empty entry
        memset(t->entry, 0, t->capacity * sizeof *t->entry);
        t->serial = 1;
    }
    if (!t->entry)
        grow(t);
}

// The table, without what is from earlier games.
static MemoTable *table_of(Context *c, int32_t memo)
{
    MemoState *s = c->run->memo;
    if ((size_t)memo >= s->capacity)
        s->table = run_grow(c, s->table, &s->capacity, (size_t)memo + 1, sizeof *s->table);
    MemoTable *t = &s->table[memo];
    if (t->game != c->run->game_serial)
        forget_all(c, t);
    return t;
}

void rt_memo_begin(Context *c, int32_t memo)
{
    forget_all(c, table_of(c, memo));
}

void rt_memo_follow(Context *c, int32_t memo, Bitboard pieces)
{
    MemoTable *t = table_of(c, memo);
    if (t->pieces != pieces)
        forget_all(c, t);
    t->pieces = pieces;
}

void rt_memo_keep(Context *c, int32_t n, int32_t memo, int32_t code, int32_t end)
{
    MemoTable *t = table_of(c, memo);
    // Positionids beyond those of the game are reused for other positions.
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
    const MemoTable *t = table_of(c, memo);
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
