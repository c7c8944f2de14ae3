// Clocks and evaluations of main lines as few bytes (docs/cqldb.md).
#include <stdlib.h>
#include <string.h>

#include "runtime/value/varint.h"
#include "game_memory.h"

enum { KINDS = 3 }; // of values: CLOCKS_ bits 1 << kind

static int32_t *value_of(NoteClocks *c, int kind)
{
    return kind == 0 ? &c->clock : kind == 1 ? &c->spent : &c->eval;
}

// A value is stored as the difference from the last one that is likely to be near it: of clocks, that of the same
// side; of evaluations, any; of times, none.
typedef struct Nearby {
    int64_t value[2];
} Nearby;

static inline int64_t *nearby(Nearby *last, int kind, size_t ply)
{
    return &last->value[kind == 0 ? ply & 1 : 0];
}

static inline void remember(Nearby *last, int kind, size_t ply, int64_t value)
{
    *nearby(last, kind, ply) = kind == 1 ? 0 : value;
}

// Signed numbers in such an order that those near 0 are short.
static inline uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static void keep_ply(struct GameMemory *m, int32_t ply, NoteClocks clocks)
{
    m->ply_clocks =
        memory_grow(m->ply_clocks, &m->ply_clock_capacity, m->ply_clock_count + 1, sizeof *m->ply_clocks);
    m->ply_clocks[m->ply_clock_count++] = (PlyClocks){ply, clocks};
}

void clocks_add_ply(struct GameMemory *m, int32_t ply, const char *comment, const char *end)
{
    NoteClocks read = {0};
    const size_t count = m->ply_clock_count;
    clocks_read(&read, comment, end);
    if (!read.has)
        return;
    if (count == 0 || m->ply_clocks[count - 1].ply != ply)
        keep_ply(m, ply, (NoteClocks){0});
    NoteClocks *c = &m->ply_clocks[m->ply_clock_count - 1].clocks;
    for (int kind = 0; kind < KINDS; kind++)
        if (read.has >> kind & 1)
            *value_of(c, kind) = *value_of(&read, kind);
    c->has |= read.has;
}

void game_keep_clocks(const Game *g)
{
    struct GameMemory *m = g->memory;
    m->ply_clock_count = 0;
    for (int32_t i = 0; g->note && i <= g->ply_count; i++)
        if (g->note[i].clocks.has)
            keep_ply(m, i, g->note[i].clocks);
}

// The greatest unit of which all values of a kind are multiples: 100, 10 or 1.
static int32_t unit_of(struct GameMemory *m, int kind)
{
    bool hundreds = true, tens = true;
    for (size_t i = 0; i < m->ply_clock_count; i++) {
        const int32_t value = *value_of(&m->ply_clocks[i].clocks, kind);
        hundreds &= value % 100 == 0;
        tens &= value % 10 == 0;
    }
    return hundreds ? 100 : tens ? 10 : 1;
}

// A multiple of the unit in units: a division by a constant.
static inline int64_t in_units(int32_t value, int32_t unit)
{
    return unit == 100 ? value / 100 : unit == 10 ? value / 10 : value;
}

static void pack_kind(Buffer *out, struct GameMemory *m, int kind)
{
    const int32_t unit = unit_of(m, kind);
    size_t ply = 0, end = 0;
    for (size_t i = 0; i < m->ply_clock_count; i++)
        if (m->ply_clocks[i].clocks.has >> kind & 1)
            end = (size_t)m->ply_clocks[i].ply + 1;
    out->start = memory_grow(out->start, &out->capacity, out->length + (end + 2) * VARINT_MAX, 1);
    char *to = varint_write(out->start + out->length, (uint64_t)unit);
    to = varint_write(to, end);
    Nearby last = {0};
    for (size_t i = 0; ply < end; i++) {
        PlyClocks *c = &m->ply_clocks[i];
        if (!(c->clocks.has >> kind & 1))
            continue;
        for (; ply < (size_t)c->ply; ply++)
            *to++ = 0;
        const int64_t value = in_units(*value_of(&c->clocks, kind), unit);
        to = varint_write(to, 1 + zigzag(value - *nearby(&last, kind, ply)));
        remember(&last, kind, ply++, value);
    }
    out->length = (size_t)(to - out->start);
}

void game_pack_clocks(const Game *g, Buffer *out)
{
    struct GameMemory *m = g->memory;
    unsigned has = 0;
    for (size_t i = 0; i < m->ply_clock_count; i++)
        has |= m->ply_clocks[i].clocks.has;
    if (!has)
        return;
    varint_put(out, has);
    for (int kind = 0; kind < KINDS; kind++)
        if (has >> kind & 1)
            pack_kind(out, m, kind);
}

// False when the bytes are not those of such a game.
static bool unpack_kind(Game *g, Note *note, int kind, const char **p, const char *end)
{
    uint64_t unit, count;
    if (!varint_get(p, end, &unit) || unit > 100 || !varint_get(p, end, &count) ||
        count > (uint64_t)g->ply_count + 1)
        return false;
    Nearby last = {0};
    for (size_t ply = 0; ply < count; ply++) {
        uint64_t stored;
        if (!varint_get(p, end, &stored) || stored > (1ULL << 34))
            return false;
        if (stored == 0)
            continue;
        const int64_t value = *nearby(&last, kind, ply) + unzigzag(stored - 1), whole = value * (int64_t)unit;
        if (whole < -INT32_MAX || whole > INT32_MAX)
            return false;
        *value_of(&note[ply].clocks, kind) = (int32_t)whole;
        note[ply].clocks.has |= (uint8_t)(1 << kind);
        remember(&last, kind, ply, value);
    }
    return true;
}

bool game_unpack_clocks(Game *g, Text packed)
{
    const char *p = packed.start, *end = p + packed.length;
    uint64_t has;
    if (packed.length == 0)
        return true;
    if (!varint_get(&p, end, &has) || has >> KINDS != 0)
        return false;
    for (int kind = 0; kind < KINDS; kind++)
        if (has >> kind & 1 && !unpack_kind(g, g->memory->note, kind, &p, end))
            return false;
    return p == end;
}
