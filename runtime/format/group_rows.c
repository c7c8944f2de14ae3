// The rows of groups in order, with their measures.
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "values.h"

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
    const int length = key->part > 0 ? snprintf(text, sizeof text, number < 0 ? "%lld..%lld" : "%lld-%lld",
                                                (long long)number, (long long)(number + key->part - 1))
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

static int compare_texts(Text a, Text b)
{
    const size_t least = a.length < b.length ? a.length : b.length;
    const int order = least > 0 ? memcmp(a.start, b.start, least) : 0;
    return order ? order : order_of((int64_t)a.length, (int64_t)b.length);
}

static int compare_values(const GroupValue *a, const GroupValue *b)
{
    const bool a_none = a->kind == GROUP_VALUE_NONE, b_none = b->kind == GROUP_VALUE_NONE;
    if (a_none || b_none)
        return a_none - b_none;
    if (a->kind == GROUP_VALUE_NUMBER && b->kind == GROUP_VALUE_NUMBER)
        return order_of(a->number, b->number);
    return compare_texts(a->text, b->text);
}

// A row before it is sorted.
typedef struct SortedRow {
    GroupRow row;
    size_t place; // in the table of all groups
    const GroupSpec *spec;
    GroupOrder order;
} SortedRow;

// The order of two amounts, those that are none last.
static int compare_amounts(const GroupAmount *a, const GroupAmount *b)
{
    if (a->denominator == 0 || b->denominator == 0)
        return (b->denominator == 0) - (a->denominator == 0);
    const __int128 left = (__int128)a->numerator * b->denominator,
                   right = (__int128)b->numerator * a->denominator;
    return (left > right) - (left < right);
}

static int compare_rows(const void *left, const void *right)
{
    const SortedRow *a = left, *b = right;
    const GroupSpec *spec = a->spec;
    const GroupNumbers *m = &a->row.numbers, *n = &b->row.numbers;
    int order = order_of(a->row.query, b->row.query);
    if (order == 0 && a->order == GROUP_ORDER_MEASURE)
        order = compare_amounts(&b->row.amount[spec->order_measure], &a->row.amount[spec->order_measure]);
    if (order == 0 && a->order != GROUP_ORDER_KEY)
        order = order_of(group_matches(spec, &b->row), group_matches(spec, &a->row));
    if (order == 0 && a->order != GROUP_ORDER_KEY)
        order = order_of(n->searched, m->searched);
    if (a->order == GROUP_ORDER_RAREST && a->row.query == b->row.query)
        order = -order;
    for (size_t k = 0; k < spec->count && order == 0; k++)
        order = compare_values(&a->row.value[k], &b->row.value[k]);
    return order;
}

// Years, bands and numbers have an order of their own; names and openings come by their numbers of matches.
static bool has_order(const GroupKey *key, const SortedRow *row, size_t count, size_t k)
{
    static const bool ordered[] = {
        [GROUP_YEAR] = true, [GROUP_MONTH] = true, [GROUP_RATING] = true,    [GROUP_RESULT] = true,
        [GROUP_SIDE] = true, [GROUP_PLY] = true,   [GROUP_PLY_COUNT] = true, [GROUP_EXPRESSION] = true};
    bool texts = false;
    for (size_t i = 0; i < count && key->kind == GROUP_EXPRESSION; i++)
        texts |= row[i].row.value[k].kind == GROUP_VALUE_TEXT;
    const bool date = key->kind == GROUP_TAG && key->columns == 1U << COLUMN_DATE;
    return date || (ordered[key->kind] && !texts);
}

static void sort_rows(const GroupSpec *spec, SortedRow *row, size_t count)
{
    GroupOrder order = spec->order == GROUP_ORDER_USUAL ? GROUP_ORDER_KEY : spec->order;
    for (size_t k = 0; k < spec->count && spec->order == GROUP_ORDER_USUAL; k++)
        if (!has_order(&spec->key[k], row, count, k))
            order = GROUP_ORDER_GAMES;
    for (size_t i = 0; i < count; i++)
        row[i].order = order;
    if (count > 1)
        qsort(row, count, sizeof *row, compare_rows);
}

// ---- measures ---------------------------------------------------------------------------------------------

// A value of a measure with details, and how many matches have it.
typedef struct Detail {
    size_t row, measure;
    Value value;
    int64_t count;
} Detail;

static int compare_details(const void *left, const void *right)
{
    const Detail *a = left, *b = right;
    int order = order_of((int64_t)a->row, (int64_t)b->row);
    order = order ? order : order_of((int64_t)a->measure, (int64_t)b->measure);
    order = order ? order : order_of(a->value.kind, b->value.kind);
    order = order ? order : order_of(a->value.number, b->value.number);
    return order || a->value.kind != VALUE_TEXT ? order : compare_texts(a->value.text, b->value.text);
}

// The value that is number `i` in the order of their sizes, of those that begin at `d`.
static int64_t value_at(const Detail *d, int64_t i)
{
    while (i >= d->count)
        i -= d++->count;
    return d->value.number;
}

static GroupAmount median(const Detail *d, size_t count)
{
    int64_t values = 0;
    for (size_t i = 0; i < count; i++)
        values += d[i].count;
    if (values == 0)
        return (GroupAmount){0, 0};
    if (values % 2 == 1)
        return (GroupAmount){value_at(d, values / 2), 1};
    return (GroupAmount){value_at(d, values / 2 - 1) + value_at(d, values / 2), 2};
}

static GroupAmount distinct(const Detail *d, size_t count)
{
    int64_t values = 0;
    for (size_t i = 0; i < count; i++)
        values += i == 0 || compare_details(&d[i - 1], &d[i]) != 0;
    return (GroupAmount){values, 1};
}

// The values of measures with details: the last value of their groups. `row_of`: by place in the table `all`.
static Detail *collect_details(const GroupSpec *spec, const GroupTable *t, const GroupTable *all,
                               const size_t *row_of, size_t *count)
{
    Detail *list = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < t->count; i++) {
        const Group *g = &t->group[i];
        if (g->query < GROUP_DETAIL || g->query == GROUP_NO_QUERY)
            continue;
        const char *start = t->values.start + g->start, *at = start, *end = start + g->length;
        Value value;
        for (size_t k = 0; k < spec->count; k++)
            value_get(&at, end, &value);
        const size_t group = groups_find(all, g->query & GROUP_QUERY, start, (size_t)(at - start));
        if (group == SIZE_MAX || !value_get(&at, end, &value) || value.kind == VALUE_NONE)
            continue;
        const Detail detail = {row_of[group], g->query / GROUP_DETAIL - 1, value, g->numbers.positions};
        MEMORY_PUSH(list, *count, capacity, detail);
    }
    if (*count > 1)
        qsort(list, *count, sizeof *list, compare_details);
    return list;
}

static void add_details(GroupRows *rows, const GroupSpec *spec, Detail *list, size_t count)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        const size_t row = list[begin].row, measure = list[begin].measure;
        for (end = begin; end < count && list[end].row == row && list[end].measure == measure; end++)
            ;
        rows->row[row].amount[measure] = spec->measure[measure].kind == MEASURE_MEDIAN
                                             ? median(list + begin, end - begin)
                                             : distinct(list + begin, end - begin);
    }
}

static GroupAmount amount_of(const GroupMeasure *m, const GroupNumbers *n, const GroupSum *sum)
{
    const int64_t results = n->white + n->draws + n->black;
    switch (m->kind) {
    case MEASURE_GAMES:
        return (GroupAmount){n->games, 1};
    case MEASURE_WHITE:
        return (GroupAmount){n->white, 1};
    case MEASURE_DRAWS:
        return (GroupAmount){n->draws, 1};
    case MEASURE_BLACK:
        return (GroupAmount){n->black, 1};
    case MEASURE_SCORE:
        return (GroupAmount){100 * (2 * n->white + n->draws), 2 * results};
    case MEASURE_DISTINCT:
        return (GroupAmount){0, 1};
    default:
        break;
    }
    const bool any = sum && sum->count > 0;
    return m->kind == MEASURE_SUM        ? (GroupAmount){any ? sum->sum : 0, 1}
           : !any                        ? (GroupAmount){0, 0}
           : m->kind == MEASURE_AVERAGE  ? (GroupAmount){sum->sum, sum->count}
           : m->kind == MEASURE_LEAST    ? (GroupAmount){sum->least, 1}
           : m->kind == MEASURE_GREATEST ? (GroupAmount){sum->greatest, 1}
                                         : (GroupAmount){0, 0};
}

static void add_amounts(GroupRows *rows, const GroupSpec *spec, GroupRow *row, const GroupSum *sum)
{
    size_t capacity = 0;
    if (spec->measure_count > 0 && !row->amount)
        row->amount = pool_grow(&rows->pool, NULL, &capacity, spec->measure_count, sizeof *row->amount);
    for (size_t i = 0; i < spec->measure_count; i++) {
        const int s = spec->measure[i].sum;
        row->amount[i] = amount_of(&spec->measure[i], &row->numbers, sum && s >= 0 ? &sum[s] : NULL);
    }
}

// ---- rows -------------------------------------------------------------------------------------------------

// The groups of the table by query; the games that were searched have a group for each.
static void collect_groups(GroupRows *rows, GroupTable *all, const GroupTable *t, const Matcher *matcher)
{
    for (size_t i = 0; i < t->count; i++) {
        const Group *g = &t->group[i];
        const char *values = t->values.start + g->start;
        const uint32_t query = g->query & GROUP_QUERY;
        for (uint32_t q = 0; g->query == GROUP_NO_QUERY && q < matcher->query_count; q++)
            groups_add(all, q, values, g->length, &g->numbers);
        if (g->query == (GROUP_TOTAL | query) && g->query != GROUP_NO_QUERY)
            rows->matches[query] = g->numbers.positions;
        if (g->query != query)
            continue;
        const size_t place = groups_add(all, query, values, g->length, &g->numbers);
        for (size_t k = 0; k < t->sums; k++)
            groups_add_sum(all, place, t->sums, k, &t->sum[i * t->sums + k]);
    }
}

static const GroupSum *sums_of(const GroupTable *t, size_t place)
{
    return t->sums > 0 ? t->sum + place * t->sums : NULL;
}

static SortedRow *sorted_rows(GroupRows *rows, const GroupSpec *spec, const GroupTable *all)
{
    size_t capacity = 0, length = 0;
    SortedRow *list = memory_grow(NULL, &capacity, all->count, sizeof *list);
    char *values = pool_grow(&rows->pool, NULL, &length, all->values.length + 1, 1);
    if (all->values.length > 0)
        memcpy(values, all->values.start, all->values.length);
    for (size_t i = 0; i < all->count; i++) {
        const Group *g = &all->group[i];
        GroupRow row = {g->query,
                        read_values(&rows->pool, spec, values + g->start, values + g->start + g->length),
                        g->numbers, NULL};
        add_amounts(rows, spec, &row, sums_of(all, i));
        list[i] = (SortedRow){row, i, spec, spec->order};
    }
    sort_rows(spec, list, all->count);
    return list;
}

static void add_row(GroupRows *rows, GroupRow row)
{
    MEMORY_PUSH(rows->row, rows->count, rows->capacity, row);
}

// Adds a group to the row of the others, the last one.
static void add_other(GroupRows *rows, const GroupNumbers *n)
{
    GroupNumbers *to = &rows->row[rows->count - 1].numbers;
    to->games += n->games;
    to->positions += n->positions;
    to->white += n->white;
    to->black += n->black;
    to->draws += n->draws;
    to->searched += n->searched;
}

// The measures of the rows of others.
static void add_other_amounts(GroupRows *rows, const GroupSpec *spec, const GroupTable *all,
                              const size_t *row_of)
{
    GroupTable sums = {0};
    if (spec->limit == 0)
        return;
    for (size_t i = 0; i < rows->count; i++)
        groups_add(&sums, (uint32_t)i, "", 0, &(GroupNumbers){0});
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->sums; k++)
            groups_add_sum(&sums, row_of[i], all->sums, k, &all->sum[i * all->sums + k]);
    for (size_t i = 0; i < rows->count; i++)
        if (!rows->row[i].value)
            add_amounts(rows, spec, &rows->row[i], sums_of(&sums, i));
    groups_free(&sums);
}

void group_rows(GroupRows *rows, const GroupSpec *spec, const GroupTable *t, const Matcher *matcher)
{
    GroupTable all = {0};
    size_t details;
    *rows = (GroupRows){.matches = memory_zeroed(matcher->query_count, sizeof *rows->matches)};
    collect_groups(rows, &all, t, matcher);
    SortedRow *list = sorted_rows(rows, spec, &all);
    size_t *row_of = memory_zeroed(all.count + 1, sizeof *row_of);
    int64_t *sum = memory_zeroed(matcher->query_count, sizeof *sum);
    for (size_t i = 0, first = 0; i < all.count; i++) {
        if (list[i].row.query != list[first].row.query)
            first = i;
        MEMORY_PUSH(rows->all, rows->all_count, rows->all_capacity, list[i].row);
        sum[list[i].row.query] += group_matches(spec, &list[i].row);
        const bool shown = spec->limit == 0 || (int64_t)(i - first) < spec->limit;
        if (shown)
            add_row(rows, list[i].row);
        else if ((int64_t)(i - first) == spec->limit)
            add_row(rows, (GroupRow){.query = list[i].row.query});
        if (!shown)
            add_other(rows, &list[i].row.numbers);
        row_of[list[i].place] = rows->count - 1;
    }
    for (uint32_t q = 0; q < matcher->query_count; q++)
        rows->matches[q] = rows->matches[q] > 0 ? rows->matches[q] : sum[q];
    add_other_amounts(rows, spec, &all, row_of);
    Detail *detail = collect_details(spec, t, &all, row_of, &details);
    add_details(rows, spec, detail, details);
    groups_free(&all);
    free(detail);
    free(row_of);
    free(sum);
    free(list);
}

void group_rows_free(GroupRows *rows)
{
    free(rows->row);
    free(rows->all);
    free(rows->matches);
    pool_free(&rows->pool);
    *rows = (GroupRows){0};
}

static bool is_absent(const GroupTable *t, size_t k)
{
    bool any = false;
    for (size_t i = 0; i < t->count; i++) {
        const Group *g = &t->group[i];
        const char *at = t->values.start + g->start, *end = at + g->length;
        Value value = {0};
        if (g->query > GROUP_QUERY && g->query != GROUP_NO_QUERY)
            continue;
        for (size_t n = 0; n <= k; n++)
            value_get(&at, end, &value);
        any = true;
        if (value.kind != VALUE_NONE)
            return false;
    }
    return any;
}

const GroupKey *group_absent_tag(const GroupSpec *spec, const GroupTable *table, size_t *k)
{
    while (*k < spec->count) {
        const size_t i = (*k)++;
        if (spec->key[i].kind == GROUP_TAG && is_absent(table, i))
            return &spec->key[i];
    }
    return NULL;
}

size_t group_rows_end(const GroupRows *rows, size_t begin)
{
    size_t end = begin;
    while (end < rows->count && rows->row[end].query == rows->row[begin].query)
        end++;
    return end;
}

// ---- columns ----------------------------------------------------------------------------------------------

int64_t group_matches(const GroupSpec *spec, const GroupRow *row)
{
    return spec->per_position ? row->numbers.positions : row->numbers.games;
}

double group_percent(const GroupSpec *spec, const GroupRows *rows, const GroupRow *row)
{
    const int64_t whole = group_has_searched(spec) ? row->numbers.searched : rows->matches[row->query];
    return whole > 0 ? 100.0 * (double)group_matches(spec, row) / (double)whole : 0;
}

double group_bar(const GroupSpec *spec, const GroupRows *rows, const GroupRow *row)
{
    return group_has_searched(spec) ? group_percent(spec, rows, row) : (double)group_matches(spec, row);
}

// The columns before those of measures.
typedef enum Column { COLUMN_MATCHES, COLUMN_SEARCHED, COLUMN_PERCENT, COLUMN_MEASURES } Column;

static size_t column_at(const GroupSpec *spec, size_t column)
{
    return column > 0 && !group_has_searched(spec) ? column + 1 : column;
}

size_t group_columns(const GroupSpec *spec)
{
    return COLUMN_MEASURES - !group_has_searched(spec) + spec->measure_count;
}

const char *group_heading(const GroupSpec *spec, size_t column, bool plain)
{
    static const char *const results[][3] = {
        {"1-0", "white", "won"}, {"1/2-1/2", "draws", "drawn"}, {"0-1", "black", "lost"}};
    const bool player = spec->by_player || spec->player;
    const size_t at = column_at(spec, column);
    if (at == COLUMN_MATCHES)
        return spec->per_position ? "positions" : "games";
    if (at == COLUMN_SEARCHED)
        return spec->among ? "among" : plain ? "of_all" : "of all";
    if (at == COLUMN_PERCENT)
        return plain ? "percent" : "%";
    const GroupMeasure *m = &spec->measure[at - COLUMN_MEASURES];
    if (m->kind >= MEASURE_WHITE && m->kind <= MEASURE_BLACK)
        return results[m->kind - MEASURE_WHITE][player ? 2 : plain];
    return m->name;
}

static void put_amount(Buffer *out, const GroupMeasure *m, const GroupAmount *a, const GroupNumbers *n,
                       bool plain)
{
    const double value = a->denominator > 0 ? (double)a->numerator / (double)a->denominator : 0;
    const int64_t results = n->white + n->draws + n->black;
    if (a->denominator == 0)
        buffer_text(out, plain ? "" : "-");
    else if (m->kind == MEASURE_SCORE && !plain)
        buffer_format(out, "%s %%, %lld game%s, +%lld =%lld -%lld", ascii_decimal(value, 1).text,
                      (long long)results, results == 1 ? "" : "s", (long long)n->white, (long long)n->draws,
                      (long long)n->black);
    else if (m->kind == MEASURE_SCORE || m->kind == MEASURE_AVERAGE)
        buffer_text(out, ascii_decimal(value, 2).text);
    else if (a->numerator % a->denominator != 0)
        buffer_text(out, ascii_decimal(value, 1).text); // a median
    else
        buffer_format(out, "%lld", (long long)(a->numerator / a->denominator));
}

void group_put_cell(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const GroupRow *row,
                    size_t column, bool plain)
{
    const size_t at = column_at(spec, column);
    if (at >= COLUMN_MEASURES)
        put_amount(out, &spec->measure[at - COLUMN_MEASURES], &row->amount[at - COLUMN_MEASURES],
                   &row->numbers, plain);
    else if (at == COLUMN_PERCENT)
        buffer_text(out, ascii_decimal(group_percent(spec, rows, row), plain ? 2 : 1).text);
    else
        buffer_format(out, "%lld",
                      (long long)(at == COLUMN_SEARCHED ? row->numbers.searched : group_matches(spec, row)));
}
