// Positions whose values compare with those of another position, for loops over positions (`source:A == target:A`,
// `source:power A > target:power A`). A compared condition gives each position a key of the values that are to be equal, and a
// number. The loop asks for the next position with an equal key and a number in a range. The first search of a game evaluates
// the condition at each position and puts the positions at which it is true in the order of their keys.
#include "runtime/match/run_state.h"

enum { LANES = 16, LOOKS_PER_STEP = 64 };

// Most calls go one place on; what they seldom do is not in their way.
#define SLOW __attribute__((noinline))

typedef struct Compared {
    int32_t key, number;
    int32_t place; // in the order; -1: the condition is false
} Compared;

// Positions are in the order of their buckets, ascending in each. A bucket has the keys with the same last bits.
typedef struct Table {
    uint64_t game; // RunState.game_serial of what follows
    Compared *position;
    int32_t *at, *number; // by place: the position, its number
    int32_t *start;       // by bucket and one more: its first place
    uint32_t mask;        // buckets less one: as many as positions, up to a power of two
    size_t position_capacity, at_capacity, number_capacity, start_capacity;
} Table;

typedef struct ComparedState {
    Table *table;        // by condition
    int32_t key, number; // what the condition that is evaluated says
} ComparedState;

const Subject compared_subject = {.size = sizeof(ComparedState)};

// ---- keys -------------------------------------------------------------------------------------------------

static uint64_t mixed(uint64_t key, uint64_t value)
{
    key = (key ^ value) * 0x9E3779B97F4A7C15ULL;
    return key ^ key >> 32;
}

int32_t rt_key_sets(const Bitboard *set, int32_t count)
{
    uint64_t key = 0;
    for (int32_t i = 0; i < count; i++)
        key = mixed(key, set[i] + 1);
    return (int32_t)key;
}

int32_t rt_key_int(int32_t key, int32_t value)
{
    return (int32_t)mixed((uint32_t)key, (uint32_t)value + 1ULL);
}

void rt_compared(Context *c, int32_t key, int32_t number)
{
    c->run->compared->key = key;
    c->run->compared->number = number;
}

// What a search looks for: a key and a number from `low` up to `low + width`, modulo 2^32.
typedef struct Wanted {
    int32_t key;
    uint32_t low, width;
} Wanted;

static bool is_within(int32_t number, const Wanted *wanted)
{
    return (uint32_t)number - wanted->low <= wanted->width;
}

// One of LANES numbers is within. Plain processors compare signed numbers only.
static bool is_any_within(const int32_t *number, const Wanted *wanted)
{
    typedef uint32_t Four __attribute__((vector_size(16)));
    typedef int32_t SignedFour __attribute__((vector_size(16)));
    const uint32_t sign = 1U << 31, from = wanted->low + sign;
    const int32_t width = (int32_t)(wanted->width + sign);
    Four x[LANES / 4];
    memcpy(x, number, sizeof x);
    const SignedFour outside = ((SignedFour)(x[0] - from) > width) & ((SignedFour)(x[1] - from) > width) &
                               ((SignedFour)(x[2] - from) > width) & ((SignedFour)(x[3] - from) > width);
    uint64_t half[2];
    memcpy(half, &outside, sizeof half);
    return (half[0] & half[1]) != UINT64_MAX;
}

// ---- the table --------------------------------------------------------------------------------------------

// The condition at a position. A place of 0 says that it is true.
static Compared evaluate(Context *c, int32_t condition, int32_t n)
{
    run_take_step(c);
    const bool is_true = c->query->remembered(c, condition, n) != 0;
    const ComparedState *s = c->run->compared;
    return (Compared){s->key, s->number, is_true ? 0 : -1};
}

static int32_t *start_of(const Table *t, int32_t key)
{
    return &t->start[(uint32_t)key & t->mask];
}

static SLOW void make_table(Context *c, int32_t condition, Table *t)
{
    const size_t count = (size_t)c->game->count;
    size_t buckets = 1;
    while (buckets < count)
        buckets *= 2;
    t->mask = (uint32_t)buckets - 1;
    t->position = run_grow(c, t->position, &t->position_capacity, count, sizeof *t->position);
    t->at = run_grow(c, t->at, &t->at_capacity, count, sizeof *t->at);
    t->number = run_grow(c, t->number, &t->number_capacity, count, sizeof *t->number);
    t->start = run_grow(c, t->start, &t->start_capacity, buckets + 1, sizeof *t->start);
    memset(t->start, 0, (buckets + 1) * sizeof *t->start);
    for (size_t n = 0; n < count; n++) {
        t->position[n] = evaluate(c, condition, (int32_t)n);
        *start_of(t, t->position[n].key) += t->position[n].place == 0;
    }
    for (size_t bucket = 0; bucket < buckets; bucket++) // the end of each
        t->start[bucket + 1] += t->start[bucket];
    for (size_t n = count; n-- > 0;) { // from its end to its start
        Compared *p = &t->position[n];
        if (p->place < 0)
            continue;
        p->place = --*start_of(t, p->key);
        t->at[p->place] = (int32_t)n;
        t->number[p->place] = p->number;
    }
    t->game = c->run->game_serial;
}

static Table *table_of(Context *c, int32_t condition)
{
    ComparedState *s = c->run->compared;
    if (s->table == NULL)
        s->table = run_zeroed(c, c->query->remembered_count, sizeof *s->table);
    if (s->table[condition].game != c->run->game_serial)
        make_table(c, condition, &s->table[condition]);
    return &s->table[condition];
}

// The place of the first position from `first` on in the places from `start` to `end`, exclusive.
static SLOW int32_t place_from(const Table *t, int32_t first, int32_t start, int32_t end)
{
    while (start < end) {
        const int32_t middle = start + (end - start) / 2;
        if (t->at[middle] < first)
            start = middle + 1;
        else
            end = middle;
    }
    return start;
}

static bool is_wanted(const Table *t, const Wanted *wanted, int32_t place)
{
    return is_within(t->number[place], wanted) && t->position[t->at[place]].key == wanted->key;
}

// The place of the first wanted position from `from` to `end`, exclusive; or one from which there is none up to the position
// `last`.
static SLOW int32_t next_place(Context *c, const Table *t, const Wanted *wanted, int32_t from, int32_t end,
                               int32_t last)
{
    int32_t place = from;
    while (place < end && t->at[place] <= last) {
        if (place + LANES <= end && !is_any_within(&t->number[place], wanted)) {
            place += LANES;
            continue;
        }
        const int32_t stop = place + LANES < end ? place + LANES : end;
        while (place < stop && !is_wanted(t, wanted, place))
            place++;
        if (place < stop)
            break;
    }
    if (place - from >= LOOKS_PER_STEP)
        run_take_steps(c, (size_t)((place - from) / LOOKS_PER_STEP));
    return place;
}

// The place of the first wanted position of the game from `first` to `last`, as next_place gives it.
static int32_t first_place(Context *c, const Table *t, const Wanted *wanted, int32_t first, int32_t last)
{
    const int32_t *start = start_of(t, wanted->key);
    const Compared *before = &t->position[first > 0 ? first - 1 : 0];
    const bool goes_on = first > 0 && before->place >= 0 && before->key == wanted->key;
    const int32_t place = goes_on     ? before->place + 1
                          : first > 0 ? place_from(t, first, start[0], start[1])
                                      : start[0];
    // Often it is the first one.
    return place == start[1] || is_wanted(t, wanted, place)
               ? place
               : next_place(c, t, wanted, place + 1, start[1], last);
}

// Imaginary positions are in no table: their numbers are used again for others.
static SLOW int32_t next_imaginary(Context *c, int32_t condition, const Wanted *wanted, int32_t n,
                                   int32_t last)
{
    for (; n <= last; n++) {
        const Compared here = evaluate(c, condition, n);
        if (here.place >= 0 && here.key == wanted->key && is_within(here.number, wanted))
            return n;
    }
    return -1;
}

int32_t rt_next_compared(Context *c, int32_t condition, int32_t key, int32_t low, int32_t high, int32_t first,
                         int32_t last)
{
    const Wanted wanted = {key, (uint32_t)low, (uint32_t)high - (uint32_t)low};
    const int32_t count = c->game->count;
    if (first <= last && first < count) {
        const Table *t = table_of(c, condition);
        const int32_t place = first_place(c, t, &wanted, first, last);
        if (place < start_of(t, key)[1] && t->at[place] <= last)
            return t->at[place];
    }
    return last < count ? -1 : next_imaginary(c, condition, &wanted, first > count ? first : count, last);
}
