// Screens of queries over groups of games. Queries whose screens are one function are screened together. Internal to
// runtime/search.
#ifndef CQL_SEARCH_SCREENS_H
#define CQL_SEARCH_SCREENS_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/match/matcher.h"

// The queries that are screened together, and what their screen has found. Zero-initialised.
typedef struct Screens {
    const QueryInfo *query; // all queries
    uint32_t member[SCREEN_QUERIES];
    uint32_t count; // of members
    int32_t (*found)[LINE_LANES];
    size_t capacity, groups;
} Screens;

// Takes the first query that `wants` (by query), and those after it that share its screen; their elements of `wants` become
// false. Returns false when there is none.
bool screens_next(Screens *s, const Matcher *matcher, bool *wants);

// Screens the groups for the members.
void screens_run(Screens *s, const LineGroup *group, size_t groups);

// What the last run has found for a member, by group: as QueryInfo.screen says, or CANDIDATE where the screen said nothing.
int32_t (*screens_found(const Screens *s, uint32_t member))[LINE_LANES];

// How many games screens have looked at and let pass, or could not look at; and how often they have ruled a game out for a query.
typedef struct ScreenStats {
    int64_t screened, passed, ruled_out;
} ScreenStats;

// Does the screen of a query save more time than it takes?
bool screens_pay(const QueryInfo *query, const ScreenStats *stats);

// The part of the member in the time of the run.
double screens_share(const Screens *s, uint32_t member);

void screens_free(Screens *s);

#endif
