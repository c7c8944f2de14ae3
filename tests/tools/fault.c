// A library to preload that makes the program's allocations, reads and writes fail. The variable CQLGEN_FAULT
// says what:
//
//   memory:N    allocation N and all later ones return NULL
//   read:N      read N fails with EIO, and all later ones
//   short:N     read 1, 2, … return at most N bytes
//   write:N     write N, those to stderr not counted, fails with ENOSPC after half of its bytes, and all
//               later ones fail
//   count       all succeed; at the end of the program `memory A read R write W` goes to the file
//               descriptor 9
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The C library's own allocator under the names that stay when malloc is replaced.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

typedef enum Kind { KIND_NONE, KIND_MEMORY, KIND_READ, KIND_SHORT, KIND_WRITE, KIND_COUNT } Kind;

static Kind kind;
static long limit;
static atomic_long allocations, reads, writes;
static ssize_t (*real_read)(int fd, void *bytes, size_t length);
static ssize_t (*real_write)(int fd, const void *bytes, size_t length);

__attribute__((constructor)) static void begin(void)
{
    static const char *const name[] = {"", "memory:", "read:", "short:", "write:", "count"};
    real_read = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    real_write = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    const char *fault = getenv("CQLGEN_FAULT");
    if (!fault)
        return;
    allocations = reads = writes = 0;
    for (Kind k = KIND_MEMORY; k <= KIND_COUNT; k++)
        if (strncmp(fault, name[k], strlen(name[k])) == 0) {
            limit = atol(fault + strlen(name[k]));
            kind = k;
        }
}

__attribute__((destructor)) static void end(void)
{
    if (kind == KIND_COUNT)
        dprintf(9, "memory %ld read %ld write %ld\n", atomic_load(&allocations), atomic_load(&reads),
                atomic_load(&writes));
}

static bool fails(Kind of, atomic_long *count)
{
    const long number = atomic_fetch_add(count, 1) + 1;
    return kind == of && number >= limit;
}

void *malloc(size_t size)
{
    return fails(KIND_MEMORY, &allocations) ? (errno = ENOMEM, NULL) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(KIND_MEMORY, &allocations) ? (errno = ENOMEM, NULL) : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(KIND_MEMORY, &allocations) ? (errno = ENOMEM, NULL) : __libc_realloc(memory, size);
}

ssize_t read(int fd, void *bytes, size_t length)
{
    if (fails(KIND_READ, &reads)) {
        errno = EIO;
        return -1;
    }
    return real_read(fd, bytes, kind == KIND_SHORT && length > (size_t)limit ? (size_t)limit : length);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    if (fd != STDERR_FILENO && fails(KIND_WRITE, &writes)) {
        if (atomic_load(&writes) == limit && length > 1)
            return real_write(fd, bytes, length / 2);
        errno = ENOSPC;
        return -1;
    }
    return real_write(fd, bytes, length);
}
