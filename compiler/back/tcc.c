// Compiles emitted C in memory with libtcc. No file of the system is read: neither headers nor libraries.
#include "backends.h"
#include "runtime/match/load.h"
#include "runtime/value/account.h"
#include "runtime/value/cpu.h"
#include "runtime/value/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#ifdef CQL_WITHOUT_TCC

void *memory_open(const char *c_text, const Matcher **matcher, char **message)
{
    (void)c_text, (void)matcher;
    *message = memory_format("this program was built without libtcc");
    return NULL;
}

void memory_close(void *handle)
{
    (void)handle;
}

#else

#include <libtcc.h>

#include "templates/lanes.h"

enum { BYTES_FOR_BYTE = 5 }; // of memory, for one of C text

// libtcc keeps its compiler in global variables.
static pthread_mutex_t tcc_lock = PTHREAD_MUTEX_INITIALIZER;

// A call is on its way, or was left when memory ran out: its variables are in no state to be used then, nor is its own lock.
static bool tcc_inside;

static void add_error(void *opaque, const char *error)
{
    char **message = opaque;
    char *longer =
        memory_format("%s%s%s", *message != NULL ? *message : "", *message != NULL ? "\n" : "", error);
    free(*message);
    *message = longer;
}

// Counts squares with the instruction for it.
CPU_TARGET("popcnt") static int32_t count_squares_popcnt(Bitboard set)
{
    return __builtin_popcountll(set);
}

// Is the value among those up to position `last`? Longer games pass.
static Bitboard is_repeated(const Bitboard *history, int32_t last, Bitboard value)
{
    enum { HISTORY = 1024, UNROLLED = 4 };
    Bitboard found = last >= HISTORY;
    for (int32_t i = 0; i + UNROLLED <= last + 1 && last < HISTORY && !found; i += UNROLLED)
        found = (history[i] == value) | (history[i + 1] == value) | (history[i + 2] == value) |
                (history[i + 3] == value);
    for (int32_t i = (last + 1) & -UNROLLED; i <= last && last < HISTORY; i++)
        found |= history[i] == value;
    return 0 - found;
}

// Functions of libtcc save the register that is the frame pointer, in which this loop must not count: each round would wait
// for memory.
#if defined __GNUC__ && !defined __clang__
__attribute__((optimize("no-omit-frame-pointer")))
#endif
static void
match_each_position(Context *c, Matches *matches)
{
    match_positions(c, matches);
}

// With the functions that the prelude declares for code in memory.
static void add_symbols(TCCState *s)
{
    tcc_add_symbol(s, "memcpy", (const void *)memcpy);
    tcc_add_symbol(s, "memmove", (const void *)memmove);
    tcc_add_symbol(s, "memset", (const void *)memset);
    tcc_add_symbol(s, "match_positions", (const void *)match_each_position);
    tcc_add_symbol(s, "count_squares",
                   CPU_HAS("popcnt") ? (const void *)count_squares_popcnt : (const void *)count_squares);
    tcc_add_symbol(s, "first_square", (const void *)first_square);
    tcc_add_symbol(s, "knight_moves", (const void *)knight_moves);
    tcc_add_symbol(s, "king_moves", (const void *)king_moves);
    tcc_add_symbol(s, "lanes_repeated", (const void *)is_repeated);
    tcc_add_symbol(s, "straight_from", (const void *)straight_from);
    tcc_add_symbol(s, "diagonal_from", (const void *)diagonal_from);
}

static const Matcher *compile(TCCState *s, const char *c_text, char **message)
{
    tcc_set_options(s, "-nostdlib -nostdinc");
    tcc_set_output_type(s, TCC_OUTPUT_MEMORY);
    tcc_define_symbol(s, "CQL_IN_MEMORY", "1");
    if (tcc_compile_string(s, c_text) < 0)
        return NULL;
    add_symbols(s);
    if (tcc_relocate(s, TCC_RELOCATE_AUTO) < 0)
        return NULL;
    MatcherEntry *entry;
    *(void **)&entry = tcc_get_symbol(s, "cql_matcher");
    return entry != NULL ? matcher_check(entry(), "what libtcc has compiled", message) : NULL;
}

static TCCState *open_state(const char *c_text, const Matcher **matcher, char **message)
{
    TCCState *s = tcc_new();
    if (s != NULL) {
        tcc_set_error_func(s, message, add_error);
        *matcher = compile(s, c_text, message);
        tcc_set_error_func(s, NULL, NULL);
        if (*matcher == NULL) {
            tcc_delete(s);
            s = NULL;
        }
    }
    return s;
}

void *memory_open(const char *c_text, const Matcher **matcher, char **message)
{
    MemoryEscape escape;
    AccountEntry own; // what libtcc takes
    *message = NULL;
    account_enter(&own, account_leave);
    pthread_mutex_lock(&tcc_lock);
    if (setjmp(escape.jump) != 0) {
        pthread_mutex_unlock(&tcc_lock);
        account_leave(&own);
        memory_exhausted();
    }
    memory_escape_begin(&escape);
    account_charge(&own, strlen(c_text) * BYTES_FOR_BYTE);
    TCCState *s = NULL;
    if (tcc_inside) {
        *message = memory_format("libtcc ran out of memory before, and cannot be used again by this program");
    } else {
        tcc_inside = true;
        s = open_state(c_text, matcher, message);
        tcc_inside = false;
    }
    memory_escape_end(&escape);
    pthread_mutex_unlock(&tcc_lock);
    account_leave(&own);
    if (s != NULL) { // warnings
        free(*message);
        *message = NULL;
    } else if (*message == NULL) {
        *message = memory_format("libtcc cannot be used");
    }
    return s;
}

void memory_close(void *handle)
{
    pthread_mutex_lock(&tcc_lock);
    if (!tcc_inside)
        tcc_delete(handle);
    pthread_mutex_unlock(&tcc_lock);
}

#endif
