// Opening and reading files.
#include "file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

enum { POLL_MILLISECONDS = 200 };

int file_open(const char *name)
{
    const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

bool file_wait(int fd, bool (*stopped)(void *user), void *user)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    while (!stopped || !stopped(user)) {
        const int ready = poll(&wanted, 1, stopped ? POLL_MILLISECONDS : -1);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
        if (ready < 0 && !stopped)
            return false;
    }
    return false;
}

bool file_read_at(int fd, uint64_t offset, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t count = pread(fd, (char *)bytes + done, length - done, (off_t)(offset + done));
        if (count == 0)
            errno = EIO;
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}
