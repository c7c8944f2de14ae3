// Calls of the system that a signal interrupts, that do less than is wanted, or that fail, for programs that include this.
#ifndef CQL_CALLS_FIXTURE_H
#define CQL_CALLS_FIXTURE_H

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool slow_calls;   // each second call is interrupted; the others read and write three bytes at most
static int failing_calls; // the error of all calls; 0: none
static int failing_reads; // the same of those that read

// How many bytes a call may take; 0, and an error: none.
static inline size_t allowed(size_t size, int error)
{
    static unsigned calls;
    if (error) {
        errno = error;
        return 0;
    }
    if (!slow_calls)
        return size;
    if (calls++ % 2 == 0) {
        errno = EINTR;
        return 0;
    }
    return size < 3 ? size : 3;
}

ssize_t read(int fd, void *bytes, size_t size)
{
    const size_t most = allowed(size, failing_calls ? failing_calls : failing_reads);
    return most == 0 && size > 0 ? -1 : syscall(SYS_read, fd, bytes, most);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    const size_t most = allowed(size, failing_calls);
    return most == 0 && size > 0 ? -1 : syscall(SYS_write, fd, bytes, most);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    const size_t most = allowed(size, failing_calls ? failing_calls : failing_reads);
    return most == 0 && size > 0 ? -1 : syscall(SYS_pread64, fd, bytes, most, at);
}

#endif
