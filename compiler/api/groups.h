// Groups for the caller.
#ifndef CQL_API_GROUPS_H
#define CQL_API_GROUPS_H

#include "compiler/base/arena.h"
#include "cqlgen.h"
#include "runtime/format/groups.h"

// The groups of a table, in the arena. `measures`: with those of the spec.
CqlGroups *groups_give(Arena *arena, const GroupSpec *spec, bool measures, const GroupTable *table,
                       const Matcher *matcher);

#endif
