// The lock of an import: of two that write to one database, the second is refused before it writes.
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

// A byte that SQLite's own locks never reach; the lock belongs to the descriptor and ends with the process.
static int try_lock(int fd)
{
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};
    if (fcntl(fd, F_OFD_SETLK, &range) == 0)
        return fd;
    const bool taken = errno == EAGAIN || errno == EACCES;
    return taken ? LOCK_TAKEN : LOCK_NONE;
}

// Is this still the file with the name?
static bool has_name(int fd, const char *name)
{
    struct stat own, named;
    return fstat(fd, &own) == 0 && stat(name, &named) == 0 && own.st_ino == named.st_ino &&
           own.st_dev == named.st_dev;
}

int lock_database(const char *name, bool create)
{
    enum { TRIES = 8 }; // a failed import may remove its file meanwhile
    for (int i = 0; i < TRIES; i++) {
        const int fd = open(name, O_RDWR | O_CLOEXEC | O_NONBLOCK | (create ? O_CREAT : 0), 0644);
        const int lock = fd >= 0 ? try_lock(fd) : LOCK_NONE;
        if (lock >= 0 && has_name(fd, name))
            return lock;
        if (fd >= 0)
            close(fd);
        if (lock < 0)
            return lock;
    }
    return LOCK_NONE;
}
