// Memory of one compiled query.
#ifndef CQL_ARENA_H
#define CQL_ARENA_H

#include <stdarg.h>
#include <stddef.h>

// Memory that lives as long as one compiled query; freed at once. Allocation never returns NULL (it ends the
// program with a message when memory is exhausted). Charged to the account of the work that makes the arena
// (runtime/value/account.h).
typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *a);
void *arena_alloc(Arena *a, size_t size);                    // zeroed, aligned to 16
char *arena_copy(Arena *a, const char *text, size_t length); // NUL-terminated copy
char *arena_printf(Arena *a, const char *format, ...) __attribute__((nonnull, format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *format, va_list arguments)
    __attribute__((nonnull(1, 2), format(printf, 2, 0)));

// Grows an arena array by doubling: `ARENA_PUSH(arena, array, count, value)`; array and count are lvalues.
#define ARENA_PUSH(arena, array, count, value)                                                               \
    do {                                                                                                     \
        if (((count) & ((count)-1)) == 0) {                                                                  \
            size_t bytes_ = sizeof *(array) * (size_t)(count);                                               \
            void *grown_ = arena_alloc((arena), bytes_ ? 2 * bytes_ : sizeof *(array));                      \
            if (bytes_)                                                                                      \
                __builtin_memcpy(grown_, (array), bytes_);                                                   \
            (array) = grown_;                                                                                \
        }                                                                                                    \
        (array)[(count)++] = (value);                                                                        \
    } while (0)

#endif
