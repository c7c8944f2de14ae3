// The state of one query in one thread, and what all runtime calls share: strings, errors, budgets.
// Internal to runtime/match.
//
// Beyond this, each subject (regular expressions, paths, relations, …) keeps a state of its own, a struct that
// only its file knows. Its Subject (table.h) says how the state lives.
#ifndef CQL_RUN_STATE_H
#define CQL_RUN_STATE_H

#include <string.h>

#include "log.h"
#include "run.h"
#include "runtime/value/memory.h"
#include "runtime/value/strings.h"
#include "table.h"

struct RunState {
    RunOptions options;
    Pool pool; // memory that lives as long as the Run
    Log log;
    StringArena strings; // results of runtime calls, until the next game
    Buffer scratch;      // a string under construction
    jmp_buf *escape;     // where run_raise goes
    char error[256];
    int64_t steps_left;   // of the game's budget, without those handed to Context.steps
    bool exhausted;       // the budget is used up
    bool stopped;         // by RunOptions.stopped
    uint64_t game_serial; // counts the games
    const Run *like;      // while the Run is made: another one of the same query, or NULL
    char *failure;        // why it cannot be made, or NULL; run_new hands it on
#define SUBJECT(name, State) struct State *name;
    SUBJECTS(SUBJECT)
#undef SUBJECT
};

struct Run {
    Context context;
    struct RunState state;
    const Game *tags_of; // the last game was begun by run_tag_atom, for this one; or NULL
    size_t hit_capacity;
};

// The game with its tags and notes.
static inline const Game *run_game_of(const Context *c)
{
    return (const Game *)c->game->game;
}

// As pool_grow: an array that lives as long as the Run.
static inline void *run_grow(Context *c, void *array, size_t *capacity, size_t need, size_t size)
{
    return pool_grow(&c->run->pool, array, capacity, need, size);
}

// A fixed number of elements, all zero, that live as long as the Run.
static inline void *run_zeroed(Context *c, int32_t count, size_t size)
{
    size_t capacity = 0;
    return run_grow(c, NULL, &capacity, (size_t)count * size, 1);
}

// ---- errors and budgets (raise.c) -------------------------------------------------------------------------

// Abandons the game with a message in the manner of printf. Does not return.
_Noreturn void run_raise(Context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Abandons the game because a cap on memory was reached.
_Noreturn void run_raise_memory(Context *c);

// The cap of something of which a game needs no more than `most` bytes.
size_t run_memory_cap(const Context *c, size_t most);

// Takes a step of the budget, as loops of matchers do.
static inline void run_take_step(Context *c)
{
    if (--c->steps <= 0)
        c->rt->raise(c, RAISE_STEPS, &string_empty);
}

// Takes a step for every so many bytes of strings that a call copies or searches.
enum { BYTES_PER_STEP = 64 };
void run_take_steps(Context *c, size_t count);
static inline void run_take_bytes(Context *c, size_t bytes)
{
    if (bytes >= BYTES_PER_STEP)
        run_take_steps(c, bytes / BYTES_PER_STEP);
}

// The steps that are left in this game, at least 1.
int64_t run_steps_left(const Context *c);

// Raises when the search is to end. For calls that may take long without taking steps.
void run_pause(Context *c);

// Hands some of the steps that are left in this game to Context.steps.
void run_give_steps(Context *c);

// ---- strings of the game (strings.c) ----------------------------------------------------------------------

// A string in the game's arena with room for `length` bytes, terminated but not filled in.
CqlString *run_string_new(Context *c, size_t length);

// A copy of bytes as a string of the game.
String run_string(Context *c, const char *bytes, size_t length);
static inline String run_text(Context *c, Text text)
{
    return run_string(c, text.start, text.length);
}

// As printf.
String run_format(Context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

// An empty buffer for a string under construction. There is only one.
Buffer *run_scratch(Context *c);

// What was written into the scratch buffer.
String run_scratch_string(Context *c);

// ---- dictionaries (calls/dictionary.c) --------------------------------------------------------------------

// run_print_dictionaries.
void dictionaries_print(Context *c, FILE *out);

#endif
