// The table of runtime functions. The only file that refers to all of them.
#include "table.h"

#include "runtime/chess/chess.h"

const Runtime cql_runtime = {
    .abi_version = CQL_ABI_VERSION,
    .size = sizeof(Runtime),
    .between_table = between_table[0],
    .ray_table = ray_table[0],
    .reach_table = reach_table[0],
#define CALL(name, result, parameters, facts, c_result, prototype, help) .name = rt_##name,
#include "calls.def"
};

const Subject *const run_subjects[] = {
#define SUBJECT(name, State) &name##_subject,
    SUBJECTS(SUBJECT)
#undef SUBJECT
        NULL};
