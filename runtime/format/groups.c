// Tables of groups, and their rows in order.
#include "groups.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "runtime/value/memory.h"
#include "values.h"

// ---- tables -----------------------------------------------------------------------------------------------

static void add_numbers(GroupNumbers *to, const GroupNumbers *n)
{
    to->games += n->games;
    to->positions += n->positions;
    to->white += n->white;
    to->black += n->black;
    to->draws += n->draws;
    to->searched += n->searched;
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

void groups_add(GroupTable *t, uint32_t query, const char *values, size_t length, const GroupNumbers *numbers)
{
    const uint64_t hash = XXH3_64bits_withSeed(values, length, query);
    if (t->slots < 2 * (t->count + 1))
        make_slots(t, t->slots ? 2 * t->slots : 64);
    uint32_t *slot = find_slot(t, hash, query, values, length);
    if (*slot == 0) {
        t->group = memory_grow(t->group, &t->capacity, t->count + 1, sizeof *t->group);
        t->group[t->count] = (Group){t->values.length, length, hash, query, {0}};
        buffer_append(&t->values, values, length);
        *slot = (uint32_t)++t->count;
    }
    add_numbers(&t->group[*slot - 1].numbers, numbers);
}

void groups_add_all(GroupTable *t, const GroupTable *other)
{
    for (size_t i = 0; i < other->count; i++) {
        const Group *g = &other->group[i];
        groups_add(t, g->query, other->values.start + g->start, g->length, &g->numbers);
    }
}

void groups_clear(GroupTable *t)
{
    t->count = t->values.length = 0;
    if (t->slots > 0)
        memset(t->slot, 0, t->slots * sizeof *t->slot);
}

void groups_free(GroupTable *t)
{
    free(t->group);
    free(t->slot);
    buffer_free(&t->values);
    *t = (GroupTable){0};
}

size_t groups_bytes(const GroupTable *t)
{
    return t->count * sizeof *t->group + t->values.length + t->slots * sizeof *t->slot;
}

// ---- values of rows ---------------------------------------------------------------------------------------

static char *pool_text(Pool *pool, const char *text, size_t length)
{
    size_t capacity = 0;
    char *copy = pool_grow(pool, NULL, &capacity, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

static Text number_text(Pool *pool, const GroupKey *key, int64_t number)
{
    static const char *const results[] = {"1-0", "1/2-1/2", "0-1", "*"};
    char text[48];
    if (key->kind == GROUP_RESULT)
        return text_of(results[number & 3]);
    const int length = key->part > 0 ? snprintf(text, sizeof text, "%lld-%lld", (long long)number,
                                                (long long)(number + key->part - 1))
                                     : snprintf(text, sizeof text, "%lld", (long long)number);
    return (Text){pool_text(pool, text, (size_t)length), (size_t)length};
}

// A value as it is shown.
static GroupValue shown_value(Pool *pool, const GroupKey *key, const Value *v)
{
    if (v->kind == VALUE_NONE)
        return (GroupValue){GROUP_VALUE_NONE, 0, text_of("(none)")};
    if (v->kind == VALUE_NUMBER)
        return (GroupValue){GROUP_VALUE_NUMBER, v->number, number_text(pool, key, v->number)};
    return (GroupValue){GROUP_VALUE_TEXT, 0, v->text};
}

static const GroupValue *read_values(Pool *pool, const GroupSpec *spec, const char *values, const char *end)
{
    Value value = {0};
    size_t capacity = 0;
    GroupValue *list = pool_grow(pool, NULL, &capacity, spec->count, sizeof *list);
    for (size_t i = 0; i < spec->count && value_get(&values, end, &value); i++)
        list[i] = shown_value(pool, &spec->key[i], &value);
    return list;
}

// ---- order ------------------------------------------------------------------------------------------------

// -1, 0 or 1: the first is less, equal or greater.
static int order_of(int64_t first, int64_t second)
{
    return (first > second) - (first < second);
}

static int compare_values(const GroupValue *a, const GroupValue *b)
{
    const bool a_none = a->kind == GROUP_VALUE_NONE, b_none = b->kind == GROUP_VALUE_NONE;
    if (a_none || b_none)
        return a_none - b_none;
    if (a->kind == GROUP_VALUE_NUMBER && b->kind == GROUP_VALUE_NUMBER)
        return order_of(a->number, b->number);
    const size_t least = a->text.length < b->text.length ? a->text.length : b->text.length;
    const int order = least > 0 ? memcmp(a->text.start, b->text.start, least) : 0;
    return order ? order : order_of((int64_t)a->text.length, (int64_t)b->text.length);
}

typedef struct SortedRow {
    GroupRow row;
    size_t keys;
    bool by_games;
} SortedRow;

static int compare_rows(const void *left, const void *right)
{
    const SortedRow *a = left, *b = right;
    const GroupNumbers *m = &a->row.numbers, *n = &b->row.numbers;
    int order = order_of(a->row.query, b->row.query);
    if (order == 0 && a->by_games)
        order = order_of(n->games, m->games); // the greater number first
    if (order == 0 && a->by_games)
        order = order_of(n->searched, m->searched);
    for (size_t k = 0; k < a->keys && order == 0; k++)
        order = compare_values(&a->row.value[k], &b->row.value[k]);
    return order;
}

// Years, bands and numbers have an order of their own; names and openings come by their numbers of games.
static bool has_order(const GroupKey *key, const SortedRow *row, size_t count, size_t k)
{
    bool texts = false;
    for (size_t i = 0; i < count && key->kind == GROUP_EXPRESSION; i++)
        texts |= row[i].row.value[k].kind == GROUP_VALUE_TEXT;
    const bool date = key->kind == GROUP_TAG && key->columns == 1U << COLUMN_DATE;
    return key->kind == GROUP_EXPRESSION
               ? !texts
               : date || (key->kind != GROUP_TAG && key->kind != GROUP_ECO && key->kind != GROUP_FILE);
}

static void sort_rows(const GroupSpec *spec, SortedRow *row, size_t count)
{
    bool by_games = spec->order == GROUP_ORDER_GAMES;
    for (size_t k = 0; k < spec->count && spec->order == GROUP_ORDER_USUAL; k++)
        by_games |= !has_order(&spec->key[k], row, count, k);
    for (size_t i = 0; i < count; i++)
        row[i].by_games = by_games;
    if (count > 1)
        qsort(row, count, sizeof *row, compare_rows);
}

// ---- rows -------------------------------------------------------------------------------------------------

// The rows of the table; the games that were searched have a row for each query.
static SortedRow *collect_rows(GroupRows *rows, const GroupSpec *spec, const GroupTable *t,
                               const Matcher *matcher, size_t *count)
{
    GroupTable all = {0};
    SortedRow *list = NULL;
    size_t capacity = 0;
    for (size_t i = 0; i < t->count; i++) {
        const Group *g = &t->group[i];
        const char *values = t->values.start + g->start;
        if (g->query != GROUP_NO_QUERY)
            groups_add(&all, g->query, values, g->length, &g->numbers);
        for (uint32_t q = 0; g->query == GROUP_NO_QUERY && q < matcher->query_count; q++)
            groups_add(&all, q, values, g->length, &g->numbers);
    }
    *count = all.count;
    list = memory_grow(list, &capacity, all.count, sizeof *list);
    size_t length = 0;
    char *values = pool_grow(&rows->pool, NULL, &length, all.values.length + 1, 1);
    if (all.values.length > 0)
        memcpy(values, all.values.start, all.values.length);
    for (size_t i = 0; i < all.count; i++) {
        const Group *g = &all.group[i];
        const GroupRow row = {
            g->query, read_values(&rows->pool, spec, values + g->start, values + g->start + g->length),
            g->numbers};
        list[i] = (SortedRow){row, spec->count, false};
    }
    groups_free(&all);
    return list;
}

static void add_row(GroupRows *rows, GroupRow row)
{
    MEMORY_PUSH(rows->row, rows->count, rows->capacity, row);
}

void group_rows(GroupRows *rows, const GroupSpec *spec, const GroupTable *t, const Matcher *matcher)
{
    size_t count;
    *rows = (GroupRows){.games = memory_zeroed(matcher->query_count, sizeof *rows->games)};
    SortedRow *list = collect_rows(rows, spec, t, matcher, &count);
    sort_rows(spec, list, count);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (list[i].row.query != list[first].row.query)
            first = i;
        rows->games[list[i].row.query] += list[i].row.numbers.games;
        if (spec->limit == 0 || (int64_t)(i - first) < spec->limit) {
            add_row(rows, list[i].row);
            continue;
        }
        if ((int64_t)(i - first) == spec->limit)
            add_row(rows, (GroupRow){.query = list[i].row.query});
        add_numbers(&rows->row[rows->count - 1].numbers, &list[i].row.numbers);
    }
    free(list);
}

double group_percent(const GroupSpec *spec, const GroupRows *rows, const GroupRow *row)
{
    const int64_t whole = spec->of_all ? row->numbers.searched : rows->games[row->query];
    return whole > 0 ? 100.0 * (double)row->numbers.games / (double)whole : 0;
}

double group_bar(const GroupSpec *spec, const GroupRows *rows, const GroupRow *row)
{
    return spec->of_all ? group_percent(spec, rows, row) : (double)row->numbers.games;
}

void group_rows_free(GroupRows *rows)
{
    free(rows->row);
    free(rows->games);
    pool_free(&rows->pool);
    *rows = (GroupRows){0};
}
