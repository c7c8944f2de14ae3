// Allocation that does not fail. Running out of memory ends the program with a message on stderr and status
// MEMORY_STATUS, unless the thread has an escape, which a library needs: an incomplete result must not look like a complete
// one. Output files have no name before they are complete (runtime/search/output.h), so nothing is left over.
#ifndef CQL_MEMORY_H
#define CQL_MEMORY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { MEMORY_STATUS = 7 };

// The caller owns all memory returned here and frees it with free().

// Keeps freed memory for later allocations instead of returning it to the system, which clears it again page by page.
// For programs, not for libraries.
void memory_keep_freed(void);

// malloc; 0 bytes are allowed.
void *memory_new(size_t size);

// `count` elements of `size` bytes, all zero; a count of 0 is allowed.
void *memory_zeroed(size_t count, size_t size);

// realloc of `memory` (or NULL) to `count` elements of `size` bytes.
void *memory_resized(void *memory, size_t count, size_t size);

// memory_grow when the array is too small.
void *memory_enlarged(void *array, size_t *capacity, size_t need, size_t size);

// Makes room for at least `need` elements in a growing array of *capacity elements of `size` bytes (NULL: 0).
// Returns the array. Contents are kept; the capacity at least doubles.
static inline void *memory_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? array : memory_enlarged(array, capacity, need, size);
}

// Adds an element to such an array. All but the element are lvalues, evaluated several times.
#define MEMORY_PUSH(array, count, capacity, ...)                                                             \
    ((array) = memory_grow((array), &(capacity), (size_t)(count) + 1, sizeof *(array)),                      \
     (void)((array)[(count)++] = (__VA_ARGS__)))

// A copy of `length` bytes, followed by a NUL.
char *memory_copy(const char *bytes, size_t length);

// As asprintf and vasprintf.
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *memory_vformat(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

// A stream to memory; when it is closed, *text is what was written, followed by a NUL, and *length its
// length. Unlike open_memstream, it never cuts off the text when memory runs out.
FILE *memory_stream(char **text, size_t *length);

// Memory that is freed all at once. Zero-initialised.
typedef struct Pool {
    struct PoolBlock *blocks;
} Pool;

// pool_grow when the array is too small.
void *pool_enlarged(Pool *pool, void *array, size_t *capacity, size_t need, size_t size);

// As memory_grow, for an array that belongs to the pool. New elements are zero.
static inline void *pool_grow(Pool *pool, void *array, size_t *capacity, size_t need, size_t size)
{
    return need <= *capacity ? array : pool_enlarged(pool, array, capacity, need, size);
}

void pool_free(Pool *pool);

// Where a thread goes on when memory runs out. What it was working on is in no state to be used or freed then; the locks
// that it holds are still held.
//
//     MemoryEscape escape;
//     if (setjmp(escape.jump) != 0) { out of memory } else { memory_escape_begin(&escape); …; memory_escape_end(&escape); }
typedef struct MemoryEscape {
    jmp_buf jump;
    struct MemoryEscape *outer;
    struct MemoryStream *streams; // that are open when it begins
    uint64_t files;               // number of the last file that the thread began before
} MemoryEscape;
void memory_escape_begin(MemoryEscape *escape);
void memory_escape_end(const MemoryEscape *escape);

// Memory has run out: goes to the escape, which ends it, or ends the program.
_Noreturn void memory_exhausted(void);

// A file or folder with a temporary name, which is removed when memory runs out between begin and end. The node and the path
// belong to the caller, and stay until then or until the end of the escape.
typedef struct MemoryFile {
    const char *path;
    struct MemoryFile *outer;
    const void *thread;
    uint64_t number; // of the thread's files
} MemoryFile;
void memory_file_begin(MemoryFile *file, const char *path);
void memory_file_end(const MemoryFile *file);

// Returns `memory`, which a library has allocated. Does not return when it is NULL.
void *memory_checked(void *memory);

#endif
