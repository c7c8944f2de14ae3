// Memory that does not fail to its caller.
#include "memory.h"
#include "account.h"

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

// A stream to memory that is open. The text always ends in a NUL that is not counted.
typedef struct MemoryStream {
    char **text; // NULL: it is abandoned by an escape
    size_t *length, capacity;
    FILE *file;
    AccountEntry entry;
    struct MemoryStream *outer; // opened before, by the same thread
} MemoryStream;

// Of this thread, which has room for them from its beginning (Makefile: -ftls-model).
static _Thread_local MemoryEscape *innermost;
static _Thread_local MemoryStream *streams;

static pthread_mutex_t files_mutex = PTHREAD_MUTEX_INITIALIZER; // guards `files`
static MemoryFile *files;
static _Thread_local uint64_t file_count;

void memory_file_begin(MemoryFile *file, const char *path)
{
    pthread_mutex_lock(&files_mutex);
    *file = (MemoryFile){path, files, &file_count, ++file_count};
    files = file;
    pthread_mutex_unlock(&files_mutex);
}

static void forget(const MemoryFile *file)
{
    MemoryFile **place = &files;
    while (*place && *place != file)
        place = &(*place)->outer;
    if (*place)
        *place = file->outer;
}

void memory_file_end(const MemoryFile *file)
{
    pthread_mutex_lock(&files_mutex);
    forget(file);
    pthread_mutex_unlock(&files_mutex);
}

// Removes all files, or those that this thread began after a number.
static void remove_files(bool all, uint64_t number)
{
    pthread_mutex_lock(&files_mutex);
    for (const MemoryFile *file = files, *outer; file; file = outer) {
        outer = file->outer;
        if (!all && (file->thread != &file_count || file->number <= number))
            continue;
        folder_remove(file->path);
        forget(file);
    }
    pthread_mutex_unlock(&files_mutex);
}

// Neither stdio nor atexit handlers: other threads may hold their locks, and both may allocate.
static _Noreturn void end_program(void)
{
    static const char message[] = "cqlgen: out of memory\n";
    remove_files(true, 0);
    const ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    _exit(MEMORY_STATUS);
}

void memory_escape_begin(MemoryEscape *escape)
{
    escape->outer = innermost;
    escape->streams = streams;
    escape->files = file_count;
    innermost = escape;
}

void memory_escape_end(const MemoryEscape *escape)
{
    innermost = escape->outer;
}

_Noreturn void memory_exhausted(void)
{
    MemoryEscape *escape = innermost;
    if (!escape)
        end_program();
    memory_escape_end(escape);
    remove_files(false, escape->files);
    while (streams != escape->streams) {
        free(*streams->text); // on the stack, which is not left yet
        streams->text = NULL;
        fclose(streams->file);
    }
    longjmp(escape->jump, 1);
}

void memory_keep_freed(void)
{
#ifdef __GLIBC__
    enum { LARGEST = 32 << 20 }; // that malloc may keep
    mallopt(M_MMAP_THRESHOLD, LARGEST);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

void *memory_checked(void *memory)
{
    if (!memory)
        memory_exhausted();
    return memory;
}

void *memory_new(size_t size)
{
    return memory_checked(malloc(size ? size : 1));
}

void *memory_zeroed(size_t count, size_t size)
{
    return memory_checked(calloc(count ? count : 1, size ? size : 1));
}

void *memory_resized(void *memory, size_t count, size_t size)
{
    if (count > SIZE_MAX / size)
        memory_exhausted();
    return memory_checked(realloc(memory, count ? count * size : 1));
}

// The capacity of a growing array of *capacity elements that needs more.
static size_t larger(size_t capacity, size_t need)
{
    enum { LEAST = 16 };
    const size_t wanted = capacity > SIZE_MAX / 2 || 2 * capacity < need ? need : 2 * capacity;
    return wanted < LEAST ? LEAST : wanted;
}

void *memory_enlarged(void *array, size_t *capacity, size_t need, size_t size)
{
    const size_t wanted = larger(*capacity, need);
    array = memory_resized(array, wanted, size);
    *capacity = wanted;
    return array;
}

char *memory_copy(const char *bytes, size_t length)
{
    char *copy = memory_new(length + 1);
    if (length > 0)
        memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

char *memory_vformat(const char *format, va_list arguments)
{
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        memory_exhausted();
    return text;
}

char *memory_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_vformat(format, arguments);
    va_end(arguments);
    return text;
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t count)
{
    MemoryStream *s = cookie;
    if (!s->text)
        return (ssize_t)count;
    const size_t need = *s->length + count + 1;
    if (need > s->capacity)
        account_charge(&s->entry, larger(s->capacity, need) - s->capacity);
    *s->text = memory_grow(*s->text, &s->capacity, need, 1);
    memcpy(*s->text + *s->length, bytes, count);
    *s->length += count;
    (*s->text)[*s->length] = '\0';
    return (ssize_t)count;
}

static int stream_close(void *cookie)
{
    MemoryStream **place = &streams;
    while (*place && *place != cookie)
        place = &(*place)->outer;
    if (*place)
        *place = (*place)->outer;
    account_leave(&((MemoryStream *)cookie)->entry);
    free(cookie);
    return 0;
}

FILE *memory_stream(char **text, size_t *length)
{
    MemoryStream *s = memory_new(sizeof *s);
    *s = (MemoryStream){.text = text, .length = length};
    *text = NULL;
    *length = 0;
    s->file = memory_checked(
        fopencookie(s, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close}));
    __fsetlocking(s->file, FSETLOCKING_BYCALLER); // an escape would leave it locked
    s->outer = streams;
    streams = s;
    account_enter(&s->entry, account_leave);
    stream_write(s, "", 0);
    return s->file;
}

// ---- pools ------------------------------------------------------------------------------------------------

struct PoolBlock {
    struct PoolBlock *previous, *next;
    _Alignas(max_align_t) char memory[];
};

void *pool_enlarged(Pool *pool, void *array, size_t *capacity, size_t need, size_t size)
{
    struct PoolBlock *block = array ? (void *)((char *)array - offsetof(struct PoolBlock, memory)) : NULL;
    const size_t old = *capacity, wanted = larger(old, need);
    if (wanted > (SIZE_MAX - sizeof *block) / size)
        memory_exhausted();
    struct PoolBlock *moved = memory_checked(realloc(block, sizeof *block + wanted * size));
    if (!block)
        *moved = (struct PoolBlock){NULL, pool->blocks};
    *(moved->previous ? &moved->previous->next : &pool->blocks) = moved;
    if (moved->next)
        moved->next->previous = moved;
    memset(moved->memory + old * size, 0, (wanted - old) * size);
    *capacity = wanted;
    return moved->memory;
}

void pool_free(Pool *pool)
{
    while (pool->blocks) {
        struct PoolBlock *next = pool->blocks->next;
        free(pool->blocks);
        pool->blocks = next;
    }
}
