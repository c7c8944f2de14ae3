// Everything that matchers may call, and the states behind the calls.
#ifndef CQL_TABLE_H
#define CQL_TABLE_H

#include <stddef.h>

#include "matcher.h"

// The implementations of the rows of calls.def, by the names rt_NAME.
#define CALL(name, result, parameters, effect, c_result, prototype, help) c_result rt_##name prototype;
#include "calls.def"

extern const Runtime cql_runtime;

struct Run;
struct RunResult;

// How the state of a subject lives. Unused functions are NULL. The state is RunState.subject[SUBJECT_NAME].
typedef struct Subject {
    size_t size; // of the state, which begins as zero bytes
    // When a Run is made. `like`: another Run of the same query, or NULL. Returns NULL or an error message
    // (as run_new).
    const char *(*init)(Context *c, const struct Run *like);
    // Before each evaluation of a game. Must not cost anything that grows with the game.
    void (*begin_game)(Context *c);
    // After the evaluation: adds what the caller of run_game receives.
    void (*result)(Context *c, struct RunResult *result);
    // Frees what the state points to.
    void (*release)(Context *c);
} Subject;

#define SUBJECTS(SUBJECT)                                                                                    \
    SUBJECT(imaginary)                                                                                       \
    SUBJECT(facts)                                                                                           \
    SUBJECT(kept)                                                                                            \
    SUBJECT(dictionary)                                                                                      \
    SUBJECT(regex)                                                                                           \
    SUBJECT(files)                                                                                           \
    SUBJECT(marks)                                                                                           \
    SUBJECT(memo)                                                                                            \
    SUBJECT(path)                                                                                            \
    SUBJECT(common_run)                                                                                      \
    SUBJECT(relation)                                                                                        \
    SUBJECT(relation_comments)                                                                               \
    SUBJECT(similar)                                                                                         \
    SUBJECT(sort)                                                                                            \
    SUBJECT(changes)                                                                                         \
    SUBJECT(show)

enum {
#define SUBJECT(name) SUBJECT_##name,
    SUBJECTS(SUBJECT)
#undef SUBJECT
        SUBJECT_COUNT
};

#define SUBJECT(name) extern const Subject name##_subject;
SUBJECTS(SUBJECT)
#undef SUBJECT

extern const Subject *const run_subjects[SUBJECT_COUNT];

#endif
