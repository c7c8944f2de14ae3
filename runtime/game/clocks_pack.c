// Clocks and evaluations of main lines as few bytes (docs/cqldb.md).
#include <stdlib.h>
#include <string.h>

#include "runtime/value/bytes.h"
#include "clocks.h"

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

static inline void add_values(struct GameMemory *m, int32_t ply, NoteClocks read)
{
    const size_t count = m->ply_clock_count;
    if (count == 0 || m->ply_clocks[count - 1].ply != ply)
        keep_ply(m, ply, (NoteClocks){0});
    NoteClocks *c = &m->ply_clocks[m->ply_clock_count - 1].clocks;
    for (int kind = 0; kind < KINDS; kind++)
        if (read.has >> kind & 1)
            *value_of(c, kind) = *value_of(&read, kind);
    c->has |= read.has;
}

NoteClocks clocks_add_ply(struct GameMemory *m, int32_t ply, const char *comment, const char *end)
{
    NoteClocks read = {0};
    clocks_read(&read, comment, end);
    if (read.has)
        add_values(m, ply, read);
    return read;
}

unsigned clocks_add_usual(struct GameMemory *m, int32_t ply, const char *comment, const char *end,
                          const char **after)
{
    enum { LENGTH = 20 }; // of the longest one, and more
    static const char begin[2][10] = {" {[%clk ", " { [%clk "};
    uint8_t digit[8];
    if (end - comment < LENGTH)
        return 0;
    const size_t spaces = comment[2] == ' ', length = 8 + spaces;
    const char *time = comment + length, *close = time + 8 + spaces;
    const bool same =
        spaces ? memcmp(comment, begin[1], 9) == 0 && close[-1] == ' ' : memcmp(comment, begin[0], 8) == 0;
    if (!same || *close != '}' || !clocks_usual_time(time, digit) || digit[2] > 5 || digit[5] > 5)
        return 0;
    add_values(m, ply, (NoteClocks){.clock = clocks_time_of(digit), .has = CLOCKS_CLOCK});
    *after = close + 1;
    return CLOCKS_COMMENT | (spaces ? CLOCKS_SPACES : 0);
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

// Sets the values of a kind, of which there are `most` at most: those of the next ply are `stride` bytes after those of
// a ply. False when the bytes are not those of such a game.
static bool unpack_kind(NoteClocks *first, size_t stride, size_t most, int kind, const char **p,
                        const char *end)
{
    uint64_t unit, count;
    if (!varint_get(p, end, &unit) || unit > 100 || !varint_get(p, end, &count) || count > most)
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
        NoteClocks *c = (NoteClocks *)(void *)((char *)first + ply * stride);
        *value_of(c, kind) = (int32_t)whole;
        c->has |= (uint8_t)(1 << kind);
        remember(&last, kind, ply, value);
    }
    return true;
}

static bool unpack(NoteClocks *first, size_t stride, size_t most, Text packed)
{
    const char *p = packed.start, *end = p + packed.length;
    uint64_t has;
    if (packed.length == 0)
        return true;
    if (!varint_get(&p, end, &has) || has >> KINDS != 0)
        return false;
    for (int kind = 0; kind < KINDS; kind++)
        if (has >> kind & 1 && !unpack_kind(first, stride, most, kind, &p, end))
            return false;
    return p == end;
}

bool game_unpack_clocks(Game *g, Text packed)
{
    Note *note = g->memory->note;
    return packed.length == 0 || unpack(&note->clocks, sizeof *note, (size_t)g->ply_count + 1, packed);
}

const NoteClocks *game_clock_values(Game *scratch, Text packed, size_t plies)
{
    struct GameMemory *m = scratch->memory;
    m->clock_values =
        memory_grow(m->clock_values, &m->clock_value_capacity, plies + 1, sizeof *m->clock_values);
    memset(m->clock_values, 0, (plies + 1) * sizeof *m->clock_values);
    return unpack(m->clock_values, sizeof *m->clock_values, plies + 1, packed) ? m->clock_values : NULL;
}

// ---- comments that follow from their values ---------------------------------------------------------------

static char *write_number(char *out, uint32_t value)
{
    char digit[10];
    int count = 0;
    do
        digit[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count > 0)
        *out++ = digit[--count];
    return out;
}

static char *write_two(char *out, uint32_t value)
{
    *out++ = (char)('0' + value / 10);
    *out++ = (char)('0' + value % 10);
    return out;
}

static char *write_text(char *out, const char *text, size_t length)
{
    memcpy(out, text, length);
    return out + length;
}

// `0:01:02`, with decimals only where they are not 0.
static char *write_clock(char *out, uint32_t hundredths)
{
    const uint32_t part = hundredths % 100, seconds = hundredths / 100;
    out = write_number(out, seconds / 3600);
    *out++ = ':';
    out = write_two(out, seconds / 60 % 60);
    *out++ = ':';
    out = write_two(out, seconds % 60);
    if (part == 0)
        return out;
    *out++ = '.';
    out = write_two(out, part);
    return part % 10 == 0 ? out - 1 : out;
}

// `0.0`, `-1.25`, `#-3`.
static char *write_eval(char *out, int32_t centipawns)
{
    enum { MATE = 100000, MOST = MATE / 2 };
    const bool negative = centipawns < 0;
    const uint32_t value = (uint32_t)(negative ? -(int64_t)centipawns : centipawns);
    const bool mate = value > MOST && value <= MATE;
    if (mate)
        *out++ = '#';
    if (negative)
        *out++ = '-';
    if (mate)
        return write_number(out, MATE - value);
    out = write_number(out, value / 100);
    *out++ = '.';
    out = write_two(out, value % 100);
    return value % 10 == 0 ? out - 1 : out;
}

size_t clocks_write(unsigned form, const NoteClocks *c, char out[CLOCKS_COMMENT_MAX])
{
    char *p = out;
    const char space = ' ';
    const size_t spaces = form & CLOCKS_SPACES ? 1 : 0;
    p = write_text(p, " {", 2);
    p = write_text(p, &space, spaces);
    if (form & CLOCKS_WITH_EVAL) {
        p = write_text(p, "[%eval ", 7);
        p = write_eval(p, c->eval);
        p = write_text(p, "] ", 2);
    }
    p = write_text(p, "[%clk ", 6);
    p = write_clock(p, (uint32_t)c->clock);
    *p++ = ']';
    p = write_text(p, &space, spaces);
    *p++ = '}';
    return (size_t)(p - out);
}

unsigned clocks_form(const NoteClocks *c, const char *comment, const char *end)
{
    char text[CLOCKS_COMMENT_MAX];
    const unsigned form = CLOCKS_COMMENT | (comment[2] == ' ' ? CLOCKS_SPACES : 0) |
                          (c->has & CLOCKS_EVAL ? CLOCKS_WITH_EVAL : 0);
    const size_t length = (size_t)(end - comment);
    if (!(c->has & CLOCKS_CLOCK) || c->has & CLOCKS_SPENT || length > CLOCKS_COMMENT_MAX ||
        clocks_write(form, c, text) != length || memcmp(text, comment, length) != 0)
        return 0;
    return form;
}

bool clocks_form_is_known(unsigned form, const NoteClocks *c)
{
    const unsigned bits = CLOCKS_COMMENT | CLOCKS_SPACES | CLOCKS_WITH_EVAL;
    const unsigned needed = CLOCKS_CLOCK | (form & CLOCKS_WITH_EVAL ? CLOCKS_EVAL : 0);
    return (form & CLOCKS_COMMENT) && !(form & ~bits) && (c->has & needed) == needed;
}
