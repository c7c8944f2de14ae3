// Positions whose values compare with those of another position, for loops over positions (`source:A == target:A`,
// `source:power A > target:power A`). A compared condition gives each position a key and two numbers. The loop asks for the
// next position with an equal key whose numbers are less, equal or greater, as the condition says.
//
// The first searches in a game evaluate the condition at one position after the other. When they have evaluated it as often
// as the game has positions, a table is made of all positions, ordered by key: in each group of equal keys a search finds
// its place by bisection, and skips blocks of positions by the least and greatest of their numbers.
#include "compared.h"

#include "runtime/match/run_state.h"

enum { NUMBERS = 2, FAN_BITS = 4, FAN = 1 << FAN_BITS, MOST_LEVELS = 8, TESTS_PER_STEP = 16 };

// What a compared condition says of a position.
typedef struct Compared {
    int32_t key, number[NUMBERS];
    int32_t place; // in the table; -1: the condition is false
} Compared;

// Positions with the same key: places `start` to `end` of the table, exclusive.
typedef struct Group {
    int32_t key, start, end;
    int32_t next; // in the same bucket; -1: none
} Group;

// The least and greatest numbers of places that follow each other.
typedef struct Block {
    int32_t least[NUMBERS], greatest[NUMBERS];
} Block;

typedef struct Table {
    uint64_t game;       // RunState.game_serial of what follows
    int32_t evaluations; // before the table was made
    bool is_made;
    int32_t relations; // enum CompareRelation, as the condition gave them
    Compared *position;
    int32_t *group_at; // by place: the group
    int32_t *at;       // by place: the position, ascending in each group
    Group *group;
    int32_t *bucket; // the first group; as many as positions, up to a power of two
    uint32_t mask;
    int32_t group_count, place_count;
    Block *level[MOST_LEVELS]; // [0]: by place; each block of another level is of FAN blocks of the one below
    int32_t level_count;
    size_t position_capacity, group_at_capacity, at_capacity, group_capacity, bucket_capacity;
    size_t level_capacity[MOST_LEVELS];
} Table;

typedef struct ComparedState {
    Table *table; // by condition
    size_t capacity;
    Compared here;     // what the condition that is evaluated says
    int32_t relations; // the same
} ComparedState;

const Subject compared_subject = {.size = sizeof(ComparedState)};

// What a search looks for.
typedef struct Wanted {
    int32_t key, number[NUMBERS];
    int32_t relations;
} Wanted;

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

void rt_compared(Context *c, int32_t key, int32_t relations, int32_t first, int32_t second)
{
    ComparedState *s = c->run->compared;
    s->here = (Compared){.key = key, .number = {first, second}};
    s->relations = relations;
}

// ---- one position -----------------------------------------------------------------------------------------

static Compared evaluate(Context *c, int32_t condition, int32_t n, int32_t *relations)
{
    run_take_step(c);
    ComparedState *s = c->run->compared;
    s->here = (Compared){0};
    const bool is_true = c->query->remembered(c, condition, n) != 0;
    Compared here = s->here;
    here.place = is_true ? 0 : -1;
    if (is_true)
        *relations = s->relations;
    return here;
}

// May a number from `least` to `greatest` be in that relation to `bound`?
static inline bool may_be(int32_t relation, int32_t least, int32_t greatest, int32_t bound)
{
    return (relation & COMPARE_LESS && least < bound) || (relation & COMPARE_GREATER && greatest > bound) ||
           (relation & COMPARE_EQUAL && least <= bound && bound <= greatest);
}

static inline bool may_contain(const int32_t *least, const int32_t *greatest, const Wanted *wanted)
{
    const int32_t relations = wanted->relations;
    const bool first = may_be(relations & COMPARE_ANY, least[0], greatest[0], wanted->number[0]);
    if (first == !!(relations & COMPARE_EITHER))
        return first;
    return may_be(relations >> COMPARE_BITS & COMPARE_ANY, least[1], greatest[1], wanted->number[1]);
}

// The first position from n to `last` that is wanted, without a table; -1: none.
static int32_t next_one(Context *c, int32_t condition, Wanted wanted, int32_t n, int32_t last)
{
    for (; n <= last; n++) {
        const Compared here = evaluate(c, condition, n, &wanted.relations);
        if (here.place >= 0 && here.key == wanted.key && may_contain(here.number, here.number, &wanted))
            return n;
    }
    return -1;
}

// ---- the table --------------------------------------------------------------------------------------------

static int32_t find_group(const Table *t, int32_t key)
{
    int32_t g = t->bucket[(uint32_t)key & t->mask];
    while (g >= 0 && t->group[g].key != key)
        g = t->group[g].next;
    return g;
}

// Counts the positions of each key in Group.end; Compared.place becomes the number of the group.
static void count_groups(Context *c, Table *t, int32_t count)
{
    size_t buckets = 1;
    while (buckets < (size_t)count)
        buckets *= 2;
    t->mask = (uint32_t)buckets - 1;
    t->bucket = run_grow(c, t->bucket, &t->bucket_capacity, buckets, sizeof *t->bucket);
    memset(t->bucket, -1, buckets * sizeof *t->bucket);
    t->group = run_grow(c, t->group, &t->group_capacity, (size_t)count, sizeof *t->group);
    t->group_count = t->place_count = 0;
    for (int32_t n = 0; n < count; n++) {
        Compared *p = &t->position[n];
        if (p->place < 0)
            continue;
        int32_t g = find_group(t, p->key);
        if (g < 0) {
            int32_t *bucket = &t->bucket[(uint32_t)p->key & t->mask];
            g = t->group_count++;
            t->group[g] = (Group){.key = p->key, .next = *bucket};
            *bucket = g;
        }
        t->group[g].end++;
        p->place = g;
        t->place_count++;
    }
}

// Gives each position its place.
static void put_in_order(Context *c, Table *t, int32_t count)
{
    const size_t places = (size_t)t->place_count;
    t->at = run_grow(c, t->at, &t->at_capacity, places, sizeof *t->at);
    t->group_at = run_grow(c, t->group_at, &t->group_at_capacity, places, sizeof *t->group_at);
    t->level[0] = run_grow(c, t->level[0], &t->level_capacity[0], places, sizeof **t->level);
    int32_t start = 0;
    for (int32_t g = 0; g < t->group_count; g++) {
        Group *group = &t->group[g];
        const int32_t size = group->end;
        group->start = group->end = start;
        start += size;
    }
    for (int32_t n = 0; n < count; n++) {
        Compared *p = &t->position[n];
        if (p->place < 0)
            continue;
        const int32_t g = p->place, place = t->group[g].end++;
        p->place = place;
        t->at[place] = n;
        t->group_at[place] = g;
        t->level[0][place] = (Block){{p->number[0], p->number[1]}, {p->number[0], p->number[1]}};
    }
}

static void join(Block *all, const Block *block)
{
    for (int i = 0; i < NUMBERS; i++) {
        if (block->least[i] < all->least[i])
            all->least[i] = block->least[i];
        if (block->greatest[i] > all->greatest[i])
            all->greatest[i] = block->greatest[i];
    }
}

static void make_levels(Context *c, Table *t)
{
    int32_t size = t->place_count;
    for (t->level_count = 1; size > FAN && t->level_count < MOST_LEVELS; t->level_count++) {
        const int l = t->level_count;
        const int32_t above = (size + FAN - 1) / FAN;
        t->level[l] =
            run_grow(c, t->level[l], &t->level_capacity[l], (size_t)above, sizeof **t->level);
        for (int32_t i = 0; i < size; i++) {
            Block *block = &t->level[l][i >> FAN_BITS];
            if (i % FAN == 0)
                *block = t->level[l - 1][i];
            else
                join(block, &t->level[l - 1][i]);
        }
        size = above;
    }
}

static Table *table_of(Context *c, int32_t condition)
{
    ComparedState *s = c->run->compared;
    s->table = run_grow(c, s->table, &s->capacity, (size_t)c->query->remembered_count, sizeof *s->table);
    Table *t = &s->table[condition];
    if (t->game != c->run->game_serial) {
        t->game = c->run->game_serial;
        t->evaluations = 0;
        t->is_made = false;
        t->relations = 0;
    }
    return t;
}

static void make_table(Context *c, int32_t condition, Table *t)
{
    const int32_t count = c->game->count;
    t->position = run_grow(c, t->position, &t->position_capacity, (size_t)count, sizeof *t->position);
    for (int32_t n = 0; n < count; n++)
        t->position[n] = evaluate(c, condition, n, &t->relations);
    count_groups(c, t, count);
    put_in_order(c, t, count);
    make_levels(c, t);
    t->is_made = true;
}

// ---- searches in the table --------------------------------------------------------------------------------

// The first place from `low` to `high`, exclusive, whose position is `first` or later; `high`: none.
static int32_t place_from(const Table *t, int32_t low, int32_t high, int32_t first)
{
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (t->at[middle] < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The first place from `place` to `end`, exclusive, whose numbers are wanted; -1: none.
static int32_t next_place(Context *c, const Table *t, const Wanted *wanted, int32_t place, int32_t end)
{
    int32_t found = -1, tests = 0, level = 0;
    while (place < end) {
        const Block *block = &t->level[level][place >> level * FAN_BITS];
        tests++;
        if (may_contain(block->least, block->greatest, wanted)) {
            if (level == 0) {
                found = place;
                break;
            }
            level--;
            continue;
        }
        place += 1 << level * FAN_BITS;
        while (level + 1 < t->level_count && (place & ((FAN << level * FAN_BITS) - 1)) == 0)
            level++;
    }
    if (tests >= TESTS_PER_STEP)
        run_take_steps(c, (size_t)(tests / TESTS_PER_STEP));
    return found;
}

// The first position of the game from `first` to `last` that is wanted; -1: none.
static int32_t next_in_table(Context *c, const Table *t, const Wanted *wanted, int32_t first, int32_t last)
{
    const int32_t before = first > 0 ? t->position[first - 1].place : -1;
    // The search goes on where the last one ended, or at an equal source.
    const bool goes_on = before >= 0 && t->position[first - 1].key == wanted->key;
    const int32_t g = goes_on ? t->group_at[before] : find_group(t, wanted->key);
    if (g < 0)
        return -1;
    const Group *group = &t->group[g];
    const int32_t place = goes_on ? before + 1 : place_from(t, group->start, group->end, first);
    if (wanted->relations == COMPARE_ALL)
        return place < group->end && t->at[place] <= last ? t->at[place] : -1;
    const int32_t end = last < c->game->count - 1 ? place_from(t, place, group->end, last + 1) : group->end;
    const int32_t found = next_place(c, t, wanted, place, end);
    return found >= 0 ? t->at[found] : -1;
}

int32_t rt_next_compared(Context *c, int32_t condition, int32_t key, int32_t number, int32_t second,
                         int32_t first, int32_t last)
{
    Wanted wanted = {key, {number, second}, COMPARE_ALL};
    const int32_t count = c->game->count;
    Table *t = table_of(c, condition);
    for (; first <= last && first < count && !t->is_made; first++) {
        if (t->evaluations++ == count) {
            make_table(c, condition, t);
            break;
        }
        if (next_one(c, condition, wanted, first, first) == first)
            return first;
    }
    if (first <= last && first < count) {
        wanted.relations = t->relations;
        const int32_t found = next_in_table(c, t, &wanted, first, last);
        if (found >= 0)
            return found;
    }
    // Imaginary positions are in no table.
    return next_one(c, condition, wanted, first > count ? first : count, last);
}
