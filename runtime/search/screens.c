// Queries that are screened together.
#include "screens.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "candidates.h"

bool screens_next(Screens *s, const Matcher *matcher, bool *wants)
{
    s->query = matcher->query;
    s->count = 0;
    for (uint32_t q = 0; q < matcher->query_count && s->count < SCREEN_QUERIES; q++)
        if (wants[q] && (s->count == 0 || s->query[q].screen == s->query[s->member[0]].screen)) {
            s->member[s->count++] = q;
            wants[q] = false;
        }
    return s->count > 0;
}

int32_t (*screens_found(const Screens *s, uint32_t member))[LINE_LANES]
{
    return s->found + member * s->groups;
}

void screens_run(Screens *s, const LineGroup *group, size_t groups)
{
    int32_t(*place[SCREEN_QUERIES])[LINE_LANES] = {NULL};
    s->groups = groups;
    s->found = memory_grow(s->found, &s->capacity, groups * s->count, sizeof *s->found);
    if (groups > 0)
        memset(s->found, CANDIDATE, groups * s->count * sizeof *s->found); // -1: all bytes are equal
    for (uint32_t i = 0; i < s->count; i++)
        place[s->query[s->member[i]].screen_place] = screens_found(s, i);
    s->query[s->member[0]].screen(group, (int32_t)groups, place);
}

bool screens_pay(const QueryInfo *query, const ScreenStats *stats)
{
    // EVALUATION: of a position that is replayed, in units of screen_cost
    enum { CHEAP = 600, EVALUATION = 2000 };
    const int64_t saved = EVALUATION - query->screen_cost;
    return query->screen_cost <= CHEAP || stats->passed * EVALUATION < stats->screened * saved;
}

double screens_share(const Screens *s, uint32_t member)
{
    double all = 0;
    for (uint32_t i = 0; i < s->count; i++)
        all += 1 + s->query[s->member[i]].screen_cost;
    return (1 + s->query[s->member[member]].screen_cost) / all;
}

void screens_free(Screens *s)
{
    free(s->found);
}
