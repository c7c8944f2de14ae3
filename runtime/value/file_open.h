// Opening and reading files, those too that another program may still have to write: pipes and terminals.
#ifndef CQL_FILE_OPEN_H
#define CQL_FILE_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens a file for reading, a pipe even if nobody writes to it yet; file_wait waits for that. -1 and errno when it cannot.
int file_open(const char *name);

// Waits until there is something to read, or the end. False when `stopped`, which is called several times a second, says so before. A
// signal may be handled by another thread, so that it interrupts nothing here; without `stopped` (NULL) only one that does ends it.
bool file_wait(int fd, bool (*stopped)(void *user), void *user);

// Reads all these bytes of a regular file. False and errno when it cannot, EIO when the file ends before.
bool file_read_at(int fd, uint64_t offset, void *bytes, size_t length);

#endif
