// Positions whose values compare with those of another position, for loops over positions (`source:A == target:A`,
// `source:power A > target:power A`). A compared condition gives each position a key and two numbers. The loop asks for the
// next position with an equal key whose numbers are less, equal or greater, as the condition says.
//
// The condition is evaluated once at each position, when a search first comes there. When the searches of a game have looked
// at many positions, an index of all positions is made. If only keys count, it is chains of positions by key; else positions
// in the order of their keys, where a search skips blocks of positions by the least and greatest of their numbers.
#include "compared.h"

#include "runtime/match/run_state.h"

enum { NUMBERS = 2, FAN_BITS = 4, FAN = 1 << FAN_BITS, MOST_LEVELS = 8, LOOKS_PER_STEP = 16 };

// Compared.link of positions that are in no index.
enum { NOT_EVALUATED = -4, NOT_WANTED = -3, WANTED = -2 };

typedef struct Numbers {
    int32_t number[NUMBERS];
} Numbers;

// What a compared condition says of a position.
typedef struct Compared {
    int32_t key;
    Numbers numbers;
    // In chains: the next position of the bucket, ascending; -1: none. In order: the place of the position.
    int32_t link;
} Compared;

// Positions with keys of the same bits.
typedef struct Bucket {
    int32_t first;  // position; -1: none
    int32_t passed; // before which the last search passed all of them; -1: none
} Bucket;

// Positions with the same key: places `start` to `end`, exclusive.
typedef struct Group {
    int32_t key, start, end;
    int32_t next; // in the same bucket; -1: none
} Group;

// The least and greatest numbers of places that follow each other.
typedef struct Block {
    int32_t least[NUMBERS], greatest[NUMBERS];
} Block;

typedef enum Index { NO_INDEX, CHAINS, ORDER } Index;

typedef struct Table {
    uint64_t game; // RunState.game_serial of what follows
    Index index;
    int64_t looks;     // at positions, without an index
    int32_t relations; // enum CompareRelation, as the condition gave them
    Compared *position;
    Bucket *bucket; // of positions, in ORDER of groups; as many as positions, up to a power of two
    uint32_t mask;
    // ORDER
    int32_t *at;       // by place: the position, ascending in each group
    int32_t *group_at; // by place: the group
    Group *group;
    int32_t group_count, place_count;
    Numbers *numbers;          // by place
    Block *level[MOST_LEVELS]; // from 1 on; a block is of FAN places or FAN blocks of the level below
    int32_t level_count;
    size_t position_capacity, bucket_capacity, at_capacity, group_at_capacity, group_capacity,
        numbers_capacity;
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
    // A number n is in the relation when n - low, modulo 2^32, is at most `span`.
    uint32_t low[NUMBERS], span[NUMBERS];
    bool is_empty; // some relation has no numbers, and so no interval
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
    s->here = (Compared){.key = key, .numbers = {{first, second}}};
    s->relations = relations;
}

// ---- one position -----------------------------------------------------------------------------------------

static Compared evaluate(Context *c, int32_t condition, int32_t n, int32_t *relations)
{
    run_take_step(c);
    ComparedState *s = c->run->compared;
    const bool is_true = c->query->remembered(c, condition, n) != 0;
    Compared here = s->here;
    here.link = is_true ? WANTED : NOT_WANTED;
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

static void set_interval(Wanted *wanted, int i, int32_t relation)
{
    const int32_t bound = wanted->number[i];
    const bool less = relation & COMPARE_LESS, greater = relation & COMPARE_GREATER;
    const uint32_t others = !(relation & COMPARE_EQUAL);
    wanted->low[i] = greater ? (uint32_t)bound + others : less ? (uint32_t)INT32_MIN : (uint32_t)bound;
    uint32_t high = less ? (uint32_t)bound - others : greater ? (uint32_t)INT32_MAX : (uint32_t)bound;
    if (less && greater && !others) {
        wanted->low[i] = 0;
        high = UINT32_MAX;
    }
    wanted->span[i] = high - wanted->low[i];
    wanted->is_empty |= others && less != greater && bound == (less ? INT32_MIN : INT32_MAX);
}

static void set_relations(Wanted *wanted, int32_t relations)
{
    wanted->relations = relations;
    set_interval(wanted, 0, relations & COMPARE_ANY);
    set_interval(wanted, 1, relations >> COMPARE_BITS & COMPARE_ANY);
}

static inline bool fits(const Numbers *numbers, const Wanted *wanted)
{
    if (wanted->is_empty)
        return may_contain(numbers->number, numbers->number, wanted);
    const bool first = (uint32_t)numbers->number[0] - wanted->low[0] <= wanted->span[0];
    const bool second = (uint32_t)numbers->number[1] - wanted->low[1] <= wanted->span[1];
    return wanted->relations & COMPARE_EITHER ? first | second : first & second;
}

static void take_looks(Context *c, int64_t looks)
{
    if (looks >= LOOKS_PER_STEP)
        run_take_steps(c, (size_t)(looks / LOOKS_PER_STEP));
}

// ---- the table --------------------------------------------------------------------------------------------

static Table *table_of(Context *c, int32_t condition)
{
    ComparedState *s = c->run->compared;
    s->table = run_grow(c, s->table, &s->capacity, (size_t)c->query->remembered_count, sizeof *s->table);
    Table *t = &s->table[condition];
    if (t->game == c->run->game_serial)
        return t;
    const int32_t count = c->game->count;
    t->position = run_grow(c, t->position, &t->position_capacity, (size_t)count, sizeof *t->position);
    for (int32_t n = 0; n < count; n++)
        t->position[n].link = NOT_EVALUATED;
    t->game = c->run->game_serial;
    t->index = NO_INDEX;
    t->looks = 0;
    t->relations = COMPARE_ALL;
    return t;
}

// One position after the other.
static int32_t next_by_looking(Context *c, int32_t condition, Table *t, Wanted *wanted, int32_t first,
                               int32_t last)
{
    Compared *const position = t->position;
    int32_t n = first;
    for (; n <= last; n++) {
        Compared *p = &position[n];
        if (p->link == NOT_EVALUATED) {
            *p = evaluate(c, condition, n, &t->relations);
            if (wanted->relations != t->relations)
                set_relations(wanted, t->relations);
        }
        if (p->link == WANTED && p->key == wanted->key && fits(&p->numbers, wanted))
            break;
    }
    t->looks += n - first + 1;
    take_looks(c, n - first);
    return n <= last ? n : -1;
}

static Bucket *bucket_of(const Table *t, int32_t key)
{
    return &t->bucket[(uint32_t)key & t->mask];
}

static void make_buckets(Context *c, Table *t)
{
    size_t buckets = 1;
    while (buckets < (size_t)c->game->count)
        buckets *= 2;
    t->mask = (uint32_t)buckets - 1;
    t->bucket = run_grow(c, t->bucket, &t->bucket_capacity, buckets, sizeof *t->bucket);
    memset(t->bucket, -1, buckets * sizeof *t->bucket);
}

// ---- chains -----------------------------------------------------------------------------------------------

static void make_chains(Table *t, int32_t count)
{
    for (int32_t n = count - 1; n >= 0; n--) {
        Compared *p = &t->position[n];
        if (p->link == NOT_WANTED)
            continue;
        Bucket *bucket = bucket_of(t, p->key);
        p->link = bucket->first;
        bucket->first = n;
    }
}

static int32_t next_in_chain(Context *c, const Table *t, int32_t key, int32_t first, int32_t last)
{
    const Compared *position = t->position, *before = first > 0 ? &position[first - 1] : NULL;
    Bucket *bucket = bucket_of(t, key);
    // The chain goes on where the last search ended, or at an equal source.
    int32_t n = bucket->first, looks = 0;
    if (before != NULL && before->key == key && before->link != NOT_WANTED)
        n = before->link;
    else if (bucket->passed >= 0 && bucket->passed < first)
        n = position[bucket->passed].link;
    for (; n >= 0 && (n < first || position[n].key != key); n = position[n].link) {
        if (n < first)
            bucket->passed = n;
        looks++;
    }
    take_looks(c, looks);
    return n <= last ? n : -1;
}

// ---- order ------------------------------------------------------------------------------------------------

static int32_t find_group(const Table *t, int32_t key)
{
    int32_t g = bucket_of(t, key)->first;
    while (g >= 0 && t->group[g].key != key)
        g = t->group[g].next;
    return g;
}

static int32_t find_or_add_group(Table *t, int32_t key)
{
    int32_t g = find_group(t, key);
    if (g >= 0)
        return g;
    Bucket *bucket = bucket_of(t, key);
    g = t->group_count++;
    t->group[g] = (Group){.key = key, .next = bucket->first};
    return bucket->first = g;
}

// Counts the positions of each key in Group.end; Compared.link becomes the number of the group.
static void count_groups(Context *c, Table *t, int32_t count)
{
    t->group = run_grow(c, t->group, &t->group_capacity, (size_t)count, sizeof *t->group);
    t->group_count = t->place_count = 0;
    for (int32_t n = 0; n < count; n++) {
        Compared *p = &t->position[n];
        if (p->link == NOT_WANTED)
            continue;
        p->link = find_or_add_group(t, p->key);
        t->group[p->link].end++;
        t->place_count++;
    }
}

// Gives each position its place.
static void put_in_order(Context *c, Table *t, int32_t count)
{
    const size_t places = (size_t)t->place_count;
    t->at = run_grow(c, t->at, &t->at_capacity, places, sizeof *t->at);
    t->group_at = run_grow(c, t->group_at, &t->group_at_capacity, places, sizeof *t->group_at);
    t->numbers = run_grow(c, t->numbers, &t->numbers_capacity, places, sizeof *t->numbers);
    int32_t start = 0;
    for (int32_t g = 0; g < t->group_count; g++) {
        Group *group = &t->group[g];
        const int32_t size = group->end;
        group->start = group->end = start;
        start += size;
    }
    for (int32_t n = 0; n < count; n++) {
        Compared *p = &t->position[n];
        if (p->link == NOT_WANTED)
            continue;
        const int32_t g = p->link, place = t->group[g].end++;
        p->link = place;
        t->at[place] = n;
        t->group_at[place] = g;
        t->numbers[place] = p->numbers;
    }
}

static void join(Block *all, const int32_t *least, const int32_t *greatest)
{
    for (int i = 0; i < NUMBERS; i++) {
        if (least[i] < all->least[i])
            all->least[i] = least[i];
        if (greatest[i] > all->greatest[i])
            all->greatest[i] = greatest[i];
    }
}

// Makes the blocks of a level for `size` places or blocks of the level below. Returns how many there are.
static int32_t make_level(Context *c, Table *t, int level, int32_t size)
{
    const int32_t blocks = (size + FAN - 1) / FAN;
    t->level[level] =
        run_grow(c, t->level[level], &t->level_capacity[level], (size_t)blocks, sizeof **t->level);
    for (int32_t b = 0; b < blocks; b++)
        t->level[level][b] = (Block){{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
    for (int32_t i = 0; i < size; i++) {
        const Block *below = level > 1 ? &t->level[level - 1][i] : NULL;
        const int32_t *number = t->numbers[level > 1 ? 0 : i].number;
        join(&t->level[level][i >> FAN_BITS], below != NULL ? below->least : number,
             below != NULL ? below->greatest : number);
    }
    return blocks;
}

static void make_levels(Context *c, Table *t)
{
    int32_t size = t->place_count;
    for (t->level_count = 1; size > FAN && t->level_count < MOST_LEVELS; t->level_count++)
        size = make_level(c, t, t->level_count, size);
}

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

// The first place from `place` to `end` that begins a block of level 1 which may contain what is wanted, or `end`.
static int32_t skip_blocks(const Table *t, const Wanted *wanted, int32_t place, int32_t end, int32_t *looks)
{
    int level = 1;
    while (place < end) {
        const Block *block = &t->level[level][place >> level * FAN_BITS];
        ++*looks;
        if (may_contain(block->least, block->greatest, wanted)) {
            if (level == 1)
                return place;
            level--;
            continue;
        }
        place += 1 << level * FAN_BITS;
        while (level + 1 < t->level_count && (place & ((FAN << level * FAN_BITS) - 1)) == 0)
            level++;
    }
    return end;
}

// The first place from `place` to `end`, exclusive, whose numbers are wanted; -1: none.
static int32_t next_place(Context *c, const Table *t, const Wanted *wanted, int32_t place, int32_t end)
{
    int32_t looks = 0;
    bool found = false;
    while (place < end && !found) {
        const int32_t start = place, block_end = (place | (FAN - 1)) + 1,
                      stop = block_end < end ? block_end : end;
        while (place < stop && !fits(&t->numbers[place], wanted))
            place++;
        looks += place - start;
        found = place < stop;
        if (!found)
            place = skip_blocks(t, wanted, place, end, &looks);
    }
    take_looks(c, looks);
    return found ? place : -1;
}

static int32_t next_in_order(Context *c, const Table *t, const Wanted *wanted, int32_t first, int32_t last)
{
    const Compared *before = first > 0 ? &t->position[first - 1] : NULL;
    // The search goes on where the last one ended, or at an equal source.
    const bool goes_on = before != NULL && before->link != NOT_WANTED && before->key == wanted->key;
    const int32_t g = goes_on ? t->group_at[before->link] : find_group(t, wanted->key);
    if (g < 0)
        return -1;
    const Group *group = &t->group[g];
    const int32_t place = goes_on ? before->link + 1 : place_from(t, group->start, group->end, first);
    const bool to_the_end = last >= c->game->count - 1;
    const int32_t end = to_the_end ? group->end : place_from(t, place, group->end, last + 1);
    const int32_t found = next_place(c, t, wanted, place, end);
    return found >= 0 ? t->at[found] : -1;
}

// ---- searches ---------------------------------------------------------------------------------------------

static void make_index(Context *c, int32_t condition, Table *t)
{
    const int32_t count = c->game->count;
    for (int32_t n = 0; n < count; n++)
        if (t->position[n].link == NOT_EVALUATED)
            t->position[n] = evaluate(c, condition, n, &t->relations);
    make_buckets(c, t);
    if (t->relations == COMPARE_ALL) {
        make_chains(t, count);
        t->index = CHAINS;
        return;
    }
    count_groups(c, t, count);
    put_in_order(c, t, count);
    make_levels(c, t);
    t->index = ORDER;
}

// The first position of the game from `first` to `last` that is wanted; -1: none.
static int32_t next_of_game(Context *c, int32_t condition, Wanted *wanted, int32_t first, int32_t last)
{
    enum { LOOKS_BEFORE_ORDER = 16 }; // at each position; a chain is cheap
    Table *t = table_of(c, condition);
    const int64_t most = t->relations == COMPARE_ALL ? 0 : LOOKS_BEFORE_ORDER * (int64_t)c->game->count;
    if (t->index == NO_INDEX && t->looks > most)
        make_index(c, condition, t);
    if (t->index == CHAINS)
        return next_in_chain(c, t, wanted->key, first, last);
    set_relations(wanted, t->relations);
    return t->index == ORDER ? next_in_order(c, t, wanted, first, last)
                             : next_by_looking(c, condition, t, wanted, first, last);
}

int32_t rt_next_compared(Context *c, int32_t condition, int32_t key, int32_t number, int32_t second,
                         int32_t first, int32_t last)
{
    Wanted wanted = {.key = key, .number = {number, second}};
    const int32_t count = c->game->count;
    if (first <= last && first < count) {
        const int32_t found = next_of_game(c, condition, &wanted, first, last < count ? last : count - 1);
        if (found >= 0)
            return found;
    }
    // Imaginary positions are in no table: their numbers are used again for others.
    for (int32_t n = first > count ? first : count; n <= last; n++) {
        int32_t relations = COMPARE_ALL;
        const Compared here = evaluate(c, condition, n, &relations);
        set_relations(&wanted, relations);
        if (here.link == WANTED && here.key == key && fits(&here.numbers, &wanted))
            return n;
    }
    return -1;
}
