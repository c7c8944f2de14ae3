// Everything that matchers may call, and the states that the calls use.
#ifndef CQL_TABLE_H
#define CQL_TABLE_H

#include <stddef.h>

#include "matcher.h"

// The implementations of the rows of calls.def, by the names rt_NAME.
#define CALL(name, result, parameters, effect, c_result, prototype, help) c_result rt_##name prototype;
#include "calls.def"

extern const Runtime cql_runtime;

struct RunResult;

// How the state of a subject lives: RunState.NAME, a struct State. Functions that are not needed are NULL.
typedef struct Subject {
    size_t size; // of the state, which begins as zero bytes
    // When a Run is made. May set RunState.failure.
    void (*init)(Context *c);
    // Before each evaluation of a game. Must not cost anything that grows with the game.
    void (*begin_game)(Context *c);
    // After the evaluation: adds what the caller of run_game receives.
    void (*result)(Context *c, struct RunResult *result);
    // Frees what does not belong to RunState.pool. Also called when init failed.
    void (*release)(Context *c);
} Subject;

#define SUBJECTS(SUBJECT)                                                                                    \
    SUBJECT(imaginary, ImaginaryState)                                                                       \
    SUBJECT(facts, FactsState)                                                                               \
    SUBJECT(kept, KeptState)                                                                                 \
    SUBJECT(dictionary, DictionaryState)                                                                     \
    SUBJECT(regex, RegexState)                                                                               \
    SUBJECT(pipe, PipeState)                                                                                 \
    SUBJECT(files, FilesState)                                                                               \
    SUBJECT(marks, MarksState)                                                                               \
    SUBJECT(members, MembersState)                                                                           \
    SUBJECT(compared, ComparedState)                                                                         \
    SUBJECT(memo, MemoState)                                                                                 \
    SUBJECT(path, PathState)                                                                                 \
    SUBJECT(common_run, CommonRunState)                                                                      \
    SUBJECT(relation, RelationState)                                                                         \
    SUBJECT(pairs, PairsState)                                                                               \
    SUBJECT(similar, SimilarState)                                                                           \
    SUBJECT(syzygy, SyzygyState)                                                                             \
    SUBJECT(sort, SortState)                                                                                 \
    SUBJECT(keys, KeysState)                                                                                 \
    SUBJECT(changes, ChangesState)                                                                           \
    SUBJECT(show, ShowState)

#define SUBJECT(name, State) extern const Subject name##_subject;
SUBJECTS(SUBJECT)
#undef SUBJECT

extern const Subject *const run_subjects[]; // NULL at the end

#endif
