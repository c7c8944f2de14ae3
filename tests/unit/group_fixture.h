// Tables of groups, and how they are written, for tests of these.
#ifndef CQL_GROUP_FIXTURE_H
#define CQL_GROUP_FIXTURE_H

#include "run_fixture.h"

#include "runtime/format/groups.h"

static inline GroupSpec spec_of(const char *text)
{
    GroupSpec spec;
    assert_null(group_spec_read(&spec, text));
    assert_null(group_measures_read(&spec, NULL));
    return spec;
}

typedef struct Sample {
    GroupSpec spec;
    GroupTable table;
    QueryInfo query[2];
    Matcher matcher;
    Buffer out;
} Sample;

static inline void sample_open(Sample *s, const char *keys, uint32_t queries)
{
    memset(s, 0, sizeof *s);
    s->spec = spec_of(keys);
    s->query[0] = (QueryInfo){.name = "a.cql", .source = "q < r"};
    s->query[1] = (QueryInfo){.name = "b,\"<c>\".cql"};
    s->matcher = (Matcher){CQL_MAGIC, CQL_ABI_VERSION, queries, s->query, "test", CQL_LAYOUT};
}

// Appends the values of all keys, of which each has one.
static inline void group_values(const GroupSpec *spec, Buffer *out, const GroupFacts *facts)
{
    for (size_t k = 0; k < spec->count; k++)
        group_put_values(&spec->key[k], out, facts, NULL, -1);
}

// Adds games of one query, or NULL: games that were searched.
static inline void sample_add(Sample *s, uint32_t query, const char *white, int rating, int64_t games)
{
    Buffer values = {0};
    const GroupFacts facts = {
        .name = {text_of(white)}, .rating = {rating, rating}, .date = "????.??.??", .file = "f"};
    const GroupNumbers n = query == GROUP_NO_QUERY
                               ? (GroupNumbers){.searched = games}
                               : (GroupNumbers){.games = games, .positions = 2 * games, .white = games};
    group_values(&s->spec, &values, &facts);
    groups_add(&s->table, query, values.start, values.length, &n);
    buffer_free(&values);
}

static inline const char *sample_write(Sample *s, SearchFormat format, int width)
{
    s->out.length = 0;
    const SearchTotals totals = {.games = 9, .matches = 4, .hits = 8};
    const QueryTotals query[2] = {{.matches = 1}, {.matches = 3}};
    const char *const input[] = {"<a>.pgn"};
    const FormatSearch search = {&s->matcher, &totals, query, 4, 1, input, NULL, 0, false, 0, {0}};
    groups_write(&s->out, format, &s->spec, &s->table, &search, width);
    buffer_append(&s->out, "", 1);
    return s->out.start;
}

static inline void sample_close(Sample *s)
{
    groups_free(&s->table);
    group_spec_free(&s->spec);
    buffer_free(&s->out);
}

#endif
