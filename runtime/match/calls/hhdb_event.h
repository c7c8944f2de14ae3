// The Event tag of study databases (language reference 9.7.3, 13.9). Internal to runtime/match.
#ifndef CQL_HHDB_EVENT_H
#define CQL_HHDB_EVENT_H

#include "hhdb.h"
#include "runtime/match/run_state.h"

// The value of the keys HHDB_DISTINCTION … HHDB_TOURNEY_YEAR_PART; false when the part is missing.
bool hhdb_event_part(Context *c, int key, String *value);

// The value of HHDB_TOURNEY_YEAR and HHDB_TOURNEY_YEAR_END.
bool hhdb_year(Text event, int key, int32_t *value);

#endif
