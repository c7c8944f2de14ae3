// Groups for the caller.
#include "groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/ascii.h"

// For the caller years are numbers, or none where the date has none, and results, which are numbers for their order, texts.
static CqlGroupValue give_value(Arena *arena, const GroupKey *key, const GroupValue *value)
{
    const char *text = arena_copy(arena, value->text.start, value->text.length);
    const bool year = key->kind == GROUP_YEAR && is_digit(text[0]);
    const bool none = value->kind == GROUP_VALUE_NONE || (key->kind == GROUP_YEAR && !year);
    const bool number = year || (value->kind == GROUP_VALUE_NUMBER && key->kind != GROUP_RESULT);
    const int32_t kind = none ? CQL_GROUP_NONE : number ? CQL_GROUP_NUMBER : CQL_GROUP_TEXT;
    return (CqlGroupValue){kind, year ? atoll(text) : value->number, text};
}

static const CqlGroup *give_group(Arena *arena, const GroupSpec *spec, const GroupRows *rows,
                                  const GroupRow *row, size_t measures)
{
    double *measure = arena_alloc(arena, (measures + 1) * sizeof *measure);
    for (size_t i = 0; i < measures; i++)
        measure[i] = row->amount[i].denominator > 0
                         ? (double)row->amount[i].numerator / (double)row->amount[i].denominator
                         : (double)NAN;
    const GroupNumbers *n = &row->numbers;
    CqlGroup *group = arena_alloc(arena, sizeof *group);
    *group = (CqlGroup){.query = (int32_t)row->query,
                        .games = n->games,
                        .positions = n->positions,
                        .white = n->white,
                        .draws = n->draws,
                        .black = n->black,
                        .searched = n->searched,
                        .percent = group_percent(spec, rows, row),
                        .measure = measure};
    if (!row->value)
        return group;
    CqlGroupValue *value = arena_alloc(arena, spec->count * sizeof *value);
    for (size_t k = 0; k < spec->count; k++)
        value[k] = give_value(arena, &spec->key[k], &row->value[k]);
    group->value = value;
    return group;
}

CqlGroups *groups_give(Arena *arena, const GroupSpec *spec, bool measures, const GroupTable *table,
                       const Matcher *matcher)
{
    const size_t count = measures ? spec->measure_count : 0;
    GroupRows rows;
    group_rows(&rows, spec, table, matcher);
    const char **key = arena_alloc(arena, spec->count * sizeof *key);
    const char **measure = arena_alloc(arena, (count + 1) * sizeof *measure);
    for (size_t i = 0; i < count; i++)
        measure[i] = arena_copy(arena, spec->measure[i].name, strlen(spec->measure[i].name));
    const CqlGroup **group = arena_alloc(arena, (rows.count + 1) * sizeof *group);
    for (size_t k = 0; k < spec->count; k++)
        key[k] = arena_copy(arena, spec->key[k].name, strlen(spec->key[k].name));
    for (size_t i = 0; i < rows.count; i++)
        group[i] = give_group(arena, spec, &rows, &rows.row[i], count);
    CqlGroups *groups = arena_alloc(arena, sizeof *groups);
    *groups = (CqlGroups){(int32_t)spec->count, key, (int32_t)rows.count, group, (int32_t)count, measure};
    group_rows_free(&rows);
    return groups;
}
